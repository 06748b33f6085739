"""What the documentation teaches, the judge understands; what it understands is documented."""

from __future__ import annotations

import pytest

from judge.app.commands.admissions import (
    Admit,
    Branch,
    GiveSeat,
    MakeDummy,
    Promote,
    RuleEntry,
    SetGamePassword,
)
from judge.app.commands.diary import Diary, DiaryDelete, DiaryRead, DiaryShow, PressShow, Statement
from judge.app.commands.history import History, WhyOrder
from judge.app.commands.join import Join, Observe, Resign, SetPreference, StandBy
from judge.app.commands.moderator import (
    Become,
    Begin,
    Correct,
    Decide,
    Eject,
    GoOn,
    Grant,
    PauseGame,
    Process,
    RollBack,
    RollForward,
    SetDeadline,
    SetGrace,
    Terminate,
    Unstart,
)
from judge.app.commands.offers import UseThese
from judge.app.commands.orders import Clear, SetReady, SetWait
from judge.app.commands.profile import (
    ChangeAddress,
    NewTokens,
    SetHandle,
    SetLanguage,
    SetMails,
    SetPassword,
    SetZone,
)
from judge.app.commands.queries import (
    Help,
    ListGames,
    ShowMap,
    ShowRules,
    Status,
    Summary,
    WhoGame,
)
from judge.app.commands.rules import Create, SetRules
from judge.app.commands.table import COMMANDS
from judge.app.commands.votes import (
    Absent,
    AskTime,
    Concede,
    Propose,
    SetDraw,
    VotePause,
    VoteProposal,
)
from judge.mail.body import Line, Text
from judge.mail.language.command_syntax import (
    LineFailed,
    NamedGame,
    NamedPhase,
    OrdersOfPhase,
    OrderText,
    SignOff,
    SignOn,
    TooMuch,
    UnknownCommand,
)
from judge.mail.language.confirmations import Confirm
from judge.mail.language.press_commands import Press, UnopenedPress
from judge.mail.language.previews import Preview
from judge.mail.reader.email_text import read_lines
from judge.reports.emails import help_pages
from judge.reports.render import render
from judge.resources import folder
from tests.unit.reports.samples import BOARD

ROOT = folder("templates").parent
PAGES = ("players", "gamemasters", "commands")
DOCUMENT = "".join((ROOT / f"docs/{each}.md").read_text(encoding="utf-8") for each in PAGES)
HELP = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "templates/help").iterdir())

NO_COMMANDS = {NamedGame, UnknownCommand, UnopenedPress, TooMuch} | {
    LineFailed,
    OrderText,
    LineFailed,
    OrdersOfPhase,
}
LINES = {
    SignOn: ("SIGNON Fgame password",),
    SignOff: ("SIGNOFF",),
    Join: ("JOIN game", "JOIN game PASSWORD word"),
    SetPreference: ("SET PREFERENCE E[FT]*",),
    Help: ("HELP",),
    ListGames: ("LIST", "LIST game"),
    Status: ("STATUS", "STATUS game"),
    History: ("HISTORY", "HISTORY game", "HISTORY game FROM S1901M TO F1902M"),
    Summary: ("SUMMARY", "SUMMARY game"),
    WhoGame: ("WHOGAME", "WHOGAME game"),
    ShowMap: ("MAP", "MAP game", "MAP game F1902M"),
    WhyOrder: ("WHY A Par-Bur", "WHY S1901M A Par-Bur"),
    Preview: ("PREVIEW", "PREVIEW MINE"),
    SetHandle: ("SET HANDLE Kaiserin",),
    SetLanguage: ("SET LANGUAGE DEUTSCH",),
    SetZone: ("SET ZONE Europe/Berlin", "SET NOZONE"),
    SetWait: ("WAIT", "NOWAIT", "SET WAIT", "SET NOWAIT"),
    SetReady: ("READY", "NOT READY", "SET READY"),
    SetDraw: ("SET DRAW", "SET NODRAW", "DRAW", "NO DRAW"),
    Concede: ("SET CONCEDE R", "SET NOCONCEDE"),
    SetPassword: ("SET PASSWORD word",),
    ChangeAddress: (
        "SET ADDRESS me@example.org",
        "ADD ADDRESS me@example.org",
        "REMOVE ADDRESS me@example.org",
    ),
    SetMails: (
        *("SET MAILS AT ONCE", "SET MAILS HOURLY", "SET MAILS DAILY", "SET MAILS TEXT"),
        *("SET MAILS BOTH PICTURES", "SET MAILS ORDERS PICTURE", "SET MAILS POSITION PICTURE"),
    ),
    NewTokens: ("NEW TOKENS",),
    Resign: ("RESIGN",),
    Clear: ("CLEAR", "CLEAR A Par"),
    NamedPhase: ("PHASE F1902M", "PHASE FALL 1902 MOVEMENT", "F1902M"),
    Press: ("PRESS TO F,G", "BROADCAST"),
    Confirm: ("YES", "NO"),
    UseThese: ("USE THESE",),
    RollBack: ("ROLLBACK F1902M BECAUSE reason", "ROLLBACK F1902M RESTORE"),
    RollForward: ("ROLLFORWARD BECAUSE reason",),
    Unstart: ("UNSTART BECAUSE reason",),
    Process: ("PROCESS", "PROCESS F1902M"),
    SetDeadline: ("SET DEADLINE Fri 27 Nov 20:00 BECAUSE reason",),
    SetGrace: ("SET GRACE Sat 28 Nov 20:00 BECAUSE reason",),
    Correct: ("CORRECT France A Bur, no A Par, France owns Bel BECAUSE reason",),
    SetRules: ("SET RULE press=none grace_hours=48",),
    PauseGame: ("PAUSE BECAUSE reason",),
    GoOn: ("RESUME",),
    Terminate: ("TERMINATE",),
    Eject: ("EJECT F",),
    Begin: ("BEGIN",),
    Decide: ("1 YES", "2 NO"),
    Create: ("CREATE game press=none grace_hours=48",),
    Become: ("BECOME F",),
    Grant: ("GRANT F", "DENY F"),
    VotePause: ("VOTE PAUSE", "VOTE RESUME"),
    Propose: ("PROPOSE DRAW", "PROPOSE DRAW EFT"),
    VoteProposal: ("VOTE YES", "VOTE NO", "VOTE 2 NO"),
    AskTime: ("EXTENSION 24 BECAUSE reason",),
    Absent: ("ABSENT 24 Dec TO 2 Jan", "NOT ABSENT"),
    Observe: ("OBSERVE game", "UNOBSERVE game"),
    ShowRules: ("RULES", "RULES game"),
    Diary: ("DIARY",),
    Statement: ("STATEMENT",),
    DiaryRead: ("DIARY LIST", "DIARY READ", "DIARY READ 3"),
    DiaryDelete: ("DIARY DELETE 3",),
    PressShow: ("SHOW PRESS", "HIDE PRESS"),
    DiaryShow: ("DIARY SHOW", "DIARY HIDE"),
    StandBy: ("STANDBY", "STANDBY game", "NO STANDBY game"),
    Admit: ("ADMIT handle", "REFUSE handle"),
    RuleEntry: ("ALLOW PLAYER handle", "DENY PLAYER handle"),
    GiveSeat: ("SEAT F handle", "REVIVE F"),
    MakeDummy: ("DUMMY F",),
    Promote: ("PROMOTE handle",),
    Branch: ("BRANCH F1901M AS name",),
    SetGamePassword: ("SET GAME PASSWORD word",),
}


def test_every_command_has_its_lines_here() -> None:
    assert set(LINES) == set(COMMANDS.syntax) - NO_COMMANDS


@pytest.mark.parametrize(
    ("command", "line"), [(command, line) for command, lines in LINES.items() for line in lines]
)
def test_a_command_is_understood_as_it_is_taught(command: type, line: str) -> None:
    read = read_lines(Text((Line(1, line),)), BOARD, COMMANDS)

    assert [type(each) for each in read] == [command]
    assert line in DOCUMENT
    assert line in HELP


def asked(line: str) -> list[str]:
    """Return what somebody asks for who wants help on the command in *line*."""
    words = line.split()
    one, two = words[0], " ".join(words[:2])
    return [one, two] if len(words) > 1 and words[1].isupper() and len(words[1]) > 1 else [one]


TAUGHT = sorted(
    {
        topic
        for command, lines in LINES.items()
        if command is not NamedPhase
        for line in lines
        for topic in asked(line)
        if not topic.isdigit() and topic.lower() not in help_pages.LEADING_WORDS - {"set"}
    }
)


@pytest.mark.parametrize("topic", TAUGHT)
def test_help_on_a_command_speaks_of_it(topic: str) -> None:
    [read] = read_lines(Text((Line(1, f"HELP {topic}"),)), BOARD, COMMANDS)

    assert isinstance(read, Help)
    page = help_pages.help_page(read.topic, judge_code="JUDG")
    assert (page.asked, page.topic == help_pages.OVERVIEW) == (None, False)
    assert topic.split()[-1 if topic[0].isdigit() else 0] in render(page).text


def test_both_forms_of_join_are_understood_as_they_are_taught() -> None:
    for line in ("JOIN dogger France", "JOIN dogger PREFER EFT"):
        assert isinstance(read_lines(Text((Line(1, line),)), BOARD, COMMANDS)[0], Join)
