"""Commands accept the names of powers that orders do, in every language."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.mail.language.command_syntax import power_named, recipients_named

BOARD = load_map()


@pytest.mark.parametrize(
    ("word", "power"),
    [
        ("F", "FRANCE"),
        ("french", "FRANCE"),
        ("Frankreich", "FRANCE"),
        ("T\xdcRKEI", "TURKEY"),
        ("Tuerkei", "TURKEY"),
        ("Autriche", "AUSTRIA"),
        ("Allemagne", "GERMANY"),
        ("Burgund", None),
    ],
)
def test_a_power_is_known_by_its_name_in_every_language(word: str, power: str | None) -> None:
    assert power_named(word, BOARD) == power


def test_press_may_name_its_readers_so() -> None:
    assert recipients_named("Italien, Angleterre", BOARD).names == ("ITALY", "ENGLAND")
