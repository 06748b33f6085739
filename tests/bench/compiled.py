"""Time the rules of a compiled wheel in a process of their own, beside those of the checkout.

The process is asked for its pieces of work by their numbers, a line each, and answers with times.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from judge.adapters.variant_files import load_map
from judge.rules.resolution import resolver
from tests.bench.measuring import Times
from tests.bench.works import ours

ROOT = Path(__file__).parents[2]
SUFFIX = ", compiled"


@contextmanager
def running(wheel: Path, boards: int) -> Iterator[list[Callable[[], Times]]]:
    """Start the rules of *wheel*; yield what does a round of them, piece by piece."""
    with TemporaryDirectory() as folder:
        ZipFile(wheel).extractall(folder)
        with subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, str(boards)],
            env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin
            assert process.stdout
            asking, answers = process.stdin, process.stdout

            def work(number: int) -> Times:
                print(number, file=asking, flush=True)
                times: Times = json.loads(answers.readline())
                return {f"{name}{SUFFIX}": phases for name, phases in times.items()}

            yield [partial(work, number) for number in range(int(answers.readline()))]
            asking.close()


def main() -> None:
    if not resolver.__file__.endswith(tuple(EXTENSION_SUFFIXES)):
        sys.exit("The wheel has nothing that is compiled for this Python.")
    works = ours(load_map(), int(sys.argv[1]))
    print(len(works), flush=True)
    for number in sys.stdin:
        print(json.dumps(works[int(number)]()), flush=True)


if __name__ == "__main__":
    main()
