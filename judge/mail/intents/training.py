"""Make the weights from the examples: softmax regression, in plain Python and always alike.

The build of the wheel runs this where nothing but Python is installed. `fsum` is exact; `sum` of
floats rounds otherwise since Python 3.12.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from math import exp, fsum, sqrt
from operator import mul
from pathlib import Path
from struct import pack, unpack
from typing import TypeAlias

from judge.mail.intents.dates import with_date_marks
from judge.mail.intents.features import KIND_WEIGHTS, features_of, words_of
from judge.mail.intents.weights import Weights
from judge.mail.intents.wish_files import WishFile, digest_of, read_meanings, read_wish_files

ROUNDS = 6
RATE, SLOWING = 3.25, 0.2  # of the first round, and how much smaller it becomes
KEPT = 0.985  # of each weight after a round: weights stay small
SENTENCES_MIN = 2  # that have a feature, or it is left out

# A weight takes four bytes of a row, which is one number: a third of what they hold is used.
LANE_BYTES, LANE_CODE, LANE_HALF = 4, "I", 1 << 31
ERRORS, WEIGHT_UNIT = 1 << 8, 2.0**-19  # errors are rounded to so many parts of 1
KIND_UNIT = 0.2
KIND_TIMES = tuple(round(each / KIND_UNIT) for each in KIND_WEIGHTS)

Sample: TypeAlias = tuple[int, tuple[tuple[int, ...], ...], float]


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
    kept = sorted(feature for feature, count in counts.items() if count >= SENTENCES_MIN)
    place = {feature: at for at, feature in enumerate(kept)}
    data = [
        (
            wanted,
            tuple(tuple(place[each] for each in some if each in place) for some in found.kinds),
            found.scale,
        )
        for (_, wanted, _), found in zip(samples, features, strict=True)
        if not all(map(place.keys().isdisjoint, found.kinds))
    ]
    rows, unit = _descend(data, len(kept), len(files))
    wishes = {name: file.wish for name, file in files.items()}
    weights = {
        feature: [(each - LANE_HALF) * unit for each in _lanes(row, len(files))]
        for feature, row in zip(kept, rows, strict=True)
    }
    return Weights.of(digest_of(folder, own), wishes, weights, _spoken(files), meanings)


def _descend(data: Sequence[Sample], height: int, width: int) -> tuple[list[int], float]:
    """Find the weights in *height* rows of *width* lanes; return them and their unit."""
    rows, squares = [0] * height, [1.0] * height
    row_at = rows.__getitem__
    unit = WEIGHT_UNIT
    for turn in range(ROUNDS):
        rate = RATE / (1.0 + SLOWING * turn)
        for wanted, kinds, scale in data if turn % 2 else reversed(data):
            found = sum(
                times * sum(map(row_at, some))
                for times, some in zip(KIND_TIMES, kinds, strict=True)
            )
            lanes = _lanes(found, width)
            most, factor = max(lanes), scale * KIND_UNIT * unit
            powers = [exp(factor * (each - most)) for each in lanes]
            part = ERRORS / fsum(powers)
            errors = [round(part * each) for each in powers]
            errors[wanted] -= ERRORS
            if not any(errors):
                continue
            size = sum(map(mul, errors, errors)) / ERRORS**2
            packed = _packed(errors)
            for some, of_kind in zip(kinds, KIND_WEIGHTS, strict=True):
                weight = scale * of_kind
                step, more = rate * weight / (ERRORS * unit), size * weight * weight
                for at in some:
                    square = squares[at] = squares[at] + more
                    rows[at] -= round(step / sqrt(square)) * packed
        unit *= KEPT
    return rows, unit


def _packed(lanes: Sequence[int]) -> int:
    """Return *lanes* as one number, so that they are added and multiplied together."""
    number = pack(f"<{len(lanes)}{LANE_CODE}", *(each + LANE_HALF for each in lanes))
    return int.from_bytes(number, "little") - _halves(len(lanes))


def _lanes(number: int, width: int) -> tuple[int, ...]:
    """Return the lanes of *number*, each plus LANE_HALF."""
    whole = (number + _halves(width)).to_bytes(width * LANE_BYTES, "little")
    return unpack(f"<{width}{LANE_CODE}", whole)


@cache
def _halves(width: int) -> int:
    return int.from_bytes(pack(f"<{width}{LANE_CODE}", *[LANE_HALF] * width), "little")


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
