"""Questions, from HELP to PREVIEW, answered with what the asker may see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from judge.app.commands.context import COMMAND_BOARD, MailContext, Session
from judge.app.commands.diary import own_diary, statements_shown
from judge.app.commands.history import PAGES_MAX, STRANGER_PAGES_MAX, HistoryBuilder
from judge.app.commands.preview import preview_orders
from judge.app.identity.authenticate import contacts_of_players, games_of
from judge.app.outbound.recipients import recipients_of
from judge.app.ports.people import Person
from judge.game.decision import Why
from judge.game.game_state import Game, Stage
from judge.game.visibility import Moderator, Observer, Player, Reader, is_board_hidden
from judge.mail.body import Line
from judge.mail.language.command_reader import Parsed, read_command
from judge.mail.language.command_syntax import OrderText, UnknownCommand
from judge.mail.language.diary_commands import DiaryRead
from judge.mail.language.order_commands import Preview
from judge.mail.language.query_commands import (
    GameFilter,
    Help,
    History,
    ListGames,
    ShowMap,
    Status,
    Summary,
    WhoGame,
    WhyOrder,
)
from judge.mail.language.rule_commands import ShowRules
from judge.mail.reader.email_text import OUR_SUBJECT, REPLY_PREFIX
from judge.mail.reader.phase_headings import holds_order
from judge.mail.reader.prose import is_question, topic_in, topics_asked
from judge.reports.emails import confirmation_emails, game_start, help_pages, listings, receipts
from judge.reports.emails.contexts import Context
from judge.reports.emails.receipts import CommandRefused
from judge.rules.types import Power

GameQuestion = Status | History | Summary | WhoGame | ShowRules | ShowMap
Question = Help | ListGames | GameQuestion | WhyOrder | Preview | DiaryRead

FULL_MAX = 10  # games that are shown with their boards in one mail


def answer_question(
    desk: MailContext, person: Person | None, session: Session | None, said: Question
) -> Sequence[Context]:
    """Answer a question of *person*, who may be a stranger."""
    match said:
        case Help(topic=topic):
            return (help_pages.help_page(topic, judge_code=desk.judge.code),)
        case ListGames(games=names, which=which):
            return _listed(desk, person, names, which)
        case DiaryRead():
            page = own_diary(desk, session, said)
            return (page,) if page else ()
        case WhyOrder() | Preview():
            return _in_session(desk, session, said)
        case Status() | History() | Summary() | WhoGame() | ShowRules() | ShowMap():
            name = said.game or (session.game if session else None)
            game = desk.game_open_to(person, name) if name else None
            return _of_game(desk, person, game, said) if game else (_list_of_games(desk, person),)
        case _:
            assert_never(said)


def _of_game(  # noqa: PLR0911 - one answer a question
    desk: MailContext, person: Person | None, game: Game, said: GameQuestion
) -> Sequence[Context]:
    teller = HistoryBuilder(desk, game, reader_of(game, person))
    match said:
        case Summary() if is_board_hidden(game, reader_of(game, person)):
            return (_status_of_game(desk, person, game),)
        case Status():
            return (_status_of_game(desk, person, game),)
        case History():
            return teller.history(said, PAGES_MAX if person else STRANGER_PAGES_MAX)
        case Summary():
            return (teller.summary(), *statements_shown(desk, game))
        case ShowRules():
            return (game_start.rules_sheet(desk.board(game), game, judge_code=desk.judge.code),)
        case ShowMap(phase=phase):
            return teller.board_in(phase) or (_no_board(desk, game, phase),)
        case WhoGame():
            return (_players(desk, person, game),)
        case _:
            assert_never(said)


def _no_board(desk: MailContext, game: Game, phase: str | None) -> Context:
    why = Why.NO_SUCH_PHASE if phase and game.position else Why.NOT_STARTED
    item = CommandRefused("map", why)
    return receipts.receipt(desk.board(game), game, None, [item], judge_code=desk.judge.code)


def _in_session(
    desk: MailContext, session: Session | None, said: WhyOrder | Preview
) -> Sequence[Context]:
    """Answer what can be asked of one's own game only."""
    game = desk.game(session.game) if session else None
    if game is None or session is None:
        return (confirmation_emails.unknown(judge_code=desk.judge.code),)
    reader = reader_of(game, session.person)
    if is_board_hidden(game, reader) and not isinstance(reader, Player):
        name = "preview" if isinstance(said, Preview) else "why"
        item = CommandRefused(name, Why.BLIND)
        return (
            receipts.receipt(desk.board(game), game, None, [item], judge_code=desk.judge.code),
        )
    if isinstance(said, Preview):
        answer, name = preview_orders(desk, session, reader, said), "preview"
    else:
        answer, name = HistoryBuilder(desk, game, reader).explain(said), "why"
    return (answer or _refused(desk, game, name, said),)


def _refused(desk: MailContext, game: Game, name: str, said: WhyOrder | Preview) -> Context:
    why = Why.OTHER_PHASE if game.position else Why.NOT_STARTED
    if game.ending:
        why = Why.GAME_OVER
    if isinstance(said, WhyOrder) and game.position:
        why = Why.NO_SUCH_PHASE if said.phase else Why.NOTHING_JUDGED
    item = CommandRefused(name, why)
    return receipts.receipt(desk.board(game), game, None, [item], judge_code=desk.judge.code)


def _listed(
    desk: MailContext, person: Person | None, names: Sequence[str], which: GameFilter
) -> Sequence[Context]:
    if names:
        found = [game for name in names if (game := desk.game_open_to(person, name))]
        return [_status_of_game(desk, person, game) for game in found] or (
            _list_of_games(desk, person),
        )
    shown = [game for game in _known(desk, person, which) if _is_listed_as(desk, which, game)]
    if which is GameFilter.FULL:
        return (
            _list_of_games(desk, person),
            *(_status_of_game(desk, person, game) for game in shown[:FULL_MAX]),
        )
    return (_list_of_games(desk, person, which),)


def _list_of_games(
    desk: MailContext, person: Person | None, which: GameFilter = GameFilter.ALL
) -> Context:
    games = [game for game in _known(desk, person, which) if _is_listed_as(desk, which, game)]
    listed = [(desk.board(game), game) for game in games]
    return listings.game_list(
        listed, judge_code=desk.judge.code, zone=person.zone if person else None
    )


def _known(desk: MailContext, person: Person | None, which: GameFilter) -> Iterator[Game]:
    """Yield the games that anybody may know of, or all of *person* if he asks for his."""
    if which is GameFilter.MINE:
        yield from games_of(desk.judge, desk.transaction, person) if person else ()
        return
    yield from listed_games(desk)


def listed_games(desk: MailContext) -> Iterator[Game]:
    """Yield the games that anybody may know of."""
    for name in desk.transaction.events.games():
        game = desk.game(name)
        if game and game.house_rules.listed:
            yield game


def _is_listed_as(desk: MailContext, which: GameFilter, game: Game) -> bool:
    match which:
        case GameFilter.ALL | GameFilter.FULL | GameFilter.MINE:
            return True
        case GameFilter.FORMING:
            return game.stage is Stage.FORMING
        case GameFilter.PLAYING:
            return game.stage is Stage.PLAYING
        case GameFilter.OVER:
            return game.stage is Stage.ENDED
        case GameFilter.VACANT:
            return bool(listings.vacant_powers(desk.board(game), game))
        case _:
            assert_never(which)


def _handles(desk: MailContext, game: Game) -> dict[Power, str]:
    return {
        reader.power: reader.person.handle
        for reader in recipients_of(desk.transaction, game)
        if reader.power
    }


def _status_of_game(desk: MailContext, person: Person | None, game: Game) -> Context:
    """Show one game as *person* may see it."""
    return listings.status(
        desk.board(game),
        game,
        reader_of(game, person),
        _handles(desk, game),
        judge_code=desk.judge.code,
        unreached=_unreachable_powers(desk, person, game),
        waiting=_standbys_waiting(desk, person, game),
    )


def _players(desk: MailContext, person: Person | None, game: Game) -> Context:
    people = desk.transaction.people
    joined = [people.get(each) for each in game.joined]
    moderator = people.get(game.moderator) if game.moderator else None
    return listings.who_game(
        desk.board(game),
        game,
        reader_of(game, person),
        _handles(desk, game),
        tuple(each.handle for each in joined if each),
        moderator.handle if moderator else None,
        judge_code=desk.judge.code,
        contacts=contacts_of_players(desk.transaction, game),
    )


def _unreachable_powers(desk: MailContext, person: Person | None, game: Game) -> tuple[Power, ...]:
    """Name the powers to whose players mail comes back, if it is the moderator who asks."""
    if person is None or not isinstance(reader_of(game, person), Moderator):
        return ()
    return tuple(
        reader.power
        for reader in recipients_of(desk.transaction, game)
        if reader.power and desk.transaction.outbox.last_bounce(reader.person.id)
    )


def _standbys_waiting(desk: MailContext, person: Person | None, game: Game) -> tuple[str, ...]:
    """Name who waits for a place, the longest first, if it is the moderator who asks."""
    if person is None or person.id != game.moderator:
        return ()
    waiting = (desk.transaction.people.get(each) for each in game.standbys)
    return tuple(each.handle for each in waiting if each)


def reader_of(game: Game, person: Person | None) -> Reader:
    """Return as whom *person*, who may be a stranger, sees *game*."""
    power = game.power_of(person.id) if person else None
    if power:
        return Player(power)
    return Moderator() if person and person.id == game.moderator else Observer()


def help_by_keyword(desk: MailContext, said: Sequence[Parsed]) -> tuple[Context, ...]:
    """Return the pages of help about what the sentences in *said* ask."""
    code = desk.judge.code
    return tuple(
        help_pages.help_page(each, judge_code=code) for each in help_topics_of(desk, said)
    )


def is_answered(desk: MailContext, said: Sequence[Parsed], sentence: str) -> bool:
    """Return whether *sentence*, which is in *said*, is a question that a page of help answers."""
    return is_question(sentence) and topic_in(sentence) in help_topics_of(desk, said)


def help_topics_of(desk: MailContext, said: Sequence[Parsed]) -> Sequence[str]:
    """Return what the sentences in *said* ask about; the subject asks if nothing else does."""
    board = desk.judge.boards(COMMAND_BOARD)
    lines = [line.text for each in said if isinstance(each, OrderText) for line in each.lines]
    prose = [line for line in lines if not holds_order(line, board)]
    alone = len(prose) == len(lines) and all(isinstance(each, OrderText) for each in said)
    subject = desk.letter.subject
    if not said and not REPLY_PREFIX.match(subject) and not subject.isupper():  # a command
        prose = [subject]
    return topics_asked(prose, alone=alone)


def is_said_in_subject(desk: MailContext) -> bool:
    """Return whether orders or a command stand in the subject, or it alone was written."""
    board = desk.judge.boards(COMMAND_BOARD)
    answers = REPLY_PREFIX.match(desk.letter.subject)
    subject = REPLY_PREFIX.sub("", desk.letter.subject).strip()
    command = read_command(Line(0, subject), board, first=False)
    empty = not any(line.text.strip() for line in desk.letter.text.fresh)
    ours = OUR_SUBJECT.search(subject) is not None
    says = not ours and (
        holds_order(subject, board) or not isinstance(command, UnknownCommand | None)
    )
    return bool(subject) and (says or (empty and not answers))
