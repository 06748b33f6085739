"""Read the forms of the desk: fields become a requested action, or an error for the form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TypeAlias
from zoneinfo import ZoneInfo

from judge.app.admin import game_admin
from judge.app.game.apply import OPERATOR
from judge.app.gamemaster import actions
from judge.app.ports.judge import Judge
from judge.archive.json_input import require_object
from judge.archive.position_json import read_position
from judge.game.commands import GameCommand
from judge.game.deadlines import AnswerExtension, Pause, ResumeGame
from judge.game.game_state import Game
from judge.game.house_rules import as_text, choose_rules
from judge.game.moderator_actions import ChangeRules, Terminate
from judge.game.players.seats import Eject, MakeDummy
from judge.game.rollback import CorrectPosition
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
Reading: TypeAlias = tuple[actions.Action, ActionDetails]
ActionReader: TypeAlias = Callable[[Game, Fields, datetime], Reading]


def _command(game: Game, command: GameCommand) -> actions.ChangeGame:
    return actions.ChangeGame(
        game.name, partial(game_admin.apply_operator_command, command=command)
    )


def _begin(game: Game, _form: Fields, _now: datetime) -> Reading:
    return actions.ChangeGame(game.name, game_admin.begin_game), {"joined": str(len(game.joined))}


def _admit_player(game: Game, form: Fields, _now: datetime, *, granted: bool) -> Reading:
    person = form.get("person", "")
    if person not in game.applicants:
        raise BadFormError("not_applied")
    admit = partial(game_admin.admit_person, person=person, granted=granted)
    return actions.ChangeGame(game.name, admit), {}


def _of_power(
    game: Game, form: Fields, _now: datetime, *, made: type[Eject | MakeDummy]
) -> Reading:
    power = form.get("power", "")
    if power not in game.seats:
        raise BadFormError("no_power")
    return _command(game, made(power, OPERATOR)), {"power": power}


def _rules(game: Game, form: Fields, _now: datetime) -> Reading:
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
    return _command(game, ChangeRules(rules, OPERATOR)), {"changes": changes}


def _correct(board: Map, game: Game, form: Fields, _now: datetime) -> Reading:
    try:
        written = require_object(json.loads(form.get("board", "")[:BOARD_MAX]), "the board")
        position = read_position(board, written, game.rulebook)
    except (ValueError, RecursionError):
        raise BadFormError("bad_board") from None
    reason = reason_in(form)
    corrected = _command(game, CorrectPosition(position, reason, OPERATOR))
    details = {"phase": phase_of(game), "reason": reason}
    return replace(corrected, not_for_players=True), details


def _terminate(game: Game, _form: Fields, _now: datetime) -> Reading:
    return _command(game, Terminate(OPERATOR)), {"phase": phase_of(game)}


CORRECT = "correct"  # needs the board of the game
MINUTES_MAX = 60 * 24 * 366
TEXT_MAX = 20_000
DIGITS_MAX = 9
ADDRESS = re.compile(r"[^\s@<>]{1,64}@[^\s@<>]{1,255}")


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
        wanted = actions.HandleEmail(EMAIL_ACTIONS[what], number)
        return RequestedAction(wanted, {"mail": str(number)}, f"/inbox/{number}")
    if what not in {*GAME_ACTIONS, CORRECT}:
        raise BadFormError("bad_form")
    game = game_admin.load_game(judge, form.get("game", ""))
    if game is None:
        raise BadFormError("no_game")
    read = partial(_correct, judge.board_of(game)) if what == CORRECT else GAME_ACTIONS[what]
    action, values = read(game, form, judge.clock.now())
    return RequestedAction(action, {"game": game.name, **values}, f"/games/{game.name}")


EMAIL_ACTIONS = {each.value: each for each in actions.EmailAction}


def _extend(game: Game, form: Fields, now: datetime) -> Reading:
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
    move = partial(
        game_admin.move_deadline, deadline=deadline, reason=reason, only_in=phase_of(game)
    )
    return actions.ChangeGame(game.name, move), values


def _process(game: Game, _form: Fields, _now: datetime) -> Reading:
    close = partial(game_admin.close_phase_now, phase=phase_of(game))
    return actions.ChangeGame(game.name, close), {"phase": phase_of(game)}


def _roll_back(game: Game, form: Fields, _now: datetime) -> Reading:
    to, reason, restore = form.get("to", ""), reason_in(form), form.get("restore") == "yes"
    values = {"phase": phase_of(game), "to": to, "reason": reason, "restore": "yes" * restore}
    roll_back = partial(
        game_admin.roll_back, phase=to, reason=reason, restore=restore, only_in=phase_of(game)
    )
    return actions.ChangeGame(game.name, roll_back), values


def _view_orders(game: Game, form: Fields, _now: datetime) -> Reading:
    return actions.ViewOrders(game.name, reason_in(form)), {
        "phase": phase_of(game),
        "reason": reason_in(form),
    }


def _pause(game: Game, form: Fields, _now: datetime) -> Reading:
    reason = reason_in(form)
    return _command(game, Pause(reason, OPERATOR)), {"reason": reason}


def _resume(game: Game, _form: Fields, _now: datetime) -> Reading:
    return _command(game, ResumeGame(OPERATOR)), {}


def _answer(game: Game, form: Fields, _now: datetime, *, granted: bool) -> Reading:
    power = form.get("power", "")
    length = game.phase.asked.get(power) if game.phase else None
    if length is None:
        raise BadFormError("not_asked")
    answer = _command(game, AnswerExtension(power, granted, OPERATOR))
    return answer, {"power": power, "length": length}


def _seat(game: Game, form: Fields, _now: datetime) -> Reading:
    power, address = form.get("power", ""), form.get("address", "").strip()
    if power not in game.seats:
        raise BadFormError("no_power")
    if not ADDRESS.fullmatch(address):
        raise BadFormError("bad_address")
    seat = partial(game_admin.seat_player, power=power, address=address)
    return actions.ChangeGame(game.name, seat), {"power": power, "address": address}


def _write(game: Game, form: Fields, _now: datetime) -> Reading:
    text = form.get("text", "").strip().replace("\r\n", "\n")
    if not 0 < len(text) <= TEXT_MAX:
        raise BadFormError("bad_text")
    return actions.ChangeGame(game.name, partial(game_admin.broadcast, text=text)), {"text": text}


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
    "begin": _begin,
    "admit": partial(_admit_player, granted=True),
    "refuse": partial(_admit_player, granted=False),
    "eject": partial(_of_power, made=Eject),
    "dummy": partial(_of_power, made=MakeDummy),
    "rules": _rules,
    "terminate": _terminate,
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
