"""House rules as text: how it is recognized, and where it ends."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.queries import Status
from judge.app.commands.rules import Create
from judge.app.commands.table import COMMANDS
from judge.mail.body import Line, Text
from judge.mail.language.command_syntax import OrderText
from judge.mail.reader.email_text import read_lines
from judge.mail.reader.house_rule_text import settings_at_top, settings_below

BOARD = load_map()
TEXTS = {
    "press=none": (("press=none",), 1),
    "Press = none": (("press=none",), 1),
    "zone: Europe/Berlin": (("zone=Europe/Berlin",), 1),
    "* press=none\n- zone = UTC": (("press=none", "zone=UTC"), 2),
    "press=none # nobody writes": (("press=none",), 1),
    "# first\n\npress=none\n\n": (("press=none",), 3),
    "movment_hours: 48": (("movment_hours=48",), 1),
    "closed_weekdays =": (("closed_weekdays=",), 1),
    "France: A Par-Bur\npress=none": ((), 0),
    "press=none\nSTATUS": (("press=none",), 1),
    "Thank you": ((), 0),
    "": ((), 0),
}


@pytest.mark.parametrize(("text", "found"), TEXTS.items(), ids=list(TEXTS))
def test_settings_stand_one_a_line(text: str, found: tuple[tuple[str, ...], int]) -> None:
    assert settings_at_top(text.split("\n")) == found


BELOW = {
    "press=none\ntitle: A nice game\nzone: UTC": (
        ("press=none", "zone=UTC"),
        [("title: A nice game", None)],
    ),
    "nrm=wait\npress=none": (("press=none",), [("nrm=wait", "nmr=wait")]),
    "grace: 24": ((), [("grace: 24", "grace_hours=24")]),
    "grace = 24 hours": ((), [("grace = 24 hours", "grace_hours=24")]),
    "grace: nobody\nblind=no": (
        ("blind=no",),
        [("grace: nobody", "grace_hours, grace_press=yes/no")],
    ),
    "Grace period: a day or 24 h\nblind=no": (
        ("blind=no",),
        [("Grace period: a day or 24 h", "grace_hours=24")],
    ),
    "deadline: 48": (
        (),
        [("deadline: 48", "movement_hours=48, retreat_hours=48, adjustment_hours=48")],
    ),
    "retreats: 12": ((), [("retreats: 12", "retreat_hours=12")]),
    "typo: ask me": ((), [("typo: ask me", "typos=strict/suggest/repair")]),
    "movment_hours: 48": ((), [("movment_hours: 48", "movement_hours=48")]),
    "The game is in no list.\npress=none\nSee you": (
        ("press=none",),
        [("The game is in no list.", None)],
    ),
    "Thank you\nJean": ((), []),
    "France: A Par-Bur": ((), []),
    "STATUS\npress=none": ((), []),
    "PRESS TO G\nzone: UTC": ((), []),
    "press: none\n# of a kind\n\nblind=yes  # dark": (("press=none", "blind=yes"), []),
}


@pytest.mark.parametrize(("text", "pairs", "unread"), [(k, *v) for k, v in BELOW.items()])
def test_no_setting_is_lost_for_what_stands_above_it(
    text: str, pairs: tuple[str, ...], unread: list[tuple[str, str | None]]
) -> None:
    lines = [Line(number, each) for number, each in enumerate(text.split("\n"), 1)]

    found = settings_below(lines, BOARD, COMMANDS)

    assert found.pairs == pairs
    assert [(each.text, each.nearest) for each in found.unread] == unread


def test_house_rules_below_create_belong_to_the_game() -> None:
    mail = "CREATE opal listed=no\npress = none\n\nzone: UTC\nSTATUS\nzone: UTC"
    lines = tuple(Line(number, text) for number, text in enumerate(mail.split("\n"), 1))

    create, status, prose = read_lines(Text(lines), BOARD, COMMANDS)

    assert isinstance(create, Create)
    assert create.pairs == ("listed=no", "press=none", "zone=UTC")
    assert (type(status), type(prose)) == (Status, OrderText)
