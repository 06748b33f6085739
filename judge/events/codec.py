"""Encode events as stable names, schema versions and canonical JSON; upcast old payloads.

A payload that was written stays as it is. When a type changes, its old payloads are brought up to
date as they are read, by a chain of *upcasters*: the first turns schema 1 into 2, and so on, so
that the present schema of a type is one more than it has upcasters.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from judge.events.store import Event
from judge.overriding import override

Json: TypeAlias = dict[str, Any]
Upcaster: TypeAlias = Callable[[Json], Json]
Upcasters: TypeAlias = Mapping[str, Sequence[Upcaster]]


class CodecError(ValueError):
    """What should be an event cannot be written, or what was written cannot be read."""


@dataclass(frozen=True, slots=True)
class EncodedEvent:
    """An event as it is written down; *payload* is canonical JSON."""

    type: str
    schema: int
    payload: str


class Codec:
    """Encodes and decodes the events of *types*, by their names in the log."""

    def __init__(self, types: Mapping[str, type[Event]], upcasters: Upcasters) -> None:
        self.types = types
        self._upcasters = upcasters
        self._names = {cls: name for name, cls in types.items()}
        self._adapters: Mapping[str, TypeAdapter[Event]] = {
            name: TypeAdapter(cls) for name, cls in types.items()
        }

    def encode(self, event: Event) -> EncodedEvent:
        """Write *event* down under the present schema of its type."""
        name = self._names[type(event)]
        adapter = self._adapters[name]
        try:
            payload = canonical_json(adapter.dump_python(event, mode="json", warnings="error"))
            _validate(adapter, payload)  # What is written for ever must be readable.
        except ValueError as error:
            raise CodecError(f"{name} cannot be written: {error}") from error
        return EncodedEvent(name, self.schema_version(name), payload)

    def decode(self, name: str, schema: int, payload: str) -> Event:
        """Read what `encode` wrote, today or under an older *schema*."""
        present = self.schema_version(name)
        if name not in self.types:
            raise CodecError(f"no event is called {name!r}")
        if not 1 <= schema <= present:
            raise CodecError(f"{name} has the schemas 1 to {present}, not {schema}")
        steps = self._upcasters.get(name, ())[schema - 1 :]
        try:
            return _validate(self._adapters[name], _upcast(payload, steps))
        except ValueError as error:
            raise CodecError(f"{name} version {schema} cannot be read: {error}") from error

    def schema_version(self, name: str) -> int:
        """Return the present version of the schema of the type *name*."""
        return len(self._upcasters.get(name, ())) + 1

    def json_schema(self, name: str) -> Json:
        """Describe the present payload of the type *name* as JSON Schema 2020-12."""
        described = self._adapters[name].json_schema(schema_generator=_Untitled)
        return {
            "$schema": GenerateJsonSchema.schema_dialect,
            "$id": f"{name}.v{self.schema_version(name)}.schema.json",
            **described,
            "title": name,
            "additionalProperties": False,
        }


def canonical_json(value: object) -> str:
    """Write *value* the one way: sorted keys, no spaces, nothing escaped without need, no floats.

    A float has more than one decimal form, and a hash must not depend on who wrote it.
    """
    _reject_floats(value)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    text.encode()  # Half a surrogate pair is no UTF-8: refused here, not at the disk.
    return text


def _reject_floats(value: object) -> None:
    match value:
        case float():
            raise CodecError(f"a float cannot be written canonically: {value}")
        case dict():
            for each in value.values():
                _reject_floats(each)
        case list() | tuple():
            for each in value:
                _reject_floats(each)
        case _:
            pass


def _upcast(payload: str, steps: Sequence[Upcaster]) -> str:
    if not steps:
        return payload
    current = json.loads(payload)
    for step in steps:
        current = step(current)
    return canonical_json(current)


def _validate(adapter: TypeAdapter[Event], payload: str) -> Event:
    return adapter.validate_json(payload, strict=True, extra="forbid")


class _Untitled(GenerateJsonSchema):
    """Leaves out titles that only repeat the name of the field."""

    @override
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False
