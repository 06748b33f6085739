"""Reports as PDF (Typst, the extra `pdf`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import typst

from judge.errors import ConfigurationError

MAIN_FILE = "report.typ"


class TypesettingError(ConfigurationError):
    """Typst cannot read the output of the templates."""


def to_pdf(source: str, pictures: Mapping[str, bytes], fonts: Path) -> bytes:
    """Return *source*, which names *pictures*, as a tagged PDF (PDF/UA-1), with *fonts* besides.

    It reads nothing else, so the same source gives the same PDF everywhere. Raises
    `TypesettingError`.
    """
    with TemporaryDirectory() as folder:
        main = Path(folder) / MAIN_FILE
        main.write_text(source, encoding="utf-8")
        for name, picture in pictures.items():
            (Path(folder) / name).write_bytes(picture)
        try:
            return typst.compile(
                str(main),
                root=folder,
                font_paths=[str(fonts)],
                ignore_system_fonts=True,
                format="pdf",
                pdf_standards="ua-1",
                timestamp=0,
            )
        except typst.TypstError as error:
            raise TypesettingError(f"zine/look.typ or zine/marks/typst.j2: {error}") from error
