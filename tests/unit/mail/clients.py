"""Emails in the forms of common mail programs: new orders in reply to an email with old ones."""

from __future__ import annotations

from collections.abc import Callable
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

NEW = ("A PAR - BUR", "F BRE - MAO")
OLD = (":: Judge: TEST  Game: garnet", "France: Army Paris -> Picardy.", "A MAR H", "SET DRAW")
WITHOUT_HEAD = OLD[1:]  # As of an email that is not ours, so that nothing but its form marks it.

Client = Callable[[tuple[str, ...]], bytes]


def letter(body: str, content_type: str = "text/plain; charset=utf-8", *fields: str) -> bytes:
    """Make an email from France with *body* and more header *fields*."""
    head = (
        "From: Frank <france@player.test>",
        "To: judge+abcdefghijklmnop@judge.test",
        "Subject: Re: TEST:garnet - S1901M Results",
        "Message-ID: <1@player.test>",
        "Date: Tue, 03 Nov 2026 10:00:00 +0100",
        "MIME-Version: 1.0",
        f"Content-Type: {content_type}",
        *fields,
    )
    return ("\r\n".join(head) + "\r\n\r\n" + body.replace("\n", "\r\n")).encode()


def _lines(lines: tuple[str, ...], mark: str = "") -> str:
    return "".join(f"{mark}{line}\n" for line in lines)


def _html(lines: tuple[str, ...]) -> str:
    return "<br>".join(line.replace(">", "&gt;") for line in lines)


def _both(plain: str, html: str) -> bytes:
    mail = MIMEMultipart("alternative")
    mail["From"] = "Frank <france@player.test>"
    mail.attach(MIMEText(plain, "plain", "utf-8"))
    mail.attach(MIMEText(html, "html", "utf-8"))
    return mail.as_bytes()


def gmail(old: tuple[str, ...]) -> bytes:
    heading = (
        "On Tue, Nov 3, 2026 at 9:00 AM TEST judge <\njudge+abcdefghijklmnop@judge.test> wrote:"
    )
    plain = f"{_lines(NEW)}\n{heading}\n\n{_lines(old, '> ')}"
    html = (
        f'<div dir="ltr">{_html(NEW)}</div><br><div class="gmail_quote"><div class="gmail_attr">'
        f'On Tue wrote:<br></div><blockquote class="gmail_quote">{_html(old)}</blockquote></div>'
    )
    return _both(plain, html)


def gmail_german(old: tuple[str, ...]) -> bytes:
    heading = "Am Di., 3. Nov. 2026 um 09:00 Uhr schrieb TEST judge <\njudge@judge.test>:"
    return letter(f"{_lines(NEW)}\n{heading}\n\n{_lines(old, '> ')}")


def gmail_html_only(old: tuple[str, ...]) -> bytes:
    html = (
        f'<div dir="ltr">{_html(NEW)}</div><br><div class="gmail_quote"><div dir="ltr" '
        'class="gmail_attr">On Tue, TEST judge &lt;judge@judge.test&gt; wrote:<br></div>'
        f'<blockquote class="gmail_quote" style="margin:0">{_html(old)}</blockquote></div>'
    )
    return letter(html, "text/html; charset=utf-8")


def apple_mail(old: tuple[str, ...]) -> bytes:
    plain = (
        f"{_lines(NEW)}\n> On 3 Nov 2026, at 09:00, TEST judge <judge@judge.test> wrote:\n> \n"
        f"{_lines(old, '> ')}"
    )
    return letter(plain)


def apple_html_only(old: tuple[str, ...]) -> bytes:
    html = (
        f"<body>{_html(NEW)}<div><br><blockquote type=cite><div>On 3 Nov 2026, at 09:00, judge "
        f"wrote:</div><br><div>{_html(old)}</div></blockquote></div></body>"
    )
    return letter(html, "text/html; charset=utf-8")


def iphone(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\nSent from my iPhone\n\n> On 3 Nov 2026, at 09:00, TEST judge wrote:\n> \n"
        f"> \N{NO-BREAK SPACE}{old[0]}\n{_lines(old[1:], '> ')}"
    )


def outlook_desktop(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\n\nFrom: TEST judge <judge@judge.test>\nSent: Tuesday, November 3, 2026 "
        f"9:00 AM\nTo: Frank\nSubject: TEST:garnet - S1901M Results\n\n{_lines(old)}"
    )


def outlook_old(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\n\n-----Original Message-----\nFrom: TEST judge\nSent: Tuesday\n"
        f"To: Frank\nSubject: x\n\n{_lines(old)}"
    )


def outlook_prefixing(old: tuple[str, ...]) -> bytes:
    return letter(
        f"> -----Original Message-----\n> From: TEST judge\n{_lines(old, '> ')}\n{_lines(NEW)}"
    )


def outlook_german(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\n________________________________\nVon: TEST judge <judge@judge.test>\n"
        f"Gesendet: Dienstag, 3. November 2026 09:00\nAn: Frank\nBetreff: x\n\n{_lines(old)}"
    )


def outlook_french(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\nDe\N{NO-BREAK SPACE}: TEST judge\nEnvoyé\N{NO-BREAK SPACE}: mardi 3/11"
        f" 2026 09:00\nÀ\N{NO-BREAK SPACE}: Frank\nObjet\N{NO-BREAK SPACE}: x\n\n{_lines(old)}"
    )


def outlook_html(old: tuple[str, ...]) -> bytes:
    html = (
        "<html><head><style>p.x {margin:0}</style></head><body><div class=WordSection1>"
        + "".join(f"<p class=MsoNormal>{line}<o:p></o:p></p>" for line in NEW)
        + '<div style="border-top:solid #E1E1E1 1.0pt"><p class=MsoNormal><b>From:</b> TEST judge '
        "<br><b>Sent:</b> Tuesday, November 3, 2026 9:00 AM<br><b>To:</b> Frank<br>"
        f"<b>Subject:</b> x</p></div><p class=MsoNormal>{_html(old)}</p></div></body></html>"
    )
    return letter(html, "text/html; charset=utf-8")


def outlook_phone(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\nGet Outlook for iOS<https://aka.ms/o0ukef>\n"
        "________________________________\nFrom: TEST judge <judge@judge.test>\nSent: Tuesday, "
        f"November 3, 2026 9:00:00 AM\nTo: Frank\nSubject: x\n\n{_lines(old)}"
    )


def thunderbird(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\nOn 03.11.26 09:00, TEST judge wrote:\n{_lines(old, '> ')}\n-- \nFrank\n",
        "text/plain; charset=UTF-8; format=flowed",
    )


def thunderbird_below(old: tuple[str, ...]) -> bytes:
    return letter(
        f"On 03.11.26 09:00, TEST judge wrote:\n{_lines(old, '> ')}\n{_lines(NEW)}\n-- \nFrank\n"
    )


def thunderbird_html(old: tuple[str, ...]) -> bytes:
    html = (
        f"<p>{_html(NEW)}</p><div class='moz-cite-prefix'>On 03.11.26 09:00, TEST judge wrote:<br>"
        f"</div><blockquote type=cite cite='mid:1@x'><pre>{_lines(old)}</pre></blockquote>"
        "<p><br></p>"
    )
    return letter(html, "text/html; charset=utf-8")


def mutt_between(old: tuple[str, ...]) -> bytes:
    return letter(
        f"* TEST judge <judge@judge.test> [2026-11-03]:\n{_lines(old[:2], '> ')}\n{NEW[0]}\n\n"
        f"{_lines(old[2:], '> ')}\n{NEW[1]}\n"
    )


def yahoo(old: tuple[str, ...]) -> bytes:
    return letter(
        f" {NEW[0]}\n {NEW[1]}\n\n    On Tuesday, November 3, 2026 at 09:00:00 AM GMT+1, judge "
        f"<judge@judge.test> wrote:  \n \n {_lines(old, ' ')}"
    )


def yahoo_html_only(old: tuple[str, ...]) -> bytes:
    html = (
        f"<div>{_html(NEW)}</div><div id=yahoo_quoted_1 class='yahoo_quoted'><div>On Tuesday, "
        f"judge wrote:</div><div>{_html(old)}</div></div>"
    )
    return letter(html, "text/html; charset=utf-8")


def k9(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\nAm 3. November 2026 09:00:00 MEZ schrieb TEST judge <judge@judge.test>:\n"
        f"{_lines(old, '>')}\n-- \nDiese Nachricht wurde von meinem Android-Gerät gesendet.\n"
    )


def samsung(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\nVon meinem Galaxy gesendet\n\n-------- Ursprüngliche Nachricht --------\n"
        f"Von: TEST judge\nDatum: 03.11.26 09:00 (GMT+1)\nAn: Frank\nBetreff: x\n\n{_lines(old)}"
    )


def gmx(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\n\nGesendet: Dienstag, 3. November 2026 um 09:00 Uhr\nVon: TEST judge\n"
        f"An: Frank\nBetreff: x\n{_lines(old)}"
    )


def french(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\nLe mar. 3 nov. 2026 à 09:00, TEST judge <judge@judge.test> a\nécrit :\n\n"
        f"{_lines(old, '> ')}"
    )


def forwarded(old: tuple[str, ...]) -> bytes:
    return letter(
        f"{_lines(NEW)}\n---------- Forwarded message ---------\nFrom: TEST judge\n\n{_lines(old)}"
    )


CLIENTS: tuple[Client, ...] = (
    gmail,
    gmail_german,
    gmail_html_only,
    apple_mail,
    apple_html_only,
    iphone,
    outlook_desktop,
    outlook_old,
    outlook_prefixing,
    outlook_german,
    outlook_french,
    outlook_html,
    outlook_phone,
    thunderbird,
    thunderbird_below,
    thunderbird_html,
    mutt_between,
    yahoo,
    yahoo_html_only,
    k9,
    samsung,
    gmx,
    french,
    forwarded,
)
