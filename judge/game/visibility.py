"""What a reader may see of a game: of others' orders nothing before the phase closes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias, assert_never

from judge.events.types import PressSent
from judge.game import fog
from judge.game.commands import SendPress
from judge.game.game import Ending, Game, OpenPhase, SeatState, Stage
from judge.game.house_rules import DrawAmong, ModeratorSees
from judge.game.kept import Plan
from judge.game.needs import survivors
from judge.rules.board import Map
from judge.rules.types import Position, Power


@dataclass(frozen=True, slots=True)
class Player:
    """Whoever plays *power*, also when it is eliminated."""

    power: Power


@dataclass(frozen=True, slots=True)
class Moderator:
    """Whoever moderates the game."""


@dataclass(frozen=True, slots=True)
class Operator:
    """Whoever runs the judge."""


@dataclass(frozen=True, slots=True)
class Inspector:
    """Whoever may see the orders held because it was recorded that he looks (`OrdersViewed`)."""


@dataclass(frozen=True, slots=True)
class Observer:
    """Anybody."""


Reader: TypeAlias = Player | Moderator | Operator | Inspector | Observer


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseView:
    """What a reader sees of the open phase; of powers that are not his he sees only who is late.

    *ordered* are those known to him to have given orders.
    """

    number: int
    deadline: datetime
    grace_end: datetime
    passed: bool
    late: frozenset[Power]
    standing: Mapping[Power, tuple[str, ...]]
    ordered: frozenset[Power]
    waiting: frozenset[Power]
    ready: frozenset[Power]
    planned: Mapping[Power, Plan] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalView:
    """What a reader sees of a proposal: *by* whom it is, and who *accepted*, if he may know."""

    number: int
    by: Power | None
    among: tuple[Power, ...]
    phases: int
    accepted: frozenset[Power]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """What a reader sees of a game; *people* are the players known to him, by power.

    *waits* are the later phases that he wants not closed early, *draw_lists* say among whom powers
    would accept a draw, where that is not among all.
    """

    name: str
    stage: Stage
    joined: int
    people: Mapping[Power, str]
    seats: Mapping[Power, tuple[SeatState, datetime | None]]
    position: Position | None
    phase: PhaseView | None
    plans: Mapping[Power, Mapping[str, Plan]]
    waits: frozenset[str]
    draw_votes: frozenset[Power]
    draw_lists: Mapping[Power, tuple[Power, ...]]
    concessions: Mapping[Power, Power]
    proposals: tuple[ProposalView, ...]
    ending: Ending | None


def view(game: Game, reader: Reader, board: Map | None = None) -> GameView:
    """Return what *reader* may see of *game*; of a blind one the position only with *board*."""
    own = _own(reader)
    voters = frozenset(game.seats) if game.house_rules.open_votes else own
    return GameView(
        name=game.name,
        stage=game.stage,
        joined=len(game.joined),
        people=_people(game, reader),
        seats={power: (seat.state, seat.takeover_until) for power, seat in game.seats.items()},
        position=_position(game, reader, board),
        phase=_phase_view(game, game.phase, reader) if game.phase else None,
        plans={power: game.plans.get(power, {}) for power in _orders_seen(game, reader)},
        waits=frozenset(code for code, powers in game.waits.items() if powers & own),
        draw_votes=game.draw_votes & voters,
        draw_lists=_draw_lists(game, voters),
        concessions={power: to for power, to in game.concessions.items() if power in voters},
        proposals=tuple(_proposals(game, own, voters)),
        ending=game.ending,
    )


def _draw_lists(game: Game, voters: frozenset[Power]) -> Mapping[Power, tuple[Power, ...]]:
    if game.house_rules.draw_among is not DrawAmong.NAMED:
        return {}
    return {power: named for power, named in game.draw_lists.items() if power in voters}


def _proposals(
    game: Game, own: frozenset[Power], voters: frozenset[Power]
) -> Iterator[ProposalView]:
    """Yield what is seen of each open proposal by who sees the votes of *voters*."""
    hidden = game.house_rules.hide_proposer
    for number, each in game.proposals.items():
        yield ProposalView(
            number=number,
            by=None if hidden and each.power not in own else each.power,
            among=each.among or survivors(game),
            phases=each.phases,
            accepted=each.accepted & voters,
        )


def position_seen(board: Map, game: Game, position: Position, reader: Reader) -> Position:
    """Return what *reader* may see of a *position* of *game*."""
    match reader:
        case Player(power):
            return fog.seen(board, game, position, power)
        case Observer():
            return fog.seen(board, game, position, None)
        case Moderator() | Operator() | Inspector():
            return position
        case _:
            assert_never(reader)


def is_dark(game: Game, reader: Reader) -> bool:
    """Tell whether anything of the board is hidden from *reader*."""
    return isinstance(reader, Player | Observer) and fog.is_blind(game)


def _position(game: Game, reader: Reader, board: Map | None) -> Position | None:
    if game.position is None or not is_dark(game, reader):
        return game.position
    return position_seen(board, game, game.position, reader) if board else None


def sees_contacts(game: Game, reader: Reader) -> bool:
    """Tell whether *reader* sees the names and addresses of the players.

    A moderator who plays, played or joined sees no more than a player; nor does the operator
    of their game, who may be the same person.
    """
    match reader:
        case Moderator() | Operator() | Inspector():
            moderator = game.moderator
            return moderator is None or not (moderator in game.joined or _plays(game, moderator))
        case Player() | Observer():
            return False
        case _:
            assert_never(reader)


def sees_orders(game: Game, reader: Reader) -> bool:
    """Tell whether *reader* sees the orders of all before the phase closes."""
    return _orders_seen(game, reader) == frozenset(game.seats)


def goes_to_all(game: Game, letter: SendPress | PressSent) -> bool:
    """Tell whether *letter* goes to everybody who is left, and says so: then anybody sees it."""
    left = {*survivors(game)}
    return left - {letter.sender} <= {*letter.recipients} and left - {letter.signed} <= {
        *letter.named
    }


def is_between_players(game: Game, letter: PressSent) -> bool:
    """Tell whether *letter* is from a power to powers, and to nobody else."""
    return {letter.sender, *letter.recipients} <= {*game.seats}


def _own(reader: Reader) -> frozenset[Power]:
    return frozenset({reader.power}) if isinstance(reader, Player) else frozenset()


def _phase_view(game: Game, phase: OpenPhase, reader: Reader) -> PhaseView:
    own = _own(reader)
    seen = _orders_seen(game, reader)
    return PhaseView(
        number=phase.number,
        deadline=phase.deadline,
        grace_end=phase.grace_end,
        passed=phase.passed,
        late=phase.late,
        standing={power: texts for power, texts in phase.standing.items() if power in seen},
        ordered=phase.ordered & _entries_seen(game, reader),
        waiting=phase.waiting & own,
        ready=phase.ready & own,
        planned={power: plan for power, plan in phase.planned.items() if power in seen},
    )


def _orders_seen(game: Game, reader: Reader) -> frozenset[Power]:
    """Return the powers whose orders *reader* sees before the phase closes."""
    everybody = frozenset(game.seats)
    match reader:
        case Player():
            return _own(reader)
        case Inspector():
            return everybody
        case Moderator():
            allowed = game.house_rules.moderator_sees is ModeratorSees.ORDERS
            return everybody if allowed and not _plays(game, game.moderator) else frozenset()
        case Operator() | Observer():
            return frozenset()
        case _:
            assert_never(reader)


def _entries_seen(game: Game, reader: Reader) -> frozenset[Power]:
    """Return the powers of which *reader* learns whether they have ordered."""
    match reader:
        case Player() | Observer():
            return _own(reader)
        case Moderator() | Operator() | Inspector():
            return frozenset(game.seats)
        case _:
            assert_never(reader)


def _people(game: Game, reader: Reader) -> Mapping[Power, str]:
    """Return who plays what, as far as *reader* may know: in gunboat only the moderator does."""
    match reader:
        case Moderator() | Operator() | Inspector():
            seen = frozenset(game.seats)
        case Player() | Observer():
            seen = _own(reader) if _is_gunboat(game) else frozenset(game.seats)
        case _:
            assert_never(reader)
    return {
        power: seat.person
        for power, seat in game.seats.items()
        if power in seen and seat.person and seat.state is SeatState.PLAYED
    }


def _is_gunboat(game: Game) -> bool:
    """Say whether nobody may learn who plays what; when it is over, its rules may let all."""
    rules = game.house_rules
    return rules.anonymous and not (rules.reveal and game.stage is Stage.ENDED)


def _plays(game: Game, person: str | None) -> bool:
    return any(seat.person == person for seat in game.seats.values())
