"""Maps in emails: chosen when an email is written, drawn when it is sent.

A recipe is a scene as compressed JSON. It holds nothing that the email does not say, so the
picture shows only what its reader may see. It is drawn when the email is sent
(`outbound.delivery`). The pictures of results are painted once for all readers; each
player gets a copy in which their own units stand out.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from judge.app.ports.judge import Judge
from judge.app.ports.outbox import OutgoingMail
from judge.app.ports.people import ResultPictures
from judge.game import payloads
from judge.mail.compose import recipes_of, with_pictures
from judge.pictures.parts import with_discs
from judge.pictures.scene import Captions, Scene, scene_with_orders, scene_with_outcomes
from judge.pictures.themes import Look, PowerPalette, load_theme, scale_for_width
from judge.reports.board_names import place_name, power_name
from judge.reports.emails.contexts import Context
from judge.reports.emails.explanations import WhatIf
from judge.reports.emails.game_history import BoardMap
from judge.reports.emails.game_start import GameStart
from judge.reports.emails.listings import VariantPage
from judge.reports.emails.notices import Takeover
from judge.reports.emails.phase_results import PhaseResults, SharedResults
from judge.reports.languages import SOURCE
from judge.reports.render import NameColors
from judge.reports.replay_pages import result_words_of_pages
from judge.rules.board import Map
from judge.rules.outcomes import Outcome
from judge.rules.types import Position, Power, Unit

THEME = "light"
GAMMA = 2.2
AS_FAR_FROM_BOTH = 0.18  # the luminance with equal contrast to black and white


ORDERS, POSITION = "orders", "position"  # the contents of pictures
RECIPES_KEPT = 16  # of the games that closed last, each in some languages


def map_recipes(
    judge: Judge, context: Context, wanted: ResultPictures = ResultPictures.BOTH
) -> Mapping[str, bytes]:
    """Return the recipes of the maps for *context*, if it has a board that can be drawn.

    Results have the pictures that their reader *wanted*.
    """
    board = context.heading.board
    if board is None or not judge.art_of(board):
        return {}
    language = context.heading.language
    match context:
        case WhatIf(shared=results):
            return {ORDERS: _results_recipe(board, results, ORDERS, language)}
        case (
            PhaseResults(shared=results, reader=reader)
            | BoardMap(results=PhaseResults(shared=results, reader=reader))
        ):
            shown = [name for name in (ORDERS, POSITION) if wanted.value in (name, "both")]
            return {
                name: _results_recipe(board, results, name, language) + (reader or "").encode()
                for name in shown
            }
        case BoardMap(position=position, standing=standing):
            orders = {power: list(texts) for power, texts in standing.items()}
            scene = _scene(position) | ({"orders": orders} if orders else {})
            reader = next(iter(orders)) if len(orders) == 1 else None
            return {POSITION: _packed(board, scene | _of_reader(reader), language)}
        case (
            VariantPage(position=position)
            | GameStart(position=position)
            | Takeover(position=Position() as position)
        ):
            reader = None if isinstance(context, VariantPage) else context.reader
            return {POSITION: _packed(board, _scene(position) | _of_reader(reader), language)}
        case _:
            return {}


def _of_reader(power: Power | None) -> dict[str, str]:
    """Return what makes *power* stand out, in a picture that is for one reader only."""
    return {"reader": power} if power else {}


@lru_cache(maxsize=RECIPES_KEPT)
def _results_recipe(board: Map, results: SharedResults, shown: str, language: str) -> bytes:
    """Return the recipe of a picture for all readers of *results*.

    The power of a reader is written after it: see `_parts_of`.
    """
    if shown == POSITION:
        return _packed(board, _scene(results.stand), language)
    outcomes = [each for given in results.orders.values() for each in given]
    removed = [each.unit for each in results.removed]
    return _packed(board, _scene(results.stood, outcomes, removed), language)


@lru_cache(maxsize=RECIPES_KEPT)
def power_chips(board: Map | None) -> Mapping[Power, NameColors]:
    """Return the colors of the names of powers in emails."""
    if board is None:
        return {}
    painters = PowerPalette(board, load_theme(THEME))
    colors = {power: painters.colors(power) for power in board.powers}
    return {power: NameColors(each.unit, _ink_on(each.unit)) for power, each in colors.items()}


def _ink_on(background: str) -> str:
    """Return black or white, whichever is easier to read on *background* (WCAG 2.2, 1.4.3)."""
    red, green, blue = (int(background[at : at + 2], 16) / 255 for at in (1, 3, 5))
    luminance = 0.2126 * red**GAMMA + 0.7152 * green**GAMMA + 0.0722 * blue**GAMMA
    return "#ffffff" if luminance < AS_FAR_FROM_BOTH else "#111111"


def _scene(
    position: Position, outcomes: Iterable[Outcome] = (), removed: Sequence[Unit] = ()
) -> dict[str, Any]:
    return {
        "outcomes": [payloads.outcome_to_payload(each) for each in outcomes],
        "removed": [[each.power, str(each)] for each in removed],
        "position": payloads.position_to_payload(position),
    }


def _packed(board: Map, scene: dict[str, Any], language: str) -> bytes:
    recipe = (
        {"variant": board.name, "board": board.digest}
        | ({"language": language} if language != SOURCE else {})
        | scene
    )
    return zlib.compress(json.dumps(recipe, separators=(",", ":")).encode(), level=9)


WIDTH = 900  # pixels: sharp on a phone with three pixels per point
READ_AT = 360  # the width at which labels are legible: a phone

KEPT = 32  # pictures, of about 100 kB
AT_ONCE = 2  # drawn in parallel


class MapPainter:
    """Draws maps, with a cache of the latest."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._painted: OrderedDict[bytes, asyncio.Task[bytes]] = OrderedDict()
        self._places = asyncio.Semaphore(AT_ONCE)

    async def finished(self, mail: OutgoingMail) -> OutgoingMail:
        """Return *mail* with its pictures; its text says the same without them."""
        recipes = recipes_of(mail.raw)
        if not recipes:
            return mail
        pictures = [await self._picture(recipe) for recipe in recipes]
        while len(self._painted) > KEPT:
            self._painted.popitem(last=False)
        return replace(mail, raw=with_pictures(mail.raw, pictures))

    async def _picture(self, recipe: bytes) -> bytes:
        shared, reader = _parts_of(recipe)
        if shared not in self._painted:
            self._painted[shared] = asyncio.create_task(self._paint(shared))
        self._painted.move_to_end(shared)
        png = await asyncio.shield(self._painted[shared])
        return _for_reader(self._judge, png, shared, reader) if png else png

    async def _paint(self, recipe: bytes) -> bytes:
        """Return the picture of *recipe*, empty if drawing fails: results do not wait for it."""
        async with self._places:
            try:
                return await asyncio.to_thread(draw_recipe, self._judge, recipe)
            except Exception as error:  # noqa: BLE001 - a picture must not hold up its email
                self._judge.operator_log.failed("picture.failed", error)
                return b""


def draw_recipe(judge: Judge, recipe: bytes) -> bytes:
    """Return the PNG of *recipe*; the same recipe always gives the same bytes."""
    shared, reader = _parts_of(recipe)
    facts = _unpacked(shared)
    board = judge.board_drawn(facts["variant"], facts.get("board", ""))
    art = judge.art_of(board)
    assert art, "a recipe is written for boards that can be drawn"
    scene = scene_of(shared)
    # In a blind game only the reader's own centers are known, so there is no count.
    counted = len(set(scene.position.owners.values())) > 1
    from judge.pictures.drawing import draw_picture  # noqa: PLC0415 - few emails have pictures

    look = Look(
        load_theme(THEME),
        scale=scale_for_width(READ_AT),
        legend=counted,
        reader=facts.get("reader"),
        shared="reader" not in facts,
    )
    captions = map_captions(board, facts.get("language", SOURCE))
    png = judge.painter.paint(draw_picture(board, art, scene, look, captions), WIDTH)
    return _for_reader(judge, png, shared, reader)


def _for_reader(judge: Judge, png: bytes, shared: bytes, reader: Power) -> bytes:
    """Return the picture of the recipe *shared* in which the units of *reader* stand out."""
    if not reader:
        return png
    facts = _unpacked(shared)
    powers = judge.board_drawn(facts["variant"], facts.get("board", "")).powers
    theme = load_theme(THEME)
    number = powers.index(reader)
    return with_discs(png, number, len(powers), ring=theme.ink, disc=theme.halo)


def scene_of(recipe: bytes) -> Scene:
    """Return the scene of *recipe*."""
    facts = _unpacked(recipe)
    position = payloads.position_from_payload(facts["position"])
    if "orders" in facts:  # an open phase, not adjudicated yet
        return scene_with_orders(
            position,
            {power: payloads.orders_from_texts(each) for power, each in facts["orders"].items()},
        )
    outcomes = payloads.outcomes_from_payloads(facts["outcomes"])
    removed = tuple(payloads.unit_from_text(power, unit) for power, unit in facts["removed"])
    return scene_with_outcomes(position, outcomes, removed)


@lru_cache(maxsize=RECIPES_KEPT)
def _unpacked(recipe: bytes) -> Mapping[str, Any]:
    facts: Mapping[str, Any] = json.loads(zlib.decompressobj().decompress(recipe))
    return facts


def _parts_of(recipe: bytes) -> tuple[bytes, Power]:
    """Return the recipe that all readers share, and the power of the reader, if it is named."""
    packed = zlib.decompressobj()
    try:
        packed.decompress(recipe)
    except zlib.error:  # drawing it will say so
        return recipe, ""
    reader = packed.unused_data
    return recipe.removesuffix(reader), reader.decode()


def map_captions(board: Map, language: str) -> Captions:
    """Return the words of *language* for powers, provinces and results on a map."""
    return Captions(
        {power: power_name(board, power, language) for power in board.powers},
        {code: place_name(board, code, language) for code in board.places},
        result_words_of_pages(language),
    )
