"""An IMAP server with one mailbox, some of whose emails it does not hand over."""

from __future__ import annotations

import re
import socketserver
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import cast

from tests.support.servers import QuietServer

COMMAND = re.compile(rb"(\S+) (?:UID )?(\w+) ?(.*)\r\n")
DATE = b'INTERNALDATE "21-Nov-2026 12:00:00 +0000"'


def whole(uid: int, raw: bytes) -> bytes:
    """Return the answer of a sound server."""
    return b"(UID %d %s BODY[]<0> {%d}\r\n%s)" % (uid, DATE, len(raw), raw)


@dataclass
class ScriptedImap:
    """The *emails* of a mailbox by UID; *answers* gives other answers to their FETCH.

    Such an answer is None for a NO, else a function of UID and text that returns the line.
    """

    emails: dict[int, bytes]
    answers: dict[int, Callable[[int, bytes], bytes] | None] = field(default_factory=dict)
    password: str = "secret"
    port: int = 0
    fetched: list[tuple[int, ...]] = field(default_factory=list)

    def reply(self, name: bytes, rest: bytes) -> tuple[list[bytes], bytes]:
        """Return the lines and the state that answer a command."""
        match name:
            case b"LOGIN":
                right = self.password.encode() in rest
                return [], b"OK" if right else b"NO [AUTHENTICATIONFAILED] wrong password"
            case b"CAPABILITY":
                return [b"CAPABILITY IMAP4rev1"], b"OK"
            case b"SELECT" | b"EXAMINE":
                return [b"%d EXISTS" % len(self.emails), b"OK [UIDVALIDITY 7] valid"], b"OK"
            case b"SEARCH":
                found = (uid for uid in self.emails if self._is_in(uid, rest.split()[-1]))
                return [b"SEARCH " + b" ".join(b"%d" % uid for uid in found)], b"OK"
            case b"FETCH":
                return self._fetch(rest)
            case _:
                return [], b"OK"

    def _is_in(self, uid: int, named: bytes) -> bool:
        if named.endswith(b":*"):
            return uid >= int(named[:-2]) or uid == max(self.emails)
        return uid in ([max(self.emails)] if named == b"*" else map(int, named.split(b",")))

    def _fetch(self, rest: bytes) -> tuple[list[bytes], bytes]:
        uids = [int(uid) for uid in rest.split()[0].split(b",")]
        if b"BODY" not in rest:
            return [b"%d FETCH (UID %d RFC822.SIZE 9)" % (uid, uid) for uid in uids], b"OK"
        self.fetched.append(tuple(uids))
        lines: list[bytes] = []
        for uid in uids:
            answer = self.answers.get(uid, whole)
            if answer is None:
                return lines, b"NO [SERVERBUG] cannot open message %d" % uid
            if uid in self.emails and (line := answer(uid, self.emails[uid])):
                lines.append(b"%d FETCH %s" % (uid, line))
        return lines, b"OK"


@contextmanager
def serving(box: ScriptedImap) -> Iterator[ScriptedImap]:
    """Serve *box* on a port of this machine."""

    class Conversation(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"* OK ready\r\n")
            while found := COMMAND.fullmatch(self.rfile.readline()):
                tag, name, rest = found.groups()
                lines, state = box.reply(name.upper(), rest)
                self.wfile.write(b"".join(b"* %s\r\n" % line for line in lines))
                self.wfile.write(b"%s %s done\r\n" % (tag, state))

    class Server(QuietServer, socketserver.ThreadingTCPServer):
        daemon_threads, allow_reuse_address = True, True

    with Server(("127.0.0.1", 0), Conversation) as server:
        box.port = cast("tuple[str, int]", server.server_address)[1]
        Thread(target=server.serve_forever, daemon=True).start()
        yield box
        server.shutdown()
