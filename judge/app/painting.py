"""Puts pictures into an email that goes out, each painted once for all the emails that show it."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judge.app.captions import captions
from judge.app.illustrations import THEME
from judge.app.judge import Judge
from judge.app.ports import OutgoingMail
from judge.game.payloads import (
    outcomes_from_payloads,
    position_from_payload,
    read_orders,
    unit_from_text,
)
from judge.mail.compose import recipes_of, with_pictures
from judge.pictures.drawing import draw_picture
from judge.pictures.png import to_png
from judge.pictures.scene import Scene, scene_with_orders, scene_with_outcomes
from judge.pictures.themes import Look, load_theme, scale_for_width
from judge.reports.languages import SOURCE

WIDTH = 900  # pixels: sharp on a phone, whose screen has three for each of its width
READ_AT = 540  # the width for which things are drawn large enough

KEPT = 32  # pictures, of about 100 kB
AT_ONCE = 2  # are painted beside each other


class Painter:
    """Paints pictures, and keeps the latest."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._painted: OrderedDict[bytes, asyncio.Task[bytes]] = OrderedDict()
        self._places = asyncio.Semaphore(AT_ONCE)

    async def finished(self, mail: OutgoingMail) -> OutgoingMail:
        """Return *mail* with the pictures that it waits for; its words tell the same."""
        recipes = recipes_of(mail.raw)
        if not recipes:
            return mail
        pictures = [await self._picture(recipe) for recipe in recipes]
        while len(self._painted) > KEPT:
            self._painted.popitem(last=False)
        return replace(mail, raw=with_pictures(mail.raw, pictures))

    async def _picture(self, recipe: bytes) -> bytes:
        if recipe not in self._painted:
            self._painted[recipe] = asyncio.create_task(self._paint(recipe))
        self._painted.move_to_end(recipe)
        return await asyncio.shield(self._painted[recipe])

    async def _paint(self, recipe: bytes) -> bytes:
        """Return the picture of *recipe*, empty if that fails: results do not wait for it."""
        async with self._places:
            try:
                return await asyncio.to_thread(paint, self._judge, recipe)
            except Exception as error:  # noqa: BLE001 - a picture must not hold up its mail
                self._judge.journal.failed("picture.failed", error)
                return b""


def paint(judge: Judge, recipe: bytes) -> bytes:
    """Return the PNG of *recipe*; the same recipe is always the same bytes."""
    told = _told(recipe)
    variant, language = told["variant"], told.get("language", SOURCE)
    board, art = judge.boards(variant), judge.arts(variant)
    assert art, "a recipe is written for boards that can be drawn"
    scene = scene_of(judge, recipe)
    # Of a blind game only the reader's own centers are known: there is nothing to count.
    counted = len(set(scene.position.owners.values())) > 1
    look = Look(load_theme(THEME), scale=scale_for_width(READ_AT), legend=counted)
    return to_png(draw_picture(board, art, scene, look, captions(board, language)), WIDTH)


def scene_of(judge: Judge, recipe: bytes) -> Scene:
    """Return what is drawn by *recipe*."""
    told = _told(recipe)
    board, position = judge.boards(told["variant"]), position_from_payload(told["position"])
    if "orders" in told:  # of an open phase: nobody has adjudicated them
        kind = position.phase.kind
        return scene_with_orders(
            position,
            {power: read_orders(board, kind, each) for power, each in told["orders"].items()},
        )
    outcomes = outcomes_from_payloads(board, position.phase.kind, told["outcomes"])
    removed = tuple(unit_from_text(power, unit) for power, unit in told["removed"])
    return scene_with_outcomes(position, outcomes, removed)


def _told(recipe: bytes) -> Mapping[str, Any]:
    told: Mapping[str, Any] = json.loads(zlib.decompress(recipe))
    return told
