"""What the forms of the desk ask for: fields of a form become an errand, or are sent back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TypeAlias
from zoneinfo import ZoneInfo

from judge.adapters.desk.change_forms import CHANGES
from judge.adapters.desk.reading_forms import BadFormError, Fields, Told, phase_of, reason_in
from judge.app.admin.game_admin import load_game as find_game
from judge.app.gamemaster.actions import (
    Action,
    Answer,
    Discard,
    Export,
    Extend,
    Pause,
    Process,
    Read,
    Resume,
    Retry,
    RollBack,
    Seat,
    ViewOrders,
    WriteToPlayers,
)
from judge.app.ports.judge import Judge
from judge.game.game_state import Game

MINUTES_MAX = 60 * 24 * 366
LETTER_MAX = 20_000
DIGITS_MAX = 9
ADDRESS = re.compile(r"[^\s@<>]{1,64}@[^\s@<>]{1,255}")

Reading: TypeAlias = Callable[[Game, Fields, datetime], tuple[Action, Told]]


@dataclass(frozen=True, slots=True)
class Asked:
    """An errand that somebody may want: *told* is what its words name, *back* where he was."""

    errand: Action
    told: Told
    back: str


def read(judge: Judge, what: str, form: Fields) -> Asked:
    """Return what *form*, sent to ask for *what*, asks for.

    Raises `BadFormError`.
    """
    if what in OF_MAIL:
        number = _number(form.get("mail", ""), "bad_mail")
        return Asked(OF_MAIL[what](number), {"mail": str(number)}, f"/inbox/{number}")
    if what not in OF_GAME:
        raise BadFormError("bad_form")
    game = find_game(judge, form.get("game", ""))
    if game is None:
        raise BadFormError("no_game")
    errand, told = OF_GAME[what](game, form, judge.clock.now())
    return Asked(errand, {"game": game.name, **told}, f"/games/{game.name}")


OF_MAIL: Mapping[str, Callable[[int], Action]] = {
    "retry": Retry,
    "discard": Discard,
    "read": Read,
    "export": Export,
}


def _extend(game: Game, form: Fields, now: datetime) -> tuple[Action, Told]:
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
    told = {
        "phase": phase_of(game),
        "was": game.phase.deadline,
        "becomes": deadline,
        "reason": reason,
    }
    return Extend(game.name, phase_of(game), deadline, reason), told


def _process(game: Game, _form: Fields, _now: datetime) -> tuple[Action, Told]:
    return Process(game.name, phase_of(game)), {"phase": phase_of(game)}


def _roll_back(game: Game, form: Fields, _now: datetime) -> tuple[Action, Told]:
    to, reason, restore = form.get("to", ""), reason_in(form), form.get("restore") == "yes"
    told = {"phase": phase_of(game), "to": to, "reason": reason, "restore": "yes" * restore}
    return RollBack(game.name, phase_of(game), to, reason, restore), told


def _look(game: Game, form: Fields, _now: datetime) -> tuple[Action, Told]:
    return ViewOrders(game.name, reason_in(form)), {
        "phase": phase_of(game),
        "reason": reason_in(form),
    }


def _pause(game: Game, form: Fields, _now: datetime) -> tuple[Action, Told]:
    return Pause(game.name, reason_in(form)), {"reason": reason_in(form)}


def _go_on(game: Game, _form: Fields, _now: datetime) -> tuple[Action, Told]:
    return Resume(game.name), {}


def _answer(game: Game, form: Fields, _now: datetime, *, granted: bool) -> tuple[Action, Told]:
    power = form.get("power", "")
    hours = game.phase.asked.get(power) if game.phase else None
    if hours is None:
        raise BadFormError("not_asked")
    return Answer(game.name, power, granted), {"power": power, "hours": hours}


def _seat(game: Game, form: Fields, _now: datetime) -> tuple[Action, Told]:
    power, address = form.get("power", ""), form.get("address", "").strip()
    if power not in game.seats:
        raise BadFormError("no_power")
    if not ADDRESS.fullmatch(address):
        raise BadFormError("bad_address")
    return Seat(game.name, power, address), {"power": power, "address": address}


def _write(game: Game, form: Fields, _now: datetime) -> tuple[Action, Told]:
    text = form.get("text", "").strip().replace("\r\n", "\n")
    if not 0 < len(text) <= LETTER_MAX:
        raise BadFormError("bad_letter")
    return WriteToPlayers(game.name, text), {"text": text}


OF_GAME: Mapping[str, Reading] = {
    "extend": _extend,
    "process": _process,
    "roll_back": _roll_back,
    "look": _look,
    "pause": _pause,
    "go_on": _go_on,
    "grant": partial(_answer, granted=True),
    "deny": partial(_answer, granted=False),
    "seat": _seat,
    "write": _write,
    **CHANGES,
}


def whole(text: str) -> int | None:
    """Return the number that *text* is; None if it is none, or absurd."""
    written = text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX
    return int(text) if written else None


def _number(text: str, wrong: str) -> int:
    number = whole(text)
    if number is None:
        raise BadFormError(wrong)
    return number


def _instant(text: str, zone: str) -> datetime:
    """Read what a browser sends of a `datetime-local` field: a time in the game's zone."""
    try:
        local = datetime.fromisoformat(text)
    except ValueError:
        raise BadFormError("bad_time") from None
    if local.tzinfo is None:
        local = local.replace(tzinfo=ZoneInfo(zone))
    try:
        return local.astimezone(UTC)
    except OverflowError:  # at the first or the last day that there is
        raise BadFormError("bad_time") from None
