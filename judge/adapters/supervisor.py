"""What systemd is told of the daemon that it started: sd_notify(3), in datagrams to a socket."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Mapping


class Supervisor:
    """Who started the daemon and wants to hear of it, if anybody does.

    systemd names the socket in the variable `NOTIFY_SOCKET` of a unit with `Type=notify`. One that
    does not listen is no reason to end: it starts the daemon again when it misses the signs of
    life.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        name = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + name[1:] if name.startswith("@") else name

    def ready(self) -> None:
        """Say that mail can come: the store is open, and what was left over has been looked at."""
        self._tell("READY=1")

    def reloading(self) -> None:
        """Say that settings are read again; `ready` says that this is done, well or not."""
        self._tell(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1_000}")

    def alive(self) -> None:
        """Say that a turn has been taken, or a part of it."""
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the end has begun."""
        self._tell("STOPPING=1")

    def _tell(self, state: str) -> None:
        if not self._address:
            return
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line,
        ):
            line.settimeout(0)
            line.sendto(state.encode(), self._address)
