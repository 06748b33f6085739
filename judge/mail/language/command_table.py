"""The table of commands: read a line as one of them, or suggest one for it.

The advice on commands of other judges is in `templates/mail/words/elsewhere.txt.j2`, by the names
given here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from judge.mail.body import Line, Text
from judge.mail.headers import split_phrases
from judge.mail.language import command_syntax
from judge.mail.language.confirmations import Confirm, plain_answer
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
    are commands only without. *bare* names take no arguments, *joined* maps two words to one name,
    *phrases* are whole lines, and *patterns* match whole lines that begin with no name. *blocks*
    are keyed by the line that opens them, in capitals. Typos are compared with the names in
    *suggested*, each with an example, possibly empty.
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
    blocks: Mapping[str, BlockReader] = field(default_factory=dict)
    suggested: Mapping[str, str] = field(default_factory=dict)
    not_with_set: tuple[str, ...] = ()
    never_in_prose: tuple[str, ...] = ()  # never begin a sentence: echoed back in any form
    secret_names: tuple[str, ...] = ()  # may precede a password in any form
    in_subject: bool = False  # also read in the subject of an email without a body
    in_sentences: bool = False  # also opens a sentence: `Join us`
    of_phase: bool = False  # may follow the name of a phase: `F1901M WAIT`
    takes_password: bool = False  # slow to check

    @property
    def names(self) -> tuple[str, ...]:
        """Return the words that name it, alone or before arguments."""
        return (*self.readers, *self.bare, *self.joined)

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
        self._not_with_set = {name for each in commands for name in each.not_with_set}
        self._never_in_prose = {name for each in commands for name in each.never_in_prose}
        self._secret_names = OTHER_SECRETS.union(*(each.secret_names for each in commands))
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

    def without_secrets(self, line: Line, board: Map) -> str:
        """Return the text of *line* to show, with `***` for a password."""
        parsed = self.read(line, board, first=False)
        return parsed.text if parsed else line.text

    def all_without_secrets(self, lines: tuple[Line, ...], board: Map) -> tuple[str, ...]:
        """Return the texts of *lines* without passwords."""
        return tuple(self.without_secrets(line, board) for line in lines)

    def passwords_in(self, text: Text, board: Map) -> tuple[str, ...]:
        """Return the words of *text* that are, or may be, passwords."""
        quoted = (Line(0, line.lstrip(QUOTE_MARKS)) for line in text.quoted)
        found: dict[str, None] = {}
        for line in (*text.fresh, *quoted):
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
        written = line.text.strip(" .:")
        if read := self._blocks.get(written.upper()):
            return read(line, below)
        first, _, rest = written.partition(" ")
        read = self._blocks.get(first.rstrip(":").upper())
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
        upper = (word.strip(",;:!.").upper() for word in words)
        phrase = " ".join(word for word in upper if word and word not in POLITE_WORDS)
        if phrase in self._phrases:
            return self._phrases[phrase]
        name, arguments = self._name(words)
        if name in self._bare and not arguments:
            return self._bare[name]
        if name in self._readers:
            return self._readers[name](arguments, board)
        return _read_whole(words, self._patterns)

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
        shouted = len(words) == 1 or words[0].isupper()
        loud = " ".join(words[:2]).isupper() or words[0] in COMMANDS_IN_CAPITALS
        if len(words) > UNKNOWN_WORDS_MAX and not (advice and loud):
            return None
        taught = name in OTHER_NAMES or name in self._readers
        known_elsewhere = advice or (taught and start not in self._suggested)
        nearest = None if known_elsewhere else nearest_word(start, tuple(self._suggested))
        if nearest and command_syntax.is_place(name, board):
            nearest = None
        if nearest == start:
            nearest = self._suggested[start] or None
        no_prose = setting or {name, nearest} & self._never_in_prose
        if not (no_prose or (shouted and (nearest or known_elsewhere or taught))):
            return None
        elsewhere = SETTINGS_ADVICE if setting and not nearest else None
        return partial(
            command_syntax.UnknownCommand, word=start, nearest=nearest, advice=advice or elsewhere
        )

    def _without_secret(self, parsed: command_syntax.ParsedLine) -> str:
        if (
            isinstance(parsed, command_syntax.UnknownCommand)
            and {parsed.word, parsed.nearest} & self._secret_names
        ):
            return command_syntax.starred_after(parsed.text, 2)
        return parsed.without_secret()


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


ADVISED_WORDS_MAX = 3  # of the longest beginning below

_BY_ADVICE = {
    "register": "REGISTER | I AM ALSO",
    "whois": "WHOIS | WHO | INFO PLAYER | INFO",
    "files": "GET | SEND | INDEX | VERSION",
    "create": "CREATE | FORM | ACTIVATE | RENAME | PURGE",
    "observe": "OBSERVE | WATCH | MONITOR",
    "takeover": "TAKEOVER",
    "diary": "DIARY",
    "absence": "SET ABSENCE | SET NOABSENCE | ABSENCE | ABSENT | SET HOLIDAY | SET VACATION",
    "broadcasts": "SET BROADCAST | SET NOBROADCAST",
    "pause": "PAUSE | RESUME | SET RESUME | SET NORESUME",
    "master": """
        BECOME | EJECT | PROMOTE | PROCESS | PROCESS! | ROLLBACK
        FORCE BEGIN | TERMINATE | DUMMY | REVIVE | SET DEADLINE | SET GRACE
    """,
    "reveal": "REVEAL",
    "official": "OFFICIAL",
    "start": "SET START",
    "comment": "SET COMMENT | COMMENT",
    "undummy": "UNDUMMY | NODUMMY | NO DUMMY | NOT DUMMY | SET NODUMMY",
    "unterminate": "UNTERMINATE | SET UNTERMINATE | REOPEN",
    "shown": "SHOW | HIDE",
    "clocks": "SET MOVE | SET RETREAT | SET ADJUST",
    "late": "SET STRICT | SET NOSTRICT | SET LATE | SET NOLATE",
    "told": """
        SET QUIET | SET NOQUIET | SET SECRET | SET NOSECRET | SET SHOW | SET NOSHOW
    """,
    "fakes": "SET PARTIAL FAKES",
    "shared": "SET ALLIED | SET NOALLIED",
    "moderated": """
        SET MODERATED | SET UNMODERATED | BECOME MASTER | ADD MODERATOR | SECOND MODERATOR
        MODERATOR | MODERATORS | ADD MASTER | SET MODERATOR | SET MASTER
    """,
    "votes": "VOTE | PROPOSE",
    "draw_list": "SET DRAW | DRAW",
    "rules": """
        SET NMR | SET NONMR | SET CD | SET NOCD
        SET AUTO | SET MANUAL | SET MAX | SET WHITE | SET GREY
        SET WHITE/GREY | SET GREY/WHITE | SET NONE | SET NO | SET PARTIAL | SET NOPARTIAL
        SET MINOR | SET MUST | SET TOUCH | SET POSTAL | SET BLANK | SET OBSERVER
        SET WATCH | SET NOWATCH
        SET ALL | SET NORMAL | SET LIST | SET NOLIST | SET PUBLIC | SET PRIVATE | SET UNLIST
        SET LISTED | SET UNLISTED | SET REVEAL | SET NOREVEAL | SET DIAS | SET NODIAS
        SET CONCESSIONS | SET NOCONCESSIONS | SET CENTERS
    """,
    "entry": """
        SET ACCESS | SET LEVEL | SET DEDICATION | SET ONTIMERAT | SET RESRAT | SET APPROVAL
        SET NOAPPROVAL | SET APPROVE | SET APPROVED | SET ALLOW | SET DENY | GET DEDICATION
    """,
    "ratings": "SET RATED | SET UNRATED | ADJUST USER | RECORD USER | FIXID | NOCONTROL",
    "variants": """
        SET VARIANT | NOT VARIANT | SET PLAYERS | SET POWERS | SET EMPTY | SET HOME | SET ANY
        SET ONE | SET DISBAND | SET NODISBAND | SET COASTAL | SET NOCOASTAL | SET PORTAGE
        SET NOPORTAGE | SET PROXY | SET NOPROXY | SET TRANSFORM | SET NOTRANSFORM | SET ATTACK
        SET SUMMER | SET DUALITY | SET GATEWAYS | SET RAILWAYS | SET HONG | SET BCENTERS
        SET NOBCENTERS | SET PRFBOTH | SET PRFLIST | SET PRFRAND | SET ADJACENCY | SET ASSASSINS
        SET BANKERS | SET LOANS | SET DICE | SET FAMINE | SET FORTRESS | SET GARRISONS | SET MACH2
        SET MONEY | SET PLAGUE | SET SPECIAL | SET STORM
    """,
    "numbers": "SET BN | SET MN | SET EP",
}
# What is done with blocks that are kept, instead of opening one.
BLOCK_VERBS = frozenset(("LIST", "READ", "DELETE", "SHOW", "HIDE"))
SETTINGS_ADVICE = "settings"  # after an unknown name with SET
# In capitals it is a command, however long the line.
COMMANDS_IN_CAPITALS = frozenset({"COMMENT"})
ADVICE = MappingProxyType(
    {
        beginning: advice
        for advice, table in _BY_ADVICE.items()
        for beginning in split_phrases(table)
    }
)


def foreign_command_advice(words: list[str]) -> str | None:
    """Return the advice on the longest beginning of *words* that is a command of another judge."""
    upper = [word.upper().strip("?") for word in words[:ADVISED_WORDS_MAX]]
    beginnings = (" ".join(upper[:length]) for length in range(len(upper), 0, -1))
    return next((ADVICE[each] for each in beginnings if each in ADVICE), None)
