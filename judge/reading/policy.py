"""Decide which of the orders read are plain, offered, doubted or asked about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from judge.reading.world import World
from judge.rules import types
from judge.rules.types import PhaseKind, Province, UnitKind

CARRIED_OUT_MAX, OFFERED_MAX = 1.25, 2.6
STRICT_MAX = 3.9  # notation may order what is impossible
CANNOT_HELP = 1.6
PLANS_MIN = 4  # orders in doubt that together may be meant


class Status(Enum):
    """The fate of an order that was read."""

    PLAIN = "plain"  # carried out
    OFFERED = "offered"  # carried out if the writer says YES
    DOUBTED = "doubted"  # a plan, question, report or the like: never carried out
    ASKED = "asked"  # an order, but which unit or place?


@dataclass(frozen=True, slots=True)
class ReadOrder:
    """An *order*, or several of which one is meant, from *start* to *end* of the text.

    *strict* says that it is written in notation, *formal* that its unit is, *implied* that it
    follows from another order, *several* that it is one of those that "all hold" means, *rest*
    that the text means all others, *joint* that several units go to one place, *holds* that the
    unit helped is said to hold, *loose* that its sentence has unknown words, *introduced* that the
    line above, or words before a colon, put it in doubt, *guessed* that a word is misspelled,
    *incomplete* that notation lacks the unit helped.

    *word* is where the name stands that may mean several places, *power* whose order it is, if
    another's. *instead* are all orders of a list, best first, of which it is the first possible.
    """

    status: Status
    orders: tuple[types.Order, ...]
    start: int
    end: int
    cost: float
    strict: bool = False
    implied: bool = False
    several: bool = False
    rest: bool = False
    joint: bool = False
    holds: bool = False
    loose: bool = False
    introduced: bool = False
    formal: bool = False
    guessed: bool = False
    incomplete: bool = False
    word: tuple[int, int] | None = None
    instead: tuple[types.Order, ...] = ()
    power: types.Power | None = None

    @property
    def order(self) -> types.Order:
        """Return the order, or the likeliest of several."""
        return self.orders[0]


Talk: TypeAlias = tuple[int, int, tuple[Province, ...], bool]
"""The start and end of words that order nothing, the units they name, and whether in doubt."""


@dataclass(frozen=True, slots=True)
class RetreatWish:
    """The retreats of the unit in *province* if it is dislodged, best first.

    If all fail, it may disband.
    """

    province: Province
    places: tuple[types.Location, ...]
    start: int
    end: int
    disbands: bool = False


@dataclass(frozen=True, slots=True)
class TextRead:
    """The *orders* of a text, and the *talk* in it about units of the writer.

    *wishes* are retreats for later, *doubts* the stretches of what is in doubt. *draft* says that
    others are to follow, *fixes* that some are corrected, *unread* where notation orders nothing,
    and the units it names, *repeats* where the text asks for earlier orders, *others* where it
    orders all units, if nobody knows which these are, *recalled* where an order stands that a
    later one replaces, and words that say so.
    """

    orders: tuple[ReadOrder, ...]
    talk: tuple[Talk, ...] = ()
    doubts: tuple[tuple[int, int], ...] = ()
    draft: bool = False
    fixes: bool = False
    wishes: tuple[RetreatWish, ...] = ()
    unread: tuple[tuple[int, int, tuple[Province, ...]], ...] = ()
    repeats: tuple[tuple[int, int], ...] = ()
    others: tuple[tuple[int, int], ...] = ()
    recalled: tuple[tuple[int, int], ...] = ()

    def plain(self) -> tuple[types.Order, ...]:
        """Return the orders that are carried out."""
        return tuple(each.order for each in self.orders if each.status is Status.PLAIN)


RANK = {Status.PLAIN: 0, Status.OFFERED: 1, Status.ASKED: 2, Status.DOUBTED: 3}


def settled(
    found: Sequence[ReadOrder],
    world: World,
    *,
    draft: bool,
    talks: bool,
    fixes: bool,
    to_another: bool,
) -> Iterator[ReadOrder]:
    """Yield the orders of an email with their final status.

    The email as a whole is evidence: if it orders few of the writer's units, beside talk or
    unknown words, or says that its orders are a draft, even plain orders are offered. So are
    those in words of an email to another power; notation in it may be press, which is asked
    about elsewhere. Words in doubt are offered beside an order, `Greece to the
    Aegean, if you like`, and if they are for most of the units.
    """
    kept = _without_repeats(found, world, fixes=fixes)
    kept = [_as_helping_move(each, kept, world) for each in kept]
    kept = [_with_move_helped(each, kept) for each in kept]
    kept = [_as_carrying(each, kept, world) for each in kept]
    if fixes:
        kept = [_asked_if_both_go(each, kept) for each in kept]
    given = [each for each in kept if each.status in {Status.PLAIN, Status.OFFERED}]
    ordered = {place_of(each) for each in given}
    few = world.kind is PhaseKind.MOVEMENT and len(ordered) * 2 < len(world.own)
    removals = sum(isinstance(each.order, types.Disband) for each in given)
    builds = sum(isinstance(each.order, types.Build) for each in given)
    many = world.kind is PhaseKind.ADJUSTMENTS and (
        removals > max(-world.due, 0) or builds > max(world.due, 0)
    )
    may_be = [each for each in kept if _may_be_meant(each, ordered)]
    most = len(may_be) >= PLANS_MIN and len(may_be) * 3 >= len(world.own) * 2
    for each in kept:
        if (ordered or most) and each in may_be:
            yield replace(each, status=Status.OFFERED)
            continue
        loose = (few or many) and each.loose
        in_talk = (to_another or (few and talks)) and not each.formal
        unsure = draft or loose or in_talk
        offers = each.status is Status.PLAIN and unsure
        yield replace(each, status=Status.OFFERED) if offers else each


def _may_be_meant(each: ReadOrder, ordered: AbstractSet[Province | None]) -> bool:
    """Return whether plain words in doubt may order a unit to which others give no order."""
    doubted = each.status is Status.DOUBTED and not each.strict
    return doubted and each.cost <= CARRIED_OUT_MAX and place_of(each) not in ordered


def _without_repeats(found: Sequence[ReadOrder], world: World, *, fixes: bool) -> list[ReadOrder]:
    """Drop orders said twice; of different ones for a unit, the last counts if corrected."""
    if world.kind is PhaseKind.ADJUSTMENTS:
        unlike: dict[tuple[types.Order, ...], ReadOrder] = {}
        for each in found:
            first = unlike.get(each.orders, each)
            unlike[each.orders] = min(first, each, key=lambda one: RANK[one.status])
        return [
            each
            for each in found
            if isinstance(each.order, types.Waive) or unlike[each.orders] is each
        ]
    last: dict[Province | None, ReadOrder] = {}
    beside: list[ReadOrder] = []  # notation in doubt, and orders before others in notation
    for each in found:
        place = place_of(each)
        before = last.pop(place, None)
        if before is not None and before.orders != each.orders:
            doubts = [one for one in (before, each) if _is_asked_about(one)]
            both = before.strict and each.strict and not fixes
            beside += doubts or ([before] if both else [])
        last[place] = each if before is None else _the_one_meant(before, each, fixes=fixes)
    kept = list(last.values())
    kept += (each for each in beside if all(each is not other for other in kept))
    return sorted(kept, key=lambda each: each.start)


def _is_asked_about(each: ReadOrder) -> bool:
    return each.strict and each.status is not Status.PLAIN


def _the_one_meant(first: ReadOrder, second: ReadOrder, *, fixes: bool) -> ReadOrder:  # noqa: C901, PLR0911 - one return a rule
    """Return which of two orders for one unit is meant, or both as a question."""
    if first.orders == second.orders:
        return min(first, second, key=lambda each: RANK[each.status])
    if second.status is Status.DOUBTED:
        return first
    if first.joint and not second.joint:
        return second  # `Serbia and Greece attack Bulgaria: Serbia moves, Greece supports`
    if first.status is Status.DOUBTED or fixes or (first.strict and second.strict):
        return second
    if _are_one_move(first.order, second.order):
        return first if isinstance(first.order, types.Move) and first.order.via_convoy else second
    if first.strict or second.strict:
        return first if first.strict else second
    if first.status is Status.ASKED and second.status is Status.PLAIN:
        return second
    if isinstance(second.order, types.Hold) and _helps(first):
        return first
    if isinstance(first.order, types.Hold) and _helps(second):
        return second  # `Constantinople holds`, and supports where it stands
    if isinstance(first.order, types.Hold):
        status = max(second.status, Status.OFFERED, key=RANK.__getitem__)
        return replace(second, status=status)
    return replace(first, status=Status.ASKED, orders=(*first.orders, *second.orders))


def _are_one_move(first: types.Order, second: types.Order) -> bool:
    """Return whether two moves differ at most in how: `The fleet convoys it`, `by convoy`."""
    if not (isinstance(first, types.Move) and isinstance(second, types.Move)):
        return False
    return first == replace(second, via_convoy=first.via_convoy, route=first.route)


def _asked_if_both_go(each: ReadOrder, kept: Sequence[ReadOrder]) -> ReadOrder:
    """Return a move in words as asked about if another goes there, too: one may be corrected."""
    order = each.order
    if each.strict or not isinstance(order, types.Move) or each.status is Status.DOUBTED:
        return each
    clashes = any(
        one is not each and isinstance(one.order, types.Move) and one.order.target == order.target
        for one in kept
    )
    return replace(each, status=Status.ASKED) if clashes else each


def _helps(read: ReadOrder) -> bool:
    """Return whether a unit with the order *read* may be said to hold, too."""
    return isinstance(read.order, types.SupportHold | types.SupportMove | types.Convoy)


def _as_helping_move(each: ReadOrder, kept: Sequence[ReadOrder], world: World) -> ReadOrder:
    """Return prose support for an own unit that moves as support of its move, unless it says hold.

    It is offered if the text may mean something else.
    """
    order = each.order
    if not isinstance(order, types.SupportHold) or each.status is Status.DOUBTED:
        return each
    if each.strict or each.holds:
        return each
    for other in kept:
        moves = other.order
        certain = other.status in {Status.PLAIN, Status.OFFERED}
        if isinstance(moves, types.Move) and moves.unit == order.supported and certain:
            helping = types.SupportMove(order.unit, order.supported, moves.target)
            helper = world.own[order.unit.province]
            near = world.reach(helper, types.province_of(moves.target)) == 0
            stays = world.reach(helper, order.supported.province) == 0
            cost = each.cost if stays else each.cost - CANNOT_HELP
            unsure = each.status is not Status.PLAIN and each.cost <= CARRIED_OUT_MAX
            plain = near and cost <= CARRIED_OUT_MAX and len(each.orders) == 1 and not unsure
            status = other.status if plain else Status.OFFERED
            return replace(each, status=status, orders=(helping,), cost=cost)
        if isinstance(moves, types.Move) and moves.unit == order.supported:
            return replace(each, status=max(each.status, Status.OFFERED, key=RANK.__getitem__))
    return each


def _as_carrying(each: ReadOrder, kept: Sequence[ReadOrder], world: World) -> ReadOrder:
    """Return help in words by the one fleet that can carry an army across as its convoy.

    `Die Armee aus Yorkshire setzt mit Hilfe der Flotte in der Nordsee nach Norwegen über`.
    """
    order = each.order
    if each.strict or not isinstance(order, types.SupportMove):
        return each
    fleet, army = world.own.get(order.unit.province), world.own.get(order.supported.province)
    target = types.province_of(order.target)
    crosses = army is not None and army.kind is UnitKind.ARMY and world.reach(army, target) != 0
    if not (crosses and fleet and army and world.is_sea(fleet.province)):
        return each
    carries = world.reach(fleet, army.province) == 0 and world.reach(fleet, target) == 0
    others = any(
        isinstance(one.order, types.Convoy) and one.order.army == order.supported for one in kept
    )
    if not carries or others:
        return each
    convoy = types.Convoy(order.unit, order.supported, order.target)
    return replace(each, orders=(convoy,))


def _with_move_helped(each: ReadOrder, kept: Sequence[ReadOrder]) -> ReadOrder:
    """Offer support in words for a move of an own unit that is no longer ordered."""
    helping = each.order
    if (
        not isinstance(helping, types.SupportMove)
        or each.status is not Status.PLAIN
        or each.strict
    ):
        return each
    orders = [other for other in kept if place_of(other) == helping.supported.province]
    given = any(
        isinstance(other.order, types.Move)
        and types.province_of(other.order.target) == types.province_of(helping.target)
        and other.status is not Status.ASKED
        for other in orders
    )
    return each if given or not orders else replace(each, status=Status.OFFERED)


def place_of(each: ReadOrder) -> Province | None:
    """Return where the unit stands that *each* is for."""
    return None if isinstance(each.order, types.Waive) else each.order.unit.province
