"""Fast constructors for frozen dataclasses that every phase makes by the hundred."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from itertools import takewhile
from types import FunctionType
from typing import ParamSpec, TypeVar, cast

BLOCKED_METHODS = "__init__", "__setattr__", "__delattr__"

Fields = ParamSpec("Fields")
Value = TypeVar("Value")


def fast_constructor(value: Callable[Fields, Value]) -> Callable[Fields, Value]:
    """Return what makes values of the frozen dataclass *value*, with the same arguments.

    A field that it would work out by itself is an argument too, and comes last. What is no
    dataclass is returned as it is.

    A frozen class hinders its own `__init__` too, which has to go past it for each field. What is
    made here is of a class below it that is not frozen, until its fields are set. A compiled class
    keeps its fields in a way of its own, and they are set where it keeps them.
    """
    if not is_dataclass(value):
        return value
    frozen = cast("type[Value]", value)
    known = fields(frozen)  # type: ignore[arg-type]  # a dataclass
    names = [each.name for each in known]
    space: dict[str, object] = {"frozen": frozen}
    if "__slots__" in vars(frozen):
        freely = {each: getattr(object, each) for each in BLOCKED_METHODS}
        thawed = type(frozen.__name__, (frozen,), {"__slots__": (), **freely})
        space["thawed"] = thawed
        lines = [
            " made = thawed()",
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
