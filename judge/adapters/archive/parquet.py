"""Write the tables of `judge.archive.record_tables` as Parquet files, one part at a time."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from judge.archive.record_tables import TABLES, Kind, Value
from judge.archive.records import Record

GROUP_ROWS = 50_000  # of a table in memory before they are written
GAMES_MAX = 1_000_000_000  # of a part, so numbers of games are unique
TABLE_NAMES = frozenset(table.name for table in TABLES)
TYPES = {
    Kind.TEXT: pa.string(),
    Kind.NUMBER: pa.int64(),
    Kind.TRUTH: pa.bool_(),
    Kind.TIME: pa.timestamp("us", tz="UTC"),
    Kind.TEXTS: pa.list_(pa.string()),
}


class ParquetPart:
    """A part of each table, written by *writers*; its games are numbered from *first*."""

    def __init__(self, first: int, writers: Sequence[ParquetWriter]) -> None:
        self._next = first
        self._writers = writers
        self._rows: list[list[Sequence[Value]]] = [[] for _ in TABLES]

    def add(self, record: Record) -> None:
        for table, rows in zip(TABLES, self._rows, strict=True):
            rows.extend(table.rows(self._next, record))
        self._next += 1
        self.flush(GROUP_ROWS)

    def flush(self, rows_min: int = 1) -> None:
        """Write the rows of each table that has at least *rows_min*."""
        for writer, rows in zip(self._writers, self._rows, strict=True):
            if len(rows) >= rows_min:
                columns = zip(zip(*rows, strict=True), writer.schema, strict=True)
                arrays = [pa.array(values, field.type) for values, field in columns]
                writer.write_table(pa.Table.from_arrays(arrays, schema=writer.schema))
                rows.clear()


@contextmanager
def writing_part(folder: Path, number: int) -> Iterator[ParquetPart]:
    """Yield part *number* of the tables in *folder*; it appears when it is complete."""
    with TemporaryDirectory(dir=folder) as aside:
        files = {table.name: Path(aside, table.name) for table in TABLES}
        with ExitStack() as stack:
            writers = [
                stack.enter_context(ParquetWriter(files[table.name], _schema(table.heads())))
                for table in TABLES
            ]
            written = ParquetPart(number * GAMES_MAX, writers)
            yield written
            written.flush()
        for name, file in files.items():
            place = part_file(folder, name, number)
            place.parent.mkdir(exist_ok=True)
            file.replace(place)


def _schema(heads: Sequence[tuple[str, Kind, str]]) -> pa.Schema:
    return pa.schema([pa.field(name, TYPES[kind]) for name, kind, _ in heads])


def part_file(folder: Path, table: str, number: int) -> Path:
    """Return the path of part *number* of *table* in *folder*."""
    return folder / table / f"part-{number:06}.parquet"


def keep_only_parts(folder: Path, numbers: Collection[int]) -> None:
    """Remove everything in *folder* except the parts with these *numbers*."""
    for each in folder.iterdir():
        if each.name not in TABLE_NAMES:  # left by a lost worker
            shutil.rmtree(each)
            continue
        kept = {part_file(folder, each.name, number) for number in numbers}
        for file in each.iterdir():
            if file not in kept:
                file.unlink()
