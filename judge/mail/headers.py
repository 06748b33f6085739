"""Read header fields and addresses: names, dates, recipients, signs of automatic mail (RFC 3834).

These functions run where mail is received, and must be fast: they read only the header, without
parsing it.
"""

from __future__ import annotations

import codecs
import hmac
import json
import quopri
import re
from base64 import b32encode, b64decode
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime
from enum import Enum
from hashlib import sha256
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase

# Charsets of languages. Python also has codecs that decompress or convert (zlib, rot13), and slow
# ones (punycode, idna, unicode_escape).
CHARSET = re.compile(r"(ascii|utf|iso|cp|koi8|gb|big5|euc|shift|mac|tis|hz|johab)[a-z0-9_-]*")
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
WESTERN = ("ascii", "iso8859-1")  # Text labelled so is often Windows-1252 (WHATWG Encoding 4.2).


def decode(raw: bytes, declared: str | None) -> str:
    """Read *raw* as *declared*, else as UTF-8, else as Windows-1252, else byte by byte."""
    for mark, charset in BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(charset, "replace")
    for charset in (_codec_name(declared), "utf-8", "cp1252"):
        try:
            return raw.decode(charset)
        except UnicodeError:
            continue
    return raw.decode("latin-1")


def _codec_name(declared: str | None) -> str:
    """Return Python's name of a charset; UTF-8 if it is missing or known to be wrong."""
    try:
        name = codecs.lookup(declared or "").name
    except (LookupError, ValueError):
        return "utf-8"
    return name if CHARSET.fullmatch(name) and name not in WESTERN else "utf-8"


# C0 and C1 controls but tab and newline; soft hyphen, zero width space, word joiner and byte order
# mark; controls of the writing direction (Unicode Bidirectional Algorithm 2); interlinear marks;
# surrogates; tags. The joiners U+200C and U+200D stay: Persian needs them.
UNSEEN_SIGNS = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f"
)
LINE_END_SIGNS = "\r\x0b\x0c\x85\u2028\u2029"
LINE_ENDS = re.compile(f"[{LINE_END_SIGNS}]")
SPACE_SIGNS = "\xa0\u2000-\u200a\u202f\u205f\u3000"
SPACES = re.compile(f"[{SPACE_SIGNS}]")
FULL_WIDTH_SIGNS = "\uff01-\uff5e"
FULL_WIDTH = re.compile(f"[{FULL_WIDTH_SIGNS}]")
TO_ASCII = -0xFEE0  # from full-width letters, as in NFKC
PLAIN = bytes(range(32, 127)) + b"\t\n"
UNCLEAN = re.compile(f"[{UNSEEN_SIGNS}{LINE_END_SIGNS}{SPACE_SIGNS}{FULL_WIDTH_SIGNS}]")


def clean_text(text: str) -> str:
    """Return *text* with uniform line ends, spaces and widths, without invisible characters."""
    text = text.replace("\r\n", "\n")
    odd = text.encode("utf-8", "surrogatepass").translate(None, PLAIN)
    for sign in {*UNCLEAN.findall(odd.decode("utf-8", "surrogatepass"))}:
        text = text.replace(sign, _cleaned(sign))
    return text


def _cleaned(sign: str) -> str:
    if SPACES.match(sign):
        return " "
    if LINE_ENDS.match(sign):
        return "\n"
    return chr(ord(sign) + TO_ASCII) if FULL_WIDTH.match(sign) else ""


def one_line(text: str, length_max: int) -> str:
    """Return *text* as a single clean line, cut at *length_max* characters."""
    return " ".join(clean_text(text).split())[:length_max].rstrip()


SIGNATURE = "-- "  # Ends in a space without a continuation (RFC 3676 4.3).


def unflow(text: str, *, delete_space: bool) -> str:
    """Join the broken lines of *text*; *delete_space* (DelSp) is for scripts without spaces."""
    paragraphs: list[list[str]] = []
    continued, depth_before = False, 0
    for line in LINE_ENDS.sub("\n", text.replace("\r\n", "\n")).split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        broken = content.endswith(" ") and content != SIGNATURE
        if not continued or depth != depth_before or content == SIGNATURE:
            paragraphs.append([">" * depth + " "] if depth else [])
        paragraphs[-1].append(content[:-1] if broken and delete_space else content)
        continued, depth_before = broken, depth
    return "\n".join("".join(parts) for parts in paragraphs)


def split_phrases(table: str) -> tuple[str, ...]:
    """Split a *table* of phrases: one a line, or several with `|` between them."""
    return tuple(
        phrase.strip() for line in table.strip().split("\n") for phrase in line.split("|")
    )


MAILBOX_MAX = 1_000
LOCAL_BYTES_MAX, DOMAIN_BYTES_MAX = 64, 255  # RFC 5321 4.5.3.1
TOKEN_BYTES = 10  # 80 bits: beyond guessing by mail, and 16 letters of base32.
TOKEN_LETTERS = 16
TOKEN = re.compile(r"[a-z2-7]{16}")
TAG = re.compile(r"[ \t]?\[#[a-z2-7]{16}\]", re.IGNORECASE)
TAG_IN_SUBJECT = re.compile(r"\[#([\w.:/-]{1,64})\]")
# A subject of ours: `JUDG:lepanto - F1901M Results`.
GAME_IN_SUBJECT = re.compile(r"\b[A-Z][A-Z0-9]{1,7}:([a-z][a-z0-9-]{0,15})\b")
EXTENSION = (
    r"[\w.%+=-]{0,64}"  # Characters that may follow the delimiter in broken or encoded text.
)

# Our own grammar and not the library's, whose versions disagree on what forgers write
# (CVE-2023-27043): no quoted local part, domain literal, group or route.
PHRASE = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^()<>@,;:\\"\[\]])*')
ADDRESS = re.compile(
    r"(?P<local>[^\s()<>@,;:\\\".\[\]]+(?:\.[^\s()<>@,;:\\\".\[\]]+)*)"
    r"@(?P<domain>[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)*)"
)
LOCAL_PART_MAX = 64
LOCAL_PART_BACKWARD = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+")
DOMAIN = re.compile(r"[\w.-]{1,255}")
MARK_IN_LOCAL_PART = re.compile(r"[!#$%&'*/=?^`{|}~]+")
LISTED = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^",])+')  # One entry of a comma-separated list.
LIST_MAX = 8_000  # Characters of a To.
COMMENT = re.compile(  # `kaiser@player.test (Wilhelm)`, as old mailers write; nested without `@`
    r"^\([^()\\@]*\) ?| ?\((?:[^()\\]*|(?:[^()\\@]|\([^()\\@]*\))*)\)$"
)
FOLD_ASCII = str.maketrans(ascii_uppercase, ascii_lowercase)


def strict_mailbox(text: str) -> str | None:
    """Return the address if *text* names exactly one mailbox unambiguously."""
    text = text.strip()
    if len(text) > MAILBOX_MAX:
        return None
    text = COMMENT.sub("", text)
    if text.endswith(">"):
        phrase, opened, address = text[:-1].rpartition("<")
        return _checked(address) if opened and PHRASE.fullmatch(phrase) else None
    return _checked(text)


def mailboxes_in(fields: Iterable[str]) -> tuple[str, ...]:
    """Return the addresses in *fields* such as To.

    Text in a name, a comment or a group is not an address: `"judge@example.org" <a@b.example>`
    goes to `a@b.example` alone.
    """
    parts = (found[0] for field in fields for found in LISTED.finditer(field[:LIST_MAX]))
    found = (strict_mailbox(part) for part in parts)
    return tuple(address for address in found if address)


def addresses_in(text: str, at_signs_max: int = -1) -> frozenset[str]:
    """Return the addresses that stand anywhere in *text*, folded.

    What stands before an address without a space, as in `to=anna@example.org`, may belong to it or
    not, so both are returned. No more than *at_signs_max* are looked at, if that is not negative.
    """
    found = set()
    for before, after in pairwise(text.split("@", at_signs_max)):
        backward = LOCAL_PART_BACKWARD.match(before[: -LOCAL_PART_MAX - 1 : -1])
        domain = DOMAIN.match(after)
        if backward and domain:
            local, where = backward[0][::-1], domain[0].rstrip("._-")
            starts = (0, *(mark.end() for mark in MARK_IN_LOCAL_PART.finditer(local)))
            found |= {folded(f"{local[start:]}@{where}") for start in starts}
    return frozenset(found)


ADDRESSES_MAX, MORE_ADDRESSES = 500, "*"  # of an email
# Of whole lines, and of words in a header; patterns that begin with a letter are fast.
BASE64 = re.compile(rb"\n([A-Za-z0-9+/]{16,}(?:\r?\n[A-Za-z0-9+/]+)*)")
BASE64_WORD = re.compile(rb"\?[Bb]\?([A-Za-z0-9+/]{16,})")
IDENTIFIERS = re.compile(
    rb"\n(?:[Mm]essage-[Ii][Dd]|[Ii]n-[Rr]eply-[Tt]o|[Rr]eferences|[Cc]ontent-[Ii][Dd]):"
    rb".*(?:\n[ \t].*)*"
)
PART_NAMED = re.compile(rb"cid:[^\s\"'<>]+")
IN_LINKS = ((b"%40", b"@"), (b"&#64;", b"@"), (b"%2B", b"+"), (b"%2b", b"+"))


def addresses_in_email(raw: bytes) -> frozenset[str]:
    """Return the addresses in an email of any encoding, folded, without its identifiers.

    Also `MORE_ADDRESSES`, if there are too many to look at.
    """
    texts = (quopri.decodestring(IDENTIFIERS.sub(b"", b"\n" + raw)), *_from_base64(raw))
    read = [_in_clear(each) for each in texts if b"\0" not in each]
    found = addresses_in(" ".join(read), at_signs_max=ADDRESSES_MAX)
    more = sum(each.count("@") for each in read) > ADDRESSES_MAX
    return found | {MORE_ADDRESSES} if more else found


def _in_clear(text: bytes) -> str:
    for written, meant in IN_LINKS:
        text = text.replace(written, meant)
    return PART_NAMED.sub(b"", text).decode(errors="replace") if b"@" in text else ""


def _from_base64(raw: bytes) -> Iterator[bytes]:
    for lines in (*BASE64.findall(raw), *BASE64_WORD.findall(raw)):
        run = lines.replace(b"\r", b"").replace(b"\n", b"")
        yield b64decode(run[: len(run) - (len(run) % 4 == 1)] + b"==")


def same_mailbox(one: str, other: str) -> bool:
    """Compare two addresses, ignoring the case of ASCII letters only.

    Full case folding turns a Kelvin sign into `k` and a long s into `s`, which would let the owner
    of such an address pose as another player.
    """
    return folded(one) == folded(other)


def folded(address: str) -> str:
    """Return *address* in the form used to compare addresses."""
    return address.translate(FOLD_ASCII)


def wire_address(address: str) -> str:
    """Return *address* as servers without SMTPUTF8 take it, if only its domain is not ASCII.

    The domain is in A-labels then (RFC 5890).
    """
    local, _, domain = address.rpartition("@")
    if not local.isascii() or domain.isascii():
        return address
    try:
        return f"{local}@{domain.encode('idna').decode('ascii')}"
    except UnicodeError:
        return address


def token_text(  # noqa: PLR0913 - the values that a token is bound to
    key: bytes,
    *,
    purpose: str,
    game: str | None,
    power: str | None,
    person: str,
    phase: str | None,
    subject: str | None,
    key_version: int,
) -> str:
    """Return the token for these values, which cannot be forged without *key*."""
    meaning = json.dumps([purpose, game, power, person, phase, subject, key_version])
    digest = hmac.digest(key, meaning.encode(), sha256)
    return b32encode(digest[:TOKEN_BYTES]).decode().lower()


def address_with(token: str, own_address: str, delimiter: str = "+") -> str:
    """Return our address with *token* after the delimiter; bare if there is no delimiter."""
    if not delimiter:
        return own_address
    local, _, domain = own_address.rpartition("@")
    return f"{local}{delimiter}{token}@{domain}"


def token_of(recipient: str, own_address: str, delimiter: str = "+") -> str | None:
    """Return the token in *recipient*, in lower case; None if it is not ours or has none."""
    extension = _extension(recipient, own_address, delimiter)
    return extension if extension and TOKEN.fullmatch(extension) else None


def token_digest(token: str) -> str:
    """Return the digest by which the store finds *token*, in any case of its letters."""
    return sha256(token.casefold().encode()).hexdigest()


def tag_in_subject(subject: str) -> str | None:
    """Return the text in `[#...]`."""
    found = TAG_IN_SUBJECT.search(subject)
    return found[1] if found else None


def is_ours(recipient: str, own_address: str, delimiter: str = "+") -> bool:
    """Return whether *recipient* is our address, with any text after the delimiter."""
    return _extension(recipient, own_address, delimiter) is not None


def scrub(text: str, own_address: str, delimiter: str = "+") -> str:
    """Reduce our addresses in *text* to the bare one, since a token gives access.

    Tags in subjects that represent tokens are removed too.
    """
    text = TAG.sub("", text)
    if not delimiter:
        return text
    local, _, domain = own_address.rpartition("@")
    either = f"(?:{re.escape(delimiter)}|%{ord(delimiter[0]):02x})"
    ours = rf"{re.escape(local)}{either}{EXTENSION}(?:@|%40){re.escape(domain)}"
    return re.sub(ours, lambda _: own_address, text, flags=re.IGNORECASE)


def _checked(address: str) -> str | None:
    found = ADDRESS.fullmatch(address)
    if found is None or not address.isprintable() or "\ufffd" in address:
        return None
    fits = (
        len(found["local"].encode()) <= LOCAL_BYTES_MAX
        and len(found["domain"].encode()) <= DOMAIN_BYTES_MAX
    )
    return address if fits else None


def _extension(recipient: str, own_address: str, delimiter: str) -> str | None:
    own_local, _, own_domain = folded(own_address).rpartition("@")
    local, _, domain = folded(recipient).rpartition("@")
    if domain != own_domain:
        return None
    if local == own_local:
        return ""
    start = own_local + delimiter
    return local.removeprefix(start) if delimiter and local.startswith(start) else None


SUBJECT_RAW_MAX = 2_000  # Decoding tries every `=?` against the rest, so that must be short.
SUBJECT_MAX = 500
DATE_MAX = 100
MESSAGE_ID = re.compile(r"<[^<>\s]{1,500}>")
AROUND_ADDRESSES = re.compile(r"[\s,;:<>()\"]+")
RECIPIENTS_MAX = 50
ANSWERS_MAX = 50  # Threads list all earlier emails; ours is among the latest.


@dataclass(frozen=True, slots=True)
class Headers:
    """Header fields in order, with names in lower case."""

    fields: tuple[tuple[str, str], ...]

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of the field *name*."""
        return tuple(value for field, value in self.fields if field == name)

    def first(self, name: str) -> str:
        """Return the first value of the field *name*; empty if there is none."""
        return next(iter(self.all(name)), "")


def headers_of(message: Message) -> Headers:
    """Read the fields of *message*; bytes that are not ASCII are UTF-8 (RFC 6532), or replaced."""
    return Headers(tuple((name.lower(), _unfolded(value)) for name, value in message.raw_items()))


def subject_of(headers: Headers) -> str:
    """Return the subject as shown: decoded (RFC 2047), on one line, capped."""
    return _decoded(headers.first("subject")[:SUBJECT_RAW_MAX])


def _decoded(raw: str) -> str:
    try:
        words = decode_header(raw)
    except HeaderParseError:  # Show a broken encoded word as it came.
        return one_line(raw, SUBJECT_MAX)
    return one_line("".join(_word(word, charset) for word, charset in words), SUBJECT_MAX)


def name_of(headers: Headers) -> str:
    """Return the display name of the first From; empty if it is only an address."""
    raw = headers.first("from")[:SUBJECT_RAW_MAX]
    before, _, _ = raw.rpartition("<")
    _, _, comment = raw.partition("(")
    return _decoded(before or comment.rpartition(")")[0]).strip(' "')


def message_id_of(headers: Headers) -> str | None:
    """Return the Message-ID with its angle brackets."""
    found = MESSAGE_ID.search(headers.first("message-id"))
    return found[0] if found else None


def answers_of(headers: Headers) -> tuple[str, ...]:
    """Return the Message-IDs that this email replies to, the latest first."""
    replied = MESSAGE_ID.findall(headers.first("in-reply-to"))
    thread = MESSAGE_ID.findall(headers.first("references"))
    return tuple(dict.fromkeys([*replied, *reversed(thread)]))[:ANSWERS_MAX]


def recipients_of(headers: Headers) -> tuple[str, ...]:
    """Return the first addresses in To and Cc."""
    written = " ".join([*headers.all("to"), *headers.all("cc")])
    words = [word for word in AROUND_ADDRESSES.split(written) if "@" in word]
    addresses = (strict_mailbox(word) for word in words[:RECIPIENTS_MAX])
    return tuple(address for address in addresses if address)


def date_of(headers: Headers) -> datetime | None:
    """Return the Date in UTC; it comes from the sender's clock, so no decision depends on it."""
    try:
        date = parsedate_to_datetime(headers.first("date")[:DATE_MAX])
        return date.replace(tzinfo=date.tzinfo or UTC).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _unfolded(value: object) -> str:
    raw = str(value).encode("utf-8", "surrogateescape")
    return " ".join(raw.decode("utf-8", "replace").split())


def _word(word: bytes | str, charset: str | None) -> str:
    if isinstance(word, str):
        return word
    return decode(word, charset) if charset else word.decode("raw-unicode-escape", "replace")


HEADER_BYTES_MAX = 65_536
FIELD_MAX = 4_096
RECEIVED_DATE_MAX = 100
END_OF_HEADER = re.compile(rb"(?:\A|\r?\n)\r?\n")
DELIVERED = ("delivered-to", "x-original-to", "envelope-to")  # The first one written by a server.
AROUND_RECIPIENTS = re.compile(r"[\s,;:<>()\"]+")
HEADER_COMMENT = re.compile(r"\([^()]*\)")
WORDS_MAX = 200


def received_at(raw: bytes, host: str) -> datetime | None:
    """Return when *host* received the email, in UTC, if the topmost Received is from *host*.

    Lower ones prove nothing: the sender may have written them.
    """
    field = next(iter(_header_fields(_header_bytes(raw), "received")), "")
    path, _, date = HEADER_COMMENT.sub(" ", field).rpartition(";")
    words = path.lower().split()
    if ("by", host.lower()) not in pairwise(words):
        return None
    try:
        received = parsedate_to_datetime(date.strip()[:RECEIVED_DATE_MAX])
        return received.astimezone(UTC) if received.tzinfo else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def game_named(raw: bytes) -> str | None:
    """Return the game that the subject names as ours do, also in a reply."""
    found = GAME_IN_SUBJECT.search(_subject(raw))
    return found[1] if found else None


def token_named(raw: bytes, recipient: str) -> str:
    """Return what may be the token of an email, in its subject or the address *recipient*."""
    return tag_in_subject(_subject(raw)) or recipient.partition("@")[0][-TOKEN_LETTERS:]


def _subject(raw: bytes) -> str:
    return next(iter(_header_fields(_header_bytes(raw), "subject")), "")


def envelope_sender(raw: bytes) -> str | None:
    """Return the topmost Return-Path; empty for a bounce, None if there is none."""
    found = next(iter(_header_fields(_header_bytes(raw), "return-path")), None)
    return None if found is None else found.strip().strip("<>").strip()


def addressees(raw: bytes) -> tuple[str, ...]:
    """Return the delivery addresses of the email, or else every address in To and Cc."""
    header = _header_bytes(raw)
    for name in DELIVERED:
        delivered = _header_fields(header, name)
        if delivered:
            return _addresses(delivered[0])
    return visible_addressees(raw)


def visible_addressees(raw: bytes) -> tuple[str, ...]:
    """Return every address in To and Cc."""
    header = _header_bytes(raw)
    return _addresses(" ".join([*_header_fields(header, "to"), *_header_fields(header, "cc")]))


def _header_bytes(raw: bytes) -> bytes:
    start = raw[:HEADER_BYTES_MAX]
    end = END_OF_HEADER.search(start)
    return start[: end.start()] if end else start


def _header_fields(header: bytes, name: str) -> list[str]:
    pattern = rb"^%b:([^\n]*(?:\n[ \t][^\n]*)*)" % re.escape(name).encode()
    found = re.findall(pattern, header, re.IGNORECASE | re.MULTILINE)
    return [" ".join(each[:FIELD_MAX].decode("utf-8", "replace").split()) for each in found]


def _addresses(text: str) -> tuple[str, ...]:
    words = AROUND_RECIPIENTS.split(text)[:WORDS_MAX]
    return tuple(dict.fromkeys(word for word in words if "@" in word))


LOOP_HEADER = "X-Judge-Loop"  # In every email of ours; one that comes back with it is a loop.
REPORTS = ("multipart/report", "message/delivery-status", "message/disposition-notification")
# Methods of replies to an invitation (RFC 5546).
CALENDAR_ANSWERS = ("reply", "counter", "declinecounter")
BULK = ("bulk", "junk", "list", "auto_reply")
RESPONDERS = (
    *("x-autoreply", "x-auto-reply", "x-autoreply-from", "x-auto-reply-from", "x-mail-autoreply"),
    *("x-autorespond", "x-autoresponder", "x-autoresponse", "x-autogenerated", "x-vacation"),
    *("x-fc-machinegenerated", "x-post-messageclass", "x-ms-exchange-generated-message-source"),
    *("mailing-list", "x-loop"),
)
MACHINES = ("mailer-daemon", "postmaster", "no-reply", "noreply", "do-not-reply", "donotreply")


class Automatic(Enum):
    """The reason not to read an email for orders (decisions.md, Identity)."""

    NULL_SENDER = "null_sender"
    REPORT = "report"
    AUTO_SUBMITTED = "auto_submitted"
    CALENDAR = "calendar"
    OWN_MAIL = "own_mail"


def why_automatic(
    headers: Headers, envelope_sender: str | None, calendar_methods: Collection[str] = ()
) -> Automatic | None:
    """Return why the email was not written by hand, None if it may have been.

    *envelope_sender* is empty for a bounce; None means unknown, and Return-Path is read instead.
    """
    if envelope_sender is None:
        envelope_sender = headers.first("return-path") or "unknown"
    if headers.all(LOOP_HEADER.lower()):
        return Automatic.OWN_MAIL
    if envelope_sender.strip() in ("", "<>"):
        return Automatic.NULL_SENDER
    if headers.first("content-type").lower().startswith(REPORTS):
        return Automatic.REPORT
    if any(_keyword(value) != "no" for value in headers.all("auto-submitted")):
        return Automatic.AUTO_SUBMITTED
    if any(method.lower() in CALENDAR_ANSWERS for method in calendar_methods):
        return Automatic.CALENDAR
    return None


def answerable(headers: Headers) -> bool:
    """Return whether a stranger may get a reply to this email; known players always do."""
    if any(name.startswith("list-") or name in RESPONDERS for name, _ in headers.fields):
        return False
    if any(_keyword(value) in BULK for value in headers.all("precedence")):
        return False
    if any(_keyword(value) != "none" for value in headers.all("x-auto-response-suppress")):
        return False
    sender = strict_mailbox(headers.first("from"))
    return sender is not None and not sender.lower().startswith(MACHINES)


def _keyword(value: str) -> str:
    """Return the word before any parameter or comment: `no` of `no; because=...`."""
    words = value.replace(";", " ").replace("(", " ").lower().split()
    return words[0] if words else ""
