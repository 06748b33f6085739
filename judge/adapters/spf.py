"""Evaluate SPF (RFC 7208): whether an address may send for a domain, and with how many lookups.

Macros are not expanded: a mechanism that has one counts as a lookup and never matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias

from judge.adapters.dns_zone import Resolver

LOOKUPS_MAX, VOID_LOOKUPS_MAX = 10, 2  # RFC 7208 4.6.4; the latter find nothing
EXCHANGERS_MAX = 10  # of one mechanism, the same section
VERSION = "v=spf1"
TERM = re.compile(
    r"(?P<qualifier>[+?~-]?)(?P<name>[a-z0-9_.-]+)(?:[:=](?P<value>[^/]*))?(?P<prefix>/.+)?",
    re.IGNORECASE,
)
MODIFIERS = ("redirect", "exp")

Verdict: TypeAlias = Literal["pass", "fail", "softfail", "neutral"]
VERDICTS: dict[str, Verdict] = {
    "": "pass", "+": "pass", "-": "fail", "~": "softfail", "?": "neutral",
}  # fmt: skip


class SpfError(ValueError):
    """The record is wrong, so receivers treat the domain as having none (permerror)."""


class SpfResult(NamedTuple):
    """The *lookups* needed, the *verdict* on the address, and that on all *others*."""

    lookups: int
    verdict: Verdict
    others: Verdict


def spf_records(texts: Sequence[str]) -> Sequence[str]:
    """Return those of *texts* that are SPF records."""
    return [text for text in texts if text.lower().split(" ")[0] == VERSION]


def evaluate(resolver: Resolver, domain: str, record: str, address: str | None) -> SpfResult:
    """Evaluate the *record* of *domain* for *address*.

    Without an address, only `all` and `exists` match. Raises `SpfError`, and `DnsError` if the
    DNS does not answer. Counts every lookup, also those after a match, since other senders need
    them.
    """
    walk = _Walk(resolver, address)
    verdict = walk.verdict_of(domain, record)
    return SpfResult(walk.lookups, verdict, walk.others)


@dataclass(slots=True)
class _Walk:
    """Reads a record and all that it includes."""

    resolver: Resolver
    address: str | None
    lookups: int = 0
    void_lookups: int = 0
    others: Verdict = "neutral"
    depth: int = field(default=0, init=False)

    def verdict_of(self, domain: str, record: str) -> Verdict:
        found: Verdict | None = None
        redirect = ""
        ends = False
        for term in _terms(record):
            name, value = term["name"].lower(), term["value"] or ""
            if name in MODIFIERS:
                redirect = value if name == "redirect" else redirect
                continue
            matches = self._matches(term, domain)
            if name == "all":
                ends = True
                if not self.depth:
                    self.others = VERDICTS[term["qualifier"]]
            if matches and found is None:
                found = VERDICTS[term["qualifier"]]
        if redirect and not ends:
            self._count("redirect")
            return found or self.verdict_of(redirect, self._record_of(redirect))
        return found or "neutral"

    def _matches(self, term: re.Match[str], domain: str) -> bool:
        name, value = term["name"].lower(), term["value"] or domain
        match name:
            case "all":
                return True
            case "ip4" | "ip6":
                return self._is_in(f"{term['value'] or ''}{term['prefix'] or ''}")
            case "include" | "a" | "mx" | "exists" | "ptr":
                self._count(term[0])
                return self._matches_in_dns(term, name, value)
            case _:
                raise SpfError(f"{term[0]} is not a mechanism")

    def _matches_in_dns(self, term: re.Match[str], name: str, domain: str) -> bool:
        match name:
            case "include":
                return self._includes(domain)
            case "a":
                return self._is_host(term, self._addresses(domain, term[0]))
            case "mx":
                hosts = self._exchangers(domain, term[0])
                addresses = (self.resolver.addresses(host) for host in hosts if self.address)
                return self._is_host(term, chain.from_iterable(addresses))
            case "exists":
                return bool(self._addresses(domain, term[0]))
            case _:
                return False  # ptr, which RFC 7208 5.5 says not to use

    def _count(self, term: str) -> None:
        self.lookups += 1
        if self.lookups > LOOKUPS_MAX:
            raise SpfError(f"{term} is lookup {self.lookups} of at most {LOOKUPS_MAX}")

    def _includes(self, domain: str) -> bool:
        if "%" in domain:
            return False
        self.depth += 1
        verdict = self.verdict_of(domain, self._record_of(domain))
        self.depth -= 1
        return verdict == "pass"

    def _record_of(self, domain: str) -> str:
        found = spf_records(self.resolver.texts(domain))
        if len(found) != 1:
            raise SpfError(f"{domain} has {len(found) or 'no'} SPF records")
        return found[0]

    def _addresses(self, domain: str, term: str) -> Sequence[str]:
        if "%" in domain:
            return ()
        found = self.resolver.addresses(domain)
        self._count_void(term, found)
        return found

    def _exchangers(self, domain: str, term: str) -> Sequence[str]:
        if "%" in domain:
            return ()
        found = self.resolver.exchangers(domain)
        self._count_void(term, found)
        if len(found) > EXCHANGERS_MAX:
            raise SpfError(f"{domain} has {len(found)} MX records of at most {EXCHANGERS_MAX}")
        return [each.host for each in found if each.host]

    def _count_void(self, term: str, found: Sequence[object]) -> None:
        self.void_lookups += not found
        if self.void_lookups > VOID_LOOKUPS_MAX:
            raise SpfError(
                f"{term} is lookup {self.void_lookups} of at most {VOID_LOOKUPS_MAX} "
                "that find nothing"
            )

    def _is_host(self, term: re.Match[str], addresses: Iterable[str]) -> bool:
        prefix = term["prefix"] or ""
        lengths = re.fullmatch(r"(?:/(\d+))?(?://(\d+))?", prefix)
        if lengths is None:
            raise SpfError(f"{prefix} is not a prefix length")
        if self.address is None:
            return False
        length = lengths[1 if ip_address(self.address).version == 4 else 2]  # noqa: PLR2004 - IPv4
        own = f"/{length}" if length else ""
        return any(self._is_in(each + own) for each in addresses)

    def _is_in(self, network: str) -> bool:
        try:
            found = ip_network(network, strict=False)
        except ValueError as error:
            raise SpfError(str(error)) from error
        return self.address is not None and ip_address(self.address) in found


def _terms(record: str) -> Iterator[re.Match[str]]:
    for word in record.split()[1:]:
        term = TERM.fullmatch(word)
        if term is None:
            raise SpfError(f"{word} cannot be read")
        yield term
