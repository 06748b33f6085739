"""An opened email as bytes, from a process that is not trusted: a version, then plain JSON.

Whoever takes over the reading process can send nothing but strings, whole numbers, truth values
and instants, in the classes that `Letter` and `Unreadable` are made of. The version includes a
digest of all fields, so a reader of another version of the judge (the program was replaced while
the daemon ran) is refused and never misread.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from hashlib import sha256
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias, Union, get_args, get_origin
from typing import get_type_hints as hints_of

from judge.mail.envelope import Letter, Unreadable

FORMAT: Final = 1  # to be raised when values are written in another way
BYTES_MAX: Final = 16 * 1024 * 1024  # An email has 2 MB; as text of three bytes a letter, 6 MB.
WHOLE_MAX: Final = 2**63 - 1
SCALARS: Final = (str, int, bool)

Opened: TypeAlias = Letter | Unreadable
Convert: TypeAlias = Callable[[Any], Any]


class MalformedError(ValueError):
    """These bytes are no opened email of this version."""


class Form(NamedTuple):
    """How the values of a type are written and read, and a text that changes with the type."""

    write: Convert
    read: Convert
    shape: str


def encode(opened: Opened) -> bytes:
    """Return *opened* as bytes, or that it is too large."""
    written = _encoded(opened)
    if len(written) <= BYTES_MAX:
        return written
    return _encoded(Unreadable("too many characters"))


def decode(written: bytes) -> Opened:
    """Return what was *written*; raises `MalformedError` if it is not what `encode` makes."""
    if len(written) > BYTES_MAX:
        _refuse("too long")
    version, _, told = written.partition(b"\n")
    if version != _version():
        _refuse("another version")
    try:
        plain = json.loads(
            told.decode("utf-8", "surrogatepass"), parse_float=_refuse, parse_constant=_refuse
        )
        opened: Opened = _form(Opened).read(plain)
    except (ValueError, RecursionError) as error:
        raise MalformedError(str(error)) from None
    return opened


def _encoded(opened: Opened) -> bytes:
    plain = _form(Opened).write(opened)
    told = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return _version() + b"\n" + told.encode("utf-8", "surrogatepass")


@cache
def _version() -> bytes:
    shape = sha256(_form(Opened).shape.encode()).hexdigest()
    return f"opened email {FORMAT} {shape}".encode()


def _refuse(why: str) -> NoReturn:
    raise MalformedError(why)


@cache
def _form(kind: Any) -> Form:  # noqa: ANN401 - `X | None` and `tuple[X, ...]` are no types
    """Return how values of *kind* are written; raises `TypeError` if that is not known."""
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


def _scalar(kind: type) -> Form:
    if kind is datetime:
        return Form(datetime.isoformat, _instant, "instant")
    if issubclass(kind, Enum):
        return _member(kind)
    if kind not in SCALARS:
        raise TypeError(f"opened emails cannot carry {kind}")

    def read(plain: object) -> object:
        if type(plain) is not kind or (type(plain) is int and not 0 <= plain <= WHOLE_MAX):
            _refuse(f"no {kind.__name__}")
        return plain

    return Form(lambda value: value, read, kind.__name__)


def _instant(plain: object) -> datetime:
    if not isinstance(plain, str):
        _refuse("no instant")
    return datetime.fromisoformat(plain)


def _member(kind: type[Enum]) -> Form:
    def read(plain: object) -> Enum:
        if not isinstance(plain, str) or plain not in kind.__members__:
            _refuse(f"no {kind.__name__}")
        return kind[plain]

    return Form(lambda value: value.name, read, f"{kind.__name__}{list(kind.__members__)}")


def _several(form: Form) -> Form:
    def write(values: Sequence[object]) -> object:
        return [form.write(value) for value in values]

    def read(plain: object) -> object:
        if not isinstance(plain, list):
            _refuse("no list")
        return tuple(form.read(each) for each in plain)

    return Form(write, read, f"[{form.shape}]")


def _record(kind: type) -> Form:
    """Write an object of the dataclass *kind* as the list of its fields, in their order."""
    names = [field.name for field in fields(kind)]
    # Modules import what only annotations name when types are checked: of that, instants.
    types = hints_of(kind, localns={"datetime": datetime})
    row = _row(
        [_form(types[name]) for name in names],
        lambda value: [getattr(value, name) for name in names],
        lambda values: kind(*values),
    )
    return row._replace(shape=f"{kind.__name__}{names}{row.shape}")


def _row(forms: Sequence[Form], cells: Convert, make: Convert) -> Form:
    def write(value: object) -> object:
        return [form.write(cell) for form, cell in zip(forms, cells(value), strict=True)]

    def read(plain: object) -> object:
        if not isinstance(plain, list) or len(plain) != len(forms):
            _refuse("another number of fields")
        return make([form.read(cell) for form, cell in zip(forms, plain, strict=True)])

    return Form(write, read, f"({','.join(form.shape for form in forms)})")


def _choice(kinds: Sequence[type]) -> Form:
    """Write one of several as a list of its name and itself, and what may be missing as null."""
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
    return Form(write, read, f"<{shape}{'|null' * optional}>")
