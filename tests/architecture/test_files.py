"""Files and folders are written in one way, which a loss of power does not undo."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import judge

PACKAGE = Path(judge.__file__).parent
THE_WAY = PACKAGE / "adapters/whole_files.py"
OTHERS = {  # what is thrown away, made again by the same command, or not for the judge itself
    "adapters/archive/parquet.py": "in a new folder of replacing_folder",
    "adapters/store/journal.py": "renames what SQLite has written, and syncs the folder",
    "adapters/store/sqlite.py": "the empty database; SQLite writes it, and its folder is synced",
    "cli/archive/verify.py": "what a run has finished; the next one reads again what is lost",
    "cli/demo.py": "in the folder of a demonstration, which is thrown away",
    "cli/games/report.py": "a picture or a page that the command can make again",
    "cli/standard_streams.py": "/dev/null, for a closed stream",
    "pictures/png.py": "in a temporary folder",
    "reports/pdf.py": "in a temporary folder",
}
METHODS = {"write_text", "write_bytes", "mkdir", "rename", "touch", "hardlink_to"}
OF_OS = {"mkdir", "makedirs", "rename", "renames", "replace", "link", "fsync", "fdatasync"}


def test_files_are_written_in_one_way() -> None:
    found = {
        file.relative_to(PACKAGE).as_posix(): sorted(lines)
        for file in sorted(PACKAGE.rglob("*.py"))
        if file != THE_WAY and (lines := set(_written(file)))
    }

    assert {file: lines for file, lines in found.items() if file not in OTHERS} == {}
    assert sorted(OTHERS.keys() - found.keys()) == [], "these write nothing any more"


def _written(file: Path) -> Iterator[int]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and _writes(node):
            yield node.lineno


def _writes(call: ast.Call) -> bool:
    """Return whether *call* makes a file or a folder, renames one or syncs it."""
    match call.func:
        case ast.Attribute(ast.Name("os"), "open" | "fdopen"):
            return any(flag in ast.unparse(call) for flag in ("O_CREAT", "O_WRONLY", "O_RDWR"))
        case ast.Attribute(ast.Name("os"), name):
            return name in OF_OS
        case ast.Attribute(_, "open") | ast.Name("open"):
            modes = [*call.args[:2], *(each.value for each in call.keywords if each.arg == "mode")]
            texts = [each.value for each in modes if isinstance(each, ast.Constant)]
            return any(isinstance(text, str) and _is_writing(text) for text in texts)
        case ast.Attribute(_, name):
            return name in METHODS
        case _:
            return False


def _is_writing(mode: str) -> bool:
    return len(mode) <= 4 and set(mode) <= set("rwaxbt+") and bool(set(mode) & set("wax+"))


def test_other_ways_are_noticed() -> None:
    ways = (
        "path.write_text('x')",
        "path.open('w')",
        "open(path, mode='ab')",
        "os.open(path, os.O_WRONLY)",
        "os.fsync(file)",
        "path.mkdir()",
        "draft.rename(path)",
    )

    assert [way for way in ways if not _writes(_call(way))] == []
    assert not _writes(_call("path.open('rb')"))


def _call(text: str) -> ast.Call:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    return call
