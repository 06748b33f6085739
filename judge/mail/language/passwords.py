"""Lines that may have a password, told from the many that have none."""

from __future__ import annotations

from judge.mail.language.command_syntax import ParsedLine
from judge.mail.language.phase_names import nearest_word


def squashed(name: str) -> str:
    """Return *name* as other judges compare it: in capitals and without spaces."""
    return "".join(name.upper().split())


def has_secrets(parsed: type[ParsedLine]) -> bool:
    """Return whether a line that is *parsed* so may have a password."""
    return parsed.without_secret is not ParsedLine.without_secret


class NamesBeforeSecrets:
    """The names of commands that a password may follow."""

    def __init__(self, *names: str) -> None:
        self._names = tuple(sorted(set(names)))
        self._squashed = tuple(squashed(name).removeprefix("SET") for name in self._names)

    def may_begin(self, text: str) -> bool:
        """Return whether *text* begins with one of them, in any spelling that commands have.

        To read every line of an email as a command, to find passwords, took ten times as long.
        """
        first, *rest = text.split(maxsplit=2) or ("",)
        joined = squashed(text)
        while joined.startswith("SET"):
            joined = joined.removeprefix("SET")
        if joined.startswith(self._squashed):
            return True
        begins = " ".join((first, *rest[:1])) if first.upper() == "SET" else first
        return nearest_word(begins, self._names) is not None
