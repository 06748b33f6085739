"""A mail server that records every byte it receives, and replies from a script."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

END = b"\r\n.\r\n"


@dataclass
class ScriptedMailServer:
    """The received bytes; *answer* gives replies other than 250 for command lines."""

    answer: Callable[[bytes], bytes | None] = lambda _line: None
    keeps: bool = True  # what it takes
    port: int = 0
    connections: int = 0
    mails: list[bytes] = field(default_factory=list)  # as they were on the wire, with all dots
    recipients: list[str] = field(default_factory=list)  # of the emails
    said: list[bytes] = field(default_factory=list)

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speak with one client until it goes."""
        self.connections += 1
        writer.write(b"220 wire\r\n")
        recipient = ""
        while line := await _line(reader):
            if self.keeps:
                self.said.append(line)
            word = line[:4].upper()
            answer = self.answer(line) or {b"DATA": b"354 go on", b"QUIT": b"221 bye"}.get(word)
            if word == b"RCPT":
                recipient = line.partition(b"<")[2].partition(b">")[0].decode()
            writer.write((answer or b"250 fine") + b"\r\n")
            if word == b"DATA" and (answer or b"").startswith(b"354"):
                mail = (await reader.readuntil(END))[: -len(END)] + b"\r\n"
                verdict = self.answer(b"END " + recipient.encode()) or b"250 taken"
                if self.keeps and verdict.startswith(b"250"):
                    self.mails.append(mail)
                    self.recipients.append(recipient)
                writer.write(verdict + b"\r\n")
                answer = verdict
            if (answer or b"")[:3] in (b"221", b"421"):
                break
        writer.close()


async def _line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except ConnectionError:
        return b""


def scripted(answers: Mapping[bytes, list[bytes]]) -> Callable[[bytes], bytes | None]:
    """Reply to a line that begins with a key by its replies in turn; then as usual."""

    def answer(line: bytes) -> bytes | None:
        for start, waiting in answers.items():
            if line.startswith(start) and waiting:
                return waiting.pop(0)
        return None

    return answer


@asynccontextmanager
async def listening(
    answer: Callable[[bytes], bytes | None] = lambda _: None,
) -> AsyncIterator[ScriptedMailServer]:
    """Run one in this event loop until the end of the block."""
    wire = ScriptedMailServer(answer)
    server = await asyncio.start_server(wire.converse, "127.0.0.1", 0, limit=2**24)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()
        await asyncio.sleep(0)
