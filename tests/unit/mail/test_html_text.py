"""HTML is read in the lines that its reader sees."""

from __future__ import annotations

import pytest
from lxml import html

from judge.mail.html_text import text_of


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>A Par-<b>Bur</b></p><p>A Mar\n  S A Par-Bur</p>", "A Par-Bur\n\nA Mar S A Par-Bur"),
        ("<div>A Par-Bur<br>A Mar H</div>F Bre H", "A Par-Bur\nA Mar H\nF Bre H"),
        ("<div>A Par-Bur</div><div><br></div><div>A Mar H</div>", "A Par-Bur\n\nA Mar H"),
        ("<pre>A Par-Bur\n  A Mar H</pre>", "A Par-Bur\n  A Mar H"),
        ('<div style="white-space: pre-wrap">A Par-Bur\nA Mar H</div>', "A Par-Bur\nA Mar H"),
        ('<span style="display:block">A Par-Bur</span>A Mar H', "A Par-Bur\nA Mar H"),
        ("A Par-Bur &amp; A&nbsp;Mar&nbsp;H", "A Par-Bur & A Mar H"),
        ("A Par-Bur &amp;lt;b&amp;gt; A Mar H", "A Par-Bur &lt;b&gt; A Mar H"),
        ("<dl><dt>From</dt><dd>: Otto</dd><dt>To</dt><dd>: me</dd></dl>", "From: Otto\nTo: me"),
    ],
)
def test_a_line_ends_where_a_reader_sees_its_end(source: str, text: str) -> None:
    assert shown(source) == text


def test_cells_stand_beside_each_other() -> None:
    rows = "<tr><td>A Par</td><td>Bur</td></tr><tr><th>A Mar</th><td>Spa</td></tr>"

    assert shown(f"<table>{rows}</table>") == "A Par  Bur\nA Mar  Spa"


def test_cells_with_several_lines_are_not_mixed() -> None:
    row = "<tr><td>A Par-Bur<br>A Mar-Spa</td><td>F Bre-Eng<br>Yours, Otto</td></tr>"

    assert shown(f"<table>{row}</table>") == "A Par-Bur\nA Mar-Spa\nF Bre-Eng\nYours, Otto"


def test_no_text_of_a_broken_table_is_lost() -> None:
    table = "<table>A Par-Bur<tr>A Mar-Spa<td>F Bre-Eng</td>A Mun H</tr>A Kie H</table>"

    assert {"A Par-Bur", "A Kie H"} <= set(shown(table).split("\n"))
    assert all(each in shown(table) for each in ("A Mar-Spa", "F Bre-Eng", "A Mun H"))


def test_a_deeply_nested_table_takes_no_longer_than_its_text() -> None:
    source = "<table><tr><td>" * 80 + "A Par-Bur<br>" * 500 + "</td></tr></table>" * 80

    assert shown(source) == "\n".join(["A Par-Bur"] * 500)


def shown(source: str) -> str:
    return text_of(html.document_fromstring(source))
