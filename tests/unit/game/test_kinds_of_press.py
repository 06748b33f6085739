"""Unsigned, forged, postal and observers' press, and when players may write."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.game.decision import Why
from judge.game.game_state import Game, Stage
from judge.game.house_rules import (
    HOUR,
    MINUTE,
    Fakes,
    HouseRules,
    ObserverPress,
    Postal,
    Press,
    PressThen,
    Signing,
)
from judge.game.players.diaries import OpenPress, is_press_shown
from judge.game.press import MODERATOR, OBSERVER, OBSERVERS, PressSent, SendPress, usual_signature
from judge.rules.types import Power
from tests.unit.game.table import (
    BOARD,
    DEADLINE,
    all_hold,
    given,
    happened,
    in_phase,
    look,
    refused,
    send_press,
    started,
    submit,
)

GREY = replace(send_press("FRANCE", "ITALY"), signed=None)
FORGED = replace(send_press("FRANCE", "ITALY"), signed="TURKEY")
MISLEADING = replace(send_press("FRANCE", "ITALY"), named=("ITALY", "RUSSIA"))
POSTAL = replace(send_press("FRANCE", "ITALY"), postal=True)
BY_OBSERVER = replace(send_press(OBSERVER, "ITALY"), person="olga")


def sent(game: Game, command: SendPress) -> PressSent:
    (event,) = happened(game, command)
    assert isinstance(event, PressSent)
    return event


def may(game: Game, command: SendPress, why: Why | None) -> None:
    if why:
        assert refused(game, command) is why
    else:
        assert happened(game, command)


@pytest.mark.parametrize(
    ("signing", "white", "grey"),
    [
        (Signing.WHITE, None, Why.PRESS_KIND),
        (Signing.WHITE_GREY, None, None),
        (Signing.GREY_WHITE, None, None),
        (Signing.GREY, Why.PRESS_KIND, None),
    ],
)
def test_the_rules_say_whether_press_is_signed(
    signing: Signing, white: Why | None, grey: Why | None
) -> None:
    game = started(HouseRules(signing=signing))

    may(game, send_press("FRANCE", "ITALY"), white)
    may(game, GREY, grey)


@pytest.mark.parametrize(
    ("signing", "usual"),
    [
        (Signing.WHITE, "FRANCE"),
        (Signing.WHITE_GREY, "FRANCE"),
        (Signing.GREY_WHITE, None),
        (Signing.GREY, None),
    ],
)
def test_the_rules_set_the_default_signature(signing: Signing, usual: Power | None) -> None:
    game = started(HouseRules(signing=signing))

    assert usual_signature(game, "FRANCE") == usual
    assert usual_signature(game, MODERATOR) == MODERATOR
    assert usual_signature(game, OBSERVER) == OBSERVER


@pytest.mark.parametrize(
    ("fakes", "sender", "readers"),
    [
        (Fakes.NONE, Why.PRESS_KIND, Why.PRESS_KIND),
        (Fakes.SENDER, None, Why.PRESS_KIND),
        (Fakes.READERS, Why.PRESS_KIND, None),
        (Fakes.BOTH, None, None),
    ],
)
def test_the_rules_say_what_may_be_forged(
    fakes: Fakes, sender: Why | None, readers: Why | None
) -> None:
    game = started(HouseRules(fakes=fakes))

    may(game, FORGED, sender)
    may(game, MISLEADING, readers)


@pytest.mark.parametrize(
    "forged",
    [
        replace(FORGED, signed=MODERATOR),
        replace(FORGED, signed=OBSERVER),
        replace(MISLEADING, named=("ITALY", MODERATOR)),
    ],
    ids=["as the moderator", "as an observer", "as if the moderator read it"],
)
def test_nobody_poses_as_the_moderator_or_an_observer(forged: SendPress) -> None:
    assert refused(started(HouseRules(fakes=Fakes.BOTH)), forged) is Why.PRESS_KIND


def test_an_unsigned_broadcast_names_its_writer_among_the_readers() -> None:
    game = started(HouseRules(signing=Signing.WHITE_GREY))
    to_all = replace(send_press("FRANCE", *BOARD.powers), signed=None)

    assert sent(game, to_all).named == BOARD.powers
    assert sent(game, to_all).recipients == tuple(p for p in BOARD.powers if p != "FRANCE")


def test_press_to_the_moderator_is_never_disguised() -> None:
    disguised = replace(
        send_press("FRANCE", MODERATOR), signed="ITALY", named=("ITALY",), postal=True
    )
    told = sent(started(HouseRules(press=Press.NONE)), disguised)

    assert (told.signed, told.named, told.postal) == ("FRANCE", (MODERATOR,), False)


@pytest.mark.parametrize(
    ("postal", "later"), [(Postal.NO, Why.PRESS_KIND), (Postal.YES, None), (Postal.ONLY, None)]
)
def test_the_rules_say_whether_press_waits_for_results(postal: Postal, later: Why | None) -> None:
    game = started(HouseRules(postal=postal))

    may(game, POSTAL, later)
    assert sent(game, send_press("FRANCE", "ITALY")).postal is (postal is Postal.ONLY)


def test_postal_press_waits_until_the_phase_is_closed() -> None:
    game = started()
    waiting = given(game, POSTAL, send_press("ITALY", "FRANCE"))
    closed = given(waiting, *all_hold(waiting), look(DEADLINE))

    assert [each.sender for each in waiting.unread] == ["FRANCE"]
    assert closed.unread == ()


def test_press_is_shown_when_the_game_is_over_if_all_who_wrote_to_some_agree() -> None:
    game = given(started(), send_press("FRANCE", "ITALY"), send_press("TURKEY", *BOARD.powers))
    agreed = given(game, OpenPress("france", shown=True))
    withdrawn = given(agreed, OpenPress("france", shown=False))

    assert game.writers == {"france"}
    assert [is_press_shown(each) for each in (game, agreed)] == [False, False]
    over = [replace(each, stage=Stage.ENDED) for each in (game, agreed, withdrawn)]
    assert [is_press_shown(each) for each in over] == [False, True, False]
    assert refused(agreed, OpenPress("france", shown=True)) is Why.NOTHING_CHANGED
    assert refused(agreed, OpenPress("sam", shown=True)) is Why.NOT_A_PLAYER


@pytest.mark.parametrize(
    ("rule", "to_one", "to_all"),
    [
        (ObserverPress.NONE, Why.OBSERVER_PRESS, Why.OBSERVER_PRESS),
        (ObserverPress.BROADCAST, Why.OBSERVER_PRESS, None),
        (ObserverPress.ALL, None, None),
    ],
)
def test_the_rules_say_what_observers_may_write(
    rule: ObserverPress, to_one: Why | None, to_all: Why | None
) -> None:
    game = replace(started(HouseRules(observer_press=rule)), observers=("olga",))
    broadcast = replace(send_press(OBSERVER, *BOARD.powers), person="olga")

    may(game, BY_OBSERVER, to_one)
    may(game, broadcast, to_all)
    may(game, replace(send_press(OBSERVER, MODERATOR), person="olga"), None)


def test_only_observers_write_as_such_and_they_sign() -> None:
    rules = HouseRules(observer_press=ObserverPress.ALL, signing=Signing.GREY)
    game = replace(started(rules), observers=("olga",))

    assert happened(game, BY_OBSERVER)
    assert refused(game, replace(BY_OBSERVER, signed=None)) is Why.PRESS_KIND
    assert refused(game, replace(BY_OBSERVER, person="sam")) is Why.NOT_A_PLAYER


def test_players_write_to_observers_or_to_one_who_wrote() -> None:
    game = replace(started(), observers=("olga",))
    answer = replace(send_press("FRANCE", "olga"), named=(OBSERVER,))

    assert happened(game, send_press("FRANCE", OBSERVERS))
    assert sent(game, answer).recipients == ("olga",)


@pytest.mark.parametrize(
    ("rules", "to_one", "to_all"),
    [
        (HouseRules(retreat_press=PressThen.SAME), None, None),
        (HouseRules(retreat_press=PressThen.BROADCAST), Why.PRESS_NOT_ALLOWED, None),
        (HouseRules(retreat_press=PressThen.NONE), *[Why.PRESS_NOT_ALLOWED] * 2),
        (HouseRules(adjustment_press=PressThen.NONE), None, None),
    ],
)
def test_each_kind_of_phase_has_its_own_rule(
    rules: HouseRules, to_one: Why | None, to_all: Why | None
) -> None:
    units = {"FRANCE": "A SPA", "ITALY": "A ROM", "TURKEY": "A ANK"}
    game = in_phase("F1901R", units, rules=rules)

    may(game, send_press("FRANCE", "ITALY"), to_one)
    may(game, send_press("FRANCE", *BOARD.powers), to_all)


def test_the_rule_of_a_phase_may_allow_more_press() -> None:
    rules = HouseRules(press=Press.NONE, adjustment_press=PressThen.ALL)
    game = in_phase("W1901A", {"FRANCE": "A SPA", "ITALY": "A ROM"}, rules=rules)

    assert happened(game, send_press("FRANCE", "ITALY"))
    assert refused(started(rules), send_press("FRANCE", "ITALY")) is Why.PRESS_NOT_ALLOWED


def test_in_grace_nobody_writes_where_the_rules_say_so() -> None:
    game = started(HouseRules(grace_press=False, first_spring_extension_hours=0 * HOUR))
    late = given(game, *all_hold(game, but="ITALY"), look(DEADLINE))

    assert happened(game, send_press("FRANCE", "ITALY"))
    assert refused(late, send_press("FRANCE", "ITALY", at=DEADLINE)) is Why.PRESS_IN_GRACE
    assert happened(late, send_press("FRANCE", MODERATOR, at=DEADLINE))


def test_press_too_close_to_the_deadline_is_refused() -> None:
    game = started(HouseRules(press_closes_before_deadline=5 * MINUTE))
    closing = DEADLINE - timedelta(minutes=5)

    assert refused(game, send_press("FRANCE", "ITALY", at=closing)) is Why.PRESS_CLOSED
    assert happened(game, send_press("FRANCE", "ITALY", at=closing - timedelta(seconds=1)))


def test_the_touch_rule_allows_press_to_neighbors_or_all() -> None:
    rules = HouseRules(touch_press=True, observer_press=ObserverPress.ALL)
    game = replace(started(rules), observers=("olga",))

    assert happened(game, send_press("AUSTRIA", "ITALY", OBSERVERS))
    assert happened(game, send_press("ITALY", "AUSTRIA"))
    assert refused(game, send_press("AUSTRIA", "ITALY", "TURKEY")) is Why.OUT_OF_TOUCH
    assert happened(game, send_press("AUSTRIA", *BOARD.powers))
    assert happened(game, BY_OBSERVER)


def test_where_orders_come_first_players_write_after_ordering() -> None:
    game = started(HouseRules(must_order=True))
    ordered = given(game, submit("FRANCE", "A Par H"))

    assert refused(game, send_press("FRANCE", "ITALY")) is Why.ORDERS_FIRST
    assert happened(ordered, send_press("FRANCE", "ITALY"))


def test_a_player_with_nothing_to_order_may_write_at_once() -> None:
    rules = HouseRules(must_order=True)
    game = in_phase("W1901A", {"FRANCE": "A SPA"}, {"FRANCE": "SPA"}, rules=rules)

    assert happened(game, send_press("FRANCE", "ITALY", at=DEADLINE - timedelta(hours=1)))
