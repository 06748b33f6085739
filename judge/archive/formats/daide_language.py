"""The language of DAIDE: tokens, messages, and the orders and units they name.

    ORD ( SPR #1901 ) ( ( ENG FLT LON ) MTO NTH ) ( SUC )

Text is spelled letter by letter, `( A l b e r t )`, or quoted. Servers may name the wrong power
for a supported unit of another power, so the power is read only for the ordered unit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from judge.errors import abridged
from judge.rules import types
from judge.rules.board import Map

Node: TypeAlias = "str | tuple[Node, ...]"
Message: TypeAlias = "tuple[Node, ...]"

TOKEN = re.compile(r"[(),]|'[^']*'|[^\s(),']+")
NUMBER = re.compile(r"#?([0-9]{1,4})")  # a token has 13 bits for a number
DEPTH_MAX = 32  # nested brackets; even press about press has fewer than ten
TURNS = {"SPR": "S{}M", "SUM": "S{}R", "FAL": "F{}M", "AUT": "F{}R", "WIN": "W{}A"}
KINDS = {"AMY": types.UnitKind.ARMY, "FLT": types.UnitKind.FLEET}
CODES = {"ECH": "ENG", "GOB": "BOT", "GOL": "LYO"}  # DAIDE's where ours differ
NOBODY = "UNO"
BOARDS_MAX = 16  # cached


class UnknownTokenError(ValueError):
    """A token or group of tokens is not of the expected kind."""

    def __init__(self, node: Node, what: str) -> None:
        super().__init__(f"{abridged(format_node(node))} is not {what}")


def messages(text: str) -> list[Message]:
    """Read the comma-separated messages in *text*. Raises `UnknownTokenError`."""
    found: list[Message] = []
    stack: list[list[Node]] = [[]]
    for token in TOKEN.findall(text):
        match token:
            case "(" if len(stack) > DEPTH_MAX:
                raise UnknownTokenError(text, "a message: its brackets are nested too deep")
            case "(":
                stack.append([])
            case ")" if len(stack) > 1:
                group = tuple(stack.pop())
                stack[-1].append(group)
            case ")":
                raise UnknownTokenError(text, "a message: it closes one bracket too many")
            case "," if len(stack) == 1:
                found.append(tuple(stack.pop()))
                stack.append([])
            case _:
                stack[-1].append(token)
    if len(stack) > 1:
        raise UnknownTokenError(text, "a message: a bracket is not closed")
    return [*found, tuple(stack[0])]


def format_node(node: Node) -> str:
    """Write *node* with spaces between tokens."""
    return node if isinstance(node, str) else " ".join(["(", *map(format_node, node), ")"])


def spelled_text(node: Node) -> str:
    """Return the text of a node that is spelled letter by letter or quoted."""
    return node.strip("'") if isinstance(node, str) else "".join(map(spelled_text, node))


def require_group(node: Node) -> Message:
    """Return the tokens in a bracket. Raises `UnknownTokenError`."""
    if isinstance(node, str):
        raise UnknownTokenError(node, "a group in brackets")
    return node


def read_number(node: Node) -> int:
    """Read a number, `#1901` or `1901`. Raises `UnknownTokenError`."""
    found = NUMBER.fullmatch(node) if isinstance(node, str) else None
    if not found:
        raise UnknownTokenError(node, "a number")
    return int(found[1])


def read_phase(node: Node) -> types.Phase:
    """Read a turn, `( SPR #1901 )`. Raises `UnknownTokenError`."""
    match node:
        case (str(season), year) if season in TURNS:
            return types.Phase.parse(TURNS[season].format(f"{read_number(year):04}"))
        case _:
            raise UnknownTokenError(node, "a turn")


class Tokens:
    """Read and write the tokens of one board. Its readers raise `UnknownTokenError`."""

    def __init__(self, board: Map) -> None:
        self.board = board
        self._powers: Mapping[str, types.Power] = {power[:3]: power for power in board.powers}

    def power(self, node: Node) -> types.Power:
        """Read a power, `AUS`."""
        if not isinstance(node, str) or node not in self._powers:
            raise UnknownTokenError(node, "a power")
        return self._powers[node]

    def location(self, node: Node) -> types.Location:
        """Read a location, `NTH` or `( STP NCS )`."""
        match node:
            case str(province):
                location = CODES.get(province, province)
            case (str(province), str(coast)) if coast.endswith("CS"):
                location = f"{CODES.get(province, province)}/{coast.removesuffix('S')}"
            case _:
                location = ""
        if location not in self.board.locations:
            raise UnknownTokenError(node, f"a province of the {self.board.name} map")
        return location

    def unit(self, node: Node) -> types.Unit:
        """Read a unit, `( ENG FLT LON )`."""
        match node:
            case (power, "AMY" | "FLT" as kind, place):
                return types.Unit(self.power(power), KINDS[kind], self.location(place))
            case _:
                raise UnknownTokenError(node, "a unit")

    def order(self, node: Node) -> tuple[types.Power, types.Order]:
        """Read an order, `( ( ENG FLT LON ) MTO NTH )`, and its power."""
        match node:
            case (power, "WVE"):
                return self.power(power), types.Waive()
            case (actor, *words) if not isinstance(actor, str):
                unit = self.unit(actor)
                order = self._order(unit.named(), tuple(words))
                if order:
                    return unit.power, order
            case _:
                pass
        raise UnknownTokenError(node, "an order")

    def _order(  # noqa: PLR0911 - one return a kind of order
        self, unit: types.UnitName, words: Message
    ) -> types.Order | None:
        match words:
            case ("HLD",):
                return types.Hold(unit)
            case ("BLD",):
                return types.Build(unit)
            case ("REM" | "DSB",):
                return types.Disband(unit)
            case ("RTO", target):
                return types.Retreat(unit, self.location(target))
            case ("SUP", other):
                return types.SupportHold(unit, self.unit(other).named())
            case ("SUP", other, "MTO", target):
                return types.SupportMove(unit, self.unit(other).named(), self.location(target))
            case ("CVY", army, "CTO", target):
                return types.Convoy(unit, self.unit(army).named(), self.location(target))
            case _:
                return self._move(unit, words)

    def _move(self, unit: types.UnitName, words: Message) -> types.Order | None:
        match words:
            case ("MTO", target):
                return types.Move(unit, self.location(target))
            case ("CTO", target):
                return types.Move(unit, self.location(target), via_convoy=True)
            case ("CTO", target, "VIA", (*seas,)):
                route = tuple(types.province_of(self.location(sea)) for sea in seas)
                return types.Move(unit, self.location(target), via_convoy=True, route=route)
            case _:
                return None


@lru_cache(BOARDS_MAX)
def tokens_of(board: Map) -> Tokens:
    """Return the tokens of *board*, cached."""
    return Tokens(board)
