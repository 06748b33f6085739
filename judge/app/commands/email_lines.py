"""Lines of an email other than orders and commands: names of phases and games, unknown words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from judge.app.commands.command import CommandRow
from judge.app.commands.context import MailContext, Session
from judge.app.commands.later_phases import unknown_phase_items
from judge.mail.language import command_syntax
from judge.mail.language.command_table import Form
from judge.mail.words import phrases
from judge.reports.emails.receipts import EmailTooLong, ForeignCommand, Item, LineNotUnderstood

BACK_TO_EARLIER = phrases("back_to_earlier")


def _handle_phase(
    context: MailContext, session: Session, parsed: command_syntax.NamedPhase
) -> tuple[Item, ...]:
    return tuple(unknown_phase_items(context, session, parsed))


def _handle_game(
    _: MailContext, _session: Session, _said: command_syntax.NamedGame
) -> tuple[Item, ...]:
    return ()


def _handle_unknown(
    _: MailContext, _session: Session, parsed: command_syntax.UnknownCommand
) -> Item:
    if parsed.advice is not None:
        return ForeignCommand(parsed.line, parsed.text, parsed.advice)
    nearest = (parsed.nearest,) if parsed.nearest else ()
    return LineNotUnderstood(parsed.line, parsed.text, nearest)


def foreign_commands(parsed: Sequence[command_syntax.ParsedLine]) -> list[Item]:
    """Return what to say of the commands of other judges in *parsed*, to whoever writes them."""
    return [
        ForeignCommand(each.line, each.text, each.advice)
        for each in parsed
        if isinstance(each, command_syntax.UnknownCommand) and each.advice
    ]


def _handle_failed(context: MailContext, _: Session, parsed: command_syntax.LineFailed) -> Item:
    context.note_failing_line(parsed.line, parsed.defect)
    return LineNotUnderstood(parsed.line, parsed.text)


def _handle_too_much(_: MailContext, _session: Session, parsed: command_syntax.TooMuch) -> Item:
    return EmailTooLong(parsed.line, parsed.limit)


COMMANDS = (
    CommandRow(
        command_syntax.NamedPhase,
        suggested={"PHASE": "PHASE F1902M"},
        handle=_handle_phase,
        topic="phase",
        aliases="phases, if, conditions",
        forms=(
            Form(
                "PHASE F1902M ... A Par H",
                "names the phase of the orders below",
                also="PHASE FALL 1902 MOVEMENT ... A Par H",
            ),
            Form(
                "PHASE F1902M ... IF FRANCE Bur ... A Par H ... ENDIF",
                "gives orders on a condition",
                also="PHASE F 1902 M ... IF FRANCE Bur ... A Par H ... ENDIF",
            ),
        ),
    ),
    CommandRow(command_syntax.NamedGame, handle=_handle_game),
    CommandRow(
        command_syntax.UnknownCommand,
        phrases={
            phrase: partial(
                command_syntax.UnknownCommand, word=phrase, nearest=None, advice="undo"
            )
            for phrase in BACK_TO_EARLIER
        },
        in_sentences=True,
        handle=_handle_unknown,
    ),
    CommandRow(command_syntax.LineFailed, handle=_handle_failed),
    CommandRow(command_syntax.TooMuch, handle=_handle_too_much),
)
