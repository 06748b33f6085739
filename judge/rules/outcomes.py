"""Verdicts on orders in the words of DATC 3.2, their causes, and the result of a phase.

The words of the verdicts are those of DATC 3.2 (section 4.E.2): a hold *stands*; a move is
*illegal*, *invalid*, it *fails* or *succeeds*; a support is *illegal*, *invalid*, *cut* or
*given*; a convoy is *illegal*, *invalid*, *disrupted* or *available*. Illegal means impossible in
this position whatever the other orders, and the unit holds; invalid means possible, but matched by
no other order. A unit can also be *dislodged*, or *destroyed* if it has no retreat. Provinces in
causes are those in which the named units began the phase.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias, assert_never, get_args

from judge.rules.fast_dataclass import fast_constructor
from judge.rules.rule_options import ConvoyParadoxes
from judge.rules.types import Build, Location, Order, Position, Power, Province, Unit


class Impossible(Enum):
    """A reason why an order can never be carried out in this position (DATC 4.E.1)."""

    NO_SUCH_UNIT = "no_such_unit"  # no unit where the ordered one should be
    NO_OTHER_UNIT = "no_other_unit"  # no unit where the supported or convoyed one should be
    NOT_YOURS = "not_yours"  # DATC 6.A.6
    WRONG_PHASE = "wrong_phase"  # a support in a retreat phase, a build in a movement phase
    SAME_PROVINCE = "same_province"  # DATC 6.A.4
    UNREACHABLE = "unreachable"  # neither by land nor by any convoy
    FLEET_UNREACHABLE = "fleet_unreachable"  # over no border that a fleet can cross
    NO_WAY_BY_SEA = "no_way_by_sea"  # by convoy it is ordered, though no fleet could carry it
    ROUTE_IMPOSSIBLE = "route_impossible"  # over the seas that it names: DATC 4.A.6
    COAST_NEEDED = "coast_needed"  # DATC 4.B.1, 4.B.7
    COAST_OMITTED = "coast_omitted"  # only one can be reached, and must be named: DATC 4.B.2
    COAST_UNREACHABLE = "coast_unreachable"  # DATC 4.B.3, in a support 4.B.4
    STANDING_COAST_WRONG = "standing_coast_wrong"  # the fleet is not where named: DATC 4.B.5
    COAST_SUPERFLUOUS = "coast_superfluous"  # there is none, or it is for an army: DATC 4.B.6
    OTHER_COAST = "other_coast"  # possible only from the coast named, where it is not: DATC 6.B.11
    SUPPORTER_CANNOT_REACH = "supporter_cannot_reach"  # rulebook IX.1
    SUPPORTED_CANNOT_REACH = "supported_cannot_reach"  # the supported order is itself impossible
    SELF_SUPPORT = "self_support"  # DATC 6.A.8
    NOT_AT_SEA = "not_at_sea"  # an army or a fleet in a coastal province convoys
    FLEET_CONVOYED = "fleet_convoyed"  # DATC 6.A.7 and the like
    NO_ROUTE = "no_route"  # the convoying fleet is on no possible route
    DUPLICATE = "duplicate"  # of several orders for it the first counts (DATC 4.D.3, 4.D.5)
    DUPLICATE_LAST = "duplicate_last"  # the last counts
    DUPLICATE_NONE = "duplicate_none"  # none counts
    DUPLICATE_SAME = "duplicate_same"  # the very same order was given before
    DUPLICATE_NAMED = "duplicate_named"  # another names its units properly (DATC 4.C)
    NOT_A_RETREAT = "not_a_retreat"  # no retreat open to the unit, for a reason not recorded
    RETREAT_UNREACHABLE = "retreat_unreachable"  # it could not move there without a convoy
    RETREAT_OCCUPIED = "retreat_occupied"  # by another unit
    RETREAT_CONTESTED = "retreat_contested"  # a standoff left it empty
    RETREAT_TO_ATTACKER = "retreat_to_attacker"  # from there it was attacked: DATC 6.H.5
    RETREAT_TO_CONVOYED = "retreat_to_convoyed"  # likewise, by convoy: DATC 4.A.5
    NOT_DISLODGED = "not_dislodged"
    NOT_A_CENTER = "not_a_center"
    NOT_A_HOME_CENTER = "not_a_home_center"
    HOME_CENTERS_LOST = "home_centers_lost"
    CENTER_NOT_OWNED = "center_not_owned"
    OCCUPIED = "occupied"
    NO_FLEET_INLAND = "no_fleet_inland"  # DATC 4.C.4, in a move 6.A.3
    NO_ARMY_AT_SEA = "no_army_at_sea"  # in a move DATC 6.A.2
    KIND_NEEDED = "kind_needed"  # DATC 4.C.1, 4.C.3
    KIND_WRONG = "kind_wrong"  # DATC 4.C.2
    POWER_NEEDED = "power_needed"  # DATC 4.C.5
    POWER_WRONG = "power_wrong"  # DATC 4.C.6
    ROUTE_NEEDED = "route_needed"  # DATC 4.A.6
    WAIVE_NOT_ALLOWED = "waive_not_allowed"  # DATC 4.D.7
    TOO_MANY = "too_many"  # of more than are due the first count (DATC 4.D.4, 4.D.6)
    TOO_MANY_LAST = "too_many_last"  # the last count
    TOO_MANY_NONE = "too_many_none"  # none counts
    TOO_MANY_UNASKED = "too_many_unasked"  # those count that would go unasked
    NOTHING_DUE = "nothing_due"  # a build without a right to it, a removal without need


class Unmatched(Enum):
    """A reason why a possible order is void: the order that it relies on was not given."""

    NO_SUCH_MOVE = "no_such_move"  # the supported unit was ordered otherwise
    SUPPORTED_MOVES = (
        "supported_moves"  # support to hold for a unit ordered to move (rulebook IX.6)
    )
    NO_CONVOY = "no_convoy"  # no chain of fleets was ordered to carry the army
    ARMY_NOT_CONVOYED = "army_not_convoyed"  # the army was ordered otherwise
    COAST_MISMATCH = "coast_mismatch"  # DATC 4.B.4
    POWER_ABSENT = "power_absent"  # the unit's power gave no order at all (DATC 4.D.9)


@dataclass(frozen=True, slots=True)
class Strength:
    """A strength: a unit and the supports that count for it, by province.

    *discounted* are supporters whose support was given and did not count, because the unit to be
    dislodged is of their own power (rulebook IX.3).
    """

    unit: Province
    supporters: tuple[Province, ...] = ()
    discounted: tuple[Province, ...] = ()

    @property
    def total(self) -> int:
        """Return the strength as a number."""
        return 1 + len(self.supporters)

    @property
    def given(self) -> int:
        """Return the strength as if every support that was given counted."""
        return self.total + len(self.discounted)

    @property
    def undiscounted(self) -> Strength:
        """Return the strength with every support that was given, as it prevents other moves."""
        return Strength(self.unit, tuple(sorted((*self.supporters, *self.discounted))))


@dataclass(frozen=True, slots=True)
class StoodOff:
    """Others attacked the same province with at least the same strength (rulebook VIII, IX.4)."""

    attack: Strength
    rivals: tuple[Strength, ...]


@dataclass(frozen=True, slots=True)
class HeldOff:
    """The unit in the target stayed, at least as strong (rulebook VIII)."""

    attack: Strength
    defender: Strength


@dataclass(frozen=True, slots=True)
class HeadOn:
    """The unit lost or drew a head-to-head battle (rulebook VIII)."""

    attack: Strength
    opponent: Strength


@dataclass(frozen=True, slots=True)
class OwnUnit:
    """The unit in the target stayed and is the attacker's own (rulebook IX.3)."""

    attack: Strength
    defender: Province


@dataclass(frozen=True, slots=True)
class ConvoyBroken:
    """Fleets of the convoy were dislodged, and no route was left.

    Or one was left, *other_route*, and by this rulebook that does not help (DATC 4.A.1), nor if
    the order names one (4.A.6).
    """

    fleets: tuple[Province, ...]
    other_route: bool = False


@dataclass(frozen=True, slots=True)
class ConvoyParadox:
    """The convoy depended on itself, so it does not take place (DATC 4.A.2)."""

    fleets: tuple[Province, ...]


@dataclass(frozen=True, slots=True)
class ParadoxHold:
    """The move was part of a convoy paradox in which all moves fail (DATC 4.A.2 `all_hold`)."""

    fleets: tuple[Province, ...]


@dataclass(frozen=True, slots=True)
class Futile:
    """The move could never be carried out, and counts as a move all the same (DATC 4.E.1)."""

    why: Impossible


@dataclass(frozen=True, slots=True)
class RetreatsClash:
    """Two or more units retreated to the same province: all are disbanded."""

    rivals: tuple[Province, ...]


FailCause: TypeAlias = (
    StoodOff
    | HeldOff
    | HeadOn
    | OwnUnit
    | ConvoyBroken
    | ConvoyParadox
    | ParadoxHold
    | Futile
    | RetreatsClash
)


@dataclass(frozen=True, slots=True)
class Illegal:
    """Impossible in this position whatever the other orders: ignored, the unit holds."""

    why: Impossible


@dataclass(frozen=True, slots=True)
class Invalid:
    """Possible, but unmatched; *instead* is the order of the other unit, if it has one."""

    why: Unmatched
    instead: Order | None = None


@dataclass(frozen=True, slots=True)
class Stands:
    """A hold; if the unit was dislodged, its fate has that."""


@dataclass(frozen=True, slots=True)
class Succeeds:
    """The order succeeded; a move has its *attack* strength and the seas of its convoy *route*."""

    attack: Strength | None = None
    route: tuple[Province, ...] = ()


@dataclass(frozen=True, slots=True)
class Fails:
    """The move or retreat was possible and failed."""

    cause: FailCause


@dataclass(frozen=True, slots=True)
class Given:
    """The support was not cut."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The support was cut by an attack from *by*, or because *by* dislodged the supporter."""

    by: Province


@dataclass(frozen=True, slots=True)
class Available:
    """The convoying fleet was not dislodged."""


@dataclass(frozen=True, slots=True)
class Disrupted:
    """The fleet was dislodged by the unit from *by*, or its convoy was a paradox (None).

    If the army went by land then (DATC 4.A.3), and the attack failed for it, it was not dislodged
    in the end.
    """

    by: Province | None


Verdict: TypeAlias = (
    Illegal | Invalid | Stands | Succeeds | Fails | Given | Cut | Available | Disrupted
)


@dataclass(frozen=True, slots=True)
class Dislodged:
    """The unit was dislodged by the one from *by*, and can retreat to *retreats*."""

    by: Province
    strength: Strength
    retreats: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Destroyed:
    """The unit was dislodged by the one from *by*, without a retreat."""

    by: Province
    strength: Strength


Fate: TypeAlias = Dislodged | Destroyed

HUMP = re.compile(r"(?<!^)(?=[A-Z])")


def word_of(kind: type) -> str:
    """Return the name of the class *kind* in logs, JSON and templates: `stood_off`."""
    return HUMP.sub("_", kind.__name__).lower()


WORDS: Mapping[type, str] = {  # never rename one of these: its word stands in the logs of games
    each: word_of(each)
    for each in (*get_args(Verdict), *get_args(FailCause), *get_args(Fate), Strength)
}


@dataclass(frozen=True, slots=True)
class Paradox:
    """Convoys that depended on themselves, and the *rule* that decided (DATC 4.A.2).

    *convoys* are the fleets in the paradox, *moves* the units whose moves are part of it. If the
    rule of the rulebook had no answer, Szykman's *stood_in*.
    """

    convoys: tuple[Province, ...]
    moves: tuple[Province, ...]
    rule: ConvoyParadoxes
    stood_in: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """One order of a power, with the verdict on it and the fate of its unit.

    *written* is false where there was no order: for a hold that is supposed, or a first army.
    *by_land* is true for an army that went by land though a convoy was ordered or asked for (DATC
    4.A.3).
    """

    power: Power
    order: Order
    verdict: Verdict
    fate: Fate | None = None
    written: bool = True
    by_land: bool = False


new_outcome = fast_constructor(Outcome)


def result_words(outcome: Outcome) -> tuple[str, ...]:
    """Return *outcome* in the words of DATC 3.2: `("fails", "dislodged")`.

    A hold that is dislodged is only `("dislodged",)`.
    """
    verdict, fate = _verdict_word(outcome), _fate_word(outcome.fate)
    if fate is None:
        return (verdict,)
    return (fate,) if verdict == "stands" else (verdict, fate)


def _verdict_word(outcome: Outcome) -> str:
    match outcome.verdict:
        case Illegal(Impossible.OTHER_COAST | Impossible.COAST_OMITTED):
            return "fails"  # DATC 6.B.11 and 6.B.2, which have their own word for it
        case Illegal(Impossible.COAST_NEEDED) if isinstance(outcome.order, Build):
            return "fails"  # DATC 6.B.14, likewise
        case verdict:
            return WORDS[type(verdict)]


def _fate_word(fate: Fate | None) -> str | None:
    match fate:
        case None:
            return None
        case Dislodged():
            return "dislodged"
        case Destroyed():
            return "destroyed"
        case _:
            assert_never(fate)


RESULT_MARKS = "bounce", "cut", "void", "no convoy", "disrupted", "dislodged", "destroyed"


def result_marks(outcome: Outcome) -> tuple[str, ...]:
    """Return the `RESULT_MARKS` that judges print behind an order: `("bounce", "dislodged")`.

    There is none if all went as ordered.
    """
    marks = _verdict_mark(outcome.verdict), _fate_word(outcome.fate)
    return tuple(each for each in marks if each)


def _verdict_mark(verdict: Verdict) -> str | None:
    match verdict:
        case Fails(ConvoyBroken() | ConvoyParadox()) | Disrupted():
            return "disrupted"
        case Invalid(Unmatched.NO_CONVOY):
            return "no convoy"
        case Fails(Futile()) | Illegal() | Invalid():
            return "void"
        case Fails():
            return "bounce"
        case Cut():
            return "cut"
        case Stands() | Succeeds() | Given() | Available():
            return None
        case _:
            assert_never(verdict)


class OutcomeSource(ABC):
    """Makes the outcomes of orders, and of units without one, on first use."""

    _outcomes: tuple[Outcome, ...] | None = None
    _unordered: tuple[Outcome, ...] | None = None

    @abstractmethod
    def of_orders(self) -> tuple[Outcome, ...]:
        """Return a new outcome for each order."""

    @abstractmethod
    def of_unordered(self) -> tuple[Outcome, ...]:
        """Return a new outcome for each unit without an order."""

    def outcomes(self) -> tuple[Outcome, ...]:
        """Return an outcome for each order, always the same ones."""
        if self._outcomes is None:
            self._outcomes = self.of_orders()
        return self._outcomes

    def unordered(self) -> tuple[Outcome, ...]:
        """Return an outcome for each unit without an order, always the same ones."""
        if self._unordered is None:
            self._unordered = self.of_unordered()
        return self._unordered


class DeferredOutcomes(OutcomeSource):
    """Makes outcomes by calling the functions given."""

    def __init__(
        self,
        orders: Callable[[], tuple[Outcome, ...]],
        silence: Callable[[], tuple[Outcome, ...]] = tuple,
    ) -> None:
        self._orders, self._silence = orders, silence

    def of_orders(self) -> tuple[Outcome, ...]:
        return self._orders()

    def of_unordered(self) -> tuple[Outcome, ...]:
        return self._silence()


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The result of one phase; outcomes are made on first use.

    *after* is the position of the next phase with anything to order. *contested* are the provinces
    that a bounce left empty. *removed* are the units that civil disorder removed in adjustments;
    *disbanded* are all that left the board in a retreat phase, by order, without one, or by a
    bounce.
    """

    _source: OutcomeSource = field(repr=False, compare=False)
    after: Position
    contested: frozenset[Province] = frozenset()
    removed: tuple[Unit, ...] = ()
    disbanded: tuple[Unit, ...] = ()
    paradoxes: tuple[Paradox, ...] = ()

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Return an outcome for each order, in the order given."""
        return self._source.outcomes()

    @property
    def unordered(self) -> tuple[Outcome, ...]:
        """Return the outcomes supposed without an order: of a hold, a disband, a first army."""
        return self._source.unordered()


@dataclass(frozen=True, slots=True)
class ValidatedOrders:
    """The orders *given* with their powers, *faults* by index, and the *counting* one by province.

    A waived build has no province: it counts if it has no fault.
    """

    given: Sequence[tuple[Power, Order]]
    faults: Mapping[int, Impossible]
    counting: Mapping[Province, int]


def outcomes_of(
    validated: ValidatedOrders,
    faults: Mapping[int, Impossible],
    verdict: Callable[[Order], Verdict],
) -> tuple[Outcome, ...]:
    """Return an outcome for each order of *validated*: its fault, or what *verdict* says."""
    return tuple(
        Outcome(power, order, Illegal(faults[index]) if index in faults else verdict(order))
        for index, (power, order) in enumerate(validated.given)
    )
