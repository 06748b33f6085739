"""Turn frames into moves, holds, supports and convoys."""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.reading.chunks import Chunk
from judge.reading.movement_frames import WITHOUT_TARGET
from judge.reading.policy import Status, place_of
from judge.reading.resolution import Said
from judge.reading.segment import Frame
from judge.reading.tokens import PAIR
from judge.reading.units_meant import UNRESOLVED, UnitsMeant
from judge.reading.world import BY_CONVOY
from judge.rules import types
from judge.rules.types import PhaseKind, Unit

ATTACKING = ("attack", "attaqu", "greif", "enter", "entre", "tak", "l'")  # `Serbia attacks`
ENTERING = frozenset({"in", "into", "it", "rein", "hinein", "dedans"})  # `moves in`
MAKES = "makes"  # `makes the move itself`
GOES_THERE = frozenset({"y", "s'"})  # `y va`, `s'y rend`
JOINT = 1.3  # the cost of several units going to one place


@dataclass(slots=True)
class MovementOrders(UnitsMeant):
    """Takes the orders of movement phases from frames."""

    def _move(self, frame: Frame) -> None:  # noqa: C901 - one flat walk over the subjects
        units, cost = self._subjects(frame)
        if not units or cost >= UNRESOLVED:
            self._go_jointly(frame)
            return
        make = types.Retreat if self.world.kind is PhaseKind.RETREATS else types.Move
        added, moved, to = [], [], ""
        for number, candidates in enumerate(units):
            target = frame.targets[number] if frame.targets else frame.target
            if target is None or number >= len(units):
                continue
            orders = tuple(
                make(self._name(unit), place)
                for unit in candidates
                for named in ((target, frame.other) if frame.other else (target,))
                for place in self._place(named, unit)
            )
            orders = orders if len(orders) == 1 else tuple(dict.fromkeys(orders))
            if self._stays(candidates, orders, frame):
                self._hold_there(candidates[0], frame, cost)
                continue
            by_way = frame.by_sea[:1] and frame.by_sea[0].prep == "via"
            if frame.strict or by_way or (frame.also_moves and not frame.by_sea):
                orders = tuple(self._on_route(each, frame) for each in orders)
            if not orders:
                continue
            joint = len(units) > 1 and not frame.targets and self.world.kind is PhaseKind.MOVEMENT
            extra = cost + (JOINT if joint else 0.0)
            named = all(chunk.units for chunk in frame.subjects)
            if not (frame.subjects and named and target.places):
                unit = candidates[0]
                extra += max(0.0, self.world.reach(unit, types.province_of(orders[0].target)))
            added.append(self._add(frame, orders, extra))
            if joint:
                self.found[-1] = replace(self.found[-1], joint=True)
            moved.append(candidates[0])
            to = orders[0].target
            if len(candidates) == 1:
                self.mentioned.add(candidates[0].province)
        costs = [0.0] if frame.strict else [self.found[n].cost for n in added] or [frame.cost]
        one, sentence = moved[0] if len(moved) == 1 else None, self._sentence(frame)
        self.said = Said(tuple(moved), to, "move", one, to, tuple(added), sentence, max(costs))
        lands = not self.world.is_sea(types.province_of(to)) if to else False
        if frame.by_sea and lands and len(units[0]) == 1:
            self._take_across(frame, moved[0], to, cost)

    def _take_across(self, frame: Frame, army: Unit, to: types.Location, cost: float) -> None:
        """Order the convoys of *army* by the fleets named beside its move."""
        for chunk in frame.by_sea:
            for place in chunk.sites:
                fleet = self.world.own.get(place)
                if fleet and self.world.at_sea(fleet):
                    target = types.province_of(to)
                    order = types.Convoy(self._name(fleet), self._name(army), target)
                    named = chunk.has_kind and chunk.prep in {"with", "by", "on"}
                    plain = frame.also_moves or named
                    self._add(frame, order, cost, implied=not plain)
                    self.mentioned.add(place)

    def _stays(
        self, units: tuple[Unit, ...], orders: tuple[types.Order, ...], frame: Frame
    ) -> bool:
        """Return whether the only unit is already there: `I leave the other army in Vienna`."""
        stands = frame.target is not None and frame.target.places and frame.target.stands
        whole = any(c.quantity == "all" for c in frame.subjects)  # `in München geht alles schief`
        if frame.strict or whole or not stands or len(units) != 1 or len(orders) != 1:
            return False
        target = getattr(orders[0], "target", "")
        return types.province_of(target) == units[0].province

    def _hold_there(self, unit: Unit, frame: Frame, cost: float) -> None:
        self._add(frame, types.Hold(self._name(unit)), cost)
        self.mentioned.add(unit.province)

    def _go_jointly(self, frame: Frame) -> None:
        """Note where units go, which the next words name: `Both armies in the north go to ...`."""
        several = not frame.subjects or any(
            each.plural or each.quantity for each in frame.subjects
        )
        places = self._place(frame.target, None) if frame.target and several else ()
        if len(places) == 1:
            sentence = self._sentence(frame)
            self.said = Said(sort="joint", target=places[0], to=places[0], sentence=sentence)

    def _on_route(
        self, move: types.Move | types.Retreat, frame: Frame
    ) -> types.Move | types.Retreat:
        """Return *move* with the seas that notation names, and that it is by convoy."""
        if isinstance(move, types.Retreat) or self._walks_across(move, frame):
            return move
        seas = tuple(chunk.places[0] for chunk in (*frame.route, *frame.by_sea))
        return replace(move, via_convoy=bool(seas) or frame.also_moves, route=seas)

    def _walks_across(self, move: types.Move, frame: Frame) -> bool:
        """Return whether a unit needs no convoy: `Liverpool strolls across to Yorkshire`."""
        chunks = self.chunks[frame.first : frame.last]
        across = any(
            c.key == "across" or (c.role == "fill" and c.prep == "via" and c.key != "via")
            for c in chunks
        )  # `over the hills`, but not `A Nap-Apu via`
        unit = self.world.own.get(move.unit.province)
        near = unit is not None and not self.world.reach(unit, types.province_of(move.target))
        return across and near

    def _go(self, frame: Frame) -> None:
        """Take `Serbia moves in`, where several were said to go."""
        units, cost = self._subjects(frame)
        verb = next(c for c in self.chunks[frame.first : frame.last] if c.role == "move")
        joint = [n for n in self.said.orders if self.found[n].joint]
        known = joint or self.said.sort == "joint"
        free = not joint and len(units) == 1 and (verb.key == "l'" or not known)
        topic = self._attacked(units[0][0], frame) if free else None
        if topic:
            self.said, known = Said(sort="joint", to=topic.places[0]), True
        if len(units) != 1 or len(units[0]) != 1 or not known or cost >= UNRESOLVED:
            return
        (unit,), to = units[0], self.said.to
        if joint and all(place_of(self.found[n]) != unit.province for n in joint):
            return
        order = types.Move(self._name(unit), to)
        enters = any(
            c.key in ENTERING or (c.role == "move" and c.key.startswith(ATTACKING))
            for c in self.chunks[frame.first : frame.last]
        )
        unsure = bool(topic) and not enters  # `Italy has Venice. Trieste moves up.`
        added = self._add(frame, order, cost - WITHOUT_TARGET, implied=unsure)
        self.mentioned.add(unit.province)
        sure = self.found[added].cost
        places = {place_of(self.found[n]) for n in joint} - {unit.province}
        others = tuple(each for each in self.world.own.values() if each.province in places)
        sentence = self._sentence(frame)
        self.said = Said((unit,), to, "move", unit, to, (added,), sentence, sure, others=others)

    def _attacked(self, unit: Unit, frame: Frame) -> Chunk | None:
        """Return the last place named, if *unit* can reach it: `I want Tunis; it attacks that`."""
        near = self.chunks[frame.first].sentence - PAIR
        start = frame.subjects[0].start if frame.subjects else self.chunks[frame.first].start
        named = [c for c in self.chunks if c.places and c.start < start and c.sentence >= near]
        most = BY_CONVOY if self._sails(frame) else 0.0
        reach = self.world.reach
        places = tuple(p for c in named[-1:] for p in c.places if reach(unit, p) <= most)
        single = len(places) == 1 and not named[-1].units
        return replace(named[-1], places=places) if single else None

    def _sails(self, frame: Frame) -> bool:
        return any(c.role == "sea" for c in self.chunks[frame.first : frame.last])

    def _hold(self, frame: Frame) -> None:
        if any(c.quantity in {"all", "rest"} and not c.places for c in frame.subjects):
            self.rests.append((len(self.found), frame, "hold"))
            self.said = Said(sentence=self._sentence(frame))
            return
        units, cost = self._subjects(frame)
        helped = self.said.sort == "support" and any(c.pronoun == "it" for c in frame.subjects)
        if not units or cost >= UNRESOLVED or (helped and self.said.to):
            return  # `Warsaw supports it, so it stays`
        unit = self.said.object if helped else None
        units = [(unit,)] if unit and unit in self.world.own.values() else units
        added = []
        for candidates in units:
            orders = tuple(types.Hold(self._name(unit)) for unit in candidates)
            if orders:
                added.append(self._add(frame, orders, cost))
                self.mentioned.update(unit.province for unit in candidates if len(candidates) == 1)
        firsts = tuple(candidates[0] for candidates in units if candidates)
        one, sentence = firsts[0] if len(firsts) == 1 else None, self._sentence(frame)
        said = self.said.target
        self.said = Said(firsts, said, "hold", one, "", tuple(added), sentence, frame.cost)

    def _stand(self, frame: Frame) -> None:
        """Take `A Par S`, which is a hold to some, and lacks the unit helped to others."""
        count = len(self.found)
        self._hold(frame)
        for at in range(count, len(self.found)):
            if not self.world.s_stands and self.found[at].status is Status.PLAIN:
                self.found[at] = replace(self.found[at], status=Status.OFFERED, incomplete=True)

    def _support(self, frame: Frame) -> None:
        units, cost = self._subjects(frame)
        units = list(filter(None, units))
        helped, to, extra = self._helped(frame)
        if not units or helped is None or cost + extra >= UNRESOLVED:
            return
        if to and types.province_of(to) == helped.province:
            to = ""
        added = []
        for each in units:
            candidates = self._that_help(each, to or helped.province)
            orders: list[types.Order] = []
            far = 0.0
            for unit in candidates:
                if unit.province in (helped.province, types.province_of(to or helped.province)):
                    far = UNRESOLVED
                far = max(far, self._far(unit, to or helped.province))
                name = self._name(helped)
                if frame.strict and frame.object:
                    name = replace(name, power=frame.object.owner)
                orders.append(
                    types.SupportMove(self._name(unit), name, to)
                    if to
                    else types.SupportHold(self._name(unit), name)
                )
            if far >= UNRESOLVED or (far and to and frame.object is None):
                one, sentence = candidates[0], self._sentence(frame)
                self.said = Said((one,), sort="named", object=one, sentence=sentence)
                return
            added.append(self._add(frame, tuple(orders), cost + extra))
            some = any(c.plural and not c.places for c in frame.subjects)  # `the fleets support`
            short = frame.object is not None and not frame.object.has_kind  # `Sil u Ber`
            strict = frame.strict and (bool(to) or not short)
            self.found[-1] = replace(self.found[-1], holds=frame.holds, joint=some, strict=strict)
            self.mentioned.update(unit.province for unit in candidates if len(candidates) == 1)
        if frame.holds and frame.passive and helped.province in self.world.own:
            self._add(frame, types.Hold(self._name(helped)), cost + extra)
        if to and self._moves_first(frame, helped):
            self._add(frame, types.Move(self._name(helped), to), cost + extra)
        self.said = replace(
            self.said,
            units=self.said.units
            if frame.refers and self.said.units
            else (helped,)
            if frame.passive and helped.province in self.world.own
            else tuple(c[0] for c in units if c),
            orders=self.said.orders if self._is_aside(frame) else tuple(added),
            sort="support",
            object=helped,
            to=to,
            target=to,
            sentence=self._sentence(frame),
            doubted=self.said.doubted and frame.refers,
        )

    def _is_aside(self, frame: Frame) -> bool:
        """Return whether help is only mentioned: `Rome stays with Naples helping, Bari too`."""
        return bool(self.said.orders) and frame.refers and frame.subjects[0].prep == "with"

    def _moves_first(self, frame: Frame, helped: Unit) -> bool:
        """Return whether the unit helped is said to move before others help it.

        `Trieste attacks Venice and here the support is from the Adriatic`.
        """
        if not (frame.object and frame.target and helped.province in self.world.own):
            return False
        start, end = frame.object.end, frame.target.start
        moves = any(c.role == "move" and start <= c.start < end for c in self.chunks)
        return moves and all(each.start > end for each in frame.subjects)

    def _that_help(self, units: tuple[Unit, ...], place: types.Location) -> tuple[Unit, ...]:
        """Return those of *units* that can support to *place*, or all: `Tyr` for Ven-Tri."""
        return tuple(unit for unit in units if self._far(unit, place) == 0) or units

    def _mutual(self, frame: Frame) -> None:
        units, cost = self._subjects(frame)
        if len(units) != PAIR or any(len(each) != 1 for each in units):
            return
        (one,), (two,) = units
        cost += max(self._far(one, two.location), self._far(two, one.location))
        first = self._add(frame, types.SupportHold(self._name(one), self._name(two)), cost)
        second = self._add(frame, types.SupportHold(self._name(two), self._name(one)), cost)
        self.mentioned.update({one.province, two.province})
        self.said = Said(
            (one, two), sort="mutual", orders=(first, second), sentence=self._sentence(frame)
        )

    def _convoy(self, frame: Frame) -> None:
        units, cost = self._subjects(frame)
        units = list(filter(None, units))
        army, to, extra = self._carried(frame)
        if not units or army is None or not to or cost + extra >= UNRESOLVED:
            return
        added = []
        for candidates in units:
            orders = tuple(
                types.Convoy(self._name(unit), self._name(army), types.province_of(to))
                for unit in candidates
            )
            added.append(self._add(frame, orders, cost + extra))
            self.mentioned.update(unit.province for unit in candidates if len(candidates) == 1)
        if (
            (frame.object is not None or frame.target is not None)
            and army.power == self.world.power
            and not frame.strict
            and not self._has_order(army)
        ):
            added.append(
                self._add(
                    frame,
                    types.Move(self._name(army), to, via_convoy=frame.passive),
                    cost + extra,
                    implied=not frame.passive and army.province in self.mentioned,
                )
            )
            self.mentioned.add(army.province)
        carried = () if self._is_doubted(frame) else (army,)
        self.said = Said(
            carried, to, "move", army, to, tuple(added), self._sentence(frame), frame.cost
        )

    def _follow(self, frame: Frame) -> None:
        units, cost = self._subjects(frame)
        leader = self.said.units
        if len(units) != 1 or not units[0] or len(leader) != 1 or cost >= UNRESOLVED:
            return
        unit, to = units[0][0], leader[0].province
        orders = tuple(types.Move(self._name(each), to) for each in units[0])
        far = max(self.world.reach(each, to) for each in units[0])
        added = self._add(frame, orders, cost + far)
        self.mentioned.add(unit.province)
        self.said = Said((unit,), to, "move", unit, to, (added,), self._sentence(frame))

    def _same(self, frame: Frame) -> None:  # noqa: C901, PLR0912 - one flat match of orders
        if self.said.sort == "mutual":
            self._mutual(frame)
            return
        units, cost = self._subjects(frame)
        before = self.found[self.said.orders[-1]].order if self.said.orders else None
        if frame.object:
            given = (e.order for e in self.found if place_of(e) in frame.object.places)
            before = next(given, None)
        units = list(filter(None, units))
        if units and any(c.key == MAKES for c in self.chunks[frame.first : frame.last]):
            name = self._name(units[0][0])
            helps = (e.order for e in self.found if isinstance(e.order, types.SupportMove))
            before = next((each for each in helps if each.supported == name), before)
        if not units or cost >= UNRESOLVED or self._goes_there(frame, units[0][0], before):
            return
        latter = bool(frame.subjects) and frame.subjects[0].pronoun == "it"
        if latter and isinstance(before, types.SupportMove | types.SupportHold):
            helped = self.world.own.get(before.supported.province)
            units = [(helped,)] if helped else units
        for unit, *others in units:
            name = self._name(unit)
            match None if others else before:
                case types.Move(target=place):
                    order: types.Order = types.Move(name, place)
                    extra = self.world.reach(unit, types.province_of(place))
                case types.Hold():
                    order, extra = types.Hold(name), 0.0
                case types.SupportHold(supported=other):
                    order, extra = types.SupportHold(name, other), self._far(unit, other.location)
                case types.SupportMove(supported=other, target=place) if other == name:
                    order, extra = types.Move(name, place), 0.0
                case types.SupportMove(supported=other, target=place):
                    order, extra = types.SupportMove(name, other, place), self._far(unit, place)
                case _:
                    continue
            self._add(frame, order, cost + extra)
            self.mentioned.add(unit.province)

    def _goes_there(self, frame: Frame, unit: Unit, before: types.Order | None) -> bool:
        """Take `la Belgique, je la veux, York y va`, which repeats no order that goes nowhere."""
        chunks = self.chunks[frame.first : frame.last]
        there = any(c.role == "same" and c.key in GOES_THERE for c in chunks)
        to = types.province_of(getattr(before, "target", ""))
        if not there or (to and not self.world.reach(unit, to)):
            return False
        if topic := self._attacked(unit, frame):
            self._move(replace(frame, target=topic, also_moves=self._sails(frame)))
        return bool(topic) or not to
