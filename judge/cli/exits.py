"""How commands end when something is wrong: one line, and an exit code of BSD's sysexits."""

from __future__ import annotations

from typing import NoReturn

import click

FOUND_WRONG = 1  # a check was made, and something is not as it should be
USAGE = 64
BAD_INPUT = 65
UNAVAILABLE = 69
SOFTWARE = 70
TRY_LATER = 75
CONFIGURATION = 78


def fail(why: str, code: int) -> NoReturn:
    """Say *why* on standard error and end with *code*."""
    click.echo(f"judge: {why}", err=True)
    raise SystemExit(code)
