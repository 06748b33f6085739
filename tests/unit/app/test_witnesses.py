"""Two judges that cosign each other's checkpoints by mail, and hostile mail to them."""

from __future__ import annotations

import json
import shutil
import sqlite3
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path

import pytest
import time_machine
from click.testing import CliRunner

from judge import checkpoints
from judge.adapters.crypto import verify_ed25519
from judge.adapters.store.transactions import SqlCheckpoints
from judge.app.admin import health
from judge.app.admin.restored_backup import begin_epoch
from judge.app.public_log import log_verifier
from judge.checkpoints import (
    StoredCheckpoint,
    Tree,
    Verifier,
    Witness,
    Witnessed,
    cosignature_of,
    is_signed,
)
from judge.cli.root import root
from tests.support.table import MONDAY, Table, parse_email

TROUBLES = {"witness_silent", "log_not_extended"}
LOG = "first.example/judge"
FORGER = "forger@elsewhere.example"


class Peer:
    """A judge with an address of its own, whose emails a test carries by hand."""

    def __init__(self, folder: Path, name: str, days: float = 0) -> None:
        self.table = Table(folder / name, name)
        self.table.judge = replace(self.table.judge, address=f"judge@{name}.example")
        self.table.clock.time = MONDAY + timedelta(days=days)
        self.sent = self._queued()

    def close(self) -> None:
        self.table.close()

    @property
    def verifier(self) -> Verifier:
        with self.table.database.write() as transaction:
            return log_verifier(self.table.judge, transaction)

    def lists(self, other: Peer, log: Verifier | None = None) -> None:
        entry = Witness(log or other.verifier, other.table.judge.address)
        self.table.judge = replace(self.table.judge, witnesses=(entry,))

    def days_later(self, days: float = 1) -> None:
        self.table.clock.time += timedelta(days=days)
        self.table.run_once()

    def asks(self) -> bytes:
        """Return the request of the next day."""
        self.days_later()
        [request] = self.mails()
        return request

    def mails(self) -> list[bytes]:
        """Return the emails to witnesses that were queued since the last call."""
        before, self.sent = self.sent, self._queued()
        rows = self.table.query("SELECT raw FROM outbox WHERE kind = 'witness' ORDER BY id")
        return [raw for (raw,) in rows[before:]]

    def _queued(self) -> int:
        [(queued,)] = self.table.query("SELECT count(*) FROM outbox WHERE kind = 'witness'")
        return int(queued)

    def gets(self, *mails: bytes, sender: str = "judge@anywhere.example") -> tuple[str, str]:
        """Take emails, and return what became of the last."""
        for raw in mails:
            self.table.store_email(raw, sender, self.table.judge.address)
        self.table.run_once()
        [(state, reason)] = self.table.query(
            "SELECT state, reason FROM inbox ORDER BY id DESC LIMIT 1"
        )
        return str(state), str(reason)

    def witnessed(self, state: Witnessed = Witnessed.COSIGNED) -> list[str]:
        with self.table.database.read() as transaction:
            return [each.checkpoint.line for each in transaction.witnessed.all(state)]

    def newest(self) -> str:
        with self.table.database.read() as transaction:
            newest = transaction.checkpoints.newest()
        assert newest
        return f"{newest.tree.size} {b64encode(newest.tree.root).decode()}"


@contextmanager
def judges(folder: Path, days: float = 0) -> Iterator[tuple[Peer, Peer]]:
    """Open two judges that list each other."""
    opening = (closing(Peer(folder, name, days)) for name in ("first", "other"))
    with next(opening) as first, next(opening) as other:
        first.lists(other)
        other.lists(first)
        yield first, other


@dataclass(frozen=True, slots=True)
class Scene:
    """The folder of two judges: *answered* was cosigned, and the *pending* request is on its way.

    *early* is a copy from before that request.
    """

    folder: Path
    early: Path
    answered: bytes
    pending: bytes


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder, early = tmp_path_factory.mktemp("judges"), tmp_path_factory.mktemp("early") / "copy"
    for name in ("first", "other"):
        (folder / name).mkdir()
    with judges(folder) as (first, other):
        first.table.start()
        first.table.close_phase()
        answered = first.asks()
        assert other.gets(answered)[0] == "processed"
        [answer] = other.mails()
        assert first.gets(answer)[0] == "processed"
    shutil.copytree(folder, early)
    with judges(folder, days=1) as (first, other):
        first.table.close_phase()
        return Scene(folder, early, answered, first.asks())


@pytest.fixture
def scene(played: Scene, tmp_path: Path) -> Scene:
    return replace(played, folder=shutil.copytree(played.folder, tmp_path / "judges"))


@pytest.fixture
def peers(scene: Scene) -> Iterator[tuple[Peer, Peer]]:
    with judges(scene.folder, days=2) as both:
        yield both


def test_a_proof_is_made_while_others_write_and_of_the_new_events_only(
    peers: tuple[Peer, Peer], scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, other = peers
    [answer] = cosigned_by(other, scene.pending)
    assert first.gets(answer)[0] == "processed"
    first.table.close_phase()
    known, read = int(first.witnessed()[-1].split()[0]), list[int]()
    proof, every = checkpoints.consistency_proof, SqlCheckpoints.all

    def prove(old: Tree, later: Sequence[bytes]) -> tuple[bytes, ...]:
        with closing(sqlite3.connect(first.table.file, timeout=0)) as connection:
            connection.execute("BEGIN IMMEDIATE")
        return proof(old, later)

    def read_all(kept: SqlCheckpoints, after: int = 0) -> Iterator[StoredCheckpoint]:
        for each in every(kept, after):
            read.append(each.tree.size)
            yield each

    monkeypatch.setattr(checkpoints, "consistency_proof", prove)
    monkeypatch.setattr(SqlCheckpoints, "all", read_all)

    assert other.gets(first.asks())[0] == "processed"
    assert read
    assert min(read) > known


def cosigned_by(other: Peer, request: bytes) -> list[bytes]:
    assert other.gets(request)[0] == "processed"
    return other.mails()


def test_two_judges_that_list_each_other_cosign_once_a_day(
    peers: tuple[Peer, Peer], scene: Scene
) -> None:
    first, other = peers
    assert other.gets(scene.pending)[0] == "processed"
    [answer] = other.mails()
    assert parse_email(answer).recipient == "judge@first.example"
    assert first.gets(answer)[0] == "processed"
    first.table.send("FRANCE", "STATUS")
    first.days_later()
    assert first.mails() == [], "nothing new was printed in results"
    first.table.close_phase()
    first.table.run_once()
    [request] = first.mails()
    first.table.close_phase()
    first.table.run_once()
    assert first.mails() == [], "once a day"
    assert other.gets(request)[0] == "processed"
    assert first.gets(*other.mails())[0] == "processed"

    own, witness = first.verifier, other.verifier
    assert first.witnessed() == other.witnessed()
    assert len(first.witnessed()) == 3
    with first.table.database.read() as transaction:
        notes = [each.note for each in transaction.witnessed.all(Witnessed.COSIGNED)]
    assert all(is_signed(each, own, verify_ed25519) for each in notes)
    assert all(cosignature_of(each, witness, verify_ed25519) for each in notes)
    assert not any(cosignature_of(each, own, verify_ed25519) for each in notes)
    assert not {*health.examine(first.table.judge).troubles} & TROUBLES


def run(peer: Peer, *words: str, code: int = 0, **settings: str) -> str:
    """Run a command of the operator of *peer*."""
    environment = {f"JUDGE_{name}".upper(): value for name, value in settings.items()}
    environment |= {"JUDGE_ADDRESS": peer.table.judge.address}
    with time_machine.travel(peer.table.clock.time, tick=False):
        found = CliRunner().invoke(
            root, [*words, "--database", str(peer.table.file)], env=environment
        )
    assert found.exit_code == code, found.output
    return found.output


def test_operators_and_players_see_what_a_witness_has_cosigned(
    peers: tuple[Peer, Peer], scene: Scene, tmp_path: Path
) -> None:
    first, other = peers
    entry = run(other, "log", "key").strip()
    folder = str(tmp_path / "log")
    assert entry == f"{other.verifier} judge@other.example"
    run(first, "log", "publish", folder)
    other.gets(scene.pending)
    first.gets(*other.mails())
    run(first, "log", "publish", folder)
    written = (tmp_path / "log" / "checkpoints.jsonl").read_text()
    run(first, "log", "publish", folder)

    size = first.newest().split()[0]
    verify = "log", "verify", "--log", folder
    cosigned = f"{size} events cosigned by other.example/judge"
    assert cosigned in run(first, *verify, "--witness", entry)
    assert "2 checkpoints" in run(first, *verify)
    assert "nothing cosigned by first" in run(first, *verify, "--witness", str(first.verifier))
    assert cosigned in run(first, "log", "verify", witnesses=entry)
    assert "no public key" in run(first, *verify, "--witness", "somebody", code=64)
    assert (tmp_path / "log" / "checkpoints.jsonl").read_text() == written
    told = run(first, "status", witnesses=entry, code=1)
    assert f"other.example/judge has cosigned {size} events at 2026-" in told
    [known] = json.loads(run(first, "status", "--json", witnesses=entry, code=1))["witnesses"]
    assert known["cosigned"]["checkpoint"] == first.newest()
    assert known["asked"] is None
    assert "cosigned" in run(other, "inbox", "list")


def test_only_the_listed_address_gets_the_answer_whatever_the_sender(
    peers: tuple[Peer, Peer], scene: Scene
) -> None:
    _, other = peers
    forged = message_from_bytes(scene.pending)
    for name in ("From", "Reply-To", "Return-Path"):
        del forged[name]
        forged[name] = FORGER

    assert other.gets(forged.as_bytes(), sender=FORGER)[0] == "processed"

    [answer] = other.mails()
    assert parse_email(answer).recipient == "judge@first.example"
    assert message_from_bytes(answer)["Auto-Submitted"] == "auto-replied"
    assert other.gets(answer) == ("ignored", "witness: no cosignature that was asked for")
    assert other.mails() == [], "an answer is never answered"


def changed(raw: bytes, old: str, new: str) -> bytes:
    """Return the email with *old* in its text replaced."""
    text = parse_email(raw).text
    assert old in text
    header = "Auto-Submitted: auto-generated\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    return (header + text.replace(old, new, 1)).encode()


def lines_of(raw: bytes) -> list[str]:
    return parse_email(raw).text.split("\n")


@pytest.mark.parametrize("place", ["to", "from", "proof", "size", "root"])
def test_a_request_is_cosigned_only_as_its_log_has_signed_it(
    peers: tuple[Peer, Peer], scene: Scene, place: str
) -> None:
    _, other = peers
    lines = lines_of(scene.pending)
    begin = next(number for number, line in enumerate(lines) if line.startswith("from "))
    end = lines.index(LOG)
    old = {
        "to": lines[begin - 1],
        "from": lines[begin],
        "proof": lines[begin + 1],
        "size": f"\n{lines[end + 1]}\n",
        "root": lines[end + 2],
    }[place]
    new = {
        "to": "to third.example/judge",
        "from": "from 0",
        "proof": "A" * 43 + "=",
        "size": "\n999\n",
        "root": "A" * 43 + "=",
    }[place]

    state, reason = other.gets(changed(scene.pending, old, new))

    assert (state, reason) == (
        "ignored",
        "witness: the signature is not that of first.example/judge",
    )
    assert other.mails() == []
    assert len(other.witnessed()) == 1
    assert other.witnessed(Witnessed.REFUSED) == [], "anybody can have sent it"


def test_a_request_of_an_unlisted_log_or_to_another_witness_has_no_answer(
    peers: tuple[Peer, Peer], scene: Scene
) -> None:
    first, other = peers
    first.lists(other, replace(other.verifier, name="third.example/judge"))
    first.days_later()
    [astray] = first.mails()

    assert other.gets(astray) == (
        "ignored",
        "witness: first.example/judge asks third.example/judge, and this is other.example/judge",
    )
    other.table.judge = replace(other.table.judge, witnesses=())
    assert other.gets(scene.pending) == (
        "ignored",
        "witness: the log first.example/judge is not in the setting witnesses",
    )
    assert other.mails() == []


def test_an_old_request_that_comes_again_changes_nothing(
    peers: tuple[Peer, Peer], scene: Scene
) -> None:
    _, other = peers
    again = b"X-Again: 1\r\n"
    assert other.gets(scene.pending)[0] == "processed"
    [answer] = other.mails()

    assert "cosigned before" in other.gets(again + scene.answered)[1]
    assert other.gets(again + scene.pending)[0] == "processed"

    assert other.mails() == [], "one answer a day"
    assert len(other.witnessed()) == 2
    assert other.witnessed(Witnessed.REFUSED) == []
    other.days_later()
    assert other.gets(again + again + scene.pending)[0] == "processed"
    assert [lines_of(each) for each in other.mails()] == [lines_of(answer)]


def test_an_answer_that_is_lost_comes_again_before_anything_newer_is_asked(
    peers: tuple[Peer, Peer], scene: Scene
) -> None:
    first, other = peers
    other.gets(scene.pending)
    other.mails()  # lost
    asked = first.newest()
    first.table.close_phase()

    for wanted in (asked, first.newest()):
        request = first.asks()
        assert "\n".join(wanted.split()) in parse_email(request).text
        other.days_later()
        assert other.gets(request)[0] == "processed"
        assert first.gets(*other.mails())[0] == "processed"
    assert first.witnessed() == other.witnessed()
    assert len(first.witnessed()) == 3


def test_a_fork_gets_no_cosignature_and_both_checkpoints_are_kept_and_shown(
    peers: tuple[Peer, Peer], scene: Scene, tmp_path: Path
) -> None:
    """The operator of the first judge goes on from an old copy, silently."""
    _, other = peers
    assert other.gets(scene.pending)[0] == "processed"
    other.mails()
    known = other.witnessed()[-1]
    with judges(shutil.copytree(scene.early, tmp_path / "fork"), days=1) as (fork, _):
        fork.table.send("FRANCE", "A Par-Bur")
        fork.table.close_phase()
        shown, request = fork.newest(), fork.asks()

        state, reason = other.gets(request)

        assert (state, reason) == (
            "ignored",
            f"witness: {LOG} shows {shown}, not proven to extend what was cosigned here: {known}",
        )
        status = run(other, "status", code=1, witnesses=f"{fork.verifier} judge@first.example")
        assert f"{LOG} showed {shown} at" in status
        assert f"not proven to extend what was cosigned here: {known}" in status
        assert other.mails() == []
        assert other.witnessed(Witnessed.REFUSED) == [shown]
        [found] = health.examine(other.table.judge).witnesses
        assert [each.checkpoint.line for each in found.refused] == [shown]
        assert all(is_signed(each.note, fork.verifier, verify_ed25519) for each in found.refused)
        assert found.seen
        assert found.seen.checkpoint.line == known
        assert {*health.examine(other.table.judge).troubles} & TROUBLES == {"log_not_extended"}
        assert any("witness.refused" in line for line in other.table.operator_log.lines)
        fork.days_later(4)
        assert {*health.examine(fork.table.judge).troubles} & TROUBLES == {"witness_silent"}


def test_a_restored_judge_is_another_log_until_the_witness_lists_it_anew(
    scene: Scene, tmp_path: Path
) -> None:
    with judges(scene.folder, days=2) as (_, other):
        other.gets(scene.pending)
        other.mails()
        copy = shutil.copytree(scene.early, tmp_path / "restored")
        with closing(Peer(copy, "first", days=3)) as restored:
            restored.table.close_phase()
            with restored.table.database.write() as transaction:
                begin_epoch(restored.table.judge, transaction, None)
            restored.lists(other)
            restored.days_later()
            assert restored.mails() == [], "its log begins with the next phase"
            restored.table.close_phase()
            request = restored.asks()

            assert other.gets(request)[1].endswith("is not in the setting witnesses")
            assert other.witnessed(Witnessed.REFUSED) == []
            other.lists(restored)
            assert other.gets(b"X-Again: 1\r\n" + request)[0] == "processed"
            assert restored.gets(*other.mails())[0] == "processed"


def test_a_restored_witness_begins_anew_once_it_is_listed_anew(
    scene: Scene, tmp_path: Path
) -> None:
    with judges(scene.folder, days=2) as (first, other):
        other.gets(scene.pending)
        first.gets(*other.mails())
        first.table.close_phase()
        copy = shutil.copytree(scene.early, tmp_path / "restored")
        with closing(Peer(copy, "other", days=3)) as restored:
            with restored.table.database.write() as transaction:
                begin_epoch(restored.table.judge, transaction, None)
            restored.lists(first)
            assert "asks other.example/judge, and this is" in restored.gets(first.asks())[1]
            first.lists(restored)
            first.table.run_once()
            [request] = first.mails()
            assert restored.gets(request)[0] == "processed"
            assert first.gets(*restored.mails())[0] == "processed"


@pytest.mark.parametrize("lines", [81, 48_000, pytest.param(230_000, marks=pytest.mark.slow)])
def test_a_proof_that_is_much_too_long_is_not_read(
    peers: tuple[Peer, Peer], scene: Scene, lines: int
) -> None:
    _, other = peers
    begin = next(line for line in lines_of(scene.pending) if line.startswith("from "))
    long = begin + ("\n" + "A" * 43 + "=") * lines

    state, reason = other.gets(changed(scene.pending, begin, long))

    assert (state, reason) == (
        ("ignored", "auto_submitted") if lines < 100 else ("quarantined", "too many bytes")
    )
    assert other.mails() == []
    assert other.gets(scene.pending)[0] == "processed"


def test_a_truncated_email_is_ignored(peers: tuple[Peer, Peer], scene: Scene) -> None:
    _, other = peers
    body = scene.pending.index(b"\r\n\r\n")
    for size in range(body, len(scene.pending) - 4, 211):
        state, reason = other.gets(scene.pending[:size])
        assert (state, reason) == ("ignored", "own_mail")
    assert other.mails() == []


def test_an_answer_with_another_key_is_ignored(peers: tuple[Peer, Peer], scene: Scene) -> None:
    first, other = peers
    other.gets(scene.pending)
    [answer] = other.mails()
    first.lists(other, replace(other.verifier, key=first.verifier.key))

    assert first.gets(answer) == ("ignored", "witness: no cosignature that was asked for")
    assert len(first.witnessed()) == 1
    first.lists(other)
    assert first.gets(b"X-Again: 1\r\n" + answer)[0] == "processed"
    assert first.gets(b"X-Again: 2\r\n" + answer)[0] == "ignored"


def test_a_vacation_note_is_no_answer(peers: tuple[Peer, Peer], scene: Scene) -> None:
    first, _ = peers
    note = EmailMessage()
    note["From"], note["Subject"] = "judge@other.example", "Out of office"
    note["Auto-Submitted"] = "auto-replied"
    note.set_content("I am away.\n\n" + parse_email(scene.pending).text)

    assert first.gets(note.as_bytes())[0] == "ignored"

    assert first.mails() == []
    assert len(first.witnessed(Witnessed.ASKED)) == 1


def test_an_email_that_somebody_typed_is_never_taken_for_a_request(
    peers: tuple[Peer, Peer], scene: Scene
) -> None:
    first, _ = peers
    text = "A Par-Bur\n" + parse_email(scene.pending).text

    receipt = first.table.send("FRANCE", text)

    assert "A Par" in receipt.text
    assert first.mails() == []
