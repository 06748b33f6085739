"""What forms of the desk ask to be changed in a game: who plays, the rules, the board, its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import TypeAlias

from judge.adapters.desk.reading_forms import BadFormError, Fields, Told, phase_of, reason_in
from judge.adapters.variant_files import load_map
from judge.app.gamemaster.actions import (
    Begin,
    Change,
    Correct,
    Eject,
    LetIn,
    MakeDummy,
    Rules,
    Terminate,
)
from judge.archive.json_input import require_object
from judge.archive.position_json import read_position
from judge.game.game_state import Game
from judge.game.house_rules import as_text, choose_rules

BOARD_MAX = 20_000  # characters
RULES_MAX = 4_000
Reading: TypeAlias = Callable[[Game, Fields, datetime], tuple[Change, Told]]


def _begin(game: Game, _form: Fields, _now: datetime) -> tuple[Change, Told]:
    return Begin(game.name), {"joined": str(len(game.joined))}


def _let_in(game: Game, form: Fields, _now: datetime, *, granted: bool) -> tuple[Change, Told]:
    person = form.get("person", "")
    if person not in game.applicants:
        raise BadFormError("not_applied")
    return LetIn(game.name, person, granted), {}


def _of_power(
    game: Game, form: Fields, _now: datetime, *, made: type[Eject | MakeDummy]
) -> tuple[Change, Told]:
    power = form.get("power", "")
    if power not in game.seats:
        raise BadFormError("no_power")
    return made(game.name, power), {"power": power}


def _rules(game: Game, form: Fields, _now: datetime) -> tuple[Change, Told]:
    """Read `name=value`, one a line or with spaces between; others stay as they are."""
    pairs = form.get("rules", "")[:RULES_MAX].split()
    try:
        rules, law = choose_rules(pairs, rules=game.house_rules, rulebook=game.rulebook)
    except ValueError:
        raise BadFormError("bad_rules") from None
    if law != game.rulebook or rules == game.house_rules:
        raise BadFormError("bad_rules")
    before, after = as_text(game.house_rules), as_text(rules)
    changes = [
        {"name": name, "before": before[name], "after": after[name]}
        for name in after
        if before[name] != after[name]
    ]
    return Rules(game.name, rules), {"changes": changes}


def _correct(game: Game, form: Fields, _now: datetime) -> tuple[Change, Told]:
    try:
        told = require_object(json.loads(form.get("board", "")[:BOARD_MAX]), "the board")
        position = read_position(load_map(game.variant), told, game.rulebook)
    except (ValueError, RecursionError):
        raise BadFormError("bad_board") from None
    reason = reason_in(form)
    return Correct(game.name, position, reason), {"phase": phase_of(game), "reason": reason}


def _terminate(game: Game, _form: Fields, _now: datetime) -> tuple[Change, Told]:
    return Terminate(game.name), {"phase": phase_of(game)}


CHANGES: Mapping[str, Reading] = {
    "begin": _begin,
    "admit": partial(_let_in, granted=True),
    "refuse": partial(_let_in, granted=False),
    "eject": partial(_of_power, made=Eject),
    "dummy": partial(_of_power, made=MakeDummy),
    "rules": _rules,
    "correct": _correct,
    "terminate": _terminate,
}
