"""Find the lines of an email that are quoted, a signature or a notice, as mail clients mark them.

Each line is judged by its own form and by the next ones, never by a pattern over the whole text,
so the time is linear. Marked lines (`>`) are old anywhere, and text written between or below them
stays. A heading (`On Monday Austria wrote:`, `-----Original Message-----`, a block of `From:` and
`Sent:`) is judged by the line after it:

- if that is marked, or there is none, only the heading is old, and a rule's heading includes the
  fields or the `... wrote:` below it;
- a rule with words, a block of header fields and the first line of an email of ours always begin
  an old email: everything below is old;
- `... wrote:` does so only if it holds an address, or a day of our time with its hour, as mailers
  write them, or if one of those is close below. Otherwise it is new text, perhaps press, and
  nothing is cut.
"""

# ruff: noqa: RUF001 - some of the languages are written in Cyrillic

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from judge.mail.headers import split_phrases
from judge.mail.sent_text import Compared
from judge.mail.visible_html import QUOTE_MARK

OUR_MAIL = (":: Judge:", ":: Deadline:")
ATTRIBUTION_LINES_MAX = 3  # Mailers wrap it at 72 or 78 columns.
ATTRIBUTION_MAX = 500
HEADED_MAX = 30  # written lines between the heading of a quote and its first line
HEADER_BLOCK_LINES_MAX = 16
CLOSE_BELOW = 5  # Non-blank lines between an attribution and the head of the old email.
UNMARKED = re.compile(r"(?:\s*(?:>|\||&gt;|[A-Z][A-Za-z]{1,2}>(?= |$)))+\s*")
CLOSED_BY = (">:", "]:", "):")  # `Judge <judge@...>:` without a verb, as in some languages.
RULE = "_-*= "
COLONS = (":", "\uff1a")
FIELD = re.compile(r"\W{0,6}[^\W\d][^:\uff1a@>\d]{0,30}[:\uff1a](?!:)")
SUBJECT = re.compile(r"\b[A-Z][A-Z0-9]{1,7}:[a-z][\w-]{0,40} - ")  # of an email of ours
AT_END = re.compile(r"@[\w.-]{1,200}\W{0,5}$")
FIELDS_MIN = 3  # known names; two of any name are a header with an address and a date
DAY = re.compile(r"\d{1,4}[./-]\d{1,2}|\b\d{1,2}\b\D{1,20}\b\d{2,4}\b|\d[:.]\d\d")
TIME = re.compile(r"\b\d{1,2} ?[:.h] ?\d\d\b")
THIS_CENTURY = re.compile(r"\b20[2-9]\d\b")
MARKS = (">", "|", "&gt;")
INITIALS = re.compile(r"\s*([A-Z][A-Za-z]{1,2})>(?: |$)")  # How The Bat! names the quoted sender.
INITIALS_OR_MARK = re.compile(r">|\||&gt;")
ADDRESS = re.compile(r"<[^<>\s@]{1,100}@[^<>\s]{1,200}>")


def quoted_lines(
    lines: Sequence[str], marked: Sequence[bool], compared: Sequence[Compared] | None = None
) -> list[bool]:
    """Return for each of *lines* if it is old, as *marked* and *compared* with what was sent."""
    of_ours = compared or [Compared()] * len(lines)
    ours = [each.matched and each.anchored for each in of_ours]
    within = [each.within for each in of_ours]
    old = [
        mine or each.heading or (mark and not each.within)
        for mine, mark, each in zip(ours, marked, of_ours, strict=True)
    ]
    following = _next_written(lines)
    last = max((i for i, mine in enumerate(ours) if mine), default=-1)
    i = 0
    while i < len(lines):
        length = 0 if old[i] or within[i] else _heading_length(lines, i, following)
        after = following[i + length - 1] if length else None
        starts = bool(length) and _starts_old_mail(lines, i)
        others = bool(compared) and starts and _is_of_others(of_ours[i : i + length])
        if length and (
            after is None
            or (old[after] and not others)
            or (not starts and i < last and any(marked[i:last]))
        ):
            old[i : i + length] = [True] * length
        elif length and (starts or _leads_to_old_mail(lines, i, length)):
            start = _with_rule_above(lines, i)
            below = [not new for new in within[i + length :]]
            if others:
                below = [True] * len(below)
            old[start:] = [True] * (i + length - start) + below
            break
        elif not length and i < last and any(marked[i:last]) and _is_dated(lines[i]):
            old[i] = True
        i += max(length, 1)
    _add_headings(lines, old)
    return old


def _is_of_others(heading: Sequence[Compared]) -> bool:
    return not any(each.names_us for each in heading)


def with_headings(
    lines: Sequence[str], marked: Sequence[bool], compared: Sequence[Compared]
) -> list[Compared]:
    """Return *compared* with the headings that name us above our quotes.

    What stands between a heading and its quote was typed there, so it is within the quote, unless
    a mail program marked it.
    """
    headed = list(compared)
    near: list[int] = []
    for i, each in enumerate(compared):
        if not lines[i].strip():
            continue
        if not (each.matched and each.anchored):
            near.append(i)
            continue
        above = reversed(near[-HEADED_MAX:])
        head = next((j for j in above if _heads(lines[j], compared[j])), None)
        if head is not None:
            start, end = _heading_around(lines, head, compared)
            for j in range(start, i):
                typed = not marked[j] or lines[j].startswith(QUOTE_MARK)
                headed[j] = replace(compared[j], heading=j < end, within=j >= end and typed)
        near = []
    return headed


def _heads(line: str, compared: Compared) -> bool:
    return compared.names_us and bool(
        line.rstrip().endswith(COLONS)
        or _is_rule(line)
        or FIELD.match(line)
        or AT_END.search(line)
        or DAY.search(line)
    )


def _heading_around(
    lines: Sequence[str], head: int, compared: Sequence[Compared]
) -> tuple[int, int]:
    """Return where the heading begins and ends that has the line *head*."""

    def is_part(i: int) -> bool:
        line = lines[i]
        return (
            compared[i].names_us
            or "@" in line
            or bool(SUBJECT.search(line))
            or bool(DAY.search(line) and (TIME.search(line) or FIELD.match(line)))
        )

    start, end = head, head + 1
    attribution = lines[head].rstrip().endswith(COLONS) or _is_rule(lines[head])
    for i in range(head + 1, len(lines) if not attribution else head):
        if compared[i].matched and lines[i].strip():
            break
        if is_part(i) or (FIELD.match(lines[i]) and lines[i - 1].strip()):
            end = i + 1
        elif lines[i].strip():
            break
    for i in range(head - 1, max(head - HEADER_BLOCK_LINES_MAX, -1), -1):
        line = lines[i].strip()
        if (
            is_part(i)
            and (lines[i + 1].strip() or FIELD.match(line))
            and not (attribution and FIELD.match(line))
        ) or (line and (_is_rule(line) or not line.strip(RULE))):
            start = i
        elif line and not (FIELD.match(line) and not attribution and lines[i + 1].strip()):
            break
    return start, end


def _add_headings(lines: Sequence[str], old: list[bool]) -> None:
    """Mark as old what heads a quote in any language: a line with a date and a colon, fields."""
    written = [i for i, line in enumerate(lines) if line.strip()]
    for above, i in pairwise(written):
        if old[i] and not old[above]:
            start = _unknown_heading(lines, i)
            old[start:i] = [True] * (i - start)
        elif old[above] and not old[i] and _is_rule(lines[i]):
            old[i] = True
    for above, i in reversed([*pairwise(written)]):
        if old[i] and not lines[above].strip(RULE):
            old[above] = True


def _unknown_heading(lines: Sequence[str], quote: int) -> int:
    """Return where the heading directly above the line *quote* begins; *quote* if none does."""
    above = [i for i in range(max(quote - HEADER_BLOCK_LINES_MAX, 0), quote) if lines[i].strip()]
    block = next((i for i in above if i + _block_length(lines, i) >= quote), quote)
    start, headed = block, FIELD.match(lines[block]) is not None
    for i in reversed([each for each in above if each < block]):
        line = lines[i][:ATTRIBUTION_MAX].strip()
        names = line.endswith(COLONS) and (
            TIME.search(line) or (headed and (line.count(" ") or not line.isascii()))
        )
        if not (names or _is_rule(line)):
            break
        start = i
    return start


def _is_dated(line: str) -> bool:
    """Return whether *line* may head a reply, in any language: it has a day, a time, a colon."""
    line = line[:ATTRIBUTION_MAX].strip()
    return line.endswith(COLONS) and bool(TIME.search(line) and DAY.search(line))


def _is_rule(line: str) -> bool:
    line = line[:ATTRIBUTION_MAX].strip()
    return line.startswith(("--", "__")) and line.endswith(("--", "__")) and bool(line.strip(RULE))


def marked_lines(lines: Sequence[str]) -> list[bool]:
    """Return for each of *lines* whether it has a quote mark; initials must occur twice."""
    marked = [line.lstrip().startswith(MARKS) and not _is_table_row(line) for line in lines]
    initials = {
        number: found[1]
        for number, line in enumerate(lines)
        if not marked[number] and ">" in line and (found := INITIALS.match(line))
    }
    often = Counter(initials.values())
    for number, name in initials.items():
        marked[number] = often[name] > 1
    return marked


def unmarked(lines: Sequence[str], marked: Sequence[bool]) -> tuple[list[str], list[int]]:
    """Return *lines* without initials before quotes, and how many marks each of them has."""
    depths = [
        len(INITIALS_OR_MARK.findall(found[0])) if mark and (found := UNMARKED.match(line)) else 0
        for line, mark in zip(lines, marked, strict=True)
    ]
    return [
        without_quote_marks(line) if depth and INITIALS.match(line) else line
        for line, depth in zip(lines, depths, strict=True)
    ], depths


def _is_table_row(line: str) -> bool:
    if "|" not in line:
        return False
    before, first, *others = [cell.strip() for cell in line.split("|")] + [""]
    return not before and bool(first) and len(others) > len("||") and not others[-2]


def without_quote_marks(line: str) -> str:
    """Return a quoted *line* without its marks."""
    return UNMARKED.sub("", line, count=1)


def _next_written(lines: Sequence[str]) -> list[int | None]:
    following: list[int | None] = [None] * len(lines)
    for i in range(len(lines) - 1, 0, -1):
        following[i - 1] = i if lines[i].strip() else following[i]
    return following


def _heading_length(lines: Sequence[str], i: int, following: Sequence[int | None]) -> int:
    if block := _block_length(lines, i):
        return block
    if not _starts_old_mail(lines, i):
        return _attribution_length(lines, i)
    below = following[i] if _is_separator(lines[i].strip()) else None
    if below is None:
        return 1
    if block := _block_length(lines, below):
        return below - i + block
    return below - i + _attribution_length(lines, below) or 1


def _block_length(lines: Sequence[str], i: int) -> int:
    """Return the length of the header of an old email that begins at line *i*, 0 if none does.

    Its fields are named in any language, with the value behind or below the name. Unlike press,
    it tells a time of this century, or an address and a date.
    """
    if not FIELD.match(lines[i]):
        return 0
    rows, at, end = 0, i, i
    while at < min(len(lines), i + HEADER_BLOCK_LINES_MAX) and FIELD.match(lines[at]):
        named = lines[at].rstrip().endswith(COLONS)
        if named and (at + 1 >= len(lines) or not lines[at + 1].strip()):
            break
        at += 2 if named else 1
        rows, end = rows + 1, at
        while named and at < len(lines) and not lines[at].strip():
            at += 1
    block = " ".join(line[:ATTRIBUTION_MAX] for line in lines[i:end])
    names = {line.partition(":")[0].strip(" *").casefold() for line in lines[i:end]}
    dated, addressed = DAY.search(block), ADDRESS.search(block)
    known = len(names & FIELD_NAMES) >= FIELDS_MIN and (dated or addressed)
    return min(end, len(lines)) - i if known or (rows > 1 and dated and addressed) else 0


def _starts_old_mail(lines: Sequence[str], i: int) -> bool:
    line = lines[i].strip()
    return line.startswith(OUR_MAIL) or _is_separator(line) or _block_length(lines, i) > 0


def _leads_to_old_mail(lines: Sequence[str], i: int, length: int) -> bool:
    """Return whether the attribution at *i* begins an old email, by its address or time."""
    heading = " ".join(lines[i : i + length])[:ATTRIBUTION_MAX]
    if "@" in heading or (THIS_CENTURY.search(heading) and TIME.search(heading)):
        return True
    below = (j for j in range(i + length, len(lines)) if lines[j].strip())
    return any(_starts_old_mail(lines, j) for j, _ in zip(below, range(CLOSE_BELOW), strict=False))


def _with_rule_above(lines: Sequence[str], i: int) -> int:
    while i and not lines[i - 1].strip(RULE):
        i -= 1
    return i


def _is_separator(line: str) -> bool:
    words = line[:ATTRIBUTION_MAX].strip("-_*= ").casefold()
    return line.startswith(("--", "__")) and words.startswith(SEPARATORS)


def _attribution_length(lines: Sequence[str], i: int) -> int:
    words: list[str] = []
    for length, line in enumerate(lines[i : i + ATTRIBUTION_LINES_MAX], start=1):
        added = line[:ATTRIBUTION_MAX].casefold().strip("- ").split()
        if (
            not added
            or added[0].startswith(">")
            or (words and not _opens_attribution(words, added))
        ):
            return 0
        words += added
        if words[-1].endswith(":") or line.rstrip().endswith("---"):
            return length if _is_attribution(words) else 0
        if ADDRESS.search(line) and _is_followed_by_text(line):
            return length
    return 0


def _is_followed_by_text(line: str) -> bool:
    """Return whether text follows `On ..., A <address> wrote:` on the same line, as in Yahoo's."""
    head, colon, _ = line[:ATTRIBUTION_MAX].partition(":  ")
    return bool(colon) and _is_attribution([*head.casefold().split(), ":"])


def _opens_attribution(words: list[str], following: list[str]) -> bool:
    """Return whether the line is a wrapped `On Monday`, and not an order above the heading."""
    return words[0] in ATTRIBUTION_OPENERS and following[0] not in ATTRIBUTION_OPENERS


def _is_attribution(words: list[str]) -> bool:
    verb = any(word.rstrip(":,") in ATTRIBUTION_VERBS for word in words)
    address = any("@" in word for word in words)
    number = any(word.lstrip("[(")[:1].isdigit() for word in words)
    timed = number and TIME.search(" ".join(words)) is not None
    return (verb and (words[0] in ATTRIBUTION_OPENERS or address or timed)) or (
        address and number and words[-1].endswith(CLOSED_BY)
    )


CLOSINGS = ("ENDPRESS", "ENDBROADCAST")
NOTES = ("DIARY", "DIARY RECORD", "STATEMENT", "EOG")
NOTES_END = ("ENDDIARY", "ENDSTATEMENT", "ENDEOG")
OPENS = re.compile(
    r"\s*(?:(?:PREVIEW|POSTAL|GREY|GRAY|ANONYMOUS|UNSIGNED|WHITE|SIGNED)\s+)*(?:PRESS|BROADCAST)\b"
    r"(?P<plainly>\s*(?:$|[:-]|(?:TO|FROM|FAKE|GR[EA]Y|WHITE|QUIET)\b))?",
    re.IGNORECASE,
)
MAY_OPEN = re.compile(r"\s*(?:\S+\s+){0,2}(?:PRESS|BROADCAST)\b", re.IGNORECASE)


SPACED_MAX = 60  # characters of a closing line, however it is spaced


def ends_press(line: str) -> bool:
    """Return whether *line* is ENDPRESS, however it is spaced."""
    return _squashed(line) in CLOSINGS


def signs_off(line: str) -> bool:
    """Return whether *line* is SIGNOFF, however it is spaced, which also ends a block of press."""
    return _squashed(line) == "SIGNOFF"


def _squashed(line: str) -> str:
    """Return *line* in capitals without spaces; empty if it is longer than any closing line."""
    written = line.strip()
    return "".join(written.upper().split()).strip(".") if len(written) <= SPACED_MAX else ""


def lines_in_press(lines: Sequence[str], old: Sequence[bool]) -> list[bool]:
    """Return for each of *lines* whether it is in a block of press or notes that the sender typed.

    The first line of a block is not *old*; quoted lines in it belong to it, also below what looks
    like the heading of an email, unless another block is quoted there. With ENDPRESS below, a line
    that begins with PRESS always opens a block, unless a clearer opening follows.
    """
    inside = [False] * len(lines)
    start = None
    for i, line in enumerate(lines):
        if old[i] and (start is None or line.lstrip().startswith(MARKS)):
            continue
        if old[i] and OPENS.match(line):
            start = None
            continue
        word = line.strip(" .:").upper()
        if ends_press(line) or "".join(word.split()) in NOTES_END:
            if start is not None:
                inside[start : i + 1] = [True] * (i + 1 - start)
            start = None
        elif word in NOTES:
            start = i
        elif found := OPENS.match(line):
            start = i if start is None or found["plainly"] else start
    return inside


def signature_begins(lines: Sequence[str]) -> int:
    """Return the index of the first line of the signature; one inside press does not count."""
    closes = [ends_press(line) for line in lines]
    last = max((i for i, closing in enumerate(closes) if closing), default=-1)
    inside = False
    for i, line in enumerate(lines):
        if closes[i]:
            inside = False
        elif i < last and MAY_OPEN.match(line):
            inside = True
        elif not inside and opens_signature(line):
            return i
    return len(lines)


DELIMITERS = ("--", "—", "–")
BEFORE_MARK = " \t-\u2013\u2014|*_(["
CAPITAL = re.compile(
    rf"(?<=\S)[{re.escape(BEFORE_MARK)}]*\s[{re.escape(BEFORE_MARK)}]*(?=[^\W\d_a-z][a-z\u00e9])"
)
MARKED_MAX = 300  # where a phone's mark may begin in a line, in characters
WORDS_MAX = 12  # `Sent from my iPhone` and the like; a longer line is a sentence of the sender.


def opens_signature(line: str) -> bool:
    """Return whether *line* begins a signature, a client mark or a company's notice."""
    written = line.strip()
    start = written[:100].casefold().lstrip("*_ ")
    if written in DELIMITERS or start.startswith(NOTICE_STARTS):
        return True
    return _is_client_mark(written) and client_mark_after(written) == len(written)


def _is_client_mark(written: str) -> bool:
    start = written[:100].casefold().lstrip("*_ ")
    words = [word.strip(".*_()") for word in written[:500].casefold().split(maxsplit=WORDS_MAX)]
    if not words or len(words) > WORDS_MAX:
        return False
    return start.startswith(SIGNATURE_STARTS) or _names_its_mailer(words)


def client_mark_after(line: str) -> int:
    """Return the offset of a client mark after other words in *line*; its end if there is none.

    `A Par-Bur Sent from my iPhone` is what some clients leave of a one-line email.
    """
    starts = (found.start() for found in CAPITAL.finditer(line[:MARKED_MAX]))
    marks = (at for at in starts if _begins_mark(line[at:].lstrip(BEFORE_MARK)))
    return next(marks, len(line))


def _begins_mark(text: str) -> bool:
    start = text[:100].casefold()
    sent = start.startswith(SIGNATURE_STARTS) or start.split()[0] in SENT
    return sent and _is_client_mark(text)


def _names_its_mailer(words: Sequence[str]) -> bool:
    line = " ".join(words)
    return not SENT.isdisjoint((words[0], words[-1])) and any(each in line for each in MAILERS)


# `On Monday ... wrote:`: how such a line begins, and its verb.
ATTRIBUTION_OPENERS = frozenset(
    split_phrases("on | am | le | el | il | em | op | den | dnia | w | dne | la | pe | в")
)
ATTRIBUTION_VERBS = frozenset(
    split_phrases("""
        wrote | writes | schrieb | geschrieben | écrit | ecrit | escribió | escribio | scritto
        scrive
        escreveu | schreef | geschreven | skrev | napisał | napisała | napisał(a) | napisał/a
        napisana | pisze | napsal | napsal(a)
        napísal | kirjoitti | написал | написал(а) | пишет | написав | scris | yazdı
    """)
)

# A rule with words: `-----Original Message-----`.
SEPARATORS = split_phrases("""
    original message | original-message | reply message | forwarded message
    ursprüngliche nachricht | original-nachricht | originalnachricht
    weitergeleitete nachricht | message d'origine | message d’origine | message original
    message transféré | mensaje original | mensaje reenviado | messaggio originale
    messaggio inoltrato | mensagem original | mensagem encaminhada
    oorspronkelijk bericht | doorgestuurd bericht | ursprungligt meddelande
    originalmeddelande | oprindelig meddelelse | opprinnelig melding
    oryginalna wiadomość | wiadomość oryginalna | przekazana wiadomość
    wiadomość przekazana | vidarebefordrat meddelande | videresendt meddelelse
    videresendt melding | přeposlaná zpráva | välitetty viesti | переадресованное сообщение
    původní zpráva | alkuperäinen viesti
    исходное сообщение | пересылаемое сообщение
    """)

# The header of an old email, where it holds no address.
FIELD_NAMES = frozenset(
    split_phrases("""
        from | von | de | sent | gesendet | envoyé | date | datum | to | an | à
        subject | betreff | objet
    """)
)

# The mark of a phone or mailer begins or ends with a word for sending or getting it, and names the
# program.
SENT = frozenset(
    split_phrases("""
        sent | gesendet | verschickt | envoyé | enviado | enviada | inviato | inviata | verzonden
        verstuurd | wysłane | wysłano | wysłana | skickat | sendt | odesláno | lähetetty
        отправлено | послано | gönderildi | get | download | downloaden | beziehen
        herunterladen | télécharger | obtenir | obtener | scarica | pobierz | obter | skaffa
        hämta | hent | получить | скачать
    """)
)
# and names what by.
MAILERS = split_phrases("""
    iphone | ipad | android | galaxy | samsung | xperia | huawei | xiaomi | redmi | blackberry
    windows phone | windows mail | mail for windows | mail für windows | outlook | yahoo mail
    yahoo почты | aol mail | gmail | gmx mail | web.de mail | mail.ru | yandex | proton | tutanota
    fastmail | zoho | mailspring | thunderbird | k-9 mail | fairemail | bluemail | airmail
    smartphone
""")
# Some are known by their beginning.
SIGNATURE_STARTS = split_phrases("""
    sent from my | sent from the all | sent via | sent with spark | sent from hey
    von meinem | diese nachricht wurde von meinem
    envoyé de mon | envoyé depuis | envoyé à partir de | enviado desde mi | enviado do meu
    enviado de mi | inviato da | verzonden vanaf | verstuurd vanaf | skickat från min
    sendt fra min | wysłane z | wysłano z | odesláno z | отправлено с
""")
NOTICE_STARTS = split_phrases("""
    confidentiality notice | disclaimer: | this e-mail and any | this email and any
    this message and any attach | this e-mail may contain | this email may contain
    this message may contain | this e-mail is confidential | this email is confidential
    this email has been checked for viruses | virus-free. | virenfrei. | diese e-mail enthält
    diese nachricht ist vertraulich | ce message est confidentiel | ce message et toutes
    este mensaje es confidencial | este mensaje y | questo messaggio è riservato
    dit bericht is vertrouwelijk | ta wiadomość jest poufna | esta mensagem é confidencial
    detta meddelande är konfidentiellt | это сообщение конфиденциально
    this message is confidential | the information contained in this
""")
