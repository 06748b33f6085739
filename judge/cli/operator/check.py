"""`judge check` and `judge doctor`: check the settings, the judge and its machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from itertools import chain

import click

from judge.cli.operator import machine_checks, setting_checks
from judge.cli.operator.own_templates import check_templates
from judge.cli.operator.setting_checks import Finding, Setup
from judge.cli.options import RESOLVER, daemon_options, ip_address_option
from judge.cli.terminal import FOUND_WRONG, require_option, require_unix
from judge.errors import printable
from judge.settings import Endpoint, Settings

SETTING_CHECKS: tuple[Callable[[Setup], Iterator[Finding]], ...] = (
    setting_checks.check_names,
    setting_checks.check_database,
    machine_checks.check_disk,
    setting_checks.check_inputs,
    setting_checks.check_output,
    setting_checks.check_backup_key,
    setting_checks.check_metrics,
    check_templates,
    setting_checks.check_reply_address,
    setting_checks.check_authserv_id,
    setting_checks.check_rules,
)
ALL_CHECKS = (
    *SETTING_CHECKS,
    setting_checks.check_consistency,
    machine_checks.check_clock,
    machine_checks.check_zones,
    machine_checks.check_confinement,
    machine_checks.check_permissions,
    machine_checks.check_user,
)
DOCTOR_LEVELS = {"ok": "ok", "warning": "warn", "error": "fail"}
AS_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON line per finding.")


@click.command()
@AS_JSON
@daemon_options
def check(settings: Settings, *, as_json: bool) -> None:
    """Check the configuration.

    Print one finding per line. The exit code is 0 if the judge can run, even with warnings, 1 if
    it cannot, and 78 if a setting cannot be read.
    """
    require_unix()
    failed = False
    for found in (found for each in SETTING_CHECKS for found in each(Setup(settings))):
        failed |= found.level == "error"
        fix = f"\n         do: {found.advice}" if found.advice else ""
        line = f"{found.level:7}  {found.setting}: {found.text}{fix}"
        click.echo(json.dumps(asdict(found)) if as_json else line)
    if failed:
        raise SystemExit(FOUND_WRONG)


@click.command()
@click.option("--mail", is_flag=True, help="Also send an email to the judge and wait for it.")
@click.option(
    "--seconds", default=60.0, show_default=True, help="How long to wait for that email."
)
@click.option("--dns", is_flag=True, help="Also check the DNS records of the judge's domain.")
@RESOLVER
@click.option(
    "--sends-from",
    metavar="IP",
    callback=ip_address_option,
    help="The address from which your mail server sends, for --dns.",
)
@AS_JSON
@daemon_options
def doctor(  # noqa: PLR0913 - one argument per option
    settings: Settings,
    *,
    mail: bool,
    seconds: float,
    dns: bool,
    resolver: Endpoint | None,
    sends_from: str | None,
    as_json: bool,
) -> None:
    """Check the judge and its machine, and suggest fixes.

    This covers everything in `judge check` and `judge status`, and also the store and its
    permissions, the clock, time zone data, disk space, and mail settings that conflict. With
    --mail it sends an email through the smarthost to the judge's own address and waits for it to
    arrive. With --dns it checks the records that other mail servers look up (MX, SPF, DKIM, DMARC,
    PTR) and prints those that are missing. The exit code is 1 if any line says fail.
    """
    require_unix()
    if not dns:
        require_option("--dns", "--resolver", "--sends-from")
    if not mail:
        require_option("--mail", "--seconds")
    findings = [examine(settings)]
    if dns:
        findings.append(_examine_dns(settings, resolver, sends_from))
    if mail:
        findings.append(iter([machine_checks.check_round_trip(settings, seconds)]))
    if not report(chain.from_iterable(findings), as_json=as_json):
        raise SystemExit(FOUND_WRONG)


def report(findings: Iterable[Finding], *, as_json: bool = False) -> bool:
    """Print *findings* as they are made; return whether none of them is an error."""
    is_well = True
    for found in findings:
        is_well &= found.level != "error"
        level = DOCTOR_LEVELS[found.level]
        fix = f"\n      do: {printable(found.advice)}" if found.advice else ""
        line = f"{level:4}  {found.setting}: {printable(found.text)}{fix}"
        click.echo(json.dumps(asdict(found) | {"level": level}) if as_json else line)
    return is_well


def examine(settings: Settings) -> Iterator[Finding]:
    """Check the settings, the judge and its machine."""
    judge_runs, about_store = machine_checks.check_store(settings)
    for each in ALL_CHECKS:
        yield from each(Setup(settings, judge_runs=judge_runs, doctor=True))
    yield from about_store


def _examine_dns(
    settings: Settings, endpoint: Endpoint | None, sends_from: str | None
) -> Iterator[Finding]:
    from judge.adapters.dns_zone import Resolver
    from judge.cli.operator import dns_checks

    domain = dns_checks.mail_domain(settings, sends_from)
    yield from dns_checks.check_dns(domain, Resolver(endpoint))
