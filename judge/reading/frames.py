"""Find the cheapest explanation of a segment of text: who does what, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from judge.reading import movement_frames as movement
from judge.reading.chunks import Chunk
from judge.reading.roles import FREE
from judge.reading.segment import (
    ALIKE,
    LEFT_OTHER,
    NOT_OWN,
    NOUN_PHRASES_MAX,
    OBJECT,
    OTHER_PREPOSITION,
    SUBJECT,
    TARGET,
    WITHOUT_SUBJECT,
    WITHOUT_VERB,
    Frame,
    Segment,
)
from judge.reading.tokens import PAIR
from judge.reading.world import FAR
from judge.rules.types import PhaseKind

AT_HOME = frozenset({"", "in", "at", "of", "on", "for"})
BUILDING = frozenset({"build", "waive"})
# What notation orders in each kind of phase.
FITTING = {
    PhaseKind.MOVEMENT: frozenset({"move", "hold", "support", "convoy", "follow", "same"}),
    PhaseKind.RETREATS: frozenset({"retreat", "move", "disband"}),
    PhaseKind.ADJUSTMENTS: frozenset({"build", "disband", "waive", "retreat"}),
}
TO_HOME = frozenset({"to", "from", "by"})
HOLDING = frozenset({"hold"})
KEPT = 1.0  # building a unit that is said to hold
OTHERS = 2.0  # `Rome, and two armies, one in Naples`, or `two armies` at three places
ONLY_NAMED = 1.0  # a place without a kind or a verb, where units are to be removed
RETREATING = frozenset({"move", "retreat", "hold", "follow"})
SAYS_MORE = 2.5  # `To Tuscany with love`
OCCUPIED = 0.5  # building at home where no unit can be built
ONLY_LISTED = 2.0  # `Munich and Burgundy`
ONLY_A_PLACE = 0.5  # in an answer to `Where does it retreat to?`


def explain(segment: Segment, limit: float) -> Frame:
    """Return the cheapest frame below *limit*, or talk."""
    others = segment.is_about_another
    frees = segment.roles <= HOLDING and not FREE.isdisjoint([c.key for c in segment.chunks])
    if others or frees or segment.gives_reason:  # `Kiel stays empty`
        builds = segment.world.kind is PhaseKind.ADJUSTMENTS
        left = sum(
            segment.left_out(at, chunk, 1.0 if builds and chunk.has_kind else LEFT_OTHER)
            for at, chunk in segment.nouns
        )
        left = LEFT_OTHER * len(segment.nouns) if frees and segment.verbs else left
        talk = Frame("talk", left + 0.1 * len(segment.verbs))
        if (frees and segment.verbs) or (builds and segment.gives_reason):
            return talk
    else:
        talk = Frame("talk", segment.left_over(()) + 0.5 * len(segment.verbs))
    talk.cost += OTHERS * bool(segment.excepted and segment.world.due < 0)
    talk.cost += 0.5 * (len(segment.passives) + ("mutual" in segment.noted))
    if segment.notation and not segment.roles <= FITTING[segment.world.kind]:
        return talk
    if len(segment.nouns) > NOUN_PHRASES_MAX:
        return talk
    best = talk
    segment.limit = min(talk.cost, limit)
    moving = segment.world.kind is PhaseKind.MOVEMENT
    if moving and segment.least_left() - movement.SAVED_MAX >= segment.limit:
        return talk
    segment.find_subjects()
    for frame in _frames(segment):
        if others and not any(c.places or c.has_kind for c in frame.subjects):
            continue  # `the Russian is in Galicia and attacks Vienna`
        if frame.cost < segment.limit - ALIKE:
            best, segment.limit = frame, frame.cost
    best.strict = segment.is_strict(best)
    return best


def _frames(segment: Segment) -> Iterator[Frame]:
    kind, roles = segment.world.kind, segment.roles
    if kind is PhaseKind.ADJUSTMENTS:
        yield from adjustments(segment, roles)
        return
    if kind is PhaseKind.RETREATS:
        yield from retreats(segment, roles)
        return
    passives = {each.role for _, each in segment.passives}
    if "mutual" in segment.noted:
        yield from movement.mutual(segment)
    if "supported_by" in passives:
        yield from movement.helped(segment, segment.passives[-1][0])
    elif "support" in roles:
        yield from movement.supports(segment)
    if "convoyed_by" in passives:
        yield from movement.carried(segment, segment.passives[-1][0])
    elif "convoy" in roles or segment.brings or segment.ferries:
        yield from movement.convoys(segment)
    if "hold" in roles:
        yield from movement.holds(segment)
    if "same" in roles or (
        segment.also
        and not segment.verbs
        and segment.unknown < PAIR
        and len(segment.nouns) <= PAIR
    ):
        yield from movement.same(segment)
    yield from movement.moves(segment, roles)


def retreats(segment: Segment, roles: set[str]) -> Iterator[Frame]:
    """Yield what a segment may order in a retreat phase."""
    if any(each.key in FREE for each in segment.chunks):  # `I want to keep Trieste empty`
        return
    main = next((role for role in ("retreat", "move", "follow") if role in roles), "retreat")
    places = [at for at, c in segment.nouns if c.places and not segment.is_unit(at)]
    free = RETREATING | {"disband"}
    units = segment.notation and any(map(segment.is_unit, range(len(segment.chunks))))
    nobody: list[tuple[list[int], float, float]] = [] if units else [([], WITHOUT_SUBJECT, 0.0)]
    for members, prep, own in (*segment.groups(SUBJECT), *nobody):
        subject = prep + own
        if subject >= NOT_OWN:
            continue
        subjects = tuple(segment.chunks[at] for at in members)
        if "disband" in roles:
            cost = (
                subject
                + segment.rest(members, "disband", RETREATING)
                - segment.standing_place(set(members), members)
            )
            yield Frame("disband", cost, subjects)
        listed = [at for at in places if at not in members and (not members or at > members[-1])]
        several = len(listed) > 1 or (listed and "disband" in roles)
        several = several and _is_list([segment.chunks[at] for at in listed])
        in_words = main in roles and not segment.unknown and "disband" not in roles
        plain = in_words and all(segment.joined(one, two) for one, two in pairwise(listed))
        if several and (segment.notation or plain):
            targets = tuple(segment.chunks[at] for at in listed)
            cost = subject + segment.rest({*members, *listed}, main, free)
            cost += sum(TARGET.get(each.prep, OTHER_PREPOSITION) for each in targets[:1])
            cost += 0.0 if main in roles else WITHOUT_VERB
            yield Frame("choice", cost, subjects, targets=targets)
        for at in places:
            if at not in members:
                cost = subject + _retreat_cost(segment, members, at, main)
                yield Frame("retreat", cost, subjects, target=segment.chunks[at])


def _retreat_cost(segment: Segment, members: list[int], at: int, main: str) -> float:
    """Return the cost of *members* retreating to the place *at* an index."""
    target, behind = segment.chunks[at], segment.chunks[at + 1 :]
    cost = TARGET.get(target.prep, OTHER_PREPOSITION)
    cost += segment.rest({*members, at}, main, RETREATING)
    cost -= segment.standing_place({*members, at}, members)
    if main not in segment.roles:
        cost += WITHOUT_VERB
        listed = members and (segment.passive or segment.breaks(members[-1], at))
        if listed and not (target.prep or segment.fixes):
            cost += ONLY_LISTED
        if not members and any(c.role == "fill" and c.prep for c in behind):
            cost += SAYS_MORE
    if members and segment.chunks[members[0]].prep == "for" and not segment.verbs:
        cost -= movement.FOR_WITHOUT_VERB
    if members:
        cost += segment.reach(members, target) + (0.1 if at < members[0] else 0.0)
    elif not any(
        segment.world.reach(unit, place) == 0
        for unit in segment.world.own.values()
        for place in target.places
    ):
        cost += FAR
    if len(segment.world.own) == len(segment.nouns) == 1 and segment.only_names:
        cost -= ONLY_A_PLACE
    return cost


def _is_list(places: Sequence[Chunk]) -> bool:
    """Return whether *places* are choices for one unit, and no route or other units."""
    return not any(c.units for c in places) and all(c.prep != "to" for c in places[1:])


def adjustments(segment: Segment, roles: set[str]) -> Iterator[Frame]:
    """Yield what a segment may build or remove."""
    removes = "retreat" if "retreat" in roles and segment.notation else "disband"  # `R Vie`
    if removes == "retreat" and len(segment.nouns) > 1:
        return
    if "waive" in roles and segment.world.due > 0:
        spare = {at for at, c in segment.nouns if not c.places}  # `all`, `both`
        free = frozenset({"build", "disband", "hold"})
        yield Frame("waive", 0.2 + segment.rest(spare, "waive", free))
    if segment.world.due < 0 and "hold" in roles:  # `I keep Paris and Portugal`
        for members, prep, _ in segment.groups(OBJECT):
            yield Frame("talk", prep + 0.2 + segment.rest(members, "hold"))
    if len(segment.excepted) == -segment.world.due > 0:  # `I keep all but Tunis and Apulia`
        yield Frame("disband", 0.3 + segment.rest(set(), "hold"), tuple(segment.excepted))
    said = segment.notation and removes in roles
    builds_now = segment.notation and "build" in roles
    plus = any(chunk.key == "+" for chunk in segment.chunks)
    if (segment.world.due < 0 and not builds_now and not plus) or said:
        yield from removals(segment, roles, removes)
    elif (segment.world.due > 0 or builds_now) and not (segment.notation and roles - BUILDING):
        yield from builds(segment, roles)


def removals(segment: Segment, roles: set[str], verb: str) -> Iterator[Frame]:
    """Yield the removals that a segment may order, with the role *verb* or without one."""
    said = verb in roles
    main = verb if said else "move"
    for members, prep, own in segment.groups({**OBJECT, "with": 0.1, "to": 4.0}):
        cost = prep + own
        if cost >= NOT_OWN:
            continue
        cost += 0.0 if said else 0.3
        kinds = all(segment.chunks[at].has_kind for at in members)
        odd = segment.unknown or roles - {"same"}
        cost += ONLY_NAMED if odd and not (kinds or said) else 0.0
        cost += segment.rest(members, main, frozenset({"move", "same"}))
        cost -= segment.standing_place(set(members), members)
        one = segment.chunks[members[0]]
        counts = one.pronoun == "one" and not one.places  # `I have to lose one`
        cost += 2.0 if "build" in roles or "hold" in roles or counts else 0.0
        yield Frame("disband", cost, tuple(segment.chunks[at] for at in members))
    if said and not segment.notation:
        yield Frame("disband", WITHOUT_SUBJECT + segment.rest(set(), "disband"))


def builds(segment: Segment, roles: set[str]) -> Iterator[Frame]:
    """Yield the builds that a segment may order."""
    placed = [(at, c) for at, c in segment.nouns if c.places]
    kinds = [(at, c) for at, c in segment.nouns if c.has_kind and not c.places]
    free = frozenset({"move"})
    base = 0.0 if "build" in roles else 0.3
    base += KEPT if "hold" in roles else 0.0
    main = "build"
    groups: list[list[tuple[int, Chunk]]] = [[each] for each in placed]
    listed = all(segment.joined(one, two) for (one, _), (two, _) in pairwise(placed))
    alike = listed or not any(chunk.strict for _, chunk in placed)
    if len(placed) > 1 and alike and all(chunk.role != "else" for chunk in segment.chunks):
        groups.append(placed)
    for group in groups:
        used = {at for at, _ in group}
        cost = base
        for _, chunk in group:
            if chunk.prep not in AT_HOME:  # `a fleet to Brest`, not `A Par to Bur`, `A Par - Bur`
                odd = chunk.strict or chunk.prep != group[0][1].prep
                cost += NOT_OWN if odd or chunk.prep not in TO_HOME else 0.3
            cost += (
                0.0
                if segment.notation or any(p in segment.world.sites for p in chunk.places)
                else (OCCUPIED if any(map(segment.world.is_home, chunk.places)) else 3.0)
            )
            if chunk.owner not in (None, segment.world.power):
                cost += NOT_OWN
        kind: Chunk | None = None
        if all(c.has_kind for _, c in group):
            pass
        elif group[0][1].has_kind:
            kind = group[0][1]
            cost += 0.0 if kind.plural else 0.8
        elif group[0][1].pronoun == "one" and not (kinds and kinds[0][1].plural):
            cost += 0.2
        elif kinds and (kinds[0][1].plural or len(group) == 1 or len(kinds) == 1):
            at, kind = min(kinds, key=lambda each: abs(each[0] - group[0][0]))
            used.add(at)
            others = at > group[0][0] and segment.chunks[at - 1].role == "and"
            cost += OTHERS if others or kind.number not in {0, len(group)} else 0.0
        else:
            cost += 1.0
        cost += segment.rest(used, main, free)
        yield Frame("build", cost, tuple(c for _, c in group), object=kind)
