"""Questions, from HELP to PREVIEW, answered with what the reader may see."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import TypeAlias

from judge.app.commands import history, rules
from judge.app.commands.command import Answerer, CommandRow
from judge.app.commands.context import MailContext, QuestionContext, Session
from judge.app.commands.diary import statements_shown
from judge.app.commands.preview import preview_orders
from judge.app.game.summaries import board_of_summary
from judge.app.identity import contacts_of_players
from judge.app.outbound.queue import recipients_of
from judge.app.ports.people import Person
from judge.game.decision import Why
from judge.game.game_state import Game, Stage
from judge.game.game_summary import GameSummary
from judge.game.visibility import Moderator, Observer, Player, Reader, is_board_hidden
from judge.mail.body import Line
from judge.mail.language import command_syntax
from judge.mail.language.command_table import Form
from judge.mail.language.phase_names import phase_named
from judge.mail.language.previews import Preview
from judge.mail.reader.email_text import OUR_SUBJECT, REPLY_PREFIX
from judge.mail.reader.phase_hints import holds_order
from judge.reports.emails import confirmation_emails, game_start, help_pages, listings, receipts
from judge.reports.emails.contexts import Context, Heading, heading_of
from judge.reports.emails.receipts import CommandRefused
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class Help(command_syntax.ParsedLine):
    """`HELP` or `HELP topic`."""

    topic: str | None


class GameFilter(Enum):
    """The games to list."""

    ALL = "all"
    FULL = "full"  # each with its board
    FORMING = "forming"
    PLAYING = "playing"
    VACANT = "vacant"  # with a vacant power
    OVER = "over"
    MINE = "mine"


@dataclass(frozen=True, slots=True)
class ListGames(command_syntax.ParsedLine):
    """`LIST`, `LIST FORMING`, `LIST OVER 2`, or `LIST game game`: each game with its board."""

    games: tuple[str, ...] = ()
    which: GameFilter = GameFilter.ALL
    page: int = 1


@dataclass(frozen=True, slots=True)
class Status(command_syntax.ParsedLine):
    """`STATUS` or `STATUS game`."""

    game: str | None


@dataclass(frozen=True, slots=True)
class Summary(command_syntax.ParsedLine):
    """`SUMMARY game`: the centers by year and the players."""

    game: str | None


@dataclass(frozen=True, slots=True)
class WhoGame(command_syntax.ParsedLine):
    """`WHOGAME game`: the players."""

    game: str | None


@dataclass(frozen=True, slots=True)
class ShowRules(command_syntax.ParsedLine):
    """`RULES`, or `RULES game`."""

    game: str | None


@dataclass(frozen=True, slots=True)
class ShowMap(command_syntax.ParsedLine):
    """`MAP`, `MAP game`, `MAP game F1902M`: a picture of the board, now or in a *phase*."""

    game: str | None
    phase: str | None = None


GAMES_MAX = 10
FILTERS = {
    "FULL": GameFilter.FULL,
    "ALL": GameFilter.ALL,
    "FORMING": GameFilter.FORMING,
    "OPEN": GameFilter.FORMING,
    "STARTING": GameFilter.FORMING,
    "PLAYING": GameFilter.PLAYING,
    "ACTIVE": GameFilter.PLAYING,
    **dict.fromkeys(("VACANT", "VACANCY", "VACANCIES"), GameFilter.VACANT),
    "STANDBY": GameFilter.VACANT,
    "OVER": GameFilter.OVER,
    "FINISHED": GameFilter.OVER,
    "MINE": GameFilter.MINE,
}


PICTURE_FORMATS = frozenset(("GIF", "PS", "PDF", "SVG", "PNG"))  # the judge has only its own
PAGE = re.compile(r"[1-9][0-9]{0,5}")
OVER_A_PAGE = 50  # games
LISTS_OF_VARIANTS = (["VARIANTS"], ["BOARDS"], ["MAPS"])


def _read_list(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    """Read `LIST`, `LIST FORMING`, `LIST dogger`, `LIST dogger, baltic`, `LIST VARIANTS`."""
    if [word.upper() for word in arguments] in LISTS_OF_VARIANTS:
        return rules.ShowVariants
    names = [name for word in arguments for name in word.split(",") if name]
    if (
        len(names) == 2  # noqa: PLR2004 - the word and a number
        and FILTERS.get(names[0].upper()) is GameFilter.OVER
        and PAGE.fullmatch(names[1])
    ):
        return partial(ListGames, which=GameFilter.OVER, page=int(names[1]))
    if len(names) == 1 and names[0].upper() in FILTERS:
        return partial(ListGames, which=FILTERS[names[0].upper()])
    several = len(names) == 1 or "," in " ".join(arguments)  # `List your demands` is prose.
    if not names:
        return ListGames
    if (
        len(names) > GAMES_MAX
        or not several
        or not all(map(command_syntax.GAME_NAME.fullmatch, names))
    ):
        return None
    return partial(ListGames, games=tuple(name.lower() for name in names))


def _read_map(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read `MAP`, `MAP game`, `MAP F1902M`, `MAP game F1902M`, `MAP game Fall 1902 Movement`."""
    phase = phase_named(arguments, board) if arguments else None
    if phase or not arguments:
        return partial(ShowMap, game=None, phase=phase)
    arguments = [word for word in arguments if word.upper() not in PICTURE_FORMATS]
    if not arguments:
        return partial(ShowMap, game=None)
    game, when = arguments[0], arguments[1:]
    phase = phase_named(when, board) if when else None
    if not command_syntax.GAME_NAME.fullmatch(game) or (when and phase is None):
        return None
    return partial(ShowMap, game=game, phase=phase)


def _read_who_game(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read `game`, and nJudge's `game FULL`, which is the same here."""
    full = bool(arguments) and arguments[-1].upper() == "FULL"
    return command_syntax.about_game(WhoGame)(arguments[:-1] if full else arguments, board)


FILE = re.compile(r"(?:GET|SEND)(?: ME)? (\S+)|VERSION", re.IGNORECASE)
# The topics of HELP that say what files of nJudge say.
TOPICS_OF_FILES = {
    **{
        name: name for name in ("absence", "deadline", "draw", "history", "map", "master", "press")
    },
    **{name: name for name in ("create", "join", "summary", "list", "observe", "resign")},
    **dict.fromkeys(("index", "help", "commands", "package", "flist"), None),
    **dict.fromkeys(("info", "guide", "intro", "overview"), "overview"),
    **dict.fromkeys(("syntax", "orders"), "orders"),
    **dict.fromkeys(("how2gm", "gm"), "moderator"),
    **dict.fromkeys(("rules", "house.rules", "house", "form", "dedication"), "rules"),
    **{f"{name}s": name for name in ("deadline", "draw", "map")},
    "register": "join",
}


def _read_file(found: re.Match[str]) -> command_syntax.LineMaker | None:
    """Read nJudge's `GET syntax` and `VERSION` as HELP on that, `GET info.hundred` as VARIANT."""
    if found[1] is None:
        return partial(Help, topic="about")
    name, dot, of = found[1].lower().strip(".").partition(".")
    if dot and name in VARIANT_FILES:
        return partial(rules.ShowVariants, name=of)
    file = found[1].lower().strip(".")
    if file not in TOPICS_OF_FILES:
        return None
    return partial(Help, topic=TOPICS_OF_FILES[file])


VARIANT_FILES = ("info", "map")
FULL_MAX = 10  # games with boards in one email


WIN = "win"  # the topic that says how many centers the game needs


def _help(
    context: QuestionContext, _: Person | None, session: Session | None, parsed: Help
) -> Sequence[Context]:
    page = help_page(context, parsed.topic)
    game = context.game(session.game) if session and page.topic == WIN else None
    if game is None:
        return (page,)
    board = context.board(game)
    enough = game.house_rules.victory_centers or (
        0 if board.victory_held else board.victory_centers
    )
    return (replace(page, board=board.title, victory_centers=enough),)


def help_page(context: QuestionContext, asked: str | None) -> help_pages.Help:
    """Return the HELP page on *asked*, or the general one."""
    commands = context.judge.commands
    topic = commands.topic(asked) if asked else None
    return help_pages.help_page(
        topic, commands.forms_on(topic), asked=asked, judge_code=context.judge.code
    )


GameQuestion: TypeAlias = Status | history.History | Summary | WhoGame | ShowRules | ShowMap
GamePages: TypeAlias = Callable[..., Sequence[Context]]  # of (context, person, game, parsed)


def about_one_game(pages: GamePages) -> Answerer:
    """Return the answerer of a question about the game it names, else that of the session.

    It lists the games if the sender knows of none by that name.
    """

    def answer(
        context: QuestionContext,
        person: Person | None,
        session: Session | None,
        parsed: GameQuestion,
    ) -> Sequence[Context]:
        name = parsed.game or (session.game if session else None)
        game = context.game_open_to(person, name) if name else None
        if game:
            return pages(context, person, game, parsed)
        if parsed.game:
            said = _unknown_game(context, person, parsed)
            return (said,) if person else (said, _list_of_games(context, person))
        return (_list_of_games(context, person),)

    return answer


def _unknown_game(
    context: QuestionContext, person: Person | None, parsed: command_syntax.ParsedLine
) -> Context:
    """Return the refusal of a game that the sender does not know; it may be unlisted."""
    written = parsed.text.strip()
    item = CommandRefused(written if person else written.split()[0], Why.NO_SUCH_GAME)
    return receipts.receipt_without_game([item], judge_code=context.judge.code)


def _status(
    context: QuestionContext, person: Person | None, game: Game, _: Status
) -> Sequence[Context]:
    return (_status_of_game(context, person, game),)


def _history(
    context: QuestionContext, person: Person | None, game: Game, parsed: history.History
) -> Sequence[Context]:
    builder = history.HistoryBuilder(context, game, reader_of(game, person))
    return builder.history(parsed, history.PAGES_MAX if person else history.STRANGER_PAGES_MAX)


def _summary(
    context: QuestionContext, person: Person | None, game: Game, _: Summary
) -> Sequence[Context]:
    reader = reader_of(game, person)
    if is_board_hidden(game, reader):
        return (_status_of_game(context, person, game),)
    summary = history.HistoryBuilder(context, game, reader).summary()
    return (summary, *statements_shown(context, game))


def _rules(
    context: QuestionContext, _: Person | None, game: Game, _said: ShowRules
) -> Sequence[Context]:
    code = context.judge.code
    return (game_start.rules_sheet(context.board(game), game, judge_code=code),)


def _map(
    context: QuestionContext, person: Person | None, game: Game, parsed: ShowMap
) -> Sequence[Context]:
    if game.position is None:
        board = context.board(game)
        heading = heading_of(board, game, context.judge.code)
        return (listings.VariantPage(heading=heading, board=board, position=board.start),)
    shown = history.HistoryBuilder(context, game, reader_of(game, person)).board_in(parsed.phase)
    return shown or (_refusal(context, game, "map", Why.NO_SUCH_PHASE),)


def _who_game(
    context: QuestionContext, person: Person | None, game: Game, _: WhoGame
) -> Sequence[Context]:
    return (_players(context, person, game),)


def _refusal(context: QuestionContext, game: Game, name: str, why: Why) -> Context:
    board, items = context.board(game), [CommandRefused(name, why)]
    return receipts.receipt(board, game, None, items, judge_code=context.judge.code)


def _answer_about_own_game(
    context: QuestionContext,
    _: Person | None,
    session: Session | None,
    parsed: history.WhyOrder | Preview,
) -> Sequence[Context]:
    game = context.game(session.game) if session else None
    if game is None or session is None:
        return (confirmation_emails.UnknownSender(heading=Heading(context.judge.code)),)
    reader = reader_of(game, session.person)
    name = "preview" if isinstance(parsed, Preview) else "why"
    if is_board_hidden(game, reader) and not isinstance(reader, Player):
        return (_refusal(context, game, name, Why.BLIND),)
    if isinstance(parsed, Preview):
        answer = preview_orders(context, session, reader, parsed)
    else:
        answer = history.HistoryBuilder(context, game, reader).explain(parsed)
    return (answer or _refusal(context, game, name, _why_unanswered(game, parsed)),)


def _why_unanswered(game: Game, parsed: history.WhyOrder | Preview) -> Why:
    if isinstance(parsed, history.WhyOrder) and game.position:
        return Why.NO_SUCH_PHASE if parsed.phase else Why.NOTHING_JUDGED
    if game.ending:
        return Why.GAME_OVER
    return Why.OTHER_PHASE if game.position else Why.NOT_STARTED


def list_games(
    context: QuestionContext, person: Person | None, session: Session | None, parsed: ListGames
) -> Sequence[Context]:
    """List games, or show the named ones with their boards; after SIGNON, the sender's own."""
    which = parsed.which
    names: Sequence[str] = parsed.games
    if session and session.signed_on and parsed == ListGames(line=parsed.line, text=parsed.text):
        names = (session.game,)
    if names:
        found = [game for name in names if (game := context.game_open_to(person, name))]
        return [_status_of_game(context, person, game) for game in found] or (
            _unknown_game(context, person, parsed),
            *(() if person else (_list_of_games(context, person),)),
        )
    if which is GameFilter.FULL:
        names = [each.name for each in context.transaction.summaries.current(listed=True)]
        shown = [game for name in names[:FULL_MAX] if (game := context.game(name))]
        return (
            _list_of_games(context, person),
            *(_status_of_game(context, person, game) for game in shown),
        )
    return (_list_of_games(context, person, which, parsed.page),)


def _list_of_games(
    context: QuestionContext,
    person: Person | None,
    which: GameFilter = GameFilter.ALL,
    number: int = 1,
) -> Context:
    summaries, page, over = context.transaction.summaries, None, 0
    if which is GameFilter.OVER:
        pages = max(1, -(-summaries.count_over() // OVER_A_PAGE))
        page = listings.ListPage(number=min(number, pages), pages=pages)
        games = summaries.over(OVER_A_PAGE, (page.number - 1) * OVER_A_PAGE)
    elif which is GameFilter.MINE:
        games = summaries.of(person.id, OVER_A_PAGE) if person else ()
    else:
        games = [each for each in summaries.current(listed=True) if _is_listed_as(which, each)]
        if which in (GameFilter.ALL, GameFilter.FULL):
            over = summaries.count_over()
    boards = partial(board_of_summary, context.judge, context.transaction)
    zone, heading = person.zone if person else None, Heading(context.judge.code)
    lines = tuple(listings.game_line(boards(each), each, zone) for each in games)
    return listings.GameList(heading=heading, games=lines, over=over, page=page)


def _is_listed_as(which: GameFilter, game: GameSummary) -> bool:
    match which:
        case GameFilter.FORMING:
            return game.stage is Stage.FORMING
        case GameFilter.PLAYING:
            return game.stage is Stage.PLAYING
        case GameFilter.VACANT:
            return bool(game.vacant)
        case _:
            return True


def _handles(context: QuestionContext, game: Game) -> dict[Power, str]:
    return {
        reader.power: reader.person.handle
        for reader in recipients_of(context.transaction, game)
        if reader.power
    }


def _status_of_game(context: QuestionContext, person: Person | None, game: Game) -> Context:
    return listings.status(
        context.board(game),
        game,
        reader_of(game, person),
        _handles(context, game),
        judge_code=context.judge.code,
        unreached=_unreachable_powers(context, person, game),
        waiting=_standbys_waiting(context, person, game),
    )


def _players(context: QuestionContext, person: Person | None, game: Game) -> Context:
    people = context.transaction.people
    joined = [people.get(each) for each in game.joined]
    moderator = people.get(game.moderator) if game.moderator else None
    return listings.who_game(
        context.board(game),
        game,
        reader_of(game, person),
        _handles(context, game),
        tuple(each.handle for each in joined if each),
        moderator.handle if moderator else None,
        judge_code=context.judge.code,
        contacts=contacts_of_players(context.transaction, game),
    )


def _unreachable_powers(
    context: QuestionContext, person: Person | None, game: Game
) -> tuple[Power, ...]:
    """Return the powers whose players' email bounces, for the moderator only."""
    if person is None or not isinstance(reader_of(game, person), Moderator):
        return ()
    return tuple(
        reader.power
        for reader in recipients_of(context.transaction, game)
        if reader.power and context.transaction.outbox.last_bounce(reader.person.id)
    )


def _standbys_waiting(
    context: QuestionContext, person: Person | None, game: Game
) -> tuple[str, ...]:
    """Return the waiting list in order, for the moderator only."""
    if person is None or person.id != game.moderator:
        return ()
    waiting = (context.transaction.people.get(each) for each in game.standbys)
    return tuple(each.handle for each in waiting if each)


def reader_of(game: Game, person: Person | None) -> Reader:
    """Return the role in which *person*, or a stranger (None), sees *game*."""
    power = game.power_of(person.id) if person else None
    if power:
        return Player(power)
    return Moderator() if person and person.id == game.moderator else Observer()


def is_command_in_subject(context: MailContext) -> bool:
    """Return whether the subject has orders or a command, or the email has nothing else."""
    board = context.reading_board
    answers = REPLY_PREFIX.match(context.opened.subject)
    subject = REPLY_PREFIX.sub("", context.opened.subject).strip()
    command = context.judge.commands.read(Line(0, subject), board, first=False)
    empty = not any(line.text.strip() for line in context.opened.text.fresh)
    ours = OUR_SUBJECT.search(subject) is not None
    says = not ours and (
        holds_order(subject, board)
        or not isinstance(command, command_syntax.UnknownCommand | None)
    )
    return bool(subject) and (says or (empty and not answers))


COMMANDS = (
    CommandRow(
        Help,  # The table has its reader, as the topics are its names.
        suggested={"HELP": ""},
        patterns={FILE: _read_file},
        in_subject=True,
        in_sentences=True,
        answer=_help,
        topic="help",
        forms=(Form("HELP | HELP topic", "sends an overview or one topic"),),
    ),
    CommandRow(
        ListGames,
        readers={"LIST": _read_list},
        suggested={"LIST": "LIST game"},
        not_with_set=("LIST",),
        in_subject=True,
        in_sentences=True,
        answer=list_games,
        topic="list",
        aliases="games",
        forms=(
            Form(
                "LIST | LIST game",
                "lists public games with phase, deadline and vacant powers, or shows one with its "
                "board",
            ),
            Form(
                "LIST FORMING | LIST PLAYING | LIST VACANT | LIST MINE | LIST FULL",
                "lists only those games, or ten with their boards",
            ),
            Form(
                "LIST OVER | LIST OVER 2",
                "lists the public games that ended last, or those before them",
            ),
        ),
    ),
    CommandRow(
        Status,
        readers={"STATUS": command_syntax.about_game(Status)},
        joined=dict.fromkeys(
            ("SHOW STATUS", "SHOW GAME", "SHOW DEADLINE", "SHOW ORDERS"), "STATUS"
        ),
        suggested={"STATUS": "STATUS game"},
        in_subject=True,
        in_sentences=True,
        answer=about_one_game(_status),
        topic="status",
        forms=(
            Form(
                "STATUS | STATUS game",
                "sends the board, centers, deadline, late powers, open votes and your orders; the "
                "moderator also sees which powers have ordered",
            ),
        ),
    ),
    CommandRow(
        history.History,
        is_query=True,
        readers={"HISTORY": history.read_history},
        suggested={"HISTORY": "HISTORY game FROM S1901M TO F1902M"},
        in_subject=True,
        in_sentences=True,
        answer=about_one_game(_history),
        topic="history",
        aliases="results",
        forms=(
            Form(
                "HISTORY | HISTORY game | HISTORY game FROM S1901M TO F1902M",
                "repeats results, all or from and to a phase or date; the latest if they do not "
                "fit; strangers get one page",
                also="HISTORY game FROM 2026-11-01 TO 2026-12-01 LINES 500 | "
                "HISTORY game EXCLSTART S1902M EXCLEND F1999B BROAD",
            ),
        ),
    ),
    CommandRow(
        Summary,
        is_query=True,
        readers={"SUMMARY": command_syntax.about_game(Summary)},
        suggested={"SUMMARY": "SUMMARY game"},
        in_subject=True,
        in_sentences=True,
        answer=about_one_game(_summary),
        topic="summary",
        forms=(Form("SUMMARY | SUMMARY game", "shows the centers by year and the players"),),
    ),
    CommandRow(
        WhoGame,
        is_query=True,
        readers={"WHOGAME": _read_who_game},
        joined={"WHO GAME": "WHOGAME", "SHOW PLAYERS": "WHOGAME"},
        suggested={"WHOGAME": "WHOGAME game"},
        in_subject=True,
        in_sentences=True,
        answer=about_one_game(_who_game),
        topic="whogame",
        aliases="who, whois, players",
        forms=(
            Form(
                "WHOGAME | WHOGAME game",
                "lists the players by handle, in gunboat not at all; a moderator who does not "
                "play sees names and addresses",
                also="WHOGAME game FULL",
            ),
        ),
    ),
    CommandRow(
        ShowRules,
        readers={"RULES": command_syntax.about_game(ShowRules)},
        bare={"SETUP": partial(ShowRules, game=None)},
        answer=about_one_game(_rules),
        topic="rules",
        aliases="house",
        forms=(Form("RULES | RULES game", "sends the rules of the game in sentences"),),
    ),
    CommandRow(
        ShowMap,
        is_query=True,
        readers={"MAP": _read_map},
        joined={"SHOW MAP": "MAP"},
        answer=about_one_game(_map),
        topic="map",
        aliases="maps, board, boards, picture, pictures",
        forms=(
            Form(
                "MAP | MAP game | MAP game F1902M",
                "sends a map of the open phase with your orders, or of a closed phase with its "
                "results",
            ),
        ),
    ),
    CommandRow(
        history.WhyOrder,
        readers={"WHY": history.read_why},
        in_subject=True,
        in_sentences=True,
        answer=_answer_about_own_game,
        topic="why",
        forms=(
            Form(
                "WHY A Par-Bur | WHY S1901M A Par-Bur | WHY Par | WHY",
                "explains what became of an order and by which rule, or whether it was "
                "possible: of that order, of the orders for a province, or of your orders that "
                "failed; in a blind game only the results of your own orders",
            ),
        ),
    ),
    CommandRow(
        Preview,
        joined={"END PREVIEW": "ENDPREVIEW"},
        suggested={"PREVIEW": ""},
        never_in_prose=("ENDPREVIEW",),
        answer=_answer_about_own_game,
        topic="preview",
        aliases="predict, sandbox",
        forms=(
            Form(
                "PREVIEW ... A Par-Bur ... ENDPREVIEW | "
                "PREVIEW MINE ... Germany: A Mun-Bur | PREVIEW",
                "shows what orders would do, for any powers; nothing is ordered",
                also="PREDICT",
            ),
        ),
    ),
)
