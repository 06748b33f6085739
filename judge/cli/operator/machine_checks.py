"""The checks of `judge doctor`: the machine, the store and a test email."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from string import ascii_lowercase
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Literal
from zoneinfo import TZPATH, ZoneInfo, ZoneInfoNotFoundError

from judge.adapters.system_clock import SystemClock
from judge.cli.operator.setting_checks import OTHERS, Finding, Setup
from judge.errors import ConfigurationError, JudgeError
from judge.settings import DatabaseServer, Settings

if TYPE_CHECKING:
    from judge.adapters.store.transactions import SqlDatabase
    from judge.app.ports.judge import Judge

YEAR_MIN = 2026  # An earlier date means that the clock was reset.
APART_SECONDS_MAX = 2.0  # more than file systems round
ZONES_YEARS_MAX = 2  # after which some zone has new rules
A_ZONE = "Europe/Berlin"


def check_clock(setup: Setup) -> Iterator[Finding]:
    """Compare the clock with that of the file system, which may be another machine's."""
    yield _clock(_database_folder(setup))


def _database_folder(setup: Setup) -> Path | None:
    database = setup.settings.database
    folder = database.absolute().parent if isinstance(database, Path) else None
    return folder if folder and folder.is_dir() else None


def _clock(folder: Path | None) -> Finding:
    now = SystemClock().now()
    if now.year < YEAR_MIN:
        return Finding("error", "clock", f"it shows {now:%F}", "set the clock, and run chrony")
    if folder is None:
        return Finding("ok", "clock", f"{now:%F %T} UTC")
    try:
        with TemporaryFile(dir=folder) as made:
            made.write(b"now")
            made.flush()
            written = os.fstat(made.fileno()).st_mtime
        apart = written - min(max(written, now.timestamp()), SystemClock().now().timestamp())
    except OSError as error:
        text = f"cannot create a file in {folder}: {error.strerror}"
        return Finding("error", "clock", text, "make it writable for the judge's user")
    if abs(apart) > APART_SECONDS_MAX:
        text = f"the file system at {folder} differs by {apart:+.0f} s"
        return Finding("warning", "clock", text, "keep both synchronized (chrony)")
    return Finding("ok", "clock", f"{now:%F %T} UTC, same as the file system")


def check_zones(_: Setup) -> Iterator[Finding]:
    """Check that the time zone data, needed for deadlines, is recent."""
    try:
        ZoneInfo(A_ZONE)
    except ZoneInfoNotFoundError:
        yield Finding("error", "zones", f"{A_ZONE} is not known", "install tzdata")
        return
    released = _released()
    if released is None:
        yield Finding("ok", "zones", "installed, release unknown")
    elif SystemClock().now().year - int(released[:4]) > ZONES_YEARS_MAX:
        yield Finding("warning", "zones", f"release {released}", "update tzdata")
    else:
        yield Finding("ok", "zones", f"release {released}")


def _released() -> str | None:
    """Return the release of the time zone data, such as 2026a; Python prefers the system's."""
    for folder in map(Path, TZPATH):
        if Path(folder, A_ZONE).is_file():
            file = Path(folder, "tzdata.zi")
            if not file.is_file():
                return None
            with file.open(encoding="utf-8") as opened:
                return opened.readline().removeprefix("# version ").strip()[:5] or None
    try:
        year, number, *_ = version("tzdata").split(".")
    except (PackageNotFoundError, ValueError):
        return None
    return f"{year}{ascii_lowercase[int(number) - 1]}"


def check_disk(setup: Setup) -> Iterator[Finding]:
    """Check that there is disk space for mail."""
    from judge.adapters.store.transactions import room_of
    from judge.app.admin.health import FIXES, disk_trouble
    from judge.reports.render import trouble_texts

    folder, database = _database_folder(setup), setup.settings.database
    if folder is None or not isinstance(database, Path):
        return
    room = room_of(database.absolute())
    text = f"{room.free / 1e9:.1f} GB free at {folder}"
    trouble = disk_trouble(room)
    if trouble is None:
        yield Finding("ok", "disk", text)
    else:
        level: Literal["error", "warning"] = "error" if trouble == "disk_full" else "warning"
        yield Finding(level, "disk", f"{trouble_texts()[trouble]}: {text}", FIXES[trouble])


def check_confinement(_: Setup) -> Iterator[Finding]:
    """Check that the kernel keeps the processes that read email from files and network."""
    from judge.adapters.sandbox import Confinement, confinement_here

    found = confinement_here()
    for means, what in (
        (Confinement.FILES, "the files that its user may read"),
        (Confinement.NETWORK, "the network and other programs"),
    ):
        if means in found:
            yield Finding("ok", means.value, f"keeps the readers of email from {what}")
        else:
            text = f"missing in this kernel, so a fault in a reader of email could reach {what}"
            fix = "run Linux 5.13 or newer on x86_64 or aarch64, with landlock in its lsm= list"
            yield Finding("warning", means.value, text, fix)


def check_permissions(setup: Setup) -> Iterator[Finding]:
    """Check that other users cannot read the judge's files."""
    settings = setup.settings
    database = settings.database
    ours: list[tuple[str, Path | None]] = [
        ("smarthost_password_file", settings.smarthost_password_file),
        ("dkim_keys", settings.dkim_keys),
        ("backup_key_file", settings.backup_key_file),
    ]
    if isinstance(database, Path):
        names = (database.name + ending for ending in ("", "-wal", "-shm", "-journal"))
        ours += [("database", database.with_name(name)) for name in names]
    if not settings.smarthost:
        ours.append(("maildir", settings.maildir))
    # Files in a folder that is closed to this user are no finding here.
    there = [(setting, file) for setting, file in ours if file and os.path.exists(file)]  # noqa: PTH110
    open_ones = [(setting, file) for setting, file in there if file.stat().st_mode & OTHERS]
    for setting, file in open_ones:
        text = f"other users can access {file.absolute()}"
        yield Finding("error", setting, text, f"chmod go= {file.absolute()}")
    if there and not open_ones:
        yield Finding("ok", "permissions", "the judge's files are private")


def check_user(_: Setup) -> Iterator[Finding]:
    """Warn if the judge runs as root."""
    if os.geteuid() == 0:
        fix = "run the judge and this command as a user of their own"
        yield Finding("warning", "user", "this command runs as root", fix)


def check_round_trip(settings: Settings, seconds: float) -> Finding:
    """Send an email through the smarthost to our own address, and wait until it arrives."""
    from judge.adapters.round_trip import RoundTripError, send_and_wait

    try:
        trip = send_and_wait(settings, seconds)
    except (RoundTripError, ConfigurationError) as error:
        return Finding(
            "error", "round trip", str(error), "trace it in the logs of your mail server"
        )
    text = f"an email to {trip.recipient} arrived by {trip.way_in} after {trip.seconds:.1f} s"
    if not trip.answered:
        text += ", but no judge has answered it"
        return Finding("warning", "round trip", text, "start the judge and try again")
    return Finding("ok", "round trip", f"{text}, and the judge has answered it")


SOUND = {"foreign_keys": 1, "recursive_triggers": 1, "secure_delete": 1, "synchronous": 2}


def check_store(settings: Settings) -> tuple[bool, Sequence[Finding]]:
    """Return whether a judge runs on the store, and findings about it, the judge and its games."""
    from judge.adapters.store.database import StoreProblem, check_file, explain, open_database
    from judge.app.admin.health import FIXES
    from judge.app.game.summaries import fill_summaries
    from judge.daemon import judge_of

    advice = {
        StoreProblem.FULL: "free disk space, or raise the quota; nothing needs to be restored",
        StoreProblem.READ_ONLY: "run this as the judge's user; if the file system became "
        "read-only (see `dmesg`), the disk may be failing",
        StoreProblem.FORBIDDEN: "run this as the judge's user, who must own the file and its "
        "folder",
        StoreProblem.LOCKED: "wait, or end the process that keeps it (`fuser` names it)",
        StoreProblem.DAMAGED: FIXES["store_damaged"],
        StoreProblem.FAILING: "check the disk (see `dmesg`); restore a backup onto a sound one",
        StoreProblem.OTHER: FIXES["store_fails"],
    }
    where = settings.database
    try:
        if isinstance(where, Path):
            try:
                where.lstat()
            except FileNotFoundError:
                return False, [Finding("ok", "store", f"none yet at {where.absolute()}")]
            check_file(where)
        with closing(open_database(where)) as database:
            judge = judge_of(settings, database)
            fill_summaries(judge)
            kept = [*_file(where, database)] if isinstance(where, Path) else []
            awake, found = _judge(judge)
            return awake, [*kept, *found, *_games(judge)]
    except Exception as error:
        problem = explain(where, error)
        if problem is None and not isinstance(error, JudgeError):
            raise
        fix = advice[problem.problem] if problem else "see docs/operators/running.md"
        if isinstance(where, DatabaseServer):
            fix = "start the server, or correct the setting; see docs/operators/postgresql.md"
        return False, [Finding("error", "store", str(problem or error), fix)]


def _file(path: Path, database: SqlDatabase) -> Iterator[Finding]:
    from judge.adapters.store import sqlite

    library = sqlite.newest_library()
    if not sqlite.is_wal_safe(library.sqlite_version_info):
        text = f"SQLite {library.sqlite_version} is old and slower"
        yield Finding("warning", "store", text, "pip install pysqlite3")
    with database.read() as transaction:
        asked = {name: f"PRAGMA {name}" for name in (*SOUND, "journal_mode")}
        ask = transaction.connection.exec_driver_sql
        kept = {name: ask(question).scalar_one() for name, question in asked.items()}
    wrong = [name for name, value in SOUND.items() if kept[name] != value]
    if wrong:
        text = f"SQLite does not support {', '.join(wrong)}"
        yield Finding("error", "store", text, "use Python's own SQLite, or pysqlite3")
    else:
        yield Finding("ok", "store", f"{path} is sound, journal {kept['journal_mode']}")


def _judge(judge: Judge) -> tuple[bool, Sequence[Finding]]:
    from judge.app.admin import health

    found = health.examine(judge)
    last, awake = found.last_tick, "not_running" not in found.troubles
    if last and last - found.at > health.STANDSTILL_MAX:
        text = f"the judge was last active at {last:%F %T} UTC, in the future"
        return False, [Finding("error", "clock", text, "set the clock before a phase closes")]
    if last is None:
        return False, [Finding("ok", "judge", "never run on this store")]
    lines = [
        Finding("warning", "judge", found.explain(name), health.FIXES[name])
        for name in found.troubles
        if not name.startswith("disk_")  # a finding of its own
    ]
    return awake, lines or [Finding("ok", "judge", f"active at {last:%F %T} UTC, nothing waiting")]


def _games(judge: Judge) -> Iterator[Finding]:
    from judge.app.admin import game_admin
    from judge.app.game.apply import find_damaged_games
    from judge.event_log import Damage
    from judge.game.calendar import is_zone
    from judge.game.game_state import Stage

    games = game_admin.list_games(judge)
    current = [game for game in games if game.stage is not Stage.ENDED]
    damaged = find_damaged_games(judge, [game.name for game in current])
    for flaw in damaged:
        text = f"{flaw.game}: event {flaw.version} of its log is {flaw.damage.value}"
        advice = "its phases do not close: restore a backup"
        if flaw.damage is Damage.ALTERED:
            advice += ", or use judge log accept"
        yield Finding("error", "games", text, advice)
    if damaged:
        return
    zones = {game.zone for game in current}
    lost = sorted(zone for zone in zones if not is_zone(zone))
    for zone in lost:
        text = f"games use the time zone {zone}, unknown to this machine"
        yield Finding("error", "zones", text, "install a newer tzdata")
    if games and not lost:
        text = f"{len(games)}; the logs of the {len(current)} that are not over are intact"
        yield Finding("ok", "games", text)
