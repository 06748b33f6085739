"""Ask the DNS, and write records as zone files have them."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, NamedTuple

import dns.exception
import dns.name
import dns.resolver
import dns.reversename

from judge.errors import JudgeError
from judge.settings import Endpoint

SECONDS_MAX = 5.0
ANSWER_BYTES_MAX = 1_232  # of a UDP answer; longer ones come by TCP
STRING_MAX = 255  # characters of one string in a TXT record, RFC 1035 3.3.14


class DnsError(JudgeError):
    """The DNS gave no answer: nothing is known about the name."""


class MailExchanger(NamedTuple):
    """An MX record; the empty *host* says that the domain takes no mail (RFC 7505)."""

    preference: int
    host: str


class Resolver:
    """The resolver at *endpoint*, else the system's. A name that does not exist has no records."""

    def __init__(self, endpoint: Endpoint | None = None) -> None:
        try:
            self._resolver = dns.resolver.Resolver(configure=endpoint is None)
        except dns.exception.DNSException as error:
            raise DnsError(f"no resolver is configured: {error}") from error
        if endpoint:
            self._resolver.nameservers, self._resolver.port = [endpoint.host], endpoint.port
        self._resolver.lifetime = SECONDS_MAX
        self._resolver.use_edns(0, 0, ANSWER_BYTES_MAX)

    def texts(self, name: str) -> Sequence[str]:
        """Return the TXT records of *name*, each with its strings joined."""
        found = self._records(name, "TXT")
        return [b"".join(each.strings).decode("utf-8", "replace") for each in found]

    def exchangers(self, name: str) -> Sequence[MailExchanger]:
        """Return the MX records of *name*, the preferred first."""
        found = self._records(name, "MX")
        return sorted(MailExchanger(each.preference, _host(each.exchange)) for each in found)

    def addresses(self, name: str) -> Sequence[str]:
        """Return the IP addresses of *name*."""
        return [str(each.address) for kind in ("A", "AAAA") for each in self._records(name, kind)]

    def names_of(self, address: str) -> Sequence[str]:
        """Return the names to which the PTR records of an IP *address* point."""
        name = dns.reversename.from_address(address)
        return [_host(each.target) for each in self._records(str(name), "PTR")]

    def alias(self, name: str) -> str | None:
        """Return what *name* is an alias of (CNAME), None if it is none."""
        found = self._records(name, "CNAME")
        return _host(found[0].target) if found else None

    def _records(
        self, name: str, kind: str
    ) -> Sequence[Any]:  # dnspython has a class for each kind
        try:
            return [*self._resolver.resolve(name, kind, search=False)]
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except (dns.exception.DNSException, UnicodeError, OSError) as error:
            raise DnsError(f"{kind} of {name}: {_reason(error)}") from error


def _host(name: dns.name.Name) -> str:
    return name.to_text(omit_final_dot=True).removesuffix(".").lower()


def _reason(error: Exception) -> str:
    if isinstance(error, dns.resolver.LifetimeTimeout):
        return "no resolver has answered in time"
    if isinstance(error, dns.resolver.NoNameservers):
        return "the resolver answered with an error (SERVFAIL)"
    return str(error) or type(error).__name__


def txt_record(name: str, text: str) -> str:
    """Write a TXT record on one line, in as many strings as its length needs."""
    strings = [text[at : at + STRING_MAX] for at in range(0, len(text), STRING_MAX)]
    escaped = (each.replace("\\", r"\\").replace('"', r"\"") for each in strings)
    quoted = " ".join(f'"{each}"' for each in escaped)
    return f"{name}. IN TXT {f'( {quoted} )' if len(strings) > 1 else quoted}"


def mx_record(name: str, host: str) -> str:
    """Write an MX record."""
    return f"{name}. IN MX 10 {host}."


def ptr_record(address: str, host: str) -> str:
    """Write the PTR record of an IP *address*."""
    return f"{ip_address(address).reverse_pointer}. IN PTR {host}."
