"""The HTML part of a mail: its pages in one frame, with the style written into their tags.

Mail programs drop style sheets, so only what tells screens apart stays in one: dark or narrow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from css_inline import CSSInliner

from judge.reports.languages import SOURCE
from judge.reports.render import render_page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.reports.render import Rendered
    from judge.rules.types import Power

FRAME = "mail/frame.html.j2"


@dataclass(frozen=True, slots=True)
class Chip:
    """The colors in which the name of a power stands, which is written out always."""

    background: str
    ink: str


def document(
    pages: Sequence[Rendered], powers: Mapping[Power, Chip], language: str = SOURCE
) -> str:
    """Return *pages* as one document in *language*, under the subject of the first."""
    values = {
        "subject": pages[0].subject,
        "pages": [each.html for each in pages],
        "powers": powers,
        "language": language,
    }
    inlined: str = _inliner().inline(render_page(FRAME, values))
    return inlined


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_style_tags=False, load_remote_stylesheets=False)
