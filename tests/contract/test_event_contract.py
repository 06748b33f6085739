"""The folder `events/` and `docs/developers/events.md` match the code, for every event."""

from __future__ import annotations

import dataclasses
import json
import re
import typing

import pytest
from jsonschema import Draft202012Validator

from judge.event_log import Event
from judge.game.events import CODEC, EVENT_TYPES
from tests.support.event_schemas import FOLDER, sample_file, schema_file, schema_text
from tests.support.selection import in_one

DOCUMENT = FOLDER.parent / "docs" / "developers" / "events.md"
VERSIONS = [(name, n) for name in EVENT_TYPES for n in range(1, CODEC.schema_version(name) + 1)]
PERSONAL = re.compile(r"\S@\S|password|subject|header|address", re.IGNORECASE)


def test_every_event_is_applied() -> None:
    ours = (each for each in Event.__subclasses__() if each.__module__.startswith("judge."))

    assert {each.__name__ for each in ours} == {each.__name__ for each in EVENT_TYPES.values()}


@pytest.mark.parametrize(("name", "version"), VERSIONS)
def test_every_version_has_a_schema_that_its_sample_obeys(name: str, version: int) -> None:
    schema = json.loads(schema_file(name, version).read_text(encoding="utf-8"))
    sample = json.loads(sample_file(name, version).read_text(encoding="utf-8"))

    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(sample)


@in_one(EVENT_TYPES)
def test_the_present_schema_is_the_one_that_the_code_keeps(name: str) -> None:
    text = schema_file(name, CODEC.schema_version(name)).read_text(encoding="utf-8")
    committed, present = json.loads(text), json.loads(schema_text(name))
    present.setdefault("description", committed["description"])  # pydantic 2.12.0 gives none

    assert committed == present, "run python -m tests.support.event_schemas"


@pytest.mark.parametrize(("name", "version"), VERSIONS)
def test_r46_every_sample_can_be_read(name: str, version: int) -> None:
    sample = sample_file(name, version).read_text(encoding="utf-8").removesuffix("\n")

    assert isinstance(CODEC.decode(name, version, sample), EVENT_TYPES[name])


@in_one(EVENT_TYPES)
def test_a_sample_that_is_read_is_written_again_to_the_byte(name: str) -> None:
    version = CODEC.schema_version(name)
    sample = sample_file(name, version).read_text(encoding="utf-8").removesuffix("\n")

    assert CODEC.encode(CODEC.decode(name, version, sample)).payload == sample


def test_the_folder_holds_nothing_else() -> None:
    expected = {f(name, n).name for name, n in VERSIONS for f in (schema_file, sample_file)}

    assert {path.name for path in FOLDER.iterdir()} == expected | {"README.md"}


@in_one(EVENT_TYPES)
def test_no_event_has_a_place_for_personal_data(name: str) -> None:
    fields = [
        field.name
        for field in dataclasses.fields(typing.cast("type[typing.Any]", EVENT_TYPES[name]))
    ]
    sample = sample_file(name, CODEC.schema_version(name)).read_text(encoding="utf-8")

    assert not [field for field in fields if PERSONAL.search(field)]
    assert "@" not in sample


@in_one(EVENT_TYPES)
def test_the_document_explains_every_event_and_field(name: str) -> None:
    sections = DOCUMENT.read_text(encoding="utf-8").split("\n### ")
    section = next(each for each in sections if each.startswith(f"`{name}`"))

    missing = [
        f.name
        for f in dataclasses.fields(typing.cast("type[typing.Any]", EVENT_TYPES[name]))
        if f"`{f.name}`" not in section
    ]
    assert not missing
