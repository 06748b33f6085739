"""`judge log publish`, and what a player checks against the published log.

The folder has two files to which lines are only added. `log.jsonl` has a line for each leaf of the
tree: its hash, or the event and its salt. `checkpoints.jsonl` has the signed checkpoints.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judge import checkpoints
from judge.adapters.whole_files import adding_lines, make_folder, replacing_file
from judge.checkpoints import EMPTY_TREE, Checkpoint, Tree, Witnessed
from judge.cli.options import settings_options
from judge.cli.terminal import BAD_INPUT, FOUND_WRONG, UNAVAILABLE, FilePath, counted, fail

if TYPE_CHECKING:
    from judge.app.ports.database import Transaction
    from judge.app.ports.judge import Judge
    from judge.event_log import Row
    from judge.settings import Settings

FILES = LEAVES_FILE, CHECKPOINTS_FILE = "log.jsonl", "checkpoints.jsonl"
URL_STARTS = ("https://", "http://")
URL_SECONDS_MAX = 60
FILE_BYTES_MAX = 1_000_000_000


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A checkpoint with its signed *note*, and the public *key* given with it."""

    checkpoint: Checkpoint
    note: str
    key: str


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """The event of a leaf; if it closed a *phase*, *digests* are the commitments that it opens."""

    game: str
    version: int
    phase: str
    digests: frozenset[str] | None

    @classmethod
    def of(cls, game: str, version: int, payload: Mapping[str, Any]) -> KnownEvent:
        match payload:
            case {"phase": str(phase), "commitments": dict(made)}:
                opened = (each for each in made.values() if isinstance(each, dict))
                digests = frozenset(str(each.get("digest")) for each in opened)
                return cls(game, version, phase, digests)
            case _:
                return cls(game, version, "", None)


@dataclass(slots=True)
class PublishedLog:
    """The leaves of a log, the events that are known by number, and its checkpoints."""

    leaves: list[bytes] = field(default_factory=list)
    events: dict[int, KnownEvent] = field(default_factory=dict)
    checkpoints: list[SignedCheckpoint] = field(default_factory=list)

    def add_leaf(self, line: str) -> None:
        """Read a line of `log.jsonl`. Raises `ValueError`."""
        match json.loads(line):
            case {"leaf": str(leaf)}:
                self.leaves.append(b64decode(leaf, validate=True))
            case read:
                opened = checkpoints.read_leaf(read)
                event = opened.event
                self.leaves.append(opened.leaf)
                self.events[len(self.leaves)] = KnownEvent.of(
                    event["game"], event["version"], event["payload"]
                )

    def add_checkpoint(self, line: str) -> None:
        """Read a line of `checkpoints.jsonl`. Raises `ValueError`."""
        match json.loads(line):
            case {"checkpoint": str(note), "key": str(key)}:
                read = checkpoints.read_checkpoint(note)
                self.checkpoints.append(SignedCheckpoint(read, note, key))
            case _:
                raise ValueError("no checkpoint of a log")

    def trees(self, sizes: Iterable[int]) -> dict[int, Tree]:
        """Return the tree at each of *sizes* that the log has."""
        found, tree = {0: EMPTY_TREE}, EMPTY_TREE
        for size in sorted({each for each in sizes if 0 < each <= len(self.leaves)}):
            tree = tree.extended(self.leaves[tree.size : size])
            found[size] = tree
        return found


def read_published_log(where: str) -> PublishedLog:
    """Read the log in a folder, or at an address of the web; fail if that is none."""
    found = PublishedLog()
    for name, add in (
        (LEAVES_FILE, found.add_leaf),
        (CHECKPOINTS_FILE, found.add_checkpoint),
    ):
        number = 0
        try:
            for line in _lines(where, name):
                number += 1
                add(line)
        except OSError as error:
            fail(f"{where}: {name} cannot be read: {error}", UNAVAILABLE)
        except (ValueError, RecursionError):
            fail(f"{where}: line {number} of {name} is not from a published log", BAD_INPUT)
    return found


def _lines(where: str, name: str) -> Iterator[str]:
    """Yield the whole lines of a file; the last one may still be being written."""
    if where.startswith(URL_STARTS):
        raw = _fetched(f"{where.rstrip('/')}/{name}")
    else:
        with Path(where, name).open("rb") as opened:
            raw = opened.read(FILE_BYTES_MAX)
    for line in raw.splitlines(keepends=True):
        if line.endswith(b"\n"):
            yield line.decode()


def log_in_store(transaction: Transaction) -> PublishedLog:
    """Return the tree in the store, with all events known."""
    from judge.adapters.crypto import FernetEncryption
    from judge.app import public_log

    found = PublishedLog()
    if transaction.checkpoints.newest() is None:
        return found
    key, seed = transaction.secrets.leaf_key(), transaction.secrets.log_key()
    for number, row in public_log.rows_in_tree(transaction):
        payload = payload_of(row) if row.type == "phase_closed" else None
        found.events[number] = KnownEvent.of(row.game, row.version, payload or {})
        found.leaves.append(checkpoints.leaf_of(key, row))
    for note in _notes(transaction):
        read = checkpoints.read_checkpoint(note)
        signer = public_log.note_verifier(FernetEncryption(), seed, note)
        found.checkpoints.append(SignedCheckpoint(read, note, str(signer)))
    return found


def payload_of(row: Row) -> Mapping[str, Any] | None:
    """Return the payload of an event; None if it is damaged."""
    try:
        found = json.loads(row.payload.encode())
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _notes(transaction: Transaction) -> Iterator[str]:
    """Yield the checkpoints, and again those that a witness has cosigned."""
    kept = transaction.checkpoints
    yield from (each.note for each in kept.all())
    for each in transaction.witnessed.all(Witnessed.COSIGNED):
        made = kept.at(each.checkpoint.size)
        if made and checkpoints.read_checkpoint(made.note) == each.checkpoint:
            yield each.note


def _fetched(address: str) -> bytes:
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import urlopen

    try:
        with urlopen(address, timeout=URL_SECONDS_MAX) as answer:  # noqa: S310 - see URL_STARTS
            found: bytes = answer.read(FILE_BYTES_MAX)
    except HTTPError as error:
        with error:
            raise OSError(f"{error.code} {error.reason}") from None
    except HTTPException as error:
        raise OSError(str(error)) from error
    return found


@click.command()
@click.argument("folder", type=FilePath(file_okay=False))
@settings_options
def publish(settings: Settings, folder: Path) -> None:
    """Write what anybody may know of the log to FOLDER, for a web server.

    Events of listed games are written out if they are public, such as results; of all others only
    hashes. Nothing of an open phase is written. Later runs add lines, and change none. Players
    check their emails with `judge log verify --log`.
    """
    from judge.cli.game_source import open_existing_store

    with open_existing_store(settings) as judge, judge.database.read() as transaction:
        try:
            added, size = _publish(judge, transaction, folder)
        except OSError as error:
            fail(f"{folder}: {error.strerror}", UNAVAILABLE)
    click.echo(f"{folder}: {counted(size, 'event')}, {added} of them new")


def _publish(judge: Judge, transaction: Transaction, folder: Path) -> tuple[int, int]:
    """Add what is new to the files in *folder*; return the numbers of new and of all events."""
    from judge.app import public_log

    make_folder(folder)
    if any(_has_zeros(folder / name) for name in FILES):
        ours = _holds_any(folder / CHECKPOINTS_FILE, set(_notes(transaction)))
        ours = ours or _begins_as(folder / LEAVES_FILE, next(_leaves(judge, transaction, 0), None))
        if not ours and any(_has_content(folder / name) for name in FILES):
            fail(
                f"{folder} is damaged and has nothing of this judge: publish to a new folder",
                FOUND_WRONG,
            )
        click.echo(f"{folder} was damaged by a loss of power: it is written anew", err=True)
        for name in FILES:
            with replacing_file(folder / name):
                pass
    for name in FILES:
        with adding_lines(folder / name):
            pass
    there = read_published_log(str(folder))
    made = transaction.checkpoints.newest()
    before, newest = len(there.leaves), made.tree.size if made else 0
    if before > newest or not _continues(transaction, there.leaves):
        fail(
            f"{folder} has a log that this judge does not continue: publish to a new folder",
            FOUND_WRONG,
        )
    if not made:
        return 0, 0
    seed = transaction.secrets.log_key()
    with adding_lines(folder / LEAVES_FILE) as written:
        written.writelines(_leaves(judge, transaction, before))
    with adding_lines(folder / CHECKPOINTS_FILE) as written:
        published = {each.note for each in there.checkpoints}
        for note in _notes(transaction):
            if note in published:
                continue
            signer = public_log.note_verifier(judge.encryption, seed, note)
            written.write(_line({"checkpoint": note, "key": str(signer)}))
    return newest - before, newest


def _continues(transaction: Transaction, leaves: Sequence[bytes]) -> bool:
    """Return whether the log in the store begins with *leaves*, as far as checkpoints tell."""
    tree = EMPTY_TREE
    for made in takewhile(
        lambda each: each.tree.size <= len(leaves), transaction.checkpoints.all()
    ):
        tree = tree.extended(leaves[tree.size : made.tree.size])
        if tree != made.tree:
            return False
    return True


def _leaves(judge: Judge, transaction: Transaction, after: int) -> Iterator[bytes]:
    """Yield the lines for the events after so many."""
    from judge.app import public_log

    key = transaction.secrets.leaf_key()
    for _, row in public_log.rows_in_tree(transaction, after):
        opened = public_log.published_leaf(judge, transaction, row)
        leaf = {"leaf": b64encode(checkpoints.leaf_of(key, row)).decode("ascii")}
        yield _line(opened.as_json() if opened else leaf)


def _has_zeros(file: Path) -> bool:
    """Return whether a loss of power has left a part of *file* without its content."""
    return file.exists() and b"\0" in file.read_bytes()


def _has_content(file: Path) -> bool:
    """Return whether there is more than zeros in *file*."""
    return file.exists() and bool(file.read_bytes().strip(b"\0"))


def _begins_as(file: Path, line: bytes | None) -> bool:
    """Return whether *line* is the first of *file*."""
    return line is not None and file.exists() and file.read_bytes().startswith(line)


def _holds_any(file: Path, notes: set[str]) -> bool:
    """Return whether a line of the damaged *file* is one of the *notes* of this judge."""
    lines = file.read_bytes().splitlines() if file.exists() else []
    written = tuple(_line({"checkpoint": note})[:-2] for note in notes)  # the key follows
    return any(line.startswith(written) for line in lines)


def _line(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode() + b"\n"
