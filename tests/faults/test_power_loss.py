"""A loss of power at any system call loses nothing that was promised."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.adapters.dkim_signing import DkimKeys
from judge.cli.root import root
from judge.errors import ConfigurationError
from tests.faults.disks import State, read_tree, record, states_after, write_tree
from tests.faults.recorded import KEYS, LOG, MAILDIR, STORE, email
from tests.support.table import Table

pytestmark = pytest.mark.slow

if not shutil.which("strace"):
    pytest.skip("needs-server: strace", allow_module_level=True)

JOURNALS = ("-wal", "-journal")
Recording = tuple[Path, Path, dict[str, bytes | None]]  # the trace, the folder, what it held


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    folder = tmp_path_factory.mktemp("recorded").resolve()
    with closing(Table(folder)) as table:
        table.start("baltic")
        table.close_phase("baltic")
    before = read_tree(folder)
    trace = tmp_path_factory.mktemp("trace") / "trace"
    record([sys.executable, "-m", "tests.faults.recorded", str(folder)], trace)
    return trace, folder, before


def test_nothing_that_was_promised_is_lost(recording: Recording, tmp_path: Path) -> None:
    counts, lost = losses(recording, tmp_path)

    sys.stdout.write(f"\n{counts['points']} crash points, {counts['states']} states\n")
    sys.stdout.write("".join(f"  {what}: {len(found)} lost\n" for what, found in lost.items()))
    assert counts["points"] > 100
    assert {what: found for what, found in lost.items() if found} == {}


def test_without_the_sync_of_the_journal_emails_are_lost(
    recording: Recording, tmp_path: Path
) -> None:
    """The control: the recorder sees losses where there are some."""
    counts, lost = losses(recording, tmp_path, synced=lambda path: not path.endswith(JOURNALS))

    sys.stdout.write(
        f"\ncontrol: {len(lost['emails'])} losses of emails in {counts['states']} states\n"
    )
    assert lost["emails"]


def losses(
    recording: Recording, scratch: Path, synced: Callable[[str], bool] = lambda _: True
) -> tuple[Counter[str], dict[str, list[str]]]:
    """Return how much was tried, and by part the states that lack something promised."""
    trace, folder, before = recording
    counts: Counter[str] = Counter()
    lost: dict[str, list[str]] = {part: [] for part in CHECKS}
    tried: set[tuple[object, ...]] = set()
    points = set()
    for state in states_after(trace, folder, before, synced):
        points.add(state.call)
        for part, (names, promises, check) in CHECKS.items():
            tree = {
                path: content
                for path, content in state.tree.items()
                if path == str(folder) or Path(path).relative_to(folder).parts[0] in names
            }
            if (
                part == "log"
                and str(folder / LOG) not in tree
                and not any(each.startswith("log ") for each in state.promised)
            ):
                continue
            promised = [each.split()[1] for each in state.promised if each.split()[0] in promises]
            known = (part, frozenset(tree.items()), tuple(promised))
            if known in tried:
                continue
            tried.add(known)
            counts["states"] += 1
            place = scratch / "state"
            write_tree(tree, folder, place)
            lost[part] += [f"{_named(state)}: {why}" for why in check(place, promised)]
    counts["points"] = len(points)
    return counts, lost


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


def lost_log(place: Path, promised: list[str]) -> Iterator[str]:
    """Publish again, and compare with what another folder gets."""
    folder, fresh = place / LOG, place / "fresh"
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


Check = Callable[[Path, list[str]], Iterator[str]]
DATABASE = frozenset({STORE, *(f"{STORE}{end}" for end in JOURNALS)})
CHECKS: dict[str, tuple[frozenset[str], frozenset[str], Check]] = {
    "emails": (DATABASE, frozenset({"email"}), lost_emails),
    "deliveries": (frozenset({MAILDIR}), frozenset({"delivery"}), lost_deliveries),
    "keys": (frozenset({KEYS}), frozenset({"key"}), lost_keys),
    "log": (DATABASE | {LOG}, frozenset({"log"}), lost_log),
}
