"""Who speaks: what a mail's addresses, threads and passwords prove (DECISIONS, Who speaks)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from judge.app.evidence import NONE, Evidence
from judge.app.incoming import IncomingMail
from judge.app.judge import Judge
from judge.app.ports import Person, Purpose, Token, Transaction
from judge.game.game import Game
from judge.game.house_rules import Proof
from judge.mail.envelope import Letter
from judge.mail.identity import is_ours, same_mailbox, token_of
from judge.mail.language.grammar import tag_in_subject
from judge.reports.greetings import Doubt

# As the subjects of our own mails have it: `JUDG:lepanto - F1901M Results`.
GAME_IN_SUBJECT = re.compile(r"\b[A-Z][A-Z0-9]{1,7}:([a-z][a-z0-9-]{0,15})\b")
CONFIRMED = (Purpose.CONFIRM, Purpose.JOIN, Purpose.ADDRESS, Purpose.MODERATE)


@dataclass(frozen=True, slots=True)
class Speaker:
    """A person we know wrote this, about *game* if the mail that he answered says so.

    *phase* is the phase of that mail, *answered* the mail of his that it answered, *press_to*
    whose press it was, *settles* the held mail of his that the question was about. *how* goes into
    the evidence.
    """

    person: Person
    how: str
    game: str | None = None
    phase: str | None = None
    answered: str | None = None
    press_to: str | None = None
    settles: str | None = None


@dataclass(frozen=True, slots=True)
class Doubtful:
    """It claims to be from *person*, unproven; *said* is what a proof would let him say."""

    person: Person
    said: Speaker
    why: Doubt = Doubt.UNPROVEN


@dataclass(frozen=True, slots=True)
class Confirming:
    """Somebody answers a confirm mail of ours."""

    token: Token


@dataclass(frozen=True, slots=True)
class Stranger:
    """Nobody we know."""


Who: TypeAlias = Speaker | Doubtful | Confirming | Stranger


def recognise(
    judge: Judge,
    transaction: Transaction,
    mail: IncomingMail,
    letter: Letter,
    proof: Evidence = NONE,
) -> Who:
    """Say who wrote *letter*, by the strongest evidence there is; *proof* speaks for its From."""
    owner = transaction.people.by_address(letter.sender) if letter.sender else None
    token, how = _token(judge, transaction, mail, letter)
    if token and token.purpose in CONFIRMED:
        return Confirming(token)
    holder = transaction.people.get(token.person) if token else None
    claim = _claim(token, holder, how) if token and holder else None
    if mail.confirmed_person:
        return _confirmed(transaction, mail.confirmed_person, claim)
    if token is None or claim is None:
        return _by_address(judge, transaction, owner, letter, proof) if owner else Stranger()
    if token.key_version != claim.person.key_version:
        # Worthless as a proof, it still says what is answered.
        return Doubtful(claim.person, claim, Doubt.OLD_TOKEN)
    his = owner is not None and owner.id == claim.person.id
    shared = how == "token" and _has_companions(judge, transaction, letter, claim)
    if (owner and not his) or shared:
        claim = _with_new_tokens(transaction, claim)
    strict = _rule(judge, transaction, claim) is Proof.STRICT
    proven = his and not proof.forged and (proof.verified or not strict)
    why = Doubt.UNPROVEN if his else Doubt.ELSEWHERE
    return claim if proven else Doubtful(claim.person, claim, why)


def _by_address(
    judge: Judge, transaction: Transaction, owner: Person, letter: Letter, proof: Evidence
) -> Who:
    """Say whether *letter* is of *owner*, whose address it comes from and who answers nothing."""
    named = GAME_IN_SUBJECT.search(letter.subject)
    speaker = Speaker(owner, "boundary" if proof.verified else "from", named[1] if named else None)
    proven = {
        Proof.STRICT: False,
        Proof.STANDARD: proof.verified,
        Proof.LOOSE: not proof.forged,
    }
    enough = proven[_rule(judge, transaction, speaker)]
    return speaker if enough else Doubtful(owner, speaker)


def _rule(judge: Judge, transaction: Transaction, speaker: Speaker) -> Proof:
    """Return what the game asks for that *speaker* is heard in."""
    name = speaker.game or only_game(judge, transaction, speaker.person)
    game = judge.histories.load(transaction, judge.boards, name) if name else None
    return game.house_rules.proof if game else Proof.STANDARD


def only_game(judge: Judge, transaction: Transaction, person: Person) -> str | None:
    """Name the game that *person* takes part in, if it is the only one."""
    his = games_of(judge, transaction, person)
    return his[0].name if len(his) == 1 else None


def games_of(judge: Judge, transaction: Transaction, person: Person) -> Sequence[Game]:
    """Return the games that *person* takes part in."""
    names = transaction.events.games_of(person.id)
    found = (judge.histories.load(transaction, judge.boards, name) for name in names)
    return [game for game in found if game and game.knows(person.id)]


def is_subject_of_ours(subject: str) -> bool:
    """Say whether *subject* is that of a mail of ours, as mail programs take it over."""
    named = GAME_IN_SUBJECT.search(subject)
    return named is not None and subject.startswith(" - ", named.end())


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
    if token.purpose is Purpose.SETTLE:
        return replace(speaker, settles=token.subject)
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
