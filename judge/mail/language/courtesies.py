"""Greetings, thanks and names around orders: `Hi judge,`, `Here are my moves:`, `cheers, Bob`.

A receipt counts them and does not repeat them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judge.mail.language.introductions import GREETINGS, NEUTRAL
from judge.mail.language.phase_headings import is_of_heading
from judge.mail.language.phase_slips import spelled
from judge.mail.phrases import listed

if TYPE_CHECKING:
    from judge.rules.board import Map

WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
GREETED_MAX = 6  # words of `Hello dear judge and Mr. Smith`
CLOSED_MAX = 8  # words of a line that takes leave
NAME_MAX = 3  # words of `Bob van Gogh`
LEAVE = listed("""
    cheers | thanks | thank you | thx | ty | tia | many thanks | best | kind | warm
    regards | yours | sincerely | cu | see you | bye | goodbye | ciao | take care | have a
    have fun | good luck | good game | gl | gg | all the best | hope you | hope this
    hope all is | hope everything | love | respectfully | talk soon | until | danke
    vielen dank | besten dank | herzlichen dank | viele grüße | liebe grüße | beste grüße
    schöne grüße | viele grüsse | liebe grüsse | beste grüsse | schöne grüsse | grüße
    grüsse | gruß | gruss | lg | vg | mfg | mit freundlichen | freundliche | herzliche
    bis bald | bis dann | tschüss | tschüß | viel spaß | viel erfolg | schönes wochenende
    schönen tag | schönen abend | einen schönen | merci | cordialement | bien cordialement
    amicalement | bien à | à bientôt | a bientôt | bonne journée | bonne soirée
    bonne chance | bonne partie | amitiés | salutations | meilleures salutations | bises
""")
ASKING = spelled(  # words of questions and commands, which are no names
    "draw concede concession map extension press resign help unsubscribe language moderator rules"
    " deadline pause resume wait ready stop more time please problem question late let go move"
    " hold support convoy attack retreat build disband remove army fleet abort cancel undo"
    " bitte frage pause remis hilfe aide nulle question svp"
)
NEUTRAL_TOO = spelled(
    "hier kommen kommt voici ci-joint ok okay so now well and und et also fine done that's all"
    " these those are is sind lauten meiner nos my turn round runde tour"
)


def is_courtesy(text: str, board: Map) -> bool:
    """Tell whether *text*, which is no order, only greets, thanks, takes leave or announces."""
    words = [word.casefold() for word in WORD.findall(text)]
    if not words:
        return True
    if len(words) <= GREETED_MAX and words[0] in GREETINGS:
        return True
    if takes_leave(text):
        return True
    announcing = NEUTRAL | NEUTRAL_TOO | GREETINGS
    return all(word in announcing or is_of_heading(word, board) for word in words)


def takes_leave(text: str) -> bool:
    """Tell whether *text* thanks or takes leave: `cheers`, `Viele Grüße`."""
    words = [word.casefold() for word in WORD.findall(text)]
    said = " ".join(words)
    leaves = any(said == each or said.startswith(f"{each} ") for each in LEAVE)
    return leaves and len(words) <= CLOSED_MAX


def may_be_name(text: str, *, taken_leave: bool) -> bool:
    """Tell whether *text*, at the end of an email, may be the name of its writer.

    Of several words it may only be one if its writer has *taken_leave* above.
    """
    words = WORD.findall(text)
    plain = not any(letter.isdigit() or letter in "?!" for letter in text)
    if not words or not plain or not ASKING.isdisjoint(word.casefold() for word in words):
        return False
    return len(words) <= NAME_MAX if taken_leave else len(words) == 1 and text[0].isupper()
