"""The pages with metrics and health answer only those who name the judge itself."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from judge.adapters.web.servers import serve_metrics
from judge.settings import Endpoint
from tests.support.servers import free_port
from tests.support.table import Table


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    table, port = Table(tmp_path_factory.mktemp("metrics")), free_port()
    stop = serve_metrics(table.judge, Endpoint("127.0.0.1", port), ("judge.example.org",))
    yield port
    stop()
    table.close()


def status(port: int, path: str, *hosts: str) -> int:
    """Ask for *path* with these Host headers, and return the status."""
    lines = [f"GET {path} HTTP/1.0", *(f"Host: {each}" for each in hosts), "", ""]
    with closing(socket.create_connection(("127.0.0.1", port), timeout=30)) as connection:
        connection.sendall("\r\n".join(lines).encode())
        return int(connection.makefile("rb").readline().split()[1])


@pytest.mark.parametrize("path", ["/metrics", "/healthz"])
@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.0.0.1:9108", "[::1]:9108", "192.0.2.7", "localhost", "LocalHost:80"),
        *("judge.example.org", "Judge.Example.org:443"),
    ],
)
def test_an_ip_address_localhost_and_a_listed_name_are_answered(
    port: int, path: str, host: str
) -> None:
    assert status(port, path, host) in (200, 503)


@pytest.mark.parametrize("path", ["/metrics", "/healthz", "/"])
@pytest.mark.parametrize(
    "hosts",
    [
        *(("evil.example",), ("evil.example:9108",), ("localhost.evil.example",)),
        *(("judge.example.org.evil.example",), ("127.0.0.1.evil.example",), ("127.0.0.1 evil",)),
        *(("evil.example", "127.0.0.1"), ("localhost@evil.example",), ("[evil]:80",)),
    ],
)
def test_another_name_is_refused(port: int, path: str, hosts: tuple[str, ...]) -> None:
    assert status(port, path, *hosts) == 421


def test_a_request_of_http_1_0_names_nobody(port: int) -> None:
    assert status(port, "/healthz") in (200, 503)
