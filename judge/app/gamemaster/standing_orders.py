"""The current orders of a game and their likely result.

Callers check `DeskAccess` first, or record the viewing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judge.app.game.apply import OPERATOR
from judge.app.outbound.maps import map_captions
from judge.app.ports.judge import Judge
from judge.game.clock import ProcessNow
from judge.game.commands import decide
from judge.game.decision import Accepted
from judge.game.events import evolve
from judge.game.game_state import Game
from judge.game.payloads import orders_from_texts
from judge.game.phases import PhaseClosed, PhaseOpened
from judge.game.visibility import Inspector, Moderator, Operator, Reader, sees_orders, view
from judge.game.voting import GameEnded
from judge.pictures.board_art import BoardArt
from judge.pictures.drawing import draw_picture
from judge.pictures.scene import scene_with_orders
from judge.pictures.themes import Look, load_theme, scale_for_width
from judge.reports.board_names import power_name
from judge.reports.desk_views import OrdersShown
from judge.reports.emails.contexts import addressed_to_reader
from judge.reports.emails.phase_results import phase_results
from judge.reports.languages import SOURCE
from judge.reports.render import render
from judge.rules.board import Map

PIXELS = 900


def orders_shown(
    judge: Judge, game: Game, reader: Moderator | Inspector, art: BoardArt | None, language: str
) -> OrdersShown:
    """Return the orders of *game* that *reader* may see, and the results they would have.

    Both are in *language*.
    """
    seen = view(game, reader)
    assert seen.phase, "a phase is open"
    assert seen.position, "a phase is open"
    board, standing = judge.board_of(game), seen.phase.standing
    shown = {power: orders_from_texts(texts) for power, texts in standing.items()}
    title = f"{game.name} \N{MIDDLE DOT} {seen.position.phase}"
    scene = scene_with_orders(seen.position, shown, title)
    look = Look(load_theme("light"), scale=scale_for_width(PIXELS))
    return OrdersShown(
        game=game.name,
        phase=seen.position.phase.code,
        at=judge.clock.now(),
        asked=isinstance(reader, Inspector),
        orders={
            power_name(board, power, language): tuple(texts)
            for power, texts in standing.items()
            if texts
        },
        results=tuple(likely_result(judge, board, game, language)),
        picture=draw_picture(board, art, scene, look, map_captions(board, language)).svg()
        if art
        else None,
    )


def likely_result(judge: Judge, board: Map, game: Game, language: str) -> Iterator[str]:
    """Yield the result emails an observer would get if the phase of *game* closed now.

    Nothing is appended or sent.
    """
    decision = decide(board, game, ProcessNow(OPERATOR), judge.clock.now())
    events = decision.events if isinstance(decision, Accepted) else ()
    for index, event in enumerate(events):
        after = evolve(board, game, event)
        if isinstance(event, PhaseClosed):
            following = next(iter(events[index + 1 :]), None)
            mail = phase_results(
                board,
                game,
                event,
                evolve(board, after, following)
                if isinstance(following, PhaseOpened | GameEnded)
                else after,
                None,
                judge_code=judge.code,
            )
            yield render(addressed_to_reader(mail, None, None, language)).text
        game = after


@dataclass(frozen=True, slots=True)
class DeskAccess:
    """The user of the desk: the operator, or the registered *person* if given.

    They read *language*.
    """

    person: str | None = None
    language: str = SOURCE

    def reader(self, game: Game) -> Reader:
        """Return the recipient that the user is in *game*."""
        moderates = self.person is not None and self.person == game.moderator
        return Moderator() if moderates else Operator()

    def sees_orders(self, game: Game) -> bool:
        """Return whether this user may see the orders of *game* before the phase closes."""
        return sees_orders(game, self.reader(game))

    def plays(self, game: Game) -> bool:
        """Return whether the user takes part, and so must not see orders."""
        seated = any(seat.person == self.person for seat in game.seats.values())
        return self.person is not None and (seated or self.person in game.joined)
