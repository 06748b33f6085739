"""Read the forms of the desk: fields become a requested action, or an error for the form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TypeAlias
from zoneinfo import ZoneInfo

from judge.app.admin.game_admin import load_game as find_game
from judge.app.gamemaster import actions
from judge.app.ports.judge import Judge
from judge.archive.json_input import require_object
from judge.archive.position_json import read_position
from judge.game.game_state import Game
from judge.game.house_rules import as_text, choose_rules
from judge.rules.board import Map

REASON_MAX = 200

Fields: TypeAlias = Mapping[str, str]
ActionDetails: TypeAlias = Mapping[str, object]  # the values in the description of an action


class BadFormError(ValueError):
    """A form lacks something; the message is the key of the text about it."""


def phase_of(game: Game) -> str:
    """Return the code of the open phase. Raises `BadFormError` if there is none."""
    if game.position is None:
        raise BadFormError("not_open")
    return game.position.phase.code


def reason_in(form: Fields) -> str:
    """Return the reason in the form. Raises `BadFormError` if it is missing."""
    reason = " ".join(form.get("reason", "").split())
    if not 0 < len(reason) <= REASON_MAX:
        raise BadFormError("bad_reason")
    return reason


BOARD_MAX = 20_000  # characters
RULES_MAX = 4_000
ChangeReader: TypeAlias = Callable[[Game, Fields, datetime], tuple[actions.Change, ActionDetails]]


def _begin(game: Game, _form: Fields, _now: datetime) -> tuple[actions.Change, ActionDetails]:
    return actions.Begin(game.name), {"joined": str(len(game.joined))}


def _admit_player(
    game: Game, form: Fields, _now: datetime, *, granted: bool
) -> tuple[actions.Change, ActionDetails]:
    person = form.get("person", "")
    if person not in game.applicants:
        raise BadFormError("not_applied")
    return actions.Admit(game.name, person, granted), {}


def _of_power(
    game: Game, form: Fields, _now: datetime, *, made: type[actions.Eject | actions.MakeDummy]
) -> tuple[actions.Change, ActionDetails]:
    power = form.get("power", "")
    if power not in game.seats:
        raise BadFormError("no_power")
    return made(game.name, power), {"power": power}


def _rules(game: Game, form: Fields, _now: datetime) -> tuple[actions.Change, ActionDetails]:
    pairs = form.get("rules", "")[:RULES_MAX].split()
    try:
        rules, rulebook = choose_rules(
            pairs, game=game.name, rules=game.house_rules, rulebook=game.rulebook
        )
    except ValueError:
        raise BadFormError("bad_rules") from None
    if rulebook != game.rulebook or rules == game.house_rules:
        raise BadFormError("bad_rules")
    before, after = as_text(game.house_rules), as_text(rules)
    changes = [
        {"name": name, "before": before[name], "after": after[name]}
        for name in after
        if before[name] != after[name]
    ]
    return actions.Rules(game.name, rules), {"changes": changes}


def _correct(
    board: Map, game: Game, form: Fields, _now: datetime
) -> tuple[actions.Change, ActionDetails]:
    try:
        written = require_object(json.loads(form.get("board", "")[:BOARD_MAX]), "the board")
        position = read_position(board, written, game.rulebook)
    except (ValueError, RecursionError):
        raise BadFormError("bad_board") from None
    reason = reason_in(form)
    return actions.Correct(game.name, position, reason), {
        "phase": phase_of(game),
        "reason": reason,
    }


def _terminate(game: Game, _form: Fields, _now: datetime) -> tuple[actions.Change, ActionDetails]:
    return actions.Terminate(game.name), {"phase": phase_of(game)}


CORRECT = "correct"  # needs the board of the game
CHANGES: Mapping[str, ChangeReader] = {
    "begin": _begin,
    "admit": partial(_admit_player, granted=True),
    "refuse": partial(_admit_player, granted=False),
    "eject": partial(_of_power, made=actions.Eject),
    "dummy": partial(_of_power, made=actions.MakeDummy),
    "rules": _rules,
    "terminate": _terminate,
}


MINUTES_MAX = 60 * 24 * 366
TEXT_MAX = 20_000
DIGITS_MAX = 9
ADDRESS = re.compile(r"[^\s@<>]{1,64}@[^\s@<>]{1,255}")

ActionReader: TypeAlias = Callable[[Game, Fields, datetime], tuple[actions.Action, ActionDetails]]


@dataclass(frozen=True, slots=True)
class RequestedAction:
    """An action to confirm, with the *details* to describe it, and the page to go *back* to."""

    action: actions.Action
    details: ActionDetails
    back: str


def read_form(judge: Judge, what: str, form: Fields) -> RequestedAction:
    """Return the action that *form*, sent for *what*, asks for.

    Raises `BadFormError`.
    """
    if what in EMAIL_ACTIONS:
        number = _number(form.get("mail", ""), "bad_mail")
        return RequestedAction(
            EMAIL_ACTIONS[what](number), {"mail": str(number)}, f"/inbox/{number}"
        )
    if what not in {*GAME_ACTIONS, CORRECT}:
        raise BadFormError("bad_form")
    game = find_game(judge, form.get("game", ""))
    if game is None:
        raise BadFormError("no_game")
    read = partial(_correct, judge.board_of(game)) if what == CORRECT else GAME_ACTIONS[what]
    action, values = read(game, form, judge.clock.now())
    return RequestedAction(action, {"game": game.name, **values}, f"/games/{game.name}")


EMAIL_ACTIONS: Mapping[str, Callable[[int], actions.Action]] = {
    "retry": actions.Retry,
    "discard": actions.Discard,
    "read": actions.Read,
    "export": actions.Export,
}


def _extend(game: Game, form: Fields, now: datetime) -> tuple[actions.Action, ActionDetails]:
    if game.phase is None:
        raise BadFormError("not_open")
    zone, reason = game.house_rules.zone, reason_in(form)
    if form.get("until"):
        deadline = _instant(form["until"], zone)
    else:
        minutes = _number(form.get("minutes", ""), "bad_time")
        if not 0 < minutes <= MINUTES_MAX:
            raise BadFormError("bad_time")
        deadline = max(game.phase.deadline, now) + timedelta(minutes=minutes)
    values = {
        "phase": phase_of(game),
        "was": game.phase.deadline,
        "becomes": deadline,
        "reason": reason,
    }
    return actions.Extend(game.name, phase_of(game), deadline, reason), values


def _process(game: Game, _form: Fields, _now: datetime) -> tuple[actions.Action, ActionDetails]:
    return actions.Process(game.name, phase_of(game)), {"phase": phase_of(game)}


def _roll_back(game: Game, form: Fields, _now: datetime) -> tuple[actions.Action, ActionDetails]:
    to, reason, restore = form.get("to", ""), reason_in(form), form.get("restore") == "yes"
    values = {"phase": phase_of(game), "to": to, "reason": reason, "restore": "yes" * restore}
    return actions.RollBack(game.name, phase_of(game), to, reason, restore), values


def _view_orders(game: Game, form: Fields, _now: datetime) -> tuple[actions.Action, ActionDetails]:
    return actions.ViewOrders(game.name, reason_in(form)), {
        "phase": phase_of(game),
        "reason": reason_in(form),
    }


def _pause(game: Game, form: Fields, _now: datetime) -> tuple[actions.Action, ActionDetails]:
    return actions.Pause(game.name, reason_in(form)), {"reason": reason_in(form)}


def _resume(game: Game, _form: Fields, _now: datetime) -> tuple[actions.Action, ActionDetails]:
    return actions.Resume(game.name), {}


def _answer(
    game: Game, form: Fields, _now: datetime, *, granted: bool
) -> tuple[actions.Action, ActionDetails]:
    power = form.get("power", "")
    length = game.phase.asked.get(power) if game.phase else None
    if length is None:
        raise BadFormError("not_asked")
    return actions.Answer(game.name, power, granted), {"power": power, "length": length}


def _seat(game: Game, form: Fields, _now: datetime) -> tuple[actions.Action, ActionDetails]:
    power, address = form.get("power", ""), form.get("address", "").strip()
    if power not in game.seats:
        raise BadFormError("no_power")
    if not ADDRESS.fullmatch(address):
        raise BadFormError("bad_address")
    return actions.Seat(game.name, power, address), {"power": power, "address": address}


def _write(game: Game, form: Fields, _now: datetime) -> tuple[actions.Action, ActionDetails]:
    text = form.get("text", "").strip().replace("\r\n", "\n")
    if not 0 < len(text) <= TEXT_MAX:
        raise BadFormError("bad_text")
    return actions.WriteToPlayers(game.name, text), {"text": text}


GAME_ACTIONS: Mapping[str, ActionReader] = {
    "extend": _extend,
    "process": _process,
    "roll_back": _roll_back,
    "look": _view_orders,
    "pause": _pause,
    "go_on": _resume,
    "grant": partial(_answer, granted=True),
    "deny": partial(_answer, granted=False),
    "seat": _seat,
    "write": _write,
    **CHANGES,
}


def whole_number(text: str) -> int | None:
    """Return the number in *text*; None if it is not one, or absurd."""
    written = text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX
    return int(text) if written else None


def _number(text: str, wrong: str) -> int:
    number = whole_number(text)
    if number is None:
        raise BadFormError(wrong)
    return number


def _instant(text: str, zone: str) -> datetime:
    try:
        local = datetime.fromisoformat(text)
    except ValueError:
        raise BadFormError("bad_time") from None
    if local.tzinfo is None:
        local = local.replace(tzinfo=ZoneInfo(zone))
    try:
        return local.astimezone(UTC)
    except OverflowError:  # on the first or the last possible day
        raise BadFormError("bad_time") from None
