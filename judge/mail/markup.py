"""HTML before it is read: what nobody sees is dropped, what was quoted gets a quote's marks."""

from __future__ import annotations

import re
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


def prepare(source: str, render: Callable[[Tree], str]) -> Tree | None:
    """Parse *source* and leave what is to be read; None if there is nothing.

    A quoted part becomes its text by *render*, each line marked with `>`: so one grammar splits
    plain mail and HTML, and what was written between two quotes stays.
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
    """Tell whether anything in *source* may be struck through."""
    return MAY_STRIKE.search(source) is not None


def strike(tree: Tree) -> tuple[str, ...]:
    """Take out of *tree* what is struck through, and return its lines."""
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
    """Find the elements sought that stand in no other, in one walk."""
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
    """Tell a quote; Gmail's is looked into if it holds a blockquote: answers may stand there."""
    if element.tag in ("blockquote", "signature"):
        return not _is_indented(element)
    if element.get("id") in QUOTE_IDS | SIGNATURE_IDS or element.get("name") in SIGNATURE_NAMES:
        return True
    classes = QUOTE_CLASSES | SIGNATURE_CLASSES
    classes = classes.intersection(element.get("class", "").split())
    looked_into = "gmail_quote" in classes and element.find("blockquote") is not None
    return bool(classes) and not looked_into


def _is_indented(element: Tree) -> bool:
    """Tell a blockquote by which somebody indents new text."""
    style = element.get("style", "").replace(" ", "")
    return not {"class", "type", "cite"} & set(element.keys()) and bool(INDENTED.search(style))


def _mark(element: Tree, render: Callable[[Tree], str]) -> None:
    """Put the text of *element* in its place, as quoted lines; what follows it stays."""
    tail, element.tail = element.tail, None
    text = render(element).strip("\n")
    element.clear()
    element.tag, element.tail = "pre", tail
    element.text = "\n".join(f"> {line}" for line in text.split("\n"))
