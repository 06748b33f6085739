"""The number of connections that listeners accept under a limit of open files."""

from __future__ import annotations

import resource

import pytest

from judge.adapters.inputs.listeners import OTHER_DESCRIPTORS, connections_allowed

UNLIMITED = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("soft", "hard", "left", "taken"),
    [
        pytest.param(1_024, 524_288, 1_500 + OTHER_DESCRIPTORS, 500, id="as systemd has it"),
        pytest.param(1_024, UNLIMITED, 1_500 + OTHER_DESCRIPTORS, 500, id="no hard limit"),
        pytest.param(20_000, 20_000, 20_000, 500, id="enough"),
        pytest.param(UNLIMITED, UNLIMITED, UNLIMITED, 500, id="no limit"),
        pytest.param(256, 1_000, 1_000, 300, id="fewer"),
        pytest.param(64, 64, 64, 1, id="hardly any"),
    ],
)
def test_listeners_take_as_many_connections_as_open_files_allow(
    soft: int, hard: int, left: int, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = [(soft, hard)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, limit: limits.append(limit))

    assert connections_allowed(doors=3, wanted=500) == taken
    assert limits[-1] == (left, hard)
