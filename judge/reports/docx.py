"""Reports as Word documents, made from their HTML page (python-docx, the extra `docx`).

The page comes from `templates/zine/marks/html.j2`: an edit there changes the document too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docx import Document
from docx.enum.section import WD_SECTION
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt

STYLES = {
    "h1": "Title",
    "h2": "Heading 1",
    "h3": "Heading 2",
    "h4": "Heading 3",
    "p": "Normal",
    "li": "List",
    "pre": "macro",
}
ORDERS_ATTRIBUTE = ("class", "orders")  # of the part that has columns
COLUMNS = 3
A4 = Mm(210), Mm(297)
MARGIN, PICTURE_WIDE = Mm(18), Mm(150)
BODY_SIZE, CODE_SIZE = Pt(10), Pt(8)
SPACES = re.compile(r"\s+")


def to_docx(page: str, pictures: Mapping[str, bytes]) -> bytes:
    """Return the HTML *page* as a document; its images name *pictures* by their source."""
    writer = _Writer(pictures)
    writer.feed(page)
    out = BytesIO()
    writer.document.save(out)
    return _without_timestamps(out)


class _Writer(HTMLParser):
    """Copies an HTML page into a *document* while parsing it."""

    def __init__(self, pictures: Mapping[str, bytes]) -> None:
        super().__init__()
        self.document = Document()
        self._pictures = pictures
        self._paragraph = self.document.paragraphs[0] if self.document.paragraphs else None
        self._marks: list[str] = []  # the elements that are open
        self._rows: list[list[str]] = []
        self._columns_at: int | None = None  # how many elements were open where they began
        self._set_up()

    def _set_up(self) -> None:
        section, styles = self.document.sections[0], self.document.styles
        section.page_width, section.page_height = A4
        section.left_margin = section.right_margin = MARGIN
        section.top_margin = section.bottom_margin = MARGIN
        for name, size in (("Normal", BODY_SIZE), ("List", BODY_SIZE), ("macro", CODE_SIZE)):
            styles[name].font.size = size
            styles[name].paragraph_format.space_after = Pt(2)
        properties = self.document.core_properties
        properties.author = properties.comments = ""

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if tag in {"meta", "br"}:
            return
        if tag == "img":
            self._put_picture(dict(attrs))
            return
        self._marks.append(tag)
        if ORDERS_ATTRIBUTE in attrs:
            self._columns_at = len(self._marks)
            self._part(COLUMNS)
        elif tag in STYLES:
            self._paragraph = self.document.add_paragraph(style=self._style(tag))
        elif tag == "tr":
            self._rows.append([])
        elif tag in {"td", "th"}:
            self._rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if self._columns_at == len(self._marks):
            self._columns_at = None
            self._part(1)
        if self._marks and self._marks[-1] == tag:
            self._marks.pop()
        if tag == "table":
            self._put_table()
        elif tag in STYLES:
            self._paragraph = None

    def handle_data(self, data: str) -> None:
        inside = self._marks[-1] if self._marks else ""
        if inside == "title":
            self.document.core_properties.title = data
        elif inside in {"td", "th"}:
            self._rows[-1][-1] += data
        elif self._paragraph is not None:
            text = data if "pre" in self._marks else SPACES.sub(" ", data)
            run = self._paragraph.add_run(text)
            run.underline = "u" in self._marks or None
            run.italic = "i" in self._marks or None
            run.bold = "b" in self._marks or None

    def _style(self, tag: str) -> str:
        return "Quote" if tag == "p" and "blockquote" in self._marks else STYLES[tag]

    def _part(self, columns: int) -> None:
        """Continue in *columns* on the same page."""
        self.document.add_section(WD_SECTION.CONTINUOUS)
        [found] = self.document.element.xpath("/w:document/w:body/w:sectPr/w:cols")
        found.set(qn("w:num"), str(columns))

    def _put_picture(self, attributes: Mapping[str, str | None]) -> None:
        picture = self._pictures[attributes["src"] or ""]
        assert self._paragraph is not None, "images stand in paragraphs"
        run = self._paragraph.add_run()
        run.add_picture(BytesIO(picture), width=PICTURE_WIDE)
        [shape] = run.element.xpath(".//wp:docPr")
        shape.set("descr", attributes["alt"] or "")

    def _put_table(self) -> None:
        """Add a table of the rows read; its first row is repeated on every page."""
        head, *_ = self._rows
        table = self.document.add_table(0, len(head), style="Light List")
        for cells in self._rows:
            row = table.add_row()
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
        [first] = self.document.element.xpath("(//w:tbl)[last()]/w:tr[1]")
        first.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
        self.document.add_paragraph()
        self._rows = []


def _without_timestamps(written: BytesIO) -> bytes:
    """Return the archive *written* without times, so the same game gives the same file."""
    out = BytesIO()
    with ZipFile(written) as found, ZipFile(out, "w", ZIP_DEFLATED) as made:
        for name in found.namelist():
            made.writestr(ZipInfo(name), found.read(name), ZIP_DEFLATED)
    return out.getvalue()
