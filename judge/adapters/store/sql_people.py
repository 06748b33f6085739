"""People in a database: addresses, tokens, and the erasure of personal data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, TypeAlias, Unpack

import sqlalchemy as sa
from sqlmodel import SQLModel

from judge.adapters.store import tables
from judge.adapters.store.sql_inbox import empty_emails
from judge.adapters.store.sql_outbox import HAS_TEXT, TO_GO, OutboxState, remove_texts
from judge.app.ports import people
from judge.app.ports.inbox import InboxState
from judge.mail.headers import MORE_ADDRESSES, TOKEN_LETTERS, folded, token_digest
from judge.reports.languages import SOURCE

ANSWER_INTERVAL = timedelta(hours=24)  # One email a day to a stranger.

_PEOPLE = tables.table(tables.PersonRow)
_ADDRESSES = tables.table(tables.AddressRow)
_KEYS = tables.table(tables.PersonKeyRow)
_PASSWORDS = tables.table(tables.PasswordRow)
_TOKENS = tables.table(tables.TokenRow)
_EVIDENCE = tables.table(tables.EvidenceRow)
_SIGNATURES = tables.table(tables.SignatureRow)
_ANSWERS = tables.table(tables.AnswerRow)
_TOKEN = [_TOKENS.c[field.name] for field in fields(people.Token)]

# Statements of every email, built once: to build one takes longer than to execute it.
_ADDRESS = _ADDRESSES.c.address, _ADDRESSES.c.folded
_PRIMARY_FIRST = _ADDRESSES.c.is_primary.desc(), _ADDRESSES.c.folded
_PERSONS = (  # a row for each address
    sa.select(_PEOPLE, *_ADDRESS).join_from(_PEOPLE, _ADDRESSES).order_by(*_PRIMARY_FIRST)
)
_PERSONS_OF_IDS = _PERSONS.where(_PEOPLE.c.id.in_(sa.bindparam("persons", expanding=True)))
_OWNED = _ADDRESSES.alias("owned")
_PERSON_OF_ADDRESS = _PERSONS.join(_OWNED, _OWNED.c.person == _PEOPLE.c.id).where(
    _OWNED.c.folded == sa.bindparam("folded")
)
_TOKEN_OF_DIGEST = (  # and its holder
    sa.select(*(each.label(f"token_{each.name}") for each in _TOKEN), _PEOPLE, *_ADDRESS)
    .join_from(_TOKENS, _PEOPLE, _PEOPLE.c.id == _TOKENS.c.person, isouter=True)
    .join(_ADDRESSES, isouter=True)
    .where(_TOKENS.c.digest == sa.bindparam("digest"))
    .order_by(*_PRIMARY_FIRST)
)


class SqlPeople:
    """The people as one transaction sees them, each read once unless it changes them."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._read: dict[str, people.Person] = {}
        self._addresses: dict[str, list[str]] = {}
        self._owners: dict[str, str] = {}  # of addresses

    def add(self, person: str, address: str, handle: str, key: bytes, now: datetime) -> None:
        somebody = {
            "id": person,
            "handle": handle,
            "key_version": 1,
            "created_utc": now,
            "pace": people.MailPace.AT_ONCE.value,
            "form": people.MailForm.PICTURES.value,
            "language": SOURCE,
            "name": "",
            "pictures": people.ResultPictures.BOTH.value,
            "receipts": people.Receipts.SHORT.value,
        }
        primary = {
            "folded": folded(address),
            "address": address,
            "person": person,
            "is_primary": True,
        }
        self._connection.execute(sa.insert(_PEOPLE), somebody)
        self._connection.execute(sa.insert(_ADDRESSES), primary)
        self._connection.execute(sa.insert(_KEYS), {"person": person, "key": key})

    def get(self, person: str) -> people.Person | None:
        return self.get_each((person,)).get(person)

    def get_each(self, persons: Collection[str]) -> Mapping[str, people.Person]:
        unread = [each for each in persons if each not in self._read]
        if unread:
            self._note(self._connection.execute(_PERSONS_OF_IDS, {"persons": unread}).all())
        return {each: self._read[each] for each in persons if each in self._read}

    def by_address(self, address: str) -> people.Person | None:
        name = folded(address)
        if name not in self._owners:
            self._note(self._connection.execute(_PERSON_OF_ADDRESS, {"folded": name}).all())
        owner = self._owners.get(name)
        return self._read[owner] if owner else None

    def _note(self, rows: Sequence[sa.Row[*tuple[Any, ...]]]) -> None:
        """Remember the people in *rows*, which have each address of theirs, the primary first."""
        known = frozenset(self._read)
        for row in rows:
            if row.id in known or row.id is None:
                continue
            self._owners[row.folded] = row.id
            self._addresses.setdefault(row.id, []).append(row.address)
            self._read[row.id] = people.Person(
                row.id,
                row.handle,
                self._addresses[row.id][0],
                row.zone,
                row.key_version,
                people.MailPace(row.pace),
                people.MailForm(row.form),
                row.language,
                row.name,
                people.ResultPictures(row.pictures),
                people.Receipts(row.receipts),
            )

    def addresses(self, person: str) -> Sequence[str]:
        return self._addresses[person] if self.get(person) else ()

    def _change(self, person: str, **values: object) -> None:
        theirs = sa.update(_PEOPLE).where(_PEOPLE.c.id == person)
        self._connection.execute(theirs.values(**values))
        self._forget(person)

    def _forget(self, person: str) -> None:
        self._read.pop(person, None)
        self._addresses.pop(person, None)
        self._owners = {name: each for name, each in self._owners.items() if each != person}

    def key(self, person: str) -> bytes | None:
        kept = sa.select(_KEYS.c.key).where(_KEYS.c.person == person)
        return self._connection.execute(kept).scalar_one_or_none()

    def set_password(self, game: str, person: str, hashed: str) -> None:
        tables.upsert(
            self._connection, _PASSWORDS, {"game": game, "person": person}, {"hash": hashed}
        )

    def passwords(self, game: str) -> Sequence[tuple[str, str]]:
        kept = sa.select(_PASSWORDS.c.person, _PASSWORDS.c.hash).where(_PASSWORDS.c.game == game)
        return [(row.person, row.hash) for row in self._connection.execute(kept)]

    def add_address(self, person: str, address: str, *, primary: bool) -> None:
        if primary:
            theirs = sa.update(_ADDRESSES).where(_ADDRESSES.c.person == person)
            self._connection.execute(theirs.values(is_primary=False))
        row = {"address": address, "person": person, "is_primary": primary}
        tables.upsert(self._connection, _ADDRESSES, {"folded": folded(address)}, row)
        for known in (self._read, self._addresses, self._owners):
            known.clear()  # the address may have been another person's

    def drop_address(self, person: str, address: str) -> bool:
        theirs = sa.delete(_ADDRESSES).where(
            _ADDRESSES.c.person == person,
            _ADDRESSES.c.folded == folded(address),
            ~_ADDRESSES.c.is_primary,
        )
        self._forget(person)
        return self._connection.execute(theirs).rowcount > 0

    def revoke(self, person: str, game: str) -> None:
        theirs = sa.update(_TOKENS).filter_by(person=person, game=game)
        self._connection.execute(theirs.values(key_version=0))

    def tokens_of_ended_games(self, before: datetime, after: str, limit: int) -> Sequence[str]:
        digest = _TOKENS.c.digest
        theirs = digest > after, _TOKENS.c.game.in_(tables.ended_games(before))
        found = sa.select(digest).where(*theirs).order_by(digest).limit(limit)
        return self._connection.execute(found).scalars().all()

    def remove_tokens(self, digests: Collection[str]) -> None:
        self._connection.execute(sa.delete(_TOKENS).where(_TOKENS.c.digest.in_(digests)))

    def raise_key_version(self, person: str) -> None:
        self._change(person, key_version=_PEOPLE.c.key_version + 1)

    def handles(self) -> Sequence[tuple[str, str]]:
        given = _PEOPLE.c.handle.startswith(people.GIVEN_HANDLE)
        chosen = self._connection.execute(sa.select(_PEOPLE.c.id, _PEOPLE.c.handle).where(~given))
        return [(row.id, row.handle) for row in chosen]

    def change(self, person: str, **settings: Unpack[people.PersonSettings]) -> None:
        values = {
            name: value.value if isinstance(value, Enum) else value
            for name, value in settings.items()
        }
        self._change(person, **values)

    def stand_by(self, person: str, since: datetime | None) -> None:
        self._change(person, standby_utc=since)

    def standing_by(self) -> Sequence[str]:
        waiting = (
            sa.select(_PEOPLE.c.id)
            .where(_PEOPLE.c.standby_utc.is_not(None))
            .order_by(_PEOPLE.c.standby_utc, _PEOPLE.c.id)
        )
        return self._connection.execute(waiting).scalars().all()

    def issue(self, *tokens: people.Token) -> None:
        rows = [
            {
                **tables.cells(each),
                "purpose": each.purpose.value,
                "digest": token_digest(each.text),
            }
            for each in tokens
        ]
        if rows:
            tables.upsert_all(self._connection, _TOKENS, ("digest",), rows)

    def redeem(self, text: str) -> people.Token | None:
        """Return the meaning of a token, compared without case; None if it is unknown.

        Its holder is read as well, as whoever redeems it needs them next.

        The look-up is by digest, no letter of which a guesser can choose: its duration reveals
        nothing about the token.
        """
        asked = {"digest": token_digest(text)}
        rows = self._connection.execute(_TOKEN_OF_DIGEST, asked).all()
        if not rows:
            return None
        self._note(rows)
        text, purpose, *meaning = rows[0][: len(_TOKEN)]
        return people.Token(text, people.Purpose(purpose), *meaning)

    def add_evidence(self, evidence: people.Evidence, now: datetime) -> None:
        values = tables.cells(evidence)
        tables.upsert(
            self._connection, _EVIDENCE, {"id": values.pop("id")}, {**values, "recorded_utc": now}
        )

    def evidence(self, name: str) -> people.Evidence | None:
        columns = (_EVIDENCE.c[field.name] for field in fields(people.Evidence))
        found = self._connection.execute(sa.select(*columns).filter_by(id=name)).mappings()
        row = found.one_or_none()
        return people.Evidence(**row) if row else None

    def first_proof(self, signature: str, sha256: str) -> bool:
        of = sa.select(_SIGNATURES.c.sha256).where(_SIGNATURES.c.digest == signature)
        proven = self._connection.execute(of).scalar_one_or_none()
        if proven is None:
            row = {"digest": signature, "sha256": sha256}
            self._connection.execute(sa.insert(_SIGNATURES), row)
        return proven in (None, sha256)

    def note_stranger(self, address: str, note: str, now: datetime) -> None:
        stranger = {"address": folded(address), "kind": note}
        tables.upsert(self._connection, _ANSWERS, stranger, {"answered_utc": now})

    def notes_on_stranger(self, address: str, notes: Sequence[str]) -> Sequence[str]:
        made = (
            sa.select(_ANSWERS.c.kind)
            .where(_ANSWERS.c.address == folded(address), _ANSWERS.c.kind.in_(notes))
            .order_by(_ANSWERS.c.answered_utc.desc())
        )
        return tuple(self._connection.execute(made).scalars())

    def first_today(self, address: str, kind: str, now: datetime) -> bool:
        if self.answered_today(address, kind, now):
            return False
        stranger = {"address": folded(address), "kind": kind}
        tables.upsert(self._connection, _ANSWERS, stranger, {"answered_utc": now})
        return True

    def answered_today(self, address: str, kind: str, now: datetime) -> bool:
        last = sa.select(_ANSWERS.c.answered_utc).filter_by(address=folded(address), kind=kind)
        answered = self._connection.execute(last).scalar_one_or_none()
        return answered is not None and now - answered < ANSWER_INTERVAL


BATCH = 500
FORGOTTEN = "its writer was forgotten"
_Counts: TypeAlias = Iterator[tuple[str, int]]
DONE = (InboxState.PROCESSED.value, InboxState.IGNORED.value, InboxState.QUARANTINED.value)

ERASED_ROWS = {
    "addresses": "addresses",
    "passwords": "passwords",
    "person_keys": "the key of their press, which no one can read any more",
}

_INBOX = tables.table(tables.InboxRow)
_OUTBOX = tables.table(tables.OutboxRow)
_MENTIONS = tables.table(tables.MentionRow)
_NAMING = tables.table(tables.IncomingMentionRow)
_EVENTS = tables.table(tables.EventRow)
_BUDGETS = tables.table(tables.BudgetRow)
_LETTERS = tables.table(tables.UniqueEmailRow)
_TAKING_PART = tables.table(tables.GamePersonRow)


class SqlPersonalData(tables.Bound):
    """The traces of people as one transaction sees them.

    Erasure removes an email's bytes, but its row stays: the digest identifies it when it comes
    again, and the row records its outcome.
    """

    def erase(self, reading: people.TraceSearch, share: people.TraceShare) -> people.Erased:
        stays, whom = Counter[str](), reading.whom
        goes = dict(self._erase_in(whom, share, stays))
        goes.update(self._erase_out(whom, share, stays))
        goes.update(self._small_things(whom))
        if whom.person:
            goes.update(self._erase_person(whom.person))
        stays["events that name an address of theirs"] = len(reading.naming)
        stays["games with their id in the log"] = len(share.games)
        return people.Erased(goes, +stays)

    def read(self, reading: people.TraceSearch) -> None:
        whom, payload = reading.whom, _EVENTS.c.payload
        theirs = sa.select(_TAKING_PART.c.game).where(_TAKING_PART.c.person == whom.person)
        reading.games |= {*self._connection.execute(theirs).scalars()}
        new, reading.events_read = self._unread_events(reading.events_read)
        named = sa.or_(*(payload.contains(each, autoescape=True) for each in whom.addresses))
        found = sa.select(_EVENTS.c.position).where(new, named)
        reading.naming |= {*self._connection.execute(found).scalars()}

    def _unread_events(self, read: int) -> tuple[sa.ColumnElement[bool] | sa.TextClause, int]:
        """Return the condition for the events that may be unread, and how far they go."""
        last = sa.select(sa.func.max(_EVENTS.c.position))
        return _EVENTS.c.position > read, self._connection.execute(last).scalar_one() or 0

    def _erase_in(
        self, whom: people.TracedPerson, share: people.TraceShare, stays: Counter[str]
    ) -> _Counts:
        """Empty emails that the person wrote, that name them, or that are about their games."""
        addresses = frozenset(folded(each) for each in whom.addresses)
        tokens = self._tokens_of(whom.person)
        about = self._tokens_about(share.games)
        mine, others = set[int](), set[int]()
        columns = _INBOX.c.id, _INBOX.c.sha256, _INBOX.c.sender, _INBOX.c.recipient
        letters, naming = self._letters_of(whom.person), self._naming(whom)
        for row in self._connection.execute(
            sa.select(*columns, _INBOX.c.state, _INBOX.c.confirmed_person, _INBOX.c.held_for)
        ):
            token = _token(row.recipient)
            if (
                row.id in letters
                or folded(row.sender) in addresses
                or token in tokens
                or (whom.person and whom.person in (row.confirmed_person, row.held_for))
            ):
                mine.add(row.id)
            elif row.sha256 in share.letters or token in about or row.id in naming:
                if row.state in DONE:
                    others.add(row.id)
                else:
                    stays["emails of others that wait"] += 1
            elif row.state == InboxState.RECEIVED.value:
                stays["emails that are not opened yet"] += 1
        yield "emails from or about them", self._empty_mails(mine, sender="", reason=FORGOTTEN)
        yield "texts of others' emails about them or their games", self._empty_mails(others)
        waits = _INBOX.c.state.in_([InboxState.RECEIVED.value, InboxState.HELD.value])
        self._change(
            sa.update(_INBOX).where(waits).values(state=InboxState.IGNORED.value),
            _INBOX.c.id,
            mine,
        )
        nobody = sa.update(_INBOX).values(confirmed_person=None, held_for=None)
        self._change(nobody, _INBOX.c.id, mine)
        self._change(sa.update(_EVIDENCE).values(proof=""), _EVIDENCE.c.mail, mine)
        yield "signatures", self._signatures(mine)

    def _erase_out(
        self, whom: people.TracedPerson, share: people.TraceShare, stays: Counter[str]
    ) -> _Counts:
        to_them = sa.or_(
            _OUTBOX.c.person == (whom.person or ""),
            *(_OUTBOX.c.recipient.ilike(each, "\\") for each in map(_literal, whom.addresses)),
        )
        yield "emails to them", self._remove(_OUTBOX, to_them)
        queued = _OUTBOX.c.state.in_(TO_GO)
        in_games = _OUTBOX.c.game.in_(share.games)
        press = _TOKENS.c.purpose == people.Purpose.PRESS.value, _TOKENS.c.subject.in_(share.press)
        letters = _OUTBOX.c.token.in_(sa.select(_TOKENS.c.text).where(*press))
        yield (
            "press of theirs that is not sent yet",
            self._remove(_OUTBOX, queued & in_games & letters),
        )
        names = [*map(folded, whom.addresses), *share.games, *filter(None, (whom.person,))]
        named = sa.select(_MENTIONS.c.message_id).where(_MENTIONS.c.name.in_(names))
        about = in_games | _OUTBOX.c.message_id.in_(named)
        enclosed = _OUTBOX.c.state == OutboxState.ENCLOSED.value
        digests = sa.select(_OUTBOX.c.reason).where(about, enclosed)
        about = HAS_TEXT & (about | _OUTBOX.c.message_id.in_(digests))
        sent, waiting = (
            {*self._connection.execute(sa.select(_OUTBOX.c.id).where(about, which)).scalars()}
            for which in (~queued, queued)
        )
        for some in _some(sent):
            remove_texts(self._connection, some)
        yield "texts of emails to others about them or their games", len(sent)
        stays["emails to others that wait to be sent"] += len(waiting)

    def _small_things(self, whom: people.TracedPerson) -> _Counts:
        addresses = [folded(each) for each in whom.addresses]
        yield (
            "times of answers to their address",
            self._remove(_ANSWERS, _ANSWERS.c.address.in_(addresses)),
        )
        named = [_BUDGETS.c.name.contains(each, autoescape=True) for each in addresses]
        held = [_TOKENS.c.subject.icontains(each, autoescape=True) for each in addresses]
        if whom.person:
            named.append(_BUDGETS.c.name.contains(whom.person, autoescape=True))
            held.append(_TOKENS.c.person == whom.person)
        yield "counts for the limits on their requests", self._remove(_BUDGETS, sa.or_(*named))
        yield "reply addresses", self._remove(_TOKENS, sa.or_(*held))

    def _erase_person(self, person: str) -> _Counts:
        told = "records of their emails, to recognize duplicates"
        yield told, self._remove(_LETTERS, _LETTERS.c.person == person)
        self._remove(_TAKING_PART, _TAKING_PART.c.person == person)  # The logs name them forever.
        for each in reversed(SQLModel.metadata.sorted_tables):
            for column in each.c:
                if any(key.column.table is _PEOPLE for key in column.foreign_keys):
                    yield (
                        ERASED_ROWS.get(each.name, each.name),
                        self._remove(each, column == person),
                    )
        yield (
            "the person, with handle and time zone",
            self._remove(_PEOPLE, _PEOPLE.c.id == person),
        )

    def _tokens_of(self, person: str | None) -> frozenset[str]:
        theirs = sa.select(_TOKENS.c.text).where(_TOKENS.c.person == person)
        return frozenset(self._connection.execute(theirs).scalars()) if person else frozenset()

    def _tokens_about(self, games: Sequence[str]) -> frozenset[str]:
        about = sa.select(_TOKENS.c.text).where(_TOKENS.c.game.in_(games))
        return frozenset(self._connection.execute(about).scalars())

    def _letters_of(self, person: str | None) -> frozenset[int]:
        theirs = sa.select(_LETTERS.c.mail).where(_LETTERS.c.person == person)
        return frozenset(self._connection.execute(theirs).scalars()) if person else frozenset()

    def _naming(self, whom: people.TracedPerson) -> frozenset[int]:
        """Return the emails that name an address of *whom*, or more than are recorded."""
        names = [*map(folded, whom.addresses), *filter(None, (whom.person,)), MORE_ADDRESSES]
        found = sa.select(_NAMING.c.mail).where(_NAMING.c.name.in_(names))
        return frozenset(self._connection.execute(found).scalars())

    def _empty_mails(self, mails: set[int], **values: str) -> int:
        return sum(empty_emails(self._connection, some, **values) for some in _some(mails))

    def _signatures(self, mails: set[int]) -> int:
        gone = 0
        for some in _some(mails):
            digests = sa.select(_INBOX.c.sha256).where(_INBOX.c.id.in_(some))
            gone += self._remove(_SIGNATURES, _SIGNATURES.c.sha256.in_(digests))
        return gone

    def _change(self, change: sa.Update, key: sa.ColumnElement[int], numbers: set[int]) -> int:
        changes = (change.where(key.in_(some)) for some in _some(numbers))
        return sum(self._connection.execute(each).rowcount for each in changes)

    def _remove(self, from_: sa.Table, which: sa.ColumnElement[bool]) -> int:
        return self._connection.execute(sa.delete(from_).where(which)).rowcount


def _token(recipient: str) -> str:
    return recipient.partition("@")[0][-TOKEN_LETTERS:].lower()


def _some(numbers: Iterable[int]) -> Iterator[list[int]]:
    listed = sorted(numbers)
    for begin in range(0, len(listed), BATCH):
        yield listed[begin : begin + BATCH]


def _literal(text: str) -> str:
    return text.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
