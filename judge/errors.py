"""Errors that only an operator can fix; mistakes of players are values. How they quote a text."""

from __future__ import annotations


class JudgeError(Exception):
    """An error that an operator can fix. The message is one line, and includes the fix."""


class ConfigurationError(JudgeError):
    """A setting is wrong. The message names it, its value and what is expected."""


SHOWN_CHARACTERS_MAX = 100  # of a text that a message quotes


def printable(text: str) -> str:
    """Return *text* on one line, without control characters."""
    return "".join(each if each.isprintable() else " " for each in text)


def abridged(text: str) -> str:
    """Shorten *text* for a message."""
    return text if len(text) <= SHOWN_CHARACTERS_MAX else f"{text[:SHOWN_CHARACTERS_MAX]}..."
