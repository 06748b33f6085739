"""The words orders are written with: nothing but tables.

They are those of the rulebook, of the judges by e-mail and of postal gamemasters; all in lower case, as the lexer
makes them. A single letter counts as a verb only where the grammar expects one.
"""

from __future__ import annotations

from judge.rules.vocabulary import UnitKind

KINDS = {
    "a": UnitKind.ARMY,
    "army": UnitKind.ARMY,
    "f": UnitKind.FLEET,
    "fleet": UnitKind.FLEET,
}

HOLD = frozenset({"h", "hold", "holds", "holding", "stand", "stands", "standing"})
MOVE = frozenset({"m", "move", "moves", "moving", "go", "goes", "attack", "attacks"})
TOWARD = frozenset({"-", "to", "into"})
SUPPORT = frozenset({"s", "sup", "supp", "support", "supports", "supporting"})
CONVOY = frozenset({"c", "con", "convoy", "convoys", "t", "transport", "transports", "ferry"})
RETREAT = frozenset({"r", "ret", "retreat", "retreats", "withdraw", "withdraws"})
DISBAND = frozenset({"d", "disband", "disbands", "disbanded", "otb"})
REMOVE = frozenset({"r", "remove", "removes", "removed"})
BUILD = frozenset({"b", "build", "builds", "built"})

# Verbs that take along the kind of the unit that follows: `A Ber SA Mun-Sil`.
SUPPORT_WITH_KIND = {"sa": UnitKind.ARMY, "sf": UnitKind.FLEET}
CONVOY_WITH_KIND = {"ca": UnitKind.ARMY}

VIA = frozenset({"via", "by", "through"})
BY_SEA = frozenset({"convoy", "sea"})

WAIVES = frozenset(
    {
        "w",
        "waive",
        "waives",
        "waived",
        "waive build",
        "waive a build",
        "build waived",
        "builds waived",
        "no build",
        "no builds",
    }
)

COASTS = {
    "n": "NC",
    "nc": "NC",
    "ncs": "NC",
    "north": "NC",
    "northern": "NC",
    "s": "SC",
    "sc": "SC",
    "scs": "SC",
    "south": "SC",
    "southern": "SC",
    "e": "EC",
    "ec": "EC",
    "ecs": "EC",
    "east": "EC",
    "eastern": "EC",
    "w": "WC",
    "wc": "WC",
    "wcs": "WC",
    "west": "WC",
    "western": "WC",
}
COAST_NAMES = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}

FILLERS = frozenset({"the", "in", "at", "an", "my", "our", "own", "please", "is"})
LEADERS = frozenset({"*", "•", "·", "and", "also"})  # What may stand before an order in a list.

# A doubt hangs over the whole sentence, a denial over its own clause (DECISIONS: "Prose").
DOUBTS = frozenset(
    {
        "?",
        "else",
        "if",
        "maybe",
        "or",
        "otherwise",
        "perhaps",
        "possibly",
        "provided",
        "unless",
        "whether",
    }
)
DENIALS = frozenset({"cannot", "never", "not"})
BLOCK_OPENERS = frozenset({"if", "else", "unless"})
BLOCK_CLOSERS = frozenset({"endif"})

# Words that show, with a province, that an order was meant. `to` and single letters show it only after a unit, and
# `attack` not at all: people write of attacks.
ORDER_WORDS = frozenset(
    word
    for table in (HOLD, MOVE, SUPPORT, CONVOY, RETREAT, DISBAND, REMOVE, BUILD, VIA)
    for word in table
    if len(word) > 2
) - {"attack", "attacks", "going", "goes", "con"} | {"-", "+"}
UNIT_ORDER_WORDS = (
    ORDER_WORDS | HOLD | MOVE | TOWARD | SUPPORT | CONVOY | RETREAT | DISBAND | BUILD
)
VERBS = tuple(sorted(word for word in ORDER_WORDS if len(word) > 3))  # Long enough to be misspelt.

# Every word with a part in an order; any other is unknown, unless it is a name.
KNOWN = frozenset().union(
    *(KINDS, HOLD, MOVE, TOWARD, SUPPORT, CONVOY, RETREAT, DISBAND, REMOVE, BUILD, VIA, BY_SEA),
    *(SUPPORT_WITH_KIND, CONVOY_WITH_KIND, COASTS, FILLERS, LEADERS, ("coast", "+")),
)
