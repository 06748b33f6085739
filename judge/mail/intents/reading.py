"""Read the wishes in sentences, and decide what to do about each: act, offer it, or ask.

Nothing here can do more than choose one of our own wishes: what somebody writes only selects.
All work is bounded: so many sentences, so long, and patterns that take linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import takewhile

from judge.mail.headers import split_phrases
from judge.mail.intents.features import WORD, features_of, plain, words_of
from judge.mail.intents.known import Known, Marked, powers_in, with_known_things_marked
from judge.mail.intents.weights import Weights
from judge.mail.intents.wish_files import NONE, Effect, Role, Wish

SENTENCES_MAX, CHARACTERS_MAX = 12, 300  # of an email, and of a sentence
ACTED_ON = {Effect.ANSWER: 0.5, Effect.CHANGE: 0.8, Effect.CONFIRM: 0.75, Effect.NOTHING: 2.0}
MARGIN = 0.15  # between the likeliest wish and the next
OFFERED, OFFERED_IN_TALK, ASKED = 0.25, 0.35, 0.06
NOTHING_WANTED, NOTHING_WANTED_BY_STRANGER = 0.40, 0.97  # then nobody is asked
PLAINLY_TALK = 0.6
LETTER = 3  # sentences of talk
WORDS_KNOWN = 0.6  # share of the words that examples have
WORDS_TOGETHER, WORDS_ASKED, WORDS_OF_VOTE = 30, 60, 14
WORDS_MISSED_MIN, MASK = 3, "..."
CHOICES_MAX = 3
SAID_BY_SUBJECT = 0.6
WORDS_LONG, WORDS_CLAUSE, CLAUSE_PLAIN = 9, 4, 0.6  # of a sentence read by one of its clauses
CLAUSE = re.compile(
    r"\s*[,;:()\u2013]\s*|(?<=[.!?])\s+|\s-+\s|\s(?:and|but|so|because|und|aber|weil|denn|et|mais|car)\s",
    re.IGNORECASE,
)
AND = re.compile(r",?\s(?:and|und|et)\s", re.IGNORECASE)  # between two questions
SURE = 0.95  # Then a whole that may not be acted on is not plainer.
PLAIN, BESIDE_PLAIN = 0.8, 0.5  # What is likelier than the first makes doubtful wishes unlikely.
LIKELIER = 2.5  # times, for what the state of the game suggests

# Who talks to another player, or of others, rarely wants it from the judge.
TALK = frozenset(
    split_phrases("""
    if | maybe | perhaps | told | says | said | think | thinks | thought | believe | guess | you
    your | yours | he | she | him | they | them | would never | heard | hear | going to ask | wenn
    falls | vielleicht | meinte | meint | sagt | sagte | glaube | glaub | denke | du | dich | dir
    dein | deine | er | ihn | ihm | si | peut-etre | tu | toi | te | ton | ta | il | lui | croit
    crois | dit | pense | penses
""")
)
OTHERS = frozenset(("he", "she", "him", "they", "them", "er", "ihn", "ihm", "il", "lui"))
FRENCH = frozenset(("je", "j", "de", "le", "la", "les", "au", "suis", "absent", "absente"))
POLITE = re.compile(  # what is said to the judge, too
    r"\b(?:could|can|would|will|may|thank|do|did|should|have) (?:you|u)\b"
    r"|\byou (?:please|got|get)\b|\bif (?:so|possible|available|free)\b"
    r"|\bwenn (?:moglich|es geht|noch frei)\b|\bsi (?:possible|oui|c'est possible)\b"
    r"|\b(?:kannst|konntest|wurdest|hast|magst) du\b|\b(?:peux|pourrais|as)[- ]tu\b|\btu peux\b"
    r"|\bs'il (?:vous|te) plait\b|\bil (?:y a|faut|me faut|est)\b|\bdit(?:es)?-moi\b"
)
ASKS_HOW = re.compile(  # and wants to know first, unlike `wie letzte Runde`
    r"\W*(?:how|wie(?! (?:(?:im|beim|in der) )?(?:letzt|gehabt|vorher|zuvor))|comment|what|was"
    r"|qu'est-ce)\b"
)
ANSWER = re.compile(r"(?:yes|yep|yeah|ja|oui)\b")  # to a question that only its writer knows
DENIAL = re.compile(
    r"\b(?:no|not|nope|nah|don'?t|cannot|can'?t|won'?t|never|nothing|nein|nee|ne|nicht|nichts|kein\w*"
    r"|nie|non|nan|pas|(?<!si )jamais|rien|aucune?|against|(?:da)?gegen|contre|oppose|m'oppose"
    r"|refuse|reject\w*|ablehn\w*|lehne|veto|disagree)\b"
)
GRANTS = re.compile(  # although it denies: `no objection`, `why not a draw`
    r"\b(?:objections?|objects?|mind|problem\w*|against|wrong|dagegen|gegen|einw\w+|contre"
    r"|oppos\w+|inconvenient|(?:why|warum|wieso|pourquoi) (?:not|nicht|pas))\b"
)
NO_DENIAL = re.compile(  # `I'm not against it`, `habe nichts dagegen`
    r"(?:\b(?:not|no|nothing|never|nicht|nichts|kein\w*|pas|rien|aucune?)|n'?t)\b[^,;.!?]{0,30}?\b(?:"
    r"objections?|objects?|mind|problem\w*|against|oppose\w*|dagegen|gegen|einw\w+|contre"
    r"|inconvenient)\b"
)
STOPPING = re.compile(
    r"\b(?:stop\w*|quit|unsubscri\w+|remov\w+|delet\w+|eras\w+|cancel|opt out|leave me alone"
    r"|not interested|lassen sie das|end these|spam\w*|(?:take|want|me|address) off|abmeld\w*"
    r"|austrag\w*|tragt mich aus|stellt \w+ (?:bitte )?ab|abstell\w*|abbestell\w*"
    r"|kundig\w*|aufhor\w*|hort auf|schluss|ruhe|runter|los|raus"
    r"|losch\w*|streich\w*|entfern\w*|ne[hi]m\w* (?:sie )?mich|desinscri\w+|desabon\w+"
    r"|cess\w+|arret\w*|retir\w+|supprim\w+|enlev\w+|effac\w+|resili\w+|tranquille"
    r"|decedee?|verstorben|gestorben|passed away|deceased|died)\b"
)
TOO_MUCH = re.compile(
    r"\b(?:too|enough|zu viele?|dauernd|genug|trop|assez|keep|why|warum|pourquoi|spamm?t"
    r"|interested|interesse|sortir|longer|langer|plus|asked|gebeten|demande|wrong|falsche"
    r"|mauvaise)\b"
)
MAILS = re.compile(
    r"\b(?:e-?mail|mail|messag|list|verteiler|newsletter|nachricht|bericht|courri"
    r"|rapport|report|writ|schreib|ecri|send|schick|envo|contact|kontakt|subscri|abon|inscri"
    r"|watch|verfolg|beobacht|suivre|observer)"
)
CONDITION = re.compile(  # what makes a YES or a NO something else, unlike `I've only just begun`
    r"\b(?:if|unless|but|only(?! just)|once|wenn|falls|aber|nur|sobald|sofern|si|mais|seulement"
    r"|sauf)\b"
)
CHOICE = re.compile(r"\b(?:or|oder|ou)\b")
REPLY = re.compile(r"^(?:\s*(?:re|aw|sv|tr|fwd?|wg)\s?:)+\s*", re.IGNORECASE)
VOTED_ON = re.compile(
    r"\b(?:draw|dias|pause|extension|vote|proposal|propos\w+|remis|unentschieden|vorschlag\w*"
    r"|abstimmung|nulle|partage|motion)\b"
)
AUTOMATIC = re.compile(
    r"\b(?:automatic(?:ally)?|auto-?reply|out of (?:the )?office|nicht im buro|abwesenheitsnotiz"
    r"|automatische?|automatique|absente? du bureau|annual leave|do not reply|urgent matters"
    r"|wurde nicht gelesen|nicht weitergeleitet|not monitored|ne sera pas lu"
    r"|thank you for your (?:message|e?-?mail)|vielen dank fur ihre (?:nachricht|e?-?mail)"
    r"|votre message|dringenden fallen|pour toute urgence|ticket|click|klicken|cliquez)\b"
)
OPPOSITES = {
    one: other
    for pair in (
        ("vote_yes", "vote_no"),
        ("ready", "wait"),
        ("absence", "back"),
        ("pause", "resume"),
        ("rollback", "rollforward"),
    )
    for one, other in (pair, pair[::-1])
} | {"draw": "vote_yes"}
# What somebody means who denies one of these wishes: another, or nothing.
REFUSED = {"observe": "unobserve"} | dict.fromkeys(
    ("join", "standby", "resume", "start_game"), NONE
)
REFUSED |= dict.fromkeys(("vote_yes", "draw", "concede", "pause"), "vote_no")
STOP = "stop_mail"
ENTERING = JOIN, TAKE_OVER = ("join", "take_over")
# What somebody means who cannot mean these now.
OTHERWISE = {TAKE_OVER: JOIN, "rollforward": "rollback"}
DRAW, VOTES = "draw", ("vote_yes", "vote_no")
HELP = "help"  # which says nothing where another wish is known
# Wishes that a denial turns into their opposite; others, such as an absence, often have one.
DENIED = frozenset(
    ("join", "observe", "standby", "take_over", "extension", "language", "name", "zone", "address")
)


class Verdict(Enum):
    """The decision about a wish."""

    ACT = "act"
    OFFER = "offer"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Reading:
    """The wishes that a *sentence* of an *email* may express, the likeliest first.

    Only one is acted on.
    """

    sentence: str
    verdict: Verdict
    wishes: tuple[str, ...]
    slots: Mapping[str, str]
    probability: float
    email: str = ""


@dataclass(frozen=True, slots=True)
class _Scored:
    """A sentence with the probability of each wish, the likeliest first."""

    sentence: str
    marked: Marked
    words: tuple[str, ...]
    ranked: tuple[tuple[float, str], ...]
    partly: bool = False  # by what one clause of it says, or by what it denies

    @property
    def best(self) -> tuple[float, str]:
        return self.ranked[0]

    @property
    def nothing(self) -> float:
        return next(share for share, name in self.ranked if name == NONE)

    @property
    def is_talk(self) -> bool:
        return self.nothing >= PLAINLY_TALK


def read_wishes(
    sentences: Sequence[str], known: Known, weights: Weights, subject: str = ""
) -> tuple[Reading, ...]:
    """Return what is to be done about *sentences*, which nothing else has taken.

    The *subject* counts if they say nothing themselves, or less plainly.
    """
    some = [each[:CHARACTERS_MAX] for each in sentences if words_of(each)][:SENTENCES_MAX]
    about = with_known_things_marked(REPLY.sub("", subject), known, weights).slots
    game = {"game": about["game"]} if known.role is Role.STRANGER and "game" in about else {}
    read = _read_sentences(some, known, weights, game)
    if subject and not any(map(_is_said_well, read)):
        offered = (each.probability for each in read if each.verdict is Verdict.OFFER)
        least = max(SAID_BY_SUBJECT, *offered, 0)
        return tuple(_of_subject(subject, some, known, weights, least)) or read
    if subject and known.role is Role.STRANGER:
        wanted = {each.wishes[0] for each in read}
        told = _of_subject(subject, some, known, weights, SAID_BY_SUBJECT)
        return (*read, *(each for each in told if each.wishes[0] not in wanted))
    return read


def _is_said_well(reading: Reading) -> bool:
    """Return whether *reading* says more than that its writer wants something."""
    if reading.verdict is Verdict.ACT:
        return reading.wishes[0] != HELP
    return reading.verdict is Verdict.OFFER and reading.probability >= PLAIN


def _of_subject(
    subject: str, body: Sequence[str], known: Known, weights: Weights, least: float
) -> Iterator[Reading]:
    """Yield the wish that is plain from the *subject* alone; what it changes is only offered."""
    topic = REPLY.sub("", subject)[:CHARACTERS_MAX]
    if topic != subject and sum(len(each.split()) for each in body) > WORDS_OF_VOTE:
        return  # The subject is one of an older email.
    scored = _score(topic, known, weights)
    share, name = scored.best
    changes = weights.wishes[name].effect is not Effect.ANSWER
    asked_first = known.role is Role.STRANGER  # whatever it is
    if name == NONE or share < least or (changes and not asked_first and " " not in topic.strip()):
        return
    slots = [with_known_things_marked(each, known, weights).slots for each in (*body, topic)]
    rest = {key: value for each in slots for key, value in each.items()}
    found = _decide(scored, known, weights, rest=rest, talk=0)
    if found is None:
        return
    found = replace(found, email=" ".join((*body, topic)))
    yield replace(found, verdict=Verdict.OFFER) if changes else found


def _read_sentences(
    some: Sequence[str], known: Known, weights: Weights, named: Mapping[str, str]
) -> tuple[Reading, ...]:
    if not some:
        return ()
    scored = [part for each in some for part in _questions_in(each, known, weights)]
    whole = " ".join(some)
    if len(some) > 1 and len(whole.split()) <= WORDS_TOGETHER:
        scored = _better(scored, _score(whole[:CHARACTERS_MAX], known, weights), known, weights)
    of_others = known.role is Role.MODERATOR  # `Russia never writes. Throw him out.`
    said = [
        each.marked.slots if of_others else _slots_undenied(each, known, weights)
        for each in scored
    ]
    said = said if any(said) else [each.marked.slots for each in scored]
    rest = {name: value for slots in (named, *reversed(said)) for name, value in slots.items()}
    rest["others"] = ", ".join(power for slots in said for power in powers_in(slots))
    rest["unwanted"] = ", ".join(each.marked.slots.get("unwanted", "") for each in scored)
    talk = _talk_in(scored, whole, known)
    scored = [_by_clause(each, known, weights) for each in scored]
    if known.answers_proposal and len(some) > 1 and not CONDITION.search(plain(whole)):
        vote = _decide(_score(some[0], known, weights), known, weights, rest=rest, talk=0)
        if vote and vote.verdict is Verdict.ACT and vote.wishes[0] in VOTES:
            return (vote,)
    read = [
        found for each in scored if (found := _decide(each, known, weights, rest=rest, talk=talk))
    ]
    likeliest = max((each.probability for each in read), default=0.0)
    if known.acted or likeliest >= PLAIN:
        read = [each for each in read if each.probability >= BESIDE_PLAIN]
    if known.acted:
        read = [each for each in read if " " in each.sentence]
    if any(each.wishes[0] != HELP for each in read):
        read = [each for each in read if each.wishes[0] != HELP]
    acted = any(each.verdict is not Verdict.ASK for each in read)
    if acted or talk or len(whole.split()) > WORDS_ASKED:
        read = [each for each in read if each.verdict is not Verdict.ASK]
    if len(some) > 1 and not known.acted:
        read = _or_as_a_whole(read, whole, known, weights, rest)
    return tuple(replace(each, email=whole) for each in _distinct(read, weights))


def _or_as_a_whole(
    read: list[Reading], text: str, known: Known, weights: Weights, rest: Mapping[str, str]
) -> list[Reading]:
    """Return what an email says as a whole if each of its sentences says less: `read`, or that.

    `I attacked Galicia with support. I am still in Warsaw. What have I overlooked?`
    """
    said = max((each.probability for each in read if each.verdict is not Verdict.ASK), default=0.0)
    scored = _score(text[:CHARACTERS_MAX], known, weights)
    if said >= CLAUSE_PLAIN or scored.nothing >= NOTHING_WANTED or AUTOMATIC.search(plain(text)):
        return read
    found = _decide(replace(scored, partly=True), known, weights, rest=rest, talk=0)
    return [found] if found and found.probability > said else read


def _talk_in(scored: Sequence[_Scored], text: str, known: Known) -> int:
    """Return how many sentences of *text* are talk; the letters of strangers are for the judge."""
    if AUTOMATIC.search(plain(text)):
        return LETTER
    talk = sum(each.is_talk for each in scored)
    return min(talk, LETTER - 1) if known.role is Role.STRANGER else talk


def _questions_in(sentence: str, known: Known, weights: Weights) -> list[_Scored]:
    """Return the two questions in `How do I stand, and what can Greece do?`, or the sentence."""
    clauses = [each for each in AND.split(sentence) if len(each.split()) >= WORDS_CLAUSE]
    if sentence.rstrip().endswith("?") and len(AND.split(sentence)) == len(clauses) > 1:
        scored = [_score(each, known, weights) for each in clauses]
        wanted = {each.best[1] for each in scored if each.best[0] >= CLAUSE_PLAIN}
        answers = all(weights.wishes[name].effect is Effect.ANSWER for name in wanted)
        if len(wanted) == len(scored) and answers:
            return [replace(each, sentence=sentence) for each in scored]
    return [_score(sentence, known, weights)]


def _slots_undenied(scored: _Scored, known: Known, weights: Weights) -> Mapping[str, str]:
    """Return what a sentence names before it denies something: `Austria, as nobody wants it`."""
    clauses = CLAUSE.split(scored.sentence)
    before = takewhile(lambda each: not DENIAL.search(plain(each)), clauses)
    text = ", ".join(before)
    if text == ", ".join(clauses):
        return scored.marked.slots
    return with_known_things_marked(text, known, weights).slots


def missed(
    sentences: Sequence[str], read: Sequence[Reading], known: Known, weights: Weights
) -> Iterator[str]:
    """Yield the *sentences* for which nothing was done or offered, without what they name.

    Games, powers, provinces, dates, addresses and numbers become placeholders, and each word that
    no example has becomes `...`: so no order, no name and no word of one's own is left.
    """
    met = [each.sentence for each in read if each.verdict is not Verdict.ASK]
    for sentence in sentences[:SENTENCES_MAX]:
        if any(sentence in each for each in met):
            continue
        text = with_known_things_marked(sentence[:CHARACTERS_MAX], known, weights).text
        words = words_of(text)
        if len(words) >= WORDS_MISSED_MIN and weights.share_known(words) >= WORDS_KNOWN:
            yield " ".join(WORD.sub(lambda found: _masked(found[0], weights), text).split())


def _masked(word: str, weights: Weights) -> str:
    is_known = word.startswith("{") or all(each in weights.rows for each in words_of(word))
    return word if is_known else MASK


def _score(sentence: str, known: Known, weights: Weights) -> _Scored:
    marked = with_known_things_marked(sentence, known, weights)
    words = tuple(words_of(marked.text))
    open_to = [
        (at, name)
        for at, (name, wish) in enumerate(weights.wishes.items())
        if known.role in wish.who
    ]
    found = weights.probabilities(features_of(words, weights.meanings), [at for at, _ in open_to])
    by_name: dict[str, float] = {}
    denied = _denied(sentence, known, weights)
    wishes = frozenset(name for _, name in open_to)
    for share, (_, name) in zip(found, open_to, strict=True):
        meant = REFUSED[name] if name in denied else name
        if meant in known.closed:
            meant = OTHERWISE.get(meant, meant)
        # What nobody can want now is nothing, unless it is plain: then its command says why.
        effect = weights.wishes[name].effect
        says_so = effect is not Effect.CONFIRM or name == "observe"
        plain_one = meant == name and share >= ACTED_ON[effect] and says_so
        if meant not in wishes or (meant in known.closed and not plain_one):
            meant = NONE
        by_name[meant] = by_name.get(meant, 0.0) + share
    names, shares = tuple(by_name), tuple(by_name.values())
    raised = [
        share * (LIKELIER if name in known.likely else 1.0)
        for share, name in zip(shares, names, strict=True)
    ]
    total = sum(raised)
    ranked = sorted(zip((each / total for each in raised), names, strict=True), reverse=True)
    added = sum(
        share
        for share, (_, name) in zip(found, open_to, strict=True)
        if name in denied and REFUSED[name] == ranked[0][1]
    )
    return _Scored(sentence, marked, words, tuple(ranked), partly=added > MARGIN)


def _denied(sentence: str, known: Known, weights: Weights) -> frozenset[str]:
    """Return the wishes that *sentence* denies: they are in no clause of it without a denial."""
    text = plain(sentence).rstrip()
    if len(DENIAL.findall(text)) != 1 or text.endswith("?") or GRANTS.search(text):
        return frozenset()
    clauses = (each for each in CLAUSE.split(sentence) if not DENIAL.search(plain(each)))
    said = [_score(each, known, weights) for each in clauses if len(each.split()) > 1]
    meant = {name for each in said for share, name in each.ranked if share >= OFFERED}
    return frozenset(REFUSED) - meant


def _by_clause(scored: _Scored, known: Known, weights: Weights) -> _Scored:
    """Read a long sentence that says nothing as a whole by a clause that is plain."""
    if scored.best[1] != NONE or len(scored.words) < WORDS_LONG:
        return scored
    clauses = [each for each in CLAUSE.split(scored.sentence) if len(each.split()) >= WORDS_CLAUSE]
    best = max(
        (_score(each, known, weights) for each in clauses if len(clauses) > 1),
        key=lambda each: next(share for share, name in each.ranked if name != NONE),
        default=scored,
    )
    share, name = best.best
    return (
        replace(best, sentence=scored.sentence, partly=True)
        if name != NONE and share >= CLAUSE_PLAIN
        else scored
    )


def _better(
    scored: list[_Scored], whole: _Scored, known: Known, weights: Weights
) -> list[_Scored]:
    """Return the sentences, or the *whole* if that is plainer than each of them."""
    wanted = [each for each in scored if each.best[1] != NONE]
    if whole.best[1] == NONE or len({each.best[1] for each in wanted}) > 1:
        return scored
    wish = weights.wishes[whole.best[1]]
    least = whole.best[0] if _may_act(whole, wish.name, known, wish, talk=0) else SURE
    if wanted and max(each.best[0] for each in wanted) >= least:
        return scored
    return [whole]


def _decide(
    scored: _Scored,
    known: Known,
    weights: Weights,
    *,
    rest: Mapping[str, str],
    talk: int,
) -> Reading | None:
    share, name = scored.best
    sentence = plain(scored.sentence)
    slots = {**rest, **scored.marked.slots}
    slots |= {name: rest.get(name, "") for name in ("others", "unwanted")}
    named = "power" in scored.marked.slots or known.answers_proposal
    if known.only_open and name in ENTERING and named:
        slots.setdefault("game", known.only_open)
    plain_enough = not scored.partly and talk < LETTER
    is_plain = name != NONE and plain_enough and _is_plain(scored, weights)
    if is_plain and _may_act(scored, name, known, weights.wishes[name], talk=talk):
        return Reading(scored.sentence, Verdict.ACT, (name,), slots, share)
    no_stop = name == STOP and share < PLAIN and not says_stop(sentence)
    if AUTOMATIC.search(sentence) or name in known.closed or no_stop:
        return None
    talks = bool(talk) or _is_talk(sentence, known.role)
    if name != NONE and share >= (OFFERED_IN_TALK if talks else OFFERED):
        choices = _choices(scored, name, known)
        return Reading(scored.sentence, Verdict.OFFER, choices, slots, share)
    limit = NOTHING_WANTED_BY_STRANGER if known.role is Role.STRANGER else NOTHING_WANTED
    likely = tuple(each for part, each in scored.ranked if each != NONE and part >= ASKED)
    if talks or scored.nothing >= limit or not likely or not weights.share_known(scored.words):
        return None
    return Reading(scored.sentence, Verdict.ASK, likely[:CHOICES_MAX], slots, share)


def _is_plain(scored: _Scored, weights: Weights) -> bool:
    """Return whether the likeliest wish is likely enough to act on it."""
    share, name = scored.best
    second = scored.ranked[1][0] if len(scored.ranked) > 1 else 0.0
    known_words = weights.share_known(scored.words)
    return (
        share >= ACTED_ON[weights.wishes[name].effect]
        and share - second >= MARGIN
        and known_words >= WORDS_KNOWN
    )


def _choices(scored: _Scored, name: str, known: Known) -> tuple[str, ...]:
    """Return *name*, with its opposite and with what is nearly as likely."""
    opposite = OPPOSITES.get(name)
    near = (each for part, each in scored.ranked[1:] if part >= OFFERED / 2 and each != NONE)
    others = (*((opposite,) if opposite and opposite not in known.closed else ()), *near)
    return tuple(dict.fromkeys((name, *others)))[:CHOICES_MAX]


def _may_act(scored: _Scored, name: str, known: Known, wish: Wish, *, talk: int) -> bool:
    """Return whether nothing but the likelihood speaks against acting on the wish *name*."""
    sentence = plain(scored.sentence)
    if AUTOMATIC.search(sentence) or (name == STOP and not says_stop(sentence)):
        return False
    if wish.effect is Effect.ANSWER:
        return True
    confirmed = known.role is Role.STRANGER and wish.effect is Effect.CONFIRM
    is_answered = known.asked or name in VOTES or (confirmed and known.answers_proposal)
    answers = not is_answered and ANSWER.match(sentence)
    asked_back = confirmed and "game" in scored.marked.slots
    others = _is_talk(sentence, known.role) or (talk and not asked_back)
    chooses = name == "language" and CHOICE.search(sentence)
    if others or answers or chooses or ASKS_HOW.match(sentence):
        return False
    if name == DRAW and VOTES[0] not in known.closed:
        return False  # It may be a yes to the one that is proposed.
    denies = DENIAL.search(sentence) is not None
    if name not in VOTES:
        return not (denies and name in DENIED)
    named = known.answers_proposal or VOTED_ON.search(sentence) is not None
    named = named and not (NO_DENIAL.search(sentence) or CONDITION.search(sentence))
    return named and denies is (name == "vote_no") and len(scored.words) <= WORDS_OF_VOTE


def may_be_vote(text: str) -> bool:
    """Return whether *text*, which answers a proposal and says nothing else, may be a vote."""
    return 0 < len(words_of(text)) <= WORDS_OF_VOTE and not AUTOMATIC.search(plain(text))


def says_stop(sentence: str) -> bool:
    """Return whether *sentence* has words of somebody who wants no more emails."""
    text = plain(sentence)
    unwanted = TOO_MUCH.search(text) or DENIAL.search(text)
    return bool(STOPPING.search(text) or (unwanted and MAILS.search(text)))


def _is_talk(sentence: str, role: Role) -> bool:
    """Return whether a word of *sentence* is rarely said to the judge; moderators speak of all."""
    words = set(words_of(POLITE.sub(" ", plain(sentence))))
    if role is Role.MODERATOR:
        words -= OTHERS
    if not words.isdisjoint(FRENCH):
        words.discard("du")
    return not words.isdisjoint(TALK)


def _distinct(read: Iterable[Reading], weights: Weights) -> Iterator[Reading]:
    """Yield each question to answer, and for another wish what says it most plainly."""
    plainest: dict[tuple[str, str], Reading] = {}
    for each in read:
        wish = weights.wishes[each.wishes[0]]
        answered = wish.effect is Effect.ANSWER and each.verdict is Verdict.ACT
        key = wish.name, each.sentence if answered else ""
        other = plainest.setdefault(key, each)
        if other.verdict is not Verdict.ACT and each.probability > other.probability:
            slots = {**each.slots, **other.slots}  # which the first may name itself
            plainest[key] = replace(each, slots=slots)
    asked = {name for name, sentence in plainest if sentence}
    yield from (
        each for (name, sentence), each in plainest.items() if sentence or name not in asked
    )
