"""Wishes of strangers, in their own words: to enter a game, or to know about one.

None takes effect before its writer has confirmed it from the address that it came from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from judge.app.commands.answers import answer_questions
from judge.app.commands.command import Scope
from judge.app.commands.context import MailContext
from judge.app.commands.forwarding import without
from judge.app.commands.join import Join, Observe, SetPreference, StandBy
from judge.app.commands.profile import SetPassword
from judge.app.commands.rules import Create
from judge.app.commands.table import COMMAND_OF
from judge.app.game.summaries import board_of_summary
from judge.app.inbound.created_games import CREATING, NAME, create_line, with_name_told
from judge.app.inbound.email_reading import lines_to_order, read_order_lines
from judge.app.inbound.wishes import ABOUT, CANCELING, note_missed, pages_of, topic_of
from judge.app.ports.outbox import OutgoingMail
from judge.game.game_state import Stage
from judge.mail.body import Line
from judge.mail.envelope import OpenedEmail
from judge.mail.headers import same_mailbox
from judge.mail.intents import installed
from judge.mail.intents.command_lines import commands_of
from judge.mail.intents.known import Known, names_in, powers_in, with_known_things_marked
from judge.mail.intents.reading import (
    CHOICES_MAX,
    HELP,
    TAKE_OVER,
    Reading,
    Verdict,
    missed,
    read_wishes,
)
from judge.mail.intents.sentences import sentences_in
from judge.mail.intents.weights import Weights
from judge.mail.intents.wish_files import Effect, Role, Wish
from judge.mail.language.command_syntax import (
    OrderText,
    ParsedLine,
    SignOn,
    UnknownCommand,
    order_text,
)
from judge.mail.language.confirmations import CLAUSE, Confirm, plain_answer
from judge.mail.reader.email_text import REPLY_PREFIX
from judge.mail.reader.game_headings import game_heading
from judge.notation.terms import closest_matches
from judge.reports.emails import receipts
from judge.reports.emails.contexts import Context

JOINING, WATCHING = "join", "observe"  # wishes that are for a game
ENTERING = (Join, StandBy, Observe)
CHOSEN = tuple(  # `The second one, please`
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        "1|1st|first|erste[ns]?|premi(?:er|\xe8re)",
        "2|2nd|second|zweite[ns]?|deuxi\xe8me|seconde?",
        "3|3rd|third|dritte[ns]?|troisi\xe8me",
    )
)
CHOICE_WORDS_MAX = 8
GAMES_COMPARED_MAX, WORDS_COMPARED_MAX = 20, 40  # for one whose name is misspelled
LETTERS_MIN, LIKE = 5, 0.8  # of such a name, and how similar it is
NAMES_READ_MAX, QUOTED_READ_MAX = 4_000, 2_000  # letters in which names of games are looked for
SAID = 0.5  # probability of what is plain enough for a stranger
SENTENCE_END = re.compile(r"(?<=[.!])\s+")
IN_DOOR = frozenset({"help", "language", "stop_mail", CANCELING})  # answered by the door itself


def with_wish_to_enter(context: MailContext, parsed: Sequence[ParsedLine]) -> Sequence[ParsedLine]:
    """Return *parsed* with the first sentence that asks to enter a listed game as its command.

    nJudge's SIGNON ? joins the only game with free places, and so does a YES to the door. All this
    is for an email that is, or was, confirmed before anything in it takes effect.
    """
    parsed = [_joining_any(context, each) or each for each in parsed]
    weights = installed.weights()
    if weights is None or not all(_is_beside_wish(each) for each in parsed):
        return parsed
    texts = any(isinstance(each, OrderText) for each in parsed)
    chosen = _chosen_at_door(context, weights) if texts and _answers_door(context) else None
    words = " ".join(line.text for line in context.opened.text.fresh).split()
    if chosen and words and plain_answer(words[0]):  # `yes, lepanto`
        return [chosen]
    for number, each in enumerate(parsed):
        if not isinstance(each, OrderText):
            continue
        readings = readings_of_stranger(context, (each,))
        if {JOINING, WATCHING} <= {reading.wishes[0] for reading in readings}:
            continue  # The door offers both.
        for reading in readings:
            made = _entering(context, reading, weights)
            if made is None:
                continue
            said = (reading.sentence, *_wanting_powers(each, made, known_of_stranger(context)))
            lefts = ((line, without(line.text, said)) for line in each.lines)
            rest = [line.part(left) for line, left in lefts if left]
            return (*parsed[:number], made, *order_text(rest), *parsed[number + 1 :])
    return [chosen] if chosen else parsed


def _wanting_powers(text: OrderText, made: ParsedLine, known: Known) -> Iterator[str]:
    """Yield the sentences of *text* with wishes for powers, which are those of the JOIN *made*."""
    weights = installed.weights()
    if weights is None or not (isinstance(made, Join) and made.wanted):
        return
    for sentence in sentences_in([line.text for line in text.lines]):
        slots = with_known_things_marked(sentence, known, weights).slots
        if "power" in slots or "unwanted" in slots:
            yield sentence


def _chosen_at_door(context: MailContext, weights: Weights) -> ParsedLine | None:
    """Return what somebody chooses who answers the door `the first one`, or `yes, with Kenya`."""
    text = " ".join(line.text for line in context.opened.text.fresh)
    if "?" in text:
        return None
    text = SENTENCE_END.split(text, maxsplit=1)[0]
    if not 0 < len(text.split()) <= CHOICE_WORDS_MAX:
        return None
    meant, ways = _shown_at_door(context)
    choices = meant or [each for each in ways if each.startswith("JOIN")]
    named = {*names_in(text)} & {way.split()[1] for way in ways if " " in way}
    chosen = [each for each in (*choices, *ways) if {*each.split()[1:2]} & named][:1]
    if not chosen and plain_answer(CLAUSE.split(text, maxsplit=1)[0]):
        chosen = choices if len(choices) == 1 else []
    if not chosen:
        places = (at for at, each in enumerate(CHOSEN) if each.search(text))
        chosen = next((choices[at : at + 1] for at in places), [])
    if not chosen:
        return None
    line, known = chosen[0], known_of_stranger(context, chosen[0])
    power = with_known_things_marked(text, known, weights).slots.get("power")
    if power and line.startswith("JOIN"):
        line = f"{' '.join(line.split()[:2])} AS {power}"
    return context.judge.commands.read(Line(0, line), known.board, first=False)


def _joining_any(context: MailContext, parsed: ParsedLine) -> ParsedLine | None:
    """Return *parsed* as JOIN if it is nJudge's SIGNON ? or a YES to the door.

    So is SIGNON with the name of an open game, and no letter of a power before it.
    """
    if isinstance(parsed, SignOn) and not (parsed.power and context.game(parsed.game)):
        named = parsed.text.casefold().split()[-1]
        joins = Line(0, f"JOIN {named}" if named in _open_games(context) else "")
        return context.judge.commands.read(joins, context.reading_board, first=False)
    if not (
        _agrees_to_play(context, [parsed])
        or (isinstance(parsed, UnknownCommand) and parsed.advice == "join_any")
    ):
        return None
    game = _only_open(context)
    command = _offered_by_door(context) or (f"JOIN {game}" if game else "")
    board = known_of_stranger(context, command).board
    return context.judge.commands.read(Line(0, command), board, first=False)


def _offered_by_door(context: MailContext) -> str:
    """Return the command to enter a game that the answered door puts first, if one is."""
    meant, ways = _shown_at_door(context)
    if meant:
        return meant[0] if len(meant) == 1 else ""
    several = len({way.split()[1] for way in ways}) > 1  # and none stands before the others
    return ways[0] if ways and not several else ""


def enters_by_door(context: MailContext, parsed: Sequence[ParsedLine]) -> bool:
    """Return whether a stranger takes a way into a game that the door offered to their address."""
    door, sender = _door_answered(context), context.opened.sender
    entering = [each for each in parsed if isinstance(each, (*ENTERING, Create))]
    if door is None or not sender or not same_mailbox(door.recipient, sender):
        return False
    meant, ways = _shown_at_door(context)
    board, read = known_of_stranger(context).board, context.judge.commands.read
    offered = [read(Line(0, each), board, first=False) for each in (*meant, *ways)]
    return len(entering) == 1 and any(_is_same_way(entering[0], each) for each in offered)


def _is_same_way(first: ParsedLine, second: ParsedLine | None) -> bool:
    if isinstance(first, Create) and isinstance(second, Create):
        return first == replace(second, line=first.line, text=first.text)
    same = type(first) is type(second)
    return same and getattr(first, "game", None) == getattr(second, "game", None)


def _shown_at_door(context: MailContext) -> tuple[list[str], list[str]]:
    """Return the commands on top of the answered door, which its reader may mean, and all taps.

    A game to create has the name that the reader tells.
    """
    door = _door_answered(context)
    offer = json.loads(door.offer or "{}") if door else {}
    text = " ".join(line.text for line in context.opened.text.fresh)
    meant = [with_name_told(context, each, text) for each in offer.get("meant", [])]
    return meant, offer.get("ways", [])


def _agrees_to_play(context: MailContext, parsed: Sequence[ParsedLine]) -> bool:
    """Return whether *parsed* is a YES to the door."""
    agrees = any(isinstance(each, Confirm) and each.yes for each in parsed)
    return agrees and _answers_door(context)


def _answers_door(context: MailContext) -> bool:
    return _door_answered(context) is not None


def _door_answered(context: MailContext) -> OutgoingMail | None:
    """Return the answered door, perhaps below other pages; None if the email answers none."""
    answered = map(context.transaction.outbox.find, context.opened.answers)
    return next((each for each in answered if each and each.offer), None)


def _only_open(context: MailContext) -> str:
    """Return the name of the only listed game with free places, if there is just one."""
    free = _open_games(context)
    return free[0] if len(free) == 1 else ""


def _open_games(context: MailContext) -> tuple[str, ...]:
    """Return the names of some listed games with free places."""
    return tuple(each.name for each in context.transaction.summaries.with_places(CHOICES_MAX))


def _to_enter(context: MailContext, wish: Wish, weights: Weights) -> tuple[str, ...]:
    """Return the names of some games to join or to watch; those to watch that run come first."""
    if wish.name not in (JOINING, WATCHING):
        return ()
    if named := _only_named(context, weights):
        return (named,)
    free = _open_games(context)
    if wish.name == JOINING:
        return free
    current = context.transaction.summaries.current(listed=True)
    begun = (each.name for each in current if each.stage is not Stage.FORMING)
    return (*islice(begun, CHOICES_MAX), *free)[:CHOICES_MAX]


def _is_beside_wish(parsed: ParsedLine) -> bool:
    """Return whether somebody who wants to enter a game may write *parsed* too."""
    settings = COMMAND_OF[type(parsed)].scope is Scope.SETTINGS
    return settings or isinstance(parsed, OrderText | SetPreference | SetPassword)


def _entering(context: MailContext, reading: Reading, weights: Weights) -> ParsedLine | None:
    wish, known = weights.wishes[reading.wishes[0]], known_of_stranger(context)
    heading = game_heading(reading.sentence, known.games, known.board)
    if reading.verdict is not Verdict.ACT or heading is not None:
        return None
    for line in commands_of(wish, reading, known):
        text = Line(0, line)
        made = context.judge.commands.read(text, known.board, first=False)
        if isinstance(made, StandBy) or (isinstance(made, ENTERING) and made.game):
            return replace(made, text=reading.sentence)
    return None


def wishes_of_stranger(context: MailContext, parsed: Sequence[ParsedLine]) -> list[Context]:
    """Return the pages that answer what a stranger asks for in plain words."""
    weights = installed.weights()
    if weights is None:
        return []
    asked: dict[str, tuple[str, Sequence[Context]]] = {}
    for reading in readings_of_stranger(context, parsed):
        wish = weights.wishes[reading.wishes[0]]
        if reading.verdict is not Verdict.ACT or wish.name in (*IN_DOOR, WATCHING):
            continue
        known = known_of_stranger(context)
        for line in commands_of(wish, reading, known)[:1]:
            read = context.judge.commands.read(Line(0, line), known.board, first=False)
            # Without a game, a question about one is answered with the list that the door has.
            of_none = getattr(read, "game", "") is None or line.startswith(("LIST F", "LIST VAC"))
            if read and COMMAND_OF[type(read)].is_question and not of_none:
                answer = tuple(answer_questions(context, None, None, [read]))
                asked.setdefault(line, (reading.sentence, answer))
    return [*pages_of([*asked.values()])]


def choices_of_stranger(
    context: MailContext, parsed: Sequence[ParsedLine]
) -> tuple[receipts.WishChoice, ...]:
    """Return the commands that a stranger may mean, which the judge has not answered."""
    weights = installed.weights()
    if weights is None:
        return ()
    readings, free = readings_of_stranger(context, parsed), _open_games(context)
    choices = _choices_in(context, readings, weights)
    first = next(iter(choices), "")
    is_plain = any(
        each.wishes[0] not in (HELP, ABOUT, *IN_DOOR) and each.probability >= SAID
        for each in readings
    )
    if first.startswith("CREATE"):
        choices = {first: choices[first]}  # Others are about that game.
    elif named := _only_named(context, weights):
        entering = any(each.startswith(("JOIN", "OBSERVE")) for each in choices)
        joining = {} if entering else {named: receipts.WishChoice(JOINING, f"JOIN {named}")}
        choices = joining | choices if is_plain or entering else joining
    meant = _shown_at_door(context)[0]
    words = " ".join(line.text for line in context.opened.text.fresh)
    renames = any(each.startswith("CREATE") for each in meant) and NAME.search(words)
    if renames or (not choices and _agrees_to_play(context, parsed)):
        meant = meant or [f"JOIN {each}" for each in free]
        wished = {"OBSERVE": WATCHING, "CREATE": CREATING, "STANDBY": "standby"}
        return tuple(
            receipts.WishChoice(wished.get(each.split()[0], JOINING), each) for each in meant
        )
    return tuple(choices.values())[:CHOICES_MAX]


def choices_instead(context: MailContext, held: OpenedEmail) -> tuple[receipts.WishChoice, ...]:
    """Return what somebody means who answers `No, I meant Turkey` to the question about *held*."""
    weights, written = installed.weights(), [line.text for line in held.text.fresh]
    text = " ".join(line.text for line in context.opened.text.fresh)
    _, *others = CLAUSE.split(text, maxsplit=1)
    rest = " ".join(others)
    if weights is None or not rest.strip():
        return ()
    created = next((each for each in written if each.upper().startswith("CREATE ")), "")
    if created and (told := with_name_told(context, created, rest)) != created:
        return (receipts.WishChoice(CREATING, told),)
    known = known_of_stranger(context, " ".join((held.subject, *written)))
    marked = with_known_things_marked(rest, known, weights)
    game = marked.slots.get("game") or (min(known.games) if len(known.games) == 1 else "")
    if not game:
        return ()
    read = read_wishes(sentences_in([rest]), known, weights)
    plain_ones = (each for each in read if len(each.wishes) == 1 and each.probability >= SAID)
    wishes = [each.wishes[0] for each in plain_ones if each.wishes[0] in (WATCHING, "standby")]
    other = marked.slots.get("game", game) not in names_in(" ".join(written))
    wishes = wishes or ([JOINING] if other or {"power", "unwanted"} & {*marked.slots} else [])
    slots = {**marked.slots, "game": game, "others": ", ".join(powers_in(marked.slots))}
    made = (
        (wish, line)
        for wish in wishes[:1]
        for line in commands_of(
            weights.wishes[wish], Reading(rest, Verdict.OFFER, (wish,), slots, 1.0), known
        )
    )
    return tuple(receipts.WishChoice(wish, line) for wish, line in made)


def _choices_in(
    context: MailContext, readings: Sequence[Reading], weights: Weights
) -> dict[str, receipts.WishChoice]:
    known = known_of_stranger(context)
    games = context.transaction.summaries.listed_among(known.games)
    full = {each.name for each in games if each.stage is not Stage.FORMING and not each.vacant}
    choices: dict[str, receipts.WishChoice] = {}
    for reading in readings:
        for wish in (weights.wishes[name] for name in _wishes_offered(reading)):
            if made := create_line(context, wish.name, reading):
                choices.setdefault(made, receipts.WishChoice(wish.name, made))
            if wish.name in IN_DOOR or _is_answered(reading, wish):
                continue
            entered = () if "game" in reading.slots else _to_enter(context, wish, weights)
            for game in entered or ("",):
                slots = {**reading.slots, "game": game} if game else reading.slots
                for line in commands_of(wish, replace(reading, slots=slots), known):
                    command, _, named = line.partition(" ")
                    joins = command == "STATUS" and f"JOIN {named}" in choices
                    if not (joins or command == "LIST" or (command == "JOIN" and named in full)):
                        same = line.replace(" AS ", " ")  # `JOIN globe KENYA`
                        choices.setdefault(same, receipts.WishChoice(wish.name, line))
    return choices


def _wishes_offered(reading: Reading) -> tuple[str, ...]:
    """Return what to offer for *reading*: nothing that the door has, one way into a game."""
    first = reading.wishes[0]
    if first in IN_DOOR:
        return ()
    return (first,) if first in (JOINING, WATCHING) and "game" in reading.slots else reading.wishes


def _only_named(context: MailContext, weights: Weights) -> str:
    """Return the game with free places that a stranger names, who says little else."""
    known = known_of_stranger(context)
    text = context.opened.text
    lines = (context.opened.subject, *(line.text for line in text.fresh))
    slots = [with_known_things_marked(each, known, weights).slots for each in lines]
    named = {each["game"] for each in slots if "game" in each}
    if not named:  # `I am in!` above an invitation
        words = dict.fromkeys(names_in(" ".join(text.quoted)[:QUOTED_READ_MAX]))
        named = {each for each in words if each not in weights.rows}
    games = context.transaction.summaries.listed_among(named)
    return games[0].name if len(games) == 1 and games[0].places else ""


def _is_answered(reading: Reading, wish: Wish) -> bool:
    return reading.verdict is Verdict.ACT and wish.effect is Effect.ANSWER


def readings_of_stranger(
    context: MailContext, parsed: Sequence[ParsedLine]
) -> tuple[Reading, ...]:
    """Return the wishes in the prose of a stranger."""
    weights = installed.weights()
    if weights is None:
        return ()
    sentences = sentences_in(lines_in_prose(context, parsed))
    return read_wishes(sentences, known_of_stranger(context), weights, topic_of(context))


def note_missed_of_stranger(context: MailContext, parsed: Sequence[ParsedLine]) -> None:
    """Note what a stranger who gets the door wrote, as far as it was not understood."""
    weights = installed.weights()
    if weights:
        sentences = sentences_in(lines_in_prose(context, parsed))
        known = known_of_stranger(context)
        read = read_wishes(sentences, known, weights)
        note_missed(context, missed(sentences, read, known, weights))


def lines_in_prose(context: MailContext, parsed: Sequence[ParsedLine]) -> list[str]:
    """Return the lines of *parsed* that are no orders; the subject, if that is all there is."""
    orders = {line.text for line in order_lines(context, parsed)}
    texts = [each for each in parsed if isinstance(each, OrderText)]
    subject = context.opened.subject
    if not parsed and not REPLY_PREFIX.match(subject):
        return [subject]
    lines = (line.text for each in texts for line in each.lines)
    return [line for line in lines if line not in orders]


def order_lines(context: MailContext, parsed: Sequence[ParsedLine]) -> tuple[Line, ...]:
    """Return the lines of *parsed* that are orders in notation."""
    lines, board = lines_to_order(parsed), known_of_stranger(context).board
    return context.read(read_order_lines, lines, board) if lines else ()


def known_of_stranger(context: MailContext, line: str = "") -> Known:
    """Return what helps to read a stranger's email, beside the text *line*."""
    opened, board, summaries = context.opened, context.reading_board, context.transaction.summaries
    fresh = " ".join((line, *(line.text for line in opened.text.fresh)))
    written = {*names_in(fresh[:NAMES_READ_MAX])}
    misspelled: Mapping[str, str] = {}
    listed = summaries.listed_among({*written, *names_in(opened.subject)})
    if not listed:
        misspelled = _games_misspelled(context, {*written, *names_in(opened.subject)})
        listed = summaries.listed_among({*misspelled.values()})
    named = [each for each in listed if each.name in written]
    free = [each for each in named if each.stage is Stage.FORMING or each.vacant]
    if len(free or named) == 1:
        board = board_of_summary(context.judge, context.transaction, (free or named)[0])
    return Known(
        role=Role.STRANGER,
        only_open=_only_open(context),
        answers_proposal=_answers_door(context),
        board=board,
        games=frozenset(each.name for each in listed),
        today=context.now.date(),
        closed=frozenset({TAKE_OVER} if named and not any(each.vacant for each in named) else ()),
        misspelled=misspelled,
    )


def _games_misspelled(context: MailContext, words: Iterable[str]) -> Mapping[str, str]:
    """Return which of the *words* may mean an open game: `jutlant`."""
    weights = installed.weights()
    everyday = weights.rows if weights else {}
    names = [each.name for each in context.transaction.summaries.with_places(GAMES_COMPARED_MAX)]
    odd = sorted(each for each in words if len(each) >= LETTERS_MIN and each not in everyday)
    near = ((each, closest_matches(each, names)) for each in odd[:WORDS_COMPARED_MAX])
    return {word: found[0][1] for word, found in near if found and found[0][0] >= LIKE}
