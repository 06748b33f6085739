"""Games as JSON objects in a file, with errors that name the line."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from judge.archive.json_games import find_games
from judge.archive.reading import Doubts, UnreadableError

ONE, OTHER = {"id": "one", "text": 'a } in a "string"'}, {"id": "other"}


def test_a_line_may_be_a_game() -> None:
    text = f"{json.dumps(ONE)}\n\n{json.dumps(OTHER)}\n"

    assert found(text) == [(ONE, 1, 1), (OTHER, 3, 3)]


@pytest.mark.parametrize("indent", [0, 2])
def test_a_game_may_go_over_many_lines(indent: int) -> None:
    text = f"{json.dumps(ONE, indent=indent)}\n{json.dumps(OTHER, indent=indent)}"

    assert found(text) == [(ONE, 1, 4), (OTHER, 5, 7)]


def test_a_mark_of_the_byte_order_is_no_part_of_the_game() -> None:
    assert found("\ufeff" + json.dumps(OTHER)) == [(OTHER, 1, 1)]


def test_a_game_is_told_before_the_next_is_read() -> None:
    def lines() -> Iterator[str]:
        yield json.dumps(ONE)
        pytest.fail("the second line was read")

    assert next(find_games(Doubts("games"), lines())).value == ONE


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        pytest.param('{"id": "one", "phases": [', 1, "invalid JSON", id="cut off"),
        pytest.param(
            '{\n "id": "one",\n "phases": [', 3, "invalid JSON", id="cut off further down"
        ),
        pytest.param('{"id": {}\n{"id": "other"}', 1, "cut off", id="cut off before the next"),
        pytest.param("\x00\x01\x02PK\x03", 1, "invalid JSON", id="binary"),
        pytest.param('{"id": "\ufffd}', 1, "invalid JSON", id="wrongly encoded"),
        pytest.param('{"id": one}', 1, "invalid JSON at column 8", id="no JSON"),
        pytest.param("[" * 100_000 + "]" * 100_000, 1, "invalid JSON", id="too deep"),
        pytest.param('{"id": ' + "9" * 5_000 + "}", 1, "invalid JSON", id="too long a number"),
        pytest.param('\n["one"]', 2, "must be an object", id="a list"),
    ],
)
def test_an_invalid_game_is_an_error_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(UnreadableError, match=why) as error:
        found(text)

    assert (error.value.name, error.value.line) == ("games", line)


def test_a_lenient_reading_goes_on_with_the_next_game() -> None:
    doubts = Doubts("games", strict=False)
    text = f'{{"id": "cut\n{json.dumps(ONE)}\n{{"id": [\n{json.dumps(OTHER)}\n{{"id"'

    games = [each.value for each in find_games(doubts, text.split("\n"))]

    assert games == [ONE, OTHER]
    assert [each.line for each in doubts.found] == [1, 3, 5]


def found(text: str) -> list[tuple[object, int, int]]:
    games = find_games(Doubts("games"), text.split("\n"))
    return [(each.value, each.first_line, each.last_line) for each in games]
