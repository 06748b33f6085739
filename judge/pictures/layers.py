"""The board of a replay page: shapes drawn once, and a layer for each phase.

The layers use the shared shapes by their ids, and have no color of their own: classes and names of
colors (`judge.pictures.themes`) do, so that one page can be light and dark. As in `drawing`, all
that is in a scene is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judge.pictures import board_art, labels, order_lines, order_marks, unit_drawing
from judge.pictures.board_art import PATH_SCALE, BoardArt
from judge.pictures.geometry import Point
from judge.pictures.order_lines import Mark, trace_orders
from judge.pictures.order_marks import Sign
from judge.pictures.scene import Captions, Scene
from judge.pictures.svg import element, group, number, title
from judge.pictures.themes import (
    OWN_LINE_COLOR,
    Look,
    css_variable_theme,
    load_theme,
    scale_for_width,
)
from judge.pictures.unit_drawing import builds_with_spots, place_units, units_with_spots
from judge.rules.board import Map, Terrain
from judge.rules.types import Position, Unit, UnitKind

BOARD_WIDTH = 680  # pixels that a page has for the board, about


@dataclass(frozen=True, slots=True)
class Layer:
    """One phase, in four parts from the ground up.

    *ground* is the ownership of land and centers, *units* those on the board or dislodged;
    *lines* and *signs* are the orders, below and above the units.
    """

    ground: str
    lines: str
    units: str
    signs: str


class Layers:
    """Draws the phases of a game on one board, with the captions *words*."""

    def __init__(self, board: Map, art: BoardArt, words: Captions) -> None:
        self._board, self._art, self._words = board, art, words
        self._look = Look(
            css_variable_theme(board, load_theme("light")), scale=scale_for_width(BOARD_WIDTH)
        )

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height of the board."""
        return self._art.width, self._art.height

    def shared(self) -> str:
        """Return the definitions that all layers use."""
        return element("defs", *self._shared())

    def layer(self, scene: Scene) -> Layer:
        """Return *scene* as a layer."""
        board, art, look = self._board, self._art, self._look
        stand = place_units(art, scene.position, look.scale)
        orders = trace_orders(board, art, scene, stand, look.scale)
        lines = [
            order_lines.draw_stroke(each, look.theme.powers[each.power].line, self._words, look)
            for each in orders.strokes
        ]
        builds = self._units(builds_with_spots(art, scene))
        return Layer(
            ground=self._ground(scene.position),
            lines=group([*lines, *self._marks(orders.marks_under), *builds]),
            units=group(self._units(units_with_spots(art, scene.position, stand))),
            signs=group(self._marks(orders.marks_over)),
        )

    def _shared(self) -> Iterator[str]:
        board, art, look = self._board, self._art, self._look
        for code, area in art.areas.items():
            yield element("path", title(self._words.places[code]), d=area.path, id=f"at-{code}")
        seas = [code for code in art.areas if board.places[code].terrain is Terrain.SEA]
        dry = [code for code in art.areas if code not in seas]
        yield group(
            [
                element("rect", width=art.width, height=art.height, fill=look.theme.sea),
                _scaled(
                    [
                        group((_use_shape(f"at-{code}") for code in seas), fill=look.theme.sea),
                        group((_use_shape(f"at-{code}") for code in dry), fill=look.theme.land),
                        *board_art.draw_scenery(art, look),
                    ]
                ),
            ],
            id="board",
        )
        yield group([_scaled([board_art.draw_borders(art, look)])], id="borders")
        for power in board.powers:
            letter, colors = board.nations[power].letter, look.theme.powers[power]
            for kind in UnitKind:
                shape = unit_drawing.draw_unit(
                    kind, (0, 0), letter, colors, look.theme, look.scale, told=""
                )
                yield group([_growing(shape)], id=f"{kind.value}-{power}")
            center = board_art.draw_center((0, 0), letter, colors, look)
            yield group([_growing(center)], id=f"center-{power}")
        yield group([_growing(board_art.draw_center((0, 0), "", None, look))], id="center")
        for sign in Sign:
            shape = order_marks.draw_mark(sign, (0, 0), OWN_LINE_COLOR, look.theme, look.scale)
            yield group([_growing(shape)], id=f"sign-{sign.name.lower()}")
        yield group(self._names(), id="names")

    def _ground(self, position: Position) -> str:
        """Return the land of each power in its color, the borders, and the centers."""
        owners = board_art.land_owners(self._board, position)
        lands = [
            group(
                (
                    _use_shape(f"at-{code}")
                    for code in self._art.areas
                    if owners.get(code) == power
                ),
                class_=power,
                fill="var(--land)",
            )
            for power in self._board.powers
        ]
        centers = [
            _use_shape(
                f"center-{position.owners[code]}" if code in position.owners else "center", spot
            )
            for code in self._board.centers
            if (spot := self._art.areas[code].center)
        ]
        return _scaled(lands) + _use_shape("borders") + group(centers)

    def _marks(self, several: Iterable[Mark]) -> Iterator[str]:
        for each in several:
            told = self._words.of_order(each.shown) if each.shown else ""
            power = each.shown.power if each.shown else None
            yield _use_shape(f"sign-{each.sign.name.lower()}", each.spot, told, power)

    def _units(self, several: Iterable[tuple[Unit, Point]]) -> Iterator[str]:
        for unit, spot in several:
            told = self._words.of_unit(unit)
            yield _use_shape(f"{unit.kind.value}-{unit.power}", spot, told)

    def _names(self) -> Iterator[str]:
        """Yield the names, off all possible spots of units, so they are the same in each phase."""
        art = self._art
        spots = [area.unit for area in art.areas.values()] + [*art.coasts.values()]
        taken = labels.occupied_boxes(art, spots, self._look.scale)
        return labels.draw_names(self._board, art, self._look, labels.LabelPlacer(taken, ()))


def _use_shape(shape: str, spot: Point = (0, 0), told: str = "", power: str | None = None) -> str:
    return element(
        "use",
        title(told) if told else "",
        href=f"#{shape}",
        x=number(spot[0]) if spot[0] else None,
        y=number(spot[1]) if spot[1] else None,
        class_=power,
    )


def _scaled(paths: Iterable[str]) -> str:
    return group(paths, transform=f"scale({PATH_SCALE})", fill_rule="evenodd")


def _growing(shape: str) -> str:
    """Return *shape*, which the style sheet of the page enlarges on small screens."""
    return group([shape], class_="grows")
