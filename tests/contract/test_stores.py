"""The contract of the stores other than the log, as the use cases rely on it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from judge.adapters.store.database import migrate
from judge.adapters.store.tables import BudgetRow, table
from judge.adapters.store.transactions import SqlDatabase
from judge.app.ports.inbox import Envelope, InboxState, Mailbox
from judge.app.ports.outbox import Failure, OutgoingMail
from judge.app.ports.people import Evidence, Purpose, Token
from judge.app.ports.summaries import GameCounts
from judge.checkpoints import (
    EMPTY_TREE,
    Checkpoint,
    StoredCheckpoint,
    Witnessed,
    WitnessedCheckpoint,
)
from judge.game.game_state import Stage
from judge.game.game_summary import GameSummary
from judge.game.players.joining import PlayerLeft
from judge.game.voting import GameEnded

NOON = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
ISSUED = "abc234"
RAW = b"From: anna@example.org\r\n\r\nA PAR - BUR \xff\x00\r\n"


def keep(database: SqlDatabase, raw: bytes = RAW, received: datetime = NOON) -> bool:
    with database.write() as transaction:
        mail = Envelope(raw, "anna@example.org", ("judge@localhost",), "smtp")
        return transaction.inbox.keep([(mail, received)]) == 1


def waiting(database: SqlDatabase, until: datetime | None = None) -> list[int]:
    with database.read() as transaction:
        return list(transaction.inbox.waiting(until))


def test_a_transaction_that_fails_leaves_nothing(database: SqlDatabase) -> None:
    with suppress(RuntimeError), database.write() as transaction:
        transaction.inbox.keep([(Envelope(RAW, "", ("judge@localhost",), "smtp"), NOON)])
        transaction.agenda.set("garnet", NOON)
        raise RuntimeError

    with database.read() as transaction:
        assert not transaction.inbox.waiting()
        assert transaction.agenda.next_due() is None


def test_a_reader_does_not_wait_for_the_writer_and_sees_only_committed_data(
    database: SqlDatabase,
) -> None:
    with database.write() as writer:
        writer.agenda.set("garnet", NOON)
        with database.read() as reader:
            assert reader.agenda.next_due() is None

    with database.read() as reader:
        assert reader.agenda.next_due() == NOON


class TestInbox:
    def test_an_email_is_kept_to_the_byte(self, database: SqlDatabase) -> None:
        assert keep(database)

        with database.write() as transaction:
            mail = transaction.inbox.begin_attempt(next(iter(transaction.inbox.waiting())))
        assert mail.raw == RAW
        assert mail.received_utc == NOON
        assert mail.sender == "anna@example.org"
        assert mail.state is InboxState.RECEIVED

    def test_r42_a_redelivery_is_not_kept_again(self, database: SqlDatabase) -> None:
        assert keep(database)
        assert not keep(database, received=NOON + HOUR)
        assert len(waiting(database)) == 1

    def test_the_same_bytes_to_another_recipient_are_another_mail(
        self, database: SqlDatabase
    ) -> None:
        keep(database)
        with database.write() as transaction:
            assert transaction.inbox.keep(
                [(Envelope(RAW, "", ("judge+x@localhost",), "smtp"), NOON)]
            )

    def test_the_oldest_is_first_and_what_came_too_late_is_not_there(
        self, database: SqlDatabase
    ) -> None:
        keep(database, b"late", NOON + HOUR)
        keep(database, b"early", NOON)

        assert waiting(database) == [2, 1]
        assert waiting(database, until=NOON) == [2]

    def test_what_a_receipt_offers_goes_with_the_text_of_the_email(
        self, database: SqlDatabase
    ) -> None:
        keep(database)
        with database.write() as transaction:
            transaction.inbox.note_offer(1, "A PAR - BUR")
            offered = transaction.inbox.get(1)
            transaction.inbox.finish(1, InboxState.PROCESSED)
            transaction.inbox.empty(NOON + HOUR, 0, 10)
            emptied = transaction.inbox.get(1)

        assert offered
        assert emptied
        assert (offered.offer, emptied.offer) == ("A PAR - BUR", "")

    def test_each_attempt_is_counted(self, database: SqlDatabase) -> None:
        keep(database)
        for attempt in (1, 2):
            with database.write() as transaction:
                assert transaction.inbox.begin_attempt(1).attempts == attempt
                transaction.inbox.end_attempt(1)

    def test_an_attempt_that_never_ended_is_counted_as_a_death_and_not_as_an_attempt(
        self, database: SqlDatabase
    ) -> None:
        keep(database)
        for deaths in range(3):
            with database.write() as transaction:
                begun = transaction.inbox.begin_attempt(1)
            assert (begun.attempts, begun.deaths, begun.in_hand) == (1, deaths, True)
        with database.write() as transaction:
            transaction.inbox.restart(1)
            fresh = transaction.inbox.get(1)
        assert fresh
        assert (fresh.attempts, fresh.deaths, fresh.in_hand) == (0, 0, False)

    def test_the_game_of_an_email_is_that_of_its_reply_address_or_its_subject(
        self, database: SqlDatabase
    ) -> None:
        token = Token("abcdefghijklmnop", Purpose.ORDERS, "anna", 1, "garnet", None, None, None)
        with database.write() as transaction:
            transaction.people.issue(token)
            for subject, address in (
                ("", "judge+ABCDEFGHIJKLMNOP@localhost"),
                ("Re: JUDG:topaz - S1901M", "judge@localhost"),
                ("Re: JUDG:topaz - S1901M", "judge+abcdefghijklmnop@localhost"),
                ("orders [#abcdefghijklmnop]", "judge@localhost"),
                ("orders for topaz", "judge+ponmlkjihgfedcba@localhost"),
            ):
                raw = f"From: anna@example.org\r\nSubject: {subject}\r\n\r\n{address}".encode()
                envelope = Envelope(raw, "anna@example.org", (address,), "smtp")
                transaction.inbox.keep([(envelope, NOON)])
            games = [each.game for each in transaction.inbox.ready(NOON)]

        assert games == ["garnet", "topaz", "garnet", "garnet", None]

    def test_a_retried_email_is_ready_alone_and_after_all_others(
        self, database: SqlDatabase
    ) -> None:
        for raw in (b"tried twice", b"tried", b"new", b"newer"):
            keep(database, raw)
        with database.write() as transaction:
            for number in (1, 1, 2):
                transaction.inbox.begin_attempt(number)
            order = list[list[int]]()
            while ready := transaction.inbox.ready(NOON):
                order.append([each.id for each in ready])
                for number in order[-1]:
                    transaction.inbox.finish(number, InboxState.PROCESSED)

        assert order == [[3, 4], [2], [1]]

    @pytest.mark.parametrize("state", [s for s in InboxState if s is not InboxState.RECEIVED])
    def test_what_is_finished_waits_no_longer(
        self, database: SqlDatabase, state: InboxState
    ) -> None:
        keep(database)
        with database.write() as transaction:
            transaction.inbox.finish(1, state, "why")

        assert not waiting(database)

    def test_a_held_email_that_is_confirmed_keeps_its_time_of_arrival(
        self, database: SqlDatabase
    ) -> None:
        keep(database)
        with database.write() as transaction:
            transaction.inbox.begin_attempt(1)
            transaction.inbox.finish(1, InboxState.HELD)
            transaction.inbox.release(1, "anna")

        with database.write() as transaction:
            mail = transaction.inbox.begin_attempt(
                next(iter(transaction.inbox.waiting(until=NOON)))
            )
        assert mail.confirmed_person == "anna"
        assert mail.attempts == 1

    def test_the_same_email_by_two_routes_is_noticed_and_a_retry_is_not(
        self, database: SqlDatabase
    ) -> None:
        keep(database, b"by smtp")
        keep(database, b"by imap", NOON + HOUR)
        with database.write() as transaction:
            seen_before = transaction.inbox.seen_before

            assert seen_before("anna", "<1@x>", "text", 1) is None
            assert seen_before("anna", "<1@x>", "text", 1) is None
            assert seen_before("anna", "<1@x>", "text", 2) == NOON
            assert seen_before("anna", "<1@x>", "other text", 2) is None
            assert seen_before("boris", "<1@x>", "text", 2) is None


def test_checkpoints_are_found_by_their_event_and_the_newest_has_the_tree(
    database: SqlDatabase,
) -> None:
    first = EMPTY_TREE.extended([b"a" * 32])
    made = [
        StoredCheckpoint("garnet", 4, first, "one"),
        StoredCheckpoint("opal", 2, first.extended([b"b" * 32, b"c" * 32]), "two"),
        StoredCheckpoint("garnet", 9, first.extended([b"d" * 32] * 8), "three"),
    ]
    with database.write() as transaction:
        assert transaction.checkpoints.newest() is None
        assert transaction.checkpoints.version("garnet") == 0
        for each in made:
            transaction.checkpoints.add(each)
            assert transaction.checkpoints.newest() == each

    with database.read() as transaction:
        assert [*transaction.checkpoints.all()] == made
        assert [*transaction.checkpoints.all(after=1)] == made[1:]
        assert transaction.checkpoints.version("garnet") == 9
        assert transaction.checkpoints.version("garnet", before=9) == 4
        assert transaction.checkpoints.version("garnet", before=4) == 0
        assert transaction.checkpoints.of("garnet", 4) == made[0]
        assert transaction.checkpoints.of("garnet", 5) is None
        assert transaction.checkpoints.at(3) == made[1]
        assert transaction.checkpoints.at(4) is None


def test_a_promised_checkpoint_counts_at_once_and_is_made_with_the_commit(
    database: SqlDatabase,
) -> None:
    tree = EMPTY_TREE.extended([b"a" * 32])

    def make() -> None:
        transaction.checkpoints.add(StoredCheckpoint("garnet", 4, tree, "one"))

    with suppress(ZeroDivisionError), database.write() as transaction:
        transaction.checkpoints.promise("garnet", 4, make)
        _ = 1 / 0
    with database.write() as transaction:
        assert transaction.checkpoints.version("garnet") == 0
        transaction.checkpoints.promise("garnet", 4, make)
        assert transaction.checkpoints.newest() is None
        assert transaction.checkpoints.version("garnet") == 4
        assert transaction.checkpoints.version("garnet", before=4) == 0
        assert transaction.checkpoints.version("opal") == 0

    with database.read() as transaction:
        assert [each.version for each in transaction.checkpoints.all()] == [4]


def test_what_witnesses_were_asked_is_found_by_its_state(database: SqlDatabase) -> None:
    sizes = (("a", 3), ("a", 10**12 - 1), ("b", 7))
    shown = [Checkpoint(log, size, b"r" * 32) for log, size in sizes]
    asked = [WitnessedCheckpoint(each, "ours", "", Witnessed.ASKED, NOON) for each in shown]
    cosigned = replace(asked[0], note="cosigned", state=Witnessed.COSIGNED, at=NOON + HOUR)
    with database.write() as transaction:
        witnessed = transaction.witnessed
        for each in (*asked, cosigned):
            witnessed.put(each)

        assert witnessed.get(cosigned.checkpoint, "ours") == cosigned
        assert witnessed.get(cosigned.checkpoint, "theirs") is None
        assert witnessed.newest("a", "ours", Witnessed.ASKED) == asked[1]
        assert witnessed.newest("a", "ours", Witnessed.COSIGNED) == cosigned
        assert witnessed.newest("a", "ours", Witnessed.REFUSED) is None
        assert witnessed.all(Witnessed.ASKED) == asked[1:]


def letter(message_id: str, due: datetime = NOON) -> OutgoingMail:
    return OutgoingMail(
        message_id, "judge@localhost", "anna@example.org", RAW, due, "results", token=ISSUED
    )


def test_r42_an_email_is_queued_once_whatever_became_of_it(database: SqlDatabase) -> None:
    with database.write() as transaction:
        assert transaction.outbox.put(letter("<1@judge>"))
        transaction.outbox.sent(["<1@judge>"], NOON)

        assert not transaction.outbox.put(letter("<1@judge>"))
        assert not transaction.outbox.due(NOON + HOUR)


def test_text_held_back_for_a_reader_goes_within_another_email(database: SqlDatabase) -> None:
    whole = replace(letter("<whole>"), person="anna")
    with database.write() as transaction:
        outbox = transaction.outbox
        for number, due in enumerate((NOON, NOON, NOON + HOUR)):
            assert outbox.hold_back(replace(letter(f"<{number}>", due), person="anna"))
        assert not outbox.hold_back(letter("<0>"))
        assert outbox.awaited(NOON - HOUR) == []
        assert outbox.awaited(NOON) == ["anna"]
        assert not outbox.due(NOON)

    with database.write() as transaction:
        outbox = transaction.outbox
        waiting = [mail.message_id for mail in outbox.waiting("anna", NOON)]
        outbox.put(whole)
        outbox.enclose("<0>", "<whole>")
        outbox.release("<1>", NOON)

    assert waiting == ["<0>", "<1>"]
    with database.read() as transaction:
        outbox = transaction.outbox
        assert [mail.message_id for mail in outbox.due(NOON)] == ["<1>", "<whole>"]
        assert [mail.message_id for mail in outbox.enclosed("<whole>")] == ["<0>"]
        assert outbox.awaited(NOON) == []
        assert outbox.awaited(NOON + HOUR) == ["anna"]


def test_emails_are_due_in_their_order(database: SqlDatabase) -> None:
    with database.write() as transaction:
        outbox = transaction.outbox
        for mail in (letter("<2>", NOON), letter("<3>", NOON + HOUR), letter("<1>", NOON - HOUR)):
            outbox.put(mail)

    with database.read() as transaction:
        assert [mail.message_id for mail in transaction.outbox.due(NOON)] == ["<1>", "<2>"]
        assert transaction.outbox.next_due() == NOON - HOUR


def test_an_email_that_failed_is_tried_again_later(database: SqlDatabase) -> None:
    with database.write() as transaction:
        outbox = transaction.outbox
        outbox.put(letter("<1>"))
        outbox.postpone("<1>", NOON + HOUR, Failure("451 try later", NOON))

    with database.read() as transaction:
        assert not transaction.outbox.due(NOON)
        assert [mail.attempts for mail in transaction.outbox.due(NOON + HOUR)] == [1]


def test_failures_are_counted_by_reason_until_they_end(database: SqlDatabase) -> None:
    refused = Failure("mx:25: 550 5.7.1 no", NOON, ours=True)
    with database.write() as transaction:
        outbox = transaction.outbox
        for number in range(4):
            outbox.put(letter(f"<{number}>"))
        outbox.postpone("<0>", NOON + HOUR, refused)
        outbox.postpone("<1>", NOON + HOUR, replace(refused, at=NOON + HOUR))
        outbox.postpone("<2>", NOON + HOUR, Failure("451 later", NOON))
        outbox.give_up("<3>", refused)
        tally = transaction.tallies.count(NOON, NOON - HOUR, 5)

        assert [(each.mails, each.ours, each.since) for each in tally.failures] == [
            (2, True, NOON),
            (1, False, NOON),
        ]
        assert tally.failures[0].last == NOON + HOUR
        assert (tally.retried, tally.unsent, tally.given_up) == (3, 3, 1)

        outbox.sent(["<0>", "<1>", "<2>"], NOON + HOUR)
        outbox.discard("<3>", "unwanted")
        after = transaction.tallies.count(NOON, NOON - HOUR, 5)
        assert (after.failures, after.given_up, after.refused) == ([], 0, 1)


def test_the_operator_makes_a_failed_email_due_and_a_returned_one_waits(
    database: SqlDatabase,
) -> None:
    failure = Failure("550 no", NOON, ours=True)
    with database.write() as transaction:
        outbox = transaction.outbox
        for name in ("<late>", "<lost>", "<back>"):
            outbox.put(letter(name))
        outbox.postpone("<late>", NOON + HOUR, failure)
        outbox.give_up("<lost>", failure)
        outbox.sent(["<back>"], NOON)
        outbox.requeue("<back>", NOON + HOUR, failure)
        outbox.requeue("<late>", NOON + 9 * HOUR, failure)  # which was not sent
    with database.write() as transaction:
        assert not transaction.outbox.due(NOON)
        transaction.outbox.retry("<late>", NOON)
        transaction.outbox.retry("<lost>", NOON)

    with database.read() as transaction:
        outbox = transaction.outbox
        assert {(mail.message_id, mail.attempts) for mail in outbox.due(NOON)} == {
            ("<late>", 1),
            ("<lost>", 0),
        }
        number = outbox.named("back")
        assert number is not None
        entry = outbox.entry(number)
        assert entry
        assert (entry.message_id, entry.failing_utc, entry.sent_utc) == ("<back>", NOON, None)
        assert outbox.named(str(number)) == number
        assert outbox.get(number) == outbox.find("<back>")
        assert outbox.named("nothing") is None
        assert outbox.entry(777) is None


def test_the_last_backup_and_the_size_of_the_store_are_known(database: SqlDatabase) -> None:
    with database.write() as transaction:
        assert transaction.agenda.last_backup() is None
        transaction.agenda.record_backup(NOON)

        assert transaction.agenda.last_backup() == NOON
        assert transaction.agenda.last_heartbeat() is None
        assert transaction.tallies.stored_bytes() > 10_000


def test_an_email_given_up_is_never_due_but_can_be_found(database: SqlDatabase) -> None:
    with database.write() as transaction:
        outbox = transaction.outbox
        outbox.put(letter("<1>"))
        outbox.give_up("<1>", Failure("550 no such user", NOON))

        assert outbox.next_due() is None
        found = outbox.find("<1>")
        assert found
        assert (found.raw, found.due_utc, found.token) == (RAW, NOON, ISSUED)
        assert outbox.find("<2>") is None


def test_a_person_is_found_by_address_in_any_case(database: SqlDatabase) -> None:
    with database.write() as transaction:
        transaction.people.add("anna", "Anna@Example.org", "Kaiserin", b"key", NOON)

    with database.read() as transaction:
        anna = transaction.people.by_address("aNNA@example.ORG")
        assert anna == transaction.people.get("anna")
        assert anna
        assert (anna.handle, anna.address, anna.key_version) == ("Kaiserin", "Anna@Example.org", 1)
        assert transaction.people.addresses("anna") == ["Anna@Example.org"]
        assert transaction.people.key("anna") == b"key"


def test_a_chosen_name_differs_from_an_assigned_one(
    database: SqlDatabase,
) -> None:
    with database.write() as transaction:
        transaction.people.add("anna", "anna@example.org", "player-anna", b"key", NOON)
        transaction.people.add("bob", "bob@example.org", "player-bob", b"key", NOON)
        transaction.people.change("anna", handle="Kaiserin")

        assert list(transaction.people.handles()) == [("anna", "Kaiserin")]


def test_no_player_is_found_at_an_unknown_address(database: SqlDatabase) -> None:
    with database.read() as transaction:
        assert transaction.people.get("nobody") is None
        assert transaction.people.by_address("nobody@example.org") is None
        assert transaction.people.key("nobody") is None
        assert transaction.people.redeem("nothing") is None


def test_the_holder_of_a_token_is_found_with_all_addresses(database: SqlDatabase) -> None:
    with database.write() as transaction:
        people = transaction.people
        people.add("anna", "anna@example.org", "Anna", b"key", NOON)
        people.add_address("anna", "a2@example.org", primary=False)
        people.issue(Token("abc234", Purpose.ORDERS, "anna", 1))
        people.issue(Token("abc235", Purpose.ORDERS, "nobody", 1))

    with database.write() as transaction:
        people = transaction.people
        assert people.redeem("abc234")
        assert people.redeem("abc234")
        anna = people.get("anna")
        assert anna
        assert people.by_address("A2@example.org") == anna
        assert [*people.addresses("anna")] == ["anna@example.org", "a2@example.org"]
        assert people.get_each(("anna", "nobody")) == {"anna": anna}
        people.drop_address("anna", "a2@example.org")
        assert people.by_address("a2@example.org") is None
        assert [*people.addresses("anna")] == ["anna@example.org"]
        assert people.redeem("abc235")
        assert people.get("nobody") is None


def test_a_token_is_redeemed_in_any_case_for_what_was_issued_last(database: SqlDatabase) -> None:
    token = Token("abc234", Purpose.PRESS, "anna", 1, "garnet", "FRANCE", "S1901M", "ITALY")
    with database.write() as transaction:
        transaction.people.issue(token)
        transaction.people.issue(token)

        assert transaction.people.redeem("ABC234") == token
        assert transaction.people.redeem("abc23") is None


def test_who_waits_for_a_place_in_any_game_is_known_the_longest_first(
    database: SqlDatabase,
) -> None:
    with database.write() as transaction:
        people = transaction.people
        for person in ("anna", "bert", "carl"):
            people.add(person, f"{person}@example.org", person, b"key", NOON)
        people.stand_by("bert", NOON)
        people.stand_by("anna", NOON + HOUR)
        people.stand_by("carl", NOON)
        people.stand_by("carl", None)

        assert list(people.standing_by()) == ["bert", "anna"]


def test_a_raised_key_version_stays_raised(database: SqlDatabase) -> None:
    with database.write() as transaction:
        transaction.people.add("anna", "anna@example.org", "Anna", b"key", NOON)
        transaction.people.raise_key_version("anna")

        anna = transaction.people.get("anna")
        assert anna
        assert anna.key_version == 2


def test_the_last_password_of_a_seat_counts(database: SqlDatabase) -> None:
    with database.write() as transaction:
        people = transaction.people
        people.add("anna", "anna@example.org", "Anna", b"key", NOON)
        people.set_password("garnet", "anna", "first")
        people.set_password("garnet", "anna", "second")
        people.set_password("topaz", "anna", "third")

        assert people.passwords("garnet") == [("anna", "second")]


def test_evidence_names_an_email_that_is_there(database: SqlDatabase) -> None:
    keep(database)
    with database.write() as transaction:
        transaction.people.add_evidence(Evidence("e1", 1, "token", "", None), NOON)

    with pytest.raises(IntegrityError), database.write() as transaction:
        transaction.people.add_evidence(Evidence("e2", 2, "token", "", None), NOON)


def test_a_note_on_a_stranger_stays_and_the_latest_comes_first(database: SqlDatabase) -> None:
    with database.write() as transaction:
        people = transaction.people
        people.note_stranger("Stranger@example.org", "speaks de", NOON)
        people.note_stranger("stranger@example.org", "speaks fr", NOON + HOUR)

        notes = people.notes_on_stranger("stranger@example.org", ("speaks de", "speaks fr"))
        assert notes == ("speaks fr", "speaks de")
        assert people.notes_on_stranger("stranger@example.org", ("stopped",)) == ()


def test_a_stranger_is_answered_once_a_day(database: SqlDatabase) -> None:
    with database.write() as transaction:
        first_today = transaction.people.first_today

        assert first_today("Stranger@example.org", "help", NOON)
        assert not first_today("stranger@example.org", "help", NOON + 23 * HOUR)
        assert first_today("stranger@example.org", "confirm", NOON)
        assert first_today("stranger@example.org", "help", NOON + 24 * HOUR)


def test_the_agenda_names_the_games_that_are_due(database: SqlDatabase) -> None:
    with database.write() as transaction:
        agenda = transaction.agenda
        agenda.set("garnet", NOON + HOUR)
        agenda.set("garnet", NOON)
        agenda.set("topaz", NOON + HOUR)
        agenda.set("jade", NOON)
        agenda.set("jade", None)

        assert agenda.due(NOON) == ["garnet"]
        assert agenda.next_due() == NOON
        agenda.set("garnet", None)
        assert agenda.next_due() == NOON + HOUR


def test_an_outage_may_be_of_one_game(database: SqlDatabase) -> None:
    with database.write() as transaction:
        for game in ("garnet", "jade"):
            transaction.agenda.set(game, NOON + 9 * HOUR)
        transaction.agenda.begin_outage(NOON - HOUR, NOON, "jade")

        assert transaction.agenda.due(NOON) == ["jade"]
        assert transaction.agenda.outage_since("jade") == NOON - HOUR
        assert transaction.agenda.outage_since("garnet") is None


def test_games_are_looked_at_after_an_outage_behind_those_that_are_due_for_themselves(
    database: SqlDatabase,
) -> None:
    with database.write() as transaction:
        agenda = transaction.agenda
        for game in ("garnet", "jade", "topaz"):
            agenda.set(game, NOON + 9 * HOUR)
        agenda.begin_outage(NOON - HOUR, NOON)
        agenda.end_outage("topaz")
        agenda.set("topaz", NOON + HOUR)
        agenda.begin_outage(NOON + HOUR, NOON + 2 * HOUR)
        agenda.end_outage("jade")
        agenda.set("jade", NOON + 3 * HOUR)

    with database.read() as transaction:
        agenda = transaction.agenda
        since = {game: agenda.outage_since(game) for game in ("garnet", "jade", "topaz", "opal")}
        assert since == {
            "garnet": NOON - HOUR,
            "jade": None,
            "topaz": NOON + HOUR,
            "opal": None,
        }
        assert agenda.due(NOON + 2 * HOUR) == ["garnet", "topaz"]
        assert agenda.due(NOON + 3 * HOUR) == ["jade", "garnet", "topaz"]
        assert agenda.due(NOON + 3 * HOUR, limit=1) == ["jade"]


def test_emails_are_counted_without_looking_at_each(database: SqlDatabase) -> None:
    with database.write() as transaction:
        for number in range(5):
            mail = Envelope(b"%d" % number, "a@example.org", ("judge@example.org",), "smtp")
            transaction.inbox.keep([(mail, NOON)])
            transaction.inbox.keep([(mail, NOON)])
        first, second, *_ = transaction.inbox.waiting()
        transaction.inbox.finish(first, InboxState.PROCESSED)
        transaction.inbox.finish(second, InboxState.QUARANTINED)
    with suppress(ZeroDivisionError), database.write() as transaction:
        transaction.inbox.finish(second, InboxState.PROCESSED)
        raise ZeroDivisionError
    with database.write() as transaction:
        transaction.inbox.restart(second)
        transaction.inbox.finish(second, InboxState.IGNORED)

    with database.read() as transaction:
        found = transaction.tallies.count(NOON, NOON, 1).inbox
    assert {state: number for state, number in found.items() if number} == {
        "received": 3,
        "processed": 1,
        "ignored": 1,
    }


OVER = GameSummary(
    name="garnet",
    stage=Stage.ENDED,
    listed=True,
    variant="standard",
    board_digest="",
    zone="UTC",
    comment="",
    phase="F1910M",
    deadline=None,
    players=7,
    joined=7,
    places=0,
    vacant=(),
    standbys_wanted=0,
    moderator="anna",
    result="draw",
    winners=("FRANCE", "ITALY"),
    origin={"record": "garnet", "takeover_until": None},
    ended=NOON,
)


def test_games_are_found_by_stage_and_by_person(database: SqlDatabase) -> None:
    forming = replace(
        OVER, name="opal", stage=Stage.FORMING, ended=None, listed=False, deadline=NOON
    )
    playing = replace(forming, name="topaz", stage=Stage.PLAYING, standbys_wanted=2, listed=True)
    with database.write() as transaction:
        for number, game in enumerate((OVER, forming, playing)):
            at = NOON + number * HOUR
            transaction.events.append(game.name, 0, [PlayerLeft("anna"), PlayerLeft("bob")], at)
            assert transaction.summaries.missing() == [game.name]
            transaction.summaries.put(game, came=("anna",), went=("bob",))
        transaction.summaries.count_phases("garnet", 40, anew=True)
        transaction.summaries.count_phases("topaz", 2)
        transaction.summaries.count_phases("topaz", 1)

    with database.read() as transaction:
        summaries = transaction.summaries
        assert summaries.missing() == []
        assert summaries.all() == (OVER, forming, playing)
        assert summaries.get("garnet") == OVER
        assert summaries.get("nosuch") is None
        assert summaries.current(listed=True) == (playing,)
        assert summaries.current(listed=False) == (forming, playing)
        assert summaries.over(5) == (OVER,)
        assert summaries.over(5, 1) == ()
        assert summaries.count_over() == 1
        assert summaries.of("anna", ended=5) == (forming, playing, OVER)
        assert summaries.of("anna", ended=0) == (forming, playing)
        assert summaries.names_of("anna") == ["garnet", "opal", "topaz"]
        assert summaries.names_of("anna", 2) == ["garnet", "opal"]
        assert summaries.names_of("bob") == []
        assert sorted(summaries.moderated_by("anna", 9)) == ["garnet", "opal", "topaz"]
        assert summaries.wanting_standbys() == ["topaz"]
        assert summaries.counts() == GameCounts(dict.fromkeys(Stage, 1), 43)


def test_finished_emails_of_games_that_are_over_can_be_removed(database: SqlDatabase) -> None:
    with database.write() as transaction:
        for number, game in enumerate(("garnet", "opal", "garnet", "opal")):
            mail = letter(f"<{number}@judge.example>")
            transaction.outbox.put(replace(mail, game=game))
        transaction.outbox.sent([f"<{number}@judge.example>" for number in (0, 1)], NOON)
        transaction.summaries.put(OVER, came=(), went=())
        for text, game in (("one", "garnet"), ("two", "opal")):
            token = Token(text, Purpose.ORDERS, "anna", 1, game, None, None, None)
            transaction.people.issue(token)

    with database.write() as transaction:
        assert transaction.outbox.of_ended_games(NOON, 0, 10) == []
        [number] = transaction.outbox.of_ended_games(NOON + HOUR, 0, 10)
        assert transaction.outbox.of_ended_games(NOON + HOUR, number, 10) == []
        transaction.outbox.remove([number])
        [digest] = transaction.people.tokens_of_ended_games(NOON + HOUR, "", 10)
        transaction.people.remove_tokens([digest])
    with database.read() as transaction:
        assert transaction.outbox.find("<0@judge.example>") is None
        assert transaction.outbox.find("<2@judge.example>")
        assert transaction.people.redeem("one") is None
        assert transaction.people.redeem("two")
        assert transaction.tallies.count(NOON, NOON, 1).outbox["sent"] == 2


def test_a_game_that_wants_no_look_is_found_unless_it_is_over(database: SqlDatabase) -> None:
    with database.write() as transaction:
        for game in ("garnet", "topaz", "amber"):
            transaction.events.append(game, 0, [PlayerLeft("anna")], NOON)
        transaction.events.append("amber", 1, [GameEnded("F1910M", "draw", ("FRANCE",))], NOON)
        transaction.agenda.set("garnet", NOON)

    with database.read() as transaction:
        assert transaction.agenda.due(NOON) == ["garnet"]
        assert transaction.agenda.unscheduled_games() == ["topaz"]


def test_the_last_beat_of_the_judge_is_remembered(database: SqlDatabase) -> None:
    with database.write() as transaction:
        assert transaction.agenda.last_heartbeat() is None
        transaction.agenda.record_heartbeat(NOON)
        transaction.agenda.record_heartbeat(NOON + HOUR)
    with database.read() as transaction:
        assert transaction.agenda.last_heartbeat() == NOON + HOUR


def test_the_token_key_is_made_once(database: SqlDatabase) -> None:
    with database.read() as transaction:
        key = transaction.secrets.token_key()
    with database.write() as transaction:
        assert transaction.secrets.token_key() == key
        assert len(key) == 32


def test_naive_times_are_refused(database: SqlDatabase) -> None:
    with pytest.raises(Exception, match="timezone"), database.write() as transaction:
        transaction.agenda.set("garnet", NOON.replace(tzinfo=None))


def test_an_address_is_found_in_any_case_but_not_by_letters_that_only_look_alike(
    database: SqlDatabase,
) -> None:
    with database.write() as transaction:
        transaction.people.add("p1", "Mask@Example.org", "one", b"key", NOON)

        assert transaction.people.by_address("mask@example.ORG") is not None
        assert (
            transaction.people.by_address("ma\N{LATIN SMALL LETTER LONG S}k@example.org") is None
        )


def test_a_mailbox_is_remembered_by_name(database: SqlDatabase) -> None:
    read = Mailbox("judge@mx/INBOX", uid_validity=2**32 - 1, uid=17, read_utc=NOON)
    failing = replace(read, failing_utc=NOON + HOUR, reason="TimeoutError")
    with database.write() as transaction:
        assert transaction.mailboxes.get(read.name) == Mailbox(read.name)
        transaction.mailboxes.put(read)
        transaction.mailboxes.put(failing)
    with database.read() as transaction:
        assert transaction.mailboxes.get(read.name) == failing
        assert transaction.mailboxes.all() == [failing]


class TestBudgets:
    def test_what_is_spent_is_paid_back_as_time_goes_by(self, database: SqlDatabase) -> None:
        with database.write() as transaction:
            budgets = transaction.budgets
            assert all(budgets.spend("tries", 3, HOUR, NOON) for _ in range(3))
            assert not budgets.has_left("tries", 3, HOUR, NOON)
            assert not budgets.spend("tries", 3, HOUR, NOON)
            assert budgets.spend("others", 3, HOUR, NOON)
            assert budgets.spend("tries", 3, HOUR, NOON + HOUR)
            assert not budgets.spend("tries", 3, HOUR, NOON + HOUR)
            assert budgets.has_left("tries", 3, HOUR, NOON + 3 * HOUR)

    def test_one_unit_of_several_is_spent_together_or_not_at_all(
        self, database: SqlDatabase
    ) -> None:
        with database.write() as transaction:
            budgets = transaction.budgets
            assert budgets.spend_each([("theirs", 2, HOUR), ("same", 1, HOUR)], NOON)
            assert not budgets.spend_each([("theirs", 2, HOUR), ("same", 1, HOUR)], NOON)
            assert budgets.spend("theirs", 2, HOUR, NOON)
            assert not budgets.has_left("theirs", 2, HOUR, NOON)

    def test_only_what_is_unspent_is_forgotten(self, database: SqlDatabase) -> None:
        with database.write() as transaction:
            budgets = transaction.budgets
            budgets.spend("spent", 1, 2 * HOUR, NOON)
            budgets.spend("unspent", 1, HOUR, NOON)

            budgets.forget_unspent(NOON + HOUR)

            names = transaction.connection.execute(sa.select(table(BudgetRow).c.name))
            assert names.scalars().all() == ["spent"]


class TestMissedSentences:
    def test_a_sentence_is_kept_once_the_latest_first_and_forgotten(
        self, database: SqlDatabase
    ) -> None:
        with database.write() as transaction:
            missed = transaction.missed
            missed.note("who is {power}", NOON)
            missed.note("what now", NOON + HOUR)
            missed.note("who is {power}", NOON + 2 * HOUR)
            listed = missed.latest(10)
            missed.forget(NOON + 2 * HOUR)

            assert listed == [("who is {power}", NOON + 2 * HOUR), ("what now", NOON + HOUR)]
            assert missed.latest(10) == listed[:1]


class TestAddresses:
    def test_a_person_is_found_by_each_address_and_written_to_at_one(
        self, database: SqlDatabase
    ) -> None:
        with database.write() as transaction:
            people = transaction.people
            people.add("p9", "one@example.org", "nine", b"key", NOON)
            people.add_address("p9", "Two@example.org", primary=True)
            person = people.by_address("two@EXAMPLE.org")

            assert person
            assert person.address == "Two@example.org"
            assert people.addresses("p9") == ["Two@example.org", "one@example.org"]
            assert not people.drop_address("p9", "two@example.org")
            assert people.drop_address("p9", "ONE@example.org")
            assert people.by_address("one@example.org") is None

    def test_a_signature_proves_one_email(self, database: SqlDatabase) -> None:
        with database.write() as transaction:
            assert transaction.people.first_proof("digest", "mail 1")
            assert transaction.people.first_proof("digest", "mail 1")
            assert not transaction.people.first_proof("digest", "mail 2")


def test_the_mark_of_what_guards_the_log_stays_until_somebody_takes_it_away(
    database: SqlDatabase,
) -> None:
    drop = "DROP TRIGGER events_never_change"

    def mark() -> str:
        with database.read() as transaction:
            return transaction.events.guards()

    before = mark()
    with database.write() as transaction:
        transaction.outbox.put(letter("<1@judge>"))
    assert mark() == before != ""

    with database.write() as transaction:
        on = "" if transaction.connection.dialect.name == "sqlite" else " ON events"
        transaction.connection.exec_driver_sql(drop + on)
    assert mark() == ""
    with database.write() as transaction:
        migrate(transaction.connection)
    assert mark() not in {"", before}
