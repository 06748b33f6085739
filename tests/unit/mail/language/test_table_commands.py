"""Commands about the course of a game, in our words and in those of other judges."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.join import Observe
from judge.app.commands.moderator import (
    Become,
    Begin,
    Decide,
    Eject,
    GoOn,
    Grant,
    PauseGame,
    Process,
    SetDeadline,
    SetGrace,
    Terminate,
)
from judge.app.commands.queries import ShowRules
from judge.app.commands.rollback import Correct, RollBack
from judge.app.commands.rules import Create, SetRules
from judge.app.commands.table import COMMANDS
from judge.app.commands.votes import Absent, AskTime, SetDraw, VotePause
from judge.mail.body import Line, Text
from judge.mail.language.command_syntax import OrderText, SignOff, UnknownCommand
from judge.mail.reader.email_text import read_lines

BOARD = load_map()


@pytest.mark.parametrize(
    ("line", "said", "facts"),
    [
        ("ROLLBACK", RollBack, {"to": None, "restore": False, "reason": ""}),
        ("ROLLBACK 3", RollBack, {"to": "003"}),
        ("ROLLBACK FALL 1902 MOVEMENT RESTORE", RollBack, {"to": "F1902M", "restore": True}),
        ("Rollback F1902M because it was wrong", RollBack, {"reason": "it was wrong"}),
        ("PROCESS", Process, {"phase": None}),
        ("PROCESS SPRING 1902 MOVEMENT", Process, {"phase": "S1902M"}),
        ("EXTEND Friday", SetDeadline, {"when": "Friday", "reason": ""}),
        ("SET DEADLINE +24h", SetDeadline, {"when": "+24h"}),
        (
            "SET RULES press = none Grace_Hours=12",
            SetRules,
            {"pairs": ("press=none", "grace_hours=12")},
        ),
        (
            "SET GRACE Sat 28 Nov BECAUSE of me",
            SetGrace,
            {"when": "Sat 28 Nov", "reason": "of me"},
        ),
        ("SET COMMENT Slow, for two", SetRules, {"pairs": ("comment=Slow, for two",)}),
        ("SET COMMENT", SetRules, {"pairs": ("comment=",)}),
        (
            "CORRECT France A Bur; no A Par because I misread it",
            Correct,
            {"facts": ("France A Bur", "no A Par"), "reason": "I misread it"},
        ),
        ("CORRECT nobody owns Bel", Correct, {"facts": ("nobody owns Bel",), "reason": ""}),
        ("PROCESS!", Process, {"phase": None}),
        (
            "SET MOVE CLOCK 1410 MIN 12 NEXT 71 GRACE 167 DELAY .5 DAYS -MTWTF-",
            SetRules,
            {
                "pairs": (
                    "closing_time=23:30",
                    "early_not_before_hours=12",
                    "movement_hours=71",
                    "grace_hours=96",
                    "early_wait_minutes=30",
                    "closed_weekdays=6,7",
                )
            },
        ),
        (
            "set move clock -1 days smtwtfs",
            SetRules,
            {"pairs": ("closing_time=", "closed_weekdays=")},
        ),
        ("SET RETREAT NEXT 23.5", SetRules, {"pairs": ("retreat_hours=23h30",)}),
        ("SET ADJUST NEXT 24", SetRules, {"pairs": ("adjustment_hours=24",)}),
        ("SET REVEAL", SetRules, {"pairs": ("reveal=yes",)}),
        ("SET NONMR", SetRules, {"pairs": ("nmr=standby",)}),
        ("SET NO NMR", SetRules, {"pairs": ("nmr=standby",)}),
        ("SET NODIAS", SetRules, {"pairs": ("draws=yes", "draw_among=named")}),
        ("SET CENTRES 20", SetRules, {"pairs": ("victory_centers=20",)}),
        ("SET APPROVAL", SetRules, {"pairs": ("entry=approval",)}),
        ("SET NO APPROVAL", SetRules, {"pairs": ("entry=open",)}),
        ("PAUSE", PauseGame, {"reason": ""}),
        ("RESUME", GoOn, {}),
        ("TERMINATE", Terminate, {}),
        ("BEGIN", Begin, {}),
        ("FORCE BEGIN", Begin, {}),
        ("CREATE ?opal", Create, {"game": "opal", "pairs": ()}),
        ("CREATE opal press=none", Create, {"pairs": ("press=none",)}),
        (
            "CREATE opal Press: none closing_time=20:00 listed = no",
            Create,
            {"pairs": ("press=none", "closing_time=20:00", "listed=no")},
        ),
        (
            "SET RULE closed_weekdays= grace: 24",
            SetRules,
            {"pairs": ("closed_weekdays=", "grace=24")},
        ),
        ("EJECT France", Eject, {"power": "FRANCE"}),
        ("BECOME F", Become, {"power": "FRANCE"}),
        ("GRANT F", Grant, {"power": "FRANCE", "granted": True}),
        ("DENY F", Grant, {"granted": False}),
        ("1 YES", Decide, {"number": 1, "yes": True}),
        ("12: no", Decide, {"number": 12, "yes": False}),
        ("VOTE PAUSE", VotePause, {"pause": True}),
        ("VOTE NO PAUSE", VotePause, {"pause": False}),
        ("MORE TIME 2 days", AskTime, {"length": timedelta(days=2), "reason": ""}),
        (
            "EXTENSION 24h because of my exam",
            AskTime,
            {"length": timedelta(hours=24), "reason": "of my exam"},
        ),
        ("EXTENSION 1h30", AskTime, {"length": timedelta(hours=1.5), "reason": ""}),
        ("HOLIDAY 24 Dec", Absent, {"when": "24 Dec"}),
        ("SET NOABSENCE", Absent, {"when": None}),
        ("MONITOR anna@baltic secret", Observe, {"game": "baltic", "on": True}),
        ("UNOBSERVE baltic", Observe, {"on": False}),
        ("RULES", ShowRules, {"game": None}),
        ("RULES baltic", ShowRules, {"game": "baltic"}),
        ("SET DRAW ENGLAND, FRANCE", SetDraw, {"draw": True, "among": ("ENGLAND", "FRANCE")}),
    ],
)
def test_a_line_says(line: str, said: type, facts: dict[str, Any]) -> None:
    [read] = read_lines(Text((Line(1, line),)), BOARD, COMMANDS)

    assert type(read) is said
    assert {name: getattr(read, name) for name in facts} == facts


@pytest.mark.parametrize("opening", ["SET COMMENT BEGIN", "COMMENT BEGIN"])
@pytest.mark.parametrize("end", ["END", "end comment.", "SET COMMENT END"])
def test_a_comment_may_have_several_lines(opening: str, end: str) -> None:
    lines = (opening, "Slow,", "", "A Par-Bur is a move.", end, "PAUSE")

    said, pause = read_lines(
        Text(tuple(Line(n, each) for n, each in enumerate(lines))), BOARD, COMMANDS
    )

    assert isinstance(said, SetRules)
    assert said.pairs == ("comment=Slow, A Par-Bur is a move.",)
    assert isinstance(pause, PauseGame)


def test_a_comment_may_end_with_what_signs_off() -> None:
    lines = ("SET COMMENT BEGIN", "Slow", "SIGNOFF", "A Par-Bur")

    said, off = read_lines(
        Text(tuple(Line(n, each) for n, each in enumerate(lines))), BOARD, COMMANDS
    )

    assert isinstance(said, SetRules)
    assert isinstance(off, SignOff)


@pytest.mark.parametrize("below", [("A Par-Bur", "PAUSE"), ("word " * 300, "END")])
def test_nothing_below_a_comment_without_end_is_done(below: tuple[str, ...]) -> None:
    lines = ("SET COMMENT BEGIN", *below)

    [said] = read_lines(
        Text(tuple(Line(n, each) for n, each in enumerate(lines))), BOARD, COMMANDS
    )

    assert isinstance(said, UnknownCommand)
    assert said.advice == "open_comment"


@pytest.mark.parametrize(
    "line",
    [
        "Rollback would be nice",
        "Process of elimination",
        "Extend my thanks to everybody",
        "Pause for a moment",
        "Resume when ready",
        "Force nothing",
        "Grant me a wish",
        "Vote for me",
        "Extension of the front",
        "Absent friends",
        "Observe how Italy moves",
        "Rules are rules",
        "Create a stalemate line there",
        "Draw the line with him",
        "Set no conditions",
        "Correct me if I am wrong",
        "SET COMMENT BEGIN",
        "Comment on the rules of this game",
        "COMMENT on the rules of this game",
        "Moderator, please help",
        "Show me the map of it",
        "Hide behind the mountains",
        "SET MOVE",
        "SET MOVE NEXT",
        "SET MOVE NEXT soon",
        "SET MOVE GRACE 24",
        "SET MOVE CLOCK 1440",
        "SET MOVE DAYS TSMTWTF",
        "SET MOVE DAYS -MTWTF",
        "SET RETREAT CLOCK -1",
        "SET RESUME",
        "SET PAUSE",
        "5 units",
        "SET RULE whatever",
    ],
)
def test_a_sentence_that_begins_with_such_a_word_is_none(line: str) -> None:
    [read] = read_lines(Text((Line(1, line),)), BOARD, COMMANDS)

    assert isinstance(read, OrderText | UnknownCommand)
