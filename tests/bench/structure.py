"""Print the size and shape of the judge's code beside what we aim for.

    python -m tests.bench.structure [ROOT]

`.ci/run` prints it as a report: none of it fails a change.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

LINES_MAX = 600
LINES_MIN = 60
ENTRIES = range(5, 21)
VAGUE_VERBS = ("Tell", "Say", "Let", "See")
LISTED_MAX = 12


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the judge: where it is, its text and its syntax tree."""

    path: Path
    lines: Sequence[str]
    tree: ast.Module


def main(root: Path) -> None:
    """Print the report on the package `judge` below *root*."""
    modules = [read_module(path, root) for path in sorted((root / "judge").rglob("*.py"))]
    topics = [each for each in modules if each.path.name != "__init__.py"]
    lengths = [len(each.lines) for each in topics]
    total = sum(len(each.lines) for each in modules)
    imports = sum(import_lines(each.tree) for each in modules)
    docstrings = [text for each in modules for text in docstrings_in(each.tree)]
    endings = Counter(ending for each in modules for ending in match_endings(each.tree))
    shared = shared_names(topics)
    long = [f"{each.path} ({len(each.lines)})" for each in topics if len(each.lines) > LINES_MAX]
    short = [length for length in lengths if length < LINES_MIN]
    folders = folder_sizes(modules)
    odd = [f"{folder} ({size})" for folder, size in folders.items() if size not in ENTRIES]
    vague = [text for text in docstrings if text.split(None, 1)[:1][0] in VAGUE_VERBS]

    row("modules, without __init__.py", len(topics), "about 250")
    row("lines", total, "about 54,000")
    row("median lines of a module", round(median(lengths)), "150 to 250")
    row(f"modules over {LINES_MAX} lines", len(long), "each is one topic", long)
    row(f"modules under {LINES_MIN} lines", len(short), "few")
    row("lines of imports, percent", f"{100 * imports / total:.1f}", "at most 6")
    row("file names in two packages", len(shared), "at most 10", shared)
    row("folders without 5 to 20 entries", len(odd), "few", odd)
    row(f"docstrings, of {len(docstrings)}, with {'/'.join(VAGUE_VERBS)}", len(vague), "0")
    row("matches over classes or enums", endings.total(), "")
    row("  that end in assert_never", endings["never"], "")
    row("  without a default: mypy checks them", endings["none"], "")
    row("  whose default does something else", endings["other"], "few")


def read_module(path: Path, root: Path) -> Module:
    """Read the module at *path*."""
    text = path.read_text(encoding="utf-8")
    return Module(path.relative_to(root), text.splitlines(), ast.parse(text))


def row(name: str, value: object, goal: str, listed: Sequence[str] = ()) -> None:
    """Print a line of the report, and some of what it counts."""
    shown = f"{value:,}" if isinstance(value, int) else value
    print(f"{name:<44} {shown:>8}   {goal}".rstrip())
    for each in listed[:LISTED_MAX]:
        print(f"    {each}")
    if len(listed) > LISTED_MAX:
        print(f"    and {len(listed) - LISTED_MAX} more")


def import_lines(tree: ast.Module) -> int:
    """Return how many lines import statements take, at any depth."""
    return sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    )


def shared_names(modules: Sequence[Module]) -> list[str]:
    """Return the file names that two top-level packages use, with the folders they are in."""
    folders: dict[str, list[Path]] = defaultdict(list)
    for each in modules:
        folders[each.path.name].append(each.path.parent)
    return [
        f"{name}: {', '.join(map(str, where))}"
        for name, where in sorted(folders.items())
        if len({each.parts[:2] for each in where}) > 1
    ]


def folder_sizes(modules: Sequence[Module]) -> dict[Path, int]:
    """Return how many modules and packages each folder holds."""
    entries = {each.path for each in modules if each.path.name != "__init__.py"}
    entries |= {each.path.parent for each in modules}
    return dict(sorted(Counter(entry.parent for entry in entries if entry.parent.name).items()))


def docstrings_in(tree: ast.Module) -> Iterator[str]:
    """Yield the docstrings of the module, its classes and its functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield text


def match_endings(tree: ast.Module) -> Iterator[str]:
    """Yield how each `match` over classes or enums ends: `never`, `none` or `other`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Match) and any(names_a_type(case.pattern) for case in node.cases):
            last = node.cases[-1]
            if not is_default(last):
                yield "none"
            elif "assert_never(" in ast.unparse(last):
                yield "never"
            else:
                yield "other"


def names_a_type(pattern: ast.pattern) -> bool:
    """Return whether *pattern* names a class of ours or a member of an enum."""
    match pattern:
        case ast.MatchClass(cls=ast.Name(id=name)):
            return name[0].isupper()
        case ast.MatchClass() | ast.MatchValue(value=ast.Attribute()):
            return True
        case ast.MatchOr(patterns=several):
            return any(map(names_a_type, several))
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return names_a_type(inner)
        case _:
            return False


def is_default(case: ast.match_case) -> bool:
    """Return whether *case* takes whatever comes."""
    return isinstance(case.pattern, ast.MatchAs) and not (case.pattern.pattern or case.guard)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
