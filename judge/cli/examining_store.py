"""What `judge doctor` finds in the store: how it is kept, and how the judge on it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from judge.adapters import sqlite
from judge.cli.finding import Finding
from judge.errors import JudgeError
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.adapters.database import SqlDatabase
    from judge.app.judge import Judge

SOUND = {"foreign_keys": 1, "recursive_triggers": 1, "secure_delete": 1, "synchronous": 2}
TROUBLES = {
    "not_running": "start it: systemctl start judge; its log says why it ended",
    "mail_waits": "look into its log for mail.failed, and at `judge inbox list --state received`",
    "mail_not_sent": "look whether the smarthost takes mail, and into the log of that",
    "deadline_overdue": "look into its log for turn.failed and game.held",
    "mailbox_unread": "look at what is said of imap above",
}


def look(settings: Settings) -> tuple[bool, Sequence[Finding]]:
    """Say whether a judge is awake on the store, and return a finding about each part of it."""
    from judge.adapters.database import open_database
    from judge.daemon import judge_of

    where = settings.database
    if isinstance(where, Path) and not where.is_file():
        return False, [Finding("ok", "store", f"there is none yet at {where.absolute()}")]
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
    library = sqlite.newest_library()
    fault = sqlite.fault_of(path, library)
    if fault:
        yield Finding("error", "store", f"{path} is damaged: {fault}", "restore a backup of it")
    if not sqlite.is_wal_safe(library.sqlite_version_info):
        told = f"SQLite {library.sqlite_version} is slower than it could be"
        yield Finding("warning", "store", told, "pip install pysqlite3, which brings a newer one")
    with database.read() as transaction:
        asked = {name: f"PRAGMA {name}" for name in (*SOUND, "journal_mode")}
        ask = transaction.connection.exec_driver_sql
        kept = {name: ask(question).scalar_one() for name, question in asked.items()}
    wrong = [name for name, value in SOUND.items() if kept[name] != value]
    if wrong:
        told = f"SQLite does not take {', '.join(wrong)}"
        yield Finding("error", "store", told, "use the SQLite of Python, or pysqlite3")
    elif not fault:
        yield Finding("ok", "store", f"{path} is sound, journal {kept['journal_mode']}")


def _judge(judge: Judge) -> tuple[bool, Sequence[Finding]]:
    """Say whether the judge is awake, and what `judge status` would say of it."""
    from judge.app import health
    from judge.reports.words import troubles

    found = health.examine(judge)
    last, awake = found.last_tick, "not_running" not in found.troubles
    if last and last - found.at > health.STILL_MAX:
        told = f"the judge was awake at {last:%F %T} UTC, which is still to come"
        return False, [Finding("error", "clock", told, "set the clock before anything closes")]
    if last is None:
        return False, [Finding("ok", "judge", "it has never run on this store")]
    lines = [
        Finding("warning", "judge", troubles()[name], TROUBLES[name]) for name in found.troubles
    ]
    return awake, lines or [Finding("ok", "judge", f"awake at {last:%F %T} UTC, nothing waits")]


def _games(judge: Judge) -> Iterator[Finding]:
    """Look whether every log is whole, and all zones are known in which deadlines are told."""
    from judge.app import operate
    from judge.app.soundness import flaw_in
    from judge.game.calendar import is_zone

    with judge.database.read() as transaction:
        flaws = [flaw_in(transaction, name) for name in transaction.events.games()]
    damaged = [flaw for flaw in flaws if flaw]
    for flaw in damaged:
        told = f"{flaw.game}: event {flaw.version} of its log is {flaw.damage.value}"
        advice = "nothing closes there: restore a backup, or judge log accept"
        yield Finding("error", "games", told, advice)
    if damaged:
        return
    games = operate.games(judge)
    zones = {game.house_rules.zone for game in games}
    lost = sorted(zone for zone in zones if not is_zone(zone))
    for zone in lost:
        told = f"games have deadlines in {zone}, which this machine does not know"
        yield Finding("error", "zones", told, "install the tzdata that has it")
    if games and not lost:
        yield Finding("ok", "games", f"{len(games)}, whose logs are what was written")
