"""Votes and requests of players: draws, concessions, pauses, extensions and absences."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from judge.app.commands.command import CommandRow, Scope
from judge.app.commands.context import MailContext, Session, apply_and_report, power_of
from judge.app.commands.orders import apply_in_open_phase
from judge.game import absences, deadlines
from judge.game.calendar import parse_absence
from judge.game.game_state import Game
from judge.game.house_rules import HOUR, MINUTE, read_duration
from judge.game.voting import (
    ProposeDraw,
    VoteConcession,
    VoteDraw,
    VoteOnProposal,
    proposal_answered,
)
from judge.mail.language import command_syntax
from judge.mail.language.command_table import Form
from judge.reports.emails.receipts import (
    CommandDone,
    Item,
    LineNotUnderstood,
    WishChoice,
    WishOffered,
)
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class SetDraw(command_syntax.ParsedLine):
    """`SET DRAW`, `SET NODRAW`; `SET DRAW EFT` names the powers that share it."""

    draw: bool
    among: tuple[Power, ...] | None = None


@dataclass(frozen=True, slots=True)
class Concede(command_syntax.ParsedLine):
    """`SET CONCEDE R`, or None for `SET NOCONCEDE`."""

    to: Power | None


@dataclass(frozen=True, slots=True)
class VotePause(command_syntax.ParsedLine):
    """`VOTE PAUSE`, or `VOTE RESUME`."""

    pause: bool

    @property
    def of_moderator(self) -> tuple[str, str]:
        return ("pause", "PAUSE") if self.pause else ("resume", "RESUME")


@dataclass(frozen=True, slots=True)
class Propose(command_syntax.ParsedLine):
    """`PROPOSE DRAW`, or `PROPOSE DRAW EFT` for a draw *among* those powers."""

    among: tuple[Power, ...] | None


@dataclass(frozen=True, slots=True)
class VoteProposal(command_syntax.ParsedLine):
    """`VOTE YES`, or `VOTE 2 NO` for a proposal by its *number*."""

    number: int | None
    yes: bool


@dataclass(frozen=True, slots=True)
class AskTime(command_syntax.ParsedLine):
    """`EXTENSION 24 BECAUSE reason`."""

    length: timedelta
    reason: str

    @property
    def of_moderator(self) -> tuple[str, str]:
        hours, minutes = divmod(self.length // MINUTE, 60)
        length = f"{self.length // MINUTE}m" if minutes else f"{hours}h"
        return "set_deadline", f"SET DEADLINE +{length}"


@dataclass(frozen=True, slots=True)
class Absent(command_syntax.ParsedLine):
    """`ABSENT 24 Dec TO 2 Jan`; `NOT ABSENT` without *when*."""

    when: str | None


ABSENCE_WORDS = ("ABSENT", "ABSENCE", "HOLIDAY", "VACATION")
NO = "NO"  # before the day of an absence that is withdrawn
VOTES = {"YES": True, "ACCEPT": True, "NO": False, "VETO": False}


DAYS = re.compile(r"(\d{1,3}) ?D(?:AYS?)?", re.IGNORECASE)


def _read_vote(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    match [word.upper() for word in arguments]:
        case ["PAUSE"]:
            return partial(VotePause, pause=True)
        case ["RESUME"] | ["NO", "PAUSE"] | ["NOPAUSE"]:
            return partial(VotePause, pause=False)
        case ["DRAW"] | ["NO", "DRAW"] | ["NODRAW"]:
            return partial(SetDraw, draw=len(arguments) == 1 and arguments[0].upper() == "DRAW")
        case [word] | [word, ("ON" | "FOR")] if word in VOTES:
            return partial(VoteProposal, number=None, yes=VOTES[word])
        case [number, ("YES" | "NO" | "ACCEPT" | "VETO") as word] | [
            ("YES" | "NO" | "ACCEPT" | "VETO") as word,
            number,
        ] if command_syntax.SHORT_NUMBER.fullmatch(number):
            return partial(VoteProposal, number=int(number), yes=VOTES[word])
        case _:
            return None


def _read_proposal(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    match [word.upper() for word in arguments]:
        case ["DRAW"] | ["DIAS"]:
            return partial(Propose, among=None)
        case ["CONCESSION" | "CONCEDE", *_]:
            return _read_concession(arguments[1:], board)
        case ["DRAW", *_]:
            among = _powers(arguments[1:], board)
        case _:
            return None
    return partial(Propose, among=among) if among else None


def _read_draw(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read the powers that share a draw, none for all survivors."""
    if not arguments:
        return partial(SetDraw, draw=True)
    among = _powers(arguments, board)
    return partial(SetDraw, draw=True, among=among) if among else None


def _powers(words: list[str], board: Map) -> tuple[Power, ...]:
    named = command_syntax.recipients_named(" ".join(words), board)
    known = tuple(power for power in named.names if power in board.powers)
    return () if named.unknown or len(known) < len(named.names) else known


def _read_extension(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    words, reason = command_syntax.split_reason(arguments)
    text = " ".join(words)
    if days := DAYS.fullmatch(text):
        return partial(AskTime, length=timedelta(days=int(days[1])), reason=reason)
    try:
        return partial(AskTime, length=read_duration(text, HOUR), reason=reason)
    except ValueError:
        return None


def _read_absence(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    upper = [word.upper() for word in arguments]
    when = " ".join(("today", *arguments) if upper[:1] == ["TO"] else arguments)
    return partial(Absent, when=when) if command_syntax.DATE_HINT.search(when) else None


def _read_absence_from_now(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read nothing as today, as nJudge does behind SET."""
    return _read_absence(arguments or ["today"], board)


def _read_no_absence(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    """Read nothing, or the day of the absence to withdraw, as `NO` and the day."""
    when = " ".join(arguments)
    if not when:
        return partial(Absent, when=None)
    return partial(Absent, when=f"{NO} {when}") if command_syntax.DATE_HINT.search(when) else None


def _read_no_concession(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read nothing, or the power whose concession is withdrawn."""
    return (
        partial(Concede, to=None) if not arguments or _read_concession(arguments, board) else None
    )


def _read_concession(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    if len(arguments) > 1 and arguments[0].upper() == "TO":
        arguments = arguments[1:]
    power = command_syntax.power_named(arguments[0], board) if len(arguments) == 1 else None
    return partial(Concede, to=power) if power else None


def _vote_for_draw(context: MailContext, session: Session, parsed: SetDraw) -> Item:
    name = ("draw_among" if parsed.among else "draw") if parsed.draw else "nodraw"
    person, nonce = session.person.id, context.judge.random.nonce()
    command = VoteDraw(power_of(session), person, parsed.draw, nonce, parsed.among)
    return apply_in_open_phase(context, session, parsed, name, command, parsed.among or ())


def _vote_for_concession(context: MailContext, session: Session, parsed: Concede) -> Item:
    name = "concede" if parsed.to else "noconcede"
    nonce = context.judge.random.nonce()
    command = VoteConcession(power_of(session), session.person.id, parsed.to, nonce)
    return apply_in_open_phase(
        context, session, parsed, name, command, (parsed.to,) if parsed.to else ()
    )


def _vote_for_pause(context: MailContext, session: Session, parsed: VotePause) -> Item:
    against = not parsed.pause and context.game_of(session).paused is None
    name = "vote_pause" if parsed.pause else "vote_no_pause" if against else "vote_resume"
    nonce = context.judge.random.nonce()
    command = deadlines.VotePause(power_of(session), session.person.id, parsed.pause, nonce)
    item = apply_and_report(context, session, parsed, name, command)
    return replace(item, already=False) if against and isinstance(item, CommandDone) else item


def _propose(context: MailContext, session: Session, parsed: Propose) -> Item:
    nonce = context.judge.random.nonce()
    command = ProposeDraw(power_of(session), session.person.id, nonce, parsed.among)
    return apply_and_report(context, session, parsed, "propose", command)


def _vote_on_proposal(context: MailContext, session: Session, parsed: VoteProposal) -> Item:
    game = context.game_of(session)
    if parsed.number is None and session.answered == deadlines.pause_mark(game):
        pause = parsed.yes is (game.paused is None)
        return _vote_for_pause(
            context, session, VotePause(pause, line=parsed.line, text=parsed.text)
        )
    name = "vote_proposal" if parsed.yes else "vote_against"
    nonce = context.judge.random.nonce()
    power, person = power_of(session), session.person.id
    command = VoteOnProposal(power, person, parsed.yes, nonce, parsed.number)
    return apply_and_report(context, session, parsed, name, command)


def vote_in_reply(
    context: MailContext, session: Session, parsed: command_syntax.ParsedLine, *, yes: bool
) -> Item | None:
    """Vote on the proposal whose announcement the email answers; None if it answers none."""
    game = context.game(session.game)
    if game is None or session.power is None or not answers_proposal(game, session.answered):
        return None
    number = proposal_answered(game, session.answered)
    vote = VoteProposal(number, yes, line=parsed.line, text=parsed.text)
    return _vote_on_proposal(context, session, vote)


def vote_offered(
    context: MailContext, session: Session, parsed: command_syntax.ParsedLine
) -> tuple[Item, ...]:
    """Offer the votes if one is open: the email does not say that it is about that."""
    game = context.game(session.game)
    choices = vote_choices(game, session.power) if game and session.power else ()
    return (WishOffered(parsed.text.strip(), choices),) if choices else ()


def vote_choices(game: Game, power: Power) -> tuple[WishChoice, ...]:
    """Return the votes that *power* has not cast, by their numbers if several proposals are open.

    A pause is agreed to or not voted on.
    """
    waiting = [
        n for n, each in game.proposals.items() if power not in (each.power, *each.accepted)
    ]
    numbers = (f"{each} " if len(game.proposals) > 1 else "" for each in waiting)
    choices = [
        WishChoice(f"vote_{word.casefold()}", f"VOTE {number}{word}")
        for number in numbers
        for word in ("YES", "NO")
    ]
    if deadlines.may_vote_on_pause(game, power):
        name = "resume" if game.paused else "pause"
        choices.append(WishChoice(name, f"VOTE {name.upper()}"))
    return tuple(choices)


def answers_proposal(game: Game, answered: str | None) -> bool:
    """Return whether *answered* marks the announcement of a proposal."""
    pause = bool(game.pause_votes) and answered == deadlines.pause_mark(game)
    return pause or proposal_answered(game, answered) is not None


def _ask_for_time(context: MailContext, session: Session, parsed: AskTime) -> Item:
    power, person = power_of(session), session.person.id
    command = deadlines.AskExtension(power, person, parsed.length, parsed.reason)
    return apply_and_report(context, session, parsed, "ask_time", command)


def _announce_absence(context: MailContext, session: Session, parsed: Absent) -> Item:
    power, person = power_of(session), session.person.id
    if parsed.when is None:
        command = absences.ClearAbsence(power, person)
        return apply_and_report(context, session, parsed, "not_absent", command)
    game = context.game_of(session)
    house_rules, withdraws = game.house_rules, parsed.when.startswith(f"{NO} ")
    span = parse_absence(parsed.when.removeprefix(f"{NO} "), house_rules, context.now)
    if span is None:
        return LineNotUnderstood(parsed.line, parsed.text)
    if withdraws:
        coming = [each for each in game.absences.get(person, ()) if each[1] > context.now]
        if coming and (len(coming) > 1 or not coming[0][0] <= span[0] < coming[0][1]):
            return LineNotUnderstood(parsed.line, parsed.text, ("NOT ABSENT",))
        command = absences.ClearAbsence(power, person)
        return apply_and_report(context, session, parsed, "not_absent", command)
    return apply_and_report(
        context, session, parsed, "absent", absences.SetAbsence(power, person, *span)
    )


COMMANDS = (
    CommandRow(
        SetDraw,
        readers={"DRAW": _read_draw},
        bare={"NODRAW": partial(SetDraw, draw=False)},
        joined={"NO DRAW": "NODRAW"},
        suggested={"SET DRAW": "", "SET NODRAW": ""},
        never_in_prose=("NODRAW",),
        scope=Scope.POWER,
        handle=_vote_for_draw,
        topic="draw",
        aliases="dias, proposal, proposals",
        forms=(
            Form(
                "SET DRAW | DRAW | SET NODRAW | NO DRAW",
                "accepts a draw of all survivors, or withdraws that",
                also="VOTE DRAW",
            ),
            Form("SET DRAW EFT", "accepts a draw of these powers, where the game allows it"),
        ),
    ),
    CommandRow(
        Concede,
        readers={
            **dict.fromkeys(("CONCEDE", "CONC"), _read_concession),
            **dict.fromkeys(("NOCONCEDE", "NOCONC"), _read_no_concession),
        },
        joined={"NO CONCEDE": "NOCONCEDE", "NO CONC": "NOCONCEDE"},
        suggested={"SET CONCEDE": "SET CONCEDE R", "SET NOCONCEDE": ""},
        never_in_prose=("NOCONCEDE",),
        scope=Scope.POWER,
        handle=_vote_for_concession,
        topic="concede",
        forms=(
            Form(
                "SET CONCEDE R | SET NOCONCEDE",
                "votes to concede the game to a power, or withdraws the vote",
                also="SET CONC R | SET NOCONC",
            ),
        ),
    ),
    CommandRow(
        VoteProposal,  # `_read_vote` also reads VOTE DRAW and VOTE PAUSE
        readers={"VOTE": _read_vote},
        scope=Scope.POWER,
        handle=_vote_on_proposal,
        topic="draw",
        forms=(
            Form(
                "VOTE YES | VOTE 1 NO",
                "accepts or defeats the latest proposal, or the one with that number; the "
                "proposer's NO withdraws it",
            ),
        ),
    ),
    CommandRow(
        VotePause,
        scope=Scope.POWER,
        handle=_vote_for_pause,
        topic="pause",
        aliases="resume",
        forms=(
            Form(
                "VOTE PAUSE | VOTE RESUME", "votes to pause or resume the game; all players must"
            ),
        ),
    ),
    CommandRow(
        Propose,
        readers={"PROPOSE": _read_proposal},
        scope=Scope.POWER,
        handle=_propose,
        topic="draw",
        forms=(
            Form(
                "PROPOSE DRAW | PROPOSE DRAW EFT",
                "proposes a draw to everybody",
                also="PROPOSE DIAS",
            ),
        ),
    ),
    CommandRow(
        AskTime,
        readers={"EXTENSION": _read_extension},
        joined={"ASK EXTENSION": "EXTENSION", "MORE TIME": "EXTENSION"},
        scope=Scope.POWER,
        handle=_ask_for_time,
        topic="extension",
        aliases="extend",
        forms=(
            Form(
                "EXTENSION 24 BECAUSE reason | EXTENSION 2 DAYS | EXTENSION 15m",
                "asks the moderator for more time",
            ),
        ),
    ),
    CommandRow(
        Absent,
        readers={
            **dict.fromkeys(
                [f"{word}{end}" for word in ABSENCE_WORDS for end in ("", "S")], _read_absence
            ),
            "SET ABSENCE": _read_absence_from_now,
            **dict.fromkeys(
                ("NOTABSENT", "NOABSENCE", "NOHOLIDAY", "NOVACATION"), _read_no_absence
            ),
        },
        joined=dict.fromkeys(
            ("NOT ABSENT", "NO ABSENCE", "NO HOLIDAY", "NO VACATION"), "NOTABSENT"
        ),
        scope=Scope.POWER,
        handle=_announce_absence,
        topic="absent",
        aliases="absences",
        forms=(
            Form(
                "ABSENT 24 Dec TO 26 Dec | NOT ABSENT",
                "announces an absence to everybody, or cancels it; also `HOLIDAY`, `VACATION`",
                also="SET ABSENCE Dec 24 TO Dec 26 | SET NOABSENCE | SET ABSENCE 24 Dec TO 26 Dec",
            ),
        ),
    ),
)
