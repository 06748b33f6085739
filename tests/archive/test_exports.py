"""Every export has a JSON Schema or a grammar, and validates against it."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pyarrow.parquet
import pytest
from click.testing import CliRunner

from judge.archive.reading import WRITERS, writer_named
from judge.cli.root import archive
from tests.archive.exports import EXPORTS, FORMATS, definition_of, faults
from tests.archive.test_round_trips import told
from tests.properties.full_records import BOARD
from tests.support.table import Table
from tests.unit.archive.readers import test_log

GAMES = 6


def written(export: str, folder: Path) -> str:
    """Return what *export* makes of several games; of tables, their rows as JSON."""
    match export:
        case "log":
            table = Table(folder)
            table.start("baltic")
            table.play(FRANCE=test_log.FRANCE)
            return test_log.show(folder, "baltic")
        case "parquet":
            return tables(folder)
        case _:
            games = [told(number) for number in range(GAMES)]
            return "".join("".join(writer_named(export)(game, BOARD)) for game in games)


def tables(folder: Path) -> str:
    """Return the rows of all tables, as a line of JSON."""
    (folder / "games.jsonl").write_text(written("record", folder), encoding="utf-8")
    out = folder / "tables"
    command = ["convert", str(folder / "games.jsonl"), "--to", "parquet", "-o", str(out)]
    assert CliRunner().invoke(archive, command).exit_code == 0
    rows = {each.name: pyarrow.parquet.read_table(each).to_pylist() for each in out.iterdir()}
    return json.dumps(rows, default=datetime.isoformat)


@pytest.mark.parametrize("export", EXPORTS)
def test_every_export_has_a_json_schema_or_a_grammar_and_validates(
    export: str, tmp_path: Path
) -> None:
    assert definition_of(export).suffix in {".abnf", ".json"}
    assert list(faults(export, written(export, tmp_path))) == []


@pytest.mark.parametrize("export", EXPORTS)
def test_a_key_or_a_word_that_is_not_defined_is_a_fault(export: str, tmp_path: Path) -> None:
    text = written(export, tmp_path)
    changes = {
        "daide": (" AMY ", " ARM "),
        "diplomacy": ('"state": ', '"position": '),
        "droidippy": ("ORDERS", "COMMANDS"),
        "log": ('"version": ', '"number": '),
        "njudge": (" HOLD.", " STANDS."),
        "parquet": ('"power": ', '"nation": '),
        "record": ('"written": ', '"orders_written": '),
    }
    before, after = changes[export]
    assert before in text

    assert next(faults(export, text.replace(before, after, 1)))


def test_the_folder_of_formats_holds_nothing_else_and_the_manual_names_all() -> None:
    manual = (FORMATS.parent / "archive.md").read_text(encoding="utf-8")
    names = {each.name for each in FORMATS.iterdir()}

    assert names == {definition_of(each).name for each in EXPORTS}
    assert [name for name in sorted(names) if f"(formats/{name})" not in manual] == []
    assert {*WRITERS} < {*EXPORTS}
