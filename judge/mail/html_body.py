"""HTML bodies: hidden and quoted parts, and the choice between plain text and HTML.

Mail programs send both forms of one text. Plain text is wrapped at a column, loses tables and
parts of the text, or only refers to the HTML; HTML made of a plain text may lose its lines. The
forms are compared by their words, and where these agree, by their line ends. The time is linear
in the length of both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from lxml import etree, html

if TYPE_CHECKING:
    from collections.abc import Callable

UNSEEN = ("script", "style", "head", "template", "noscript", "object", "svg", "title")
HIDDEN = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|(font-size|opacity|max-height):0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
# How mailers wrap the mail that is answered: Gmail, Yahoo, Thunderbird, Proton, Zoho, Outlook.
QUOTE_CLASSES = frozenset(
    (
        "gmail_quote",
        "gmail_attr",
        "yahoo_quoted",
        "moz-cite-prefix",
        "moz-forward-container",
        "protonmail_quote",
        "zmail_extra",
        "OutlookMessageHeader",
        "gmail_quote_attribution",
    )
)
# How Gmail and Apple Mail indent new text; their quotes have a class, a type or a line.
INDENTED = re.compile(r"border(-left)?:(none|0)", re.IGNORECASE)
# How they wrap a signature; what stands below one is read on, in HTML.
SIGNATURE_CLASSES = frozenset(
    ("gmail_signature", "moz-signature", "protonmail_signature_block", "k9mail-signature")
)
SIGNATURE_IDS = frozenset(
    ("Signature", "ms-outlook-mobile-signature", "composer_signature", "ymail_android_signature")
)
SIGNATURE_NAMES = frozenset(("messageSignatureSection",))
QUOTE_IDS = frozenset(("mail-editor-reference-message-container", "OLK_SRC_BODY_SECTION"))
STRUCK = ("s", "del", "strike")
STRUCK_STYLE = re.compile(r"text-decoration(-line)?:[^;]*line-through", re.IGNORECASE)
MAY_STRIKE = re.compile(r"<(s|del|strike)[\s>]|line-through", re.IGNORECASE)
LISTS = {"ul": "div", "ol": "div", "li": "p"}  # The bullet of a list is no part of an order.

Tree: TypeAlias = html.HtmlElement


def visible_tree(source: str, render: Callable[[Tree], str]) -> Tree | None:
    """Parse *source* and keep what is to be read; None if there is nothing.

    A quoted part becomes its text by *render*, each line marked with `>`: so one grammar splits
    plain text and HTML, and text between two quotes stays.
    """
    try:
        parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
        tree: Tree = html.document_fromstring(source.encode(), parser)
    except etree.ParserError:
        return None
    for element in list(tree.iter()):
        if element is not tree and _unseen(element):
            element.drop_tree()
    for element in list(tree.iter(*LISTS)):
        element.tag = LISTS[element.tag]
    for element in _outermost(tree, _quotes):
        _mark(element, render)
    return tree


def may_strike(source: str) -> bool:
    """Return whether anything in *source* may be struck through."""
    return MAY_STRIKE.search(source) is not None


def remove_struck(tree: Tree) -> tuple[str, ...]:
    """Remove the struck-through parts of *tree*, and return their lines."""
    lines = []
    for element in reversed(_outermost(tree, _struck)):
        lines += [" ".join(text.split()) for text in element.itertext()]
        element.drop_tree()
    return tuple(line for line in lines if line)


def _struck(element: Tree) -> bool:
    style = element.get("style", "").replace(" ", "")
    return element.tag in STRUCK or bool(STRUCK_STYLE.search(style))


def _unseen(element: Tree) -> bool:
    style = element.get("style", "").replace(" ", "")
    return element.tag in UNSEEN or "hidden" in element.attrib or bool(HIDDEN.search(style))


def _outermost(tree: Tree, is_sought: Callable[[Tree], bool]) -> list[Tree]:
    """Return the outermost of the elements sought, in one walk."""
    found: list[Tree] = []
    waiting = [tree]
    while waiting:
        element = waiting.pop()
        if is_sought(element):
            found.append(element)
        else:
            waiting.extend(element)
    return found


def _quotes(element: Tree) -> bool:
    """Return whether *element* is a quote; Gmail's may have answers around a blockquote."""
    if element.tag in ("blockquote", "signature"):
        return not _is_indented(element)
    if element.get("id") in QUOTE_IDS | SIGNATURE_IDS or element.get("name") in SIGNATURE_NAMES:
        return True
    classes = QUOTE_CLASSES | SIGNATURE_CLASSES
    classes = classes.intersection(element.get("class", "").split())
    looked_into = "gmail_quote" in classes and element.find("blockquote") is not None
    return bool(classes) and not looked_into


def _is_indented(element: Tree) -> bool:
    """Return whether a blockquote only indents new text."""
    style = element.get("style", "").replace(" ", "")
    return not {"class", "type", "cite"} & set(element.keys()) and bool(INDENTED.search(style))


def _mark(element: Tree, render: Callable[[Tree], str]) -> None:
    """Replace *element* by its text, as quoted lines; the text after it stays."""
    tail, element.tail = element.tail, None
    text = render(element).strip("\n")
    element.clear()
    element.tag, element.tail = "pre", tail
    element.text = "\n".join(f"> {line}" for line in text.split("\n"))


WRAPPED_MIN = 60  # characters; no mail program wraps text in fewer columns
BOILERPLATE_WORDS_MAX = 80
BOILERPLATE = re.compile(r"\b(html|mime|browser|text-only)\b", re.IGNORECASE)
# What only one form has: targets of links, names of pictures, the number or dot of a list's item.
LINK = re.compile(r"[<(\[]?\b(?:https?://|mailto:|tel:)\S{1,2000}", re.IGNORECASE)
PICTURE = re.compile(r"\[(?:image|cid)\b[^\]\n]{0,200}\]", re.IGNORECASE)
BULLET = re.compile(r"\A\s*(?:\d{1,2}[.)]|[-*+•·o§])\s+")
WORD = re.compile(r"[^\W_]+")
GAP = re.compile(r"\s{2,}|\t")  # between the cells of a table
LOST = re.compile(r"[^\x00-\x7f]+|\?+")  # what a wrong character set makes of letters
REPLACED = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Form:
    """One form of an email: its new *lines*, and its *old* ones (quotes and signature)."""

    lines: Sequence[str]
    old: Sequence[str] = ()


def is_html_better(plain: Form, html: Form) -> bool:
    """Return whether *html* is to be read: it has lines or words that *plain* has lost."""
    written, shown = _count(plain.lines), _count(html.lines)
    if _is_boilerplate(plain, html):
        return True
    if _differ_by_charset(plain, html):
        return _damage(html) < _damage(plain)
    if _text(plain.lines) == _text(html.lines):
        return _keeps_lines(plain.lines, html.lines)
    only_written, only_shown = written - shown, shown - written
    if not only_written:
        return bool(only_shown) and not _is_from(only_shown, plain.old)
    return _is_from(only_written, html.old) and not _is_from(only_shown, plain.old)


def says_nothing_else(plain: Form, html: Form) -> bool:
    """Return whether *plain*, which is not read, is only wrapped, or only refers to *html*."""
    return _text(plain.lines) == _text(html.lines) or _is_boilerplate(plain, html)


def has_more_words(unread: Form, read: Form) -> bool:
    """Return whether *unread* has new words that *read* has nowhere."""
    if _text(unread.lines) == _text(read.lines):
        return False
    return bool(_count(unread.lines) - _count(read.lines) - _count(read.old))


def have_same_lines(one: Form, other: Form) -> bool:
    """Return whether both say the same in the same lines, but for spaces and marks of lists."""
    return _text_lines(one.lines) == _text_lines(other.lines)


def _is_boilerplate(plain: Form, html: Form) -> bool:
    """Return whether the text is `Your mail program cannot show HTML` in place of *html*."""
    words = _count(plain.lines)
    if not words or words.total() > BOILERPLATE_WORDS_MAX:
        return False
    names_html = any(BOILERPLATE.search(line) for line in plain.lines)
    shown = _count(html.lines)
    return names_html and (shown - words).total() * 2 > shown.total()


def _text_lines(lines: Sequence[str]) -> list[str]:
    said = (" ".join(_without_marks(line).split()) for line in lines)
    return [line for line in said if line]


def _without_marks(line: str) -> str:
    """Return *line* without what only one form of an email has."""
    return BULLET.sub("", PICTURE.sub(" ", LINK.sub(" ", line)), count=1)


def _words(line: str) -> list[str]:
    return WORD.findall(_without_marks(line).casefold())


def _text(lines: Sequence[str]) -> str:
    """Return the letters and digits of *lines*, without any space."""
    return "".join(word for line in lines for word in _words(line))


def _count(lines: Sequence[str]) -> Counter[str]:
    return Counter(word for line in lines for word in _words(line))


def _is_from(words: Counter[str], old: Sequence[str]) -> bool:
    """Return whether most of *words* are in *old*: one form shows that they are no new text."""
    return bool(words) and (words & _count(old)).total() * 2 >= words.total()


def _differ_by_charset(plain: Form, html: Form) -> bool:
    one, other = _signs(plain.lines), _signs(html.lines)
    return one != other and LOST.sub("?", one) == LOST.sub("?", other)


def _signs(lines: Sequence[str]) -> str:
    return "".join("".join(_without_marks(line).split()) for line in lines)


def _damage(form: Form) -> tuple[int, int, int]:
    """Count the damage of a wrong character set: replacements, `?`, letters for one letter."""
    signs = _signs(form.lines)
    return signs.count(REPLACED), signs.count("?"), len(signs)


def _keeps_lines(plain: Sequence[str], html: Sequence[str]) -> bool:
    """Return whether *html*, of the same words, has lines that *plain* wraps or runs together.

    Where it has run lines together itself, *plain* is better.
    """
    ends, html_ends = _line_ends(plain), _line_ends(html)
    lost_by_html = {at: end for at, end in ends.items() if at not in html_ends}
    lost_by_plain = {at: end for at, end in html_ends.items() if at not in ends}
    rows = _gaps(html)
    if not all(at in rows for at in lost_by_html) and not _are_wrapped(lost_by_html):
        return False
    return bool(lost_by_html) or not _are_wrapped(lost_by_plain)


@dataclass(frozen=True, slots=True)
class _LineEnd:
    """The end of a line: its *length*, and that of the *next* word, None in the next paragraph."""

    length: int
    next: int | None


def _line_ends(lines: Sequence[str]) -> dict[int, _LineEnd]:
    """Return for each end of a line, but the last, the number of letters and digits above it."""
    ends: dict[int, _LineEnd] = {}
    above, length, blank = 0, 0, False
    for line in lines:
        words = _words(line)
        if not words:
            blank = True
            continue
        ends[above] = _LineEnd(length, None if blank else len(line.split(maxsplit=1)[0]))
        above += sum(map(len, words))
        length, blank = len(line.rstrip()), False
    ends.pop(0, None)
    return ends


def _gaps(lines: Sequence[str]) -> set[int]:
    """Return for each gap between table cells the number of letters and digits above it."""
    gaps: set[int] = set()
    above = 0
    for line in lines:
        for cell in GAP.split(_without_marks(line)):
            above += sum(map(len, _words(cell)))
            gaps.add(above)
    return gaps


def _are_wrapped(ends: dict[int, _LineEnd]) -> bool:
    """Return whether all *ends* are where a program breaks lines: no other word had room there."""
    if any(end.next is None for end in ends.values()):
        return False
    longest = max((end.length for end in ends.values()), default=0)
    room = min((end.length + (end.next or 0) for end in ends.values()), default=WRAPPED_MIN)
    return room >= max(longest, WRAPPED_MIN)
