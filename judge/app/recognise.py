"""Who speaks: what a mail's addresses, threads and passwords prove (DECISIONS, Who speaks)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from judge.app.judge import Judge
from judge.app.ports import IncomingMail, Person, Purpose, Token, Transaction
from judge.mail.envelope import Letter
from judge.mail.grammar import tag_in_subject
from judge.mail.identity import token_of
from judge.rules.vocabulary import Power


@dataclass(frozen=True, slots=True)
class Speaker:
    """A person we know wrote this; *game* and *power* if the mail he answered says so.

    *phase* is the phase of the mail that he answered; *press_to* the power whose press he answered. *how* goes into the
    evidence.
    """

    person: Person
    how: str
    game: str | None = None
    power: Power | None = None
    phase: str | None = None
    press_to: str | None = None


@dataclass(frozen=True, slots=True)
class Doubtful:
    """It claims to be from *person*, and nothing proves it; *said* is what a proof would let him say."""

    person: Person
    said: Speaker


@dataclass(frozen=True, slots=True)
class Confirming:
    """Somebody answers a confirm mail of ours."""

    token: Token


@dataclass(frozen=True, slots=True)
class Stranger:
    """Nobody we know."""


Who: TypeAlias = Speaker | Doubtful | Confirming | Stranger


def recognise(judge: Judge, transaction: Transaction, mail: IncomingMail, letter: Letter) -> Who:
    """Say who wrote *letter*, by the strongest evidence there is."""
    token = token_of_mail(judge, transaction, mail, letter)
    if token and token.purpose in (Purpose.CONFIRM, Purpose.JOIN):
        return Confirming(token)
    claim = (token and _by_token(transaction, token)) or _by_thread(transaction, letter)
    owner = transaction.people.by_address(letter.sender) if letter.sender else None
    if mail.confirmed_person:
        return _confirmed(transaction, mail.confirmed_person, claim)
    if claim is None:
        return Doubtful(owner, Speaker(owner, "from")) if owner else Stranger()
    if owner and owner.id == claim.person.id:
        return claim
    if owner:
        # A token of one player in another's hand: it has leaked.
        transaction.people.raise_key_version(claim.person.id)
    return Doubtful(claim.person, claim)


def token_of_mail(
    judge: Judge, transaction: Transaction, mail: IncomingMail, letter: Letter
) -> Token | None:
    """Return what the token in the address, or in the subject, or of the mail answered stands for."""
    text = token_of(mail.recipient, judge.address, judge.delimiter) or tag_in_subject(
        letter.subject
    )
    return transaction.people.redeem(text) if text else None


def _by_token(transaction: Transaction, token: Token) -> Speaker | None:
    person = transaction.people.get(token.person)
    if person is None or person.key_version != token.key_version:
        return None
    press_to = token.subject if token.purpose is Purpose.PRESS else None
    return Speaker(person, "token", token.game, token.power, token.phase, press_to)


def _by_thread(transaction: Transaction, letter: Letter) -> Speaker | None:
    for message_id in letter.answers:
        answered = transaction.outbox.find(message_id)
        token = transaction.people.redeem(answered.token) if answered and answered.token else None
        claim = _by_token(transaction, token) if token else None
        if claim:
            return replace(claim, how="thread")
    return None


def _confirmed(transaction: Transaction, person_id: str, claim: Speaker | None) -> Who:
    person = transaction.people.get(person_id)
    if person is None:
        return Stranger()
    if claim and claim.person.id == person_id:
        return claim
    return Speaker(person, "confirmed")
