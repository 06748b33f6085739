"""Clauses about all units that no order names: `all others hold`; and about orders of before."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from judge.notation.words import FILLERS, HOLD, LEADERS, STANDS

MARKS = frozenset("-:=()*")
WILL = frozenset({"will", "to", "just", "simply", "werden", "sollen"})
WHO = frozenset(
    {
        *("all", "all units", "all other units", "all others", "all other", "all remaining units"),
        *("everything", "everyone", "others", "other units", "rest", "rest of units"),
        *("remaining units", "alle", "alle anderen", "alle anderen einheiten", "alle einheiten"),
        *("alles", "anderen", "alles andere", "übrigen", "alle übrigen"),
        *("tout", "tous", "toutes", "tous autres", "toutes autres", "autres", "reste"),
        *("toutes autres unités", "autres unités", "toutes unités", "unités"),
    }
)
AGAIN = frozenset(
    {
        *("same as last time", "same as before", "same as last turn", "same as last season"),
        *("same as always", "same orders", "same orders as before", "same orders as last time"),
        *("same again", "same moves", "same moves as before", "ditto", "repeat orders"),
        *("repeat last orders", "repeat orders of last time", "dasselbe wie letztes mal"),
        *("wie letztes mal", "comme dernière fois"),
    }
)


def holds_rest(keys: Iterable[str]) -> bool:
    """Tell whether *keys* say that all units hold that no other order is for."""
    said = _said(keys)
    if len(said) > 1 and said[0] in HOLD:
        return " ".join(said[1:]) in WHO
    who = list(takewhile(lambda key: key not in HOLD, said))
    if len(who) == len(said) and said[-1:] == [STANDS]:
        who.pop()
    does = said[len(who) :]  # `bleiben stehen`
    return bool(does) and HOLD | {STANDS} >= {*does} and " ".join(who) in WHO


def repeats(keys: Iterable[str]) -> bool:
    """Tell whether *keys* ask for the orders of an earlier phase."""
    return " ".join(_said(keys)) in AGAIN


def _said(keys: Iterable[str]) -> list[str]:
    small = FILLERS | LEADERS | MARKS | WILL
    return [key for key in keys if key not in small]
