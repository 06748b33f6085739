"""Press: which recipients and which senders are allowed, and when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.game.decision import Why
from judge.game.game_state import Game
from judge.game.house_rules import HouseRules, Press
from judge.game.press import MODERATOR, PressSent, SendPress
from tests.unit.game.table import (
    BOARD,
    DEADLINE,
    HOUR,
    all_hold,
    created,
    given,
    happened,
    in_phase,
    look,
    refused,
    send_press,
    started,
    submit,
)


def test_press_goes_to_each_recipient_once_and_never_to_the_writer() -> None:
    assert happened(started(), send_press("FRANCE", "ITALY", "FRANCE", MODERATOR, "ITALY")) == (
        PressSent(
            message="letter",
            sender="FRANCE",
            person="france",
            recipients=("ITALY", MODERATOR),
            signed="FRANCE",
            named=("ITALY", MODERATOR),
            postal=False,
            thread="letter",
            phase="S1901M",
            sealed_text="sealed",
            mail="mail",
        ),
    )


@pytest.mark.parametrize("recipients", [(), ("FRANCE",)], ids=["nobody", "oneself"])
def test_press_to_nobody_is_refused(recipients: tuple[str, ...]) -> None:
    assert refused(started(), send_press("FRANCE", *recipients)) is Why.NO_RECIPIENTS


def test_press_to_somebody_unknown_is_refused() -> None:
    assert refused(started(), send_press("FRANCE", "ITALY", "SPAIN")) is Why.UNKNOWN_POWER


def test_press_to_a_missing_moderator_is_refused() -> None:
    alone = replace(started(), moderator=None)

    assert refused(alone, send_press("FRANCE", MODERATOR)) is Why.NO_MODERATOR


def test_nobody_writes_for_another() -> None:
    forged = replace(send_press("FRANCE", "ITALY"), person="germany")

    assert refused(started(), forged) is Why.NOT_A_PLAYER


def test_an_eliminated_player_cannot_write() -> None:
    game = in_phase("S1905M", {"FRANCE": "A PAR", "ITALY": "A ROM"})

    assert refused(game, send_press("TURKEY", "FRANCE")) is Why.ELIMINATED


@pytest.mark.parametrize("sender", ["FRANCE", MODERATOR])
def test_before_the_start_there_is_nobody_to_write_to(sender: str) -> None:
    assert refused(created(), send_press(sender, "ITALY")) is Why.NOT_STARTED


@pytest.mark.parametrize(
    ("press", "command", "why"),
    [
        pytest.param(Press.NONE, send_press("FRANCE", "ITALY"), Why.PRESS_NOT_ALLOWED, id="none"),
        pytest.param(
            Press.NONE, send_press("FRANCE", MODERATOR), None, id="none, to the moderator"
        ),
        pytest.param(
            Press.NONE, send_press(MODERATOR, "FRANCE"), None, id="none, by the moderator"
        ),
        pytest.param(
            Press.BROADCAST, send_press("FRANCE", "ITALY"), Why.PRESS_NOT_ALLOWED, id="to one only"
        ),
        pytest.param(Press.BROADCAST, send_press("FRANCE", *BOARD.powers), None, id="to all"),
        pytest.param(Press.RULEBOOK, send_press("FRANCE", "ITALY"), None, id="in movement"),
    ],
)
def test_the_house_rule_limits_recipients(
    press: Press, command: SendPress, why: Why | None
) -> None:
    _may_write(started(HouseRules(press=press)), command, why)


def test_by_the_rulebook_nobody_writes_in_adjustments() -> None:
    game = in_phase(
        "W1901A",
        {"FRANCE": "A SPA", "ITALY": "A ROM"},
        {"FRANCE": "PAR MAR"},
        rules=HouseRules(press=Press.RULEBOOK),
    )

    assert refused(game, send_press("FRANCE", "ITALY")) is Why.PRESS_NOT_ALLOWED


def test_a_late_player_writes_only_after_ordering() -> None:
    game = started(HouseRules(first_spring_extension_hours=0 * HOUR))
    game = given(game, *all_hold(game, but="TURKEY"), look(DEADLINE))
    ordered = given(game, submit("TURKEY", "A Con H", at=DEADLINE + HOUR))

    assert refused(game, send_press("TURKEY", "FRANCE")) is Why.PRESS_FROM_LATE
    assert happened(game, send_press("TURKEY", MODERATOR))
    assert happened(game, send_press("FRANCE", "TURKEY"))
    assert happened(ordered, send_press("TURKEY", "FRANCE"))


def test_press_changes_only_the_list_of_writers() -> None:
    game = started()

    assert given(game, send_press("FRANCE", "ITALY")) == replace(
        game, version=game.version + 1, writers=frozenset({"france"})
    )


def _may_write(game: Game, command: SendPress, why: Why | None) -> None:
    if why:
        assert refused(game, command) is why
    else:
        assert happened(game, command)


def test_a_late_power_may_write_where_the_rules_let_it() -> None:
    game = started(HouseRules(late_press=True, first_spring_extension_hours=0 * HOUR))
    late = given(game, *all_hold(game, but="ITALY"), look(DEADLINE))

    assert happened(late, send_press("ITALY", "FRANCE", at=DEADLINE))
