"""When each game next wants a look, and when anybody last looked, in a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, func, select

from judge.adapters.tables import AgendaRow, EventRow, GameRow, PulseRow, table, upsert

JUDGE = "judge"  # whose pulse it is
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
        last = select(_PULSE.c.beat_utc).where(_PULSE.c.name == JUDGE)
        beat: datetime | None = self._connection.execute(last).scalar_one_or_none()
        return beat

    def set(self, game: str, due_utc: datetime | None) -> None:
        """Note when *game* wants a look, None for never."""
        if due_utc is None:
            self._connection.execute(delete(_AGENDA).where(_AGENDA.c.game == game))
        else:
            upsert(self._connection, _AGENDA, {"game": game}, {"due_utc": due_utc})

    def due(self, now: datetime) -> Sequence[str]:
        """Name the games that want a look."""
        waiting = (
            select(_AGENDA.c.game)
            .where(_AGENDA.c.due_utc <= now)
            .order_by(_AGENDA.c.due_utc, _AGENDA.c.game)
        )
        return self._connection.execute(waiting).scalars().all()

    def all(self) -> Sequence[str]:
        """Name the games that want a look some time."""
        return self._connection.execute(select(_AGENDA.c.game)).scalars().all()

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
