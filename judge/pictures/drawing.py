"""The picture: a board, a scene on it, and a look, become the text of an SVG.

It depends on these three alone, so that the same picture is the same text on every machine. All
that is in the scene is drawn: what a reader may see is decided by whoever makes the scene.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from judge.pictures import labels, land, legend, linework, marks, units
from judge.pictures.art import Art
from judge.pictures.captions import Words, of_law
from judge.pictures.look import Look
from judge.pictures.painters import Painters
from judge.pictures.scene import Scene
from judge.pictures.stand import Stand, built, pieces, stand_of
from judge.pictures.strokes import Mark, Stroke, traces
from judge.pictures.svg import element, group, title
from judge.rules.board import Map

FONT = "'PT Sans',Arial,sans-serif"


def draw(board: Map, art: Art, scene: Scene, look: Look, words: Words | None = None) -> str:
    """Return *scene* on *board* as the text of an SVG; *words* are those of the law by default."""
    painters = Painters(board, look.theme)
    stand = stand_of(art, scene.position, look.scale)
    drawn = traces(board, art, scene, stand, look.scale)
    strokes = [each for each in drawn if isinstance(each, Stroke)]
    placed = [each for each in drawn if isinstance(each, Mark)]
    under = [each for each in placed if marks.is_under(each.sign)]
    over = [each for each in placed if not marks.is_under(each.sign)]
    high = art.height + legend.height(board, scene, look)
    told = scene.title or scene.position.phase.code
    words = words or of_law(board)
    parts = [
        title(told),
        element("desc", escape("\n".join(map(words.of_order, scene.orders)))),
        land.hatchings(board, look, painters),
        element("rect", width=art.width, height=high, fill=look.theme.sea),
        land.land(board, art, scene.position, look, painters),
        land.centers(board, art, scene.position, look, painters),
        group(_stroke(words, each, look, painters) for each in strokes),
        group(_marks(words, under, look, painters)),
        group(_units(words, art, scene, stand, look, painters)),
        group(_names(board, art, stand, look, strokes, placed)),
        group(_marks(words, over, look, painters)),
        legend.legend(words, art, scene, look, painters),
    ]
    return element(
        "svg",
        *(f"\n{part}" for part in parts if part),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {art.width} {high}",
        width=art.width,
        height=high,
        role="img",
        aria_label=told,
        font_family=FONT,
    )


def _stroke(words: Words, stroke: Stroke, look: Look, painters: Painters) -> str:
    told = words.of_order(stroke.shown) if stroke.shown else ""
    return linework.stroke(stroke, painters.colors(stroke.power).line, told, look)


def _marks(words: Words, several: Iterable[Mark], look: Look, painters: Painters) -> Iterator[str]:
    for each in several:
        color = painters.colors(each.shown.power).line if each.shown else look.theme.bad
        sign = marks.mark(each.sign, each.spot, color, look.theme, look.scale)
        yield group([title(words.of_order(each.shown)), sign]) if each.shown else sign


def _units(
    words: Words, art: Art, scene: Scene, stand: Stand, look: Look, painters: Painters
) -> Iterator[str]:
    """Yield the units that stand, those dislodged, and those that are being built."""
    for unit, spot in (*pieces(art, scene.position, stand), *built(art, scene)):
        yield units.unit(
            unit.kind,
            spot,
            painters.board.nations[unit.power].letter,
            painters.colors(unit.power),
            look.theme,
            look.scale,
            told=words.of_unit(unit),
        )


def _names(
    board: Map,
    art: Art,
    stand: Stand,
    look: Look,
    strokes: Iterable[Stroke],
    placed: Iterable[Mark],
) -> Iterator[str]:
    """Yield the names, off units, centers, lines and marks."""
    scale = look.scale
    center = 2 * land.CENTER * scale
    taken = [
        *(labels.around(spot, units.WIDTH * scale, units.HEIGHT * scale) for spot in stand.spots),
        *(labels.around(a.center, center, center) for a in art.areas.values() if a.center),
        *(
            labels.around(each.spot, wide, wide)
            for each in placed
            for wide in [marks.width(each.sign) * scale]
        ),
    ]
    return labels.names(board, art, look, labels.Labels(taken, [each.line for each in strokes]))
