"""`judge dkim`: make, show and rotate the keys that sign outgoing emails."""

from __future__ import annotations

import json
from datetime import timedelta

import click

from judge.adapters.dkim_signing import DkimKeys
from judge.adapters.dns_zone import Resolver
from judge.adapters.system_clock import SystemClock
from judge.cli.command_group import CommandGroup
from judge.cli.operator.dns_checks import MailDomain, dkim_record, key_fault, mail_domain
from judge.cli.options import RESOLVER, settings_options
from judge.cli.terminal import UNAVAILABLE, USAGE, fail
from judge.errors import ConfigurationError
from judge.settings import Endpoint, Settings

TRAVEL = timedelta(days=7)  # mail servers give up on an email after five days


@click.group(cls=CommandGroup)
def dkim() -> None:
    """Make, show and rotate the keys that sign emails; their folder is the setting dkim_keys."""


@dkim.command()
@settings_options
def new(settings: Settings) -> None:
    """Make a key, and print its DNS record.

    The first key signs as soon as the setting dkim_keys is in use. A later one waits for `judge
    dkim rotate`, so you can publish its record first.
    """
    domain, keys = _domain_and_keys(settings)
    selector = keys.create(SystemClock().now().date())
    click.echo(dkim_record(domain, selector))
    if keys.selector_in_use() != selector:
        click.echo("Publish this record, then run `judge dkim rotate`.", err=True)


@dkim.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON line per key.")
@settings_options
def show(settings: Settings, *, as_json: bool) -> None:
    """Show each key with its DNS record: the one that signs, the next, and retired ones.

    The records are those of a zone file, the rest is comments.
    """
    domain, keys = _domain_and_keys(settings)
    in_use = keys.selector_in_use()
    for selector in keys.selectors():
        state, record = _state(keys, selector, in_use), dkim_record(domain, selector)
        facts = {"selector": selector, "state": state, "record": record}
        click.echo(json.dumps(facts) if as_json else f"; {selector}: {state}\n{record}")


@dkim.command()
@RESOLVER
@click.option("--unchecked", is_flag=True, help="Do not look for the new record in the DNS.")
@settings_options
def rotate(settings: Settings, *, resolver: Endpoint | None, unchecked: bool) -> None:
    """Sign with the newest key from now on.

    The key's record must be in the DNS. A running judge uses the key at once.
    """
    if resolver and unchecked:
        fail("--resolver does not apply to --unchecked", USAGE)
    domain, keys = _domain_and_keys(settings)
    in_use, newest = keys.selector_in_use(), max(keys.selectors(), default=None)
    if newest is None or newest == in_use:
        fail("there is no newer key: run `judge dkim new` first", UNAVAILABLE)
    fault = None if unchecked else key_fault(domain, newest, Resolver(resolver))
    if fault:
        fail(f"{fault}; publish it first: {dkim_record(domain, newest)}", UNAVAILABLE)
    keys.use(newest)
    click.echo(f"{newest} signs from now on")
    if in_use:
        click.echo(f"{in_use}: {_state(keys, in_use, newest)}")
        for skipped in (each for each in keys.selectors() if in_use < each < newest):
            click.echo(f"{skipped}: {_state(keys, skipped, in_use)}")


def _domain_and_keys(settings: Settings) -> tuple[MailDomain, DkimKeys]:
    if settings.dkim_keys is None:
        raise ConfigurationError(
            "dkim_keys is not set: name a folder, such as /var/lib/judge/dkim"
        )
    return mail_domain(settings), DkimKeys(settings.dkim_keys)


def _state(keys: DkimKeys, selector: str, in_use: str | None) -> str:
    if selector == in_use:
        return "signs"
    if in_use is None or selector > in_use:
        newest = keys.selectors()[-1]
        if selector == newest:
            return "not in use yet; publish its record, then run `judge dkim rotate`"
        return f"never used, as {newest} is newer; delete its record and key"
    rotated = keys.last_rotation()
    assert rotated, "a key is in use"
    return f"retired; keep its record until {rotated + TRAVEL:%F}, then delete record and key"
