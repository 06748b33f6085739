"""The words of orders in English, German and French.

They are those of the rulebook, of email judges and of postal moderators, in lower case like
tokens; foreign words also match without accents, and as `ae` or `ss`. The names of powers and
provinces are in the files of a variant. Foreign words that are also English words or provinces are
left out: `par`.
"""

from __future__ import annotations

from judge.rules.types import PhaseKind, UnitKind

UMLAUT_SPELLINGS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "œ": "oe"})
WITHOUT_ACCENTS = str.maketrans("äöüàâçéèêëîïôùûœ", "aouaaceeeeiiouuo")

GERMAN = {
    "army": "armee armeen heer",
    "fleet": "flotte flotten",
    "hold": "hält halten halte haltet halt steht stehen bleibt bleiben bleibe verbleibt verharrt",
    "move": "rückt rücke marschiert segelt fährt nimmt erobert besetzt greift bewegt bewege"
    " schickt greife greifen nehme erobere schicke verlegt verlege sende sendet läuft",
    "toward": "nach gegen zu zur zum ins",
    "support": "u unt unterst unterstützt unterstützen unterstütze unterstützung stützt",
    "convoy": "k konv konvoi konvoiert konvoyiert konvoyieren konvoyiere geleit geleitet"
    " befördert",
    "retreat": "zurück rückzug weicht flieht",
    "disband": "auflösen aufgelöst auflösung",
    "remove": "entfernen entfernt abbauen abbau abgebaut",
    "build": "bauen baut baue aufbau aufbauen aufgebaut",
    "waive": "verzicht verzichten verzichte verzichtet",
    "via": "über",
    "by_sea": "konvoi see",
    "filler": "die der das dem des im am vom aus von auf ein eine einer einen meine mein unsere"
    " sich bitte zieht ziehen ziehe geht gehen begibt",
    "leader": "und auch",
    "nothing": "nichts",
    "everything": "alle alles",
    "doubt": "wenn falls ob sonst ansonsten außer vielleicht eventuell möglicherweise",
    "denial": "nicht kein keine keinen keiner nie niemals nein oder",
    "north": "nk nord nordküste",
    "south": "sk süd südküste",
    "east": "ok ost ostküste",
    "west": "wk westküste",
}
FRENCH = {
    "army": "armée armées",
    "fleet": "flotte flottes",
    "hold": "tient tenir tiens tiennent reste restent rester demeure",
    "move": "va aller attaque attaquer avance avancer prend prendre occupe occuper envahit envahir"
    " envoie envoyez envoyer déplace déplacez déplacer bouge bougez bouger",
    "toward": "vers sur contre",
    "support": "sout soutient soutenir soutiens soutien appuie appuyer",
    "convoy": "convoie convoyer convoi transporte transporter",
    "retreat": "retraite repli replie replier recule",
    "disband": "dissout dissoute dissoudre dissolution",
    "remove": "retire retirer retrait enlève enlever supprime supprimer",
    "build": "construit construire construis construction",
    "waive": "renonce renoncer",
    "via": "via",
    "by_sea": "convoi mer",
    "filler": "le la les de du des au aux à en dans un une ma mon mes notre nos fait bat côte svp",
    "leader": "et aussi",
    "nothing": "rien",
    "everything": "tout tous",
    "doubt": "si sinon sauf peut éventuellement",
    "denial": "ne pas jamais non ou ni aucun aucune",
    "north": "cn nord",
    "south": "cs sud",
    "east": "ce est",
    "west": "co ouest",
}
BY_CONVOY = (  # one of the words may be a province
    *(("par", "convoi"), ("par", "mer")),
    *(("per", "konvoi"), ("mit", "konvoi")),
)
REFLEXIVE_PRONOUNS = frozenset({"se"})  # only before a verb; it may be a short `Sea`
FINAL_FILLERS = frozenset({"auf", "bitte", "svp"})  # may end an order: `löst sich auf`


def spellings(word: str) -> frozenset[str]:
    """Return the spellings of *word* with and without accents, umlauts also as `ae`.

    A single letter keeps its accent: `a` is not `à`.
    """
    folded = word.casefold()
    plain = (
        {folded.translate(UMLAUT_SPELLINGS), folded.translate(WITHOUT_ACCENTS)}
        if len(folded) > 1
        else set()
    )
    return frozenset({folded, *plain})


def foreign_words(role: str) -> frozenset[str]:
    """Return the German and French words for *role* in every spelling."""
    words = (word for tongue in (GERMAN, FRENCH) for word in tongue[role].split())
    return frozenset(spelling for word in words for spelling in spellings(word))


FOREIGN_FILLERS = foreign_words("filler")
MISSPELT_LETTERS_MIN = 4  # shorter words may be misspelled names
SHORT_FOREIGN_WORDS = frozenset(
    word
    for role in ("filler", "leader", "by_sea", "north", "south", "east", "west")
    for word in foreign_words(role)
    if len(word) < MISSPELT_LETTERS_MIN
)
FOREIGN_KINDS = {
    **dict.fromkeys(foreign_words("army"), UnitKind.ARMY),
    **dict.fromkeys(foreign_words("fleet"), UnitKind.FLEET),
}
FOREIGN_COASTS = {
    word: initials
    for initials, role in (("NC", "north"), ("SC", "south"), ("EC", "east"), ("WC", "west"))
    for word in foreign_words(role)
}
COASTS_IN_ONE_WORD = frozenset(
    word for word in FOREIGN_COASTS if word.endswith(("küste", "kueste", "kuste"))
)


KINDS = {
    "a": UnitKind.ARMY,
    "army": UnitKind.ARMY,
    "f": UnitKind.FLEET,
    "fleet": UnitKind.FLEET,
    **FOREIGN_KINDS,
}

STANDS = "s"  # hold at the end of an order: zines write `A Par S`
HOLD = frozenset(
    {
        *("h", "hold", "holds", "holding", "stand", "stands", "standing"),
        *("stay", "stays", "staying", "remain", "remains"),
    }
) | foreign_words("hold")
MOVE = frozenset(
    {
        *("m", "move", "moves", "moving", "go", "goes", "attack", "attacks"),
        *("advance", "advances", "march", "marches", "sail", "sails", "take", "takes", "taking"),
        *("enter", "enters", "capture", "captures", "occupy", "occupies", "invade", "invades"),
        *("head", "heads", "travel", "travels", "proceed", "proceeds", "attacking", "heading"),
        *("going", "marching", "sailing", "advancing", "send", "sends", "sending"),
    }
) | foreign_words("move")
TOWARD = frozenset({"-", "->", "to", "into", "on", "onto", "toward", "towards"}) | foreign_words(
    "toward"
)
SUPPORT = frozenset(
    {
        *("s", "sup", "supp", "support", "supports", "supporting"),
        *("backs", "backing", "assist", "assists", "assisting"),
    }
) | foreign_words("support")
CONVOY = frozenset(
    {
        *("c", "con", "conv", "convoy", "convoys", "t", "transport", "transports"),
        *("ferry", "ferries", "ff", "f"),  # nJudge's ferries, one of them fast
    }
) | foreign_words("convoy")
CONVOYED = frozenset({"convoyed", "transported", "ferried"})
RETREAT = frozenset({"r", "ret", "retreat", "retreats", "withdraw", "withdraws"}) | foreign_words(
    "retreat"
)
DISBAND = frozenset({"d", "disband", "disbands", "disbanded", "otb"}) | foreign_words("disband")
OFF_THE_BOARD = ("off", "board")  # `the` is a filler
REMOVE = frozenset({"r", "remove", "removes", "removed"}) | foreign_words("remove")
BUILD = frozenset({"b", "build", "builds", "built"}) | foreign_words("build")

WAIVE = frozenset({"w", "waive", "waives", "waived", "waiving"}) | foreign_words("waive")
BUILDING = BUILD | {"building"}
NOTHING = frozenset({"none", "nothing", "no", "zero"}) | foreign_words("nothing")
EVERYTHING = frozenset({"all", "everything", "rest", "remaining", "others"}) | foreign_words(
    "everything"
)
NUMBERS = {
    word: number
    for number, name in enumerate(("one", "two", "three", "four", "five", "six"), 1)
    for word in (str(number), name)
} | dict.fromkeys(("both", "beide"), 2)
SEVERAL_KINDS = {"armies": "army", "fleets": "fleet", "armeen": "armee", "flotten": "flotte"}
AND = frozenset({"and", "&", "plus", "und", "et"})  # between list items
# Objects of an adjustment without a place, and words before its verb.
OF_UNITS = frozenset(
    {
        *("it", "them", "unit", "units", "any", "anything", "army", "fleet", "home", "of"),
        *(*SEVERAL_KINDS, *NUMBERS, *EVERYTHING, *NOTHING),
    }
)
SUPPOSED = frozenset({"do", "does", "did", "want", "wish", "to", "will"})
ALONE = frozenset({"disband", "otb", "remove", "retreat", "waive", "withdraw"})
# Speakers: `I build A Par`, `We would like to waive one`.
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
DOING = BUILDING | REMOVE | DISBAND | RETREAT | WAIVE  # verbs after a speaker

# Headings of lists of units, and their verbs.
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

# Verbs that include the kind of the next unit: `A Ber SA Mun-Sil`.
SUPPORT_WITH_KIND = {"sa": UnitKind.ARMY, "sf": UnitKind.FLEET}
CONVOY_WITH_KIND = {"ca": UnitKind.ARMY}

VIA = frozenset({"via", "by", "through"}) | foreign_words("via")
BY_SEA = frozenset({"convoy", "sea"}) | foreign_words("by_sea")

COASTS = {
    word: initials
    for initials, forms in {
        "NC": ("n", "nc", "ncs", "north", "northern"),
        "SC": ("s", "sc", "scs", "south", "southern"),
        "EC": ("e", "ec", "ecs", "east", "eastern"),
        "WC": ("w", "wc", "wcs", "west", "western"),
    }.items()
    for word in forms
} | FOREIGN_COASTS
# In brackets more spellings are unambiguous: `(n.c.)`, `(nth c)`.
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
EXCEPTIONS = frozenset({"but", "except", "only", "aber", "nur", "mais"})
AFTER_ARTICLE = frozenset({"army", "fleet", "unit", "build"})  # before these, `a` is an article
LEADERS = frozenset({"*", "•", "·", "&", "and", "also"}) | foreign_words(
    "leader"
)  # before an order in a list

# A doubt applies to the whole sentence, a denial to its clause (decisions.md, Prose).
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
) | foreign_words("doubt")
DOUBTS_FIRST = frozenset({"should", "sollte", "sollten"})  # `Should he move, A Mar S A Par`
DENIALS = frozenset({"cannot", "never", "not", "or"}) | foreign_words("denial")
# Before a colon, these mean that the rest is not an order, not for now, or another player's.
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

LETTERS_OF_PROSE_MAX = 4  # of ambiguous German or French words: `mer`
# Words that, with a province, show an order. `attack` also occurs in prose.
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
    for word in foreign_words(role)
    if len(word) > LETTERS_OF_PROSE_MAX
)
ORDER_WORDS = ENGLISH_ORDER_WORDS | FOREIGN_ORDER_WORDS
# Words that show an order only after a unit: single letters, `to` and others.
UNIT_ORDER_WORDS = ORDER_WORDS.union(
    *(HOLD, MOVE, TOWARD, SUPPORT, SUPPORT_WITH_KIND, CONVOY, CONVOY_WITH_KIND),
    *(RETREAT, DISBAND, REMOVE, BUILD),
) - set(KINDS)
VERBS = tuple(sorted(ENGLISH_ORDER_WORDS - {"-", "->", "+", "via"}))  # long enough to misspell

# All words with a role in orders. Short foreign words may be misspelled names instead.
KNOWN = frozenset(
    word
    for word in UNIT_ORDER_WORDS.union(KINDS, VIA, BY_SEA, COASTS, FILLERS, LEADERS, ("coast",))
    if word not in SHORT_FOREIGN_WORDS
)
