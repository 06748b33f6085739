"""SIGNON, and joining and leaving games: JOIN, STANDBY, OBSERVE, RESIGN."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import assert_never

from judge.app.commands.command import CommandRow, Scope
from judge.app.commands.context import MailContext, Session, apply_and_report
from judge.app.commands.profile import SetPassword, handle_from_name, has_given_handle
from judge.app.game.apply import standbys_to_ask
from judge.app.ports.people import Person
from judge.game import moderator_actions
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game
from judge.game.house_rules import Entry
from judge.game.players import joining, standbys
from judge.game.players.standbys import Decline, JoinGame, PlaceAsked, StandbyCame
from judge.game.voting import proposal_answered
from judge.mail.language import command_syntax
from judge.mail.language.command_table import Form
from judge.mail.language.confirmations import Confirm
from judge.reports.emails.receipts import (
    CommandDone,
    CommandRefused,
    HandleGiven,
    Item,
    LineNotUnderstood,
    WishChoice,
    WishOffered,
)
from judge.rules.board import Map
from judge.rules.types import Power

PREFERENCE_WORDS = ("PREFER", "PREFERENCE", "PREFERENCES", "PREF")
AS_WORDS = ("AS", "ALS", "COMME", "FOR", "PLAYING")
UNREAD_WORDS_MAX = 5  # of the name of a power; more words are a sentence
PREFERRED = re.compile(
    rf"^\s*JOIN\b.*?\b(?:{'|'.join(PREFERENCE_WORDS)})\b:?\s*(.*)", re.IGNORECASE
)
NAMED_AS = re.compile(rf"^\s*JOIN\s+\S+\s+(?:{'|'.join(AS_WORDS)})\s+(.*)", re.IGNORECASE)
SAID_AS = re.compile(r"\b(?:as|als|comme)\s+(?!I\b)([^\W\d_a-z][^\W\d_]{2,19})")  # in a sentence


@dataclass(frozen=True, slots=True)
class Join(command_syntax.ParsedLine):
    """`JOIN game`, optionally with a vacant *power* or with preferences, best group first.

    *password* is the sender's new password, *key* the password of the game.
    """

    game: str
    power: Power | None = None
    preferences: tuple[tuple[Power, ...], ...] = ()
    password: str | None = field(default=None, repr=False)
    key: str | None = field(default=None, repr=False)

    def unread_on(self, board: Map) -> str:
        """Return the words that should name powers, and name none on *board*."""
        preferred = PREFERRED.search(self.text)
        end = preferred.start() if preferred else len(self.text)
        named = NAMED_AS.search(self.text, 0, end) or SAID_AS.search(self.text, 0, end)
        words = (
            named[1] if named and self.power is None else "",
            preferred[1] if preferred and not self.preferences else "",
            _words_unread(preferred[1], board) if preferred and self.preferences else "",
        )
        return " ".join(filter(None, words)).strip(" .")

    @property
    def wanted(self) -> tuple[tuple[Power, ...], ...]:
        """Return the preferences, what counts before the game starts: the power named first."""
        named = ((self.power,),) if self.power else ()
        return (*named, *(each for each in self.preferences if each not in named))

    @property
    def has_password(self) -> bool:
        return self.password is not None

    def without_secret(self) -> str:
        return command_syntax.starred(self.text, (self.password, self.key))


@dataclass(frozen=True, slots=True)
class SetPreference(command_syntax.ParsedLine):
    """`SET PREFERENCE FTG[IE]*`: best group first, bracketed powers equal, `*` for the others."""

    preferences: tuple[tuple[Power, ...], ...]


@dataclass(frozen=True, slots=True)
class Resign(command_syntax.ParsedLine):
    """`RESIGN` or `RESIGN game`, possibly with the *power* that is left."""

    game: str | None
    power: str | None = None

    def without_secret(self) -> str:
        return command_syntax.starred_after(self.text, 2)


@dataclass(frozen=True, slots=True)
class StandBy(command_syntax.ParsedLine):
    """`STANDBY game`, `STANDBY`; with NO, not *on*. *key* is the password of the game."""

    game: str | None
    on: bool
    key: str | None = field(default=None, repr=False)

    def without_secret(self) -> str:
        return command_syntax.starred(self.text, (self.key,))


@dataclass(frozen=True, slots=True)
class Observe(command_syntax.ParsedLine):
    """`OBSERVE game`, or `UNOBSERVE game`."""

    game: str
    on: bool

    def without_secret(self) -> str:
        return command_syntax.starred_after(self.text, 2)


KEY = "PASSWORD"  # precedes the password of a game


def _read_sign_on(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read `Fgame pw`, `F game pw`, `FRANCE@game pw`, and nJudge's `?game pw`, which joins."""
    if arguments[:1] == ["?"]:
        return partial(
            command_syntax.UnknownCommand, word="SIGNON ?", nearest=None, advice="join_any"
        )
    if arguments and arguments[0].startswith("?"):  # The variant and options may follow.
        return _read_join([arguments[0][1:], *arguments[1:2]], board)
    arguments = [word.strip("\"'") for word in arguments]
    match arguments:
        case [where]:
            password = ""
        case [seat, password] if command_syntax.seat_named(seat, board):
            return None  # The word may be the game or the password.
        case [where, password]:
            pass
        case [seat, game, password]:
            where = f"{seat}@{game}"
        case _:
            return None
    power, game = _split_seat(where, board)
    named = command_syntax.GAME_NAME.fullmatch(game)
    return (
        partial(command_syntax.SignOn, power=power, game=game.lower(), password=password)
        if named
        else None
    )


def _split_seat(word: str, board: Map) -> tuple[str | None, str]:
    """Split `FRANCE@game` or `Fgame`; a single letter is always the power."""
    name, at, game = word.rpartition("@")
    if at:
        seat = command_syntax.seat_named(name, board)
        return seat, game if seat else ""
    letters = {board.nations[power].letter for power in board.powers}
    length = 2 if word[:2].upper() in letters else 1
    seat = command_syntax.seat_named(word[:length], board)
    return (seat, word[length:]) if seat and len(word) > 1 else (None, word)


def _read_join(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read `game [password] [PASSWORD word] [PREFER FTG]`, `game FRANCE`, `FRANCE@game [word]`.

    In DPjudge's form the password of the game is a third word, after one's own.
    """
    arguments = command_syntax.with_power_codes(" ".join(arguments), board).split()
    arguments, key = split_password(without_article(arguments))
    upper = [word.upper().rstrip(":") for word in arguments]
    cut = next((i for i, word in enumerate(upper) if word in PREFERENCE_WORDS), len(upper))
    wanted = " ".join(arguments[cut + 1 :])
    liked = command_syntax.preferences_named(wanted, board) if wanted else ()
    arguments, upper = arguments[:cut], upper[:cut]
    unread = ""
    if liked is None:
        others = _words_unread(wanted, board).split()
        named = [word for word in command_syntax.SEPARATORS.split(wanted) if word not in others]
        liked = command_syntax.preferences_named(" ".join(named), board) if any(named) else ()
        unread = "" if liked else wanted
    power = None
    if len(arguments) > 2 and upper[1] in AS_WORDS:  # noqa: PLR2004 - the word and the power
        power = " ".join(arguments[2:])
        arguments = [arguments[0], power]
        if command_syntax.power_named(power, board) is None:
            arguments, unread = arguments[:1], " ".join(filter(None, (power, unread)))
    cut = len(arguments)
    if cut not in (1, 2, 3) or len(unread.split()) > UNREAD_WORDS_MAX:
        return None
    if cut > 2:  # noqa: PLR2004 - a third word
        key = arguments.pop(2)
        cut = 2
    name, at, game = arguments[0].rpartition("@")
    power = command_syntax.power_named(name, board)
    if not command_syntax.GAME_NAME.fullmatch(game) or (at and power is None):
        return None
    password = arguments[1] if cut > 1 else None
    if password and not at and len(password) > 1 and command_syntax.power_named(password, board):
        power, password = command_syntax.power_named(password, board), None
    return partial(
        Join,
        game=game.lower(),
        power=power,
        preferences=liked or (),
        password=password,
        key=key,
    )


def _words_unread(wanted: str, board: Map) -> str:
    """Return the words of *wanted* that are neither names of powers nor their letters."""
    wanted = command_syntax.with_power_codes(wanted, board).strip(" .")
    if command_syntax.preferences_named(wanted, board) is not None:
        return ""
    words = command_syntax.SEPARATORS.split(wanted)
    return " ".join(
        word for word in words if len(word) == 1 or not command_syntax.power_named(word, board)
    ).strip()


def _read_takeover(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read DPjudge's `Fgame password` and `FRANCE@game password password`."""
    power, game = _split_seat(arguments[0], board) if arguments else (None, "")
    if power not in board.powers:
        return None
    return _read_join([f"{power}@{game}", *arguments[1:]], board)


def _read_preferences(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    liked = command_syntax.preferences_named(" ".join(arguments), board)
    return partial(SetPreference, preferences=liked) if liked else None


def split_password(arguments: list[str]) -> tuple[list[str], str | None]:
    """Split `PASSWORD word`, the password of a game, from *arguments*."""
    upper = [word.upper() for word in arguments]
    at = upper.index(KEY) if KEY in upper[1:-1] else len(upper)
    key = arguments[at + 1] if at < len(upper) else None
    return arguments[:at] + arguments[at + 2 :], key


def _read_standby(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    words, key = split_password(arguments)
    return _standby_maker(words, key, on=True)


def _read_no_standby(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    return _standby_maker(arguments, None, on=False)


def _standby_maker(
    words: list[str], key: str | None, *, on: bool
) -> command_syntax.LineMaker | None:
    match words:
        case []:
            return partial(StandBy, game=None, on=on)
        case [game] if command_syntax.GAME_NAME.fullmatch(game):
            return partial(StandBy, game=game.lower(), on=on, key=key)
        case _:
            return None


def _read_resignation(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read nothing, `game`, and DPjudge's `Fgame password` and `FRANCE@game password`."""
    where = arguments[0] if arguments else ""
    if len(arguments) > 2:  # noqa: PLR2004 - the seat and the password
        return None
    power = command_syntax.power_named(where, board) if len(where) > 1 else None
    if power:
        return partial(Resign, game=None, power=power)
    if "@" in where or len(arguments) == 2:  # noqa: PLR2004
        power, game = _split_seat(where, board)
        if power is None or not command_syntax.GAME_NAME.fullmatch(game):
            return None
        return partial(Resign, game=game.lower(), power=power)
    return command_syntax.about_game(Resign)(arguments, board)


def _observe_reader(*, on: bool) -> command_syntax.CommandReader:
    """Return the reader of OBSERVE; it ignores a password, which nJudge requires."""

    def read(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
        game = arguments[0].rpartition("@")[2] if len(arguments) in (1, 2) else ""
        return (
            partial(Observe, game=game.lower(), on=on)
            if command_syntax.GAME_NAME.fullmatch(game)
            else None
        )

    return read


# The words around the name in `JOIN the game lepanto, please!`.
ARTICLES = frozenset(("the", "game", "spiel", "dem", "das", "la", "le", "partie"))
POLITE_ENDINGS = frozenset(("please", "pls", "thanks", "thx", "bitte", "danke", "svp", "merci"))


def without_article(arguments: list[str]) -> list[str]:
    """Return *arguments* without `the game` before a name, and `, please!` after it."""
    words = list(arguments)
    while len(words) > 1 and words[-1].strip(",.!").casefold() in POLITE_ENDINGS:
        del words[-1]
    while len(words) > 1 and words[0].casefold() in ARTICLES:
        del words[0]
    plain = words[0].rstrip(",!") if len(words) == 1 else ""
    return [plain] if plain and plain.upper() not in command_syntax.NOT_TOPICS else arguments


PASSWORD_KEY = "{game} (door)"  # noqa: S105 - a key for passwords, never the name of a game
GUESSES_MAX, GUESS_PAUSE = 10, timedelta(hours=1)  # wrong passwords at once, then one per pause


def _join(context: MailContext, session: Session, parsed: Join) -> tuple[Item, ...]:
    """Enter the sender into the game, or seat them on a vacant power.

    If the game has a password, a single word after its name is that password.
    """
    person = session.person
    game = context.game_open_to(person, parsed.game)
    items = _entered(context, person, game, partial(_join_game, context, person, parsed))
    if unread := parsed.unread_on(context.board(game) if game else context.reading_board):
        return (*items, LineNotUnderstood(parsed.line, unread, ("HELP PREFERENCE",)))
    return items


def _entered(
    context: MailContext, person: Person, game: Game | None, enter: Callable[[], Item]
) -> tuple[Item, ...]:
    """Have *person* enter *game*, a newcomer under their first name unless it is anonymous.

    None stands for the waiting list of all games.
    """
    people = context.transaction.people
    known, handle = people.get(person.id), None
    anonymous = game is not None and game.house_rules.anonymous
    if known and not anonymous and has_given_handle(known):
        handle = handle_from_name(context.transaction, known, context.reading_board)
        people.change(person.id, handle=handle)  # The game may start with this player.
    item = enter()
    if known is None or handle is None:
        return (item,)
    if isinstance(item, CommandRefused):
        people.change(person.id, handle=known.handle)
        return (item,)
    return (item, HandleGiven(handle, no_name=handle == known.handle))


def _join_game(context: MailContext, person: Person, parsed: Join) -> Item:
    admitted = _is_password_right(context, person, parsed.game, parsed.key or parsed.password)
    command = JoinGame(
        person=person.id,
        preferences=parsed.wanted,
        seed=context.judge.random.nonce(),
        power=parsed.power,
        admitted=admitted,
    )
    item = _apply(context, person, parsed.game, "join", command)
    own = parsed.password if parsed.key or not admitted else None
    if own and isinstance(item, CommandDone):
        hashed = context.judge.passwords.hash(own)
        context.transaction.people.set_password(parsed.game, person.id, hashed)
    return item


def _stand_by(context: MailContext, session: Session, parsed: StandBy) -> tuple[Item, ...]:
    person, on = session.person, parsed.on
    enter = partial(_stand_by_anywhere, context, person, on=on)
    if parsed.game is not None:
        admitted = _is_password_right(context, person, parsed.game, parsed.key)
        command = standbys.StandBy(person.id, on=on, admitted=admitted)
        done = "standby" if on else "nostandby"
        enter = partial(_apply, context, person, parsed.game, done, command)
    game = context.game_open_to(person, parsed.game) if parsed.game else None
    return _entered(context, person, game, enter) if on else (enter(),)


def answer_offered_seat(
    context: MailContext, session: Session, parsed: Confirm
) -> tuple[Item, ...]:
    """Accept or decline the power reserved for the sender, if there is one."""
    game, person = context.game(session.game), session.person
    if game is None or game.power_of(person.id) or person.id == game.moderator:
        return ()
    kept = [power for power, offer in game.offers.items() if offer.person == person.id]
    if not parsed.yes:
        decline = Decline(person.id)
        return (_apply(context, person, session.game, "declined", decline),) if kept else ()
    if not kept and person.id in game.joined:
        return ()  # They have joined, and wait for the others.
    if not kept:
        votes = proposal_answered(game, session.answered) is not None
        return (CommandRefused("yes", Why.NOT_A_PLAYER if votes else Why.NO_OFFER),)
    command = JoinGame(person.id, (), context.judge.random.nonce(), kept[0])
    take = partial(_apply, context, person, session.game, "join", command)
    return _entered(context, person, game, take)


def _stand_by_anywhere(context: MailContext, person: Person, *, on: bool) -> Item:
    people, summaries = context.transaction.people, context.transaction.summaries
    people.stand_by(person.id, context.now if on else None)
    own = (each.name for each in summaries.of(person.id, ended=0))
    for name in summaries.wanting_standbys() if on else own:
        game = context.game(name)
        if game and on:
            for command in standbys_to_ask(people, game):
                context.apply_command(name, command)
        elif game and person.id in game.standbys:
            context.apply_command(name, standbys.StandBy(person.id, on=False))
    return CommandDone("standby_any" if on else "nostandby_any")


def _apply(
    context: MailContext,
    person: Person,
    name: str,
    word: str,
    command: JoinGame | standbys.StandBy | Decline,
) -> Item:
    result = context.apply_command(name, command)
    match result.decision:
        case Refused(why=Why.NOTHING_CHANGED):
            return CommandDone("join_asked" if word == "join" else word, name)
        case Refused(why=why):
            hidden = context.game_open_to(person, name) is None
            return CommandRefused(word, Why.NO_SUCH_GAME if hidden else why)
        case Accepted(events=(PlaceAsked(), *_)):
            return CommandDone("join_asked", name)
        case Accepted(events=(StandbyCame(), *_)):
            assert result.game is not None, "it has a waiting list"
            place = list(result.game.standbys).index(person.id) + 1
            return CommandDone("standby", f"{name}, {place}")
        case Accepted():
            return CommandDone(word, name)
        case other:
            assert_never(other)


def _is_password_right(context: MailContext, person: Person, name: str, word: str | None) -> bool:
    """Return whether *word* is the password of the game; wrong guesses are limited."""
    game = context.game(name)
    if word is None or game is None or game.house_rules.entry is not Entry.PASSWORD:
        return False
    budgets, tries = context.transaction.budgets, f"guesses at the door of {name} by {person.id}"
    if not budgets.has_left(tries, GUESSES_MAX, GUESS_PAUSE, context.now):
        return False
    hashes = context.transaction.people.passwords(PASSWORD_KEY.format(game=name))
    if any(context.judge.passwords.matches(word, hashed) for _, hashed in hashes):
        return True
    budgets.spend(tries, GUESSES_MAX, GUESS_PAUSE, context.now)
    return False


def with_join_completed(
    join: Join, below: Sequence[command_syntax.ParsedLine]
) -> tuple[Join, list[command_syntax.ParsedLine]]:
    """Return *join* with the preferences and password *below* it, and the other lines.

    They must count before the powers are assigned.
    """
    others: list[command_syntax.ParsedLine] = []
    for each in below:
        match each:
            case SetPreference(preferences=preferences):
                join = replace(join, preferences=preferences)
            case SetPassword(word=word):
                join = replace(join, password=word)
            case _:
                others.append(each)
    return join, others


def _resign(context: MailContext, session: Session, parsed: Resign) -> Item:
    """Leave the game, once confirmed (decisions.md, Identity)."""
    session = replace(session, game=parsed.game or session.game)
    if context.game_open_to(session.person, session.game) is None:
        return CommandRefused("resign", Why.NO_SUCH_GAME)
    game = context.game_of(session)
    if parsed.power and game.power_of(session.person.id) != parsed.power:
        if game.moderator != session.person.id or parsed.power not in game.seats:
            return CommandRefused("resign", Why.NOT_YOUR_POWER)
        eject = WishChoice("eject", f"EJECT {context.board(game).nations[parsed.power].name}")
        return WishOffered(parsed.without_secret(), (eject,))
    if not context.is_confirmed_by_code(session.person):
        return CommandDone("resign_asked")
    return apply_and_report(context, session, parsed, "resign", joining.Resign(session.person.id))


def _observe(context: MailContext, session: Session, parsed: Observe) -> Item:
    person = session.person
    if context.game_open_to(person, parsed.game) is None:
        return CommandRefused("observe", Why.NO_SUCH_GAME)
    command = moderator_actions.Observe(person.id, parsed.on)
    match context.apply_command(parsed.game, command).decision:
        case Accepted():
            return CommandDone("observe" if parsed.on else "unobserve", parsed.game)
        case Refused(why=Why.NOTHING_CHANGED):
            name = "observe" if parsed.on else "unobserve"
            return CommandDone(name, parsed.game, already=True)
        case Refused(why=why):
            return CommandRefused("observe", why)
        case other:
            assert_never(other)


def _set_preferences(context: MailContext, session: Session, parsed: SetPreference) -> Item:
    command = joining.SetPreferences(session.person.id, parsed.preferences)
    return apply_and_report(context, session, parsed, "preference", command)


def _sign_on(_: MailContext, _session: Session, _said: command_syntax.SignOn) -> Item:
    return CommandDone("signon")


def _sign_off(
    _: MailContext, _session: Session, parsed: command_syntax.SignOff
) -> tuple[Item, ...]:
    return (CommandDone("signoff"),) if parsed.ignored else ()


COMMANDS = (
    CommandRow(
        command_syntax.SignOn,
        readers=dict.fromkeys(("SIGNON", "LOGIN"), _read_sign_on),
        joined={"SIGN ON": "SIGNON"},
        suggested={"SIGNON": "SIGNON Fgame password"},
        never_in_prose=("SIGNON",),
        secret_names=("SIGNON", "LOGIN", "HELLO", "SIGNON ?"),
        takes_password=True,
        scope=Scope.EMAIL,
        handle=_sign_on,
        topic="signon",
        forms=(
            Form(
                "SIGNON Fgame password",
                "identifies you in an email that is not a reply: the letter of your power, the "
                "game, your password for it. From an address that is not registered it waits "
                "until you confirm",
                also="SIGN ON Fgame password | SIGNON FRANCE@game password",
            ),
        ),
    ),
    CommandRow(
        command_syntax.SignOff,
        bare={"SIGNOFF": command_syntax.SignOff},
        joined={"SIGN OFF": "SIGNOFF"},
        suggested={"SIGNOFF": ""},
        never_in_prose=("SIGNOFF",),
        handle=_sign_off,
        topic="signoff",
        forms=(
            Form(
                "SIGNOFF",
                "makes the judge ignore the lines below, up to the next SIGNON",
                also="SIGN OFF ... nothing",
            ),
        ),
    ),
    CommandRow(
        Join,
        readers={"JOIN": _read_join, "TAKEOVER": _read_takeover},
        suggested={"JOIN": "JOIN game"},
        secret_names=("JOIN", "TAKEOVER"),
        in_subject=True,  # strangers must confirm it
        in_sentences=True,
        scope=Scope.ENTRY,
        handle=_join,
        topic="join",
        aliases="register",
        forms=(
            Form(
                "JOIN game | JOIN game PREFER EFT",
                "joins a forming game; strangers must confirm",
                also="SIGN ON ?game password | JOIN game password",
            ),
            Form(
                "JOIN game France",
                "takes over a power without a player",
                also="JOIN FRANCE@game password | TAKEOVER Fgame password",
            ),
            Form(
                "JOIN game PASSWORD word",
                "joins a game with a password",
                also="JOIN game password word",
            ),
        ),
    ),
    CommandRow(
        SetPreference,
        readers=dict.fromkeys(
            (*PREFERENCE_WORDS, *(f"{word}:" for word in PREFERENCE_WORDS)), _read_preferences
        ),
        suggested={"SET PREFERENCE": "SET PREFERENCE EFT"},
        handle=_set_preferences,
        topic="preference",
        forms=(
            Form(
                "SET PREFERENCE EFT | SET PREFERENCE E[FT]*",
                "lists the powers you would like, until the start",
            ),
        ),
    ),
    CommandRow(
        StandBy,
        readers={"STANDBY": _read_standby, "NOSTANDBY": _read_no_standby},
        joined={"NO STANDBY": "NOSTANDBY", "NOT STANDBY": "NOSTANDBY"},
        suggested={"STANDBY": "STANDBY game"},
        never_in_prose=("STANDBY", "NOSTANDBY"),
        in_subject=True,
        in_sentences=True,
        scope=Scope.ENTRY,
        handle=_stand_by,
        topic="standby",
        aliases="waiting, queue, offer, offers",
        forms=(
            Form(
                "STANDBY game | STANDBY | NO STANDBY game",
                "puts you on the waiting list of that game or of any game, or takes you off it",
            ),
        ),
    ),
    CommandRow(
        Observe,
        readers={
            **dict.fromkeys(("OBSERVE", "WATCH", "MONITOR", "OBS"), _observe_reader(on=True)),
            "UNOBSERVE": _observe_reader(on=False),
        },
        not_with_set=("OBSERVE", "WATCH", "MONITOR"),  # nJudge has SET WATCH ALL PRESS
        secret_names=("OBSERVE",),
        in_subject=True,
        in_sentences=True,
        scope=Scope.ENTRY,
        handle=_observe,
        topic="observe",
        aliases="observers",
        forms=(
            Form(
                "OBSERVE game | UNOBSERVE game",
                "starts or stops the public emails of a game; strangers must confirm",
                also="OBSERVE game password | WATCH game password | "
                "MONITOR somebody@game password",
            ),
        ),
    ),
    CommandRow(
        Resign,
        readers=dict.fromkeys(("RESIGN", "WITHDRAW"), _read_resignation),
        suggested={"RESIGN": ""},
        secret_names=("RESIGN",),
        in_person=True,
        confirmed=True,
        handle=_resign,
        topic="resign",
        forms=(
            Form(
                "RESIGN | RESIGN game",
                "leaves the game, once confirmed. Before the start your place is free again, "
                "afterwards your power is vacant",
                also="WITHDRAW",
            ),
        ),
    ),
)
