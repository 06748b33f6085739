"""People in a database: the only tables with addresses, handles, passwords and keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Connection, delete, insert, select, update

from judge.adapters.store.tables import (
    AddressRow,
    AnswerRow,
    EvidenceRow,
    PasswordRow,
    PersonKeyRow,
    PersonRow,
    SignatureRow,
    TokenRow,
    table,
    upsert,
)
from judge.app.ports.people import (
    GIVEN_HANDLE,
    MailForm,
    MailPace,
    Person,
    Purpose,
    ResultPictures,
    Token,
)
from judge.mail.mail_addresses import folded
from judge.reports.languages import SOURCE

ANSWER_INTERVAL = timedelta(hours=24)  # One mail a day to a stranger.

_PEOPLE = table(PersonRow)
_ADDRESSES = table(AddressRow)
_KEYS = table(PersonKeyRow)
_PASSWORDS = table(PasswordRow)
_TOKENS = table(TokenRow)
_EVIDENCE = table(EvidenceRow)
_SIGNATURES = table(SignatureRow)
_ANSWERS = table(AnswerRow)
_TOKEN = [_TOKENS.c[field.name] for field in fields(Token)]


class SqlPeople:
    """The people as one transaction sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, person: str, address: str, handle: str, key: bytes, now: datetime) -> None:
        """Register a person with a verified primary address and the key of his press."""
        somebody = {
            "id": person,
            "handle": handle,
            "key_version": 1,
            "created_utc": now,
            "pace": MailPace.AT_ONCE.value,
            "form": MailForm.PICTURES.value,
            "language": SOURCE,
            "name": "",
            "pictures": ResultPictures.BOTH.value,
        }
        primary = {
            "folded": folded(address),
            "address": address,
            "person": person,
            "is_primary": True,
        }
        self._connection.execute(insert(_PEOPLE), somebody)
        self._connection.execute(insert(_ADDRESSES), primary)
        self._connection.execute(insert(_KEYS), {"person": person, "key": key})

    def get(self, person: str) -> Person | None:
        """Return a person by id."""
        found = (
            select(_PEOPLE, _ADDRESSES.c.address)
            .join_from(_PEOPLE, _ADDRESSES)
            .where(_PEOPLE.c.id == person, _ADDRESSES.c.is_primary)
        )
        row = self._connection.execute(found).one_or_none()
        if row is None:
            return None
        return Person(
            row.id,
            row.handle,
            row.address,
            row.zone,
            row.key_version,
            MailPace(row.pace),
            MailForm(row.form),
            row.language,
            row.name,
            ResultPictures(row.pictures),
        )

    def by_address(self, address: str) -> Person | None:
        """Return who registered *address*, compared without case."""
        owner = select(_ADDRESSES.c.person).where(_ADDRESSES.c.folded == folded(address))
        person = self._connection.execute(owner).scalar_one_or_none()
        return self.get(person) if person else None

    def addresses(self, person: str) -> Sequence[str]:
        """Return the registered addresses of a person, the primary one first."""
        owned = (
            select(_ADDRESSES.c.address)
            .where(_ADDRESSES.c.person == person)
            .order_by(_ADDRESSES.c.is_primary.desc(), _ADDRESSES.c.folded)
        )
        return self._connection.execute(owned).scalars().all()

    def key(self, person: str) -> bytes | None:
        """Return the key of a person's press, None if they are forgotten."""
        kept = select(_KEYS.c.key).where(_KEYS.c.person == person)
        return self._connection.execute(kept).scalar_one_or_none()

    def set_password(self, game: str, person: str, hashed: str) -> None:
        """Keep the hash of the password that signs *person* on to *game*."""
        upsert(self._connection, _PASSWORDS, {"game": game, "person": person}, {"hash": hashed})

    def passwords(self, game: str) -> Sequence[tuple[str, str]]:
        """Return (person, hash) for each password in *game*."""
        kept = select(_PASSWORDS.c.person, _PASSWORDS.c.hash).where(_PASSWORDS.c.game == game)
        return [(row.person, row.hash) for row in self._connection.execute(kept)]

    def add_address(self, person: str, address: str, *, primary: bool) -> None:
        """Register another verified address; a *primary* one is written to from now on."""
        if primary:
            his = update(_ADDRESSES).where(_ADDRESSES.c.person == person)
            self._connection.execute(his.values(is_primary=False))
        row = {"address": address, "person": person, "is_primary": primary}
        upsert(self._connection, _ADDRESSES, {"folded": folded(address)}, row)

    def drop_address(self, person: str, address: str) -> bool:
        """Forget a registered address, which must not be the primary one; False if it was."""
        his = delete(_ADDRESSES).where(
            _ADDRESSES.c.person == person,
            _ADDRESSES.c.folded == folded(address),
            ~_ADDRESSES.c.is_primary,
        )
        return self._connection.execute(his).rowcount > 0

    def revoke(self, person: str, game: str) -> None:
        """Make the tokens worthless that *person* has for *game*; others stay."""
        his = update(_TOKENS).filter_by(person=person, game=game)
        self._connection.execute(his.values(key_version=0))

    def raise_key_version(self, person: str) -> None:
        """Make every token that was given to *person* worthless."""
        self._connection.execute(
            update(_PEOPLE)
            .where(_PEOPLE.c.id == person)
            .values(key_version=_PEOPLE.c.key_version + 1)
        )

    def set_pace(self, person: str, pace: MailPace) -> None:
        """Set how soon *person* gets emails that can wait."""
        chosen = update(_PEOPLE).where(_PEOPLE.c.id == person).values(pace=pace.value)
        self._connection.execute(chosen)

    def set_handle(self, person: str, handle: str) -> None:
        """Note by which name *person* is known to others."""
        his = update(_PEOPLE).where(_PEOPLE.c.id == person)
        self._connection.execute(his.values(handle=handle))

    def handles(self) -> Sequence[tuple[str, str]]:
        """Return (person, handle) for each chosen handle."""
        given = _PEOPLE.c.handle.startswith(GIVEN_HANDLE)
        chosen = self._connection.execute(select(_PEOPLE.c.id, _PEOPLE.c.handle).where(~given))
        return [(row.id, row.handle) for row in chosen]

    def set_form(self, person: str, form: MailForm) -> None:
        """Set the form of emails to *person*."""
        chosen = update(_PEOPLE).where(_PEOPLE.c.id == person).values(form=form.value)
        self._connection.execute(chosen)

    def set_pictures(self, person: str, pictures: ResultPictures) -> None:
        """Note which pictures *person* wants in emails with results."""
        chosen = update(_PEOPLE).where(_PEOPLE.c.id == person).values(pictures=pictures.value)
        self._connection.execute(chosen)

    def set_name(self, person: str, name: str) -> None:
        """Note what the emails of *person* call them."""
        self._connection.execute(update(_PEOPLE).where(_PEOPLE.c.id == person).values(name=name))

    def stand_by(self, person: str, since: datetime | None) -> None:
        """Set since when *person* is a standby for any game; None if not."""
        his = update(_PEOPLE).where(_PEOPLE.c.id == person)
        self._connection.execute(his.values(standby_utc=since))

    def standing_by(self) -> Sequence[str]:
        """Return the standbys for any game, the longest waiting first."""
        waiting = (
            select(_PEOPLE.c.id)
            .where(_PEOPLE.c.standby_utc.is_not(None))
            .order_by(_PEOPLE.c.standby_utc, _PEOPLE.c.id)
        )
        return self._connection.execute(waiting).scalars().all()

    def set_language(self, person: str, language: str) -> None:
        """Note the code of the language in which *person* is written to."""
        chosen = update(_PEOPLE).where(_PEOPLE.c.id == person).values(language=language)
        self._connection.execute(chosen)

    def set_zone(self, person: str, zone: str | None) -> None:
        """Set the zone of deadlines in emails to *person*; None for that of each game."""
        chosen = update(_PEOPLE).where(_PEOPLE.c.id == person).values(zone=zone)
        self._connection.execute(chosen)

    def issue(self, token: Token) -> None:
        """Remember what a token stands for; the same token twice is one."""
        meaning = {**asdict(token), "purpose": token.purpose.value}
        upsert(self._connection, _TOKENS, {"digest": _digest(token.text)}, meaning)

    def redeem(self, text: str) -> Token | None:
        """Return what a token stands for, compared without case; None if it is unknown.

        It is looked up by its digest, of which a guesser cannot choose a letter: how long the
        search takes says nothing about the token.
        """
        known = select(*_TOKEN).where(_TOKENS.c.digest == _digest(text))
        row = self._connection.execute(known).mappings().one_or_none()
        return Token(**{**row, "purpose": Purpose(row["purpose"])}) if row else None

    def add_evidence(self, evidence: str, mail: int, how: str, proof: str, now: datetime) -> None:
        """Record how the sender of an email was recognised, for events to refer to by id."""
        values = {"mail": mail, "how": how, "proof": proof, "recorded_utc": now}
        upsert(self._connection, _EVIDENCE, {"id": evidence}, values)

    def first_proof(self, signature: str, sha256: str) -> bool:
        """Take the digest of a *signature* as proof for the mail *sha256*; False if of another."""
        of = select(_SIGNATURES.c.sha256).where(_SIGNATURES.c.digest == signature)
        proven = self._connection.execute(of).scalar_one_or_none()
        if proven is None:
            row = {"digest": signature, "sha256": sha256}
            self._connection.execute(insert(_SIGNATURES), row)
        return proven in (None, sha256)

    def first_today(self, address: str, kind: str, now: datetime) -> bool:
        """Count an answer of *kind* to a stranger; False if he had one in the last 24 hours."""
        stranger = {"address": folded(address), "kind": kind}
        last = select(_ANSWERS.c.answered_utc).filter_by(**stranger)
        answered = self._connection.execute(last).scalar_one_or_none()
        if answered is not None and now - answered < ANSWER_INTERVAL:
            return False
        upsert(self._connection, _ANSWERS, stranger, {"answered_utc": now})
        return True


def _digest(token: str) -> str:
    return sha256(token.casefold().encode()).hexdigest()
