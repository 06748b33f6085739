"""`judge backup`, `restore`, `log export` and `log import`: a whole judge in one file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

import click

from judge.cli.options import settings_options
from judge.cli.terminal import FOUND_WRONG, UNAVAILABLE, counted, fail
from judge.settings import DatabaseServer, Settings

STANDARD_STREAM = Path("-")
FILE = click.argument("file", type=click.Path(path_type=Path))


@click.command()
@FILE
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def backup(settings: Settings, file: Path, *, as_json: bool) -> None:
    """Write all that the judge keeps to the new FILE, or to standard output (-).

    That is every log, all mail, all people and all secrets, of one moment; a daemon may run and
    take mail meanwhile. FILE is there when it is whole and on the disk, for its owner only. Its
    size, the games and its SHA-256 are told.
    """
    from importlib.metadata import version

    from judge.adapters.store.export_import import digest_of
    from judge.adapters.system_clock import SystemClock

    made = SystemClock().now().isoformat(timespec="seconds")
    games = _write_store(settings, file, packed=True, made=made, judge=version("pbem-judge"))
    if file == STANDARD_STREAM:
        return
    size, digest = file.stat().st_size, digest_of(file)
    told = {"file": str(file), "made": made, "games": games, "bytes": size, "sha256": digest}
    line = f"{file}: {counted(games, 'game')}, {counted(size, 'byte')}, SHA-256 {digest}"
    click.echo(json.dumps(told) if as_json else line)


@click.command()
@FILE
@click.option("--check", is_flag=True, help="Only try it, in a store that is thrown away.")
@click.option(
    "--damaged-too", is_flag=True, help="Also games whose logs were not what was written."
)
@settings_options
def restore(settings: Settings, file: Path, *, check: bool, damaged_too: bool) -> None:
    """Fill an empty store with what `judge backup` wrote to FILE; - is standard input.

    Everything is kept, or, if FILE is damaged or a chain does not hold, nothing. A store in which
    anything is, or on which a daemon runs, is left alone. What an earlier version of the judge
    wrote is brought up to date. A log that somebody had changed before it was written down can be
    restored with --damaged-too: no phase of that game is closed until a person lets it stand.
    """
    from judge.adapters.store.database import DaemonLock

    with ExitStack() as stack:
        if check:
            there = Path(stack.enter_context(TemporaryDirectory(prefix="judge-")), "judge.db")
            games, rows = fill(there, file, damaged_too=damaged_too)
        else:
            if isinstance(settings.database, Path):
                try:
                    stack.enter_context(DaemonLock(settings.database))
                except OSError as error:
                    fail(f"{settings.database}: {error.strerror}", UNAVAILABLE)
            games, rows = fill(settings.database, file, damaged_too=damaged_too)
    done = "could be restored" if check else "restored"
    click.echo(f"{done}: {counted(len(games), 'game')}, {counted(rows, 'row')} in all")


def fill(
    where: Path | DatabaseServer, file: Path, *, damaged_too: bool = False
) -> tuple[Sequence[str], int]:
    """Fill an empty store with what stands in *file*; return its games and how many rows it has.

    Every chain is walked before anything is kept, so each game has the head it had; one that does
    not hold is kept only with *damaged_too*, and named.
    """
    from judge.adapters.store import export_import
    from judge.adapters.store.database import open_database
    from judge.app.game.apply import find_damage

    with (
        _reading(file) as lines,
        closing(open_database(where)) as database,
        database.write() as transaction,
    ):
        rows, log = export_import.import_lines(transaction.connection, lines), transaction.events
        games = log.games()
        for game in games:
            flaw = find_damage(transaction, game)
            told = f"{flaw.game}: event {flaw.version} is {flaw.damage.value}" if flaw else ""
            if told and not damaged_too:
                fail(f"{told}; nothing was kept", FOUND_WRONG)
            if told:
                click.echo(f"judge: {told}", err=True)
    return games, rows


def _write_store(settings: Settings, file: Path, *, packed: bool, **facts: str) -> int:
    """Write the whole store and *facts* to the new *file*, and return its number of games."""
    from judge.adapters.store import export_import
    from judge.adapters.store.database import open_database
    from judge.adapters.whole_files import creating_file

    if isinstance(settings.database, Path) and not settings.database.is_file():
        fail(f"there is no database {settings.database}", UNAVAILABLE)
    try:
        with (
            closing(open_database(settings.database)) as database,
            database.read() as transaction,
            nullcontext(sys.stdout.buffer)
            if file == STANDARD_STREAM
            else creating_file(file) as raw,
            export_import.text_writer(raw, packed=packed) as written,
        ):
            written.writelines(export_import.export_lines(transaction.connection, **facts))
            return len(transaction.events.games())
    except OSError as error:
        fail(f"{file}: {error.strerror}", UNAVAILABLE)


@contextmanager
def _reading(file: Path) -> Iterator[TextIO]:
    from judge.adapters.store import export_import

    with ExitStack() as stack:
        try:
            raw = (
                sys.stdin.buffer
                if file == STANDARD_STREAM
                else stack.enter_context(file.open("rb"))
            )
        except OSError as error:
            fail(f"{file}: {error.strerror}", UNAVAILABLE)
        yield stack.enter_context(export_import.text_reader(raw))


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path), default=STANDARD_STREAM)
@settings_options
def export(settings: Settings, file: Path) -> None:
    """Write all that the judge keeps to FILE, or to standard output.

    That is every log, all mail, all people and all secrets, of one moment: what comes later to a
    daemon that runs is not there. `judge log import` reads it.
    """
    games = _write_store(settings, file, packed=False)
    click.echo(f"exported {counted(games, 'game')}", err=True)


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@settings_options
def import_(settings: Settings, file: Path) -> None:
    """Fill an empty database with what `judge log export` wrote to FILE; - is standard input.

    Every chain is walked before anything is kept, so each game has the head it had.
    """
    games, rows = fill(settings.database, file)
    click.echo(f"imported {counted(len(games), 'game')}, {counted(rows, 'row')} in all")
