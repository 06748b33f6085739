"""Replacing a folder: an interruption leaves the old one or the new one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.adapters.whole_files import replacing_folder


@pytest.mark.parametrize("call", ["mkdir", "rename"])
@pytest.mark.parametrize("time", [1, 2])
def test_an_interruption_leaves_the_old_folder_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, time: int
) -> None:
    tables = tmp_path / "tables"
    (tables / "games").mkdir(parents=True)
    done: Callable[..., object] = getattr(Path, call)
    left = iter(range(time - 1))

    def interrupted(*args: object, **kwargs: object) -> object:
        answer = done(*args, **kwargs)
        if next(left, None) is None:
            monkeypatch.undo()
            raise KeyboardInterrupt
        return answer

    monkeypatch.setattr(Path, call, interrupted)
    with pytest.raises(KeyboardInterrupt), replacing_folder(tables, {"games"}) as new:
        (new / "units").mkdir()

    assert [each.name for each in tmp_path.iterdir()] == ["tables"]
    replaced = (call, time) == ("rename", 2)
    assert [each.name for each in tables.iterdir()] == ["units" if replaced else "games"]
