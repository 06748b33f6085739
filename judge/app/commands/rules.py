"""House rules: CREATE, RULES, SET RULE, and the settings of other judges.

Some settings that nJudge has for each kind of phase apply to the whole game here; they are read
with SET MOVE.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from math import ceil
from typing import assert_never

from judge.app.commands.command import CommandRow, Outcome, Scope, moderator_row
from judge.app.commands.context import (
    MailContext,
    QuestionContext,
    Session,
    apply_moderator_command,
)
from judge.app.commands.profile import handle_from_name, has_given_handle
from judge.app.ports.judge import Judge
from judge.app.ports.people import Person
from judge.boards.variant_text import variant_named
from judge.game import moderator_actions
from judge.game.calendar import unsound_rules
from judge.game.decision import Accepted, Refused, Why
from judge.game.house_rules import (
    HOUR,
    HouseRules,
    UnknownHouseRuleError,
    choose_rules,
    with_suggested,
    write_duration,
)
from judge.game.players.creation import CreateGame
from judge.mail.body import Line
from judge.mail.language import command_syntax
from judge.mail.language.command_table import Form
from judge.mail.language.foreign_commands import FOREIGN_SETTINGS
from judge.mail.reader.house_rule_text import BOARD_KEYS
from judge.notation.terms import closest_matches
from judge.reports.emails import listings
from judge.reports.emails.contexts import Context, Heading
from judge.reports.emails.receipts import (
    CommandRefused,
    ForeignCommand,
    GameOpened,
    HandleGiven,
    Item,
    LineNotUnderstood,
    RuleRefused,
    WishChoice,
    WishOffered,
)
from judge.rules.board import DEFAULT_VARIANT, Map
from judge.rules.rulebook import DATC, Rulebook

GAME_NAME_MAX, NAMES_TRIED = 14, 100  # characters before a number, and numbers from 2
GAMES_MAX, GAMES_PAUSE = 3, timedelta(days=10)  # new games per person at once, then one per pause


@dataclass(frozen=True, slots=True)
class SetRules(command_syntax.ParsedLine):
    """`SET RULE grace_hours=48 press=none`."""

    pairs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShowVariants(command_syntax.ParsedLine):
    """`LIST VARIANTS`, or `VARIANT name`, which shows one with its starting position."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class Create(command_syntax.TakesSettings):
    """`CREATE name press=none`: open a game with these house rules, and moderate it.

    *pairs* includes the rules on the lines below, one per line. In `CREATE ?name password variant`
    they begin with the password, as a word.
    """

    game: str

    @property
    def password(self) -> str | None:
        """Return the password that follows the name, as other judges want it."""
        first = self.pairs[0] if self.pairs else ""
        return first if first and "=" not in first else None

    @property
    def has_password(self) -> bool:
        return self.password is not None

    def without_secret(self) -> str:
        return command_syntax.starred(self.text, (self.password,))


PAIR = re.compile(r"[a-z_]+=\S*")
SETTING = re.compile(r"(?<!\S)([A-Za-z_]+)(?:=|\s+=\s*|\s*:\s*)")
BEFORE_UNIT = re.compile(r"(?<=\d)\s+(?=(?:h|hours?|m|min|minutes?)(?!\S))", re.IGNORECASE)
SET_LINE = re.compile(r"SET (.*)", re.IGNORECASE)


def _read_numbered_setting(found: re.Match[str]) -> command_syntax.LineMaker | None:
    """Read `SET MAX ABSENCE 10`, `SET CENTERS 18`."""
    text = found[1].upper()
    if days := re.fullmatch(r"MAX ?ABSENCE (\d{1,3})", text):
        return partial(SetRules, pairs=(f"absence_days={days[1]}",))
    if centers := re.fullmatch(r"CENT(?:ER|RE)S (\d{1,2})", text):
        return partial(SetRules, pairs=(f"victory_centers={centers[1]}",))
    return None


def _read_comment(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    if [word.upper() for word in arguments] == ["BEGIN"]:
        return None
    return partial(SetRules, pairs=(f"comment={' '.join(arguments)}",))


def _read_rules(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    pairs = _settings_in(arguments)
    return partial(SetRules, pairs=pairs) if pairs else None


def _settings_in(words: list[str]) -> tuple[str, ...] | None:
    """Read `press=none`, `Press = none`, `grace: 15 min`; None if there is anything else."""
    text = BEFORE_UNIT.sub("", " ".join(words))
    pairs = SETTING.sub(lambda found: f"{found[1].lower()}=", text).split()
    return tuple(pairs) if all(PAIR.fullmatch(pair) for pair in pairs) else None


def _read_create(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    """Read `name rule=value ...`, and nJudge's and DPjudge's `?name password variant options`.

    Words that are no rules are kept without `=`: `requested_game` knows the variants, one of which
    may stand alone.
    """
    name, *rules = arguments or [""]
    pairs, game = _settings_in(rules), name.removeprefix("?")
    if not command_syntax.GAME_NAME.fullmatch(game):
        return None
    if pairs is None:
        pairs = tuple(_options_in([word.strip(",;") for word in rules]))
        others = [pair for pair in pairs if "=" not in pair]
        known = len(pairs) - sum(word.upper() != STANDARD for word in others)
        plainly = name.startswith("?") or known >= max(1, len(others) - 1) or len(rules) == 1
        if not plainly or len(rules) > CREATE_WORDS_MAX:
            return None
    return partial(Create, game=game.lower(), pairs=pairs)


def _options_in(words: list[str]) -> Iterator[str]:
    """Yield the house rules that *words* set in the language of other judges, and other words."""
    at = 0
    while at < len(words):
        phrases = (" ".join(words[at : at + size]).upper() for size in (4, 3, 2, 1))
        phrase = next((each for each in phrases if each in FOREIGN_SETTINGS), words[at])
        yield from FOREIGN_SETTINGS.get(phrase, phrase).split()
        at += len(phrase.split())


STANDARD = "STANDARD"  # with the board named, a line without `?` is no sentence
CREATE_WORDS_MAX = 8  # behind the name; more are a sentence


MOVEMENT_KEYS = frozenset({"CLOCK", "MIN", "GRACE", "DELAY", "DAYS"})


def clock_reader(length: str, keys: Collection[str] = ()) -> command_syntax.CommandReader:
    """Return the reader of settings for one kind of phase: its *length*, NEXT, and *keys*."""

    def read(arguments: list[str], _: Map) -> partial[SetRules] | None:
        names = [word.upper() for word in arguments[::2]]
        given = dict(zip(names, arguments[1::2], strict=False))
        whole = 2 * len(given) == len(arguments)
        if not given or not whole or not given.keys() <= {"NEXT", *MOVEMENT_KEYS}:
            return None
        others = [f"{key} {given.pop(key)}" for key in names if key not in {"NEXT", *keys}]
        if not given:
            return None
        try:
            return partial(SetRules, pairs=(*_settings_of_clock(given, length), *others))
        except ValueError:
            return None

    return read


CLOCK_NUMBER = re.compile(r"\d{0,4}(?:\.\d{1,3})?")
WEEK = "SMTWTFS"  # from Sunday
DAYS = re.compile(r"[-SMTWF]{7}", re.IGNORECASE)
MINUTES_A_DAY = 24 * 60
NO_CLOCK = "-1"


def _settings_of_clock(given: dict[str, str], length: str) -> Iterator[str]:
    """Yield house rules; raises `ValueError` for an invalid number, clock or week."""
    for key, value in given.items():
        match key:
            case "NEXT":
                yield f"{length}={_length(_clock_number(value))}"
            case "MIN":
                yield f"early_not_before_hours={_length(_clock_number(value))}"
            case "DELAY":
                yield f"early_wait_minutes={ceil(60 * _clock_number(value))}"
            case "CLOCK":
                yield f"closing_time={_clock(value)}"
            case "DAYS":
                yield f"closed_weekdays={_closed(value)}"
            case _:  # In nJudge GRACE, like NEXT, counts from the beginning of the phase.
                grace = _clock_number(value) - _clock_number(given.get("NEXT", ""))
                yield f"grace_hours={_length(max(grace, 0))}"


def _clock_number(text: str) -> float:
    if not CLOCK_NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text)


def _length(hours: float) -> int | str:
    return write_duration(timedelta(minutes=ceil(60 * hours)), HOUR)


def _clock(text: str) -> str:
    if text == NO_CLOCK:
        return ""
    minutes = int(_clock_number(text))
    if minutes >= MINUTES_A_DAY:
        raise ValueError(text)
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _closed(text: str) -> str:
    """Return the weekdays given as dashes, from 1 for Monday to 7 for Sunday."""
    if not DAYS.fullmatch(text) or any(
        letter not in ("-", day) for letter, day in zip(text.upper(), WEEK, strict=True)
    ):
        raise ValueError(text)
    return ",".join(sorted(str(n or 7) for n, letter in enumerate(text) if letter == "-"))


CLOCKS_ADVICE = "clocks"
COMMENT_COMMAND, COMMENT_ADVICE = "SET COMMENT", "open_comment"
COMMENT_OPENINGS = ("COMMENT BEGIN", "SET COMMENT BEGIN")
COMMENT_ENDINGS = frozenset({"END", "ENDCOMMENT", "END COMMENT", "COMMENT END", "SET COMMENT END"})
SIGN_OFF_WORDS = frozenset({"SIGNOFF", "SIGN OFF"})  # in nJudge it also ends the block
COMMENT_MAX = 1000  # characters, as of every line


def _read_comment_block(
    line: Line, below: Sequence[Line]
) -> tuple[SetRules | command_syntax.UnknownCommand, int] | None:
    """Read a comment of several lines.

    Without an end line, all lines below capitals belong to it and nothing is done: they may be
    meant so.
    """
    words = [each.text.strip(" .").upper() for each in below]
    end = next(
        (i for i, each in enumerate(words) if each in COMMENT_ENDINGS | SIGN_OFF_WORDS), None
    )
    comment = " ".join(" ".join(each.text for each in below[:end]).split())
    if end is None and not line.text.isupper():
        return None
    if end is None or len(comment) > COMMENT_MAX:
        text = "\n".join(each.text for each in (line, *below[:end]))
        lost = command_syntax.UnknownCommand(
            COMMENT_COMMAND, None, COMMENT_ADVICE, line=line.number, text=text
        )
        return lost, len(below) if end is None else end + 1
    rule = SetRules((f"comment={comment}",), line=line.number, text=line.text)
    return rule, end if words[end] in SIGN_OFF_WORDS else end + 1


def _set_rules(context: MailContext, session: Session, parsed: SetRules) -> Outcome:
    """Change house rules; the rulebook of a game never changes."""
    game, command = context.game_of(session), parsed.text.strip()
    unread = tuple(pair for pair in parsed.pairs if "=" not in pair)
    if unread:
        said = ForeignCommand(parsed.line, ", ".join(unread), CLOCKS_ADVICE)
        left = replace(parsed, pairs=tuple(pair for pair in parsed.pairs if "=" in pair))
        changed = _set_rules(context, session, left)
        return (*(changed if isinstance(changed, tuple) else (changed,)), said)
    for pair in parsed.pairs:
        if pair.partition("=")[0].strip() in BOARD_KEYS:
            return RuleRefused(command, pair, BOARD)
    asked = requested_rules(
        command,
        parsed.pairs,
        game=game.name,
        rules=game.house_rules,
        rulebook=game.rulebook,
    )
    if isinstance(asked, RuleRefused):
        return asked
    rules, rulebook = asked
    if rulebook != game.rulebook:
        return rulebook_refused(command)
    change = moderator_actions.ChangeRules(rules, session.person.id)
    return apply_moderator_command(context, session, parsed, "set_rules", change)


def _create(context: MailContext, session: Session, parsed: Create) -> Outcome:
    person, name = session.person, parsed.game.lower()
    asked = requested_game(context.judge, parsed, person.language)
    if isinstance(asked, RuleRefused):
        return asked
    unread, left_out = options_unread(context.judge, parsed), rules_taken(parsed)[1]
    words = tuple(LineNotUnderstood(parsed.line, each) for each in unread)
    if unread == parsed.pairs != () and "?" not in parsed.text:  # `Create trouble everywhere`
        line = f"CREATE {name}"
        return (WishOffered(line, (WishChoice("create_game", line),)), *words)
    budgets = context.transaction.budgets
    if not budgets.spend(f"games of {person.id}", GAMES_MAX, GAMES_PAUSE, context.now):
        return CommandRefused("create", Why.TOO_OFTEN)
    command = replace(asked, moderator=person.id)
    match context.apply_command(name, command).decision:
        case Accepted():
            board = context.judge.boards(command.variant)
            opened = GameOpened(name, command.house_rules, board)
            if parsed.password:
                hashed = context.judge.passwords.hash(parsed.password)
                context.transaction.people.set_password(name, person.id, hashed)
            named = _named(context, person)
            return (opened, *named, *left_out, *words)
        case Refused(why=why):
            return refused_creation(context, parsed, why)
        case other:
            assert_never(other)


def refused_creation(context: MailContext, parsed: Create, why: Why) -> tuple[Item, ...]:
    """Return what is said of a game that cannot be created; another name if that is taken."""
    refused = CommandRefused("create", why)
    if why is not Why.GAME_EXISTS:
        return (refused,)
    variant = variant_asked(context.judge, parsed)
    board = () if variant == DEFAULT_VARIANT else (f"variant={variant}",)
    name = free_name(context, parsed.game, is_taken=True)
    line = " ".join((f"CREATE {name}", *board, *rules_taken(parsed)[0]))
    choice = WishChoice("create_game", line)
    return (refused, WishOffered(f"CREATE {parsed.game}", (choice,)))


def free_name(context: MailContext, wanted: str, *, is_taken: bool = False) -> str:
    """Return *wanted*, or a name like it if that *is_taken* or a listed game is called so."""
    others = (f"{wanted[:GAME_NAME_MAX]}{number}" for number in range(2, NAMES_TRIED))
    tried = (*(() if is_taken else (wanted,)), *others)
    taken = {each.name for each in context.transaction.summaries.listed_among({*tried})}
    return next((each for each in tried if each not in taken), wanted)


def _named(context: MailContext, person: Person) -> Iterator[HandleGiven]:
    """Call a moderator who has no name yet by the one in their emails."""
    people = context.transaction.people
    known = people.get(person.id)
    if known is None or not has_given_handle(known):
        return
    handle = handle_from_name(context.transaction, known, context.reading_board)
    people.change(known.id, handle=handle)
    yield HandleGiven(handle, no_name=handle == known.handle)


BOARD_LIKE = 0.75  # how similar a word is to the board that it misspells
RULEBOOKS, UNSOUND, BOARD = (
    "rulebook",
    "unsound",
    "board",
)  # errors other than the form of a house rule


def requested_game(judge: Judge, parsed: Create, language: str) -> CreateGame | RuleRefused:
    """Return the game that CREATE asks for, without a moderator, or what is wrong with a rule.

    Its players write in *language* unless it says otherwise. House rules that the judge does not
    have are left out: `rules_taken` names them.
    """
    name, names = parsed.game.lower(), judge.variants.names()
    for pair in parsed.pairs:
        key, sign, value = pair.partition("=")
        if sign and key.strip() in BOARD_KEYS and not variant_named(value, names):
            return RuleRefused("create", pair, "word", names)
    for word in options_unread(judge, parsed):  # `CREATE opal hundret`, but not a password
        if any(like >= BOARD_LIKE for like, _ in closest_matches(word.casefold(), names)):
            return RuleRefused("create", word, "word", names)
    (pairs, _), variant = rules_taken(parsed), variant_asked(judge, parsed)
    usual = {"language": language, **judge.boards(variant).house_rules}
    suggested = with_suggested(pairs, usual)
    asked = requested_rules("create", suggested, game=name)
    if isinstance(asked, RuleRefused):
        return asked
    rules, rulebook = asked
    return CreateGame(name, variant, rulebook, rules, board=judge.recorded_board(variant))


def rules_taken(parsed: Create) -> tuple[tuple[str, ...], tuple[RuleRefused, ...]]:
    """Return the house rules that CREATE names, and those that the judge does not have."""
    given = (each for each in parsed.pairs if "=" in each)
    pairs = tuple(each for each in given if each.partition("=")[0].strip() not in BOARD_KEYS)
    left_out: list[RuleRefused] = []
    while True:
        asked = requested_rules("", pairs, game=parsed.game)
        if not isinstance(asked, RuleRefused) or asked.pair not in pairs:
            return pairs, tuple(left_out)
        left_out.append(asked)
        pairs = tuple(each for each in pairs if each != asked.pair)


def variant_asked(judge: Judge, parsed: Create) -> str:
    """Return the variant that CREATE names, last by its key, else by a word; or the default."""
    names = judge.variants.names()
    words = [each for each in parsed.pairs if "=" not in each]
    keys = (each.partition("=") for each in reversed(parsed.pairs))
    named = [value for key, sign, value in keys if sign and key.strip() in BOARD_KEYS]
    boards = (variant_named(each, names) for each in (*named, *words[1:], *words[:1]))
    return next((each for each in boards if each), DEFAULT_VARIANT)


def options_unread(judge: Judge, parsed: Create) -> tuple[str, ...]:
    """Return the words behind the password that are neither rules nor the name of a variant."""
    words = [each for each in parsed.pairs if "=" not in each]
    if "?" in parsed.text or STANDARD in map(str.upper, words[1:]):
        words = words[1:]
    return tuple(each for each in words if not variant_named(each, judge.variants.names()))


def requested_rules(
    command: str,
    pairs: Sequence[str],
    *,
    game: str,
    rules: HouseRules | None = None,
    rulebook: Rulebook = DATC,
) -> tuple[HouseRules, Rulebook] | RuleRefused:
    """Return what *pairs* make of *rules* and *rulebook*, or the error for *command*.

    Without *rules*, *game* is the name of a new game.
    """
    try:
        asked, chosen = choose_rules(pairs, game=game, rules=rules, rulebook=rulebook)
    except UnknownHouseRuleError as error:
        return RuleRefused(command, error.pair, error.form.name.lower(), error.names)
    except ValueError:
        return rulebook_refused(command)
    if wrong := unsound_rules(asked):
        return RuleRefused(command, ", ".join(wrong), UNSOUND)
    return asked, chosen


def rulebook_refused(command: str) -> RuleRefused:
    """Return the refusal of the rulebook in *command*."""
    return RuleRefused(command, "rulebook", RULEBOOKS)


VARIANT_WORDS_MAX = 4  # `VARIANT France vs Austria`


def _read_variant(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    if len(arguments) > VARIANT_WORDS_MAX:
        return None
    return partial(ShowVariants, name=" ".join(arguments))


def show_variants(
    context: QuestionContext, _person: Person | None, _: Session | None, parsed: ShowVariants
) -> Sequence[Context]:
    """List the variants, or show the one that is named."""
    judge = context.judge
    name = variant_named(parsed.name, judge.variants.names()) if parsed.name else None
    if name:
        board = judge.boards(name)
        heading = Heading(judge.code, board=board)
        return (listings.VariantPage(heading=heading, board=board, position=board.start),)
    boards = [judge.boards(each) for each in judge.variants.names()]
    return (
        listings.VariantList(heading=Heading(judge.code), boards=tuple(boards), asked=parsed.name),
    )


COMMANDS = (
    moderator_row(
        SetRules,
        readers={
            "SET COMMENT": _read_comment,
            **dict.fromkeys(
                ("SET MOVE", "SET MOVES"), clock_reader("movement_hours", MOVEMENT_KEYS)
            ),
            **dict.fromkeys(("SET RETREAT", "SET RETREATS"), clock_reader("retreat_hours")),
            **dict.fromkeys(
                ("SET ADJUST", "SET ADJUSTS", "SET BUILD", "SET BUILDS"),
                clock_reader("adjustment_hours"),
            ),
            "SET RULE": _read_rules,
            "SET RULES": _read_rules,
        },
        settings={
            name: partial(SetRules, pairs=tuple(pairs.split()))
            for name, pairs in FOREIGN_SETTINGS.items()
        },
        patterns={SET_LINE: _read_numbered_setting},
        blocks=dict.fromkeys(COMMENT_OPENINGS, _read_comment_block),
        handle=_set_rules,
        aliases="comment",
        forms=(
            Form(
                "SET MOVE CLOCK 1410 MIN 12 NEXT 72 GRACE 96 DELAY .5 DAYS -MTWTF- | "
                "SET RETREAT NEXT 24 | SET ADJUST NEXT 24",
                "nJudge's way to set `movement_hours`, `retreat_hours`, `adjustment_hours` "
                "(NEXT) and, for all phases, `closing_time` (CLOCK, minutes after midnight, -1 "
                "for none), `early_not_before_hours` (MIN), `grace_hours` (GRACE, counted like "
                "NEXT and only with it), `early_wait_minutes` (DELAY), `closed_weekdays` (DAYS)",
                also="SET MOVE CLOCK 1410 MIN 0 NEXT 24",
            ),
            Form(
                "SET COMMENT Slow, for beginners",
                "sets the comment that LIST and RULES show; without text it removes it",
            ),
            Form(
                "SET COMMENT BEGIN ... Slow, ... for beginners ... END",
                "sets a comment of several lines",
            ),
            Form(
                "SET RULE press=none",
                "changes house rules; all players get the changes",
                also="SET NO PRESS | SET GREY | SET WHITE/GREY | SET PARTIAL MAY BE FAKED | "
                "SET NO FAKE | SET MINOR PRESS | SET TOUCH PRESS | SET MUST ORDER | "
                "SET OBSERVER WHITE | SET NO POSTAL PRESS | SET NO GRACE PRESS | SET NMR | "
                "SET NONMR | SET NOLIST | SET MANUAL PROCESS | SET MAX ABSENCE 10 | "
                "SET NOCONCESSIONS | SET NODIAS | SET CENTERS 18 | SET APPROVAL | "
                "SET REVEAL | SET NOREVEAL | SET MANUAL START | SET UNLISTED | SET LISTED",
            ),
        ),
    ),
    CommandRow(
        Create,
        readers={"CREATE": _read_create},
        secret_names=("CREATE",),
        scope=Scope.ENTRY,
        handle=_create,
        topic="create",
        aliases="settings, template",
        forms=(
            Form(
                "CREATE game | CREATE game press=none",
                "opens a game that you moderate, with house rules on the line or below it "
                "(`press = none`); three at once, then one every ten days; strangers must "
                "confirm",
                also="CREATE ?game",
            ),
        ),
    ),
    CommandRow(
        ShowVariants,
        readers={"VARIANT": _read_variant, "VARIANTS": _read_variant},
        suggested={"VARIANT": "VARIANT name"},
        not_with_set=("VARIANT", "VARIANTS"),
        in_subject=True,
        answer=show_variants,
        topic="variants",
        aliases="variant",
        forms=(
            Form(
                "LIST VARIANTS | VARIANT name",
                "lists the boards to play on, or shows one with its start and its map",
                also="VARIANTS",
            ),
        ),
    ),
)
