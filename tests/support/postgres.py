"""A real PostgreSQL in a temporary folder, on loopback only.

    with postgresql() as server:
        database = open_database(server.new())

As root it is run as the user `postgres`, because it refuses to be run as root.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from judge.adapters.store.database import open_database
from judge.settings import DatabaseServer
from tests.support.daemon import PATIENCE_SECONDS, wait_until
from tests.support.servers import answers, free_port, need, open_folder

PROGRAMS = ("initdb", "postgres")
OWNER = "postgres"
QUICK = ("fsync=off", "full_page_writes=off")  # a killed server keeps all, a power cut might not
SETTINGS = ("max_connections=200", "shared_buffers=32MB", "logging_collector=off")

EMPTIES = """DO $$ DECLARE each text; BEGIN
    PERFORM set_config('session_replication_role', 'replica', true); -- no trigger counts emails
    ALTER TABLE events DISABLE TRIGGER events_never_change;
    FOR each IN SELECT tablename FROM pg_tables
        WHERE schemaname = 'public' AND tablename <> 'alembic_version'
    LOOP EXECUTE format('DELETE FROM %I', each); END LOOP;
    ALTER TABLE events ENABLE ALWAYS TRIGGER events_never_change;
    FOR each IN SELECT sequencename FROM pg_sequences
    LOOP EXECUTE format('ALTER SEQUENCE %I RESTART', each); END LOOP;
END $$"""


@dataclass
class Postgres:
    """One that runs, and can be killed and started again."""

    base: Path
    port: int
    settings: Sequence[str] = QUICK
    process: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        self._names = count()
        self._idle: list[DatabaseServer] = []

    def start(self) -> None:
        """Start it, and wait until it answers."""
        chosen = [*SETTINGS, *self.settings, f"unix_socket_directories={self.base}"]
        options = [word for setting in chosen for word in ("-c", setting)]
        place = ["-D", str(self.base / "data"), "-h", "127.0.0.1", "-p", str(self.port)]
        with (self.base / "log").open("ab") as log:
            command, user = [_program("postgres"), *place, *options], _user()
            self.process = subprocess.Popen(command, stdout=log, stderr=log, user=user, group=user)
        wait_until(self._answers, f"PostgreSQL does not start: {self.base / 'log'}")

    def kill(self) -> None:
        """End it at once, whatever it is doing, as a crash would."""
        self._end(signal.SIGQUIT)

    def stop(self) -> None:
        """End it when what runs is rolled back."""
        self._end(signal.SIGINT)

    def server(self, name: str) -> DatabaseServer:
        """Return the database *name*."""
        return DatabaseServer(f"postgresql+psycopg://{OWNER}@127.0.0.1:{self.port}/{name}")

    def empty(self) -> DatabaseServer:
        """Make a database without a table."""
        return self._made("template1")

    def new(self) -> DatabaseServer:
        """Make a database with the tables of a judge: quickly, by a copy."""
        return self._made(self._template)

    @contextmanager
    def lent(self) -> Iterator[DatabaseServer]:
        """Lend a database with the tables of a judge, to be used by others when it is empty again.

        A new one is 300 files, which take longer to remove than most tests run.
        """
        server = self._idle.pop() if self._idle else self.new()
        yield server
        self.ask(server, EMPTIES)
        self._idle.append(server)

    def copy(self, server: DatabaseServer) -> DatabaseServer:
        """Copy the database *server*, which must have no connections."""
        return self._made(server.url.rpartition("/")[2])

    def ask(self, server: DatabaseServer, question: str) -> list[tuple[object, ...]]:
        """Return the rows that an SQL *question* is answered with, none if it is a statement."""
        engine = create_engine(server.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            result = connection.execute(text(question))
            rows = [tuple(row) for row in result] if result.returns_rows else []
        engine.dispose()
        return rows

    @cached_property
    def _template(self) -> str:
        server = self.empty()
        with closing(open_database(server)):
            return server.url.rpartition("/")[2]

    def _made(self, template: str) -> DatabaseServer:
        name = f"judge_{next(self._names)}"
        statement = f"CREATE DATABASE {name} TEMPLATE {template}"

        def is_made() -> bool:
            try:
                self.ask(self.server("postgres"), statement)
            except OperationalError:  # the server has not noticed yet that a connection was closed
                return False
            return True

        wait_until(is_made, lambda: f"{statement}: {(self.base / 'log').read_text()[-2000:]}")
        return self.server(name)

    def _answers(self) -> bool:
        assert self.process
        assert self.process.poll() is None, (self.base / "log").read_text()
        ready = b"ready to accept connections" in (self.base / "log").read_bytes()
        return ready and answers(self.port)

    def _end(self, number: signal.Signals) -> None:
        assert self.process
        self.process.send_signal(number)
        self.process.wait(PATIENCE_SECONDS)
        self.process = None
        (self.base / "log").write_bytes(b"")


@contextmanager
def postgresql(
    settings: Sequence[str] = QUICK,
    *made: str,
    where: Callable[[], AbstractContextManager[Path]] = open_folder,
) -> Iterator[Postgres]:
    """Run a PostgreSQL until the block ends; *settings* are added to its configuration.

    It lives in the folder *where*; *made* are more options with which its files are made.
    """
    _find_programs()
    with where() as base:
        user = _user()
        if user:
            shutil.chown(base, user, user)
        initdb = [_program("initdb"), "-D", str(base / "data"), "-U", OWNER, "-A", "trust"]
        subprocess.run(
            [*initdb, "--no-locale", "-E", "UTF8", "--no-sync", *made],
            check=True,
            capture_output=True,
            cwd=base,
            user=user,
            group=user,
        )
        server = Postgres(base, free_port(), settings)
        server.start()
        try:
            yield server
        finally:
            if server.process:
                server.kill()


def _find_programs() -> None:
    """Put Debian's folder of the newest server into the PATH; skip the test if there is none."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version)
    if not shutil.which("initdb") and folders:
        os.environ["PATH"] = f"{os.environ['PATH']}{os.pathsep}{folders[-1]}"
    need("PostgreSQL", *PROGRAMS)


def _version(folder: Path) -> float:
    return float(folder.parent.name)


def _program(name: str) -> str:
    found = shutil.which(name)
    assert found, "it was looked for before"
    return found


def _user() -> str | None:
    """Return the user that runs the server's programs, None for our own."""
    return OWNER if os.geteuid() == 0 else None
