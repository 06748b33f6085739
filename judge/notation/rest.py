"""Clauses about all units that no order names: `all others hold`; and about orders of before."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from judge.notation import tongues
from judge.notation.words import FILLERS, HOLD, LEADERS, STANDS

MARKS = frozenset("-:=()*")
WILL = frozenset({"will", "to", "just", "simply", "werden", "sollen"})
ALL = frozenset(
    {
        *("all", "all units", "everything", "everyone", "everybody", "every unit", "each unit"),
        *("alle", "alle einheiten", "alles", "tout", "tous", "toutes", "toutes unités", "unités"),
    }
)
OTHERS = frozenset(
    {
        *("all other units", "all others", "all other", "all remaining units"),
        *("others", "other units", "rest", "rest of units"),
        *("remaining units", "alle anderen", "alle anderen einheiten"),
        *("anderen", "alles andere", "übrigen", "alle übrigen"),
        *("tous autres", "toutes autres", "autres", "reste"),
        *("toutes autres unités", "autres unités"),
    }
)
WHO = ALL | OTHERS
AGAIN = frozenset(
    {
        *("same as last time", "same as before", "same as last turn", "same as last season"),
        *("same as always", "same orders", "same orders as before", "same orders as last time"),
        *("same again", "same moves", "same moves as before", "ditto", "repeat orders"),
        *("repeat last orders", "repeat orders of last time", "dasselbe wie letztes mal"),
        *("wie letztes mal", "comme dernière fois", "gleiche befehle", "gleichen befehle"),
        *("selben befehle", "dieselben befehle", "mêmes ordres"),
    }
)

# They may mean the orders that stand already, given earlier in this phase.
KEPT = frozenset(
    {
        *("same orders", "same orders as before", "same again", "same moves", "same as before"),
        *("same moves as before", "gleiche befehle", "gleichen befehle", "selben befehle"),
        *("dieselben befehle", "mêmes ordres"),
    }
)


def holds_rest(keys: Iterable[str]) -> bool:
    """Tell whether *keys* say that all units hold that no other order is for."""
    return _who_holds(keys) in WHO


def holds_all(keys: Iterable[str]) -> bool:
    """Tell whether *keys* say so of all units, whatever was ordered before: `hold all units`."""
    return _who_holds(keys) in ALL


def _who_holds(keys: Iterable[str]) -> str | None:
    said = _said(keys)
    if len(said) > 1 and said[0] in HOLD:
        return " ".join(said[1:])
    who = list(takewhile(lambda key: key not in HOLD, said))
    if len(who) == len(said) and said[-1:] == [STANDS]:
        who.pop()
    does = said[len(who) :]  # `bleiben stehen`
    return " ".join(who) if does and HOLD | {STANDS, "put"} >= {*does} else None


def repeats(keys: Iterable[str]) -> bool:
    """Tell whether *keys* ask for the orders of an earlier phase."""
    return " ".join(_said(keys)) in AGAIN


def keeps(keys: Iterable[str]) -> bool:
    """Tell whether *keys* may be about the orders that were given earlier in this phase."""
    return " ".join(_said(keys)) in KEPT


def _said(keys: Iterable[str]) -> list[str]:
    small = FILLERS | tongues.FILLERS | LEADERS | MARKS | WILL
    return [key for key in keys if key not in small]
