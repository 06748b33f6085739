"""`judge report` and `judge replay`: a game as a zine, a forum post or one web page."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge.cli.game_source import game_in_file, game_in_log, rulebook_of
from judge.cli.options import LANGUAGE, has_database, settings_options
from judge.cli.terminal import (
    STANDARD_STREAM,
    UNAVAILABLE,
    USAGE,
    FilePath,
    fail,
    is_there,
    require_option,
    writing,
)
from judge.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from judge.app.replay.page import PageOptions
    from judge.app.zine.illustrated_report import Style, Subject, WrittenReport
    from judge.app.zine.season_report import ReportOptions, Years
    from judge.archive.records import Record
    from judge.pictures.board_art import BoardArt
    from judge.rules.board import Map

TEXTS = ("text", "markdown", "bbcode", "html")
EXTRAS = {"pdf": "typst", "docx": "python-docx"}  # the package that writes each format
PICTURES = ("svg", "png")
STYLES = ("judge", "zine", "table")
YEARS = re.compile(r"(\d{4})(?:-(\d{4}))?")


@click.command()
@click.argument("subject", metavar="GAME|FILE")
@click.option(
    "--format",
    "form",
    type=click.Choice((*TEXTS, *EXTRAS, *PICTURES)),
    default="text",
    show_default=True,
    help="The format.",
)
@click.option(
    "--style",
    "style_name",
    type=click.Choice(STYLES),
    default="zine",
    show_default=True,
    help="Like nJudge's emails, in a zine's columns, or in tables with reasons.",
)
@click.option("--years", metavar="A[-B]", help="Only these years.  [default: all]")
@click.option("--positions", is_flag=True, help="Add the units on the board after each phase.")
@click.option("--theme", default="light", show_default=True, help="The colors of the pictures.")
@LANGUAGE
@click.option("--no-pictures", is_flag=True, help="Text without pictures.")
@click.option(
    "-o",
    "--output",
    type=FilePath(),
    help="The file, or a folder for several pictures.  [default for text: standard output]",
)
@click.option("--game", help="The game's name, if FILE has several.")
@click.option("--lenient", is_flag=True, help="Continue even if parts of FILE cannot be read.")
@click.option("--boardman", metavar="NUMBER", help="The game's Boardman number.")
@click.option("--miller", metavar="NUMBER", help="The game's Miller number.")
@click.option("--gm", metavar="NAME", help="The GM's name.")
@settings_options
def report(  # noqa: PLR0913 - one argument per option
    settings: Settings,
    subject: str,
    *,
    form: str,
    style_name: str,
    years: str | None,
    positions: bool,
    theme: str,
    language: str,
    no_pictures: bool,
    output: Path | None,
    game: str | None,
    lenient: bool,
    boardman: str | None,
    miller: str | None,
    gm: str | None,
) -> None:
    """Write a report of a game for a zine, a forum or paper.

    GAME is a game of this judge: the report covers all public parts of its closed phases. FILE is
    any file `judge archive` reads, or - for standard input. Pictures (svg, png) show every phase
    in style judge, every movement in style zine, and the centers by year in style table.
    """
    from judge.app.zine.illustrated_report import Style
    from judge.app.zine.season_report import NothingToReportError, ReportOptions
    from judge.reports.languages import SOURCE

    if output is None and form not in TEXTS:
        fail(f"--format {form} needs -o", USAGE)
    _check_theme(theme)
    span, style = _years(years), Style(style_name)
    if form in PICTURES:
        _check_use_of_options(form, no_pictures=no_pictures)
    if style is Style.JUDGE and language != SOURCE:
        fail("--style judge is in English only", USAGE)
    if positions and (style is Style.JUDGE or form in PICTURES):
        fail("--positions is for the styles zine and table, in words", USAGE)
    if path := _file_named(settings, subject):
        record, board = game_in_file(path, game, strict=not lenient), None
        wanted = ReportOptions(span, language=language, positions=positions)
    else:
        require_option("a FILE", "--game", "--lenient")
        record, now, board = game_in_log(settings, subject)
        wanted = ReportOptions(
            span, settings.address, now.house_rules.zone, language, positions=positions
        )
    record = _with_editor_details(record, {"boardman": boardman, "miller": miller}, gm)
    try:
        about = _subject(record, board, drawn=not no_pictures)
        if form in PICTURES:
            assert output, "asked for above"
            _write_pictures(about, wanted, style, theme, form, output)
        else:
            _write_report(about, wanted, style, theme, form, output or STANDARD_STREAM)
    except NothingToReportError as error:
        fail(f"{subject}: {error}", UNAVAILABLE)


def _check_use_of_options(form: str, *, no_pictures: bool) -> None:
    """Exit if an option would have no effect on pictures in *form*."""
    if no_pictures:
        fail(f"--no-pictures does not apply to --format {form}", USAGE)
    require_option("a --format in words", "--boardman", "--miller", "--gm")


def _file_named(settings: Settings, subject: str) -> Path | None:
    """Return the file or folder *subject*, None if it is the name of a game."""
    if Path(subject) != STANDARD_STREAM and not is_there(Path(subject)):
        if "." in subject or "/" in subject or os.sep in subject:  # names of games have neither
            fail(f"there is no file {subject}", UNAVAILABLE)
        if isinstance(settings.database, Path) and not has_database(settings.database):
            fail(
                f"there is no file {subject!r}, and no database {settings.database} with a game "
                "of that name: name it with --database",
                UNAVAILABLE,
            )
        return None
    return Path(str(FilePath(exists=True, or_stream=True).convert(subject, None, None)))


def _with_editor_details(
    record: Record, numbers: Mapping[str, str | None], gamemaster: str | None
) -> Record:
    said = {key: number for key, number in numbers.items() if number}
    return replace(
        record,
        numbers={**record.numbers, **said},
        gamemaster=gamemaster or record.gamemaster,
    )


def _years(text: str | None) -> Years:
    from judge.app.zine.season_report import Years

    if text is None:
        return Years()
    found = YEARS.fullmatch(text)
    if not found or int(found[2] or found[1]) < int(found[1]):
        fail(f"--years {text}: expected a year, or two of them as in 1901-1905", USAGE)
    return Years(int(found[1]), int(found[2] or found[1]))


def _check_theme(name: str) -> None:
    from judge.pictures.themes import theme_names

    if name not in theme_names():
        fail(f"there is no theme {name!r}, only {', '.join(theme_names())}", USAGE)


def _subject(record: Record, of_game: Map | None, *, drawn: bool) -> Subject:
    from judge.app.zine.illustrated_report import Subject

    board, art = _board_and_art(record, of_game)
    return Subject(board, record, rulebook_of(record), art if drawn else None)


def _board_and_art(record: Record, of_game: Map | None) -> tuple[Map, BoardArt | None]:
    """Return the board of *record*, or *of_game*, and its drawing.

    There is none if the variant has changed since, or its picture cannot be used.
    """
    from judge.adapters.variant_files import UnknownVariantError, load_art, load_map

    try:
        today = load_map(record.variant)
    except UnknownVariantError:
        if of_game is None:
            raise
        return of_game, None
    board = of_game or today
    try:
        return board, load_art(record.variant) if board.digest == today.digest else None
    except ValueError:
        return board, None


def _write_report(
    about: Subject, wanted: ReportOptions, style: Style, theme: str, form: str, output: Path
) -> None:
    from judge.app.zine.illustrated_report import write_report as write_about

    content = _formatted(write_about(about, wanted, style, form, theme), form)
    with writing(output) as written:
        written.write(content)


def _formatted(written: WrittenReport, form: str) -> bytes:
    try:
        match form:
            case "pdf":
                from judge.pictures.png import FONT_FOLDER
                from judge.reports.pdf import to_pdf

                return to_pdf(written.text, written.pictures, FONT_FOLDER)
            case "docx":
                from judge.reports.docx import to_docx

                return to_docx(written.text, written.pictures)
            case _:
                return written.text.encode()
    except ModuleNotFoundError:
        package = EXTRAS[form]
        fail(f"--format {form} needs {package}: pip install {package}", UNAVAILABLE)


def _write_pictures(
    about: Subject, wanted: ReportOptions, style: Style, theme: str, form: str, output: Path
) -> None:
    from judge.app.zine.illustrated_report import PIXELS, report_pictures
    from judge.pictures.png import to_png

    made = dict(report_pictures(about, wanted, style, theme))
    if not made:
        fail(f"there is no map of {about.record.variant}", UNAVAILABLE)
    as_file = output == STANDARD_STREAM or (output.suffix == f".{form}" and not output.is_dir())
    if as_file and len(made) > 1:
        fail(f"there are {len(made)} pictures: name a folder, or fewer --years", USAGE)
    if not as_file:
        _make_folder(output)
    for name, svg in made.items():
        content = svg.encode() if form == "svg" else to_png(svg, PIXELS)
        with writing(output if as_file else output / f"{name}.{form}") as written:
            written.write(content)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"{folder} cannot be written: {error.strerror}", UNAVAILABLE)


INDEX = "index.html"


@click.command()
@click.argument("subject", metavar="GAME|FILE|FOLDER")
@click.option(
    "-o",
    "--output",
    type=FilePath(),
    required=True,
    help="The page, or for a FOLDER the folder of pages.",
)
@click.option("--game", "wanted", help="The game's name, if FILE has several.")
@click.option("--lenient", is_flag=True, help="Continue even if parts of FILE cannot be read.")
@click.option("--writer", is_flag=True, help="Help write orders for the last phase of a FILE.")
@LANGUAGE
@settings_options
def replay(  # noqa: PLR0913 - one argument per option
    settings: Settings,
    subject: str,
    output: Path,
    *,
    wanted: str | None,
    lenient: bool,
    writer: bool,
    language: str,
) -> None:
    """Write an HTML page that replays a game, for use from disk and without a network.

    GAME is a game of this judge: the page shows its closed phases and helps to write orders for
    the open one. FILE is any file `judge archive` reads, or - for standard input. For a FOLDER,
    each game gets a page, and an index lists them.
    """
    from judge.app.replay.page import PageOptions

    path = _file_named(settings, subject)
    desired = PageOptions(settings.address) if writer else None
    if path and path.is_dir():
        require_option("a FILE", "--game")
        _write_folder(path, output, desired, language, strict=not lenient)
    elif path:
        record = game_in_file(path, wanted, strict=not lenient)
        _write(output, _only_page(record, None, desired, language))
    else:
        require_option("a FILE", "--game", "--lenient")
        record, game, board = game_in_log(settings, subject)
        phase, zone = game.phase, game.house_rules.zone
        writer_for = PageOptions(settings.address, phase.deadline, zone) if phase else None
        _write(output, _only_page(record, board, writer_for, language))


def _write_folder(
    path: Path, output: Path, desired: PageOptions | None, language: str, *, strict: bool
) -> None:
    """Write a page of each game below *path*, and an index; games without a page are named."""
    from judge.adapters.archive.record_files import ReadOptions, find_files
    from judge.adapters.archive.shards import shards
    from judge.adapters.variant_files import load_map
    from judge.app.replay.page import game_index_page
    from judge.cli.archive.game_files import RemarkPrinter, records_in
    from judge.cli.workers import progress

    if output == STANDARD_STREAM:
        fail("the pages of a FOLDER need a folder: name it with -o", USAGE)
    printer, how = RemarkPrinter(), ReadOptions(None, strict=strict)
    pages: dict[str, Record] = {}
    complete = True
    with progress(sum(1 for _ in find_files([path]))) as counted:
        for record in records_in(printer, how, [path], counted(shards([path], how))):
            if not record.phases:
                continue
            try:
                page = _page(record, None, desired, language)
            except _NoPageError as error:
                click.echo(f"judge: {record.name}: {error}", err=True)
                complete = False
                continue
            if not pages:
                _make_folder(output)
            name = _file_of(record, pages)
            _write(output / name, page)
            pages[name] = record
    if pages:
        board = load_map(next(iter(pages.values())).variant)
        _write(output / INDEX, game_index_page(board, pages.items(), language))
    elif complete:
        printer.exit_without_games([path])
    printer.exit_if_unread()
    if not complete:
        raise SystemExit(UNAVAILABLE)


def _file_of(record: Record, taken: Collection[str]) -> str:
    """Return a name that is not *taken*, also where small and capital letters are the same."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", record.name.rpartition("/")[2]).strip("-") or "game"
    name, number = f"{plain}.html", 1
    while name.casefold() in {INDEX, *(each.casefold() for each in taken)}:
        number += 1
        name = f"{plain}-{number}.html"
    return name


class _NoPageError(Exception):
    """There is no page of a game; the message says why."""


def _only_page(
    record: Record, of_game: Map | None, desired: PageOptions | None, language: str
) -> str:
    try:
        return _page(record, of_game, desired, language)
    except _NoPageError as error:
        fail(str(error), UNAVAILABLE)


def _page(record: Record, of_game: Map | None, desired: PageOptions | None, language: str) -> str:
    from judge.adapters.variant_files import UnknownVariantError
    from judge.app.replay.page import NothingToReplayError, game_replay_page
    from judge.archive.reading import rulebook_of
    from judge.rules.rulebook import UnknownRulebookError

    try:
        board, art = _board_and_art(record, of_game)
        if art is None:
            raise _NoPageError(f"there is no map of {record.variant}")
        return game_replay_page(board, art, record, rulebook_of(record), desired, language)
    except (NothingToReplayError, UnknownRulebookError, UnknownVariantError) as error:
        raise _NoPageError(str(error)) from None


def _write(file: Path, page: str) -> None:
    with writing(file) as written:
        written.write(page.encode())
