"""The orders of one power: those due, those given, and the commitment to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from judge.game import visibility
from judge.game.future_orders import plan_lines
from judge.game.game_state import Game
from judge.game.payloads import orders_from_texts
from judge.game.phases import has_ordered_all, unfit_planned_orders
from judge.game.submission import contradictory_orders, excess_adjustments
from judge.reports.board_names import short_unit, with_owners_named
from judge.reports.emails.contexts import Heading, SuggestedReply, word_replies
from judge.rules import types
from judge.rules.board import Map, Terrain
from judge.rules.outcomes import Impossible
from judge.rules.phase_sequence import has_choice, open_build_sites, orders_due, units_to_order


@dataclass(frozen=True, slots=True)
class KeptOrders:
    """The orders of a power for *phase*, which is still to come, a line for each unit."""

    phase: types.Phase
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderStatus:
    """The current orders of the reader's power.

    *standing* are its orders, *missing* its units without one. *to_order* counts the units, builds
    or removals that need an order (none without a choice), *vain* the orders that can never be
    carried out, *beyond* those that are more than are due. *complete* says that the phase needs
    nothing more from the power. *kept* is for later phases, *unfit* was ordered in advance and no
    longer fits. The *draw* that it accepts is among all survivors, or the powers in *among*.
    """

    power: types.Power
    standing: tuple[OrderTaken, ...]
    missing: tuple[types.Unit, ...]
    to_order: int
    vain: int
    complete: bool
    waiting: bool
    ready: bool
    ready_needed: bool
    draw: bool
    concedes_to: types.Power | None
    beyond: int = 0
    draw_among: tuple[types.Power, ...] = ()
    kept: tuple[KeptOrders, ...] = ()
    unfit: tuple[OrderRejected, ...] = ()

    @property
    def given(self) -> int:
        """Return how many of the orders due are given."""
        counting = len(self.standing) - self.beyond
        if counting > self.to_order:  # Of adjustments more than are due some cannot be done.
            counting -= self.vain
        return min(counting, self.to_order - len(self.missing))

    @property
    def unfit_elsewhere(self) -> tuple[OrderRejected, ...]:
        """Return the orders that no longer fit and are not shown among the current ones."""
        standing = {each.order for each in self.standing}
        return tuple(each for each in self.unfit if each.order not in standing)

    @property
    def contradictory(self) -> int:
        """Count the supports and convoys that contradict another order of the power."""
        return sum(each.contradicts is not None for each in self.standing)

    @property
    def superfluous(self) -> bool:
        """Return whether orders that cannot be carried out come on top of all that are due."""
        return self.vain > 0 and len(self.standing) - self.beyond > self.to_order

    @property
    def waits_for_ready(self) -> bool:
        """Return whether only READY is missing."""
        enough = self.given >= self.to_order > 0 and not self.vain
        return self.ready_needed and not self.ready and enough


@dataclass(frozen=True, slots=True)
class OrderTaken:
    """An accepted order; it may be *impossible*, or replace *instead_of* of the same email.

    *meant* is the order it is read as, if it differs from the text; *choices* are the possible
    coasts if it names none. It may be the first of *wishes* that can be done. It may be a support
    or a convoy that *contradicts* another order of its power.
    """

    order: types.Order
    impossible: Impossible | None = None
    instead_of: types.Order | None = None
    meant: types.Order | None = None
    choices: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    contradicts: types.Order | None = None


@dataclass(frozen=True, slots=True)
class OrderRejected:
    """An order that changes nothing, since it is *impossible*; *choices* as in `OrderTaken`."""

    order: types.Order
    impossible: Impossible
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Commitment:
    """The digest of a power's set of *orders*, as the log has them, and of a nonce."""

    digest: str
    nonce: str
    orders: tuple[str, ...] = ()


def order_status_of(
    board: Map, game: Game, power: types.Power, reader: visibility.Reader | None = None
) -> OrderStatus | None:
    """Return the orders of *power* as *reader*, by default its player, may know them.

    Return None while no phase is open.
    """
    seen = visibility.view(game, reader or visibility.Player(power))
    if game.position is None or seen.phase is None:
        return None
    orders = orders_from_texts(seen.phase.standing.get(power, ()))
    ordered = {order.unit.province for order in orders if not isinstance(order, types.Waive)}
    missing = [u for u in units_to_order(game.position, power) if u.province not in ordered]
    visible = visibility.visible_provinces(board, game, game.position, power)
    known = visibility.position_within(game.position, visible, power)
    faults = [
        visibility.visible_fault(board, game.position, power, each, game.rulebook, visible)
        for each in orders
    ]
    possible = [(i, each) for i, each in enumerate(orders) if faults[i] is None]
    void = excess_adjustments(board, game.position, game.rulebook, power, possible)
    other = dict(contradictory_orders(order for _, order in possible))
    against = {i: other[each] for i, each in possible if each in other}
    free = has_choice(board, game.position, power)
    lapsed = unfit_planned_orders(board, game, power) if power in seen.phase.planned else ()
    return OrderStatus(
        power=power,
        standing=tuple(
            OrderTaken(
                with_owners_named(order, known, power, why),
                why or void.get(i),
                contradicts=against.get(i),
            )
            for i, (order, why) in enumerate(zip(orders, faults, strict=True))
        ),
        missing=tuple(missing),
        to_order=orders_due(board, game.position, power) if free else 0,
        beyond=len(void),
        vain=len(faults) - faults.count(None),
        complete=has_ordered_all(board, game, power),
        waiting=power in seen.phase.waiting,
        ready=power in seen.phase.ready,
        ready_needed=game.house_rules.need_ready,
        draw=power in seen.draw_votes,
        concedes_to=seen.concessions.get(power),
        draw_among=seen.draw_lists.get(power, ()),
        kept=_kept_orders(seen, power),
        unfit=tuple(
            OrderRejected(with_owners_named(order, known, power, why), why)
            for order, why in lapsed
        ),
    )


def _kept_orders(seen: visibility.GameView, power: types.Power) -> tuple[KeptOrders, ...]:
    plans = seen.plans.get(power, {})
    lines = {code: plan_lines(plan) for code, plan in plans.items()}
    lines |= {code: (*lines.get(code, ()), "WAIT") for code in seen.waits}
    kept = (KeptOrders(types.Phase.parse(code), texts) for code, texts in lines.items())
    return tuple(sorted(kept, key=lambda each: each.phase))


@dataclass(frozen=True, slots=True)
class ToMove:
    """Each of *units* needs an order."""

    phase: types.Phase
    units: tuple[types.Unit, ...]


@dataclass(frozen=True, slots=True)
class ToRetreat:
    """Each of *units* must retreat or disband."""

    phase: types.Phase
    units: tuple[types.DislodgedUnit, ...]


@dataclass(frozen=True, slots=True)
class ToBuild:
    """Up to *number* of *choices* may be built, one in a center."""

    phase: types.Phase
    number: int
    choices: tuple[types.Unit, ...]


@dataclass(frozen=True, slots=True)
class ToRemove:
    """*number* of *units* must be removed."""

    phase: types.Phase
    number: int
    units: tuple[types.Unit, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """The power has no orders to give in this phase."""

    phase: types.Phase


OrdersDue: TypeAlias = ToMove | ToRetreat | ToBuild | ToRemove | Nothing


def orders_due_of(board: Map, position: types.Position, power: types.Power) -> OrdersDue:
    """Return the orders due from *power*."""
    phase = position.phase
    match phase.kind:
        case types.PhaseKind.MOVEMENT:
            units = position.units_of(power)
            return ToMove(phase, units) if units else Nothing(phase)
        case types.PhaseKind.RETREATS:
            dislodged = tuple(each for each in position.dislodged_of(power) if each.retreats)
            return ToRetreat(phase, dislodged) if dislodged else Nothing(phase)
        case types.PhaseKind.ADJUSTMENTS:
            return _adjustments_due(board, position, power)


def _adjustments_due(board: Map, position: types.Position, power: types.Power) -> OrdersDue:
    owed = position.due(power)
    homes = open_build_sites(board, position, power)
    if owed > 0 and homes:
        choices = tuple(unit for home in homes for unit in _possible_builds(board, power, home))
        return ToBuild(position.phase, min(owed, len(homes)), choices)
    if has_choice(board, position, power):
        return ToRemove(position.phase, -owed, position.units_of(power))
    return Nothing(position.phase)


def _possible_builds(board: Map, power: types.Power, home: types.Province) -> Iterator[types.Unit]:
    """Yield the units that can be built in *home*: an army, and a fleet on each coast."""
    yield types.Unit(power, types.UnitKind.ARMY, home)
    if board.places[home].terrain is Terrain.COAST:
        for coast in board.coasts_of(home) or (home,):
            yield types.Unit(power, types.UnitKind.FLEET, coast)


ORDER_LINES_MAX = 34  # the longest set of orders


def order_form(heading: Heading, duty: OrdersDue | None) -> tuple[SuggestedReply, ...]:
    """Return the reply in which the reader completes one line for each order due."""
    board = heading.board
    lines = _order_lines(board, duty)[:ORDER_LINES_MAX] if board and duty else ()
    return (SuggestedReply("orders", "\n".join(lines)),) if lines else ()


def _order_lines(board: Map, duty: OrdersDue) -> Sequence[str]:
    match duty:
        case ToMove(units=units):
            return [f"{short_unit(board, unit)} " for unit in units]
        case ToRetreat(units=dislodged):
            return [f"{short_unit(board, each.unit)} " for each in dislodged]
        case ToBuild(number=number):
            return ["Build "] * number
        case ToRemove(number=number):
            return ["Remove "] * number
        case Nothing():
            return ()
        case _:
            assert_never(duty)


def vote_replies(state: OrderStatus) -> tuple[SuggestedReply, ...]:
    """Return the votes that the reader may cast in the open phase: WAIT, READY, DRAW."""
    words = ["nowait" if state.waiting else "wait"] if state.to_order else []
    words += ["ready"] if state.waits_for_ready else []
    drawn = SuggestedReply("nodraw", "NO DRAW") if state.draw else SuggestedReply("draw", "DRAW")
    return (*word_replies(*words), drawn)
