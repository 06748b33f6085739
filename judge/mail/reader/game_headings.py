"""Read lines and subjects that name the game of the orders: `GAME dogger`, `In dogger:`.

A line is such a heading if it names one game and otherwise has only words of headings. A name that
is a power, a season or the like needs the word game before it; one that is a province, such as
`baltic`, needs at least a colon or the word orders after it, or a rule before it (`== baltic ==`).
After the word game a misspelled name counts too. A sentence about a game is not a heading.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, pairwise

from judge.mail.body import Line
from judge.mail.language import command_syntax
from judge.mail.language.command_table import CommandTable
from judge.mail.language.phase_names import is_one_letter_off
from judge.mail.reader.phase_hints import ORDERS, holds_order, is_of_heading
from judge.mail.words import phrases
from judge.notation.strict_orders import read_parts
from judge.notation.terms import names_of
from judge.rules.board import Map
from judge.rules.types import PhaseKind

LINE_MAX = 200  # characters of a line that are examined
NAME_WORDS_MAX = 4  # `and in dogger A Par-Pic`
WORD = re.compile(r"[^\W_](?:[\w-]*[^\W_])?")
GAME_WORDS = frozenset({"game", "spiel", "partie", "jeu"})
REPLY_WORDS = frozenset({"re", "aw", "fw", "fwd", "wg", "tr", "is"})
BRACKETED = re.compile(r"\[([a-z][a-z0-9-]{0,15})\]", re.IGNORECASE)
SUBJECT_GAME = re.compile(r"\b[A-Z][A-Z0-9]{1,7}:([a-z][a-z0-9-]{0,15})\b")
COLON, MARKED = ":", ("==", "--", "##")
TITLE = re.compile(
    r"[\W_]*(?:game|spiel|partie|jeu)\s+([a-z][\w-]{2,39})[\s:=*)\]-]*", re.IGNORECASE
)
NO_NAMES = frozenset(phrases("no_games"))
WITHIN = re.compile(r"[;.]\s+(?=((?:[^\W\d_]+\s+){1,3}[\w-]+ ?:))")  # `...; for dogger: A Par-Pic`
PARTED = re.compile(r"[,.]\s+(?=\S)")  # `In dogger, A Par-Pic`
SAID_NOT = re.compile(  # `for dogger, not for baltic:`
    r"\b(?:not|nicht|pas)(?: (?:for|in|für|pour))?(?: (?:the|game|spiel|la|partie))* ([\w-]+)",
    re.IGNORECASE,
)


def game_heading(line: str, games: Collection[str], board: Map) -> str | None:
    """Return the one of *games* that *line* names; None if it is no heading or names several."""
    if len(line) > LINE_MAX:
        return None
    shown = SAID_NOT.sub(lambda found: " " if found[1].casefold() in games else found[0], line)
    words = [word.casefold() for word in WORD.findall(shown)]
    meant = [
        _game_meant(before, word, games, board)
        for before, word in zip(["", *words], words, strict=False)
    ]
    named = {game for game in meant if game}
    if len(named) != 1:
        return None
    [game] = named
    others = [word for word, of in zip(words, meant, strict=True) if of is None and word != game]
    if not all(word in GAME_WORDS | REPLY_WORDS or is_of_heading(word, board) for word in others):
        return None
    marked = line.rstrip(" *_").endswith(COLON) or line.lstrip().startswith(MARKED)
    plainly = marked or not (GAME_WORDS | ORDERS).isdisjoint(others)
    return game if plainly or not names_of(board).meaning(game) else None


def games_named_in(text: str, names: Collection[str]) -> frozenset[str]:
    """Return those of *names* that *text*, in lower case, may contain."""
    behind = names_behind_game(text)
    return frozenset(
        name
        for name in names
        if name in text or any(is_one_letter_off(word, name) for word in behind)
    )


def names_behind_game(text: str) -> frozenset[str]:
    """Return the words of *text*, in lower case, that stand behind the word game."""
    words = pairwise(WORD.findall(text))
    return frozenset(word for before, word in words if before in GAME_WORDS)


def unknown_game_names(
    lines: Sequence[Line], commanded: Collection[int], known: Collection[str], board: Map
) -> frozenset[str]:
    """Return the names, none of *known*, of lines such as `GAME nosuch`.

    An order stands below them, or one of the lines *commanded*.
    """
    found = set[str]()
    for at, line in enumerate(lines):
        title = TITLE.fullmatch(line.text) if len(line.text) <= LINE_MAX else None
        name = title[1].casefold() if title else ""
        near = name in known or name in NO_NAMES or is_of_heading(name, board)
        if not name or near or any(is_one_letter_off(name, each) for each in known):
            continue
        below = lines[at + 1 :]
        if any(
            each.number in commanded or holds_order(each.text, board, holds=True) for each in below
        ):
            found.add(name)
    return frozenset(found)


def _game_meant(before: str, word: str, games: Collection[str], board: Map) -> str | None:
    if word in games:
        return word if before in GAME_WORDS or not is_of_heading(word, board) else None
    near = [game for game in games if before in GAME_WORDS and is_one_letter_off(word, game)]
    return near[0] if len(near) == 1 else None


def game_mentioned(lines: tuple[str, ...], games: frozenset[str], board: Map) -> str | None:
    """Return the one of *games* that *lines* mention, if they mention only one.

    One that is a province, too, needs the word game before it.
    """
    words = ["", *(word.casefold() for line in lines for word in WORD.findall(line))]
    found = {
        game
        for before, word in pairwise(words)
        if (game := _game_meant(before, word, games, board))
        and (before in GAME_WORDS or not names_of(board).meaning(word))
    }
    return found.pop() if len(found) == 1 else None


def game_in_subject(subject: str, games: Collection[str], board: Map) -> str | None:
    """Return the one of *games* that *subject* names, if it names only one."""
    marked = [*SUBJECT_GAME.findall(subject), *BRACKETED.findall(subject)]
    found = {name.casefold() for name in marked if name.casefold() in games}
    if found:
        return found.pop() if len(found) == 1 else None
    return game_heading(subject, games, board)


def split_by_game(
    parsed: Sequence[command_syntax.ParsedLine],
    games: Collection[str],
    board: Map,
    commands: CommandTable,
) -> tuple[command_syntax.ParsedLine, ...]:
    """Return *parsed* with a `NamedGame` of one of *games* before the part below its heading."""
    parts: list[command_syntax.ParsedLine] = []
    for each in parsed:
        match each:
            case command_syntax.OrderText(lines=lines):
                parts += _split_lines(lines, games, board, commands)
            case command_syntax.NamedPhase() | command_syntax.OrdersOfPhase():
                if game := _game_beside_phase(each.text, games, board):
                    parts.append(command_syntax.NamedGame(game, line=each.line, text=each.text))
                parts.append(each)
            case _:
                parts.append(each)
    behind: list[command_syntax.ParsedLine] = []
    while parts and isinstance(last := parts[-1], command_syntax.NamedGame):
        parts.pop()  # With nothing below, it heads nothing.
        behind.insert(
            0, command_syntax.UnknownCommand(last.game, None, line=last.line, text=last.text)
        )
    return (*parts, *behind)


def _split_lines(
    lines: Sequence[Line], games: Collection[str], board: Map, commands: CommandTable
) -> Iterator[command_syntax.ParsedLine]:
    above: list[Line] = []
    for line in (part for each in lines for part in _parts_of_games(each, games, board)):
        rest, inline = _game_at_start(line, games, board, commands)
        game = inline or game_heading(line.text, games, board)
        if not game:
            above.append(line)
            continue
        yield from command_syntax.order_text(above)
        above = []
        yield command_syntax.NamedGame(game, line=line.number, text=line.text)
        command = commands.read(rest, board, first=False) if inline else None
        if command:
            yield command
        elif inline:
            above.append(rest)
    yield from command_syntax.order_text(above)


def _parts_of_games(line: Line, games: Collection[str], board: Map) -> Iterator[Line]:
    """Split `A Par-Pic; for dogger: A Mar H` before the name of the game."""
    start, text = 0, line.text
    for found in WITHIN.finditer(text, 0, 5 * LINE_MAX):
        if game_heading(found[1], games, board):
            yield line.part(text[start : found.start()].strip())
            start = found.start(1)
    yield line.part(text[start:].strip()) if start else line


def _game_at_start(
    line: Line, games: Collection[str], board: Map, commands: CommandTable
) -> tuple[Line, str | None]:
    """Split the name of a game off *line*: `dogger: A Par-Pic`, `In game dogger: any news?`.

    `Baltic: F hold` stays an order.
    """
    head, colon, rest = line.text.partition(COLON)
    game = game_heading(head + colon, games, board) if colon else None
    if game is None and (parted := PARTED.search(line.text, 0, LINE_MAX)):
        game, rest = (
            game_heading(line.text[: parted.start()], games, board),
            line.text[parted.end() :],
        )
    if game is None and (before := _name_before_order(line.text, games)):
        game, rest = game_heading(line.text[:before], games, board), line.text[before:]
    behind = line.part(rest.strip())
    if game is None or not behind.text or len(behind.text) > LINE_MAX:
        return behind, None
    if any(read_parts(line.text, board, PhaseKind.MOVEMENT)[:1]):
        return behind, None
    says = (
        (colon and len(WORD.findall(head)) > 1)  # `for dogger: any news?`
        or holds_order(behind.text, board)
        or commands.read(behind, board, first=False)
    )
    return behind, game if says else None


def _name_before_order(text: str, games: Collection[str]) -> int:
    """Return where the name of a game among the first words of *text* ends; 0 if there is none."""
    for found in islice(WORD.finditer(text, 0, LINE_MAX), NAME_WORDS_MAX):
        if found[0].casefold() in games:
            return found.end()
    return 0


def _game_beside_phase(text: str, games: Collection[str], board: Map) -> str | None:
    """Return the game that a line names next to a phase: `dogger, Fall 1901: A Par-Bur`."""
    heads = (text[: at.start()] for at in re.finditer(COLON, text[:LINE_MAX]))
    found = (game_heading(head, games, board) for head in (text, *heads))
    return next((each for each in found if each), None)
