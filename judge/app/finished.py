"""What became of a mail that came in."""

from __future__ import annotations

from dataclasses import dataclass

from judge.app.incoming import InboxState


@dataclass(frozen=True, slots=True)
class Finished:
    """The state in which a mail is left, and why."""

    state: InboxState
    reason: str = ""


PROCESSED = Finished(InboxState.PROCESSED)
