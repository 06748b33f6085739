"""Read PREVIEW: the block of orders that are only tried, and the lines that open it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from judge.mail.body import Line
from judge.mail.headers import split_phrases
from judge.mail.language.command_syntax import ParsedLine
from judge.mail.language.phase_names import is_one_letter_off
from judge.mail.words import alternatives
from judge.reading.anywhere import anywhere, read_anywhere
from judge.rules.board import Map
from judge.rules.types import PhaseKind


@dataclass(frozen=True, slots=True)
class Preview(ParsedLine):
    """`PREVIEW` ... `ENDPREVIEW`: show the outcome of the orders in *lines*.

    With *own*, or without lines, the orders that the sender has in force count too. *closing* is
    the line `ENDPREVIEW`.
    """

    lines: tuple[Line, ...]
    own: bool = False
    closing: tuple[Line, ...] = field(default=(), compare=False, repr=False)


OWN_ORDERS = ("MINE", "MY ORDERS", "WITH MINE", "WITH MY ORDERS")
POLITE_FORMS = ("PLEASE", "ORDERS", "THESE", "THESE ORDERS")
PREVIEW = re.compile(
    r"\W*(\w{5,9})\b(?!.*\b(?:PRESS|BROADCAST)\b)([\s:,.*!-]*)(.*)", re.IGNORECASE
)
PREVIEWS = ("preview", "predict")
AMBIGUOUS_VERBS = ("check", "try")  # `Check.` means that all is well.
OTHER_WORDS = ("previews", "predicts", "previewed")  # similar words that ask for nothing
# Synonyms; with more words they are a sentence, unless those are an order.
SUPPOSING = re.compile(
    r"\W*(WHAT[ -]?IF|WAS W(?:\xc4|AE)RE,? WENN|(?:JUST|ONLY) (?:TESTING|A TEST)|NUR EIN TEST"
    r"|DRY[ -]?RUN|TEST(?:ING)?|TRIAL|SIMULAT(?:E|ION)|HYPOTHETICAL(?:LY)?"
    r"|ADJUDICATE|CHECK|TRY|VORSCHAU|PROBE|APER[\xc7C]U|ESSAI)(?!\w)([\s:,.*!-]*)(.*)",
    re.IGNORECASE,
)
DRAFTED = re.compile(rf"\W*(?:{alternatives('drafts')})\W*", re.IGNORECASE)
BARE_TEST = re.compile(r"\s*test\W*(?<!:)", re.IGNORECASE)  # Among orders it may be any word.
AGAIN = re.compile(r"\s*(?:(?:re|aw|fwd?|wg)\s*:\s*)+", re.IGNORECASE)
PREVIEW_WORDS_MAX = 2  # at most, after a PREVIEW in small letters
END_PREVIEWS = split_phrases("ENDPREVIEW | END PREVIEW | ENDPREDICT | END PREDICT")


@dataclass(frozen=True, slots=True)
class PreviewAsked:
    """A request to preview the *rest* of the line and, with *own*, the sender's orders."""

    own: bool
    rest: str


def preview_asked(line: str, board: Map, *, first: bool = True) -> PreviewAsked | None:
    """Read `PREVIEW`, `PREVIEW MINE`, `Preview, please:`, `PREVIEW: A Par-Bur`; else None.

    In doubt a line counts, since nothing below becomes an order. Sentences do not, and `Test`
    alone only on the *first* line.
    """
    if DRAFTED.fullmatch(line):
        return PreviewAsked(own=False, rest="")
    if not first and BARE_TEST.fullmatch(line):
        return None
    found = PREVIEW.fullmatch(line)
    if not found or not _is_preview_word(found[1].casefold()):
        return _supposing(line, board)
    word, mark = found[1], found[2]
    rest = found[3].strip(" \t:,.*!")
    if rest.upper() in (*OWN_ORDERS, *POLITE_FORMS):
        return PreviewAsked(own=rest.upper() in OWN_ORDERS, rest="")
    sentence = not word.isupper() and not mark.strip() and len(rest.split()) > PREVIEW_WORDS_MAX
    return None if sentence else PreviewAsked(own=False, rest=rest)


def asks_for_preview(subject: str) -> bool:
    """Return whether *subject* asks for a preview, perhaps of a game or of a phase."""
    subject = AGAIN.sub("", subject)
    supposed = SUPPOSING.fullmatch(subject)
    if supposed and not supposed[3] and supposed[1].casefold() not in AMBIGUOUS_VERBS:
        return True
    found = PREVIEW.fullmatch(subject)
    if not found or not _is_preview_word(found[1].casefold()):
        return False
    rest = found[3].strip(" \t:,.*!")
    return rest.upper() in POLITE_FORMS or len(rest.split()) <= 1


def _is_preview_word(word: str) -> bool:
    slip = word not in OTHER_WORDS and any(is_one_letter_off(word, each) for each in PREVIEWS)
    return slip or word in PREVIEWS


def _supposing(line: str, board: Map) -> PreviewAsked | None:
    """Read `WHAT IF`, `Test:`, `WHAT IF: A Par-Bur`; not `What if Germany attacks?`."""
    found = SUPPOSING.fullmatch(line)
    if not found or (
        found[1].casefold() in AMBIGUOUS_VERBS and not (found[1].isupper() or ":" in found[2])
    ):
        return None
    rest = found[3].strip(" \t:,.*!")
    if not rest or rest.upper() in (*OWN_ORDERS, *POLITE_FORMS):
        return PreviewAsked(own=rest.upper() in OWN_ORDERS, rest="")
    ordered = read_anywhere(rest, anywhere(rest, board, PhaseKind.MOVEMENT)).plain()
    return PreviewAsked(own=False, rest=rest) if ordered and "?" not in rest else None
