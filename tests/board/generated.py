"""Draw boards from their borders: `python -m tests.board.generated VARIANT...`.

Writes the `board.json` of these variants, without names of all that have no picture.
"""

from __future__ import annotations

import sys

from judge.adapters.variant_files import PICTURE, folder_of, load_art, load_map, variants
from judge.pictures.generating import generate_picture


def main(names: list[str]) -> None:
    for name in names or [each for each in variants() if not load_art(each)]:
        file = folder_of(name) / PICTURE
        file.write_text(generate_picture(load_map(name)), encoding="utf-8")
        sys.stdout.write(f"{name}: {file.stat().st_size // 1000} kB\n")


if __name__ == "__main__":
    main(sys.argv[1:])
