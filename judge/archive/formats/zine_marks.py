"""Marks on printed orders that failed, and lines with several orders.

`(A Ven-Rom)`, `<F Nwy-Stp(nc)>`, `_A Ven-Rom_`, a row of dashes below, `[nso]`, `[***]`,
`(*Bounce*)`, `*cut*`, `CUT`, `Bounced with gas (1 against 1)`, and `<SEV>` for a dislodged unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

FAILS = "fails"  # for a reason that is not told
WORDS = {
    **dict.fromkeys(("bounce", "bounced", "bounces", "standoff"), "bounce"),
    **dict.fromkeys(("cut",), "cut"),
    **dict.fromkeys(("void", "nso", "ordered to move", "invalid", "illegal", "misorder"), "void"),
    **dict.fromkeys(("no convoy",), "no convoy"),
    **dict.fromkeys(("disrupted",), "disrupted"),
    **dict.fromkeys(("dislodged", "***"), "dislodged"),
    **dict.fromkeys(("destroyed", "disbands", "annihilated"), "destroyed"),
    **dict.fromkeys(("fail", "fails", "failed"), FAILS),
}
PLAIN = "|".join(sorted((word for word in WORDS if word[0].isalpha()), key=len, reverse=True))
BEHIND = (
    re.compile(r"\s*\(\*(?P<words>[^*()]+)\*(?P<remark>[^()]*)\)\.?$"),
    re.compile(r"\s*\[(?P<words>[^\]]+)\]\.?$"),
    re.compile(r"\s*\*(?P<words>[A-Za-z ]+)\*\.?$"),
    re.compile(rf"[\s,]+(?P<words>{PLAIN.upper()})\.?$"),
)
SENTENCES = (  # of jDip
    (re.compile(r"\s+Bounced with .*$"), "bounce"),
    (re.compile(r"\s+Support cut by .*$"), "cut"),
    (re.compile(r"\s+Convoy disrupted.*$|\s+Convoying .* was dislodged.*$"), "disrupted"),
    (re.compile(r"\s+Dislodged (?:from|by) .*$"), "dislodged"),
)
REMARK = re.compile(r"\s*\((?:NOTE|SEE|N\.?B\.?)\b.*\)$")
STAMPED = re.compile(r"<([A-Z]{3}(?:\([a-z]{2}\))?)>")  # a dislodged unit's place
WRAPPERS = (("(", ")"), ("<", ">"), ("_", "_"), ("<u>", "</u>"), ("<U>", "</U>"))
OPENERS, CLOSERS = "(<[", ")>]"
ONLY_WORDS = re.compile(rf"(?:{PLAIN.upper()})\.?$")
MARKS_MAX = 8  # on one order: nobody puts more than three
UNDERLINE = re.compile(r"[-_=~^]{2,}")


@dataclass(frozen=True, slots=True)
class Marked:
    """An order without its marks: its *text*, the words for the marks, and its column.

    *unknown* is a mark without a known meaning.
    """

    text: str
    words: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    unknown: str = ""


def marked_orders(line: str, start: int = 0) -> Iterator[Marked]:
    """Split *line*, from the column *start* on, into orders without their marks."""
    pieces: list[Marked] = []
    for begin, end in _spans(line, start):
        text = line[begin:end]
        if pieces and ONLY_WORDS.match(text):  # `CUT, DISLODGED`
            more = WORDS[text.rstrip(".").lower()]
            pieces[-1] = replace(pieces[-1], words=(*pieces[-1].words, more))
        else:
            pieces += _unmarked(Marked(text, start=begin, end=end))
    yield from pieces


def underlined(orders: Sequence[Marked], below: str) -> Sequence[Marked] | None:
    """Return *orders* with those failed that *below* underlines, None if it does no such thing.

    A row of dashes that begins or ends elsewhere than an order is a divider.
    """
    rows = [(found.start(), found.end()) for found in UNDERLINE.finditer(below)]
    if not rows or UNDERLINE.sub("", below).strip():
        return None
    spans = {(each.start, each.end) for each in orders}
    if not spans.issuperset(rows):
        return None
    return [
        replace(each, words=(*each.words, FAILS)) if (each.start, each.end) in rows else each
        for each in orders
    ]


def _spans(line: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the pieces of *line* between commas, brackets left whole."""
    depth, begin = 0, start
    for at in range(start, len(line) + 1):
        sign = line[at] if at < len(line) else ","
        arrow = sign == ">" and line[at - 1] in "-="
        depth += (sign in OPENERS) - (sign in CLOSERS and not arrow)
        if sign in ",;" and (depth <= 0 or at == len(line)):
            text = line[begin:at]
            if text.strip():
                indent = len(text) - len(text.lstrip())
                yield begin + indent, begin + len(text.rstrip())
            begin = at + 1


def _unmarked(piece: Marked, marks: int = MARKS_MAX) -> Iterator[Marked]:
    """Return *piece* without its marks, at most *marks* of them."""
    parts = _parts(piece, piece.text.strip()) if marks else []
    if not parts:
        yield replace(piece, text=REMARK.sub("", piece.text.strip()).removesuffix("."))
    for part in parts:
        yield from _unmarked(part, marks - 1)


def _parts(piece: Marked, text: str) -> Sequence[Marked]:
    """Return *piece* with a mark less, none if it has no mark; what was wrapped may be several."""
    for opening, closing in WRAPPERS:
        if _wraps(text, opening, closing):
            inner = text[len(opening) : -len(closing)]
            return [_with(piece, inner[begin:end], FAILS) for begin, end in _spans(inner, 0)]
    if stamped := STAMPED.search(text):
        bare = text[: stamped.start()] + stamped[1] + text[stamped.end() :]
        return [_with(piece, bare, "dislodged")]
    for pattern in BEHIND:
        if found := pattern.search(text):
            words = [WORDS.get(word.strip().lower(), "") for word in found["words"].split(",")]
            part = _with(piece, text[: found.start()], *filter(None, words))
            return [part if all(words) else replace(part, unknown=found["words"])]
    for pattern, word in SENTENCES:
        if pattern.search(text):
            return [_with(piece, pattern.sub("", text), word)]
    return []


def _with(piece: Marked, text: str, *words: str) -> Marked:
    return replace(piece, text=text, words=(*piece.words, *words))


def _wraps(text: str, opening: str, closing: str) -> bool:
    """Return whether *text* begins with *opening*, and that is closed at its very end."""
    if not (text.startswith(opening) and text.endswith(closing)):
        return False
    inner = text[len(opening) : -len(closing)]
    if opening == closing or len(opening) > 1:
        return closing not in inner and bool(inner)
    depth = 0
    for at, sign in enumerate(inner):
        depth += (sign == opening) - (sign == closing and inner[at - 1 : at] not in {"-", "="})
        if depth < 0:
            return False
    return depth == 0 and bool(inner)
