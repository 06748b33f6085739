"""Answer an email of a known person: carry out each command and send one reply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from judge.app.commands import sessions
from judge.app.commands.context import MailContext, Session
from judge.app.commands.dispatch import handle_part, with_current_power
from judge.app.commands.email_lines import foreign_commands
from judge.app.commands.forwarding import forward_prose
from judge.app.commands.offered_press import (
    accept_offered_press,
    press_to_offer,
    with_messages_by_name,
)
from judge.app.commands.order_offers import lines_accepted, note_offer
from judge.app.commands.prose import is_acted_on
from judge.app.commands.queries import is_command_in_subject
from judge.app.commands.stored_offers import has_offered_lines, offer_lines
from judge.app.commands.unread_parts import report_unread_parts
from judge.app.deadlines import unconfirmed_emails
from judge.app.identity import Author, Doubtful, authenticate
from judge.app.inbound.door import door, language_spoken
from judge.app.inbound.questions import ask_for_confirmation, may_answer
from judge.app.inbound.unverified_senders import NEAR, answer_unread, hold_sign_on
from judge.app.inbound.wishes import answer_wishes, without_lines
from judge.app.inbound.wishes_of_strangers import choices_of_stranger, wishes_of_stranger
from judge.app.outbound.queue import EmailDraft, ReplyMeaning, queue_email, token_for
from judge.app.ports.damaged_logs import reporting_damage
from judge.app.ports.inbox import NEEDS_CONFIRMATION, PROCESSED, InboxState, MailOutcome
from judge.app.ports.people import Person, Purpose, Receipts, Token
from judge.app.public_log import recorded_orders
from judge.game.game_state import Game
from judge.game.submission import commit_orders
from judge.mail.body import Line
from judge.mail.headers import same_mailbox
from judge.mail.intents.sentences import sentences_in
from judge.mail.language.command_syntax import NamedGame, OrderText, ParsedLine, SignOn, order_text
from judge.mail.language.confirmations import Confirm
from judge.mail.language.previews import Preview
from judge.notation.terms import closest_matches, names_of
from judge.reports.emails import confirmation_emails, game_start, receipts
from judge.reports.emails.confirmation_emails import ConfirmationReason
from judge.reports.emails.contexts import Context, Heading
from judge.reports.emails.order_status import Commitment
from judge.reports.emails.receipts import (
    CommandDone,
    CourtesiesIgnored,
    Duplicate,
    EmptyEmail,
    Item,
    OnlyPreviewed,
    ReplyAddressChanged,
)
from judge.rules.types import Power


def refuse_long_email(context: MailContext) -> None:
    """Answer an email that takes too long to read."""
    who = authenticate(
        context.judge, context.transaction, context.mail, context.opened, context.proof
    )
    if isinstance(who, Author):
        received, code = context.mail.received_utc, context.judge.code
        page = confirmation_emails.Unreadable(
            heading=Heading(code), received=received, too_long=True
        )
        send_pages(context, who.person, [page])
    else:
        answer_unread(context)


def answer_email(
    context: MailContext, parsed: Sequence[ParsedLine], author: Author | None
) -> MailOutcome | None:
    """Carry out all commands of the email, and queue one receipt per person it acts for.

    Return None if it acts for no one.
    """
    answers: dict[Person, list[Context]] = {}
    asked: list[tuple[Person, ConfirmationReason]] = []
    doubtful: list[Doubtful] = []
    unheard: list[receipts.SignOnFailed | receipts.UnprovenGame] = []
    starts: list[int] = []
    lines = sessions.with_game_headings(context, parsed, author)
    for part in sessions.split_into_parts(context, _still_to_do(context, lines), author):
        starts += [each.line for each in part.parsed[:1]]
        if part.failed:
            unheard.append(part.failed)
            doubtful += [part.doubtful] if part.doubtful else []
            continue
        reader = part.person or (author.person if author and part.parsed else None)
        if reader:
            pages = _pages(context, part)
            answers.setdefault(reader, []).extend(pages)
            asked += [(reader, why) for page in pages for why in _why_confirm(page)]
    if doubtful and not answers:
        return hold_sign_on(context, parsed, doubtful[0])
    recipient = author.person if author else next(iter(answers), None)
    if unheard and recipient:
        unread = [_with_lines(context, each, starts, author) for each in unheard]
        page = receipts.receipt_without_game(unread, judge_code=context.judge.code)
        answers.setdefault(recipient, []).append(page)
    spoken = language_spoken(parsed)
    for person, pages in answers.items():
        now = context.transaction.people.get(person.id) or person
        chosen_here = now.language != person.language
        language = None if chosen_here or spoken == now.language else spoken
        offered = _with_language_offered(context, person, pages, language) if language else pages
        send_pages(context, person, offered, language=language)
    if not answers:
        return None
    if asked:
        ask_for_confirmation(context, *asked[0], by_code=True)
        return MailOutcome(InboxState.HELD, NEEDS_CONFIRMATION)
    return PROCESSED


def _with_lines(
    context: MailContext,
    failed: receipts.SignOnFailed | receipts.UnprovenGame,
    starts: Sequence[int],
    author: Author | None,
) -> Item:
    """Return *failed* with the lines of its part; other parts begin at the lines *starts*.

    Those below the name of no game may be for one of *author*, which it is or may not learn of.
    """
    end = min((each for each in starts if each > failed.line), default=inf)
    lines = (each for each in context.opened.text.fresh if failed.line < each.number < end)
    shown = context.shown(each for each in lines if each.text.strip())
    if isinstance(failed, receipts.SignOnFailed):
        return replace(failed, lines=shown)
    if author is None or context.game_open_to(author.person, failed.game):
        return replace(failed, lines=shown)
    own = context.transaction.summaries.names_of(author.person.id)
    near = (name for like, name in closest_matches(failed.game, own) if like >= NEAR)
    here = sessions.session_of(context, author)
    meant = dict.fromkeys((*near, *((here.game,) if here else ())))
    return replace(failed, exists=False, lines=shown, meant=tuple(meant))


def _with_language_offered(
    context: MailContext, person: Person, pages: Sequence[Context], language: str
) -> Sequence[Context]:
    """Return *pages*, which ask once whether all emails shall be in *language*."""
    people, note = context.transaction.people, LANGUAGE_OFFERED.format(language)
    at = next((at for at, each in enumerate(pages) if isinstance(each, receipts.Receipt)), None)
    if at is None or people.notes_on_stranger(person.address, (note,)):
        return pages
    people.note_stranger(person.address, note, context.now)
    receipt = pages[at]
    assert isinstance(receipt, receipts.Receipt), "it was found as one"
    item = receipts.LanguageOffered(f"SET LANGUAGE {language.upper()}")
    return [*pages[:at], replace(receipt, reported=(*receipt.reported, item)), *pages[at + 1 :]]


LANGUAGE_OFFERED = "was offered {}"  # a note on an address
TO_BE_CONFIRMED = {  # what a receipt says of commands that take effect once they are confirmed
    "resign_asked": ConfirmationReason.RESIGN,
    "promote_asked": ConfirmationReason.MODERATOR,
    "address_asked": ConfirmationReason.ADDRESS,
}


def _why_confirm(page: Context) -> Iterator[ConfirmationReason]:
    """Yield what *page* says must be confirmed."""
    for each in page.reported if isinstance(page, receipts.Receipt) else ():
        if isinstance(each, CommandDone) and each.command in TO_BE_CONFIRMED:
            yield TO_BE_CONFIRMED[each.command]


def _still_to_do(context: MailContext, parsed: Sequence[ParsedLine]) -> Sequence[ParsedLine]:
    """Return the commands to carry out: all, or only those that had to be confirmed.

    If it has none of these, its words had to be: `I must drop out`.
    """
    confirmed = [each for each in parsed if sessions.command_of(each).confirmed]
    if context.mail.reason != NEEDS_CONFIRMATION or not confirmed:
        return parsed
    return [each for each in parsed if isinstance(each, SignOn | NamedGame) or each in confirmed]


def _pages(context: MailContext, part: sessions.Part) -> list[Context]:
    """Carry out one part; return the pages of its receipt.

    Raises `DamagedLogError` if it needs orders in the log that cannot be read.
    """
    if part.session is None:
        return _pages_of_part(context, part)
    with reporting_damage(context.transaction, part.session.game):
        return _pages_of_part(context, part)


def _pages_of_part(context: MailContext, part: sessions.Part) -> list[Context]:
    if part.session:
        session = with_current_power(context, part.session)
        part = replace(part, parsed=_mere_answer(context, part.parsed))
        part = replace(part, parsed=with_messages_by_name(context, session, part.parsed))
        part = replace(part, parsed=_with_wish_accepted(context, session, part.parsed))
    earlier = context.received_before(part.person) if part.person else None
    if earlier and part.session:
        return [_receipt(context, part.session, [Duplicate(earlier)])]
    answered: list[Item | Context] = list(_press_accepted(context, part))
    answered = answered or list(handle_part(context, part))
    items: list[Item] = [each for each in answered if not isinstance(each, Context)]
    wished = answer_wishes(context, part, items)
    if part.session:
        seated = with_current_power(context, part.session)
        items = forward_prose(context, seated, items, wished.wished)
        items = [*without_lines(context, items, wished.wished), *wished.items]
        items = receipts.with_exceptions(items, context.reading_board)
    place = list(_joined_page(context, part))
    if place and part.session:  # which says so itself
        joined = CommandDone("join", part.session.game)
        items = [each for each in items if each != joined]
    others = [
        *place,
        *(each for each in answered if isinstance(each, Context)),
        *wished.pages,
    ]
    previews = [each.lines for each in part.parsed if isinstance(each, Preview) and each.lines]
    if part.session and not has_offered_lines(context, part.session):
        offer_lines(context, part.session, *previews)
    if part.session and any(map(is_acted_on, items)):
        items.extend(OnlyPreviewed(context.shown(lines)) for lines in previews)
    reported = any(not isinstance(each, CourtesiesIgnored) for each in items)
    if part.session and (reported or not others):
        seated = with_current_power(context, part.session)
        items.extend(press_to_offer(context, seated, part.parsed))
        items.extend(report_unread_parts(context, seated, tuple(items)))
        if not (others or any(map(is_acted_on, items))):
            refuses = any(isinstance(each, Confirm) and not each.yes for each in part.parsed)
            empty = EmptyEmail(in_subject=is_command_in_subject(context))
            items.insert(0, CommandDone("refused") if refuses else empty)
        person = seated.person.id
        items.extend(
            unconfirmed_emails(
                context.judge,
                context.transaction,
                person,
                lambda mail: context.open_again(mail, person),
            )
        )
        return [*place, _receipt(context, part.session, items), *others[len(place) :]]
    return others or _pages_without_game(context, part)


ALONE = "Hello"  # below which a word at the end is a name


def _mere_answer(context: MailContext, parsed: tuple[ParsedLine, ...]) -> tuple[ParsedLine, ...]:
    """Return *parsed* without the greeting and the name around a mere YES or NO."""
    answers = tuple(each for each in parsed if isinstance(each, Confirm))
    texts = [each for each in parsed if isinstance(each, OrderText)]
    only = len(answers) == 1 and len(answers) + len(texts) == len(parsed)
    around = [line.text for each in texts for line in each.lines]
    places = names_of(context.reading_board)
    says_more = sentences_in((ALONE, *around)) or any(any(places.all_in(each)) for each in around)
    return parsed if says_more or not only else answers


def _with_wish_accepted(
    context: MailContext, session: Session, parsed: tuple[ParsedLine, ...]
) -> tuple[ParsedLine, ...]:
    """Return a mere YES to a receipt as what that offers, unless it must be confirmed by code."""
    match parsed:
        case (Confirm(yes=True, line=number),):
            lines = [Line(number, each) for each in lines_accepted(context, session)]
        case _:
            return parsed
    read = (
        context.judge.commands.read(each, context.reading_board, first=False) for each in lines
    )
    command = next(read, None)
    if command is None:
        return order_text(lines) or parsed
    return parsed if sessions.command_of(command).confirmed else (command,)


def _pages_without_game(context: MailContext, part: sessions.Part) -> list[Context]:
    """Return the answer to a known person's lines that are for no game, or for one of several."""
    code, items = context.judge.code, foreign_commands(part.parsed)
    if items:
        return [receipts.receipt_without_game(items, judge_code=code)]
    own = context.transaction.summaries.names_of(part.person.id) if part.person else ()
    if not own:
        return [*wishes_of_stranger(context, part.parsed), door(context, part.parsed, again=False)]
    lines = context.shown(line for line in context.opened.text.fresh if line.text.strip())
    meant = (each.command for each in choices_of_stranger(context, part.parsed))
    entering = [each for each in meant if each.split()[0] in ENTERING]
    named = tuple(own)[: confirmation_emails.GAMES_NAMED_MAX]
    return [
        confirmation_emails.UnknownSender(
            heading=Heading(code), games=named, lines=lines, meant=tuple(entering)
        )
    ]


ENTERING = ("JOIN", "OBSERVE", "STANDBY")  # commands that need none of one's own games


def _press_accepted(context: MailContext, part: sessions.Part) -> Iterator[Item]:
    if part.session and len(part.parsed) == 1:
        yield from accept_offered_press(
            context, with_current_power(context, part.session), part.parsed[0]
        )


def _joined_page(context: MailContext, part: sessions.Part) -> Iterator[Context]:
    game = context.game(part.session.game) if part.session and part.joins else None
    if part.person and game and game.position is None and part.person.id in game.joined:
        board, code = context.board(game), context.judge.code
        yield game_start.joined(board, game, part.person.id, judge_code=code)


def _receipt(context: MailContext, session: Session, items: Sequence[Item]) -> Context:
    game = context.game_open_to(session.person, session.game)
    if game is None:
        return receipts.receipt_without_game(items, judge_code=context.judge.code)
    power = session.dummy or game.power_of(session.person.id)
    note_offer(context, session, items)
    receipt = receipts.receipt(
        context.board(game),
        game,
        power,
        items,
        judge_code=context.judge.code,
        commitment=_commitment(game, power),
    )
    person = context.transaction.people.get(session.person.id)
    if person is None or person.receipts is Receipts.SHORT:
        return receipt
    mail = context.mail.sha256
    own = recorded_orders(context.transaction, game.name, power, mail) if power else ()
    return replace(receipt, recorded=own)


def _commitment(game: Game, power: Power | None) -> Commitment | None:
    """Return the player's proof of the orders that the judge holds, to check later."""
    if game.phase is None or power is None or power not in game.phase.nonces:
        return None
    nonce, orders = game.phase.nonces[power], game.phase.standing.get(power, ())
    return Commitment(commit_orders(nonce, orders), nonce, orders)


def send_pages(
    context: MailContext,
    person: Person,
    pages: Sequence[Context],
    thread: str | None = None,
    token: Token | None = None,
    language: str | None = None,
) -> None:
    """Queue *pages* as one email to *person*, at their primary address and the one they used.

    A reply to it is about the game of the first page; an offer to use orders means those of the
    email answered here. An unregistered address gets nothing. The number of receipts is limited:
    something that keeps replying to them is a machine that hides it. A receipt for press goes into
    its *thread*. A question in a receipt has a *token* of its own. *language* is used instead of
    theirs.
    """
    if context.readdressed:
        pages = _with_changed_address(context, pages)
    if not may_answer(context, person):
        context.judge.operator_log.note("answer.withheld", mail=context.mail.sha256)
        return
    person = context.transaction.people.get(person.id) or person  # who may have a new zone
    first = pages[0]  # which a YES is for
    pages = [
        replace(each, offered=(), by_yes=(), beside=bool(each.by_yes))
        if isinstance(each, receipts.Receipt) and each.heading.game != first.heading.game
        else each
        for each in pages
    ]
    cause = f"{context.cause}:asked" if token else context.cause
    token = token or _token(context, person, first)
    for address in _addresses(context, person):
        draft = EmailDraft(
            contexts=tuple(pages),
            cause=f"{cause}:{address}",
            address=address,
            zone=person.zone,
            language=language,
            token=token,
            game=first.heading.game,
            person=person.id,
            answers=context.answered,
            thread=thread,
        )
        queue_email(context.judge, context.transaction, draft, context.now)


def _with_changed_address(context: MailContext, pages: Sequence[Context]) -> Sequence[Context]:
    """Return *pages*, one of which says that the reply address of their reader has changed."""
    for at, page in enumerate(pages):
        if isinstance(page, receipts.Receipt):
            told = replace(page, reported=(*page.reported, ReplyAddressChanged()))
            return [*pages[:at], told, *pages[at + 1 :]]
    code = context.judge.code
    return [*pages, receipts.receipt_without_game([ReplyAddressChanged()], judge_code=code)]


def _token(context: MailContext, person: Person, first: Context) -> Token:
    game = context.game(first.heading.game) if first.heading.game else None
    about = ReplyMeaning(
        game=first.heading.game,
        power=game.power_of(person.id) if game else None,
        phase=first.heading.phase.code if first.heading.phase else None,
        subject=str(context.mail.id),
    )
    return token_for(context.transaction, Purpose.ORDERS, person, about)


def _addresses(context: MailContext, person: Person) -> tuple[str, ...]:
    registered = context.transaction.people.addresses(person.id)
    sender = context.opened.sender
    other = (each for each in registered[1:] if sender and same_mailbox(each, sender))
    return (registered[0], *other)
