"""When each game wants a look, when anybody last looked and what was missed, in a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, func, select, update

from judge.adapters.tables import AgendaRow, EventRow, GameRow, PulseRow, table, upsert

JUDGE, DOUBT = "judge", "doubt"  # whose pulse it is, and since when that was in the future
ENDED = "game_ended"

_AGENDA = table(AgendaRow)
_PULSE = table(PulseRow)
_GAMES = table(GameRow)
_EVENTS = table(EventRow)


class SqlAgenda:
    """The agenda as one transaction sees it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def beat(self, now: datetime) -> None:
        """Note that the judge is awake."""
        upsert(self._connection, _PULSE, {"name": JUDGE}, {"beat_utc": now})

    def last_beat(self) -> datetime | None:
        """Say when the judge was last known to be awake."""
        return self._beat(JUDGE)

    def doubt(self, since: datetime | None) -> None:
        """Note *since* when the clock shows less than at the last beat; None if it does not."""
        if since is None:
            self._connection.execute(delete(_PULSE).where(_PULSE.c.name == DOUBT))
        else:
            upsert(self._connection, _PULSE, {"name": DOUBT}, {"beat_utc": since})

    def doubted_since(self) -> datetime | None:
        """Say since when the clock shows less than at the last beat."""
        return self._beat(DOUBT)

    def set(self, game: str, due_utc: datetime | None) -> None:
        """Note when *game* wants a look, None for never."""
        if due_utc is None:
            self._connection.execute(delete(_AGENDA).where(_AGENDA.c.game == game))
        else:
            upsert(self._connection, _AGENDA, {"game": game}, {"due_utc": due_utc})

    def due(self, now: datetime, limit: int = 100) -> Sequence[str]:
        """Name some games that want a look: first those to which no time is to be given back."""
        order = _AGENDA.c.away_since_utc.is_not(None), _AGENDA.c.due_utc, _AGENDA.c.game
        waiting = select(_AGENDA.c.game).where(_AGENDA.c.due_utc <= now).order_by(*order)
        return self._connection.execute(waiting.limit(limit)).scalars().all()

    def miss(self, began: datetime, now: datetime) -> None:
        """Note that the judge was away since *began*, and that every game wants a look *now*.

        A game to which the time of an earlier outage is still to be given back gets both.
        """
        since = func.coalesce(_AGENDA.c.away_since_utc, began)
        self._connection.execute(update(_AGENDA).values(due_utc=now, away_since_utc=since))

    def missed_since(self, game: str) -> datetime | None:
        """Say since when time is to be given back to *game*."""
        since = select(_AGENDA.c.away_since_utc).where(_AGENDA.c.game == game)
        missed: datetime | None = self._connection.execute(since).scalar_one_or_none()
        return missed

    def made_up(self, game: str) -> None:
        """Note that *game* has its time back."""
        mine = update(_AGENDA).where(_AGENDA.c.game == game)
        self._connection.execute(mine.values(away_since_utc=None))

    def forgotten(self) -> Sequence[str]:
        """Name the games that want none, though they do not end with their end."""
        last = (_EVENTS.c.game == _GAMES.c.name) & (_EVENTS.c.version == _GAMES.c.version)
        unknown = (
            select(_GAMES.c.name)
            .join_from(_GAMES, _EVENTS, last)
            .join(_AGENDA, _AGENDA.c.game == _GAMES.c.name, isouter=True)
            .where(_AGENDA.c.game.is_(None), _EVENTS.c.type != ENDED)
        )
        return self._connection.execute(unknown).scalars().all()

    def is_due(self, game: str, now: datetime) -> bool:
        """Say whether *game* wants a look."""
        waits = select(_AGENDA.c.game).where(_AGENDA.c.game == game, _AGENDA.c.due_utc <= now)
        return self._connection.execute(waits).first() is not None

    def next_due(self) -> datetime | None:
        """Say when the next game wants a look."""
        earliest = select(func.min(_AGENDA.c.due_utc))
        due: datetime | None = self._connection.execute(earliest).scalar_one()
        return due

    def _beat(self, name: str) -> datetime | None:
        beat = select(_PULSE.c.beat_utc).where(_PULSE.c.name == name)
        found: datetime | None = self._connection.execute(beat).scalar_one_or_none()
        return found
