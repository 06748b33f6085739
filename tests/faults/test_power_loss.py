"""A loss of power at any system call loses nothing that was promised."""

from __future__ import annotations

import asyncio
import json
import mailbox
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.adapters.dkim_signing import DkimKeys
from judge.adapters.outputs import Maildir
from judge.adapters.store.database import open_database
from judge.adapters.store.sqlite import keep_own_journal
from judge.app.loop import run_once
from judge.cli.root import root
from judge.daemon import judge_of
from judge.errors import ConfigurationError
from judge.settings import load
from tests.faults.disks import State, read_tree, record, states_after, write_tree
from tests.faults.recorded import (
    ANSWERS,
    KEYS,
    LOG,
    MADE,
    MAILDIR,
    ORDERS,
    STORE,
    email,
    setup_words,
)
from tests.support.carriers import deliver_due
from tests.support.daemon import ADDRESS, FORGET_THE_REST, header_of
from tests.support.mail_server import listening
from tests.support.table import Table

if not shutil.which("strace"):
    pytest.skip("needs-server: strace", allow_module_level=True)

JOURNALS = ("-wal", "-journal")
LET_PAUSES_PASS = "UPDATE inbox SET retry_utc = NULL"  # two seconds, for an email in hand
SAMPLED = 60  # one in so many crash points
Check = Callable[[Path, list[str]], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Recording:
    """The *trace* of a *part* of `tests.faults.recorded` in *folder*, which held *before*."""

    part: str
    folder: Path
    trace: Path
    before: dict[str, bytes | None]


@dataclass(slots=True)
class Tried:
    """The *points* and *states* that were tried, and what was *lost* in them, by what it is.

    Many states are the same to the judge once SQLite has opened the store: *starts* are left.
    """

    points: int = 0
    states: int = 0
    starts: int = 0
    lost: dict[str, list[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        lost = ", ".join(f"{what} {len(found)}" for what, found in self.lost.items())
        tried = f"{self.points} crash points, {self.states} states, {self.starts} starts"
        return f"{tried}, lost: {lost}"


@pytest.fixture(scope="module")
def recorded(begun: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Recording]:
    """Return a function that records a part once."""
    made: dict[str, Recording] = {}

    def recording(part: str) -> Recording:
        if part not in made:
            folder = tmp_path_factory.mktemp(part).resolve()
            prepare(part, folder, begun)
            before = read_tree(folder)
            trace = tmp_path_factory.mktemp("trace") / "trace"
            record([sys.executable, "-m", "tests.faults.recorded", part, str(folder)], trace)
            made[part] = Recording(part, folder, trace, before)
        return made[part]

    return recording


def prepare(part: str, folder: Path, begun: Path) -> None:
    """Make the *folder* in which *part* begins."""
    if part == "daemon":
        shutil.copytree(begun, folder, dirs_exist_ok=True)
        with closing(sqlite3.connect(folder / STORE)) as store, store:
            store.execute(FORGET_THE_REST)
    elif part == "files":
        with closing(Table(folder)) as table:
            table.start("baltic")
            table.close_phase("baltic")


Recorded = Callable[[str], Recording]


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("part", ["files", "keys", "daemon", "setup"])
def test_nothing_that_was_promised_is_lost(recorded: Recorded, part: str, tmp_path: Path) -> None:
    tried = crash(recorded(part), tmp_path)

    sys.stdout.write(f"\n{part}: {tried}\n")
    assert tried.points > 20
    assert {what: found for what, found in tried.lost.items() if found} == {}


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("part", ["files", "daemon"])
def test_without_the_sync_of_the_journal_emails_are_lost(
    recorded: Recorded, part: str, tmp_path: Path
) -> None:
    """The control: the recorder sees losses where there are some."""
    tried = crash(recorded(part), tmp_path, synced=lambda path: not path.endswith(JOURNALS))

    sys.stdout.write(f"\n{part} without the sync of the journal: {tried}\n")
    assert tried.lost["emails" if part == "files" else "orders"]


@pytest.mark.gate
@pytest.mark.timeout(600)
def test_orders_survive_a_sample_of_crashes_and_not_without_the_sync_of_the_journal(
    recorded: Recorded, tmp_path: Path
) -> None:
    tried = crash(recorded("daemon"), tmp_path, every=SAMPLED)
    control = crash(
        recorded("daemon"),
        tmp_path,
        every=SAMPLED,
        synced=lambda path: not path.endswith(JOURNALS),
    )

    assert tried.points >= ORDERS
    assert tried.lost["orders"] == []
    assert control.lost["orders"]


def crash(
    recording: Recording,
    scratch: Path,
    *,
    every: int = 1,
    synced: Callable[[str], bool] = lambda _: True,
) -> Tried:
    """Try the states after *every* so many points, and look what they lack."""
    folder, tried = recording.folder, Tried()
    place, known = scratch / "state", set[tuple[object, ...]]()
    states = states_after(recording.trace, folder, recording.before, synced)
    points = (tuple(found) for _, found in groupby(states, key=lambda state: state.call))
    for number, at_point in enumerate(points):
        if number % every:
            continue
        tried.points += 1
        for state in at_point:
            for what, (promise, names, check) in CHECKS[recording.part].items():
                tree = {
                    path: content
                    for path, content in state.tree.items()
                    if path == str(folder) or Path(path).relative_to(folder).parts[0] in names
                }
                kept = (each.partition(" ") for each in state.promised)
                promised = [which for word, _, which in kept if word == promise]
                key = (what, frozenset(tree.items()), tuple(promised))
                if key in known:
                    continue
                known.add(key)
                tried.states += 1
                write_tree(tree, folder, place)
                apply_journals(place)
                key = (what, frozenset(read_tree(place).items()), tuple(promised))
                if key in known:
                    continue
                known.add(key)
                tried.starts += 1
                found = tried.lost.setdefault(what, [])
                found += [f"{_named(state)}: {why}" for why in check(place, promised)]
    return tried


def apply_journals(place: Path) -> None:
    """Open each store below *place* as the judge does first, and write its journal to its file."""
    for store in place.rglob(STORE):
        keep_own_journal(store, sqlite3)
        with closing(sqlite3.connect(store)) as database, suppress(sqlite3.DatabaseError):
            database.execute("SELECT count(*) FROM sqlite_master")


def _named(state: State) -> str:
    return f"call {state.call}, disk keeps {state.disk.value}"


def lost_emails(place: Path, promised: list[str]) -> Iterator[str]:
    with closing(sqlite3.connect(place / STORE)) as database:
        try:
            kept = Counter(raw for (raw,) in database.execute("SELECT raw FROM inbox"))
            fault = database.execute("PRAGMA quick_check").fetchone()
        except sqlite3.DatabaseError as error:
            yield f"the database: {error}"
            return
    if fault != ("ok",):
        yield f"the database: {fault}"
    for number in promised:
        if kept[email(int(number))] != 1:
            yield f"email {number} is there {kept[email(int(number))]} times"


def lost_deliveries(place: Path, promised: list[str]) -> Iterator[str]:
    new = place / MAILDIR / "new"
    there = [file.read_bytes() for file in new.iterdir()] if new.is_dir() else []
    for number in promised:
        if not any(raw.endswith(email(int(number))) for raw in there):
            yield f"delivery {number}"


def lost_orders(place: Path, promised: list[str]) -> Iterator[str]:
    """Start the judge again: each email that was accepted has its effect and one answer."""
    settings = load(
        None, {"database": str(place / STORE), "address": ADDRESS, "mail_form": "text"}
    )
    try:
        with closing(sqlite3.connect(place / STORE)) as store, store:
            store.execute(LET_PAUSES_PASS)
        with closing(open_database(place / STORE)) as database:
            judge = judge_of(settings, database)
            run_once(judge)
            asyncio.run(deliver_due(judge, Maildir(place / ANSWERS)))
    except Exception as error:  # noqa: BLE001 - whatever fails, it is a loss
        yield f"the judge does not start: {error!r}"
        return
    with closing(sqlite3.connect(place / STORE)) as store:
        rows = store.execute("SELECT raw, state FROM inbox").fetchall()
        fault = store.execute("PRAGMA quick_check").fetchone()
    if fault != ("ok",):
        yield f"the database: {fault}"
    done = Counter(header_of(raw, "Message-ID") for raw, state in rows if state == "processed")
    box = mailbox.Maildir(place / ANSWERS, create=False)
    answered = Counter(name for name, _ in {(m["In-Reply-To"], m["Message-ID"]) for m in box})
    for name in promised:
        if (done[name], answered[name]) != (1, 1):
            yield f"{name} is there {done[name]} times, with {answered[name]} answers"


def lost_keys(place: Path, promised: list[str]) -> Iterator[str]:
    keys = DkimKeys(place / KEYS)
    try:
        selector = keys.selector_in_use()
        if selector:
            keys.record(selector)
    except ConfigurationError as error:
        yield str(error)
        return
    if promised and (selector is None or selector < promised[-1]):
        yield f"{selector} is in use, not {promised[-1]}"
    if selector is None and (fault := failure(["dkim", "new"], place)):
        yield fault
    for words in (["new"], ["rotate", "--unchecked"], ["show"]):
        if fault := failure(["dkim", *words], place):
            yield fault


def failure(words: list[str], place: Path) -> str | None:
    environment = {"JUDGE_DKIM_KEYS": str(place / KEYS), "JUDGE_ADDRESS": ADDRESS}
    done = CliRunner().invoke(root, words, env=environment)
    return f"{words}: {done.output}" if done.exit_code else None


def lost_setups(place: Path, promised: list[str]) -> Iterator[str]:
    """Use what `judge setup` has made, or run it again."""
    file = place / MADE / "judge.toml"
    if promised or file.exists():
        words = ["game", "show", "baltic", "--config", str(file)]
        if (done := CliRunner().invoke(root, words)).exit_code and promised:
            yield f"no game: {done.output}"
        words = ["dkim", "show", "--config", str(file)]
        if "signs" not in (done := CliRunner().invoke(root, words)).output:
            yield f"no key: {done.output}"
        return
    with listening() as smarthost:
        environment = {"JUDGE_SMARTHOST": f"127.0.0.1:{smarthost.port}"}
        done = CliRunner().invoke(
            root, setup_words(place), env=environment, input="mx.judge.example\n"
        )
    if done.exit_code:
        yield f"setup cannot be run again: {done.output}"


def lost_logs(place: Path, promised: list[str]) -> Iterator[str]:
    """Publish again, and compare with what another folder gets."""
    folder, fresh = place / LOG, place / "fresh"
    if not promised and not folder.exists():
        return
    if promised:
        lines = (folder / "log.jsonl").read_bytes().splitlines() if folder.is_dir() else []
        if len(lines) != int(promised[-1]):
            yield f"{len(lines)} lines of {promised[-1]}"
    for each in (folder, fresh):
        words = ["log", "publish", str(each), "--database", str(place / STORE)]
        done = CliRunner().invoke(root, words)
        if done.exit_code:
            yield f"log publish: {done.output}"
            return
    if _lines(folder) != _lines(fresh):
        yield "the log that was continued differs from one written at once"


def _lines(folder: Path) -> list[object]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]


DATABASE = frozenset({STORE, *(f"{STORE}{end}" for end in JOURNALS)})
# By part, what may be lost, the word of its promise, the files that it needs, and how to look.
CHECKS: dict[str, dict[str, tuple[str, frozenset[str], Check]]] = {
    "files": {
        "emails": ("email", DATABASE, lost_emails),
        "deliveries": ("delivery", frozenset({MAILDIR}), lost_deliveries),
        "logs": ("log", DATABASE | {LOG}, lost_logs),
    },
    "keys": {"keys": ("key", frozenset({KEYS}), lost_keys)},
    "daemon": {"orders": ("order", DATABASE | {ANSWERS}, lost_orders)},
    "setup": {"setups": ("setup", frozenset({MADE}), lost_setups)},
}
