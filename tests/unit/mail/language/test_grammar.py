"""A command takes a whole line in its form; every other line may be an order."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.adapters.variant_files import load_map
from judge.app.commands.admissions import Admit, GiveSeat, MakeDummy, SetGamePassword
from judge.app.commands.diary import Diary, DiaryDelete, DiaryRead, DiaryShow, PressShow, Statement
from judge.app.commands.history import History, HistorySpan, WhyOrder
from judge.app.commands.join import Join, Resign, SetPreference, StandBy
from judge.app.commands.orders import Clear, SetReady, SetWait
from judge.app.commands.profile import SetHandle, SetPassword, SetZone
from judge.app.commands.queries import GameFilter, Help, ListGames, Status, Summary, WhoGame
from judge.app.commands.table import COMMANDS
from judge.app.commands.use_these import UseThese
from judge.app.commands.votes import Concede, Propose, SetDraw, VoteProposal
from judge.mail.body import Line, Text, split
from judge.mail.headers import tag_in_subject
from judge.mail.language.command_syntax import (
    NamedPhase,
    OrderText,
    ParsedLine,
    SignOff,
    SignOn,
    TooMuch,
    UnknownCommand,
)
from judge.mail.language.confirmations import Confirm
from judge.mail.reader.email_text import (
    COMMANDS_MAX,
    LINES_MAX,
    SECRETS_MAX,
    read_lines,
)
from judge.mail.reader.press_blocks import (
    GREY,
    WHITE,
    Press,
    PressManner,
    UnopenedPress,
    press_opening,
)
from tests.support.cost import takes_less_than

BOARD = load_map()
A, E, F, G, I, R, T = BOARD.powers  # noqa: E741 - the letters of the powers


def read(text: str) -> tuple[ParsedLine, ...]:
    return read_lines(split(text), BOARD, COMMANDS)


def only(text: str) -> ParsedLine:
    (said,) = read(text)
    return said


def said(what: ParsedLine) -> list[object]:
    """Return the class and its values, without the line number."""
    own = [f.name for f in fields(what) if f.name not in ("line", "text")]
    return [type(what), *(getattr(what, name) for name in own)]


WHOLE = ((F,), (T,), (G,), (I, E), (A, R))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("SIGNON Fgarnet secret", [SignOn, F, "garnet", "secret"]),
        ("sign on fgarnet secret", [SignOn, F, "garnet", "secret"]),
        ("SIGNON F garnet secret", [SignOn, F, "garnet", "secret"]),
        ("SIGNON FRANCE garnet secret", [SignOn, F, "garnet", "secret"]),
        ("SIGNON FRANCE@garnet secret", [SignOn, F, "garnet", "secret"]),
        ("SIGNON f@garnet secret.", [SignOn, F, "garnet", "secret"]),
        ("SIGNON Ggarnet secret", [SignOn, G, "garnet", "secret"]),
        ("SIGNON Mgarnet secret", [SignOn, "MASTER", "garnet", "secret"]),
        ("SIGNON Ogarnet secret", [SignOn, "OBSERVER", "garnet", "secret"]),
        ("SIGNON lepanto secret", [SignOn, None, "lepanto", "secret"]),
        ("SIGNON Fgarnet", [SignOn, F, "garnet", ""]),
        ("SIGNON ?garnet secret", [Join, "garnet", None, (), "secret", None]),
        ("SIGNOFF", [SignOff, ()]),
        ("sign off.", [SignOff, ()]),
        ("JOIN garnet", [Join, "garnet", None, (), None, None]),
        ("JOIN garnet secret", [Join, "garnet", None, (), "secret", None]),
        ("join garnet prefer ftg[ie]*", [Join, "garnet", None, WHOLE, None, None]),
        ("JOIN garnet secret PREFER FT", [Join, "garnet", None, ((F,), (T,)), "secret", None]),
        ("JOIN France@garnet secret", [Join, "garnet", F, (), "secret", None]),
        ("SET PREFERENCE FTG[IE]*", [SetPreference, WHOLE]),
        ("SET PREF France, Turkey", [SetPreference, ((F,), (T,))]),
        ("PREFER *", [SetPreference, (BOARD.powers,)]),
        ("HELP", [Help, None]),
        ("Help press", [Help, "press"]),
        ("LIST", [ListGames, (), GameFilter.ALL, 1]),
        ("LIST FULL", [ListGames, (), GameFilter.FULL, 1]),
        ("list garnet", [ListGames, ("garnet",), GameFilter.ALL, 1]),
        ("LIST garnet, dogger", [ListGames, ("garnet", "dogger"), GameFilter.ALL, 1]),
        ("list vacant", [ListGames, (), GameFilter.VACANT, 1]),
        ("LIST OVER 2", [ListGames, (), GameFilter.OVER, 2]),
        ("HISTORY", [History, None, HistorySpan(), None, False, None]),
        (
            "HISTORY garnet FROM S1901M TO fall 1902 BROAD",
            [History, "garnet", HistorySpan("S1901M", "F1902M"), None, True, None],
        ),
        (
            "history from 2026-11-01 lines 500",
            [History, None, HistorySpan(date(2026, 11, 1)), None, False, 500],
        ),
        (
            "HISTORY garnet EXCLSTART S1902M EXCLEND F1999B",
            [History, "garnet", HistorySpan(), HistorySpan("S1902M", "W1999A"), False, None],
        ),
        ("SUMMARY garnet", [Summary, "garnet"]),
        ("WHOGAME garnet FULL", [WhoGame, "garnet"]),
        ("WHY A Par-Bur", [WhyOrder, "A Par-Bur", None]),
        ("Why F1901M A Par-Bur?", [WhyOrder, "A Par-Bur", "F1901M"]),
        ("SET HANDLE Kaiserin", [SetHandle, "Kaiserin"]),
        ("SET NAME Kaiserin", [SetHandle, "Kaiserin"]),
        ("SET ZONE Europe/Berlin", [SetZone, "Europe/Berlin"]),
        ("SET NOZONE", [SetZone, None]),
        ("STATUS", [Status, None]),
        ("STATUS garnet", [Status, "garnet"]),
        ("SET WAIT", [SetWait, True]),
        ("SET  NOWAIT", [SetWait, False]),
        ("set no wait", [SetWait, False]),
        ("WAIT", [SetWait, True]),
        ("No wait.", [SetWait, False]),
        ("READY", [SetReady, True]),
        ("SET READY", [SetReady, True]),
        ("not ready", [SetReady, False]),
        ("SET NOREADY", [SetReady, False]),
        ("SET DRAW", [SetDraw, True, None]),
        ("DRAW", [SetDraw, True, None]),
        ("SET NODRAW", [SetDraw, False, None]),
        ("NO DRAW", [SetDraw, False, None]),
        ("SET CONCEDE R", [Concede, R]),
        ("SET CONC Russia", [Concede, R]),
        ("concede to Russia", [Concede, R]),
        ("SET NOCONCEDE", [Concede, None]),
        ("SET PASSWORD hunter2", [SetPassword, "hunter2"]),
        ("RESIGN", [Resign, None, None]),
        ("RESIGN garnet", [Resign, "garnet", None]),
        ("withdraw", [Resign, None, None]),
        ("CLEAR", [Clear, ()]),
        ("Clear all.", [Clear, ()]),
        ("(NMR)", [Clear, ()]),
        ("CLEAR A Par", [Clear, ("A Par",)]),
        ("clear Brest, F Stp(nc); A Xyz", [Clear, ("Brest", "F Stp(nc)", "A Xyz")]),
        ("PHASE F1902M", [NamedPhase, "F1902M", False, ""]),
        ("PHASE FALL 1902 MOVEMENT", [NamedPhase, "F1902M", False, ""]),
        ("phase spring 1902 retreats", [NamedPhase, "S1902R", False, ""]),
        ("PHASE FALL 1902 ADJUSTMENTS", [NamedPhase, "W1902A", False, ""]),
        ("PHASE F 1902 B", [NamedPhase, "W1902A", False, ""]),
        ("PHASE WINTER 1902", [NamedPhase, "W1902", False, ""]),
        ("PHASE SPRING 1902", [NamedPhase, "S1902", False, ""]),
        ("f1902m", [NamedPhase, "F1902M", False, ""]),
        ("Fall 1902 Movement.", [NamedPhase, "F1902M", False, ""]),
        ("JOIN garnet PASSWORD tulip", [Join, "garnet", None, (), None, "tulip"]),
        ("JOIN garnet mine tulip", [Join, "garnet", None, (), "mine", "tulip"]),
        ("TAKEOVER Fgarnet secret", [Join, "garnet", F, (), "secret", None]),
        ("TAKEOVER FRANCE@garnet", [Join, "garnet", F, (), None, None]),
        ("STANDBY", [StandBy, None, True, None]),
        ("standby garnet PASSWORD tulip", [StandBy, "garnet", True, "tulip"]),
        ("NO STANDBY garnet", [StandBy, "garnet", False, None]),
        ("ADMIT player-1", [Admit, "player-1", True]),
        ("REFUSE player-1", [Admit, "player-1", False]),
        ("SEAT F player-1", [GiveSeat, F, "player-1"]),
        ("REVIVE FRANCE", [GiveSeat, F, None]),
        ("DUMMY F", [MakeDummy, F]),
        ("SET GAME PASSWORD tulip", [SetGamePassword, "tulip"]),
        ("VOTE YES", [VoteProposal, None, True]),
        ("vote 2 no", [VoteProposal, 2, False]),
        ("VOTE VETO 2", [VoteProposal, 2, False]),
        ("VOTE DRAW", [SetDraw, True, None]),
        ("PROPOSE DRAW", [Propose, None]),
        ("PROPOSE DIAS", [Propose, None]),
        ("PROPOSE DRAW FT", [Propose, (F, T)]),
        ("DIARY LIST", [DiaryRead, None, False]),
        ("DIARY READ 3", [DiaryRead, 3, True]),
        ("DIARY DELETE 3 4", [DiaryDelete, (3, 4)]),
        ("DIARY HIDE", [DiaryShow, False]),
        ("SHOW PRESS", [PressShow, True]),
        ("hide press", [PressShow, False]),
        ("USE THESE", [UseThese, None]),
        ("Use these for F1902M.", [UseThese, "F1902M"]),
    ],
)
def test_a_line_in_its_form_is_a_command(line: str, expected: list[object]) -> None:
    assert said(only(line)) == expected


@pytest.mark.parametrize(
    "line",
    [
        "A PAR - BUR",
        "LIS - SPA",
        "STP - MOS",
        "F NTH C A LON - BEL",
        "BUILD A PAR",
        "WAIVE",
        "REMOVE A PAR",
        "Help me!",
        "Help me.",
        "Wait for me in Munich",
        "Draw your own conclusions",
        "Ready when you are",
        "Join me in Burgundy please",
        "Clear skies over Munich",
        "List of my wishes follows",
        "Press on to Munich",
        "I resign myself to it",
        "Status quo is what I want here",
        "Concede nothing to them",
        "Use the fleets",
        "Why not attack Munich with me?",
        "History repeats itself",
        "If you agree we both gain",
        "Summary of my thoughts",
        "process it when you can",
        "Set sail for the coast of Norway",
        "x" * 5_000,
        "Pass on my regards",
        "Fertig bin ich nicht",
    ],
)
def test_prose_and_orders_are_no_commands(line: str) -> None:
    (order_text,) = read(line)

    assert isinstance(order_text, OrderText)
    assert order_text.lines == (Line(1, line),)


@pytest.mark.parametrize(
    ("line", "word", "nearest"),
    [
        ("SET FOO", "SET FOO", None),
        ("set wiat", "SET WIAT", "SET WAIT"),
        ("SET CONCEDE", "SET CONCEDE", "SET CONCEDE R"),
        ("SET PREFERENCE FFT", "SET PREFERENCE", "SET PREFERENCE EFT"),
        ("EJECT", "EJECT", None),
        ("GET DEDSYSTEMS", "GET", None),
        ("STATSU", "STATSU", "STATUS"),
        ("ABSENT soon", "ABSENT", None),
        ("SEAT nobody", "SEAT", "SEAT F handle"),
        ("LEGEND", "LEGEND", "LEGEND Mun"),
        ("extension", "EXTENSION", "EXTENSION 24 BECAUSE reason"),
        ("singon Fgarnet secret", "SINGON", "SIGNON"),
        ("SIGNON", "SIGNON", "SIGNON Fgame password"),
        ("SIGNON X@garnet secret", "SIGNON", "SIGNON Fgame password"),
        ("JOIN X@garnet", "JOIN", "JOIN game"),
        ("CLEAR XYZ", "CLEAR", "CLEAR A Par"),
        ("SET ADDRESS me", "SET ADDRESS", "SET ADDRESS me@example.org"),
        ("SET PASSWORD", "SET PASSWORD", "SET PASSWORD word"),
        ("SET WATCH ALL PRESS", "SET WATCH", None),
        ("HILFE", "HILFE", "HELP"),
        ("aide", "aide", "HELP"),
        ("Fertig.", "Fertig", "READY"),
        ("WARTEN", "WARTEN", "WAIT"),
        ("Wait!", "Wait!", "WAIT"),
        ("pass", "pass", "WAIVE"),
    ],
)
def test_a_line_meant_as_a_command_is_shown_back(
    line: str, word: str, nearest: str | None
) -> None:
    assert said(only(line))[:3] == [UnknownCommand, word, nearest]


@pytest.mark.parametrize(
    "line",
    [
        "SIGNON Fgarnet hunter2",
        "SIGNON FRANCE hunter2",
        "SIGNON F garnet hunter2.",
        "JOIN garnet hunter2 PREFER F",
        "SET PASSWORD hunter2",
        "SIGNON X@garnet hunter2",
        "singon Fgarnet hunter2",
        "SET PASWORD hunter2",
        "TAKEOVER Fgarnet hunter2",
        "RESIGN Fgarnet hunter2",
        "OBSERVE garnet hunter2",
        "CREATE ?garnet hunter2 gunboat",
    ],
)
def test_no_password_is_shown(line: str) -> None:
    what = only(line)

    assert "hunter2" not in repr(what)
    assert "hunter2" not in what.text or isinstance(what, OrderText)


def test_yes_and_no_answer_only_as_the_first_line() -> None:
    assert said(read("\nYes!\nA PAR H")[0]) == [Confirm, True]
    assert said(read("no.\nA PAR H")[0]) == [Confirm, False]
    assert said(only("OK")) == [Confirm, True]
    assert isinstance(only("A PAR H\nNO"), OrderText)


def test_values_come_in_the_order_of_the_email_with_their_lines() -> None:
    text = "SIGNON Fgarnet pw\n\nA PAR - BUR\n// a remark\nF BRE H\nSET WAIT\n  A MAR H.\n"
    found = read(text)

    assert [type(each) for each in found] == [SignOn, OrderText, SetWait, OrderText]
    assert [each.line for each in found] == [1, 3, 6, 7]
    assert found[2].text == "SET WAIT"
    assert found[1] == OrderText(
        (Line(3, "A PAR - BUR"), Line(5, "F BRE H")), line=3, text="A PAR - BUR"
    )


@pytest.mark.parametrize(
    ("line", "recipients"),
    [
        ("PRESS TO Near East", ("NEAR-EAST",)),  # whose first word is four letters of powers
        ("PRESS TO Near East, South Africa", ("NEAR-EAST", "SOUTH-AFRICA")),
    ],
)
def test_a_block_may_name_a_power_of_several_words(line: str, recipients: tuple[str, ...]) -> None:
    opening = press_opening(Line(1, line), load_map("world"), closed=True)

    assert opening
    assert (opening.recipients.names, opening.recipients.unknown) == (recipients, ())


@pytest.mark.parametrize(
    ("line", "recipients", "unknown"),
    [
        ("PRESS TO F,G", (F, G), ()),
        ("press fg", (F, G), ()),
        ("PRESS FG?", (F, G), ()),
        ("PRESS TO ENGLAND, FRANCE", (E, F), ()),
        ("PRESS TO England and France.", (E, F), ()),
        ("PRESS WHITE TO E;F", (E, F), ()),
        ("PRESS TO F M", (F, "MASTER"), ()),
        ("PRESS TO FMO", (F, "MASTER", "OBSERVER"), ()),
        ("PRESS TO F F FRANCE", (F,), ()),
        ("PRESS TO ALL", ("ALL",), ()),
        ("PRESS TO ALL, F", ("ALL",), ()),
        ("BROADCAST", ("ALL",), ()),
        ("PRESS TO ALL BUT R", (A, E, F, G, I, T), ()),
        ("PRESS TO ALL EXCEPT RUSSIA AND A", (E, F, G, I, T), ()),
        ("PRESS", (), ()),
        ("PRESS TO", (), ()),
        ("PRESS TO F, GERMNAY", (F,), ("GERMNAY",)),
        ("PRESS TO ALL BUT RUSIA", (), ("RUSIA",)),
        ("PRESS TO ALL BUT", (), ("BUT",)),
        ("PRESS TO F BUT R", (), ("BUT", "R")),
        ("PRESS TO F FROM SPAIN", (F,), ("SPAIN",)),
        ("PRESS TO F FAKE", (F,), ("FAKE",)),
        ("PRESS -R", (A, E, F, G, I, T), ()),
        ("POSTAL PRESS", ("ALL",), ()),
        ("PRESS TO Atlantis", (), ("ATLANTIS",)),
        ("PRES TO F", (), ("PRES TO F",)),
    ],
)
def test_a_block_is_for_whom_it_names(
    line: str, recipients: tuple[str, ...], unknown: tuple[str, ...]
) -> None:
    press, orders = read(f"{line}\nDear all,\n\nA MAR H\n// not this\nENDPRESS\nA PAR H")

    lines = (Line(2, "Dear all,"), Line(3, ""), Line(4, "A MAR H"))
    assert said(press)[:-2] == [Press, recipients, unknown, lines, True]
    assert isinstance(orders, OrderText)


@pytest.mark.parametrize(
    ("line", "recipients", "manner"),
    [
        ("PRESS TO E", (E,), PressManner()),
        ("PRESS GREY TO E,F", (E, F), PressManner(signed=GREY)),
        ("BROADCAST GREY", ("ALL",), PressManner(signed=GREY)),
        ("Grey broadcast", ("ALL",), PressManner(signed=GREY)),
        ("BROADCAST TO ALL", ("ALL",), PressManner()),
        ("BROADCAST ALL BUT R", (A, E, F, G, I, T), PressManner()),
        ("PRESS TO E FROM NOBODY", (E,), PressManner(signed=GREY)),
        ("PRESS WHITE TO E", (E,), PressManner(signed=WHITE)),
        ("PRESS TO E FROM ITALY", (E,), PressManner(signed=I)),
        ("BROADCAST FAKE FROM Italy", ("ALL",), PressManner(signed=I)),
        ("PRESS TO E FAKE TO E,G", (E,), PressManner(named=(E, G))),
        ("PRESS TO E FAKE PARTIAL TO ALL BUT R", (E,), PressManner(named=(A, E, F, G, I, T))),
        ("PRESS TO E FAKE BROADCAST FROM R", (E,), PressManner(named=("ALL",), signed=R)),
        ("BROADCAST FAKE TO E", ("ALL",), PressManner(named=(E,))),
        ("PRESS NOFAKE TO E", (E,), PressManner()),
        ("PRESS TO E QUIET", (E,), PressManner(quiet=True)),
        ("POSTAL PRESS GREY", ("ALL",), PressManner(postal=True, signed=GREY)),
        ("Postal press to E", (E,), PressManner(postal=True)),
        ("PREVIEW PRESS TO E", (E,), PressManner(preview=True)),
    ],
)
def test_press_goes_out_in_the_manner_that_its_line_asks_for(
    line: str, recipients: tuple[str, ...], manner: PressManner
) -> None:
    press, orders = read(f"{line}\nHello\nENDPRESS\nA PAR H")

    assert isinstance(press, Press)
    assert (press.recipients, press.unknown, press.manner) == (recipients, (), manner)
    assert isinstance(orders, OrderText)


@pytest.mark.parametrize("line", ["BROADCAST TO G", "Broadcast to Germany, Italy", "BROADCAST G"])
def test_a_broadcast_to_some_goes_to_nobody(line: str) -> None:
    press, orders = read(f"{line}\nA secret\nENDBROADCAST\nA PAR H")

    assert isinstance(press, Press)
    assert (press.recipients, press.unknown) == ((), (line.upper().replace(",", ""),))
    assert isinstance(orders, OrderText)


@pytest.mark.parametrize("line", ["Grey press is a nuisance", "Postal press takes so long"])
def test_a_sentence_about_press_opens_no_block(line: str) -> None:
    assert isinstance(only(line), OrderText)


@pytest.mark.parametrize("end", ["ENDPRESS", "end press", "EndBroadcast", "END  BROADCAST."])
def test_each_closing_line_closes(end: str) -> None:
    press, draw = read(f"BROADCAST\nhello\n{end}\nDRAW")

    assert isinstance(press, Press)
    assert press.closed
    assert isinstance(draw, SetDraw)


@pytest.mark.parametrize(
    "text",
    [
        "PRESS TO F\nhello\nA MAR H\nSET DRAW",
        "PRESS TO FRNACE\nhello\nA MAR H\nSET DRAW",
        "PRESS TO F\nhello\nPRESS TO G\nA MAR H\nENDPRESS\nSET DRAW",
        "PRESS TO F\nhello\nBROADCAST\nA MAR H\nENDBROADCAST\nSET DRAW",
    ],
    ids=["never closed", "misspelt", "another inside", "a broadcast inside"],
)
def test_an_open_block_swallows_the_rest(text: str) -> None:
    press = only(text)

    assert isinstance(press, Press)
    assert not press.closed
    assert [line.text for line in press.lines] == text.split("\n")[1:]


@pytest.mark.parametrize(
    "line", ["BROADCAST: hello all", "SEND PRESS TO G", "My press to Germany:"]
)
def test_nothing_is_read_between_a_misread_opening_and_its_end(line: str) -> None:
    before, lost, after = read(f"A PAR H\n{line}\nF BRE H\nSET DRAW\nENDPRESS\nA MAR H")

    assert isinstance(before, OrderText)
    assert said(lost)[:2] == [UnopenedPress, (Line(3, "F BRE H"), Line(4, "SET DRAW"))]
    assert lost.text == line
    assert isinstance(after, OrderText)


def test_nothing_is_read_above_an_end_that_nothing_opens() -> None:
    draw, lost, after = read("SET DRAW\nGermany:\nF BRE H\nENDPRESS\nA MAR H")

    assert isinstance(draw, SetDraw)
    assert said(lost) == [UnopenedPress, (Line(2, "Germany:"), Line(3, "F BRE H")), ""]
    assert isinstance(after, OrderText)


@pytest.mark.parametrize(
    "line",
    [
        "BROADCAST good luck",
        "To Germany: thanks",
        "to all: good luck!",
        "Please tell Germany: thanks",
        "@Germany: thanks",
    ],
)
def test_press_of_one_line_at_the_end_takes_nothing_above_it(line: str) -> None:
    orders, lost = read(f"A PAR - BUR\nF BRE - MAO\n{line}")

    assert said(orders) == [OrderText, (Line(1, "A PAR - BUR"), Line(2, "F BRE - MAO"))]
    assert said(lost)[:2] == [UnopenedPress, ()]
    assert lost.text == line


@pytest.mark.parametrize("line", ["PRESS TO GERMANY: let us ally", "PRESS TO G let us ally"])
def test_press_in_the_line_that_opens_it_is_not_closed(line: str) -> None:
    press = only(f"{line}\nA MAR H")

    assert said(press)[:-2] == [Press, (), (), (Line(1, "let us ally"), Line(2, "A MAR H")), False]


def test_a_signature_in_a_block_ends_the_press_and_not_the_email() -> None:
    press, orders = read("PRESS TO G\nhello\n-- \nJeanne\nENDPRESS\nA MAR H\n-- \nJeanne")

    assert isinstance(press, Press)
    assert (press.lines, press.closed) == ((Line(2, "hello"),), True)
    assert isinstance(orders, OrderText)
    assert orders.lines == (Line(6, "A MAR H"),)


def test_prose_before_a_block_does_not_open_one() -> None:
    prose, press = read("Press on to Munich!\nPRESS TO F\nhello\nENDPRESS")

    assert isinstance(prose, OrderText)
    assert isinstance(press, Press)
    assert press.recipients == (F,)


def test_nothing_after_signoff_counts_up_to_another_signon() -> None:
    found = read("SIGNON Fgarnet pw\nSIGNOFF\nA MAR H\nSET DRAW\nSIGNON Gother pw\nA MUN H")

    assert [type(each) for each in found] == [SignOn, SignOff, SignOn, OrderText]
    assert said(found[1]) == [SignOff, (Line(3, "A MAR H"), Line(4, "SET DRAW"))]


def test_an_email_is_read_up_to_its_limit_of_lines() -> None:
    *_, orders, more = read("A PAR H\n" * (LINES_MAX + 5))

    assert isinstance(orders, OrderText)
    assert len(orders.lines) == LINES_MAX
    assert more == TooMuch(LINES_MAX, line=LINES_MAX + 1, text="A PAR H")


def test_an_email_is_read_up_to_its_limit_of_commands() -> None:
    found = read("DRAW\nNODRAW\n" * COMMANDS_MAX)

    assert len(found) == COMMANDS_MAX + 1
    assert found[-1] == TooMuch(COMMANDS_MAX, line=COMMANDS_MAX + 1, text="DRAW")


def test_of_passwords_only_some_are_tried() -> None:
    found = read("SIGNON Fgarnet guess\nA Par H\n" * (SECRETS_MAX + 1))

    assert sum(isinstance(each, SignOn) for each in found) == SECRETS_MAX
    assert isinstance(found[-1], TooMuch)


def test_press_beyond_the_limit_is_not_sent() -> None:
    press, more = read("PRESS TO F\n" + "hello\n" * LINES_MAX + "ENDPRESS")

    assert isinstance(press, Press)
    assert not press.closed
    assert isinstance(more, TooMuch)


def test_an_empty_email_says_nothing() -> None:
    assert read("") == ()


@pytest.mark.parametrize(
    ("subject", "tag"),
    [
        ("Re: TEST:garnet - S1901M Results [#abcd234]", "abcd234"),
        ("[#a] [#b]", "a"),
        ("[# a]", None),
        ("[#", None),
        ("garnet", None),
    ],
)
def test_a_tag_stands_in_the_subject(subject: str, tag: str | None) -> None:
    assert tag_in_subject(subject) == tag


@pytest.mark.parametrize(
    "line",
    [
        "PRESS TO FRNACE RUSIA GERMNAY",
        pytest.param("PRESS on to the fields of glory", marks=pytest.mark.gate),
        "SIGNOFF",
        pytest.param("SET WIAT", marks=pytest.mark.gate),
    ],
)
def test_reading_is_linear(line: str) -> None:
    assert len(read(f"{line}\n" * 20_000)) <= COMMANDS_MAX + 1
    assert takes_less_than(3, read, f"{line}\n" * 20_000)


WORDS = """
    SIGNON SIGNOFF JOIN PRESS TO ALL BUT F FRANCE ENDPRESS BROADCAST SET NO WAIT DRAW PHASE F1902M
    CONCEDE PASSWORD x @ ? * [ ] ]A Fgarnet F@garnet CLEAR A Par , ; . // YES HELP USE THESE FOR
    PREFER FTG PREFERENCE LIST
"""
WORD = st.sampled_from(WORDS.split()) | st.text(max_size=8)


@example(["PRESS TO F", "// ENDPRESS", "", "A Par", "ENDPRESS", "ENDPRESS"])
@example(["BROADCAST", "PRESS ALL BUT F", "SIGNOFF"])
@example(["SIGNON F@garnet x", "// A Par", "USE THESE FOR F1902M", "PHASE", "]A"])
@example(["HIST"])
@example([";", "\t", "\x85", "\u2028A Par", "\u0130"])
@given(st.lists(st.lists(WORD, max_size=5).map(" ".join), max_size=12))
def test_every_line_is_in_one_value(written: list[str]) -> None:
    lines = tuple(Line(i, re.sub(r"\s", " ", text)) for i, text in enumerate(written, 1))
    found = read_lines(Text(lines), BOARD, COMMANDS)
    kept = [line.number for line in lines if line.text.strip()[:2] not in ("", "//")]
    inside = [
        each.number
        for what in found
        for name in ("lines", "ignored")
        for each in getattr(what, name, ())
        if each.text.strip()
    ]
    own = [what.line for what in found if not isinstance(what, OrderText)]
    closings = [n for n in kept if n not in inside + own]

    assert sorted(inside + own + closings) == kept
    assert len(closings) == sum(isinstance(what, Press) and what.closed for what in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DIARY\nTrust nobody.\nA Par H\nEND DIARY\nA Mar H", [Diary, OrderText]),
        ("Diary:\nTrust nobody.\nENDDIARY", [Diary]),
        ("DIARY\nTrust nobody.\nA Par H", [Diary]),
        ("Statement\nThank you all.", [OrderText]),
        ("statement\nThank you all.\nENDSTATEMENT", [Statement]),
        ("My diary\nA Par H", [OrderText]),
    ],
)
def test_text_in_a_diary_or_a_statement_is_no_order(text: str, expected: list[type]) -> None:
    assert [type(each) for each in read(text)] == expected


def test_a_block_without_an_end_says_so() -> None:
    (told,) = read("DIARY\nTrust nobody.\nA Par H")

    assert isinstance(told, Diary)
    assert not told.closed
    assert len(told.lines) == 2


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("A Par-Bur Sent from my iPhone", "A Par-Bur"),
        ("A Par-Bur - Sent from my phone", "A Par-Bur"),
        ("A Par-Bur (Sent from Outlook for Android)", "A Par-Bur"),
        ("A Par-Bur Von meinem iPhone gesendet", "A Par-Bur"),
        ("A Par-Bur Envoy\xe9 de mon t\xe9l\xe9phone", "A Par-Bur"),
        ("A Par-Bur Sent from my phone A Mar-Spa", "A Par-Bur Sent from my phone A Mar-Spa"),
        ("A Par-Bur sent from my heart", "A Par-Bur sent from my heart"),
        ("A Par-Bur, Sent by nobody", "A Par-Bur, Sent by nobody"),
        ("Army Paris to Burgundy", "Army Paris to Burgundy"),
    ],
)
def test_the_mark_of_a_phone_behind_an_order_is_no_part_of_it(line: str, kept: str) -> None:
    found = only(line)

    assert isinstance(found, OrderText)
    assert [each.text for each in found.lines] == [kept]


def test_the_mark_of_a_phone_costs_no_command_and_stays_in_press() -> None:
    ready, _, press = read(
        "READY Sent from my iPhone\nPRESS TO G\nHe was Sent from my court\nENDPRESS"
    )

    assert isinstance(ready, SetReady)
    assert isinstance(press, Press)
    assert [each.text for each in press.lines] == ["He was Sent from my court"]
