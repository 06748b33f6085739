"""How values are made of which every phase makes many: as usual, in a third of the time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from itertools import takewhile
from types import FunctionType
from typing import ParamSpec, TypeVar, cast

HINDERED = "__init__", "__setattr__", "__delattr__"

Fields = ParamSpec("Fields")
Value = TypeVar("Value")


def maker(value: Callable[Fields, Value]) -> Callable[Fields, Value]:
    """Return what makes values of the frozen dataclass *value*, with the same arguments.

    A field that it would work out by itself is an argument too, and comes last.

    A frozen class hinders its own `__init__` too, which has to go past it for each field. What is
    made here is of a class below it that is not frozen, until its fields are set.
    """
    frozen = cast("type[Value]", value)
    known = fields(frozen) if is_dataclass(frozen) else ()
    if "__slots__" not in vars(frozen):
        # It is compiled, keeps its fields in a way of its own, and works some out by itself.
        given = [each.init for each in known].count(True)
        if given == len(known):
            return value
        return cast("Callable[Fields, Value]", lambda *values: frozen(*values[:given]))
    names = [each.name for each in known]
    freely = {each: getattr(object, each) for each in HINDERED}
    thawed = type(frozen.__name__, (frozen,), {"__slots__": (), **freely})
    lines = [
        f"def make({', '.join(names)}):",
        " made = thawed()",
        *[f" made.{name} = {name}" for name in names],
        " made.__class__ = frozen",
        " return made",
    ]
    space = {"thawed": thawed, "frozen": frozen}
    exec("\n".join(lines), space)  # noqa: S102 - as `dataclass` and `namedtuple` do
    make = cast("FunctionType", space["make"])
    plain = [each.default for each in takewhile(_has_default, reversed(known))]
    make.__defaults__ = tuple(reversed(plain))
    return cast("Callable[Fields, Value]", make)


def _has_default(field: Field[object]) -> bool:
    return field.default is not MISSING
