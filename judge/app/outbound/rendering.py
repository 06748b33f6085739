"""Render queued emails: words, pictures' recipes, calendar entries and headers, from their facts.

This is done apart from the transaction that queued them, so an error in a template stops one
email and nothing else. The finished bytes are stored before the first attempt to deliver them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from judge.app.outbound.facts import (
    FROM_LOG,
    EmailFacts,
    FactsReader,
    Unanswered,
    addresses_on_pages,
    write_facts,
)
from judge.app.outbound.maps import map_recipes, power_chips
from judge.app.outbound.queue import ReplyMeaning, note_mentions, token_for
from judge.app.ports.database import Blame, Transaction, retry_overtaken
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import Failure, OutgoingMail
from judge.app.ports.people import MailForm, Person, Purpose, Receipts, ResultPictures, Token
from judge.app.public_log import closing_at
from judge.checkpoints import Closing, ClosingEvent
from judge.mail import compose, proofs
from judge.mail.headers import address_with
from judge.reports.board_names import power_name
from judge.reports.emails import press
from judge.reports.emails.contexts import (
    Answer,
    Context,
    Digest,
    addressed_to_reader,
    replies_to,
)
from judge.reports.emails.game_history import BoardMap, GameOver
from judge.reports.emails.order_status import Commitment
from judge.reports.emails.phase_results import PhaseResults
from judge.reports.emails.press import PressEmail as Press
from judge.reports.emails.receipts import Receipt
from judge.reports.operator_templates import describe_template_error
from judge.reports.render import (
    HTML_BYTES_MAX,
    Rendered,
    html_document,
    render,
    sentences,
    with_shipped_templates,
)
from judge.resources import override_folder

BATCH = 40  # emails: then those that are rendered go out
LOOKED_AT_MAX = 200  # emails, most of which other judges may render
RENDER_AGAIN = timedelta(minutes=5)  # after a failure; twice as long after each further one
RENDER_AGAIN_LONGEST = timedelta(hours=4)
OWN_TEMPLATES_FAIL_MAX = 3  # times in a row; then the email gets the shipped templates
AUTHOR_ERASED = "its author was erased"
OF_PLAYERS = (Purpose.ORDERS, Purpose.PRESS)


class _Unrendered(NamedTuple):
    """An email to be rendered; its reader, if the judge knows them; the parts of a digest.

    Its pages name *addresses*. *token* is set if its reader has asked for NEW TOKENS since it was
    queued.
    """

    mail: OutgoingMail
    facts: EmailFacts
    pages: tuple[Context, ...]
    addresses: frozenset[str]
    person: Person | None = None
    token: Token | None = None
    parts: Sequence[OutgoingMail] = ()


class _Finished(NamedTuple):
    """The bytes of an email; with the *fault* of the operator's template, in the shipped words.

    *tokens* are the new ones of the email and its parts, by Message-ID. Its *pages* have the
    answers to questions, and name these *addresses*.
    """

    mail: OutgoingMail
    raw: bytes
    tokens: Mapping[str, Token] = MappingProxyType({})
    fault: str | None = None
    pages: tuple[Context, ...] = ()
    addresses: frozenset[str] = frozenset()


def render_waiting(judge: Judge) -> int:
    """Render some of the emails that wait for it, and return their number.

    Emails of one game, which have parts in common, are rendered by one judge, who claims it before
    it reads them.
    """
    count, looked_at = 0, set[str]()
    while count < BATCH:
        with judge.database.read() as transaction:
            names = transaction.outbox.unrendered_games(judge.clock.now(), LOOKED_AT_MAX)
        claims = {f"render {name}": name for name in names if name not in looked_at}
        taken = judge.database.claims.take_next([*claims])
        if not taken:
            return count
        looked_at.update(claims[each] for each in taken)
        try:
            count += _render_games(judge, [claims[each] for each in taken])
        finally:
            for each in taken:
                judge.database.claims.leave(each)
        if len(taken) == len(claims):
            return count
    return count


def _render_games(judge: Judge, names: Sequence[str]) -> int:
    with judge.database.read() as transaction:
        waiting = transaction.outbox.unrendered(judge.clock.now(), BATCH, names)
    by_game: dict[str, list[OutgoingMail]] = {}
    for mail in waiting:
        by_game.setdefault(mail.game or mail.message_id, []).append(mail)
    for mails in by_game.values():
        _render_and_store(judge, mails)
    return len(waiting)


def _render_and_store(judge: Judge, mails: Iterable[OutgoingMail]) -> None:
    failed, unrendered = list[tuple[OutgoingMail, Exception]](), list[_Unrendered]()
    reader = FactsReader(judge.board_drawn, partial(_closing, judge))
    for mail in mails:
        with _catching(judge, mail, failed):
            unrendered.append(_read(judge, reader, mail))
    finished = list[_Finished]()
    for email in _look_up(judge, unrendered):
        if not email.pages:
            finished.append(_Finished(email.mail, b""))
            continue
        with _catching(judge, email.mail, failed):
            finished.append(_finish(judge, reader, email))
    retry_overtaken(partial(_store, judge, finished, failed))


@contextmanager
def _catching(
    judge: Judge, mail: OutgoingMail, failed: list[tuple[OutgoingMail, Exception]]
) -> Iterator[None]:
    """Note that *mail* failed, which must not hold up the others; raises what the store did."""
    try:
        yield
    except Exception as error:
        blame = judge.database.blame(error)
        if blame in (Blame.STORE, Blame.OTHERS):
            raise
        if blame is Blame.UNCLEAR:
            judge.database.probe(writes=False)
        failed.append((mail, error))


def _closing(judge: Judge, event: ClosingEvent) -> Closing | None:
    with judge.database.read() as transaction:
        return closing_at(judge, transaction, event)


def _store(
    judge: Judge,
    finished: Iterable[_Finished],
    failed: Iterable[tuple[OutgoingMail, Exception]],
) -> None:
    now = judge.clock.now()
    with judge.database.write() as transaction:
        for each in finished:
            if not each.raw:
                transaction.outbox.discard(each.mail.message_id, AUTHOR_ERASED)
                continue
            transaction.outbox.rendered(each.mail.message_id, each.raw, each.fault)
            note_mentions(transaction, each.mail, each.pages, each.addresses)
            for message_id, token in each.tokens.items():
                transaction.people.issue(token)
                transaction.outbox.renew_token(message_id, token.text)
            if each.fault:
                judge.operator_log.warning(
                    "template.replaced",
                    mail=each.mail.message_id,
                    kind=each.mail.kind,
                    reason=each.fault,
                )
        for mail, error in failed:
            failure = Failure(describe_template_error(error), now, ours=True)
            delay = min(RENDER_AGAIN * (1 << min(mail.attempts, 10)), RENDER_AGAIN_LONGEST)
            transaction.outbox.not_rendered(mail.message_id, now + delay, failure)
            judge.operator_log.warning(
                "template.failed", mail=mail.message_id, kind=mail.kind, reason=failure.reason
            )


def _finish(judge: Judge, reader: FactsReader, email: _Unrendered) -> _Finished:
    """Render *email*, in the shipped words if the operator's keep failing."""
    try:
        return _rendered(judge, reader, email)
    except Exception as error:
        last = email.mail.attempts + 1 >= OWN_TEMPLATES_FAIL_MAX
        if not (last and override_folder("templates")):
            raise
        with with_shipped_templates():
            finished = _rendered(judge, reader, email)
        return finished._replace(fault=describe_template_error(error))


def _rendered(judge: Judge, reader: FactsReader, email: _Unrendered) -> _Finished:
    parts = [_rendered_part(judge, reader, part) for part in email.parts]
    parts = [part for part in parts if part.raw]
    tokens = {email.mail.message_id: email.token} if email.token else {}
    for part in parts:
        tokens |= part.tokens
    enclosed = [compose.enclosed_email(part.raw) for part in parts]
    raw = compose.compose(_message(judge, email, enclosed))
    return _Finished(email.mail, raw, tokens, pages=email.pages, addresses=email.addresses)


def _rendered_part(judge: Judge, reader: FactsReader, mail: OutgoingMail) -> _Finished:
    if mail.raw:
        return _Finished(mail, mail.raw)
    [email] = _look_up(judge, [_read(judge, reader, mail)])
    return _rendered(judge, reader, email) if email.pages else _Finished(mail, b"")


def _read(judge: Judge, reader: FactsReader, mail: OutgoingMail) -> _Unrendered:
    text = mail.facts or ""
    facts, pages = reader.read(text)
    if any(isinstance(each, FROM_LOG) for each in pages):
        asked = any(isinstance(each, Unanswered) for each in pages)
        with judge.database.read() as transaction:
            pages = judge.pages_of(judge, transaction, pages, facts.written, reader.announced)
        quoting = (each for each in pages if asked or not isinstance(each, PhaseResults))
        text = write_facts(facts, tuple(quoting))
        pages = reader.read(text)[1] if asked else pages  # which finds the checkpoints
    return _Unrendered(mail, facts, pages, addresses_on_pages(text))


def _look_up(judge: Judge, emails: Iterable[_Unrendered]) -> Sequence[_Unrendered]:
    """Add what the store knows of the readers of *emails* by now."""
    found = list[_Unrendered]()
    with judge.database.read() as transaction:
        for each in emails:
            person = _reader_of(transaction, each)
            token = _newer_token(transaction, each.facts.token, person)
            facts = replace(each.facts, token=token) if token else each.facts
            is_digest = any(isinstance(page, Digest) for page in each.pages)
            parts = transaction.outbox.enclosed(each.mail.message_id) if is_digest else ()
            found.append(each._replace(facts=facts, person=person, token=token, parts=parts))
    return found


def _reader_of(transaction: Transaction, email: _Unrendered) -> Person | None:
    people, token, mail = transaction.people, email.facts.token, email.mail
    if mail.person:
        return people.get(mail.person)
    return (people.get(token.person) if token else None) or people.by_address(mail.recipient)


def _newer_token(
    transaction: Transaction, token: Token | None, person: Person | None
) -> Token | None:
    """Return the token that replaces *token* since NEW TOKENS, if any, unless it was revoked."""
    if token is None or person is None or token.key_version == person.key_version:
        return None
    issued = transaction.people.redeem(token.text)
    if token.purpose not in OF_PLAYERS or issued != token:
        return None
    meaning = ReplyMeaning(
        game=token.game, power=token.power, phase=token.phase, subject=token.subject
    )
    return token_for(transaction, token.purpose, person, meaning)


KIND_HEADER = "X-Judge-Kind"
UNSUBSCRIBE = "unsubscribe"  # the subject of a request for critical emails only


def _message(
    judge: Judge, email: _Unrendered, enclosed: Sequence[compose.Enclosed]
) -> compose.Message:
    mail, facts = email.mail, email.facts
    body = enclosing_body(_body(judge, email, enclosed), enclosed)
    return compose.Message(
        message_id=mail.message_id,
        sender=judge.address,
        sender_name=_sender_name(judge, email.pages[0], body.language),
        recipient=mail.recipient,
        reply_to=_reply_to(judge, facts),
        subject=" ".join(filter(None, (body.subject, _tag(judge, facts)))),
        text=body.text,
        html=body.html,
        pictures=body.pictures,
        attachments=body.attachments,
        date=facts.written,
        in_reply_to=facts.answers.message_id if facts.answers else None,
        references=facts.thread,
        automatic="auto-replied" if facts.answers else "auto-generated",
        headers=(
            (KIND_HEADER, mail.kind),
            ("Content-Language", body.language),
            *_list_headers(judge, email),
        ),
    )


def _sender_name(judge: Judge, first: Context, language: str) -> str:
    if isinstance(first, Press):
        return press.press_sender_name(first, language)
    return f"{judge.code} judge"


def _list_headers(judge: Judge, email: _Unrendered) -> tuple[tuple[str, str], ...]:
    """Name the game as a list (RFC 2919), with an address to get less email (RFC 2369).

    RFC 8058 One-Click is left out, as it needs a web server.
    """
    token, game = email.facts.token, email.mail.game
    if token is None or not (game or email.parts):
        return ()
    tag = f"%20[%23{token.text}]" if not judge.delimiter else ""
    less = f"<mailto:{_reply_to(judge, email.facts)}?subject={UNSUBSCRIBE}{tag}>"
    fewer = ("List-Unsubscribe", less)
    return (("List-Id", f"<{game}.{judge.domain}>"), fewer) if game else (fewer,)


def _reply_to(judge: Judge, facts: EmailFacts) -> str:
    if facts.token is None:
        return judge.address
    return address_with(facts.token.text, judge.address, judge.delimiter)


def _tag(judge: Judge, facts: EmailFacts) -> str:
    return f"[#{facts.token.text}]" if facts.token and not judge.delimiter else ""


def _body(judge: Judge, email: _Unrendered, enclosed: Sequence[compose.Enclosed]) -> Body:
    facts, person, zone = email.facts, email.person, email.facts.zone
    known = person is not None and person.id == email.mail.person
    subjects = tuple(each.subject for each in enclosed)
    named = (
        replace(each, subjects=subjects) if isinstance(each, Digest) else each
        for each in email.pages
    )
    language = facts.language or (person.language if person else email.pages[0].heading.language)
    *pages, last = (addressed_to_reader(each, None, zone, language) for each in named)
    answer = Answer(_reply_to(judge, facts), _tag(judge, facts))
    taste = (
        BodyOptions(person.form, person.pictures, person.receipts)
        if person and known
        else BodyOptions(judge.form)
    )
    last = addressed_to_reader(last, answer, zone, language, gathered=facts.gathered)
    return body(judge, (*pages, last), taste, facts.written)


BETWEEN = "\n" + "-" * 72 + "\n\n"  # between the pages of an email
FORMS = tuple(MailForm)  # from the simplest
BOARDS_MAX = 2  # pages of an email with requested pictures


@dataclass(frozen=True, slots=True)
class Body:
    """An email but for its headers and addresses."""

    language: str
    subject: str
    text: str
    html: str | None
    pictures: tuple[compose.Picture, ...]
    attachments: tuple[compose.Attachment, ...]


@dataclass(frozen=True, slots=True)
class BodyOptions:
    """A reader's choices for the content of emails."""

    form: MailForm
    pictures: ResultPictures = ResultPictures.BOTH
    receipts: Receipts = Receipts.SHORT


def body(judge: Judge, contexts: Sequence[Context], taste: BodyOptions, now: datetime) -> Body:
    """Compose *contexts* as one email, in the form that *taste* asks for.

    A person who asks for the board gets its picture whatever their choice, unless the operator
    sends none.
    """
    asked = any(isinstance(each, BoardMap) for each in contexts)
    form = min(MailForm.PICTURES if asked else taste.form, judge.form, key=FORMS.index)
    drawn = _pictures_by_page(judge, contexts, taste) if form is MailForm.PICTURES else {}
    pages = [
        render(
            each,
            {name: picture.content_id for name, picture in drawn.get(number, {}).items()},
            replies_to(contexts),
        )
        for number, each in enumerate(contexts)
    ]
    painted = {each.content_id: each for page in drawn.values() for each in page.values()}
    html = None if form is MailForm.TEXT else _document(contexts, pages)
    return Body(
        language=contexts[0].heading.language,
        subject=pages[0].subject,
        text=BETWEEN.join(each.text for each in pages),
        html=html,
        pictures=tuple(painted.values()) if html else (),
        attachments=(
            *(() if form is MailForm.TEXT else _calendar(judge, contexts[0], now)),
            *(_proof_files(contexts) if taste.receipts is Receipts.FULL else ()),
        ),
    )


def enclosing_body(body: Body, more: Sequence[compose.Enclosed]) -> Body:
    """Return *body* followed by the texts of other emails."""
    if not more:
        return body
    markup = tuple(each.html for each in more if each.html)
    whole = body.html is not None and len(markup) == len(more)  # otherwise text only
    html = compose.as_enclosed(body.html, markup) if body.html and whole else None
    return replace(
        body,
        text=BETWEEN.join([body.text, *(each.text for each in more)]),
        html=html if html and len(html.encode()) <= HTML_BYTES_MAX else None,
    )


def _document(contexts: Sequence[Context], pages: Sequence[Rendered]) -> str | None:
    board = next((each.heading.board for each in contexts if each.heading.board), None)
    return html_document(pages, power_chips(board), contexts[0].heading.language)


def _pictures_by_page(
    judge: Judge, contexts: Sequence[Context], taste: BodyOptions
) -> Mapping[int, Mapping[str, compose.Picture]]:
    """Return the pictures by page: of the first, and of pages that show a board on request."""
    boards = [number for number, each in enumerate(contexts) if isinstance(each, BoardMap)]
    return {
        number: _pictures(judge, contexts[number], taste) for number in {0, *boards[:BOARDS_MAX]}
    }


def _pictures(judge: Judge, context: Context, taste: BodyOptions) -> Mapping[str, compose.Picture]:
    found = {}
    for shown, content in map_recipes(judge, context, taste.pictures).items():
        name = f"{sha256(content).hexdigest()[:32]}@{judge.domain}"
        found[shown] = compose.Picture(name, f"{context.heading.game}-{shown}.png", content)
    return found


def _calendar(judge: Judge, context: Context, now: datetime) -> Iterator[compose.Attachment]:
    """Yield the deadline that the email *context* announces, as the event of its game."""
    deadline, game = context.deadline(now), context.heading.game
    if deadline is None:
        return
    words = sentences("deadlines", context.heading.language)
    appointment = compose.Appointment(
        uid=f"deadline.{game}@{judge.domain}",
        organizer=judge.address,
        sent_at=now,
        due=deadline.due,
        summary=words["summary"].format(game=game, phase=deadline.phase),
        description=words["cancelled" if deadline.cancelled else "due"],
        cancelled=deadline.cancelled,
    )
    yield compose.Attachment(
        f"{game}-{deadline.phase}.ics", compose.calendar_text(appointment), appointment.method
    )


def _proof_files(contexts: Sequence[Context]) -> Iterator[compose.Attachment]:
    found = tuple(chain.from_iterable(map(_proofs, contexts)))
    if found:
        yield compose.Attachment(proofs.PROOF_FILENAME, proofs.proof_text(found))


def _proofs(context: Context) -> Iterator[proofs.Proof]:
    game, phase, board = context.heading.game, context.heading.phase, context.heading.board
    match context:
        case Receipt(commitment=commitment, promised=kept, recorded=own) if game and phase:
            made = tuple(_commitment(None, each) for each in (commitment,) if each)
            if made or own:
                yield proofs.Proof(game, phase.code, made, recorded=own)
            for later, each in kept.items():
                yield proofs.Proof(game, later.code, (_commitment(None, each),), kept=True)
        case PhaseResults(shared=results) if game and board:
            made = tuple(
                _commitment(power_name(board, power), each)
                for power, each in results.commitments.items()
            )
            closing = results.closing if isinstance(results.closing, Closing) else None
            yield proofs.Proof(game, results.closed.code, made, closing=closing)
        case GameOver(closing=Closing() as closing) if game:
            yield proofs.Proof(game, phase.code if phase else "", closing=closing)
        case _:
            return


def _commitment(power: str | None, commitment: Commitment) -> proofs.EmailCommitment:
    return proofs.EmailCommitment(power, commitment.nonce, commitment.orders, commitment.digest)
