"""Several daemons on one PostgreSQL, in one folder, used as one."""

from __future__ import annotations

import shutil
import smtplib
from contextlib import closing
from dataclasses import dataclass, field
from email.message import EmailMessage
from itertools import count
from pathlib import Path

from judge.adapters.store.database import open_database
from judge.adapters.store.export_import import export_lines, import_lines
from judge.settings import DatabaseServer
from tests.support.daemon import CONFIGURED, FORGET_THE_REST, Daemon
from tests.support.postgres import Postgres


@dataclass
class Node(Daemon):
    """A daemon on the database *server* of *postgres*."""

    postgres: Postgres = field(kw_only=True)
    server: DatabaseServer = field(kw_only=True)

    def __post_init__(self) -> None:
        self.environment = {**self.environment, "JUDGE_DATABASE": self.server.url}

    def ask(self, question: str) -> list[tuple[object, ...]]:
        return self.postgres.ask(self.server, question)

    def change(self, statement: str) -> None:
        self.postgres.ask(self.server, statement)


@dataclass
class Nodes(Node):
    """Several daemons; each email goes to the next one that listens."""

    size: int = field(default=3, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.nodes = tuple(
            Node(self.folder, self.environment, postgres=self.postgres, server=self.server)
            for _ in range(self.size)
        )
        self._turns = count()

    def __exit__(self, *_error: object) -> None:
        for node in self.nodes:
            node.__exit__()

    def start(self, *program: str) -> None:
        for node in self.nodes:
            node.launch(*(program or ("judge",)))
        for node in self.nodes:
            node.listen()

    def stop(self) -> int:
        return max(node.stop() for node in self.nodes)

    def send(self, mail: EmailMessage) -> None:
        turn = next(self._turns)
        for number in range(self.size):
            try:
                self.nodes[(turn + number) % self.size].send(mail)
            except (smtplib.SMTPException, OSError):
                if number == self.size - 1:
                    raise
            else:
                return


def moved(begun: Path, postgres: Postgres) -> DatabaseServer:
    """Move the stopped judge in the folder *begun* to a new database."""
    server = postgres.empty()
    with (
        closing(open_database(begun / "judge.db")) as source,
        closing(open_database(server)) as target,
        source.read() as from_,
        target.write() as to,
    ):
        import_lines(to.connection, export_lines(from_.connection))
    return server


def several(
    begun: Path, folder: Path, postgres: Postgres, server: DatabaseServer, **environment: str
) -> Nodes:
    """Return three daemons on a copy of *server*, where the judge in the folder *begun* is.

    It is as if that judge had ended a moment ago.
    """
    shutil.copytree(begun / "outgoing", folder / "outgoing")
    configured = {**CONFIGURED, "JUDGE_MAIL_FORM": "text", **environment}
    nodes = Nodes(folder, configured, postgres=postgres, server=postgres.copy(server))
    nodes.change(FORGET_THE_REST)
    return nodes
