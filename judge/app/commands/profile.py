"""Settings of a person: password, address, handle, time zone, language and email pace."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from typing import TypeAlias, assert_never
from zoneinfo import available_timezones

from judge.app.commands.context import COMMAND_BOARD, MailContext, Session
from judge.app.outbound.digest import CAN_WAIT, _next
from judge.app.outbound.queue import EmailDraft, ReplyMeaning, queue_email, token_for
from judge.app.ports.inbox import PROCESSED, InboxState, MailOutcome
from judge.app.ports.people import GIVEN_HANDLE, Person, Purpose, Token
from judge.app.ports.storage import Transaction
from judge.game.decision import Why
from judge.mail.language.profile_commands import (
    AddressChange,
    ChangeAddress,
    MailForm,
    MailPace,
    NewTokens,
    ResultPictures,
    SetHandle,
    SetLanguage,
    SetMails,
    SetPassword,
    SetZone,
)
from judge.mail.mail_addresses import same_mailbox
from judge.notation.names import closest_matches
from judge.reports.emails import confirmation_emails
from judge.reports.emails.contexts import Context
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item, LineNotUnderstood
from judge.reports.languages import language_named, language_title, languages
from judge.reports.render import kind_name
from judge.rules.board import Map

SetsPreference: TypeAlias = SetMails | SetZone | SetHandle | SetLanguage
ProfileCommand: TypeAlias = SetPassword | ChangeAddress | NewTokens | SetsPreference


def handle_profile_command(desk: MailContext, session: Session, said: ProfileCommand) -> Item:
    """Do what concerns no power, but how he who plays is known and written to."""
    match said:
        case SetPassword(word=word):
            return _set_game_password(desk, session, word)
        case ChangeAddress():
            return change_address(desk, session.person, said)
        case NewTokens():
            desk.transaction.people.raise_key_version(session.person.id)
            return CommandDone("tokens")
        case habit:
            return _set_preference(desk, session, habit)


def _set_preference(desk: MailContext, session: Session, said: SetsPreference) -> Item:
    """Note how somebody wants to be called, and to be told things."""
    match said:
        case SetHandle():
            return set_handle(desk, session, said)
        case SetZone():
            return set_time_zone(desk, session, said)
        case SetLanguage():
            return set_language(desk, session, said)
        case SetMails(wish=wish):
            set_email_options(desk.transaction, session.person, wish, desk.now)
            return CommandDone(f"mails_{wish.value}")
        case _:
            assert_never(said)


def _set_game_password(desk: MailContext, session: Session, word: str) -> Item:
    hashed = desk.judge.passwords.hash(word)
    desk.transaction.people.set_password(session.game, session.person.id, hashed)
    return CommandDone("password")


ADDRESSES_MAX = 5
ASKED_MAX, ASKED_PAUSE = 5, timedelta(days=1)  # new addresses a player may have asked
VALID = timedelta(days=14)  # a confirm mail to a new address


def change_address(desk: MailContext, person: Person, said: ChangeAddress) -> Item:
    """Do what a player asks of his addresses; he has been asked back where he is registered."""
    if desk.mail.confirmed_person != person.id:
        return CommandDone("address_asked", said.address)
    people, his = desk.transaction.people, desk.transaction.people.addresses(person.id)
    known = any(same_mailbox(each, said.address) for each in his)
    if said.verb is AddressChange.REMOVE:
        dropped = people.drop_address(person.id, said.address)
        return CommandDone("address_removed", said.address) if dropped else _refused(said)
    if known:
        _register(desk, person, said.verb, said.address)
        return CommandDone("address_known", said.address)
    if len(his) >= ADDRESSES_MAX or not _may_ask_address(desk, person, said.address):
        return _refused(said)
    about = ReplyMeaning(subject=f"{desk.mail.id} {said.verb.value} {said.address}")
    token = token_for(desk.transaction, Purpose.ADDRESS, person, about)
    context = confirmation_emails.confirm_address(said.address, judge_code=desk.judge.code)
    _write(desk, context, said.address, token)
    return CommandDone("address_sent", said.address)


def answer_new_address(desk: MailContext, token: Token, *, yes: bool) -> MailOutcome:
    """Register the address that was asked, if it is from there that the answer comes."""
    mail, verb, address = (token.subject or "").split(" ", 2)
    asked = desk.transaction.inbox.get(int(mail))
    person = desk.transaction.people.get(token.person)
    fresh = asked is not None and desk.mail.received_utc - asked.received_utc <= VALID
    his = desk.letter.sender is not None and same_mailbox(desk.letter.sender, address)
    if person is None or person.key_version != token.key_version or not (fresh and his and yes):
        return MailOutcome(InboxState.IGNORED, "no address is registered by this")
    owner = desk.transaction.people.by_address(address)
    if owner is not None and owner.id != person.id:
        return MailOutcome(InboxState.IGNORED, "the address is somebody else's already")
    before = desk.transaction.people.addresses(person.id)
    _register(desk, person, AddressChange(verb), address)
    notice = confirmation_emails.address_changed(
        address, primary=AddressChange(verb) is AddressChange.SET, judge_code=desk.judge.code
    )
    for each in dict.fromkeys((*before, address)):
        _write(desk, notice, each, None)
    return PROCESSED


def _register(desk: MailContext, person: Person, verb: AddressChange, address: str) -> None:
    """Let *person* have *address*; the one that is written to stays so unless he says SET."""
    if verb is AddressChange.SET or not same_mailbox(address, person.address):
        primary = verb is AddressChange.SET
        desk.transaction.people.add_address(person.id, address, primary=primary)


def _may_ask_address(desk: MailContext, person: Person, address: str) -> bool:
    """Say whether *address*, which may be anybody's, can be asked now."""
    people, name = desk.transaction.people, f"addresses of {person.id}"
    return people.first_today(address, "address", desk.now) and desk.transaction.budgets.spend(
        name, ASKED_MAX, ASKED_PAUSE, desk.now
    )


def _refused(said: ChangeAddress) -> CommandRefused:
    return CommandRefused(f"{said.verb.value} address", Why.NOT_ALLOWED)


def _write(desk: MailContext, context: Context, address: str, token: Token | None) -> None:
    letter = EmailDraft(
        contexts=(context,),
        cause=f"{desk.cause}:{kind_name(context)}:{address}",
        address=address,
        token=token,
        answers=desk.answered,
    )
    queue_email(desk.judge, desk.transaction, letter, desk.now)


# Letters of one script only: there are no two that look alike but by the table below.
FORM = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,18}[A-Za-z0-9]")
OFFICES = ("player", "moderator", "master", "judge", "operator", "observer", "admin", "nobody")
NO_MARKS = str.maketrans("", "", "-_")
SPELLED_OUT = str.maketrans(
    {"\xe4": "ae", "\xf6": "oe", "\xfc": "ue", "\xdf": "ss", "\xf8": "o", "\xe6": "ae"}
)
ALIKE = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("nn", "m"))
LETTERS = str.maketrans("0134578i", "oleastbl")


def set_handle(desk: MailContext, session: Session, said: SetHandle) -> Item:
    """Let others know the speaker by the name that *said* has, if that can be told from others."""
    person = session.person
    others = (each for owner, each in desk.transaction.people.handles() if owner != person.id)
    if not FORM.fullmatch(said.handle) or _misleads(said.handle, desk.judge.boards(COMMAND_BOARD)):
        return CommandRefused("handle", Why.BAD_HANDLE)
    if skeleton(said.handle) in map(skeleton, others):
        return CommandRefused("handle", Why.HANDLE_TAKEN)
    desk.transaction.people.set_handle(person.id, said.handle)
    return CommandDone("handle", said.handle)


def handle_offered(transaction: Transaction, person: Person, board: Map) -> str | None:
    """Make a handle of what the emails of *person* call them, if they have chosen none.

    None if they have no name, or one that would mislead or is taken.
    """
    if not person.handle.startswith(GIVEN_HANDLE) or not person.name:
        return None
    plain = unicodedata.normalize("NFKD", person.name.translate(SPELLED_OUT))
    words = re.findall("[A-Za-z0-9]+", "".join(c for c in plain if not unicodedata.combining(c)))
    if _misleads("-".join(words), board):
        return None
    taken = {skeleton(each) for owner, each in transaction.people.handles() if owner != person.id}
    return next(
        (
            each
            for each in ("-".join(words), *words[:1], "".join(word[:1] for word in words))
            if FORM.fullmatch(each) and not _misleads(each, board) and skeleton(each) not in taken
        ),
        None,
    )


def skeleton(handle: str) -> str:
    """Return what is left of *handle* to a hasty eye: two that have the same look alike."""
    text = handle.casefold().translate(NO_MARKS).translate(LETTERS)
    for pair, letter in ALIKE:
        text = text.replace(pair, letter)
    return text


def _misleads(handle: str, board: Map) -> bool:
    """Say whether somebody might take *handle* for a power, or for who is in charge."""
    seen = skeleton(handle)
    return any(skeleton(name) in seen for name in _names(board))


def _names(board: Map) -> Iterator[str]:
    yield from OFFICES
    for nation in board.nations.values():
        yield from (nation.name, nation.adjective)


SHOWN_MAX = 3


def set_time_zone(desk: MailContext, session: Session, said: SetZone) -> Item:
    """Let deadlines be told in the zone that *said* names, or again in that of each game."""
    if said.zone is None:
        desk.transaction.people.set_zone(session.person.id, None)
        return CommandDone("nozone")
    named = _zones().get(said.zone.casefold(), ())
    if len(named) == 1:
        desk.transaction.people.set_zone(session.person.id, named[0])
        return CommandDone("zone", named[0])
    nearest = " or ".join(f"SET ZONE {each}" for each in named or _near(said.zone))
    return LineNotUnderstood(said.line, said.text, nearest or None)


def _near(word: str) -> tuple[str, ...]:
    found = closest_matches(word.casefold(), _zones())
    return tuple(dict.fromkeys(zone for _, name in found for zone in _zones()[name]))[:SHOWN_MAX]


@cache
def _zones() -> dict[str, tuple[str, ...]]:
    """Return the zones by their whole names, and by the last parts, as Berlin is one."""
    found: dict[str, tuple[str, ...]] = {}
    for zone in sorted(available_timezones()):
        city = zone.rpartition("/")[2].casefold()
        if "/" in zone and not zone.startswith(("Etc/", "posix/", "right/")):
            found[city] = (*found.get(city, ()), zone)
    whole = {zone.casefold(): (zone,) for zone in available_timezones()}
    return found | whole


def set_language(desk: MailContext, session: Session, said: SetLanguage) -> Item:
    """Write to him from now on in the language that *said* names, this answer included."""
    language = language_named(said.word)
    if language is None:
        choices = " or ".join(f"SET LANGUAGE {each.upper()}" for each in languages())
        return LineNotUnderstood(said.line, said.text, choices)
    desk.transaction.people.set_language(session.person.id, language)
    return CommandDone("language", language_title(language))


def set_email_options(
    transaction: Transaction,
    person: Person,
    wish: MailPace | MailForm | ResultPictures,
    now: datetime,
) -> None:
    """Let mails go to *person* from now on as he has a *wish* for."""
    match wish:
        case MailPace():
            set_email_pace(transaction, person, wish, now)
        case MailForm():
            transaction.people.set_form(person.id, wish)
        case ResultPictures():
            transaction.people.set_form(person.id, MailForm.PICTURES)
            transaction.people.set_pictures(person.id, wish)
        case _:
            assert_never(wish)


def set_email_pace(
    transaction: Transaction, person: Person, pace: MailPace, now: datetime
) -> None:
    """Let mails go to *person* at that *pace* from now on, those that wait for it among them."""
    transaction.people.set_pace(person.id, pace)
    transaction.outbox.reschedule(person.id, CAN_WAIT, _next(pace, now))
