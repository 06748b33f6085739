"""Read yes and no in every language the judge speaks.

A sentence with both, or with a negated yes, is no answer: asking again costs less than misreading
a confirmation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from judge.mail.headers import split_phrases
from judge.mail.language.command_syntax import ParsedLine


@dataclass(frozen=True, slots=True)
class Confirm(ParsedLine):
    """`YES` or `NO`, as the first line."""

    yes: bool


LINE_MAX = 200  # characters; longer lines are prose
GREETING_WORDS_MAX = 5
LINES_MAX = 20  # lines of a text that are searched for an answer

YES = frozenset(
    split_phrases("""
        yes | y | yeah | yea | yep | yup | yess | aye | ok | okay | okey | sure | correct | right
        confirm | confirmed | i confirm | i do | i did | it was me | that was me | it is me
        it's me | it is mine | it's mine | that's me | that was i | mine | of course | indeed
        absolutely | definitely | certainly | affirmative | agreed | please do | go ahead
        ja | j | jo | jep | jup | jawohl | jawoll | klar | genau | stimmt | richtig | bestätigt
        ich bestätige | bestätige | das war ich | ich war das | ich war es | ich war's
        das bin ich | ist von mir | natürlich | selbstverständlich | einverstanden | in ordnung
        oui | o | ouais | ouaip | d'accord | bien sûr | je confirme | confirmé | confirme
        c'était moi | c'est moi | c'est bien moi | c'était bien moi | exact | exactement
        certainement | tout à fait | entendu
        👍 | ✅ | ✔
    """)
)
NO = frozenset(
    split_phrases("""
        no | n | nope | nah | nay | never | not me | not mine | it wasn't me | that wasn't me
        it was not me | that was not me | wasn't me | i didn't | i did not | it isn't mine
        nein | nee | nö | niemals | nicht ich | das war ich nicht | ich war das nicht
        ich war es nicht | ich war's nicht | nicht von mir | auf keinen fall
        non | nan | jamais | pas moi | ce n'était pas moi | ce n'est pas moi | c'est pas moi
        c'était pas moi | pas du tout | surtout pas
        👎 | ❌
    """)
)
NEGATIONS = frozenset(
    split_phrases("""
        not | no | never | nope | isn't | wasn't | didn't | don't | doesn't | cannot | can't
        won't | nicht | nein | nie | niemals | kein | keine | keinen | pas | non | jamais | aucun
    """)
)
GREETINGS = frozenset(
    split_phrases("""
        dear | hi | hello | hey | hallo | moin | servus | guten | liebe | lieber | bonjour | salut
        bonsoir | cher | chère | greetings | good | ah | oh | well | um | hm | sorry | thanks
        danke | ach | also | merci | pardon | ben
    """)
)
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[👍👎✅✔❌]")
CLAUSE = re.compile(r"[.,;:!?\u2013\u2014()]+|\s-+\s")
SENTENCE = re.compile(r"(?<=[.!?])\s+")
LONGEST = max(len(each.split()) for each in YES | NO)


def answer_in(lines: Iterable[str]) -> bool | None:
    """Return the answer of the first line after the greeting, else of a line with nothing else."""
    written = [line for line in lines if line.strip()][:LINES_MAX]
    first = next((line for line in written if not _only_greets(line)), "")
    answered = yes_or_no(first)
    if answered is not None:
        return answered
    alone = {plain_answer(line) for line in written} - {None}
    return alone.pop() if len(alone) == 1 else None


def yes_or_no(line: str) -> bool | None:
    """Return the answer at the start of *line*; None if there is none, or both."""
    if len(line) > LINE_MAX:
        return None
    text = _without_greeting(line).strip()
    words = _answer_words(text)
    answered = _answer_at_start(words)
    rest = words[1:]
    negated = not NEGATIONS.isdisjoint(rest)
    if answered and (negated or SENTENCE.split(text, maxsplit=1)[0].endswith("?")):
        return None
    if (
        answered is False
        and not negated
        and any(_answer_at_start(rest[i:]) for i in range(len(rest)))
    ):
        return None
    return answered


def plain_answer(line: str) -> bool | None:
    """Return the answer of a line that is nothing else: `Yeah!`, `Ja, das war ich.`, `non`."""
    if len(line) > LINE_MAX:
        return None
    clauses = [_answer_words(each) for each in CLAUSE.split(line)]
    answers = {_whole_answer(each) for each in clauses if each}
    return answers.pop() if len(answers) == 1 else None


def _whole_answer(words: list[str]) -> bool | None:
    text = " ".join(words)
    return {True: True, False: False}.get(text in YES) if text in YES | NO else None


def _answer_at_start(words: list[str]) -> bool | None:
    """Return the answer of the longest beginning of *words*: `das war ich nicht` is no."""
    for length in range(min(LONGEST, len(words)), 0, -1):
        answered = _whole_answer(words[:length])
        if answered is not None:
            return answered
    return None


def _answer_words(text: str) -> list[str]:
    return WORD.findall(text.casefold().replace("\u2019", "'").replace("\u2018", "'"))


def _only_greets(line: str) -> bool:
    words = _answer_words(line)
    greets = bool(words) and words[0] in GREETINGS and len(words) <= GREETING_WORDS_MAX
    return greets and not _answer_words(_without_greeting(line))


def _without_greeting(line: str) -> str:
    words = _answer_words(line)
    if not words or words[0] not in GREETINGS:
        return line
    head, *rest = re.split(r"[,.!:]", line, maxsplit=1)
    return "".join(rest) if len(_answer_words(head)) <= GREETING_WORDS_MAX else line
