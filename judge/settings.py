"""Settings of the operator: defaults, a TOML file, the environment, the command line."""

from __future__ import annotations

import difflib
import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from judge.checkpoints import read_witness
from judge.errors import ConfigurationError

PREFIX = "JUDGE_"
SQLITE = "sqlite:///"
PORT_MAX = 65_535
SOCKET_PATH_MAX = 107  # bytes, unix(7)
A_SOCKET = f"the path of a socket, such as /run/judge/mail, at most {SOCKET_PATH_MAX} bytes"
AN_ENDPOINT = f"HOST:PORT, such as 127.0.0.1:8025, with a port up to {PORT_MAX}"
LOOPBACK = ("127.0.0.1", "::1")
A_LOOPBACK = "127.0.0.1:PORT or [::1]:PORT"
WITNESS_ADDRESS = re.compile(r"[\w=+-]+(\.[\w=+-]+)*@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", re.ASCII)
HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
HOSTS = "a list of names without ports, such as judge.example.org"
WITNESSES = "a list of entries that `judge log key` prints"
A_COMMAND = "a command and its arguments, such as /usr/local/bin/token --account judge"
POSTGRESQL = ("postgresql+psycopg://", "postgresql://")
A_DATABASE = f"the path of a file, {SQLITE} and a path, or {POSTGRESQL[0]} and a server"


class Endpoint(NamedTuple):
    """The address of a server."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach *host*, an IP address or a name."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, slots=True)
class DatabaseServer:
    """A PostgreSQL database; *url* may have a password, and is never shown whole."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        return without_password(self.url)


def without_password(url: str) -> str:
    """Remove the password from text that may be, or contain, a server's URL."""
    said = re.sub(r"(://[^:/@\s]*):\S*@", r"\1:***@", url)
    return re.sub(r"(?i)([?&]password=)[^&\s'\"]*", r"\1***", said)


def to_endpoint(value: object) -> Endpoint:
    """Read HOST:PORT; raises `ValueError`."""
    if isinstance(value, Endpoint):
        return value
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:\[\]]+)):([0-9]{1,5})", str(value))
    if not found or int(found[3]) > PORT_MAX:
        raise ValueError(AN_ENDPOINT)
    return Endpoint(found[1] or found[2], int(found[3]))


def _optional_endpoint(value: object) -> Endpoint | None:
    return None if value in ("", None) else to_endpoint(value)


def _optional_loopback(value: object) -> Endpoint | None:
    endpoint = _optional_endpoint(value)
    if endpoint and endpoint.host not in LOOPBACK:
        raise ValueError(A_LOOPBACK)
    return endpoint


def _loopback(value: object) -> Endpoint:
    endpoint = _optional_loopback(value)
    if endpoint is None:
        raise ValueError(A_LOOPBACK)
    return endpoint


def _optional_path(value: object) -> Path | None:
    return None if value in ("", None) else Path(str(value))


def _optional_socket(value: object) -> Path | None:
    path = _optional_path(value)
    if path and len(os.fsencode(path.absolute())) > SOCKET_PATH_MAX:
        raise ValueError(A_SOCKET)
    return path


def _optional_door(value: object) -> Endpoint | Path | None:
    """Take HOST:PORT, or a unix socket's path, which has a slash."""
    if isinstance(value, Endpoint | Path):
        return value
    return _optional_socket(value) if "/" in str(value) else _optional_endpoint(value)


def _database(value: object) -> Path | DatabaseServer:
    if isinstance(value, DatabaseServer):
        return value
    if isinstance(value, str) and value.startswith(POSTGRESQL):
        return DatabaseServer(value)
    path = str(value).removeprefix(SQLITE) if isinstance(value, str | Path) else ""
    if not path or "://" in path or path == ":memory:":
        raise ValueError(A_DATABASE)
    return Path(path)


def _entries(value: object) -> tuple[str, ...]:
    """Take a list, or text with a comma between the entries."""
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return tuple(filter(None, (" ".join(each.split()) for each in text.split(","))))


def _hosts(value: object) -> tuple[str, ...]:
    entries = tuple(each.lower() for each in _entries(value))
    if not all(HOST.fullmatch(each) for each in entries):
        raise ValueError(HOSTS)
    return entries


def _witnesses(value: object) -> tuple[str, ...]:
    entries = _entries(value)
    try:
        read = [read_witness(each) for each in entries]
    except ValueError as error:
        raise ValueError(WITNESSES) from error
    if not all(WITNESS_ADDRESS.fullmatch(each.address) for each in read):
        raise ValueError(WITNESSES)
    return entries


def _command(value: object) -> object:
    if value != "":
        try:
            words = shlex.split(value) if isinstance(value, str) else []
        except ValueError:  # an open quotation mark
            words = []
        if not words:
            raise ValueError(A_COMMAND)
    return value


def _matching(pattern: str, expected: str) -> BeforeValidator:
    def check(value: object) -> object:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise ValueError(expected)
        return value

    return BeforeValidator(check)


class Settings(BaseSettings):
    """The settings of one judge; docs/operators/settings.md explains them."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="forbid", frozen=True, enable_decoding=False
    )

    database: Annotated[Path | DatabaseServer, BeforeValidator(_database)] = Path("judge.db")
    smtp: Annotated[Endpoint | None, BeforeValidator(_optional_endpoint)] = Endpoint(
        "127.0.0.1", 8025
    )
    lmtp: Annotated[Endpoint | Path | None, BeforeValidator(_optional_door)] = None
    socket: Annotated[Path | None, BeforeValidator(_optional_socket)] = None
    imap: Annotated[Endpoint | None, BeforeValidator(_optional_endpoint)] = None
    imap_security: Literal["tls", "starttls", "none"] = "tls"
    imap_user: str = ""
    imap_password_file: Annotated[Path | None, BeforeValidator(_optional_path)] = None
    imap_token_command: Annotated[str, BeforeValidator(_command)] = ""
    imap_folder: str = "INBOX"
    imap_seconds: Annotated[float, Field(ge=0.1, le=600)] = 60.0
    received_by: Annotated[
        str, _matching(r"[A-Za-z0-9.-]*", "the name of your mail server, such as mx.example.org")
    ] = ""
    handover_seconds: Annotated[float, Field(ge=0, le=600)] = 10.0
    retry_seconds: Annotated[float, Field(ge=0, le=900)] = 300.0
    maildir: Path = Path("outgoing")
    backup_key_file: Annotated[Path | None, BeforeValidator(_optional_path)] = None
    templates: Annotated[Path | None, BeforeValidator(_optional_path)] = None
    variants: Annotated[Path | None, BeforeValidator(_optional_path)] = None
    smarthost: Annotated[Endpoint | None, BeforeValidator(_optional_endpoint)] = None
    smarthost_security: Literal["offered", "tls", "starttls", "none"] = "offered"
    smarthost_user: str = ""
    smarthost_password_file: Annotated[Path | None, BeforeValidator(_optional_path)] = None
    smarthost_token_command: Annotated[str, BeforeValidator(_command)] = ""
    dkim_keys: Annotated[Path | None, BeforeValidator(_optional_path)] = None
    address: Annotated[
        str,
        _matching(
            r"[A-Za-z0-9._=-]{1,64}@[A-Za-z0-9.-]{1,200}", "an address, such as judge@example.org"
        ),
    ] = "judge@localhost"
    recipient_delimiter: Annotated[str, _matching(r"[+=_.-]?", "one of + - _ = . or empty")] = "+"
    judge_code: Annotated[
        str, _matching(r"[A-Z][A-Z0-9]{1,7}", "2 to 8 capital letters and digits, such as JUDG")
    ] = "JUDG"
    authserv_id: Annotated[
        str, _matching(r"[A-Za-z0-9._-]*", "the authserv-id of your mail server")
    ] = ""
    verify_dkim: bool = False
    tick_seconds: Annotated[float, Field(ge=0.05, le=3_600)] = 5.0
    keep_mail_days: Annotated[int, Field(ge=0, le=36_500)] = 90
    message_bytes_max: Annotated[int, Field(ge=10_000, le=50_000_000)] = 1_000_000
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    mail_form: Literal["text", "html", "pictures"] = "pictures"
    log_format: Literal["json", "console"] = "json"
    operator_address: Annotated[
        str,
        _matching(r"[^\s@<>,]{1,64}@[A-Za-z0-9.-]{1,200}|", "an address, such as you@example.org"),
    ] = ""
    witnesses: Annotated[tuple[str, ...], BeforeValidator(_witnesses)] = ()
    metrics: Annotated[Endpoint | None, BeforeValidator(_optional_loopback)] = None
    metrics_hosts: Annotated[tuple[str, ...], BeforeValidator(_hosts)] = ()
    desk: Annotated[Endpoint, BeforeValidator(_loopback)] = Endpoint("127.0.0.1", 8026)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - we read no .env
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - nor folders of secrets
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


# Settings that a running daemon can change; all others need a restart.
RELOADED = frozenset(
    {
        *("smarthost", "smarthost_security", "smarthost_user", "smarthost_password_file"),
        *("smarthost_token_command", "dkim_keys", "maildir", "templates", "variants"),
        *("authserv_id", "verify_dkim", "mail_form", "witnesses", "operator_address"),
        *("tick_seconds", "keep_mail_days", "log_level", "log_format"),
    }
)
NOT_OF_DAEMONS = frozenset({"desk", "backup_key_file"})


def load(config: Path | None = None, options: Mapping[str, Any] | None = None) -> Settings:
    """Read the settings: *options* override the environment, which overrides the file *config*.

    *options* come from the command line, None where not given. Raises `ConfigurationError`, with
    one line for each mistake.
    """
    given = {name: value for name, value in (options or {}).items() if value is not None}

    class FromFile(Settings):
        model_config = SettingsConfigDict(toml_file=config)

    try:
        if config is not None:
            config.open("rb").close()  # pydantic treats a missing file as an empty one
        return FromFile(**given)
    except (OSError, ValueError) as error:
        raise ConfigurationError(_complaint(error, config, given)) from error


def fault_of(name: str, value: str) -> str | None:
    """Return what is expected of the setting *name* if *value* is wrong, else None."""
    try:
        Settings.model_validate({name: value})
    except ValidationError as error:
        return next((_expected(each) for each in error.errors() if each["loc"][0] == name), None)
    return None


def unknown_variables() -> tuple[str, ...]:
    """Return the environment variables that look like settings but are unknown."""
    known = {PREFIX + name.upper() for name in Settings.model_fields} | {f"{PREFIX}CONFIG"}
    return tuple(
        sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)
    )


def _complaint(error: Exception, config: Path | None, given: Mapping[str, object]) -> str:
    match error:
        case ValidationError():
            return "; ".join(_wrong(each, config, given) for each in error.errors())
        case OSError():
            return f"{config}: {error.strerror}"
        case _:  # not TOML, or not UTF-8
            return f"{config}: {error}"


def _wrong(error: ErrorDetails, config: Path | None, given: Mapping[str, object]) -> str:
    """Describe a wrong setting: where it was set, its value, and what is expected."""
    name, value = str(error["loc"][0]), error["input"]
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(name, Settings.model_fields, 1)
        meant = f"; did you mean {near[0]}?" if near else ""
        return f"{config}: {name} = {value!r}: there is no such setting{meant}"
    shown = without_password(repr(value))
    return f"{_origin(name, config, given)} = {shown}: expected {_expected(error)}"


def _expected(error: ErrorDetails) -> str:
    return error["msg"].removeprefix("Value error, ").removeprefix("Input should be ")


def _origin(name: str, config: Path | None, given: Mapping[str, object]) -> str:
    if name in given:
        return f"--{name.replace('_', '-')}"
    variable = PREFIX + name.upper()
    return variable if variable in os.environ else f"{config}: {name}"


def read_secret(file: Path, setting: str) -> str:
    """Return the secret in *file*; raises `ConfigurationError`, which names *setting*."""
    try:
        return file.read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "no UTF-8"
        raise ConfigurationError(f"{setting}: {file}: {why}") from error
