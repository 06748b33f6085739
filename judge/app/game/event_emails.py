"""Emails about the events of a game.

The transaction that records the events queues the names of these emails only. Their pages are a
projection of the log: they are made when the emails are rendered, as the game was then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, partial
from typing import TypeAlias, assert_never

from judge.app.game.encrypted_texts import Diaries, PressReader
from judge.app.outbound.facts import Announced
from judge.app.outbound.queue import (
    GameEmail,
    GameMailer,
    Recipient,
    recipients_of,
    visibility_for,
)
from judge.app.ports.database import Transaction
from judge.app.ports.judge import AnnouncedPages, CentersByYear, Judge
from judge.app.public_log import closing_at, promise_checkpoint
from judge.checkpoints import ClosingEvent
from judge.event_log import Event, Head, Recorded
from judge.game import absences, deadlines, moderator_actions, payloads, rollback, voting
from judge.game.game_state import Game, Stage, survivors
from judge.game.house_rules import Silence, from_payload
from judge.game.phases import PhaseClosed, PhaseOpened, PhaseRecorded
from judge.game.players import creation, diaries, joining, seats, standbys
from judge.game.press import PressSent
from judge.game.submission import OrdersSubmitted
from judge.reports.emails import (
    game_history,
    game_news,
    game_start,
    help_pages,
    notices,
    phase_results,
)
from judge.reports.emails.contexts import Context, Heading, heading_of
from judge.rules.board import Map
from judge.rules.rulebook import rulebook_name
from judge.rules.types import PhaseKind, Position, Power

# Events announced to all, in a notice of their own.
Notable: TypeAlias = (
    deadlines.DeadlinePassed
    | deadlines.DeadlineMoved
    | seats.PowerVacated
    | seats.PowerTakenOver
    | seats.CivilDisorderDeclared
    | deadlines.PowerProtected
)
# Events announced as news of the game, to some or to all.
Newsworthy: TypeAlias = (
    rollback.GameRolledBack
    | rollback.GameRolledForward
    | rollback.GameUnstarted
    | rollback.PositionCorrected
    | moderator_actions.HouseRulesChanged
    | deadlines.GamePaused
    | deadlines.GameResumed
    | deadlines.PauseVoted
    | voting.DrawProposed
    | voting.ProposalEnded
    | standbys.PlaceAsked
    | moderator_actions.ModeratorChanged
    | absences.AbsenceSet
    | absences.AbsenceCleared
    | deadlines.ExtensionAsked
    | deadlines.ExtensionRefused
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
    states: Sequence[Game | None],
    recorded: Sequence[Recorded],
    now: datetime,
) -> None:
    """Queue the emails about *recorded*; *states* are the game before them and after each."""
    for each in recorded:
        if isinstance(each.event, PhaseClosed | voting.GameEnded):
            promise_checkpoint(judge, transaction, each.game, each.version)
    made_by = partial(_NameMailer, events=(recorded[0].version, recorded[-1].version))
    _announce(Announcer(judge, transaction, board, now, made_by), states, recorded)


def announced_pages(
    judge: Judge, transaction: Transaction, page: Announced, known: AnnouncedPages
) -> tuple[Context, ...]:
    """Return the pages about the events in *page*; none if their author was erased.

    The pages for other readers are noted in *known*.
    """
    name = page.heading.game or ""
    events = name, page.first, page.last
    if events not in known:
        found = dict[tuple[str, str], tuple[Context, ...]]()
        states, recorded = judge.game_cache.between(transaction, judge.boards, *events)
        game = next(each for each in states if each)
        now, made_by = recorded[0].recorded_utc, partial(_PageMailer, found=found)
        board = judge.board_of(states[0] or states[-1] or game)
        _announce(Announcer(judge, transaction, board, now, made_by), states, recorded)
        known[events] = found
    return known[events].get((page.cause, page.person), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class _NameMailer(GameMailer):
    """Queues emails about *events* from version to version without their pages."""

    events: tuple[int, int]

    def stored_pages(self, email: GameEmail) -> tuple[Context, ...]:
        first, last = self.events
        about = Heading(self.judge.code, game=self.game.name)
        person, cause = email.reader.person.id, email.cause
        return (Announced(heading=about, first=first, last=last, person=person, cause=cause),)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PageMailer(GameMailer):
    """Makes the pages of emails that are queued already."""

    found: dict[tuple[str, str], tuple[Context, ...]]

    def put(self, *emails: GameEmail) -> None:
        for each in emails:
            self.found[each.cause, each.reader.person.id] = each.pages()


def _announce(
    announcer: Announcer, states: Sequence[Game | None], recorded: Sequence[Recorded]
) -> None:
    announcer = replace(announcer, abandoned=_abandoned_powers([each.event for each in recorded]))
    for step in _steps(states, recorded):
        announcer.notify(step)
        if isinstance(step.recorded.event, rollback.GameRestored):
            break  # one email covers the deadline that it moves
    for each in recorded:
        match each.event:
            case (
                creation.GameCreated(moderator=moderator)
                | moderator_actions.ModeratorChanged(moderator=moderator)
            ) if moderator and (game := states[-1]):
                announcer.welcome(game, moderator, f"{each.game}:{each.version}:ModeratorWelcome")
            case _:
                pass


def _steps(states: Sequence[Game | None], recorded: Sequence[Recorded]) -> Iterator[Step]:
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
        return isinstance(event, PhaseOpened | OrdersSubmitted | PhaseClosed | voting.GameEnded)
    return isinstance(event, PhaseOpened | voting.GameEnded)


def _abandoned_powers(events: Sequence[Event]) -> frozenset[Power]:
    """Return the powers that lost their players and fell into civil disorder at once."""
    vacated = {each.power for each in events if isinstance(each, seats.PowerVacated)}
    declared = {each.power for each in events if isinstance(each, seats.CivilDisorderDeclared)}
    return frozenset(vacated & declared)


ROLLBACKS = rollback.GameRolledBack, rollback.GameRolledForward
YEARS_IN_RESULTS = 20  # of the centers; the last email of a game and HISTORY have all
LOST_TURNS_MAX = 3  # taken out of calendars after a restored backup


@dataclass(frozen=True, slots=True)
class Announcer:
    """Makes the emails about events of one game, by mailers *made_by* a function.

    The powers *abandoned* lost their players and fell into civil disorder at once: one notice
    covers both.
    """

    judge: Judge
    transaction: Transaction
    board: Map
    now: datetime
    made_by: Callable[[Judge, Transaction, Game, datetime], GameMailer] = GameMailer
    abandoned: frozenset[Power] = frozenset()

    def notify(self, step: Step) -> None:
        """Queue the emails about one event, if it has any."""
        self._notify_person(step)
        match step.recorded.event:
            case joining.GameStarted():
                self._start(step)
            case PhaseClosed() as closed:
                self._results(step, closed)
            case voting.GameEnded():
                self._end(step)
            case PressSent() as sent:
                self._press_reader(step).relay(sent, step.cause, self._mailer(step.after))
            case diaries.StatementMade() as made:
                self._statement(step, made)
            case rollback.GameRestored() as restored:
                self._restored(step, restored)
            case seats.CivilDisorderDeclared(power=power) if power in self.abandoned:
                pass
            case event if isinstance(event, Notable):
                self._to_all(step, lambda power: self.notice(step, event, power))
            case change if isinstance(change, Newsworthy):
                self._news(step, change)
            case _:
                pass

    def welcome(self, game: Game, moderator: str, cause: str) -> None:
        """Send *moderator* an introduction when they moderate their first game."""
        person, mailer = self.transaction.people.get(moderator), self._mailer(game)
        names = self.transaction.summaries.moderated_by(moderator, limit=2)
        if person is None or not (isinstance(mailer, _PageMailer) or len(names) == 1):
            return
        code = self.judge.code
        welcome = game_start.ModeratorWelcome(heading=heading_of(self.board, game, code))
        commands = help_pages.help_page(
            "moderator", self.judge.commands.forms_on("moderator"), judge_code=code
        )
        mailer.write(welcome, Recipient(person, None, moderates=True), cause, commands)

    def _to_all(self, step: Step, context_for: Callable[[Power | None], Context]) -> None:
        mailer = self._mailer(step.after)
        # The former player gets the notice, too.
        vacated = isinstance(step.recorded.event, seats.PowerVacated)
        for reader in recipients_of(self.transaction, step.before if vacated else step.after):
            context = context_for(reader.power)
            mailer.write(context, reader, f"{step.cause}:{type(context).__name__}")

    def _restored(self, step: Step, restored: rollback.GameRestored) -> None:
        """Announce a restored backup to everybody in the game, unless it is over."""
        game = step.after
        if game.stage is Stage.ENDED:
            return
        late = game.phase.grace_end if game.phase and game.phase.passed else None
        saved = payloads.parse_instant(restored.saved)
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
        mailer = self._mailer(game)
        for reader in readers:
            context = self._game_news(game, reader.power, news)
            mailer.write(context, reader, f"{step.cause}:Restored")

    def _start(self, step: Step) -> None:
        readers = tuple(recipients_of(self.transaction, step.after))
        handles = {each.power: each.person.handle for each in readers if each.power}
        mailer = self._mailer(step.after)
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
        year_ends = phase_results.is_year_end(
            self.board, step.before.position, payloads.position_from_payload(closed.after)
        )

        @cache
        def shared() -> phase_results.SharedResults:
            centers = [*self._centers(step).items()][-YEARS_IN_RESULTS:] if year_ends else ()
            return phase_results.shared_results(
                self.board,
                step.before,
                closed,
                step.after,
                judge_code=self.judge.code,
                closing=self._closing(step),
                centers=dict(centers),
            )

        def pages(reader: Recipient) -> tuple[Context, ...]:
            results = phase_results.results_for_reader(
                self.board, step.after, shared(), reader.power, visibility_for(reader)
            )
            return results, *self._press_reader(step).readable(step.before.unread, reader)

        readers, cause = recipients_of(self.transaction, step.after), f"{step.cause}:PhaseResults"
        self._mailer(step.after).write_each(readers, cause, "phase_results", pages)

    def _end(self, step: Step) -> None:
        @cache
        def over() -> game_history.GameOver:
            game = step.after
            assert game.ending is not None, "the game is over"
            return game_history.GameOver(
                heading=heading_of(self.board, game, self.judge.code),
                ending=game.ending,
                was_due=step.before.phase.deadline if step.before.phase else None,
                centers=self._centers(step),
                closing=self._closing(step),
            )

        def pages(reader: Recipient) -> tuple[Context, ...]:
            return over(), *self._press_reader(step).readable(step.before.unread, reader)

        readers, cause = recipients_of(self.transaction, step.after), f"{step.cause}:GameOver"
        self._mailer(step.after).write_each(readers, cause, "game_over", pages)

    def _mailer(self, game: Game) -> GameMailer:
        return self.made_by(self.judge, self.transaction, game, self.now)

    def _game_news(self, game: Game, reader: Power | None, news: game_news.News) -> Context:
        return game_news.game_news(self.board, game, reader, news, judge_code=self.judge.code)

    def _closing(self, step: Step) -> ClosingEvent | None:
        event = ClosingEvent(step.recorded.game, step.recorded.version, whole=True)
        return closing_at(self.judge, self.transaction, event)

    def _press_reader(self, step: Step) -> PressReader:
        return PressReader(self.judge, self.transaction, self.board, step.after)

    def _centers(self, step: Step) -> CentersByYear:
        """Count the centers from the last count on, or anew if the game was rolled back since."""
        name, cache = step.recorded.game, self.judge.game_cache.centers
        until, centers = cache.get(name, (Head(), {}))
        events, last = self.transaction.events, step.after.version
        log = events.read(name, max(until.version - 1, 0), last)
        # Those of an earlier time are counted anew, too.
        undone = bool(centers) and not (log and log[0].hash == until.hash)
        if undone or any(isinstance(each.event, ROLLBACKS) for each in log):
            centers, log = {}, events.read(name, 0, last)
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
            case seats.PowerVacated(power=power, reason=reason):
                left = reader == power and reason == seats.RESIGNED
                return (
                    notices.CivilDisorder(
                        heading=heading_of(board, game, code), power=power, reason=reason
                    )
                    if power in self.abandoned
                    else notices.vacancy(board, game, power, reason, left=left, judge_code=code)
                )
            case seats.PowerTakenOver(power=power):
                return notices.takeover(board, game, power, reader, judge_code=code)
            case seats.CivilDisorderDeclared(power=power):
                return notices.CivilDisorder(heading=heading_of(board, game, code), power=power)
            case deadlines.PowerProtected(power=power):
                return notices.protection(board, game, power, judge_code=code)
            case _:
                assert_never(event)

    def _statement(self, step: Step, made: diaries.StatementMade) -> None:
        lines = Diaries(self.judge, self.transaction, step.after).lines(made)
        if not lines:  # Its author was erased meanwhile.
            return
        news = self._game_news(step.after, None, game_news.NewStatement(made.power, lines))
        self._to_all(step, lambda _: news)

    def _notify_person(self, step: Step) -> None:
        """Notify a person without a power, if *step* concerns them alone."""
        concerned = _private_news(step.before, step.recorded.event)
        person = self.transaction.people.get(concerned[0]) if concerned else None
        if concerned is None or person is None:
            return
        news = concerned[1]
        self._mailer(step.after).write(
            self._game_news(step.after, None, news),
            Recipient(person, None),
            f"{step.cause}:{type(news).__name__}",
        )

    def _news(self, step: Step, event: Newsworthy) -> None:
        mailer = self._mailer(step.after)
        # Players who lose their power get the notice, too.
        unstarted = isinstance(event, rollback.GameUnstarted)
        for reader in recipients_of(self.transaction, step.before if unstarted else step.after):
            news = _news_of_event(self.transaction, step.before, step.recorded, event, reader)
            if news:
                context = self._game_news(step.after, reader.power, news)
                cause = f"{step.cause}:{type(news).__name__}"
                match news:
                    case game_news.DrawProposal(number=number):
                        mailer.ask(context, reader, cause, voting.proposal_mark(number))
                    case game_news.PauseProposed():
                        mailer.ask(context, reader, cause, deadlines.pause_mark(step.before))
                    case game_news.ExtensionRequested(power=power):
                        mailer.ask(context, reader, cause, deadlines.extension_mark(power))
                    case _:
                        mailer.write(context, reader, cause)


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


def _position_reached(event: Event) -> Position | None:
    match event:
        case PhaseClosed(after=reached) | PhaseRecorded(position=reached):
            return payloads.position_from_payload(reached)
        case _:
            return None


def _news_of_event(  # noqa: C901, PLR0911, PLR0912 - one flat match
    transaction: Transaction,
    before: Game,
    recorded: Recorded,
    event: Newsworthy,
    reader: Recipient,
) -> game_news.News | None:
    """Return the notice of *event* for *reader*, None if there is none."""
    match event:
        case rollback.GameRolledBack(version=since, undone=undone, reason=reason):
            messages = _press_received(transaction, since, recorded, reader)
            restored = bool(event.standing)
            return game_news.RolledBack(undone, messages, reason, restored=restored)
        case rollback.GameRolledForward(redone=redone, reason=reason, standing=standing):
            return game_news.RolledForward(redone, reason, restored=bool(standing))
        case rollback.GameUnstarted(reason=reason):
            assert before.position is not None, "its first phase was open"
            return game_news.Unstarted(before.position.phase.code, reason)
        case rollback.PositionCorrected(reason=reason):
            return game_news.Corrected(reason)
        case moderator_actions.HouseRulesChanged(rules):
            rulebook = rulebook_name(before.rulebook)
            return game_news.rules_changed(before.house_rules, from_payload(rules), rulebook)
        case deadlines.GamePaused(reason=reason):
            return game_news.Paused(reason)
        case deadlines.GameResumed():
            return game_news.Resumed()
        case deadlines.PauseVoted(power):
            first = event.in_favor and not before.pause_votes
            proposed = game_news.PauseProposed(resume=before.paused is not None)
            return proposed if first and reader.power not in (None, power) else None
        case voting.DrawProposed():
            return _draw_proposal(before, event, reader)
        case voting.ProposalEnded(number, _, reason):
            return game_news.DrawProposalOver(number, reason)
        case standbys.PlaceAsked(person, power=power):
            handle = _handle(transaction, person)
            return game_news.JoinRequested(handle, power) if reader.moderates else None
        case moderator_actions.ModeratorChanged(moderator):
            return game_news.NewModerator(_handle(transaction, moderator))
        case absences.AbsenceSet(power, begins=begins, ends=ends):
            last = payloads.parse_instant(ends) - timedelta(minutes=1)  # on the last day
            return game_news.AbsenceAnnounced(power, payloads.parse_instant(begins), last)
        case absences.AbsenceCleared(power):
            return game_news.AbsenceAnnounced(power)
        case deadlines.ExtensionAsked(power, reason=reason):
            asked = game_news.ExtensionRequested(power, event.length, reason)
            return asked if reader.moderates else None
        case deadlines.ExtensionRefused(power):
            return game_news.ExtensionDenied() if reader.power == power else None
        case _:
            assert_never(event)


def _draw_proposal(before: Game, event: voting.DrawProposed, reader: Recipient) -> game_news.News:
    hidden = before.house_rules.hide_proposer and reader.power != event.power
    return game_news.DrawProposal(
        event.proposal,
        None if hidden else event.power,
        event.among or survivors(before),
        event.phases,
        silence=before.house_rules.silence is Silence.YES,
    )


def _private_news(before: Game, event: Event) -> tuple[str, game_news.News] | None:
    """Return the only person concerned by *event* and their notice."""
    match event:
        case standbys.PlaceOffered(power, person, until):
            return person, game_news.PowerOffered(power, payloads.parse_instant(until))
        case standbys.OfferEnded(power, person, reason) if reason == standbys.LAPSED:
            return person, game_news.OfferExpired(power)
        case standbys.PlaceDenied(person):
            return person, game_news.NotAdmitted()
        case joining.PlayerJoined(person) if (
            person in before.applicants or person in before.standbys
        ):
            return person, game_news.Admitted(waits=False)
        case standbys.StandbyCame(person) if person in before.applicants:
            return person, game_news.Admitted(waits=True)
        case _:
            return None


def _handle(transaction: Transaction, person_id: str) -> str:
    person = transaction.people.get(person_id)
    return person.handle if person else ""


def _press_received(
    transaction: Transaction, since: int, until: Recorded, reader: Recipient
) -> int:
    """Count the press messages that reached *reader* between two events."""
    sent = (each.event for each in transaction.events.read(until.game, since, until.version - 1))
    return sum(isinstance(each, PressSent) and reader.is_among(each.recipients) for each in sent)
