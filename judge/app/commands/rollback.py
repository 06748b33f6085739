"""Commands of the moderator about the position: ROLLBACK, ROLLFORWARD, UNSTART, CORRECT."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from judge.app.commands.command import CommandRow, Scope, moderator_row
from judge.app.commands.context import MailContext, Session, apply_moderator_command
from judge.app.game.apply import closed_phase
from judge.archive import json_input, position_json
from judge.archive.text_parsing import center_named
from judge.game import moderator_tasks, rollback
from judge.game.decision import Why, why_no_open_phase
from judge.mail.language import command_syntax, phase_names
from judge.mail.language.command_table import Form
from judge.notation.strict_orders import read_unit
from judge.reports.emails.receipts import CommandRefused, Item, LineNotUnderstood
from judge.rules.board import Map
from judge.rules.types import Position, Power


@dataclass(frozen=True, slots=True)
class RollBack(command_syntax.ParsedLine):
    """`ROLLBACK S1902M RESTORE BECAUSE reason`: *to* is a phase, a number, or the last (None)."""

    to: str | None
    restore: bool
    reason: str


@dataclass(frozen=True, slots=True)
class RollForward(command_syntax.ParsedLine):
    """`ROLLFORWARD BECAUSE reason`: undo the last rollback, or several in a row."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unstart(command_syntax.ParsedLine):
    """`UNSTART BECAUSE reason`: reopen the sign-up of the game."""

    reason: str


@dataclass(frozen=True, slots=True)
class Correct(command_syntax.ParsedLine):
    """`CORRECT France A Bur, no A Par, France owns Bel BECAUSE reason`: *facts* of the board."""

    facts: tuple[str, ...]
    reason: str


TURN = re.compile(r"\d{1,3}")
CORRECTION = re.compile(r"(?:\w+ (?:A|F|ARMY|FLEET)|\w+ OWNS) \S", re.IGNORECASE)


def _read_rollback(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read our form, nJudge's `ROLLBACK 003` and DPjudge's `ROLLBACK S1902M RESTORE`."""
    words, reason = command_syntax.split_reason(arguments)
    if [word.upper() for word in words] == ["FORMING"]:
        return partial(Unstart, reason=reason)
    options = {"RESTORE", "FULL"}
    restore = any(word.upper() in options for word in words)
    where = [word for word in words if word.upper() not in options]
    to = phase_names.phase_named(where, board)
    if len(where) == 1 and TURN.fullmatch(where[0]):
        to = f"{int(where[0]):03}"
    if where and to is None:
        return None
    return partial(RollBack, to=to, restore=restore, reason=reason)


def _read_correction(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    """Read facts of the board: `France A Bur, no A Par, France owns Bel`."""
    words, reason = command_syntax.split_reason(arguments)
    facts = tuple(each.strip() for each in re.split("[,;]", " ".join(words)))
    return (
        partial(Correct, facts=facts, reason=reason) if all(map(CORRECTION.match, facts)) else None
    )


def _roll_back(context: MailContext, session: Session, parsed: RollBack) -> Item:
    found = closed_phase(context.judge, context.transaction, session.game, parsed.to)
    if isinstance(found, Why):
        return CommandRefused(parsed.text.strip(), found)
    command = rollback.RollBack(found, parsed.reason, session.person.id, parsed.restore)
    return apply_moderator_command(context, session, parsed, "roll_back", command)


def _roll_forward(context: MailContext, session: Session, parsed: RollForward) -> Item:
    log = context.transaction.events.read(session.game)
    to = moderator_tasks.roll_forward_target(context.board(context.game_of(session)), log)
    if to is None:
        return CommandRefused(parsed.text.strip(), Why.NOTHING_UNDONE)
    command = rollback.RollForward(to, parsed.reason, session.person.id)
    return apply_moderator_command(context, session, parsed, "roll_forward", command)


def _unstart(context: MailContext, session: Session, parsed: Unstart) -> Item:
    return apply_moderator_command(
        context, session, parsed, "unstart", rollback.Unstart(parsed.reason, session.person.id)
    )


def _correct(context: MailContext, session: Session, parsed: Correct) -> Item:
    game = context.game_of(session)
    if why := why_no_open_phase(game):
        return CommandRefused(parsed.text.strip(), why)
    assert game.position is not None
    position = _corrected_position(context.board(game), game.position, parsed.facts)
    if position is None:
        return LineNotUnderstood(parsed.line, parsed.text)
    command = rollback.CorrectPosition(position, parsed.reason, session.person.id)
    return apply_moderator_command(context, session, parsed, "correct", command)


NOBODY = ("NO", "NOBODY", "REMOVE")


def _corrected_position(board: Map, position: Position, facts: Sequence[str]) -> Position | None:
    """Return *position* with *facts* such as `France A Bur`, `no A Par`, `France owns Bel`.

    Return None if a fact is impossible or unreadable.
    """
    corrected: Position | None = position
    for fact in facts:
        owner, verb_or_unit, where = fact.split(maxsplit=2)
        power = command_syntax.power_named(owner, board)
        if corrected is None or (power is None and owner.upper() not in NOBODY):
            return None
        if verb_or_unit.upper() == "OWNS":
            corrected = _with_owner(board, corrected, power, where)
        else:
            corrected = _with_unit(board, corrected, power, f"{verb_or_unit} {where}")
    return corrected


def _with_owner(
    board: Map, position: Position, power: Power | None, where: str
) -> Position | None:
    center = center_named(board, where)
    if center is None:
        return None
    others = {each: owner for each, owner in position.owners.items() if each != center}
    return replace(position, owners={**others, center: power} if power else others)


def _with_unit(board: Map, position: Position, power: Power | None, text: str) -> Position | None:
    """Return *position* with the unit in *text*, or without it if *power* is None."""
    named = read_unit(text, board)
    if named is None or named.kind is None:
        return None
    others = tuple(unit for unit in position.units if unit.province != named.province)
    if power is None:
        removed = len(others) < len(position.units)
        return replace(position, units=others) if removed else None
    try:
        unit = position_json.read_unit(board, power, f"{named.kind.value} {named.location}")
    except json_input.MalformedError:
        return None
    rank = board.powers.index
    units = sorted((*others, unit), key=lambda each: (rank(each.power), each.location))
    return replace(position, units=tuple(units))


COMMANDS = (
    CommandRow(
        RollBack,
        readers={"ROLLBACK": _read_rollback},
        not_with_set=("ROLLBACK",),
        scope=Scope.MODERATOR,
        handle=_roll_back,
        topic="rollback",
        forms=(
            Form(
                "ROLLBACK | ROLLBACK F1902M BECAUSE reason | ROLLBACK F1902M RESTORE",
                "reopens an earlier phase, by code, by number (`003`) or the last one, even of a "
                "game that is over. `RESTORE` brings its orders back. The log keeps everything, "
                "and everybody gets an email",
                also="ROLLBACK 001",
            ),
        ),
    ),
    moderator_row(
        RollForward,
        readers={"ROLLFORWARD": command_syntax.with_reason(RollForward)},
        not_with_set=("ROLLFORWARD",),
        handle=_roll_forward,
        forms=(
            Form(
                "ROLLFORWARD | ROLLFORWARD BECAUSE I was right",
                "undoes the last rollbacks, if nothing was played since: the phase that was "
                "open opens again with its orders",
            ),
        ),
    ),
    moderator_row(
        Unstart,
        readers={"UNSTART": command_syntax.with_reason(Unstart)},
        not_with_set=("UNSTART",),
        handle=_unstart,
        forms=(
            Form(
                "UNSTART | UNSTART BECAUSE somebody is missing",
                "returns to the sign-up while the first phase is open: players stay joined and "
                "keep their preferences and promised secrecy",
            ),
        ),
    ),
    moderator_row(
        Correct,
        readers={"CORRECT": _read_correction},
        handle=_correct,
        forms=(
            Form(
                "CORRECT France A Bur, no A Par, France owns Bel BECAUSE of a mistake",
                "corrects units and owners of centers (`nobody owns Bel`) in the open phase, all "
                "or nothing. It clears the orders and asks everybody for new ones. For dislodged "
                "units use `judge game correct`",
            ),
        ),
    ),
)
