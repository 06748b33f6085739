"""The commands of the PostgreSQL page work on a server with Debian's access rules."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from pwd import getpwuid

import pytest

from tests.support.postgres import OWNER, Postgres, postgresql
from tests.support.servers import need

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/operators/postgresql.md").read_text(encoding="utf-8")
LINES: list[str] = [
    line
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]
ACCESS = "local all all peer map=ours\nhost all all 127.0.0.1/32 scram-sha-256\n"
PASSWORD = "swordfish"


@pytest.fixture
def server() -> Iterator[Postgres]:
    """A server that accepts known users at its socket, and by TCP only with a password."""
    need("PostgreSQL", "runuser", root=True)
    with postgresql() as server:
        server.stop()
        data = server.base / "data"
        (data / "pg_hba.conf").write_text(ACCESS)
        ourselves = getpwuid(os.geteuid()).pw_name
        (data / "pg_ident.conf").write_text(f"ours {OWNER} {OWNER}\nours {ourselves} judge\n")
        server.start()
        yield server


def documented(*words: str) -> str:
    """Return the only line of the page that contains *words*."""
    found: list[str] = [each for each in LINES if all(word in each for word in words)]
    assert len(found) == 1, words
    return found[0]


def run(server: Postgres, line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a *line* of the page with *server* in place of Debian's, as the user `judge`."""
    line = line.replace("/var/run/postgresql", str(server.base))
    ours = f"{sys.executable} -m judge"
    line = line.replace("runuser -u judge -- /opt/judge/bin/judge", ours)
    environment = {"PGHOST": str(server.base), "PGPORT": str(server.port), **variables}
    return subprocess.run(
        ["sh", "-ec", line],
        capture_output=True,
        check=False,
        cwd=server.base,
        env=os.environ | environment,
        text=True,
    )


@pytest.mark.gate  # it starts a server of its own
def test_the_lines_make_a_database_that_the_judge_can_use_here_and_from_elsewhere(
    server: Postgres,
) -> None:
    for command in ("createuser", "createdb"):
        made = run(server, documented(command))
        assert made.returncode == 0, made.stderr
    here = run(server, documented("judge check"), PGUSER="judge")
    assert "ok       database: PostgreSQL" in here.stdout, here.stdout + here.stderr
    new = documented("judge check").replace("judge check", "judge game new baltic")
    created = run(server, new, PGUSER="judge")
    assert created.returncode == 0, "it may make its tables: " + created.stderr

    typed = f"ALTER USER judge PASSWORD $${PASSWORD}$$"  # what psql asks for
    assert run(server, documented("psql").replace(r"\password judge", typed)).returncode == 0
    [url] = set(re.findall(r"postgresql\+psycopg://judge@db\.example\.org/judge", PAGE))
    url = url.replace("db.example.org", f"127.0.0.1:{server.port}")
    check = f"{sys.executable} -m judge check --database {url}"
    elsewhere = run(server, check, PGPASSWORD=PASSWORD)
    assert "ok       database: PostgreSQL" in elsewhere.stdout, elsewhere.stdout


def test_psycopg_is_installed_from_a_file_that_pins_it() -> None:
    line = documented("pip install")

    requirements = (ROOT / line.split()[-1]).read_text(encoding="utf-8")

    assert "--require-hashes" in line
    assert "\npsycopg-binary==" in requirements


@pytest.mark.parametrize("folder", ["docs", "judge", "deploy"])
def test_nothing_is_installed_by_the_name_of_a_package_that_is_on_no_index(folder: str) -> None:
    texts = (each for each in (ROOT / folder).rglob("*") if each.suffix in {".md", ".py"})

    named = re.compile(r"pbem-judge\[|pip install '?pbem-judge")
    assert [str(each) for each in texts if named.search(each.read_text("utf-8"))] == []
