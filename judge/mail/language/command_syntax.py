"""Parsed lines and the arguments that commands share: powers, recipients, game names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from typing import TypeAlias

from judge.mail.body import Line
from judge.notation.terms import POWER_WORDS_MAX, names_of, tokenize
from judge.rules.board import Map
from judge.rules.types import NEUTRAL, Power

GAME_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedLine:
    """A parsed line; *line* counts from 1 in the decoded body."""

    line: int
    text: str = field(repr=False)

    @property
    def has_password(self) -> bool:
        """Return whether the line gives a password that its sender chose."""
        return False

    @property
    def of_moderator(self) -> tuple[str, str] | None:
        """Return the wish and command by which a moderator does what a player asks for."""
        return None

    def without_secret(self) -> str:
        """Return the text to show, with `***` for a password."""
        return self.text


LineMaker: TypeAlias = Callable[..., ParsedLine]  # Takes only the line and its text.
CommandReader: TypeAlias = Callable[[list[str], Map], LineMaker | None]


MASTER, OBSERVER, ALL = "MASTER", "OBSERVER", "ALL"  # Recipients and seats other than powers.


@dataclass(frozen=True, slots=True)
class SpeaksFor(ParsedLine):
    """A line that makes the rest of the email that of *power*, or of None."""

    power: str | None


@dataclass(frozen=True, slots=True)
class SignOn(SpeaksFor):
    """`SIGNON Fgame password`: the rest of the email is for that seat of that game.

    *power* is a power, `MASTER` or `OBSERVER`; None if the first letter fits none of these.
    """

    game: str
    password: str = field(repr=False)

    def without_secret(self) -> str:
        return starred_after(self.text, 2)


@dataclass(frozen=True, slots=True)
class SignOff(ParsedLine):
    """`SIGNOFF`: everything up to another SIGNON is *ignored*."""

    ignored: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class TakesSettings(ParsedLine):
    """A line that may be followed by those house rules that are among its *pairs*, one a line."""

    pairs: tuple[str, ...] = field(repr=False)  # a password may be among them


@dataclass(frozen=True, slots=True)
class UnknownCommand(ParsedLine):
    """A line in the form of an unknown command, with the *nearest* known one.

    *advice* names the advice on a command of other judges.
    """

    word: str
    nearest: str | None
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class OrderText(ParsedLine):
    """Consecutive lines that are not commands: orders, or prose between them."""

    lines: tuple[Line, ...]


def order_text(lines: Sequence[Line]) -> tuple[OrderText, ...]:
    """Return *lines* as one text of orders, nothing if there are none."""
    return (OrderText(tuple(lines), line=lines[0].number, text=lines[0].text),) if lines else ()


@dataclass(frozen=True, slots=True)
class LineFailed(ParsedLine):
    """A line on which our code failed; *defect* is where."""

    defect: str


@dataclass(frozen=True, slots=True)
class TooMuch(ParsedLine):
    """The first line past the *limit* of what is read of an email."""

    limit: int


@dataclass(frozen=True, slots=True)
class NamedGame(ParsedLine):
    """`GAME dogger`: the lines below are for that *game*; line 0 is the subject."""

    game: str


@dataclass(frozen=True, slots=True)
class NamedPhase(ParsedLine):
    """`PHASE FALL 1902 MOVEMENT`, `Fall 1902:`, `RETREATS:`: the phase of the orders below.

    *code* is as much of the code as is given, such as `F1902`, or words that name no phase.
    *in_passing* is set if the line has other content too: then a phase that is over is ignored.
    *second* is the next phase, if the line heads orders for both.
    """

    code: str
    in_passing: bool = False
    second: str = ""


@dataclass(frozen=True, slots=True)
class OrdersOfPhase(ParsedLine):
    """`A Par-Gas (F1901M)`: only the orders in *lines* are for the phase *code*."""

    code: str
    lines: tuple[Line, ...]


PhaseLine: TypeAlias = NamedPhase | OrdersOfPhase


NOT_TOPICS = ("ME", "US", "HIM", "HER", "THEM", "PLEASE")  # `Help me.` is meant for a person.


REASON_WORDS = ("BECAUSE", "REASON", "REASON:", "SINCE")
SHORT_NUMBER = re.compile(r"\d{1,2}")


DATE_HINT = re.compile(
    r"\d|\b(?:(?:MON|TUES?|WED(?:NES)?|THU(?:RS)?|FRI|SAT(?:UR)?|SUN)(?:DAY)?"
    r"|YESTERDAY|TODAY|TOMORROW)\b",
    re.IGNORECASE,
)


def split_reason(arguments: list[str]) -> tuple[list[str], str]:
    """Split words from the reason after BECAUSE."""
    upper = [word.upper() for word in arguments]
    cut = next((i for i, word in enumerate(upper) if word in REASON_WORDS), len(upper))
    return arguments[:cut], " ".join(arguments[cut + 1 :])


def with_reason(make: LineMaker) -> CommandReader:
    """Make the reader of a command with an optional reason."""

    def read(arguments: list[str], _: Map) -> LineMaker | None:
        words, reason = split_reason(arguments)
        return partial(make, reason=reason) if not words else None

    return read


def without_arguments(make: LineMaker) -> CommandReader:
    """Make the reader of a command without arguments."""

    def read(arguments: list[str], _: Map) -> LineMaker | None:
        return make if not arguments else None

    return read


def with_word(make: LineMaker, field_name: str, form: str = r"\S+") -> CommandReader:
    """Make the reader of a command with one word of that *form*, for a field of the line."""
    pattern = re.compile(form)

    def read(arguments: list[str], _: Map) -> LineMaker | None:
        fits = len(arguments) == 1 and pattern.fullmatch(arguments[0])
        return partial(make, **{field_name: arguments[0]}) if fits else None

    return read


def about_power(make: LineMaker) -> CommandReader:
    """Make the reader of a command about one power."""

    def read(arguments: list[str], board: Map) -> LineMaker | None:
        power = power_named(arguments[0], board) if len(arguments) == 1 else None
        return partial(make, power=power) if power else None

    return read


def about_game(make: LineMaker) -> CommandReader:
    """Make the reader of a command that may name a game."""

    def read(arguments: list[str], _: Map) -> LineMaker | None:
        match arguments:
            case []:
                return partial(make, game=None)
            case [word] if GAME_NAME.fullmatch(word):
                return partial(make, game=word.lower())
            case _:
                return None

    return read


STARS = "***"


def starred_after(text: str, words: int) -> str:
    """Return *text* with stars for all but its first *words*."""
    written = text.split()
    return " ".join(written[:words] + [STARS for _ in written[words:]])


def starred(text: str, secrets: Collection[str | None]) -> str:
    """Return *text* with stars for each word that is one of *secrets*."""
    if not any(secrets):
        return text
    return " ".join(STARS if word.strip(".") in secrets else word for word in text.split())


def is_place(word: str, board: Map) -> bool:
    """Return whether *word* names a province of *board*."""
    sought = word.partition("(")[0].partition("/")[0].strip().casefold()
    return any(
        sought in (code.casefold(), place.name.casefold(), *place.aliases)
        for code, place in board.places.items()
    )


WORD_MAX = 20  # Longer words are not names of powers.
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
# Nouns for a power's people, besides the adjective: `Deutscher`, `Frenchmen`, `Russen`.
OF_PEOPLE = ("er", "en", "s", "n", "man", "men", "es")
PEOPLES = {
    **dict.fromkeys(("franzose", "franzosen", "französin"), "french"),
    **dict.fromkeys(("türke", "türken", "tuerke", "tuerken", "turk", "turks"), "turkish"),
    **dict.fromkeys(("engländer", "englaender", "brite", "briten", "brit", "brits"), "english"),
}
SEPARATORS = re.compile(r"[\s,;:&?+]+")


@dataclass(frozen=True, slots=True)
class Recipients:
    """The recipients that a line names, and its words that name none."""

    names: tuple[str, ...]
    unknown: tuple[str, ...]


def power_named(word: str, board: Map) -> Power | None:
    """Return the power whose letter or name, in any language, is *word*."""
    names, sought = names_of(board), word.casefold()
    in_words = sought.replace("-", " - ")
    power = names.powers.get(in_words) or names.letters.get(sought)
    return power if power != NEUTRAL else None


def with_power_codes(text: str, board: Map) -> str:
    """Return *text* with the code of each power that is named in several words: `South Africa`."""
    names, tokens = names_of(board), tokenize(text)
    keys = [token.key for token in tokens]
    parts, at, end = [], 0, 0
    while at < len(keys):
        count = names.longest_power(keys[at : at + POWER_WORDS_MAX])
        if count:
            last = tokens[at + count - 1]
            parts += [
                text[end : tokens[at].column - 1],
                names.powers[" ".join(keys[at : at + count])],
            ]
            end = last.column - 1 + len(last.text)
        at += count or 1
    return "".join((*parts, text[end:]))


def seat_named(word: str, board: Map) -> str | None:
    """Return the power, `MASTER` or `OBSERVER` that *word* names."""
    return power_named(word, board) or OFFICES.get(word.upper())


def power_nearly_named(word: str, board: Map) -> Power | None:
    """Return the power whose name *word* misspells."""
    names = {board.nations[power].name.upper(): power for power in board.powers}
    sought = word.upper() if len(word) <= WORD_MAX else ""
    return next((names[each] for each in get_close_matches(sought, names, n=1, cutoff=0.75)), None)


def people_named(word: str, board: Map) -> Power | None:
    """Return the power whose people *word* names: `Deutscher`, `Germans`."""
    sought = PEOPLES.get(word.casefold(), word.casefold())
    stems = (sought.removesuffix(end) for end in OF_PEOPLE if sought.endswith(end))
    named = (power_named(stem, board) for stem in (sought, *stems) if len(stem) > 1)
    return next(filter(None, named), None)


def recipients_named(text: str, board: Map) -> Recipients:
    """Read `F,G`, `FG`, `ENGLAND, FRANCE AND M`, `ALL`, `ALL BUT R`.

    ALL BUT with an unknown word has no recipients: the word may mean the one to leave out.
    """
    text = with_power_codes(text, board).upper()
    words = [word for word in SEPARATORS.split(text) if word and word not in FILLERS]
    cut = next((i for i, word in enumerate(words) if word in EXCEPT), len(words))
    named = {word: tuple(_recipients_in(word, board)) for word in words if word not in EXCEPT}
    unknown = tuple(word for word, names in named.items() if not names)
    addressed = tuple(dict.fromkeys(name for word in words[:cut] for name in named[word]))
    if cut == len(words):
        return Recipients((ALL,) if ALL in addressed else addressed, unknown)
    spared = {name for word in words[cut + 1 :] for name in named.get(word, ())}
    if addressed != (ALL,) or unknown or not spared:
        return Recipients((), unknown or tuple(words[cut:]))
    return Recipients(tuple(power for power in board.powers if power not in spared), ())


def preferences_named(text: str, board: Map) -> tuple[tuple[Power, ...], ...] | None:
    """Read `FTG[IE]*` or `France, Turkey`; None if a word names no power, or one is repeated."""
    text = with_power_codes(text, board).upper()
    letters = " ".join(_letter(word, board) for word in SEPARATORS.split(text)).strip()
    powers = {board.nations[power].letter: power for power in board.players}
    letter = letter_pattern(tuple(powers))
    named = re.findall(letter, letters)
    if len({*named}) != len(named):
        return None
    if not re.fullmatch(rf"(?>(?:\[(?>(?:{letter}| )+)\]|{letter}|[* ])+)", letters):
        return None
    others = tuple(power for each, power in powers.items() if each not in named)
    groups = (
        others if group == "*" else tuple(powers[each] for each in re.findall(letter, group))
        for group in re.findall(rf"\[[^]]*\]|{letter}|\*", letters)
    )
    return tuple(group for group in groups if group)


def letter_pattern(letters: tuple[str, ...]) -> str:
    """Return the pattern of one of *letters*, which may have two signs."""
    return f"(?>{'|'.join(sorted(letters, key=len, reverse=True))})"


def _letter(word: str, board: Map) -> str:
    power = power_named(word, board)
    return board.nations[power].letter if power else word


def _recipients_in(word: str, board: Map) -> Iterator[str]:
    if word in EVERYBODY:
        yield ALL
        return
    one = seat_named(word, board)
    if one:
        yield one
        return
    signs = (board.nations[power].letter for power in board.powers)
    split = re.compile(f"{letter_pattern(tuple(signs))}|.")
    letters = [seat_named(letter, board) for letter in split.findall(word[:WORD_MAX])]
    if None not in letters and len({*letters}) == len(letters):  # `ANNA` is a name
        yield from (seat for seat in letters if seat)
