"""Make the weights of wishes from their examples; compile the rules with mypyc on demand.

With HATCH_BUILD_HOOK_ENABLE_CUSTOM=true the wheel has compiled modules and sources. Python prefers
a compiled module, and falls back to the source where none was compiled for it.

The weights go into the wheel; an editable installation gets them beside the module that reads
them. Weights that are made from today's examples are not made again.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILES = "HATCH_BUILD_HOOK_ENABLE_CUSTOM"
WEIGHTS = "judge/mail/intents/weights.bin"
SHARED = "judge.rules._compiled"  # what the modules have in common; mypyc adds `__mypyc`

# With mypyc 2.4 a frozen dataclass cannot be copied or unpickled, because its own setter refuses
# what is set. This gives such a value its state past the setter, as CPython's `dataclass` does.
RUNTIME = "misc_ops.c"
SETTER = "PyObject_SetAttr(obj, key, value)"
PAST_IT = "(PyType_Check(obj) ? PyObject_SetAttr : PyObject_GenericSetAttr)(obj, key, value)"


class WeightsAndRules(BuildHookInterface):  # type: ignore[type-arg]  # for any builder
    """The build hook that hatch calls before and after it makes a wheel."""

    def dependencies(self) -> list[str]:
        """Return what the hook needs besides hatch."""
        return list(self.config["compiling"]) if _compiles() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._scratch = TemporaryDirectory()
        scratch = Path(self._scratch.name)
        if version == "editable":  # which runs the sources
            made = weights(Path(WEIGHTS))
            Path(WEIGHTS).write_bytes(made)
            return
        (scratch / "weights").write_bytes(weights(Path(WEIGHTS)))
        build_data["force_include"][str(scratch / "weights")] = WEIGHTS
        if _compiles():
            rules = Path("judge/rules").rglob("*.py")
            paths = sorted(
                str(each) for each in rules if each.stem not in self.config["interpreted"]
            )
            build_data["force_include"][str(compiled(paths, scratch) / "judge")] = "judge"
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatch gives them
        self._scratch.cleanup()


def _compiles() -> bool:
    return os.environ.get(COMPILES, "").casefold() in ("true", "1")


def weights(made: Path) -> bytes:
    """Return the weights for today's examples: those in *made*, or new ones (in 7 s of CPU)."""
    sys.path.insert(0, str(Path.cwd()))
    from judge.mail.intents.training import train  # noqa: PLC0415 - found only now
    from judge.mail.intents.weights import read_digest  # noqa: PLC0415 - see above
    from judge.mail.intents.wish_files import digest_of  # noqa: PLC0415 - see above

    examples = Path("templates/intents")
    if read_digest(made) == digest_of(examples):
        return made.read_bytes()
    return train(examples).to_bytes()


def compiled(paths: list[str], scratch: Path) -> Path:
    """Compile the modules at *paths*; return the folder with the results."""
    from mypyc.build import mypycify  # noqa: PLC0415 - see above
    from setuptools import Distribution  # noqa: PLC0415 - before mypyc, which else looks for distutils

    options = ["--config-file=", f"--cache-dir={scratch / 'cache'}", *paths]
    level = os.environ.get("MYPYC_OPT_LEVEL", "3")  # 0 compiles quickly, for a test
    extensions = mypycify(
        options, target_dir=str(scratch / "c"), group_name=SHARED, opt_level=level
    )
    for extension in extensions:
        extension.include_dirs.insert(0, str(mended_runtime(scratch)))
    command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
    command.build_temp, command.build_lib = str(scratch / "objects"), str(scratch / "built")
    command.ensure_finalized()
    command.run()
    return scratch / "built"


def mended_runtime(scratch: Path) -> Path:
    """Return a folder with the patched part of the runtime of mypyc."""
    from mypyc.build import include_dir  # noqa: PLC0415 - few wheels are compiled

    text = Path(include_dir(), RUNTIME).read_text(encoding="utf-8")
    assert text.count(SETTER) == 1, "mypyc has changed: do frozen dataclasses still need this?"
    folder = scratch / "runtime"
    folder.mkdir(exist_ok=True)
    (folder / RUNTIME).write_text(text.replace(SETTER, PAST_IT), encoding="utf-8")
    return folder
