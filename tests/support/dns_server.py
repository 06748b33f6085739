"""A DNS server on loopback that serves a zone file and can simulate faults.

    with dns_server('judge.example. IN TXT "v=spf1 -all"') as server:
        server.endpoint  # 127.0.0.1:PORT
        server.broken.add("other.example")  # SERVFAIL from now on

It answers as a resolver does: it follows aliases, as far as it knows them.
"""

from __future__ import annotations

import socketserver
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Thread

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdataclass
import dns.rdatatype
import dns.rrset
import dns.zonefile

from tests.support.servers import QuietServer

ALIASES_MAX = 1_100
LENGTH_BYTES = 2  # before a message by TCP, RFC 1035 4.2.2
MESSAGE_BYTES_MAX = 65_535
HOST = "127.0.0.1"
TTL = 60


@dataclass
class DnsServer:
    """One that runs; names in *broken* get SERVFAIL, those in *silent* no answer."""

    port: int = 0
    rrsets: list[dns.rrset.RRset] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    @property
    def endpoint(self) -> str:
        return f"127.0.0.1:{self.port}"

    def publish(self, zone: str) -> None:
        """Add the records in *zone*, the text of a zone file with full names."""
        self.rrsets += dns.zonefile.read_rrsets(zone, default_ttl=TTL, rdclass=None)

    def withdraw(self, name: str) -> None:
        """Remove all records of *name*."""
        gone = dns.name.from_text(name)
        self.rrsets = [each for each in self.rrsets if each.name != gone]

    def answer(self, packet: bytes, *, by_tcp: bool = False) -> bytes | None:
        """Answer a query; in a datagram only that there is more, if it is too long for one."""
        query = dns.message.from_wire(packet)
        question = query.question[0]
        asked = question.name.to_text(omit_final_dot=True)
        kind = dns.rdatatype.to_text(question.rdtype)
        self.asked.append(f"{asked} {kind}{' by TCP' if by_tcp else ''}")
        if asked in self.silent:
            return None
        response = dns.message.make_response(query, recursion_available=True)
        if asked in self.broken:
            response.set_rcode(dns.rcode.SERVFAIL)
            return response.to_wire()
        self._resolve(response, question.name, question.rdtype)
        wire = response.to_wire(max_size=MESSAGE_BYTES_MAX)
        if len(wire) <= query.payload or by_tcp:
            return wire
        cut = dns.message.make_response(query, recursion_available=True)
        cut.flags |= dns.flags.TC
        return cut.to_wire()

    def _resolve(
        self, response: dns.message.Message, name: dns.name.Name, kind: dns.rdatatype.RdataType
    ) -> None:
        for _ in range(ALIASES_MAX):
            known = [each for each in self.rrsets if each.name == name]
            found = [each for each in known if each.rdtype in (kind, dns.rdatatype.CNAME)]
            response.answer += found
            if not known:
                response.set_rcode(dns.rcode.NXDOMAIN)
            if not found or found[0].rdtype == kind:
                return
            name = found[0][0].target


class Datagrams(QuietServer, socketserver.ThreadingUDPServer):
    """A server for datagrams."""


class Streams(QuietServer, socketserver.ThreadingTCPServer):
    """A server for streams."""


@contextmanager
def dns_server(zone: str = "") -> Iterator[DnsServer]:
    """Run a server with the records in *zone* until the block ends."""
    server = DnsServer()
    server.publish(zone)

    class Stream(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            length = int.from_bytes(self.rfile.read(LENGTH_BYTES))
            wire = server.answer(self.rfile.read(length), by_tcp=True)
            if wire is not None:
                self.wfile.write(len(wire).to_bytes(LENGTH_BYTES) + wire)

    class Datagram(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            packet, socket = self.request
            wire = server.answer(packet)
            if wire is not None:
                socket.sendto(wire, self.client_address)

    with ExitStack() as stack:
        datagrams, streams = _listening(Datagram, Stream)
        stack.callback(datagrams.server_close)
        stack.callback(streams.server_close)
        server.port = datagrams.server_address[1]
        for each in (datagrams, streams):
            each.daemon_threads = True
            thread = Thread(target=each.serve_forever, kwargs={"poll_interval": 0.05})
            thread.start()
            stack.callback(thread.join)
            stack.callback(each.shutdown)
        yield server


def _listening(
    datagram: type[socketserver.BaseRequestHandler], stream: type[socketserver.BaseRequestHandler]
) -> tuple[Datagrams, Streams]:
    """Return servers for datagrams and streams at one port, which both have free."""
    while True:
        datagrams = Datagrams((HOST, 0), datagram)
        try:
            here = (HOST, int(datagrams.server_address[1]))
            return datagrams, Streams(here, stream)
        except OSError:
            datagrams.server_close()
