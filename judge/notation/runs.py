"""Where a clause falls into several orders: at full stops, before units, and where help is named.

Nothing here reads an order: a cut is tried, and counts if what it leaves can be read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.notation import words
from judge.notation.clauses import Clause
from judge.notation.cursor import Cursor
from judge.notation.lexer import Token, tokenize
from judge.notation.names import Names
from judge.notation.rest import repeats
from judge.notation.terms import terms_of

STOP = re.compile(r"[.!](?=\s)")
SHORTENED_MAX = 2  # letters of a name that is a verb as well: `A Mar st. A Par-Bur`
WORDS_BETWEEN_MAX = 3  # `A Mar gives some help. A Par-Bur`; more is a sentence of its own.
BUT = frozenset({"but", "except", "only", "aber", "nur", "mais"})
OPEN_ENDS = words.TOWARD | {words.STANDS, "("}  # Something is still to come behind these.


@dataclass(frozen=True, slots=True)
class Cut:
    """Before the token *at* another order may begin, *sentence* tells if behind a full stop."""

    at: int
    sentence: bool


def cuts(clause: Clause, names: Names) -> tuple[Cut, ...]:
    """Return where *clause* may fall into orders, with its beginning and its end."""
    tokens = clause.tokens
    keys = [token.key for token in tokens]
    columns = [token.column for token in tokens]
    stops = {
        bisect_right(columns, clause.column + found.start())
        for found in STOP.finditer(clause.text)
    }
    units = {
        at
        for at in range(len(keys))
        if (not at or keys[at - 1] not in words.FILLERS) and is_unit(keys, at, names)
    }
    sentences = {at for at in stops if at < len(keys) and _opens(tokens, at, names)}
    places = {
        at
        for at in range(1, len(keys) - 1)
        if keys[at] in words.AND and names.longest(keys[at + 1 : at + 1 + names.words_max])[1]
    }
    inner = sorted((units | sentences | places) - {0})
    return (
        Cut(0, sentence=True),
        *(Cut(at, sentence=at in stops) for at in inner),
        Cut(len(tokens), sentence=True),
    )


def part(clause: Clause, start: int, end: int) -> Clause:
    """Return the tokens of *clause* from *start* up to *end*, with the text of these alone."""
    tokens = clause.tokens[start:end]
    column = tokens[0].column
    stop = clause.tokens[end].column if end < len(clause.tokens) else None
    text = clause.text[column - clause.column : stop and stop - clause.column]
    return replace(clause, column=column, text=text.strip(), tokens=tokens)


def same_but(clause: Clause) -> int | None:
    """Return the token behind which `same orders but Munich to Tyrolia` says what is otherwise."""
    keys = [token.key for token in clause.tokens]
    at = next((at for at, key in enumerate(keys[:-1]) if key in BUT), 0)
    return at if at and repeats(keys[:at]) else None


def is_unit(keys: Sequence[str], at: int, names: Names) -> bool:
    """Tell whether a unit whose kind is named stands *at*: `A Par`, `the army in Paris`."""
    while at < len(keys) and (
        keys[at] in words.FILLERS
        or (keys[at] == "a" and keys[at + 1 : at + 2] and keys[at + 1] in words.AFTER_ARTICLE)
    ):
        at += 1
    if at >= len(keys) or keys[at] not in words.KINDS:
        return False
    behind = keys[at + 1 : at + 1 + 2 * names.words_max]
    place = [key for key in behind if key != "(" and key not in words.FILLERS]
    return bool(names.longest(place[: names.words_max])[0])


def _opens(tokens: Sequence[Token], at: int, names: Names) -> bool:
    """Tell whether a sentence may begin *at* a token, rather than go on behind `St.` or `S.`."""
    token = tokens[at]
    if (
        (len(token.key) == 1 and token.key != "i")
        or not token.text[0].isupper()
        or token.key in words.COASTS
    ):
        return False
    return token.key not in words.UNIT_ORDER_WORDS or is_unit(
        [each.key for each in tokens], at + 1, names
    )


def ends_openly(clause: Clause) -> bool:
    """Tell whether something is still to come behind *clause*: `A Par -`, `A Bud S.`."""
    return clause.tokens[-1].key in OPEN_ENDS


def may_serve_next(clause: Clause, names: Names) -> bool:
    """Tell whether *clause* is a unit and a few words, of which none says where it goes.

    The last may be a verb that a full stop shortens: `A Mar helps.`, `A Mar st.`, if a place too.
    """
    keys = [token.key for token in clause.tokens]
    if not is_unit(keys, 0, names) or not keys[-1].isalpha():
        return False
    between = terms_of(clause.tokens, names)[2:]
    place = any(term.places for term in between[-1:]) and len(keys[-1]) > SHORTENED_MAX
    toward = any(term.key in words.TOWARD for term in between)
    return 0 < len(between) <= WORDS_BETWEEN_MAX and not place and not toward


def ends_with_place(text: str, names: Names) -> bool:
    """Tell whether the last word of *text* is a province."""
    keys = [token.key for token in tokenize(text)]
    return bool(names.longest(keys[-1:])[0])


def retreat_at(clause: Clause, names: Names) -> int | None:
    """Return the token that says in *clause* where its unit retreats to: `A Mar H ret Gas`."""
    keys = [token.key for token in clause.tokens]
    at = next((at for at, key in enumerate(keys) if key in words.RETREAT), None)
    return at if at is not None and not is_unit(keys, at + 1, names) else None


def is_whereabouts(clause: Clause, names: Names) -> bool:
    """Tell whether *clause* is a place to retreat to and no more: `Gas`, `Spa(nc)`, `OTB`."""
    cursor = Cursor(terms_of(clause.tokens, names), names)
    return leaves_the_board(clause) or (bool(cursor.place()) and cursor.ended)


def leaves_the_board(clause: Clause) -> bool:
    """Tell whether *clause* is `OTB` and no more."""
    keys = tuple(token.key for token in clause.tokens if token.key not in words.FILLERS)
    return keys == words.OFF_THE_BOARD or (len(keys) == 1 and keys[0] in words.DISBAND)


@dataclass(frozen=True, slots=True)
class Help:
    """What `A Mar-Bur supported by A Par` says: an *order*, and the order of the unit that helps.

    *order* is empty where only the helper is told, as in `A Mar is supported by A Par`.
    """

    order: Clause
    helper: Clause


HELPED = {
    **dict.fromkeys(("supported", "s", "sup", "supp"), "supports"),
    **dict.fromkeys(words.CONVOYED, "convoys"),
}


def help_in(clause: Clause, before: Clause | None) -> Help | None:
    """Return the help that *clause* names behind the order for a unit, or behind that *before*."""
    keys = [token.key for token in clause.tokens]
    by = keys.index("by") if "by" in keys[1:-1] else 0
    verb = next((at for at in reversed(range(by)) if keys[at] in HELPED), None)
    if verb is None or (keys[verb] not in words.CONVOYED and verb != by - 1):
        return None
    told = [*clause.tokens[:verb], *clause.tokens[verb + 1 : by]]
    helped = _plain(told) or (before.tokens if before else ())
    helper = _plain(clause.tokens[by + 1 :])
    does = Token(HELPED[keys[verb]], HELPED[keys[verb]], clause.tokens[verb].column)
    by_sea = [replace(does, key="via")] if keys[verb] in words.CONVOYED else []
    return Help(
        order=replace(clause, tokens=(*_plain(told), *by_sea) if _plain(told) else ()),
        helper=replace(clause, tokens=(*helper, does, *helped)),
    )


def _plain(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return *tokens* without the parentheses around all that was said of help."""
    keys = [token.key for token in tokens]
    if keys.count("(") > keys.count(")") and keys[-1] == "(":
        return tuple(tokens[:-1])
    if keys.count(")") > keys.count("(") and keys[-1] == ")":
        return tuple(tokens[:-1])
    return tuple(tokens)
