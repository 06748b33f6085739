"""Slips of the pen in one letter: left out, put in, another one, or two that changed places."""

from __future__ import annotations


def without_a_letter(word: str) -> frozenset[str]:
    """Return *word*, and what is left of it without each of its letters."""
    return frozenset({word, *(word[:i] + word[i + 1 :] for i in range(len(word)))})


def is_slip_of(word: str, right: str) -> bool:
    """Say whether *word* differs from *right* by one slip, and begins as that does."""
    if word == right or word[:1] != right[:1]:
        return False
    return not without_a_letter(word).isdisjoint(without_a_letter(right))
