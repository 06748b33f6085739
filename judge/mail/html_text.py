"""Write a tree of HTML as lines of text, as its reader sees them.

Cells of a table stand beside each other if they have one line each, other blocks below each
other, with a blank line around paragraphs and headings. inscriptis, the kept library, goes
letter by letter: an email of a real mail program takes it 1.6 ms, which is most of what an email
costs, and this 0.3 ms.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from lxml.html import HtmlElement

Tree: TypeAlias = "HtmlElement"  # the stubs know its methods; elements are of lxml.etree

PARAGRAPHS = frozenset(("p", "figure", "h1", "h2", "h3", "h4", "h5", "h6"))
BLOCKS = PARAGRAPHS | frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "div"),
        *("dl", "dt", "fieldset", "figcaption", "footer", "form", "header", "hgroup", "hr"),
        *("html", "layer", "li", "listing", "main", "nav", "ol", "plaintext", "pre", "section"),
        *("table", "tbody", "tfoot", "thead", "tr", "ul", "xmp"),
    )
)
WRITTEN = frozenset(("pre", "xmp", "listing", "plaintext"))  # with their spaces and line ends
BETWEEN_CELLS = "  "
WHITE_SPACE = re.compile(r"white-space\s*:\s*(pre|break-spaces)?")
DISPLAY = re.compile(r"(?<![-\w])display\s*:\s*(block)?")


def text_of(tree: Tree) -> str:
    """Return the text of *tree*."""
    return "\n".join(_lines_of(tree, as_written=False))


def _lines_of(tree: Tree, *, as_written: bool) -> list[str]:
    page = _Page()
    page.add(tree, as_written=as_written)
    page.end_line()
    return page.lines


def _text_lines(text: str | None) -> list[str]:
    words = " ".join((text or "").split())
    return [words] if words else []


class _Page:
    """The *lines* that are finished, and the parts of the one that is not."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.parts: list[str] = []
        self.space = False  # before the next word
        self.margin = False  # before the next line

    def add(self, element: Tree, *, as_written: bool) -> None:
        tag = element.tag
        is_block = tag in BLOCKS
        as_written = as_written or tag in WRITTEN
        style = element.get("style", "").lower()
        if "white-space" in style and (found := WHITE_SPACE.search(style)):
            as_written = found[1] is not None
        if "display" in style and (found := DISPLAY.search(style)):
            is_block = found[1] is not None
        if is_block and tag != "dd":  # beside its name, as in headers
            self.end_line(margin=tag in PARAGRAPHS)
        if tag == "br":
            self.parts.append("")
            self.end_line()
        elif tag == "tr":
            self._add_row(element, as_written=as_written)
        else:
            if element.text:
                self._write(element.text, as_written=as_written)
            for child in element:
                self.add(child, as_written=as_written)
                if child.tail:
                    self._write(child.tail, as_written=as_written)
        if is_block and tag != "dt":
            self.end_line(margin=tag in PARAGRAPHS)

    def end_line(self, *, margin: bool = False) -> None:
        if self.parts:
            if self.margin and self.lines:
                self.lines.append("")
            self.lines.append("".join(self.parts))
            self.parts, self.margin = [], False
        self.margin = self.margin or margin
        self.space = False

    def _write(self, text: str, *, as_written: bool) -> None:
        if as_written:
            first, *others = text.split("\n")
            self.parts.append(first)
            for line in others:
                self.end_line()
                self.parts.append(line)
            return
        words = text.split()
        if not words:
            self.space = True
            return
        if self.parts and (self.space or text[0].isspace()):
            self.parts.append(" ")
        self.parts.append(" ".join(words))
        self.space = text[-1].isspace()

    def _add_row(self, row: Tree, *, as_written: bool) -> None:
        cells = [_text_lines(row.text)]
        for cell in row:
            cells += [_lines_of(cell, as_written=as_written), _text_lines(cell.tail)]
        if all(len(cell) <= 1 for cell in cells):
            cells = [[BETWEEN_CELLS.join(line for cell in cells for line in cell)]]
        for cell in cells:
            for line in cell:
                self.parts.append(line)
                self.end_line()
