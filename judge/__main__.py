"""The entry point of `judge` and of `python -m judge`."""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 130  # as in `judge.cli.terminal`


def main() -> None:
    """Run the command line; `judge receive`, run for each email, loads nothing else."""
    if sys.argv[1:2] == ["receive"] and not {"-h", "--help"}.intersection(sys.argv):
        from judge.adapters.inputs.pipe import main as receive  # noqa: PLC0415 - see above

        raise SystemExit(receive(sys.argv[2:]))
    gc.disable()  # until the modules of the command are loaded: see `end_loading`
    try:
        from judge.cli.root import root  # noqa: PLC0415 - see above
        from judge.cli.standard_streams import standard_streams  # noqa: PLC0415 - see above

        with standard_streams():
            root(prog_name="judge")
    except KeyboardInterrupt:  # before a command runs
        raise SystemExit(INTERRUPTED) from None
    finally:
        # When a KeyboardInterrupt leaves `exec` of a string (dataclasses use it), CPython marks
        # the process: under `-m` it then dies of SIGINT, whatever the exit code. This clears the
        # mark.
        exec("")  # noqa: S102 - see above


if __name__ == "__main__":
    main()
