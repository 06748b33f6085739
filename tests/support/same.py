"""Changes of the rules that change nothing, by the line that they make, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping

SAME: Mapping[str, str] = {
    'unit = built(scene, "XXXX", order.unit)': "only the kind and the place of it are read",
    "if excess >= 0:": "of no units too many none is removed",
    "match scene.rulebook.excess_builds if owed >= 0 else scene.rulebook.excess_removals:": (
        "nothing is wanted where nothing is due"
    ),
    'return "XXXX" if isinstance(outcome.order, Waive) else outcome.order.unit.province': (
        "no province has that name either"
    ),
    "return 3": "the weights of outcomes only have an order",
    "position.due(power) >= 0 or count < len(position.units_of(power))": (
        "only powers to whom something is due are asked"
    ),
    "if builds >= 0:": "no build is due, and no removal either",
    "reach, sea, beyond = scene.reach, 1, scene.reach.shore[start]": "a route has a sea at least",
    'province, _, coast = row["location"].rpartition("/")': (
        "a place without a coast is then noted as one of a province without a name"
    ),
    'if kind not in stands.get(location, "XXXX") or kind not in stands.get(other, ""):': (
        "neither A nor F is in it"
    ),
    'if kind not in stands.get(location, "") or kind not in stands.get(other, "XXXX"):': (
        "neither A nor F is in it"
    ),
    'if unit.kind.value not in stands.get(unit.location, "XXXX"):': "neither A nor F is in it",
    'if kind == "B" and season in "XXFWXX":': "a code has no other season",
    "self._told = 1  # the guesses on which the judgment under way rests": (
        "each decision begins with none"
    ),
    "if self._told | bit and self._suppose(decision) is not answer:": (
        "what did not ask for its own guess comes to the same with the other"
    ),
    "for other in [each for each, (_, on) in self._resting.items() if on | guesses]:": (
        "what is forgotten without need is worked out again"
    ),
    "near = get_close_matches(shown, list(known), cutoff=0.0)": "it gives three unless it is told",
    'return _chosen(asked.strip("XX_XX"), key.strip("_"))': "the text is in lower case by then",
    'return _chosen(asked.strip("_"), key.strip("XX_XX"))': "the text is in lower case by then",
}
