"""What is said of an opened mail, as bytes, from a process that is not trusted.

These are pickles that can name nothing but the values of `judge.mail` and instants: whoever takes
over the reading process makes no other object by them, and calls nothing.
"""

from __future__ import annotations

import pickle
from dataclasses import is_dataclass
from enum import Enum
from importlib import import_module
from io import BytesIO

from judge.mail.envelope import Letter, Unreadable
from judge.overriding import override

VALUES = "judge.mail."
INSTANTS = {("datetime", "datetime"), ("datetime", "timedelta"), ("datetime", "timezone")}


def encode(opened: Letter | Unreadable) -> bytes:
    """Return *opened* as bytes."""
    return pickle.dumps(opened, protocol=5)


def decode(written: bytes) -> Letter | Unreadable:
    """Return what was *written*; raises nearly anything if it is not what `encode` makes."""
    opened = _Reader(BytesIO(written)).load()
    if not isinstance(opened, Letter | Unreadable):
        raise pickle.UnpicklingError("no opened mail")
    return opened


class _Reader(pickle.Unpickler):
    @override
    def find_class(self, module_name: str, global_name: str) -> type:
        found = None
        if module_name.startswith(VALUES) or (module_name, global_name) in INSTANTS:
            found = vars(import_module(module_name)).get(global_name)
        if not isinstance(found, type) or not _is_value(found):
            raise pickle.UnpicklingError("no value of a mail")
        return found


def _is_value(found: type) -> bool:
    known = is_dataclass(found) or issubclass(found, Enum)
    return known if found.__module__.startswith(VALUES) else found.__module__ == "datetime"
