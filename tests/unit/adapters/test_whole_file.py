"""A file takes its place when it is whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.adapters.whole_files import replacing_file


def test_a_file_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("of last year")
    (tmp_path / "games").chmod(0o640)

    with replacing_file(tmp_path / "games") as file:
        file.write("of this year")

    assert (tmp_path / "games").read_text() == "of this year"
    assert (tmp_path / "games").stat().st_mode & 0o777 == 0o640
    assert [*tmp_path.iterdir()] == [tmp_path / "games"]


@pytest.mark.parametrize("why", [KeyboardInterrupt, OSError], ids=["interrupted", "full disk"])
def test_what_is_not_finished_leaves_all_as_it_was(
    tmp_path: Path, why: type[BaseException]
) -> None:
    (tmp_path / "games").write_text("of last year")

    def stopped() -> None:
        with replacing_file(tmp_path / "games") as file:
            file.write("of this")
            raise why

    with pytest.raises(why):
        stopped()

    assert (tmp_path / "games").read_text() == "of last year"
    assert [*tmp_path.iterdir()] == [tmp_path / "games"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("games")

    with replacing_file(tmp_path / "link") as file:
        file.write("of this year")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "games").read_text() == "of this year"
