"""`judge check` and `judge doctor`: check the settings, the judge and its machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict

import click

from judge.cli.operator import machine_checks, setting_checks
from judge.cli.operator.own_templates import check_templates
from judge.cli.operator.setting_checks import Finding, Setup
from judge.cli.options import daemon_options
from judge.cli.terminal import FOUND_WRONG
from judge.settings import Settings

SETTING_CHECKS: tuple[Callable[[Setup], Iterator[Finding]], ...] = (
    setting_checks.check_names,
    setting_checks.check_database,
    setting_checks.check_inputs,
    setting_checks.check_output,
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
    machine_checks.check_disk,
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
    failed = False
    for found in (found for each in SETTING_CHECKS for found in each(Setup(settings))):
        failed |= found.level == "error"
        line = f"{found.level:7}  {found.setting}: {found.text}"
        click.echo(json.dumps(asdict(found)) if as_json else line)
    if failed:
        raise SystemExit(FOUND_WRONG)


@click.command()
@click.option("--mail", is_flag=True, help="Also send an email to the judge and wait for it.")
@click.option(
    "--seconds", default=60.0, show_default=True, help="How long to wait for that email."
)
@AS_JSON
@daemon_options
def doctor(settings: Settings, *, mail: bool, seconds: float, as_json: bool) -> None:
    """Check the judge and its machine, and suggest fixes.

    This covers everything in `judge check` and `judge status`, and also the store and its
    permissions, the clock, time zone data, disk space, and mail settings that conflict. It makes
    no DNS queries. With --mail it sends an email through the smarthost to the judge's own address
    and waits for it to arrive. The exit code is 1 if any line says fail.
    """
    failed = False
    for found in _examine(settings, seconds if mail else None):
        failed |= found.level == "error"
        level = DOCTOR_LEVELS[found.level]
        fix = f"\n      do: {found.advice}" if found.advice else ""
        line = f"{level:4}  {found.setting}: {found.text}{fix}"
        click.echo(json.dumps(asdict(found) | {"level": level}) if as_json else line)
    if failed:
        raise SystemExit(FOUND_WRONG)


def _examine(settings: Settings, round_trip_seconds: float | None) -> Iterator[Finding]:
    judge_runs, about_store = machine_checks.check_store(settings)
    for each in ALL_CHECKS:
        yield from each(Setup(settings, judge_runs=judge_runs, doctor=True))
    yield from about_store
    if round_trip_seconds is not None:
        yield machine_checks.check_round_trip(settings, round_trip_seconds)
