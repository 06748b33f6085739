"""Make the weights from the examples: softmax regression, in plain Python and always alike.

The build of the wheel runs this where nothing but Python is installed. `fsum` is exact; `sum` of
floats rounds otherwise since Python 3.12.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from math import fsum, sqrt
from pathlib import Path
from struct import pack, unpack
from typing import TypeAlias

from judge.mail.intents.dates import with_date_marks
from judge.mail.intents.features import KIND_WEIGHTS, features_of, words_of
from judge.mail.intents.weights import Weights, probabilities
from judge.mail.intents.wish_files import WishFile, digest_of, read_meanings, read_wish_files

ROUNDS = 8
RATE, SLOWING = 3.0, 0.2  # of the first round, and how much smaller it becomes
KEPT = 0.985  # of each weight after a round: weights stay small
SENTENCES_MIN = 2  # that have a feature, or it is left out

LANE_BYTES, LANE_HALF = 8, 1 << 63  # of a weight in a row, which is one number
ERROR_UNIT, WEIGHT_UNIT = 2.0**-14, 2.0**-30
KIND_UNIT = 0.2
KIND_TIMES = tuple(round(each / KIND_UNIT) for each in KIND_WEIGHTS)

Sample: TypeAlias = tuple[int, tuple[tuple[str, ...], ...], float]


def train(folder: Path, own: Path | None = None) -> Weights:
    """Return the weights for the wishes in *folder*, with the operator's *own* sentences.

    They are found by stochastic gradient descent with AdaGrad's steps.
    """
    files = read_wish_files(folder, own)
    samples = sorted(
        _sample(number, example)
        for number, file in enumerate(files.values())
        for example in file.examples
    )
    meanings = read_meanings(folder)
    features = [
        features_of(words_of(with_date_marks(example)), meanings) for _, _, example in samples
    ]
    counts = Counter(each for found in features for some in found.kinds for each in some)
    rows = {feature: 0 for feature, count in sorted(counts.items()) if count >= SENTENCES_MIN}
    data = [
        (
            wanted,
            tuple(tuple(each for each in some if each in rows) for some in found.kinds),
            found.scale,
        )
        for (_, wanted, _), found in zip(samples, features, strict=True)
        if not all(map(rows.keys().isdisjoint, found.kinds))
    ]
    unit = _descend(rows, data, len(files))
    wishes = {name: file.wish for name, file in files.items()}
    weights = {
        feature: [each * unit for each in _lanes(row, len(files))] for feature, row in rows.items()
    }
    return Weights.of(digest_of(folder, own), wishes, weights, _spoken(files), meanings)


def _descend(rows: dict[str, int], data: Sequence[Sample], width: int) -> float:
    """Find the weights in *rows*, each with *width* lanes, and return their unit."""
    squares = dict.fromkeys(rows, 1.0)
    unit = WEIGHT_UNIT
    for turn in range(ROUNDS):
        rate = RATE / (1.0 + SLOWING * turn)
        for wanted, kinds, scale in data if turn % 2 else reversed(data):
            found = sum(
                times * sum(map(rows.__getitem__, some))
                for times, some in zip(KIND_TIMES, kinds, strict=True)
            )
            factor = scale * KIND_UNIT * unit
            errors = probabilities([factor * each for each in _lanes(found, width)])
            errors[wanted] -= 1.0
            size = fsum(each * each for each in errors)
            packed = _packed([round(each / ERROR_UNIT) for each in errors])
            for some, of_kind in zip(kinds, KIND_WEIGHTS, strict=True):
                weight = scale * of_kind
                step = rate * weight * ERROR_UNIT / unit
                for feature in some:
                    square = squares[feature] = squares[feature] + size * weight * weight
                    rows[feature] -= round(step / sqrt(square)) * packed
        unit *= KEPT
    return unit


def _packed(lanes: Sequence[int]) -> int:
    """Return *lanes* as one number, so that they are added and multiplied together."""
    number = pack(f"<{len(lanes)}Q", *(each + LANE_HALF for each in lanes))
    return int.from_bytes(number, "little") - _halves(len(lanes))


def _lanes(number: int, width: int) -> Iterator[int]:
    whole = (number + _halves(width)).to_bytes(width * LANE_BYTES, "little")
    return (each - LANE_HALF for each in unpack(f"<{width}Q", whole))


@cache
def _halves(width: int) -> int:
    return int.from_bytes(pack(f"<{width}Q", *[LANE_HALF] * width), "little")


def _spoken(files: Mapping[str, WishFile]) -> Mapping[str, str]:
    """Return the words that only one language has, more than once, by that language."""
    counts: dict[str, Counter[str]] = {}
    for file in files.values():
        for language, examples in file.sentences.items():
            for example in examples:
                for word in set(words_of(example)):
                    counts.setdefault(word, Counter())[language] += 1
    return {
        word: next(iter(of))
        for word, of in sorted(counts.items())
        if len(of) == 1 and of.total() > 1
    }


def _sample(number: int, example: str) -> tuple[bytes, int, str]:
    """Return an example with its place in the order of training, which looks like chance."""
    return sha256(f"{number} {example}".encode()).digest(), number, example
