"""A proxy before a server on loopback that can fall silent, as a firewall that drops packets."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Thread

LOOK_SECONDS = 0.05


@dataclass
class TcpProxy:
    """Passes bytes to the server at *target* and back, unless it is silent.

    What is sent meanwhile is acknowledged and goes nowhere, for ever; new connections too.
    """

    target: int
    port: int = 0
    silent: bool = False
    _stopped: Event = field(default_factory=Event)

    def fall_silent(self) -> None:
        """Pass nothing more on the connections that there are, or come."""
        self.silent = True

    def serve(self, listener: socket.socket) -> None:
        """Accept connections until stopped."""
        listener.settimeout(LOOK_SECONDS)
        while not self._stopped.is_set():
            with suppress(TimeoutError):
                client, _ = listener.accept()
                Thread(target=self._pass, args=(client,), daemon=True).start()

    def stop(self) -> None:
        """End all connections."""
        self._stopped.set()

    def _pass(self, client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", self.target)) as server:
            cut = False
            while not self._stopped.is_set():
                cut = cut or self.silent
                ready, _, _ = select.select([client, server], [], [], LOOK_SECONDS)
                for each in ready:
                    with suppress(ConnectionError):
                        content = each.recv(65_536)
                        if not content:
                            return
                        if not (cut or self.silent):
                            (server if each is client else client).sendall(content)


@contextmanager
def proxy_before(port: int) -> Iterator[TcpProxy]:
    """Run a proxy before the server at *port* until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        proxy = TcpProxy(port, listener.getsockname()[1])
        thread = Thread(target=proxy.serve, args=(listener,))
        thread.start()
        try:
            yield proxy
        finally:
            proxy.stop()
            thread.join()
