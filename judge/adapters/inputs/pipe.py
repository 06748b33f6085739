"""`judge receive` takes one email from a pipe and hands it to the daemon over its Unix socket.

A mail server starts this for every email, so it imports only the minimum: no command-line library,
no settings. It speaks LMTP (RFC 2033) and ends with the exit codes of BSD's sysexits. A failure
that is not the email's fault is 75, and the mail server keeps the email.
"""

from __future__ import annotations

import os
import sys
from _socket import AF_UNIX, SOCK_STREAM, socket  # `socket` itself takes 15 ms to import

OK, USAGE, BAD_MAIL, NO_USER, REFUSED, TRY_LATER = 0, 64, 65, 67, 69, 75
MAIL_BYTES_MAX = 50_000_000  # The daemon's own limit is no higher, and its reply names it.
ANSWER_SECONDS = 120
SOCKET = "JUDGE_SOCKET"
LATER, NEVER = 400, 500  # Replies from here on are refusals, RFC 5321 4.2.1.
NEVER_BECAUSE = {550: NO_USER, 553: NO_USER, 552: BAD_MAIL, 501: BAD_MAIL, 500: BAD_MAIL}


class _UsageError(Exception):
    """The command line is wrong."""


def main(words: list[str]) -> int:
    """Run the command with *words*, its arguments, and return its exit code."""
    try:
        path, sender, recipients = _read_command(words)
    except _UsageError as error:
        return _ends(USAGE, str(error))
    raw = sys.stdin.buffer.read(MAIL_BYTES_MAX + 1)
    if len(raw) > MAIL_BYTES_MAX:
        return _ends(BAD_MAIL, "the mail is too large")
    try:
        return _hand_over(path, sender, recipients, raw)
    except (OSError, EOFError) as error:
        return _ends(TRY_LATER, f"no judge at {path}: {error}")


def _read_command(words: list[str]) -> tuple[str, str, list[str]]:
    options = {"--socket": os.environ.get(SOCKET, ""), "--sender": ""}
    rest = list(words)
    while rest and rest[0].startswith("--"):
        name, has_value, value = rest.pop(0).partition("=")
        if name == "--":
            break
        if name not in options or not (has_value or rest):
            raise _UsageError(f"{name} is not an option, or has no value")
        options[name] = value if has_value else rest.pop(0)
    if not options["--socket"]:
        raise _UsageError("name the socket of the judge: --socket PATH")
    if not rest:
        raise _UsageError("name at least one recipient")
    sender = options["--sender"]
    if any(not each.isprintable() or set(each) & set("<> ") for each in (sender, *rest)):
        raise _UsageError("an address has a space, < or >, or a control character")
    return options["--socket"], sender, rest


def _hand_over(path: str, sender: str, recipients: list[str], raw: bytes) -> int:
    connection = socket(AF_UNIX, SOCK_STREAM)
    try:
        connection.settimeout(ANSWER_SECONDS)
        connection.connect(path)
        smtp = _Conversation(connection)
        smtp.reply()
        smtp.command(b"LHLO pipe")
        answer = smtp.command(b"MAIL FROM:<%b> SIZE=%d" % (sender.encode(), len(raw)))
        if answer >= LATER:
            return _exit_code(answer)
        answers = [smtp.command(b"RCPT TO:<%b>" % each.encode()) for each in recipients]
        if min(answers) >= LATER:
            return max(map(_exit_code, answers))
        accepted = sum(each < LATER for each in answers)
        answers += [smtp.command(b"DATA")]
        smtp.send(_smtp_data(raw))
        answers += [smtp.reply() for _ in range(accepted)]
        return max(map(_exit_code, answers))
    finally:
        connection.close()


def _exit_code(answer: int) -> int:
    """Translate the highest of the reply codes, so "later" precedes "never"."""
    if answer < LATER:
        return OK
    return TRY_LATER if answer < NEVER else NEVER_BECAUSE.get(answer, REFUSED)


def _smtp_data(raw: bytes) -> bytes:
    lines = raw.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n")
    stuffed = (b"." + line if line.startswith(b".") else line for line in lines)
    return b"\r\n".join([*stuffed, b".", b""])


class _Conversation:
    """A conversation: sends lines, and reads the codes of the replies."""

    def __init__(self, connection: socket) -> None:
        self._connection = connection
        self._unread = b""

    def send(self, text: bytes) -> None:
        self._connection.sendall(text)

    def command(self, line: bytes) -> int:
        self.send(line + b"\r\n")
        return self.reply()

    def reply(self) -> int:
        while True:
            line = self._line()
            if line[3:4] != b"-":
                return int(line[:3])

    def _line(self) -> bytes:
        while b"\n" not in self._unread:
            received = self._connection.recv(4096)
            if not received:
                raise EOFError("it hung up")
            self._unread += received
        line, _, self._unread = self._unread.partition(b"\n")
        return line


def _ends(code: int, why: str) -> int:
    sys.stderr.write(f"judge receive: {why}\n")
    return code
