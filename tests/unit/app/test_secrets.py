"""Orders stay secret until their phase closes, and identities always."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from judge.adapters import service
from judge.app.admin import game_admin
from judge.app.game.apply import OPERATOR
from judge.game.moderator_actions import ViewOrders
from tests.support.table import MODERATOR, POWERS, Mail, Table, address_of

ORDERS = "A Par-Gas, A Mar S A Par-Gas, F Bre H"
NAME = "Pierre Plantagenet"
PASSWORD = "ratatouille"
PRESS = "Burn this letter"


def tells(mail: Mail) -> bool:
    return "Gas" in mail.text + mail.subject


def test_orders_are_shown_to_nobody_else_before_the_phase_closes(
    table: Table,
) -> None:
    table.send("FRANCE", ORDERS)
    table.all_hold(but=("FRANCE",))
    table.all_send("STATUS\nLIST\nLIST baltic\nSET WAIT")
    table.mail("stranger@x.example", "STATUS baltic\nLIST baltic")
    table.reply(table.emails_to(MODERATOR)[-1], "STATUS\nLIST")
    table.pass_time(hours=167)

    assert {mail.recipient for mail in table.outbox() if tells(mail)} == {address_of("FRANCE")}
    assert not [line for line in table.operator_log.lines if "GAS" in line.upper()]
    table.pass_time(hours=10)
    assert tells(table.emails_to(address_of("TURKEY"), "phase_results")[0])


def test_the_moderator_sees_orders_only_where_the_rules_say_so(judge: Table) -> None:
    judge.start("baltic", "moderator_sees=orders", moderator=MODERATOR)
    judge.send("FRANCE", ORDERS)

    [status] = judge.reply(judge.emails_to(MODERATOR)[-1], "STATUS")

    assert tells(status)
    assert (
        "THE MODERATOR MAY SEE YOUR ORDERS"
        in judge.emails_to(address_of("FRANCE"), "game_start")[0].text
    )
    assert not tells(judge.send("GERMANY", "STATUS"))


def test_a_playing_moderator_sees_no_orders(judge: Table) -> None:
    judge.start("baltic", "moderator_sees=orders", moderator=address_of("TURKEY"))
    judge.send("FRANCE", ORDERS)

    assert not tells(judge.send("TURKEY", "STATUS"))


def test_results_mention_that_the_operator_viewed_orders(table: Table) -> None:
    table.all_hold()

    game_admin.apply_operator_command(
        table.judge, "baltic", ViewOrders(OPERATOR, "a player complained of a lost mail")
    )
    table.pass_time(hours=13)

    results = table.emails_to(address_of("FRANCE"), "phase_results")[0]
    assert "before it closed: a player complained of a lost mail" in results.words


def test_no_event_and_no_log_line_identifies_a_person(table: Table) -> None:
    speaking = f"{NAME} <{address_of('FRANCE')}>"
    start = table.latest("FRANCE")
    table.reply(start, f"SET PASSWORD {PASSWORD}\n{ORDERS}", sender=speaking)
    table.reply(start, f"PRESS TO E\n{PRESS}\nENDPRESS", sender=speaking)
    table.mail(f"{NAME} <pierre@home.example>", f"SIGNON Fbaltic {PASSWORD}\nSET DRAW")
    table.reply(start, "A Par-Pic", sender="pierre@home.example")
    table.confirm(table.reply(start, "RESIGN")[-1])
    [confirm] = table.mail(f"{NAME} <again@home.example>", f"JOIN FRANCE@baltic {PASSWORD}")
    table.reply(confirm, confirm.yes)
    table.mail("pierre@home.example", f"Dear judge, I am {NAME}")
    table.all_hold(but=("FRANCE",))
    table.pass_time(hours=500)

    written = str(table.query("SELECT payload, type, game FROM events")) + str(
        table.operator_log.lines
    )
    for secret in (NAME, "Pierre", PASSWORD, PRESS, "@", "players.example", "home.example"):
        assert secret.lower() not in written.lower()
    handles = [handle for (handle,) in table.query("SELECT handle FROM people")]
    assert handles
    assert not [handle for handle in handles if handle in written]


@pytest.fixture
def _quiet_afterwards() -> Iterator[None]:
    yield
    service.LOGGER.handlers.clear()


@pytest.mark.usefixtures("_quiet_afterwards")
def test_a_crash_report_says_where_and_shows_no_content(
    capsys: pytest.CaptureFixture[str],
) -> None:
    service.set_up_logging("info")
    try:
        json.loads(address_of("FRANCE"))
    except ValueError as error:
        service.OperatorLog().failed("mail.failed", error, attempt=1)

    line = capsys.readouterr().err
    assert json.loads(line)["error"] == "JSONDecodeError"
    assert "test_secrets.py" in json.loads(line)["where"]
    assert "players.example" not in line


def test_gunboat_hides_the_players(judge: Table) -> None:
    judge.start("baltic", "anonymous=yes")
    judge.all_send("STATUS\nLIST baltic")
    judge.mail("stranger@x.example", "STATUS baltic")
    judge.reply(judge.latest("FRANCE"), "PRESS TO ALL\nHello\nENDPRESS")
    judge.confirm(judge.reply(judge.latest("FRANCE"), "RESIGN")[-1])
    handles = dict(
        judge.query("SELECT a.address, p.handle FROM people p JOIN addresses a ON a.person = p.id")
    )

    shown = {
        (mail.recipient, owner)
        for mail in judge.outbox()
        for owner, handle in handles.items()
        if handle in mail.text
    }
    assert len(handles) == 7
    assert shown <= {(address_of(power), address_of(power)) for power in POWERS}
    assert "Gunboat" in judge.latest("GERMANY").text


def test_other_games_show_handles_and_no_addresses(table: Table) -> None:
    status = table.send("FRANCE", "STATUS")

    assert "Germany:                  player-" in status.text
    assert not [mail for mail in table.outbox() if "@players.example" in mail.text]
