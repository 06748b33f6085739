"""The entry point of `judge` and of `python -m judge`."""

from __future__ import annotations

from judge.cli.root import root


def main() -> None:
    """Run the command line."""
    root(prog_name="judge")


if __name__ == "__main__":
    main()
