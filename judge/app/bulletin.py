"""What is new at the table, for each reader: the course, the rules, or who is there."""

from __future__ import annotations

from datetime import timedelta
from typing import TypeAlias, assert_never

from judge.app.letters import Reader
from judge.app.ports import Transaction
from judge.events.store import Event, Recorded
from judge.game.absences import AbsenceCleared, AbsenceSet
from judge.game.deadlines import ExtensionAsked, ExtensionRefused, GamePaused, GameResumed
from judge.game.game_state import Game, PressSent, survivors
from judge.game.house_rules import Silence, from_payload
from judge.game.moderator_actions import HouseRulesChanged, ModeratorChanged
from judge.game.payloads import parse_instant
from judge.game.players.joining import PlayerJoined
from judge.game.players.standbys import (
    LAPSED,
    OfferEnded,
    PlaceAsked,
    PlaceDenied,
    PlaceOffered,
    StandbyCame,
)
from judge.game.rollback import GameRolledBack, GameRolledForward, GameUnstarted, PositionCorrected
from judge.game.voting import DrawProposed, ProposalEnded
from judge.reports.emails import game_news
from judge.rules.rulebook import rulebook_name

Table: TypeAlias = (
    AbsenceSet
    | AbsenceCleared
    | ExtensionAsked
    | ExtensionRefused
    | PlaceAsked
    | DrawProposed
    | ProposalEnded
    | ModeratorChanged
)
Course: TypeAlias = GameRolledBack | GameRolledForward | GameUnstarted
Newsworthy: TypeAlias = (
    Course | PositionCorrected | HouseRulesChanged | GamePaused | GameResumed | Table
)
MOMENT = timedelta(minutes=1)


def bulletin(
    transaction: Transaction,
    before: Game,
    recorded: Recorded,
    event: Newsworthy,
    reader: Reader,
) -> game_news.News | None:
    """Say what *reader* is told of *event*, None if nothing; *before* is the game before it."""
    match event:
        case GameRolledBack() | GameRolledForward() | GameUnstarted():
            return _moved(transaction, before, recorded, event, reader)
        case PositionCorrected(reason=reason):
            return game_news.Corrected(reason)
        case HouseRulesChanged(rules):
            law = rulebook_name(before.rulebook)
            return game_news.rules_changed(before.house_rules, from_payload(rules), law)
        case GamePaused(reason=reason):
            return game_news.Paused(reason)
        case GameResumed():
            return game_news.Resumed()
        case event if isinstance(event, Table):
            return _at_table(transaction, before, event, reader)
        case _:
            assert_never(event)


def _moved(
    transaction: Transaction, before: Game, recorded: Recorded, event: Course, reader: Reader
) -> game_news.News:
    match event:
        case GameRolledBack(undone=undone, reason=reason, standing=standing):
            letters = _letters(transaction, event.version, recorded, reader)
            return game_news.RolledBack(undone, letters, reason, restored=bool(standing))
        case GameRolledForward(redone=redone, reason=reason, standing=standing):
            return game_news.RolledForward(redone, reason, restored=bool(standing))
        case GameUnstarted(reason=reason):
            assert before.position is not None, "its first phase was open"
            return game_news.Unstarted(before.position.phase.code, reason)
        case _:
            assert_never(event)


def _proposed(before: Game, event: DrawProposed, reader: Reader) -> game_news.News:
    hidden = before.house_rules.hide_proposer and reader.power != event.power
    return game_news.Proposed(
        event.proposal,
        None if hidden else event.power,
        event.among or survivors(before),
        event.phases,
        silence=before.house_rules.silence is Silence.YES,
    )


def for_one(before: Game, event: Event) -> tuple[str, game_news.News] | None:
    """Say whom *event* concerns alone, and what he is told; *before* is the game before it."""
    match event:
        case PlaceOffered(power, person, until):
            return person, game_news.Offered(power, parse_instant(until))
        case OfferEnded(power, person, reason) if reason == LAPSED:
            return person, game_news.Lapsed(power)
        case PlaceDenied(person):
            return person, game_news.NotLetIn()
        case PlayerJoined(person) if person in before.applicants or person in before.standbys:
            return person, game_news.LetIn(waits=False)
        case StandbyCame(person) if person in before.applicants:
            return person, game_news.LetIn(waits=True)
        case _:
            return None


def _at_table(
    transaction: Transaction, before: Game, event: Table, reader: Reader
) -> game_news.News | None:
    told: game_news.News | None
    match event:
        case DrawProposed():
            told = _proposed(before, event, reader)
        case ProposalEnded(number, _, reason):
            told = game_news.ProposalOver(number, reason)
        case PlaceAsked(person, power=power):
            asking = transaction.people.get(person)
            handle = asking.handle if asking else ""
            told = game_news.PlaceWanted(handle, power) if reader.moderates else None
        case ModeratorChanged(moderator):
            successor = transaction.people.get(moderator)
            told = game_news.Handed(successor.handle if successor else "")
        case AbsenceSet(power, begins=begins, ends=ends):
            told = game_news.Away(power, parse_instant(begins), parse_instant(ends) - MOMENT)
        case AbsenceCleared(power):
            told = game_news.Away(power)
        case ExtensionAsked(power, hours=hours, reason=reason):
            told = game_news.TimeAsked(power, hours, reason) if reader.moderates else None
        case ExtensionRefused(power):
            told = game_news.TimeRefused() if reader.power == power else None
        case _:
            assert_never(event)
    return told


def _letters(transaction: Transaction, since: int, until: Recorded, reader: Reader) -> int:
    """Count the letters that came to *reader* between two events."""
    log = transaction.events.read(until.game, since)
    sent = (each.event for each in log if each.version < until.version)
    return sum(isinstance(each, PressSent) and reader.is_among(each.recipients) for each in sent)
