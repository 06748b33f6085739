"""`judge game begin`, `admit`, `refuse`, `password`, `dummy`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.app.commands.join import PASSWORD_KEY
from judge.cli.root import root
from tests.support.table import MODERATOR, POWERS, Table, address_of

BAD_INPUT, UNAVAILABLE = 65, 69


def judge(arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(root, ["game", *arguments.split()], input=text)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Return a judge in the working directory."""
    monkeypatch.chdir(tmp_path)
    return Table(tmp_path)


def test_a_game_begins_and_a_power_becomes_a_dummy(table: Table) -> None:
    table.open("baltic", "start=by_hand", moderator=MODERATOR)
    for power in POWERS[:2]:
        table.join("baltic", power)
    table.close()

    assert judge("begin baltic").stdout == "baltic has started\n"
    assert judge("begin baltic").exit_code == UNAVAILABLE
    assert judge("dummy baltic austria").stdout == "AUSTRIA is a dummy\n"
    assert judge("dummy baltic spain").exit_code == UNAVAILABLE


def test_an_applicant_is_admitted_or_refused(table: Table) -> None:
    table.open("baltic", "entry=approval", moderator=MODERATOR)
    for power in POWERS[:2]:
        table.join("baltic", power)
    table.close()
    anna, bert = map(address_of, POWERS[:2])

    assert judge(f"admit baltic {anna}").stdout == f"{anna} is admitted to baltic\n"
    assert judge(f"refuse baltic {bert}").stdout == f"{bert} is not admitted to baltic\n"
    for nobody in (bert, "nobody@players.example"):
        assert "No player of that name" in judge(f"admit baltic {nobody}").stderr


def test_the_password_of_a_game_is_read_from_a_file(table: Table) -> None:
    table.open("baltic", "entry=password")

    assert "JOIN baltic PASSWORD" in judge("password baltic", "tulip\n").stdout
    assert judge("password baltic", "two words\n").exit_code == BAD_INPUT
    assert judge("password opal", "tulip\n").exit_code == UNAVAILABLE
    with table.database.read() as transaction:
        [(_, hashed)] = transaction.people.passwords(PASSWORD_KEY.format(game="baltic"))
    assert hashed.startswith("$argon2")
    table.close()


def test_a_game_gets_another_moderator(table: Table) -> None:
    table.start("baltic", moderator=MODERATOR)
    table.close()

    assert judge("moderator baltic new@players.example").stdout == (
        "new@players.example moderates baltic\n"
    )
    assert judge("moderator opal new@players.example").exit_code == UNAVAILABLE
