"""The receipt of every command that changes something says what it changed."""

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
from judge.app.commands.command import do_nothing
from judge.app.commands.diary import Diary, DiaryDelete, DiaryShow, PressShow, Statement
from judge.app.commands.join import Join, Observe, Resign, SetPreference, StandBy
from judge.app.commands.moderator import (
    Become,
    Begin,
    Eject,
    GoOn,
    Grant,
    PauseGame,
    Process,
    SetDeadline,
    SetGrace,
    Terminate,
)
from judge.app.commands.orders import Clear, SetReady, SetWait
from judge.app.commands.profile import (
    ChangeAddress,
    NewTokens,
    SetHandle,
    SetLanguage,
    SetMails,
    SetPassword,
    SetReceipts,
    SetZone,
)
from judge.app.commands.rollback import Correct, RollBack, RollForward, Unstart
from judge.app.commands.rules import Create, SetRules
from judge.app.commands.table import ALL_COMMANDS, COMMANDS
from judge.app.commands.votes import (
    Absent,
    AskTime,
    Concede,
    Propose,
    SetDraw,
    VotePause,
    VoteProposal,
)
from judge.mail.language.command_syntax import ParsedLine, SignOff
from judge.mail.reader.press_blocks import Press
from tests.support.many_games import check_table_of_games
from tests.support.table import MODERATOR, Mail, Table, address_of

NEVER = (
    "refused",
    "not understood",
    "is not a command of this judge:",
    "has no orders and no commands.",
)
RECEIVED = "How the judge read your email: "
ALREADY = "That was already the case; nothing has changed."
FORMING = "opal"  # its moderator admits players and begins it by hand
QUESTIONS = """
    DiaryRead Help History Legend ListGames Options Preview Same ShowMap ShowRules
    ShowVariants Status Summary WhoGame WhyOrder
"""
# Parts of an email without an effect of their own, or tested elsewhere.
PARTS = """
    Confirm Decide LineFailed NamedGame NamedPhase OrdersOfPhase OrderText SignOn TooMuch
    Stop UnknownCommand UnopenedPress UseThese
"""
Step = tuple[str, str, str]  # sender, game of the email replied to, text
M, F, G = MODERATOR, address_of("FRANCE"), address_of("GERMANY")
NEW = "new@players.example"
ORDERS = (F, "baltic", "A Par H; A Mar H; F Bre H")
EFFECTS: dict[type, tuple[Step, ...]] = {
    SignOff: ((F, "baltic", "SIGNOFF\nA Par H"),),
    Join: ((NEW, "", "JOIN opal"), (NEW, "", "YES")),
    SetPreference: (
        (NEW, "", "JOIN opal"),
        (NEW, "", "YES"),
        (M, "opal", f"ADMIT {NEW}"),
        (NEW, "opal", "PREFER FTG"),
    ),
    SetHandle: ((F, "baltic", "SET HANDLE Kaiserin"),),
    SetLanguage: ((F, "baltic", "SET LANGUAGE ENGLISH"),),
    SetZone: ((F, "baltic", "SET ZONE Europe/Berlin"),),
    SetWait: ((F, "baltic", "WAIT"),),
    SetReady: (ORDERS, (F, "baltic", "READY")),
    SetDraw: ((F, "baltic", "SET DRAW"),),
    Concede: ((F, "baltic", "CONCEDE G"),),
    SetPassword: ((F, "baltic", "SET PASSWORD word"),),
    ChangeAddress: ((F, "baltic", "ADD ADDRESS me@example.org"), (F, "", "YES")),
    NewTokens: ((F, "baltic", "NEW TOKENS"),),
    SetMails: ((F, "baltic", "SET MAILS DAILY"),),
    SetReceipts: ((F, "baltic", "SET RECEIPTS FULL"),),
    Resign: ((F, "baltic", "RESIGN"), (F, "", "YES")),
    Clear: (ORDERS, (F, "baltic", "CLEAR A Par")),
    Press: ((F, "baltic", "PRESS TO G\nHello\nENDPRESS"),),
    RollBack: ((M, "baltic", "PROCESS"), (M, "baltic", "ROLLBACK")),
    RollForward: (
        (M, "baltic", "PROCESS"),
        (M, "baltic", "ROLLBACK"),
        (M, "baltic", "ROLLFORWARD"),
    ),
    Unstart: ((M, "baltic", "UNSTART"),),
    Process: ((M, "baltic", "PROCESS"),),
    SetDeadline: ((M, "baltic", "SET DEADLINE +24h"),),
    SetGrace: ((M, "baltic", "SET GRACE +24h"),),
    Correct: ((M, "baltic", "CORRECT no A Par"),),
    SetRules: ((M, "baltic", "SET COMMENT BEGIN\nSlow,\nnice\nEND"),),
    PauseGame: ((M, "baltic", "PAUSE"),),
    GoOn: ((M, "baltic", "PAUSE"), (M, "baltic", "RESUME")),
    Terminate: ((M, "baltic", "TERMINATE"),),
    Begin: ((M, "baltic", "UNSTART"), (M, "baltic", "BEGIN")),
    Eject: ((M, "baltic", "EJECT F"),),
    Grant: ((F, "baltic", "EXTENSION 24"), (M, "baltic", "GRANT F")),
    VotePause: ((F, "baltic", "VOTE PAUSE"),),
    Propose: ((F, "baltic", "PROPOSE DRAW"),),
    VoteProposal: ((F, "baltic", "PROPOSE DRAW"), (G, "baltic", "VOTE YES")),
    AskTime: ((F, "baltic", "EXTENSION 24"),),
    Absent: ((F, "baltic", "ABSENT 24 Dec TO 2 Jan"),),
    Become: ((M, "baltic", "BECOME F\nWAIT"),),
    Create: ((F, "baltic", "CREATE ruby press=none"),),
    Observe: ((NEW, "", "OBSERVE baltic"), (NEW, "", "YES")),
    Diary: ((F, "baltic", "DIARY\nA word\nENDDIARY"),),
    DiaryDelete: (
        (F, "baltic", "DIARY\nA word\nENDDIARY"),
        (F, "baltic", "DIARY DELETE 1"),
    ),
    DiaryShow: ((F, "baltic", "DIARY SHOW"),),
    PressShow: ((F, "baltic", "SHOW PRESS"),),
    Statement: (
        (M, "baltic", "TERMINATE"),
        (F, "baltic", "STATEMENT\nWell played\nENDSTATEMENT"),
    ),
    StandBy: ((NEW, "", "STANDBY baltic"), (NEW, "", "YES")),
    Admit: (
        (NEW, "", "JOIN opal"),
        (NEW, "", "YES"),
        (M, "opal", f"ADMIT {NEW}"),
    ),
    RuleEntry: ((M, "baltic", f"DENY PLAYER {F}"),),
    GiveSeat: ((M, "baltic", "DUMMY F"), (M, "baltic", "REVIVE F")),
    MakeDummy: ((M, "baltic", "DUMMY F"),),
    Promote: ((M, "baltic", f"PROMOTE {F}"), (M, "", "YES"), (F, "", "YES")),
    Branch: ((M, "baltic", "PROCESS"), (M, "baltic", "BRANCH S1901M AS ruby")),
    SetGamePassword: ((M, "baltic", "SET GAME PASSWORD word"),),
}


def test_every_command_that_changes_something_is_listed() -> None:
    names = {each.__name__ for each in COMMANDS.syntax}

    assert names - {*QUESTIONS.split(), *PARTS.split()} == {each.__name__ for each in EFFECTS}


def test_every_kind_of_line_is_in_the_table_and_has_one_handler() -> None:
    bases = {"SpeaksFor", "TakesSettings"}
    kinds = {each.__name__ for each in all_subclasses(ParsedLine)} - bases

    assert kinds == {each.__name__ for each in COMMANDS.syntax}
    assert len(ALL_COMMANDS) == len(kinds)
    assert [
        each.parsed
        for each in ALL_COMMANDS
        if (each.handle is do_nothing) != (each.answer is not None)
    ] == []


def all_subclasses(base: type[ParsedLine]) -> set[type[ParsedLine]]:
    direct = set(base.__subclasses__())
    return direct.union(*map(all_subclasses, direct))


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
    check_table_of_games(table)


@pytest.mark.parametrize("text", ["WAIT", "SET DRAW", "VOTE PAUSE"])
def test_a_repeated_command_says_that_nothing_changed(table: Table, text: str) -> None:
    [first] = says(table, F, "baltic", text)
    [again] = table.mail(F, text, first.reply_to)

    assert ALREADY not in first.words
    assert ALREADY in again.words


def says(table: Table, who: str, game: str, text: str) -> tuple[Mail, ...]:
    """Reply as *who* to their latest email (of *game*, if given), or write anew as a stranger."""
    mails = [each for each in table.emails_to(who) if f":{game} - " in each.subject or not game]
    text = mails[-1].yes if mails and text == "YES" else text
    found = table.reply(mails[-1], text) if mails else table.mail(who, text)
    return tuple(each for each in found if each.recipient == who)
