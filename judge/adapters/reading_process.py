"""Read the texts of emails in a child process with limits: orders, commands and prose.

The parts of an email come from `judge.adapters.mail_sandbox`, a process of its own: it runs C code
on a stranger's bytes and must learn nothing of any game. This one gets text and what the judge
knows of the game, and runs Python alone. It stays, with the boards and words that it has read.

A request is a pickled `Call`, with the boards that the child lacks; the reply is the pickled
result and the CPU seconds that it took. Boards, the command table and the arguments of the call
go by name in both directions. A reply can contain values of our own frozen classes, no others.
The child runs `python -m judge.adapters.reading_process`.
"""

from __future__ import annotations

import copyreg
import io
import pickle
import signal
import socket
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta, timezone
from enum import Enum
from time import process_time
from types import FrameType, MappingProxyType
from typing import Any, Final, NoReturn, TypeAlias

from judge.adapters.sandbox import ChildProcess, confine, receive_exactly
from judge.app.commands.table import COMMANDS
from judge.app.ports.judge import Call, TooMuchToReadError, UnreadError
from judge.mail.language.command_table import CommandTable
from judge.notation.readings import describe_defect
from judge.rules.board import Map

PROGRAM: Final = ("-m", "judge.adapters.reading_process")
IDLE_SECONDS_MAX = 20.0
HARD_SECONDS = 1.0  # of CPU past the limit; by then the system ends the child
BOARDS_MAX = 50  # Then the child is replaced, and forgets them.
REPLY_BYTES_MAX: Final = 64 * 1024 * 1024
MALFORMED_REPLY: Final = "the reader gave a malformed reply"
REQUEST: Final = struct.Struct(">dI")  # CPU seconds left, and the length of the rest.
REPLY: Final = struct.Struct(">?dI")  # Whether it was read, CPU seconds, the length of the rest.


class ReadingProcess:
    """Calls functions in a child process, one at a time; for one thread at a time."""

    def __init__(
        self, program: Sequence[str] = PROGRAM, idle_seconds_max: float = IDLE_SECONDS_MAX
    ) -> None:
        self._child = ChildProcess(program, idle_seconds_max)
        self._boards: dict[int, Map] = {}  # by identity: these are known to the child

    def start(self) -> None:
        """Start the child, which takes a moment to be ready."""
        if self._child.start():
            self._boards.clear()

    def read(self, call: Call, seconds: float) -> tuple[object, float]:
        """Make *call*; raises `TooMuchToReadError` past *seconds*, `UnreadError` if it dies."""
        if seconds <= 0:
            raise TooMuchToReadError
        if len(self._boards) > BOARDS_MAX:
            self._child.close()
        self.start()
        try:
            request = self._request(call)
            self._child.send(REQUEST.pack(seconds, len(request)) + request)
            was_read, spent, length = REPLY.unpack(self._child.receive(REPLY.size))
            if length > REPLY_BYTES_MAX:
                raise ValueError("the answer is too long")  # noqa: TRY301 - it is malformed, too
            reply = self._child.receive(length)
            if was_read:
                return _Reply(reply, self._boards, _shared(call)).load(), spent
        except TimeoutError:
            self._child.close()
            raise UnreadError("reading it took too long") from None
        except EOFError as error:
            death = self._child.death() or MALFORMED_REPLY
            if death.endswith(f"({signal.SIGVTALRM})"):
                raise TooMuchToReadError from None
            raise UnreadError(death) from error
        except (ValueError, pickle.UnpicklingError, struct.error) as error:
            self._child.close()
            raise UnreadError(MALFORMED_REPLY) from error
        if reply:
            raise UnreadError(reply.decode(errors="replace"))
        raise TooMuchToReadError

    def close(self) -> None:
        """End the child."""
        self._child.close()

    def _request(self, call: Call) -> bytes:
        file = io.BytesIO()
        pickler = _Pickler(file, {key: key for key in self._boards}, ())
        pickler.dump(call)
        new = pickler.unknown_boards
        self._boards |= new
        return pickle.dumps([(key, _alone(each)) for key, each in new.items()]) + file.getvalue()


def read_only(values: dict[object, object]) -> MappingProxyType[object, object]:
    """Return a read-only view of *values*, which pickle cannot name itself."""
    return MappingProxyType(values)


def board(key: int) -> Map:
    """Stand for the board *key* of the two processes."""
    raise LookupError(key)


def argument(place: int) -> object:
    """Stand for the argument of the call at *place* among `_shared`."""
    raise LookupError(place)


def commands() -> CommandTable:
    """Return the command table, of which each process has one."""
    return COMMANDS


Reduce: TypeAlias = Callable[[Any], Any]  # what a value becomes in a pickle
PLAINLY: Final[dict[type, Reduce]] = {
    **copyreg.dispatch_table,
    MappingProxyType: lambda mapping: (read_only, (dict(mapping),)),
}


def _shared(call: Call) -> tuple[object, ...]:
    """Return the values that a call and its result may have in common, which are sent once."""
    values = [each for each in call.values if is_dataclass(each)]
    return (*values, *(getattr(of, each.name) for of in values for each in fields(of)))


class _Pickler(pickle.Pickler):
    """Writes boards by *keys* of their identities, and what is *shared* by its place."""

    def __init__(
        self, file: io.BytesIO, keys: Mapping[int, int], shared: Sequence[object]
    ) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._keys = keys
        self._places = {id(each): place for place, each in enumerate(shared)}
        self.unknown_boards: dict[int, Map] = {}
        kinds = {type(each) for each in shared if is_dataclass(each)}
        by_place: dict[type, Reduce] = dict.fromkeys(kinds, self._value)
        by_name: dict[type, Reduce] = {Map: self._board, CommandTable: lambda _: (commands, ())}
        self.dispatch_table = {**PLAINLY, **by_place, **by_name}

    def _board(self, value: Map) -> object:
        key = self._keys.get(id(value))
        if key is None:
            key = id(value)
            self.unknown_boards[key] = value
        return board, (key,)

    def _value(self, value: object) -> object:
        place = self._places.get(id(value))
        if place is None:
            return value.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        return argument, (place,)


def _alone(value: Map) -> bytes:
    """Return the board itself, not its key."""
    file = io.BytesIO()
    pickler = pickle.Pickler(file, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = PLAINLY
    pickler.dump(value)
    return file.getvalue()


class _Request(pickle.Unpickler):
    """Reads what the parent has written, with the *boards* that this process has got."""

    def __init__(self, file: io.BytesIO, boards: Mapping[int, Map]) -> None:
        super().__init__(file)
        self._boards = boards

    def find_class(self, module: str, name: str) -> object:
        if (module, name) == (__name__, board.__name__):
            return self._boards.__getitem__
        return super().find_class(module, name)


OTHERS: Final = (datetime, timedelta, timezone, read_only, commands)


class _Reply(pickle.Unpickler):
    """Reads what the child has written, which may be anything if it was taken over."""

    def __init__(self, reply: bytes, boards: Mapping[int, Map], shared: Sequence[object]) -> None:
        super().__init__(io.BytesIO(reply))
        names = {each.__name__: each for each in OTHERS}
        self._names = names | {"board": boards.__getitem__, "argument": shared.__getitem__}

    def find_class(self, module: str, name: str) -> object:
        if module in (__name__, datetime.__module__) and name in self._names:
            return self._names[name]
        if (module, name) == ("builtins", "getattr"):
            return _member
        found = getattr(sys.modules.get(module), name, None)
        if not (module.startswith("judge.") and isinstance(found, type)):
            raise pickle.UnpicklingError(name)
        frozen = is_dataclass(found) and found.__dataclass_params__.frozen  # type: ignore[attr-defined]  # typeshed lacks it
        if not (frozen or issubclass(found, Enum)):
            raise pickle.UnpicklingError(name)
        return found


def _member(kind: type, name: str) -> Enum:
    """Return a member of an enumeration, which Python before 3.11.4 names by `getattr`."""
    if not issubclass(kind, Enum) or name not in kind.__members__:
        raise pickle.UnpicklingError(name)
    return kind[name]


class _OutOfTime(BaseException):
    """The CPU time is used up; no reader of lines may take this for its own failure."""


def main() -> None:
    """Answer requests, within the limit for each, until the parent is gone."""
    confine()
    signal.signal(signal.SIGPROF, _end_of_time)
    boards: dict[int, Map] = {}
    gone = suppress(EOFError, ConnectionError)
    with gone, socket.socket(fileno=sys.stdin.fileno()) as line:
        while True:
            seconds, length = REQUEST.unpack(receive_exactly(line, REQUEST.size))
            was_read, spent, reply = _answer(receive_exactly(line, length), boards, seconds)
            line.sendall(REPLY.pack(was_read, spent, len(reply)) + reply)


def _answer(request: bytes, boards: dict[int, Map], seconds: float) -> tuple[bool, float, bytes]:
    """Return whether *request* could be read, the CPU seconds spent, and the result or defect.

    Without a defect it takes too long. A regular expression notices that, too; if anything else
    goes on and on, the system ends the process.
    """
    file = io.BytesIO(request)
    boards |= {key: pickle.loads(board) for key, board in pickle.load(file)}  # noqa: S301 - the parent wrote them
    call = _Request(file, boards).load()
    began = process_time()
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds + HARD_SECONDS)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            result = call.function(*call.arguments, **call.keywords)
            reply = io.BytesIO()
            _Pickler(reply, {id(each): key for key, each in boards.items()}, _shared(call)).dump(
                result
            )
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except _OutOfTime:
        return False, process_time() - began, b""
    except Exception as error:  # noqa: BLE001 - the parent reports it
        return False, process_time() - began, describe_defect(error).encode()
    return True, process_time() - began, reply.getvalue()


def _end_of_time(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _OutOfTime


if __name__ == "__main__":
    import judge.adapters.reading_process as itself  # noqa: PLW0406 - pickles name it so

    itself.main()
