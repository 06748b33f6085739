"""`judge adjudicate`: one JSON line in, one line out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.adapters.variant_files import load_map, variants
from judge.archive.position_json import write_position
from judge.cli.adjudicate import LINE_BYTES_MAX, adjudicate
from judge.cli.root import root
from judge.cli.terminal import USAGE

MOVE = (
    '{"phase": "S1901M", "units": {"AUSTRIA": ["A BUD"]}, "orders": {"AUSTRIA": ["A BUD - SER"]}}'
)
JUDGE = [sys.executable, "-m", "judge", "adjudicate"]


def run(*lines: str) -> Result:
    return CliRunner().invoke(adjudicate, input="".join(f"{line}\n" for line in lines))


def answers(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_each_line_is_answered_on_one_line() -> None:
    result = run(MOVE, MOVE)

    assert [each["phase"] for each in answers(result)] == ["S1901M", "S1901M"]
    assert result.exit_code == 0


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "positions").write_text(MOVE)

    result = CliRunner().invoke(adjudicate, [str(tmp_path / "positions")])

    assert len(answers(result)) == 1


def test_reasons_are_given_on_request() -> None:
    asked = CliRunner().invoke(adjudicate, ["--explain"], input=MOVE)

    (told,) = answers(asked)[0]["results"]["AUSTRIA"]  # type: ignore[index]  # JSON
    assert told["reason"]["says"] == "A Bud-Ser succeeded (rulebook IX.2)."
    assert "reason" not in run(MOVE).stdout


@pytest.mark.parametrize("named_in", ["environment", "settings"])
def test_a_variant_of_the_operator_is_adjudicated(tmp_path: Path, named_in: str) -> None:
    own, config = tmp_path / "own", tmp_path / "judge.toml"
    CliRunner().invoke(root, ["variant", "new", str(own / "small")])
    config.write_text(f'variants = "{own}"\n')
    named = {"JUDGE_VARIANTS": str(own)} if named_in == "environment" else {}
    question = {
        "map": "small",
        "phase": "S1901M",
        "units": {"WEST": ["A TOW"]},
        "orders": {"WEST": ["A TOW H"]},
    }

    run = subprocess.run(
        [*JUDGE, *(["--config", str(config)] if named_in == "settings" else [])],
        input=json.dumps(question),
        env=os.environ | named,
        capture_output=True,
        text=True,
        check=False,
    )

    assert json.loads(run.stdout)["map"] == "small"


def test_a_line_that_cannot_be_read_is_answered_in_its_place() -> None:
    result = run(MOVE, "no JSON", MOVE.replace("A BUD - SER", "A BUD flies"), "", "[]", MOVE)

    answered = answers(result)
    assert [each.get("line") for each in answered] == [None, 2, 3, 4, 5, None]
    assert "A BUD flies: cannot be read as an order" in str(answered[2]["error"])
    assert result.exit_code == 65


def test_an_unknown_rulebook_is_an_error() -> None:
    result = run(MOVE[:-1] + ', "rulebook": "chess"}')

    assert "rulebook: no such rulebook: 'chess'" in str(answers(result)[0]["error"])
    assert result.exit_code == 65


def test_an_unknown_map_is_refused() -> None:
    result = run(MOVE[:-1] + ', "map": "atlantis"}', MOVE[:-1] + ', "map": 7}')

    unknown, no_text = answers(result)
    assert str(unknown["error"]).startswith("map: no variant 'atlantis'; there are: ")
    assert no_text["error"] == "map: must be a text"
    assert result.exit_code == 65


def test_the_board_is_that_of_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a map with a power of its own."""
    board = load_map()
    nations = {**board.nations, "NORWAY": replace(board.nations["TURKEY"], power="NORWAY")}
    other = replace(board, name="north", nations=nations)
    boards = {"standard": board, "north": other}
    monkeypatch.setattr("judge.cli.adjudicate.load_map", lambda name="standard": boards[name])
    question = MOVE.replace("AUSTRIA", "NORWAY")[:-1]

    north, standard = answers(run(f'{question}, "map": "north"}}', f"{question}}}"))

    assert north["map"] == "north"
    assert "NORWAY" in str(north["results"])
    assert "NORWAY" in str(standard["error"])


@pytest.mark.parametrize(
    ("choice", "order", "result"),
    [
        pytest.param("kind_omitted=legal", "VIE - BOH", "succeeds", id="a kind left out"),
        pytest.param("kind_omitted=illegal", "VIE - BOH", "illegal", id="which is illegal"),
        pytest.param("kind_wrong=legal", "F VIE - BOH", "succeeds", id="a wrong kind"),
        pytest.param("kind_wrong=illegal", "F VIE - BOH", "illegal", id="likewise illegal"),
        pytest.param("power_wrong=legal", "A VIE S RUSSIA A TYR", "given", id="a wrong power"),
        pytest.param("power_wrong=illegal", "A VIE S RUSSIA A TYR", "illegal", id="illegal too"),
        pytest.param("power_omitted=illegal", "A VIE S A TYR", "illegal", id="no power"),
        pytest.param("power_omitted=illegal", "A VIE S ITALY A TYR", "given", id="the power"),
        pytest.param(
            "counted_orders=any_text", "A VIE - XYZ", "fails", id="a place off the board"
        ),
    ],
)
def test_every_way_to_name_a_unit_can_be_asked_about(choice: str, order: str, result: str) -> None:
    question = {
        "phase": "S1901M",
        "units": {"AUSTRIA": ["A VIE"], "ITALY": ["A TYR"]},
        "orders": {"AUSTRIA": [order]},
        "rulebook": f"datc,{choice}",
    }
    asked = CliRunner().invoke(adjudicate, ["--explain"], input=json.dumps(question))

    ((told,),) = answers(asked)[0]["results"].values()  # type: ignore[attr-defined]  # an object

    assert (told["order"], told["result"]) == (order, [result])


@pytest.mark.parametrize(
    ("choice", "built"),
    [
        ("build_kind_omitted=army_inland", True),
        ("build_kind_omitted=fails", False),
    ],
)
def test_a_build_may_leave_out_its_kind(choice: str, *, built: bool) -> None:
    question = {
        "phase": "W1901A",
        "units": {},
        "centers": {"AUSTRIA": ["VIE"]},
        "orders": {"AUSTRIA": ["VIE B"]},
        "rulebook": f"datc,{choice}",
    }

    (answer,) = answers(run(json.dumps(question)))

    assert ("A VIE" in str(answer["next"])) is built


def test_a_power_that_is_not_on_the_board_is_refused_in_an_order() -> None:
    (answer,) = answers(run(MOVE.replace("A BUD - SER", "A BUD S FRENCH A VIE")))

    assert answer["error"] == "FRENCH: not a power of the standard map"


def test_the_number_of_processes_is_limited() -> None:
    result = CliRunner().invoke(adjudicate, ["--jobs", "100000"], input=f"{MOVE}\n")

    assert "100000 is not in the range 1<=x<=64" in result.output
    assert result.exit_code == USAGE


def test_a_line_of_any_length_is_one_line() -> None:
    result = run("[" * 3 * LINE_BYTES_MAX, "[" * 100_000, MOVE)

    assert [each.get("line") for each in answers(result)] == [1, 2, None]


def test_no_input_gives_no_output() -> None:
    result = run()

    assert (result.stdout, result.exit_code) == ("", 0)


def test_an_answer_comes_before_the_next_question_is_asked() -> None:
    with subprocess.Popen(
        JUDGE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as judge:
        assert judge.stdin
        assert judge.stdout
        for _ in range(2):
            judge.stdin.write(f"{MOVE}\n")
            judge.stdin.flush()
            assert json.loads(judge.stdout.readline())["phase"] == "S1901M"


def test_a_closed_pipe_ends_it_silently(tmp_path: Path) -> None:
    (tmp_path / "positions").write_text(f"{MOVE}\n" * 2_000)

    with subprocess.Popen(
        [*JUDGE, str(tmp_path / "positions")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as judge:
        assert judge.stdout
        assert judge.stderr
        judge.stdout.readline()
        judge.stdout.close()
        assert judge.stderr.read() == ""


@pytest.mark.parametrize("variant", variants())
def test_any_variant_is_adjudicated(variant: str) -> None:
    board = load_map(variant)
    start = write_position(board.start)
    units = {unit.power: f"{unit} H" for unit in board.start.units if unit.power in board.powers}
    orders = {power: [text] for power, text in units.items()}

    result = run(json.dumps({"map": variant, **start, "orders": orders}))

    (answer,) = answers(result)
    assert result.exit_code == 0
    assert answer["phase"] == board.start.phase.code


def test_a_phase_that_the_calendar_does_not_have_is_an_error() -> None:
    result = run(
        MOVE.replace("S1901M", "S1901A"),
        '{"map": "hundred", "phase": "F1430M", "units": {}, "orders": {}}',
    )

    assert [each.get("error") for each in answers(result)] == [
        "S1901A: not a phase of the standard board",
        "F1430M: not a phase of the hundred board",
    ]
    assert result.exit_code == 65


def test_neutral_units_have_a_location_and_no_orders() -> None:
    position = {"map": "sengoku", "phase": "S1570M", "units": {"NEUTRAL": ["A BIZ"]}}

    holding = run(json.dumps(position | {"orders": {}}))
    ordered = run(json.dumps(position | {"orders": {"NEUTRAL": ["A BIZ - HAR"]}}))

    assert holding.exit_code == 0
    assert "NEUTRAL: not a power of the sengoku map" in str(answers(ordered)[0]["error"])
