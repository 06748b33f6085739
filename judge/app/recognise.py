"""Who speaks: what a mail's addresses, threads and passwords prove (DECISIONS, Who speaks)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from judge.app.judge import Judge
from judge.app.ports import IncomingMail, Person, Purpose, Token, Transaction
from judge.mail.envelope import Letter
from judge.mail.grammar import tag_in_subject
from judge.mail.identity import is_ours, same_mailbox, token_of


@dataclass(frozen=True, slots=True)
class Speaker:
    """A person we know wrote this, about *game* if the mail that he answered says so.

    *phase* is the phase of that mail, *answered* the mail of his that it answered, *press_to*
    whose press it was. *how* goes into the evidence.
    """

    person: Person
    how: str
    game: str | None = None
    phase: str | None = None
    answered: str | None = None
    press_to: str | None = None


@dataclass(frozen=True, slots=True)
class Doubtful:
    """It claims to be from *person*, unproven; *said* is what a proof would let him say."""

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
    owner = transaction.people.by_address(letter.sender) if letter.sender else None
    token, how = _token(judge, transaction, mail, letter)
    if token and token.purpose in (Purpose.CONFIRM, Purpose.JOIN):
        return Confirming(token)
    holder = transaction.people.get(token.person) if token else None
    claim = _claim(token, holder, how) if token and holder else None
    if mail.confirmed_person:
        return _confirmed(transaction, mail.confirmed_person, claim)
    if token is None or claim is None:
        return Doubtful(owner, Speaker(owner, "from")) if owner else Stranger()
    if token.key_version != claim.person.key_version:
        return Doubtful(
            claim.person, claim
        )  # Worthless as a proof, it still says what is answered.
    his = owner is not None and owner.id == claim.person.id
    shared = how == "token" and _has_companions(judge, transaction, letter, claim)
    if (owner and not his) or shared:
        claim = _with_new_tokens(transaction, claim)
    return claim if his else Doubtful(claim.person, claim)


def what_it_answers(
    judge: Judge, transaction: Transaction, mail: IncomingMail, letter: Letter
) -> str | None:
    """Name the mail of his that *mail* answers our answer to."""
    token, _ = _token(judge, transaction, mail, letter)
    return token.subject if token and token.purpose is Purpose.ORDERS else None


def _token(
    judge: Judge, transaction: Transaction, mail: IncomingMail, letter: Letter
) -> tuple[Token | None, str]:
    """Return the token in the address or the subject, else of the mail answered; and which."""
    text = token_of(mail.recipient, judge.address, judge.delimiter)
    token = transaction.people.redeem(text or tag_in_subject(letter.subject) or "")
    if token:
        return token, "token"
    answered = (transaction.outbox.find(message_id) for message_id in letter.answers)
    tokens = (transaction.people.redeem(each.token) for each in answered if each and each.token)
    return next((each for each in tokens if each), None), "thread"


def _claim(token: Token, holder: Person, how: str) -> Speaker:
    speaker = Speaker(holder, how, token.game, token.phase)
    if token.purpose is Purpose.PRESS:
        return replace(speaker, press_to=token.subject)
    return replace(speaker, answered=token.subject)


def _has_companions(
    judge: Judge, transaction: Transaction, letter: Letter, claim: Speaker
) -> bool:
    """Say whether others can read in the mail the address that speaks for its writer."""
    own = transaction.people.addresses(claim.person.id)
    return any(
        not is_ours(each, judge.address, judge.delimiter)
        and not any(same_mailbox(each, address) for address in own)
        for each in letter.recipients
    )


def _with_new_tokens(transaction: Transaction, claim: Speaker) -> Speaker:
    """Make the tokens of the speaker worthless, since one has leaked; he will get others."""
    transaction.people.raise_key_version(claim.person.id)
    person = transaction.people.get(claim.person.id)
    assert person is not None, "he was found a moment ago"
    return replace(claim, person=person)


def _confirmed(transaction: Transaction, person_id: str, claim: Speaker | None) -> Who:
    person = transaction.people.get(person_id)
    if person is None:
        return Stranger()
    if claim and claim.person.id == person_id:
        return claim
    return Speaker(person, "confirmed")
