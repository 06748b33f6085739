"""Names of provinces, powers, units and orders in emails and reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import assert_never

from judge.game import press
from judge.notation.order_text import (
    OrderStyle,
    read_owned_order,
    write_in_style,
    write_long,
    write_short,
)
from judge.reports.languages import SOURCE, InflectedName, translate
from judge.rules import types
from judge.rules.board import Map, Terrain
from judge.rules.outcomes import Impossible
from judge.rules.types import Position


def place_name(board: Map, location: types.Location, language: str = SOURCE) -> InflectedName:
    """Name *location* in full, `St. Petersburg (south coast)`; its form `in` is for sentences.

    English seas have an article there: `in the North Sea`.
    """
    province, _, coast = location.partition("/")
    known, tongue = board.places.get(province), board.tongues.get(language)
    name = known.name if known else province
    article = "the " if known and known.terrain is Terrain.SEA else ""
    forms = {"name": name, "in": f"in {article}{name}"}
    forms |= tongue.places.get(province, {}) if tongue else {}
    behind = f" ({_coast_name(coast, language)})" if coast else ""
    return InflectedName(
        forms["name"] + behind, {form: told + behind for form, told in forms.items()}
    )


def year_name(year: int, language: str = SOURCE) -> str:
    """Return the name of *year* in a chart: a game from the year 0 on has a row before that."""
    return str(year) if year >= 0 else translate(language, "start")


def power_name(board: Map, power: str, language: str = SOURCE) -> InflectedName:
    """Return the name of *power*, or of a moderator or observer, who is no power of the board.

    Its forms `the` and `of` differ from the name in some languages; `The` begins a sentence.
    """
    if power not in board.nations:
        return _office_name(power, language)
    tongue = board.tongues.get(language)
    if tongue is None:
        return InflectedName(board.nations[power].name)
    forms = dict(tongue.powers[power])
    the = forms.get("the", forms["name"])
    forms["The"] = the[0].upper() + the[1:]
    return InflectedName(forms["name"], _with_prepositions(forms) if language == "fr" else forms)


def _with_prepositions(forms: Mapping[str, str]) -> Mapping[str, str]:
    """Return the French *forms* of a name with `to`: `au Japon`, as `of` is `du Japon`."""
    elided = forms["name"][0] in FRENCH_VOWELS
    of = forms.get("of") or ("d'" if elided else "de ") + forms["name"]
    begins = next(each for each in FRENCH_TO if of.startswith(each))
    return {**forms, "of": of, "to": FRENCH_TO[begins] + of.removeprefix(begins)}


FRENCH_VOWELS = "AEIOUYÀÂÉÈÊÎÔÛ"
FRENCH_TO = {"du ": "au ", "des ": "aux ", "de ": "à ", "d'": "à "}  # by the form `of`


def power_in_commands(board: Map, power: types.Power) -> str:
    """Return the name of *power* in commands, which is the same in every language."""
    return power_name(board, power)


def power_adjective(board: Map, power: types.Power, language: str = SOURCE) -> str:
    """Return the adjective of a power: `Austrian`."""
    tongue = board.tongues.get(language)
    return tongue.powers[power]["adjective"] if tongue else board.nations[power].adjective


def season_name(board: Map, season: types.Season, language: str = SOURCE) -> str | None:
    """Return the name of *season* on *board*, if it is not Spring, Fall or Winter.

    On boards without names for seasons the adjustments have none either.
    """
    named, tongue = board.calendar.names, board.tongues.get(language)
    if tongue and season in tongue.seasons:
        return tongue.seasons[season]
    if season not in named and not any(
        named.get(turn.season, turn.season) for turn in board.calendar.turns
    ):
        return ""
    return named.get(season)


def counts_after_fall(board: Map) -> bool:
    """Return whether centers change owners after each Fall, and at no other time."""
    turns = [turn.season for turn in board.calendar.turns if turn.adjusts]
    return turns == [types.FALL] and types.FALL not in board.calendar.names


def with_owners_named(
    order: types.Order, position: Position, power: types.Power, fault: Impossible | None = None
) -> types.Order:
    """Return *order* with foreign units named by owner, unless a missing owner is its *fault*."""
    if fault is Impossible.POWER_NEEDED:
        return order
    named = partial(_with_owner, position, power)
    match order:
        case types.Hold() | types.Move() | types.Retreat() | types.Disband():
            unit = named(order.unit)
            return order if unit is order.unit else replace(order, unit=unit)
        case types.SupportHold() | types.SupportMove():
            return replace(order, unit=named(order.unit), supported=named(order.supported))
        case types.Convoy():
            return replace(order, unit=named(order.unit), army=named(order.army))
        case types.Build() | types.Waive():
            return order
        case _:
            assert_never(order)


def long_order(board: Map, order: types.Order, language: str = SOURCE) -> str:
    """Write *order* as judges report it: `Army Budapest -> Serbia.`."""
    if language not in board.tongues:
        return write_long(order, board)
    hand = OrderStyle(
        unit=partial(_long_unit_name, board, language),
        place=partial(place_name, board, language=language),
        to=" -> ",
        via=" " + translate(language, "via convoy"),
        hold=" " + translate(language, "HOLD"),
        support=" " + translate(language, "SUPPORT") + " ",
        convoy=" " + translate(language, "CONVOY") + " ",
        retreat=" -> ",
        disband="{} " + translate(language, "DISBAND"),
        build=partial(_built_text, board, language),
        waive=translate(language, "Build waived"),
    )
    return f"{write_in_style(order, hand)}."


def short_order(board: Map, order: types.Order) -> str:
    """Write *order* as players do: `A Bud-Ser`."""
    return write_short(order, board)


def recorded_order(board: Map, text: str) -> str:
    """Write an order as players do: *text* is that of the log."""
    return write_short(read_owned_order(text), board)


def short_place(board: Map, location: types.Location) -> str:
    """Write *location* as players do in an order: `Stp(sc)`."""
    return short_unit(board, types.Unit("", types.UnitKind.ARMY, location)).removeprefix("A ")


def unit_name(board: Map, unit: types.Unit, language: str = SOURCE) -> str:
    """Name *unit* as judges do: `Fleet St. Petersburg (south coast)`."""
    return f"{_unit_kind_name(unit.kind, language)} {place_name(board, unit.location, language)}"


def short_unit(board: Map, unit: types.Unit) -> str:
    """Name *unit* as players begin an order: `F Stp(sc)`."""
    return write_short(types.Hold(types.UnitName(unit.kind, unit.location)), board).removesuffix(
        " H"
    )


def _long_unit_name(board: Map, language: str, name: types.UnitName) -> str:
    kind = f"{_unit_kind_name(name.kind, language)} " if name.kind else ""
    owner = f" ({power_name(board, name.power, language)})" if name.power else ""
    return f"{kind}{place_name(board, name.location, language)}{owner}"


def _built_text(board: Map, language: str, name: types.UnitName) -> str:
    at = place_name(board, name.location, language)
    if name.kind is types.UnitKind.FLEET:
        return translate(language, "Builds a fleet {place:in}", place=at)
    return translate(language, "Builds an army {place:in}", place=at)


def _unit_kind_name(kind: types.UnitKind, language: str) -> str:
    return (
        translate(language, "Army")
        if kind is types.UnitKind.ARMY
        else translate(language, "Fleet")
    )


def _office_name(name: str, language: str) -> InflectedName:
    """Return the name of a moderator or observer, in English without an article."""
    if language == SOURCE:
        return InflectedName(name.capitalize())
    match name:
        case press.MODERATOR:
            plain = translate(language, "Moderator")
            the = translate(language, "the moderator")
            begin = translate(language, "The moderator")
            of = translate(language, "(of) the moderator")
        case press.OBSERVER:
            plain = translate(language, "Observer")
            the = translate(language, "the observer")
            begin = translate(language, "The observer")
            of = translate(language, "(of) the observer")
        case press.OBSERVERS:
            plain = translate(language, "Observers")
            the = translate(language, "the observers")
            begin = translate(language, "The observers")
            of = translate(language, "(of) the observers")
        case _:
            return InflectedName(name.capitalize())
    forms = {"name": plain, "the": the, "The": begin, "of": of}
    return InflectedName(plain, _with_prepositions(forms) if language == "fr" else forms)


def _coast_name(coast: str, language: str) -> str:
    names = {
        "NC": translate(language, "north coast"),
        "SC": translate(language, "south coast"),
        "EC": translate(language, "east coast"),
        "WC": translate(language, "west coast"),
    }
    return names.get(coast, coast.lower())


def _with_owner(position: Position, power: types.Power, name: types.UnitName) -> types.UnitName:
    standing = position.unit_at.get(name.province)
    owners = [
        each.unit.power for each in position.dislodged if each.unit.province == name.province
    ]
    if standing is not None:
        owners.append(position.units[standing].power)
    owner = name.power or next(iter(owners), None)
    foreign = None if owner == power else owner
    return name if foreign == name.power else replace(name, power=foreign)
