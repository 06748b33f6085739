"""The frames of movement: who goes, holds, helps or carries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from judge.reading.chunks import Chunk
from judge.reading.segment import (
    AGENT,
    ALSO,
    IN_NOTATION,
    LEFT_OTHER,
    NOT_OWN,
    OBJECT,
    OTHER_PREPOSITION,
    OUT_OF_ORDER,
    SUBJECT,
    TARGET,
    WITHOUT_SUBJECT,
    WITHOUT_VERB,
    Frame,
    Segment,
)
from judge.reading.tokens import PAIR
from judge.reading.world import BY_CONVOY, FAR
from judge.rules.types import UnitKind

GIVING = frozenset({"gives", "give", "giving", "lends", "lend", "lending", "provides", "offers"})
PLACING = frozenset({"in", "where"})  # `supports the unit in (a) in place` orders no hold
BESIDE_VERB = 2.5
WITHOUT_TARGET = 0.9
FOR_WITHOUT_VERB = 0.8
OTHERS_CLAUSE = 1.6
CORRECTED = 0.6  # a place alone behind `no, wait`
AGAINST_OWN = 1.5  # helping another power's unit to a place where an own unit stands
MAY_BE_RETREAT = 1.3  # `A Mun falls back to Sil` may be a wish for later


LIKE = frozenset({"as", "like", "wie", "que", "comme", "als"})
MOVING = frozenset({"move", "follow", "retreat"})
THERE = frozenset({"its_place", "there"})
BY_SEA = MOVING | {"convoy"}
ELIDED = 0.1  # `and supports Paris`
TOGETHER = 0.05  # for each unit more that does the same
SAVED_MAX = max(FOR_WITHOUT_VERB, CORRECTED)


def moves(segment: Segment, roles: set[str]) -> Iterator[Frame]:  # noqa: C901, PLR0912 - a table of costs, in loops
    """Yield the moves that a segment may order."""
    main = "move" if "move" in roles else "retreat" if "retreat" in roles else "follow"
    without = 0.0 if main in roles else WITHOUT_VERB
    without += MAY_BE_RETREAT if main == "retreat" else 0.0
    if not segment.verbs and segment.passives:
        return
    if segment.notation and not roles <= MOVING | {"same"}:
        return
    least = without + segment.beside(main, BY_SEA | ({"hold"} if _stands(segment) else set()))
    if least - SAVED_MAX >= segment.limit:
        return
    places = [
        at
        for at, c in segment.nouns
        if (c.places or c.pronoun in THERE) and not (c.has_kind and segment.is_unit(at))
    ]
    left = segment.surely_left() if len(segment.nouns) > PAIR else {}
    spare = SAVED_MAX - least - sum(left.values())
    for members, prep, own in segment.groups(SUBJECT):
        subject = prep + own + TOGETHER * (len(members) - 1)
        if not roles and segment.chunks[members[0]].prep == "with" and not segment.wants:
            subject += OTHERS_CLAUSE  # `with the Ionian fleet and with the eastern one`
        if subject >= NOT_OWN:
            continue
        if "follow" in roles:
            yield from _follows(segment, members, subject)
        limit = segment.limit + spare - subject
        if left:
            limit += sum(left.get(at, 0.0) for at in members)
        for at in places:
            if at not in members and limit + left.get(at, 0.0) > 0:
                yield from _move(segment, members, at, subject + least, main, roles)
        goes = "move" in roles and segment.verbs[-1][0] > members[-1]
        if goes and subject + WITHOUT_TARGET < segment.limit:
            yield _goes(segment, members, subject)
        if len(members) > 1 and "respectively" in segment.noted:
            yield from paired(segment, members, subject + without, main)
    if main != "retreat" and places and places[0] == segment.nouns[0][0]:
        at, target = segment.nouns[0]
        cost = WITHOUT_SUBJECT + without + TARGET.get(target.prep, OTHER_PREPOSITION)
        cost -= CORRECTED if segment.fixes else 0.0
        cost += 2.0 if target.units and not target.prep else 0.0
        told = segment.tells_before(at) if main not in roles else "report" in segment.noted
        cost += OTHERS_CLAUSE if told else 0.0  # `I told Tom I'd leave Greece alone`
        fits = target.prep in {"to", "at", ""} or main in roles
        if fits and cost < segment.limit:
            by_sea, used_by = segment.fleets({at}, ())
            cost += segment.rest({at, *used_by}, main, MOVING)
            yield Frame("move", cost, target=target, by_sea=by_sea)


def _stands(segment: Segment) -> bool:
    """Return whether only a move is said to stand: `Munich to Burgundy stays`."""
    if segment.roles != {"hold"} or [c.prep for _, c in segment.nouns[-1:]] != ["to"]:
        return False
    return segment.verbs[0][0] == segment.nouns[-1][0] + 1 and not segment.nouns[0][1].prep


def _goes(segment: Segment, members: list[int], subject: float) -> Frame:
    """Return `Serbia moves in`, behind `Serbia and Greece attack Bulgaria`."""
    cost = subject + WITHOUT_TARGET + segment.rest(members, "move")
    return Frame("goes", cost, tuple(segment.chunks[at] for at in members))


def _follows(segment: Segment, members: list[int], subject: float) -> Iterator[Frame]:
    prep = segment.chunks[members[0]].prep
    cost = subject + segment.rest(members, "follow", MOVING) + (0.2 if prep else 0)
    subjects = tuple(segment.chunks[at] for at in members)
    yield Frame("follow", cost, subjects)
    if any(at not in members and c.pronoun == "it" for at, c in segment.nouns):
        yield Frame("follow", cost - LEFT_OTHER, subjects)


def _move(
    segment: Segment, members: list[int], at: int, cost: float, main: str, roles: set[str]
) -> Iterator[Frame]:
    """Yield the move of *members* to the place *at* an index.

    *cost* is that of the subjects, and of the words beside them if they go by sea.
    """
    target, first = segment.chunks[at], segment.chunks[members[0]]
    tries = target.prep == "with" and at < members[0] and _is_topic(segment, members, at)
    cost += 0.0 if tries else TARGET.get(target.prep, OTHER_PREPOSITION)
    limit = segment.limit + (FOR_WITHOUT_VERB if first.prep == "for" else 0.0)
    if cost >= limit or not _may_go(segment, members, at):
        return
    far = segment.reach(members, target)
    bare = segment.notation and main not in roles and not target.prep
    most = 0.0 if segment.world.plans else BY_CONVOY
    cost += NOT_OWN if bare and far > most else far  # `A Mar st. A Par-Bur`
    if cost < limit:
        cost += _order_cost(segment, members, at, said=main in roles)
    if cost >= segment.limit or _does_another(segment, members[0]):
        return
    by_sea, used_by = segment.fleets({*members, at}, members)
    if not by_sea and "convoy" in roles:
        cost += segment.beside(main, MOVING) - segment.beside(main, BY_SEA)
    route = _route(segment, members, at)
    used = {*members, at, *route, *used_by}
    other = _other_target(segment, members, at)
    used |= {at + 2} if other else set()
    if "follow" in roles:  # `follows the fleet up to Edinburgh`
        used |= {n for n, c in segment.nouns if c.places and c.places == target.places}
    cost += segment.left_over(used) - segment.standing_place(used, members)
    if cost < segment.limit:
        yield Frame(
            "move",
            cost,
            tuple(segment.chunks[n] for n in members),
            target=target,
            by_sea=by_sea,
            route=tuple(segment.chunks[n] for n in route),
            also_moves=segment.by_sea or "convoy" in roles,
            other=other,
        )


def _order_cost(segment: Segment, members: list[int], at: int, *, said: bool) -> float:
    """Return the cost of the place *at* an index standing where it does; *said* is a verb."""
    target, first, cost = segment.chunks[at], segment.chunks[members[0]], 0.0
    if at < members[0]:
        agent = first.prep == "by" or (segment.passive and first.prep == "from")
        attacked = agent and not target.prep and said  # `Bohemia is attacked by Munich`
        attacked = attacked or _is_told_to_attack(segment, first, at)
        usual = (target.prep in {"to", "at"} and not first.prep) or first.prep == "for"
        usual = usual or _is_topic(segment, members, at)
        cost += 0.1 if usual or attacked else OUT_OF_ORDER + 0.2
        others = target.units and not target.prep and not attacked
        others = others or (segment.chunks[members[0] - 1].role == "and" and not first.prep)
        cost += OTHERS_CLAUSE if others else 0.0
        if first.prep == "for" and not segment.verbs and not target.prep:
            cost -= FOR_WITHOUT_VERB  # `Galicia for Vienna`
    if target.prep:
        return cost
    acts = any(members[-1] < n < at and not segment.breaks(n, at) for n, _ in segment.verbs)
    if target.units and not acts and segment.breaks(members[-1], at):
        cost += 2.0
    odd = segment.unknown or segment.passive or segment.apart(members[-1], at)
    return cost + (0.0 if said or not odd else 1.0)


def _is_topic(segment: Segment, members: list[int], at: int) -> bool:
    """Return whether a colon ends where to go: `We are taking Belgium: Picardy attacks`."""
    colon = [n for n in range(at, members[0]) if segment.chunks[n].key == ":"]
    acts = any(verb.role == "move" and n > members[-1] for n, verb in segment.verbs)
    odd = segment.chunks[at].units or segment.chunks[members[0]].prep
    used = {*members, at} | {n for n, c in segment.nouns if c.pronoun == "it"}  # `try it with`
    return bool(colon) and acts and not odd and not segment.left_over(used)


def _does_another(segment: Segment, first: int) -> bool:
    """Return whether `it` does what stands before the unit *first*: `il tente Vienne`."""
    acts = [at for at, verb in segment.verbs if verb.role == "move" and at < first]
    named = [c.pronoun == "it" and not c.prep for at, c in segment.nouns if acts and at < acts[0]]
    return bool(named) and named[-1]


def _is_told_to_attack(segment: Segment, first: Chunk, at: int) -> bool:
    """Return whether a verb begins with where to go: `Attack Munich from Tyrolia`."""
    told = any(verb.role == "move" and n < at for n, verb in segment.verbs)
    leads = told and all(n >= at for n, _ in segment.nouns)
    return leads and first.prep == "from" and not segment.chunks[at].has_kind


def _other_target(segment: Segment, members: list[int], at: int) -> Chunk | None:
    """Return the second of two places listed for one unit: `A Par - Bur/Pic`."""
    signs, others = segment.chunks[at + 1 : at + 2], segment.chunks[at + 2 : at + 3]
    ends = all(c.role == "break" for c in segment.chunks[at + 3 :])
    if len(members) > 1 or not others or not ends or signs[0].role not in {"and", "break"}:
        return None
    [other] = others
    reached = bool(other.places) and not segment.reach(members, other)
    return other if reached and not (other.units or other.prep or other.has_kind) else None


def _may_go(segment: Segment, members: list[int], at: int) -> bool:
    """Return whether *members* may go to the place *at* an index, as notation would have it."""
    target = segment.chunks[at]
    if target.prep or at < members[-1]:  # `A Par-Bur (to bounce A Mun)` is about Paris
        return at > members[-1] or not (target.strict or segment.notation)
    between = segment.chunks[members[-1] : at]
    goes_on = any(c.key == "/" for c in segment.chunks[at + 1 : at + 2])
    before = [n for n, c in segment.nouns if n < at and c.prep in {"from", "by"}]
    if segment.passive and before and segment.joined(before[-1], at):
        return False  # `Burgundy will be hit from Munich and Ruhr`
    listed = any(c.role == "break" and (target.units or goes_on) for c in between)
    return not (segment.notation and listed)  # `A Par, Mar`, `A Vie/Gal/Bud`


def _route(segment: Segment, members: list[int], at: int) -> list[int]:
    """Return the places, each behind a dash, on the way to the last one *at* an index."""
    between = [n for n, _ in segment.nouns if members[-1] < n < at]
    dashes = all(segment.chunks[n].strict and segment.chunks[n].prep for n in (*between, at))
    seas = all(segment.world.is_sea(p) for n in between for p in segment.chunks[n].places)
    return between if segment.notation and dashes and seas else []


def paired(segment: Segment, members: list[int], cost: float, main: str) -> Iterator[Frame]:
    """Yield `Vienna and Budapest go to Galicia and Rumania respectively`."""
    after = [at for at, c in segment.nouns if at > members[-1] and c.places]
    if len(after) != len(members):
        return
    rest = segment.rest({*members, *after}, main, frozenset({"move"}))
    reach = max(
        segment.reach([one], segment.chunks[two]) for one, two in zip(members, after, strict=True)
    )
    prep = TARGET.get(segment.chunks[after[0]].prep, OTHER_PREPOSITION)
    yield Frame(
        "move",
        cost + prep + reach + rest,
        tuple(segment.chunks[at] for at in members),
        targets=tuple(segment.chunks[at] for at in after),
    )


def holds(segment: Segment) -> Iterator[Frame]:
    """Yield the holds that a segment may order."""
    verb_at = next(at for at, verb in segment.verbs if verb.role == "hold")
    beside = segment.beside("hold", frozenset({"same"}))
    for members, prep, own in segment.groups(SUBJECT):
        cost = prep + own + TOGETHER * (len(members) - 1) + beside
        if cost >= min(NOT_OWN + beside, segment.limit):
            continue
        if left := segment.left_over(members):
            cost += left - segment.standing_place(members, members)
            cost -= segment.same_place(members, members)
        if members[0] > verb_at and segment.chunks[members[0]].prep:
            cost += 0.6
        stands = any(n < verb_at and c.pronoun == "it" for n, c in segment.nouns)
        if members[0] > verb_at and stands and not segment.chunks[members[0]].places:
            cost += OTHERS_CLAUSE  # `it waits for a fleet`
        if any(segment.chunks[at].key in ALSO for at in range(members[0], members[-1])):
            cost += OTHERS_CLAUSE  # `A supports B, C too, and B holds`
        acts = (n for n, verb in segment.verbs if verb.role != "hold")
        if members[0] > verb_at and any(n > members[-1] for n in acts):
            cost += OTHERS_CLAUSE  # `I stay calm: Brest sails to ...`
        yield Frame("hold", cost, tuple(segment.chunks[at] for at in members))
    if not segment.nouns:
        there = BESIDE_VERB if segment.chunks[verb_at].key in PLACING else 0.0
        yield Frame("hold", WITHOUT_SUBJECT + there + beside)


THEREBY = frozenset({"dabei"})  # `dabei hilft Sewastopol`
IT = frozenset({"it", "sie", "er", "elle", "il", "es"})


def supports(segment: Segment) -> Iterator[Frame]:
    """Yield the supports that a segment may order: `X helps Y into Z`."""
    verb_at = next(at for at, verb in segment.verbs if verb.role == "support")
    ends = all(chunk.role == "break" for chunk in segment.chunks[verb_at + 1 :])
    if segment.notation and ends and len(segment.verbs[-1][1].key) == 1:  # `A Par S`
        for members, prep, own in segment.groups(SUBJECT):
            cost = prep + own + TOGETHER * (len(members) - 1) + segment.rest(members, "support")
            yield Frame("stand", cost, tuple(segment.chunks[at] for at in members))
        return
    free = frozenset({"hold", "move", "same"})
    if any(
        at > verb_at
        and c.pronoun == "it"
        and c.key in IT
        and any(b.role == "break" for b in segment.chunks[verb_at:at])
        for at, c in segment.nouns
    ):
        free = frozenset()  # `X helps, it holds`
    if _moves_first(segment, verb_at):
        free = frozenset({"hold", "same"})  # `X goes, the other helps`
    beside = segment.beside("support", free)
    yield from _supports_too(segment, beside)
    for members, prep, own in segment.groups(AGENT if segment.passive else SUBJECT):
        subject = prep + own + TOGETHER * (len(members) - 1)
        agent = segment.chunks[members[0]].prep in {"by", "from", "with"}
        if subject >= min(NOT_OWN, segment.limit - beside) or (segment.passive and not agent):
            continue
        if not segment.passive:
            before = [at for at, _ in segment.nouns if at < verb_at]
            # `München soll Berlin nach Schlesien unterstützen`
            ends = len(before) == len(segment.nouns) and (
                len(before) > PAIR or not segment.breaks(before[0], verb_at)
            )
            helps = [at for at in before if segment.chunks[at].key not in THEREBY]
            subject += 0.8 if members[0] > verb_at and helps else 0.0
            nearer = [n for n, c in segment.nouns if members[-1] < n < verb_at and c.units]
            subject += 0.4 if nearer and not ends else 0.0
        yield from _supports_by(segment, members, subject + beside, verb_at)


def _supports_too(segment: Segment, beside: float) -> Iterator[Frame]:
    """Yield the supports by the unit named before: `... but supports the Ruhr to Belgium`."""
    begins = [c.role for c in segment.chunks[:PAIR]]
    if segment.passive or begins not in (["and", "support"], ["but", "support"]):
        return
    for at, chunk in segment.nouns:
        if chunk.places:
            cost = ELIDED + beside + OBJECT.get(chunk.prep, OTHER_PREPOSITION)
            yield from _supports_of(segment, [], at, cost)


def _moves_first(segment: Segment, verb_at: int) -> bool:
    """Return whether one unit moves and another one, behind a comma or `and`, supports."""
    moves = [at for at, verb in segment.verbs if verb.role == "move" and at < verb_at]
    named = [at for at, _ in segment.nouns if at < verb_at]
    if not moves or len(named) != PAIR or len(segment.nouns) > PAIR:
        return False
    first, second = named
    return first < moves[0] < second and bool(segment.breaks(moves[0], second))


def mutual(segment: Segment) -> Iterator[Frame]:
    """Yield `X and Y support each other`."""
    for members, prep, own in segment.groups(SUBJECT):
        pair = len(members) == PAIR or len(segment.chunks[members[0]].units) == PAIR
        if pair and own < NOT_OWN:
            cost = prep + segment.rest(members, "support", frozenset({"hold"}))
            yield Frame("mutual", cost, tuple(segment.chunks[at] for at in members))


def _supports_by(
    segment: Segment, members: list[int], subject: float, verb_at: int
) -> Iterator[Frame]:
    """Yield the supports that *members* may give."""
    subjects = tuple(segment.chunks[at] for at in members)
    others = [at for at, _ in segment.nouns if at not in members]
    rest = segment.left_over(members) - segment.pronouns(members)
    if subject + 0.2 + rest < segment.limit:
        yield Frame("support", subject + 0.2 + rest, subjects, refers=True)
    for at in others:
        if segment.passive and segment.joined(members[-1], at):
            continue  # `is helped by Tyrolia and Venice`
        chunk = segment.chunks[at]
        meant = chunk.places or (chunk.has_kind and chunk.units)
        if chunk.pronoun in {"", "one"} and meant:
            cost = subject + _object_cost(segment, members, at, verb_at)
            if cost < segment.limit:
                yield from _supports_of(segment, members, at, cost)
    for at in others:
        place = segment.chunks[at]
        if place.places and place.prep in {"to", "on"}:
            cost = subject + 0.3 + TARGET[place.prep] + segment.help_reach(members, place.places)
            cost += segment.left_over({*members, at})
            yield Frame("support", cost, subjects, target=place, refers=True)


def _object_cost(segment: Segment, members: list[int], at: int, verb_at: int) -> float:
    """Return the cost of the noun phrase *at* an index being what *members* help."""
    chunk = segment.chunks[at]
    cost = OBJECT.get(chunk.prep, OTHER_PREPOSITION)
    if chunk.prep == "to" and segment.chunks[verb_at].key in GIVING:
        cost = 0.2  # `gives support to Serbia`
    if chunk.prep in {"from", "in"} and not chunk.has_kind:
        cost += 0.2
    if not (segment.units_at(chunk) or chunk.units):
        here = segment.notation or any(p in segment.world.standing for p in chunk.places)
        cost += 0.8 if here else 2.0
    if segment.passive:
        return cost
    if at < members[0]:
        cost += 2 * OUT_OF_ORDER + segment.breaks(members[-1], at)
    if at > verb_at and segment.parts(verb_at, at):
        cost += OTHERS_CLAUSE  # `Black Sea supporting, Constantinople goes to Bulgaria`
    if at < verb_at:
        cost += 0.6 + segment.breaks(members[-1], at)
    return cost


def _supports_of(segment: Segment, members: list[int], at: int, cost: float) -> Iterator[Frame]:
    """Yield the supports of the noun phrase *at* an index, to hold and to move."""
    subjects, chunk = tuple(segment.chunks[n] for n in members), segment.chunks[at]
    units = segment.units_at(chunk) or list(chunk.units)
    if len(units) == 1 and any(each.units == (units[0],) for each in subjects):
        return  # none helps itself
    moves = [n for n, verb in segment.verbs if verb.role == "move" and n > at]
    names = any(c.places for n, c in segment.nouns if moves and n > moves[0])
    goes = bool(moves) and not (segment.notation and names)  # `mos support war move gal`
    used, passive = {*members, at}, segment.passive
    rest = segment.left_over(used)
    if not goes:
        rest += segment.help_reach(members, chunk.places)
    holds = any(verb.role == "hold" for _, verb in segment.verbs)
    if goes or not moves:
        frame = Frame("support", cost + rest, subjects, chunk, passive=passive)
        frame.also_moves, frame.holds = goes, holds
        yield frame
    for target, place in segment.nouns:
        if target in used or not place.places or segment.is_unit(target):
            continue
        if segment.notation and (target < at or (not place.prep and segment.apart(at, target))):
            continue  # `A Mar S Par and Bre`
        if place.strict and target - 1 in members:
            continue  # `A Ukr - Rum, dabei hilft F Sev`
        to = cost + TARGET.get(place.prep, OTHER_PREPOSITION)
        to += segment.help_reach(members, place.places)
        reach = (segment.world.reach(unit, p) for unit in units for p in place.places)
        far = min(reach, default=0.0) * (IN_NOTATION if segment.notation else 1.0)
        to += far + (OUT_OF_ORDER if target < at else 0.0)
        to += segment.left_over({*used, target})
        against = AGAINST_OWN * (IN_NOTATION if segment.notation else 1.0)
        to += against if place.units and not chunk.units else 0.0
        yield Frame("support", to, subjects, object=chunk, target=place, passive=passive)


def helped(segment: Segment, passive_at: int) -> Iterator[Frame]:
    """Yield `(X) supported by Y and Z`."""
    after = [at for at, _ in segment.nouns if at > passive_at]
    before = [at for at, _ in segment.nouns if at < passive_at]
    if not after and before and segment.chunks[before[-1]].prep == "with":
        after = [before.pop()]  # `mit griechischer Hilfe`
    free = frozenset({"support"})
    for members in segment.runs(after):
        if any(segment.own[at] >= NOT_OWN for at in members):
            continue
        subjects = tuple(segment.chunks[at] for at in members)
        cost = sum(AGENT.get(segment.chunks[at].prep, OTHER_PREPOSITION) / 4 for at in members)
        yield Frame("support", cost + segment.rest(members, "", free), subjects, refers=True)
        for at in before:
            chunk = segment.chunks[at]
            if chunk.places and not chunk.prep:
                total = (
                    cost
                    + (0.4 if not segment.breaks(at, passive_at) else OTHERS_CLAUSE)
                    + segment.rest({*members, at}, "", free)
                    + segment.help_reach(members, chunk.places)
                )
                yield Frame("support", total, subjects, object=chunk, passive=True)


def carried(segment: Segment, passive_at: int) -> Iterator[Frame]:
    """Yield `(X to Y) convoyed by Z`."""
    after = [at for at, _ in segment.nouns if at > passive_at]
    free = frozenset({"convoy"})
    for members in segment.runs(after):
        subjects = tuple(segment.chunks[at] for at in members)
        if any(segment.own[at] >= NOT_OWN for at in members):
            continue
        yield Frame("convoy", segment.rest(members, "", free), subjects, refers=True)
        for army, target in product(range(passive_at), after[len(members) :]):
            carried, place = segment.chunks[army], segment.chunks[target]
            if carried.role == "np" and carried.units and place.prep in {"to", "at"}:
                used = {*members, army, target}
                cost = TARGET[place.prep] + segment.rest(used, "", free)
                yield Frame("convoy", cost, subjects, object=carried, target=place, passive=True)


def convoys(segment: Segment) -> Iterator[Frame]:
    """Yield the convoys that a segment may order, and moves by sea."""
    fleets = [at for at, c in segment.nouns if any(segment.world.at_sea(unit) for unit in c.units)]
    fleets += [at for at, c in segment.nouns[:1] if segment.notation and at not in fleets]
    free = frozenset({"move", "same"})
    beside = segment.beside("convoy", free)
    if beside >= segment.limit:
        return
    runs = [run for run in segment.together if set(run) <= set(fleets)]
    runs = [run for run in runs if all(segment.chunks[at].places for at in run)]
    for members in [*([at] for at in fleets), *runs]:
        together = tuple(segment.chunks[at] for at in members)
        chunk = together[0]
        subject = min(
            SUBJECT.get(chunk.prep, OTHER_PREPOSITION),
            AGENT.get(chunk.prep, OTHER_PREPOSITION),
        )
        others = [n for n, _ in segment.nouns if n not in members]
        rest = segment.left_over(members) - segment.pronouns(members)
        yield Frame("convoy", subject + 0.2 + beside + rest, together, refers=True)
        for army in others:
            carried = segment.chunks[army]
            units = [unit for unit in segment.units_at(carried) if unit.kind is UnitKind.ARMY]
            named = carried.has_kind and carried.kind is UnitKind.ARMY and carried.units
            it = carried.pronoun == "it"
            if not (units or named or it or segment.notation):
                continue
            for target in others:
                place = segment.chunks[target]
                if target == army or not place.places or segment.is_unit(target):
                    continue
                if segment.notation and not members[-1] < army < target:
                    continue
                cost = (
                    subject
                    + OBJECT.get(carried.prep, OTHER_PREPOSITION)
                    + TARGET.get(place.prep, OTHER_PREPOSITION)
                )
                if not all(
                    segment.world.board.places[p].terrain.value == "coast" for p in place.places
                ):
                    cost += FAR
                if target < army:
                    cost += OUT_OF_ORDER
                cost += beside + segment.left_over({*members, army, target})
                passive = segment.passive or (bool(chunk.prep) and chunk.prep != "to")
                said = None if it else carried
                yield Frame("convoy", cost, together, said, place, refers=it, passive=passive)
    yield from _crossings(segment, beside)


def _crossings(segment: Segment, beside: float) -> Iterator[Frame]:
    """Yield moves by sea: `The army in London is convoyed to Belgium`."""
    for army, chunk in segment.nouns:
        units = [unit for unit in chunk.units if unit.kind is UnitKind.ARMY]
        if not units:
            continue
        for target, place in segment.nouns:
            if target == army or not place.places or (segment.notation and target < army):
                continue
            by_sea, used_by = segment.fleets({army, target}, [army])
            cost = SUBJECT.get(chunk.prep, OTHER_PREPOSITION) + TARGET.get(
                place.prep, OTHER_PREPOSITION
            )
            cost += segment.reach([army], place) + beside
            cost += segment.left_over({army, target, *used_by})
            yield Frame("move", cost + 0.1, (chunk,), target=place, by_sea=by_sea, also_moves=True)


def same(segment: Segment) -> Iterator[Frame]:
    """Yield `X does the same`."""
    for members, prep, own in segment.groups(SUBJECT):
        if prep + own >= NOT_OWN:
            continue
        subjects = tuple(segment.chunks[at] for at in members)
        yield Frame("same", prep + own + segment.rest(members, "same"), subjects)
        for at, like in segment.nouns:  # `does the same as Marseilles`
            if at > members[-1] and like.places and segment.chunks[at - 1].key in LIKE:
                cost = prep + own + segment.rest({*members, at}, "same")
                yield Frame("same", cost, subjects, object=like)
