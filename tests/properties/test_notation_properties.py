"""Reading never fails on any text, and every written order is read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar, assert_never

from hypothesis import example, given
from hypothesis import strategies as st

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import (
    read_owned_order,
    write_long,
    write_order,
    write_owned_order,
    write_short,
)
from judge.notation.strict_orders import read_strictly
from judge.notation.terms import names_of
from judge.rules.board import Terrain
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    PhaseKind,
    Retreat,
    SupportHold,
    SupportMove,
    UnitKind,
    UnitName,
    Waive,
    province_of,
)

BOARD = load_map()
KINDS = st.sampled_from(PhaseKind)
LOCATIONS = sorted(BOARD.locations | BOARD.places.keys())
SEAS = sorted(code for code, place in BOARD.places.items() if place.terrain is Terrain.SEA)
WORDS = sorted({*names_of(BOARD).written, *"ASCHFRDB-;,?()/*+:\n", "via", "Germany", "if", "->"})


def where(kind: UnitKind) -> st.SearchStrategy[Location]:
    """Draw a place where a unit of *kind* can be, so that `F Tyr` is not Tyrolia."""
    barred = {UnitKind.ARMY: Terrain.SEA, UnitKind.FLEET: Terrain.INLAND}[kind]
    fit = [each for each in LOCATIONS if BOARD.places[province_of(each)].terrain is not barred]
    return st.sampled_from(fit)


@st.composite
def units(draw: st.DrawFn, kind: UnitKind | None = None, *, owned: bool = False) -> UnitName:
    kind = kind or draw(st.sampled_from(UnitKind))
    powers = st.sampled_from([None, *BOARD.nations]) if owned else st.none()
    return UnitName(kind, draw(where(kind)), draw(powers))


@st.composite
def movement_orders(draw: st.DrawFn, *, owned: bool = True) -> Order:
    unit, other = draw(units()), draw(units(owned=owned))
    assert unit.kind
    assert other.kind
    target, goal = draw(where(unit.kind)), draw(where(other.kind))
    army = draw(units(UnitKind.ARMY, owned=owned))
    route = tuple(draw(st.lists(st.sampled_from(SEAS), max_size=3)))
    orders: list[Order] = [
        Hold(unit),
        Move(unit, target),
        Move(unit, target, via_convoy=True),
        Move(unit, target, via_convoy=bool(route), route=route),
        SupportHold(unit, other),
        SupportMove(unit, other, goal),
        Convoy(draw(units(UnitKind.FLEET)), army, draw(where(UnitKind.ARMY))),
    ]
    return draw(st.sampled_from(orders))


@st.composite
def retreat_orders(draw: st.DrawFn) -> Order:
    unit = draw(units())
    assert unit.kind
    orders: list[Order] = [Retreat(unit, draw(where(unit.kind))), Disband(unit)]
    return draw(st.sampled_from(orders))


ADJUSTMENTS = st.one_of(units().map(Build), units().map(Disband), st.just(Waive()))


ROUTES = st.lists(st.sampled_from(SEAS), min_size=1, max_size=3).map(tuple)
PLACES = st.sampled_from(LOCATIONS)
UNITS = st.builds(UnitName, st.sampled_from([None, *UnitKind]), PLACES)

# Any order, however impossible: fleets inland, armies at sea, units of no kind.
ORDERS_OF_PROGRAMS: st.SearchStrategy[Order] = st.one_of(
    st.builds(Hold, UNITS),
    st.builds(Move, UNITS, PLACES, via_convoy=st.booleans()),
    st.builds(Move, UNITS, PLACES, via_convoy=st.just(value=True), route=ROUTES),
    st.builds(SupportHold, UNITS, UNITS),
    st.builds(SupportMove, UNITS, UNITS, PLACES),
    st.builds(Convoy, UNITS, UNITS, PLACES),
    st.builds(Retreat, UNITS, PLACES),
    st.builds(Disband, UNITS),
    st.builds(Build, UNITS),
)


# What Hypothesis draws differs in its next release; these are always tried.
FLEET, ARMY = UnitKind.FLEET, UnitKind.ARMY
MOVEMENT_ORDERS: tuple[Order, ...] = (
    Hold(UnitName(FLEET, "TYS")),
    Hold(UnitName(ARMY, "TYR")),
    Move(UnitName(FLEET, "STP/SC"), "BOT"),
    Move(UnitName(FLEET, "MAO"), "SPA/NC"),
    Move(UnitName(ARMY, "LON"), "BEL", via_convoy=True),
    Move(UnitName(ARMY, "LON"), "BEL", via_convoy=True, route=("NTH",)),
    SupportHold(UnitName(FLEET, "BOT"), UnitName(FLEET, "STP/SC")),
    SupportMove(UnitName(FLEET, "WES"), UnitName(FLEET, "MAO"), "SPA/SC"),
    Convoy(UnitName(FLEET, "NTH"), UnitName(ARMY, "NWY"), "SPA"),
)
OTHER_ORDERS: tuple[Order, ...] = (
    Retreat(UnitName(FLEET, "MAO"), "SPA/SC"),
    Disband(UnitName(FLEET, "STP/NC")),
    Build(UnitName(FLEET, "STP/NC")),
    Build(UnitName(ARMY, "STP")),
    Waive(),
)
OWNED_ORDERS: tuple[Order, ...] = (
    SupportHold(UnitName(FLEET, "BOT"), UnitName(FLEET, "STP/SC", "RUSSIA")),
    Convoy(UnitName(FLEET, "NTH"), UnitName(ARMY, "NWY", "ENGLAND"), "SPA"),
)
STRANGE_ORDERS: tuple[Order, ...] = (
    Hold(UnitName(None, "STP/NC")),
    Move(UnitName(FLEET, "MUN"), "MUN", via_convoy=True, route=("NTH", "ENG", "NTH")),
    Convoy(UnitName(ARMY, "NTH"), UnitName(None, "SPA/NC"), "BOT"),
)
STRANGE_TEXTS = (
    *("", "\0", "\r", "\n" * 3, "-", "(", "A", "F StP/", "A Par -", "\u2028A Par-Bur", "A\xa0Par"),
    *("\u0130\u017f\xdf\ufb01", "e\u0301", "\u202eA Par-Bur", "\U0001f600", "\ud800", "9" * 500),
)
STRANGE_WORDS: tuple[list[str], ...] = (
    *([], ["if"], ["\n"], ["S"] * 9, ["(", "A"], ["A", "-", "-"], ["Germany", ":"]),
    *(["via", "via"], ["A", "Paris", "->", "\n", "Burgundy"], ["/", "*", "+", ";", "?", ","]),
)
Tested = TypeVar("Tested", bound=Callable[..., None])


def with_examples(several: Iterable[object], *others: object) -> Callable[[Tested], Tested]:
    def tried(test: Tested) -> Tested:
        for each in several:
            test = example(each, *others)(test)
        return test

    return tried


def phase_of(order: Order) -> PhaseKind:
    match order:
        case Hold() | Move() | SupportHold() | SupportMove() | Convoy():
            return PhaseKind.MOVEMENT
        case Retreat() | Disband():
            return PhaseKind.RETREATS
        case Build() | Waive():
            return PhaseKind.ADJUSTMENTS
        case _:
            assert_never(order)


def read_back(text: str, order: Order) -> object:
    (reading,) = read_strictly(text, BOARD, phase_of(order))
    return reading.order


@with_examples(MOVEMENT_ORDERS + OTHER_ORDERS)
@given(st.one_of(movement_orders(owned=False), retreat_orders(), ADJUSTMENTS))
def test_the_form_of_programs_is_read_back(order: Order) -> None:
    assert read_back(write_order(order), order) == order


@with_examples(MOVEMENT_ORDERS + OTHER_ORDERS + OWNED_ORDERS)
@given(st.one_of(movement_orders(), retreat_orders(), ADJUSTMENTS))
def test_the_form_of_the_rulebook_is_read_back(order: Order) -> None:
    assert read_back(write_short(order, BOARD), order) == order


@with_examples(MOVEMENT_ORDERS + OTHER_ORDERS + OWNED_ORDERS)
@given(st.one_of(movement_orders(), retreat_orders(), ADJUSTMENTS))
def test_the_form_of_reports_is_read_back(order: Order) -> None:
    assert read_back(write_long(order, BOARD), order) == order


@with_examples(MOVEMENT_ORDERS + OTHER_ORDERS + STRANGE_ORDERS)
@given(ORDERS_OF_PROGRAMS)
def test_any_order_in_the_log_is_read_back(order: Order) -> None:
    assert read_owned_order(write_owned_order(order)) == order


@with_examples(STRANGE_TEXTS, PhaseKind.MOVEMENT)
@given(st.text(), KINDS)
def test_no_text_is_too_strange(text: str, kind: PhaseKind) -> None:
    for reading in read_for_phase(text, BOARD, kind):
        assert reading.line >= 1
        assert reading.column >= 1


@with_examples(STRANGE_WORDS, PhaseKind.MOVEMENT)
@given(st.lists(st.sampled_from(WORDS), max_size=40), KINDS)
def test_no_heap_of_order_words_is_too_strange(words: list[str], kind: PhaseKind) -> None:
    lines = " ".join(words).split("\n")

    for reading in read_for_phase("\n".join(lines), BOARD, kind):
        first, *behind = lines[reading.line - 1 :]
        text = " ".join([first[reading.column - 1 :], *behind])  # it may go on in the next line
        assert " ".join(text.split()).startswith(" ".join(reading.text.split()))
