"""What `judge check` and `judge doctor` say of one thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one setting or part; an *error* keeps the judge from working.

    *advice* is what to do, where the text does not say it.
    """

    level: Literal["ok", "warning", "error"]
    setting: str
    text: str
    advice: str = ""
