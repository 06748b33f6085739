"""One game at the desk: how it stands, its rules, its press, the mails about it, its past."""

from __future__ import annotations

from collections.abc import Iterator

from judge.app import operate, pasts
from judge.app.captions import captions
from judge.app.gamemaster import games, mails
from judge.app.gamemaster.sight import Sight
from judge.app.judge import Judge
from judge.events.store import Value
from judge.game.game_state import Game, Stage
from judge.game.house_rules import STANDARD, to_payload
from judge.game.rollback import played_phases
from judge.pictures.board_art import BoardArt
from judge.pictures.drawing import draw_picture
from judge.pictures.scene import Scene
from judge.pictures.themes import Look, load_theme, scale_for_width
from judge.reports.board_names import power_name
from judge.reports.desk_views import BroadcastItem, GamePage, HouseRuleLine
from judge.reports.emails.contexts import addressed_to_reader
from judge.reports.emails.game_start import rules_sheet
from judge.reports.render import render
from judge.rules.rulebook import rulebook_name

MAILS_SHOWN = 15
LETTERS_SHOWN = 20
EARLIER_SHOWN = 30
PIXELS = 900


def page(judge: Judge, game: Game, sight: Sight, *, has_picture: bool) -> GamePage:
    """Return what may be known of *game*."""
    with judge.database.read() as transaction:
        entries = transaction.outbox.entries(game.name, limit=MAILS_SHOWN)
        told = games.tell(judge, transaction, game, sight)
        latest = mails.lines(judge, transaction, entries, sight.language)
    past = played_phases(operate.log(judge, game.name)) if game.stage is not Stage.FORMING else ()
    return GamePage(
        game=told,
        rulebook=rulebook_name(game.rulebook),
        sheet=_sheet(judge, game, sight.language),
        settings=tuple(_settings(game)),
        earlier=tuple(each.position.phase.code for each in reversed(past) if each.undone)[
            :EARLIER_SHOWN
        ],
        press=_press(judge, game, sight.language) if game.position else (),
        mails=latest,
        has_picture=has_picture and game.position is not None,
        sees_orders=game.phase is not None and sight.sees_orders(game),
        plays=sight.plays(game),
    )


def picture(judge: Judge, game: Game, art: BoardArt, colors: str, language: str) -> str | None:
    """Return the board of *game* as SVG, without any orders, with words in *language*."""
    if game.position is None:
        return None
    title = f"{game.name} \N{MIDDLE DOT} {game.position.phase}"
    scene = Scene(position=game.position, title=title)
    look = Look(load_theme(colors), scale=scale_for_width(PIXELS))
    board = judge.boards(game.variant)
    return draw_picture(board, art, scene, look, captions(board, language))


def _sheet(judge: Judge, game: Game, language: str) -> str:
    """Return the rules of *game* in sentences, without the lines that mails begin with."""
    sheet = rules_sheet(judge.boards(game.variant), game, judge_code=judge.code)
    told = render(addressed_to_reader(sheet, None, None, language)).text.split("\n\n")
    return "\n\n".join(each for each in told if not each.startswith("::"))


def _settings(game: Game) -> Iterator[HouseRuleLine]:
    usual = to_payload(STANDARD)
    for name, value in to_payload(game.house_rules).items():
        yield HouseRuleLine(name, _written(value), value == usual[name])


def _written(value: Value) -> str:
    """Write *value* as the operator does: `press=none`, `closed_weekdays=6,7`."""
    match value:
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ",".join(map(_written, value))
        case _:
            return str(value)


def _press(judge: Judge, game: Game, language: str) -> tuple[BroadcastItem, ...]:
    """Return the latest letters to everybody, of phases that are closed, the latest first."""
    board = judge.boards(game.variant)
    letters = [each for each in pasts.published(judge, game.name).press if not each.readers]
    return tuple(
        BroadcastItem(
            each.phase.code if each.phase else "",
            power_name(board, each.sender or "", language),
            each.text,
        )
        for each in reversed(letters[-LETTERS_SHOWN:])
    )
