"""Events are written as text and read back."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from judge.event_log import Codec, CodecError, Json, Value, canonical_json
from judge.game.events import CODEC, EVENT_TYPES
from judge.game.players.creation import GameCreated
from judge.game.players.joining import PlayerLeft
from judge.game.players.seats import PowerVacated


def created(rulebook: Mapping[str, Value]) -> GameCreated:
    return GameCreated("garnet", "standard", rulebook, {}, None)


def test_an_event_is_written_under_a_stable_name_in_one_canonical_form() -> None:
    encoded = CODEC.encode(PowerVacated("ITALY", "p1", "S1901M", "nmr", "2026-12-08T20:00:00Z"))

    assert (encoded.type, encoded.schema) == ("power_vacated", 1)
    assert encoded.payload == (
        '{"person":"p1","phase":"S1901M","power":"ITALY","reason":"nmr",'
        '"takeover_until":"2026-12-08T20:00:00Z"}'
    )


def test_letters_of_every_language_are_unescaped() -> None:
    assert CODEC.encode(PlayerLeft("Ærøskøbing")).payload == '{"person":"Ærøskøbing"}'


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(1.5, id="a float"),
        pytest.param((1, {"deep": 1.0}), id="a float deep inside"),
        pytest.param({1: "x"}, id="a key that is no string"),
        pytest.param("\ud800", id="half a surrogate pair"),
        pytest.param({"a", "b"}, id="a set, which has no order"),
    ],
)
def test_a_value_without_a_canonical_form_is_not_written(value: Value) -> None:
    with pytest.raises(CodecError):
        CODEC.encode(created({"x": value}))


def test_a_value_that_could_not_be_read_back_is_not_written() -> None:
    with pytest.raises(CodecError, match="person"):
        CODEC.encode(PlayerLeft(person=True))  # type: ignore[arg-type]  # the mistake this is about


def test_a_float_has_no_canonical_form() -> None:
    with pytest.raises(CodecError, match=r"1\.0"):
        canonical_json([{"x": 1.0}])


@pytest.mark.parametrize(
    ("name", "schema", "payload"),
    [
        pytest.param("player_lost", 1, "{}", id="a type that nobody knows"),
        pytest.param("player_left", 2, '{"person":"p1"}', id="a schema of the future"),
        pytest.param("player_left", 0, '{"person":"p1"}', id="a schema that never was"),
        pytest.param("player_left", 1, '{"person":1}', id="a number for a name"),
        pytest.param("player_left", 1, "{}", id="a field too few"),
        pytest.param("player_left", 1, '{"person":"p1","x":0}', id="a field too many"),
        pytest.param("player_left", 1, '{"person":"p1"', id="half a payload"),
    ],
)
def test_an_invalid_event_is_refused(name: str, schema: int, payload: str) -> None:
    with pytest.raises(CodecError, match=name):
        CODEC.decode(name, schema, payload)


def split_name(old: Json) -> Json:
    return {"who": old["name"].lower()}


def rename_who(old: Json) -> Json:
    return {"person": old["who"]}


OLDER = Codec(EVENT_TYPES, {"player_left": (split_name, rename_who)})


@pytest.mark.parametrize(
    ("schema", "payload"), [(1, {"name": "P1"}), (2, {"who": "p1"}), (3, {"person": "p1"})]
)
def test_a_payload_of_any_age_is_brought_up_to_date(schema: int, payload: Json) -> None:
    read = OLDER.decode("player_left", schema, json.dumps(payload))

    assert read == PlayerLeft("p1")


def test_the_present_schema_is_one_more_than_there_are_upcasters() -> None:
    assert OLDER.schema_version("player_left") == 3
    assert OLDER.schema_version("player_joined") == 1


def test_an_upcaster_that_breaks_the_payload_is_noticed() -> None:
    with pytest.raises(CodecError):
        OLDER.decode("player_left", 2, '{"who":1}')


def test_a_schema_names_its_event() -> None:
    schema = CODEC.json_schema("player_left")

    assert schema["title"] == "player_left"
    assert schema["required"] == ["person"]
    assert schema["additionalProperties"] is False


def test_an_older_payload_that_is_no_json_is_refused_without_its_values() -> None:
    with pytest.raises(CodecError) as refused:
        OLDER.decode("player_left", 1, '{"person":"secret"')

    assert "secret" not in str(refused.value)
