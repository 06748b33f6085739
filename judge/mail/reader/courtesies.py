"""Recognize courtesies: greetings, farewells, names, and what only announces orders."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.mail.language.phase_names import spelled_words
from judge.mail.reader.phase_hints import is_of_heading
from judge.mail.words import phrases
from judge.rules.board import Map

NAME_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
GREETING_WORDS_MAX = 6  # words of `Hello dear judge and Mr. Smith`
FAREWELL_WORDS_MAX = 8  # words of a farewell
NAME_MAX = 3  # words of `Bob van Gogh`
INITIALS_MAX = 3  # letters
FAREWELLS = phrases("farewells")
FAREWELLS_BEGIN = frozenset(each.split()[0] for each in FAREWELLS)
BLOCK_WORDS = spelled_words("of_blocks")
ASKING_WORDS = spelled_words("asking")
SAYING = spelled_words("saying")
ASKS_FIRST = spelled_words("asking_first")
ANNOUNCED = spelled_words("announcing")
WELL = frozenset(("well", "fine", "good", "great", "okay"))
OF_DAY = frozenset(("morning", "afternoon", "evening", "day"))  # `Good morning, judge`
FOR_WHAT = (["for"], ["für"], ["pour"])  # `Thanks for your help`
COURTEOUS = frozenset(phrases("courtesies"))
ADORNING = " \t*_>\"'\u201c\u201d)]"
GREETINGS = spelled_words("greetings")
NEUTRAL = spelled_words("neutral")
NEUTRAL_TOO = spelled_words("neutral_too")  # but perhaps a command or an order


def is_courtesy(text: str) -> bool:
    """Return whether *text*, not an order, only greets, thanks or signs off."""
    words = _words_of(text)
    if not words or is_farewell(text) or " ".join(words) in COURTEOUS:
        return True
    of_day = words[0] == "good" and not OF_DAY.isdisjoint(words[1:2])
    greets = len(words) <= GREETING_WORDS_MAX and (of_day or words[0] in GREETINGS)
    return greets and _asks_nothing(words[1:]) and "?" not in text


def is_introduction(text: str, board: Map) -> bool:
    """Return whether *text* only announces the orders beside it: `here are my final orders:`."""
    words = _words_of(text)
    neutral = NEUTRAL | NEUTRAL_TOO | GREETINGS
    if not words or "?" in text or words[0] in ASKS_FIRST:
        return False
    announces = not ANNOUNCED.isdisjoint(words) or text.rstrip(ADORNING).endswith(":")
    known = all(word in neutral or is_of_heading(word, board) for word in words)
    return known and (announces or all(is_of_heading(word, board) for word in words))


def is_farewell(text: str) -> bool:
    """Return whether *text* thanks or signs off: `cheers`, `Viele Grüße`."""
    words = _words_of(text)
    if len(words) > FAREWELL_WORDS_MAX or FAREWELLS_BEGIN.isdisjoint(words[:1]) or "?" in text:
        return False
    plain = " ".join(words)
    formula = next((each for each in FAREWELLS if f"{plain} ".startswith(f"{each} ")), None)
    if formula is None:
        return False
    rest = words[len(formula.split()) :]
    wishes_well = "hope" in formula and not WELL.isdisjoint(rest)
    thanks = rest[:1] in FOR_WHAT and SAYING.isdisjoint(rest)
    return wishes_well or thanks or _asks_nothing(rest)


def _words_of(text: str) -> list[str]:
    return [word.casefold() for word in NAME_WORD.findall(text.replace("\u2019", "'"))]


def _asks_nothing(words: Sequence[str]) -> bool:
    return SAYING.isdisjoint(words) and ASKING_WORDS.isdisjoint(words)


def may_be_name(text: str, *, taken_leave: bool) -> bool:
    """Return whether *text*, at the end of an email, may be the name of its sender.

    After a farewell (*taken_leave*) it may be in small letters.
    """
    words = NAME_WORD.findall(text)
    plain = not any(letter.isdigit() or letter in "?!" for letter in text)
    folded = {word.casefold() for word in words}
    if not words or not plain or folded & (ASKING_WORDS | BLOCK_WORDS):
        return False
    if text.isupper() and len(text) > INITIALS_MAX and not taken_leave:
        return False  # It may be a command.
    if text.endswith(".") and len(text) > INITIALS_MAX:
        return False  # It ends a sentence.
    capital = text[0].isupper() and all(word[0].isupper() for word in words)
    return len(words) <= NAME_MAX and (taken_leave or capital)
