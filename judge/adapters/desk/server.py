"""The desk's own small server, in a thread beside whoever opened it."""

from __future__ import annotations

import asyncio
import socket
import threading
from types import TracebackType
from typing import Self

import uvicorn
from starlette.types import ASGIApp

from judge.adapters.desk.guard import ENTER, Guard, Keys
from judge.settings import LOOPBACK, Endpoint

CONNECTIONS_MAX = 50
STOP_SECONDS = 3  # for what is being answered


class DeskServer:
    """Serves *app* at *where*, a loopback address, while the block runs.

    Nothing of a request is logged: its address may be the link. Raises `OSError` when the address
    is taken.
    """

    def __init__(self, app: ASGIApp, keys: Keys, where: Endpoint) -> None:
        assert where.host in LOOPBACK, "the settings allow no other"
        family = socket.AF_INET6 if ":" in where.host else socket.AF_INET
        self._socket = socket.create_server((where.host, where.port), family=family)
        self.where = Endpoint(where.host, self._socket.getsockname()[1])
        self._keys = keys
        self._server = uvicorn.Server(
            uvicorn.Config(
                Guard(app, keys, self.where),
                http="h11",
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=CONNECTIONS_MAX,
                timeout_graceful_shutdown=STOP_SECONDS,
            )
        )
        self._thread = threading.Thread(target=self._run, name="desk")

    @property
    def link(self) -> str:
        """Return the address that lets its holder in; whoever has it is the gamemaster."""
        return f"http://{self.where}{ENTER}{self._keys.token}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    def _run(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))
