"""The rules of Diplomacy: pure functions from a position and orders to what becomes of them.

Call `adjudicate(board, position, orders, rulebook)`. The board is made once from the files
of a variant, the position says what stands where in which phase, the orders are values:

    >>> from judge.adapters.variant_files import load_map
    >>> from judge.rules import Move, UnitKind, UnitName, adjudicate, result_words
    >>> board = load_map("standard")
    >>> fleet, army = UnitName(UnitKind.FLEET, "TRI"), UnitName(UnitKind.ARMY, "VEN")
    >>> orders = {"AUSTRIA": [Move(fleet, "VEN")], "ITALY": [Move(army, "TRI")]}
    >>> result = adjudicate(board, board.start, orders)
    >>> [result_words(outcome) for outcome in result.outcomes]
    [('fails',), ('fails',)]
    >>> result.outcomes[0].verdict.cause
    HeadOn(attack=Strength(unit='TRI', ...), opponent=Strength(unit='VEN', ...))
    >>> result.after.phase.code
    'F1901M'

`explain` tells why an order came out so, and any position can be built from units:

    >>> from judge.rules import Phase, Position, Unit, explain
    >>> explain(result, orders["ITALY"][0]).rule
    Rule(section='VIII', datc=None)
    >>> alone = Position(Phase.parse("S1901M"), (Unit("ITALY", UnitKind.ARMY, "VEN"),), {})
    >>> adjudicate(board, alone, {"ITALY": [Move(army, "TRI")]}).after.units
    (Unit(power='ITALY', kind=<UnitKind.ARMY: 'A'>, location='TRI'),)

The default rulebook is that of DATC 3.2; `named("1982,fleet_inland=army")` is another.
Whatever is ordered, nothing is raised: an order that cannot be is `Illegal`, and says why. The
position `after` can be adjudicated in turn. Inside this project import the leaves, not this page.
"""

from typing import TYPE_CHECKING

from judge.rules.adjudication import RESOLVER_VERSION, adjudicate
from judge.rules.board import Map
from judge.rules.legality import completed_order, impossibility
from judge.rules.outcomes import Adjudication, Outcome, result_words
from judge.rules.phase_sequence import duties, has_choice, winner
from judge.rules.rulebook import (
    DATC,
    Rulebook,
    UnknownRulebookError,
    rulebook_name,
    rulebook_named,
)
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    DislodgedUnit,
    Hold,
    Move,
    Order,
    Phase,
    Position,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    Waive,
)

if TYPE_CHECKING:
    from judge.rules.reasons import Reason, explain
else:

    def __getattr__(name: str) -> object:
        """Import the reasons on first use."""
        if name not in {"Reason", "explain"}:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from judge.rules import reasons  # noqa: PLC0415 - seldom used

        return getattr(reasons, name)


__all__ = [
    "DATC",
    "RESOLVER_VERSION",
    "Adjudication",
    "Build",
    "Convoy",
    "Disband",
    "DislodgedUnit",
    "Hold",
    "Map",
    "Move",
    "Order",
    "Outcome",
    "Phase",
    "Position",
    "Reason",
    "Retreat",
    "Rulebook",
    "SupportHold",
    "SupportMove",
    "Unit",
    "UnitKind",
    "UnitName",
    "UnknownRulebookError",
    "Waive",
    "adjudicate",
    "completed_order",
    "duties",
    "explain",
    "has_choice",
    "impossibility",
    "result_words",
    "rulebook_name",
    "rulebook_named",
    "winner",
]
