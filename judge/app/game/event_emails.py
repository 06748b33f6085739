"""Emails about the events of a game, queued in the transaction that records them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias, assert_never

from judge.app.game.public_log import make_checkpoint
from judge.app.outbound.queue import GameMailer, Recipient, recipients_of, visibility_for
from judge.app.ports.database import Transaction
from judge.app.ports.judge import CentersByYear, Judge
from judge.event_log import Event, Head, Recorded
from judge.game import deadlines, rollback
from judge.game.absences import AbsenceCleared, AbsenceSet
from judge.game.events import evolve
from judge.game.game_state import Game, Stage, survivors
from judge.game.house_rules import Silence, from_payload
from judge.game.moderator_actions import HouseRulesChanged, ModeratorChanged
from judge.game.payloads import parse_instant, position_from_payload
from judge.game.phases import PhaseClosed, PhaseOpened, PhaseRecorded
from judge.game.players import standbys
from judge.game.players.creation import GameCreated
from judge.game.players.diaries import NoteWritten, StatementMade
from judge.game.players.joining import GameStarted, PlayerJoined
from judge.game.players.seats import CivilDisorderDeclared, PowerTakenOver, PowerVacated
from judge.game.press import MODERATOR, OBSERVER, PressSent, goes_to_all
from judge.game.submission import OrdersSubmitted
from judge.game.voting import DrawProposed, GameEnded, ProposalEnded
from judge.reports.emails import (
    game_history,
    game_news,
    game_start,
    help_pages,
    notices,
    phase_results,
    press,
)
from judge.reports.emails.contexts import Context
from judge.reports.emails.game_history import Note
from judge.reports.emails.press import PressEmail
from judge.rules.board import Map
from judge.rules.rulebook import rulebook_name
from judge.rules.types import PhaseKind, Position, Power


@dataclass(frozen=True, slots=True)
class PressReader:
    """Decrypts the press of one *game* and queues it for its recipients."""

    judge: Judge
    transaction: Transaction
    board: Map
    game: Game

    def relay(self, sent: PressSent, cause: str, mailer: GameMailer) -> None:
        """Queue *sent* for each recipient, unless it is delivered with the results."""
        if sent.postal:
            return
        for reader in recipients_of(self.transaction, self.game):
            delivered = self.press_for(sent, reader) if self.is_for(sent, reader) else None
            if delivered:
                mailer.relay(delivered, reader, cause, sent.message, sent.thread)

    def readable(self, sent: Iterable[PressSent], reader: Recipient) -> tuple[PressEmail, ...]:
        """Return those of *sent* that *reader* may read."""
        found = (self.press_for(each, reader) for each in sent if self.is_for(each, reader))
        return tuple(each for each in found if each)

    def is_for(self, sent: PressSent, reader: Recipient) -> bool:
        """Return whether *reader* may read *sent*."""
        looks_on = reader.observes and goes_to_all(self.game, sent)
        return reader.is_among(sent.recipients) or looks_on

    def press_for(
        self, sent: PressSent, reader: Recipient | None, *, answerable: bool = True
    ) -> PressEmail | None:
        """Return *sent* as *reader* gets it; None if its writer was erased.

        Press to the moderator is never disguised.
        """
        key = self.transaction.people.key(sent.person)
        if key is None:
            return None
        honest = reader is not None and reader.moderates and MODERATOR in sent.recipients
        return press.press_email(
            self.board,
            self.game,
            sent,
            self.judge.encryption.open(sent.sealed_text, key),
            judge_code=self.judge.code,
            honest=honest,
            handle=self._handle(sent),
            answerable=answerable and not sent.postal,
        )

    def _handle(self, sent: PressSent) -> str:
        shown = sent.sender == OBSERVER and not self.game.house_rules.anonymous
        person = self.transaction.people.get(sent.person) if shown else None
        return person.handle if person else ""


class Diaries:
    """The notes and statements of one game whose writers have not been erased."""

    def __init__(self, judge: Judge, transaction: Transaction, game: Game) -> None:
        self._judge = judge
        self._transaction = transaction
        self._game = game

    def notes(self) -> Iterator[tuple[str, Note]]:
        """Yield writers and their notes, by power and time, without deleted ones."""
        log = self._transaction.events.read(self._game.name)
        notes = [each.event for each in log if isinstance(each.event, NoteWritten)]
        latest = {(each.person, each.note): each for each in notes}  # numbers are used again
        for written in sorted(latest.values(), key=lambda each: each.power):
            if written.note not in self._game.diaries.get(written.person, {}):
                continue
            lines = self.lines(written)
            if lines:
                yield written.person, Note(written.power, lines, written.note, written.phase)

    def statements(self) -> Iterator[Note]:
        """Yield the last statement of each player who made one."""
        log = self._transaction.events.read(self._game.name)
        made = {e.event.person: e.event for e in log if isinstance(e.event, StatementMade)}
        for each in made.values():
            yield Note(each.power, self.lines(each))

    def lines(self, written: NoteWritten | StatementMade) -> tuple[str, ...]:
        """Return the text of *written*; empty if its writer was erased."""
        key = self._transaction.people.key(written.person)
        return (
            tuple(self._judge.encryption.open(written.sealed_text, key).splitlines())
            if key
            else ()
        )


# Events announced to all, in a notice of their own.
Notable: TypeAlias = (
    deadlines.DeadlinePassed
    | deadlines.DeadlineMoved
    | PowerVacated
    | PowerTakenOver
    | CivilDisorderDeclared
    | deadlines.PowerProtected
)


@dataclass(frozen=True, slots=True)
class Step:
    """An event with the game before it, and after it and the opening or ending that follows."""

    before: Game
    recorded: Recorded
    after: Game

    @property
    def cause(self) -> str:
        """Return the unique name of this event, as a cause of emails."""
        return f"{self.recorded.game}:{self.recorded.version}"


def announce(
    judge: Judge,
    transaction: Transaction,
    board: Map,
    before: Game | None,
    recorded: Sequence[Recorded],
    now: datetime,
) -> None:
    """Queue the emails about *recorded*, the events just appended to the game *before*."""
    events = [each.event for each in recorded]
    announcer = Announcer(judge, transaction, board, now, _abandoned_powers(events))
    for step in _steps(board, before, recorded):
        announcer.notify(step)
        if isinstance(step.recorded.event, rollback.GameRestored):
            break  # one email covers the deadline that it moves
    for each in recorded:
        if isinstance(each.event, GameCreated | ModeratorChanged) and each.event.moderator:
            announcer.welcome(each.event.moderator, f"{each.game}:{each.version}:ModeratorWelcome")


def _steps(board: Map, before: Game | None, recorded: Sequence[Recorded]) -> Iterator[Step]:
    states: list[Game | None] = [before]
    for each in recorded:
        states.append(evolve(board, states[-1], each.event))
    for index, each in enumerate(recorded):
        last = index + 1
        while last < len(recorded) and _follows(each.event, recorded[last].event):
            last += 1
        state, after = states[index], states[last]
        if state and after:
            yield Step(state, each, after)


def _follows(announced: Event, event: Event) -> bool:
    """Return whether the notice of *announced* covers *event* as well.

    A phase that is adjudicated at once, by orders given in advance, was never open for its
    readers.
    """
    if isinstance(announced, rollback.GameRestored):
        return True
    if isinstance(announced, PhaseClosed):
        return isinstance(event, PhaseOpened | OrdersSubmitted | PhaseClosed | GameEnded)
    return isinstance(event, PhaseOpened | GameEnded)


LOST_TURNS_MAX = 3


def _phases_since_backup(board: Map, game: Game, lost: timedelta) -> tuple[str, ...]:
    """Return the phases that may have been opened in the time *lost*, at most a few turns.

    A turn may be shorter than the rules say, as phases close early.
    """
    if game.position is None:
        return (board.start.phase.code,)
    turns = min(1 + lost // game.house_rules.movement_hours, LOST_TURNS_MAX)
    phase, found = game.position.phase, list[str]()
    while turns > 0:
        phase = board.calendar.following(phase)
        found.append(phase.code)
        turns -= phase.kind is PhaseKind.MOVEMENT
    return tuple(found)


def _abandoned_powers(events: Sequence[Event]) -> frozenset[Power]:
    """Return the powers that lost their players and fell into civil disorder at once."""
    vacated = {each.power for each in events if isinstance(each, PowerVacated)}
    declared = {each.power for each in events if isinstance(each, CivilDisorderDeclared)}
    return frozenset(vacated & declared)


ROLLBACKS = rollback.GameRolledBack, rollback.GameRolledForward
YEARS_IN_RESULTS = 20  # of the centers; the last email of a game and HISTORY have all


def _position_reached(event: Event) -> Position | None:
    match event:
        case PhaseClosed(after=reached) | PhaseRecorded(position=reached):
            return position_from_payload(reached)
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Announcer:
    """Queues the emails about events of one game.

    The powers *left_alone* lost their players and fell into civil disorder at once: one notice
    covers both.
    """

    judge: Judge
    transaction: Transaction
    board: Map
    now: datetime
    left_alone: frozenset[Power] = frozenset()

    def notify(self, step: Step) -> None:
        """Queue the emails about one event, if it has any."""
        self._notify_one(step)
        match step.recorded.event:
            case GameStarted():
                self._start(step)
            case PhaseClosed() as closed:
                self._results(step, closed)
            case GameEnded():
                self._end(step)
            case PressSent() as sent:
                mailer = GameMailer(self.judge, self.transaction, step.after, self.now)
                self._press_reader(step).relay(sent, step.cause, mailer)
            case StatementMade() as made:
                self._state(step, made)
            case rollback.GameRestored() as restored:
                self._restored(step, restored)
            case CivilDisorderDeclared(power=power) if power in self.left_alone:
                pass
            case event if isinstance(event, Notable):
                self._to_all(step, lambda power: self.notice(step, event, power))
            case change if isinstance(change, Newsworthy):
                self._news(step, change)
            case _:
                pass

    def welcome(self, moderator: str, cause: str) -> None:
        """Send *moderator* an introduction when they moderate their first game."""
        load = self.judge.game_cache.load
        person = self.transaction.people.get(moderator)
        games = [
            game
            for name in self.transaction.events.games_of(moderator)
            if (game := load(self.transaction, self.judge.boards, name))
            and game.moderator == moderator
        ]
        if person is None or len(games) != 1:
            return
        code = self.judge.code
        welcome = game_start.moderator_welcome(self.board, games[0], judge_code=code)
        commands = help_pages.help_page(
            "moderator", self.judge.commands.forms_on("moderator"), judge_code=code
        )
        mailer = GameMailer(self.judge, self.transaction, games[0], self.now)
        mailer.write(welcome, Recipient(person, None, moderates=True), cause, commands)

    def _to_all(self, step: Step, context_for: Callable[[Power | None], Context]) -> None:
        mailer = GameMailer(self.judge, self.transaction, step.after, self.now)
        # The former player gets the notice, too.
        vacated = isinstance(step.recorded.event, PowerVacated)
        for reader in recipients_of(self.transaction, step.before if vacated else step.after):
            context = context_for(reader.power)
            mailer.write(context, reader, f"{step.cause}:{type(context).__name__}")

    def _restored(self, step: Step, restored: rollback.GameRestored) -> None:
        """Announce a restored backup to all who would hear of the game, unless it is over."""
        game = step.after
        if game.stage is Stage.ENDED:
            return
        late = game.phase.grace_end if game.phase and game.phase.passed else None
        saved = parse_instant(restored.saved)
        news = game_news.Restored(
            saved,
            paused=game.paused is not None,
            grace_end=late,
            lost=_phases_since_backup(self.board, game, self.now - saved),
        )
        readers = [*recipients_of(self.transaction, game)]
        if game.stage is Stage.FORMING:
            known = {each.person.id for each in readers}
            waiting = map(self.transaction.people.get, {*game.joined, *game.standbys} - known)
            readers += [Recipient(person, None) for person in waiting if person]
        mailer = GameMailer(self.judge, self.transaction, game, self.now)
        for reader in readers:
            context = game_news.game_news(
                self.board, game, reader.power, news, judge_code=self.judge.code
            )
            mailer.write(context, reader, f"{step.cause}:Restored")

    def _start(self, step: Step) -> None:
        readers = tuple(recipients_of(self.transaction, step.after))
        handles = {each.power: each.person.handle for each in readers if each.power}
        mailer = GameMailer(self.judge, self.transaction, step.after, self.now)
        for reader in readers:
            started = game_start.game_start(
                self.board,
                step.after,
                visibility_for(reader),
                handles,
                judge_code=self.judge.code,
            )
            mailer.write(started, reader, f"{step.cause}:GameStart")

    def _results(self, step: Step, closed: PhaseClosed) -> None:
        assert step.before.position, "a phase that was closed had been opened"
        ends = phase_results.is_year_end(
            self.board, step.before.position, position_from_payload(closed.after)
        )
        centers = [*self._centers(step).items()][-YEARS_IN_RESULTS:] if ends else ()
        shared = phase_results.shared_results(
            self.board,
            step.before,
            closed,
            step.after,
            judge_code=self.judge.code,
            closing=make_checkpoint(
                self.judge, self.transaction, step.recorded.game, step.recorded.version
            ),
            centers=dict(centers),
        )
        mailer = GameMailer(self.judge, self.transaction, step.after, self.now)
        for reader in recipients_of(self.transaction, step.after):
            results = phase_results.results_for_reader(
                self.board, step.after, shared, reader.power, visibility_for(reader)
            )
            unread = self._press_reader(step).readable(step.before.unread, reader)
            mailer.write(results, reader, f"{step.cause}:PhaseResults", *unread)

    def _end(self, step: Step) -> None:
        centers, code = self._centers(step), self.judge.code
        was_due = step.before.phase.deadline if step.before.phase else None
        over = game_history.game_over(
            self.board,
            step.after,
            centers,
            judge_code=code,
            was_due=was_due,
            closing=make_checkpoint(
                self.judge, self.transaction, step.recorded.game, step.recorded.version
            ),
        )
        mailer = GameMailer(self.judge, self.transaction, step.after, self.now)
        for reader in recipients_of(self.transaction, step.after):
            unread = self._press_reader(step).readable(step.before.unread, reader)
            mailer.write(over, reader, f"{step.cause}:GameOver", *unread)

    def _press_reader(self, step: Step) -> PressReader:
        return PressReader(self.judge, self.transaction, self.board, step.after)

    def _centers(self, step: Step) -> CentersByYear:
        """Count the centers from the last count on, or anew if the game was rolled back since."""
        name, cache = step.recorded.game, self.judge.game_cache.centers
        until, centers = cache.get(name, (Head(), {}))
        log = self.transaction.events.read(name, max(until.version - 1, 0))
        # The transaction that counted them may have failed.
        undone = bool(centers) and not (log and log[0].hash == until.hash)
        if undone or any(isinstance(each.event, ROLLBACKS) for each in log):
            centers, log = {}, self.transaction.events.read(name)
        course = rollback.without_rolled_back(log)
        reached = [position for each in course if (position := _position_reached(each.event))]
        centers = {**centers, **phase_results.centers_by_year(self.board, reached)}
        cache[name] = Head(log[-1].version, log[-1].hash), centers
        return centers

    def notice(self, step: Step, event: Notable, reader: Power | None) -> Context:
        """Return the notice of *event* for *reader*."""
        board, game, code = self.board, step.after, self.judge.code
        match event:
            case deadlines.DeadlinePassed():
                return notices.late_notice(board, game, reader, judge_code=code)
            case deadlines.DeadlineMoved(reason=reason):
                before = step.before.phase.deadline if step.before.phase else None
                return notices.deadline_change(board, game, before, reason, judge_code=code)
            case PowerVacated(power=power, reason=reason):
                alone = power in self.left_alone
                tell = notices.civil_disorder if alone else notices.vacancy
                return tell(board, game, power, reason, judge_code=code)
            case PowerTakenOver(power=power):
                return notices.takeover(board, game, power, reader, judge_code=code)
            case CivilDisorderDeclared(power=power):
                return notices.civil_disorder(board, game, power, judge_code=code)
            case deadlines.PowerProtected(power=power):
                return notices.protection(board, game, power, judge_code=code)
            case _:
                assert_never(event)

    def _state(self, step: Step, made: StatementMade) -> None:
        lines = Diaries(self.judge, self.transaction, step.after).lines(made)
        news, code = game_news.NewStatement(made.power, lines), self.judge.code
        stated = game_news.game_news(self.board, step.after, None, news, judge_code=code)
        self._to_all(step, lambda _: stated)

    def _notify_one(self, step: Step) -> None:
        """Notify a person without a power, if *step* concerns them alone."""
        concerned = private_news(step.before, step.recorded.event)
        person = self.transaction.people.get(concerned[0]) if concerned else None
        if concerned is None or person is None:
            return
        code = self.judge.code
        news = game_news.game_news(self.board, step.after, None, concerned[1], judge_code=code)
        mailer = GameMailer(self.judge, self.transaction, step.after, self.now)
        mailer.write(news, Recipient(person, None), f"{step.cause}:{type(concerned[1]).__name__}")

    def _news(self, step: Step, event: Newsworthy) -> None:
        mailer = GameMailer(self.judge, self.transaction, step.after, self.now)
        # Players who lose their power get the notice, too.
        there = step.before if isinstance(event, rollback.GameUnstarted) else step.after
        for reader in recipients_of(self.transaction, there):
            news = news_of_event(self.transaction, step.before, step.recorded, event, reader)
            if news:
                context = game_news.game_news(
                    self.board, step.after, reader.power, news, judge_code=self.judge.code
                )
                mailer.write(context, reader, f"{step.cause}:{type(news).__name__}")


PlayerNews: TypeAlias = (
    AbsenceSet
    | AbsenceCleared
    | deadlines.ExtensionAsked
    | deadlines.ExtensionRefused
    | standbys.PlaceAsked
    | DrawProposed
    | ProposalEnded
    | ModeratorChanged
)
CourseNews: TypeAlias = (
    rollback.GameRolledBack | rollback.GameRolledForward | rollback.GameUnstarted
)
Newsworthy: TypeAlias = (
    CourseNews
    | rollback.PositionCorrected
    | HouseRulesChanged
    | deadlines.GamePaused
    | deadlines.GameResumed
    | PlayerNews
)
MOMENT = timedelta(minutes=1)


def news_of_event(
    transaction: Transaction,
    before: Game,
    recorded: Recorded,
    event: Newsworthy,
    reader: Recipient,
) -> game_news.News | None:
    """Return the notice of *event* for *reader*, None if there is none."""
    match event:
        case rollback.GameRolledBack() | rollback.GameRolledForward() | rollback.GameUnstarted():
            return _news_of_course(transaction, before, recorded, event, reader)
        case rollback.PositionCorrected(reason=reason):
            return game_news.Corrected(reason)
        case HouseRulesChanged(rules):
            law = rulebook_name(before.rulebook)
            return game_news.rules_changed(before.house_rules, from_payload(rules), law)
        case deadlines.GamePaused(reason=reason):
            return game_news.Paused(reason)
        case deadlines.GameResumed():
            return game_news.Resumed()
        case event if isinstance(event, PlayerNews):
            return _news_of_players(transaction, before, event, reader)
        case _:
            assert_never(event)


def _news_of_course(
    transaction: Transaction,
    before: Game,
    recorded: Recorded,
    event: CourseNews,
    reader: Recipient,
) -> game_news.News:
    match event:
        case rollback.GameRolledBack(undone=undone, reason=reason, standing=standing):
            letters = _news_emails(transaction, event.version, recorded, reader)
            return game_news.RolledBack(undone, letters, reason, restored=bool(standing))
        case rollback.GameRolledForward(redone=redone, reason=reason, standing=standing):
            return game_news.RolledForward(redone, reason, restored=bool(standing))
        case rollback.GameUnstarted(reason=reason):
            assert before.position is not None, "its first phase was open"
            return game_news.Unstarted(before.position.phase.code, reason)
        case _:
            assert_never(event)


def _proposed(before: Game, event: DrawProposed, reader: Recipient) -> game_news.News:
    hidden = before.house_rules.hide_proposer and reader.power != event.power
    return game_news.DrawProposal(
        event.proposal,
        None if hidden else event.power,
        event.among or survivors(before),
        event.phases,
        silence=before.house_rules.silence is Silence.YES,
    )


def private_news(before: Game, event: Event) -> tuple[str, game_news.News] | None:
    """Return the only person concerned by *event* and their notice."""
    match event:
        case standbys.PlaceOffered(power, person, until):
            return person, game_news.PowerOffered(power, parse_instant(until))
        case standbys.OfferEnded(power, person, reason) if reason == standbys.LAPSED:
            return person, game_news.OfferExpired(power)
        case standbys.PlaceDenied(person):
            return person, game_news.NotAdmitted()
        case PlayerJoined(person) if person in before.applicants or person in before.standbys:
            return person, game_news.Admitted(waits=False)
        case standbys.StandbyCame(person) if person in before.applicants:
            return person, game_news.Admitted(waits=True)
        case _:
            return None


def _news_of_players(
    transaction: Transaction, before: Game, event: PlayerNews, reader: Recipient
) -> game_news.News | None:
    news: game_news.News | None
    match event:
        case DrawProposed():
            news = _proposed(before, event, reader)
        case ProposalEnded(number, _, reason):
            news = game_news.DrawProposalOver(number, reason)
        case standbys.PlaceAsked(person, power=power):
            asking = transaction.people.get(person)
            handle = asking.handle if asking else ""
            news = game_news.JoinRequested(handle, power) if reader.moderates else None
        case ModeratorChanged(moderator):
            successor = transaction.people.get(moderator)
            news = game_news.NewModerator(successor.handle if successor else "")
        case AbsenceSet(power, begins=begins, ends=ends):
            news = game_news.AbsenceAnnounced(
                power, parse_instant(begins), parse_instant(ends) - MOMENT
            )
        case AbsenceCleared(power):
            news = game_news.AbsenceAnnounced(power)
        case deadlines.ExtensionAsked(power, reason=reason):
            news = (
                game_news.ExtensionRequested(power, event.length, reason)
                if reader.moderates
                else None
            )
        case deadlines.ExtensionRefused(power):
            news = game_news.ExtensionDenied() if reader.power == power else None
        case _:
            assert_never(event)
    return news


def _news_emails(transaction: Transaction, since: int, until: Recorded, reader: Recipient) -> int:
    """Count the press messages that reached *reader* between two events."""
    log = transaction.events.read(until.game, since)
    sent = (each.event for each in log if each.version < until.version)
    return sum(isinstance(each, PressSent) and reader.is_among(each.recipients) for each in sent)
