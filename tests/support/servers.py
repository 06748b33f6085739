"""Helpers for real servers: skip if missing, free ports, temporary folders."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import BaseServer

import pytest


def need(server: str, *programs: str, root: bool = False) -> None:
    """Skip the test where a program of *server*, or the right to start it, is missing.

    `.ci/run` installs what is missing, and fails when a test is skipped for this reason.
    """
    path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))
    missing = [program for program in programs if not shutil.which(program, path=path)]
    if missing:
        pytest.skip(f"needs-server: {server}: there is no {', '.join(missing)}")
    if root and os.geteuid() != 0:
        pytest.skip(f"needs-server: {server} is started by root only")


def free_port() -> int:
    """Return a port of the loopback on which nobody listens, and which the kernel gives to no one.

    A socket holds it until these tests end. It does not listen, so a server that reuses addresses,
    as all do that are started here, can.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    port: int = holder.getsockname()[1]
    holder.detach()
    return port


def free_door() -> str:
    """Return such a port with its host, as the judge's settings have it."""
    return f"127.0.0.1:{free_port()}"


def answers(port: int) -> bool:
    """Return whether a server listens on *port*."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=10).close()
    except OSError:
        return False
    return True


@contextmanager
def open_folder() -> Iterator[Path]:
    """Yield a folder that a server's users can enter, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="peer-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """Yield the folder of a file system that holds so much; skip where none can be mounted."""
    with open_folder() as folder:
        options = f"size={megabytes}m,mode=755"
        mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        told = subprocess.run(mount, capture_output=True, text=True, check=False)
        if told.returncode:
            pytest.skip(f"needs-server: a small disk, mounted by root: {told.stderr.strip()}")
        try:
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


class QuietServer(BaseServer):
    """A server whose connections may end while it speaks, as they do when a test ends.

    The traceback of such an end would stand in what another test captures.
    """

    def handle_error(
        self, request: socket.socket | tuple[bytes, socket.socket], client_address: object
    ) -> None:
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)
