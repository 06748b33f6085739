"""The states in which a loss of power may leave a disk, from a recording of system calls.

`record` runs a command under strace. `states_after` replays its calls on a model of a disk that
forgets what was not synced, and yields what such a disk may hold if the power fails after any of
them, in four ways: file systems differ in what they write early.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

CALLS = (
    "openat,creat,write,pwrite64,ftruncate,lseek,fsync,fdatasync,rename,renameat,renameat2,"
    "link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir"
)
UNKNOWN = "writev,pwritev,pwritev2,truncate,fallocate,copy_file_range,sendfile"  # to the model
LINE = re.compile(r"(\d+) +(.*)")
CALL = re.compile(r"(\w+)\((.*)\) += (-?\d+|\?)(.*)", re.DOTALL)
UNFINISHED, RESUMED = " <unfinished ...>", re.compile(r"<\.\.\. \w+ resumed>(.*)", re.DOTALL)
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
OPENED = re.compile(r"(\d+|AT_FDCWD)<((?:\\x[0-9a-f]{2})*)>")
PROMISE = b"promised "
Tree = Mapping[str, bytes | None]  # the content of files, None of folders, by path
Synced = Callable[[str], bool]  # whether the syncs of a path count


class Disk(Enum):
    """The part of unsynced changes that survives."""

    NOTHING = "nothing"
    NAMES = "names"  # and files are as long as they were, with zeros
    DATA = "data"
    ALL = "all"  # as if only the process had died


@dataclass(slots=True)
class Inode:
    """A file: its content now, and what is surely on the disk."""

    content: bytearray = field(default_factory=bytearray)
    synced: bytes = b""


@dataclass(frozen=True, slots=True)
class State:
    """A *tree* that a disk may hold after *call* calls, and what had been *promised* by then."""

    call: int
    disk: Disk
    tree: Tree
    promised: tuple[str, ...]


def record(command: Sequence[str], trace: Path) -> None:
    """Run *command* and write its system calls to *trace*."""
    strace = shutil.which("strace")
    assert strace
    traced = f"trace={CALLS},{UNKNOWN}"
    options = [
        "-f",
        "--seccomp-bpf",
        "-qq",
        "-y",
        "-xx",
        "-s",
        "10000000",
        "-e",
        traced,
        "-o",
        trace,
    ]
    subprocess.run([strace, *map(str, options), *command], check=True)


def states_after(
    trace: Path, root: Path, before: Tree, synced: Synced = lambda _: True
) -> Iterator[State]:
    """Yield the states of the folder *root*, which held *before*, at each call in *trace*.

    Syncs of paths that are not *synced* are left out.
    """
    model = _Model(str(root), before, synced)
    for number, (name, arguments, result) in enumerate(_calls(trace)):
        if model.apply(name, arguments, result):
            for disk in Disk:
                yield State(number, disk, model.tree(disk), tuple(model.promised))


def read_tree(root: Path) -> dict[str, bytes | None]:
    """Return the files and folders below *root*, by path."""
    found: dict[str, bytes | None] = {str(root): None}
    for path in sorted(root.rglob("*")):
        found[str(path)] = None if path.is_dir() else path.read_bytes()
    return found


def write_tree(tree: Tree, root: Path, into: Path) -> None:
    """Write a *tree* of the folder *root* as the folder *into*."""
    shutil.rmtree(into, ignore_errors=True)
    for path, content in sorted(tree.items()):
        file = into / os.path.relpath(path, root)
        if content is None:
            file.mkdir(mode=0o700, parents=True, exist_ok=True)  # a recording has no modes
        elif file.parent.is_dir():
            file.write_bytes(content)


def _calls(trace: Path) -> Iterator[tuple[str, str, str]]:
    """Yield name, arguments and result of each call, in the order in which they ended."""
    begun: dict[str, str] = {}
    for line in trace.read_text("ascii").splitlines():
        found = LINE.fullmatch(line)
        if found is None:
            continue
        process, text = found.groups()
        if text.endswith(UNFINISHED):
            begun[process] = text.removesuffix(UNFINISHED)
            continue
        if resumed := RESUMED.fullmatch(text):
            text = begun.pop(process, "") + resumed[1]
        if call := CALL.fullmatch(text):
            yield call[1], call[2], call[3] + call[4]


class _Model:
    def __init__(self, root: str, before: Tree, synced: Synced) -> None:
        self._root, self._counts = root, synced
        self.promised: list[str] = []
        self._names: dict[str, Inode | None] = {}  # None is a folder
        for path, content in before.items():
            self._names[path] = (
                None if content is None else Inode(bytearray(content), bytes(content))
            )
        self._kept = dict(self._names)
        self._ends: dict[str, int] = {}  # where the next write of an open path goes

    def apply(self, name: str, arguments: str, result: str) -> bool:  # noqa: PLR0911 - one for each kind of call
        """Apply a call, and return whether it may have changed what the disk holds."""
        if result.startswith(("-", "?")):
            return False
        texts = [_bytes(each) for each in TEXT.findall(arguments)]
        opened = [_bytes(path).decode() for _, path in OPENED.findall(arguments)]
        if name == "write" and texts and texts[0].startswith(PROMISE):
            self.promised.append(texts[0].removeprefix(PROMISE).decode().strip())
            return True
        if name in ("rename", "renameat", "renameat2", "link", "linkat"):
            one, other = (self._absolute(each, opened) for each in texts[:2])
            return self._rename(one, other, keep=name.startswith("link"))
        if name in ("unlink", "unlinkat", "rmdir"):
            return self._names.pop(self._absolute(texts[0], opened), self) is not self
        if name in ("mkdir", "mkdirat"):
            return self._make(self._absolute(texts[0], opened))
        if name in ("openat", "creat"):
            return self._open(self._absolute(texts[0], opened), arguments)
        path = opened[0] if opened else ""
        if not self._is_ours(path):
            return False
        assert name not in UNKNOWN.split(","), f"{name} of {path}"
        if name in ("fsync", "fdatasync"):
            return self._sync(path)
        inode = self._names.get(path)
        if inode is None:
            return False
        digits = re.sub(r"\D.*", "", result, flags=re.DOTALL)
        return self._change(name, path, inode, arguments, texts, int(digits))

    def _absolute(self, text: bytes, opened: Sequence[str]) -> str:
        assert opened or text.startswith(b"/"), f"{text!r}: a call without its folder"
        return os.path.normpath(Path(opened[0] if opened else "/", text.decode()))

    def _is_ours(self, path: str) -> bool:
        return path == self._root or path.startswith(f"{self._root}/")

    def _rename(self, one: str, other: str, *, keep: bool) -> bool:
        if not self._is_ours(other):
            return False
        for path in [each for each in self._names if each == one or each.startswith(f"{one}/")]:
            self._names[other + path.removeprefix(one)] = self._names[path]
            if not keep:
                del self._names[path]
        return True

    def _make(self, path: str) -> bool:
        if self._is_ours(path):
            self._names[path] = None
        return self._is_ours(path)

    def _open(self, path: str, arguments: str) -> bool:
        if not self._is_ours(path) or "O_DIRECTORY" in arguments:
            return False
        self._ends[path] = 0
        inode = self._names.get(path)
        if path not in self._names and "O_CREAT" in arguments:
            self._names[path] = inode = Inode()
        elif inode and "O_TRUNC" in arguments:
            inode.content.clear()
        else:
            if inode and "O_APPEND" in arguments:
                self._ends[path] = -1
            return False
        return True

    def _change(
        self, name: str, path: str, inode: Inode, arguments: str, texts: list[bytes], result: int
    ) -> bool:
        if name == "lseek":
            self._ends[path] = result
            return False
        numbers = [int(each) for each in re.findall(r", (\d+)", arguments)]
        if name == "ftruncate":
            [size] = numbers
            del inode.content[size:]
            inode.content.extend(bytes(size - len(inode.content)))
            return True
        if name not in ("write", "pwrite64") or not texts:
            return False
        at = numbers[-1] if name == "pwrite64" else self._ends.get(path, 0)
        if at < 0:
            at = len(inode.content)
        written = texts[0][:result]
        inode.content.extend(bytes(max(0, at - len(inode.content))))
        inode.content[at : at + len(written)] = written
        if name == "write":
            self._ends[path] = at + len(written)
        return True

    def _sync(self, path: str) -> bool:
        if not self._counts(path):
            return False
        inode = self._names.get(path)
        if inode is not None:
            inode.synced = bytes(inode.content)
            return True
        inside = {each for each in {*self._names, *self._kept} if str(Path(each).parent) == path}
        for each in inside:
            if each in self._names:
                self._kept[each] = self._names[each]
            else:
                for lost in [at for at in self._kept if f"{at}/".startswith(f"{each}/")]:
                    del self._kept[lost]
        return True

    def tree(self, disk: Disk) -> Tree:
        """Return what a disk of this kind holds if the power fails now."""
        names = self._kept if disk in (Disk.NOTHING, Disk.DATA) else self._names
        return {
            path: None if inode is None else _content(inode, disk) for path, inode in names.items()
        }


def _content(inode: Inode, disk: Disk) -> bytes:
    if disk in (Disk.DATA, Disk.ALL):
        return bytes(inode.content)
    if disk is Disk.NOTHING:
        return inode.synced
    return inode.synced[: len(inode.content)].ljust(len(inode.content), b"\0")


def _bytes(escaped: str) -> bytes:
    return bytes.fromhex(escaped.replace("\\x", ""))
