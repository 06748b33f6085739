"""Command-line options that several commands share."""

from __future__ import annotations

import functools
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, NoReturn, ParamSpec, TypeVar, cast

import click

from judge.cli.terminal import CONFIGURATION, UNAVAILABLE, USAGE, fail
from judge.errors import ConfigurationError, JudgeError
from judge.resources import override_files
from judge.settings import Endpoint, Settings, load, to_endpoint

if TYPE_CHECKING:
    from judge.rules.types import Phase

P = ParamSpec("P")
R = TypeVar("R")

READ_AGAIN = "judge.read_again"
SETTABLE = ("database", "smtp", "maildir", "desk")
CONFIG = click.option(
    "--config",
    type=click.Path(path_type=Path, readable=False),  # `load` reads it, and says why it cannot
    envvar="JUDGE_CONFIG",
    help="A TOML file of settings.",
)
DATABASE = click.option("--database", metavar="PATH", help="The database.")
SMTP = click.option("--smtp", metavar="HOST:PORT", help="Where the judge accepts mail.")
MAILDIR = click.option(
    "--maildir", metavar="DIR", help="Where outgoing mail goes without a smarthost."
)
DESK = click.option(
    "--desk", metavar="HOST:PORT", help="Where the desk listens; port 0 picks a free port."
)


def complete_variant(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """Return the names of variants that begin like that, for the completion of shells."""
    from judge.adapters.variant_files import variants

    return [each for each in variants() if each.startswith(begun.casefold())]


def complete_rulebook(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """Return the presets that begin like that, or what may follow the last comma."""
    from judge.rules.rulebook import QUESTIONS, RULEBOOKS

    before, comma, last = begun.rpartition(",")
    if not comma:
        return [each for each in RULEBOOKS if each.startswith(begun.casefold())]
    return [f"{before},{each}=" for each in QUESTIONS if each.startswith(last)]


def phase_named(code: str) -> Phase:
    """Return the phase of that *code*."""
    from judge.rules.types import Phase

    try:
        return Phase.parse(code)
    except ValueError:
        fail(f"{code!r} is not a phase, such as F1901M", USAGE)


RULE = click.option(
    "--rule", "rules", multiple=True, metavar="KEY=VALUE", help="A house rule; repeatable."
)
RULEBOOK = click.option(
    "--rulebook",
    show_default="datc, or the rulebook of the game",
    metavar="NAME[,QUESTION=ANSWER]...",
    shell_complete=complete_rulebook,
    help="The rulebook, same as `--rule rulebook=...`; see `judge rulebook`.",
)


def _mailbox(_: click.Context, __: click.Parameter, address: str | None) -> str | None:
    from judge.mail.headers import strict_mailbox

    if address is not None and strict_mailbox(address) is None:
        fail(f"{address!r} is not an address such as ann@example.org", USAGE)
    return address


def _language(_: click.Context, __: click.Parameter, word: str) -> str:
    from judge.reports.languages import language_named, languages

    found = language_named(word)
    if found is None:
        fail(f"there is no language {word!r}; choose from {', '.join(languages())}", USAGE)
    return found


LANGUAGE = click.option(
    "--language",
    default="en",
    show_default=True,
    callback=_language,
    help="The language, such as de or Deutsch.",
)


def ip_address_option(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    """Check an option that is an IP address."""
    from ipaddress import ip_address

    try:
        return text and str(ip_address(text))
    except ValueError:
        fail(f"{text!r} is not an IP address", USAGE)


def _resolver(_: click.Context, __: click.Parameter, text: str | None) -> Endpoint | None:
    from ipaddress import ip_address

    try:
        endpoint = to_endpoint(text) if text else None
        if endpoint:
            ip_address(endpoint.host)
    except ValueError:
        fail(f"{text!r} is not IP:PORT, such as 9.9.9.9:53", USAGE)
    return endpoint


RESOLVER = click.option(
    "--resolver",
    metavar="IP:PORT",
    callback=_resolver,
    help="The DNS resolver to ask instead of the system's.",
)

MODERATOR = click.option(
    "--moderator", metavar="ADDRESS", callback=_mailbox, help="The moderator's address."
)


def settings_options(command: Callable[Concatenate[Settings, P], R]) -> Callable[P, R]:
    """Add `--config` and `--database`; *command* gets the settings as its first argument.

    Errors that an operator can fix end it with one line.
    """
    return _with_settings(command, CONFIG, DATABASE)


def rules_options(command: Callable[P, R]) -> Callable[P, R]:
    """Add the options for a new game: `rules`, `rulebook`, `moderator`."""
    for option in (MODERATOR, RULEBOOK, RULE):
        command = option(command)
    return command


def daemon_options(command: Callable[Concatenate[Settings, P], R]) -> Callable[P, R]:
    """Add also `--smtp` and `--maildir`."""
    return _with_settings(command, CONFIG, DATABASE, SMTP, MAILDIR)


def desk_options(command: Callable[Concatenate[Settings, P], R]) -> Callable[P, R]:
    """Add also `--desk`."""
    return _with_settings(command, CONFIG, DATABASE, DESK)


def variants_options(command: Callable[P, R]) -> Callable[P, R]:
    """Add `--config`, for the operator's own variants."""

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        use_variants_in(cast("Path | None", kwargs.pop("config")))
        return command(*args, **kwargs)

    return CONFIG(functools.update_wrapper(run, command))


def use_variants_in(config: Path | None) -> None:
    """Use the operator's own variants that the settings in *config* name."""
    try:
        use_variants(load(config, {}).variants)
    except ConfigurationError as error:
        fail(str(error), CONFIGURATION)


def has_database(file: Path) -> bool:
    """Return whether there is a database *file*; exit if that cannot be seen from here."""
    try:
        return stat.S_ISREG(file.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        from judge.adapters.store.database import unusable

        fail(str(unusable(file, error.strerror or str(error))), UNAVAILABLE)


def require_database(settings: Settings) -> None:
    """End the command unless the database exists or is a server's."""
    if isinstance(settings.database, Path) and not has_database(settings.database):
        fail(
            f"there is no database {settings.database}: name it with --database",
            UNAVAILABLE,
        )


@contextmanager
def _explained_store_failures(settings: Settings) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        from judge.adapters.store.database import explain

        fault = explain(settings.database, error)
        if fault is None:
            raise
        fail(str(fault), UNAVAILABLE)


def _with_settings(
    command: Callable[Concatenate[Settings, P], R],
    *options: Callable[[Callable[P, R]], Callable[P, R]],
) -> Callable[P, R]:
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        config = cast("Path | None", kwargs.pop("config"))
        given = {name: kwargs.pop(name) for name in SETTABLE if name in kwargs}
        context = click.get_current_context()
        context.meta[READ_AGAIN] = functools.partial(load, config, given)
        try:
            settings = load(config, given)
            _put_in_front(settings.templates)
            check_variants(settings.variants)
            use_variants(settings.variants)
            with _explained_store_failures(settings):
                return command(settings, *args, **kwargs)
        except ConfigurationError as error:
            fail(str(error), CONFIGURATION)
        except JudgeError as error:
            fail(str(error), UNAVAILABLE)

    wrapped: Callable[P, R] = functools.update_wrapper(run, command)
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def read_again() -> Callable[[], Settings]:
    """Return a function that reads the settings of the running command again."""
    read: Callable[[], Settings] = click.get_current_context().meta[READ_AGAIN]
    return read


def _put_in_front(templates: Path | None) -> None:
    if templates:
        _require_folder("templates", templates)
    override_files("templates", templates.absolute() if templates else None)


def _require_folder(setting: str, folder: Path) -> None:
    """Raise `ConfigurationError` if *folder*, or one below, cannot be listed.

    Its files would seem missing.
    """

    def refuse(error: OSError) -> NoReturn:
        raise error

    try:
        for _ in os.walk(folder.absolute(), onerror=refuse):
            pass
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ConfigurationError(f"{setting}: there is no folder {error.filename}") from error
    except OSError as error:
        raise ConfigurationError(f"{setting}: {error.filename}: {error.strerror}") from error


def use_variants(folder: Path | None) -> None:
    """Use the operator's own variants in *folder*; None for none."""
    if folder is None and "judge.adapters.variant_files" not in sys.modules:
        return
    from judge.adapters import variant_files

    variant_files.use_own_variants(folder.absolute() if folder else None)


def check_variants(folder: Path | None) -> None:
    """Raise `ConfigurationError` if one of the operator's own variants is wrong."""
    if folder is None:
        return
    from judge.adapters import variant_files

    _require_folder("variants", folder)
    try:
        variant_files.check_own_variants(folder)
    except OSError as error:
        raise ConfigurationError(f"variants: {error.filename}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigurationError(f"variants: {error}") from error
