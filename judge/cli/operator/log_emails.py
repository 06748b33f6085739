"""Check saved emails against the log of a judge, and name the first event that differs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes
from email.policy import default
from functools import cached_property
from pathlib import Path

from judge import checkpoints
from judge.adapters.crypto import verify_ed25519
from judge.checkpoints import UnnumberedLeaf, Verifier
from judge.cli.operator.published_log import PublishedLog
from judge.cli.terminal import BAD_INPUT, UNAVAILABLE, counted, fail
from judge.errors import printable
from judge.mail import proofs
from judge.mail.envelope import BYTES_MAX
from judge.mail.proofs import SeenCheckpoint


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about one *source*: an email, or the log itself."""

    source: str
    text: str
    wrong: bool = False

    def as_line(self) -> str:
        """Return one line for people."""
        return printable(f"{self.source}: {'WRONG: ' if self.wrong else ''}{self.text}")

    def as_json(self) -> str:
        """Return one line for programs."""
        return json.dumps({"source": self.source, "found": self.text, "wrong": self.wrong})


@dataclass(frozen=True, slots=True)
class SavedEmail:
    """The proofs in the saved email *name*; *digests* are those of the orders in its results.

    *subject* is the game and the phase in the subject of results.
    """

    name: str
    seen: tuple[SeenCheckpoint, ...]
    recorded: tuple[UnnumberedLeaf, ...]
    digests: frozenset[str]
    subject: str


def read_email(file: str) -> SavedEmail:
    """Read the proofs in a saved email; fail if they cannot be read."""
    try:
        raw = Path(file).read_bytes()[:BYTES_MAX]
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}", UNAVAILABLE)
    try:
        return SavedEmail(
            file,
            proofs.checkpoints_in(raw),
            proofs.recorded_in(raw),
            frozenset(each.digest for each in proofs.commitments_in(raw) if each.power),
            _subject(raw),
        )
    except ValueError as error:
        fail(printable(f"{file}: the attachment cannot be read: {error}"), BAD_INPUT)


VERSIONS_TRIED_MAX = 20_000  # of one's own event: receipts do not have its number
SUBJECT_WORDS = 3  # `JUDGE:baltic - F1901M`; what follows depends on the language


def _subject(raw: bytes) -> str:
    email = message_from_bytes(raw, policy=default)
    if email["X-Judge-Kind"] != "phase_results":
        return ""
    return " ".join(str(email["Subject"]).split()[:SUBJECT_WORDS])


@dataclass(frozen=True)
class EmailCheck:
    """A comparison of *emails* with a *log*, which is called *source*."""

    source: str
    log: PublishedLog
    emails: Sequence[SavedEmail]
    witnesses: Sequence[Verifier] = ()
    # What an email says of the leaf with a number, where the whole email fits its own root.
    known: dict[int, bytes] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for seen in self._all_seen():
            if seen.leaves and _fits(seen):
                for count, leaf in enumerate(seen.leaves, 1):
                    number = seen.before.size + count
                    version = seen.version - len(seen.leaves) + count
                    self.known.setdefault(number, leaf)
                    self.names.setdefault(number, f"event {version} of {seen.game}")

    def findings(self) -> Iterator[Finding]:
        """Yield what was found, about the log first."""
        yield from self._about_log()
        yield from self._about_two_logs()
        for email in self.emails:
            for seen in email.seen:
                yield from self._about_checkpoint(email, seen)
            for recorded in email.recorded:
                yield self._about_orders(email, recorded)
            if not email.seen and not email.recorded:
                yield Finding(email.name, "nothing in it to check")
        if self._bad_sizes:
            yield Finding(self.source, self._first_difference(), wrong=True)

    def _all_seen(self) -> Iterator[SeenCheckpoint]:
        return (seen for email in self.emails for seen in email.seen)

    @cached_property
    def _trees(self) -> Mapping[int, checkpoints.Tree]:
        sizes = [each.checkpoint.size for each in self.log.checkpoints]
        return self.log.trees([*sizes, *(seen.size for seen in self._all_seen())])

    def _is_in_log(self, size: int, root: bytes) -> bool:
        return size in self._trees and self._trees[size].root == root

    @cached_property
    def _bad_sizes(self) -> Sequence[int]:
        claims = {(each.checkpoint.size, each.checkpoint.root) for each in self.log.checkpoints}
        claims |= {(seen.size, seen.root) for seen in self._all_seen()}
        return sorted(size for size, root in claims if not self._is_in_log(size, root))

    def _about_log(self) -> Iterator[Finding]:
        for each in self.log.checkpoints:
            size, text = each.checkpoint.size, f"its checkpoint of {each.checkpoint.size} events"
            if not self._is_in_log(size, each.checkpoint.root):
                yield Finding(self.source, f"{text} is not of these events", wrong=True)
            elif not _is_signed(each.note, each.key):
                yield Finding(self.source, f"{text} has no valid signature", wrong=True)
        events = counted(len(self.log.leaves), "event")
        made = counted(len({each.checkpoint for each in self.log.checkpoints}), "checkpoint")
        yield Finding(self.source, f"{events}, {made}")
        for witness in self.witnesses:
            sizes = [
                each.checkpoint.size
                for each in self.log.checkpoints
                if checkpoints.cosignature_of(each.note, witness, verify_ed25519)
            ]
            last = f"{counted(max(sizes), 'event')} cosigned" if sizes else "nothing cosigned"
            yield Finding(self.source, f"{last} by {witness.name}")

    def _about_two_logs(self) -> Iterator[Finding]:
        """Find emails of one size or one phase with different logs.

        A phase that was played again has two sets of results, both in the log.
        """
        first: dict[int | str, tuple[str, SeenCheckpoint]] = {}
        for email in self.emails:
            for seen in email.seen:
                keys: list[int | str] = [seen.size]
                for key in [*keys, *filter(None, [email.subject])]:
                    name, other = first.setdefault(key, (email.name, seen))
                    both = {(each.size, each.root) for each in (seen, other)}
                    if len(both) > 1 and not all(self._is_in_log(*each) for each in both):
                        text = f"it shows another log than {name}, of the same phase"
                        yield Finding(email.name, text, wrong=True)
                        break

    def _about_checkpoint(self, email: SavedEmail, seen: SeenCheckpoint) -> Iterator[Finding]:
        events = counted(seen.size, "event")
        if seen.leaves and not _fits(seen):
            yield Finding(email.name, "its attachment contradicts itself", wrong=True)
        if seen.note and not self._is_ours(seen):
            yield Finding(email.name, "its checkpoint is not signed by this log", wrong=True)
        if self._is_in_log(seen.size, seen.root):
            yield Finding(email.name, f"{events}, as in the log")
            yield from self._about_results(email, seen)
        elif seen.size > len(self.log.leaves):
            text = f"{events}, but the log has only {len(self.log.leaves)}"
            yield Finding(email.name, f"{text}{self._of_earlier_log(seen)}", wrong=True)
        else:
            text = f"{events}, but others than the log has"
            yield Finding(email.name, f"{text}{self._of_earlier_log(seen)}", wrong=True)

    def _is_ours(self, seen: SeenCheckpoint) -> bool:
        origin = checkpoints.read_checkpoint(seen.note).origin
        keys = {each.key for each in self.log.checkpoints if each.checkpoint.origin == origin}
        return _is_signed(seen.note, seen.key) and keys <= {seen.key}

    def _of_earlier_log(self, seen: SeenCheckpoint) -> str:
        origins = [each.checkpoint.origin for each in self.log.checkpoints]
        if not seen.note or not origins:
            return ""
        origin = checkpoints.read_checkpoint(seen.note).origin
        restored = " (it is of the log before a backup was restored)"
        return restored if origin != origins[-1] else ""

    def _about_results(self, email: SavedEmail, seen: SeenCheckpoint) -> Iterator[Finding]:
        """Compare the commitments in results with those in the event that closed the phase."""
        closed = self.log.events.get(seen.size)
        made = closed.digests if closed and seen.leaves else None
        if made is not None and not email.digests <= made:
            text = f"its orders are not those in {self._name(seen.size)}"
            yield Finding(email.name, text, wrong=True)

    def _about_orders(self, email: SavedEmail, recorded: UnnumberedLeaf) -> Finding:
        game, phase = recorded.event["game"], recorded.event["payload"]["phase"]
        text = f"your orders for {phase} of {game}"
        for version in range(1, min(len(self.log.leaves), VERSIONS_TRIED_MAX) + 1):
            number = self._numbers.get(recorded.numbered(version).leaf)
            if number:
                place = f"event {version}, number {number} of the log"
                return Finding(email.name, f"{text} are {place}")
        if (game, phase) in self._closed:
            return Finding(email.name, f"{text} are not in the log", wrong=True)
        return Finding(email.name, f"{text} are not in the log before the phase closes")

    @cached_property
    def _numbers(self) -> Mapping[bytes, int]:
        return {leaf: number for number, leaf in enumerate(self.log.leaves, 1)}

    @cached_property
    def _closed(self) -> frozenset[tuple[str, str]]:
        """Return the phases of games that are known to be closed."""
        closed = {(each.game, each.phase) for each in self.log.events.values() if each.phase}
        return frozenset(closed | {(seen.game, seen.phase) for seen in self._all_seen()})

    def _first_difference(self) -> str:
        """Name the first event that differs, as exactly as the emails know it."""
        bad = self._bad_sizes[0]
        agreed = [seen.size for seen in self._all_seen() if self._is_in_log(seen.size, seen.root)]
        good = max((size for size in agreed if size < bad), default=0)
        number = good + 1
        while number in self.known and number <= bad and self._has(number):
            number += 1
        if number in self.known or number > len(self.log.leaves):
            return f"the first event that differs is {self._name(number)}"
        return f"the first event that differs is one of numbers {number} to {bad} of the log"

    def _has(self, number: int) -> bool:
        """Return whether the log has the leaf that the emails know under *number*."""
        return self.log.leaves[number - 1 : number] == [self.known[number]]

    def _name(self, number: int) -> str:
        event = self.log.events.get(number)
        known = f"event {event.version} of {event.game}" if event else ""
        name = self.names.get(number, known)
        return f"{name}, number {number} of the log" if name else f"number {number} of the log"


def _fits(seen: SeenCheckpoint) -> bool:
    tree = seen.before.extended(seen.leaves)
    return (tree.size, tree.root) == (seen.size, seen.root)


def _is_signed(note: str, key: str) -> bool:
    try:
        signer = checkpoints.read_verifier(key)
        origin = checkpoints.read_checkpoint(note).origin
    except ValueError:
        return False
    return signer.name == origin and checkpoints.is_signed(note, signer, verify_ed25519)
