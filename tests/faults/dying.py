"""Run the daemon so that it kills itself with SIGKILL at one step of one of the two flows.

`python -m tests.faults.dying MODULE CLASS METHOD before|after COUNT serve`: at the COUNT-th call,
before it begins or after it has returned. Otherwise it is `judge serve`, except that an email in
progress at the kill is retried soon.
"""

from __future__ import annotations

import functools
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from inspect import iscoroutinefunction
from typing import Any

from judge.__main__ import main
from judge.app.inbound import process

PAUSES = (timedelta(seconds=0.1), timedelta(seconds=0.3))


def arm(module: str, owner: str, method: str, when: str, count: int) -> None:
    """Make the *count*-th call of *method* deadly."""
    home = import_module(module)
    place: object = home if owner == "-" else getattr(home, owner)
    original: Callable[..., Any] = getattr(place, method)
    calls = Counter[str]()

    def die_if_due(moment: str) -> None:
        calls[moment] += 1
        if moment == when and calls[moment] == count:
            os.kill(os.getpid(), signal.SIGKILL)

    @functools.wraps(original)
    def call(*args: object, **kwargs: object) -> object:
        die_if_due("before")
        result = original(*args, **kwargs)
        die_if_due("after")
        return result

    @functools.wraps(original)
    async def call_async(*args: object, **kwargs: object) -> object:
        die_if_due("before")
        result = await original(*args, **kwargs)
        die_if_due("after")
        return result

    setattr(place, method, call_async if iscoroutinefunction(original) else call)


if __name__ == "__main__":
    module, owner, method, when, count, *rest = sys.argv[1:]
    arm(module, owner, method, when, int(count))
    setattr(process, "RETRY_AFTER", PAUSES)  # noqa: B010 - it is final for everybody else
    sys.argv[1:] = rest
    main()
