"""Files of other programs verify: the record agrees with the adjudication."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge.archive.reading import WRITERS
from judge.cli.root import archive

pytestmark = pytest.mark.skipif(
    "JUDGE_SAMPLES" not in os.environ, reason="JUDGE_SAMPLES names no folder"
)


def verified(path: str | Path) -> dict[str, Any]:
    result = CliRunner().invoke(archive, ["verify", "--json", str(path)])
    told = json.loads(result.stdout)
    assert isinstance(told, dict)
    return told


def test_every_sample_that_is_read_comes_out_as_it_was_recorded() -> None:
    told = verified(os.environ["JUDGE_SAMPLES"])

    assert told["compared"] > 0
    assert told["differences"] == []


@pytest.mark.parametrize("form", WRITERS)
def test_rewritten_samples_have_the_same_results(form: str, tmp_path: Path) -> None:
    arguments = ["convert", os.environ["JUDGE_SAMPLES"], "--to", form, "-o", tmp_path / "games"]
    CliRunner().invoke(archive, [str(each) for each in arguments])

    told = verified(tmp_path / "games")

    # A file has the rulebook of its format: nJudge's wants routes, which others do not record.
    unexplained = [each for each in told["differences"] if not each["explained_by"]]
    assert told["compared"] > 200
    assert (unexplained, told["unread"]) == ([], [])
