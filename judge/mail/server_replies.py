"""Replies of mail servers: who caused a refusal, and which part of it may be logged.

Enhanced status codes are RFC 3463, with those of RFC 4954, 7293 and 7372. Many servers send none,
or a code that says less than its text, such as `550 5.0.0 relaying denied`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge.mail.headers import one_line

REPLY_CHARACTERS_MAX = 300
MASK = "[...]"
MAILBOX = re.compile(r"(?:\"[^\"]{0,64}\"|[^\s<>\"'(),;:\[\]]+)@[^\s<>\"'(),;\]]+")

# 530 to 538: no login, a wrong one, too weak a one, none without TLS (RFC 4954).
LOGIN_CODES = frozenset({530, 534, 535, 538})
STATUS = re.compile(r"(?<![\d.])[45]\.(\d{1,3}\.\d{1,3})(?![\d.])")
# X.7.Z is policy: of these two only the recipient can be meant (RFC 7293).
OWNER_CHANGED = frozenset({"7.17", "7.18"})
SENDER_STATUSES = frozenset({"1.7", "1.8"})  # a bad sender address, or its domain (RFC 3463)
RECIPIENT_STATUSES = frozenset({"1.1", "1.2", "1.3", "1.6", "1.10", "2.1", "2.2", "4.1"})
CLOSING_CODE = 421  # the server ends the session (RFC 5321)
PERMANENT = 500
POLICY_CODE = 554  # without a status: "Transaction failed" (RFC 5321), in practice policy
NO_SUCH_USER = re.compile(
    r"(?i)\b(?:no such|unknown|invalid|doesn't have|does not exist|not found|user|mailbox)\b"
)
ABOUT_US = re.compile(
    r"(?i)\brelay|\brcpthosts\b|authenticat|\bpolic(?:y|ies)\b|\bspam|\bblacklist|\bblock ?list|"
    r"\breputation\b|\b(?:dns|r)bl\b|\bsp(?:f|amhaus)\b|\bdkim\b|\bdmarc\b|\bnot verified\b|"
    r"\bsender (?:verif|address|domain)|\bclient (?:host|address)|\bip address\b|"
    r"\baccess denied\b|\bsending (?:limit|quota|rate)\b|\b(?:daily|hourly|rate) (?:limit|quota)\b"
)


def is_of_recipient(code: int, text: str) -> bool:
    """Return whether the reply *code* *text* to a recipient or an email is about these alone.

    If not, the server refuses the judge: it lacks a login, may not relay, or offends a policy.
    """
    status = STATUS.search(text)
    detail = status[1] if status else ""
    if code in (*LOGIN_CODES, CLOSING_CODE) or detail in SENDER_STATUSES:
        return False
    if code < PERMANENT:  # Greylisting is a 4.7.1, and X.3.Y the server's own state.
        return not detail.startswith("3.")
    if detail.startswith("7."):
        return detail in OWNER_CHANGED
    if detail in RECIPIENT_STATUSES:
        return True
    if ABOUT_US.search(text):
        return False
    return code != POLICY_CODE or bool(detail) or bool(NO_SUCH_USER.search(text))


def public_reply(text: str, secrets: Iterable[str] = ()) -> str:
    """Return the reply *text* on one line, without email addresses and *secrets*."""
    text = MAILBOX.sub(MASK, text)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        whole = rf"(?<!\w){re.escape(secret)}(?!\w)"
        text = re.sub(whole, MASK, text, flags=re.IGNORECASE)
    line = one_line(text, REPLY_CHARACTERS_MAX)
    return "".join(each if each.isprintable() else "?" for each in line)
