"""Recognize prose among orders: greetings, introductions, odd words.

A receipt counts them and does not repeat them.

No list covers all introductions, and rejected orders cost a phase. So orders are accepted below
unknown words, and the receipt warns about them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.mail.body import Line
from judge.mail.headers import split_phrases
from judge.mail.language.command_syntax import OrderText, ParsedLine, UnknownCommand, order_text
from judge.mail.language.phase_names import all_spellings
from judge.mail.reader.game_headings import GAME_WORDS
from judge.mail.reader.phase_hints import holds_order, is_of_heading
from judge.notation.terms import names_of
from judge.rules.board import Map

NAME_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
GREETING_WORDS_MAX = 6  # words of `Hello dear judge and Mr. Smith`
FAREWELL_WORDS_MAX = 8  # words of a farewell
STATEMENTS = frozenset({"if", "else", "endif", "unless"})
NAME_MAX = 3  # words of `Bob van Gogh`
INITIALS_MAX = 3  # letters
FAREWELLS = split_phrases("""
    cheers | thanks | thank you | thx | ty | tia | many thanks | best | kind | warm
    regards | yours | sincerely | cu | see you | bye | goodbye | ciao | take care | have a
    have fun | good luck | good game | gl | gg | all the best | hope you | hope this
    hope all is | hope everything | i hope | love | respectfully | talk soon | until | danke
    vielen dank | besten dank | herzlichen dank | viele grüße | liebe grüße | beste grüße
    schöne grüße | viele grüsse | liebe grüsse | beste grüsse | schöne grüsse | grüße
    grüsse | gruß | gruss | lg | vg | mfg | mit freundlichen | freundliche | herzliche
    bis bald | bis dann | tschüss | tschüß | viel spaß | viel erfolg | schönes wochenende
    schönen tag | schönen abend | einen schönen | merci | cordialement | bien cordialement
    amicalement | bien à | à bientôt | a bientôt | bonne journée | bonne soirée
    bonne chance | bonne partie | amitiés | salutations | meilleures salutations | bises
    that's all | that is all | das war's | das ist alles | c'est tout
""")
FAREWELLS_BEGIN = frozenset(each.split()[0] for each in FAREWELLS)
BLOCK_WORDS = all_spellings(
    "else end endif endpress endbroadcast enddiary endpreview then signoff"
)
ASKING_WORDS = all_spellings(  # words of questions and commands, which are not names
    "draw concede concession map extension press resign help unsubscribe language moderator rules"
    " deadline pause resume wait ready stop more time please problem question late let go move"
    " hold support convoy attack retreat build disband remove army fleet abort cancel undo"
    " coast nordküste südküste ostküste westküste côte"
    " process begin start close bitte frage pause remis hilfe aide nulle question svp"
)
NEUTRAL_TOO = all_spellings(
    "hier kommen kommt voici ci-joint ok okay so now well und and et also fine done that's all"
    " these those are is sind lauten meiner nos my turn round runde tour"
    " both two three games beide beiden alle spiele partien deux les parties"
)
# A sentence with one of these says or asks something, however politely it begins.
SAYING = all_spellings(
    "i i'm i'd i'll we is am are my our when where who why can could may will would should do does"
    " did ich wir bin ist sind mein meine wann wo wer warum kann könnte wird je nous suis est mon"
    " ma mes quand où qui pourquoi peux peut"
)
ASKS_FIRST = all_spellings(
    "is are am was were do does did can could may will would should have has what when where who"
    " why how ist sind war kann darf wird hat geht wann wo wer warum wie est sont peut puis"
)
# What makes a line of otherwise neutral words an introduction of orders.
ANNOUNCED = all_spellings(
    "order orders move moves movement movements retreat retreats build builds adjustments these"
    " following follows below attached update corrections befehl befehle zug züge folgende"
    " folgenden folgt folgen anbei korrektur ordre ordres voici suivant suivants suit corrigés"
)
WELL = frozenset(("well", "fine", "good", "great", "okay"))
OF_DAY = frozenset(("morning", "afternoon", "evening", "day"))  # `Good morning, judge`
FOR_WHAT = (["for"], ["für"], ["pour"])  # `Thanks for your help`
COURTEOUS = frozenset(
    split_phrases("""
        sorry | oops | pardon | moment | one moment | hold on | my mistake | my bad | ach | ah
        oh | hm | hmm | euh | äh | ok then | okay then | na gut
        ups | entschuldigung | verzeihung | einen moment | mein fehler | désolé | désolée
        oups | excusez moi | un instant | mon erreur
        how are you | how are you all | how is it going | wie geht's | ça va | as above | see above
        see subject | wie oben | siehe oben | siehe betreff | voir ci-dessus
    """)
)


def is_courtesy(text: str) -> bool:
    """Return whether *text*, not an order, only greets, thanks or signs off."""
    words = _words_of(text)
    if not words or is_farewell(text) or " ".join(words) in COURTEOUS:
        return True
    of_day = words[0] == "good" and not OF_DAY.isdisjoint(words[1:2])
    greets = len(words) <= GREETING_WORDS_MAX and (of_day or words[0] in GREETINGS)
    return greets and _asks_nothing(words[1:]) and "?" not in text


def is_introduction(text: str, board: Map) -> bool:
    """Return whether *text* only announces the orders beside it: `here are my final orders:`."""
    words = _words_of(text)
    neutral = NEUTRAL | NEUTRAL_TOO | GREETINGS
    if not words or "?" in text or words[0] in ASKS_FIRST:
        return False
    announces = not ANNOUNCED.isdisjoint(words) or text.rstrip(ADORNING).endswith(":")
    known = all(word in neutral or is_of_heading(word, board) for word in words)
    return known and (announces or all(is_of_heading(word, board) for word in words))


def is_farewell(text: str) -> bool:
    """Return whether *text* thanks or signs off: `cheers`, `Viele Grüße`."""
    words = _words_of(text)
    if len(words) > FAREWELL_WORDS_MAX or FAREWELLS_BEGIN.isdisjoint(words[:1]) or "?" in text:
        return False
    plain = " ".join(words)
    formula = next((each for each in FAREWELLS if f"{plain} ".startswith(f"{each} ")), None)
    if formula is None:
        return False
    rest = words[len(formula.split()) :]
    wishes_well = "hope" in formula and not WELL.isdisjoint(rest)
    thanks = rest[:1] in FOR_WHAT and SAYING.isdisjoint(rest)
    return wishes_well or thanks or _asks_nothing(rest)


def _words_of(text: str) -> list[str]:
    return [word.casefold() for word in NAME_WORD.findall(text.replace("\u2019", "'"))]


def _asks_nothing(words: Sequence[str]) -> bool:
    return SAYING.isdisjoint(words) and ASKING_WORDS.isdisjoint(words)


def may_be_name(text: str, *, taken_leave: bool) -> bool:
    """Return whether *text*, at the end of an email, may be the name of its sender.

    Several words may be one only after a farewell (*taken_leave*).
    """
    words = NAME_WORD.findall(text)
    plain = not any(letter.isdigit() or letter in "?!" for letter in text)
    folded = {word.casefold() for word in words}
    if not words or not plain or folded & (ASKING_WORDS | BLOCK_WORDS):
        return False
    if text.isupper() and len(text) > INITIALS_MAX and not taken_leave:
        return False  # It may be a command.
    if text.endswith(".") and len(text) > INITIALS_MAX:
        return False  # It ends a sentence.
    return len(words) <= NAME_MAX if taken_leave else len(words) == 1 and text[0].isupper()


ADORNING = " \t*_>\"'\u201c\u201d)]"
GREETINGS = all_spellings(
    "dear hi hello hey hallo moin servus guten lieber liebe liebes bonjour salut cher chère chers"
)
NEUTRAL = all_spellings(
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
SHOUTED = re.compile(r"[A-Z]{4,20}")
ODD_GAME_NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")
PARTING = frozenset(
    ("regards", "cheers", "thanks", "sincerely", "yours", "best", "love", "grüße", "gruß", "danke")
)


def name_odd_words(parsed: Sequence[ParsedLine], board: Map) -> tuple[ParsedLine, ...]:
    """Return *parsed* with lines that only resemble commands as unknown commands."""
    alone = len(parsed) == 1
    return tuple(
        part
        for each in parsed
        for part in (
            _odd_parts(each, board, alone=alone) if isinstance(each, OrderText) else (each,)
        )
    )


def _odd_parts(orders: OrderText, board: Map, *, alone: bool) -> tuple[ParsedLine, ...]:
    parts: list[ParsedLine] = []
    kept: list[Line] = []
    lines = orders.lines
    for at, line in enumerate(lines):
        if not SHOUTED.fullmatch(_first_word(line.text)):  # before its neighbors are read
            kept.append(line)
            continue
        between = 0 < at < len(lines) - 1 and all(
            holds_order(each.text, board) for each in (lines[at - 1], lines[at + 1])
        )
        if _is_odd(line.text, board, single=between or (alone and len(lines) == 1)):
            parts += order_text(kept)
            kept = []
            word = line.text.split()[0]
            parts.append(UnknownCommand(word, None, line=line.number, text=line.text))
        else:
            kept.append(line)
    return (*parts, *order_text(kept)) if parts else (orders,)


def _first_word(text: str) -> str:
    return next(iter(text.strip(" .!").split(maxsplit=1)), "")


def _is_odd(text: str, board: Map, *, single: bool) -> bool:
    words = text.strip(" .!").split()
    if not words or not SHOUTED.fullmatch(words[0]) or holds_order(text, board):
        return False
    word = words[0].casefold()
    known = NEUTRAL | GREETINGS | PARTING | STATEMENTS | GAME_WORDS
    if word in known or is_of_heading(word, board) or names_of(board).longest([word])[0]:
        return False
    match words:
        case [_]:
            return single
        case [_, name]:
            return ODD_GAME_NAME.fullmatch(name) is not None and name not in known
        case _:
            return False
