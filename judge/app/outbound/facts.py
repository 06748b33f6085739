"""Store the facts of an email as text, until its words are rendered.

The text is a line of JSON for the email, and one for each of its pages: the name of its class,
then its fields. pydantic reads and writes the dataclasses as they are, except that

- a value whose class is one of several begins with the name of its class;
- a board is its variant and digest;
- results that several readers share are a text of their own, written and read once;
- a closed phase is its event, and becomes its checkpoint when it is read;
- a mapping whose keys are no texts is a list of pairs.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from inspect import isclass
from typing import Any, Generic, TypeAlias, TypeVar

from pydantic import TypeAdapter
from pydantic_core import (
    PydanticSerializationError,
    SchemaSerializer,
    SchemaValidator,
    core_schema,
)

from judge.app.ports.judge import AnnouncedPages
from judge.app.ports.people import Token
from judge.checkpoints import Closing, ClosingEvent
from judge.mail.headers import addresses_in
from judge.reports.emails import (
    confirmation_emails,
    contexts,
    explanations,
    game_history,
    game_news,
    game_start,
    help_pages,
    listings,
    notices,
    order_status,
    phase_results,
    press,
    receipts,
)
from judge.reports.emails.contexts import Context
from judge.reports.emails.phase_results import SharedResults
from judge.reports.emails.receipts import EmailOnHold
from judge.rules.board import Map
from judge.rules.types import Power

MODULES = (
    confirmation_emails,
    contexts,
    explanations,
    game_history,
    game_news,
    game_start,
    help_pages,
    listings,
    notices,
    order_status,
    phase_results,
    press,
    receipts,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered(Context):
    """Questions of *person*, in whose place rendering puts the answers.

    They are asked of the game in the heading at this *version*. Each has the name of its class,
    and its fields as text.
    """

    person: str
    version: int
    session: str | None
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced(Context):
    """Events of the game in the heading, in whose place rendering puts the pages about them.

    They are those from version *first* to *last*, which one command made. The email is for
    *person*, and *cause* is its name among all about these events.
    """

    first: int
    last: int
    person: str
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdersMissing(Context):
    """A state of the game, in whose place rendering puts the reminder of the player of *power*.

    Its deadline was in *length*; the emails *waiting* may hold the orders.
    """

    version: int
    power: Power
    length: timedelta
    waiting: tuple[EmailOnHold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TasksPending(Context):
    """A state of the game, in whose place rendering puts the tasks of its moderator."""

    version: int


FROM_LOG = Announced, OrdersMissing, TasksPending, Unanswered  # made from the log when rendered
PAGES: Mapping[str, type[Context]] = {each.__name__: each for each in FROM_LOG} | {
    name: each
    for module in MODULES
    for name, each in vars(module).items()
    if isclass(each) and issubclass(each, Context) and each is not Context
}
CLASS = "is"  # the key under which a value names its class
ESCAPED = re.compile(r"\\(?:u[0-9a-f]{4}|.)")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
SHARED_KEPT = 8  # results of the phases that closed last

Schema: TypeAlias = dict[str, Any]
Boards: TypeAlias = Callable[[str, str], Map]  # by variant and digest
Closings: TypeAlias = Callable[[ClosingEvent], Closing | None]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AnsweredEmail:
    """The reader's email that an email of ours answers."""

    message_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailFacts:
    """The facts of an email that are neither in its pages nor in its row of the outbox.

    It was *written* when its cause happened. *zone* is the reader's choice, and *language* the one
    of the email answered if it is not theirs. *thread* has the Message-IDs of its game, phase or
    exchange of press. A *gathered* email may become part of a digest, to which its pages add so
    many *letters* of press.
    """

    written: datetime
    zone: str | None = None
    language: str | None = None
    token: Token | None = None
    answers: AnsweredEmail | None = None
    thread: tuple[str, ...] = ()
    gathered: bool = False
    letters: int = 0


def write_facts(facts: EmailFacts, pages: tuple[Context, ...]) -> str:
    """Return *facts* and *pages* as text."""
    lines = [f"{type(page).__name__} {_codec(type(page)).write(page)}" for page in pages]
    return "\n".join([_codec(EmailFacts).write(facts), *lines])


def addresses_on_pages(text: str) -> frozenset[str]:
    """Return the addresses on the pages in the *text* of facts, folded."""
    pages = text.partition("\n")[2]
    return addresses_in(ESCAPED.sub(" ", pages)) if "@" in pages else frozenset()


def letters_of(facts: str) -> int:
    """Return about how many letters the email with these *facts* has."""
    first = facts.partition("\n")[0]
    return len(facts) + int(json.loads(first).get("letters", 0))


def write_value(value: object) -> str:
    """Return *value* as text, for `read_value`."""
    return _codec(type(value)).write(value)


class FactsReader:
    """Reads what `write_facts` wrote; emails that share results get the same.

    The pages that are *announced* in emails of one game are made together.
    """

    def __init__(self, boards: Boards, closings: Closings) -> None:
        self.boards, self.closings = boards, closings
        self.announced: AnnouncedPages = {}
        self._shared: dict[str, SharedResults] = {}

    def read(self, text: str) -> tuple[EmailFacts, tuple[Context, ...]]:
        """Return the facts and pages in *text*; raises `ValueError` if it is of another release.

        Raises `LookupError` if there is no such page or board.
        """
        first, *lines = text.split("\n")
        pages = (line.partition(" ") for line in lines)
        return _codec(EmailFacts).read(first, self), tuple(
            _codec(PAGES[name]).read(fields, self) for name, _, fields in pages
        )

    def shared_results(self, text: str) -> SharedResults:
        """Return the results in *text*."""
        if text not in self._shared:
            self._shared[text] = _codec(SharedResults).read(text, self)
        return self._shared[text]


def read_value(kind: type[T], text: str, reader: FactsReader) -> T:
    """Return the value of *kind* in *text*."""
    return _codec(kind).read(text, reader)


class _Codec(Generic[T]):
    """Writes and reads values of one class."""

    def __init__(self, kind: type[T]) -> None:
        schema = _Adaptation(kind).schema
        self._validator = SchemaValidator(schema)
        self._serializer = SchemaSerializer(schema)

    def write(self, value: T) -> str:
        try:
            return self._serializer.to_json(value).decode()
        except PydanticSerializationError:
            # It holds part of a character, of bytes that are no UTF-8: emails leave that out, too.
            plain = self._serializer.to_python(value, mode="json")
            return LONE_SURROGATE.sub("", json.dumps(plain, ensure_ascii=False))

    def read(self, text: str, reader: FactsReader) -> T:
        value: T = self._validator.validate_json(text, context=reader)
        return value


_codecs: dict[Any, _Codec[Any]] = {}  # by class


def _codec(kind: type[T]) -> _Codec[T]:
    """Return the codec of *kind*, which is made when the first such email is written."""
    if kind not in _codecs:
        _codecs[kind] = _Codec(kind)
    return _codecs[kind]


class _Adaptation:
    """The schema that pydantic makes of a class, adapted as the module says."""

    def __init__(self, kind: type) -> None:
        self._kind = kind
        found: Schema = TypeAdapter(kind).core_schema  # type: ignore[assignment]  # a typed dict
        named = found["definitions"] if found["type"] == "definitions" else ()
        self._named = {each["ref"]: each for each in named}
        self.schema: Schema = self._adapted(found)

    def _adapted(self, value: Any) -> Any:  # noqa: ANN401 - a part of a schema
        if isinstance(value, list | tuple):
            return type(value)(map(self._adapted, value))
        if not isinstance(value, dict) or "type" not in value:
            return value
        kind, of = value["type"], value.get("cls")
        if kind == "bytes" or (kind == "dataclass" and of in SPECIAL and of is not self._kind):
            named = {"ref": value["ref"]} if "ref" in value else {}
            return {**SPECIAL[of or bytes], **named}
        fixed = ("default", "cls", "metadata")
        value = {key: of if key in fixed else self._adapted(of) for key, of in value.items()}
        if kind == "union":
            return self._tagged(value)
        return self._mapping(value) if kind == "dict" else value

    def _class_of(self, schema: Schema) -> type | None:
        if schema["type"] == "definition-ref":
            schema = self._named[schema["schema_ref"]]
        found: type | None = schema.get("cls")
        return found

    def _tagged(self, union: Schema) -> Schema:
        classes = [self._class_of(each) for each in union["choices"]]
        named = [each.__name__ for each in classes if each]
        if len(named) < len(classes):
            return union  # of plain values, which JSON tells apart
        choices: dict[Any, Any] = {
            name: {**each, "serialization": _with_name(name)}
            for name, each in zip(named, union["choices"], strict=True)
        }
        assert len(choices) == len(classes), "classes of one union have different names"
        return dict(core_schema.tagged_union_schema(choices, _name_of))

    def _mapping(self, schema: Schema) -> Schema:
        if self._class_of(schema["keys_schema"]) is None:  # It may be a read-only view.
            return {**schema, "serialization": _written_as(dict, schema)}
        keys, values = schema["keys_schema"], schema["values_schema"]
        pairs = core_schema.list_schema(core_schema.tuple_positional_schema([keys, values]))
        written = _written_as(lambda mapping: [*mapping.items()], dict(pairs))
        after = core_schema.no_info_after_validator_function(dict, pairs, serialization=written)
        return dict(after)


def _name_of(value: Any) -> str:  # noqa: ANN401 - a value, or its fields
    name: str = value[CLASS] if isinstance(value, dict) else type(value).__name__
    return name


def _with_name(name: str) -> core_schema.WrapSerializerFunctionSerSchema:
    def named(value: object, fields: Callable[[object], Schema]) -> Schema:
        return {CLASS: name, **fields(value)}

    return core_schema.wrap_serializer_function_ser_schema(named)


def _written_as(
    change: Callable[[Any], object], schema: Schema
) -> core_schema.WrapSerializerFunctionSerSchema:
    def changed(value: object, write: Callable[[object], object]) -> object:
        return write(change(value))

    inner: Any = schema
    return core_schema.wrap_serializer_function_ser_schema(changed, schema=inner)


@lru_cache(maxsize=SHARED_KEPT)
def _shared_text(results: SharedResults) -> str:
    return _codec(SharedResults).write(results)


def _special(write: Callable[[Any], object], read: Callable[[Any, FactsReader], object]) -> Schema:
    def validate(value: object, info: core_schema.ValidationInfo[FactsReader]) -> object:
        assert info.context is not None, "a reader passes itself"
        return read(value, info.context)

    written = core_schema.plain_serializer_function_ser_schema(write)
    schema = core_schema.with_info_plain_validator_function(validate, serialization=written)
    return dict(schema)


SPECIAL: Mapping[type, Schema] = {
    bytes: _special(lambda value: b64encode(value).decode(), lambda text, _: b64decode(text)),
    Map: _special(
        lambda board: (board.name, board.digest), lambda named, reader: reader.boards(*named)
    ),
    ClosingEvent: _special(
        lambda event: (event.game, event.version, event.whole),
        lambda fields, reader: reader.closings(ClosingEvent(*fields)),
    ),
    SharedResults: _special(_shared_text, lambda text, reader: reader.shared_results(text)),
}
