"""`judge orders read`: the judge's reading of an email, for game masters and programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.cli.orders_command import orders

GERMANY = {
    "phase": "S1901M",
    "units": {"GERMANY": ["A BER", "A MUN", "F KIE"], "AUSTRIA": ["A VIE", "A BUD", "F TRI"]},
    "centers": {"GERMANY": ["BER", "MUN", "KIE"], "AUSTRIA": ["VIE", "BUD", "TRI"]},
}


def run(*lines: str) -> Result:
    return CliRunner().invoke(orders, ["read"], input="".join(f"{line}\n" for line in lines))


def asked_for(text: str, power: str = "GERMANY", **more: object) -> str:
    return json.dumps({"text": text, "power": power, "position": GERMANY, **more})


def told(text: str, power: str = "GERMANY", **more: object) -> dict[str, Any]:
    result = run(asked_for(text, power, **more))
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert isinstance(answer, dict)
    return answer


def whys(answer: dict[str, Any]) -> dict[str, str]:
    return {each["text"]: each["why"] for each in answer["ignored"]}


def test_the_orders_that_would_count_are_written_for_programs() -> None:
    answer = told("Berlin to Kiel\nA Mun S A Ber - Kie, F Kie-Den\nA Mun H")

    assert answer["orders"] == ["A BER - KIE", "A MUN H", "F KIE - DEN"]


def test_an_unreadable_line_comes_with_the_nearest_order() -> None:
    answer = told("F Kie to Dennmerk")

    assert answer["orders"] == []
    assert answer["not_understood"] == [{"text": "F Kie to Dennmerk", "nearest": ["F KIE - DEN"]}]


def test_an_ambiguous_line_comes_with_its_readings() -> None:
    position = {"phase": "S1901M", "units": {"ENGLAND": ["F NTH", "F NWG"]}}

    answer = told("Fleet Nor - Edi", "ENGLAND", position=position)

    [asked] = answer["asked"]
    assert {"F NTH - EDI", "F NWG - EDI"} <= {*asked["readings"]}


def test_ignored_lines_have_a_reason() -> None:
    answer = told(
        "PRESS TO AUSTRIA\nA Mun-Boh next?\nENDPRESS\nREADY\nA Vie-Gal\nA Tyr H\nA Ber H\n"
        "> F Kie-Den\n-- \nBob, Kaiser"
    )

    assert answer["orders"] == ["A BER H"]
    why = whys(answer)
    assert why["A Mun-Boh next?"] == "press"
    assert why["READY"] == "command"
    assert why["A Vie-Gal"] == "another power's order"
    assert why["A Tyr H"] == "no such unit"
    assert why["> F Kie-Den"] == "quoted"
    assert why["Bob, Kaiser"] == "signature"


def test_orders_for_another_phase_are_not_orders_for_this_one() -> None:
    answer = told("A Ber-Kie\nFall 1901:\nA Kie-Hol")

    assert answer["orders"] == ["A BER - KIE"]
    assert whys(answer)["A Kie-Hol"] == "for another phase"


def test_retreats_are_read_in_a_retreat_phase() -> None:
    position = {
        "phase": "F1901R",
        "units": {"ITALY": ["*A VEN"], "AUSTRIA": ["A TRI"]},
        "retreats": {"ITALY": {"A VEN": ["TUS", "ROM"]}},
    }

    assert told("I retreat to Tuscany", "ITALY", position=position)["orders"] == ["A VEN R TUS"]


def test_builds_are_read_in_an_adjustment_phase() -> None:
    position = {"phase": "W1901A", "units": {"ITALY": ["A TUN"]}, "builds": {"ITALY": 2}}
    position["centers"] = {"ITALY": ["ROM", "NAP", "VEN", "TUN"]}

    answer = told("Builds: F Nap and A Rom", "ITALY", position=position)

    assert answer["orders"] == ["F NAP B", "A ROM B"]


def test_house_rules_about_reading_orders_count() -> None:
    answer = told("F Kie to Holand", house_rules={"typos": "repair"})

    assert answer["orders"] == ["F KIE - HOL"]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("no JSON", "the line: invalid JSON"),
        ("[]", "the line: must be an object"),
        ('{"text": "A Ber H"}', "power: is missing"),
        (asked_for("A Ber H", "CHINA"), "CHINA: not a power of the standard map"),
        (asked_for("A Ber H", house_rules={"typos": "never"}), "house_rules: "),
        ('{"text": "A Ber H", "power": "GERMANY", "position": {}}', "phase of the position: is"),
    ],
)
def test_a_broken_line_is_answered_with_its_number_and_costs_no_other(
    line: str, error: str
) -> None:
    result = run(asked_for("A Ber H"), line, asked_for("A Mun H"))

    first, second, third = map(json.loads, result.stdout.splitlines())
    assert (first["orders"], third["orders"]) == (["A BER H"], ["A MUN H"])
    assert second["line"] == 2
    assert error in second["error"]
    assert result.exit_code == 65


def test_a_raw_email_is_read(tmp_path: Path) -> None:
    mail, position = tmp_path / "mail.eml", tmp_path / "position.json"
    mail.write_bytes(
        b"From: bob@example.org\r\nSubject: orders\r\nContent-Type: text/plain\r\n"
        b"\r\nMunich-Ruhr\r\n\r\n> A Ber H\r\n"
    )
    position.write_text(json.dumps(GERMANY))

    result = CliRunner().invoke(
        orders,
        ["read", "--mail", "--power", "germany", "--position", str(position), str(mail)],
    )

    answer = json.loads(result.stdout)
    assert answer["orders"] == ["A MUN - RUH"]
    assert whys(answer) == {"> A Ber H": "quoted"}


def test_a_raw_email_is_of_the_start_unless_a_position_is_given() -> None:
    mail = b"From: bob@example.org\nSubject: A Par-Bur, F Bre-Mao\n\n"

    result = CliRunner().invoke(orders, ["read", "--mail", "--power", "FRANCE"], input=mail)

    assert json.loads(result.stdout)["orders"] == ["A PAR - BUR", "F BRE - MAO"]


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (["--power", "FRANCE"], "need --mail", 64),
        (["--mail"], "needs --power", 64),
        (["--mail", "--power", "CHINA"], "CHINA: not a power", 69),
        (["--mail", "--power", "FRANCE", "--rule", "typos=never"], "typos", 64),
    ],
)
def test_missing_arguments_are_named(arguments: list[str], said: str, code: int) -> None:
    result = CliRunner().invoke(orders, ["read", *arguments], input="From: a@b.example\n\nA Par H")

    assert said in result.output
    assert result.exit_code == code
