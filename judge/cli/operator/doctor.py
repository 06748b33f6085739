"""`judge doctor`: check the judge and its machine, and suggest fixes."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from string import ascii_lowercase
from tempfile import TemporaryFile
from typing import TYPE_CHECKING
from zoneinfo import TZPATH, ZoneInfo, ZoneInfoNotFoundError

import click

from judge.adapters.system_clock import SystemClock
from judge.cli.operator.check import Finding, check_settings, is_loopback
from judge.cli.options import daemon_options
from judge.cli.terminal import FOUND_WRONG
from judge.errors import ConfigurationError, JudgeError
from judge.mail.envelope import BYTES_MAX
from judge.settings import Endpoint, Settings

if TYPE_CHECKING:
    from judge.adapters.store.transactions import SqlDatabase
    from judge.app.ports.judge import Judge

LEVELS = {"ok": "ok", "warning": "warn", "error": "fail"}
DOORS = ("smtp", "lmtp", "socket", "metrics")
ADVICE = {  # about what `judge check` finds
    "address": "set it to an address that can be reached from outside",
    "authserv_id": "set it, once your mail server checks From and removes forged results",
    "database": "create the folder or start the server, and give the judge's user access",
    "imap": "fix this error; `judge check` tries again",
    "imap_password_file": "chmod 600, and chown it to the judge's user",
    "imap_security": "set it to tls or starttls",
    "lmtp": "create the folder, or stop the program that listens there",
    "maildir": "create the folder, and make it writable for the judge's user",
    "metrics": "stop the program that listens there, or use another port",
    "received_by": "set it to the name your mail server writes in Received: ... by NAME",
    "recipient_delimiter": "use the same as your mail server (Postfix: recipient_delimiter)",
    "smarthost": "check its log, and that it accepts mail from this machine",
    "smtp": "listen on 127.0.0.1 behind a mail server; stop any other program on that port",
    "socket": "create the folder, and make it writable for the judge's user",
    "templates": "fix the template, or remove it from the folder",
}
IN_GENERAL = "see docs/operators/settings.md"


@click.command()
@click.option("--mail", is_flag=True, help="Also send an email to the judge and wait for it.")
@click.option(
    "--seconds", default=60.0, show_default=True, help="How long to wait for that email."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON line per finding.")
@daemon_options
def doctor(settings: Settings, *, mail: bool, seconds: float, as_json: bool) -> None:
    """Check the judge and its machine, and suggest fixes.

    This covers everything in `judge check` and `judge status`, and also the store and its
    permissions, the clock, time zone data, disk space, and mail settings that conflict. It makes
    no DNS queries. With --mail it sends an email through the smarthost to the judge's own address
    and waits for it to arrive. The exit code is 1 if any line says fail.
    """
    failed = False
    for each in _findings(settings, seconds if mail else None):
        failed |= each.level == "error"
        click.echo(json.dumps(_as_json(each)) if as_json else _line(each))
    if failed:
        raise SystemExit(FOUND_WRONG)


def _findings(settings: Settings, seconds: float | None) -> Iterator[Finding]:

    awake, found = examine_store(settings)
    for each in check_settings(settings):
        yield _known(each, awake=awake)
    yield from examine_mail(settings)
    yield from examine_machine(settings)
    yield from found
    if seconds is not None:
        yield send_round(settings, seconds)


def _known(each: Finding, *, awake: bool) -> Finding:
    """Return what to do about what `judge check` found; our own doors are open while we run."""
    if awake and each.level == "warning" and each.setting in DOORS and "is in use" in each.text:
        return replace(
            each, level="ok", text=each.text.partition(",")[0] + ", by the running judge"
        )
    if each.level == "ok" or each.advice:
        return each
    return replace(each, advice=ADVICE.get(each.setting, IN_GENERAL))


def _line(each: Finding) -> str:
    line = f"{LEVELS[each.level]:4}  {each.setting}: {each.text}"
    return f"{line}\n      do: {each.advice}" if each.advice else line


def _as_json(each: Finding) -> dict[str, str]:
    return asdict(each) | {"level": LEVELS[each.level]}


YEAR_MIN = 2026  # A clock that shows less has lost its battery.
APART_SECONDS_MAX = 2.0  # what file systems may round, and more
ZONES_YEARS_MAX = 2  # then some zone has changed its rules since
ROOM_MIN, ROOM_WANTED = 50_000_000, 1_000_000_000
OTHERS = stat.S_IRWXG | stat.S_IRWXO
A_ZONE = "Europe/Berlin"


def examine_machine(settings: Settings) -> Iterator[Finding]:
    """Yield a finding about each part of the machine."""
    folder = settings.database.absolute().parent if isinstance(settings.database, Path) else None
    yield _clock(folder if folder and folder.is_dir() else None)
    yield _zones()
    if folder and folder.is_dir():
        yield _room(folder)
    yield from _readers(settings)
    if os.geteuid() == 0:
        told = "this command runs as root"
        yield Finding(
            "warning", "user", told, "run the judge and this command as a user of their own"
        )


def _clock(folder: Path | None) -> Finding:
    """Compare the clock with that of the file system, which may be another machine's."""
    now = SystemClock().now()
    if now.year < YEAR_MIN:
        return Finding("error", "clock", f"it shows {now:%F}", "set the clock, and run chrony")
    if folder is None:
        return Finding("ok", "clock", f"{now:%F %T} UTC")
    try:
        with TemporaryFile(dir=folder) as made:
            made.write(b"now")
            made.flush()
            apart = os.fstat(made.fileno()).st_mtime - SystemClock().now().timestamp()
    except OSError as error:
        told = f"cannot create a file in {folder}: {error.strerror}"
        return Finding("error", "clock", told, "make it writable for the judge's user")
    if abs(apart) > APART_SECONDS_MAX:
        told = f"the file system at {folder} differs by {apart:+.0f} s"
        return Finding("warning", "clock", told, "keep both synchronized (chrony)")
    return Finding("ok", "clock", f"{now:%F %T} UTC, same as the file system")


def _zones() -> Finding:
    """Return how old the data of time zones are: deadlines stand in zones that people name."""
    try:
        ZoneInfo(A_ZONE)
    except ZoneInfoNotFoundError:
        return Finding("error", "zones", f"{A_ZONE} is not known", "install tzdata")
    released = _released()
    if released is None:
        return Finding("ok", "zones", "installed, release unknown")
    if SystemClock().now().year - int(released[:4]) > ZONES_YEARS_MAX:
        return Finding("warning", "zones", f"release {released}", "update tzdata")
    return Finding("ok", "zones", f"release {released}")


def _released() -> str | None:
    """Return the release of the zones that are used, such as 2026a: the system's go first."""
    for folder in map(Path, TZPATH):
        if Path(folder, A_ZONE).is_file():
            told = Path(folder, "tzdata.zi")
            if not told.is_file():
                return None
            with told.open(encoding="utf-8") as opened:
                return opened.readline().removeprefix("# version ").strip()[:5] or None
    try:
        year, number, *_ = version("tzdata").split(".")
    except (PackageNotFoundError, ValueError):
        return None
    return f"{year}{ascii_lowercase[int(number) - 1]}"


def _room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    told = f"{free / 1e9:.1f} GB free at {folder}"
    if free < ROOM_MIN:
        return Finding(
            "error", "disk", told, "free disk space: until then the judge refuses mail with 452"
        )
    if free < ROOM_WANTED:
        return Finding("warning", "disk", told, "free disk space, or keep emails for fewer days")
    return Finding("ok", "disk", told)


def _readers(settings: Settings) -> Iterator[Finding]:
    """Look whether others could read what is the judge's own."""
    database = settings.database
    ours: list[tuple[str, Path | None]] = [
        ("smarthost_password_file", settings.smarthost_password_file)
    ]
    if isinstance(database, Path):
        names = (database.name + ending for ending in ("", "-wal", "-shm", "-journal"))
        ours += [("database", database.with_name(name)) for name in names]
    if not settings.smarthost:
        ours.append(("maildir", settings.maildir))
    there = [(setting, file) for setting, file in ours if file and file.exists()]
    open_ones = [(setting, file) for setting, file in there if file.stat().st_mode & OTHERS]
    for setting, file in open_ones:
        told = f"other users can access {file.absolute()}"
        yield Finding("error", setting, told, f"chmod go= {file.absolute()}")
    if there and not open_ones:
        yield Finding("ok", "permissions", f"{len(there)} files and folders are private")


TICK_SECONDS_MAX = 60


def examine_mail(settings: Settings) -> Iterator[Finding]:
    """Yield a finding about each pair of settings that cannot do what they are meant for."""
    found = [*_doors(settings), *_outside(settings), *_address(settings), *_limits(settings)]
    yield from found or [Finding("ok", "mail", "the settings are consistent")]


def _doors(settings: Settings) -> Iterator[Finding]:
    doors = {"smtp": settings.smtp, "lmtp": settings.lmtp, "metrics": settings.metrics}
    taken = defaultdict[Endpoint, list[str]](list)
    for name, where in {**doors, "desk": settings.desk}.items():
        if isinstance(where, Endpoint) and where.port:
            taken[where].append(name)
    for where, names in taken.items():
        if len(names) > 1:
            told = f"{' and '.join(names)} are all {where}"
            yield Finding("error", names[0], told, "give each a port of its own")
        if settings.smarthost == where:
            told = f"this is the judge's own {names[0]}: outgoing email would come back"
            yield Finding("error", "smarthost", told, "set it to your mail server")


def _outside(settings: Settings) -> Iterator[Finding]:
    """Look whether what a mail server says can be said by anybody."""
    if isinstance(settings.lmtp, Endpoint) and not is_loopback(settings.lmtp):
        for name in ("received_by", "authserv_id"):
            if getattr(settings, name):
                told = f"anybody who can reach {settings.lmtp} can forge it"
                yield Finding(
                    "error", name, told, "make lmtp a socket, or listen on 127.0.0.1 only"
                )
    comes = "lmtp" if settings.lmtp else "socket" if settings.socket else "imap"
    if not settings.smarthost and (settings.lmtp or settings.socket or settings.imap):
        told = f"none; mail arrives by {comes}, but outgoing email stays in {settings.maildir}"
        yield Finding("warning", "smarthost", told, "set it to your mail server")
    unsafe = settings.smarthost_security == "none" and not is_loopback(settings.smarthost)
    if settings.smarthost and settings.smarthost_user and unsafe:
        told = "none; the password travels unencrypted"
        yield Finding("error", "smarthost_security", told, "set it to tls or starttls")


def _address(settings: Settings) -> Iterator[Finding]:
    local, _, domain = settings.address.partition("@")
    delimiter = settings.recipient_delimiter
    if delimiter and delimiter in local:
        first = local.partition(delimiter)[0]
        told = (
            f"{settings.address} contains the delimiter: a mail server would deliver it to {first}"
        )
        yield Finding("warning", "address", told, "use another address or another delimiter")
    if domain != "localhost" and "." not in domain:
        told = f"{domain} is not a full domain"
        yield Finding("warning", "address", told, "write the domain in full")


def _limits(settings: Settings) -> Iterator[Finding]:
    if settings.message_bytes_max > BYTES_MAX:
        told = (
            f"the judge would accept emails over {BYTES_MAX} bytes, and could only quarantine them"
        )
        yield Finding("warning", "message_bytes_max", told, f"set it to {BYTES_MAX} or less")
    if settings.tick_seconds > TICK_SECONDS_MAX:
        told = f"phases close up to {settings.tick_seconds:.0f} s after their deadline"
        yield Finding("warning", "tick_seconds", told, "set it to a few seconds")


def send_round(settings: Settings, seconds: float) -> Finding:
    """Send an email through the smarthost to our own address, and wait for it to come back."""
    from judge.adapters.round_trip import RoundTripError, go_round

    try:
        trip = go_round(settings, seconds)
    except (RoundTripError, ConfigurationError) as error:
        return Finding(
            "error", "round trip", str(error), "trace it in the logs of your mail server"
        )
    told = f"an email to {trip.recipient} arrived by {trip.way_in} after {trip.seconds:.1f} s"
    if not trip.answered:
        told += ", but no judge has answered it"
        return Finding("warning", "round trip", told, "start the judge and try again")
    return Finding("ok", "round trip", f"{told}, and the judge has answered it")


SOUND = {"foreign_keys": 1, "recursive_triggers": 1, "secure_delete": 1, "synchronous": 2}
TROUBLES = {
    "not_running": "start it (systemctl start judge); its log says why it stopped",
    "mail_waits": "see mail.failed in its log, and `judge inbox list --state received`",
    "mail_not_sent": "check that the smarthost accepts mail, and its log",
    "deadline_overdue": "see turn.failed and game.held in its log",
    "mailbox_unread": "see imap above",
}


def examine_store(settings: Settings) -> tuple[bool, Sequence[Finding]]:
    """Return whether a judge is awake on the store, and return a finding about each part of it."""
    from judge.adapters.store.database import open_database
    from judge.daemon import judge_of

    where = settings.database
    if isinstance(where, Path) and not where.is_file():
        return False, [Finding("ok", "store", f"none yet at {where.absolute()}")]
    try:
        with closing(open_database(where)) as database:
            judge = judge_of(settings, database)
            kept = [*_file(where, database)] if isinstance(where, Path) else []
            awake, found = _judge(judge)
            return awake, [*kept, *found, *_games(judge)]
    except JudgeError as error:
        told = "restore a backup, or start the server; see docs/operators/running.md"
        return False, [Finding("error", "store", str(error), told)]


def _file(path: Path, database: SqlDatabase) -> Iterator[Finding]:
    from judge.adapters.store import sqlite

    library = sqlite.newest_library()
    fault = sqlite.fault_of(path, library)
    if fault:
        yield Finding("error", "store", f"{path} is damaged: {fault}", "restore a backup of it")
    if not sqlite.is_wal_safe(library.sqlite_version_info):
        told = f"SQLite {library.sqlite_version} is old and slower"
        yield Finding("warning", "store", told, "pip install pysqlite3")
    with database.read() as transaction:
        asked = {name: f"PRAGMA {name}" for name in (*SOUND, "journal_mode")}
        ask = transaction.connection.exec_driver_sql
        kept = {name: ask(question).scalar_one() for name, question in asked.items()}
    wrong = [name for name, value in SOUND.items() if kept[name] != value]
    if wrong:
        told = f"SQLite does not support {', '.join(wrong)}"
        yield Finding("error", "store", told, "use Python's own SQLite, or pysqlite3")
    elif not fault:
        yield Finding("ok", "store", f"{path} is sound, journal {kept['journal_mode']}")


def _judge(judge: Judge) -> tuple[bool, Sequence[Finding]]:
    """Return whether the judge is awake, and what `judge status` would say of it."""
    from judge.app.admin import health
    from judge.reports.render import trouble_texts

    found = health.examine(judge)
    last, awake = found.last_tick, "not_running" not in found.troubles
    if last and last - found.at > health.STANDSTILL_MAX:
        told = f"the judge was last active at {last:%F %T} UTC, in the future"
        return False, [Finding("error", "clock", told, "set the clock before a phase closes")]
    if last is None:
        return False, [Finding("ok", "judge", "never run on this store")]
    lines = [
        Finding("warning", "judge", trouble_texts()[name], TROUBLES[name])
        for name in found.troubles
    ]
    return awake, lines or [Finding("ok", "judge", f"active at {last:%F %T} UTC, nothing waiting")]


def _games(judge: Judge) -> Iterator[Finding]:
    """Look whether every log is whole, and all zones are known in which deadlines are told."""
    from judge.app.admin import game_admin
    from judge.app.game.apply import find_damage
    from judge.game.calendar import is_zone

    with judge.database.read() as transaction:
        flaws = [find_damage(transaction, name) for name in transaction.events.games()]
    damaged = [flaw for flaw in flaws if flaw]
    for flaw in damaged:
        told = f"{flaw.game}: event {flaw.version} of its log is {flaw.damage.value}"
        advice = "its phases do not close: restore a backup, or use judge log accept"
        yield Finding("error", "games", told, advice)
    if damaged:
        return
    games = game_admin.load_games(judge)
    zones = {game.house_rules.zone for game in games}
    lost = sorted(zone for zone in zones if not is_zone(zone))
    for zone in lost:
        told = f"games use the time zone {zone}, unknown to this machine"
        yield Finding("error", "zones", told, "install a newer tzdata")
    if games and not lost:
        yield Finding("ok", "games", f"{len(games)}, all logs intact")
