"""Routes over sea: fleets are bits of an int, so that chains are found by flooding."""

from __future__ import annotations

from judge.rules.reach import Reach
from judge.rules.vocabulary import Province


def carries(reach: Reach, start: Province, end: Province, fleets: int) -> bool:
    """Tell whether *fleets*, the bits of the seas they are in, link *start* with *end*."""
    return linked(reach, reach.shore.get(start, 0), reach.shore.get(end, 0), fleets)


def linked(reach: Reach, start: int, goal: int, fleets: int) -> bool:
    """Tell whether *fleets* link the seas *start* with the seas *goal*; all are bits of seas."""
    front = seen = start & fleets
    while front:
        if front & goal:
            return True
        front = _beside(reach, front) & fleets & ~seen
        seen |= front
    return False


def useful(reach: Reach, start: Province, end: Province, fleets: int) -> int:
    """Return those of *fleets* on a route without a shortcut (DATC 4.E.1, 6.F.12, 6.G.19).

    On such a route each fleet touches the next, and no fleet or shore touches any but its
    neighbors in the chain: leave one fleet out, and the chain is broken.
    """
    goal, first = reach.shore.get(end, 0), reach.shore.get(start, 0) & fleets
    found = 0
    chains = [(0, first, first)]  # each with where it may go on, and what it may touch no more
    while chains:
        chain, options, barred = chains.pop()
        while options:
            sea = options & -options
            options ^= sea
            if sea & goal:
                found |= chain | sea
                continue
            around = reach.beside[sea]
            beyond = around & fleets & ~barred
            if beyond:
                chains.append((chain | sea, beyond, barred | around))
    return found


def shortest(reach: Reach, start: Province, end: Province, fleets: int) -> tuple[Province, ...]:
    """Return the seas of a shortest route that *fleets* offer, in order; none if there is none.

    Of routes equally short the first in alphabetical order is taken.
    """
    goal = reach.shore.get(end, 0)
    names = {bit: sea for sea, bit in reach.sea.items() if bit & fleets}
    routes: list[tuple[int, ...]] = [(bit,) for bit in names if bit & reach.shore.get(start, 0)]
    seen = 0
    while routes:
        for route in routes:
            if route[-1] & goal:
                return tuple(names[bit] for bit in route)
            seen |= route[-1]
        routes = [
            (*route, bit)
            for route in routes
            for bit in names
            if bit & reach.beside[route[-1]] and not bit & seen
        ]
    return ()


def _beside(reach: Reach, seas: int) -> int:
    around = 0
    while seas:
        sea = seas & -seas
        seas ^= sea
        around |= reach.beside[sea]
    return around
