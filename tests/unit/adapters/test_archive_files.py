"""Reading recorded games from files, folders and archives, and errors in those."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from judge.adapters.archive import record_files
from judge.adapters.archive.record_files import (
    ReadOptions,
    UnknownFormatError,
    find_files,
    games_in,
)
from judge.adapters.variant_files import load_map
from judge.archive.reading import UnreadableError
from judge.archive.records import Record

GAME = b"""\
PHASE 1901 Spring Movement
POSITIONS
Austria: army bud
Austria: supply bud
ORDERS
bud move ser
"""
MAIL = b"""\
From: judge@example.net
Subject: TEST:dogger - S1901M Results
Date: Mon, 02 Mar 1998 09:05:00 +0000

Movement results for Spring of 1901. (dogger.001)

Austria: Army Budapest -> Serbia.

The next phase of 'dogger' will be Movement for Fall of 1901.
"""


NOT_UTF_8 = "not UTF-8: byte 0xe9; leniently read as Windows-1252"


def records(path: Path, how: ReadOptions | None = None) -> Sequence[Record]:
    found = list(games_in(load_map(), path, how or ReadOptions()))
    errors = [each for each in found if isinstance(each, UnreadableError)]
    assert not errors
    return [each for each in found if isinstance(each, Record)]


def error(path: Path, how: ReadOptions | None = None) -> UnreadableError:
    *_, last = games_in(load_map(), path, how or ReadOptions())
    assert isinstance(last, UnreadableError)
    return last


def zipped(members: Mapping[str, bytes]) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def test_files_of_a_folder_are_found_in_order_without_hidden_ones(tmp_path: Path) -> None:
    for name in ("b", "a/2", "a/1", ".git/config", "mail/cur/1", "mail/new/2"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(GAME)

    found = [str(path.relative_to(tmp_path)) for path in find_files([tmp_path])]

    assert found == ["a/1", "a/2", "b", "mail"]


def test_a_game_knows_its_file_and_its_digest(tmp_path: Path) -> None:
    (tmp_path / "game").write_bytes(GAME)

    (record,) = records(tmp_path / "game")

    assert record.source.name == str(tmp_path / "game")
    assert record.source.sha256 == sha256(GAME).hexdigest()
    assert record.source.format == "droidippy"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\xef\xbb\xbf" + GAME.replace(b"\n", b"\r\n"), id="Windows"),
        pytest.param(GAME.replace(b"\n", b"\r\n") + b"\x1a", id="DOS"),
        pytest.param(GAME.replace(b"\n", b"\r"), id="Mac"),
    ],
)
def test_line_ends_and_byte_order_marks_are_ignored(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "game").write_bytes(content)

    (record,) = records(tmp_path / "game")

    assert record.phases[0].orders[0].text == "bud move ser"


def test_the_members_of_a_zip_are_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("old")
        archive.writestr("old/one.txt", GAME)
        archive.writestr("two.txt", GAME)

    names = [each.source.name for each in records(tmp_path / "games.zip")]

    assert names == [f"{tmp_path}/games.zip/old/one.txt", f"{tmp_path}/games.zip/two.txt"]


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_the_members_of_a_tar_are_read(tmp_path: Path, mode: str) -> None:
    with tarfile.open(tmp_path / "games.tar", mode) as archive:  # type: ignore[call-overload]  # both are modes
        for name in ("one.txt", "two.txt"):
            member = tarfile.TarInfo(name)
            member.size = len(GAME)
            archive.addfile(member, BytesIO(GAME))

    names = [each.source.name for each in records(tmp_path / "games.tar")]

    assert names == [f"{tmp_path}/games.tar/one.txt", f"{tmp_path}/games.tar/two.txt"]


def test_a_maildir_is_one_mailbox(tmp_path: Path) -> None:
    for folder in ("cur", "new", "tmp"):
        (tmp_path / "mail" / folder).mkdir(parents=True)
    (tmp_path / "mail/cur/1.first:2,S").write_bytes(MAIL)
    later = MAIL.replace(b"Spring", b"Fall").replace(b"S1901M", b"F1901M")
    (tmp_path / "mail/new/2.second").write_bytes(later.replace(b"Budapest -> Ser", b"Ser"))

    (record,) = records(tmp_path / "mail", ReadOptions(strict=False))

    assert [each.phase.code for each in record.phases][:2] == ["S1901M", "F1901M"]
    assert record.source.format == "mailbox"


def test_a_binary_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "board.png").write_bytes(b"PNG\n\n\0\1\2")

    assert str(error(tmp_path / "board.png")) == f"{tmp_path}/board.png:3: binary data, not text"


def test_a_game_followed_by_bytes_is_an_error_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "game").write_bytes(GAME + b"\0\0\0\n")

    assert error(tmp_path / "game").line == 7


def test_a_line_of_bytes_does_not_cost_the_game(tmp_path: Path) -> None:
    (tmp_path / "game").write_bytes(GAME.replace(b"ORDERS", b"\0\1\nORDERS"))

    (record,) = records(tmp_path / "game", ReadOptions(strict=False))

    assert [each.text for each in record.phases[0].orders] == ["bud move ser"]
    (left_out,) = record.doubts
    assert (left_out.line, left_out.text) == (5, "this line is left out")


def test_a_wrongly_encoded_file_is_an_error_with_its_line(tmp_path: Path) -> None:
    for name, text in {"game": GAME + "é\n".encode("latin-1"), "letter": b"caf\xe9"}.items():
        (tmp_path / name).write_bytes(text)

    assert str(error(tmp_path / "game")) == f"{tmp_path}/game:7: {NOT_UTF_8}"
    assert error(tmp_path / "letter").line == 1


def test_in_a_lenient_reading_another_encoding_is_a_doubt_and_read(tmp_path: Path) -> None:
    (tmp_path / "game").write_bytes(GAME + "bud é \N{EM DASH}\n".encode("cp1252"))

    (record,) = records(tmp_path / "game", ReadOptions(strict=False))

    wrong, strange = record.doubts
    assert (wrong.line, wrong.why) == (7, NOT_UTF_8)
    assert strange.text == "bud é \N{EM DASH}"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_text_that_windows_calls_unicode_is_read_by_its_mark(
    tmp_path: Path, encoding: str
) -> None:
    content = ("\ufeff" + GAME.decode().replace("\n", "\r\n")).encode(encoding)
    (tmp_path / "game").write_bytes(content)
    (tmp_path / "games.zip").write_bytes(zipped({"game": content}))

    (record,), (packed,) = records(tmp_path / "game"), records(tmp_path / "games.zip")

    assert record.phases == packed.phases
    assert record.phases[0].orders[0].text == "bud move ser"
    assert record.source.sha256 == packed.source.sha256 == sha256(content).hexdigest()


def test_a_byte_order_mark_of_another_encoding_is_an_error_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "game").write_bytes(GAME.decode().encode("utf-16")[:-1])

    assert (
        str(error(tmp_path / "game"))
        == f"{tmp_path}/game:6: not UTF-16, though the file begins as such"
    )


def test_a_text_without_games_is_recognized(tmp_path: Path) -> None:
    (tmp_path / "README").write_text("Games of the club.\n")

    assert isinstance(error(tmp_path / "README"), UnknownFormatError)


def test_a_given_format_is_not_guessed(tmp_path: Path) -> None:
    (tmp_path / "game").write_text("Games of the club.\n")

    told = error(tmp_path / "game", ReadOptions(form="droidippy"))

    assert told.line == 1
    assert not isinstance(told, UnknownFormatError)


def test_a_file_that_is_not_there_or_broken_is_an_error(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("one.txt", GAME)
    whole = (tmp_path / "games.zip").read_bytes()
    (tmp_path / "games.zip").write_bytes(whole.replace(b"bud move", b"bud XXXX"))

    assert "CRC" in error(tmp_path / "games.zip").why
    assert "No such file" in error(tmp_path / "nothing").why


def test_the_rest_of_an_archive_is_read_after_an_unreadable_member(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("1", b"\0")
        archive.writestr("2", GAME)

    bad, good = games_in(load_map(), tmp_path / "games.zip", ReadOptions())

    assert isinstance(bad, UnreadableError)
    assert isinstance(good, Record)


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gzip", "bzip2", "xz"]
)
def test_a_packed_file_is_read(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / "game.txt.z").write_bytes(pack(GAME))

    (game,) = records(tmp_path / "game.txt.z")

    assert game.source.name == str(tmp_path / "game.txt.z" / "game.txt")
    assert game.source.sha256 == sha256(GAME).hexdigest()


def test_nested_archives_are_read_with_the_path_to_each_game(tmp_path: Path) -> None:
    inner = zipped({"one.txt": GAME, "two.txt.gz": gzip.compress(GAME)})
    (tmp_path / "all.zip").write_bytes(zipped({"season/1998.zip": inner, "three.txt": GAME}))

    names = [game.source.name for game in records(tmp_path / "all.zip")]

    assert [name.removeprefix(f"{tmp_path}/") for name in names] == [
        "all.zip/season/1998.zip/one.txt",
        "all.zip/season/1998.zip/two.txt.gz/two.txt",
        "all.zip/three.txt",
    ]


def test_too_deeply_nested_archives_are_an_error_and_the_rest_is_read(tmp_path: Path) -> None:
    packed = GAME
    for _ in range(4):
        packed = zipped({"deeper": packed})
    (tmp_path / "all.zip").write_bytes(zipped({"deep": packed, "flat": GAME}))

    deep, flat = games_in(load_map(), tmp_path / "all.zip", ReadOptions())

    assert isinstance(deep, UnreadableError)
    assert "packed more than 3 times" in deep.why
    assert isinstance(flat, Record)


def test_an_archive_that_would_fill_the_disk_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_files, "UNPACKED_BYTES_MAX", 10_000_000)
    bomb = gzip.compress(bytes(20_000_000))
    (tmp_path / "bomb.gz").write_bytes(bomb)
    (tmp_path / "bombs.zip").write_bytes(zipped({"1.gz": bomb, "2.gz": bomb}))

    assert "more than 10000000 bytes" in error(tmp_path / "bomb.gz").why
    assert "more than 10000000 bytes" in error(tmp_path / "bombs.zip").why


def test_a_broken_member_is_an_error_with_its_name_and_the_rest_is_read(tmp_path: Path) -> None:
    cut = gzip.compress(GAME)[:-12]
    (tmp_path / "all.zip").write_bytes(zipped({"bad.gz": cut, "good": GAME}))

    bad, good = games_in(load_map(), tmp_path / "all.zip", ReadOptions())

    assert isinstance(bad, UnreadableError)
    assert bad.name.endswith("all.zip/bad.gz")
    assert isinstance(good, Record)


def test_member_names_are_not_used_as_paths_and_hidden_ones_are_skipped(tmp_path: Path) -> None:
    members = {"../../etc/game": GAME, "__MACOSX/._game": b"\0", ".DS_Store": b"\0"}
    (tmp_path / "all.zip").write_bytes(zipped(members))

    (game,) = records(tmp_path / "all.zip")

    assert game.source.name.endswith("all.zip/../../etc/game")
    assert [path.name for path in tmp_path.iterdir()] == ["all.zip"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("game.gz", gzip.compress(GAME)[:-12], id="gzip"),
        pytest.param("games.zip", zipped({"game": GAME})[:-40], id="zip"),
        pytest.param("game.bz2", bz2.compress(GAME)[:-12], id="bzip2"),
        pytest.param("game.xz", lzma.compress(GAME)[:-12], id="xz"),
    ],
)
def test_a_truncated_packed_file_is_reported(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)

    assert "damaged or cut off" in error(tmp_path / name).why


@pytest.mark.parametrize("form", [None, "record", "jdip"])
@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_file_is_reported(form: str | None, content: str, tmp_path: Path) -> None:
    (tmp_path / "game").write_text(content)

    assert error(tmp_path / "game", ReadOptions(form)).why == "the file is empty"


def test_nothing_but_zeros_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "zeros").write_bytes(bytes(10_240))

    assert error(tmp_path / "zeros").why == "binary data, not text"


def test_a_folder_is_looked_at_once_and_pipes_never(tmp_path: Path) -> None:
    (tmp_path / "game").write_text("")
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(tmp_path / "pipe")

    assert list(find_files([tmp_path])) == [tmp_path / "game"]
