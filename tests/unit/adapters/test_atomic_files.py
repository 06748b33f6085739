"""Files are replaced atomically, once complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.adapters import whole_files
from judge.adapters.whole_files import replacing_file


def test_a_complete_file_replaces_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("of last year")
    (tmp_path / "games").chmod(0o640)

    with replacing_file(tmp_path / "games") as file:
        file.write(b"of this year")

    assert (tmp_path / "games").read_text() == "of this year"
    assert (tmp_path / "games").stat().st_mode & 0o777 == 0o640
    assert [*tmp_path.iterdir()] == [tmp_path / "games"]


@pytest.mark.parametrize("why", [KeyboardInterrupt, OSError], ids=["interrupted", "full disk"])
def test_an_unfinished_file_changes_nothing(tmp_path: Path, why: type[BaseException]) -> None:
    (tmp_path / "games").write_text("of last year")

    def stopped() -> None:
        with replacing_file(tmp_path / "games") as file:
            file.write(b"of this")
            raise why

    with pytest.raises(why):
        stopped()

    assert (tmp_path / "games").read_text() == "of last year"
    assert [*tmp_path.iterdir()] == [tmp_path / "games"]


def test_a_symlink_is_kept(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("games")

    with replacing_file(tmp_path / "link") as file:
        file.write(b"of this year")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "games").read_text() == "of this year"


def test_new_folders_are_synced_in_their_parents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(whole_files, "sync_folder", synced.append)

    whole_files.make_folder(tmp_path / "one" / "two", 0o700)

    assert synced == [tmp_path, tmp_path / "one"]
    assert (tmp_path / "one" / "two").stat().st_mode & 0o777 == 0o700


def test_lines_are_added_after_the_last_whole_one(tmp_path: Path) -> None:
    (tmp_path / "lines").write_text("one\ntw")

    with whole_files.adding_lines(tmp_path / "lines") as file:
        file.write(b"two\n")

    assert (tmp_path / "lines").read_text() == "one\ntwo\n"
