"""The law of a game: a choice for each question that the printed rules leave open (DATC chapter 4)."""

from __future__ import annotations

from dataclasses import dataclass
