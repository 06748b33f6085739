"""Python imports this when it starts, in workers and other children, too, if PYTHONPATH has it."""

from __future__ import annotations

import os

system = os.environ.get("EMULATED_SYSTEM")
if system:
    import system_emulation  # type: ignore[import-not-found]  # PYTHONPATH has it

    getattr(system_emulation, f"emulate_{system}")()
