"""What is told of an exception while text is read: where our code failed, no word of the text."""

from __future__ import annotations


def defect_of(error: Exception) -> str:
    """Return the kind of *error* and the line of code that raised it."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    name = type(error).__name__
    if trace is None:
        return name
    return f"{name} in {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}"
