"""The words orders are written with: nothing but tables.

They are those of the rulebook, of the judges by e-mail and of postal gamemasters, in lower case,
as the lexer makes them; those of other languages stand in `tongues`.
"""

from __future__ import annotations

from judge.notation import tongues
from judge.notation.tongues import foreign
from judge.rules.phase import PhaseKind
from judge.rules.vocabulary import UnitKind

KINDS = {
    "a": UnitKind.ARMY,
    "army": UnitKind.ARMY,
    "f": UnitKind.FLEET,
    "fleet": UnitKind.FLEET,
    **tongues.KINDS,
}

STANDS = "s"  # if nothing follows it: zines write `A Par S`
HOLD = frozenset(
    {
        *("h", "hold", "holds", "holding", "stand", "stands", "standing"),
        *("stay", "stays", "staying", "remain", "remains"),
    }
) | foreign("hold")
MOVE = frozenset(
    {
        *("m", "move", "moves", "moving", "go", "goes", "attack", "attacks"),
        *("advance", "advances", "march", "marches", "sail", "sails", "take", "takes", "taking"),
        *("enter", "enters", "capture", "captures", "occupy", "occupies", "invade", "invades"),
        *("head", "heads", "travel", "travels", "proceed", "proceeds", "attacking", "heading"),
        *("going", "marching", "sailing", "advancing", "send", "sends", "sending"),
    }
) | foreign("move")
TOWARD = frozenset({"-", "->", "to", "into", "on", "onto", "toward", "towards"}) | foreign(
    "toward"
)
SUPPORT = frozenset(
    {
        *("s", "sup", "supp", "support", "supports", "supporting"),
        *("backs", "backing", "assist", "assists", "assisting"),
    }
) | foreign("support")
CONVOY = frozenset(
    {
        *("c", "con", "conv", "convoy", "convoys", "t", "transport", "transports"),
        *("ferry", "ferries", "ff", "f"),  # nJudge, of which one is fast
    }
) | foreign("convoy")
CONVOYED = frozenset({"convoyed", "transported", "ferried"})
RETREAT = frozenset({"r", "ret", "retreat", "retreats", "withdraw", "withdraws"}) | foreign(
    "retreat"
)
DISBAND = frozenset({"d", "disband", "disbands", "disbanded", "otb"}) | foreign("disband")
OFF_THE_BOARD = ("off", "board")  # in full; `the` is dropped
REMOVE = frozenset({"r", "remove", "removes", "removed"}) | foreign("remove")
BUILD = frozenset({"b", "build", "builds", "built"}) | foreign("build")

WAIVE = frozenset({"w", "waive", "waives", "waived", "waiving"}) | foreign("waive")
BUILDING = BUILD | {"building"}
NOTHING = frozenset({"none", "nothing", "no", "zero"}) | foreign("nothing")
EVERYTHING = frozenset({"all", "everything", "rest", "remaining", "others"}) | foreign(
    "everything"
)
NUMBERS = {
    word: number
    for number, name in enumerate(("one", "two", "three", "four", "five", "six"), 1)
    for word in (str(number), name)
} | dict.fromkeys(("both", "beide"), 2)
SEVERAL_KINDS = {"armies": "army", "fleets": "fleet", "armeen": "armee", "flotten": "flotte"}
AND = frozenset({"and", "&", "plus", "und", "et"})  # between two of a list
# Of what one says it if no place is named, and what may stand before it.
OF_UNITS = frozenset(
    {
        *("it", "them", "unit", "units", "any", "anything", "army", "fleet", "home", "of"),
        *(*SEVERAL_KINDS, *NUMBERS, *EVERYTHING, *NOTHING),
    }
)
SUPPOSED = frozenset({"do", "does", "did", "want", "wish", "to", "will"})
ALONE = frozenset({"disband", "otb", "remove", "retreat", "waive", "withdraw"})
# Who says what he does: `I build A Par`, `We would like to waive one`.
SPEAKERS = tuple(
    sorted(
        {
            (*who.split(), *wants.split())
            for who in ("i", "we", "ich", "wir", "je", "nous")
            for wants in ("", "will", "shall", "want to", "wish to", "would like to")
        }
        | {("i'll",), ("we'll",), ("i'd", "like", "to"), ("we'd", "like", "to")},
        key=len,
        reverse=True,
    )
)
DUTIES = {
    PhaseKind.MOVEMENT: frozenset[str](),
    PhaseKind.RETREATS: RETREAT | DISBAND | REMOVE,
    PhaseKind.ADJUSTMENTS: BUILD | REMOVE | DISBAND | WAIVE,
}
DOING = BUILDING | REMOVE | DISBAND | RETREAT | WAIVE  # what one says of oneself

# Headings of lists of units, and what is done with these.
ADJUSTING = {
    **{word: "build" for word in BUILD if len(word) > 1},
    **{word: "remove" for word in REMOVE | DISBAND if len(word) > 1},
    "removal": "remove",
    "removals": "remove",
    "disbandment": "remove",
    "disbandments": "remove",
    "constructions": "build",
    "retraits": "remove",
}

# Verbs that take along the kind of the unit that follows: `A Ber SA Mun-Sil`.
SUPPORT_WITH_KIND = {"sa": UnitKind.ARMY, "sf": UnitKind.FLEET}
CONVOY_WITH_KIND = {"ca": UnitKind.ARMY}

VIA = frozenset({"via", "by", "through"}) | foreign("via")
BY_SEA = frozenset({"convoy", "sea"}) | foreign("by_sea")

COASTS = {
    word: initials
    for initials, forms in {
        "NC": ("n", "nc", "ncs", "north", "northern"),
        "SC": ("s", "sc", "scs", "south", "southern"),
        "EC": ("e", "ec", "ecs", "east", "eastern"),
        "WC": ("w", "wc", "wcs", "west", "western"),
    }.items()
    for word in forms
} | tongues.COASTS
# Between brackets nothing else is meant, so there are more spellings: `(n.c.)`, `(nth c)`.
ENCLOSED_COASTS = {
    f"{word}{coast}": initials
    for word, initials in (
        *COASTS.items(),
        *(("no", "NC"), ("nth", "NC"), ("so", "SC"), ("sth", "SC")),
    )
    for coast in ("", "c", "co", "cst", "coast", "k", "küste", "kueste", "kuste")
}
COAST_NAMES = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}

FILLERS = frozenset(
    {"the", "in", "at", "an", "from", "fast", "my", "our", "own", "please", "is", "gets", "unit"}
)
AFTER_ARTICLE = frozenset({"army", "fleet", "unit", "build"})  # Before these `a` is no army.
LEADERS = frozenset({"*", "•", "·", "&", "and", "also"}) | foreign(
    "leader"
)  # What may stand before an order in a list.

# A doubt hangs over the whole sentence, a denial over its own clause (decisions.md, Prose).
DOUBTS = frozenset(
    {
        "?",
        "else",
        "assuming",
        "depending",
        "hopefully",
        "if",
        "maybe",
        "otherwise",
        "perhaps",
        "possibly",
        "provided",
        "supposing",
        "unless",
        "whether",
    }
) | foreign("doubt")
DOUBTS_FIRST = frozenset({"should", "sollte", "sollten"})  # `Should he move, A Mar S A Par`
DENIALS = frozenset({"cannot", "never", "not", "or"}) | foreign("denial")
# Before a colon they say that what follows is no order, or not now, or another's.
LEADS_TO_NONE = frozenset(
    {
        *(
            "he",
            "she",
            "they",
            "his",
            "her",
            "their",
            "says",
            "said",
            "say",
            "told",
            "tells",
            "wrote",
            "writes",
        ),
        *("old", "earlier", "previous", "last", "wrong", "example", "draft", "ignore", "forget"),
        *(
            "er",
            "sagt",
            "sagte",
            "ihr",
            "alte",
            "alten",
            "letzte",
            "vorige",
            "beispiel",
            "entwurf",
        ),
        *("il", "elle", "ils", "dit", "anciens", "derniers", "exemple", "brouillon"),
        *("former", "instance", "suppose", "could", "might", "schrieb", "bisherige", "bisherigen"),
        *("vorigen", "elles", "écrit", "anciennes", "précédents"),
        *("option", "options", "idea", "proposal", "suggestion", "cancel", "disregard"),
        *("vorschlag", "idee", "idée", "proposition"),
    }
)
BLOCK_OPENERS = frozenset({"if", "else", "unless"})
BLOCK_CLOSERS = frozenset({"endif"})

LETTERS_OF_PROSE_MAX = 4  # Of a German or French word that shows nothing by itself: `mer`.
# Words that show, with a province, that an order was meant. People also write of attacks.
ENGLISH_ORDER_WORDS = frozenset(
    {
        *("-", "->", "+", "hold", "holds", "move", "moves", "support", "supports"),
        *("convoy", "convoys", "transport", "transports", "via", "retreat", "retreats"),
        *("build", "builds", "remove", "removes", "disband", "disbands"),
    }
)
FOREIGN_ORDER_WORDS = frozenset(
    word
    for role in ("hold", "support", "convoy", "retreat", "disband", "remove", "build")
    for word in foreign(role)
    if len(word) > LETTERS_OF_PROSE_MAX
)
ORDER_WORDS = ENGLISH_ORDER_WORDS | FOREIGN_ORDER_WORDS
# These show it only behind a unit: single letters, `to`, and the rest.
UNIT_ORDER_WORDS = ORDER_WORDS.union(
    *(HOLD, MOVE, TOWARD, SUPPORT, SUPPORT_WITH_KIND, CONVOY, CONVOY_WITH_KIND),
    *(RETREAT, DISBAND, REMOVE, BUILD),
) - set(KINDS)
VERBS = tuple(sorted(ENGLISH_ORDER_WORDS - {"-", "->", "+", "via"}))  # Long enough to be misspelt.

# Every word with a part in an order; any other is unknown, unless it is a name. A short word of
# another language may as well be a slip of the pen in a name.
KNOWN = frozenset(
    word
    for word in UNIT_ORDER_WORDS.union(KINDS, VIA, BY_SEA, COASTS, FILLERS, LEADERS, ("coast",))
    if word not in tongues.SHORT
)
