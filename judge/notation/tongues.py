"""The words orders are written with in German and French: nothing but tables.

They stand beside the English ones in `words`, are in lower case as the lexer makes them, and are
read with their accents, without them, and as `ae` or `ss`. What powers and provinces are called
stands in the files of a variant. A word that is English too, or a province, is none here: `par`.
"""

from __future__ import annotations

from judge.rules.vocabulary import UnitKind

UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "œ": "oe"})
PLAIN = str.maketrans("äöüàâçéèêëîïôùûœ", "aouaaceeeeiiouuo")

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
    "disband": "auflösen aufgelöst auflösung löst",
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
BY_CONVOY = (  # One of the words is a province as well, or like one.
    *(("par", "convoi"), ("par", "mer")),
    *(("per", "konvoi"), ("mit", "konvoi")),
)
REFLEXIVE = frozenset({"se"})  # before a verb only: it may be a shortened `Sea`
LAST = frozenset({"auf", "bitte", "svp"})  # Fillers that may end an order: `löst sich auf`.


def spellings(word: str) -> frozenset[str]:
    """Return how *word* is written: with its accents or without, umlauts with an e.

    One letter keeps its accent: `a` is no `à`.
    """
    folded = word.casefold()
    plain = {folded.translate(UMLAUTS), folded.translate(PLAIN)} if len(folded) > 1 else set()
    return frozenset({folded, *plain})


def foreign(role: str) -> frozenset[str]:
    """Return the words that play *role*, in every spelling."""
    told = (word for tongue in (GERMAN, FRENCH) for word in tongue[role].split())
    return frozenset(spelling for word in told for spelling in spellings(word))


FILLERS = foreign("filler")
LETTERS_MIN = 4  # of small words that are told from misspelt names
SHORT = frozenset(
    word
    for role in ("filler", "leader", "by_sea", "north", "south", "east", "west")
    for word in foreign(role)
    if len(word) < LETTERS_MIN
)
KINDS = {
    **dict.fromkeys(foreign("army"), UnitKind.ARMY),
    **dict.fromkeys(foreign("fleet"), UnitKind.FLEET),
}
COASTS = {
    word: initials
    for initials, role in (("NC", "north"), ("SC", "south"), ("EC", "east"), ("WC", "west"))
    for word in foreign(role)
}
WHOLE_COASTS = frozenset(word for word in COASTS if word.endswith(("küste", "kueste", "kuste")))
