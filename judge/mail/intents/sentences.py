"""The sentences of an email, without greetings, names and what it forwards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from judge.mail.reader.courtesies import GREETINGS, is_courtesy, is_farewell, may_be_name

END = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[.!?]{2})(?=[^\W\d_])")
NO_END = re.compile(r"(?:\b\d{1,2}|\b(?:Mr|Mrs|Ms|Dr|St|bzw|ca|z\.B|e\.g|i\.e|M|Mme))\.$")
NUMBERED = re.compile(r"\bN[ro]\.\s+\d")
SALUTATION = re.compile(
    r"^\W*(?:(?:dear|hi|hello|hey|hallo|moin|servus|guten (?:tag|morgen|abend)"
    r"|good (?:morning|evening|day)|bonjour|bonsoir|salut|cher|chère|liebe[rs]?|sehr geehrte[rs]?"
    r"|respected|esteemed|yo|greetings|slt|coucou)\b"
    r"(?:(?!\b(?:i|i'd|i'm|me|we|can|ich|mich|wir|kann|je|moi|nous)\b)[^,.!?:\n]){0,40}"
    r"|(?:judge|gm|sir|madam|master|gamemaster))(?:[,!:.]+|\s[-\u2013])\s*(?=\S)",
    re.IGNORECASE,
)
FORWARDED = re.compile(
    r"\W*(?:-{3,}.{0,60}|(?:from|von|de|to|an|subject|betreff|objet|date|datum|sent|gesendet|fw|fwd"
    r"|wg|tr)\s?:\s?\S.{0,200})$",
    re.IGNORECASE,
)


def sentences_in(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the sentences in *lines* that are more than courtesy; a single word is none."""
    found: list[str] = []
    left = False
    stripped = (line.strip() for line in lines)
    written = [line for line in stripped if line and not FORWARDED.fullmatch(line)]
    paragraphs = list(_unwrapped(written))
    for at, paragraph in enumerate(paragraphs):
        for written_so in _split(SALUTATION.sub("", paragraph, count=1)):
            sentence = without_greeting(written_so)
            left = left or is_farewell(sentence)
            ends = at == len(paragraphs) - 1 and at > 0
            may_be = may_be_name(sentence, taken_leave=left) and (ends or left)
            addressed = at == 0 < len(paragraphs) - 1 and may_be_name(paragraph, taken_leave=False)
            if may_be or addressed or is_courtesy(sentence):
                continue
            if found and " " not in sentence:
                found[-1] = f"{found[-1]} {sentence}"
            else:
                found.append(sentence)
    return tuple(found)


GREETED_MIN = 3  # words behind a greeting that make a sentence


def without_greeting(sentence: str) -> str:
    """Return *sentence* without the greeting that it begins with, if more follows."""
    first, _, rest = sentence.partition(" ")
    says_more = first.casefold() in GREETINGS and len(rest.split()) >= GREETED_MIN
    return rest if says_more and not is_courtesy(rest) else sentence


def _unwrapped(lines: Sequence[str]) -> Iterator[str]:
    """Yield *lines*, and those that a mail program has wrapped as one."""
    before = ""
    for line in lines:
        wrapped = before[-1:] not in ".!?:" and line[:1].islower() and len(before) > WRAPPED
        if before and (wrapped or NO_END.search(before)):
            before = f"{before} {line}"
            continue
        if before:
            yield before
        before = line
    if before:
        yield before


WRAPPED = 50  # characters of a line that a mail program may have wrapped


def _split(text: str) -> Iterator[str]:
    """Yield the sentences of *text*; the full stop of a date or a title ends none."""
    start = 0
    for found in END.finditer(text):
        head = text[start : found.start()]
        numbered = NUMBERED.match(text, found.start() - len("No."))
        if (NO_END.search(head) and not head.endswith(("!", "?"))) or numbered:
            continue
        yield head.strip()
        start = found.end()
    if rest := text[start:].strip():
        yield rest
