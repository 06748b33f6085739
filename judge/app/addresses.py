"""The addresses of a player: each is his when he has said so from it, and from one he had."""

from __future__ import annotations

from datetime import timedelta

from judge.app.desk import Desk
from judge.app.finished import PROCESSED, Finished
from judge.app.incoming import InboxState
from judge.app.ports import Person, Purpose, Token
from judge.app.post import Letter, Meaning, post, token_for
from judge.game.decision import Why
from judge.mail.language.profile_commands import AddressChange, ChangeAddress
from judge.mail.mail_addresses import same_mailbox
from judge.reports.emails import confirmation_emails
from judge.reports.emails.contexts import Context
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item
from judge.reports.render import kind_name

ADDRESSES_MAX = 5
ASKED_MAX, ASKED_PAUSE = 5, timedelta(days=1)  # new addresses a player may have asked
VALID = timedelta(days=14)  # a confirm mail to a new address


def change_address(desk: Desk, person: Person, said: ChangeAddress) -> Item:
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
    if len(his) >= ADDRESSES_MAX or not _may_ask(desk, person, said.address):
        return _refused(said)
    about = Meaning(subject=f"{desk.mail.id} {said.verb.value} {said.address}")
    token = token_for(desk.transaction, Purpose.ADDRESS, person, about)
    context = confirmation_emails.confirm_address(said.address, judge_code=desk.judge.code)
    _write(desk, context, said.address, token)
    return CommandDone("address_sent", said.address)


def answer_new_address(desk: Desk, token: Token, *, yes: bool) -> Finished:
    """Register the address that was asked, if it is from there that the answer comes."""
    mail, verb, address = (token.subject or "").split(" ", 2)
    asked = desk.transaction.inbox.get(int(mail))
    person = desk.transaction.people.get(token.person)
    fresh = asked is not None and desk.mail.received_utc - asked.received_utc <= VALID
    his = desk.letter.sender is not None and same_mailbox(desk.letter.sender, address)
    if person is None or person.key_version != token.key_version or not (fresh and his and yes):
        return Finished(InboxState.IGNORED, "no address is registered by this")
    owner = desk.transaction.people.by_address(address)
    if owner is not None and owner.id != person.id:
        return Finished(InboxState.IGNORED, "the address is somebody else's already")
    before = desk.transaction.people.addresses(person.id)
    _register(desk, person, AddressChange(verb), address)
    notice = confirmation_emails.address_changed(
        address, primary=AddressChange(verb) is AddressChange.SET, judge_code=desk.judge.code
    )
    for each in dict.fromkeys((*before, address)):
        _write(desk, notice, each, None)
    return PROCESSED


def _register(desk: Desk, person: Person, verb: AddressChange, address: str) -> None:
    """Let *person* have *address*; the one that is written to stays so unless he says SET."""
    if verb is AddressChange.SET or not same_mailbox(address, person.address):
        primary = verb is AddressChange.SET
        desk.transaction.people.add_address(person.id, address, primary=primary)


def _may_ask(desk: Desk, person: Person, address: str) -> bool:
    """Say whether *address*, which may be anybody's, can be asked now."""
    people, name = desk.transaction.people, f"addresses of {person.id}"
    return people.first_today(address, "address", desk.now) and desk.transaction.budgets.spend(
        name, ASKED_MAX, ASKED_PAUSE, desk.now
    )


def _refused(said: ChangeAddress) -> CommandRefused:
    return CommandRefused(f"{said.verb.value} address", Why.NOT_ALLOWED)


def _write(desk: Desk, context: Context, address: str, token: Token | None) -> None:
    letter = Letter(
        contexts=(context,),
        cause=f"{desk.cause}:{kind_name(context)}:{address}",
        address=address,
        token=token,
        answers=desk.answered,
    )
    post(desk.judge, desk.transaction, letter, desk.now)
