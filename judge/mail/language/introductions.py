"""What stands above orders and may say that they are none: `Would this work?`, `Ignore this:`.

Nobody can list all the ways to say so, and orders that are not taken lose a phase. So they are
taken, and who wrote something else above them than headings and greetings say is told that.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from judge.mail.language.game_headings import GAME
from judge.mail.language.phase_headings import is_of_heading
from judge.mail.language.phase_slips import plain, spelled
from judge.rules.board import Map

LINE_MAX = 200  # characters; more is a paragraph
SHORT_MAX = 8  # words of a line that introduces something without a colon
GREETED_MAX = 4  # words of `Dear Mr. Smith and all:`
WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
GAME_NAMED = re.compile(  # of a game of his it would have been read before
    rf"\W*(?:{'|'.join(sorted(GAME))})\s+[\w-]+\W*", re.IGNORECASE
)
HEAD = re.compile(  # of an old mail, by which it is not known
    r"\W*(?:from|to|subject|date|sent|cc|von|an|betreff|datum|gesendet|de|à|objet|envoyé)"
    r"\s?:\s+\S",
    re.IGNORECASE,
)
ENDS = (":", "?", "...", "\u2026")
ADORNING = " \t*_>\"'\u201c\u201d)]"
GREETINGS = spelled(
    "dear hi hello hey hallo moin servus guten lieber liebe liebes bonjour salut cher chère chers"
)
NEUTRAL = spelled(
    "judge gm gamemaster master sir madam all everyone to go do you your please find attached see"
    " follow follows following below above come comes get submit submitting submitted send sending"
    " enter entering give giving use want wish would like will shall be make"
    " i i'd i'll i'm we we'd we'll it it's that that's here's a an am have got set sets list"
    " me us these for with as from by at an update updated updates change changed changes correct"
    " corrected corrections full complete whole last latest second first third time thanks"
    " thank regards good morning afternoon evening day again still just only both unit units"
    " army armies fleet fleets move movement build retreat remove power country nation side"
    " part team mine anbei hiermit mit ich wir sie es das die den dem ein eine bitte folgende"
    " folgenden folgt folgen lauten lautet befehle zug züge einheiten sende schicke gebe möchte"
    " meiner meinem unserer neue neuen endgültig endgültige geändert geänderte korrektur land"
    " je nous vous voilà suit suivent suivants suivant donne envoie veux voudrais unités nouveaux"
    " nouvelle définitifs corrigés pays"
)
DOUBTING = spelled(
    "ignore disregard not never don't cancel forget scratch wrong mistake old earlier previous"
    " test testing try example instance draft tentative idea ideas option options alternative"
    " maybe perhaps possible possibly suppose supposing if what how think thinking would could"
    " should consider considering check preview simulate"
    " ignoriere ignorieren nicht vergiss alte alten falsch beispiel entwurf vielleicht wenn falls"
    " testweise ignorez oubliez pas anciens exemple brouillon peut-être si essai"
)


LATER = spelled(
    "next then later afterwards danach nächster nächste ensuite puis prochain prochaine"
)


def may_deny(line: str, board: Map, known: Collection[str] = ()) -> bool:
    """Say whether *line*, above orders, may say that they are none.

    It does not if it only greets, or says what headings say; *known* are words that do, too.
    """
    words = [word.casefold() for word in WORD.findall(plain(line))]
    if not words or len(line) > LINE_MAX:
        return False
    announces = line.rstrip(ADORNING).endswith(ENDS)
    if HEAD.match(line) or (announces and not LATER.isdisjoint(words)):
        return True
    greets = words[0] in GREETINGS and len(words) <= GREETED_MAX
    if greets or all(_is_neutral(word, board, known) for word in words):
        return False
    return (
        announces
        or GAME_NAMED.fullmatch(line) is not None
        or (len(words) <= SHORT_MAX and not DOUBTING.isdisjoint(words))
    )


def _is_neutral(word: str, board: Map, known: Collection[str]) -> bool:
    return word in NEUTRAL | GREETINGS or word in known or is_of_heading(word, board)
