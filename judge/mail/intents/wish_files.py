"""The files of wishes: what each wish is, who may have it, and sentences that express it.

Sentences stand one a line, by language, with placeholders for what the judge knows: `{date}`,
`{power}`. The build of the wheel reads these files too, so this module needs nothing but Python.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Any

from judge.mail.intents.features import plain

NONE = "none"  # the wish of a sentence that wants nothing
ENDING = ".toml"
MEANINGS = "meanings.txt"


class Role(Enum):
    """The part that the writer of an email has."""

    STRANGER = "stranger"
    PLAYER = "player"
    OBSERVER = "observer"
    MODERATOR = "moderator"


class Effect(Enum):
    """The effect that the command of a wish has."""

    ANSWER = "answer"  # it only answers
    CHANGE = "change"  # it changes something, and can be taken back
    CONFIRM = "confirm"  # it takes effect after a YES or a tap
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish that a person may have.

    Its *command* line has `{slots}` for what the email says, of which those in brackets may be
    missing; *without* is the line if another is missing. ` | ` separates lines of which the writer
    chooses one, or means the first for which the email has a word that begins like one of its
    *words*. *before* are the words in front of a name that fills a slot. A *moderator* may have a
    command of their own, and so may somebody who has *joined* the game before it begins, and a
    *stranger* who names no game; *undo* takes the effect back.
    """

    name: str
    about: str
    who: frozenset[Role]
    effect: Effect
    command: str
    without: str = ""
    moderator: str = ""
    joined: str = ""
    stranger: str = ""
    undo: str = ""
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    before: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WishFile:
    """A wish, and the *sentences* that express it, by language."""

    wish: Wish
    sentences: Mapping[str, tuple[str, ...]]

    @property
    def examples(self) -> tuple[str, ...]:
        """Return the sentences in all languages."""
        return tuple(each for some in self.sentences.values() for each in some)


NEEDED = ("about", "who", "effect", "command")
OPTIONAL = ("without", "moderator", "joined", "stranger", "undo")
TABLES = ("words", "before")
FACTS = (*NEEDED, *OPTIONAL, *TABLES)


def read_wish_files(folder: Path, own: Path | None = None) -> Mapping[str, WishFile]:
    """Read all wishes in *folder*, with the sentences that the operator's *own* files add.

    Raises `ValueError` if a file is no such file.
    """
    files = {file.stem: _read(file) for file in _files(folder)}
    for file in _files(own):
        if file.stem not in files:
            raise ValueError(f"{file}: there is no wish called {file.stem}")
        ours, added = files[file.stem], _sentences(file, _table(file))
        languages = dict.fromkeys((*ours.sentences, *added))
        both = {  # a copy of our file may be among theirs
            each: tuple(dict.fromkeys((*ours.sentences.get(each, ()), *added.get(each, ()))))
            for each in languages
        }
        files[file.stem] = WishFile(ours.wish, both)
    return files


def digest_of(folder: Path, own: Path | None = None) -> str:
    """Return the hash of all these files, which names the weights that are made from them."""
    digest = sha256()
    for file in (folder / MEANINGS, *_files(folder), *_files(own)):
        content = file.read_bytes()
        digest.update(f"{file.stem} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def read_meanings(folder: Path) -> Mapping[str, str]:
    """Return what words mean, and beginnings of words: `order*`."""
    lines = (folder / MEANINGS).read_text(encoding="utf-8").splitlines()
    parts = (line.split(":") for line in lines if not line.startswith("#"))
    return {word: meaning for meaning, words in parts for word in words.split()}


def _files(folder: Path | None) -> Sequence[Path]:
    return sorted(folder.glob(f"*{ENDING}")) if folder else ()


def wish_from(name: str, facts: Mapping[str, Any]) -> Wish:
    """Return the wish called *name*; raises `ValueError` if one of its *facts* is wrong."""
    return Wish(
        name=name,
        about=str(facts["about"]),
        who=frozenset(map(Role, facts["who"])),
        effect=Effect(facts["effect"]),
        command=str(facts["command"]),
        words=_words_in(facts.get("words", {})),
        before=_words_in(facts.get("before", {})),
        **{each: str(facts.get(each, "")) for each in OPTIONAL},
    )


def _words_in(table: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    return {name: tuple(plain(words).split()) for name, words in table.items()}


def facts_of(wish: Wish) -> Mapping[str, object]:
    """Return what `wish_from` reads."""
    return {
        "about": wish.about,
        "who": sorted(each.value for each in wish.who),
        "effect": wish.effect.value,
        "command": wish.command,
        **{each: getattr(wish, each) for each in OPTIONAL if getattr(wish, each)},
        **{
            each: {name: " ".join(words) for name, words in getattr(wish, each).items()}
            for each in TABLES
            if getattr(wish, each)
        },
    }


def _read(file: Path) -> WishFile:
    table = _table(file)
    if missing := [fact for fact in NEEDED if fact not in table]:
        raise ValueError(f"{file}: it lacks {', '.join(missing)}")
    try:
        return WishFile(wish_from(file.stem, table), _sentences(file, table))
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file}: {error}") from error


def _table(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def _sentences(file: Path, table: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(_lines(file, name, text)) for name, text in table.items() if name not in FACTS
    }


def _lines(file: Path, language: str, text: object) -> Iterator[str]:
    if not isinstance(text, str):
        why = f"{file}: {language} must be a text of sentences, one a line"
        raise ValueError(why)  # noqa: TRY004 - the file is wrong
    yield from (line.strip() for line in text.splitlines() if line.strip())
