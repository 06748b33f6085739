from __future__ import annotations

import socket

import pytest

ELSEWHERE = ("192.0.2.1", 25)  # RFC 5737: an address that is nobody's


def test_no_test_reaches_beyond_this_machine() -> None:
    with pytest.raises(UserWarning, match=ELSEWHERE[0]):
        socket.create_connection(ELSEWHERE, timeout=1)
