"""Who wrote an email: one rule, for every setting, every house rule and every way in.

An email acts for a player if it comes from a registered address of theirs and shows one thing
more. Anything else waits until they confirm it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, assert_never

from judge.game.house_rules import Proof
from judge.reports.emails.confirmation_emails import ConfirmationReason


class Answers(Enum):
    """By what an email answers one of ours."""

    NOTHING = "nothing"
    TOKEN = "token"  # noqa: S105 - in the address that it was sent to, or in its subject
    THREAD = "thread"  # it names the Message-ID


class How(Enum):
    """What proves who wrote an email; the evidence of events has these words."""

    CONFIRMED = "confirmed"  # they have answered YES to our question
    TOKEN = "token"  # noqa: S105 - see `Answers`
    THREAD = "thread"
    VOUCHED = "boundary"  # the boundary, or a signature that covers it, vouches for the From
    PASSWORD = "password"  # noqa: S105 - of a SIGNON
    ADDRESS = "from"  # its From, in a game that asks for no more


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What an email shows of whether one player wrote it.

    *registered*: its From is an address of theirs. *vouched*: a signature, or the mail server at
    the boundary, vouches for that From and for this email; *forged*: the boundary says that it is
    not from there. *boundary*: this judge has one, so a From that it does not vouch for is worth
    less. *answers*: by what it answers one of our emails to them, which may be *revoked* (they
    have new tokens since) or of a *closed* phase. *password*: it holds their password.
    *confirmed*: they said that it is theirs.
    """

    registered: bool
    vouched: bool = False
    forged: bool = False
    boundary: bool = False
    answers: Answers = Answers.NOTHING
    revoked: bool = False
    closed: bool = False
    password: bool = False
    confirmed: bool = False

    @property
    def live_answer(self) -> How | None:
        """Return what the email it answers proves by itself.

        Many read a Message-ID: other players in a thread, the servers on the way. So where a
        boundary checks mail it must vouch for whoever answers it.
        """
        if self.revoked or self.closed or self.answers is Answers.NOTHING:
            return None
        if self.answers is Answers.TOKEN:
            return How.TOKEN
        return How.THREAD if self.vouched or not self.boundary else None


@dataclass(frozen=True, slots=True)
class Proven:
    """The email is the player's, and *how* that is known."""

    how: How


@dataclass(frozen=True, slots=True)
class Unproven:
    """The email waits until the player confirms it, and *why*."""

    why: ConfirmationReason


Authorship: TypeAlias = Proven | Unproven


def authorship(signs: Signs, rule: Proof) -> Authorship:
    """Return whether an email acts for a player, in a game whose house rules ask for *rule*."""
    if signs.confirmed:
        return Proven(How.CONFIRMED)
    if not signs.registered:
        return Unproven(ConfirmationReason.ELSEWHERE)
    if signs.forged:
        return Unproven(ConfirmationReason.UNPROVEN)
    vouched = How.VOUCHED if signs.vouched else None
    password = How.PASSWORD if signs.password else None
    standard = signs.live_answer or vouched or password
    match rule:
        case Proof.STANDARD:
            how = standard
        case Proof.LOOSE:
            how = standard or How.ADDRESS
        case (
            Proof.STRICT
        ):  # both: it comes from there, and whoever wrote it knows what only they do
            answers = signs.answers is not Answers.NOTHING and not signs.revoked
            how = (signs.live_answer or vouched) if answers else password
            how = how if vouched else None
        case _:
            assert_never(rule)
    return Proven(how) if how else Unproven(_doubt(signs))


def _doubt(signs: Signs) -> ConfirmationReason:
    """Return why an email from a registered address is not enough."""
    if signs.revoked:
        return ConfirmationReason.OLD_TOKEN
    return ConfirmationReason.CLOSED_PHASE if signs.closed else ConfirmationReason.UNPROVEN
