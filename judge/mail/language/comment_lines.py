"""What a moderator says of a game in several lines: `SET COMMENT BEGIN`, the lines, `END`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge.mail.language.said import UnknownCommand
from judge.mail.language.table_said import SetRules

if TYPE_CHECKING:
    from judge.mail.body import Line

COMMAND, ADVICE = "SET COMMENT", "open_comment"
OPENINGS = frozenset({"COMMENT BEGIN", "SET COMMENT BEGIN"})
ENDINGS = frozenset({"END", "ENDCOMMENT", "END COMMENT", "COMMENT END", "SET COMMENT END"})
SIGN_OFF = frozenset({"SIGNOFF", "SIGN OFF"})  # ends it with nJudge, and is said as well
COMMENT_MAX = 1000  # characters, as of every line


def comment(line: Line, below: Sequence[Line]) -> tuple[SetRules | UnknownCommand, int] | None:
    """Return what *line* opens, and how many of the lines *below* belong to it.

    If no end follows all of them do, and nothing is done: the rest may be meant as such.
    """
    if line.text.strip(" .:") not in OPENINGS:
        return None
    words = [each.text.strip(" .").upper() for each in below]
    end = next((i for i, each in enumerate(words) if each in ENDINGS | SIGN_OFF), None)
    told = " ".join(" ".join(each.text for each in below[:end]).split())
    if end is None or len(told) > COMMENT_MAX:
        lost = UnknownCommand(COMMAND, None, ADVICE, line=line.number, text=line.text)
        return lost, len(below) if end is None else end + 1
    said = SetRules((f"comment={told}",), line=line.number, text=line.text)
    return said, end if words[end] in SIGN_OFF else end + 1
