"""`judge backup` and `judge restore`: a whole judge in one file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TextIO

import click

from judge.cli.options import settings_options
from judge.cli.progress import counting
from judge.cli.terminal import (
    BAD_INPUT,
    DAMAGE_SAVED,
    FOUND_WRONG,
    STANDARD_STREAM,
    UNAVAILABLE,
    FilePath,
    counted,
    fail,
    require_option,
    require_unix,
)
from judge.errors import ConfigurationError
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.adapters import age

KEY_FILE = FilePath()
ENCRYPT_HELP = "Encrypt for the keys, or with the passphrase, in FILE."
DECRYPT_HELP = "Decrypt with the secret key, or the passphrase, in FILE."
FILE = click.argument("file", type=FilePath())


@click.command()
@FILE
@click.option("--encrypt", "key_file", type=KEY_FILE, metavar="FILE", help=ENCRYPT_HELP)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def backup(settings: Settings, file: Path, key_file: Path | None, *, as_json: bool) -> None:
    """Write a backup of everything the judge keeps to the new FILE, or to standard output (-).

    It contains every log, all mail, all people and all secrets at one moment; the daemon may keep
    running. FILE appears when it is complete and safely on disk, readable by its owner only. The
    command prints its size, its games and its SHA-256.

    With --encrypt, or the setting backup_key_file, FILE is encrypted in the format of age
    (age-encryption.org): for the keys in a file, such as `judge backup-key` makes, or with the
    passphrase that is its only line.

    What is damaged is saved as it is: the command names it and exits with 2.
    """
    from importlib.metadata import version

    from judge.adapters.store.export_import import digest_of
    from judge.adapters.system_clock import SystemClock
    from judge.cli.game_source import open_store

    if file == STANDARD_STREAM:
        require_option("a FILE", "--json")
    made = SystemClock().now().isoformat(timespec="seconds")
    lock = _lock(settings, key_file)
    games, damage = _write_store(settings, file, lock, made=made, judge=version("pbem-judge"))
    with open_store(settings) as judge, judge.database.write() as transaction:
        transaction.agenda.record_backup(judge.clock.now())  # for `judge status` and the metrics
    for each in damage:
        click.echo(f"judge: {each}, and so it is in the backup", err=True)
    if file != STANDARD_STREAM:
        size, digest = file.stat().st_size, digest_of(file)
        facts = {"file": str(file), "made": made, "games": games, "bytes": size, "sha256": digest}
        line = f"{file}: {counted(games, 'game')}, {counted(size, 'byte')}, SHA-256 {digest}"
        click.echo(json.dumps(facts) if as_json else line)
    if damage:
        raise SystemExit(DAMAGE_SAVED)


@click.command()
@FILE
@click.option("--check", is_flag=True, help="Only check that it can be restored.")
@click.option("--damaged-too", is_flag=True, help="Also restore games whose logs were altered.")
@click.option("--moved", is_flag=True, help="The judge has not run since: send no emails.")
@click.option("--decrypt", "key_file", type=KEY_FILE, metavar="FILE", help=DECRYPT_HELP)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def restore(  # noqa: PLR0913 - one argument per option
    settings: Settings,
    file: Path,
    key_file: Path | None,
    *,
    check: bool,
    damaged_too: bool,
    moved: bool,
    as_json: bool,
) -> None:
    """Restore a backup from FILE (- is standard input) into an empty store.

    If FILE is damaged or a log is not intact, nothing is stored. The command refuses a store that
    is not empty or that a daemon uses, and upgrades backups of earlier versions. With
    --damaged-too it also restores altered logs; phases of such a game do not close until
    `judge log accept`.

    What the judge stored and sent after the backup is lost. Every log records that, deadlines move
    by the time since then, and one email to each game says that later results no longer count.
    With --moved, the judge goes on as if nothing had happened: only if it has not run since the
    backup was made.

    An encrypted backup needs its secret key or passphrase, by --decrypt or backup_key_file.
    """
    from judge.adapters.store.database import DaemonLock
    from judge.adapters.store.sqlite import removing_new_store

    require_unix()
    with ExitStack() as stack:
        if check:
            there = Path(stack.enter_context(TemporaryDirectory(prefix="judge-")), "judge.db")
            settings, moved = settings.model_copy(update={"database": there}), True
        elif isinstance(settings.database, Path):
            try:
                clean_up = removing_new_store(settings.database)
                stack.enter_context(DaemonLock(settings.database))
                stack.enter_context(clean_up)
            except OSError as error:
                fail(f"{settings.database}: {error.strerror}", UNAVAILABLE)
        reading = _reading(file, _lock(settings, key_file), must_be_encrypted=bool(key_file))
        lines = stack.enter_context(reading)
        filled = _fill(settings, lines, damaged_too=damaged_too, moved=moved)
    done = "could be restored" if check else "restored"
    line = f"{done}: {counted(filled.games, 'game')}, {counted(filled.events, 'event')}"
    facts = {"restored": not check, **asdict(filled)}
    click.echo(json.dumps(facts) if as_json else line)


@dataclass(frozen=True, slots=True)
class _Filled:
    """The numbers of games, events of games and *rows* of the store that were restored."""

    games: int
    events: int
    rows: int


def _fill(settings: Settings, lines: TextIO, *, damaged_too: bool, moved: bool) -> _Filled:
    """Fill an empty store from the *lines* of a backup.

    Every chain is verified before anything is stored. A game with a broken chain is stored, and
    named, only with *damaged_too*.
    """
    from judge.adapters.store import export_import
    from judge.adapters.store.database import open_database
    from judge.app.admin.restored_backup import begin_epoch
    from judge.app.ports.damaged_logs import find_damage
    from judge.daemon import judge_of

    with (
        closing(open_database(settings.database)) as database,
        database.write() as transaction,
    ):
        found = export_import.import_lines(transaction.connection, counting(lines))
        games = transaction.events.games()
        events = sum(transaction.events.head(game).version for game in games)
        for game in games:
            flaw = find_damage(transaction, game)
            text = f"{flaw.game}: event {flaw.version} is {flaw.damage.value}" if flaw else ""
            if text and not damaged_too:
                fail(f"{text}; nothing was restored", FOUND_WRONG)
            if text:
                click.echo(f"judge: {text}", err=True)
        if not moved:
            for name in begin_epoch(judge_of(settings, database), transaction, found.made):
                click.echo(f"judge: {name}: its players must be told by hand", err=True)
    return _Filled(len(games), events, found.rows)


def _lock(settings: Settings, key_file: Path | None) -> age.Lock | None:
    """Return the keys or the passphrase in *key_file*, by default the file in the settings."""
    from judge.adapters.age import read_lock

    file = key_file or settings.backup_key_file
    if file is None:
        return None
    try:
        return read_lock(file.read_text(encoding="utf-8").removesuffix("\n"))
    except UnicodeDecodeError:
        why, code = "no UTF-8", BAD_INPUT
    except ValueError as error:
        why, code = str(error), BAD_INPUT
    except OSError as error:
        why, code = str(error.strerror), UNAVAILABLE
    if key_file:
        fail(f"the key file: {file}: {why}", code)
    raise ConfigurationError(f"backup_key_file: {file}: {why}")


def _write_store(
    settings: Settings, file: Path, lock: age.Lock | None, **facts: str
) -> tuple[int, Sequence[str]]:
    """Write the store to *file*; return the number of games, and what is damaged."""
    from judge.adapters.store import export_import
    from judge.adapters.whole_files import creating_file
    from judge.app.ports.damaged_logs import find_break
    from judge.cli.game_source import existing_database

    try:
        with (
            existing_database(settings) as database,
            database.read() as transaction,
            nullcontext(sys.stdout.buffer)
            if file == STANDARD_STREAM
            else creating_file(file) as raw,
            export_import.text_writer(raw, lock) as written,
        ):
            games = transaction.events.games()
            if not games and transaction.agenda.last_heartbeat() is None:
                why = "no judge has run on this store, and it has no games"
                fail(f"{settings.database}: {why}: there is nothing to back up", UNAVAILABLE)
            tables = set[str]()
            lines = export_import.export_lines(transaction.connection, tables, **facts)
            written.writelines(counting(lines))
            flaws = [flaw for game in games if (flaw := find_break(transaction, game))]
            damage = [
                f"{each.game}: event {each.version} is {each.damage.value}" for each in flaws
            ]
            others = sorted(tables - {"events"} if flaws else tables)
            damage += [f"the table {name} has text that is not UTF-8" for name in others]
            return len(games), damage
    except OSError as error:
        fail(f"{file}: {error.strerror}", UNAVAILABLE)


@contextmanager
def _reading(file: Path, lock: age.Lock | None, *, must_be_encrypted: bool) -> Iterator[TextIO]:
    from judge.adapters.age import NotDecryptedError
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
        try:
            yield stack.enter_context(
                export_import.text_reader(raw, lock, must_be_encrypted=must_be_encrypted)
            )
        except NotDecryptedError as error:
            fail(f"{file}: {error}", UNAVAILABLE)


@click.command("backup-key")
@FILE
def backup_key(file: Path) -> None:
    """Make a key for encrypted backups: write it to the new FILE, and print its public key.

    The setting backup_key_file = "FILE" then encrypts all backups. Keep a copy of FILE elsewhere:
    without it no backup can be restored. A file with only the public key encrypts, too.
    """
    from judge.adapters.age import new_key
    from judge.adapters.whole_files import creating_file

    secret, public = new_key()
    try:
        with creating_file(file) as written:
            written.write(f"# public key: {public}\n{secret}\n".encode())
    except OSError as error:
        fail(f"{file}: {error.strerror}", UNAVAILABLE)
    click.echo(public)


def _alias(name: str, command: click.Command) -> click.Command:
    """Return *command* under its former name in `judge log`, where FILE may be left out."""
    file = click.Argument(["file"], type=FilePath(), required=False, default=STANDARD_STREAM)
    others = [each for each in command.params if each.name != "file"]
    return click.Command(
        name, callback=command.callback, params=[file, *others], help=command.help, hidden=True
    )


export, import_ = _alias("export", backup), _alias("import", restore)
