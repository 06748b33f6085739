"""Settings of a person: password, address, handle, time zone, language and email pace."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from typing import assert_never

from judge.app.commands.command import CommandRow, Scope
from judge.app.commands.context import MailContext, Session
from judge.app.commands.time_zones import commands_for_zone, zones
from judge.app.outbound import queue
from judge.app.ports.database import Transaction
from judge.app.ports.inbox import PROCESSED, InboxState, MailOutcome
from judge.app.ports.people import (
    GIVEN_HANDLE,
    MailForm,
    MailPace,
    Person,
    Purpose,
    Receipts,
    ResultPictures,
    Token,
)
from judge.game.decision import Why
from judge.mail.headers import same_mailbox, strict_mailbox
from judge.mail.language.command_syntax import (
    CommandReader,
    LineMaker,
    ParsedLine,
    starred_after,
    with_word,
)
from judge.mail.language.command_table import Form
from judge.reports.emails import confirmation_emails
from judge.reports.emails.contexts import Context, Heading
from judge.reports.emails.receipts import (
    CommandDone,
    CommandRefused,
    Item,
    LineNotUnderstood,
    WishChoice,
    WishOffered,
)
from judge.reports.languages import language_named, language_title, languages
from judge.reports.render import kind_name
from judge.rules.board import Map


@dataclass(frozen=True, slots=True)
class SetZone(ParsedLine):
    """`SET ZONE Europe/Berlin`, or None for `SET NOZONE`: the zone of each game."""

    zone: str | None


@dataclass(frozen=True, slots=True)
class Stop(ParsedLine):
    """`STOP`: no more emails."""


@dataclass(frozen=True, slots=True)
class SetLanguage(ParsedLine):
    """`SET LANGUAGE DEUTSCH`, named as people do."""

    word: str


@dataclass(frozen=True, slots=True)
class SetHandle(ParsedLine):
    """`SET HANDLE Kaiserin`: the name shown to others."""

    handle: str


@dataclass(frozen=True, slots=True)
class SetPassword(ParsedLine):
    """`SET PASSWORD word`."""

    word: str = field(repr=False)

    def without_secret(self) -> str:
        return starred_after(self.text, 2)


class AddressChange(Enum):
    """The kinds of change to an address."""

    SET = "set"  # the new primary address; the old one stays registered
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class ChangeAddress(ParsedLine):
    """`SET ADDRESS me@example.org`, `ADD ADDRESS ...`, `REMOVE ADDRESS ...`.

    SET without an *address* means that of the sender, and more of them, with commas, are all to
    be registered, as in nJudge.
    """

    verb: AddressChange
    address: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetMails(ParsedLine):
    """`SET MAILS AT ONCE`, `HOURLY`, `DAILY`, `CRITICAL`; `TEXT`, `HTML` or `PICTURES`.

    Also `SET MAILS BOTH PICTURES`, `ORDERS PICTURE`, `POSITION PICTURE`.
    """

    wish: MailPace | MailForm | ResultPictures


@dataclass(frozen=True, slots=True)
class SetReceipts(ParsedLine):
    """`SET RECEIPTS FULL`: commitments and checkpoints come with emails; `SET RECEIPTS SHORT`."""

    receipts: Receipts


@dataclass(frozen=True, slots=True)
class NewTokens(ParsedLine):
    """`NEW TOKENS`: revoke the reply addresses in all earlier emails."""


ZONE = r"[^\W\d_][\w+/-]{1,39}"
PICTURE_WORDS = ("picture", "pictures", "of", "the")
LANGUAGE_WORD = r"[^\W\d_]{2,20}"


ADDRESSES_MAX = 5


def _address_reader(verb: AddressChange) -> CommandReader:
    """Return the reader of a command about an address; mail clients may put it in brackets."""

    def read(arguments: list[str], _: Map) -> LineMaker | None:
        if not arguments and verb is AddressChange.SET:
            return partial(ChangeAddress, verb=verb, address="")
        written = " ".join(arguments).replace(",", " , ").split(" , ")
        [address, *others] = [strict_mailbox(each.strip("<> ")) or "" for each in written]
        if not all((address, *others)) or len(written) > ADDRESSES_MAX:
            return None
        return partial(ChangeAddress, verb=verb, address=address, others=tuple(others))

    return read


ALSO = re.compile(r"I AM ALSO <?(\S+@[^\s>]+)>?", re.IGNORECASE)


def _read_also(found: re.Match[str]) -> LineMaker | None:
    """Read nJudge's `I AM ALSO me@example.org`."""
    address = strict_mailbox(found[1])
    return partial(ChangeAddress, verb=AddressChange.ADD, address=address) if address else None


def _read_mails(arguments: list[str], _: Map) -> LineMaker | None:
    """Read `AT ONCE`, `HTML`, and `BOTH PICTURES` or `PICTURE ORDERS` in any order."""
    asked = "_".join(arguments).lower()
    which = "_".join(word for word in asked.split("_") if word not in PICTURE_WORDS)
    named = [*MailPace, *MailForm, *(ResultPictures if which != asked else ())]
    wish = next((each for each in named if each.value in (asked, which)), None)
    return partial(SetMails, wish=wish) if wish else None


def _read_receipts(arguments: list[str], _: Map) -> LineMaker | None:
    asked = " ".join(arguments).lower()
    wish = next((each for each in Receipts if each.value == asked), None)
    return partial(SetReceipts, receipts=wish) if wish else None


def _set_password(context: MailContext, session: Session, parsed: SetPassword) -> Item:
    held = context.mail.confirmed_person and context.mail.held_for
    if held and not context.is_confirmed_by_code(session.person):
        return CommandRefused("password", Why.NOT_ALLOWED)
    hashed = context.judge.passwords.hash(parsed.word)
    context.transaction.people.set_password(session.game, session.person.id, hashed)
    return CommandDone("password")


def _renew_tokens(context: MailContext, session: Session, _: NewTokens) -> Item:
    context.transaction.people.raise_key_version(session.person.id)
    return CommandDone("tokens")


ASKED_MAX, ASKED_PAUSE = 5, timedelta(days=1)  # questions to new addresses per player
VALID = timedelta(days=14)  # of the question to a new address


def _change_addresses(
    context: MailContext, session: Session, parsed: ChangeAddress
) -> tuple[Item, ...]:
    more = AddressChange.ADD if parsed.verb is AddressChange.SET else parsed.verb
    each = (parsed, *(replace(parsed, verb=more, address=other) for other in parsed.others))
    return tuple(dict.fromkeys(_change_address(context, session, one) for one in each))


def _change_address(context: MailContext, session: Session, parsed: ChangeAddress) -> Item:
    person = session.person
    parsed = replace(parsed, address=parsed.address or context.opened.sender or person.address)
    if same_mailbox(parsed.address, person.address) and parsed.verb is not AddressChange.REMOVE:
        return CommandDone("address_known", parsed.address)
    if not context.is_confirmed_by_code(person):
        return CommandDone("address_asked", parsed.address)
    people, registered = (
        context.transaction.people,
        context.transaction.people.addresses(person.id),
    )
    known = any(same_mailbox(each, parsed.address) for each in registered)
    if parsed.verb is AddressChange.REMOVE:
        dropped = people.drop_address(person.id, parsed.address)
        return CommandDone("address_removed", parsed.address) if dropped else _refused(parsed)
    if known:
        _register(context, person, parsed.verb, parsed.address)
        return CommandDone("address_known", parsed.address)
    if len(registered) >= ADDRESSES_MAX or not _may_ask_address(context, person, parsed.address):
        return _refused(parsed)
    about = queue.ReplyMeaning(subject=f"{context.mail.id} {parsed.verb.value} {parsed.address}")
    token = queue.token_for(context.transaction, Purpose.ADDRESS, person, about)
    page = confirmation_emails.ConfirmAddress(
        heading=Heading(context.judge.code),
        address=parsed.address,
        code=queue.question_code(context.transaction, token),
    )
    _write(context, page, parsed.address, token)
    return CommandDone("address_sent", parsed.address)


def answer_new_address(context: MailContext, token: Token, *, yes: bool) -> MailOutcome:
    """Register the new address on YES, which came from there."""
    mail, verb, address = (token.subject or "").split(" ", 2)
    asked = context.transaction.inbox.get(int(mail))
    person = context.transaction.people.get(token.person)
    fresh = asked is not None and context.mail.received_utc - asked.received_utc <= VALID
    if person is None or person.key_version != token.key_version or not (fresh and yes):
        return MailOutcome(InboxState.IGNORED, "no address is registered by this")
    owner = context.transaction.people.by_address(address)
    if owner is not None and owner.id != person.id:
        return MailOutcome(InboxState.IGNORED, "the address is somebody else's already")
    before = context.transaction.people.addresses(person.id)
    _register(context, person, AddressChange(verb), address)
    notice = confirmation_emails.AddressChanged(
        heading=Heading(context.judge.code),
        address=address,
        primary=AddressChange(verb) is AddressChange.SET,
    )
    for each in dict.fromkeys((*before, address)):
        _write(context, notice, each, None)
    return PROCESSED


def _register(context: MailContext, person: Person, verb: AddressChange, address: str) -> None:
    """Add *address*; only SET makes it the primary one."""
    if verb is AddressChange.SET or not same_mailbox(address, person.address):
        primary = verb is AddressChange.SET
        context.transaction.people.add_address(person.id, address, primary=primary)


def _may_ask_address(context: MailContext, person: Person, address: str) -> bool:
    """Return whether to send *address*, which may be a stranger's, a question now."""
    people, name = context.transaction.people, f"addresses of {person.id}"
    return people.first_today(
        address, "address", context.now
    ) and context.transaction.budgets.spend(name, ASKED_MAX, ASKED_PAUSE, context.now)


def _refused(parsed: ChangeAddress) -> CommandRefused:
    return CommandRefused(f"{parsed.verb.value} address", Why.NOT_ALLOWED)


def _write(context: MailContext, page: Context, address: str, token: Token | None) -> None:
    draft = queue.EmailDraft(
        contexts=(page,),
        cause=f"{context.cause}:{kind_name(page)}:{address}",
        address=address,
        token=token,
        answers=context.answered,
    )
    queue.queue_email(context.judge, context.transaction, draft, context.now)


# Letters of one script only: the table below covers all that look alike.
FORM = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,18}[A-Za-z0-9]")
OFFICES = ("player", "moderator", "master", "judge", "operator", "observer", "admin", "nobody")
NO_MARKS = str.maketrans("", "", "-_")
SPELLED_OUT = str.maketrans(
    {"\xe4": "ae", "\xf6": "oe", "\xfc": "ue", "\xdf": "ss", "\xf8": "o", "\xe6": "ae"}
)
ALIKE = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("nn", "m"))
LETTERS = str.maketrans("0134578i", "oleastbl")


def _set_handle(context: MailContext, session: Session, parsed: SetHandle) -> Item:
    person = session.person
    others = (each for owner, each in context.transaction.people.handles() if owner != person.id)
    if not FORM.fullmatch(parsed.handle) or _misleads(parsed.handle, context.reading_board):
        return CommandRefused("handle", Why.BAD_HANDLE)
    if look_alike_key(parsed.handle) in map(look_alike_key, others):
        return CommandRefused("handle", Why.HANDLE_TAKEN)
    context.transaction.people.change(person.id, handle=parsed.handle)
    return CommandDone("handle", parsed.handle)


def has_given_handle(person: Person) -> bool:
    """Return whether the handle of *person* is neither chosen by them nor from their name."""
    return person.handle.startswith(GIVEN_HANDLE)


def handle_from_name(transaction: Transaction, person: Person, board: Map) -> str:
    """Derive a handle from the display name of *person*, their first name if it is free.

    Return the handle that they have if they have no name, or one that misleads or is taken.
    """
    last, _, first = person.name.partition(",")  # `Weber, Anna`
    plain = unicodedata.normalize("NFKD", f"{first} {last}".translate(SPELLED_OUT))
    words = re.findall("[A-Za-z0-9]+", "".join(c for c in plain if not unicodedata.combining(c)))
    if _misleads("-".join(words), board):
        return person.handle
    taken = {
        look_alike_key(each) for owner, each in transaction.people.handles() if owner != person.id
    }
    return next(
        (
            each
            for each in (*words[:1], "-".join(words), *words, "".join(word[:1] for word in words))
            if FORM.fullmatch(each)
            and not _misleads(each, board)
            and look_alike_key(each) not in taken
        ),
        person.handle,
    )


def look_alike_key(handle: str) -> str:
    """Return a normal form of *handle*: handles with the same one look alike."""
    text = handle.casefold().translate(NO_MARKS).translate(LETTERS)
    for pair, letter in ALIKE:
        text = text.replace(pair, letter)
    return text


def _misleads(handle: str, board: Map) -> bool:
    seen = look_alike_key(handle)
    return any(look_alike_key(name) in seen for name in _names(board))


def _names(board: Map) -> Iterator[str]:
    yield from OFFICES
    for nation in board.nations.values():
        yield from (nation.name, nation.adjective)


def _set_time_zone(context: MailContext, session: Session, parsed: SetZone) -> Item:
    if parsed.zone is None:
        context.transaction.people.change(session.person.id, zone=None)
        return CommandDone("nozone")
    zone = zones().get(parsed.zone.casefold())
    if zone:
        context.transaction.people.change(session.person.id, zone=zone)
        return CommandDone("zone", zone)
    return LineNotUnderstood(parsed.line, parsed.text, commands_for_zone(parsed.zone))


def _set_language(context: MailContext, session: Session, parsed: SetLanguage) -> Item:
    language = language_named(parsed.word)
    if language is None:
        choices = tuple(f"SET LANGUAGE {each.upper()}" for each in languages())
        return LineNotUnderstood(parsed.line, parsed.text, choices)
    context.transaction.people.change(session.person.id, language=language)
    return CommandDone("language", language_title(language))


def _offer_fewer_mails(context: MailContext, session: Session, parsed: Stop) -> Item:
    """Offer what a player or an observer may mean: some emails of a game must stay."""
    game = context.game(session.game)
    lines = ["SET MAILS CRITICAL", "SET MAILS DAILY"]
    if game and session.person.id in game.observers:
        lines = [f"UNOBSERVE {game.name}"]
    elif game and session.power:
        lines.append(f"RESIGN {game.name}")
    choices = tuple(WishChoice("stop_mail", line) for line in lines)
    return WishOffered(parsed.text.strip(), choices)


def _set_mails(context: MailContext, session: Session, parsed: SetMails) -> Item:
    people, person = context.transaction.people, session.person.id
    match parsed.wish:
        case MailPace() as pace:
            set_email_pace(context.transaction, session.person, pace, context.now)
        case MailForm() as form:
            people.change(person, form=form)
        case ResultPictures() as pictures:
            people.change(person, form=MailForm.PICTURES)
            people.change(person, pictures=pictures)
        case wish:
            assert_never(wish)
    return CommandDone(f"mails_{parsed.wish.value}")


def _set_receipts(context: MailContext, session: Session, parsed: SetReceipts) -> Item:
    context.transaction.people.change(session.person.id, receipts=parsed.receipts)
    return CommandDone(f"receipts_{parsed.receipts.value}")


def set_email_pace(
    transaction: Transaction, person: Person, pace: MailPace, now: datetime
) -> None:
    """Set how soon *person* gets emails, including those already held back."""
    transaction.people.change(person.id, pace=pace)
    transaction.outbox.reschedule(person.id, queue.CAN_WAIT, queue.next_send_time(pace, now))


COMMANDS = (
    CommandRow(
        Stop,
        bare={"STOP": Stop},
        in_person=True,
        scope=Scope.SETTINGS,
        handle=_offer_fewer_mails,
        topic="mails",
        forms=(Form("STOP", "offers a player fewer emails; ends those to strangers"),),
    ),
    CommandRow(
        SetPassword,
        readers=dict.fromkeys(
            ("SET PASSWORD", "SET PW", "SET PASS"), with_word(SetPassword, "word")
        ),
        suggested={"SET PASSWORD": "SET PASSWORD word"},
        secret_names=("SET PASSWORD", "SET PW", "SET PASS"),
        takes_password=True,
        in_person=True,
        by_code=True,
        handle=_set_password,
        topic="password",
        forms=(
            Form(
                "SET PASSWORD word",
                "sets your password for SIGNON in this game; the receipt does not repeat it",
            ),
        ),
    ),
    CommandRow(
        ChangeAddress,
        readers={
            "SET ADDRESS": _address_reader(AddressChange.SET),
            "ADDADDRESS": _address_reader(AddressChange.ADD),
            "REMOVEADDRESS": _address_reader(AddressChange.REMOVE),
        },
        patterns={ALSO: _read_also},
        joined={"ADD ADDRESS": "ADDADDRESS", "REMOVE ADDRESS": "REMOVEADDRESS"},
        suggested={"SET ADDRESS": "SET ADDRESS me@example.org"},
        in_person=True,
        confirmed=True,
        handle=_change_addresses,
        topic="address",
        aliases="add",
        forms=(
            Form(
                "SET ADDRESS me@example.org",
                "sends your mail to another address, once both addresses confirm; the old one "
                "stays registered",
            ),
            Form(
                "ADD ADDRESS me@example.org",
                "lets you write from another address too, once both confirm; five at most",
            ),
            Form("REMOVE ADDRESS me@example.org", "removes an address"),
        ),
    ),
    CommandRow(
        NewTokens,
        bare={"NEWTOKENS": NewTokens},
        joined={"NEW TOKENS": "NEWTOKENS", "NEW TOKEN": "NEWTOKENS"},
        in_person=True,
        handle=_renew_tokens,
        topic="tokens",
        aliases="new",
        forms=(Form("NEW TOKENS", "makes the reply addresses in all earlier emails invalid"),),
    ),
    CommandRow(
        SetMails,
        readers={"MAILS": _read_mails},
        suggested={"SET MAILS": "SET MAILS DAILY"},
        in_person=True,
        scope=Scope.SETTINGS,
        handle=_set_mails,
        topic="mails",
        aliases="unsubscribe, digest, broadcasts",
        forms=(
            Form(
                "SET MAILS AT ONCE | SET MAILS HOURLY | SET MAILS DAILY | SET MAILS CRITICAL",
                "sets how soon press and news of vacant powers reach you",
            ),
            Form(
                "SET MAILS TEXT | SET MAILS HTML | SET MAILS PICTURES",
                "sets the form of your emails",
            ),
            Form(
                "SET MAILS BOTH PICTURES | SET MAILS ORDERS PICTURE | SET MAILS POSITION PICTURE",
                "sets which maps results have",
            ),
        ),
    ),
    CommandRow(
        SetReceipts,
        readers=dict.fromkeys(("SET RECEIPTS", "SET RECEIPT"), _read_receipts),
        suggested={"SET RECEIPTS": "SET RECEIPTS FULL"},
        in_person=True,
        scope=Scope.SETTINGS,
        handle=_set_receipts,
        topic="receipt",
        aliases="receipts, commitment, nonce, proof, log",
        forms=(
            Form(
                "SET RECEIPTS FULL | SET RECEIPTS SHORT",
                "attaches to receipts and results what proves that the judge used your orders, "
                "or not",
            ),
        ),
    ),
    CommandRow(
        SetZone,
        readers={"ZONE": with_word(SetZone, "zone", ZONE)},
        bare={"NOZONE": partial(SetZone, zone=None)},
        joined={"NO ZONE": "NOZONE"},
        suggested={"SET ZONE": "SET ZONE Europe/Berlin"},
        scope=Scope.SETTINGS,
        handle=_set_time_zone,
        topic="zone",
        aliases="timezone",
        forms=(
            Form(
                "SET ZONE Europe/Berlin | SET ZONE Berlin",
                "shows deadlines in your own time zone too",
            ),
            Form("SET NOZONE", "shows deadlines in each game's zone only"),
        ),
    ),
    CommandRow(
        SetHandle,
        readers=dict.fromkeys(("SET HANDLE", "SET NAME"), with_word(SetHandle, "handle")),
        suggested={"SET HANDLE": "SET HANDLE Kaiserin"},
        scope=Scope.SETTINGS,
        handle=_set_handle,
        topic="handle",
        aliases="name, names, nickname",
        forms=(
            Form(
                "SET HANDLE Kaiserin | SET NAME Kaiserin",
                "sets your handle in all games that are not anonymous",
            ),
        ),
    ),
    CommandRow(
        SetLanguage,
        readers=dict.fromkeys(
            ("SET LANGUAGE", "SET LANG"), with_word(SetLanguage, "word", LANGUAGE_WORD)
        ),
        scope=Scope.SETTINGS,
        handle=_set_language,
        topic="language",
        aliases="deutsch, german, francais, french, english",
        forms=(
            Form(
                "SET LANGUAGE DEUTSCH | SET LANGUAGE FR | SET LANGUAGE ENGLISH",
                "sets the language of your emails: English, German or French",
            ),
        ),
    ),
)
