"""What holds for every test.

A test that needs a server which a machine may lack skips with a reason that starts with
"needs-server:"; `.ci/run` fails when one does.
"""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("gate", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=2_000)
settings.load_profile("gate")
