"""What most outcomes of a movement phase have in common, made once: nobody helps anybody."""

from __future__ import annotations

from functools import lru_cache

from judge.rules.outcome import Fails, HeldOff, OwnUnit, StoodOff, Strength, Succeeds
from judge.rules.vocabulary import Province

PROVINCES_KEPT = 1024  # More than any board has.
BORDERS_KEPT = 4096  # Likewise; of the standard board there are 433.


@lru_cache(maxsize=PROVINCES_KEPT)
def unaided(province: Province) -> Strength:
    """Return the strength of a unit that nobody helps."""
    return Strength(province)


@lru_cache(maxsize=PROVINCES_KEPT)
def success_alone(province: Province) -> Succeeds:
    """Tell that a unit got in by itself."""
    return Succeeds(unaided(province))


@lru_cache(maxsize=BORDERS_KEPT)
def stood_off_alone(attacker: Province, rival: Province) -> Fails:
    """Tell that two units kept each other out of an empty province, neither of them with help."""
    return Fails(StoodOff(unaided(attacker), (unaided(rival),)))


@lru_cache(maxsize=BORDERS_KEPT)
def kept_out_alone(attacker: Province, own: Province) -> Fails:
    """Tell that a unit did not get to where one of its own power stayed."""
    return Fails(OwnUnit(unaided(attacker), own))


@lru_cache(maxsize=BORDERS_KEPT)
def held_off_alone(attacker: Province, defender: Province) -> Fails:
    """Tell that a unit did not get to where another stayed, neither of them with help."""
    return Fails(HeldOff(unaided(attacker), unaided(defender)))
