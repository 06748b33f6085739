"""The numbers that places and powers have on the classic board of webDiplomacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.archive.values import MalformedError
from judge.rules.types import Location, Phase, PhaseKind, Power, Season

CLASSIC = 1  # the number of the variant
NUMBERED = """
    CLY EDI LVP YOR WAL LON POR SPA NAF TUN NAP ROM TUS PIE VEN APU GRE ALB SER BUL
    RUM CON SMY ANK ARM SYR SEV UKR WAR LVN MOS STP FIN SWE NWY DEN KIE BER PRU SIL
    MUN RUH HOL BEL PIC BRE PAR BUR MAR GAS BAR NWG NTH SKA HEL BAL BOT NAO IRI ENG
    MAO WES LYO TYS ION ADR AEG EAS BLA TYR BOH VIE TRI BUD GAL
    SPA/NC SPA/SC STP/NC STP/SC BUL/EC BUL/SC
    """
PLACES: Sequence[Location] = tuple(NUMBERED.split())  # from 1; coasts come last
POWERS: Sequence[Power] = (  # from 1; 0 is nobody, and in press everybody
    "ENGLAND",
    "FRANCE",
    "ITALY",
    "GERMANY",
    "AUSTRIA",
    "TURKEY",
    "RUSSIA",
)
FIRST_YEAR = 1901
KINDS = {
    "Diplomacy": PhaseKind.MOVEMENT,
    "Retreats": PhaseKind.RETREATS,
    "Builds": PhaseKind.ADJUSTMENTS,
}


def number(told: Mapping[str, object], key: str) -> int:
    """Return the number under *key*, 0 where there is none. Raises `MalformedError`."""
    match told.get(key):
        case None | "":
            return 0
        case str(digits) if digits.isdecimal() and digits.isascii():
            return int(digits)
        case int(value) if not isinstance(value, bool) and value >= 0:
            return value
        case other:
            raise MalformedError(key, f"must be a number, not {other!r}")


def place(told: Mapping[str, object], key: str) -> Location | None:
    """Return the place under *key*, None where there is none. Raises `MalformedError`."""
    found = number(told, key)
    if found > len(PLACES):
        raise MalformedError(key, f"no place has the number {found}")
    return PLACES[found - 1] if found else None


def power(told: Mapping[str, object], key: str = "countryID") -> Power | None:
    """Return the power under *key*, None where it is nobody. Raises `MalformedError`."""
    found = number(told, key)
    if found > len(POWERS):
        raise MalformedError(key, f"no power has the number {found}")
    return POWERS[found - 1] if found else None


def phase(turn: int, kind: object) -> Phase | None:
    """Return the phase of *turn*, None where nothing is played: before the start, at the end."""
    if not isinstance(kind, str) or kind not in KINDS:
        return None
    season = Season.FALL if turn % 2 else Season.SPRING
    if KINDS[kind] is PhaseKind.ADJUSTMENTS:
        season = Season.WINTER
    return Phase(season, FIRST_YEAR + turn // 2, KINDS[kind])
