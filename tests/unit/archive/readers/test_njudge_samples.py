"""Real nJudge text in the folder JUDGE_SAMPLES is consistent and agrees with the rules."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats import droidippy
from judge.archive.formats.njudge import history_writer as writer
from judge.archive.formats.njudge import readers
from judge.archive.reading import Doubts, Reading
from judge.archive.records import Record
from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import rulebook_named
from judge.rules.types import Order, Power
from tests.support.njudge import read

BOARD = load_map()
FILES = (
    "frog_azur_start.txt",
    "frog_s1b6p2_F1920M_results.txt",
    "njudge_garnet_lifecycle_mails.txt",
    "njudge_somme_history.txt",
    "njudge_somme_list_and_summary.txt",
)

pytestmark = pytest.mark.skipif(
    "JUDGE_SAMPLES" not in os.environ, reason="JUDGE_SAMPLES names no folder"
)


def text_of(name: str) -> str:
    return Path(os.environ["JUDGE_SAMPLES"], name).read_text(encoding="utf-8")


def seen(record: Record) -> list[object]:
    """Return what all forms of a game tell: who stood where, who owned what, who went where."""
    return [
        (
            each.phase,
            each.position.units,
            dict(each.position.owners),
            [(one.unit, set(one.retreats)) for one in each.position.dislodged],
        )
        for each in record.phases
        if each.position
    ]


@pytest.mark.parametrize("name", FILES)
def test_each_phase_comes_out_as_the_judge_had_it(name: str) -> None:
    (record,) = read(text_of(name))

    for phase, following in pairwise(record.phases):
        assert phase.position
        assert following.position
        orders: dict[Power, list[Order]] = {}
        for each in phase.orders:
            if each.order:
                orders.setdefault(each.power, []).append(each.order)
        after = adjudicate(BOARD, phase.position, orders, rulebook_named("njudge")).after
        assert (after.phase, after.units, after.owners) == (
            following.phase,
            following.position.units,
            following.position.owners,
        )


def test_the_game_is_the_same_as_droidippy_has_it() -> None:
    (history,) = read(text_of("njudge_somme_history.txt"))
    how = Reading(BOARD, "game", "", Doubts("game"))
    (game,) = droidippy.read(how, text_of("droidippy_game_10713.txt").splitlines())

    assert seen(history) == seen(game)
    (again,) = read("".join(writer.write_record(game, BOARD)))
    assert seen(again) == seen(game)


def test_owners_are_those_of_the_summary() -> None:
    (history,) = read(text_of("njudge_somme_history.txt"))
    (listing,) = read(text_of("njudge_somme_list_and_summary.txt"))

    owners = {
        each.phase.year: dict(each.position.owners)
        for each in history.phases
        if each.position and each.phase.season.value == "W"
    }
    assert owners
    for chart in listing.charts:
        assert chart.owners == owners.get(chart.year, chart.owners)


@pytest.mark.parametrize("name", FILES)
def test_it_is_known_for_what_it_is(name: str) -> None:
    assert readers.recognizes_njudge(text_of(name))
