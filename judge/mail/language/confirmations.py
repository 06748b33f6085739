"""Read yes and no in every language the judge speaks.

Anyone can send the judge an email in a player's name. The judge then asks the player, and a
vacation note may answer: "Yes! Thank you for your message", "Ja, ich bin im Urlaub". So YES to
such a question is a whole sentence of its own, with nothing else but a greeting, a name or a
signature. Asking again costs less than misreading a confirmation.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from judge.mail.language.command_syntax import ParsedLine
from judge.mail.redaction import FAREWELL_ALONE
from judge.mail.words import alternatives, phrases, templates


@dataclass(frozen=True, slots=True)
class Confirm(ParsedLine):
    """`YES` or `NO`, as the first line."""

    yes: bool


LINE_MAX = 200  # characters; longer lines are prose
LINES_MAX = 20  # written lines of an answer
GREETING_WORDS_MAX = 5
NAME_WORDS_MAX = 3
SIGNATURE_LINES_MAX, SIGNATURE_LINE_MAX = 8, 60  # lines below a farewell, and characters of each

YES = frozenset(phrases("yes"))
NO = frozenset(phrases("no"))


# What the templates of answers call an email.
MAIL = {"mail": "email|mail|message|one|order|orders", "post": "email|mail|nachricht"}
MAIL |= {"courrier": "email|mail|message|courriel"}


def _pattern(spoken: Collection[str], table: str, others: Sequence[str] = ()) -> re.Pattern[str]:
    """Compile the phrases *spoken*, the templates in *table* and *others*.

    Each word of what it matches ends in a space.
    """
    every = [" ".join(f"({word})" for word in each.split()) for each in spoken]
    written = (each.format_map(MAIL) for each in (*templates(table), *others))
    return re.compile("|".join(map(_one_pattern, (*every, *written))))


def _one_pattern(template: str) -> str:
    parts = re.findall(r"\[[^]]*\]|\([^)]*\)|[^][() ]+", template)
    return "".join(
        f"(?:{part.strip('[]()')}) " if part[0] != "[" else f"(?:(?:{part[1:-1]}) )?"
        for part in parts
    )


CONSENTS = templates("consents")
AFFIRMATIONS = _pattern(YES, "affirmations", CONSENTS)
DENIALS = _pattern(NO, "denials")
AGREEMENTS = _pattern(YES, "agreements", CONSENTS)
REFUSALS = _pattern(NO, "refusals")
COURTESIES = _pattern((), "courtesies_of_answers")
GREETINGS = frozenset(phrases("greetings_of_answers"))
OF_AUTO_REPLIES = frozenset(phrases("of_auto_replies"))
ABSENT = phrases("absences")
SUBJECT_OF_NOTES = re.compile(rf"\W*(?:{alternatives('subjects_of_auto_replies')})", re.IGNORECASE)
NOTES = re.compile(alternatives("auto_replies"), re.IGNORECASE)
ABSENCES = re.compile(alternatives("absences_in_letters"), re.IGNORECASE)
THANKS_IN_NOTES = re.compile(alternatives("thanks_in_auto_replies"), re.IGNORECASE)
NOTE_CHARACTERS_MAX = 5_000
MOVE = re.compile(r"\b(\w{3})\s?[-\u2013]>?\s?(\w{3})\b")
NAME_LETTERS_MIN = 5  # of a name on the board; shorter ones are everyday words, too
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[👍👎✅✔❌]")
CLAUSE = re.compile(r"[.,;:!?\u2013\u2014()]+|\s-+\s|\s*\n\s*")
QUESTION = re.compile(r"\?")
LONGEST = 12  # words of a phrase


def reads_as_note(subject: str, lines: Iterable[str], names: Container[str]) -> bool:
    """Return whether an email reads as an auto-reply, so it is no letter to anybody.

    A letter about an absence has *names* of the board, in small letters.
    """
    text = _text_of_note(lines)
    if SUBJECT_OF_NOTES.match(subject) or NOTES.search(text):
        return True
    named = (each.casefold() for move in MOVE.findall(text) for each in move)
    return ABSENCES.search(text) is not None and not any(
        word in names
        for word in (
            *named,
            *(each for each in _answer_words(text) if len(each) >= NAME_LETTERS_MIN),
        )
    )


def may_be_note(subject: str, lines: Iterable[str]) -> bool:
    """Return whether an email may be an auto-reply, so no YES in it is anybody's."""
    text = _text_of_note(lines)
    return reads_as_note(subject, [text], ()) or THANKS_IN_NOTES.search(text) is not None


def _text_of_note(lines: Iterable[str]) -> str:
    return " ".join(" ".join(lines)[:NOTE_CHARACTERS_MAX].split()).replace("\u2019", "'")


def answer_in(lines: Iterable[str], names: Collection[str] = ()) -> bool | None:
    """Return the answer in the new text of an email; None if it says anything else besides.

    *names* are what the writer is called, in small letters. A greeting may precede the answer,
    and thanks, a name and a signature may follow. A denial may go on.
    """
    written = [line.strip().lstrip("*_").rstrip("*_ ") for line in lines if line.strip()]
    if _denies(written):
        return False
    if len(written) > LINES_MAX or any(len(line) > LINE_MAX for line in written):
        return None
    answered = False
    for number, line in enumerate(written):
        below = written[number + 1 :]
        if FAREWELL_ALONE.fullmatch(line) and (answered or not below):
            return True if answered and _is_signature(below) else None
        if answered and not below and _is_name(line, names, alone=True):
            return True
        kinds: list[bool | None] = []
        for clause in _clauses(line, greeted=answered):
            kinds.append(_kind_of(clause, names, agreed=answered))
            answered |= bool(kinds[-1])
        if None in kinds or QUESTION.search(line):
            return None
    return True if answered else None


def plain_answer(line: str) -> bool | None:
    """Return the answer of a line that is nothing else: `Yes, please`, `Das war ich.`, `non`."""
    if len(line) > LINE_MAX or QUESTION.search(line):
        return None
    clauses = (_answer_words(each) for each in CLAUSE.split(line))
    answers = {_answer_of(each) for each in clauses if each and not _is_made_of(each, COURTESIES)}
    return answers.pop() if len(answers) == 1 else None


def _answer_of(words: Sequence[str]) -> bool | None:
    if _is_made_of(words, REFUSALS):
        return False
    return True if _is_made_of(words, AGREEMENTS) else None


def _answer_words(text: str) -> list[str]:
    plain = normalize("NFC", text).casefold().replace("\u2019", "'").replace("\u2018", "'")
    return WORD.findall(plain.replace("e-mail", "email"))


def _denies(written: Sequence[str]) -> bool:
    """Return whether the first sentence after a greeting is a denial."""
    for line in written[:LINES_MAX]:
        for clause in _clauses(line[:LINE_MAX], greeted=False):
            return _is_made_of(_answer_words(clause), DENIALS)
    return False


def _clauses(line: str, *, greeted: bool) -> list[str]:
    """Return the clauses of *line*, without a greeting unless the writer has *greeted*."""
    clauses = [each for each in CLAUSE.split(line) if _answer_words(each)]
    first = _answer_words(clauses[0]) if clauses else []
    if greeted or not first or first[0] not in GREETINGS or len(first) > GREETING_WORDS_MAX:
        return clauses
    return clauses[1:]


def _kind_of(clause: str, names: Collection[str], *, agreed: bool) -> bool | None:
    """Return True for a yes, False for a courtesy or a name, None for anything else.

    What people say to an offer counts from somebody who has *agreed*: `Ja, genau das`.
    """
    words = _answer_words(clause)
    while words and words[-1] in names:
        words.pop()
    agreed |= bool(words) and words[0] in YES
    if _is_made_of(words, AFFIRMATIONS) or (agreed and _is_made_of(words, AGREEMENTS)):
        return True
    if not words or _is_made_of(words, COURTESIES):
        return False
    return None


def _is_made_of(words: Sequence[str], needed: re.Pattern[str]) -> bool:
    """Return whether *words* are a row of *needed* phrases and courtesies, not of these alone."""
    ends: dict[int, bool] = {0: False}  # each place where a phrase may end: has one been needed?
    for start in range(len(words)):
        if start not in ends:
            continue
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1):
            phrase = "".join(f"{word} " for word in words[start:end])
            is_needed = needed.fullmatch(phrase) is not None
            if is_needed or COURTESIES.fullmatch(phrase):
                ends[end] = ends.get(end, False) or ends[start] or is_needed
    return bool(words) and ends.get(len(words), False)


def _is_signature(lines: Sequence[str]) -> bool:
    return len(lines) <= SIGNATURE_LINES_MAX and all(
        len(line) <= SIGNATURE_LINE_MAX
        and OF_AUTO_REPLIES.isdisjoint(_answer_words(line)[:1])
        and not any(word.startswith(ABSENT) for word in _answer_words(line))
        for line in lines
    )


def _is_name(line: str, names: Collection[str], *, alone: bool) -> bool:
    """Return whether *line*, the last, may be a name; *alone* on its line, one never seen."""
    words = WORD.findall(line.lstrip("-\u2013\u2014~/ "))
    folded = [word.casefold() for word in words]
    if not words or len(words) > NAME_WORDS_MAX:
        return False
    if set(folded) <= set(names):
        return True
    of_note = not OF_AUTO_REPLIES.isdisjoint(folded) or any(
        word.startswith(ABSENT) for word in folded
    )
    capital = all(word[0].isupper() for word in words) or len(words) == 1
    return alone and capital and not of_note and not re.search(r"[\d?:;]", line)


CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so it is no word in any language
CODE_LENGTH = 8
FRAME_WORDS = 3
LINKED = ("yes", "20")  # `body=YES%20`, in a mailto link that was broken into lines


def code_of(secret: str) -> str:
    """Return the code, for people to type, that only those who know *secret* can tell."""
    number, letters = int.from_bytes(secret.encode(), "big"), ""
    for _ in range(CODE_LENGTH):
        number, at = divmod(number, len(CODE_LETTERS))
        letters += CODE_LETTERS[at]
    return f"{letters[: CODE_LENGTH // 2]}-{letters[CODE_LENGTH // 2 :]}"


def has_code(lines: Iterable[str], code: str, sentences: Iterable[str]) -> bool:
    """Return whether the writer of *lines* wrote *code*, and did not just quote it.

    It is quoted where it stands between the words of one of our *sentences*, with `{code}` in
    them, even if nothing marks the lines as a quotation.
    """
    text = "\n".join(lines)
    first, last = code.split("-")
    found = re.finditer(rf"(?i)(?<![^\W_]){first}[-\s\u2010-\u2015]*{last}(?![^\W_])", text)
    frames = [
        (_answer_words(before)[-FRAME_WORDS:], _answer_words(after)[:FRAME_WORDS])
        for before, _, after in (sentence.partition("{code}") for sentence in sentences)
    ]
    return any(
        not _is_framed(
            _answer_words(text[: each.start()]), _answer_words(text[each.end() :]), frames
        )
        for each in found
    )


def _is_framed(
    before: list[str], after: list[str], frames: Sequence[tuple[list[str], list[str]]]
) -> bool:
    return tuple(before[-len(LINKED) :]) == LINKED or any(
        before[-len(above) :] == above or after[: len(below)] == below for above, below in frames
    )


def without_code(line: str, code: str) -> str:
    """Return *line* without *code*."""
    first, last = code.split("-")
    return re.sub(rf"(?i)\b{first}[-\s\u2010-\u2015]*{last}\b", " ", line)
