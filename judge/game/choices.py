"""What an operator chooses for a new game: its house rules and, written among them, its law."""

from __future__ import annotations

from collections.abc import Sequence

from judge.game.house_rules import STANDARD, HouseRules, from_pairs
from judge.rules.rulebook import DATC, Rulebook, rulebook_name, rulebook_named

LAW = "rulebook"  # is written as a house rule is, and kept beside them


class SeveralRulebooksError(ValueError):
    """A game has one law, and the operator named different ones."""

    def __init__(self, laws: Sequence[Rulebook]) -> None:
        super().__init__(
            f"a game has one rulebook, not several: {' and '.join(map(rulebook_name, laws))}"
        )


def choose(
    pairs: Sequence[str],
    law: str | None = None,
    *,
    rules: HouseRules = STANDARD,
    rulebook: Rulebook = DATC,
) -> tuple[HouseRules, Rulebook]:
    """Read *pairs* such as `press=none` and `rulebook=1982`, which *law* may say as well.

    A template goes first; what they do not say is as in *rules* and *rulebook*. Raises
    `UnknownHouseRuleError`,
    `UnknownRulebookError`, `SeveralRulebooksError`.
    """
    said = [text for key, text in map(_split, pairs) if key == LAW]
    laws = list(dict.fromkeys(map(rulebook_named, said if law is None else [*said, law])))
    if len(laws) > 1:
        raise SeveralRulebooksError(laws)
    others = [pair for pair in pairs if _split(pair)[0] != LAW]
    first = sorted(others, key=lambda pair: _split(pair)[0] != "template")
    chosen = from_pairs(first, rules)
    return chosen, laws[0] if laws else rulebook


def _split(pair: str) -> tuple[str, str]:
    key, _, text = pair.partition("=")
    return key.strip(), text
