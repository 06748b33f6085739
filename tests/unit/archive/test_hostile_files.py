"""Damaged and hostile files each give an error with its line, in little time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product
from random import Random  # noqa: TID251 seeded by Hypothesis

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judge.archive.reading import (
    HEAD_CHARACTERS,
    READERS,
    WRITERS,
    Doubts,
    Reading,
    UnreadableError,
    format_named,
    recognized_formats,
    writer_named,
)
from judge.archive.records import Record
from judge.archive.verification import verify
from judge.reports.render import explain_reason
from tests.properties.random_records import played
from tests.support.cost import takes_less_than
from tests.support.njudge import HEAD, spring
from tests.unit.archive.readers.test_dpjudge import AUTUMN, PRESS, STATUS, SUMMARY, WINTER
from tests.unit.archive.readers.test_mailbox import mail
from tests.unit.archive.reading import BOARD

SECONDS_MAX = 2.0
LONG = 12_000  # characters: more than any honest line or run of blank lines has
TEXTS = {
    "dpjudge": AUTUMN + WINTER,
    "dpjudge press": PRESS,
    "dpjudge status": STATUS,
    "dpjudge summary": SUMMARY,
    "njudge mails": HEAD + spring(),
    "mailbox": mail(spring()),
}
FILES = sorted({*TEXTS, *WRITERS})
JUNK = (
    *("\0", "\ufffd", '"', "{", "}", "(", ")", ">", "<", "> ", "NaN", "1e999", "9" * 50, "null"),
    *(
        "[]",
        "{}",
        "\\ud800",
        "AUSTRIA",
        "S1901M",
        "F1901B",
        "\x1a",
        "\u0130",
        "\u00b2",
        "(*void*)",
    ),
    *("Spain (north coast)", " -> ", "Spring", "From x@y Sat Nov 21 02:11:00 2026", "Date: x"),
)
REPEATED = (
    *("\n", " ", "\t", ">", "> ", "\n>", " \n", '"', '\\"', "{", '{"', "[", "(", "(A Par-Bur) "),
    *("A Par-Bur, ", "The Army in ", "Austria: ", "a@", "a.", "->", "(*", "(*bounce*) ", "and "),
    *("GAME a b\n", "PHASE ", "NOW ( ", "Spring of 1901 ", "ENG: LON = ", 'Game "', "From ", "*"),
)
BEGUN = (
    "",
    "Austria: Army Vienna ",
    "The English Fleet in ",
    "The game was declared a draw between ",
    "ENG: ",
    '{"a": "',
    "Game Alpha Spring 1901\nFrance: A Par-Bur, ",
    "Summary of game 'x' through F1901B.\n\n  ",
)


@pytest.mark.parametrize("name", READERS)
def test_nothing_that_repeats_itself_is_looked_at_for_long(name: str) -> None:
    for begun, unit in product(BEGUN, REPEATED):
        text = f"{begun}{unit * (LONG // len(unit))}!"

        def read(text: str = text) -> None:
            format_named(name).recognizes(text)
            attempt(name, text, strict=False)

        assert takes_less_than(SECONDS_MAX, read), (begun, unit)


def with_each_file(test: Callable[[str, int], None]) -> Callable[[str, int], None]:
    """Try damage that does not depend on what the next release of Hypothesis draws."""
    for name, seed in product(FILES, range(2)):
        test = example(name, seed)(test)
    return test


@settings(max_examples=150)
@with_each_file
@given(st.sampled_from(FILES), st.integers(0, 2**32))
def test_of_a_damaged_file_all_is_read_or_complained_about(name: str, seed: int) -> None:
    text = damaged(Random(seed), whole(name))  # noqa: S311 no secret
    form = name.partition(" ")[0]
    recognized_formats(text[:HEAD_CHARACTERS])

    strictly, leniently = attempt(form, text, strict=True), attempt(form, text, strict=False)

    assert all(not each.doubts for each in strictly)
    for each in leniently:
        verify(
            BOARD,
            each,
            each.rulebook or format_named(form).rulebook,
            partial(explain_reason, BOARD),
        )
        for other in WRITERS:
            "".join(writer_named(other)(each, BOARD)).encode()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param('{"id": "a", "id": "b"}', "'id' appears twice", id="a key twice"),
        pytest.param('{"id": NaN}', "NaN is not a number", id="no number"),
        pytest.param('{"id": -Infinity}', "-Infinity is not a number", id="no end"),
        pytest.param('{"id": "\\ud83d"}', "half of a surrogate pair", id="half a character"),
    ],
)
def test_invalid_json_is_an_error_with_its_line(text: str, why: str) -> None:
    with pytest.raises(UnreadableError, match=why) as error:
        list(format_named("diplomacy").read(reading(strict=True), ["", text]))

    assert error.value.line == 2


def test_half_a_character_is_read_as_a_question_mark_and_reported() -> None:
    phase = {"name": "S1901M", "state": {"units": {}}, "orders": {}}
    game = json.dumps({"id": "a\ud83d", "map": "standard", "phases": [phase]})

    (record,) = format_named("diplomacy").read(reading(strict=False), [game])

    assert record.name == "a?"
    assert [each.why for each in record.doubts] == [
        "half of a surrogate pair, read as a question mark"
    ]


@pytest.mark.parametrize("name", ["diplomacy", "record"])
@pytest.mark.parametrize("bad", ['"A PAR flies"', "7", '{"'])
def test_a_file_whose_phase_is_corrupt_keeps_the_phases_before_it(name: str, bad: str) -> None:
    """Every omission names its line and the reason; a strict reading stops there."""
    key = "units" if name == "diplomacy" else "contested"
    before, *_, last = (text := whole(name)).split(f'"{key}": ')
    corrupt = text.removesuffix(last) + bad + last[1:]

    assert attempt(name, corrupt, strict=True) == []
    (game,) = attempt(name, corrupt, strict=False)

    (all_of_it,) = attempt(name, text, strict=True)
    assert before, "the game has phases"
    readable = len([each for each in game.phases if each.position])
    assert 0 < readable < len(all_of_it.phases)
    assert [each.position for each in game.phases[:readable]] == [
        each.position for each in all_of_it.phases[:readable]
    ]
    assert any("left out" in each.text for each in game.doubts)
    verify(BOARD, game, "datc", partial(explain_reason, BOARD))


def test_one_bad_line_of_an_archive_does_not_cost_the_other_games() -> None:
    good = whole("record").rstrip("\n")
    text = "\n".join([good, good[: len(good) // 2], good])

    games = attempt("record", text, strict=False)

    assert [len(each.phases) for each in games][::2] == [4, 4]
    assert 0 < len(games[1].phases) < 4
    assert [each.line for each in games[1].doubts] == [2]


@cache
def whole(name: str) -> str:
    """Return the text called *name*, or what is written of a game as *name*."""
    if name in TEXTS:
        return TEXTS[name]
    return "".join(writer_named(name)(played(BOARD, Random(3), phases=4), BOARD))  # noqa: S311 no secret


def damaged(chance: Random, text: str) -> str:
    for _ in range(chance.choice([1, 1, 2, 4])):
        text = chance.choice([*_damages(chance, text)])
    return text


def _damages(chance: Random, text: str) -> Iterator[str]:
    start = chance.randrange(len(text) + 1)
    end = start + chance.choice([1, 5, 40])
    lines = text.split("\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    yield text[:start]
    yield text[:start] + text[end:]
    yield text[:start] + chance.choice(JUNK) + text[start:]
    yield text[:start] + chance.choice(JUNK) + text[end:]
    yield "\n".join([*lines[:one], *lines[one + 1 :]])
    yield "\n".join([*lines[:one], lines[other], *lines[one:]])


def attempt(name: str, text: str, *, strict: bool) -> list[Record]:
    """Return the games in *text*, none if it cannot be read."""
    try:
        return list(format_named(name).read(reading(strict=strict), text.split("\n")))
    except UnreadableError:
        return []


def reading(*, strict: bool) -> Reading:
    return Reading(BOARD, "game", "0", Doubts("game", strict))
