"""A game's name heads the lines below it; a mere mention does not."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.orders import SetWait
from judge.app.commands.table import COMMANDS
from judge.mail.body import Line
from judge.mail.language.command_syntax import NamedGame, OrderText
from judge.mail.reader.game_headings import (
    game_heading,
    game_in_subject,
    game_mentioned,
    split_by_game,
)

BOARD = load_map("standard")
GAMES = frozenset({"dogger", "baltic", "spring", "no-9"})


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("GAME dogger", "dogger"),
        ("In game Dogger:", "dogger"),
        ("dogger", "dogger"),
        ("== dogger ==", "dogger"),
        ("My orders for dogger", "dogger"),
        ("Für Spiel dogger:", "dogger"),
        ("France in dogger, Fall 1901", "dogger"),
        ("no-9:", "no-9"),
        ("baltic:", "baltic"),
        ("Game baltic", "baltic"),
        ("orders for baltic", "baltic"),
        ("== baltic ==", "baltic"),
        ("game spring:", "spring"),
        ("GAME doger", "dogger"),
        ("Spiel: dogge", "dogger"),
        ("These orders are for dogger, not for baltic:", "dogger"),
        ("Game dig:", None),
        ("doger:", None),  # may be somebody
        ("Game over", None),
        ("for dogger, not for me:", None),
        ("baltic", None),  # a sea
        ("to Baltic", None),
        ("spring:", None),  # a season
        ("Spring 1901", None),
        ("dogger is fun", None),
        ("I like dogger", None),
        ("not for dogger:", None),
        ("as in dogger and no-9:", None),
        ("GAME other", None),
        ("A Par-Bur", None),
        ("", None),
        (f"dogger{' ' * 200}:", None),
    ],
)
def test_a_line_that_names_one_game_and_says_no_more_is_for_that(
    line: str, game: str | None
) -> None:
    assert game_heading(line, GAMES, BOARD) == game


@pytest.mark.parametrize(
    ("subject", "game"),
    [
        ("[baltic] orders", "baltic"),
        ("Re: JUDGE:baltic - S1901M Receipt", "baltic"),
        ("Re: dogger", "dogger"),
        ("orders for baltic", "baltic"),
        ("[dogger] and [baltic]", None),
        ("Fleet to the Baltic", None),
        ("Spring orders", None),
        ("what a game dogger was", None),
        ("", None),
    ],
)
def test_a_subject_that_names_one_game_is_for_that(subject: str, game: str | None) -> None:
    assert game_in_subject(subject, GAMES, BOARD) == game


@pytest.mark.parametrize(
    ("lines", "parts"),
    [
        ("A Mar H|dogger:|A Par-Bur", ["A Mar H", "dogger", "A Par-Bur"]),
        ("dogger: A Par-Bur|baltic: A Mar H", ["dogger", "A Par-Bur", "baltic", "A Mar H"]),
        ("dogger: A Par-Bur|A Mar H", ["dogger", "A Par-Bur|A Mar H"]),
        ("dogger: A Par-Bur, A Mar H", ["dogger", "A Par-Bur, A Mar H"]),
        ("In dogger, A Par-Bur.|A Mar H", ["dogger", "A Par-Bur.|A Mar H"]),
        ("Game baltic. A Par-Bur.", ["baltic", "A Par-Bur."]),
        ("Baltic, A Par-Bur", ["Baltic, A Par-Bur"]),
        ("Hi dogger, A Par-Bur", ["Hi dogger, A Par-Bur"]),
        ("In dogger, I lost.|A Par H", ["In dogger, I lost.|A Par H"]),
        ("A Par-Bur|dogger", ["A Par-Bur"]),  # nothing is below
        ("Baltic: F hold|A Par H", ["Baltic: F hold|A Par H"]),
        ("dogger: see you there|A Par H", ["dogger: see you there|A Par H"]),
        (
            "for no-9: Calais holds|and in dogger A Par H",
            ["no-9", "Calais holds", "dogger", "A Par H"],
        ),
        ("pour dogger : news?|et dans no-9 : A Par H", ["dogger", "news?", "no-9", "A Par H"]),
        ("bei dogger A Mar H|und für baltic: A Par H", ["dogger", "A Mar H", "baltic", "A Par H"]),
        ("I play dogger A Par H", ["I play dogger A Par H"]),
        (f"dogger: A Par H{' and' * 60}|A Par H", [f"dogger: A Par H{' and' * 60}|A Par H"]),
    ],
)
def test_orders_are_parted_where_a_game_is_named(lines: str, parts: list[str]) -> None:
    told = tuple(Line(i, text) for i, text in enumerate(lines.split("|"), 1))

    said = split_by_game([OrderText(told, line=1, text=told[0].text)], GAMES, BOARD, COMMANDS)

    assert parts == [
        each.game if isinstance(each, NamedGame) else "|".join(line.text for line in each.lines)
        for each in said
        if isinstance(each, NamedGame | OrderText)
    ]


def test_a_command_behind_the_name_of_a_game_is_one_there() -> None:
    said = OrderText((Line(1, "dogger: WAIT"),), line=1, text="dogger: WAIT")

    named, wait = split_by_game([said], GAMES, BOARD, COMMANDS)

    assert isinstance(named, NamedGame)
    assert isinstance(wait, SetWait)


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("When is the deadline in dogger?", "dogger"),
        ("Dogger or pearl, whichever comes first", None),
        ("The pearl of the Mediterranean is Venice, says DOGGER.", None),
        ("A Par-Bur", None),
        ("A Lon-Paris", None),  # a province, unless the word game stands before it
        ("this is for game paris", "paris"),
    ],
)
def test_a_game_that_alone_is_mentioned_is_meant(text: str, game: str | None) -> None:
    games = frozenset({"dogger", "pearl", "paris"})

    assert game_mentioned((text,), games, BOARD) == game
