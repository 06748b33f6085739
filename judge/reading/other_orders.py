"""Turn frames into retreats to choose from, removals and builds; take orders that others imply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.reading.movement_orders import MovementOrders
from judge.reading.notation import can_be
from judge.reading.policy import RANK, Status, place_of
from judge.reading.resolution import Said
from judge.reading.roles import CHOOSING
from judge.reading.segment import Frame
from judge.reading.tokens import NUMBERS, PAIR, VERBS
from judge.reading.units_meant import UNRESOLVED
from judge.rules import types
from judge.rules.types import PhaseKind, Province, UnitKind

PLAIN_WAIVES = frozenset(
    {
        *("waive", "waives", "waiving", "waived", "verzicht", "verzichte", "renonce", "build"),
        *("baue", "bauen", "construis", "construire", "bouw", "bouwen", "no"),
    }
)
ALL_BUILDS = frozenset(
    {
        *("all", "rest", "both", "builds", "build", "baue", "bauen", "construis", "construire"),
        *("bouw", "bouwen"),
    }
)


@dataclass(slots=True)
class OtherOrders(MovementOrders):
    """Takes all other orders from frames, and those that follow from others."""

    def _waive(self, frame: Frame) -> None:
        chunks = self.chunks[frame.first : frame.last]
        others = any(c.role not in {"waive", "break", "fill"} or c.prep for c in chunks)
        plain = PLAIN_WAIVES - {"no"} if others else PLAIN_WAIVES  # but `No builds for Germany`
        said = any(c.role == "waive" and (c.strict or c.key in plain) for c in chunks)
        at = len(self.found)
        times = next((NUMBERS[c.key] for c in chunks if c.key in NUMBERS), 0)
        if any(c.quantity == "both" for c in chunks) and self.world.plans:
            times = PAIR
        for _ in range(times or 1):
            self._add(frame, types.Waive(), 0.0, implied=not said)
        if not times and any(c.quantity in ALL_BUILDS or c.key in ALL_BUILDS for c in chunks):
            self.remaining.append(at)

    def _take_remaining(self) -> None:
        """Waive the builds that the email leaves.

        With them, a waive in words that makes the orders complete is as plain as those.
        """
        kinds = types.Build | types.Waive
        for at in self.remaining:
            given = (each for each in self.found if each.status is not Status.DOUBTED)
            others = sum(isinstance(each.order, kinds) for each in given) - 1
            left = max(self.world.due - others, int(self.world.plans or not others))
            self.found += [self.found[at]] * (left - 1)
            if not left:
                self.corrected.add(at)
        kept = {
            n: each
            for n, each in enumerate(self.found)
            if n not in self.corrected and isinstance(each.order, kinds)
            if each.status is not Status.DOUBTED
        }
        builds = [each for each in kept.values() if isinstance(each.order, types.Build)]
        plain = bool(builds) and all(each.status is Status.PLAIN for each in builds)
        for n, each in kept.items() if plain and len(kept) == self.world.due else ():
            if each.status is Status.OFFERED:
                self.found[n] = replace(each, status=Status.PLAIN)

    def _choose(self, frame: Frame) -> None:
        """Take the first possible of several retreats: `A Vie R Boh, Tyr, OTB`."""
        units, cost = self._subjects(frame)
        if len(units) != 1 or len(units[0]) != 1 or cost >= UNRESOLVED:
            return
        unit, name = units[0][0], self._name(units[0][0])
        places = (place for each in frame.targets for place in self._place(each, unit)[:1])
        orders: list[types.Order] = [types.Retreat(name, place) for place in places]
        if any(c.role == "disband" for c in self.chunks[frame.first : frame.last]):
            orders.append(types.Disband(name))
        at = self._add(frame, self._first_possible(orders), cost)
        self.found[at] = replace(self.found[at], instead=tuple(orders))

    def _take_list(self, frame: Frame, count: int) -> None:
        """Take another retreat of a unit in a sentence as its second choice: `R Ber, A Mun D`."""
        chooses = self.chunks[frame.first].key in CHOOSING  # `make it Marseilles or Picardy`
        chooses = chooses or (frame.sort == "disband" and not frame.subjects)
        if self.world.kind is not PhaseKind.RETREATS or not (frame.strict or chooses):
            return
        if not self.latest:
            return
        at = self.latest[-1]
        new, first = self.found[count:], self.found[at]
        sentence = self.chunks[frame.first].sentence
        if len(new) != 1 or place_of(new[0]) != place_of(first) or self.listed_in != sentence:
            return
        del self.found[count:]
        orders = (*(first.instead or first.orders), new[0].order)
        possible = self._first_possible(orders)
        self.found[at] = replace(first, orders=(possible,), instead=orders, end=new[0].end)
        if chooses and not self.world.plans:
            status = max(first.status, Status.OFFERED, key=RANK.__getitem__)
            self.found[at] = replace(self.found[at], status=status)

    def _first_possible(self, orders: Sequence[types.Order]) -> types.Order:
        return next((each for each in orders if can_be(each, self.world)), orders[0])

    def _take_instead(self, frame: Frame, count: int) -> None:
        """Take the orders since *count* as second choices: `Build A Bre, otherwise A Par`."""
        chunks = self.chunks[frame.first : frame.last]
        said = (c.role for c in chunks if c.role in {"else", "np", *VERBS})
        begins = next(said, "") == "else"  # and not `I waive it, otherwise all attack me`
        if self.world.kind is PhaseKind.MOVEMENT or not begins or not self.latest:
            return
        if len(self.found) == count:
            return
        added, at = self.found.pop(count), self.latest[-1]
        self.remaining = [n for n in self.remaining if n < count]
        first = self.found[at]
        orders = (*(first.instead or first.orders), added.order)
        possible, end = self._first_possible(orders), self._span(frame)[1]
        self.found[at] = replace(first, orders=(possible,), instead=orders, end=end)

    def _disband(self, frame: Frame) -> None:
        units, cost = self._subjects(frame)
        said = any(c.role == "disband" for c in self.chunks[frame.first : frame.last])
        builds = not said and not self.world.plans and any(c.role == "build" for c in self.chunks)
        make = types.Build if builds else types.Disband  # `Builds: A Ven` where removals are due
        if not units or cost >= UNRESOLVED:
            return
        added = [
            self._add(frame, tuple(make(self._name(unit)) for unit in each), cost)
            for each in units
            if each
        ]
        self.mentioned.update(each[0].province for each in units if len(each) == 1)
        self.said = Said(
            tuple(each[0] for each in units if each),
            sort="disband",
            orders=tuple(added),
            sentence=self._sentence(frame),
        )

    def _build(self, frame: Frame) -> None:
        acts = {c.role for c in self.chunks} & {"build", "disband"}
        removes = acts == {"disband"} and not self.world.plans
        make = types.Disband if removes else types.Build  # `Removals: A Gas` where builds are due
        for chunk in frame.subjects:
            kind = chunk.kind or (self.built if chunk.pronoun == "one" else None)
            kind = kind or (frame.object.kind if frame.object else None)
            if kind and not (
                chunk.kind or any(self.world.can_stand(kind, p) for p in chunk.places)
            ):
                kind = None  # `a fleet in Kiel and another one in Munich`
            places = tuple(p for p in chunk.places if p in self.world.sites) or chunk.places
            orders = []
            for place in places:
                coast = chunk.coast or (frame.object.coast if frame.object else "")
                location = (
                    f"{place}/{coast}"
                    if coast and self.world.board.places[place].coasts
                    else place
                )
                orders.append(make(types.UnitName(kind, location)))
            if kind is None:
                if all(c.role != "build" for c in self.chunks[frame.first : frame.last]):
                    continue
                orders = [
                    replace(each, unit=replace(each.unit, kind=either))
                    for each in orders
                    for either in UnitKind
                    if self.world.can_stand(either, each.unit.province)
                ]
            if not orders:
                continue
            at = self._add(frame, tuple(orders), 0.0)
            if chunk is not frame.subjects[0]:
                self.found[at] = replace(self.found[at], start=chunk.start)
            if chunk is not frame.subjects[-1]:
                self.found[at] = replace(self.found[at], end=chunk.end)
            self.built = kind or self.built

    def _take_implied(self) -> None:
        """Offer the moves of own units that words help to move, and that nothing else orders."""
        for at, each in enumerate(tuple(self.found)):
            order = each.order
            if each.strict or at in self.corrected or not isinstance(order, types.SupportMove):
                continue
            mover = self.world.own.get(order.supported.province)
            if mover and not self._has_order(mover):
                move = types.Move(self._name(mover), order.target)
                status = max(each.status, Status.OFFERED, key=RANK.__getitem__)
                self.found.append(replace(each, orders=(move,), status=status, implied=True))

    def _excepted(self) -> set[Province]:
        """Return where the units stand that are not among all: `all except Serbia hold`."""
        found: set[Province] = set()
        within = False
        for chunk in self.chunks if "except" in self.marks.roles else ():
            if within and chunk.role == "np":
                found.update(unit.province for unit in chunk.units)
            within = chunk.role == "except" or (
                within and (chunk.role in {"np", "and"} or chunk.key == ",")
            )
        return found

    def _take_rests(self) -> None:
        """Give HOLD to each unit that has no other order."""
        excepted = self._excepted()
        for _, frame, _ in self.rests:
            chunk = next(c for c in frame.subjects if c.quantity in {"all", "rest"})
            all_but = any(c.role == "except" for c in self.chunks[frame.first :])
            ordered = {
                unit.province
                for n, each in enumerate(self.found)
                if n not in self.corrected
                and isinstance(unit := getattr(each.order, "unit", None), types.UnitName)
            }
            units = [
                u
                for u in self.world.own.values()
                if chunk.kind in (None, u.kind) and u.province not in ordered | excepted
            ]
            for unit in units:
                at = self._add(
                    frame,
                    types.Hold(self._name(unit)),
                    0.0,
                    implied=self.unresolved or unit.province in self.unexplained,
                )
                self.found[at] = replace(
                    self.found[at], several=True, rest=chunk.quantity == "rest" or all_but
                )
