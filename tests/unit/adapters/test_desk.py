"""The desk: what its pages show and what its buttons do."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from judge.adapters.variant_files import load_map
from judge.adapters.web.desk_app import ERRANDS_MAX, Desk, preferred
from judge.adapters.web.desk_forms import EMAIL_ACTIONS, GAME_ACTIONS
from judge.adapters.web.servers import DeskKeys, DeskServer
from judge.app.gamemaster.actions import ActionRunner, Done, EmailAction, HandleEmail
from judge.app.gamemaster.standing_orders import DeskAccess
from judge.app.outbound.queue import STORED_KINDS
from judge.app.ports.outbox import Failure
from judge.archive.position_json import write_position
from judge.game.rollback import GameRolledBack
from judge.reports.render import template_environment
from judge.resources import folder
from judge.settings import Endpoint
from tests.support.desk_client import Visitor, desk
from tests.support.table import FIRST_DEADLINE, MODERATOR, Table, address_of

TEMPLATES = folder("templates")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Return a judge with the game `baltic`, just started and without orders."""
    table = Table(tmp_path)
    table.start("baltic", moderator=MODERATOR)
    table.run_once()
    yield table
    table.close()


@pytest.fixture
def visitor(table: Table) -> Iterator[Visitor]:
    """Return a browser session of the operator at the desk."""
    with desk(table) as visitor:
        visitor.enter()
        yield visitor


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Return a session at a desk whose games never change."""
    table = Table(tmp_path_factory.mktemp("idle"))
    table.start()
    table.open("forming")
    with desk(table) as visitor:
        visitor.enter()
        yield visitor
    table.close()


def test_a_quiet_morning(visitor: Visitor) -> None:
    page = visitor.get("/")

    assert "Nothing is waiting for you" in page.words
    assert "baltic S1901M in 7 days Mon 30 Nov 2026 20:00 UTC" in page.words
    assert "0 of 7 have ordered" in page.words


def test_orders_received_and_late_players_are_shown(table: Table, visitor: Visitor) -> None:
    table.all_hold(but=("ITALY", "TURKEY"))
    assert "5 of 7 have ordered. Missing: Italy, Turkey." in visitor.get("/").words

    table.wait_until(FIRST_DEADLINE + timedelta(days=2, minutes=1))
    assert "late Italy and Turkey." in visitor.get("/").words
    assert ": no orders from Italy and Turkey." in visitor.get("/").words
    assert "Italy late" in visitor.get("/games/baltic").words
    assert "grace ends" in visitor.get("/games/baltic").words

    table.reply(table.emails_to(MODERATOR)[-1], "SET RULE nmr=wait")
    for page in ("/", "/games/baltic"):
        assert "waiting for late orders without a limit" in visitor.get(page).words.lower()
        assert "race ends" not in visitor.get(page).words


def test_a_power_without_a_player(table: Table, visitor: Visitor) -> None:
    table.send("ITALY", "RESIGN")
    [confirm] = table.emails_to(address_of("ITALY"), "confirm_mail")
    table.reply(confirm, confirm.yes)

    assert "baltic needs a player for Italy" in visitor.get("/").words
    assert "Italy no orders vacant until" in visitor.get("/games/baltic").words

    seated = visitor.do("seat", game="baltic", power="ITALY", address="new@players.example")
    assert "The power has a new player" in seated.words
    assert "needs a player" not in visitor.get("/games/baltic").words
    assert len(table.emails_to("new@players.example", "takeover")) == 1


def test_the_state_of_emails_is_shown(table: Table) -> None:
    table.start("adria")
    with desk(table) as visitor:
        visitor.enter()
        set_the_scene_of_mails(table)
        games = visitor.get("/").words
        lost, all_of_them = visitor.get("/mails?way=given_up").words, visitor.get("/mails").words

    assert "1 email was given up in the last three days" in games
    assert "1 email bounced in the last three days" in games
    assert "Email to France bounced" in games
    assert "given up 550 no such mailbox" in lost
    assert "sent" in all_of_them
    assert "will be retried" in all_of_them


def set_the_scene_of_mails(table: Table) -> None:
    table.render()
    with table.database.write() as transaction:
        outbox, now = transaction.outbox, table.clock.now()
        due = {mail.recipient: mail for mail in outbox.due(now, 1_000)}
        outbox.sent([due[address_of("FRANCE")].message_id], now)
        outbox.bounced(due[address_of("FRANCE")].message_id, now)
        outbox.postpone(due[address_of("ITALY")].message_id, now, Failure("451 later", now))
        outbox.give_up(due[address_of("TURKEY")].message_id, Failure("550 no such mailbox", now))
        outbox.sent([due[address_of("RUSSIA")].message_id], now)


def test_the_deadline_is_moved_by_minutes_or_to_an_instant(table: Table, visitor: Visitor) -> None:
    asked = visitor.ask("extend", game="baltic", minutes="1440", reason="Advent")
    assert "from Mon 30 Nov 2026 20:00 UTC to: Tue 01 Dec 2026 20:00 UTC" in asked.words
    assert "Advent" in asked.words

    visitor.do("extend", game="baltic", minutes="1440", reason="Advent")
    assert table.deadline() == FIRST_DEADLINE + timedelta(days=1)
    visitor.do("extend", game="baltic", until="2026-12-06T21:30", reason="Advent")
    assert table.deadline().isoformat() == "2026-12-06T21:30:00+00:00"
    visitor.do("extend", game="baltic", until="2026-12-07T21:30+01:00", reason="Advent")
    assert table.deadline().isoformat() == "2026-12-07T20:30:00+00:00"
    assert len(table.emails_to(address_of("FRANCE"), "deadline_change")) == 3


def test_the_time_of_the_game_counts(table: Table) -> None:
    table.start("berlin", "zone=Europe/Berlin")
    with desk(table) as visitor:
        visitor.enter()
        visitor.do("extend", game="berlin", until="2026-12-06T21:30", reason="Advent")

    phase = table.game("berlin").phase
    assert phase
    assert phase.deadline.isoformat() == "2026-12-06T20:30:00+00:00"


@pytest.mark.parametrize(
    ("what", "fields", "words"),
    [
        ("extend", {"minutes": "60"}, "at most 200"),
        ("extend", {"minutes": "60", "reason": "x" * 201}, "at most 200"),
        ("extend", {"minutes": "", "reason": "x"}, "minutes"),
        ("extend", {"minutes": "0", "reason": "x"}, "minutes"),
        ("extend", {"minutes": "999999999", "reason": "x"}, "minutes"),
        ("extend", {"minutes": "-5", "reason": "x"}, "minutes"),
        ("extend", {"until": "tomorrow", "reason": "x"}, "minutes"),
        ("extend", {"until": "0001-01-01T00:00+14:00", "reason": "x"}, "minutes"),
        ("retry", {"mail": "9" * 5_000}, "not the number"),
        ("extend", {"game": "nowhere", "minutes": "5", "reason": "x"}, "no such game"),
        ("extend", {"game": "forming", "minutes": "5", "reason": "x"}, "No phase"),
        ("process", {"game": "forming"}, "No phase"),
        ("write", {"text": " "}, "20,000 characters"),
        ("write", {"text": "x" * 20_001}, "20,000 characters"),
        ("grant", {"power": "ITALY"}, "no longer asking"),
        ("seat", {"power": "SPAIN", "address": "a@x.example"}, "no such power"),
        ("seat", {"power": "ITALY", "address": "nobody"}, "not an email address"),
        ("retry", {"mail": "x"}, "not the number"),
        ("fly", {}, "no such action"),
    ],
)
def test_missing_form_fields_are_named(
    idle: Visitor, what: str, fields: dict[str, str], words: str
) -> None:
    answer = idle.ask(what, **({"game": "baltic"} | fields))

    assert answer.status == 422
    assert words in answer.words


def test_a_refusal_of_the_game_is_shown(visitor: Visitor) -> None:
    past = visitor.do("extend", game="baltic", until="2020-01-01T00:00", reason="too late")

    assert "Not done That time lies in the past." in past.words


def test_a_command_from_a_closed_phase_is_not_applied(table: Table, visitor: Visitor) -> None:
    asked = visitor.ask("process", game="baltic")
    table.play()
    again = visitor.post(action(asked.html), {"form": visitor.secret()})

    assert "not open" in visitor.get(again.headers["location"]).words
    assert table.phase() == "F1901M"


def action(html: str) -> str:
    return html.partition('action="')[2].partition('"')[0]


def test_a_phase_is_closed_and_rolled_back(table: Table, visitor: Visitor) -> None:
    assert "Phase closed" in visitor.do("process", game="baltic").words
    assert table.phase() == "F1901M"
    page = visitor.get("/games/baltic")
    assert "<option>S1901M</option>" in page.html
    assert visitor.get("/games/baltic/replay").status == 200

    back = visitor.do("roll_back", game="baltic", to="S1901M", reason="wrong rules", restore="yes")
    assert "rolled back" in back.words
    assert table.phase() == "S1901M"
    assert table.count_events(GameRolledBack) == 1


def test_before_a_phase_is_closed_there_is_nothing_to_replay(
    table: Table, visitor: Visitor
) -> None:
    table.open("forming")

    assert visitor.get("/games/forming/replay").status == 404
    assert visitor.get("/games/forming/board-light.svg").status == 404
    assert visitor.get("/games/baltic/board-pink.svg").status == 404
    assert visitor.get("/games/nowhere").status == 404
    assert "0 of 7 have joined" in visitor.get("/games/forming").words


@pytest.mark.parametrize(
    "number", ["0", "9" * 9, "9" * 25, "9" * 5_000, "-1", "1.5", "%C2%B2", "%D9%A1", "1%00"]
)
def test_an_absurd_number_in_an_address_is_no_page_and_no_failure(
    table: Table, visitor: Visitor, number: str
) -> None:
    assert visitor.get(f"/inbox/{number}").status == 404
    assert table.operator_log.failures == []


def test_a_game_is_paused_and_resumed(table: Table, visitor: Visitor) -> None:
    visitor.do("pause", game="baltic", reason="tYour request ill")
    assert table.game().paused
    assert "baltic is paused" in visitor.get("/").words
    assert "Resume ..." in visitor.get("/games/baltic").words

    visitor.do("go_on", game="baltic")
    assert table.game().paused is None


def test_a_request_for_time_is_granted_or_denied(table: Table, visitor: Visitor) -> None:
    table.send("ITALY", "EXTENSION 24 BECAUSE my exam")
    assert "Italy asks for more time" in visitor.get("/").words
    assert "Italy asks for 24 hours" in visitor.get("/games/baltic").words

    visitor.do("deny", game="baltic", power="ITALY")
    assert table.deadline() == FIRST_DEADLINE
    table.send("ITALY", "EXTENSION 24 BECAUSE my exam")
    visitor.do("grant", game="baltic", power="ITALY")
    assert table.deadline() > FIRST_DEADLINE


def test_a_phase_that_is_closed_by_hand_waits_for_the_game_master(table: Table) -> None:
    table.start("zine", "manual_processing=yes", "nmr=civil_disorder")
    table.wait_until(FIRST_DEADLINE + timedelta(minutes=1))
    with desk(table) as visitor:
        visitor.enter()
        assert "zine is past its deadline" in visitor.get("/").words


BOARD = json.dumps(write_position(load_map().start))


@pytest.mark.parametrize("what", [*GAME_ACTIONS, *EMAIL_ACTIONS])
def test_every_action_says_what_it_will_do(idle: Visitor, what: str) -> None:
    fields = {"game": "baltic", "power": "ITALY", "address": "a@x.example", "text": "Hello"}
    fields |= {"rules": "press=none", "board": BOARD}
    asked = idle.ask(what, **fields, minutes="1", reason="why", to="S1901M", mail="1")

    if what in {"grant", "deny", "admit", "refuse"}:  # no request is open
        assert asked.status == 422
    else:
        assert "No, go back" in asked.words
        assert len(asked.words) > 200


def test_a_message_goes_to_all_players(table: Table, visitor: Visitor) -> None:
    asked = visitor.ask("write", game="baltic", text="Two lines\r\nof greetings")
    assert "Two lines of greetings" in asked.words

    visitor.do("write", game="baltic", text="Two lines\r\nof greetings")
    [letter] = table.emails_to(address_of("TURKEY"), "letter")
    assert "Two lines\nof greetings" in letter.text


def test_a_quarantined_email_is_retried_or_discarded(table: Table) -> None:
    large = b"From: a@x.example\n\n" + b"HELP\n" * 60_000
    table.store_email(large)
    table.run_once()
    with desk(table) as visitor:
        visitor.enter()
        assert "1 email is in quarantine" in visitor.get("/").words
        assert "Unreadable too many lines" in visitor.get("/inbox/1").words
        assert "This email cannot be read" in visitor.do("read", mail="1").words

        assert "processes the email again" in visitor.do("retry", mail="1").words
        table.run_once()
        assert table.inbox() == ["quarantined"]
        assert "Email discarded" in visitor.do("discard", mail="1").words
        assert table.inbox() == ["ignored"]
        assert visitor.get("/inbox/2").status == 404
        assert "no such email" in visitor.do("discard", mail="2").words


def test_an_answered_email_is_left_alone(table: Table, visitor: Visitor) -> None:
    table.send("FRANCE", "A Par-Bur")

    assert "processed" in visitor.get("/inbox/1").words
    assert "Retry" not in visitor.get("/inbox/1").words
    for what in ("retry", "discard"):
        assert "Not done The email is no longer in quarantine" in visitor.do(what, mail="1").words
    assert "processed" in visitor.get("/inbox?state=processed").words
    assert "None." in visitor.get("/inbox?state=held").words


def test_an_email_that_waits_for_its_writer_is_shown_read_and_discarded(
    table: Table, visitor: Visitor
) -> None:
    [question] = table.mail(address_of("FRANCE"), "A Par-Bur", subject="My orders")
    number = str(len(table.inbox()))

    assert "1 email awaits confirmation" in visitor.get("/").words
    page = visitor.get(f"/inbox/{number}")
    for told in (
        f"From {address_of('FRANCE')}",
        "Subject My orders",
        "Game baltic",
        "Power France",
    ):
        assert told in page.words
    assert "Par-Bur" not in page.words
    assert "Retry" not in page.words

    assert 'action="/ask/read"' in page.html
    assert "A Par-Bur" in visitor.do("read", mail=number).words

    assert 'action="/ask/discard"' in page.html
    assert "Email discarded" in visitor.do("discard", mail=number).words
    table.reply(question, "YES")
    assert table.current_orders("FRANCE") == ()


def test_the_status_page_lists_problems(table: Table, visitor: Visitor) -> None:
    table.clock.time += timedelta(hours=3)

    assert "The judge has not been running for some minutes" in visitor.get("/status").words
    assert "The judge has not been running for some minutes" in visitor.get("/").words


def test_a_finished_game_is_shown(table: Table, visitor: Visitor) -> None:
    for power in ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"):
        table.send(power, "SET DRAW")

    assert "draw of Austria, England" in visitor.get("/").words
    assert "Over: draw of" in visitor.get("/games/baltic").words
    assert "Close the phase" not in visitor.get("/games/baltic").words


def test_an_email_to_a_stranger_has_no_name(table: Table, visitor: Visitor) -> None:
    table.mail("stranger@players.example", "HELP")

    assert "help" in visitor.get("/mails").words
    assert "a stranger" in visitor.get("/mails").words
    assert "stranger@" not in visitor.get("/mails").words


def test_the_rules_are_shown_as_sentences_and_settings(table: Table) -> None:
    table.start("gunboat", "anonymous=yes", "press=none")
    with desk(table) as visitor:
        visitor.enter()
        page = visitor.get("/games/gunboat").words

    assert "phases close at 20:00 UTC" in page
    assert "Players may not write to each other." in page
    assert "that differ from the defaults: closing_time 20:00 press none anonymous yes" in page
    assert ":: Judge" not in page


def test_the_desk_names_its_judge(table: Table) -> None:
    with desk(table, MODERATOR) as visitor:
        assert "player-" in visitor.enter().words
        assert "Moderator (player-" in visitor.get("/mails?game=baltic").words


def test_the_desk_speaks_the_language_of_the_browser(idle: Visitor) -> None:
    german = {"Accept_Language": "de-AT,de;q=0.9,en;q=0.5"}
    games, page = idle.get("/", **german), idle.get("/games/baltic", **german)
    lost = idle.get("/nowhere", **german)

    assert '<html lang="de">' in games.html
    assert "baltic S1901M in 7 Tagen Mo., 30. Nov. 2026 20:00 UTC" in games.words
    assert "0 von 7 haben Befehle geschickt. Es fehlen: \xd6sterreich, England" in games.words
    assert "Die Spieler d\xfcrfen einander" in page.words
    assert "Diese Seite gibt es nicht." in lost.words


def test_the_desk_uses_the_chosen_language_of_the_game_master(table: Table) -> None:
    with table.database.write() as transaction:
        person = transaction.people.by_address(MODERATOR)
        assert person
        transaction.people.change(person.id, language="fr")
    with desk(table, MODERATOR) as visitor:
        visitor.enter()
        german = {"Accept_Language": "de"}
        games = visitor.get("/", **german).words
        asked = visitor.ask("pause", game="baltic", reason="Noël").words
        refused = visitor.do("extend", game="baltic", until="2020-01-01T00:00", reason="x").words

    assert "Rien ne vous attend." in games
    assert "L'horloge s'arrête jusqu'à la reprise." in asked
    assert "Non effectué" in refused
    assert "échéance" in refused


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"), ("de", "de"), ("FR-ca", "fr"), ("nl, fr;q=0.2, de;q=0.7", "de"), ("*", "en"),
        ("de;q=0, en;q=0.1", "en"), ("de;q=0", "en"), ("en, de", "en"), ("de;q=x,,;", "en"),
    ],
)  # fmt: skip
def test_the_preferred_language_of_the_browser_is_taken(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


def test_every_kind_of_email_has_a_name_at_the_desk() -> None:
    module = template_environment(markup=True).get_template("desk/words.html.j2").module
    kinds = {template.name.partition(".")[0] for template in (TEMPLATES / "mail").glob("*.j2")}

    stored = {STORED_KINDS.get(kind, kind) for kind in kinds - {"base", "frame"}}
    assert stored == set(vars(module)["kinds"])


def test_the_number_of_remembered_actions_is_limited(table: Table) -> None:
    keys = DeskKeys.made_by(table.judge.random.nonce)
    pages = Desk(table.judge, keys)
    with DeskServer(pages.app(), keys, Endpoint("127.0.0.1", 0)) as server:
        visitor = Visitor(server.where, server.link)
        visitor.enter()
        form = {"form": visitor.secret(), "mail": "1"}
        first = visitor.post("/ask/retry", form).headers["location"]
        for _ in range(ERRANDS_MAX):
            visitor.post("/ask/retry", form)

        assert "expired" in visitor.get(first).words
        assert len(pages.pending) == ERRANDS_MAX


def test_a_desk_may_be_at_the_other_loopback_address(table: Table) -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    keys = DeskKeys.made_by(table.judge.random.nonce)
    with DeskServer(Desk(table.judge, keys).app(), keys, Endpoint("::1", 0)) as server:
        visitor = Visitor(server.where, server.link)
        assert visitor.enter().status == 200


def test_runner_and_shell_agree(table: Table) -> None:
    runner = ActionRunner(table.judge, DeskAccess())
    table.store_email(b"From: a@x.example\n\n" + b"HELP\n" * 60_000)
    table.run_once()

    assert runner.run(HandleEmail(EmailAction.RETRY, 1)) == Done()
    assert table.inbox() == ["received"]
