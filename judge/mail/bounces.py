"""Bounces: which mail of ours came back, to whom, and whether for good.

What RFC 3464 reports is believed before what `flufl.bounce` guesses from the words of old mailers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import Message
from typing import TYPE_CHECKING

from flufl.bounce import all_failures

from judge.mail.headers import MESSAGE_ID

if TYPE_CHECKING:
    from collections.abc import Iterator

PARTS_MAX = 20
STATUSES = ("message/delivery-status", "message/global-delivery-status")
RETURNED = ("message/rfc822", "text/rfc822-headers", "message/global")
ORIGINAL_ID = re.compile(r"^message-id:\s*(<[^<>\s]{1,500}>)", re.IGNORECASE | re.MULTILINE)
RETURNED_MAX = 20_000  # Characters of what came back; its header is at the top.


@dataclass(frozen=True, slots=True)
class Bounce:
    """A report on mails of ours: *message_ids* may name them, *permanent* is how it ended."""

    permanent: bool
    message_ids: tuple[str, ...] = ()


def read_bounce(message: Message) -> Bounce | None:
    """Read a report of failure; None for any other mail, such as a notice of absence."""
    actions = [action for part in _statuses(message) for action in _actions(part)]
    if actions:
        return Bounce("failed" in actions, _originals(message)) if _is_bad(actions) else None
    temporary, permanent = _guessed(message)
    if temporary or permanent:
        return Bounce(permanent, _originals(message))
    return None


def _guessed(message: Message) -> tuple[bool, bool]:
    """Guess from the words of old mailers whether anything failed, for now or for good."""
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # noqa: BLE001 - it raises nearly anything on what is no report
        return False, False
    return bool(temporary), bool(permanent)


def _is_bad(actions: list[str]) -> bool:
    return "failed" in actions or "delayed" in actions


def _statuses(message: Message) -> Iterator[Message]:
    """Yield the blocks of each delivery status, which the library takes for mails."""
    for part in list(message.walk())[:PARTS_MAX]:
        if part.get_content_type() in STATUSES:
            blocks = part.get_payload()
            yield from (each for each in blocks if isinstance(each, Message))


def _actions(block: Message) -> Iterator[str]:
    for value in block.get_all("action", []):
        yield str(value).strip().lower()


def _originals(message: Message) -> tuple[str, ...]:
    """Return the Message-IDs of the mails that the report returns, or answers."""
    found = MESSAGE_ID.findall(str(message.get("in-reply-to", "")))
    found += MESSAGE_ID.findall(str(message.get("references", "")))
    for part in list(message.walk())[:PARTS_MAX]:
        if part.get_content_type() in RETURNED:
            inner = part.get_payload()
            mails = inner if isinstance(inner, list) else []
            found += [
                str(each.get("message-id", "")).strip()
                for each in mails
                if isinstance(each, Message)
            ]
            text = inner if isinstance(inner, str) else ""
            found += ORIGINAL_ID.findall(text[:RETURNED_MAX])
    return tuple(dict.fromkeys(each for each in found if MESSAGE_ID.fullmatch(each)))
