"""Rewrite everyday wording as an order: `Please send the fleet in Kiel to Holland`.

Only clauses that cannot be read as written are reworded, and the result must be an order as a
whole. Unlisted words are never dropped; they leave the clause unread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge.notation import vocabulary
from judge.notation.clauses import Clause
from judge.notation.terms import COAST_CODES, Cursor, Names, Token, terms_of
from judge.notation.vocabulary import foreign_words
from judge.rules.types import PhaseKind

Tokens = tuple[Token, ...]
Phrase = tuple[str, ...]

GLUED_LETTERS_MIN = 4  # `FAnk`: a kind and an abbreviation
UNIT_TOKENS_MAX = 16  # `the French fleet in St. Petersburg (on the south - coast)`


def _phrases(text: str) -> tuple[Phrase, ...]:
    return tuple(sorted((tuple(each.split()) for each in text.split("|")), key=len, reverse=True))


def _by_first_word(text: str) -> Mapping[str, Sequence[Phrase]]:
    phrases = _phrases(text)
    return {word: [each for each in phrases if each[0] == word] for word, *_ in phrases}


def _by_last_word(text: str) -> Mapping[str, Sequence[Phrase]]:
    phrases = _phrases(text)
    return {word: [each for each in phrases if each[-1] == word] for *_, word in phrases}


# Before an order, any number of them.
OPENINGS = _by_first_word("""
    please | kindly | ok | okay | so | then | now | next | finally | instead | actually | bitte
    | but | only | aber | nur | mais | dann | jetzt | nun | stattdessen | svp | alors | maintenant
    | s'il vous plaît
""")
# After an order: courtesies, and words for a replacement.
CLOSINGS = _by_last_word("""
    thanks | thanks a lot | thanks so much | many thanks | thank you | thank you very much | thx
    | cheers | please | pls | instead | now | this turn | this season | this phase | this time
    | for now | as well | too | ok | okay | vor
    | danke | vielen dank | besten dank | danke schön | danke sehr | bitte | stattdessen | diesmal
    | jetzt | merci | merci beaucoup | merci d'avance | plutôt | svp | s'il vous plaît | cette fois
    | maintenant
""")
# The speaker of an order. `Should I` is a doubt and not listed.
SPEAKERS = _by_first_word("""
    i | i'll | i'm | i will | i shall | i should | i must | i am | i am going to | i'm going to
    | i want to | i wish to | i would like to | i'd like to | i have to | i order
    | we | we'll | we're | we will | we shall | we should | we must | we are | we want to
    | we are going to | we're going to | we wish to | we would like to | we'd like to | we order
    | let | let us | order
    | ich | ich will | ich werde | ich möchte | ich muss | ich befehle
    | wir | wir wollen | wir werden | wir möchten | wir müssen
    | je | je vais | je veux | je voudrais | je dois | nous | nous allons | nous voulons
""")
KNOWS = _by_first_word(
    "i hold | we hold | ich halte | wir halten | je tiens | nous tenons"
)  # either knowledge or an order
MODALS = frozenset(
    {
        *("will", "shall", "should", "must", "soll", "sollte", "sollen", "wird", "muss", "muß"),
        *("doit", "devrait"),
    }
)
VERBS = {
    **dict.fromkeys(_phrases("backs up | back up | backing up | gives support to"), "supports"),
    **dict.fromkeys(_phrases("supports the move of | supports the attack of"), "supports"),
    **dict.fromkeys(_phrases("supports the move from | supports the attack from"), "supports"),
    **dict.fromkeys(_phrases("support the move of | support the move from"), "supports"),
    **dict.fromkeys(_phrases("supports the move | supports the attack"), "supports"),
    **dict.fromkeys(_phrases("heads for | heading for | goes back to | moves back to"), "-"),
    **dict.fromkeys(_phrases("does nothing | do nothing | sits tight | sits still"), "holds"),
    **dict.fromkeys(_phrases("in den"), "nach"),  # `Den` alone is Denmark
    **dict.fromkeys(_phrases("se déplace | se deplace | se rend"), "va"),
}
VERB_WORDS_MAX = max(map(len, VERBS))
VERBS_BY_START = {
    start: [each for each in VERBS if each[0] == start] for start in {each[0] for each in VERBS}
}
# Before a unit named by its place alone, as in `..., the one in Edinburgh to Norway`.
THE_ONE = _by_first_word("""
    the one in | the one at | the ones in | the other one in | that in | that of
    | diejenige in | jene in | celle de | celle en | celle à | celle du | celle d
""")
# Before a verb: `Venice is going to hold`, `Rome will be moving to Apulia`.
BEFORE_VERBS = _by_first_word("is going to | are going to | be")
DOES = vocabulary.MOVE | vocabulary.HOLD | vocabulary.SUPPORT | vocabulary.CONVOY
# After a verb for a hold.
IN_PLACE = frozenset(
    _phrases("""
        put | where it is | where they are | in place | at home | there | here | right there
        | firm | position | its position | sa position | da | dort | hier | wo sie ist | zu hause
        | sur place | en place | là | ici | en position | in situ | where it stands
    """)
)
TRANSFERS = frozenset(
    {
        *("move", "send", "march", "sail", "advance", "bring", "moving", "sending", "go"),
        *("bewege", "schicke", "sende", "verlege", "envoie", "envoyez", "déplace", "déplacez"),
        *("bouge", "bougez", "ziehe", "gehe", "ziehen", "gehen", "rücke"),
    }
)
HELD = frozenset({"hold", "holding", "keep", "halte", "tiens", "tenez"})
IMPERATIVES = TRANSFERS.union(
    ("attack", "attacking", "take", "enter", "capture", "occupy", "invade", "support", "convoy"),
    ("supporting", "taking", "unterstütze", "unterstützt", "soutiens", "attaque", "prends"),
    ("greife", "greifen", "nehme", "nehmen", "erobere"),
)
BY = frozenset({"with", "from", "using", "mit", "von", "aus", "avec", "depuis", "de"})
# At the end of a German sentence.
LAST_VERBS = {
    **{verb: verb for verb in foreign_words("support") if len(verb) > len("unterst")},
    **dict.fromkeys(("angreifen", "erobern", "besetzen", "nehmen", "einnehmen"), "-"),
    **dict.fromkeys(("gehen", "ziehen", "rücken", "marschieren", "segeln", "fahren"), "-"),
}


def reword(clause: Clause, names: Names, kind: PhaseKind) -> Clause:
    """Reword *clause* as an order, as far as possible."""
    tokens = _without_courtesies(tuple(token for token in clause.tokens if token.key != "|"))
    tokens = _split_glued_kinds(tokens, names)
    if kind is not PhaseKind.ADJUSTMENTS:
        for step in (_without_speaker, _join_separated_verb, *FIRST_STEPS, *LAST_STEPS):
            tokens = step(tokens, names)
    return replace(clause, tokens=tokens)


def _without_courtesies(tokens: Tokens) -> Tokens:
    while count := _begins(tokens, OPENINGS):
        tokens = tokens[count:]
    while count := _ends(tokens):
        tokens = tokens[:-count]
    return tokens


def _begins(tokens: Tokens, phrases: Mapping[str, Sequence[Phrase]]) -> int:
    """Return the length of a phrase that starts *tokens* but is not all of them."""
    likely = phrases.get(tokens[0].key, ()) if tokens else ()
    count = next((len(each) for each in likely if _keys(tokens[: len(each)]) == each), 0)
    return count if count < len(tokens) else 0


def _ends(tokens: Tokens) -> int:
    likely = CLOSINGS.get(tokens[-1].key, ()) if tokens else ()
    count = next((len(each) for each in likely if _keys(tokens[-len(each) :]) == each), 0)
    return count if count < len(tokens) else 0


def _keys(tokens: Tokens) -> Phrase:
    return tuple([token.key for token in tokens])


def _split_glued_kinds(tokens: Tokens, names: Names) -> Tokens:
    """Split the letter of a kind from the name of a place: `FAnk H`, `ARom - Ven`."""
    split: list[Token] = []
    for token in tokens:
        letter, name = token.key[:1], token.key[1:]
        glued = letter in {"a", "f"} and len(token.key) >= GLUED_LETTERS_MIN
        # `from` is not a fleet in Rome.
        read = token.key in vocabulary.KNOWN or names.meaning(token.key)
        if glued and not read and names.meaning(name):
            split.append(Token(token.text[0], letter, token.column))
            split.append(Token(token.text[1:], name, token.column + 1))
        else:
            split.append(token)
    return tuple(split)


def _without_speaker(tokens: Tokens, names: Names) -> Tokens:
    """Drop the speaker: `I will move Kiel to Hol`, `Kiel should go to Hol`."""
    del names
    while len(tokens) > 1 and tokens[0].key in vocabulary.LEADERS | {"-"}:
        tokens = tokens[1:]
    if _begins(tokens, KNOWS):
        return tokens
    tokens = _without_courtesies(tokens)
    if tokens and tokens[0].key.startswith("j'"):  # `J'envoie la flotte`
        tokens = (tokens[0]._replace(key=tokens[0].key.removeprefix("j'")), *tokens[1:])
    tokens = _without_courtesies(tokens[_begins(tokens, SPEAKERS) :])
    tokens = tokens[_begins(tokens, THE_ONE) :]
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        rest = tokens[at : at + VERB_WORDS_MAX]
        phrases = VERBS_BY_START.get(rest[0].key, ())
        phrase = next((each for each in phrases if _keys(rest[: len(each)]) == each), ())
        behind = rest[1].key if len(rest) > 1 else ""
        to_move = rest[0].key == "to" and behind in vocabulary.MOVE  # `Kiel is to go to Holland`
        back = rest[0].key == "back" and behind in vocabulary.TOWARD
        if phrase:
            kept.append(rest[0]._replace(key=VERBS[phrase]))
        elif kept and (before := _before_verb(tokens[at:])):
            at += before
            continue
        elif not ((kept and rest[0].key in MODALS) or to_move or back):
            kept.append(rest[0])
        at += len(phrase) or 1
    return tuple(kept)


def _before_verb(tokens: Tokens) -> int:
    count = _begins(tokens, BEFORE_VERBS)
    return count if count and tokens[count].key in DOES else 0


def move_coast_behind(tokens: Tokens, names: Names) -> Tokens:
    """Move a coast after its place: `the south coast of Bulgaria`, `la côte sud de Bulgarie`."""
    keys = _keys(tokens)
    for at in range(len(keys)):
        first, second = keys[at : at + 1], keys[at + 1 : at + 2]
        if first[0] in vocabulary.COASTS and second == ("coast",):
            named, behind = at, at + 2
        elif first[0] in {"côte", "cote"} and second and second[0] in vocabulary.COASTS:
            named, behind = at + 1, at + 2
        elif first[0] in vocabulary.COASTS_IN_ONE_WORD or (
            first[0] in COAST_CODES and _precedes_place(keys[:at])
        ):
            named, behind = at, at + 1
        else:
            continue
        is_of = bool(keys[behind : behind + 1]) and keys[behind] in OF
        if is_of or first[0] in COAST_CODES:
            behind += is_of
            length = names.longest(keys[behind : behind + names.words_max])[0]
            coast = (tokens[named], tokens[named]._replace(key="coast"))
            end = behind + length
            return (*tokens[:at], *tokens[behind:end], *coast, *tokens[end:]) if length else tokens
    return tokens


def _precedes_place(keys: Sequence[str]) -> bool:
    """Return whether a place may follow *keys*: `F Mao -`, `F`."""
    return bool(keys) and (keys[-1] in vocabulary.TOWARD or keys[-1] in vocabulary.KINDS)


def _join_separated_verb(tokens: Tokens, names: Names) -> Tokens:
    """Join a separable German verb: `A Mün zieht sich nach Ruhr zurück`."""
    keys = _keys(tokens)
    at = next((at for at, key in enumerate(keys) if key in WITHDRAWS), 0)
    if not at or keys[-1] not in BACK or _unit_end(tokens[:at], names) != at:
        return tokens
    behind = tokens[at + 1 : -1]
    behind = behind[1:] if behind and behind[0].key == "sich" else behind
    return (*tokens[:at], tokens[at]._replace(key="r"), *behind)


def _move_kind_first(tokens: Tokens, names: Names) -> Tokens:
    """Move the kind before its place: `Kiel fleet to Holland`, `Kie (F) - Hol`.

    Also move the place to the kind: `My fleet goes from Kiel to Holland`.
    """
    keys = [token.key for token in tokens]
    small = vocabulary.FILLERS | vocabulary.FOREIGN_FILLERS
    at = next((at for at, key in enumerate(keys) if key not in small), 0)
    if keys[at:] and keys[at] in vocabulary.KINDS and _keys(tokens[at + 1 : at + 2]) in MOVES:
        return (tokens[at], *tokens[at + 2 :]) if keys[at + 2 : at + 3] in FROM else tokens
    if vocabulary.KINDS.keys().isdisjoint(keys):
        return tokens
    end = _unit_end(tokens, names)
    enclosed = keys[end : end + 1] == ["("] and keys[end + 2 : end + 3] == [")"]
    kind = end + 1 if enclosed else end
    behind = tokens[kind + (2 if enclosed else 1) :]
    named = any(key in vocabulary.KINDS for key in keys[:end])
    if (
        not end
        or named
        or not behind
        or keys[kind] not in vocabulary.KINDS
        or _unit_end(behind, names)
    ):
        return tokens
    return (tokens[kind], *tokens[:end], *behind)


def _without_links(tokens: Tokens, names: Names) -> Tokens:
    """Drop a colon after the unit, and replace a slash by a dash.

    `Kiel: Denmark`; the slash needs a unit kind, `F Lon/Eng`.
    """
    if LINKS.isdisjoint(_keys(tokens)):
        return tokens
    end = _unit_end(tokens, names)
    if not 0 < end < len(tokens) - 1:
        return tokens
    link, behind = tokens[end], tokens[end + 1 :]
    if link.key in {":", "="}:
        return (*tokens[:end], *behind)
    if link.key == "/" and _is_place(behind, names) and tokens[0].key in vocabulary.KINDS:
        return (*tokens[:end], link._replace(key="-"), *behind)
    return tokens


def _move_agent_first(tokens: Tokens, names: Names) -> Tokens:
    """Move a unit from the end to the front: `Take Holland with Kiel`, `Move to Hol from Kie`."""
    if not tokens or tokens[0].key not in IMPERATIVES:
        return tokens
    at = next((at for at in reversed(range(2, len(tokens))) if tokens[at].key in BY), None)
    if at is None or _unit_end(tokens[at + 1 :], names) != len(tokens) - at - 1:
        return tokens
    return (*tokens[at + 1 :], *tokens[:at])


def _move_unit_first(tokens: Tokens, names: Names) -> Tokens:
    """Move the unit to the front: `Move Kiel to Holland`, `Hold Munich`."""
    if not tokens or tokens[0].key not in TRANSFERS | HELD:
        return tokens
    verb, unit = tokens[0], tokens[1:]
    unit = unit[1:] if unit and unit[0].key in BY else unit
    end = _unit_end(unit, names)
    toward = unit[end : end + 1]
    if verb.key in TRANSFERS and toward and toward[0].key in vocabulary.TOWARD:
        return unit
    held = verb.key in HELD and end and end == len(unit)
    return (*unit, verb._replace(key="hold")) if held else tokens


def _move_verb_inside(tokens: Tokens, names: Names) -> Tokens:
    """Move a German verb after its unit: `Mün soll Ber nach Sil unterstützen`."""
    verb = LAST_VERBS.get(tokens[-1].key) if tokens else None
    end = _unit_end(tokens, names) if verb else 0
    if not (verb and 0 < end < len(tokens) - 1):
        return tokens
    return (*tokens[:end], tokens[-1]._replace(key=verb), *tokens[end:-1])


def _without_own_place(tokens: Tokens, names: Names) -> Tokens:
    """Drop where a unit holds: `Munich stays put`, `A Mun stays in Munich`."""
    if STAYS.isdisjoint(_keys(tokens)):
        return tokens
    end = _unit_end(tokens, names)
    if 0 < end < len(tokens) and tokens[end].key in vocabulary.SUPPORT:
        count = next((len(each) for each in IN_PLACE if _keys(tokens)[-len(each) :] == each), 0)
        served = tokens[end + 1 : -count] if count else ()
        return tokens[:-count] if served and _unit_end(served, names) == len(served) else tokens
    if not 0 < end < len(tokens) or tokens[end].key not in vocabulary.HOLD:
        return tokens
    where = tokens[end + 1 :]
    at_home = _is_place(where, names) and _places(where, names) == _places(tokens[:end], names)
    return tokens[: end + 1] if at_home or _keys(where) in IN_PLACE else tokens


FIRST_STEPS = (_move_kind_first, _without_links, _move_agent_first, _move_unit_first)
LAST_STEPS = (_move_verb_inside, _without_own_place)
LINKS = frozenset({":", "=", "/"})  # between a unit and a place
STAYS = vocabulary.SUPPORT | vocabulary.HOLD
OF = frozenset({"of", "von", "de", "du", "d"})
BACK = frozenset({"zurück", "zurueck", "zuruck"})
WITHDRAWS = frozenset({"zieht", "ziehe", "ziehen", "weicht", "geht", "gehen"})
MOVES = frozenset((verb,) for verb in vocabulary.MOVE)
FROM = (["from"], ["von"], ["de"], ["aus"])


def _unit_end(tokens: Tokens, names: Names) -> int:
    """Return the number of tokens of the leading unit, 0 if there is none."""
    seen = tokens[:UNIT_TOKENS_MAX]
    cursor = Cursor(terms_of(seen, names), names)
    if cursor.unit() is None:
        return 0
    column = cursor.peek().column
    return next((at for at, each in enumerate(seen) if each.column == column), len(seen))


def _is_place(tokens: Tokens, names: Names) -> bool:
    cursor = Cursor(terms_of(tokens, names), names)
    return cursor.place() is not None and cursor.ended


def _places(tokens: Tokens, names: Names) -> list[tuple[str, ...]]:
    return [term.places for term in terms_of(tokens, names) if term.places]
