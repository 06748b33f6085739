"""The table of games in SQL."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from judge.adapters.store import tables
from judge.app.ports.summaries import GameCounts
from judge.game.game_state import Stage
from judge.game.game_summary import GameSummary

_GAMES = tables.table(tables.GameRow)
_SUMMARIES = tables.table(tables.GameSummaryRow)
_TAKING_PART = tables.table(tables.GamePersonRow)

_OVER = _SUMMARIES.c.stage == Stage.ENDED.value
_CURRENT = _SUMMARIES.c.stage.in_([Stage.FORMING.value, Stage.PLAYING.value])
_KNOWS = (_TAKING_PART.c.person == sa.bindparam("person")) & _TAKING_PART.c.present
_OLDEST_FIRST = _GAMES.c.created_utc, _SUMMARIES.c.game
_LAST_OVER_FIRST = _SUMMARIES.c.ended_utc.desc(), _SUMMARIES.c.game

# Statements of every email, built once: to build one takes longer than to execute it.
_NAMES_OF_PERSON = (
    sa.select(_TAKING_PART.c.game)
    .where(_KNOWS)
    .order_by(_TAKING_PART.c.game)
    .limit(sa.bindparam("most"))
)
_ALL = sa.select(_SUMMARIES).join_from(_SUMMARIES, _GAMES, _GAMES.c.name == _SUMMARIES.c.game)
_LISTED_AMONG = _ALL.where(
    _CURRENT,
    _SUMMARIES.c.listed,
    _SUMMARIES.c.game.in_(sa.bindparam("names", expanding=True)),
).order_by(*_OLDEST_FIRST)
_OF_PERSON = sa.select(_SUMMARIES).join_from(
    _TAKING_PART, _SUMMARIES, _TAKING_PART.c.game == _SUMMARIES.c.game
)
_COUNT_PHASES = (
    sa.update(_SUMMARIES)
    .where(_SUMMARIES.c.game == sa.bindparam("counted"))
    .values(
        phases_closed=_SUMMARIES.c.phases_closed * sa.bindparam("kept") + sa.bindparam("closed")
    )
)
UNLIMITED = 2**31 - 1


class SqlGameSummaries(tables.Bound):
    """The table of games as one transaction sees it."""

    def put(self, summary: GameSummary, *, came: Collection[str], went: Collection[str]) -> None:
        row = _row_of(summary)
        tables.upsert(self._connection, _SUMMARIES, {"game": row.pop("game")}, row)
        for persons, present in ((came, True), (went, False)):
            for person in sorted(persons):
                self._connection.execute(
                    sa.update(_TAKING_PART)
                    .filter_by(person=person, game=summary.name)
                    .values(present=present)
                )

    def count_phases(self, game: str, closed: int, *, anew: bool = False) -> bool:
        counted = {"counted": game, "closed": closed, "kept": int(not anew)}
        return self._connection.execute(_COUNT_PHASES, counted).rowcount > 0

    def get(self, game: str) -> GameSummary | None:
        row = self._connection.execute(sa.select(_SUMMARIES).filter_by(game=game)).one_or_none()
        return _summary_of(row) if row else None

    def missing(self) -> Sequence[str]:
        unknown = _GAMES.c.name.not_in(sa.select(_SUMMARIES.c.game))
        return (
            self._connection.execute(
                sa.select(_GAMES.c.name).where(unknown).order_by(_GAMES.c.created_utc)
            )
            .scalars()
            .all()
        )

    def all(self) -> Sequence[GameSummary]:
        return self._read(_ALL.order_by(*_OLDEST_FIRST))

    def current(self, *, listed: bool) -> Sequence[GameSummary]:
        wanted = _ALL.where(_CURRENT).order_by(*_OLDEST_FIRST)
        return self._read(wanted.where(_SUMMARIES.c.listed) if listed else wanted)

    def listed_among(self, names: Collection[str]) -> Sequence[GameSummary]:
        return self._read(_LISTED_AMONG, {"names": names}) if names else ()

    def with_places(self, limit: int) -> Sequence[GameSummary]:
        forming = _SUMMARIES.c.stage == Stage.FORMING.value
        free = _ALL.where(forming, _SUMMARIES.c.listed, _SUMMARIES.c.places > 0)
        return self._read(free.order_by(*_OLDEST_FIRST).limit(limit))

    def over(self, limit: int, skipped: int = 0, *, listed: bool = True) -> Sequence[GameSummary]:
        wanted = sa.select(_SUMMARIES).where(_OVER).order_by(*_LAST_OVER_FIRST)
        wanted = wanted.limit(limit).offset(skipped)
        return self._read(wanted.where(_SUMMARIES.c.listed) if listed else wanted)

    def count_over(self) -> int:
        found = sa.select(sa.func.count()).select_from(_SUMMARIES)
        return self._connection.execute(found.where(_OVER, _SUMMARIES.c.listed)).scalar_one()

    def of(self, person: str, ended: int) -> Sequence[GameSummary]:
        known = {"person": person}
        current = self._read(_OF_PERSON.where(_KNOWS, _CURRENT).order_by(_SUMMARIES.c.game), known)
        over = _OF_PERSON.where(_KNOWS, _OVER).order_by(*_LAST_OVER_FIRST).limit(ended)
        return (*current, *self._read(over, known))

    def names_of(self, person: str, limit: int | None = None) -> Sequence[str]:
        asked = {"person": person, "most": UNLIMITED if limit is None else limit}
        return self._connection.execute(_NAMES_OF_PERSON, asked).scalars().all()

    def moderated_by(self, person: str, limit: int) -> Sequence[str]:
        moderated = sa.select(_SUMMARIES.c.game).where(_SUMMARIES.c.moderator == person)
        found = moderated.join_from(
            _TAKING_PART, _SUMMARIES, _TAKING_PART.c.game == _SUMMARIES.c.game
        ).where(_KNOWS)
        return self._connection.execute(found.limit(limit), {"person": person}).scalars().all()

    def wanting_standbys(self) -> Sequence[str]:
        wanted = (
            sa.select(_SUMMARIES.c.game)
            .join_from(_SUMMARIES, _GAMES, _GAMES.c.name == _SUMMARIES.c.game)
            .where(_SUMMARIES.c.stage == Stage.PLAYING.value, _SUMMARIES.c.standbys_wanted > 0)
            .order_by(*_OLDEST_FIRST)
        )
        return self._connection.execute(wanted).scalars().all()

    def counts(self) -> GameCounts:
        stage, closed = _SUMMARIES.c.stage, sa.func.sum(_SUMMARIES.c.phases_closed)
        counted = sa.select(stage, sa.func.count(), closed).group_by(stage)
        found = self._connection.execute(counted).all()
        numbers = {name: number for name, number, _ in found}
        stages = {each: numbers.get(each.value, 0) for each in Stage}
        return GameCounts(stages, sum(int(phases) for _, _, phases in found))

    def _read(
        self, wanted: sa.Select[object], asked: Mapping[str, object] | None = None
    ) -> Sequence[GameSummary]:
        return tuple(map(_summary_of, self._connection.execute(wanted, asked or {})))


def _row_of(summary: GameSummary) -> dict[str, object]:
    row = tables.cells(summary)
    row |= {"stage": summary.stage.value, "game": row.pop("name")}
    row |= {"deadline_utc": row.pop("deadline"), "ended_utc": row.pop("ended")}
    row |= {"vacant": " ".join(summary.vacant), "winners": " ".join(summary.winners)}
    return row | {"origin": json.dumps(summary.origin) if summary.origin else None}


def _summary_of(row: sa.Row[object]) -> GameSummary:
    cells = dict(row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for the row as a mapping
    del cells["phases_closed"]
    cells |= {"name": cells.pop("game"), "stage": Stage(row.stage)}
    cells |= {"deadline": cells.pop("deadline_utc"), "ended": cells.pop("ended_utc")}
    cells |= {"vacant": tuple(row.vacant.split()), "winners": tuple(row.winners.split())}
    return GameSummary(**cells | {"origin": json.loads(row.origin) if row.origin else None})
