"""Changes of the rules that change nothing: by function the line that comes of them, and why."""

from __future__ import annotations

from collections.abc import Mapping

NO_UNIT = "neither A nor F is in it"
LOWER_CASE = "the text is in lower case by then"
SLOWER = "it only takes longer: what is plain comes out the same where it is judged"

SAME: Mapping[str, Mapping[str, str]] = {
    "adjustment_phase.adjudicate_adjustments": {
        "if excess >= 0:": "of no units too many none is removed",
    },
    "adjustment_phase.surplus": {
        "rule = scene.rulebook.excess_builds if owed >= 0 else scene.rulebook.excess_removals": (
            "nothing is wanted where nothing is due"
        ),
    },
    "adjustments.open_homes": {
        "taken = {unit.province for unit in position.units} if (own) or True else ()": SLOWER,
    },
    "adjustments.understood": {
        'unit = built(scene, "XXXX", order.unit)': "only its kind and its place are read",
    },
    "battle.__init__": {
        "self.falling = True": "nobody is stranded whom land does not await",
    },
    "battle._match": {
        "coast_left_open = None": SLOWER,
        "end = None": SLOWER,
        'end = ""': SLOWER,
        "end = units[other].province if (stays) and False else None": SLOWER,
        "end is None": SLOWER,
        "stays = None": SLOWER,
        "there = None": SLOWER,
        "there.location == order.target and (coast_left_open and": SLOWER,
    },
    "battle._help": {
        "plain = None": SLOWER,
        "plain = unit != NOBODY and scene.units[unit].power == power and self.": SLOWER,
    },
    "battle._carry": {"there = None": SLOWER},
    "battle._on_route": {
        "None": SLOWER,
        "if soldier.kind is not ARMY or sailor.kind is not ARMY:": SLOWER,
        "return False": SLOWER,
    },
    "battle.battle_of": {
        "return Battle(scene, given, sole_orders(scene, given)) if (battle.repeated)": SLOWER,
    },
    "battle._support_closely": {"crosses = None": SLOWER, "plain = None": SLOWER},
    "conflicts.unit_of": {
        'return "XXXX" if isinstance(outcome.order, Waive) else outcome.order.unit.province': (
            "no province has that name either"
        ),
    },
    "conflicts._weight": {"return 3": "it is the greatest either way"},
    "duties.has_choice": {
        "position.due(power) >= 0 or count < len(position.units_of(power))": (
            "nobody is asked to whom nothing is due"
        ),
    },
    "duties.owed": {"if builds >= 0:": "no build is due, and no removal either"},
    "grounds._in_ring": {
        'while (ahead := self._units.get(end_of(ring[-1]) or "XXXX")) and ahead not in ring:': (
            "no province has that name either"
        ),
    },
    "grounds._of_defense": {
        "best = max([each.total for each in foreign], default=1)": "who stands is as strong",
    },
    "legality._is_chain": {
        "reach, sea, beyond = scene.reach, 1, scene.reach.shore[start]": (
            "a route has a sea at least"
        ),
    },
    "mapfile._places": {
        'province, _, coast = row["location"].rpartition("/")': (
            "what has no coast is noted for a province without a name, which is not read"
        ),
    },
    "mapfile._wrong_borders": {
        'if kind not in stands.get(location, "XXXX") or': NO_UNIT,
        'if kind not in stands.get(location, "") or kind not in stands.get(other, "XXXX"):': (
            NO_UNIT
        ),
    },
    "mapfile._wrong_start": {
        'if unit.kind.value not in stands.get(unit.location, "XXXX"):': NO_UNIT,
    },
    "movement_phase.adjudicate_movement": {
        "closed = {**at, **dict.fromkeys(contested, None)}": "only who is in it is asked",
        "closed = {**at, **dict.fromkeys(contested, )}": "only who is in it is asked",
    },
    "muster._take_plain": {
        "if mover.power != power or order.via_convoy or orders[unit] is None:": SLOWER,
    },
    "muster._take_closely": {
        'self.goal[unit] = Post(scene.units[unit].kind, "XXXX",': "no order names that place",
        "there = None": SLOWER,
    },
    "muster._plain_goal": {
        "if scene.sailed(start & goal) and linked(reach, start, goal, scene.afloat):": SLOWER,
        "if there is None:": SLOWER,
        "there = None": SLOWER,
    },
    "phase.parse": {'if kind == "B" and season in "XXFWXX":': "a code has no season X"},
    "reach._posts": {"posts = {at: Post(kind, at, province_of(at), ) for at in borders}": SLOWER},
    "resolver.__init__": {
        "self._told = 1  # the guesses on which the judgment under way rests": (
            "each decision begins with none"
        ),
    },
    "resolver._doubt": {
        "if self._told | bit and self._suppose(decision) is not answer:": (
            "what did not ask for its own guess comes to the same with the other"
        ),
    },
    "resolver._forget": {
        "for other in [each for each, (_, on) in self._resting.items() if on | guesses]:": (
            "what is forgotten without need is worked out again"
        ),
    },
    "rulebook._choice": {
        'return _chosen(asked.strip("XX_XX"), key.strip("_"))': LOWER_CASE,
        'return _chosen(asked.strip("_"), key.strip("XX_XX"))': LOWER_CASE,
    },
    "retreats.open_retreats": {'origin = "XXXX"': "no province has that name either"},
    "rulebook._instead": {
        "near = dict.fromkeys([*parts, *get_close_matches(given, known, cutoff=NEAR)])": (
            "three are the default"
        ),
    },
    "scene.addressed": {
        "if unit != NOBODY and self.named:": SLOWER,
    },
    "scene.sailed": {
        "if unit is not None and units[unit].kind is not FLEET:": SLOWER,
        "return False": SLOWER,
        "unit = None": SLOWER,
    },
    "sight._doubt_voyages": {
        "attacked = None": "who stops an army that lands attacks its fleet",
    },
    "sight._follow": {
        "answer = None": SLOWER,
        "elif ahead not in behind:": SLOWER,
        "if there.province != units[unit].province:": SLOWER,
    },
    "sight._displaces": {
        "if battle.end(ahead) != battle.scene.units[unit].province and": SLOWER,
        "return None if (supporters) or True else False": SLOWER,
    },
    "sight._overcomes": {
        "given = None": SLOWER,
    },
    "sight._see_rivals": {
        "for unit, strength in zip(group, strengths, ": "both are as many",
        "given = None": SLOWER,
        "if by_sea or not by_sea.keys().isdisjoint(group):": SLOWER,
        "return False": SLOWER,
        "strength = 1": "all are as much stronger",
    },
    "sight._see_supports": {"answers[unit] = None": SLOWER},
    "sight.see_plainly": {
        "answer = None": SLOWER,
        "answers[unit] = None": SLOWER,
        "return _follow(battle, behind, answers, closely) if (behind) or True": SLOWER,
    },
    "verdicts._cut": {
        "if len(attackers) >= 1:": SLOWER,
    },
    "verdicts._failure": {
        "if not (supporters[rival] or rival not in leaving):": SLOWER,
    },
    "verdicts._strength": {
        "if barred or len(helpers) >= 1:": "an equal value is made again",
    },
    "verdicts.of_orders": {
        "return self._with_void(verdicts) if (battle.void) or True": SLOWER,
    },
    "vocabulary.__post_init__": {
        'object.__setattr__(self, "province", province_of(at) if ("/" in at) or True': SLOWER,
    },
    "voyage.bits": {
        "found |= seas.get(units[fleet].province, 1)": "who carries is at sea",
    },
    "voyage.voyage_of": {
        "offered = _offered(scene, unit, end, order, ordered) if (ordered) or True": SLOWER,
    },
    "voyage._offered": {"if len(fleets) >= 1:": SLOWER},
}
