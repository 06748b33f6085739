"""What `judge doctor` finds about the machine: its clock, its zones, its disk, who may read."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from string import ascii_lowercase
from tempfile import TemporaryFile
from zoneinfo import TZPATH, ZoneInfo, ZoneInfoNotFoundError

from judge.adapters.clock import SystemClock
from judge.cli.finding import Finding
from judge.settings import Settings

YEAR_MIN = 2026  # A clock that shows less has lost its battery.
APART_SECONDS_MAX = 2.0  # what file systems may round, and more
ZONES_YEARS_MAX = 2  # then some zone has changed its rules since
ROOM_MIN, ROOM_WANTED = 50_000_000, 1_000_000_000
OTHERS = stat.S_IRWXG | stat.S_IRWXO
A_ZONE = "Europe/Berlin"


def look(settings: Settings) -> Iterator[Finding]:
    """Yield a finding about each part of the machine."""
    folder = settings.database.absolute().parent if isinstance(settings.database, Path) else None
    yield _clock(folder if folder and folder.is_dir() else None)
    yield _zones()
    if folder and folder.is_dir():
        yield _room(folder)
    yield from _readers(settings)
    if os.geteuid() == 0:
        told = "the judge is looked after as root"
        yield Finding("warning", "user", told, "run it, and this command, as a user of its own")


def _clock(folder: Path | None) -> Finding:
    """Compare the clock with that of the file system, which may be another machine's."""
    now = SystemClock().now()
    if now.year < YEAR_MIN:
        return Finding("error", "clock", f"it shows {now:%F}", "set it, and let chrony keep it")
    if folder is None:
        return Finding("ok", "clock", f"it shows {now:%F %T} UTC")
    try:
        with TemporaryFile(dir=folder) as made:
            made.write(b"now")
            made.flush()
            apart = os.fstat(made.fileno()).st_mtime - SystemClock().now().timestamp()
    except OSError as error:
        told = f"no file can be made in {folder}: {error.strerror}"
        return Finding("error", "clock", told, "let the judge's user write there")
    if abs(apart) > APART_SECONDS_MAX:
        told = f"that of the file system at {folder} is {apart:+.0f} s from it"
        return Finding("warning", "clock", told, "keep both synchronized (chrony)")
    return Finding("ok", "clock", f"it shows {now:%F %T} UTC, and so does the file system")


def _zones() -> Finding:
    """Say how old the data of time zones are: deadlines stand in zones that people name."""
    try:
        ZoneInfo(A_ZONE)
    except ZoneInfoNotFoundError:
        return Finding("error", "zones", f"{A_ZONE} is not known", "install tzdata")
    released = _released()
    if released is None:
        return Finding("ok", "zones", "they are known; of which year nobody says")
    if SystemClock().now().year - int(released[:4]) > ZONES_YEARS_MAX:
        return Finding("warning", "zones", f"they are of {released}", "update tzdata")
    return Finding("ok", "zones", f"they are of {released}")


def _released() -> str | None:
    """Return the release of the zones that are used, such as 2026a: the system's go first."""
    for folder in map(Path, TZPATH):
        if Path(folder, A_ZONE).is_file():
            told = Path(folder, "tzdata.zi")
            if not told.is_file():
                return None
            with told.open(encoding="utf-8") as opened:
                return opened.readline().removeprefix("# version ").strip()[:5] or None
    try:
        year, number, *_ = version("tzdata").split(".")
    except (PackageNotFoundError, ValueError):
        return None
    return f"{year}{ascii_lowercase[int(number) - 1]}"


def _room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    told = f"{free / 1e9:.1f} GB are free at {folder}"
    if free < ROOM_MIN:
        return Finding("error", "disk", told, "make room: mail is answered with 452 till then")
    if free < ROOM_WANTED:
        return Finding("warning", "disk", told, "make room, or keep mails for fewer days")
    return Finding("ok", "disk", told)


def _readers(settings: Settings) -> Iterator[Finding]:
    """Look whether others could read what is the judge's own."""
    database = settings.database
    ours: list[tuple[str, Path | None]] = [
        ("smarthost_password_file", settings.smarthost_password_file)
    ]
    if isinstance(database, Path):
        names = (database.name + ending for ending in ("", "-wal", "-shm", "-journal"))
        ours += [("database", database.with_name(name)) for name in names]
    if not settings.smarthost:
        ours.append(("maildir", settings.maildir))
    there = [(setting, file) for setting, file in ours if file and file.exists()]
    open_ones = [(setting, file) for setting, file in there if file.stat().st_mode & OTHERS]
    for setting, file in open_ones:
        told = f"others can get at {file.absolute()}"
        yield Finding("error", setting, told, f"chmod go= {file.absolute()}")
    if there and not open_ones:
        yield Finding("ok", "permissions", f"{len(there)} files and folders are for us only")
