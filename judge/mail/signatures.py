"""Find the signature of an email, the mark of its mail program and a company's notice."""

# ruff: noqa: RUF001 - some of the languages are written in Cyrillic

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.mail.headers import split_phrases
from judge.mail.quotes import MAY_OPEN, ends_press


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
    words = written[:500].casefold().split(maxsplit=WORDS_MAX)
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
    if SENT.isdisjoint(word.strip(".*_()") for word in (words[0], words[-1])):
        return False
    line = " ".join(word.strip(".*_()") for word in words)
    return any(each in line for each in MAILERS)


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
    sent from my | sent from the all | sent via | sent with spark | sent with spike | sent from hey
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
