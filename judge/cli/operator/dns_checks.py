"""The checks of `judge doctor --dns`, and the records that a judge's domain needs."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from ipaddress import ip_address

from judge.adapters.dkim_signing import DkimKeys
from judge.adapters.dns_zone import DnsError, Resolver, mx_record, ptr_record, txt_record
from judge.adapters.spf import LOOKUPS_MAX, SpfError, evaluate, spf_records
from judge.cli.operator.setting_checks import Finding
from judge.errors import ConfigurationError
from judge.settings import Settings, is_loopback

DMARC_WANTED = "v=DMARC1; p=reject"
DMARC = re.compile(r"v\s*=\s*DMARC1\s*(;|$)")
NAMES_MAX = 10  # of mail servers, and of an address: as many as receivers look at


@dataclass(frozen=True, slots=True)
class MailDomain:
    """The domain of the judge's address.

    *host* is the mail server's name, *sends_from* the IP address that other mail servers see,
    None if unknown, and *smarthost* the server elsewhere that sends for the judge, if any.
    """

    name: str
    host: str
    sends_from: str | None = None
    smarthost: str | None = None
    keys: DkimKeys | None = None


def mail_domain(settings: Settings, sends_from: str | None = None) -> MailDomain:
    """Return the domain that *settings* name."""
    server = settings.smarthost.host if settings.smarthost else None
    return MailDomain(
        settings.address.partition("@")[2],
        settings.received_by or settings.authserv_id or socket.getfqdn(),
        sends_from,
        server if server and not is_loopback(server) else None,
        DkimKeys(settings.dkim_keys) if settings.dkim_keys else None,
    )


def needed_records(domain: MailDomain) -> Iterator[str]:
    """Yield the records to publish, ready for a zone file."""
    yield mx_record(domain.name, domain.host)
    yield _wanted_spf(domain)
    if domain.keys and (selector := domain.keys.selector_in_use()):
        yield dkim_record(domain, selector)
    yield txt_record(f"_dmarc.{domain.name}", DMARC_WANTED)
    if domain.sends_from:
        yield ptr_record(domain.sends_from, domain.host)
    else:
        yield f"; PTR: ask the owner of your server's IP address to name it {domain.host}"


def dkim_record(domain: MailDomain, selector: str) -> str:
    """Return the record for the key with *selector*."""
    assert domain.keys, "it has a selector"
    return txt_record(_key_name(domain, selector), domain.keys.record(selector))


def _key_name(domain: MailDomain, selector: str) -> str:
    return f"{selector}._domainkey.{domain.name}"


def _wanted_spf(domain: MailDomain) -> str:
    senders = ["mx"]
    if domain.sends_from:
        senders.append(f"ip{ip_address(domain.sends_from).version}:{domain.sends_from}")
    elif domain.smarthost:
        senders.append(f"a:{domain.smarthost}")
    return txt_record(domain.name, f"v=spf1 {' '.join(senders)} -all")


def check_dns(domain: MailDomain, resolver: Resolver) -> Iterator[Finding]:
    """Check the records of *domain*.

    If its own mail server sends, the address of that is the one to check.
    """
    if domain.sends_from is None and domain.smarthost is None:
        with suppress(DnsError):
            addresses = resolver.addresses(domain.host)
            domain = replace(domain, sends_from=next(iter(addresses), None))
    for kind in CHECKS:
        yield from check_records(kind, domain, resolver)


def check_records(kind: str, domain: MailDomain, resolver: Resolver) -> Iterator[Finding]:
    """Check the records of one *kind*, such as SPF."""
    try:
        yield from CHECKS[kind](domain, resolver)
    except DnsError as error:
        fix = "try again, or ask another resolver with --resolver"
        yield Finding("error", kind, str(error), fix)
    except ConfigurationError as error:
        yield Finding("error", kind, str(error), "see `judge check`")


def _add(record: str) -> str:
    return f"publish: {record}"


def _mx(domain: MailDomain, resolver: Resolver) -> Iterator[Finding]:
    found = resolver.exchangers(domain.name)
    wanted = _add(mx_record(domain.name, domain.host))
    if not found:
        text = f"{domain.name} has none"
        has_address = bool(resolver.addresses(domain.name))
        yield Finding("warning" if has_address else "error", "MX", text, wanted)
        return
    if any(not each.host for each in found):
        text = f"the null MX of {domain.name} says that it takes no email"
        yield Finding("error", "MX", text, wanted)
        return
    flaws = [*_bad_exchangers([each.host for each in found[:NAMES_MAX]], resolver)]
    yield from flaws
    if not flaws:
        named = ", ".join(each.host for each in found[:NAMES_MAX])
        yield Finding("ok", "MX", f"email for {domain.name} goes to {named}")


def _bad_exchangers(hosts: list[str], resolver: Resolver) -> Iterator[Finding]:
    for host in hosts:
        alias = resolver.alias(host)
        if alias:
            text = f"{host} is an alias (CNAME) of {alias}, which RFC 2181 10.3 forbids"
            yield Finding("warning", "MX", text, f"name {alias} in the MX record")
        elif not resolver.addresses(host):
            text = f"{host} has no address"
            yield Finding("error", "MX", text, "publish its A record, or name another host")


def _spf(domain: MailDomain, resolver: Resolver) -> Iterator[Finding]:
    wanted = _add(_wanted_spf(domain))
    found = spf_records(resolver.texts(domain.name))
    if not found:
        yield Finding("error", "SPF", f"{domain.name} has no record", wanted)
        return
    if len(found) > 1:
        text = f"{domain.name} has {len(found)} records, and receivers then use none"
        yield Finding("error", "SPF", text, "merge them into one")
        return
    try:
        result = evaluate(resolver, domain.name, found[0], domain.sends_from)
    except SpfError as error:
        yield Finding("error", "SPF", f"{found[0]!r}: {error}", "correct the record")
        return
    if domain.sends_from and result.verdict != "pass":
        text = f"{found[0]!r} does not pass for {domain.sends_from}, which sends for the judge"
        yield Finding("error", "SPF", text, wanted)
    elif result.others in ("pass", "neutral"):
        text = f"{found[0]!r} lets everybody send for {domain.name}"
        yield Finding("warning", "SPF", text, "end it with -all or ~all")
    else:
        whom = f"passes for {domain.sends_from}" if domain.sends_from else "is well-formed"
        text = f"{found[0]!r} {whom}, {result.lookups} of {LOOKUPS_MAX} lookups"
        yield Finding("ok", "SPF", text)


def _dkim(domain: MailDomain, resolver: Resolver) -> Iterator[Finding]:
    selector = domain.keys.selector_in_use() if domain.keys else None
    if selector is None or domain.keys is None:
        text = "the judge does not sign (dkim_keys is not set): your mail server must"
        yield Finding("ok", "DKIM", text)
        return
    fault = key_fault(domain, selector, resolver)
    if fault:
        yield Finding("error", "DKIM", fault, _add(dkim_record(domain, selector)))
    else:
        text = f"{_key_name(domain, selector)} has the key that signs"
        yield Finding("ok", "DKIM", text)
    newest = max(domain.keys.selectors(), default=selector)
    if newest > selector:
        fault = key_fault(domain, newest, resolver)
        record = _add(dkim_record(domain, newest))
        waiting = Finding("warning", "DKIM", f"the next key: {fault}", record)
        ready = "the next key is published: `judge dkim rotate` can use it"
        yield waiting if fault else Finding("ok", "DKIM", ready)


def key_fault(domain: MailDomain, selector: str, resolver: Resolver) -> str | None:
    """Return why receivers would not find the key with *selector*, None if they would."""
    assert domain.keys, "it has a selector"
    name = _key_name(domain, selector)
    found = resolver.texts(name)
    if not found:
        return f"there is no record {name}"
    if len(found) > 1:
        return f"{name} has {len(found)} records, and receivers then use any or none"
    published, ours = _tags(found[0]), _tags(domain.keys.record(selector))
    if not published.get("p"):
        return f"{name} says that the key is revoked"
    if published["p"] != ours["p"] or published.get("k", "rsa") != "rsa":
        return f"{name} has another key"
    if "y" in published.get("t", "").split(":"):
        return f"{name} is marked as a test (t=y), so signatures do not count"
    return None


def _tags(record: str) -> dict[str, str]:
    pairs = (each.partition("=") for each in record.split(";"))
    return {name.strip(): "".join(value.split()) for name, _, value in pairs}


def _dmarc(domain: MailDomain, resolver: Resolver) -> Iterator[Finding]:
    wanted = _add(txt_record(f"_dmarc.{domain.name}", DMARC_WANTED))
    name, found = _dmarc_records(domain.name, resolver)
    if not found:
        text = f"neither {domain.name} nor a parent domain has a record"
        yield Finding("warning", "DMARC", text, wanted)
        return
    if len(found) > 1:
        text = f"_dmarc.{name} has {len(found)} records, and receivers then use none"
        yield Finding("error", "DMARC", text, "keep one of them")
        return
    tags = _tags(found[0])
    inherited = name != domain.name
    policy = tags.get("sp" if inherited and "sp" in tags else "p", "")
    if policy not in ("none", "quarantine", "reject"):
        text = f"{found[0]!r} has no policy that receivers know"
        yield Finding("error", "DMARC", text, wanted)
    elif policy == "none":
        text = f"{found[0]!r} of {name}: forged emails are delivered (p=none)"
        yield Finding("warning", "DMARC", text, wanted)
    else:
        text = f"{policy} by {name}; From, signature and envelope all name {domain.name}"
        yield Finding("ok", "DMARC", text)


def _dmarc_records(domain: str, resolver: Resolver) -> tuple[str, list[str]]:
    """Return the nearest domain that has DMARC records, as RFC 7489 6.6.3, and these."""
    labels = domain.split(".")
    for start in range(max(1, len(labels) - 1)):
        name = ".".join(labels[start:])
        found = [text for text in resolver.texts(f"_dmarc.{name}") if DMARC.match(text)]
        if found:
            return name, found
    return domain, []


def _ptr(domain: MailDomain, resolver: Resolver) -> Iterator[Finding]:
    address = domain.sends_from
    if address is None:
        text = "not checked: which address sends is not known; name it with --sends-from"
        yield Finding("ok", "PTR", text)
        return
    wanted = f"ask the owner of the address for: {ptr_record(address, domain.host)}"
    names = resolver.names_of(address)
    if not names:
        yield Finding("error", "PTR", f"{address} has none; many servers refuse its mail", wanted)
        return
    named = [name for name in names[:NAMES_MAX] if address in resolver.addresses(name)]
    if named:
        yield Finding("ok", "PTR", f"{address} is {named[0]}, and that is {address}")
    else:
        text = f"{address} is {names[0]}, but that name has another address, or none"
        yield Finding("error", "PTR", text, wanted)


CHECKS: Mapping[str, Callable[[MailDomain, Resolver], Iterator[Finding]]] = {
    "MX": _mx,
    "SPF": _spf,
    "DKIM": _dkim,
    "DMARC": _dmarc,
    "PTR": _ptr,
}
