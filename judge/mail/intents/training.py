"""Make the weights from the examples: softmax regression, in plain Python and always alike.

The build of the wheel runs this where nothing but Python is installed. `fsum` is exact; `sum` of
floats rounds otherwise since Python 3.12.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import fsum, sqrt
from pathlib import Path

from judge.mail.intents.dates import with_date_marks
from judge.mail.intents.features import KIND_WEIGHTS, features_of, words_of
from judge.mail.intents.weights import Weights, probabilities, scores_of
from judge.mail.intents.wish_files import WishFile, digest_of, read_meanings, read_wish_files

ROUNDS = 6
RATE, SLOWING = 3.0, 0.2  # of the first round, and how much smaller it becomes
KEPT = 0.97  # of each weight after a round: weights stay small
SENTENCES_MIN = 2  # that have a feature, or it is left out
LEAST = 0.002  # A smaller error moves no weight.


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
    rows = {
        feature: [0.0] * len(files)
        for feature, count in sorted(counts.items())
        if count >= SENTENCES_MIN
    }
    squares = dict.fromkeys(rows, 1.0)
    data = [
        (
            wanted,
            tuple(tuple(each for each in some if each in rows) for some in found.kinds),
            found.scale,
        )
        for (_, wanted, _), found in zip(samples, features, strict=True)
        if not all(map(rows.keys().isdisjoint, found.kinds))
    ]
    for turn in range(ROUNDS):
        rate = RATE / (1.0 + SLOWING * turn)
        for wanted, kinds, scale in data if turn % 2 else reversed(data):
            errors = errors_of(rows, wanted, kinds, scale)
            size = fsum(each * each for _, each in errors)
            for some, of_kind in zip(kinds, KIND_WEIGHTS, strict=True):
                weight = scale * of_kind
                for feature in some:
                    squares[feature] += size * weight * weight
                    step = rate * weight / sqrt(squares[feature])
                    row = rows[feature]
                    for at, each in errors:
                        row[at] -= step * each
        for row in rows.values():
            row[:] = [each * KEPT for each in row]
    wishes = {name: file.wish for name, file in files.items()}
    return Weights.of(digest_of(folder, own), wishes, rows, _spoken(files), meanings)


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


def errors_of(
    rows: Mapping[str, Sequence[float]],
    wanted: int,
    kinds: Sequence[Sequence[str]],
    scale: float,
) -> list[tuple[int, float]]:
    """Return the wishes whose probability is wrong, and by how much."""
    found = probabilities(scores_of([[rows[each] for each in some] for some in kinds], scale))
    found[wanted] -= 1.0
    return [(at, each) for at, each in enumerate(found) if abs(each) > LEAST]
