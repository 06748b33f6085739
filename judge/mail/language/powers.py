"""How players name powers in commands: by letter, by name, several at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from judge.mail.language.said import ALL, MASTER, OBSERVER
from judge.notation.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judge.rules.board import Map
    from judge.rules.types import Power

WORD_MAX = 20  # A longer word names no power.
OFFICES = {
    "M": MASTER,
    "MASTER": MASTER,
    "MODERATOR": MASTER,
    "GM": MASTER,
    "O": OBSERVER,
    "OBSERVER": OBSERVER,
    "OBSERVERS": OBSERVER,
}
EVERYBODY = ("ALL", "EVERYBODY", "EVERYONE")
EXCEPT = ("BUT", "EXCEPT")
FILLERS = ("TO", "AND")
# What one of a people is called beside the adjective: `Deutscher`, `Frenchmen`, `Russen`.
OF_PEOPLE = ("er", "en", "s", "n", "man", "men", "es")
PEOPLES = {
    **dict.fromkeys(("franzose", "franzosen", "französin"), "french"),
    **dict.fromkeys(("türke", "türken", "tuerke", "tuerken", "turk", "turks"), "turkish"),
    **dict.fromkeys(("engländer", "englaender", "brite", "briten", "brit", "brits"), "english"),
}
SEPARATORS = re.compile(r"[\s,;:&?+]+")
PREFERENCES = re.compile(r"(?:\[[A-Z]+\]|[A-Z*])+")
GROUP = re.compile(r"\[[A-Z]+\]|[A-Z*]")
NO_MARKS = str.maketrans("", "", "[]*")


@dataclass(frozen=True, slots=True)
class Recipients:
    """Whom a line names, and the words in it that name nobody."""

    names: tuple[str, ...]
    unknown: tuple[str, ...]


def power_named(word: str, board: Map) -> Power | None:
    """Return the power that *word* is the letter or, in any language, the name of."""
    names, sought = names_of(board), word.casefold()
    return names.powers.get(sought) or names.letters.get(sought)


def seat_named(word: str, board: Map) -> str | None:
    """Return the power, `MASTER` or `OBSERVER` that *word* names."""
    return power_named(word, board) or OFFICES.get(word.upper())


def power_nearly_named(word: str, board: Map) -> Power | None:
    """Return the power of whose name *word* may be a slip of the pen."""
    names = {nation.name.upper(): power for power, nation in board.nations.items()}
    sought = word.upper() if len(word) <= WORD_MAX else ""
    return next((names[each] for each in get_close_matches(sought, names, n=1, cutoff=0.75)), None)


def people_named(word: str, board: Map) -> Power | None:
    """Return the power whose people *word* is one of, or several: `Deutscher`, `Germans`."""
    sought = PEOPLES.get(word.casefold(), word.casefold())
    stems = (sought.removesuffix(end) for end in OF_PEOPLE if sought.endswith(end))
    named = (power_named(stem, board) for stem in (sought, *stems) if len(stem) > 1)
    return next(filter(None, named), None)


def recipients_named(text: str, board: Map) -> Recipients:
    """Read `F,G`, `FG`, `ENGLAND, FRANCE AND M`, `ALL`, `ALL BUT R`.

    With a word unknown, ALL BUT names nobody: it may be the one who must not read it.
    """
    words = [word for word in SEPARATORS.split(text.upper()) if word and word not in FILLERS]
    cut = next((i for i, word in enumerate(words) if word in EXCEPT), len(words))
    named = {word: tuple(_named(word, board)) for word in words if word not in EXCEPT}
    unknown = tuple(word for word, names in named.items() if not names)
    addressed = tuple(dict.fromkeys(name for word in words[:cut] for name in named[word]))
    if cut == len(words):
        return Recipients((ALL,) if ALL in addressed else addressed, unknown)
    spared = {name for word in words[cut + 1 :] for name in named.get(word, ())}
    if ALL not in addressed or unknown or not spared:
        return Recipients((), unknown or tuple(words[cut:]))
    return Recipients(tuple(power for power in board.powers if power not in spared), ())


def preferences_named(text: str, board: Map) -> tuple[tuple[Power, ...], ...] | None:
    """Read `FTG[IE]*` or `France, Turkey`; None if a word names no power, or one comes twice."""
    letters = "".join(_letter(word, board) for word in SEPARATORS.split(text.upper()))
    powers = {nation.letter: power for power, nation in board.nations.items()}
    named = letters.translate(NO_MARKS)
    if len(set(named)) != len(named) or not set(named) <= powers.keys():
        return None
    if not PREFERENCES.fullmatch(letters):
        return None
    others = tuple(power for letter, power in powers.items() if letter not in named)
    groups = (
        others if group == "*" else tuple(powers[letter] for letter in group.strip("[]"))
        for group in GROUP.findall(letters)
    )
    return tuple(group for group in groups if group)


def _letter(word: str, board: Map) -> str:
    """Return the letter of the power that *word* names, or the word, which may be letters."""
    power = power_named(word, board)
    return board.nations[power].letter if power else word


def _named(word: str, board: Map) -> Iterator[str]:
    """Name whom *word* means: everybody, one, or one for each letter of it; perhaps nobody."""
    if word in EVERYBODY:
        yield ALL
        return
    one = seat_named(word, board)
    if one:
        yield one
        return
    letters = [seat_named(letter, board) for letter in word[:WORD_MAX]]
    if None not in letters:
        yield from (seat for seat in letters if seat)
