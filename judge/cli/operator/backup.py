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

from judge.cli.options import require_database, settings_options
from judge.cli.terminal import FOUND_WRONG, UNAVAILABLE, counted, fail
from judge.settings import DatabaseServer, Settings

STANDARD_STREAM = Path("-")
FILE = click.argument("file", type=click.Path(path_type=Path))


@click.command()
@FILE
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def backup(settings: Settings, file: Path, *, as_json: bool) -> None:
    """Write a backup of everything the judge keeps to the new FILE, or to standard output (-).

    It contains every log, all mail, all people and all secrets at one moment; the daemon may keep
    running. FILE appears when it is complete and safely on disk, readable by its owner only. The
    command prints its size, its games and its SHA-256.
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
@click.option("--check", is_flag=True, help="Only check that it can be restored.")
@click.option("--damaged-too", is_flag=True, help="Also restore games whose logs were altered.")
@settings_options
def restore(settings: Settings, file: Path, *, check: bool, damaged_too: bool) -> None:
    """Restore a backup from FILE (- is standard input) into an empty store.

    If FILE is damaged or a log is not intact, nothing is stored. The command refuses a store that
    is not empty or that a daemon uses, and upgrades backups of earlier versions. With
    --damaged-too it also restores altered logs; phases of such a game do not close until
    `judge log accept`.
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
    """Fill an empty store from *file*; return its games and its number of rows.

    Every chain is verified before anything is stored, so each game keeps its head. A game with a
    broken chain is stored, and named, only with *damaged_too*.
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
                fail(f"{told}; nothing was restored", FOUND_WRONG)
            if told:
                click.echo(f"judge: {told}", err=True)
    return games, rows


def _write_store(settings: Settings, file: Path, *, packed: bool, **facts: str) -> int:
    from judge.adapters.store import export_import
    from judge.adapters.store.database import open_database
    from judge.adapters.whole_files import creating_file

    require_database(settings)
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
    """Write everything the judge keeps to FILE, or to standard output.

    It contains every log, all mail, all people and all secrets at one moment; the daemon may keep
    running. `judge log import` reads it.
    """
    games = _write_store(settings, file, packed=False)
    click.echo(f"exported {counted(games, 'game')}", err=True)


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@settings_options
def import_(settings: Settings, file: Path) -> None:
    """Import FILE, written by `judge log export`, into an empty database; - is standard input.

    The judge verifies every log before it stores anything.
    """
    games, rows = fill(settings.database, file)
    click.echo(f"imported {counted(len(games), 'game')}, {counted(rows, 'row')} in all")
