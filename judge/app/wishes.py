"""A wish to join a game, in a sentence, becomes a JOIN where a JOIN is confirmed anyway."""

from __future__ import annotations

from collections.abc import Sequence

from judge.app.asking import listed_games
from judge.app.desk import STANDARD, Desk
from judge.app.incoming import InboxState
from judge.app.people import register
from judge.app.ports import Person, Purpose, Token
from judge.app.secrecy import let_go
from judge.game.game_state import Stage
from judge.mail.body import Line
from judge.mail.envelope import Letter
from judge.mail.language.command_reader import Parsed
from judge.mail.language.command_syntax import OrderText, UnknownCommand
from judge.mail.language.join_commands import Join, Observe, StandBy
from judge.mail.mail_addresses import same_mailbox
from judge.mail.reader.phase_headings import holds_order
from judge.mail.reader.prose import game_to_join, wants_to_join

Coming = Join | StandBy | Observe


def with_wish(desk: Desk, said: Sequence[Parsed], *, sure: bool) -> Sequence[Parsed]:
    """Return *said* with the first sentence that wishes to join a listed game read as JOIN.

    Unless its writer is *sure* to be asked, or was, it is only shown back, with the command.
    """
    texts = [each for each in said if isinstance(each, OrderText)]
    wishing = any(wants_to_join(line.text) for each in texts for line in each.lines)
    if not wishing or any(isinstance(each, Coming) for each in said):
        return said
    games = [game.name for game in listed_games(desk) if game.stage is not Stage.ENDED]
    for number, each in enumerate(said):
        wish = _wish_in(desk, each, games, sure=sure) if isinstance(each, OrderText) else ()
        if wish:
            return (*said[:number], *wish, *said[number + 1 :])
    return said


def joined_instead(desk: Desk, said: Sequence[Parsed], token: Token) -> Person | None:
    """Return the newcomer who answers the question about a JOIN by another JOIN, from there.

    That answer proves the address as a YES would, and the first JOIN is dropped.
    """
    comes = any(isinstance(each, Join) for each in said)
    if token.purpose is not Purpose.JOIN or not comes:
        return None
    held = desk.transaction.inbox.get(int(token.subject or 0))
    if held is None:
        return None
    opened = desk.judge.opener.open(held.raw, held.sender)
    asked = opened.sender if isinstance(opened, Letter) else None
    sender = desk.letter.sender
    if held.state is not InboxState.HELD or not (asked and sender and same_mailbox(asked, sender)):
        return None
    let_go(desk.judge, desk.transaction, held.id, "its writer joined otherwise")
    return register(desk.judge, desk.transaction, asked, desk.now, token.person)


def _wish_in(
    desk: Desk, said: OrderText, games: Sequence[str], *, sure: bool
) -> tuple[Parsed, ...]:
    """Split *said* around the line that wishes to join one of *games*; nothing if none does."""
    board = desk.judge.boards(STANDARD)
    for at, line in enumerate(said.lines):
        game = game_to_join(line.text, games)
        if game is None or holds_order(line.text, board):
            continue
        made: Parsed = UnknownCommand("JOIN", f"JOIN {game}", line=line.number, text=line.text)
        if sure:
            made = Join(game, line=line.number, text=line.text)
        above, below = said.lines[:at], said.lines[at + 1 :]
        return (*_text(above), made, *_text(below))
    return ()


def _text(lines: tuple[Line, ...]) -> tuple[Parsed, ...]:
    if not lines:
        return ()
    return (OrderText(lines, line=lines[0].number, text=lines[0].text),)
