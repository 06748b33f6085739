"""The table of games: what lists need of each, written together with its events."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from judge.game.game_state import Stage
from judge.game.game_summary import GameSummary


@dataclass(frozen=True, slots=True)
class GameCounts:
    """The number of games of each stage, and of the phases closed in all of them."""

    stages: Mapping[Stage, int]
    phases_closed: int


class GameSummaries(Protocol):
    """The summaries of all games; they can be made again from the log at any time."""

    def put(self, summary: GameSummary, *, came: Collection[str], went: Collection[str]) -> None:
        """Write *summary*; its game knows those who *came* now, and no longer who *went*."""

    def count_phases(self, game: str, closed: int, *, anew: bool = False) -> bool:
        """Add *closed* phases to those of *game*, or begin *anew*; False if it has no summary."""

    def get(self, game: str) -> GameSummary | None:
        """Return the summary of *game*, None if there is no such game."""

    def missing(self) -> Sequence[str]:
        """Return the games that have events and no summary."""

    def all(self) -> Sequence[GameSummary]:
        """Return all games, oldest first."""

    def current(self, *, listed: bool) -> Sequence[GameSummary]:
        """Return the games that have not ended, oldest first; with *listed* the public ones."""

    def listed_among(self, names: Collection[str]) -> Sequence[GameSummary]:
        """Return the public games among *names* that have not ended, oldest first."""

    def with_places(self, limit: int) -> Sequence[GameSummary]:
        """Return the first public games that form and have free places, oldest first."""

    def over(self, limit: int, skipped: int = 0, *, listed: bool = True) -> Sequence[GameSummary]:
        """Return games that have ended, the last one first; with *listed* public ones."""

    def count_over(self) -> int:
        """Return how many public games have ended."""

    def of(self, person: str, ended: int) -> Sequence[GameSummary]:
        """Return the games that know *person*, by name: all others, and the *ended* last over."""

    def names_of(self, person: str, limit: int | None = None) -> Sequence[str]:
        """Return the first names of the games that know *person*."""

    def moderated_by(self, person: str, limit: int) -> Sequence[str]:
        """Return the first names of games that *person* moderates."""

    def wanting_standbys(self) -> Sequence[str]:
        """Return the games that need more standbys, oldest first."""

    def counts(self) -> GameCounts:
        """Count the games."""
