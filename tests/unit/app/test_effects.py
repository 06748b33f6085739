"""Each command that changes something says in its receipt what it did, in a state where it can."""

from __future__ import annotations

from typing import get_args

import pytest

from judge.mail.language import memoir_said, place_said, said, table_said
from tests.support.table import MODERATOR, Mail, Table, of

NEVER = ("refused", "not understood", "no command here", "holds no orders and no commands")
RECEIVED = "How the judge read your email: "
ALREADY = "It was so already; nothing has changed."
FORMING = "opal"  # waits for the word of its moderator, and lets in whom he does
QUESTIONS = """
    DiaryRead Help History ListGames Preview ShowMap ShowRules Status Summary WhoGame WhyOrder
"""
# Parts of a mail that do nothing by themselves, or are tried where they are asked for.
PARTS = """
    Confirm Decide LineFailed NamedGame NamedPhase OrdersOfPhase OrderText SignOn TooMuch
    UnknownCommand UnopenedPress UseThese
"""
Step = tuple[str, str, str]  # who writes, in answer to a mail of which game, what
M, F, G = MODERATOR, of("FRANCE"), of("GERMANY")
NEW = "new@players.example"
ORDERS = (F, "baltic", "A Par H; A Mar H; F Bre H")
EFFECTS: dict[type, tuple[Step, ...]] = {
    said.SignOff: ((F, "baltic", "SIGNOFF\nA Par H"),),
    said.Join: ((NEW, "", "JOIN opal"), (NEW, "", "YES")),
    said.SetPreference: (
        (NEW, "", "JOIN opal"),
        (NEW, "", "YES"),
        (M, "opal", f"ADMIT {NEW}"),
        (NEW, "opal", "PREFER FTG"),
    ),
    said.SetHandle: ((F, "baltic", "SET HANDLE Kaiserin"),),
    said.SetLanguage: ((F, "baltic", "SET LANGUAGE ENGLISH"),),
    said.SetZone: ((F, "baltic", "SET ZONE Europe/Berlin"),),
    said.SetWait: ((F, "baltic", "WAIT"),),
    said.SetReady: (ORDERS, (F, "baltic", "READY")),
    said.SetDraw: ((F, "baltic", "SET DRAW"),),
    said.Concede: ((F, "baltic", "CONCEDE G"),),
    said.SetPassword: ((F, "baltic", "SET PASSWORD word"),),
    said.ChangeAddress: ((F, "baltic", "ADD ADDRESS me@example.org"), (F, "", "YES")),
    said.NewTokens: ((F, "baltic", "NEW TOKENS"),),
    said.SetMails: ((F, "baltic", "SET MAILS DAILY"),),
    said.Resign: ((F, "baltic", "RESIGN"), (F, "", "YES")),
    said.Clear: (ORDERS, (F, "baltic", "CLEAR A Par")),
    said.Press: ((F, "baltic", "PRESS TO G\nHello\nENDPRESS"),),
    table_said.RollBack: ((M, "baltic", "PROCESS"), (M, "baltic", "ROLLBACK")),
    table_said.RollForward: (
        (M, "baltic", "PROCESS"),
        (M, "baltic", "ROLLBACK"),
        (M, "baltic", "ROLLFORWARD"),
    ),
    table_said.Unstart: ((M, "baltic", "UNSTART"),),
    table_said.Process: ((M, "baltic", "PROCESS"),),
    table_said.SetDeadline: ((M, "baltic", "SET DEADLINE +24h"),),
    table_said.SetGrace: ((M, "baltic", "SET GRACE +24h"),),
    table_said.Correct: ((M, "baltic", "CORRECT no A Par"),),
    table_said.SetRules: ((M, "baltic", "SET COMMENT BEGIN\nSlow,\nnice\nEND"),),
    table_said.PauseGame: ((M, "baltic", "PAUSE"),),
    table_said.GoOn: ((M, "baltic", "PAUSE"), (M, "baltic", "RESUME")),
    table_said.Terminate: ((M, "baltic", "TERMINATE"),),
    table_said.Begin: ((M, "baltic", "UNSTART"), (M, "baltic", "BEGIN")),
    table_said.Eject: ((M, "baltic", "EJECT F"),),
    table_said.Grant: ((F, "baltic", "EXTENSION 24"), (M, "baltic", "GRANT F")),
    table_said.VotePause: ((F, "baltic", "VOTE PAUSE"),),
    table_said.Propose: ((F, "baltic", "PROPOSE DRAW"),),
    table_said.VoteProposal: ((F, "baltic", "PROPOSE DRAW"), (G, "baltic", "VOTE YES")),
    table_said.AskTime: ((F, "baltic", "EXTENSION 24"),),
    table_said.Absent: ((F, "baltic", "ABSENT 24 Dec TO 2 Jan"),),
    table_said.Become: ((M, "baltic", "BECOME F\nWAIT"),),
    table_said.Create: ((F, "baltic", "CREATE ruby press=none"),),
    table_said.Observe: ((NEW, "", "OBSERVE baltic"), (NEW, "", "YES")),
    memoir_said.Diary: ((F, "baltic", "DIARY\nA word\nENDDIARY"),),
    memoir_said.DiaryDelete: (
        (F, "baltic", "DIARY\nA word\nENDDIARY"),
        (F, "baltic", "DIARY DELETE 1"),
    ),
    memoir_said.DiaryShow: ((F, "baltic", "DIARY SHOW"),),
    memoir_said.PressShow: ((F, "baltic", "SHOW PRESS"),),
    memoir_said.Statement: (
        (M, "baltic", "TERMINATE"),
        (F, "baltic", "STATEMENT\nWell played\nENDSTATEMENT"),
    ),
    place_said.StandBy: ((NEW, "", "STANDBY baltic"), (NEW, "", "YES")),
    place_said.Admit: (
        (NEW, "", "JOIN opal"),
        (NEW, "", "YES"),
        (M, "opal", f"ADMIT {NEW}"),
    ),
    place_said.RuleEntry: ((M, "baltic", f"DENY PLAYER {F}"),),
    place_said.GiveSeat: ((M, "baltic", "DUMMY F"), (M, "baltic", "REVIVE F")),
    place_said.MakeDummy: ((M, "baltic", "DUMMY F"),),
    place_said.Promote: ((M, "baltic", f"PROMOTE {F}"), (F, "", "YES")),
    place_said.Branch: ((M, "baltic", "PROCESS"), (M, "baltic", "BRANCH S1901M AS ruby")),
    place_said.SetGamePassword: ((M, "baltic", "SET GAME PASSWORD word"),),
}


def test_every_command_that_changes_something_is_here() -> None:
    names = {each.__name__ for each in get_args(said.Said)}

    assert names - {*QUESTIONS.split(), *PARTS.split()} == {each.__name__ for each in EFFECTS}


@pytest.mark.parametrize("steps", EFFECTS.values(), ids=[each.__name__ for each in EFFECTS])
def test_a_command_shows_its_effect(table: Table, steps: tuple[Step, ...]) -> None:
    if any(FORMING in step[1] or FORMING in step[2] for step in steps):
        table.open(FORMING, "entry=approval", "start=by_hand", moderator=M)

    answers = [says(table, *step) for step in steps]

    (*_, last) = answers
    words = " ".join(mail.words for mail in last if mail.recipient in (M, F, G, NEW))
    effect = words.partition(RECEIVED)[2].strip() or words
    assert effect
    assert [each for each in NEVER if each in words] == []


@pytest.mark.parametrize("text", ["WAIT", "SET DRAW", "VOTE PAUSE"])
def test_what_is_so_already_is_said_to_be(table: Table, text: str) -> None:
    [first] = says(table, F, "baltic", text)
    [again] = table.mail(F, text, first.reply_to)

    assert ALREADY not in first.words
    assert ALREADY in again.words


def says(table: Table, who: str, game: str, text: str) -> tuple[Mail, ...]:
    """Let *who* answer his latest mail, of *game* if that is named; a stranger writes anew."""
    mails = [each for each in table.mails_to(who) if f":{game} - " in each.subject or not game]
    found = table.reply(mails[-1], text) if mails else table.mail(who, text)
    return tuple(each for each in found if each.recipient == who)
