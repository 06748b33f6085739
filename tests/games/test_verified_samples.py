"""Files of other programs, read and adjudicated again: record and law are one."""

from __future__ import annotations

import json
import os

import pytest
from click.testing import CliRunner

from judge.cli.archive.command import archive


@pytest.mark.skipif("JUDGE_SAMPLES" not in os.environ, reason="JUDGE_SAMPLES names no folder")
def test_every_sample_that_is_read_comes_out_as_it_was_recorded() -> None:
    result = CliRunner().invoke(archive, ["verify", "--json", os.environ["JUDGE_SAMPLES"]])

    told = json.loads(result.stdout)
    assert told["compared"] > 0
    assert told["differences"] == []
