"""Open emails in a child process with limits, which replies in a plain, versioned format.

Anyone can send an email, and C code parses it too. So the process that reads it gets little time
and memory, no store, no network and no secret (`judge.adapters.sandbox`), and the judge treats its
reply as plain data. A request is the lengths of two fields and the fields, then comes one reply.

A compromised reader can send only strings, integers, booleans and instants, in the classes that
make up `OpenedEmail` and `Unreadable`. The version includes a digest of all fields, so the judge
refuses a reader of another version (if the program was replaced while the daemon ran). The child
runs `python -m judge.adapters.mail_sandbox`.
"""

from __future__ import annotations

import json
import signal
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from hashlib import sha256
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias, Union, get_args, get_origin
from typing import get_type_hints as hints_of

from judge.adapters.sandbox import ChildProcess, confine, receive_exactly
from judge.mail.envelope import BYTES_MAX, OpenedEmail, UnopenedError, Unreadable, open_mail

PROGRAM: Final = ("-m", "judge.adapters.mail_sandbox")
CPU_SECONDS_MAX = 2.0
IDLE_SECONDS_MAX = 20.0
MALFORMED_REPLY: Final = "the reader gave a malformed reply"
REQUEST: Final = struct.Struct(">iI")  # Lengths of the envelope sender (-1: None) and the email.
ANSWER: Final = struct.Struct(">I")


class MailSandbox:
    """Opens emails in a child process, started by the first email; for one thread at a time."""

    def __init__(
        self, program: Sequence[str] = PROGRAM, idle_seconds_max: float = IDLE_SECONDS_MAX
    ) -> None:
        self._child = ChildProcess(program, idle_seconds_max)

    def open(self, raw: bytes, envelope_sender: str | None) -> OpenedEmail | Unreadable:
        """Open an email; raises `UnopenedError` if it kills the child or hangs it."""
        if len(raw) > BYTES_MAX:
            return Unreadable("too many bytes")
        self._child.start()
        try:
            self._child.send(_request(raw, envelope_sender))
            [length] = ANSWER.unpack(self._child.receive(ANSWER.size))
            if length > ANSWER_BYTES_MAX:
                raise ValueError("the answer is too long")  # noqa: TRY301 - it is malformed, too
            return decode(self._child.receive(length))
        except TimeoutError:
            self._child.close()
            raise UnopenedError("reading it took too long") from None
        except ValueError as error:
            self._child.close()
            raise UnopenedError(MALFORMED_REPLY) from error
        except Exception as error:
            raise UnopenedError(self._child.death() or MALFORMED_REPLY) from error

    def close(self) -> None:
        """End the child."""
        self._child.close()


def _request(raw: bytes, envelope_sender: str | None) -> bytes:
    sender = (envelope_sender or "").encode(errors="replace")
    length = -1 if envelope_sender is None else len(sender)
    return REQUEST.pack(length, len(raw)) + sender + raw


FORMAT: Final = 1  # increase it when the encoding of values changes
# An email has 2 MB; as text with three bytes a letter, 6 MB.
ANSWER_BYTES_MAX: Final = 16 * 1024 * 1024
WHOLE_MAX: Final = 2**63 - 1
SCALARS: Final = (str, int, bool)

Opened: TypeAlias = OpenedEmail | Unreadable
Convert: TypeAlias = Callable[[Any], Any]


class MalformedError(ValueError):
    """These bytes are not an opened email of this version."""


class WireForm(NamedTuple):
    """The functions that write and read a type, and a *shape* that changes with the type."""

    write: Convert
    read: Convert
    shape: str


def encode(opened: Opened) -> bytes:
    """Return *opened* as bytes; if it is too large, a note of that instead."""
    written = _encoded(opened)
    if len(written) <= ANSWER_BYTES_MAX:
        return written
    return _encoded(Unreadable("too many characters"))


def decode(written: bytes) -> Opened:
    """Read the output of `encode`; raises `MalformedError` for anything else."""
    if len(written) > ANSWER_BYTES_MAX:
        _refuse("too long")
    version, _, content = written.partition(b"\n")
    if version != _version():
        _refuse("another version")
    try:
        plain = json.loads(
            content.decode("utf-8", "surrogatepass"), parse_float=_refuse, parse_constant=_refuse
        )
        opened: Opened = _form(Opened).read(plain)
    except (ValueError, RecursionError) as error:
        raise MalformedError(str(error)) from None
    return opened


def _encoded(opened: Opened) -> bytes:
    plain = _form(Opened).write(opened)
    content = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return _version() + b"\n" + content.encode("utf-8", "surrogatepass")


@cache
def _version() -> bytes:
    shape = sha256(_form(Opened).shape.encode()).hexdigest()
    return f"opened email {FORMAT} {shape}".encode()


def _refuse(why: str) -> NoReturn:
    raise MalformedError(why)


@cache
def _form(kind: Any) -> WireForm:  # noqa: ANN401 - `X | None` and `tuple[X, ...]` are not types
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _choice(inside)
    if origin is tuple and inside[1:] == (...,):
        return _several(_form(inside[0]))
    if origin is tuple:
        return _row([_form(each) for each in inside], tuple, tuple)
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind)
    return _scalar(kind)


def _scalar(kind: type) -> WireForm:
    if kind is datetime:
        return WireForm(datetime.isoformat, _instant, "instant")
    if issubclass(kind, Enum):
        return _member(kind)
    if kind not in SCALARS:
        raise TypeError(f"opened emails cannot carry {kind}")

    def read(plain: object) -> object:
        if type(plain) is not kind or (type(plain) is int and not 0 <= plain <= WHOLE_MAX):
            _refuse(f"no {kind.__name__}")
        return plain

    return WireForm(lambda value: value, read, kind.__name__)


def _instant(plain: object) -> datetime:
    if not isinstance(plain, str):
        _refuse("no instant")
    return datetime.fromisoformat(plain)


def _member(kind: type[Enum]) -> WireForm:
    def read(plain: object) -> Enum:
        if not isinstance(plain, str) or plain not in kind.__members__:
            _refuse(f"no {kind.__name__}")
        return kind[plain]

    return WireForm(lambda value: value.name, read, f"{kind.__name__}{list(kind.__members__)}")


def _several(form: WireForm) -> WireForm:
    def write(values: Sequence[object]) -> object:
        return [form.write(value) for value in values]

    def read(plain: object) -> object:
        if not isinstance(plain, list):
            _refuse("no list")
        return tuple(form.read(each) for each in plain)

    return WireForm(write, read, f"[{form.shape}]")


def _record(kind: type) -> WireForm:
    names = [field.name for field in fields(kind)]
    # Modules import some annotated types only for type checking; the only one here is instants.
    types = hints_of(kind, localns={"datetime": datetime})
    row = _row(
        [_form(types[name]) for name in names],
        lambda value: [getattr(value, name) for name in names],
        lambda values: kind(*values),
    )
    return row._replace(shape=f"{kind.__name__}{names}{row.shape}")


def _row(forms: Sequence[WireForm], cells: Convert, make: Convert) -> WireForm:
    def write(value: object) -> object:
        return [form.write(cell) for form, cell in zip(forms, cells(value), strict=True)]

    def read(plain: object) -> object:
        if not isinstance(plain, list) or len(plain) != len(forms):
            _refuse("another number of fields")
        return make([form.read(cell) for form, cell in zip(forms, plain, strict=True)])

    return WireForm(write, read, f"({','.join(form.shape for form in forms)})")


def _choice(kinds: Sequence[type]) -> WireForm:
    """Write one of several types as `[name, value]`, and None as null."""
    forms = {each.__name__: _form(each) for each in kinds if each is not NoneType}
    optional = NoneType in kinds
    alone = next(iter(forms.values())) if optional and len(forms) == 1 else None

    def write(value: object) -> object:
        if value is None and optional:
            return None
        name = type(value).__name__
        return alone.write(value) if alone else [name, forms[name].write(value)]

    def read(plain: object) -> object:
        if plain is None and optional:
            return None
        if alone:
            return alone.read(plain)
        match plain:
            case [str(name), inner] if name in forms:
                return forms[name].read(inner)
            case _:
                _refuse("no such choice")

    shape = "|".join(f"{name}:{form.shape}" for name, form in forms.items())
    return WireForm(write, read, f"<{shape}{'|null' * optional}>")


Opens = Callable[[bytes, str | None], OpenedEmail | Unreadable]


def main(opens: Opens = open_mail, cpu_seconds_max: float = CPU_SECONDS_MAX) -> None:
    """Answer requests, within the limits for each, until the parent is gone."""
    confine()
    gone = suppress(EOFError, ConnectionError)
    with gone, socket.socket(fileno=sys.stdin.fileno()) as line:
        while True:
            _answer_one(line, opens, cpu_seconds_max)


def _answer_one(line: socket.socket, opens: Opens, cpu_seconds_max: float) -> None:
    length, size = REQUEST.unpack(receive_exactly(line, REQUEST.size))
    sender = receive_exactly(line, max(length, 0)).decode()
    raw = receive_exactly(line, size)
    # The system ends the process if anything takes too long, C code included.
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds_max)
    answer = encode(opens(raw, None if length < 0 else sender))
    signal.setitimer(signal.ITIMER_PROF, 0)
    line.sendall(ANSWER.pack(len(answer)) + answer)


if __name__ == "__main__":
    main()
