"""`override` for Python 3.11: type checkers check it, the program ignores it.

`typing` has it from Python 3.12 on, and `typing_extensions` takes longer to import than any module
of the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing_extensions import override as override  # noqa: PLC0414 - exported
else:
    Method = TypeVar("Method")

    def override(method: Method) -> Method:
        """Mark *method* as an override of its base class."""
        return method
