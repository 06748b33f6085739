"""Orders for later phases: kept, taken back, and submitted when their phase opens."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import pytest

from judge.app.commands.order_lines import read_for_phase
from judge.game.decision import Accepted, Why
from judge.game.future_orders import ClearPlan, OrdersPlanned, PlanOrders, PlanWait, plan_lines
from judge.game.game_state import Game
from judge.game.house_rules import Deadlines, HouseRules
from judge.game.payloads import format_instant
from judge.game.phases import (
    PhaseClosed,
    PhaseOpened,
    close_and_open_next,
    has_ordered_all,
    unfit_planned_orders,
)
from judge.game.players.seats import PowerVacated
from judge.game.submission import OrdersSubmitted
from judge.game.visibility import Inspector, Observer, Player, view
from judge.notation.conditional_orders import ReadConditionalOrder, read_plan
from judge.notation.order_text import write_order
from judge.rules.outcomes import Impossible
from judge.rules.types import Phase
from tests.unit.game.table import (
    BOARD,
    HOUR,
    MONDAY,
    after,
    ask,
    given,
    happened,
    holds,
    in_phase,
    phase_of,
    refused,
    standing,
    started,
    submit,
)

AT_ONCE = HouseRules(deadlines=Deadlines.MOVEMENT)
NIGHT = MONDAY + timedelta(hours=8)


def plan(
    power: str, later: str, text: str, at: datetime = MONDAY, *, read_as: str = ""
) -> PlanOrders:
    phase = Phase.parse(later)
    kind = Phase.parse(read_as or later).kind
    readings = read_plan(text, BOARD, kind, partial(read_for_phase, apart=True))
    wishes = tuple(each.wish for each in readings if isinstance(each, ReadConditionalOrder))
    assert len(wishes) == len(readings), readings
    return PlanOrders(power, power.lower(), phase, wishes, at, "mail", "nonce", "evidence")


def forget(power: str, later: str, *provinces: str, at: datetime = MONDAY) -> ClearPlan:
    return ClearPlan(power, power.lower(), Phase.parse(later), provinces, at, "mail", "nonce")


def kept(game: Game, power: str, later: str) -> tuple[str, ...]:
    found = game.plans.get(power, {}).get(later)
    return plan_lines(found) if found else ()


def closed(game: Game) -> Game:
    return after(game, *close_and_open_next(BOARD, game, NIGHT))


def test_orders_for_a_later_phase_are_kept_and_given_when_it_opens() -> None:
    game = given(started(), plan("FRANCE", "F1901M", "A Par-Bur; F Bre H; A Mar-Spa"))
    assert standing(game, "FRANCE") == ()

    game = closed(given(game, *holds(game, *BOARD.powers)))

    assert phase_of(game) == "F1901M"
    assert standing(game, "FRANCE") == ("A PAR - BUR", "F BRE H", "A MAR - SPA")
    assert game.plans["FRANCE"] == {}


def test_future_orders_count_as_given_when_the_phase_opens() -> None:
    game = given(started(), plan("FRANCE", "F1901M", "A Par-Bur"))
    *_, opened, submitted = close_and_open_next(
        BOARD, given(game, *holds(game, *BOARD.powers)), NIGHT
    )

    assert isinstance(opened, PhaseOpened)
    assert isinstance(submitted, OrdersSubmitted)
    assert (submitted.mail, submitted.evidence) == ("mail", "evidence")
    assert submitted.received == opened.opened
    assert submitted.nonce not in ("nonce", "")
    assert len(submitted.nonce) == 32


def test_a_later_email_for_that_phase_replaces_unit_by_unit() -> None:
    game = given(
        started(),
        plan("FRANCE", "F1901M", "A Par-Bur; F Bre H"),
        plan("FRANCE", "F1901M", "F Bre-Mao"),
    )

    assert kept(game, "FRANCE", "F1901M") == ("A PAR - BUR", "F BRE - MAO")


def test_a_later_email_with_adjustments_replaces_them_all() -> None:
    game = given(
        started(),
        plan("FRANCE", "W1901A", "Build A Par; Build F Bre"),
        plan("FRANCE", "W1901A", "Build A Mar"),
    )

    assert kept(game, "FRANCE", "W1901A") == ("A MAR B",)


def test_future_orders_can_be_cleared() -> None:
    game = given(started(), plan("FRANCE", "F1901M", "A Par-Bur; F Bre H"))

    game = given(game, forget("FRANCE", "F1901M", "PAR"))
    assert kept(game, "FRANCE", "F1901M") == ("F BRE H",)
    game = given(game, forget("FRANCE", "F1901M"))
    assert kept(game, "FRANCE", "F1901M") == ()
    assert refused(game, forget("FRANCE", "F1901M")) is Why.NOTHING_CHANGED


def wait(power: str, later: str, *, on: bool = True) -> PlanWait:
    return PlanWait(power, power.lower(), Phase.parse(later), on, "nonce")


def test_wait_can_be_set_for_a_later_phase() -> None:
    game = given(started(), wait("FRANCE", "F1901M"), wait("GERMANY", "S1901R"))
    assert game.phase is not None
    assert game.phase.waiting == frozenset()

    game = closed(given(game, *holds(game, *BOARD.powers)))

    assert game.phase is not None
    assert game.phase.waiting == {"FRANCE"}
    assert game.waits == {}


def test_wait_for_a_later_phase_can_be_withdrawn() -> None:
    game = given(started(), wait("FRANCE", "F1901M"))
    assert refused(game, wait("FRANCE", "F1901M")) is Why.NOTHING_CHANGED

    game = given(game, wait("FRANCE", "F1901M", on=False))

    assert game.waits == {"F1901M": frozenset()}
    assert refused(game, wait("FRANCE", "S1901M")) is Why.OTHER_PHASE
    assert refused(game, wait("FRANCE", "S1907M")) is Why.TOO_FAR_AHEAD


def test_only_the_player_sees_their_own_wait() -> None:
    game = given(started(), wait("FRANCE", "F1901M"))

    assert view(game, Player("FRANCE")).waits == {"F1901M"}
    assert not view(game, Player("GERMANY")).waits
    assert not view(game, Inspector()).waits


@pytest.mark.parametrize(
    ("later", "why"),
    [
        ("S1901M", Why.OTHER_PHASE),
        ("S1901R", None),
        ("W1906A", None),
        ("S1907M", Why.TOO_FAR_AHEAD),
    ],
)
def test_a_plan_is_for_a_phase_within_five_years(later: str, why: Why | None) -> None:
    text = {"M": "A Par H", "R": "A Par R Gas", "A": "Build A Par"}[later[-1]]

    answer = ask(started(), plan("FRANCE", later, text))

    assert getattr(answer, "why", None) is why


def test_only_its_player_plans_for_a_power() -> None:
    command = plan("FRANCE", "F1901M", "A Par H")
    forged = PlanOrders(
        "FRANCE", "germany", command.later, command.wishes, MONDAY, "mail", "nonce"
    )

    assert refused(started(), forged) is Why.NOT_A_PLAYER


def test_an_email_older_than_the_last_one_changes_nothing() -> None:
    game = given(started(), plan("FRANCE", "F1901M", "A Par H", MONDAY + HOUR))

    assert refused(game, plan("FRANCE", "F1901M", "A Par-Bur")) is Why.OVERTAKEN


@pytest.mark.parametrize(
    ("later", "text", "read_as"),
    [
        ("F1901M", "Build A Par", "W1901A"),
        ("F1901M", "waive", "W1901A"),
        ("F1901M", "disband A Par", "W1901A"),
        ("S1901R", "A Par H", "S1901M"),
        ("S1901R", "Build A Par", "W1901A"),
        ("W1901A", "A Par-Bur", "S1901M"),
        ("W1901A", "A Par retreats to Bur", "S1901R"),
    ],
)
def test_an_order_of_another_kind_of_phase_is_not_kept(
    later: str, text: str, read_as: str
) -> None:
    answer = ask(started(), plan("FRANCE", later, text, read_as=read_as))

    assert [each.impossible for each in answer.remarks] == [Impossible.WRONG_PHASE]
    assert getattr(answer, "why", None) is Why.NOTHING_CHANGED


def test_orders_that_fit_the_phase_are_kept_without_the_rest() -> None:
    game = started()
    answer = ask(game, plan("FRANCE", "W1901A", "A Par-Bur; Build A Par"))

    assert isinstance(answer, Accepted)
    assert len(answer.remarks) == 1
    assert kept(after(game, *answer.events), "FRANCE", "W1901A") == ("A PAR B",)


def battle(rules: HouseRules = AT_ONCE) -> Game:
    """Return a game in which Munich falls; Germany can retreat to BER, KIE, RUH or SIL."""
    return in_phase(
        "S1902M",
        {"GERMANY": "A MUN, F HOL", "FRANCE": "A BUR, A RUH", "RUSSIA": "A SIL"},
        {"GERMANY": "MUN BER KIE HOL", "FRANCE": "PAR MAR", "RUSSIA": "WAR"},
        rules=rules,
    )


ATTACK = (
    submit("FRANCE", "A Bur-Mun; A Ruh S A Bur-Mun"),
    submit("RUSSIA", "A Sil-Ber"),
    submit("GERMANY", "A Mun H; F Hol H"),
)


@pytest.mark.parametrize(
    ("wishes", "units"),
    [
        ("A Mun R Kie, Ber", "A KIE"),
        ("A Mun R Ber, Kie", "A KIE"),  # Berlin is occupied by then
        ("A Mun R Ber, Ruh, OTB", ""),
        ("A Mun R Ber", ""),
        ("IF A Ber THEN A Mun R Sil\nELSE A Mun R Ber", "A SIL"),
        ("IF GERMAN A Ber THEN A Mun R Sil\nELSE A Mun R Kie", "A KIE"),
        ("IF F Ber THEN A Mun R Sil\nELSE A Mun R Kie", "A KIE"),
        ("IF NOT F Hol OR A Mun THEN A Mun R Sil\nELSE A Mun R Kie", "A SIL"),
        ("IF F Hol AND OWNS Mun THEN A Mun R Sil\nELSE A Mun R Kie", "A SIL"),
        ("IF FRANCE OWNS Mun THEN A Mun R Sil\nELSE A Mun R Kie", "A KIE"),
        ("IF Hol AND NOT (Ber AND Kie) THEN A Mun R Sil", "A SIL"),
        ("IF GERMAN A Mun THEN A Mun R Sil\nELSE A Mun R Boh", "A BOH"),  # it is dislodged
        ("A Mun R Sil\nA Mun R Boh", "A BOH"),
    ],
)
def test_the_first_possible_planned_retreat_is_given(wishes: str, units: str) -> None:
    game = closed(given(battle(), plan("GERMANY", "S1902R", wishes), *ATTACK))

    assert phase_of(game) == "F1902M"
    assert game.position is not None
    armies = [str(each) for each in game.position.units_of("GERMANY") if str(each) != "F HOL"]
    assert armies == ([units] if units else [])


def test_without_a_plan_an_immediate_retreat_disbands_and_nobody_is_late() -> None:
    events = close_and_open_next(BOARD, given(battle(), *ATTACK), NIGHT)

    assert [each.phase for each in events if isinstance(each, PhaseOpened)] == ["S1902R", "F1902M"]
    retreats = [each for each in events if isinstance(each, PhaseClosed)][1]
    assert (retreats.orders, retreats.nmr) == ({}, ())


def test_where_every_phase_has_a_deadline_the_plan_counts_until_then() -> None:
    rules = HouseRules()
    game = closed(given(battle(rules), plan("GERMANY", "S1902R", "A Mun R Kie"), *ATTACK))

    assert phase_of(game) == "S1902R"
    assert standing(game, "GERMANY") == ("A MUN R KIE",)


@pytest.mark.parametrize(
    ("centers", "wishes", "orders"),
    [
        ("PAR BRE MAR BEL", "Build A Par; Build F Bre", ("A PAR B", "F BRE B")),
        ("PAR BRE MAR", "Build A Par; Build F Bre", ("A PAR B",)),
        ("PAR BRE MAR", "Build A Lon; Build F Bre or A Par", ("F BRE B",)),
        ("PAR BRE MAR BEL", "Build A Bre; Build F Bre; Build A Par", ("A BRE B", "A PAR B")),
        ("PAR BRE MAR BEL", "waive; waive; Build A Par", ("WAIVE", "WAIVE")),
        ("PAR", "Build A Par; Remove A Ruh; Remove A Bur", ("A RUH D",)),
        ("PAR", "Remove A Boh or A Bur", ("A BUR D",)),
        ("PAR MAR BRE", "IF I own Mar, build A Mar; else build A Par", ("A MAR B",)),
        ("PAR BRE", "Build A Par; Remove A Ruh", ()),
    ],
)
def test_only_as_many_planned_adjustments_count_as_are_due(
    centers: str, wishes: str, orders: tuple[str, ...]
) -> None:
    game = in_phase(
        "F1902M",
        {"FRANCE": "A BUR, A RUH", "GERMANY": "A BOH"},
        {"FRANCE": centers, "GERMANY": "BER VIE"},
    )
    text = wishes.replace("; else", "\nelse")
    game = given(game, plan("FRANCE", "W1902A", text), *holds(game, "FRANCE", "GERMANY"))

    game = closed(game)

    assert phase_of(game) == "W1902A"
    assert standing(game, "FRANCE") == orders


def test_a_planned_movement_that_became_impossible_is_given() -> None:
    game = given(
        started(), plan("FRANCE", "F1901M", "A Par-Mun\nA Bur H\nIF F Lon THEN F Bre-Eng")
    )

    game = closed(given(game, *holds(game, *BOARD.powers)))

    assert standing(game, "FRANCE") == ("A PAR - MUN", "F BRE - ENG")


def test_plans_for_a_phase_that_was_skipped_are_dropped() -> None:
    game = given(started(), plan("FRANCE", "S1901R", "A Par R Gas"))

    game = closed(given(game, *holds(game, *BOARD.powers)))

    assert game.plans["FRANCE"] == {}
    assert standing(game, "FRANCE") == ()


def test_a_power_that_owes_nothing_gives_nothing() -> None:
    game = given(battle(HouseRules()), plan("FRANCE", "S1902R", "A Bur R Gas"), *ATTACK)

    assert standing(closed(game), "FRANCE") == ()


def test_plans_are_as_visible_as_orders() -> None:
    game = given(started(), plan("FRANCE", "F1901M", "A Par-Bur"))

    assert "F1901M" in view(game, Player("FRANCE")).plans["FRANCE"]
    assert "FRANCE" not in view(game, Player("GERMANY")).plans
    assert not view(game, Observer()).plans
    assert "F1901M" in view(game, Inspector()).plans["FRANCE"]


@pytest.mark.parametrize(
    ("condition", "order"),
    [
        ("Mun", "A BUR - MUN"),  # borders on Burgundy, so France sees it
        ("NOT Mun", "A BUR H"),
        ("GERMANY OWNS Mun", "A BUR - MUN"),
        ("Mun OR Sev", "A BUR - MUN"),
        ("NOT Mun AND Sev", "A BUR H"),
        ("FRANCE Sev", "A BUR H"),  # a power knows where its own units are
        ("OWNS Sev", "A BUR H"),
        ("Sev", None),
        ("NOT Sev", None),
        ("NOT RUSSIA F Sev", None),
        ("RUSSIA OWNS Sev", None),
        ("Mun AND Sev", None),
        ("NOT Mun OR NOT Sev", None),
    ],
)
def test_in_a_blind_game_a_condition_uses_visible_units(condition: str, order: str | None) -> None:
    text = f"IF {condition} THEN A Bur-Mun\nELSE A Bur H"
    game = given(started(HouseRules(blind=True)), plan("FRANCE", "F1901M", text))
    others = [each for each in holds(game, *BOARD.powers) if each.power != "FRANCE"]

    game = closed(given(game, *others, submit("FRANCE", "A Par-Bur; A Mar H; F Bre H")))

    assert standing(game, "FRANCE") == ((order,) if order else ())


def test_a_condition_that_cannot_be_seen_leaves_the_unconditional_order() -> None:
    text = "A Par-Bur\nIF Sev THEN A Par-Pic\nELSE A Par-Gas"
    game = given(started(HouseRules(blind=True)), plan("FRANCE", "F1901M", text))

    game = closed(given(game, *holds(game, *BOARD.powers)))

    assert standing(game, "FRANCE") == ("A PAR - BUR",)


def test_an_event_keeps_conditions_as_they_were_written() -> None:
    text = "IF NOT (FRANCE A BUR OR F NTH) AND ENGLAND OWNS BEL THEN A MUN R BER, A MUN D"

    (event,) = happened(started(), plan("GERMANY", "S1901R", text))

    assert isinstance(event, OrdersPlanned)
    assert kept(after(started(), event), "GERMANY", "S1901R") == (text,)


def lapsed(game: Game, power: str) -> list[str]:
    return [
        f"{write_order(order)}: {why.value}"
        for order, why in unfit_planned_orders(BOARD, game, power)
    ]


def test_a_movement_for_a_unit_that_is_elsewhere_no_longer_fits() -> None:
    game = given(started(), plan("FRANCE", "F1901M", "A Bur-Bel\nA Par H\nA Mar H\nF Bre H"))

    game = closed(given(game, *holds(game, *BOARD.powers)))

    assert lapsed(game, "FRANCE") == ["A BUR - BEL: no_such_unit"]
    assert not has_ordered_all(BOARD, game, "FRANCE")


def test_orders_sent_in_the_phase_replace_unfit_plans() -> None:
    game = given(started(), plan("FRANCE", "F1901M", "A Bur-Bel\nA Par H\nA Mar H\nF Bre H"))
    game = closed(given(game, *holds(game, *BOARD.powers)))

    game = given(game, submit("FRANCE", "A Par-Bur", at=NIGHT + HOUR))

    assert lapsed(game, "FRANCE") == []
    assert has_ordered_all(BOARD, game, "FRANCE")


def test_a_new_player_is_not_asked_about_earlier_plans() -> None:
    game = given(started(), plan("FRANCE", "F1901M", "A Bur-Bel\nA Par H\nA Mar H\nF Bre H"))
    game = closed(given(game, *holds(game, *BOARD.powers)))

    until = format_instant(NIGHT + HOUR)
    game = after(game, PowerVacated("FRANCE", "france", "F1901M", "resigned", until))

    assert lapsed(game, "FRANCE") == []


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [
        ("A Mun R Ruh, Vie", ["A MUN R RUH: retreat_occupied"]),
        ("A Mun R Ruh, Kie", []),
        ("A Mun R Kie\nF Hol R Nth", []),
    ],
    ids=["none is open", "one is open", "a unit that was not dislodged"],
)
def test_a_retreat_no_longer_fits_if_none_of_its_places_is_open(
    wishes: str, expected: list[str]
) -> None:
    rules = HouseRules()
    game = given(battle(rules), plan("GERMANY", "S1902R", wishes), *ATTACK)

    game = closed(game)

    assert phase_of(game) == "S1902R"
    assert lapsed(game, "GERMANY") == expected


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [
        ("Build A Par\nBuild A Lon", ["A LON B: not_a_home_center"]),
        ("Build A Par\nBuild A Mar\nBuild A Lon", []),
    ],
    ids=["too few are left", "enough others are left"],
)
def test_a_build_no_longer_fits_if_too_few_others_can_be_made(
    wishes: str, expected: list[str]
) -> None:
    game = in_phase(
        "F1902M",
        {"FRANCE": "A BUR", "GERMANY": "A BOH"},
        {"FRANCE": "PAR MAR BEL", "GERMANY": "BER VIE"},
    )
    game = given(game, plan("FRANCE", "W1902A", wishes), *holds(game, "FRANCE", "GERMANY"))

    game = closed(game)

    assert phase_of(game) == "W1902A"
    assert lapsed(game, "FRANCE") == expected


def test_nobody_else_sees_plans_for_the_open_phase() -> None:
    game = given(started(), plan("FRANCE", "F1901M", "A Bur-Bel"))
    game = closed(given(game, *holds(game, *BOARD.powers)))

    seen = {reader: view(game, reader).phase for reader in (Player("FRANCE"), Player("GERMANY"))}

    assert {reader: list(phase.planned) for reader, phase in seen.items() if phase} == {
        Player("FRANCE"): ["FRANCE"],
        Player("GERMANY"): [],
    }
