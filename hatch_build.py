"""Compile the rules with mypyc if HATCH_BUILD_HOOK_ENABLE_CUSTOM is set.

The wheel then has compiled modules and sources. Python prefers a compiled module, and falls back
to the source where none was compiled for it.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution  # before mypyc, which else looks for distutils

from mypyc.build import include_dir, mypycify  # isort: skip

SHARED = "judge.rules._compiled"  # what the modules have in common; mypyc adds `__mypyc`

# With mypyc 2.4 a frozen dataclass cannot be copied or unpickled, because its own setter refuses
# what is set. This gives such a value its state past the setter, as CPython's `dataclass` does.
RUNTIME = "misc_ops.c"
SETTER = "PyObject_SetAttr(obj, key, value)"
PAST_IT = "(PyType_Check(obj) ? PyObject_SetAttr : PyObject_GenericSetAttr)(obj, key, value)"


class CompiledRules(BuildHookInterface):  # type: ignore[type-arg]  # for any builder
    """The build hook that hatch calls before and after it makes a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # An editable install runs the sources.
        self._scratch = TemporaryDirectory()
        scratch = Path(self._scratch.name)
        rules = Path("judge/rules").rglob("*.py")
        paths = sorted(str(each) for each in rules if each.stem not in self.config["interpreted"])
        build_data["force_include"][str(compiled(paths, scratch) / "judge")] = "judge"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatch gives them
        if version != "editable":
            self._scratch.cleanup()


def compiled(paths: list[str], scratch: Path) -> Path:
    """Compile the modules at *paths*; return the folder with the results."""
    options = ["--config-file=", f"--cache-dir={scratch / 'cache'}", *paths]
    extensions = mypycify(options, target_dir=str(scratch / "c"), group_name=SHARED)
    for extension in extensions:
        extension.include_dirs.insert(0, str(mended_runtime(scratch)))
    command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
    command.build_temp, command.build_lib = str(scratch / "objects"), str(scratch / "built")
    command.ensure_finalized()
    command.run()
    return scratch / "built"


def mended_runtime(scratch: Path) -> Path:
    """Return a folder with the patched part of the runtime of mypyc."""
    text = Path(include_dir(), RUNTIME).read_text(encoding="utf-8")
    assert text.count(SETTER) == 1, "mypyc has changed: do frozen dataclasses still need this?"
    folder = scratch / "runtime"
    folder.mkdir(exist_ok=True)
    (folder / RUNTIME).write_text(text.replace(SETTER, PAST_IT), encoding="utf-8")
    return folder
