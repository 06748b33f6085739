"""Fast constructors for the frozen dataclasses that each phase creates most of.

They are worth it only for `Position` and `Outcome`: without them a phase takes 10 % and the
outcomes of one 13 % longer (`python -m tests.bench.resolver`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from itertools import takewhile
from types import FunctionType
from typing import ParamSpec, TypeVar, cast

BLOCKED_METHODS = "__init__", "__setattr__", "__delattr__"

Fields = ParamSpec("Fields")
Value = TypeVar("Value")


def fast_constructor(value: Callable[Fields, Value]) -> Callable[Fields, Value]:
    """Return a function that creates values of the frozen dataclass *value*.

    It takes the same arguments, and after them the fields that `__post_init__` would compute.

    The `__init__` of a frozen class goes around its own `__setattr__` for each field. This one
    fills an instance of a subclass that is not frozen, and then sets its class. The fields of a
    class compiled by mypyc have setters of their own.
    """
    frozen = cast("type[Value]", value)
    known = fields(frozen)  # type: ignore[arg-type]  # a dataclass
    names = [each.name for each in known]
    space: dict[str, object] = {"frozen": frozen}
    if "__slots__" in vars(frozen):
        freely = {each: getattr(object, each) for each in BLOCKED_METHODS}
        unfrozen = type(frozen.__name__, (frozen,), {"__slots__": (), **freely})
        space["unfrozen"] = unfrozen
        lines = [
            " made = unfrozen()",
            *[f" made.{name} = {name}" for name in names],
            " made.__class__ = frozen",
        ]
    else:
        space["new"] = frozen.__new__
        space |= {f"set_{name}": vars(frozen)[name].__set__ for name in names}
        lines = [" made = new(frozen)", *[f" set_{name}(made, {name})" for name in names]]
    head = f"def make({', '.join(names)}):"
    exec("\n".join([head, *lines, " return made"]), space)  # noqa: S102 - as `dataclass` does
    make = cast("FunctionType", space["make"])
    plain = [each.default for each in takewhile(_has_default, reversed(known))]
    make.__defaults__ = tuple(reversed(plain))
    return cast("Callable[Fields, Value]", make)


def _has_default(field: Field[object]) -> bool:
    return field.default is not MISSING
