"""Players of nJudge and DPjudge write as they are used to; it works, or the judge says how."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.join import Resign
from judge.app.commands.moderator import Become, PauseGame
from judge.app.commands.orders import SetWait
from judge.app.commands.profile import ChangeAddress, SetPassword
from judge.app.commands.queries import Help, ShowMap, ShowRules, WhoGame
from judge.app.commands.rollback import RollBack, Unstart
from judge.app.commands.rules import Create, SetRules, ShowVariants
from judge.app.commands.table import COMMANDS
from judge.app.commands.votes import Absent, Concede, SetDraw
from judge.mail.body import Line, Text
from judge.mail.language.command_syntax import OrderText, ParsedLine, UnknownCommand
from judge.mail.reader.email_text import read_lines
from tests.support.table import MODERATOR, Mail, Table, address_of

BOARD = load_map("standard")
STRANGER = "jo@new.example"


def read(line: str) -> tuple[ParsedLine, ...]:
    return read_lines(Text((Line(1, line),)), BOARD, COMMANDS)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("whogame full", WhoGame),
        ("who game full", WhoGame),
        ("roll back 001", RollBack),
        ("Rollback forming", Unstart),
        ("set no draw", SetDraw),
        ("setnodraw", SetDraw),
        ("set nodr", SetDraw),
        ("vote no draw", SetDraw),
        ("set now", SetWait),
        ("set w", SetWait),
        ("set no conc g", Concede),
        ("set noconcede germany", Concede),
        ("set pw tulip", SetPassword),
        ("set vacations dec 5 to dec 8", Absent),
        ("not absent 5 dec", Absent),
        ("set absence", Absent),
        ("suspend", PauseGame),
        ("setup", ShowRules),
        ("map pdf", ShowMap),
        ("get syntax", Help),
        ("get package", Help),
        ("version", Help),
        ("become master", Become),
        ("send me deadlines", Help),
        ("get info.youngstown", ShowVariants),
        ("i am also jo@old.example", ChangeAddress),
        ("RESIGN england@baltic pw", Resign),
        ("resign ebaltic pw", Resign),
        ("create ?opal tulip", Create),
        ("create opal tulip standard", Create),
        ("set nolatepress", SetRules),
        ("set mustorder", SetRules),
        ("set white/grey press", SetRules),
        ("set no white", SetRules),
        ("set observer no press", SetRules),
        ("set moves next 48 grace 72", SetRules),
        ("set retreat clock -1 next 23", SetRules),
        ("set builds next 24", SetRules),
        ("set any centres", SetRules),
    ],
)
def test_words_are_joined_parted_and_shortened_as_there(line: str, said: type) -> None:
    assert [type(each) for each in read(line)] == [said]


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("who jo", "whois"),
        ("whois jo ann", "whois"),
        ("info player jo@old.example", "whois"),
        ("register", "register"),
        ("get dedsystems", "files"),
        ("signon ?", "join_any"),
        ("signon ? tulip", "join_any"),
        ("set unmoderated", "moderated"),
        ("set nostrictgrace", "late"),
        ("set no resume", "pause"),
        ("set blank board", "variants"),
        ("set no famine", "always"),
        ("set strict grace", "always"),
        ("set variant youngstown", "variants"),
        ("set dedication -1000", "entry"),
        ("set watch all press", "rules"),
        ("official Headline of the day", "official"),
        ("rename opal amber", "create"),
        ("SET RETREAT CLOCK -1", "clocks"),
    ],
)
def test_what_is_not_here_is_said_by_its_first_words(line: str, advice: str) -> None:
    [said] = read(line)

    assert isinstance(said, UnknownCommand)
    assert said.advice == advice


@pytest.mark.parametrize(
    "line",
    [
        "Who wins?",
        "Who is Germany?",
        "Send my regards to the Sultan",
        "Get well soon",
        "Watch out for Italy",
        "Create a distraction there",
        "Set up a line in the south",
        "History repeats itself",
        "Form an alliance with me",
        "Rule Britannia!",
        "Suspend your disbelief for a moment",
        "Info about the map would be nice",
    ],
)
def test_sentences_that_begin_like_commands_are_none(line: str) -> None:
    assert [type(each) for each in read(line)] == [OrderText]


def test_commas_separate_settings() -> None:
    said = read("set nmr, late press, must order, white/grey")

    assert [each.pairs for each in said if isinstance(each, SetRules)] == [
        ("nmr=civil_disorder",),
        ("late_press=yes",),
        ("must_order=yes",),
        ("signing=white_grey",),
    ]
    assert [type(each) for each in read("set wait, draw")] == [SetWait, SetDraw]


@pytest.fixture
def table(judge: Table) -> Table:
    judge.start("baltic", moderator=MODERATOR)
    return judge


def asked(table: Table, text: str, who: str = "ENGLAND") -> str:
    mails = table.reply(table.latest(who), text)
    return "\n".join(mail.words for mail in mails if mail.recipient == address_of(who))


def moderated(table: Table, text: str, game: str = "baltic") -> str:
    latest = [mail for mail in table.emails_to(MODERATOR) if f":{game} - " in mail.subject][-1]
    mails = table.reply(latest, text)
    return "\n".join(mail.words for mail in mails if mail.recipient == MODERATOR)


def test_an_argument_that_cannot_be_read_is_said(table: Table) -> None:
    for line in ("MAP 5", "STATUS nowhere", "WHOGAME nowhere", "LIST nowhere", "MAP baltic 2"):
        told = asked(table, line)

        assert line.upper() in told.upper()
        assert "players have joined" not in told
        assert "due Mon" not in told


def test_list_after_signon_shows_that_game(table: Table) -> None:
    asked(table, "SET PASSWORD one")

    [answer] = table.mail(address_of("ENGLAND"), "SIGNON Ebaltic one\nLIST")

    assert "Status of the Movement phase" in answer.words


def test_set_list_is_a_setting(table: Table) -> None:
    assert "nothing has changed" in moderated(table, "set list")


def test_a_deadline_without_a_year_is_never_months_away(table: Table) -> None:
    before = table.deadline()

    told = moderated(table, "set deadline nov 1")

    assert table.deadline() == before
    assert "SET DEADLINE nov 1 2027" in told


def test_a_deadline_may_have_a_zone(table: Table) -> None:
    moderated(table, "set deadline dec 16 2026 23:30 PST")

    assert table.deadline() == datetime(2026, 12, 17, 7, 30, tzinfo=UTC)


def test_settings_of_one_phase_that_are_of_all_here_are_said(table: Table) -> None:
    told = moderated(table, "set retreat clock -1 next 23")

    assert table.game().house_rules.retreat_hours.total_seconds() == 23 * 3600
    assert "CLOCK -1" in told


def test_an_absence_is_withdrawn_by_its_day(table: Table) -> None:
    asked(table, "set absence dec 5 to dec 8")
    assert "NOT ABSENT" in asked(table, "set no absence dec 20")

    asked(table, "set no absence dec 6")

    assert not any(table.game().absences.values())


def create(judge: Table, text: str) -> list[Mail]:
    [question] = judge.mail(STRANGER, text)
    return [question, *judge.confirm(question)]


def test_create_takes_a_password_a_variant_and_options(judge: Table) -> None:
    create(judge, "create ?older tulip youngstown gunboat\nset nolist\nset white/grey, partial")

    game = judge.game("older")
    assert (game.variant, game.house_rules.anonymous) == ("youngstown", True)
    assert (game.house_rules.listed, game.house_rules.signing.value) == (False, "white_grey")
    assert not any("tulip" in mail.text for mail in judge.outbox())


@pytest.mark.parametrize(
    "line",
    [
        "create ?older tulip youngstown gunboat, nmr, no press",
        "create older youngstown gunboat nmr no press",
        "Create older youngstown press=none nmr gunboat deadline 48",
    ],
)
def test_create_takes_settings_of_several_words_and_the_board_that_is_named(
    judge: Table, line: str
) -> None:
    create(judge, line)

    game = judge.game("older")
    assert game.variant == "youngstown"
    assert game.house_rules.anonymous
    assert game.house_rules.press.value == "none"


def test_create_says_which_settings_it_could_not_take(judge: Table) -> None:
    told = " ".join(
        mail.words
        for mail in create(
            judge, "create ?older tulip standard chess\nbecome master\nset dedication 5"
        )
    )

    assert judge.game("older").moderator
    for word in ("chess", "set dedication 5", "counts as the moderator's"):
        assert word in told


@pytest.mark.parametrize(
    "text", ["get dedsystems", "whois jo", "register\nName: Jo\nEND", "signon ?", "set w\nindex"]
)
def test_a_stranger_gets_the_same_advice(judge: Table, text: str) -> None:
    [answer] = judge.mail(STRANGER, text)

    assert "is not a command of this judge" in answer.words
    assert "does not name its sender" not in answer.words


def test_a_player_of_several_games_gets_it_without_signon(table: Table) -> None:
    table.start("aegean")
    receipt = table.mail(address_of("ENGLAND"), "who jo")[-1]

    assert "is not a command of this judge: who jo" in receipt.words


def test_a_line_may_have_a_newline_of_its_own(table: Table) -> None:
    asked(table, "\\;press to g;Let us ally.;endpress;f lon-nth")

    assert table.current_orders("ENGLAND") == ("F LON - NTH",)
    assert "Let us ally." in table.emails_to(address_of("GERMANY"), "letter")[-1].text


@pytest.mark.parametrize("condition", ["if ger mun or rus mun", "if ge mun", "IF GERMAN Mun"])
def test_powers_in_conditions_are_shortened(table: Table, condition: str) -> None:
    told = asked(table, f"phase f1901m\n{condition}\nf lon-nth\nendif")

    assert "IF GERMANY MUN" in told
    assert "Ignored" not in told


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("EXTENSION 24", "SET DEADLINE +24h"),
        ("EXTENSION 90m", "SET DEADLINE +90m"),
        ("SET WAIT", "PAUSE"),
        ("VOTE RESUME", "RESUME"),
        ("resign italy mpass", "EJECT Italy"),
    ],
)
def test_a_moderator_who_writes_as_a_player_is_offered_their_own_command(
    table: Table, line: str, offered: str
) -> None:
    told = moderated(table, line)

    assert f"reply with the line: {offered}" in told
    assert "mpass" not in told


def test_become_master_ends_become(table: Table) -> None:
    told = moderated(table, "BECOME France\nA Par H\nBECOME MASTER\nSET COMMENT Slow")

    assert table.current_orders("FRANCE") == ("A PAR H",)
    assert table.game().house_rules.comment == "Slow"
    assert "counts as the moderator's" in told


@pytest.mark.parametrize("line", ["RESIGN italy", "RESIGN italy@baltic pw"])
def test_a_player_cannot_resign_for_another_power(table: Table, line: str) -> None:
    assert "not yours" in asked(table, line)


def test_signon_with_a_question_mark_joins_the_only_game_with_free_places(table: Table) -> None:
    table.open("opal")

    [question] = table.mail(STRANGER, "signon ? tulip")
    table.confirm(question)

    assert "'opal'" in question.words
    assert len(table.game("opal").joined) == 1
