"""The words orders are written with: nothing but tables.

They are those of the rulebook, of the judges by e-mail and of postal gamemasters, in lower case,
as the lexer makes them.
"""

from __future__ import annotations

from judge.rules.vocabulary import UnitKind

KINDS = {
    "a": UnitKind.ARMY,
    "army": UnitKind.ARMY,
    "f": UnitKind.FLEET,
    "fleet": UnitKind.FLEET,
}

STANDS = "s"  # if nothing follows it: zines write `A Par S`
HOLD = frozenset({"h", "hold", "holds", "holding", "stand", "stands", "standing"})
MOVE = frozenset({"m", "move", "moves", "moving", "go", "goes", "attack", "attacks"})
TOWARD = frozenset({"-", "->", "to", "into", "on"})
SUPPORT = frozenset({"s", "sup", "supp", "support", "supports", "supporting"})
CONVOY = frozenset(
    {
        *("c", "con", "convoy", "convoys", "t", "transport", "transports"),
        *("ferry", "ferries", "ff", "f"),  # nJudge, of which one is fast
    }
)
CONVOYED = frozenset({"convoyed", "transported", "ferried"})
RETREAT = frozenset({"r", "ret", "retreat", "retreats", "withdraw", "withdraws"})
DISBAND = frozenset({"d", "disband", "disbands", "disbanded", "otb"})
OFF_THE_BOARD = ("off", "board")  # in full; `the` is dropped
REMOVE = frozenset({"r", "remove", "removes", "removed"})
BUILD = frozenset({"b", "build", "builds", "built"})

# Verbs that take along the kind of the unit that follows: `A Ber SA Mun-Sil`.
SUPPORT_WITH_KIND = {"sa": UnitKind.ARMY, "sf": UnitKind.FLEET}
CONVOY_WITH_KIND = {"ca": UnitKind.ARMY}

VIA = frozenset({"via", "by", "through"})
BY_SEA = frozenset({"convoy", "sea"})

WAIVES = frozenset(
    {
        *("w", "waive", "waives", "waived", "waive build", "waive a build"),
        *("build waived", "builds waived", "no build", "no builds"),
    }
)

COASTS = {
    word: initials
    for initials, forms in {
        "NC": ("n", "nc", "ncs", "north", "northern"),
        "SC": ("s", "sc", "scs", "south", "southern"),
        "EC": ("e", "ec", "ecs", "east", "eastern"),
        "WC": ("w", "wc", "wcs", "west", "western"),
    }.items()
    for word in forms
}
COAST_NAMES = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}

FILLERS = frozenset(
    {"the", "in", "at", "an", "from", "fast", "my", "our", "own", "please", "is", "unit"}
)
AFTER_ARTICLE = frozenset({"army", "fleet", "unit", "build"})  # Before these `a` is no army.
LEADERS = frozenset({"*", "•", "·", "and", "also"})  # What may stand before an order in a list.

# A doubt hangs over the whole sentence, a denial over its own clause (DECISIONS: "Prose").
DOUBTS = frozenset(
    {
        "?",
        "else",
        "if",
        "maybe",
        "otherwise",
        "perhaps",
        "possibly",
        "provided",
        "unless",
        "whether",
    }
)
DENIALS = frozenset({"cannot", "never", "not", "or"})
BLOCK_OPENERS = frozenset({"if", "else", "unless"})
BLOCK_CLOSERS = frozenset({"endif"})

# Words that show, with a province, that an order was meant. People also write of attacks.
ORDER_WORDS = frozenset(
    {
        *("-", "->", "+", "hold", "holds", "move", "moves", "support", "supports"),
        *("convoy", "convoys", "transport", "transports", "via", "retreat", "retreats"),
        *("build", "builds", "remove", "removes", "disband", "disbands"),
    }
)
# These show it only behind a unit: single letters, `to`, and the rest.
UNIT_ORDER_WORDS = ORDER_WORDS.union(
    *(HOLD, MOVE, TOWARD, SUPPORT, SUPPORT_WITH_KIND, CONVOY, CONVOY_WITH_KIND),
    *(RETREAT, DISBAND, REMOVE, BUILD),
) - set(KINDS)
VERBS = tuple(sorted(ORDER_WORDS - {"-", "->", "+", "via"}))  # Long enough to be misspelt.

# Every word with a part in an order; any other is unknown, unless it is a name.
KNOWN = UNIT_ORDER_WORDS.union(KINDS, VIA, BY_SEA, COASTS, FILLERS, LEADERS, ("coast",))
