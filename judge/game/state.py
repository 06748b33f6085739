"""What is so after an event. What is in the log has happened: nothing here can say no."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import TypeAlias, TypeVar, assert_never

from judge.events.changes import Change
from judge.events.codec import TYPES, UPCASTERS, Codec
from judge.events.memoirs import Memoir
from judge.events.places import Place
from judge.events.planning import OrdersPlanned
from judge.events.proposals import Proposing
from judge.events.store import Recorded
from judge.events.types import (
    CivilDisorderDeclared,
    ConcessionVoted,
    DeadlineMoved,
    DeadlinePassed,
    DrawVoted,
    GameBranched,
    GameCreated,
    GameEnded,
    GameImported,
    GameStarted,
    OrdersCleared,
    OrdersSubmitted,
    OrdersViewed,
    PhaseClosed,
    PhaseOpened,
    PhaseRecorded,
    PlayerJoined,
    PlayerLeft,
    PowerProtected,
    PowerTakenOver,
    PowerVacated,
    PreferencesSet,
    PressSent,
    ReadySet,
    WaitSet,
)
from judge.events.value import Event
from judge.game import course, house_rules, memories, proposals, seeking
from judge.game.game import Ending, Game, OpenPhase, Origin, Seat, SeatState, Stage
from judge.game.instants import from_text, to_text
from judge.game.kept import Plan
from judge.game.verdicts import position_from_payload
from judge.rules import rulebook
from judge.rules.board import Map
from judge.rules.types import Phase, PhaseKind, Power

# The reasons of a deadline moved for those who sent no orders: at the start, and by a house rule.
FIRST_SPRING, NMR = "first_spring", "nmr"

Entry: TypeAlias = PlayerJoined | PreferencesSet | PlayerLeft | GameStarted
Seating: TypeAlias = PowerVacated | PowerTakenOver | CivilDisorderDeclared
Vote: TypeAlias = DrawVoted | ConcessionVoted
Course: TypeAlias = PhaseRecorded | PhaseOpened | PhaseClosed | PowerProtected | GameEnded
Saying: TypeAlias = (
    OrdersSubmitted
    | OrdersCleared
    | WaitSet
    | ReadySet
    | DeadlineMoved
    | DeadlinePassed
    | OrdersViewed
)
Key = TypeVar("Key")
Held = TypeVar("Held")


CODEC = Codec(TYPES, UPCASTERS)


def replay(board: Map, recorded: Iterable[Recorded]) -> Game | None:
    """Return the game that a log tells of, None if it tells nothing."""
    start: Game | None = None
    return reduce(lambda game, each: evolve(board, game, each.event), recorded, start)


def evolve(board: Map, game: Game | None, event: Event) -> Game:  # noqa: C901, PLR0912 - one flat match over all events
    """Return *game*, which is None before its first event, as *event* leaves it."""
    if isinstance(event, GameCreated):
        return _created(event)
    assert game is not None, "a log begins with the creation of its game"
    match event:
        case GameImported() | GameBranched():
            after = _taken_in(board, game, event)
        case PlayerJoined() | PreferencesSet() | PlayerLeft() | GameStarted():
            after = _entered(board, game, event)
        case PowerVacated() | PowerTakenOver() | CivilDisorderDeclared():
            after = _seated(game, event)
        case DrawVoted() | ConcessionVoted():
            after = _voted(game, event)
        case PhaseRecorded() | PhaseOpened() | PhaseClosed() | PowerProtected() | GameEnded():
            after = _moved_on(game, event)
        case PressSent():
            after = memories.sent(game, event)
        case event if isinstance(event, Change | Place | Proposing | Memoir):
            after = _changed(game, event)
        case OrdersPlanned():
            after = _planned(game, event)
        case (
            OrdersSubmitted()
            | OrdersCleared()
            | WaitSet()
            | ReadySet()
            | DeadlineMoved()
            | DeadlinePassed()
            | OrdersViewed()
        ):
            after = _heard(game, event)
        case _:
            raise TypeError(f"no event of a game: {event!r}")
    return replace(after, version=game.version + 1)


def _changed(game: Game, event: Change | Place | Proposing | Memoir) -> Game:
    if isinstance(event, Memoir):
        return memories.changed(game, event)
    if isinstance(event, Change):
        return course.changed(game, event)
    if isinstance(event, Proposing):
        return proposals.changed(game, event)
    return seeking.changed(game, event)


def _created(event: GameCreated) -> Game:
    return Game(
        name=event.game,
        variant=event.variant,
        rulebook=rulebook.from_payload(
            {question: str(choice) for question, choice in event.rulebook.items()}
        ),
        house_rules=house_rules.from_payload(event.house_rules),
        moderator=event.moderator,
        version=1,
    )


def _taken_in(board: Map, game: Game, event: Origin) -> Game:
    """Let nobody play a game that began elsewhere, until its powers are taken over."""
    until = from_text(event.takeover_until) if event.takeover_until else None
    vacant = Seat(None, SeatState.VACANT, until)
    seats = dict.fromkeys(board.powers, vacant)
    return replace(game, stage=Stage.PLAYING, seats=seats, origin=event)


def _entered(board: Map, game: Game, event: Entry) -> Game:
    match event:
        case PlayerJoined(person, preferences) | PreferencesSet(person, preferences):
            game = seeking.found(game, person)
            return replace(game, joined=_with(game.joined, person, preferences))
        case PlayerLeft(person):
            return replace(game, joined=_without(game.joined, person))
        case GameStarted(seats):
            dummy = Seat(None, SeatState.CIVIL_DISORDER)
            seated = {
                power: Seat(seats[power]) if power in seats else dummy for power in board.powers
            }
            return replace(game, stage=Stage.PLAYING, seats=seated, position=board.start)
        case _:
            assert_never(event)


def _seated(game: Game, event: Seating) -> Game:
    power = event.power
    match event:
        case PowerVacated():
            until = from_text(event.takeover_until)
            seat = Seat(event.person, SeatState.VACANT, until)
            game = replace(
                game,
                draw_votes=game.draw_votes - {power},
                draw_lists=_without(game.draw_lists, power),
                concessions=_without(game.concessions, power),
                phase=game.phase and _unsaid(game.phase, power),
                waits=_waits_without(game, power),
            )
            game = proposals.without_votes(game, power)
        case PowerTakenOver(person=person):
            seat = Seat(person)
            game = seeking.found(game, person, power)
        case CivilDisorderDeclared():
            seat = replace(game.seats[power], state=SeatState.CIVIL_DISORDER, takeover_until=None)
            game = replace(
                game,
                phase=game.phase and _silenced(game.phase, power),
                plans=_without(game.plans, power),
                waits=_waits_without(game, power),
            )
        case _:
            assert_never(event)
    return replace(game, seats=_with(game.seats, power, seat))


def _protected(game: Game, event: PowerProtected) -> Game:
    assert game.phase is not None, "grace is of an open phase"
    assert game.position is not None
    return replace(
        game,
        phase=replace(game.phase, grace_end=from_text(event.grace_end)),
        protected=_with(game.protected, event.person, game.position.phase.year),
    )


def _planned(game: Game, event: OrdersPlanned) -> Game:
    others = _without(game.plans.get(event.power, {}), event.later)
    plan = Plan(
        event.wishes,
        event.person,
        event.mail,
        event.evidence,
        event.nonce,
        from_text(event.received),
    )
    kept = _with(others, event.later, plan) if event.wishes else others
    return replace(game, plans=_with(game.plans, event.power, kept))


def _waits_without(game: Game, power: Power) -> Mapping[str, frozenset[Power]]:
    return {code: powers - {power} for code, powers in game.waits.items()}


def _unsaid(phase: OpenPhase, power: Power) -> OpenPhase:
    """Take back the WAIT and the READY of a player who is gone; whoever comes says his own."""
    return replace(
        phase,
        waiting=phase.waiting - {power},
        ready=phase.ready - {power},
        planned=_without(phase.planned, power),
    )


def _silenced(phase: OpenPhase, power: Power) -> OpenPhase:
    """Take away the orders of a power in civil disorder: its units hold."""
    return replace(
        phase,
        standing=_without(phase.standing, power),
        planned=_without(phase.planned, power),
    )


def _voted(game: Game, event: Vote) -> Game:
    match event:
        case DrawVoted(power, in_favor=in_favor, among=among):
            votes = _member(game.draw_votes, power, is_in=in_favor)
            lists = _without(game.draw_lists, power)
            lists = _with(lists, power, among) if among is not None and in_favor else lists
            return replace(game, draw_votes=votes, draw_lists=lists)
        case ConcessionVoted(power, to=to):
            others = _without(game.concessions, power)
            return replace(game, concessions=_with(others, power, to) if to else others)
        case _:
            assert_never(event)


def _moved_on(game: Game, event: Course) -> Game:
    match event:
        case PhaseRecorded():
            return replace(game, position=position_from_payload(event.position))
        case PhaseOpened():
            position = position_from_payload(event.position)
            new_turn = position.phase.kind is PhaseKind.MOVEMENT  # which clears the votes
            return replace(
                game,
                position=position,
                phase=OpenPhase(
                    number=event.number,
                    opened=from_text(event.opened),
                    deadline=from_text(event.deadline),
                    grace_end=from_text(event.grace_end),
                    waiting=game.waits.get(event.phase, frozenset()),
                    planned=_plans_for(game, event.phase),
                ),
                plans=_still_to_come(game, position.phase),
                waits={c: who for c, who in game.waits.items() if Phase.parse(c) > position.phase},
                draw_votes=frozenset() if new_turn else game.draw_votes,
                draw_lists={} if new_turn else game.draw_lists,
                concessions={} if new_turn else game.concessions,
            )
        case PhaseClosed():
            moved = game.position and game.position.phase.kind is PhaseKind.MOVEMENT
            game = proposals.one_phase_less(game) if moved else game
            return replace(
                game, position=position_from_payload(event.after), phase=None, unread=()
            )
        case PowerProtected():
            return _protected(game, event)
        case GameEnded():
            ending = Ending(event.result, event.winners)
            return replace(game, stage=Stage.ENDED, phase=None, ending=ending, unread=())
        case _:
            assert_never(event)


def _plans_for(game: Game, code: str) -> dict[Power, Plan]:
    return {power: plans[code] for power, plans in game.plans.items() if code in plans}


def _still_to_come(game: Game, phase: Phase) -> dict[Power, dict[str, Plan]]:
    """Return the plans for what comes after *phase*; those for phases passed over are lost."""
    return {
        power: {code: plan for code, plan in plans.items() if Phase.parse(code) > phase}
        for power, plans in game.plans.items()
    }


def _heard(game: Game, event: Saying) -> Game:
    """Note what is said in the open phase, of that or, of waiting, of one to come."""
    assert game.phase is not None, "this is said in an open phase"
    assert game.position is not None
    if isinstance(event, WaitSet) and event.phase != game.position.phase.code:
        powers = game.waits.get(event.phase, frozenset())
        powers = _member(powers, event.power, is_in=event.wait)
        return replace(game, waits=_with(game.waits, event.phase, powers))
    return replace(game, phase=_said(game.phase, event))


def _said(phase: OpenPhase, event: Saying) -> OpenPhase:
    match event:
        case OrdersSubmitted() | OrdersCleared():
            said = _ordered(phase, event)
        case WaitSet(power, wait=wait):
            said = replace(phase, waiting=_member(phase.waiting, power, is_in=wait))
        case ReadySet(power, ready=ready):
            said = replace(phase, ready=_member(phase.ready, power, is_in=ready))
        case DeadlineMoved():
            said = replace(
                phase,
                deadline=from_text(event.deadline),
                grace_end=from_text(event.grace_end),
                passed=False,
                late=frozenset(),
                extended=phase.extended or event.reason in (FIRST_SPRING, NMR),
                asked=phase.asked if event.deadline == to_text(phase.deadline) else {},
            )
        case DeadlinePassed(late=late, grace_end=end):
            said = replace(phase, passed=True, late=frozenset(late), grace_end=from_text(end))
        case OrdersViewed(reason=reason):
            said = replace(phase, viewed=(*phase.viewed, reason))
        case _:
            assert_never(event)
    return said


def _ordered(phase: OpenPhase, event: OrdersSubmitted | OrdersCleared) -> OpenPhase:
    """Let the new set stand; the same set sent again is no change that anybody must wait after."""
    same = phase.standing.get(event.power, ()) == event.standing
    received = from_text(event.received)
    plan = phase.planned.get(event.power)
    in_advance = plan is not None and plan.mail == event.mail and received == phase.opened
    return replace(
        phase,
        planned=phase.planned if in_advance else _without(phase.planned, event.power),
        standing=_with(phase.standing, event.power, event.standing),
        nonces=_with(phase.nonces, event.power, event.nonce),
        given=_with(phase.given, event.power, received),
        changed=phase.changed if same else max(received, phase.changed or received),
    )


def _with(held: Mapping[Key, Held], key: Key, value: Held) -> dict[Key, Held]:
    return {**held, key: value}


def _without(held: Mapping[Key, Held], key: Key) -> dict[Key, Held]:
    return {each: value for each, value in held.items() if each != key}


def _member(powers: frozenset[Power], power: Power, *, is_in: bool) -> frozenset[Power]:
    return powers | {power} if is_in else powers - {power}
