"""The table of commands: read a line as one of them, or suggest one for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from judge.mail.body import Line, Text
from judge.mail.headers import split_phrases
from judge.mail.language import command_syntax
from judge.mail.language.confirmations import Confirm, plain_answer
from judge.mail.language.foreign_commands import (
    SETTINGS_ADVICE,
    SHORT_MIN,
    foreign_command_advice,
    is_query,
    is_request,
)
from judge.mail.language.passwords import NamesBeforeSecrets, has_secrets, squashed
from judge.mail.language.phase_names import nearest_word
from judge.notation.terms import closest_matches
from judge.rules.board import Map

# Takes a line and those below it; returns the block and how many of those it takes.
BlockReader: TypeAlias = Callable[
    ["Line", Sequence["Line"]], tuple[command_syntax.ParsedLine, int] | None
]
PatternReader: TypeAlias = Callable[[re.Match[str]], command_syntax.LineMaker | None]

SPELLINGS_BETWEEN, LINES_BETWEEN = " | ", " ... "


@dataclass(frozen=True, slots=True)
class Form:
    """Ways to write a command and what it does: a row of docs/commands.md, an entry in HELP.

    ` | ` separates ways, ` ... ` the lines of one. *also* are ways of other judges.
    """

    ours: str
    does: str
    also: str = ""

    @property
    def shown(self) -> str:
        """Return the ways to write it that HELP shows."""
        return self.ours.replace(SPELLINGS_BETWEEN, ", ").replace(LINES_BETWEEN, "\n")


@dataclass(frozen=True, slots=True)
class Syntax:
    """The syntax of one kind of line.

    A name in *readers* that begins with SET is a command only with SET; those in *not_with_set*
    are commands only without. *settings* are whole lines behind SET. *bare* names take no
    arguments, *joined* maps two words to one name, *phrases* are whole lines, and *patterns* match
    whole lines that begin with no name. *blocks* are keyed by the line that opens them, in
    capitals. Typos are compared with the names in *suggested*, each with an example, possibly
    empty; a block opens even so.
    """

    parsed: type[command_syntax.ParsedLine]
    topic: str = ""  # of HELP
    aliases: str = ""  # more words for the topic, comma-separated; command names are known
    forms: tuple[Form, ...] = ()
    readers: Mapping[str, command_syntax.CommandReader] = field(default_factory=dict)
    bare: Mapping[str, command_syntax.LineMaker] = field(default_factory=dict)
    joined: Mapping[str, str] = field(default_factory=dict)
    phrases: Mapping[str, command_syntax.LineMaker] = field(default_factory=dict)
    patterns: Mapping[re.Pattern[str], PatternReader] = field(default_factory=dict)
    settings: Mapping[str, command_syntax.LineMaker] = field(default_factory=dict)
    blocks: Mapping[str, BlockReader] = field(default_factory=dict)
    suggested: Mapping[str, str] = field(default_factory=dict)
    not_with_set: tuple[str, ...] = ()
    never_in_prose: tuple[str, ...] = ()  # never begin a sentence: echoed back in any form
    secret_names: tuple[str, ...] = ()  # may precede a password in any form
    is_query: bool = False  # its arguments are a game or a phase, and never a sentence
    in_subject: bool = False  # also read in the subject of an email without a body
    in_sentences: bool = False  # also opens a sentence: `Join us`
    of_phase: bool = False  # may follow the name of a phase: `F1901M WAIT`
    takes_password: bool = False  # slow to check

    @property
    def names(self) -> tuple[str, ...]:
        """Return the words that name it, alone or before arguments."""
        return (*self.readers, *self.bare, *self.joined)

    @property
    def is_confirmed(self) -> bool:
        """Return whether it takes effect only after a confirmation."""
        return False

    @property
    def is_question(self) -> bool:
        """Return whether it is answered with pages of its own."""
        return False


QUOTE_MARKS = "> |"
COMMAND_MAX = 200  # Characters. The longest command is CLEAR with every unit of a power.
TOPIC = re.compile(r"[A-Za-z]{2,20}")
TOPIC_WORDS_MAX = 3
UNKNOWN_WORDS_MAX = 4  # A longer line is a sentence.
POLITE_WORDS = frozenset({"PLEASE", "BITTE", "SVP", "OK", "OKAY"})
# Names of blocks and of other judges' commands: they count only alone or in capitals.
OTHER_NAMES = frozenset(
    split_phrases("PHASE | REGISTER | WHOIS | GET | SEND | VERSION | PREDICT | PREVIEW | INFO")
)


def is_polite(word: str) -> bool:
    """Return whether *word* is like the last one in `MAP please!`."""
    return word.strip(",;:!.").upper() in POLITE_WORDS


# What people mean by a word alone that is not a name here.
FOREIGN_NAMES = {
    **dict.fromkeys(("WAIT", "WARTEN", "WARTE", "ATTENDRE", "ATTENDS"), "WAIT"),
    **dict.fromkeys(("READY", "FERTIG", "BEREIT"), "READY"),
    **dict.fromkeys(("HELP", "HILFE", "AIDE", "AYUDA"), "HELP"),
    "STATUS": "STATUS",
    "PASS": "WAIVE",
}
# Words before the topic of a question: HELP NEW TOKENS.
LEADING_WORDS = frozenset({"set", "add", "remove", "new", "no", "not", "use"})
SIMILARITY_MIN = 0.8  # of a misspelled topic: one letter in five
OTHER_SECRETS = frozenset(("SET GAME",))
PASSWORD_LINES_MAX = 5_000  # of an email, with those that it quotes


class CommandTable:
    """All commands, by their names."""

    def __init__(
        self,
        commands: Sequence[Syntax],
        *,
        help_line: command_syntax.LineMaker,
        other_topics: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Merge the names of *commands*; raises `ValueError` if two share one.

        HELP also covers *other_topics*, given with their aliases.
        """
        self.syntax = {each.parsed: each for each in commands}
        self._help_line = help_line
        self._readers = _merged([{"HELP": self._read_help}, *(each.readers for each in commands)])
        self._bare = _merged([each.bare for each in commands])
        self._joined = _merged([each.joined for each in commands])
        self._phrases = _merged([each.phrases for each in commands])
        self._suggested = _merged([each.suggested for each in commands])
        self._patterns = _merged([each.patterns for each in commands])
        self._blocks = _merged([each.blocks for each in commands])
        self._misspelled_blocks = tuple(each for each in self._blocks if each in self._suggested)
        self._settings = _merged(
            [{squashed(name): make for name, make in each.settings.items()} for each in commands]
        )
        self._spaced = {
            squashed(name): name
            for name in (*self._readers, *self._bare, *self._joined)
            if name not in NOT_APART
            and not any(name in each.names for each in commands if each.is_confirmed)
        }
        self._queries = {
            name: each.forms[-1].ours.rpartition(SPELLINGS_BETWEEN)[2]
            for each in commands
            if each.is_query
            for name in each.names
        }
        self._questions = {name for each in commands if each.is_question for name in each.names}
        self._not_with_set = {name for each in commands for name in each.not_with_set}
        self._never_in_prose = {name for each in commands for name in each.never_in_prose}
        self._secret_names = OTHER_SECRETS.union(*(each.secret_names for each in commands))
        self._before_secrets = NamesBeforeSecrets(
            *self._secret_names,
            *(name for name, meant in self._suggested.items() if meant in self._secret_names),
            *(name for each in commands if has_secrets(each.parsed) for name in each.names),
        )
        self._only_with_set = {
            name.removeprefix("SET ") for name in self._readers if name.startswith("SET ")
        }
        self._topics = {
            **{name.lower(): each.topic for each in commands for name in each.names if each.topic},
            **{alias: each.topic for each in commands for alias in each.aliases.split(", ")},
            **{alias: topic for topic, words in other_topics.items() for alias in words.split()},
            **{each.topic: each.topic for each in commands},
            **{topic: topic for topic in other_topics},
        }
        del self._topics[""]

    @property
    def names(self) -> frozenset[str]:
        """Return every word that names a command, or is suggested for a typo."""
        return frozenset((*self._readers, *self._bare, *self._suggested, *self._never_in_prose))

    def is_begun(self, text: str) -> bool:
        """Return whether *text* begins with two words of a command, or with one in capitals."""
        first, _, rest = text.strip().partition(" ")
        both = f"{first} {rest.strip().partition(' ')[0]}".upper()
        return both in self.names or (first.isupper() and first in self.names)

    def read(self, line: Line, board: Map, *, first: bool) -> command_syntax.ParsedLine | None:
        """Read *line*; YES and NO count only on the *first* line of an email.

        The text of the result has `***` for a password.
        """
        written = line.text.strip(" .")
        words = written.split()
        if not words or len(written) > COMMAND_MAX:
            return None
        answer = plain_answer(written) if first else None
        if answer is not None:
            return Confirm(answer, line=line.number, text=line.text)
        maker = self._maker(words, board) or self._unknown_command(words, board)
        if maker is None:
            return None
        parsed = maker(line=line.number, text=line.text)
        return replace(parsed, text=self._without_secret(parsed))

    def parts_of(self, line: Line, board: Map) -> tuple[command_syntax.ParsedLine, ...]:
        """Return the commands in *line*, which is none as a whole; empty if there are none.

        They are the settings that commas separate behind SET, of this judge or of another one, or
        a query and what is said of a last word that means nothing.
        """
        words = line.text.strip(" .").split()
        if len(words) > 1 and words[0].upper() in self._queries and is_query(words):
            query = self.read(replace(line, text=" ".join(words[:-1])), board, first=False)
            left_out = command_syntax.UnknownCommand(
                words[0], None, "left_out", line=line.number, text=line.text
            )
            return (query, left_out) if query and not _is_merely_like(query) else ()
        first, _, rest = line.text.strip().partition(" ")
        parts = [part.strip(" .") for part in SETTING_ENDS.split(rest)]
        if first.upper() != "SET" or len(parts) < 2:  # noqa: PLR2004 - there are several
            return ()
        lines = [replace(line.part(part), text=f"{first} {part}") for part in parts if part]
        read = [self.read(each, board, first=False) for each in lines]
        known = [each for each in read if each and not _is_merely_like(each)]
        return tuple(known) if len(known) == len(lines) else ()

    def may_have_secret(self, line: Line) -> bool:
        """Return whether *line* begins like a command with a password."""
        written = line.text.strip(" .")
        return len(written) <= COMMAND_MAX and self._before_secrets.may_begin(written)

    def without_secrets(self, line: Line, board: Map) -> str:
        """Return the text of *line* to show, with `***` for a password."""
        if not self.may_have_secret(line):
            return line.text
        parsed = self.read(line, board, first=False)
        return parsed.text if parsed else line.text

    def all_without_secrets(self, lines: tuple[Line, ...], board: Map) -> tuple[str, ...]:
        """Return the texts of *lines* without passwords."""
        return tuple(self.without_secrets(line, board) for line in lines)

    def passwords_in(self, text: Text, board: Map) -> tuple[str, ...]:
        """Return the words of *text* that are, or may be, passwords."""
        quoted = (Line(0, line.lstrip(QUOTE_MARKS)) for line in text.quoted)
        found: dict[str, None] = {}
        for line in islice(chain(text.fresh, quoted), PASSWORD_LINES_MAX):
            shown = self.without_secrets(line, board)
            if shown != line.text:
                pairs = zip(line.text.split(), shown.split(), strict=True)
                found |= {
                    word.rstrip("."): None for word, new in pairs if new == command_syntax.STARS
                }
        return tuple(found)

    def block(
        self, line: Line, below: Sequence[Line]
    ) -> tuple[command_syntax.ParsedLine, int] | None:
        """Return the block that *line* opens, and how many of the lines *below* it takes.

        Its text may begin on the line that opens it: `DIARY: Italy is honest.`
        """
        first, _, rest = line.text.strip(" .:").partition(" ")
        name = first.rstrip(":").upper()
        name = nearest_word(name, self._misspelled_blocks) or name
        if read := self._blocks.get(f"{name} {rest}".strip().upper()):
            return read(line, below)
        read = self._blocks.get(name)
        verb = rest.split()[0].upper() if rest.strip() else ""
        if not read or verb in BLOCK_VERBS or not (first.isupper() or first.endswith(":")):
            return None
        block = read(line, (line.part(rest.strip()), *below))
        return (block[0], max(block[1] - 1, 0)) if block else None

    def topic(self, asked: str) -> str | None:
        """Return the HELP topic *asked* for, by the whole of it or one of its words."""
        words = asked.lower().split()
        ends = (words[-1], words[0]) if words[0] in LEADING_WORDS else (words[0], words[-1])
        for each in (" ".join(words), *ends):
            if each in self._topics:
                return self._topics[each]
        for syntax in self.syntax.values():
            if _read_whole(words, syntax.patterns):
                return syntax.topic
        near = closest_matches(" ".join(words), frozenset(self._topics.values()))
        return near[0][1] if near and near[0][0] >= SIMILARITY_MIN else None

    def forms_on(self, topic: str | None) -> Mapping[str, str]:
        """Return the forms of each command of HELP's *topic*, with what they do."""
        return {
            form.shown: form.does
            for each in self.syntax.values()
            if each.topic == topic
            for form in each.forms
        }

    def of(self, parsed: command_syntax.ParsedLine) -> Syntax:
        """Return the syntax of *parsed*; raises `KeyError` if it is not in the table."""
        return self.syntax[type(parsed)]

    def _maker(self, words: list[str], board: Map) -> command_syntax.LineMaker | None:
        if len(words) == 2 and is_polite(words[1]):  # noqa: PLR2004 - `Wait, please`
            words = [words[0].rstrip(",")]
        upper = (word.strip(",;:!.").upper() for word in words)
        phrase = " ".join(word for word in upper if word and word not in POLITE_WORDS)
        if phrase in self._phrases:
            return self._phrases[phrase]
        if setting := self._setting(words):
            return setting
        for name, arguments in (self._name(words), self._loose_name(words)):
            if name in self._questions and arguments[-1:] and is_polite(arguments[-1]):
                del arguments[-1]
            if name in self._bare and not arguments:
                return self._bare[name]
            if name in self._readers:
                return self._readers[name](arguments, board)
        if found := _read_whole(words, self._patterns) or self._short_setting(words, board):
            return found
        denied = words[1:2] and " ".join(words[:2]).upper() == "SET NOT"
        return self._maker([words[0], "NO", *words[2:]], board) if denied else None

    def _setting(self, words: list[str]) -> command_syntax.LineMaker | None:
        """Read a line behind SET; spaces within it and PRESS at its end are optional."""
        asked = _behind_set(words)
        ways = (asked, f"{asked}{PRESS}", asked.removesuffix(PRESS)) if asked else ()
        return next((self._settings[each] for each in ways if each in self._settings), None)

    def _short_setting(self, words: list[str], board: Map) -> command_syntax.LineMaker | None:
        """Read a line behind SET that only one setting begins with.

        Commands come before the settings of a moderator, which need more letters.
        """
        asked = _behind_set(words)
        if not asked:
            return None
        own = self._alone_behind_set(board)
        for settings, letters in ((own, 1), ({**own, **self._settings}, SHORT_MIN)):
            makers = {str(make): make for name, make in settings.items() if name.startswith(asked)}
            if len(asked) >= letters and len(makers) == 1:
                return next(iter(makers.values()))
        return None

    def _settings_like(self, words: list[str], board: Map) -> tuple[str, ...]:
        """Return the settings that a short word behind SET may mean."""
        asked = _behind_set(words)
        if not asked:
            return ()
        every = {**self._alone_behind_set(board), **self._settings}
        like = {str(make): name for name, make in every.items() if name.startswith(asked)}
        return tuple(f"SET {name}" for name in like.values())[:LIKE_MAX]

    def _alone_behind_set(self, board: Map) -> dict[str, command_syntax.LineMaker]:
        """Return the commands that are a whole line behind SET, by what follows it."""
        found: dict[str, command_syntax.LineMaker] = {}
        for name in self._suggested:
            plain = name.removeprefix("SET ")
            bare = self._bare.get(plain)
            read = self._readers.get(name) or self._readers.get(plain)
            make = bare or (read([], board) if read else None)
            if make and name.startswith("SET "):
                found[squashed(plain)] = make
        return found

    def _loose_name(self, words: list[str]) -> tuple[str, list[str]]:
        """Return the name of a command whose words are joined, parted or shortened."""
        start = 1 if words[0].upper() == "SET" and len(words) > 1 else 0
        for count in range(min(NAME_WORDS_MAX, len(words) - start), 0, -1):
            joined = squashed(" ".join(words[start : start + count]))
            rest = words[start + count :]
            behind = joined.removeprefix("SET") if not start else joined
            if name := self._name_behind_set(behind) if start or behind != joined else "":
                return name, rest
            if not start and joined in self._spaced:
                return self._spaced[joined], rest
        joined = words[0].upper()
        longer = {each for each in self._questions if each.startswith(joined)}
        short = len(longer) == 1 and len(joined) > SHORT_MIN and joined not in NOT_SHORT
        return (longer.pop() if short else ""), words[1:]

    def _name_behind_set(self, joined: str) -> str:
        name = self._spaced.get(f"SET{joined}") or self._spaced.get(joined, "")
        if name in self._joined:
            name = self._joined[name]
            name = f"SET {name}" if name in self._only_with_set else name
        return "" if name in self._not_with_set else name

    def _name(self, words: list[str]) -> tuple[str, list[str]]:
        start = 1 if words[0].upper() == "SET" and len(words) > 1 else 0
        name = words[start].upper()
        pair = " ".join(words[start : start + 2]).upper()
        if pair in self._joined:
            joined = self._joined[pair]
            name = f"SET {joined}" if joined in self._only_with_set else joined
            return name, words[start + 2 :]
        with_set = start and name in self._only_with_set | self._not_with_set
        return f"SET {name}" if with_set else name, words[start + 1 :]

    def _read_help(self, arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
        """Read `HELP`, `HELP PRESS`, `HELP SET DEADLINE`, `HELP 1 YES`."""
        if not arguments:
            return partial(self._help_line, topic=None)
        topic = " ".join(arguments).lower()
        named = TOPIC.fullmatch(topic) and topic.upper() not in command_syntax.NOT_TOPICS
        begins = named or self._begins_command(arguments)
        return partial(self._help_line, topic=topic) if begins else None

    def _begins_command(self, words: list[str]) -> bool:
        if not 1 < len(words) <= TOPIC_WORDS_MAX:
            return False
        name, _ = self._name(words)
        shouted = all(word.isupper() for word in words)
        known = name in self._bare or name in self._readers
        return known or shouted or _read_whole(words, self._patterns) is not None

    def _unknown_command(self, words: list[str], board: Map) -> command_syntax.LineMaker | None:
        """Distinguish a mistyped command from a sentence, by first word and length."""
        if len(words) == 1 and (meant := FOREIGN_NAMES.get(words[0].upper().rstrip("!"))):
            return partial(command_syntax.UnknownCommand, word=words[0], nearest=meant)
        name, _ = self._name(words)
        setting = words[0].upper() == "SET"
        start = " ".join(words[:2]).upper() if setting else name
        advice = foreign_command_advice(words)
        if plainly := self._plainly_meant(words, name, advice, board):
            return partial(plainly, word=start)
        advice = None if advice == SETTINGS_ADVICE else advice
        shouted = len(words) == 1 or words[0].isupper()
        loud = " ".join(words[:2]).isupper() or words[0] == "COMMENT"
        if len(words) > UNKNOWN_WORDS_MAX and not (advice and loud):
            return None
        taught = name in OTHER_NAMES or name in self._readers
        known_elsewhere = advice or (taught and start not in self._suggested)
        nearest = None if known_elsewhere else nearest_word(start, tuple(self._suggested))
        if nearest and command_syntax.is_place(name, board):
            nearest = None
        if nearest == start:
            nearest = self._suggested[start]
        nearest = nearest or (None if advice else self._example(name))
        no_prose = setting or {name, nearest} & self._never_in_prose
        if not (no_prose or (shouted and (nearest or known_elsewhere or taught))):
            return None
        elsewhere = SETTINGS_ADVICE if setting and not nearest else None
        return partial(
            command_syntax.UnknownCommand, word=start, nearest=nearest, advice=advice or elsewhere
        )

    def _example(self, name: str) -> str | None:
        """Return a way to write the command called *name*, which needs arguments."""
        forms = (each.forms for each in self.syntax.values() if name in each.readers)
        ours = next((each[0].ours for each in forms if each), "")
        return ours.partition(SPELLINGS_BETWEEN)[0].partition(LINES_BETWEEN)[0] or None

    def _plainly_meant(
        self, words: list[str], name: str, advice: str | None, board: Map
    ) -> command_syntax.LineMaker | None:
        """Return the command of another judge, or half of ours, that *words* can only be."""
        unknown = partial(command_syntax.UnknownCommand, nearest=None)
        if name in self._queries and is_query(words):
            return partial(unknown, nearest=self._queries[name])
        if advice and is_request(words):
            return partial(unknown, advice=advice)
        like = self._settings_like(words, board) if advice == SETTINGS_ADVICE else ()
        return partial(unknown, nearest=" or ".join(like)) if like else None

    def _without_secret(self, parsed: command_syntax.ParsedLine) -> str:
        if (
            isinstance(parsed, command_syntax.UnknownCommand)
            and {parsed.word, parsed.nearest} & self._secret_names
        ):
            return command_syntax.starred_after(parsed.text, 2)
        return parsed.without_secret()


def _is_merely_like(parsed: command_syntax.ParsedLine) -> bool:
    no_advice = (None, SETTINGS_ADVICE)
    return isinstance(parsed, command_syntax.UnknownCommand) and parsed.advice in no_advice


def _read_whole(
    words: list[str], patterns: Mapping[re.Pattern[str], PatternReader]
) -> command_syntax.LineMaker | None:
    line = " ".join(words)
    found = ((pattern.fullmatch(line), read) for pattern, read in patterns.items())
    return next((maker for match, read in found if match and (maker := read(match))), None)


K = TypeVar("K")
T = TypeVar("T")


def _merged(tables: Sequence[Mapping[K, T]]) -> Mapping[K, T]:
    merged: dict[K, T] = {}
    for table in tables:
        if twice := merged.keys() & table.keys():
            raise ValueError(f"two commands are called {', '.join(sorted(map(str, twice)))}")
        merged |= table
    return merged


# What is done with blocks that are kept, instead of opening one.
BLOCK_VERBS = frozenset(("LIST", "READ", "DELETE", "SHOW", "HIDE"))
LIKE_MAX = 3  # settings of which one may be meant
NAME_WORDS_MAX = 4  # of a name that is written apart
PRESS = "PRESS"
SETTING_ENDS = re.compile(r"[,;]")
NOT_APART = frozenset({"STANDBY"})  # `Stand by Germany` is a sentence
NOT_SHORT = frozenset({"RULE"})  # `Rule Britannia`


def _behind_set(words: list[str]) -> str:
    """Return what follows SET, squashed; empty if there is none."""
    joined = squashed(" ".join(words)).rstrip(".,;:")
    glued = words[0].upper() != "SET" and (
        len(words) > 1 or not words[0].upper().startswith("SET")
    )
    return "" if glued or not joined.startswith("SET") else joined.removeprefix("SET")
