"""The door: what a stranger gets who writes to the judge in any words but spam."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from judge.app.commands.answers import answer_questions
from judge.app.commands.command import Scope
from judge.app.commands.context import MailContext
from judge.app.commands.profile import SetLanguage, SetMails, Stop
from judge.app.commands.queries import Help
from judge.app.commands.table import COMMAND_OF
from judge.app.inbound.wishes import CANCELING, topic_of
from judge.app.inbound.wishes_of_strangers import (
    choices_of_stranger,
    lines_in_prose,
    order_lines,
    readings_of_stranger,
)
from judge.app.ports.database import Transaction
from judge.app.ports.inbox import IncomingMail
from judge.game.game_state import Stage
from judge.game.game_summary import vacant_powers
from judge.mail.body import Line
from judge.mail.envelope import OpenedEmail
from judge.mail.intents import installed
from judge.mail.intents.features import words_of
from judge.mail.intents.known import names_in
from judge.mail.intents.reading import OFFERED, STOP, Verdict, says_stop
from judge.mail.intents.sentences import sentences_in
from judge.mail.language.command_syntax import (
    NamedGame,
    NamedPhase,
    OrdersOfPhase,
    OrderText,
    ParsedLine,
    SignOff,
    SignOn,
    TooMuch,
    UnknownCommand,
)
from judge.mail.language.confirmations import Confirm
from judge.mail.words import alternatives
from judge.reports.emails.confirmation_emails import Door, OpenGame
from judge.reports.emails.contexts import Context, Heading
from judge.reports.languages import SOURCE, language_named, languages

GAMES_MAX = 4  # shown, each with two taps
ORDERS_SHOWN_MAX = 20
COMMAND_MAX, COMMANDS_NAMED_MAX = 20, 3  # characters and words listed as unknown commands
STOPS_MIN = 0.5  # probability that somebody wants no more emails
WORDS_MIN = 3  # that show the language of a player's email
LINES_READ_MAX, LETTERS_READ_MAX = 20, 1_000  # that show the language of an email
ORDER = re.compile(r"\W*(?:[AF]|army|fleet|armee|flotte|armée)\b", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
STOPPED, SPEAKS, WRITES = "stopped", "speaks {}", "writes {}"  # notes on an address
LANGUAGE = "language"  # a wish
LETTER, ASKED_BY_ALL = 4, ("about", "help", "human")  # sentences; wishes that spam resembles
UNWANTED = re.compile(rf"\b(?:{alternatives('unwanted')})\b", re.IGNORECASE)

OF_STRANGERS = (  # lines that the door answers, or shows elsewhere
    *(Confirm, NamedGame, NamedPhase, OrderText, OrdersOfPhase, SetLanguage, SetMails, SignOff),
    *(SignOn, Stop, TooMuch, UnknownCommand),
)
DATA = re.compile(r"\b(?:daten|data|donn\xe9es|dsgvo|gdpr|rgpd)\b", re.IGNORECASE)
QUESTION = re.compile(r"[^.!?]+\?")
NAME_OF_LANGUAGE = re.compile(r"[^\W\d_]{4,20}")
IMPERSONAL = re.compile(rf"\b(?:{alternatives('impersonal')})", re.IGNORECASE)


def door(
    context: MailContext, parsed: Sequence[ParsedLine], *, again: bool, language: str | None = None
) -> Door:
    """Return the page that tells a stranger what this is, and how to begin."""
    orders = (*order_lines(context, parsed), *_lines_for_players(parsed))
    names = context.judge.commands.names
    unknown = (each.word for each in parsed if isinstance(each, UnknownCommand))
    odd = dict.fromkeys(word for word in unknown if word.upper() not in names)
    words = "\n".join((context.opened.subject, *lines_in_prose(context, parsed)))
    named = frozenset(names_in(words))
    games = sorted(_open_games(context, named), key=lambda game: game.name not in named)
    language = language or language_of_stranger(context)
    return Door(
        heading=Heading(context.judge.code, language=language),
        games=tuple(games)[:GAMES_MAX],
        meant=choices_of_stranger(context, parsed),
        orders=context.shown(orders[:ORDERS_SHOWN_MAX]),
        no_commands=tuple(word for word in odd if len(word) <= COMMAND_MAX)[:COMMANDS_NAMED_MAX],
        again=again,
        takes_back=not orders and _takes_back(context, parsed),
        asks_language=_asks_for_language(context, parsed),
        languages=tuple(each for each in languages() if each != language),
    )


def _lines_for_players(parsed: Sequence[ParsedLine]) -> Iterator[Line]:
    """Yield the lines of commands and press that only players can send."""
    for each in parsed:
        row = COMMAND_OF[type(each)]
        if not (row.is_question or row.scope is Scope.ENTRY or isinstance(each, OF_STRANGERS)):
            yield Line(each.line, each.text)
            yield from getattr(each, "lines", ())


def says_more(context: MailContext, parsed: Sequence[ParsedLine]) -> bool:
    """Return whether there is more in *parsed* than questions and courtesy."""
    unused = (*order_lines(context, parsed), *_lines_for_players(parsed))
    return bool(unused or sentences_in(lines_in_prose(context, parsed)))


def _open_games(context: MailContext, named: Collection[str]) -> Iterator[OpenGame]:
    """Yield the listed games that anybody can enter, and those that are *named*.

    Nobody is offered the power that they have left.
    """
    address = context.opened.sender
    writer = context.transaction.people.by_address(address) if address else None
    for summary in context.transaction.summaries.current(listed=True):
        is_open = summary.stage is Stage.FORMING or summary.vacant
        game = context.game(summary.name) if is_open or summary.name in named else None
        if game is None:
            continue
        board = context.board(game)
        left = {power for power, seat in game.seats.items() if writer and seat.person == writer.id}
        vacant = tuple(each for each in vacant_powers(board, game) if each not in left)
        if summary.vacant and not vacant and summary.name not in named:
            continue
        yield OpenGame(
            name=game.name,
            board=board,
            language=game.house_rules.language,
            movement=game.house_rules.movement_hours,
            places=summary.places,
            vacant=vacant,
        )


def language_of_stranger(context: MailContext, opened: OpenedEmail | None = None) -> str:
    """Return the language that the writer has chosen, or else that of their email, if plain."""
    address = context.opened.sender
    if address and (chosen := chosen_language(context.transaction, address)):
        return chosen
    spoken = _language_of(_lines_in_words(context, opened or context.opened))
    return spoken or _language_before(context, address) or SOURCE


def _lines_in_words(context: MailContext, opened: OpenedEmail) -> list[str]:
    """Return the lines of *opened* that are no commands, or its subject if it has no text."""
    lines = [line.text for line in opened.text.fresh] or [opened.subject]
    return [line for line in lines if not context.judge.commands.is_begun(line)]


def language_spoken(parsed: Sequence[ParsedLine]) -> str | None:
    """Return the language of the sentences in *parsed* if it is plain."""
    lines: list[str] = []
    for each in parsed:
        lines += [line.text for line in each.lines] if isinstance(each, OrderText) else []
        lines += [each.text] if isinstance(each, Confirm) else []
    return _language_of(lines, WORDS_MIN, 2)


def _language_of(lines: Sequence[str], words_min: int = 1, known_min: int = 1) -> str | None:
    sentences = (each for line in lines[:LINES_READ_MAX] for each in SENTENCE_END.split(line))
    prose = (each for each in sentences if not ORDER.match(each))
    words = words_of(" ".join(prose)[:LETTERS_READ_MAX])
    weights = installed.weights() if len(words) >= words_min else None
    if weights is None:
        return None
    spoken = weights.language_of(words, known_min)
    return spoken if spoken in languages() else None


def note_language_spoken(context: MailContext) -> None:
    """Note the language of a stranger's email if it is plain, for those that have no words."""
    address = context.opened.sender
    spoken = _language_of(_lines_in_words(context, context.opened))
    if address and spoken:
        context.transaction.people.note_stranger(address, WRITES.format(spoken), context.now)


def _language_before(context: MailContext, address: str | None) -> str | None:
    """Return the language of the last email from *address* whose language was plain."""
    notes = {WRITES.format(each): each for each in languages()}
    made = context.transaction.people.notes_on_stranger(address, tuple(notes)) if address else ()
    return notes[made[0]] if made else None


def chosen_language(transaction: Transaction, address: str) -> str | None:
    """Return the language that a stranger has asked for from *address*, if any."""
    notes = {SPEAKS.format(each): each for each in languages()}
    made = transaction.people.notes_on_stranger(address, tuple(notes))
    return notes[made[0]] if made else None


def set_language_of_newcomer(context: MailContext, person: str, held: IncomingMail) -> None:
    """Have *person* read the language of the email *held*, which asked to enter a game."""
    opened, known = context.open(held), context.transaction.people.get(person)
    if known is None or known.language != SOURCE or not isinstance(opened, OpenedEmail):
        return
    context.transaction.people.change(person, language=language_of_stranger(context, opened))


def note_language(context: MailContext, parsed: Sequence[ParsedLine]) -> str | None:
    """Note the language that a stranger asks for, and return it."""
    asked = next((each.word for each in parsed if isinstance(each, SetLanguage)), None)
    language = language_named(asked) if asked else _language_wished(context, parsed)
    address = context.opened.sender
    if language is None or address is None:
        return None
    context.transaction.people.note_stranger(address, SPEAKS.format(language), context.now)
    return language


def _language_wished(context: MailContext, parsed: Sequence[ParsedLine]) -> str | None:
    """Return the language that is asked for; in doubt the one in which somebody asks."""
    spoken = _language_of(_lines_in_words(context, context.opened))
    for reading in readings_of_stranger(context, parsed):
        if reading.verdict is Verdict.ACT and reading.wishes[0] == LANGUAGE:
            named = {language_named(word) for word in NAME_OF_LANGUAGE.findall(reading.email)}
            asks = "?" in reading.sentence and spoken != SOURCE  # whether English is needed
            return spoken if asks or spoken in named else reading.slots.get("language")
    return None


def wants_no_more(context: MailContext, parsed: Sequence[ParsedLine]) -> bool:
    """Return whether a stranger wants no more emails, and may not want something else."""
    if any(isinstance(each, Stop | SetMails) for each in parsed):
        return True
    readings = readings_of_stranger(context, parsed)
    stops = [each for each in readings if each.wishes[0] == STOP and says_stop(each.sentence)]
    by_subject = says_stop(context.opened.subject)
    wants_else = any(each.wishes[0] != STOP and each.probability >= STOPS_MIN for each in readings)
    least = OFFERED if by_subject else STOPS_MIN
    return any(
        each.verdict is Verdict.ACT
        or (each.probability >= least and (by_subject or not wants_else))
        for each in stops
    )


def _takes_back(context: MailContext, parsed: Sequence[ParsedLine]) -> bool:
    readings = readings_of_stranger(context, parsed)
    first = max(readings, key=lambda each: each.probability, default=None)
    return first is not None and first.wishes[0] == CANCELING and first.verdict is not Verdict.ASK


def _asks_for_language(context: MailContext, parsed: Sequence[ParsedLine]) -> bool:
    """Return whether a stranger asks whether they can play in a language."""
    readings = readings_of_stranger(context, parsed)
    asked = " ".join(QUESTION.findall(_words_of_email(context, parsed)))
    names = any(map(language_named, NAME_OF_LANGUAGE.findall(asked)))
    return names and any(each.wishes[0] == LANGUAGE for each in readings)


def about_data(context: MailContext, parsed: Sequence[ParsedLine]) -> list[Context]:
    """Return the page that says who deletes data, if the email speaks of data."""
    about = Help(line=0, text="HELP ABOUT", topic="about")
    asks = DATA.search(_words_of_email(context, parsed))
    return [*answer_questions(context, None, None, [about])] if asks else []


def has_stopped(context: MailContext) -> bool:
    """Return whether the writer has asked before for no more emails."""
    address = context.opened.sender
    return bool(address and context.transaction.people.notes_on_stranger(address, (STOPPED,)))


def stop(context: MailContext) -> None:
    """Note that the writer wants no more emails."""
    assert context.opened.sender, "somebody is answered"
    context.transaction.people.note_stranger(context.opened.sender, STOPPED, context.now)


def is_unwanted(context: MailContext, parsed: Sequence[ParsedLine]) -> bool:
    """Return whether the email is plainly spam, an invoice or the like.

    A letter that only asks what strangers ask says nothing else than those do.
    """
    if UNWANTED.search(_words_of_email(context, parsed)) is None:
        return False
    acted = [each for each in readings_of_stranger(context, parsed) if each.verdict is Verdict.ACT]
    letter = len(sentences_in(lines_in_prose(context, parsed))) > LETTER
    return all(letter and each.wishes[0] in ASKED_BY_ALL for each in acted)


def is_impersonal(context: MailContext, parsed: Sequence[ParsedLine]) -> bool:
    """Return whether the email reads as one that a program or a shop writes to everybody."""
    return IMPERSONAL.search(_words_of_email(context, parsed)) is not None


def _words_of_email(context: MailContext, parsed: Sequence[ParsedLine]) -> str:
    return " ".join((topic_of(context), *lines_in_prose(context, parsed)))
