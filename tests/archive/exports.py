"""The schema or grammar of each export, from docs/formats, and the errors of a text against it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator

from judge.archive.reading import WRITERS
from judge.resources import folder
from tests.support import abnf

FORMATS = folder("templates").parent / "docs" / "formats"
EXPORTS = (*WRITERS, "log", "parquet")


def definition_of(export: str) -> Path:
    """Return the file that defines *export*."""
    [found] = [each for each in FORMATS.iterdir() if each.name.partition(".")[0] == export]
    return found


def faults(export: str, text: str) -> Iterator[str]:
    """Yield what in *text*, lines of JSON or a whole text of its grammar, is not as defined."""
    if definition_of(export).suffix == ".abnf":
        if not _grammar(export).fullmatch(text):
            yield f"{export}: not in the grammar"
        return
    for number, line in enumerate(text.splitlines(), 1):
        for error in _schema(export).iter_errors(json.loads(line)):
            yield f"{export}:{number}: {error.json_path}: {error.message}"


@cache
def _grammar(export: str) -> re.Pattern[str]:
    return abnf.pattern(definition_of(export))


@cache
def _schema(export: str) -> Draft202012Validator:
    schema = json.loads(definition_of(export).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
