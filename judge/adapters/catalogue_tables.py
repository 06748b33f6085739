"""The tables of a catalogue of recorded games, which has nothing to do with the judge's own."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, UniqueConstraint

APPLICATION_ID = 0x4A554443  # "JUDC", which `file` and we know a catalogue by
VERSION = 1  # of the tables; a catalogue of another is made anew

METADATA = MetaData()


def _of_game() -> Column[int]:
    cascade = ForeignKey("games.id", ondelete="CASCADE")
    return Column("game", Integer, cascade, nullable=False, index=True)


FILES = Table(
    "files",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("path", String, nullable=False, unique=True),
    Column("size", Integer, nullable=False),
    Column("sha256", String, nullable=False),
    Column("how", String, nullable=False),  # the options it was read with
    Column("unread", String, nullable=False),  # why not all of it was, empty if all was
)
GAMES = Table(
    "games",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("file", Integer, ForeignKey("files.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),  # its place in the file, from 1
    Column("name", String, nullable=False),
    Column("folded", String, nullable=False),
    Column("format", String, nullable=False),
    Column("source", String, nullable=False),
    Column("sha256", String, nullable=False),
    Column("first_line", Integer, nullable=False),
    Column("last_line", Integer),
    Column("variant", String, nullable=False),
    Column("rulebook", String),
    Column("gamemaster", String),
    Column("zine", String),
    Column("issue", String),
    Column("first_phase", String),
    Column("last_phase", String),
    Column("first_year", Integer),
    Column("last_year", Integer),
    Column("phases", Integer, nullable=False),
    Column("played_from", Integer),
    Column("played_until", Integer),
    Column("end", String),
    Column("end_phase", String),
    Column("end_reason", String),
    UniqueConstraint("file", "number"),
)
NUMBERS = Table(
    "numbers",
    METADATA,
    _of_game(),
    Column("kind", String, nullable=False),
    Column("number", String, nullable=False),
    Column("folded", String, nullable=False),
)
SEATS = Table(
    "seats",
    METADATA,
    _of_game(),
    Column("power", String, nullable=False),
    Column("player", String),
    Column("folded", String),
    Column("hold", String, nullable=False),
    Column("since", String),
    Column("until", String),
    Column("address", String),
)
ENDS = Table(
    "ends",  # who won, was conceded to, or shared a draw
    METADATA,
    _of_game(),
    Column("power", String, nullable=False),
)
OPENINGS = Table(
    "openings",
    METADATA,
    _of_game(),
    Column("power", String, nullable=False),
    Column("orders", String, nullable=False),
    Column("name", String),
    Column("folded", String),
)
