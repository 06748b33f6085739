"""Mark in a sentence what the judge knows: games, powers, provinces, dates, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from itertools import chain, pairwise

from judge.mail.headers import split_phrases
from judge.mail.intents.dates import DATE, TIME, find_times, with_marks
from judge.mail.intents.features import plain
from judge.mail.intents.weights import Weights
from judge.mail.intents.wish_files import Role
from judge.mail.reader.game_headings import GAME_WORDS
from judge.notation.terms import Names, Token, names_of, tokenize
from judge.rules.board import Map
from judge.rules.types import Power

ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
NAME = re.compile(r"[^\W_][\w-]{0,15}")
NUMBER = re.compile(r"(?<![\w.])\d{1,6}(?![\w.]?\d|\w)")
SHORT_MAX = 4  # letters of an abbreviation of a province, which must be written as one
WITH_NAME = frozenset(
    (*GAME_WORDS, "called", "named", "namens", "appelee", "in", "dans", "for", "bei", "join")
)
WORDS_MAX = 5  # of a name
INSTEAD = re.compile(r"\b(?:statt|instead of|rather than|au lieu d[eu]|plutot que)\W*(?:\w+\W+)?$")
EXCEPT = re.compile(  # before a power that somebody does not want
    r"(?:\b(?:no|kein|(?:any|every)\w*(?: \w+)? but|except(?: for)?|without|ausser|ohne|sauf"
    r"|excepte|(?:enough|tired|sick) of|genug von|(?:marre|assez) d[eu]?"
    r"|keinesfalls|auf keinen fall"
    r"|(?:(?:do|would)(?: not|n'?t)|never|keinesfalls|auf keinen fall|nicht|ne)"
    r"(?: (?:ever|really|want|like|wish|to|be|play|have|ich|als|mochte|will|wurde|gerne?"
    r"|veux|voudrais|souhaite|aimerais|pas|jouer|avoir|etre)){1,6})"
    r"|(?<!why )\bnot|(?<!warum )\bnicht|(?<!pourquoi )\bpas)\W+(?:[a-z]{1,3}\W+)?$"
)
LEAST = re.compile(r"\W*(?:is |comes |as )?(?:last|least|zuletzt|als letztes?|en dernier)\b")
CORRECTED = re.compile(  # between a power and the one that is meant: `Italy, or no, Turkey`
    r"\W*(?:(?:or|oder|ou)\b\W*)?(?:no(?=\W*[,.!:-]| wait)|nee|ne|nein|non|wait|moment|rather"
    r"|eher|plutot)\b"
    r"\W*(?:(?:wait|doch|lieber|rather|plutot)\W+)?"
)
JOINED = re.compile(r"\W*(?:to|till|until|through|bis|a|au)?\W*")  # the days of a span
POWER = "{power}"
LAST_COUNTS = frozenset({"language"})  # `Why German? English, please.`


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The facts that help to read an email: its writer's *role*, the *board*, their *games*.

    *closed* are the wishes that nobody can have now, such as a vote while no proposal is open;
    *likely* those that the state of the game suggests. A moderator answers the power that has
    *asked* for more time, beyond the *deadline*. Somebody who answers our proposal of games, or
    names a power, means the *only_open* one; *people* are the powers of players by name. If the
    email has *acted* otherwise, only plain wishes count beside that. Somebody who *waits* for the
    deadline ends that before they are ready, and somebody who has *joined* a game has preferences
    in it. Where a draw names its powers, a writer *draws_with* their own. Somebody without a power
    speaks of the game that they have *watched*. *misspelled* are words that mean one of the games.
    """

    role: Role
    board: Map
    games: frozenset[str]
    today: date
    closed: frozenset[str] = frozenset()
    likely: frozenset[str] = frozenset()
    answers_proposal: bool = False
    asked: str = ""
    deadline: date | None = None
    only_open: str = ""
    acted: bool = False
    waits: bool = False
    joined: bool = False
    people: Mapping[str, Power] = field(default_factory=dict)
    draws_with: Power | None = None
    watched: str = ""
    misspelled: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence with placeholders, and the *slots* that they came from."""

    text: str
    slots: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Mark:
    start: int
    end: int
    mark: str
    slots: tuple[tuple[str, str], ...]


def with_known_things_marked(text: str, known: Known, weights: Weights) -> Marked:
    """Return *text* with placeholders for what the judge knows, of each kind one as a slot."""
    marks: list[_Mark] = []
    for each in _all_marks(text, known, weights):
        if not any(each.start < other.end and other.start < each.end for other in marks):
            marks.append(each)
    marks.sort(key=lambda each: each.start)
    slots: dict[str, str] = {}
    powers_named = (each for each in marks if each.mark == POWER)
    corrected = {
        one: other
        for one, other in pairwise(powers_named)
        if CORRECTED.fullmatch(plain(text[one.end : other.start]))
    }
    refused = [
        each for each in marks if each not in corrected.values() and _is_refused(each, text)
    ]
    meant = [each for each in marks if each not in refused and each not in corrected]
    spans = {each: [value for name, value in each.slots if name == "date"] for each in meant}
    written = (
        days for each, days in spans.items() if re.search(r"\d", text[each.start : each.end])
    )
    joined = (
        spans[one] + spans[other]
        for one, other in pairwise(each for each in meant if spans[each])
        if JOINED.fullmatch(plain(text[one.end : other.start]))
    )
    ranges = (each for each in (*written, *joined) if len(each) > 1)
    days = next(ranges, [*chain.from_iterable(spans.values())])
    for each in meant:
        for name, value in each.slots:
            if name in LAST_COUNTS or name not in slots:
                slots[name] = value
    if refused:
        slots["unwanted"] = ", ".join(value for each in refused for _, value in each.slots)
    powers = [value for each in meant for name, value in each.slots if name == "power"]
    if len(powers) > 1:
        slots["others"] = ", ".join(powers[1:])
    if days:
        slots |= {"from": days[0], "to": days[-1]} if len(days) > 1 else {"to": days[0]}
    return Marked(with_marks(text, ((each.start, each.end, each.mark) for each in marks)), slots)


def _is_refused(mark: _Mark, text: str) -> bool:
    before, behind = plain(text[: mark.start]), plain(text[mark.end :])
    unliked = EXCEPT.search(before) or LEAST.match(behind)
    return bool(INSTEAD.search(before) or (mark.mark == POWER and unliked))


def powers_in(slots: Mapping[str, str]) -> list[str]:
    """Return the powers that a sentence with *slots* names, in its order."""
    named = f"{slots.get('power', '')}, {slots.get('others', '')}"
    return [each for each in named.split(", ") if each]


def unwanted_in(slots: Mapping[str, str]) -> set[str]:
    """Return the powers that somebody does not want, even if they are named again."""
    return {*slots.get("unwanted", "").split(", ")}


def _all_marks(text: str, known: Known, weights: Weights) -> Iterator[_Mark]:
    """Yield what stands in *text*, what counts first first: games before provinces."""
    for found in ADDRESS.finditer(text):
        yield _Mark(*found.span(), "{address}", (("address", found[0]),))
    yield from _games(text, known, weights)
    for each in find_times(text, known.today):
        if each.first and each.last:
            days = dict.fromkeys((each.first, each.last))
            dates = tuple(("date", day.isoformat()) for day in days)
            yield _Mark(each.start, each.end, DATE, dates)
        else:
            hours, rest = divmod(each.minutes, 60)
            length = f"{each.minutes}m" if rest else str(hours)
            yield _Mark(each.start, each.end, TIME, (("time", length),))
    names = [*_names(text, names_of(known.board), weights)]
    yield from (each for each in names if " " in text[each.start : each.end])  # `English Channel`
    for found in re.finditer(r"[^\W\d_]{4,20}", text):
        if code := _languages().get(plain(found[0])):
            yield _Mark(*found.span(), "{language}", (("language", code),))
    yield from names
    for found in re.finditer(r"\b[^\W\d_][\w-]{2,19}", text):
        named = found[0][0].isupper() or plain(found[0]) not in weights.rows
        if named and (power := known.people.get(found[0].casefold())):
            yield _Mark(*found.span(), POWER, (("power", power),))
    for found in NUMBER.finditer(text):
        yield _Mark(*found.span(), "{n}", (("n", found[0]),))


def names_in(text: str) -> Iterator[str]:
    """Yield what may be the name of a game in *text*."""
    return (plain(found[0]) for found in NAME.finditer(text))


def _games(text: str, known: Known, weights: Weights) -> Iterator[_Mark]:
    before = ""
    for found in NAME.finditer(text):
        word = plain(found[0])
        name = known.misspelled.get(word, word)
        if name in known.games and (word not in weights.rows or before in WITH_NAME):
            yield _Mark(*found.span(), "{game}", (("game", name),))
        before = word


def _names(text: str, names: Names, weights: Weights) -> Iterator[_Mark]:
    tokens = tokenize(text)
    at = 0
    while at < len(tokens):
        here = tokens[at : at + WORDS_MAX]
        keys = [each.key for each in here]
        count = names.longest_power(keys) or int(keys[0] in names.powers)
        length, places = names.longest(keys)
        if count >= length and count and keys[0] not in names.letters:
            power = names.powers[" ".join(keys[:count])]
            yield _mark(here[:count], POWER, ("power", power))
        else:
            count = length
            if count and _is_written_as_place(here[:count], weights):
                yield _mark(here[:count], "{place}", ("place", places[0]))
        at += count or 1


def _is_written_as_place(tokens: tuple[Token, ...], weights: Weights) -> bool:
    """Return whether a name is more than an abbreviation that is also an everyday word."""
    [text, *others] = [each.text for each in tokens]
    if others or len(text) > SHORT_MAX:
        return True
    everyday = plain(text) in weights.rows
    return len(text) > 1 and (text.isupper() or (text[0].isupper() and not everyday))


def _mark(tokens: tuple[Token, ...], mark: str, slot: tuple[str, str]) -> _Mark:
    start, last = tokens[0].column - 1, tokens[-1]
    return _Mark(start, last.column - 1 + len(last.text), mark, (slot,))


@cache
def _languages() -> Mapping[str, str]:
    named = {
        "en": "english | englisch | englische | anglais | anglaise",
        "de": "german | deutsch | deutsche | allemand | allemande",
        "fr": "french | französisch | französische | français | française",
    }
    return {plain(word): code for code, row in named.items() for word in split_phrases(row)}
