"""Find the cheapest explanation of a segment of text: who does what, and where."""

from __future__ import annotations

from collections.abc import Iterator

from judge.reading import movement_frames as movement
from judge.reading.chunks import Chunk
from judge.reading.matching import ORDER
from judge.reading.segment import (
    LEFT_OTHER,
    NOT_OWN,
    NOUN_PHRASES_MAX,
    OBJECT,
    OTHER_PREPOSITION,
    SUBJECT,
    TARGET,
    UNEXPLAINED,
    WITHOUT_SUBJECT,
    WITHOUT_VERB,
    Frame,
    Segment,
)
from judge.reading.world import FAR
from judge.rules.types import PhaseKind

ONLY_A_PLACE = 0.5  # in an answer to `Where does it retreat to?`


def explain(segment: Segment, limit: float = UNEXPLAINED) -> Frame:
    """Return the cheapest frame below *limit*, or talk.

    A given order explains itself, and nothing else.
    """
    if any(chunk.role == ORDER for chunk in segment.chunks):
        behind = {chunk.role for chunk in segment.chunks[1:]}
        alone = segment.chunks[0].role == ORDER and behind <= {"break", "question"}
        return Frame(ORDER, 0.0, strict=True) if alone else Frame("talk", UNEXPLAINED)
    if segment.is_about_another:
        talk = Frame("talk", segment.left_over(set(), LEFT_OTHER) + 0.1 * len(segment.verbs))
    else:
        talk = Frame("talk", segment.left_over(set()) + 0.5 * len(segment.verbs))
    talk.cost += 0.5 * len(segment.passives)
    talk.unknown = segment.unknown
    if not segment.nouns and not segment.verbs and not segment.passives:
        return talk
    if len(segment.nouns) > NOUN_PHRASES_MAX or limit <= 0:
        return talk
    best = talk
    segment.limit = min(talk.cost, limit)
    for frame in _frames(segment):
        if frame.cost < segment.limit:
            best, segment.limit = frame, frame.cost
    best.unknown = segment.unknown
    best.strict = segment.is_strict(best)
    return best


def _frames(segment: Segment) -> Iterator[Frame]:
    kind = segment.world.kind
    roles = {verb.role for _, verb in segment.verbs}
    passives = {each.role for _, each in segment.passives}
    if kind is PhaseKind.ADJUSTMENTS:
        yield from adjustments(segment, roles)
        return
    if kind is PhaseKind.RETREATS:
        yield from retreats(segment, roles)
        return
    if segment.mutual:
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
        segment.also and not segment.verbs and len(segment.nouns) <= movement.PAIR
    ):
        yield from movement.same(segment)
    yield from movement.moves(segment, roles)


def retreats(segment: Segment, roles: set[str]) -> Iterator[Frame]:
    """Yield what a segment may order in a retreat phase."""
    moving = frozenset({"move", "retreat", "hold", "follow"})
    main = next((role for role in ("retreat", "move", "follow") if role in roles), "retreat")
    places = [at for at, c in segment.nouns if c.places]
    for members, prep in (*segment.groups(SUBJECT), ([], WITHOUT_SUBJECT)):
        subject = prep + max(map(segment.subject_cost, members), default=0.0)
        if subject >= NOT_OWN:
            continue
        subjects = tuple(segment.chunks[at] for at in members)
        if "disband" in roles:
            cost = (
                subject
                + segment.rest(set(members), "disband", moving)
                - segment.standing_place(set(members), members)
            )
            yield Frame("disband", cost, subjects)
        for at in places:
            if at in members:
                continue
            target = segment.chunks[at]
            cost = (
                subject
                + TARGET.get(target.prep, OTHER_PREPOSITION)
                + segment.rest({*members, at}, main, moving)
            )
            cost += 0.0 if main in roles else WITHOUT_VERB
            if members:
                cost += segment.reach(members, target)
            elif not any(
                segment.world.reach(unit, p) == 0
                for unit in segment.world.own.values()
                for p in target.places
            ):
                cost += FAR
            cost -= segment.standing_place({*members, at}, members)
            if len(segment.world.own) == len(segment.nouns) == 1 and segment.only_names:
                cost -= ONLY_A_PLACE
            if members and at < members[0]:
                cost += 0.1
            yield Frame("retreat", cost, subjects, target=target)


def adjustments(segment: Segment, roles: set[str]) -> Iterator[Frame]:
    """Yield what a segment may build or remove."""
    if "waive" in roles and segment.world.due > 0:
        yield Frame(
            "waive", 0.2 + segment.rest(set(), "waive", frozenset({"build", "disband", "hold"}))
        )
    if segment.world.due < 0 and "hold" in roles:  # `I keep Paris and Portugal`
        for members, prep in segment.groups(OBJECT):
            yield Frame("talk", prep + 0.2 + segment.rest(set(members), "hold"))
    if segment.world.due < 0:
        main = "disband" if "disband" in roles else "move"
        for members, prep in segment.groups({**OBJECT, "with": 0.1, "to": 4.0}):
            cost = prep + max(segment.subject_cost(at) for at in members)
            if cost >= NOT_OWN:
                continue
            cost += 0.0 if "disband" in roles else 0.3
            cost += segment.rest(set(members), main)
            cost -= segment.standing_place(set(members), members)
            if "build" in roles or "hold" in roles:
                cost += 2.0
            yield Frame("disband", cost, tuple(segment.chunks[at] for at in members))
        if "disband" in roles:
            yield Frame("disband", WITHOUT_SUBJECT + segment.rest(set(), "disband"))
    elif segment.world.due > 0:
        yield from builds(segment, roles)


def builds(segment: Segment, roles: set[str]) -> Iterator[Frame]:
    """Yield the builds that a segment may order."""
    placed = [(at, c) for at, c in segment.nouns if c.places]
    kinds = [(at, c) for at, c in segment.nouns if c.has_kind and not c.places]
    free = frozenset({"move", "hold"})
    base = 0.0 if "build" in roles else 0.2
    main = "build"
    groups: list[list[tuple[int, Chunk]]] = [[each] for each in placed]
    if len(placed) > 1:
        groups.append(placed)
    for group in groups:
        used = {at for at, _ in group}
        cost = base
        for _, chunk in group:
            cost += (
                0.0
                if chunk.prep in {"", "in", "at", "of", "on", "for"}
                else 0.3
                if chunk.prep in {"to", "from", "by"}
                else 2.0
            )
            cost += 0.0 if any(p in segment.world.sites for p in chunk.places) else 3.0
            if chunk.owner not in (None, segment.world.power):
                cost += NOT_OWN
        kind: Chunk | None = None
        if all(c.has_kind for _, c in group):
            pass
        elif group[0][1].has_kind:
            kind = group[0][1]
            cost += 0.0 if kind.plural else 0.8
        elif group[0][1].pronoun == "one":
            cost += 0.2
        elif kinds and (kinds[0][1].plural or len(group) == 1 or len(kinds) == 1):
            at, kind = min(kinds, key=lambda each: abs(each[0] - group[0][0]))
            used.add(at)
        else:
            cost += 1.0
        cost += segment.rest(used, main, free)
        yield Frame("build", cost, tuple(c for _, c in group), object=kind)
