"""Pauses, extensions, absences, observers and moderator commands in a running game."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from judge.game.absences import ClearAbsence, SetAbsence
from judge.game.clock import CreditOutage, ProcessNow, next_due, reminders, reminders_due
from judge.game.commands import Command
from judge.game.deadlines import (
    AnswerExtension,
    AskExtension,
    DeadlineMoved,
    DeadlinePassed,
    ExtensionAsked,
    GamePaused,
    GameResumed,
    Pause,
    ResumeGame,
    VotePause,
    extension_answered,
    extension_mark,
    may_vote_on_pause,
    pause_mark,
)
from judge.game.decision import Why
from judge.game.game_state import Game, SeatState, Stage
from judge.game.house_rules import Absences, HouseRules, ModeratorSees, Nmr
from judge.game.moderator_actions import ChangeRules, Observe, Terminate
from judge.game.phases import PhaseClosed
from judge.game.players.joining import Resign
from judge.game.players.seats import Eject, PowerVacated
from judge.game.voting import GameEnded
from tests.unit.game.table import (
    BOARD,
    DAY,
    DEADLINE,
    HOUR,
    MINUTE,
    MONDAY,
    STANDARD,
    after,
    all_hold,
    created,
    deadline_of,
    draw,
    given,
    happened,
    in_phase,
    look,
    phase_of,
    refused,
    started,
    submit,
)

PAUSE, GO_ON = Pause("the moderator is ill", "mod"), ResumeGame("mod")
EXCUSE = HouseRules(absences=Absences.EXCUSE, first_spring_extension_hours=0 * HOUR)
UNPROTECTED = HouseRules(first_spring_extension_hours=0 * HOUR)


def at(game: Game, command: Command, now: datetime) -> Game:
    """Return *game* after *command* at *now*."""
    return after(game, *happened(game, command, now))


def away(power: str, begins: datetime, ends: datetime) -> SetAbsence:
    return SetAbsence(power, power.lower(), begins, ends)


def pause_vote(power: str, *, pause: bool = True) -> VotePause:
    return VotePause(power, power.lower(), pause, "nonce")


class TestPause:
    def test_nothing_is_due_in_a_paused_game_and_nobody_is_reminded(self) -> None:
        game = given(started(), PAUSE)

        assert next_due(BOARD, game) is None
        assert reminders(game) == ()
        assert reminders_due(BOARD, game, DEADLINE - HOUR) == ()
        assert happened(game, look(DEADLINE + DAY)) == ()

    def test_a_resumed_game_has_the_time_that_was_left(self) -> None:
        game = at(given(started(), PAUSE), GO_ON, MONDAY + 3 * DAY)

        assert deadline_of(game) == DEADLINE + 3 * DAY
        assert game.phase
        assert game.phase.grace_end == DEADLINE + 4 * DAY
        assert game.paused is None

    def test_grace_and_takeovers_keep_their_remaining_time(self) -> None:
        late = at(
            started(UNPROTECTED),
            look(DEADLINE),
            DEADLINE,
        )
        left = at(late, Resign("turkey"), DEADLINE)
        paused = at(left, PAUSE, DEADLINE)
        until = paused.seats["TURKEY"].takeover_until

        game = at(paused, GO_ON, DEADLINE + DAY)

        assert game.phase
        assert game.phase.passed
        assert (deadline_of(game), game.phase.grace_end) == (DEADLINE, DEADLINE + 2 * DAY)
        assert until
        assert game.seats["TURKEY"].takeover_until == until + DAY

    def test_a_game_is_paused_once_and_resumed_once(self) -> None:
        assert refused(started(), GO_ON) is Why.NOT_PAUSED
        assert refused(given(started(), PAUSE), PAUSE) is Why.NOTHING_CHANGED
        assert refused(created(), PAUSE) is Why.NOT_STARTED

    def test_an_outage_of_the_judge_moves_no_paused_deadline(self) -> None:
        assert happened(given(started(), PAUSE), CreditOutage(MONDAY), MONDAY + DAY) == ()

    def test_all_players_together_pause_and_resume_a_game(self) -> None:
        *others, last = BOARD.powers
        game = given(started(), *map(pause_vote, others))
        assert game.paused is None

        assert isinstance(happened(game, pause_vote(last))[-1], GamePaused)
        paused = given(game, pause_vote(last))
        assert refused(paused, pause_vote(last)) is Why.NOTHING_CHANGED

        willing = given(paused, *(pause_vote(power, pause=False) for power in others))
        assert isinstance(happened(willing, pause_vote(last, pause=False))[-1], GameResumed)

    def test_a_vote_for_a_pause_can_be_taken_back(self) -> None:
        game = given(started(), pause_vote("ITALY"), pause_vote("ITALY", pause=False))

        assert game.pause_votes == frozenset()


class TestExtensions:
    ASK = AskExtension("ITALY", "italy", 24 * HOUR, "my exam")

    def test_more_time_is_asked_for_and_granted(self) -> None:
        assert happened(started(), self.ASK) == (
            ExtensionAsked("ITALY", "italy", "S1901M", 24, "my exam"),
        )
        [moved] = happened(
            given(started(), self.ASK), AnswerExtension("ITALY", granted=True, by="mod")
        )
        assert isinstance(moved, DeadlineMoved)
        assert moved.deadline == "2026-12-01T20:00:00Z"

    def test_minutes_are_added_to_the_deadline_itself(self) -> None:
        ask = replace(self.ASK, length=15 * MINUTE)

        assert happened(started(), ask) == (
            ExtensionAsked("ITALY", "italy", "S1901M", 0, "my exam", minutes=15),
        )
        [moved] = happened(given(started(), ask), AnswerExtension("ITALY", granted=True, by="mod"))
        assert isinstance(moved, DeadlineMoved)
        assert moved.deadline == "2026-11-30T20:15:00Z"
        game = given(started(), self.ASK, AnswerExtension("ITALY", granted=True, by="mod"))
        assert game.phase
        assert game.phase.asked == {}

    def test_more_time_is_refused(self) -> None:
        game = given(started(), self.ASK, AnswerExtension("ITALY", granted=False, by="mod"))

        assert game.phase
        assert (deadline_of(game), game.phase.asked) == (DEADLINE, {})

    def test_a_request_that_was_not_made_is_not_answered(self) -> None:
        answer = AnswerExtension("ITALY", granted=True, by="mod")

        assert refused(started(), answer) is Why.NO_REQUEST
        assert refused(given(started(), self.ASK), self.ASK) is Why.NOTHING_CHANGED

    def test_a_request_for_time_needs_a_moderator_and_an_open_deadline(self) -> None:
        alone = replace(started(), moderator=None)
        late = at(
            started(UNPROTECTED),
            look(DEADLINE),
            DEADLINE,
        )

        assert refused(alone, self.ASK) is Why.NOBODY_TO_ASK
        assert refused(late, self.ASK) is Why.TOO_LATE
        assert refused(started(), replace(self.ASK, length=0 * HOUR)) is Why.DEADLINE_TOO_FAR
        assert refused(started(), replace(self.ASK, person="france")) is Why.NOT_A_PLAYER


class TestAbsences:
    def test_an_absence_moves_the_next_deadline_and_not_the_open_one(self) -> None:
        game = given(started(), away("ITALY", MONDAY, MONDAY + 14 * DAY))
        assert deadline_of(game) == DEADLINE

        game = given(game, *all_hold(game))
        game = at(game, look(MONDAY + DAY), MONDAY + DAY)

        assert phase_of(game) == "F1901M"
        # Italy is back on Monday the 7th at noon and gets a day to order.
        assert deadline_of(game) == datetime.fromisoformat("2026-12-08T20:00Z")

    def test_an_absence_with_nothing_to_order_moves_no_deadline(self) -> None:
        centers = {"FRANCE": "PAR BRE", "ITALY": "ROM"}
        game = in_phase("F1901M", {"FRANCE": "A PAR", "ITALY": "A ROM"}, centers)
        away_italy = away("ITALY", MONDAY, MONDAY + 10 * DAY)
        away_france = away("FRANCE", MONDAY, MONDAY + 10 * DAY)

        winter = given(given(game, away_italy), ProcessNow("mod"))
        assert phase_of(winter) == "W1901A"
        assert deadline_of(winter) < MONDAY + 3 * DAY
        assert deadline_of(given(given(game, away_france), ProcessNow("mod"))) > MONDAY + 10 * DAY

    def test_a_retreat_waits_for_an_absent_player_who_must_retreat(self) -> None:
        game = in_phase("S1902M", {"AUSTRIA": "A TYR, A TRI", "ITALY": "A VEN"}, {"ITALY": "VEN"})
        attacked = given(
            game,
            submit("AUSTRIA", "A TYR - VEN, A TRI S A TYR - VEN"),
            away("ITALY", MONDAY, MONDAY + 9 * DAY),
        )

        retreat = given(attacked, ProcessNow("mod"))

        assert phase_of(retreat) == "S1902R"
        assert deadline_of(retreat) > MONDAY + 9 * DAY

    def test_a_vacant_power_has_no_absence(self) -> None:
        game = given(started(), away("ITALY", MONDAY, MONDAY + 9 * DAY), Resign("italy"))

        assert deadline_of(given(game, ProcessNow("mod"))) < MONDAY + 9 * DAY

    def test_an_excused_player_keeps_the_power_and_the_units_hold(self) -> None:
        game = started(replace(EXCUSE, nmr=Nmr.STANDBY))
        game = given(game, away("TURKEY", DEADLINE - DAY, DEADLINE + DAY))
        game = given(game, *all_hold(game, but="TURKEY"))
        events = happened(game, look(DEADLINE + 2 * DAY))

        assert [type(each) for each in events][:2] == [DeadlinePassed, PhaseClosed]

    def test_another_late_player_is_not_excused(self) -> None:
        game = started(EXCUSE)
        game = given(game, away("TURKEY", DEADLINE - DAY, DEADLINE + DAY))
        game = given(
            game, *(each for each in all_hold(game) if each.power not in {"TURKEY", "ITALY"})
        )

        events = happened(game, look(DEADLINE + 2 * DAY))

        assert [e.power for e in events if isinstance(e, PowerVacated)] == ["ITALY"]
        assert not any(isinstance(e, PhaseClosed) for e in events)

    def test_an_absence_can_be_taken_back(self) -> None:
        game = given(
            started(), away("ITALY", MONDAY, MONDAY + 9 * DAY), ClearAbsence("ITALY", "italy")
        )

        assert game.absences == {}
        assert refused(game, ClearAbsence("ITALY", "italy")) is Why.NOTHING_CHANGED

    @pytest.mark.parametrize(
        ("begins", "ends", "why"),
        [
            pytest.param(MONDAY - 2 * DAY, MONDAY - DAY, Why.DEADLINE_IN_PAST, id="gone by"),
            pytest.param(MONDAY + DAY, MONDAY, Why.DEADLINE_IN_PAST, id="backwards"),
            pytest.param(MONDAY, MONDAY + 16 * DAY, Why.ABSENT_TOO_LONG, id="too long"),
            pytest.param(
                MONDAY + 400 * DAY, MONDAY + 401 * DAY, Why.ABSENT_TOO_LONG, id="too far"
            ),
        ],
    )
    def test_an_absence_has_its_limits(self, begins: datetime, ends: datetime, why: Why) -> None:
        assert refused(started(), away("ITALY", begins, ends)) is why

    def test_a_player_has_at_most_three_absences(self) -> None:
        spans = [MONDAY + timedelta(days=10 * i) for i in range(4)]
        three = [away("ITALY", each, each + DAY) for each in spans[:3]]

        assert refused(given(started(), *three[:2]), three[0]) is Why.NOTHING_CHANGED
        assert refused(given(started(), *three), away("ITALY", spans[3], spans[3] + DAY)) is (
            Why.ABSENT_TOO_LONG
        )

    def test_absences_can_be_disabled(self) -> None:
        game = started(replace(STANDARD, absences=Absences.NOTHING))

        assert refused(game, away("ITALY", MONDAY, MONDAY + DAY)) is Why.NO_ABSENCES


class TestObservers:
    def test_anybody_outside_the_game_may_observe(self) -> None:
        game = given(started(), Observe("anna", on=True))

        assert game.observers == ("anna",)
        assert game.knows("anna")
        assert refused(game, Observe("anna", on=True)) is Why.NOTHING_CHANGED
        assert refused(game, Observe("italy", on=True)) is Why.ALREADY_IN
        assert given(game, Observe("anna", on=False)).observers == ()

    def test_observers_are_refused_by_rule_and_after_the_end(self) -> None:
        closed = started(replace(STANDARD, observers=False))
        over = given(started(), *map(draw, BOARD.powers))

        assert refused(closed, Observe("anna", on=True)) is Why.NO_OBSERVERS
        assert refused(over, Observe("anna", on=True)) is Why.GAME_OVER


class TestModerator:
    def test_changed_house_rules_apply_from_then_on(self) -> None:
        game = given(started(), ChangeRules(replace(STANDARD, movement_hours=24 * HOUR), "mod"))

        assert game.house_rules.movement_hours == 24 * HOUR
        assert deadline_of(game) == DEADLINE

    def test_changed_rules_must_be_sound_and_keep_promises(self) -> None:
        bad = replace(STANDARD, zone="Mars")
        seeing = replace(STANDARD, moderator_sees=ModeratorSees.ORDERS)
        over = given(started(), *map(draw, BOARD.powers))

        assert refused(started(), ChangeRules(STANDARD, "mod")) is Why.NOTHING_CHANGED
        assert refused(started(), ChangeRules(bad, "mod")) is Why.BAD_HOUSE_RULES
        assert refused(started(), ChangeRules(seeing, "mod")) is Why.ALREADY_STARTED
        assert refused(over, ChangeRules(seeing, "mod")) is Why.GAME_OVER
        assert given(created(), ChangeRules(seeing, "mod")).house_rules == seeing

    def test_a_game_is_ended_without_a_result(self) -> None:
        assert happened(started(), Terminate("mod")) == (GameEnded("S1901M", "abandoned", ()),)

    def test_a_player_is_removed(self) -> None:
        game = given(started(), Eject("ITALY", "mod"))

        assert game.seats["ITALY"].state is SeatState.VACANT
        assert refused(game, Eject("ITALY", "mod")) is Why.NOTHING_CHANGED
        assert refused(game, Eject("KLINGONS", "mod")) is Why.UNKNOWN_POWER

    def test_removing_a_player_may_complete_a_vote(self) -> None:
        game = given(started(), *(draw(power) for power in BOARD.powers if power != "ITALY"))

        assert given(game, Eject("ITALY", "mod")).stage is Stage.ENDED


def test_a_reply_answers_the_vote_on_a_pause_or_the_request_for_time_that_is_open() -> None:
    asked = given(started(), AskExtension("FRANCE", "france", DAY, ""))
    proposed = given(started(), pause_vote("FRANCE"))

    assert extension_answered(asked, extension_mark("FRANCE")) == "FRANCE"
    assert extension_answered(asked, extension_mark("ITALY")) is None
    assert extension_answered(created(), extension_mark("FRANCE")) is None
    assert (pause_mark(proposed), pause_mark(given(proposed, PAUSE))) == ("pause", "resume")
    assert may_vote_on_pause(proposed, "ITALY")
    assert not may_vote_on_pause(proposed, "FRANCE")
    assert not may_vote_on_pause(started(), "ITALY")
