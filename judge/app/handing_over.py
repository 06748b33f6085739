"""A game gets another moderator when he has agreed to it, in answer to a mail that asks him."""

from __future__ import annotations

from datetime import timedelta

from judge.app.desk import Desk
from judge.app.finished import PROCESSED, Finished
from judge.app.incoming import InboxState
from judge.app.ports import Person, Purpose, Token
from judge.app.post import Letter, Meaning, post, token_for
from judge.game.commands import decide
from judge.game.decision import Accepted, Refused
from judge.game.game_state import Game
from judge.game.moderator_actions import HandOver
from judge.mail.language.admission_commands import Promote
from judge.mail.mail_addresses import same_mailbox
from judge.reports.emails import confirmation_emails
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item

VALID = timedelta(days=14)  # a question whether somebody will moderate


def ask_to_moderate(
    desk: Desk, game: Game, person: Person, command: HandOver, said: Promote
) -> Item:
    """Ask *person* whether he moderates *game* from now on, once a day, if he may at all."""
    match decide(desk.board(game), game, command, desk.now):
        case Refused(why=why):
            return CommandRefused(said.text.strip(), why)
        case Accepted():
            pass
    if desk.transaction.people.first_today(person.address, f"moderate {game.name}", desk.now):
        about = Meaning(game=game.name, subject=f"{desk.mail.id} {command.by}")
        token = token_for(desk.transaction, Purpose.MODERATE, person, about)
        letter = Letter(
            contexts=(
                confirmation_emails.confirm_moderator(game.name, judge_code=desk.judge.code),
            ),
            cause=f"{desk.cause}:moderate:{person.id}",
            address=person.address,
            zone=person.zone,
            token=token,
        )
        post(desk.judge, desk.transaction, letter, desk.now)
    return CommandDone("promote", said.handle)


def answer_moderation(desk: Desk, token: Token, *, yes: bool) -> Finished:
    """Hand the game over if who was asked agrees, and who asked him still moderates it."""
    mail, by = (token.subject or "").split(" ", 1)
    asked = desk.transaction.inbox.get(int(mail))
    person = desk.transaction.people.get(token.person)
    fresh = asked is not None and desk.mail.received_utc - asked.received_utc <= VALID
    if person is None or person.key_version != token.key_version or not (fresh and yes):
        return Finished(InboxState.IGNORED, "no game is handed over by this")
    his = desk.transaction.people.addresses(person.id)
    if not any(desk.letter.sender and same_mailbox(desk.letter.sender, each) for each in his):
        return Finished(InboxState.IGNORED, "the question has come into other hands")
    game = desk.game(token.game or "")
    if game is None or game.moderator != by:
        return Finished(InboxState.IGNORED, "who asked moderates the game no longer")
    desk.conduct(game.name, HandOver(person.id, by))
    return PROCESSED
