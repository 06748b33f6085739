"""Read a line as a command: the table of all commands, and advice on unknown ones.

A *text* is the line as written, but with `***` for a password; no `repr` shows it.

The advice stands in `templates/mail/words/elsewhere.txt.j2`, by the names given here.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, cast

from judge.mail.language.admission_commands import (
    ADMISSION_READERS,
    AdmissionCommand,
    SetGamePassword,
)
from judge.mail.language.command_syntax import (
    NOT_TOPICS,
    STARS,
    CommandReader,
    LineFailed,
    LineMaker,
    NamedGame,
    OrderText,
    PhaseLine,
    TooMuch,
    UnknownCommand,
)
from judge.mail.language.confirmations import Confirm, plain_answer
from judge.mail.language.diary_commands import DIARY_READERS, DiaryLine
from judge.mail.language.join_commands import (
    JOIN_READERS,
    Join,
    Observe,
    Resign,
    SetPreference,
    SignOff,
    SignOn,
    StandBy,
)
from judge.mail.language.moderator_commands import (
    MODERATOR_READERS,
    Become,
    ModeratorCommand,
    read_decision,
)
from judge.mail.language.order_commands import (
    ORDER_READERS,
    Clear,
    Preview,
    SetReady,
    SetWait,
    UseThese,
    _is_place,
)
from judge.mail.language.phase_names import nearest_word
from judge.mail.language.press_commands import Press, UnopenedPress
from judge.mail.language.profile_commands import (
    PROFILE_READERS,
    ChangeAddress,
    NewTokens,
    SetHandle,
    SetLanguage,
    SetMails,
    SetPassword,
    SetZone,
)
from judge.mail.language.query_commands import (
    QUERY_READERS,
    Help,
    History,
    ListGames,
    ShowMap,
    Status,
    Summary,
    WhoGame,
    WhyOrder,
)
from judge.mail.language.rule_commands import RULE_READERS, Create, ShowRules, foreign_setting
from judge.mail.language.vote_commands import VOTE_READERS, Concede, SetDraw, TableRequest
from judge.mail.plain_text import split_phrases
from judge.rules.board import Map

if TYPE_CHECKING:
    from judge.mail.body import Line

AdmissionLine: TypeAlias = AdmissionCommand | StandBy


TableLine: TypeAlias = ModeratorCommand | TableRequest | Become | Create | Observe | ShowRules


Parsed: TypeAlias = (
    SignOn
    | NamedGame
    | SignOff
    | Join
    | SetPreference
    | Help
    | ListGames
    | Status
    | History
    | Summary
    | WhoGame
    | ShowMap
    | WhyOrder
    | Preview
    | SetZone
    | SetHandle
    | SetLanguage
    | SetWait
    | SetReady
    | SetDraw
    | Concede
    | SetPassword
    | ChangeAddress
    | NewTokens
    | SetMails
    | Resign
    | Clear
    | Press
    | UnopenedPress
    | Confirm
    | UseThese
    | UnknownCommand
    | OrderText
    | LineFailed
    | TooMuch
    | TableLine
    | AdmissionLine
    | DiaryLine
    | PhaseLine
)


COMMAND_MAX = 200  # Characters. The longest command is CLEAR with every unit of a power.
TOPIC = re.compile(r"[A-Za-z]{2,20}")
TOPIC_WORDS_MAX = 3


BARE_COMMANDS: MappingProxyType[str, LineMaker] = MappingProxyType(
    {
        "SIGNOFF": SignOff,
        "WAIT": partial(SetWait, wait=True),
        "NOWAIT": partial(SetWait, wait=False),
        "READY": partial(SetReady, ready=True),
        **dict.fromkeys(("NOREADY", "NOTREADY", "UNREADY"), partial(SetReady, ready=False)),
        "DRAW": partial(SetDraw, draw=True),
        "NODRAW": partial(SetDraw, draw=False),
        "NOCONCEDE": partial(Concede, to=None),
        "NOCONC": partial(Concede, to=None),
        "NOZONE": partial(SetZone, zone=None),
        "CLEAR": partial(Clear, words=()),
        "NEWTOKENS": NewTokens,
    }
)


UNKNOWN_WORDS_MAX = 4  # A longer line is a sentence.


def read_command(line: Line, board: Map, *, first: bool) -> Parsed | None:
    """Read *line*; YES and NO answer only as the *first* line of a mail."""
    written = line.text.strip(" .")
    words = written.split()
    if not words or len(written) > COMMAND_MAX:
        return None
    answer = plain_answer(written) if first else None
    if answer is not None:
        return Confirm(answer, line=line.number, text=line.text)
    maker = _line_maker(words, board) or _unknown_command(words, board)
    if maker is None:
        return None
    made = maker(line=line.number, text=line.text)
    return _without_secret(with_lower_case_names(cast("Parsed", made)))


def without_secrets(line: Line, board: Map) -> str:
    """Return the text of *line* as it may be shown, with `***` for what a command keeps secret."""
    said = read_command(line, board, first=False)
    return said.text if said else line.text


def _line_maker(words: list[str], board: Map) -> LineMaker | None:
    if (wished := _orders_taken_back(words)) is not None:
        return wished
    name, arguments = _command_name(words)
    if words[0].upper() == "SET" and name in NEVER_WITH_SET:
        return None
    if name in BARE_COMMANDS and not arguments:
        return BARE_COMMANDS[name]
    if name in COMMAND_READERS:
        return COMMAND_READERS[name](arguments, board)
    return foreign_setting(words) or read_decision(words)


def _orders_taken_back(words: list[str]) -> LineMaker | None:
    """Read `Please cancel my orders`, and `back to my first orders`, which only gets advice."""
    upper = (word.strip(",;:!.").upper() for word in words)
    said = " ".join(word for word in upper if word and word not in POLITE_WORDS)
    if said in TAKE_BACK:
        return partial(Clear, words=())
    return (
        partial(UnknownCommand, word=said, nearest=None, advice="undo")
        if said in BACK_TO_EARLIER
        else None
    )


def _command_name(words: list[str]) -> tuple[str, list[str]]:
    """Return the name of a command, in one word and without SET, and what follows it."""
    start = 1 if words[0].upper() == "SET" and len(words) > 1 else 0
    name = words[start].upper()
    pair = " ".join(words[start : start + 2]).upper()
    if pair in NAMES_OF_TWO_WORDS:
        joined = NAMES_OF_TWO_WORDS[pair]
        return f"SET {joined}" if joined in ONLY_WITH_SET else joined, words[start + 2 :]
    return (
        f"SET {name}" if start and name in ONLY_WITH_SET | DIFFERENT_WITH_SET else name
    ), words[start + 1 :]


def _help(arguments: list[str], _: Map) -> LineMaker | None:
    """Read `HELP`, `HELP PRESS`, `HELP SET DEADLINE`, `HELP 1 YES`."""
    if not arguments:
        return partial(Help, topic=None)
    topic = " ".join(arguments).lower()
    named = TOPIC.fullmatch(topic) and topic.upper() not in NOT_TOPICS
    return partial(Help, topic=topic) if named or _begins_command(arguments) else None


def _begins_command(words: list[str]) -> bool:
    """Tell whether *words* are no more than the words of one command."""
    if not 1 < len(words) <= TOPIC_WORDS_MAX:
        return False
    name, _ = _command_name(words)
    known = name in BARE_COMMANDS or name in COMMAND_READERS
    shouted = all(word.isupper() for word in words)
    return known or shouted or bool(foreign_setting(words) or read_decision(words))


COMMAND_READERS: MappingProxyType[str, CommandReader] = MappingProxyType(
    {
        "HELP": _help,
        **JOIN_READERS,
        **PROFILE_READERS,
        **QUERY_READERS,
        **ORDER_READERS,
        **VOTE_READERS,
        **DIARY_READERS,
        **RULE_READERS,
        **MODERATOR_READERS,
        **ADMISSION_READERS,
    }
)


def _unknown_command(words: list[str], board: Map) -> LineMaker | None:
    """Tell a line that was meant as a command from a sentence, by its first word and length."""
    if len(words) == 1 and (meant := FOREIGN_NAMES.get(words[0].upper().rstrip("!"))):
        return partial(UnknownCommand, word=words[0], nearest=meant)
    name, _ = _command_name(words)
    setting = words[0].upper() == "SET"
    start = " ".join(words[:2]).upper() if setting else name
    advice = foreign_command_advice(words)
    shouted = len(words) == 1 or words[0].isupper()
    loud = " ".join(words[:2]).isupper() or words[0] in COMMANDS_IN_CAPITALS
    if len(words) > UNKNOWN_WORDS_MAX and not (advice and loud):
        return None
    taught = name in NAMES_USED_IN_PROSE or name in COMMAND_READERS
    known_elsewhere = advice or (taught and start not in SUGGESTED_NAMES)
    nearest = (
        None if known_elsewhere or _is_place(name, board) else nearest_word(start, SUGGESTED_NAMES)
    )
    if nearest == start:
        nearest = EXAMPLES.get(start)
    no_prose = setting or {name, nearest} & NAMES_NEVER_IN_PROSE
    if not (no_prose or (shouted and (nearest or known_elsewhere or taught))):
        return None
    elsewhere = SETTINGS_ADVICE if setting and not nearest else None
    return partial(UnknownCommand, word=start, nearest=nearest, advice=advice or elsewhere)


def _without_secret(said: Parsed) -> Parsed:
    """Put `***` in the text of *said* for a password, and for whatever may be one."""
    words = said.text.split()
    match said:
        case Join(password=password, key=key) if password or key:
            shown = [STARS if word.strip(".") in (password, key) else word for word in words]
        case StandBy(key=str(key)):
            shown = [STARS if word.strip(".") == key else word for word in words]
        case SignOn() | SetPassword() | Observe():
            shown = words[:2] + [STARS for _ in words[2:]]
        case SetGamePassword(word=secret):
            shown = [STARS if word.strip(".") == secret else word for word in words]
        case UnknownCommand(word=name, nearest=nearest) if {name, nearest} & WITH_SECRETS:
            shown = words[:2] + [STARS for _ in words[2:]]
        case _:
            return said
    return replace(said, text=" ".join(shown))


def with_lower_case_names(said: Parsed) -> Parsed:
    """Return *said* with the names of games as games have them, whatever case people write."""
    match said:
        case (
            SignOn(game=game)
            | Join(game=game)
            | Status(game=game)
            | History(game=game)
            | Summary(game=game)
            | WhoGame(game=game)
            | Resign(game=game)
            | StandBy(game=game)
            | Observe(game=game)
            | ShowRules(game=game)
            | Create(game=game)
        ) if game:
            return replace(said, game=game.lower())
        case ListGames(games=games) if games:
            return replace(said, games=tuple(game.lower() for game in games))
        case _:
            return said


# Two words that judges take as one.
NAMES_OF_TWO_WORDS = {
    "SIGN ON": "SIGNON",
    "SIGN OFF": "SIGNOFF",
    "NOT READY": "NOREADY",
    "NO READY": "NOREADY",
    "NO WAIT": "NOWAIT",
    "NO DRAW": "NODRAW",
    "NO CONCEDE": "NOCONCEDE",
    "NO CONC": "NOCONCEDE",
    "ADD ADDRESS": "ADDADDRESS",
    "REMOVE ADDRESS": "REMOVEADDRESS",
    "NEW TOKENS": "NEWTOKENS",
    "NEW TOKEN": "NEWTOKENS",
    "NOT ABSENT": "NOTABSENT",
    "NO ABSENCE": "NOTABSENT",
    "NO HOLIDAY": "NOTABSENT",
    "NO VACATION": "NOTABSENT",
    "ASK EXTENSION": "EXTENSION",
    "MORE TIME": "EXTENSION",
    "END PRESS": "ENDPRESS",
    "END PREVIEW": "ENDPREVIEW",
    "END BROADCAST": "ENDBROADCAST",
    "NO ZONE": "NOZONE",
    "WHO GAME": "WHOGAME",
    "NO STANDBY": "NOSTANDBY",
    "NOT STANDBY": "NOSTANDBY",
    "GAME PASSWORD": "GAMEPASSWORD",
    "ALLOW PLAYER": "ALLOWPLAYER",
    "DENY PLAYER": "DENYPLAYER",
}

# They begin no sentence: a line with one that is not in its form is shown back.
NAMES_NEVER_IN_PROSE = frozenset(
    split_phrases("""
        SIGNON | SIGNOFF | ENDPRESS | ENDBROADCAST | ENDPREVIEW | NOWAIT | NODRAW | NOCONCEDE
        STANDBY | NOSTANDBY | GAMEPASSWORD
    """)
)
# They begin sentences too, and must stand alone or in capitals to be shown back.
NAMES_USED_IN_PROSE = frozenset(
    split_phrases("""
        HELP | JOIN | LIST | STATUS | WAIT | READY | DRAW | CONCEDE | CLEAR | RESIGN | PHASE
        PREFERENCE | PROCESS | CREATE | OBSERVE | WATCH | MONITOR | TAKEOVER | REGISTER | WHOIS
        WHOGAME | GET | SEND | VERSION | HISTORY | SUMMARY | MAP | DIARY | BECOME | EJECT | PROMOTE
        PREDICT | PREVIEW | ROLLBACK | PAUSE | RESUME | TERMINATE | VOTE | PROPOSE | INFO | WHY
        ADMIT | BRANCH | REFUSE | SEAT | REVIVE | DUMMY
    """)
)
# What a slip of the pen is compared with.
SUGGESTED_NAMES = split_phrases("""
    SIGNON | SIGNOFF | JOIN | HELP | LIST | STATUS | READY | RESIGN | CLEAR | PHASE | PRESS
    ENDPRESS | BROADCAST | ENDBROADCAST | SET WAIT | SET NOWAIT | SET DRAW | SET NODRAW
    SET CONCEDE | SET NOCONCEDE | SET PREFERENCE | SET PASSWORD | SET ADDRESS | SET ZONE
    SET HANDLE | SET MAILS | HISTORY | SUMMARY | WHOGAME | PREVIEW | STANDBY
""")
# What somebody means who writes a word alone that is none here.
FOREIGN_NAMES = {
    **dict.fromkeys(("WAIT", "WARTEN", "WARTE", "ATTENDRE", "ATTENDS"), "WAIT"),
    **dict.fromkeys(("READY", "FERTIG", "BEREIT"), "READY"),
    **dict.fromkeys(("HELP", "HILFE", "AIDE", "AYUDA"), "HELP"),
    "STATUS": "STATUS",
    "PASS": "WAIVE",
}
# How those are written that want more than their name.
EXAMPLES = {
    "SET PASSWORD": "SET PASSWORD word",
    "CLEAR": "CLEAR A Par",
    "HISTORY": "HISTORY game FROM S1901M TO F1902M",
    "LIST": "LIST game",
    "STATUS": "STATUS game",
    "SUMMARY": "SUMMARY game",
    "WHOGAME": "WHOGAME game",
    "SIGNON": "SIGNON Fgame password",
    "STANDBY": "STANDBY game",
    "JOIN": "JOIN game",
    "PHASE": "PHASE F1902M",
    "PRESS": "PRESS TO F,G",
    "SET ADDRESS": "SET ADDRESS me@example.org",
    "SET CONCEDE": "SET CONCEDE R",
    "SET HANDLE": "SET HANDLE Kaiserin",
    "SET MAILS": "SET MAILS DAILY",
    "SET PREFERENCE": "SET PREFERENCE EFT",
    "SET ZONE": "SET ZONE Europe/Berlin",
}
NEVER_WITH_SET = frozenset(("OBSERVE", "WATCH", "MONITOR"))  # SET WATCH ALL PRESS is of nJudge
# They are none without SET.
ONLY_WITH_SET = frozenset(
    split_phrases("""
        PASSWORD | ADDRESS | DEADLINE | GRACE | COMMENT | MOVE | RETREAT | ADJUST | RULE | RULES
        GAMEPASSWORD | HANDLE | NAME | LANG | LANGUAGE
    """)
)
# With SET they are something else with other judges: nJudge's SET RESUME says who may.
DIFFERENT_WITH_SET = frozenset(
    split_phrases("PAUSE | PROCESS | RESUME | ROLLBACK | ROLLFORWARD | TERMINATE | UNSTART")
)
WITH_SECRETS = frozenset(
    split_phrases("SIGNON | JOIN | RESIGN | SET PASSWORD | TAKEOVER | OBSERVE | CREATE | SET GAME")
)


# Wishes about orders in a sentence of their own.
TAKE_BACK = frozenset(
    split_phrases("""
        CANCEL MY ORDERS | CANCEL ALL MY ORDERS | CANCEL ALL ORDERS | CANCEL ORDERS | CLEAR ORDERS
        CANCEL THE ORDERS | CLEAR MY ORDERS | CLEAR ALL MY ORDERS | CLEAR ALL ORDERS
        DELETE MY ORDERS | DELETE ALL MY ORDERS | DELETE ORDERS | WITHDRAW MY ORDERS
        WITHDRAW ALL MY ORDERS | WITHDRAW ORDERS | TAKE BACK MY ORDERS | TAKE BACK ALL MY ORDERS
        TAKE MY ORDERS BACK | SCRAP MY ORDERS | REMOVE MY ORDERS | I CANCEL MY ORDERS
        I WITHDRAW MY ORDERS
        LÖSCHE MEINE BEFEHLE | LÖSCHE ALLE MEINE BEFEHLE | BEFEHLE LÖSCHEN | MEINE BEFEHLE LÖSCHEN
        ALLE BEFEHLE LÖSCHEN | ALLE MEINE BEFEHLE LÖSCHEN | ICH NEHME MEINE BEFEHLE ZURÜCK
        BEFEHLE ZURÜCKNEHMEN | MEINE BEFEHLE ZURÜCKNEHMEN | ANNULLIERE MEINE BEFEHLE
        ANNULE MES ORDRES | ANNULEZ MES ORDRES | ANNULER MES ORDRES | ANNULE TOUS MES ORDRES
        SUPPRIME MES ORDRES | SUPPRIMEZ MES ORDRES | EFFACE MES ORDRES | J'ANNULE MES ORDRES
    """)
)
BACK_TO_EARLIER = frozenset(
    split_phrases("""
        UNDO | UNDO IT | UNDO THAT | UNDO THIS | UNDO LAST | UNDO MY LAST ORDERS | UNDO MY ORDERS
        UNDO MY CHANGES | UNDO MY LAST EMAIL | REVERT | REVERT MY ORDERS | REVERT MY CHANGES
        BACK TO MY FIRST ORDERS | BACK TO MY OLD ORDERS | BACK TO MY PREVIOUS ORDERS
        BACK TO MY EARLIER ORDERS | BACK TO MY ORIGINAL ORDERS | BACK TO MY LAST ORDERS
        GO BACK TO MY FIRST ORDERS | GO BACK TO MY OLD ORDERS | GO BACK TO MY PREVIOUS ORDERS
        GO BACK TO MY EARLIER ORDERS | GO BACK TO MY ORIGINAL ORDERS | USE MY FIRST ORDERS
        USE MY OLD ORDERS | USE MY PREVIOUS ORDERS | USE MY EARLIER ORDERS
        USE MY ORIGINAL ORDERS | RESTORE MY ORDERS | RESTORE MY FIRST ORDERS
        RESTORE MY OLD ORDERS | RESTORE MY PREVIOUS ORDERS
        RÜCKGÄNGIG | RÜCKGÄNGIG MACHEN | ZURÜCK ZU MEINEN ERSTEN BEFEHLEN
        ZURÜCK ZU MEINEN ALTEN BEFEHLEN | ZURÜCK ZU MEINEN VORHERIGEN BEFEHLEN
        ANNULER | ANNULE | ANNULEZ | RETOUR À MES PREMIERS ORDRES | RETOUR À MES ANCIENS ORDRES
        REVENIR À MES PREMIERS ORDRES
    """)
)
POLITE_WORDS = frozenset({"PLEASE", "BITTE", "SVP", "OK", "OKAY"})


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
SETTINGS_ADVICE = "settings"  # on a SET that nobody has
COMMANDS_IN_CAPITALS = frozenset(
    {"COMMENT"}
)  # In capitals it is a command, however long its line.
ADVICE = MappingProxyType(
    {
        beginning: advice
        for advice, table in _BY_ADVICE.items()
        for beginning in split_phrases(table)
    }
)


def foreign_command_advice(words: list[str]) -> str | None:
    """Return the advice on the longest beginning of *words* that is a command elsewhere."""
    upper = [word.upper().strip("?") for word in words[:ADVISED_WORDS_MAX]]
    beginnings = (" ".join(upper[:length]) for length in range(len(upper), 0, -1))
    return next((ADVICE[each] for each in beginnings if each in ADVICE), None)
