"""What the documentation teaches, the judge understands; what it understands is documented."""

from __future__ import annotations

from typing import get_args

import pytest

from judge.mail.body import Line, Text
from judge.mail.language import memoir_said, phases_said, place_said, said, table_said
from judge.mail.language.grammar import read_lines
from judge.reports import strangers
from judge.reports.render import render
from judge.resources import folder
from tests.unit.reports.samples import BOARD

ROOT = folder("templates").parent
PAGES = ("players", "gamemasters", "commands")
DOCUMENT = "".join((ROOT / f"docs/{each}.md").read_text(encoding="utf-8") for each in PAGES)
HELP = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "templates/help").iterdir())

NO_COMMANDS = {said.NamedGame, said.UnknownCommand, said.UnopenedPress, said.TooMuch} | {
    said.LineFailed,
    said.OrderText,
    said.LineFailed,
    phases_said.OrdersOfPhase,
}
LINES = {
    said.SignOn: ("SIGNON Fgame password",),
    said.SignOff: ("SIGNOFF",),
    said.Join: ("JOIN game", "JOIN game PASSWORD word"),
    said.SetPreference: ("SET PREFERENCE E[FT]*",),
    said.Help: ("HELP",),
    said.ListGames: ("LIST", "LIST game"),
    said.Status: ("STATUS", "STATUS game"),
    said.History: ("HISTORY", "HISTORY game", "HISTORY game FROM S1901M TO F1902M"),
    said.Summary: ("SUMMARY", "SUMMARY game"),
    said.WhoGame: ("WHOGAME", "WHOGAME game"),
    said.ShowMap: ("MAP", "MAP game", "MAP game F1902M"),
    said.WhyOrder: ("WHY A Par-Bur", "WHY S1901M A Par-Bur"),
    said.Preview: ("PREVIEW", "PREVIEW MINE"),
    said.SetHandle: ("SET HANDLE Kaiserin",),
    said.SetLanguage: ("SET LANGUAGE DEUTSCH",),
    said.SetZone: ("SET ZONE Europe/Berlin", "SET NOZONE"),
    said.SetWait: ("WAIT", "NOWAIT", "SET WAIT", "SET NOWAIT"),
    said.SetReady: ("READY", "NOT READY", "SET READY"),
    said.SetDraw: ("SET DRAW", "SET NODRAW", "DRAW", "NO DRAW"),
    said.Concede: ("SET CONCEDE R", "SET NOCONCEDE"),
    said.SetPassword: ("SET PASSWORD word",),
    said.ChangeAddress: (
        "SET ADDRESS me@example.org",
        "ADD ADDRESS me@example.org",
        "REMOVE ADDRESS me@example.org",
    ),
    said.SetMails: (
        *("SET MAILS AT ONCE", "SET MAILS HOURLY", "SET MAILS DAILY", "SET MAILS TEXT"),
        *("SET MAILS BOTH PICTURES", "SET MAILS ORDERS PICTURE", "SET MAILS POSITION PICTURE"),
    ),
    said.NewTokens: ("NEW TOKENS",),
    said.Resign: ("RESIGN",),
    said.Clear: ("CLEAR", "CLEAR A Par"),
    phases_said.NamedPhase: ("PHASE F1902M", "PHASE FALL 1902 MOVEMENT", "F1902M"),
    said.Press: ("PRESS TO F,G", "BROADCAST"),
    said.Confirm: ("YES", "NO"),
    said.UseThese: ("USE THESE",),
    table_said.RollBack: ("ROLLBACK F1902M BECAUSE reason", "ROLLBACK F1902M RESTORE"),
    table_said.RollForward: ("ROLLFORWARD BECAUSE reason",),
    table_said.Unstart: ("UNSTART BECAUSE reason",),
    table_said.Process: ("PROCESS", "PROCESS F1902M"),
    table_said.SetDeadline: ("SET DEADLINE Fri 27 Nov 20:00 BECAUSE reason",),
    table_said.SetGrace: ("SET GRACE Sat 28 Nov 20:00 BECAUSE reason",),
    table_said.Correct: ("CORRECT France A Bur, no A Par, France owns Bel BECAUSE reason",),
    table_said.SetRules: ("SET RULE press=none grace_hours=48",),
    table_said.PauseGame: ("PAUSE BECAUSE reason",),
    table_said.GoOn: ("RESUME",),
    table_said.Terminate: ("TERMINATE",),
    table_said.Eject: ("EJECT F",),
    table_said.Begin: ("BEGIN",),
    table_said.Decide: ("1 YES", "2 NO"),
    table_said.Create: ("CREATE game press=none grace_hours=48",),
    table_said.Become: ("BECOME F",),
    table_said.Grant: ("GRANT F", "DENY F"),
    table_said.VotePause: ("VOTE PAUSE", "VOTE RESUME"),
    table_said.Propose: ("PROPOSE DRAW", "PROPOSE DRAW EFT"),
    table_said.VoteProposal: ("VOTE YES", "VOTE NO", "VOTE 2 NO"),
    table_said.AskTime: ("EXTENSION 24 BECAUSE reason",),
    table_said.Absent: ("ABSENT 24 Dec TO 2 Jan", "NOT ABSENT"),
    table_said.Observe: ("OBSERVE game", "UNOBSERVE game"),
    table_said.ShowRules: ("RULES", "RULES game"),
    memoir_said.Diary: ("DIARY",),
    memoir_said.Statement: ("STATEMENT",),
    memoir_said.DiaryRead: ("DIARY LIST", "DIARY READ", "DIARY READ 3"),
    memoir_said.DiaryDelete: ("DIARY DELETE 3",),
    memoir_said.PressShow: ("SHOW PRESS", "HIDE PRESS"),
    memoir_said.DiaryShow: ("DIARY SHOW", "DIARY HIDE"),
    place_said.StandBy: ("STANDBY", "STANDBY game", "NO STANDBY game"),
    place_said.Admit: ("ADMIT handle", "REFUSE handle"),
    place_said.RuleEntry: ("ALLOW PLAYER handle", "DENY PLAYER handle"),
    place_said.GiveSeat: ("SEAT F handle", "REVIVE F"),
    place_said.MakeDummy: ("DUMMY F",),
    place_said.Promote: ("PROMOTE handle",),
    place_said.Branch: ("BRANCH F1901M AS name",),
    place_said.SetGamePassword: ("SET GAME PASSWORD word",),
}


def test_every_command_has_its_lines_here() -> None:
    assert set(LINES) == set(get_args(said.Said)) - NO_COMMANDS


@pytest.mark.parametrize(
    ("command", "line"), [(command, line) for command, lines in LINES.items() for line in lines]
)
def test_a_command_is_understood_as_it_is_taught(command: type, line: str) -> None:
    read = read_lines(Text((Line(1, line),)), BOARD)

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
        if command is not phases_said.NamedPhase
        for line in lines
        for topic in asked(line)
        if not topic.isdigit() and topic.lower() not in strangers.SMALL - {"set"}
    }
)


@pytest.mark.parametrize("topic", TAUGHT)
def test_help_on_a_command_speaks_of_it(topic: str) -> None:
    [read] = read_lines(Text((Line(1, f"HELP {topic}"),)), BOARD)

    assert isinstance(read, said.Help)
    page = strangers.help_on(read.topic, judge_code="JUDG")
    assert (page.asked, page.topic == strangers.OVERVIEW) == (None, False)
    assert topic.split()[-1 if topic[0].isdigit() else 0] in render(page).text


def test_both_forms_of_join_are_understood_as_they_are_taught() -> None:
    for line in ("JOIN dogger France", "JOIN dogger PREFER EFT"):
        assert isinstance(read_lines(Text((Line(1, line),)), BOARD)[0], said.Join)
