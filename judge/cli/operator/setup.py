"""`judge setup`: ask what a new judge needs, and write its settings."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, assert_never

import click

from judge.adapters.whole_files import creating_file, make_folder
from judge.cli.operator import check, dns_checks, machine_checks
from judge.cli.operator.setting_checks import Finding
from judge.cli.terminal import FOUND_WRONG, UNAVAILABLE, FilePath, fail, require_unix
from judge.errors import ConfigurationError
from judge.resources import file_of
from judge.settings import Settings, fault_of, load, to_endpoint

Kind: TypeAlias = Literal["try", "mailbox", "server"]
KINDS: tuple[Kind, ...] = ("try", "mailbox", "server")
ABOUT_KINDS = """\
How does email reach the judge?
  try      not yet: try it on this machine
  mailbox  in a mailbox at a provider, by IMAP
  server   through your own mail server, by LMTP"""
FOLDER_MODE = 0o700
NONE = "-"
TRY_ADDRESS = "judge@localhost"
SETTINGS_FILE, PASSWORD_FILE, DATABASE_FILE = "judge.toml", "password", "judge.db"
KEYS_FOLDER, OUTGOING_FOLDER = "dkim", "outgoing"
STARTTLS_PORT = 143
LMTP_DOOR, POSTFIX_DOOR = "/run/judge/postfix/lmtp", "127.0.0.1:10587"  # as postfix/configure
JUDGES_USER = "judge"  # for whom postfix/configure makes the folder of that door
ROUND_TRIP_SECONDS = 60
WAYS = ("smtp", "lmtp", "imap", "smarthost", "maildir")  # of mail: without one, none is sent
LISTENING = re.compile(r"listening on (\S+:\d+)")
SEE = "# Written by `judge setup`. Every setting: docs/operators/settings.md\n"


class Provider(NamedTuple):
    """The servers of a mailbox provider, and whether it delivers `judge+TOKEN@...`."""

    imap: str
    smarthost: str
    has_plus: bool = True


PROVIDERS = {
    "gmail.com": Provider("imap.gmail.com:993", "smtp.gmail.com:465"),
    "outlook.com": Provider("outlook.office365.com:993", "smtp-mail.outlook.com:587"),
    "icloud.com": Provider("imap.mail.me.com:993", "smtp.mail.me.com:587"),
    "fastmail.com": Provider("imap.fastmail.com:993", "smtp.fastmail.com:465"),
    "mailbox.org": Provider("imap.mailbox.org:993", "smtp.mailbox.org:465"),
    "posteo.de": Provider("posteo.de:993", "posteo.de:465"),
    "gmx.net": Provider("imap.gmx.net:993", "mail.gmx.net:465", has_plus=False),
    "gmx.de": Provider("imap.gmx.net:993", "mail.gmx.net:465", has_plus=False),
    "web.de": Provider("imap.web.de:993", "smtp.web.de:587", has_plus=False),
}


@dataclass(frozen=True, slots=True)
class Draft:
    """The settings to write, and the *password* for a file of its own, if there is one."""

    settings: Mapping[str, str | bool]
    password: str = ""


def _checked(name: str) -> Callable[[str], str]:
    """Return a check of the value of a setting; click repeats the question after a wrong one."""

    def check_value(text: str) -> str:
        expected = fault_of(name, text)
        if expected:
            raise click.BadParameter(f"expected {expected}")
        return text

    return check_value


def _address_option(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    return text and _checked("address")(text)


def _game_option(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    return text and _checked_game(text)


def _checked_game(text: str) -> str:
    from judge.game.players.creation import GAME_NAME

    if text != NONE and not GAME_NAME.fullmatch(text):
        expected = "1 to 16 lower case letters, digits and hyphens, a letter first"
        raise click.BadParameter(f"expected {expected}")
    return text


@click.command()
@click.option("--kind", type=click.Choice(KINDS), help="How email arrives.")
@click.option("--address", callback=_address_option, help="The judge's address.")
@click.option("--folder", type=FilePath(), help="Where settings and games are.")
@click.option("--backups", metavar="FOLDER", help="Where backups go; - for none.")
@click.option("--game", callback=_game_option, metavar="NAME", help="The first game; - for none.")
@click.pass_context
def setup(
    context: click.Context,
    kind: Kind | None,
    address: str | None,
    folder: Path | None,
    backups: str | None,
    game: str | None,
) -> None:
    """Ask five questions, and write the settings of a new judge.

    The settings go into judge.toml in a folder, with absolute paths; a password goes into a file
    of its own. Nothing is ever overwritten. The options answer questions in advance. Then `judge
    doctor` checks all of it, an email is sent and has to arrive, and for your own mail server the
    DNS records to publish are printed. If anything fails, nothing is kept: correct it and run the
    command again.
    """
    require_unix()
    folder = _new_folder(
        folder or click.prompt("Folder for its settings and games", default="judge")
    )
    kind = kind or _ask_kind()
    address = address or _ask_address(kind)
    backups = backups or click.prompt(
        f"Folder for backups ({NONE} for none)", default=str(folder / "backups")
    )
    game = game or click.prompt(
        f"Name of the first game ({NONE} for none)", default=NONE, value_proc=_checked_game
    )
    draft = _draft(kind, address, folder)
    into = None if backups == NONE else Path(backups).expanduser().absolute()
    file = folder / SETTINGS_FILE
    with _keeping_nothing_of_a_failure(folder, into):
        _write(folder, draft, into)
        click.echo(f"\nWrote {file}\n")
        if game != NONE:
            _create_game(context, file, game)
        settings = load(file)
        if not check.report(_checks(settings, file)):
            click.echo("\nNothing was kept. Correct this and run `judge setup` again.")
            raise SystemExit(FOUND_WRONG)
    if kind == "server":
        click.echo("\nPublish these DNS records:\n")
        click.echo("\n".join(dns_checks.needed_records(dns_checks.mail_domain(settings))))
    click.echo("\nNext:")
    for line in _next_steps(kind, settings, file, into):
        click.echo(f"  {line}")


@contextmanager
def _keeping_nothing_of_a_failure(folder: Path, backups: Path | None) -> Iterator[None]:
    """Remove the files and folders of a new judge if the block fails, and nothing else."""
    names = (SETTINGS_FILE, PASSWORD_FILE, KEYS_FOLDER, OUTGOING_FOLDER)
    stores = (f"{DATABASE_FILE}{ending}" for ending in ("", "-wal", "-shm", "-journal"))
    inside = [folder / name for name in (*names, *stores)]
    outside = [_topmost_missing(each) for each in (folder, backups) if each]
    new = [path for path in (*inside, *outside) if path and not os.path.lexists(path)]
    try:
        yield
    except BaseException:
        for path in new:
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        raise


def _topmost_missing(folder: Path) -> Path | None:
    missing = [each for each in (folder, *folder.parents) if not os.path.lexists(each)]
    return missing[-1] if missing else None


def _checks(settings: Settings, file: Path) -> Iterator[Finding]:
    """Check everything, and prove that an email arrives if nothing is wrong so far."""
    may_try = True
    for found in check.examine(settings):
        if found.setting == "lmtp" and found.level == "error":
            may_try = False  # until Postfix is set up
            fix = f"run as root: {_configure(settings)}"
            yield replace(found, level="warning", advice=fix)
        else:
            may_try &= found.level == "ok" or found.setting not in WAYS
            yield found
    if may_try:
        yield _check_round_trip(settings, file)


def _check_round_trip(settings: Settings, file: Path) -> Finding:
    """Send an email to the new judge; it may take longer, so that is no failure."""
    with _reader(settings, file) as reachable:
        found = machine_checks.check_round_trip(reachable, ROUND_TRIP_SECONDS)
    if found.level != "error":
        return replace(found, level="ok", advice="")
    fix = "try `judge doctor --mail` later"
    if settings.recipient_delimiter:
        fix += "; if your provider has no plus addresses, set recipient_delimiter to nothing"
    return replace(found, level="warning", advice=fix)


@contextmanager
def _reader(settings: Settings, file: Path) -> Iterator[Settings]:
    """Run the new judge, unless a mailbox keeps its mail; yield the settings that reach it."""
    if settings.imap:
        yield settings
        return
    port = ["--smtp", "127.0.0.1:0"] if settings.smtp else []  # the usual one may be in use
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "judge", "serve", "--config", str(file), *port],
        cwd=file.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as judge:
        try:
            assert judge.stdout, "it is a pipe"
            where = LISTENING.search(judge.stdout.readline())
            own = {"smtp": to_endpoint(where[1])} if where else {}
            yield settings.model_copy(update=own)
        finally:
            judge.terminate()


def _ask_kind() -> Kind:
    click.echo(ABOUT_KINDS)
    kind: Kind = click.prompt("Email", type=click.Choice(KINDS), default="try")
    return kind


def _ask_address(kind: Kind) -> str:
    default = TRY_ADDRESS if kind == "try" else None
    return str(
        click.prompt("Address of the judge", default=default, value_proc=_checked("address"))
    )


def _new_folder(named: Path | str) -> Path:
    folder = Path(named).expanduser().absolute()
    for name in (SETTINGS_FILE, PASSWORD_FILE):
        try:
            (folder / name).lstat()
        except (FileNotFoundError, NotADirectoryError):  # `_write` says the latter
            continue
        except OSError as error:
            fail(f"{folder}: {error.strerror}", UNAVAILABLE)
        why = f"{folder / name} exists, and nothing is overwritten: name another folder"
        fail(why, UNAVAILABLE)
    return folder


def _draft(kind: Kind, address: str, folder: Path) -> Draft:
    common = {"database": str(folder / DATABASE_FILE), "address": address}
    match kind:
        case "mailbox":
            return _mailbox_draft(common, address, folder)
        case "server":
            domain = address.partition("@")[2]
            host = click.prompt(
                "Name of your mail server",
                default=f"mx.{domain}",
                value_proc=_checked("received_by"),
            )
            return Draft(
                {
                    **common,
                    "smtp": "",
                    "lmtp": LMTP_DOOR,
                    "smarthost": POSTFIX_DOOR,
                    "received_by": host,
                    "verify_dkim": True,
                    "dkim_keys": str(folder / KEYS_FOLDER),
                }
            )
        case "try":
            return Draft({**common, "maildir": str(folder / OUTGOING_FOLDER)})
        case _:
            assert_never(kind)


def _mailbox_draft(common: Mapping[str, str], address: str, folder: Path) -> Draft:
    domain = address.partition("@")[2]
    known = PROVIDERS.get(domain, Provider(f"imap.{domain}:993", f"smtp.{domain}:465"))
    imap = click.prompt("IMAP server", default=known.imap, value_proc=_checked("imap"))
    way_out = click.prompt(
        "SMTP server", default=known.smarthost, value_proc=_checked("smarthost")
    )
    user = click.prompt("Login", default=address)
    password = click.prompt(
        "App password (empty for OAuth2)", default="", show_default=False, hide_input=True
    )
    settings: dict[str, str | bool] = {
        **common,
        "smtp": "",
        "imap": imap,
        "imap_user": user,
        "smarthost": way_out,
        "smarthost_user": user,
        "verify_dkim": True,
    }
    if imap.endswith(f":{STARTTLS_PORT}"):
        settings["imap_security"] = "starttls"
    if not known.has_plus:
        settings["recipient_delimiter"] = ""
    if password:
        secret, value = "password_file", str(folder / PASSWORD_FILE)
    else:
        secret = "token_command"  # noqa: S105 - the name of a setting
        value = click.prompt(
            "Command that prints a token", value_proc=_checked("imap_token_command")
        )
    settings |= {f"imap_{secret}": value, f"smarthost_{secret}": value}
    return Draft(settings, password)


def _write(folder: Path, draft: Draft, backups: Path | None) -> None:
    lines = [f"{name} = {_toml(value)}\n" for name, value in draft.settings.items()]
    try:
        for each in (folder, *([backups] if backups else [])):
            make_folder(each, FOLDER_MODE)
        if draft.password:
            with creating_file(folder / PASSWORD_FILE) as file:
                file.write(f"{draft.password}\n".encode())
        if "dkim_keys" in draft.settings:
            _create_key(Path(str(draft.settings["dkim_keys"])))
        with creating_file(folder / SETTINGS_FILE) as file:
            file.write("".join([SEE, *lines]).encode())
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}", UNAVAILABLE)
    except ConfigurationError as error:
        fail(str(error), UNAVAILABLE)


def _toml(value: str | bool) -> str:  # noqa: FBT001 - a value of any kind
    """Write *value* as JSON does, but characters of all planes as they are."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _create_key(folder: Path) -> None:
    from judge.adapters.dkim_signing import DkimKeys
    from judge.adapters.system_clock import SystemClock

    DkimKeys(folder).begin(SystemClock().now().date())


def _create_game(context: click.Context, file: Path, name: str) -> None:
    from judge.cli.games.game_command import new

    context.invoke(new, config=file, name=name)


def _next_steps(
    kind: Kind, settings: Settings, file: Path, backups: Path | None
) -> tuple[str, str, str]:
    program = Path(sys.argv[0]).absolute()
    judge = shlex.quote(str(program)) if program.name == "judge" else "judge"
    config = f"--config {shlex.quote(str(file))}"
    start = f"start the judge: {judge} serve {config}"
    nightly = "set up backups: docs/operators/running.md"
    if backups:
        command = f"{judge} backup {config} {shlex.quote(str(backups))}/$(date +%F).gz"
        escaped = command.replace("%", r"\%")  # which ends a command in a crontab
        nightly = f"back up every night, by crontab -e: 0 3 * * * {escaped}"
    match kind:
        case "try":
            write = f"send HELP to {settings.address} at {settings.smtp} (see README.md)"
            return start, f"{write}; find the answers in {settings.maildir}", nightly
        case "mailbox":
            test = f"in another terminal: {judge} doctor --mail {config}; then email HELP to"
            return start, f"{test} {settings.address}", nightly
        case "server":
            test = f"then, in another terminal: {judge} doctor --mail {config}"
            postfix = f"as root: {_configure(settings)}"
            return f"{postfix}; publish the records", f"{start}; {test}", nightly
        case _:
            assert_never(kind)


def _configure(settings: Settings) -> str:
    """Return the command that makes Postfix hand mail to the user who runs this."""
    from pwd import getpwall

    words = [settings.received_by, settings.address.partition("@")[2]]
    names = {each.pw_uid: each.pw_name for each in getpwall()}
    user = names.get(os.getuid(), str(os.getuid()))
    if user != JUDGES_USER:
        words += [LMTP_DOOR, user]
    return shlex.join(["sh", str(file_of("deploy", "postfix/configure")), *words])
