"""The orders recorded for a message, and the remarks in its receipt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.game.decision import Refused, Remark, Why
from judge.game.game_state import Game
from judge.game.house_rules import AfterDeadline, HouseRules, ImpossibleOrders
from judge.game.submission import OrdersCleared, OrdersSubmitted, ReadySet, SubmitOrders, WaitSet
from judge.rules.outcomes import Impossible
from judge.rules.rulebook import DATC, Rulebook, rulebook_named
from judge.rules.types import Order, Retreat, Waive
from tests.unit.game.table import (
    DEADLINE,
    HOUR,
    MINUTE,
    MONDAY,
    adjust,
    all_hold,
    ask,
    clear,
    created,
    given,
    happened,
    in_phase,
    look,
    orders,
    ready,
    refused,
    standing,
    started,
    submit,
    wait,
)

REFUSING = HouseRules(impossible_orders=ImpossibleOrders.REFUSE)


def remarks_on(game: Game, command: SubmitOrders) -> tuple[Remark, ...]:
    return ask(game, command).remarks


def test_a_set_is_recorded_as_read_and_as_it_counts() -> None:
    assert happened(started(), submit("FRANCE", "Par-Bur; f bre h")) == (
        OrdersSubmitted(
            power="FRANCE",
            person="france",
            phase="S1901M",
            orders=("PAR - BUR", "F BRE H"),
            standing=("A PAR - BUR", "F BRE H"),
            received="2026-11-23T12:00:00Z",
            mail="mail",
            evidence="evidence",
            nonce="nonce",
        ),
    )


def test_a_later_email_replaces_unit_by_unit() -> None:
    game = given(
        started(), submit("FRANCE", "A Par-Bur, A Mar-Spa"), submit("FRANCE", "A Par-Pic, F Bre H")
    )

    assert standing(game, "FRANCE") == ("A PAR - PIC", "A MAR - SPA", "F BRE H")


def test_the_last_of_two_orders_for_a_unit_counts() -> None:
    to_burgundy, to_picardy = orders("A Par-Bur, A Par-Pic")
    command = submit("FRANCE", "A Par-Bur, A Par-Pic")

    assert remarks_on(started(), command) == (
        Remark(to_burgundy, Impossible.DUPLICATE_LAST, refused=True),
        Remark(to_picardy, conflicts_with=to_burgundy),
    )
    assert standing(given(started(), command), "FRANCE") == ("A PAR - PIC",)


def test_the_same_order_twice_is_no_conflict() -> None:
    assert remarks_on(started(), submit("FRANCE", "A Par-Bur, army paris to burgundy")) == ()


def test_an_impossible_order_replaces_the_earlier_one() -> None:
    game = given(started(), submit("AUSTRIA", "A Vie-Tri"))
    (order,) = orders("A Vie-Mun")

    assert remarks_on(game, submit("AUSTRIA", "A Vie-Mun")) == (
        Remark(order, Impossible.UNREACHABLE),
    )
    assert standing(given(game, submit("AUSTRIA", "A Vie-Mun")), "AUSTRIA") == ("A VIE - MUN",)


def test_where_impossible_orders_are_refused_the_earlier_one_is_kept() -> None:
    game = given(started(REFUSING), submit("AUSTRIA", "A Vie-Tri"))
    impossible, _ = orders("A Vie-Mun, A Bud H")
    command = submit("AUSTRIA", "A Vie-Mun, A Bud H")

    assert remarks_on(game, command) == (Remark(impossible, Impossible.UNREACHABLE, refused=True),)
    assert standing(given(game, command), "AUSTRIA") == ("A VIE - TRI", "A BUD H")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("A Mun-Bur", Impossible.NOT_YOURS, id="another power's unit"),
        pytest.param("A Gas-Bur", Impossible.NO_SUCH_UNIT, id="no unit"),
    ],
)
def test_an_order_for_another_powers_unit_changes_nothing(text: str, why: Impossible) -> None:
    answer = ask(started(), submit("FRANCE", text))

    assert answer == Refused(Why.NOTHING_CHANGED, (Remark(orders(text)[0], why, refused=True),))


def test_a_build_is_no_order_of_a_movement_phase() -> None:
    command = replace(submit("FRANCE", "A Par H"), orders=(Waive(),))

    assert ask(started(), command) == Refused(
        Why.NOTHING_CHANGED, (Remark(Waive(), Impossible.WRONG_PHASE, refused=True),)
    )


def test_the_only_possible_coast_is_filled_in() -> None:
    game = in_phase("S1901M", {"FRANCE": "F POR"})

    assert standing(given(game, submit("FRANCE", "Por-Spa/nc")), "FRANCE") == ("F POR - SPA/NC",)


def test_clear_empties_the_set() -> None:
    game = given(started(), submit("FRANCE", "A Par-Bur, A Mar-Spa"), clear("FRANCE"))

    assert standing(game, "FRANCE") == ()


def test_clear_takes_back_the_order_of_one_unit() -> None:
    game = given(started(), submit("FRANCE", "A Par-Bur, A Mar-Spa"))

    assert happened(game, clear("FRANCE", "PAR")) == (
        OrdersCleared(
            power="FRANCE",
            person="france",
            phase="S1901M",
            standing=("A MAR - SPA",),
            received="2026-11-23T12:00:00Z",
            mail="mail",
            nonce="nonce",
        ),
    )


@pytest.mark.parametrize("provinces", [(), ("PAR",)], ids=["all", "one"])
def test_clear_without_orders_does_nothing(provinces: tuple[str, ...]) -> None:
    assert refused(started(), clear("FRANCE", *provinces)) is Why.NOTHING_CHANGED


def test_a_move_in_a_retreat_phase_is_a_retreat() -> None:
    game = _dislodged()

    after = given(game, submit("ITALY", "A Ven-Apu"))

    assert standing(after, "ITALY") == ("A VEN R APU",)


def test_a_later_retreat_replaces_the_earlier() -> None:
    after = given(_dislodged(), submit("ITALY", "A Ven-Apu"), submit("ITALY", "A Ven-Rom"))

    assert standing(after, "ITALY") == ("A VEN R ROM",)


def test_only_a_dislodged_unit_retreats() -> None:
    (order,) = orders("A Tri-Alb")

    assert ask(_dislodged(), submit("ITALY", "A Tri-Alb")).remarks == (
        Remark(order, Impossible.NOT_DISLODGED, refused=True),
    )


def test_a_power_with_nothing_to_order_is_told_so() -> None:
    assert refused(_dislodged(), submit("AUSTRIA", "A Ven-Tri")) is Why.NOTHING_TO_ORDER


def test_an_email_of_adjustments_replaces_the_whole_set() -> None:
    game = given(_building(), adjust("FRANCE", "Build A Par, Build F Bre"))

    assert standing(given(game, adjust("FRANCE", "Build A Mar")), "FRANCE") == ("A MAR B",)


def test_a_removal_where_builds_are_due_changes_nothing() -> None:
    game = given(_building(), adjust("FRANCE", "Build A Par, Build F Bre"))

    answer = ask(game, adjust("FRANCE", "Remove A Spa"))

    assert answer == Refused(
        Why.NOTHING_CHANGED,
        (Remark(orders_adjusted("Remove A Spa"), Impossible.NOTHING_DUE, refused=True),),
    )


def test_a_removal_among_builds_is_left_out() -> None:
    game = given(_building(), adjust("FRANCE", "Remove A Spa, Build A Par"))

    assert standing(game, "FRANCE") == ("A PAR B",)


@pytest.mark.parametrize("text", ["Build A Vie", "waive"])
def test_a_build_where_removals_are_due_changes_nothing(text: str) -> None:
    game = given(_removing(), adjust("AUSTRIA", "Remove A Vie"))

    answer = ask(game, adjust("AUSTRIA", text))

    assert isinstance(answer, Refused)
    assert [each.impossible for each in answer.remarks] == [Impossible.NOTHING_DUE]


def test_the_last_of_two_builds_in_one_center_counts() -> None:
    command = adjust("FRANCE", "Build F Bre, Build A Bre")

    assert standing(given(_building(), command), "FRANCE") == ("A BRE B",)
    assert remarks_on(_building(), command)[1].conflicts_with == orders_built("F Bre")


def orders_built(text: str) -> Order:
    return orders_adjusted(f"Build {text}")


def orders_adjusted(text: str) -> Order:
    (order,) = adjust("FRANCE", text).orders
    return order


def test_a_surplus_build_gets_a_remark() -> None:
    command = adjust("FRANCE", "Build A Par, Build F Bre, Build A Mar")

    assert remarks_on(_building(), command) == (
        Remark(orders_built("A Mar"), Impossible.TOO_MANY),
    )
    assert standing(given(_building(), command), "FRANCE") == ("A PAR B", "F BRE B", "A MAR B")


@pytest.mark.parametrize(
    ("rule", "faults"),
    [
        ("first", {"A Mar": Impossible.TOO_MANY}),
        ("last", {"A Par": Impossible.TOO_MANY_LAST}),
        ("none", dict.fromkeys(("A Par", "F Bre", "A Mar"), Impossible.TOO_MANY_NONE)),
    ],
)
def test_the_rulebook_says_which_builds_are_surplus(
    rule: str, faults: dict[str, Impossible]
) -> None:
    command = adjust("FRANCE", "Build A Par, Build F Bre, Build A Mar")
    game = _building(rulebook=rulebook_named(f"datc,excess_builds={rule}"))

    assert remarks_on(game, command) == tuple(
        Remark(orders_built(unit), why) for unit, why in faults.items()
    )


def test_where_surplus_builds_void_all_no_waive_is_left_out() -> None:
    game = given(
        _building(rulebook=rulebook_named("datc,excess_builds=none")),
        adjust("FRANCE", "Build A Par, Build F Bre, waive"),
    )

    assert standing(game, "FRANCE") == ("A PAR B", "F BRE B", "WAIVE")


def test_where_impossible_orders_are_refused_a_surplus_build_is_not_kept() -> None:
    command = adjust("FRANCE", "Build A Par, Build F Bre, Build A Mar")

    assert standing(given(_building(REFUSING), command), "FRANCE") == ("A PAR B", "F BRE B")


def test_more_builds_cannot_be_waived_than_are_due() -> None:
    game = given(_building(), adjust("FRANCE", "waive, waive, waive"))

    assert standing(game, "FRANCE") == ("WAIVE", "WAIVE")


def test_before_the_start_there_is_nothing_to_order() -> None:
    assert refused(created(), submit("FRANCE", "A Par H")) is Why.NOT_STARTED


def test_a_power_that_is_not_on_the_board_is_unknown() -> None:
    command = replace(submit("FRANCE", "A Par H"), power="SPAIN")

    assert refused(started(), command) is Why.UNKNOWN_POWER


def test_nobody_orders_for_another_power() -> None:
    command = replace(submit("FRANCE", "A Par H"), person="germany")

    assert refused(started(), command) is Why.NOT_A_PLAYER


def test_an_eliminated_power_orders_nothing() -> None:
    game = in_phase("S1905M", {"FRANCE": "A PAR"})

    assert refused(game, submit("ITALY", "A Ven H")) is Why.ELIMINATED


def test_orders_that_arrived_before_the_phase_opened_were_for_another() -> None:
    early = submit("FRANCE", "A Par H", at=MONDAY - MINUTE)

    assert refused(started(), early) is Why.OTHER_PHASE


def test_an_email_that_was_confirmed_late_does_not_undo_a_later_one() -> None:
    game = given(started(), submit("FRANCE", "A Par-Bur", at=MONDAY + HOUR))

    assert refused(game, submit("FRANCE", "A Par-Pic", at=MONDAY)) is Why.OVERTAKEN
    assert happened(game, submit("ITALY", "A Ven H", at=MONDAY))


def test_a_player_with_orders_at_the_deadline_cannot_change_them() -> None:
    command = submit("FRANCE", "A Par H", at=DEADLINE + MINUTE)

    assert refused(_late_turkey(), command) is Why.TOO_LATE


def test_a_player_with_orders_cannot_change_them_even_before_the_deadline_is_noticed() -> None:
    game = given(started(), submit("FRANCE", "A Par H"))

    assert refused(game, submit("FRANCE", "A Par-Bur", at=DEADLINE + MINUTE)) is Why.TOO_LATE


def test_a_late_player_may_order_before_the_deadline_is_noticed() -> None:
    game = given(started(), submit("FRANCE", "A Par H", at=DEADLINE + MINUTE))

    assert standing(game, "FRANCE") == ("A PAR H",)


def test_the_time_of_arrival_counts_and_not_that_of_the_answer() -> None:
    command = submit("FRANCE", "A Par-Bur", at=DEADLINE)

    assert happened(_late_turkey(), command, now=DEADLINE + HOUR)


def test_the_late_may_order_and_change_their_orders_in_grace() -> None:
    game = given(_late_turkey(), submit("TURKEY", "A Con-Bul", at=DEADLINE + HOUR))
    game = given(game, submit("TURKEY", "A Con H", at=DEADLINE + 2 * HOUR))

    assert standing(game, "TURKEY") == ("A CON H",)


def test_where_grace_is_open_everybody_may_change_orders() -> None:
    game = _late_turkey(HouseRules(after_deadline=AfterDeadline.OPEN))

    assert happened(game, submit("FRANCE", "A Par-Bur", at=DEADLINE + HOUR))


def test_wait_is_for_before_the_deadline() -> None:
    assert refused(_late_turkey(), wait("TURKEY", at=DEADLINE + MINUTE)) is Why.TOO_LATE


def test_wait_and_ready_are_set_once_and_withdrawn() -> None:
    game = given(started(), wait("FRANCE"), ready("FRANCE"))

    assert refused(game, wait("FRANCE")) is Why.NOTHING_CHANGED
    assert refused(game, ready("FRANCE")) is Why.NOTHING_CHANGED
    assert happened(game, wait("FRANCE", on=False)) == (
        WaitSet("FRANCE", "france", "S1901M", wait=False, nonce="nonce"),
    )
    assert happened(game, ready("FRANCE", on=False)) == (
        ReadySet("FRANCE", "france", "S1901M", ready=False, nonce="nonce"),
    )


def test_a_retreat_is_remarked_on_as_it_was_written() -> None:
    (order,) = orders("A Ven-Tyr")

    (remark,) = ask(_dislodged(), submit("ITALY", "A Ven-Tyr")).remarks

    assert remark == Remark(order, Impossible.NOT_A_RETREAT)
    assert not isinstance(remark.order, Retreat)


def _dislodged() -> Game:
    return in_phase(
        "S1902R",
        {"AUSTRIA": "A TRI, A BUD", "ITALY": "F NAP"},
        dislodged={"ITALY": {"A VEN": ("TRI", "APU ROM")}},
    )


def _building(rules: HouseRules | None = None, rulebook: Rulebook = DATC) -> Game:
    return in_phase(
        "W1901A",
        {"FRANCE": "A SPA", "GERMANY": "A MUN"},
        {"FRANCE": "PAR MAR BRE", "GERMANY": "MUN"},
        rules=rules or HouseRules(),
        rulebook=rulebook,
    )


def _removing() -> Game:
    return in_phase(
        "W1901A",
        {"AUSTRIA": "A VIE, A BUD", "GERMANY": "A MUN"},
        {"AUSTRIA": "BUD", "GERMANY": "MUN"},
    )


def _late_turkey(rules: HouseRules | None = None) -> Game:
    rules = replace(rules or HouseRules(), first_spring_extension_hours=0 * HOUR)
    game = started(rules)
    return given(game, *all_hold(game, but="TURKEY"), look(DEADLINE))
