"""Remove passwords from stored emails, and the sender's name from anonymous press.

A program cannot find everything that reveals a sender, so senders are shown the text that goes
out. No list has all names: words after a farewell, and as short as one, count as a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from unicodedata import combining, normalize

from judge.mail.body import Text
from judge.rules.board import Map

END_OF_HEADER = re.compile(rb"\r?\n\r?\n")
OF_BODY = (b"content-", b"mime-version:")  # Fields that describe the encoding of the body.


def mentions_password(text: Text, secrets: Collection[str]) -> bool:
    """Return whether *text* contains one of *secrets* as a word."""
    lines = (*(line.text for line in text.fresh), *text.quoted, *text.signature)
    return any(_as_word(secret).search(line.encode()) for line in lines for secret in secrets)


def starred_out(raw: bytes, secrets: Collection[str]) -> bytes:
    """Return the email *raw* with stars for each of *secrets* in its body."""
    header, end, body = _header_and_body(raw)
    for secret in secrets:
        body = _as_word(secret).sub(lambda found: b"*" * len(found[0]), body)
    return header + end + body


def with_body(raw: bytes, lines: Collection[str]) -> bytes:
    """Return the email *raw* with *lines* as its body, for secrets that an encoding hides."""
    header, _, _ = _header_and_body(raw)
    kept: list[bytes] = []
    dropping = False
    for line in header.splitlines():
        dropping = dropping if line[:1] in (b" ", b"\t") else line.lower().startswith(OF_BODY)
        kept += [] if dropping else [line]
    kept += [b"MIME-Version: 1.0", b"Content-Type: text/plain; charset=utf-8"]
    kept += [b"Content-Transfer-Encoding: 8bit", b""]
    return b"\r\n".join([*kept, *(line.encode() for line in lines), b""])


def _as_word(secret: str) -> re.Pattern[bytes]:
    return re.compile(rb"(?<!\w)" + re.escape(secret.encode()) + rb"(?!\w)")


def _header_and_body(raw: bytes) -> tuple[bytes, bytes, bytes]:
    end = END_OF_HEADER.search(raw)
    return (raw[: end.start()], end[0], raw[end.end() :]) if end else (raw, b"", b"")


MASK = "[...]"
LETTERS_MIN = 3  # Shorter words are too common to be names.
NAME_PARTS_MAX = 20
ADDRESS = re.compile(r"[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
FIELD = re.compile(
    r"\s*\*{0,2}(?:(?:from|to|cc|bcc|sender|reply-to|return-path|von|an|de|à)\s?:.*@"
    r"|(?:received|message-id|in-reply-to|references|x-[\w-]{2,30}|delivered-to|return-path):)",
    re.IGNORECASE,
)
MASKED_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def masked(text: str, names: Iterable[str], addresses: Iterable[str], board: Map) -> str:
    """Return *text* without the *names* and *addresses* of its sender, and any other address.

    Names that are also on the *board* stay: more likely the board is meant.
    """
    locals_ = (address.partition("@")[0] for address in addresses)
    known = words_on(board)
    whole = {each.strip() for each in (*names, *locals_) if len(each.strip()) >= LETTERS_MIN}
    whole = {each for each in whole if _folded(each) not in known}
    parts = frozenset(map(_folded, _name_words(whole))) - known
    lines = [line for line in text.splitlines() if not FIELD.match(line)]
    text = "\n".join(MASK if _is_only_a_name(line, parts) else line for line in lines)
    text = ADDRESS.sub(MASK, text)
    for name in sorted(whole, key=len, reverse=True):
        as_word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        text = as_word.sub(MASK, text)
    return MASKED_WORD.sub(
        lambda found: MASK if _names(found[0], parts) else found[0], text
    ).strip()


def _names(word: str, parts: frozenset[str]) -> bool:
    """Return whether *word* is part of a name, written as one: `will` is a verb, `Will` a name."""
    return word[0].isupper() and _folded(word) in parts


def _name_words(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        words = [found[0] for found in MASKED_WORD.finditer(name)]
        yield from (word for word in words[:NAME_PARTS_MAX] if len(word) >= LETTERS_MIN)


def _is_only_a_name(line: str, parts: frozenset[str]) -> bool:
    words = [_folded(found[0]) for found in MASKED_WORD.finditer(line)]
    others = [word for word in words if word not in parts]
    return len(others) < len(words) and all(len(word) < LETTERS_MIN for word in others)


def _folded(word: str) -> str:
    return "".join(c for c in normalize("NFKD", word.casefold()) if not combining(c))


def words_on(board: Map) -> frozenset[str]:
    """Return the words of *board*, and those for the roles in a game."""
    nations = (name for each in board.nations.values() for name in (each.name, each.adjective))
    places = (name for place in board.places.values() for name in (place.name, *place.aliases))
    words = (found[0] for name in (*nations, *places) for found in MASKED_WORD.finditer(name))
    return frozenset({"moderator", "master", "observer", "player", *map(_folded, words)})


CLOSING_LINE_MAX = 60  # characters of a farewell, and of a name
FAREWELL = (
    r"(?:(?:with|my|very|all|the|kind|kindest|best|warm|warmest|many|most|yours|good|viele|liebe"
    r"|beste|schöne|mit|freundlichen|herzliche|bien|meilleures|mes) )*"
    r"(?:best|regards|wishes|greetings|cheers|yours|sincerely|truly|faithfully|respectfully"
    r"|cordially|thanks|thank you|thx|ciao|bye|love|luck|take care|see you|grüße|grüßen|gruß|gruss"
    r"|lg|mfg|vg|dein|deine|euer|ihr|danke|cordialement|amicalement|sincèrement|salutations"
    r"|à bientôt|à toi|à vous|bises|merci)"
)
FAREWELL_ALONE = re.compile(rf"\s*{FAREWELL}\s*[,.!:-]*\s*", re.IGNORECASE)
FAREWELL_BEFORE = re.compile(rf"\s*{FAREWELL}\s*(?:[,:!]|\s[-\u2013\u2014])\s*", re.IGNORECASE)
DASH = re.compile(r"\s*(?:-{1,3}|\u2014|\u2013|~|/)\s*(?=[A-Z])")
CLOSING_WORD = re.compile(r"[^\W\d_]+")
WORDS_MAX = 5  # of a name
PARTICLES = frozenset(("de", "la", "le", "von", "van", "der", "den", "of", "the"))


def without_signature_name(text: str, spared: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Return *text* without the names that end it, and those names.

    Words of *spared* alone, in small letters, are not a name.
    """
    lines = text.split("\n")
    written = [i for i, line in enumerate(lines) if line.strip()]
    struck: list[str] = []
    for at, i in enumerate(written):
        after = written[at + 1 : at + 2]
        closes = len(lines[i]) <= CLOSING_LINE_MAX and (
            not after or after[0] > i + 1
        )  # `PS:` may follow
        start = _closing_start(lines, i, written[at - 1] if at else None) if closes else None
        if start is not None and _is_name(lines[i][start:], spared):
            struck.append(lines[i][start:].strip())
            lines[i] = lines[i][:start] + MASK
    return "\n".join(lines), tuple(struck)


def _closing_start(lines: Sequence[str], i: int, above: int | None) -> int | None:
    if found := FAREWELL_BEFORE.match(lines[i]):
        return found.end()
    if above is None:
        return None
    if len(lines[above]) <= CLOSING_LINE_MAX and FAREWELL_ALONE.fullmatch(lines[above]):
        return 0
    found = None if DASH.match(lines[above]) else DASH.match(lines[i])
    return found.end() if found else None


def _is_name(text: str, spared: Collection[str]) -> bool:
    words = CLOSING_WORD.findall(text)
    if not 0 < len(words) <= WORDS_MAX or any(mark in text for mark in '?:;()"0123456789'):
        return False
    written = all(word[0].isupper() or word in PARTICLES for word in words)
    known = all(word.casefold() in spared for word in words)
    return (written or len(words) == 1) and not known
