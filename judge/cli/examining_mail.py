"""What `judge doctor` finds about mail: settings that cannot work together, and by a trial."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from judge.cli.checking_ways import is_here
from judge.cli.finding import Finding
from judge.errors import ConfigurationError
from judge.mail.envelope import BYTES_MAX
from judge.settings import Endpoint, Settings

TICK_SECONDS_MAX = 60


def look(settings: Settings) -> Iterator[Finding]:
    """Yield a finding about each pair of settings that cannot do what they are meant for."""
    found = [*_doors(settings), *_outside(settings), *_address(settings), *_limits(settings)]
    yield from found or [Finding("ok", "mail", "the settings go together")]


def _doors(settings: Settings) -> Iterator[Finding]:
    doors = {"smtp": settings.smtp, "lmtp": settings.lmtp, "metrics": settings.metrics}
    taken = defaultdict[Endpoint, list[str]](list)
    for name, where in {**doors, "desk": settings.desk}.items():
        if isinstance(where, Endpoint) and where.port:
            taken[where].append(name)
    for where, names in taken.items():
        if len(names) > 1:
            told = f"{' and '.join(names)} are all {where}"
            yield Finding("error", names[0], told, "give each a port of its own")
        if settings.smarthost == where:
            told = f"it is our own {names[0]}: all that is sent would come back"
            yield Finding("error", "smarthost", told, "set it to your mail server")


def _outside(settings: Settings) -> Iterator[Finding]:
    """Look whether what a mail server says can be said by anybody."""
    if isinstance(settings.lmtp, Endpoint) and not is_here(settings.lmtp):
        for name in ("received_by", "authserv_id"):
            if getattr(settings, name):
                told = f"anybody who reaches {settings.lmtp} can write what it believes"
                yield Finding(
                    "error", name, told, "let lmtp be a socket, or listen on 127.0.0.1 only"
                )
    comes = "lmtp" if settings.lmtp else "socket" if settings.socket else "imap"
    if not settings.smarthost and (settings.lmtp or settings.socket or settings.imap):
        told = f"none, so mail comes by {comes}, and answers stay in {settings.maildir}"
        yield Finding("warning", "smarthost", told, "set it to your mail server")
    unsafe = settings.smarthost_security == "none" and not is_here(settings.smarthost)
    if settings.smarthost and settings.smarthost_user and unsafe:
        told = "none, so that the password can be read on the way"
        yield Finding("error", "smarthost_security", told, "set it to tls or starttls")


def _address(settings: Settings) -> Iterator[Finding]:
    local, _, domain = settings.address.partition("@")
    delimiter = settings.recipient_delimiter
    if delimiter and delimiter in local:
        first = local.partition(delimiter)[0]
        told = (
            f"{settings.address} has the delimiter in it: a mail server would give it to {first}"
        )
        yield Finding("warning", "address", told, "take another address, or another delimiter")
    if domain != "localhost" and "." not in domain:
        told = f"{domain} is no domain that others know"
        yield Finding("warning", "address", told, "write the domain in full")


def _limits(settings: Settings) -> Iterator[Finding]:
    if settings.message_bytes_max > BYTES_MAX:
        told = f"mails of more than {BYTES_MAX} bytes are taken, and can only be set aside"
        yield Finding("warning", "message_bytes_max", told, f"set it to {BYTES_MAX} or less")
    if settings.tick_seconds > TICK_SECONDS_MAX:
        told = f"phases close up to {settings.tick_seconds:.0f} s after their deadline"
        yield Finding("warning", "tick_seconds", told, "set it to some seconds")


def send_round(settings: Settings, seconds: float) -> Finding:
    """Send a mail through the smarthost to our own address, and wait for it to come back."""
    from judge.adapters.round_trip import RoundTripError, go_round

    try:
        trip = go_round(settings, seconds)
    except (RoundTripError, ConfigurationError) as error:
        return Finding(
            "error", "round trip", str(error), "follow it through the logs of your mail server"
        )
    told = f"a mail to {trip.recipient} came back by {trip.way_in} after {trip.seconds:.1f} s"
    if not trip.answered:
        told += ", and no judge has answered it"
        return Finding("warning", "mail comes back", told, "start the judge and try again")
    return Finding("ok", "round trip", f"{told}, and the judge has answered it")
