"""Shards: parts of recorded games that several processes read."""

from __future__ import annotations

import json
import tarfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from judge.adapters.archive import shards as module
from judge.adapters.archive.record_files import ReadOptions, games_in
from judge.adapters.archive.shards import (
    FilePart,
    Game,
    Shard,
    UnreadableFile,
    WholeFile,
    batches,
    continues_text,
    games_of,
    place_of,
    shards,
)
from judge.adapters.variant_files import load_map
from judge.archive.reading import UnreadableError
from judge.archive.records import Record

GAMES = 20
STRICT, LENIENT = ReadOptions(), ReadOptions(strict=False)
DROIDIPPY = """\
PHASE 1901 Spring Movement
POSITIONS
Austria: army bud
Austria: supply bud
ORDERS
bud move ser
"""


def line(name: str) -> str:
    phase = {"name": "S1901M", "state": {"units": {"AUSTRIA": ["A BUD"]}}, "orders": {}}
    return json.dumps({"id": name, "map": "standard", "phases": [phase]}) + "\n"


LINES = [line(f"game {number}") for number in range(10, 10 + GAMES)]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make shards hold three games."""
    monkeypatch.setattr(module, "SHARD_BYTES", 2 * len(LINES[0]) + 1)
    monkeypatch.setattr(module, "BATCH_BYTES", 6 * len(LINES[0]) + 12)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Return a file with one game per line."""
    (tmp_path / "saved.jsonl").write_text("".join(LINES))
    return tmp_path / "saved.jsonl"


def read(several: Sequence[Shard], how: ReadOptions = STRICT) -> list[Game]:
    return [game for shard in several for game in games_of(load_map(), shard, how)]


def test_a_large_file_of_lines_is_several_shards_that_hold_all_its_games(saved: Path) -> None:
    several = list(shards([saved], STRICT))

    assert len(several) == 7
    assert [continues_text(each) for each in several] == [False, *[True] * 6]
    assert read(several) == list(games_in(load_map(), saved, STRICT))


def test_an_error_in_a_later_shard_has_its_line_in_the_file(saved: Path) -> None:
    saved.write_text("".join([*LINES[:9], "{]\n", *LINES[9:]]))

    told = [each for each in read([*shards([saved], STRICT)]) if isinstance(each, UnreadableError)]

    assert [each.line for each in told] == [10]


def test_a_file_that_is_not_of_lines_or_is_small_stays_whole(tmp_path: Path) -> None:
    (tmp_path / "large").write_text(DROIDIPPY * 9)
    (tmp_path / "odd").write_text("Games of the club.\n" * 99)
    (tmp_path / "small").write_text(LINES[0])

    assert list(shards([tmp_path], STRICT)) == [
        WholeFile(tmp_path / name) for name in ("large", "odd", "small")
    ]


def test_a_maildir_is_one_shard(tmp_path: Path) -> None:
    (tmp_path / "cur").mkdir()

    assert list(shards([tmp_path], STRICT)) == [WholeFile(tmp_path)]


def test_the_members_of_archives_are_shards_with_their_content(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        for name, text in {
            "one": DROIDIPPY,
            "two": "".join(LINES),
            "three": DROIDIPPY * 9,
        }.items():
            archive.writestr(name, text)
    with tarfile.open(tmp_path / "saved.tar.gz", "w:gz") as archived:
        member = tarfile.TarInfo("four")
        member.size = len(LINES[0])
        archived.addfile(member, BytesIO(LINES[0].encode()))
    paths = [tmp_path / "games.zip", tmp_path / "saved.tar.gz"]
    expected = [game for path in paths for game in games_in(load_map(), path, STRICT)]

    several = list(shards(paths, STRICT))
    for path in paths:
        if path.name == "saved.tar.gz":
            path.unlink()

    names = dict.fromkeys(place_of(each)[0] for each in several)
    assert list(names) == [
        *(f"{paths[0]}/{name}" for name in ("one", "two", "three")),
        f"{paths[1]}/four",
    ]
    assert isinstance(several[-2], WholeFile), "what cannot be read in parts is not carried"
    assert read(several) == expected


def test_a_truncated_archive_is_reported_after_its_complete_games(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("one", DROIDIPPY)
        archive.writestr("two", DROIDIPPY)
    whole = (tmp_path / "games.zip").read_bytes()
    at = whole.rindex(b"bud move")
    (tmp_path / "games.zip").write_bytes(whole[:at] + b"XXX" + whole[at + 3 :])

    one, error = shards([tmp_path / "games.zip"], STRICT)

    assert isinstance(one, FilePart)
    assert isinstance(error, UnreadableFile)
    assert "CRC" in str(read([error])[0])
    assert place_of(error) == (str(tmp_path / "games.zip" / "two"), 1)


def test_a_missing_file_is_reported(saved: Path, tmp_path: Path) -> None:
    several = list(shards([saved], STRICT))
    saved.unlink()

    gone, nowhere = read([several[0], *shards([tmp_path / "nowhere"], STRICT)])

    assert "No such file" in str(gone)
    assert "No such file" in str(nowhere)


def test_skipped_text_behind_the_last_game_is_reported(saved: Path) -> None:
    saved.write_text(f"{LINES[0]}{{]\n")

    game, left_out = read([*shards([saved], LENIENT)], LENIENT)

    assert isinstance(game, Record)
    assert str(left_out).startswith(f"{saved}:2: invalid JSON")


def test_a_batch_is_of_several_files_or_of_one_in_parts(saved: Path) -> None:
    for name in ("a", "b", "z"):
        (saved.parent / name).write_text(LINES[0])

    sizes = [len(batch) for batch in batches(shards([saved.parent], STRICT))]

    assert sizes == [2, 2, 2, 2, 1, 1]


def test_a_shard_keeps_the_format_of_its_file(saved: Path) -> None:
    first, *_ = shards([saved], STRICT)

    assert isinstance(first, FilePart)
    assert first.form == "diplomacy"
    assert read([replace(first, form="record")]) != read([first])


def test_a_large_text_in_utf_16_is_one_shard(tmp_path: Path) -> None:
    (tmp_path / "saved.jsonl").write_text("".join(LINES), encoding="utf-16")

    several = list(shards([tmp_path / "saved.jsonl"], STRICT))

    assert several == [WholeFile(tmp_path / "saved.jsonl")]
    assert len(read(several)) == GAMES
