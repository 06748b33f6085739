"""The weights of the features for each wish, and the file that keeps them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum
from pathlib import Path
from typing import Self

from judge.mail.intents.features import KIND_WEIGHTS, Features
from judge.mail.intents.wish_files import Wish, facts_of, wish_from

FILE = "weights.bin"
WORDS_OF_SHORT_TEXT = 3  # whose language one word can show
WEIGHT_MAX = 127  # as stored: one byte, of which one value stands for *unit*


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights learned from the files with this *digest*: for each feature a row.

    A row has one weight, in units of *unit*, for each of the *wishes*; *rows* says where in the
    *table* it begins. *spoken* are words that the examples of only one language have, *meanings*
    those of words and of their beginnings.
    """

    digest: str
    wishes: Mapping[str, Wish]
    unit: float
    rows: Mapping[str, int]
    table: memoryview
    spoken: Mapping[str, str]
    meanings: Mapping[str, str]

    @classmethod
    def of(
        cls,
        digest: str,
        wishes: Mapping[str, Wish],
        rows: Mapping[str, Sequence[float]],
        spoken: Mapping[str, str],
        meanings: Mapping[str, str],
    ) -> Self:
        """Round *rows* so that each weight takes one byte."""
        unit = max((abs(each) for row in rows.values() for each in row), default=1.0) / WEIGHT_MAX
        packed = {
            feature: bytes(round(each / unit) % 256 for each in row)
            for feature, row in rows.items()
        }
        kept = {feature: row for feature, row in packed.items() if any(row)}
        table = memoryview(b"".join(kept.values())).cast("b")
        return cls(digest, wishes, unit, _places(kept, len(wishes)), table, spoken, meanings)

    def to_bytes(self) -> bytes:
        """Return the contents of the file: one line of JSON, and the rows."""
        head = {
            "digest": self.digest,
            "wishes": {name: facts_of(wish) for name, wish in self.wishes.items()},
            "unit": self.unit,
            "features": "\t".join(self.rows),
            "spoken": self.spoken,
            "meanings": self.meanings,
        }
        line = json.dumps(head, ensure_ascii=False) + "\n"
        return line.encode() + bytes(self.table)

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Read the contents of a file; raises `ValueError` if they are damaged."""
        line, _, rest = content.partition(b"\n")
        try:
            head = json.loads(line)
            wishes = {name: wish_from(name, facts) for name, facts in head["wishes"].items()}
            features = head["features"].split("\t")
            digest, unit = str(head["digest"]), float(head["unit"])
            spoken, meanings = dict(head["spoken"]), dict(head["meanings"])
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError("these are no weights") from error
        width, view = len(wishes), memoryview(rest).cast("b")
        if len(view) != width * len(features):
            raise ValueError("the weights are not complete")
        return cls(digest, wishes, unit, _places(features, width), view, spoken, meanings)

    def probabilities(self, found: Features, among: Sequence[int]) -> list[float]:
        """Return the probability of each wish whose number is *among* these."""
        rows, table, width = self.rows, self.table, len(self.wishes)
        kinds = [
            [table[rows[each] : rows[each] + width] for each in some if each in rows]
            for some in found.kinds
        ]
        scores = scores_of(kinds, found.scale * self.unit) or [0.0] * len(self.wishes)
        return probabilities([scores[at] for at in among])

    def language_of(self, words: Iterable[str], known_min: int = 1) -> str | None:
        """Return the language of *words* if it is plain, by *known_min* different ones or more."""
        some = tuple(words)
        counts = Counter(self.spoken[each] for each in some if each in self.spoken)
        language, most = next(iter(counts.most_common(1)), ("", 0))
        others = counts.total() - most
        needed = known_min if len(some) <= WORDS_OF_SHORT_TEXT else max(known_min, 2)
        different = sum(self.spoken.get(each) == language for each in {*some})
        is_plain = most > others and most >= max(2 * others, needed) and different >= known_min
        return language if is_plain else None

    def share_known(self, words: Sequence[str]) -> float:
        """Return the share of *words*, placeholders apart, that examples have."""
        written = [word for word in words if not word.startswith("{")]
        return sum(word in self.rows for word in written) / len(written) if written else 0.0


def _places(features: Collection[str], width: int) -> dict[str, int]:
    return dict(zip(features, range(0, len(features) * width, width), strict=True))


def read_digest(file: Path) -> str | None:
    """Return the digest of the examples from which the weights in *file* are made, if any are."""
    try:
        with file.open("rb") as opened:
            return str(json.loads(opened.readline())["digest"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def scores_of(kinds: Iterable[Sequence[Sequence[float]]], scale: float) -> list[float]:
    """Return the score of each wish: the sum of the rows, in which each kind has its weight."""
    sums = [
        [weight * fsum(each) for each in zip(*rows, strict=True)]
        for weight, rows in zip(KIND_WEIGHTS, kinds, strict=True)
        if rows
    ]
    return [scale * fsum(each) for each in zip(*sums, strict=True)]


def probabilities(scores: Sequence[float]) -> list[float]:
    """Return the probabilities that belong to *scores* (softmax)."""
    most = max(scores)
    powers = [exp(each - most) for each in scores]
    total = fsum(powers)
    return [each / total for each in powers]
