"""List the pinned packages without a wheel, by platform: `python -m tests.support.wheels`.

`requirements/wheels.txt` has the tags of all wheels of the pins, on the platforms listed here;
`requirements/lock` writes it, by `python -m tests.support.wheels write`. A package without a
wheel is built where it is installed, by tools that nothing pins.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms, parse_tag
from packaging.utils import canonicalize_name, parse_wheel_filename

FOLDER = Path(__file__).parents[2] / "requirements"
TABLE = FOLDER / "wheels.txt"
MINORS = range(11, 16)  # of Python 3
GLIBC = range(36, 4, -1)  # of glibc 2, to that of Debian 12
OLD_NAMES = {17: "manylinux2014", 12: "manylinux2010", 5: "manylinux1"}
HEAD = (
    "# Written by requirements/lock: the wheels of each pin that tests/support/wheels.py asks for."
)


@dataclass(frozen=True, slots=True, eq=False)
class Platform:
    """A kind of machine: the tags it accepts, the best first, and its values in markers."""

    name: str
    tags: tuple[str, ...]
    markers: Mapping[str, str]

    def accepts(self, minor: int) -> frozenset[Tag]:
        """Return the tags of wheels that CPython 3.*minor* installs."""
        python, interpreter = (3, minor), f"cp3{minor}"
        own = cpython_tags(python, platforms=self.tags)
        return frozenset([*own, *compatible_tags(python, interpreter, self.tags)])

    def needs(self, marker: Marker | None, minor: int) -> bool:
        """Return whether a package with *marker* is installed for CPython 3.*minor*."""
        python = {"python_version": f"3.{minor}", "python_full_version": f"3.{minor}.0"}
        cpython = {"implementation_name": "cpython", "platform_python_implementation": "CPython"}
        return marker is None or marker.evaluate({**self.markers, **python, **cpython})


def _linux(machine: str, name: str) -> Iterator[Platform]:
    markers = {
        "os_name": "posix",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "platform_machine": machine,
    }
    names = [
        each for minor in GLIBC for each in (f"manylinux_2_{minor}", OLD_NAMES.get(minor)) if each
    ]
    yield Platform(f"Linux {name}", tuple(f"{each}_{machine}" for each in names), markers)
    musl = tuple(f"musllinux_1_{minor}_{machine}" for minor in (2, 1, 0))
    yield Platform(f"Linux {name}, musl", musl, markers)


def _others() -> Iterator[Platform]:
    for machine, tag in (("AMD64", "win_amd64"), ("ARM64", "win_arm64")):
        markers = {"os_name": "nt", "sys_platform": "win32", "platform_system": "Windows"}
        yield Platform(f"Windows {machine}", (tag,), {**markers, "platform_machine": machine})
    for machine in ("arm64", "x86_64"):
        markers = {"os_name": "posix", "sys_platform": "darwin", "platform_system": "Darwin"}
        tags = tuple(mac_platforms((14, 0), machine))
        yield Platform(f"macOS {machine}", tags, {**markers, "platform_machine": machine})


LINUX = (*_linux("x86_64", "x86_64"), *_linux("aarch64", "arm64"))
PLATFORMS = (*LINUX, *_others())


def pins(file: str) -> dict[str, Requirement]:
    """Return what *file* in `requirements` pins, by name."""
    text = (FOLDER / file).read_text(encoding="utf-8")
    found = (Requirement(each) for each in re.findall(r"^[a-z][^\\\n]*", text, re.MULTILINE))
    return {canonicalize_name(pin.name): pin for pin in found}


def missing(file: str) -> Iterator[tuple[Platform, int, str]]:
    """Yield the platforms, minor versions of Python and pins of *file* without a wheel."""
    wheels = _wheels()
    for platform in PLATFORMS:
        for minor in MINORS:
            accepted = platform.accepts(minor)
            for name, pin in pins(file).items():
                [exact] = pin.specifier
                tags = wheels[f"{name}=={exact.version}"]
                if platform.needs(pin.marker, minor) and not tags & accepted:
                    yield platform, minor, name


def _wheels() -> dict[str, frozenset[Tag]]:
    found: dict[str, frozenset[Tag]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        pin, *tags = line.split()
        found[pin] = frozenset().union(*map(parse_tag, tags))
    return found


def _write(lock: str) -> None:
    """Write the table from *lock*, a `pylock.toml`."""
    accepted = frozenset().union(*(each.accepts(minor) for each in PLATFORMS for minor in MINORS))
    lines = [HEAD]
    for package in tomllib.loads(lock)["packages"]:
        files = [each["url"].rpartition("/")[2] for each in package.get("wheels", ())]
        fitting = [each for each in files if parse_wheel_filename(each)[3] & accepted]
        tags = ["-".join(each.removesuffix(".whl").split("-")[-3:]) for each in fitting]
        lines.append(" ".join([f"{package['name']}=={package['version']}", *sorted(tags)]))
    TABLE.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _print() -> int:
    """Print what is missing; return 1 if Linux lacks a wheel that the judge needs, else 0."""
    needed = {*missing("run.txt"), *missing("postgresql.txt")}
    rows: dict[tuple[str, str], list[str]] = {}
    for each in missing("test.txt"):  # which has all that the judge needs
        platform, minor, name = each
        kind = "" if each in needed else " (tests only)"
        rows.setdefault((platform.name, name + kind), []).append(f"3.{minor}")
    for (machine, name), minors in rows.items():
        print(f"{machine:20} {name:36} {' '.join(minors)}")  # noqa: T201 - a program for its reader
    return 1 if any(platform in LINUX for platform, _, _ in needed) else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        _write(sys.stdin.read())
    else:
        sys.exit(_print())
