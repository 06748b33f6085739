"""A real Postfix in a temporary folder with its own configuration, queue and log.

    with postfix(f"lmtp:inet:127.0.0.1:{port}") as mx:
        ...  # mail to judge.example, sent to 127.0.0.1:mx.port, is handed over by LMTP

It needs root, because Postfix's master does. It talks to nobody but the loopback.
"""

from __future__ import annotations

import os
import signal
import smtplib
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.daemon import PATIENCE_SECONDS, wait_until
from tests.support.servers import answers, free_port, need, open_folder

HOST = "mx.judge.example"  # the name that it writes in Received
# A scan that finds an email deferred but still open in its pipe loses it until the next start: so
# nothing is tried again within the second.
MAIN = """\
compatibility_level = 3.6
queue_directory = {base}/spool
data_directory = {base}/lib
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file = {base}/maillog
maillog_file_prefixes = /
myhostname = {host}
mydestination =
local_recipient_maps =
alias_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtp_host_lookup = native
disable_dns_lookups = yes
append_dot_mydomain = no
recipient_delimiter = +
virtual_mailbox_domains = judge.example
virtual_transport = {transport}
lmtp_destination_recipient_limit = 1
transport_maps = inline:{{{{discard.example = discard:}}}}
relay_domains = discard.example
minimal_backoff_time = 2s
maximal_backoff_time = 2s
queue_run_delay = 1s
transport_retry_time = 1s
smtpd_forbid_bare_newline = normalize
smtpd_forbid_bare_newline_exclusions =
smtpd_client_connection_rate_limit = 0
smtpd_client_connection_count_limit = 0
default_process_limit = 100
"""
MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
"""


@dataclass(frozen=True, slots=True)
class Postfix:
    """One that runs; *port* takes mail by SMTP."""

    port: int
    base: Path

    def smtp(self) -> smtplib.SMTP:
        """Connect to it."""
        return smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)

    def log(self) -> str:
        """Return what it has logged."""
        return (self.base / "maillog").read_text()

    def forget(self) -> None:
        """Drop what it has logged so far."""
        os.truncate(self.base / "maillog", 0)

    def queued(self) -> list[str]:
        """Return the emails that wait in its queue, a line of JSON each."""
        return self._tell("postqueue", "-j").splitlines()

    def flush(self) -> None:
        """Retry the queued email now."""
        self._tell("postqueue", "-f")

    def come_to_rest(self) -> None:
        """Wait until its queue is empty.

        Two looks: one does not find an email that goes from one folder of the queue to another.
        """
        wait_until(
            lambda: not self.queued() and not self.queued(),
            lambda: f"Postfix still has mail: {self.log()[-2000:]}",
        )

    def _tell(self, command: str, *words: str) -> str:
        config = str(self.base / "etc")
        return subprocess.check_output([f"/usr/sbin/{command}", "-c", config, *words], text=True)


@contextmanager
def postfix(
    transport: str, settings: Mapping[str, str] | None = None, services: str = ""
) -> Iterator[Postfix]:
    """Run a Postfix that gives mail for judge.example to *transport* until the block ends.

    *settings* are added to its main.cf, lines of *services* to its master.cf.
    """
    need("Postfix", "postfix", "postqueue", root=True)
    with open_folder() as base:
        server = Postfix(free_port(), base)
        _write_configuration(server, transport, settings or {}, services)
        control = ["/usr/sbin/postfix", "-c", str(base / "etc")]
        subprocess.run([*control, "start"], check=True, capture_output=True)
        try:
            wait_until(lambda: answers(server.port), "Postfix does not listen")
            yield server
        finally:  # `postfix stop` sleeps a second
            os.kill(int((base / "spool" / "pid" / "master.pid").read_text()), signal.SIGTERM)


def _write_configuration(
    server: Postfix, transport: str, settings: Mapping[str, str], services: str
) -> None:
    for name in ("etc", "spool", "lib"):
        (server.base / name).mkdir(mode=0o755)
    subprocess.run(["chown", "postfix", str(server.base / "lib")], check=True)
    main = MAIN.format(base=server.base, host=HOST, transport=transport)
    standard = dict(line.split(" =", 1) for line in main.splitlines())
    # Each name once: or every process warns of it, its logger too, which then waits for itself.
    lines = [f"{name} = {value.strip()}\n" for name, value in {**standard, **settings}.items()]
    (server.base / "etc" / "main.cf").write_text("".join(lines))
    (server.base / "etc" / "master.cf").write_text(MASTER.format(port=server.port) + services)
    (server.base / "etc" / "dynamicmaps.cf").touch()
    for known in ("/usr/share/postfix/postfix-files", "/etc/postfix/postfix-files"):
        if Path(known).exists():
            (server.base / "etc" / "postfix-files").write_bytes(Path(known).read_bytes())
