"""`judge variant`: list, show, check, import and start variants (docs/variants.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge.adapters import variant_files
from judge.adapters.whole_files import make_folder, replacing_file
from judge.boards import facts_import, map_import, variant_text, variant_writer
from judge.cli.map_options import PictureOptions, draw_to_file, picture_options
from judge.cli.options import complete_variant, variants_options
from judge.cli.terminal import BAD_INPUT, UNAVAILABLE, USAGE, FilePath, counted, fail, is_there
from judge.game.house_rules import UnknownHouseRuleError, from_pairs
from judge.rules.board import BuildSites, Map
from judge.rules.types import NEUTRAL, Power

if TYPE_CHECKING:
    from judge.boards.places import Places
    from judge.pictures.board_art import BoardArt

AS_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON line per variant.")
MAP_FILE = ".map"
DRAWING = "drawing the board, which takes two minutes for a large one ..."
FACING = (
    "for north at the top of the picture, write in {folder}/places.csv where a dozen provinces "
    "lie (docs/variants.md), then: judge variant draw {folder}"
)
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


@click.command()
@AS_JSON
@variants_options
def list_command(*, as_json: bool) -> None:
    """List the variants: name, powers, provinces, centers and how many of them win."""
    for name in variant_files.variants():
        try:
            board = variant_files.load_map(name)
        except variant_text.VariantError as error:
            click.echo(str(error), err=True)
            continue
        if as_json:
            click.echo(json.dumps(_summary(name, board)))
        else:
            click.echo(f"{name:22} {board.title}: {_sizes(board)}")


@click.command()
@click.argument("variant", metavar="NAME|FOLDER", shell_complete=complete_variant)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@variants_options
def check(variant: str, *, as_json: bool) -> None:
    """Check a variant: that in FOLDER, or else the one of that NAME.

    Print what is wrong, one line each: borders that lead one way, provinces that no unit can
    reach, coasts, units and centers at the start, names that collide, a picture that cannot be
    read, leaves out a province or shows one that is none. The exit code is 65 if anything is
    wrong. If places.csv says where provinces lie, print how many pairs of them the picture shows
    in the right direction, within 45 degrees. Otherwise a sound variant prints nothing.
    """
    complaints, directions = _checked(_folder_of(variant))
    if as_json:
        told: dict[str, object] = {"ok": not complaints, "complaints": [*complaints]}
        if directions is not None:
            told["directions"] = round(directions, 3)
        click.echo(json.dumps(told))
    else:
        for each in complaints:
            click.echo(each)
        if directions is not None:
            click.echo(_told(directions))
    if complaints:
        raise SystemExit(BAD_INPUT)


@click.command()
@click.argument("file", type=FilePath(exists=True, dir_okay=False))
@click.option("--name", help="Its name; by default that of the folder or of FILE.")
@click.option(
    "--into",
    type=FilePath(),
    help="The new folder to write; by default the name, in the current folder.",
)
@variants_options
def import_command(file: Path, *, name: str | None, into: Path | None) -> None:
    """Import a board from FILE and write it as the folder of a variant.

    FILE is a .map file, the form of DPjudge and of the PyPI package diplomacy, or a board as JSON.
    A .map file may start from another one: that is a variant of the judge if one of that name
    stands alone, or else the file in the same folder. The command prints on standard error what
    does not carry over and what is wrong with the new folder; the exit code is 65 if anything is
    wrong. A new board is drawn from its borders, without regard to north and south.
    """
    name = _valid_name(name or (into.name if into else file.stem.lower()))
    try:
        text = file.read_text(encoding="utf-8-sig")
        facts, notes = _imported(file, text, name)
    except (OSError, ValueError, variant_files.UnknownVariantError) as error:
        fail(f"{file} cannot be imported: {error}", BAD_INPUT)
    folder = into or Path(name)
    texts = dict(variant_writer.write_variant(facts))
    if facts.extends is None:
        texts |= _drawn(texts)
    _write(folder, texts)
    complaints, _ = _checked(folder)
    for each in (*notes, *complaints):
        click.echo(each, err=True)
    if variant_files.PICTURE in texts:
        click.echo(FACING.format(folder=folder), err=True)
    click.echo(f"{folder}: {facts.title}")
    if complaints:
        raise SystemExit(BAD_INPUT)


@click.command()
@click.argument("variant", metavar="NAME|FOLDER", shell_complete=complete_variant)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@variants_options
@picture_options
def show(picture: PictureOptions | None, variant: str, *, as_json: bool) -> None:
    """Show a variant: its powers with what they start with, its calendar, rules and doubts.

    With --picture it is drawn, from its borders if it has no picture.
    """
    board, art, places = _found(variant)
    if picture:
        from judge.pictures.board_art import read_art
        from judge.pictures.generating import generate_picture
        from judge.pictures.scene import Scene

        art = art or read_art(generate_picture(board, places))
        draw_to_file(picture, board, art, Scene(position=board.start, title=board.title))
    elif as_json:
        click.echo(json.dumps(_described(board)))
    else:
        for line in _page(board):
            click.echo(line)


@click.command()
@click.argument("variant", metavar="NAME|FOLDER")
@variants_options
def draw(variant: str) -> None:
    """Draw the board of a variant from its borders, and write board.json in its folder.

    If places.csv says where a dozen provinces lie, the picture is the right way round, and the
    command prints how many pairs of them are in the right direction. A variant that extends
    another has its picture, and a drawing of your own stays: neither is drawn.
    """
    from judge.pictures.generating import generate_picture

    folder = _folder_of(variant)
    try:
        files = variant_files.read_folder(folder)
        board = variant_text.read_map(files.texts, files.base)
        places = variant_files.places_of(files, board)
    except (OSError, ValueError) as error:
        fail(f"{variant} cannot be drawn: {error}", BAD_INPUT)
    if files.base is not None or variant_files.SVG in files.texts:
        fail(f"{variant} has another picture: {_other_picture(files)}", UNAVAILABLE)
    click.echo(DRAWING, err=True)
    try:
        with replacing_file(folder / variant_files.PICTURE) as written:
            written.write(generate_picture(board, places).encode())
    except OSError as error:
        fail(f"{folder} cannot be written: {error.strerror}", UNAVAILABLE)
    _, directions = _checked(folder)
    click.echo(f"{folder}: {board.title}")
    if directions is not None:
        click.echo(_told(directions))


@click.command()
@click.argument("folder", type=FilePath())
@click.option(
    "--extends",
    metavar="NAME",
    shell_complete=complete_variant,
    help="Start from this variant, with its powers.",
)
@variants_options
def new(folder: Path, *, extends: str | None) -> None:
    """Start a new variant in FOLDER: a small sound one, to be edited.

    With --extends it has only what differs from another variant.
    """
    name = _valid_name(folder.name)
    if extends is None:
        small = {each: (NEW_VARIANT / each).read_text("utf-8") for each in variant_text.FILES}
        texts = small | {variant_text.VARIANT: small[variant_text.VARIANT].replace("{name}", name)}
    else:
        board = _named(extends)
        if not _stands_alone(extends):
            fail(f"{extends} extends another variant itself: start from that one", UNAVAILABLE)
        texts = {
            variant_text.VARIANT: EXTENDING.format(
                name=name,
                extends=extends,
                played=", ".join(f'"{power}"' for power in board.powers),
                centers=board.victory_centers,
            )
        }
    _write(folder, texts)
    click.echo(f"{folder}: edit {variant_text.VARIANT}, then: judge variant check {folder}")


def _valid_name(name: str) -> str:
    if not NAME.fullmatch(name):
        fail(
            f"{name!r} is not the name of a variant: small letters, digits, - and _, at most 32; "
            "choose one with --name",
            BAD_INPUT,
        )
    return name


def _imported(file: Path, text: str, name: str) -> tuple[variant_writer.BoardFacts, list[str]]:
    if file.suffix.lower() == MAP_FILE:
        facts, notes = map_import.read_map_file(text, name, dict(_used_boards(file, text, {})))
        return replace(facts, source=file.name), notes
    base = facts_import.base_of(text)
    board = variant_files.load_map(base) if base else None
    facts, left_out = facts_import.read_facts(text, name, board)
    return facts, [f"this is left out: {each}" for each in left_out]


def _used_boards(file: Path, text: str, found: dict[str, str | Map]) -> dict[str, str | Map]:
    """Return the boards that the one in *file* starts from, and those that they start from."""
    for name in map_import.used_files(text):
        beside = file.parent / f"{name}{MAP_FILE}"
        if name in found:
            continue
        if name in variant_files.variants() and _stands_alone(name):
            found[name] = variant_files.load_map(name)
        elif Path(name).name == name and beside.is_file():
            found[name] = beside.read_text(encoding="utf-8-sig")
            _used_boards(file, beside.read_text(encoding="utf-8-sig"), found)
    return found


def _drawn(texts: Mapping[str, str]) -> Mapping[str, str]:
    """Return a picture drawn from the borders of the board; none if the board is wrong."""
    from judge.pictures.generating import generate_picture

    try:
        board = variant_text.read_map(texts)
    except variant_text.VariantError:
        return {}
    click.echo(DRAWING, err=True)
    return {variant_files.PICTURE: generate_picture(board)}


def _stands_alone(name: str) -> bool:
    return variant_files.read_folder(variant_files.folder_of(name)).base is None


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the files of a variant into a new folder."""
    if is_there(folder):
        fail(f"{folder} exists already", UNAVAILABLE)
    try:
        make_folder(folder)
        for name, text in texts.items():
            with replacing_file(folder / name) as written:
                written.write(text.encode())
    except OSError as error:
        fail(f"{folder} cannot be written: {error.strerror}", UNAVAILABLE)


def _folder_of(variant: str) -> Path:
    """Return the folder *variant*, or that of the variant of that name."""
    folder = Path(variant)
    name = variant_text.variant_named(variant, variant_files.variants())
    if name and not folder.exists():
        return variant_files.folder_of(name)
    try:
        next(folder.iterdir(), None)
    except OSError as error:
        fail(f"{variant} is no variant, and no folder: {error.strerror}", UNAVAILABLE)
    return folder


def _checked(folder: Path) -> tuple[list[str], float | None]:
    """Return what is wrong with the variant in *folder*, and the share of right directions.

    There is no share if it states no places, or has no picture.
    """
    from judge.pictures.board_art import PictureError
    from judge.pictures.compass import share_in_direction

    try:
        files = variant_files.read_folder(folder)
        board, complaints = variant_text.check_variant(files.texts, files.base)
    except variant_text.VariantError as error:
        return list(error.complaints), None
    except (OSError, ValueError) as error:
        return [str(error)], None
    if board.name != folder.resolve().name:
        complaints.append(
            f"the name is {board.name!r}, that of the folder {folder.resolve().name!r}"
        )
    try:
        from_pairs(f"{rule}={value}" for rule, value in board.house_rules.items())
    except UnknownHouseRuleError as error:
        complaints.append(f"'house_rules': {error}")
    try:
        places = variant_files.places_of(files, board)
        art = variant_files.read_picture(files, board)
    except (PictureError, variant_text.VariantError) as error:
        return [*complaints, *error.complaints], None
    if places is None or art is None:
        return complaints, None
    return complaints, share_in_direction(places.points, art.middles)


def _told(directions: float) -> str:
    return f"{directions:.0%} of pairs of provinces are in the right direction on the picture"


def _other_picture(files: variant_files.VariantFiles) -> str:
    if variant_files.SVG in files.texts:
        return variant_files.SVG
    return f"that of {variant_text.extended_variant(files.texts)}"


def _named(name: str) -> Map:
    try:
        return variant_files.load_map(name)
    except variant_files.UnknownVariantError as error:
        fail(str(error), USAGE)


def _found(variant: str) -> tuple[Map, BoardArt | None, Places | None]:
    """Return the board of the variant of that name or in that folder, its picture and places."""
    name = variant_text.variant_named(variant, variant_files.variants())
    if name is None and not (is_there(Path(variant)) and Path(variant).is_dir()):
        _named(variant)
    try:
        files = variant_files.read_folder(variant_files.folder_of(name) if name else Path(variant))
        board = variant_text.read_map(files.texts, files.base)
        places = variant_files.places_of(files, board)
        return board, variant_files.read_picture(files, board), places
    except (OSError, ValueError) as error:
        fail(f"{variant} cannot be read: {error}", BAD_INPUT)


def _sizes(board: Map) -> str:
    """Return how many powers, provinces and centers there are, and how many centers win."""
    powers, provinces = (
        counted(len(board.players), "power"),
        counted(len(board.places), "province"),
    )
    centers = counted(len(board.centers), "center")
    return f"{powers}, {provinces}, {centers}, {board.victory_centers} to win"


def _summary(name: str, board: Map) -> dict[str, object]:
    return {
        "variant": name,
        "title": board.title,
        "powers": len(board.players),
        "provinces": len(board.places),
        "centers": len(board.centers),
        "victory_centers": board.victory_centers,
    }


def _described(board: Map) -> dict[str, object]:
    powers = [
        {
            "power": power,
            "name": nation.name,
            "letter": nation.letter,
            "player": power in board.players,
            "units": [unit.name for unit in board.start.units_of(power)],
            "centers": _owned(board, power),
            "homes": list(board.homes_of(power)),
            "extra_sites": list(board.extra_sites.get(power, ())),
        }
        for power, nation in board.nations.items()
    ]
    return _summary(board.name, board) | {
        "powers": powers,
        "start": board.start.phase.code,
        "calendar": _calendar(board),
        "build_sites": board.build_sites.value,
        "first_armies": board.first_armies,
        "victory_held": sorted(board.victory_held),
        "house_rules": dict(board.house_rules),
        "source": board.source,
        "doubts": list(board.doubts),
    }


def _page(board: Map) -> Iterator[str]:
    yield f"{board.name}: {board.title}"
    held = f", or own all of {' '.join(sorted(board.victory_held))}" if board.victory_held else ""
    yield f"{_sizes(board)}{held}"
    yield ""
    for power, nation in board.nations.items():
        units = ", ".join(unit.name for unit in board.start.units_of(power)) or "no units"
        absent = "" if power in board.players or power == NEUTRAL else ", in civil disorder"
        yield f"{nation.letter:2} {nation.name}{absent}: {units}"
        centers, homes = _owned(board, power), list(board.homes_of(power))
        if centers:
            yield f"   centers {' '.join(centers)}"
        if homes != centers:
            yield f"   homes {' '.join(homes) or 'none'}"
        if board.extra_sites.get(power):
            yield f"   builds also in {' '.join(board.extra_sites[power])}"
    unowned = [center for center in board.centers if center not in board.start.owners]
    yield f"   unowned {' '.join(unowned)}" if unowned else "   no center is unowned"
    yield ""
    yield f"begins    {board.start.phase.code}"
    yield f"calendar  {'; '.join(_calendar(board))}"
    yield f"builds in {SITES[board.build_sites]}"
    if board.first_armies:
        yield "          armies in the first phase, where nothing is ordered"
    for rule, value in board.house_rules.items():
        yield f"suggests  {rule}={value}"
    if board.source:
        yield f"source    {board.source}"
    for doubt in board.doubts:
        yield f"doubt     {doubt}"


SITES = {
    BuildSites.HOME: "home centers",
    BuildSites.ANY_HOME: "home centers of any power",
    BuildSites.ANY: "any owned center",
    BuildSites.ANY_WITH_A_HOME: "any owned center, while the power owns one of its homes",
    BuildSites.ANY_WITH_ALL_HOMES: "any owned center, while the power owns all of its homes",
}


def _owned(board: Map, power: Power) -> list[str]:
    return sorted(center for center, owner in board.start.owners.items() if owner == power)


def _calendar(board: Map) -> list[str]:
    """Return the phases of a cycle from the start on, and seasons with names of their own."""
    calendar, start = board.calendar, board.start.phase
    count = sum(3 if turn.adjusts else 2 for turn in calendar.turns)
    cycle = islice(calendar.cycle_from(start), count)
    names = (f"{season.value} is {name}" for season, name in calendar.names.items() if name)
    return [" ".join(phase.code for phase in cycle), *names]


NEW_VARIANT = Path(__file__).with_name("new_variant")  # a small sound one, to be edited
EXTENDING = """\
name = "{name}"
title = "A new variant"
source = "our own"
extends = "{extends}"
played = [{played}]
victory_centers = {centers}
"""
