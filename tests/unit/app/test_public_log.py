"""Checkpoints of the public log: when they are made, what they show, who gets them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from judge.adapters.crypto import verify_ed25519
from judge.app.game.apply import apply_command
from judge.app.public_log import log_verifier
from judge.checkpoints import EMPTY_TREE, StoredCheckpoint, is_signed, leaf_of, read_checkpoint
from judge.game.phases import PhaseClosed
from judge.game.voting import GameEnded, VoteDraw
from judge.mail.proofs import checkpoints_in, recorded_in
from tests.support.table import MODERATOR, POWERS, Mail, Table, address_of

FRANCE = address_of("FRANCE")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(Table(tmp_path)) as opened:
        opened.start()
        yield opened


def checkpoints_of(table: Table) -> tuple[StoredCheckpoint, ...]:
    with table.database.read() as transaction:
        return tuple(transaction.checkpoints.all())


def log_line(mail: Mail) -> str:
    [line] = [line for line in mail.text.splitlines() if line.startswith("Log:")]
    return line


def test_checkpoints_are_made_and_published_only_when_a_phase_closes(table: Table) -> None:
    table.want_proofs()
    table.open("dogger")
    for text in (
        "A Par-Bur",
        "WAIT",
        "NOWAIT",
        "READY",
        "SET DRAW",
        "CLEAR",
        "STATUS",
        "HISTORY",
        "MAP",
    ):
        table.send("FRANCE", text)
    table.send("FRANCE", "PRESS TO ENGLAND\nHello\nENDPRESS")
    table.send("FRANCE", "PHASE F1901M\nA Par H")
    table.join("dogger", "FRANCE")
    table.pass_time(hours=1)
    assert checkpoints_of(table) == ()
    assert not any(checkpoints_in(mail.proof.encode()) for mail in table.outbox())
    assert not any("Log:" in mail.text for mail in table.outbox())

    table.close_phase()
    with table.database.write() as transaction:
        for power in POWERS:
            person = table.game().seats[power].person
            assert person
            vote = VoteDraw(power, person, in_favor=True, nonce="a" * 32)
            apply_command(table.judge, transaction, "baltic", vote, table.clock.now())
    table.send("FRANCE", "STATEMENT\nThank you\nENDSTATEMENT")
    table.pass_time(hours=48)

    endings = table.count_events(PhaseClosed) + table.count_events(GameEnded)
    assert len(checkpoints_of(table)) == endings == 2
    kinds = {mail.kind for mail in table.outbox() if "Log:" in mail.text}
    assert kinds == {"phase_results", "game_over"}


def test_each_results_email_has_one_line_with_the_size_and_the_root(table: Table) -> None:
    results = table.close_phase()

    assert len(results) == len(POWERS)
    [stored] = checkpoints_of(table)
    assert {log_line(mail) for mail in results} == {f"Log: {read_checkpoint(stored.note).line}"}
    assert [mail.proof for mail in results] == [""] * len(POWERS)


def test_the_checkpoint_of_a_phase_is_in_the_history_that_the_closing_email_asks_for(
    table: Table,
) -> None:
    table.start("dogger", moderator=MODERATOR)
    start = table.emails_to(MODERATOR)[-1]

    answers = table.reply(start, "PROCESS\nHISTORY")

    [stored] = checkpoints_of(table)
    asked_for = [mail for mail in answers if mail.recipient == MODERATOR and "Log:" in mail.text]
    [history] = [mail for mail in asked_for if mail.kind != "phase_results"]
    assert log_line(history) == f"Log: {read_checkpoint(stored.note).line}"


def test_the_tree_has_the_events_of_closed_phases_in_their_order(table: Table) -> None:
    table.close_phase()
    table.send("FRANCE", "A Par H")
    table.close_phase()

    with table.database.read() as transaction:
        key, tree = transaction.secrets.leaf_key(), EMPTY_TREE
        for row in transaction.events.rows("baltic"):
            tree = tree.extended([leaf_of(key, row)])
            if row.type == "phase_closed":
                assert transaction.checkpoints.of("baltic", row.version).tree == tree  # type: ignore[union-attr]
        newest = transaction.checkpoints.newest()
        assert newest
        assert is_signed(newest.note, log_verifier(table.judge, transaction), verify_ed25519)


def test_the_size_of_the_tree_shows_nothing_of_another_games_open_phase(table: Table) -> None:
    table.start("dogger")
    table.send("FRANCE", "A Par H; A Mar H; F Bre H", "dogger")

    table.close_phase("baltic")

    [made] = checkpoints_of(table)
    assert made.game == "baltic"
    assert made.tree.size == made.version < len(table.log("baltic"))


def test_a_reader_with_full_receipts_gets_the_checkpoint_and_their_recorded_orders(
    table: Table,
) -> None:
    answer = table.send("FRANCE", "SET RECEIPTS FULL")
    receipt = table.send("FRANCE", "A Par-Bur\nA Mar H\nF Bre H")
    results = table.close_phase()

    assert "judge-proof.json" in answer.text
    assert {mail.recipient for mail in results if mail.proof} == {FRANCE}
    [mine] = [mail for mail in results if mail.recipient == FRANCE]
    [seen] = checkpoints_in(mine.proof.encode())
    assert seen.before.extended(seen.leaves).root == seen.root
    [recorded] = recorded_in(receipt.proof.encode())
    assert recorded.event["payload"]["orders"] == ["A PAR - BUR", "A MAR H", "F BRE H"]
    assert "version" not in recorded.event, "it shows how many events others have caused"
    assert any(recorded.numbered(version).leaf in seen.leaves for version in range(1, 30))
    assert "log_head" not in receipt.proof, "it shows whether anything has happened since"
    assert recorded_in(table.send("FRANCE", "STATUS").proof.encode()) == ()

    assert "without" in table.send("FRANCE", "SET RECEIPTS SHORT").text
    assert table.send("FRANCE", "A Bur H").proof == ""


def test_the_line_is_read_in_any_language(table: Table) -> None:
    table.send("FRANCE", "SET LANGUAGE FRANCAIS")
    table.send("GERMANY", "SET LANGUAGE DEUTSCH")

    results = table.close_phase()

    [stored] = checkpoints_of(table)
    for word in ("Log: ", "Journal : ", "Protokoll: "):
        assert any(word in mail.text for mail in results)
    for mail in results:
        [seen] = checkpoints_in(f"Subject: Results\n\n> {mail.text}".encode())
        assert (seen.size, seen.root) == (stored.tree.size, stored.tree.root)
