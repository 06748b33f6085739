"""The board of a page on which many positions are shown: what they share once, and a layer each.

The layers use the shared shapes by their ids, and have no color of their own: classes and names of
colors (`judge.pictures.palette`) do, so that one page can be light and dark. As in `drawing`, all
that is in a scene is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judge.pictures import labels, land, linework, marks, units
from judge.pictures.art import PATH_SCALE, Art
from judge.pictures.captions import Words
from judge.pictures.lines import Point
from judge.pictures.look import Look, scale_for
from judge.pictures.palette import OWN_LINE, named_colors
from judge.pictures.scene import Scene
from judge.pictures.signs import Sign
from judge.pictures.stand import built, pieces, stand_of
from judge.pictures.strokes import Mark, Stroke, traces
from judge.pictures.svg import element, group, number, title
from judge.pictures.theme import theme
from judge.rules.board import Map, Terrain
from judge.rules.types import Position, Unit, UnitKind

WIDTH = 680  # pixels that a page has for the board, about


@dataclass(frozen=True, slots=True)
class Layer:
    """One phase, in four parts from the ground up.

    *ground* is whose the land and the centers are, *units* those that stand or must retreat;
    *lines* and *signs* are the orders, below and above the units.
    """

    ground: str
    lines: str
    units: str
    signs: str


class Layers:
    """Draws the phases of a game on one board, and says in *words* what things are."""

    def __init__(self, board: Map, art: Art, words: Words) -> None:
        self._board, self._art, self._words = board, art, words
        self._look = Look(named_colors(board, theme("light")), scale=scale_for(WIDTH))

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
        stand = stand_of(art, scene.position, look.scale)
        drawn = traces(board, art, scene, stand, look.scale)
        placed = [each for each in drawn if isinstance(each, Mark)]
        lines = (self._stroke(each) for each in drawn if isinstance(each, Stroke))
        under = [each for each in placed if marks.is_under(each.sign)]
        over = [each for each in placed if not marks.is_under(each.sign)]
        return Layer(
            ground=self._ground(scene.position),
            lines=group([*lines, *self._marks(under), *self._units(built(art, scene))]),
            units=group(self._units(pieces(art, scene.position, stand))),
            signs=group(self._marks(over)),
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
                        group((_use(f"at-{code}") for code in seas), fill=look.theme.sea),
                        group((_use(f"at-{code}") for code in dry), fill=look.theme.land),
                        *land.scenery(art, look),
                    ]
                ),
            ],
            id="board",
        )
        yield group([_scaled([land.borders(art, look)])], id="borders")
        for power in board.powers:
            letter, colors = board.nations[power].letter, look.theme.powers[power]
            for kind in UnitKind:
                shape = units.unit(kind, (0, 0), letter, colors, look.theme, look.scale, told="")
                yield group([_growing(shape)], id=f"{kind.value}-{power}")
            center = land.center((0, 0), letter, colors, look)
            yield group([_growing(center)], id=f"center-{power}")
        yield group([_growing(land.center((0, 0), "", None, look))], id="center")
        for sign in Sign:
            shape = marks.mark(sign, (0, 0), OWN_LINE, look.theme, look.scale)
            yield group([_growing(shape)], id=f"sign-{sign.name.lower()}")
        yield group(self._names(), id="names")

    def _ground(self, position: Position) -> str:
        """Return the land of each power in its color, the borders, and the centers."""
        owners = land.holders(self._board, position)
        lands = [
            group(
                (_use(f"at-{code}") for code in self._art.areas if owners.get(code) == power),
                class_=power,
                fill="var(--land)",
            )
            for power in self._board.powers
        ]
        centers = [
            _use(f"center-{position.owners[code]}" if code in position.owners else "center", spot)
            for code in self._board.centers
            if (spot := self._art.areas[code].center)
        ]
        return _scaled(lands) + _use("borders") + group(centers)

    def _stroke(self, drawn: Stroke) -> str:
        told = self._words.of_order(drawn.shown) if drawn.shown else ""
        color = self._look.theme.powers[drawn.power].line
        return linework.stroke(drawn, color, told, self._look)

    def _marks(self, several: Iterable[Mark]) -> Iterator[str]:
        for each in several:
            told = self._words.of_order(each.shown) if each.shown else ""
            power = each.shown.power if each.shown else None
            yield _use(f"sign-{each.sign.name.lower()}", each.spot, told, power)

    def _units(self, several: Iterable[tuple[Unit, Point]]) -> Iterator[str]:
        for unit, spot in several:
            told = self._words.of_unit(unit)
            yield _use(f"{unit.kind.value}-{unit.power}", spot, told)

    def _names(self) -> Iterator[str]:
        """Yield the names, off all spots where units may stand: they stay where they are."""
        art, scale = self._art, self._look.scale
        center = 2 * land.CENTER * scale
        spots = [area.unit for area in art.areas.values()] + [*art.coasts.values()]
        taken = [
            *(labels.around(spot, units.WIDTH * scale, units.HEIGHT * scale) for spot in spots),
            *(labels.around(a.center, center, center) for a in art.areas.values() if a.center),
        ]
        return labels.names(self._board, art, self._look, labels.Labels(taken, ()))


def _use(shape: str, spot: Point = (0, 0), told: str = "", power: str | None = None) -> str:
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
    """Let the style sheet of the page draw *shape* larger on small screens."""
    return group([shape], class_="grows")
