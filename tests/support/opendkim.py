"""A real OpenDKIM in a temporary folder, with the configuration of `deploy/`.

    with opendkim({"k._domainkey.players.example": record}) as milter:
        ...  # checks what Postfix shows it at inet:127.0.0.1:milter.port

It asks no DNS: it knows the keys that it is given. It needs root, to read what is in a new folder.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.daemon import wait_until
from tests.support.postfix import HOST
from tests.support.servers import answers, free_port, need, open_folder

DEPLOYED = Path(__file__).parents[2] / "deploy" / "opendkim" / "opendkim.conf"
PROGRAM = "/usr/sbin/opendkim"


@dataclass(frozen=True, slots=True)
class OpenDkim:
    """One that runs; Postfix asks it on *port*."""

    port: int
    base: Path


@contextmanager
def opendkim(keys: Mapping[str, bytes]) -> Iterator[OpenDkim]:
    """Run an OpenDKIM that knows the public *keys* until the block ends."""
    need("OpenDKIM", "opendkim", "opendkim-genkey", root=True)
    with open_folder() as base:
        milter = OpenDkim(free_port(), base)
        make = ["opendkim-genkey", "--directory", str(base), "--domain", "judge.example"]
        subprocess.run([*make, "--selector", "judge"], check=True)
        known = "".join(f"{name} {record.decode()}\n" for name, record in keys.items())
        (base / "keys").write_text(known)
        (base / "opendkim.conf").write_text(_configuration(milter))
        with subprocess.Popen([PROGRAM, "-f", "-x", str(base / "opendkim.conf")]) as process:
            try:
                wait_until(lambda: answers(milter.port), "OpenDKIM does not listen")
                yield milter
            finally:
                process.terminate()


def _configuration(milter: OpenDkim) -> str:
    """Return the configuration of `deploy/` with other names, places and ports."""
    ours = {
        "Domain": "judge.example",
        "KeyFile": str(milter.base / "judge.private"),
        "Socket": f"inet:{milter.port}@127.0.0.1",
        "UserID": "root",
        "PidFile": str(milter.base / "pid"),
        "RequireSafeKeys": "no",  # others may write to /tmp, though not to this folder
    }
    lines = DEPLOYED.read_text().replace("mx.example.org", HOST).splitlines()
    kept = [line for line in lines if re.split(r"\s", line)[0] not in ours]
    added = [f"{name} {value}" for name, value in ours.items()]
    return "\n".join([*kept, *added, f"TestPublicKeys {milter.base / 'keys'}", ""])
