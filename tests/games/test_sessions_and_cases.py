"""Published games of droidippy, DAIDE and jDip verify against the rules."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats import daide_session, droidippy, jdip
from judge.archive.reading import Doubts, Format, Reading
from judge.archive.verification import verify

BOARD = load_map()


@pytest.mark.skipif("JUDGE_SAMPLES" not in os.environ, reason="JUDGE_SAMPLES names no folder")
@pytest.mark.parametrize(
    "form", [daide_session.FORMAT, droidippy.FORMAT, jdip.FORMAT], ids=lambda f: f.name
)
def test_every_phase_comes_out_as_it_was_recorded(form: Format) -> None:
    paths = [path for path in Path(os.environ["JUDGE_SAMPLES"]).rglob("*") if path.is_file()]
    texts = [(path.name, path.read_text(errors="replace")) for path in paths]
    known = [(name, text) for name, text in texts if form.recognizes(text)]

    verified = [
        verify(BOARD, record, form.rulebook, lambda *_: "")
        for name, text in known
        for record in form.read(Reading(BOARD, name, "", Doubts(name)), text.splitlines())
    ]

    assert verified
    assert all(each.compared for each in verified)
    assert [difference for each in verified for difference in each.differences] == []
