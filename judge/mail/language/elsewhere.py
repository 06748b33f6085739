"""Commands of nJudge and DPjudge that are none here: each has a word of advice instead.

The advice stands in `templates/mail/words/elsewhere.txt.j2`, by the names given here.
"""

from __future__ import annotations

from types import MappingProxyType

from judge.mail.phrases import listed

WORDS_MAX = 3  # of the longest beginning below

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
LOUD = frozenset({"COMMENT"})  # In capitals it is a command, however long its line.
ADVICE = MappingProxyType(
    {beginning: advice for advice, table in _BY_ADVICE.items() for beginning in listed(table)}
)


def advice_on(words: list[str]) -> str | None:
    """Return the advice on the longest beginning of *words* that is a command elsewhere."""
    upper = [word.upper().strip("?") for word in words[:WORDS_MAX]]
    beginnings = (" ".join(upper[:length]) for length in range(len(upper), 0, -1))
    return next((ADVICE[each] for each in beginnings if each in ADVICE), None)
