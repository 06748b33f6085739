"""Read press: blocks such as PRESS TO ... ENDPRESS, and messages opened without PRESS.

The syntax of blocks is that of nJudge and DPjudge: `PRESS GREY TO FG`, `PRESS TO E FAKE TO EFG`,
`BROADCAST FAKE FROM ITALY`, `PRESS -R`, `POSTAL PRESS`.

A message without PRESS begins with `Message to Germany:` or `Germany, A Par-Bur`. It is sent only
if its recipients are certain and none of its lines is an order. The lines below its opening are
held back, up to any closing line or to the end of the email.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from judge.mail.body import Line, trimmed
from judge.mail.language import command_syntax
from judge.mail.language.phase_names import nearest_word, spelled_words
from judge.mail.quotes import ends_press
from judge.mail.reader.phase_hints import begins_with_order, holds_order
from judge.mail.words import alternatives
from judge.notation.terms import names_of
from judge.rules.board import Map
from judge.rules.types import Power

WHITE, GREY = "WHITE", "GREY"  # Press signed by its sender, and unsigned press.


@dataclass(frozen=True, slots=True)
class PressManner:
    """The form in which press goes out.

    *signed* is the signature (`WHITE`, `GREY` or a power), None for the game's default. *named*
    are the recipients it shows, None for the true ones. *postal* press waits for the next results;
    the receipt does not repeat *quiet* press; *preview* is shown and not sent.
    """

    signed: str | None = None
    named: tuple[str, ...] | None = None
    postal: bool = False
    quiet: bool = False
    preview: bool = False


PLAIN_PRESS = PressManner()


@dataclass(frozen=True, slots=True)
class Press(command_syntax.ParsedLine):
    """`PRESS TO F,G` ... `ENDPRESS`.

    *recipients* are powers, `MASTER`, `OBSERVER`, or `ALL` alone; *unknown* are words that name no
    recipient. If the block is not *closed*, *lines* is the rest of the email, and none of it is
    sent as press or read as orders. *beneath* has a signature and `ENDPRESS`.
    """

    recipients: tuple[str, ...]
    unknown: tuple[str, ...]
    lines: tuple[Line, ...]
    closed: bool
    manner: PressManner = PLAIN_PRESS
    beneath: tuple[Line, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class UnopenedPress(command_syntax.ParsedLine):
    """`ENDPRESS` below *lines* without an opening, or with *opening*, a faulty one, among them."""

    lines: tuple[Line, ...]
    opening: str = ""


OPENING_MAX = 200  # Characters of the line that opens a block.
BEFORE = ("PREVIEW", "POSTAL", "GREY", "GRAY", "ANONYMOUS", "UNSIGNED", "WHITE", "SIGNED")
SIGNED = {
    "WHITE": WHITE,
    "SIGNED": WHITE,
    "GREY": GREY,
    "GRAY": GREY,
    "ANONYMOUS": GREY,
    "UNSIGNED": GREY,
    "NOBODY": GREY,
}
NAME_MIN = 3  # letters of a shortened name
SIGNER = re.compile(r"\b(?:FAKE )?FROM (\w+)\b|\b(?:WHITE|SIGNED|GREY|GRAY|ANONYMOUS|UNSIGNED)\b")
ALL_BUT = re.compile(r"(?<!\S)-(\w+)\b(?! TO\b)")
FAKE_BROADCAST = re.compile(r"\bFAKE BROADCAST\b")
OPTION = re.compile(r"\b(?:FAKE BROADCAST|NO ?FAKE|QUIET|PARTIAL)\b")  # names no recipient
FAKE = re.compile(r"\bFAKE\b")
WITH_TEXT = re.compile(r"PRESS TO (\w+)(.*)")
WITH_COLON = re.compile(r"PRESS (?:TO )?([^:]*[^:\s])\s*:(.*\w.*)", re.IGNORECASE)
MISREAD_OPENING = re.compile(r"(?:\S+ ){0,2}?(?:PRESS|BROADCAST) ?(?::|TO\b|$)")


@dataclass(frozen=True, slots=True)
class PressOpening:
    """The recipients of a block and how it goes out; *text* is the rest of its line."""

    recipients: command_syntax.Recipients
    manner: PressManner = PLAIN_PRESS
    text: str = ""


def press_opening(line: Line, board: Map, *, closed: bool) -> PressOpening | None:
    """Read *line* as the opening of a block, else None; *closed* if the block has an end."""
    written = line.text.strip(" .")
    if len(written) > OPENING_MAX:
        return None
    words = written.upper().split()
    first = next((i for i, word in enumerate(words) if word not in BEFORE), len(words))
    before, rest = words[:first], " ".join(words[first + 1 :])
    match words[first:]:
        case ["PRESS", *_]:
            found = _read_opening(before, rest, board)
        case ["BROADCAST", *_]:
            found = _read_opening(before, rest, board, broadcast=True)
        case [name, "TO", *_] if closed and nearest_word(name, ("PRESS", "BROADCAST")):
            return PressOpening(command_syntax.Recipients((), (written,)))
        case _:
            return None
    unknown = found.recipients.unknown
    almost = any(command_syntax.power_nearly_named(each, board) for each in unknown)
    return found if closed or almost or not unknown else _with_text(written, board)


def is_misread(line: Line) -> bool:
    """Return whether *line* may be meant to open press, such as `BROADCAST: hello all`.

    That counts only if a line below closes press.
    """
    return bool(MISREAD_OPENING.match(line.text.strip(" .").upper()))


def _with_text(written: str, board: Map) -> PressOpening | None:
    """Read `PRESS TO GERMANY: let us ally`, without recipients: what is sent is never guessed."""
    found = WITH_COLON.fullmatch(written) or WITH_TEXT.fullmatch(written)
    if found is None:
        return None
    recipients = command_syntax.recipients_named(found[1], board)
    return (
        PressOpening(command_syntax.Recipients((), ()), text=found[2].strip())
        if not recipients.unknown
        else None
    )


def _read_opening(
    before: Sequence[str], arguments: str, board: Map, *, broadcast: bool = False
) -> PressOpening:
    """Split *arguments* into the recipients, the recipients shown, and the signature."""
    words = " ".join(word for word in command_syntax.SEPARATORS.split(arguments) if word)
    words = ALL_BUT.sub(r"ALL BUT \1", words)
    signers = [word for word in before if word in SIGNED] + [
        found[1] or found[0] for found in SIGNER.finditer(words)
    ]
    signed = [SIGNED.get(each) or command_syntax.power_named(each, board) for each in signers]
    to, *faked = FAKE.split(OPTION.sub("", SIGNER.sub("", words)))
    if FAKE_BROADCAST.search(words):
        faked = [command_syntax.ALL]
    postal = "POSTAL" in before
    if to.strip() == "BROADCAST":
        to, broadcast = "", True
    recipients = (
        _broadcast_to(to, board)
        if broadcast or (postal and not to.strip())
        else command_syntax.recipients_named(to, board)
    )
    pretended = command_syntax.recipients_named(" ".join(faked), board) if faked else None
    slips = [each for each, power in zip(signers, signed, strict=True) if power is None]
    slips += _letters_or_name(to, board)
    if pretended:
        slips += pretended.unknown or ([] if pretended.names else ["FAKE"])
    manner = PressManner(
        signed=signed[-1] if signed else None,
        named=pretended.names if pretended else None,
        postal=postal,
        quiet="QUIET" in words.split(),
        preview="PREVIEW" in before,
    )
    return PressOpening(replace(recipients, unknown=(*recipients.unknown, *slips)), manner)


def _letters_or_name(to: str, board: Map) -> list[str]:
    """Return the words of *to* that are letters of powers and begin the name of one: `GER`."""
    names = [board.nations[power].name.upper() for power in board.powers]
    words = command_syntax.SEPARATORS.split(command_syntax.with_power_codes(to, board).upper())
    begin = [each for each in words if sum(name.startswith(each) for name in names) == 1]
    return [
        each
        for each in begin
        if len(each) >= NAME_MIN and len(command_syntax.recipients_named(each, board).names) > 1
    ]


def _broadcast_to(arguments: str, board: Map) -> command_syntax.Recipients:
    """Return the recipients of a broadcast; none if *arguments* names only some."""
    some = command_syntax.recipients_named(arguments, board)
    everyone = command_syntax.recipients_named(f"{command_syntax.ALL} {arguments}", board)
    if some.names and everyone.names == (command_syntax.ALL,) != some.names:
        return command_syntax.Recipients((), (f"BROADCAST {arguments.strip()}",))
    return everyone


def block_ends(lines: Sequence[Line], board: Map) -> list[int | None]:
    """Return for each line the one that would close a block there; None if another opens first."""
    ends: list[int | None] = [None] * len(lines)
    end = None
    for i in range(len(lines) - 1, -1, -1):
        ends[i] = end
        if ends_press(lines[i].text):
            end = i
        elif press_opening(lines[i], board, closed=False):
            end = None
    return ends


NO_HANDLES: Mapping[str, Power] = MappingProxyType({})
# Words of openings, which are nobody's name there.
RESERVED = frozenset(
    (
        *(*BEFORE, *SIGNED, "PRESS", "BROADCAST", "FAKE", "NOFAKE", "FROM", "QUIET", "PARTIAL"),
        *(*command_syntax.EVERYBODY, *command_syntax.OFFICES),
        *(*command_syntax.EXCEPT, *command_syntax.FILLERS),
    )
)
OPENED = "PRESS TO "  # begins the line that would open such a message
LINE_MAX = 300  # characters of a line that opens or ends a message
ADORNING = ' \t*_=#~-[]{}<>()"'
MESSAGE = f"(?:{alternatives('messages')})"
ONLY = f"(?:{alternatives('only')})"
OF_MESSAGE = (
    r"(?:(?:a|an|the|my|this|following|private|secret|grey|white|partial|postal"
    r"|eine?n?|une?|mon) )*"
)
GREETING = f"(?:{alternatives('greetings_of_press')})"
ASKED_JUDGE = f"(?:{alternatives('asking_the_judge')}) "
ASKING_JUDGE = f"(?:{ASKED_JUDGE})*"
PASS_ON = f"(?:{alternatives('passing_on')})"  # behind the recipient
OPENER = re.compile(
    rf"(?:{ASKING_JUDGE}(?:send |write |give |pass |deliver |forward )?{OF_MESSAGE}{MESSAGE}"
    rf"(?: {ONLY})? ?(?:to|for|an|für|à|pour)"
    rf"|(?:{ASKED_JUDGE})+(?=[^:]{{2,40}} {PASS_ON}(?: ?:|, dass\b))"
    rf"|{ASKING_JUDGE}(?:forward|relay|pass)(?: this| the following| on)* to"
    r"|(?:weiterleiten|weitergeben) an"
    rf"|{ASKING_JUDGE}(?:transmettre|transmettez|faire suivre|faites suivre)(?: ceci)? à"
    rf"|{ASKING_JUDGE}"
    r"(?:write|send|tell|say|whisper|message|mail|reply|answer|pm|dm|sag|sage|schreib|richte|écris"
    r"|dis|dites|dire)"
    r"(?: this| the following)?(?: to| an| à)?"
    rf"|(?:{ONLY} )?(?:to|bitte an|an|à|a(?= la | l['\u2019])|for|für|pour)|{GREETING})\b ?[:,]? ?"
    r"(?=\S)|@|[a-z]>"
    r"|(?:press|private) ?: ?",
    re.IGNORECASE,
)
SPOKEN = re.compile(r"(?:TELL|WRITE|SAY|MESSAGE|MAIL|REPLY|ANSWER)\b")
BARE = re.compile(r"(?:[Tt]o|[Aa]n|[Àà]|[Ff]or|[Ff]ür|[Pp]our)\b|[A-Za-z]>")
GREETED = ("", ",", "!", ":", ".", " ,", " !", " :")
GREETS = re.compile(rf"{GREETING}\b", re.IGNORECASE)
ASKS_JUDGE = re.compile(rf"{ASKED_JUDGE}|(?:tell|sag|sage|richte|dis|dites) ", re.IGNORECASE)
TELLS = re.compile(  # behind a recipient: `Could you tell Anna that I agree?`
    rf"(?: (?:bitte|please)\b)?(?: (?:aus|{PASS_ON}))?,? "
    r"(?:(?:that|dass|i(?:['\u2019]\w+)?|we|my)\s|qu(?:e\s|['\u2019]))(?!.*\? )",
    re.IGNORECASE,
)
FOR = re.compile(r"(?:for|für|pour)\b", re.IGNORECASE)
GOES_ON = re.compile(r"(?:,| [-\u2013\u2014])[^:]{1,60}:")  # `Hi Germany, here is my plan:`
SAYS = re.compile(r" ?[,!:] ?(?=\w).*")  # `Hi Germany, let us leave Burgundy empty.`
EVERYONE = re.compile(  # `To all players:`, `An alle:`
    r"\b(?:all (?:the )?(?:other )?(?:players|powers|countries|of you)"
    r"|alle(?: (?:anderen )?(?:spieler|mächte))?|tous(?: les (?:autres )?(?:joueurs|autres))?)\b"
    r"(?: (?:of|in|von|de) [\w-]+(?= ?:))?",
    re.IGNORECASE,
)
EYES = re.compile(rf"(?:['\u2019]s eyes)?(?: {ONLY})?(?= ?:)", re.IGNORECASE)
SHOUTED = re.compile(r"(?:BROADCAST|Broadcast ?:|broadcast ?:)(?!\w)")
PRESSED = re.compile(r"PRESS (?:TO )?")
NAME = r"((?-i:(?!AUSTRIA-)(?:[A-Z]+-)+[A-Z]+)|\w+)(?:-(?:Hungary|Ungarn|Hongrie)\b)?"
FIRST = re.compile(rf"\s*(?:(?:the|die|la|le)\s+|l['\u2019])?{NAME}", re.IGNORECASE)
NEXT = re.compile(
    r"\s*(?:[,&+/]\s*(?:and|und|et)?|\b(?:and|und|et)\b)\s*(?:the\s+|l['\u2019])?"
    rf"{NAME}",
    re.IGNORECASE,
)
SAYS_MORE = re.compile(r"\s+(?!(?:and|und|et)\b)\w")  # `Hey Anna, Italy here`
HEAD = re.compile(r"[^,:!.]*")
LETTERS_MAX = 7  # `TO EFG`; a lower-case word is a name, or nothing
ENDS = re.compile(
    r"(?: (?:bitte )?(?:that|this|the following|dass|que|weiterleiten|weitergeben|schicken|senden"
    rf"|(?:von mir )?aus|{PASS_ON})\b)?"
    r"(?: (?:please|bitte|svp|s['\u2019]il (?:vous|te) pla[i\u00ee]t)(?=\W*$))?"
    r"\s*(?:$|[:;,.!?\u2013\u2014-](?!\w))"
)
# `[to Germany]` does not continue the line above.
FRAMED = re.compile(r"\s*[\[{<*_=].*[\]}>*_=]\s*")
CLOSING = re.compile(
    rf"\W*(?:(?:end|ende|fin)\W*(?:(?:of|der|du|de|la|my|the) )*(?:{MESSAGE}|broadcast|tell)?"
    rf"|/\s*(?:{MESSAGE}|broadcast|tell)|eom)\W*",
    re.IGNORECASE,
)


def misdirected_press(
    line: Line,
    below: Sequence[Line],
    board: Map,
    own: str | None = None,
    handles: Mapping[str, Power] = NO_HANDLES,
) -> tuple[UnopenedPress, int] | None:
    """Return the message that *line* opens, and how many lines *below* it takes; else None.

    If other words follow its recipients, it needs a closing line, or no order in or below it; one
    that asks the judge, `Could you tell Anna that I agree?`, takes its paragraph. A greeting to
    the sender's *own* power opens no message, nor do orders for the moderator.
    """
    end = next((i for i, each in enumerate(below) if _closes(each.text)), None)
    if len(line.text) > LINE_MAX:
        return None
    named = salutation_recipient(line.text, board, own, handles)
    recipients = named or _recipients_in(line.text, board, handles, closed=end is not None)
    shown = line.text.strip(ADORNING)
    asks = ASKS_JUDGE.match(shown) is not None
    if not recipients and (asks or GREETS.match(shown)):
        if asks:  # What it passes on stands in its paragraph.
            below = [each for at, each in enumerate(below, line.number + 1) if each.number == at]
        recipients = _recipients_in(line.text, board, handles, says_more=True)
        ordering = (each.text for each in (*(() if asks else (line,)), *below))
        if recipients and any(holds_order(each, board) for each in ordering):
            recipients = ()
    if not recipients or (recipients == (own,) and _may_be_own(line.text)):
        return None
    if recipients == (command_syntax.MASTER,) and any(
        holds_order(each.text, board) for each in below[:end]
    ):
        return None  # Orders are for the person who runs the game.
    taken = len(below) if end is None else end + 1
    lines = trimmed(below[:end])
    opening = f"{OPENED}{', '.join(recipients)}"
    return UnopenedPress(lines, opening, line=line.number, text=line.text), taken


def press_in_subject(subject: str, board: Map) -> str | None:
    """Return an opening line for the email if *subject* addresses all of it to other players."""
    line = f"{subject.strip(' :,!.')}:"
    return line if len(line) <= LINE_MAX and _recipients_in(line, board) else None


def press_text(press: UnopenedPress) -> tuple[Line, ...]:
    """Return the text of the message *press*, with its greeting but without `To Germany:`."""
    shown = " ".join(press.text.strip(ADORNING).split())
    first = Line(press.line, press.text.strip())
    says_it = GREETS.match(shown) or tells(shown) or ", " in shown.partition(":")[0]
    if OPENER.match(shown) and not says_it:
        first = Line(press.line, press.text.partition(":")[2].strip())
    return tuple(_with_blank_lines(trimmed((first, *press.lines))))


def tells(text: str) -> bool:
    """Return whether *text* says itself what somebody shall hear: `Could you tell Anna that`."""
    return bool(ASKS_JUDGE.match(text.strip(ADORNING)) and TELLS.search(text))


def _with_blank_lines(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield *lines* with the blank ones that reading has left out between them."""
    last = lines[0].number if lines else 0
    for line in lines:
        if line.number > last + 1:
            yield Line(last + 1, "")
        yield line
        last = line.number


def recipients_of(press: UnopenedPress) -> tuple[str, ...]:
    """Return the recipients of the message *press*, as a block of press names them."""
    return tuple(press.opening.removeprefix(OPENED).split(", ")) if press.opening else ()


def _may_be_own(text: str) -> bool:
    shown = text.strip(ADORNING)
    return bool(GREETS.match(shown) or FOR.match(shown))


def _closes(text: str) -> bool:
    return len(text) <= LINE_MAX and CLOSING.fullmatch(text) is not None


def may_open_message(lines: Sequence[Line]) -> bool:
    """Return whether one of *lines* begins like a message to somebody."""
    return any(OPENER.match(line.text.strip(ADORNING)) or PART.match(line.text) for line in lines)


def with_messages_by_handle(
    parsed: Sequence[command_syntax.ParsedLine],
    board: Map,
    own: str,
    handles: Mapping[str, Power],
) -> Iterator[command_syntax.ParsedLine]:
    """Yield *parsed*, where text that greets another player by name is a message to them."""
    for each in parsed:
        lines = each.lines if isinstance(each, command_syntax.OrderText) else ()
        found = (
            (at, *message)
            for at, line in enumerate(lines)
            if may_open_message([line])
            and (message := misdirected_press(line, lines[at + 1 :], board, own, handles))
        )
        at, press, taken = next(found, (0, each, -1))
        yield from (*command_syntax.order_text(lines[:at]), press) if lines else (each,)
        if lines and taken >= 0:
            yield from command_syntax.order_text(lines[at + 1 + taken :])


def with_handles_named(press: Press, board: Map, handles: Mapping[str, Power]) -> Press:
    """Return *press* to the players whose handles its opening line has, in place of letters.

    Where a name that is not written as one may as well be letters of powers, it names nobody.
    """
    words = re.split(r"([\w-]+)", press.text)
    named = [handles.get(word.casefold()) for word in words]
    if not any(named):
        return press
    doubtful = tuple(
        word
        for word, power in zip(words, named, strict=True)
        if power and not word.istitle() and command_syntax.recipients_named(word, board).names
    )
    text = "".join(power or word for word, power in zip(words, named, strict=True))
    opening = press_opening(Line(press.line, text), board, closed=True)
    if opening is None:
        return press
    unknown = (*opening.recipients.unknown, *doubtful)
    return replace(press, recipients=opening.recipients.names, unknown=unknown)


def _recipients_in(
    text: str,
    board: Map,
    handles: Mapping[str, Power] = NO_HANDLES,
    *,
    closed: bool = False,
    says_more: bool = False,
) -> tuple[str, ...]:
    shown = EYES.sub("", EVERYONE.sub("all", " ".join(text.strip(ADORNING).split())))
    head = HEAD.match(shown)
    assert head, "it may be empty"
    shown = command_syntax.with_power_codes(head[0], board) + shown[head.end() :]
    if SHOUTED.match(shown):
        return (command_syntax.ALL,)
    found = PRESSED.match(shown) or OPENER.match(shown)
    if not found:
        return ()
    recipients, end = _recipient_named(shown, found.end(), board, handles)
    if not recipients:
        return ()
    if PRESSED.match(shown) or (closed and SPOKEN.match(shown) and shown[end : end + 1] == " "):
        opens = True
    elif GREETS.match(shown):
        rest = shown[end:]
        greeted = (
            rest in GREETED
            or (says_more and SAYS.fullmatch(rest))
            or (GOES_ON.fullmatch(rest) and not holds_order(rest, board))
        )
        opens = bool(greeted) and set(recipients) <= set(board.powers)
    elif says_more and ASKS_JUDGE.match(shown) and TELLS.match(shown, end):
        opens = set(recipients) <= set(board.powers)
    elif (ends := ENDS.match(shown, end)) is None:
        opens = False
    else:  # A continuation of the line above, `to Italy`, opens nothing.
        plainly = ":" in shown[: ends.end()] or shown[0] == "@" or FRAMED.fullmatch(text)
        plainly = plainly or ASKS_JUDGE.match(shown)
        opens = bool(plainly) or (shown[0].isupper() and BARE.match(shown) is None)
    return tuple(dict.fromkeys(recipients)) if opens else ()


def _recipient_named(
    text: str, start: int, board: Map, handles: Mapping[str, Power]
) -> tuple[list[str], int]:
    recipients: list[str] = []
    found = FIRST.match(text, start)
    while found and (named := list(_of_word(found[1], board, handles))):
        if recipients and "," in found[0] and SAYS_MORE.match(text, found.end()):
            break
        recipients += named
        start = found.end()
        found = NEXT.match(text, start)
    return recipients, start


def _of_word(word: str, board: Map, handles: Mapping[str, Power]) -> Iterator[str]:
    upper = word.upper()
    power = command_syntax.power_named(word, board) if len(word) > 1 else None
    if power := power or handles.get(word.casefold()):
        yield power
    elif upper in command_syntax.EVERYBODY:
        yield command_syntax.ALL
    elif len(word) > 1 and upper in command_syntax.OFFICES:
        yield command_syntax.OFFICES[upper]
    elif nearly := command_syntax.power_nearly_named(word, board) or command_syntax.people_named(
        word, board
    ):
        yield nearly
    elif word.isupper() and len(word) <= LETTERS_MAX:
        named = [command_syntax.power_named(letter, board) for letter in word]
        yield from (each for each in named if each and None not in named)


PARTS_MAX = 7  # powers
PART = re.compile(r"[\s*_]*([^\W\d_][\w'\u2019 -]{1,40}?)[\s*_]*([,!])\s*")
ASKED_WORDS = re.compile(  # `Germany, please order:`, `Germany - would you do this:`
    r"[\s*_]*([^\W\d_]{4,20})[\s*_]*(?:,|\s[-\u2013\u2014])\s*"
    r"(?:please|(?:would|could|will|can) you|(?:what|how) about|bitte"
    r"|(?:würdest|könntest|kannst) du|s['\u2019]il (?:te|vous) plaît|peux-tu|pourrais-tu)"
    r"\b[^:]{0,80}:\W*",
    re.IGNORECASE,
)
JOINED = re.compile(r"\s+(?:and|und|et)\s+|\s*[&+]\s*", re.IGNORECASE)
LIVING = re.compile(  # `To my dear friend in Berlin:`
    r"(?:to|an|à|dear|lieber?|chère?|cher)\s+(?:(?:my|our|the|mein\w*|unser\w*|de[mnr]|mon|notre|le)"
    r"\s+)?(?:(?:dear|good|old|lieb\w*|gut\w*|alt\w*|cher)\s+)*([^\W\d_]+)"
    r"\s+(?:in|of|at|aus|von|à|de)\s+([\w. -]{2,20}?)\s*[:,]\W*",
    re.IGNORECASE,
)
PERSONS = spelled_words("friends")


def salutation_recipient(
    text: str, board: Map, own: str | None, handles: Mapping[str, Power] = NO_HANDLES
) -> tuple[str, ...]:
    """Return the powers that *text* addresses by name or province; empty if none.

    A line that names the sender's *own* power is addressed to it; so may be any line of an unknown
    sender.
    """
    if own is None:
        return ()
    recipients = _by_name(text, board, handles) or _by_place(text, board)
    return () if own in recipients else recipients


def _by_name(text: str, board: Map, handles: Mapping[str, Power]) -> tuple[str, ...]:
    """Read `Germany,` alone on a line, `Germany, Italy, A Par-Bur`, `Anna, please order:`."""
    asked = ASKED_WORDS.fullmatch(text)
    recipients = [power] if asked and (power := _power_addressed(asked[1], board, handles)) else []
    if recipients:
        return tuple(recipients)
    at = 0
    for _ in range(PARTS_MAX):
        found = PART.match(text, at)
        words = JOINED.split(found[1]) if found else []
        named = [_power_addressed(word, board, handles) for word in words]
        if not named or None in named:
            break
        recipients += [each for each in named if each]
        at = found.end() if found else at
    if not recipients:
        return ()
    rest = text[at:]
    return tuple(dict.fromkeys(recipients)) if not rest or begins_with_order(rest, board) else ()


def _power_addressed(word: str, board: Map, handles: Mapping[str, Power]) -> str | None:
    """Return the power with that full name or player; letters, as in `a, b`, are not names."""
    return (
        command_syntax.power_named(word, board)
        or command_syntax.people_named(word, board)
        or handles.get(word.casefold())
        if len(word) > 1
        else None
    )


def _by_place(text: str, board: Map) -> tuple[str, ...]:
    """Read `To my friend in Berlin:`, where a home center names its power."""
    found = LIVING.fullmatch(text.strip(" *_"))
    if found is None or found[1].casefold() not in PERSONS:
        return ()
    words = found[2].casefold().replace(".", " ").split()
    length, places = names_of(board).longest(words)
    if length != len(words) or len(places) != 1:
        return ()
    return tuple(power for power in board.powers if places[0] in board.homes_of(power))
