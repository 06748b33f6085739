"""Press by email: its recipients, its sender as shown, and refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from judge.app.commands.command import CommandRow
from judge.app.commands.context import MailContext, Session
from judge.app.commands.orders import reason_without_power
from judge.app.commands.profile import has_given_handle
from judge.app.outbound.queue import recipients_of
from judge.game.commands import decide
from judge.game.decision import Refused, Why
from judge.game.game_state import Game
from judge.game.press import MODERATOR, OBSERVER, OBSERVERS, PressSent, SendPress, usual_signature
from judge.mail.body import Line
from judge.mail.headers import scrub
from judge.mail.language.command_syntax import ALL, MASTER
from judge.mail.language.command_syntax import OBSERVER as THOSE_WHO_LOOK_ON
from judge.mail.language.command_table import Form
from judge.mail.reader.press_blocks import (
    GREY,
    RESERVED,
    WHITE,
    Press,
    UnopenedPress,
    with_handles_named,
)
from judge.mail.redaction import masked, without_signature_name, words_on
from judge.notation.terms import names_of
from judge.reports.emails.press import PressAccepted, PressReturned, PressWithoutOpening
from judge.reports.emails.receipts import Item, LineNotUnderstood
from judge.rules.board import Map
from judge.rules.types import Power

OFFICES = {MASTER: MODERATOR, THOSE_WHO_LOOK_ON: OBSERVERS}


@dataclass(frozen=True, slots=True)
class Draft:
    """Press before it is checked; see `Press` and `PressManner`.

    *recipients* and *named* are those of `SendPress`. *thread* is None if it answers nothing. A
    reply to unsigned press must not reveal whether its reader still plays: then the recipients are
    *secret*. The author sees the reply in the thread as *shown*.
    """

    lines: Sequence[Line]
    recipients: tuple[str, ...]
    named: tuple[str, ...]
    signed: str | None
    postal: bool = False
    quiet: bool = False
    preview: bool = False
    thread: str | None = None
    shown: str | None = None
    secret: bool = False


def send_press(
    context: MailContext, session: Session, block: Press
) -> PressAccepted | PressReturned:
    """Send *block*, if it is closed and all its recipients are known."""
    game, manner = context.game_of(session), block.manner
    if block.closed:
        block = with_handles_named(block, context.board(game), handles_of(context, game))
    if not block.closed or block.unknown:
        return PressReturned(context.shown(block.lines), None, block.unknown)
    sender = sender_of(game, session)
    recipients = _recipients(game, block.recipients)
    signers = {None: usual_signature(game, sender or ""), WHITE: sender, GREY: None}
    draft = Draft(
        lines=block.lines,
        recipients=recipients,
        named=recipients if manner.named is None else _recipients(game, manner.named),
        signed=signers.get(manner.signed, manner.signed),
        postal=manner.postal,
        quiet=manner.quiet,
        preview=manner.preview,
    )
    return write_press(context, session, draft)


def handles_of(context: MailContext, game: Game) -> Mapping[str, Power]:
    """Return the powers whose players are seen by name, by that name in small letters.

    That is their handle, or its first word: `Dear Anna` is for `Anna-Weber`, if there is but one.
    Nobody is called by a province or a word of press, which would get them what is for others.
    """
    if game.house_rules.anonymous:
        return {}
    places = names_of(context.board(game))
    handles = [
        (reader.person.handle.casefold(), reader.power)
        for reader in recipients_of(context.transaction, game)
        if reader.power and not has_given_handle(reader.person)
    ]
    firsts = [(handle.split("-")[0], power) for handle, power in handles]
    once = Counter(first for first, _ in firsts)
    alone = [each for each in firsts if once[each[0]] == 1]
    return {
        name: power
        for name, power in (*alone, *handles)
        if name.upper() not in RESERVED and not any(places.all_in(name))
    }


def _recipients(game: Game, words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        each
        for word in words
        for each in (tuple(game.seats) if word == ALL else (OFFICES.get(word, word),))
    )


def write_press(
    context: MailContext, session: Session, draft: Draft
) -> PressAccepted | PressReturned:
    """Send *draft*, with our reply addresses removed: they would identify the author."""
    game = context.game_of(session)
    sender = sender_of(game, session)
    others = tuple(each for each in dict.fromkeys(draft.recipients) if each != sender)
    reached = others if draft.secret else _reachable(context, game, others)
    if sender is None or not reached:
        nobody = Why.NO_MODERATOR if MODERATOR in others else Why.NO_RECIPIENTS
        why = nobody if sender else reason_without_power(context, session)
        return PressReturned(context.shown(draft.lines), why)
    text, struck = _text(context, session, game, draft)
    if not text:
        return PressReturned(context.shown(draft.lines), Why.EMPTY_PRESS)
    command = _command(context, session, sender, draft, text)
    if draft.preview:
        decision = decide(context.board(game), game, command, context.now)
    else:
        decision = context.apply_command(session.game, command).decision
    if isinstance(decision, Refused):
        return PressReturned(context.shown(draft.lines), decision.why)
    (sent,) = decision.events
    assert isinstance(sent, PressSent), "nothing else follows"
    return replace(
        _sent_item(game, sent, recipients_as_shown(game, reached), draft, text), struck=struck
    )


def _text(
    context: MailContext, session: Session, game: Game, draft: Draft
) -> tuple[str, tuple[str, ...]]:
    """Return the text of *draft* as its readers get it, and the names removed from its end."""
    judge, text = context.judge, "\n".join(line.text for line in draft.lines)
    text = scrub(text.strip(), judge.address, judge.delimiter)
    disguised = draft.signed != sender_of(game, session)
    if session.acting or not (game.house_rules.anonymous or disguised):
        return text, ()
    person = session.person
    addresses = context.transaction.people.addresses(person.id)
    names = (context.opened.name, person.handle)
    board, own = context.board(game), session.power if disguised else None
    text = masked(text, names, (*addresses, context.opened.sender or ""), board)
    return without_signature_name(text, words_on(board) - _signature_words(board, own))


def _signature_words(board: Map, power: Power | None) -> frozenset[str]:
    nation = board.nations.get(power) if power else None
    return frozenset((nation.name.casefold(), nation.adjective.casefold()) if nation else ())


def _command(
    context: MailContext, session: Session, sender: str, draft: Draft, text: str
) -> SendPress:
    key = context.transaction.people.key(session.person.id)
    assert key, "an active person has a key"
    message = context.judge.random.nonce()
    return SendPress(
        message=message,
        sender=sender,
        person=session.person.id,
        recipients=draft.recipients,
        signed=draft.signed,
        named=draft.named,
        postal=draft.postal,
        thread=draft.thread or message,
        sealed_text=context.judge.encryption.seal(text, key),
        mail=context.mail.sha256,
        received=context.mail.received_utc,
    )


def _sent_item(
    game: Game, sent: PressSent, reached: tuple[str, ...], draft: Draft, text: str
) -> PressAccepted:
    apart = {sent.sender, sent.signed}
    misled = {*sent.named} - apart != {*sent.recipients} - apart
    return PressAccepted(
        sender=sent.sender,
        recipients=reached,
        lines=() if draft.quiet else tuple(text.splitlines()),
        signed=sent.signed,
        named=sent.named if misled else (),
        postal=sent.postal,
        preview=draft.preview,
        gunboat=game.house_rules.anonymous,
    )


def sender_of(game: Game, session: Session) -> str | None:
    """Return the power or office from which the author sends press, None if they take no part."""
    if session.power:
        return session.power
    if session.person.id == game.moderator:
        return MODERATOR
    return OBSERVER if session.person.id in game.observers else None


def _reachable(context: MailContext, game: Game, recipients: tuple[str, ...]) -> tuple[str, ...]:
    everybody = tuple(recipients_of(context.transaction, game))
    return tuple(
        recipient
        for recipient in recipients
        if any(reader.is_among((recipient,)) for reader in everybody)
    )


def recipients_as_shown(game: Game, recipients: tuple[str, ...]) -> tuple[str, ...]:
    """Return *recipients* as emails name them, observers by their office."""
    return tuple(OBSERVER if each in game.observers else each for each in recipients)


def _show_unopened(context: MailContext, _: Session, parsed: UnopenedPress) -> Item:
    if parsed.opening:
        opener = Line(parsed.line, parsed.text)
        return PressWithoutOpening(context.shown((opener, *parsed.lines)), parsed.opening)
    if parsed.lines:
        return PressWithoutOpening(context.shown(parsed.lines))
    return LineNotUnderstood(parsed.line, parsed.text)


COMMANDS = (
    CommandRow(
        Press,
        joined={"END PRESS": "ENDPRESS", "END BROADCAST": "ENDBROADCAST"},
        suggested={
            "PRESS": "PRESS TO F,G",
            "ENDPRESS": "",
            "BROADCAST": "",
            "ENDBROADCAST": "",
        },
        never_in_prose=("ENDPRESS", "ENDBROADCAST"),
        handle=send_press,
        topic="press",
        aliases="broadcast, endpress, letters, postal, grey, white, fake",
        forms=(
            Form(
                "PRESS TO E,G ... Hello. ... ENDPRESS",
                "sends press to some powers",
                also="PRESS TO EG ... Hello. ... ENDPRESS | "
                "PRESS WHITE TO EG ... Hello. ... ENDPRESS | "
                "PRESS TO ALL BUT R ... Hello. ... ENDPRESS | "
                "PRESS TO Eng, Ger ... Hello. ... ENDPRESS | "
                "PRESS TO ENGLAND QUIET ... Hello. ... ENDPRESS",
            ),
            Form("BROADCAST ... Hello. ... ENDBROADCAST", "sends press to everybody"),
            Form(
                "PRESS GREY TO E ... Hello. ... ENDPRESS | "
                "PRESS WHITE TO E ... Hello. ... ENDPRESS",
                "sends press unsigned, or signed",
                also="PRESS TO E GREY ... Hello. ... ENDPRESS | "
                "PRESS TO E FROM GREY ... Hello. ... ENDPRESS",
            ),
            Form(
                "PRESS TO E FROM ITALY ... Hello. ... ENDPRESS",
                "sends press signed by another power; replies go to that power",
                also="PRESS TO E FAKE FROM ITALY ... Hello. ... ENDPRESS",
            ),
            Form(
                "PRESS TO E FAKE TO E,G ... Hello. ... ENDPRESS | "
                "PRESS TO E FAKE BROADCAST ... Hello. ... ENDPRESS",
                "sends press that pretends to go to others too",
                also="PRESS TO E FAKE PARTIAL TO ALL BUT R ... Hello. ... ENDPRESS | "
                "PRESS NOFAKE TO E ... Hello. ... ENDPRESS",
            ),
            Form(
                "POSTAL PRESS ... Hello. ... ENDPRESS",
                "sends press with the next results; also `POSTAL PRESS TO F`",
            ),
            Form(
                "PREVIEW PRESS TO E ... Hello. ... ENDPRESS",
                "shows what the readers would get, and sends nothing",
            ),
            Form(
                "PRESS TO M ... Hello. ... ENDPRESS | PRESS TO O ... Hello. ... ENDPRESS",
                "writes to the moderator or the observers",
            ),
        ),
    ),
    CommandRow(UnopenedPress, handle=_show_unopened),
)
