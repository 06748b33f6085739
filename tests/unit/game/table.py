"""A standard game of seven people, each named after their power in lower case, for tests.

It starts on Monday 23 November 2026 at noon; the first deadline is a week later at 20:00.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import TYPE_CHECKING

from judge.adapters.variant_files import load_map
from judge.game.clock import Tick
from judge.game.commands import Command, decide
from judge.game.decision import Accepted, Refused, Why
from judge.game.events import evolve
from judge.game.house_rules import HouseRules
from judge.game.payloads import position_from_payload
from judge.game.phases import open_phase
from judge.game.players.creation import CreateGame
from judge.game.players.joining import GameStarted
from judge.game.players.standbys import JoinGame
from judge.game.press import SendPress
from judge.game.submission import ClearOrders, SetReady, SetWait, SubmitOrders
from judge.game.voting import VoteConcession, VoteDraw
from judge.rules.rulebook import DATC
from judge.rules.types import PhaseKind
from tests.support.written_orders import orders_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.event_log import Event
    from judge.game.game_state import Game
    from judge.rules.rulebook import Rulebook
    from judge.rules.types import Order, Position

BOARD = load_map()
MONDAY = datetime(2026, 11, 23, 12, tzinfo=UTC)
DEADLINE = datetime(2026, 11, 30, 20, tzinfo=UTC)  # of the first phase
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
STANDARD = HouseRules()


def created(
    rules: HouseRules = STANDARD, moderator: str | None = "mod", rulebook: Rulebook = DATC
) -> Game:
    return given(None, CreateGame("lepanto", "standard", rulebook, rules, moderator))


def started(rules: HouseRules = STANDARD) -> Game:
    joins = (JoinGame(power.lower(), ((power,),), "seed") for power in BOARD.powers)
    return given(created(rules), *joins)


def in_phase(
    phase: str,
    units: Mapping[str, str],
    centers: Mapping[str, str] | None = None,
    dislodged: Mapping[str, Mapping[str, tuple[str, str]]] | None = None,
    rules: HouseRules = STANDARD,
    rulebook: Rulebook = DATC,
) -> Game:
    """Open *phase* on Monday at noon: `{"FRANCE": "A PAR, F BRE"}`, dislodged units with their
    attacker's origin and their retreats: `{"ITALY": {"A VEN": ("TRI", "APU ROM")}}`."""
    position = position_from_payload(
        {
            "phase": phase,
            "units": {power: tuple(some.split(", ")) for power, some in units.items()},
            "centers": {p: tuple(some.split()) for p, some in (centers or {}).items()},
            "dislodged": {
                power: {
                    unit: {"from": origin, "convoyed": False, "retreats": tuple(places.split())}
                    for unit, (origin, places) in some.items()
                }
                for power, some in (dislodged or {}).items()
            },
            "contested": (),
            "builds": {},
        }
    )
    return opened(position, rules, rulebook)


def opened(position: Position, rules: HouseRules = STANDARD, rulebook: Rulebook = DATC) -> Game:
    game = created(rules, rulebook=rulebook)
    seats = {power: power.lower() for power in BOARD.powers}
    game = after(game, GameStarted(seats, "seed"))
    return after(game, open_phase(BOARD, game, position, 2, MONDAY))


def given(game: Game | None, *commands: Command) -> Game:
    """Return *game* after *commands*, failing if one is refused."""
    for command in commands:
        game = after(game, *happened(game, command))
    assert game is not None
    return game


def happened(
    game: Game | None, command: Command, now: datetime | None = None
) -> tuple[Event, ...]:
    answer = ask(game, command, now)
    assert isinstance(answer, Accepted), answer
    return answer.events


def refused(game: Game | None, command: Command, now: datetime | None = None) -> Why:
    answer = ask(game, command, now)
    assert isinstance(answer, Refused), answer
    return answer.why


def ask(game: Game | None, command: Command, now: datetime | None = None) -> Accepted | Refused:
    return decide(BOARD, game, command, now or _instant(command))


def after(game: Game | None, *events: Event) -> Game:
    end = reduce(lambda state, event: evolve(BOARD, state, event), events, game)
    assert end is not None
    return end


def _instant(command: Command) -> datetime:
    match command:
        case SubmitOrders() | ClearOrders() | SetWait() | SetReady() | SendPress():
            return command.received
        case Tick():
            return command.answered_until
        case _:
            return MONDAY


def submit(power: str, text: str, at: datetime = MONDAY) -> SubmitOrders:
    return SubmitOrders(power, power.lower(), orders(text), at, "mail", "nonce", "evidence")


def adjust(power: str, text: str, at: datetime = MONDAY) -> SubmitOrders:
    written = orders(text, PhaseKind.ADJUSTMENTS)
    return SubmitOrders(power, power.lower(), written, at, "mail", "nonce", "evidence")


def orders(text: str, kind: PhaseKind = PhaseKind.MOVEMENT) -> tuple[Order, ...]:
    return orders_in(text, BOARD, kind)


def clear(power: str, *provinces: str, at: datetime = MONDAY) -> ClearOrders:
    return ClearOrders(power, power.lower(), provinces, at, "mail", "nonce")


def wait(power: str, *, on: bool = True, at: datetime = MONDAY) -> SetWait:
    return SetWait(power, power.lower(), on, at, "nonce")


def ready(power: str, *, on: bool = True, at: datetime = MONDAY) -> SetReady:
    return SetReady(power, power.lower(), on, at, "nonce")


def draw(power: str, *, on: bool = True) -> VoteDraw:
    return VoteDraw(power, power.lower(), on, "nonce")


def concede(power: str, to: str | None) -> VoteConcession:
    return VoteConcession(power, power.lower(), to, "nonce")


def send_press(sender: str, *recipients: str, at: datetime = MONDAY) -> SendPress:
    return SendPress(
        message="letter",
        sender=sender,
        person=sender.lower(),
        recipients=recipients,
        signed=sender,
        named=recipients,
        postal=False,
        thread="letter",
        sealed_text="sealed",
        mail="mail",
        received=at,
    )


def look(at: datetime) -> Tick:
    return Tick(answered_until=at)


def holds(game: Game, *powers: str, at: datetime = MONDAY) -> tuple[SubmitOrders, ...]:
    """Return orders for all units of *powers* to hold."""
    assert game.position is not None
    return tuple(
        submit(power, ", ".join(f"{unit} H" for unit in game.position.units_of(power)), at)
        for power in powers
    )


def all_hold(game: Game, *, but: str = "", at: datetime = MONDAY) -> tuple[SubmitOrders, ...]:
    return holds(game, *(power for power in BOARD.powers if power != but), at=at)


def standing(game: Game, power: str) -> tuple[str, ...]:
    assert game.phase is not None
    return game.phase.standing.get(power, ())


def phase_of(game: Game) -> str:
    assert game.position is not None
    return game.position.phase.code


def deadline_of(game: Game) -> datetime:
    assert game.phase is not None
    return game.phase.deadline
