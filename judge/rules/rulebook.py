"""The rulebook of a game: one answer to each open question of DATC chapter 4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import groupby
from typing import Annotated, Never, cast, get_args, get_type_hints

from judge.rules import rule_options as options
from judge.rules.presets import PRESETS, REPRINTS, Basis, PresetAnswer

TEXT_LETTERS_MAX = 2_000  # A preset and a choice for each question have about 1,300.
SHOWN_LETTERS_MAX = 40  # of what is not known
SUGGESTIONS_MAX = 3  # names that are offered instead
LIKENESS_MIN = 0.5  # of 1: what `difflib` calls alike
LISTED_MAX = 20  # names that are listed if none is near: there are 17 presets
# Of the answers to 4.A.3 those by which an army may have to go by sea or not at all.
CONVOY_OR_HOLD = (
    options.ConvoyToNeighbor.INTENT_NO_FALLBACK,
    options.ConvoyToNeighbor.VIA_OR_FALLBACK,
    options.ConvoyToNeighbor.EXPLICIT,
)
PRESET_KEY = "preset"  # in a payload, beside the questions


class UnknownRulebookError(ValueError):
    """There is no such rulebook, question or answer; the message names the nearest, or all."""

    def __init__(self, what: str, given: str, known: Iterable[str]) -> None:
        shown = given if len(given) <= SHOWN_LETTERS_MAX else f"{given[:SHOWN_LETTERS_MAX]}..."
        super().__init__(f"no such {what}: {shown!r}; {_suggestions(shown, list(known))}")


def _suggestions(given: str, known: Sequence[str]) -> str:
    """Return a hint which of the *known* names may be meant."""
    from difflib import get_close_matches  # noqa: PLC0415 - few are mistaken

    parts = [each for each in known if given and given in each]
    near = dict.fromkeys(
        [*parts, *get_close_matches(given, known, n=SUGGESTIONS_MAX, cutoff=LIKENESS_MIN)]
    )
    if near:
        return f"the nearest: {', '.join(list(near)[:SUGGESTIONS_MAX])}"
    if len(known) <= LISTED_MAX:
        return f"there are: {', '.join(known)}"
    return "`judge rulebook show datc` has all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """One choice for each question; immutable for the whole of a game.

    Each question has its number in the DATC. The defaults are what DATC 3.2 prefers. *preset* is
    the name of the preset that was chosen, "" where an old log does not say.
    """

    convoy_routes: Annotated[options.ConvoyRoutes, "4.A.1"] = options.ConvoyRoutes.ALL_ROUTES
    convoy_paradoxes: Annotated[options.ConvoyParadoxes, "4.A.2"] = options.ConvoyParadoxes.SZYKMAN
    convoy_to_neighbor: Annotated[options.ConvoyToNeighbor, "4.A.3"] = (
        options.ConvoyToNeighbor.INTENT_NO_FALLBACK
    )
    via_without_convoy: Annotated[options.ViaWithoutConvoy, "4.A.3"] = (
        options.ViaWithoutConvoy.INVALID
    )
    convoyed_attack_from: Annotated[options.ConvoyedAttackFrom, "4.A.4"] = (
        options.ConvoyedAttackFrom.FROM_START
    )
    retreat_to_convoyed_origin: Annotated[options.RetreatToConvoyedOrigin, "4.A.5"] = (
        options.RetreatToConvoyedOrigin.ALLOWED
    )
    written_route: Annotated[options.WrittenRoute, "4.A.6"] = options.WrittenRoute.IGNORED
    dislodged_bounce: Annotated[options.DislodgedBounce, "4.A.7"] = (
        options.DislodgedBounce.ONLY_HEAD_ON
    )
    moved_coast_open: Annotated[options.MovedCoastOpen, "4.B.1"] = options.MovedCoastOpen.FAILS
    moved_coast_single: Annotated[options.MovedCoastSingle, "4.B.2"] = (
        options.MovedCoastSingle.ONLY_COAST
    )
    moved_coast_wrong: Annotated[options.MovedCoastWrong, "4.B.3"] = (
        options.MovedCoastWrong.ILLEGAL
    )
    supported_coast: Annotated[options.SupportedCoast, "4.B.4"] = options.SupportedCoast.OMIT_ANY
    standing_coast_wrong: Annotated[options.StandingCoastWrong, "4.B.5"] = (
        options.StandingCoastWrong.IGNORED
    )
    coast_superfluous: Annotated[options.CoastSuperfluous, "4.B.6"] = (
        options.CoastSuperfluous.IGNORED
    )
    build_coast_omitted: Annotated[options.BuildCoastOmitted, "4.B.7"] = (
        options.BuildCoastOmitted.FAILS
    )
    kind_omitted: Annotated[options.MisnamedUnit, "4.C.1"] = options.MisnamedUnit.LEGAL
    kind_wrong: Annotated[options.MisnamedUnit, "4.C.2"] = options.MisnamedUnit.LEGAL
    build_kind_omitted: Annotated[options.BuildKindOmitted, "4.C.3"] = (
        options.BuildKindOmitted.ARMY_INLAND_FLEET_WITH_COAST
    )
    fleet_inland: Annotated[options.FleetInland, "4.C.4"] = options.FleetInland.FAILS
    power_omitted: Annotated[options.MisnamedUnit, "4.C.5"] = options.MisnamedUnit.LEGAL
    power_wrong: Annotated[options.MisnamedUnit, "4.C.6"] = options.MisnamedUnit.LEGAL
    sets_in_sequence: Annotated[options.SetsInSequence, "4.D.1"] = (
        options.SetsInSequence.LAST_UNLESS_KEPT
    )
    sets_without_sequence: Annotated[options.SetsWithoutSequence, "4.D.2"] = (
        options.SetsWithoutSequence.MERGE
    )
    orders_for_one_unit: Annotated[options.RepeatedOrders, "4.D.3"] = options.RepeatedOrders.FIRST
    excess_builds: Annotated[options.RepeatedOrders, "4.D.4"] = options.RepeatedOrders.FIRST
    builds_in_one_center: Annotated[options.RepeatedOrders, "4.D.5"] = options.RepeatedOrders.FIRST
    excess_removals: Annotated[options.ExcessRemovals, "4.D.6"] = options.ExcessRemovals.FIRST
    waived_builds: Annotated[options.WaivedBuilds, "4.D.7"] = options.WaivedBuilds.ALLOWED
    automatic_removal: Annotated[options.AutomaticRemoval, "4.D.8"] = (
        options.AutomaticRemoval.OWNED_ANY
    )
    removal_ties: Annotated[options.RemovalTies, "4.D.8"] = options.RemovalTies.FULL_NAMES
    support_of_the_absent: Annotated[options.SupportOfTheAbsent, "4.D.9"] = (
        options.SupportOfTheAbsent.SUCCEEDS
    )
    counted_orders: Annotated[options.CountedOrders, "4.E.1"] = options.CountedOrders.POSSIBLE_NOW
    implied_orders: Annotated[options.ImpliedOrders, "4.E.3"] = options.ImpliedOrders.NOT_ALLOWED
    standing_orders: Annotated[options.StandingOrders, "4.E.4"] = (
        options.StandingOrders.NOT_ALLOWED
    )
    proxy_orders: Annotated[options.ProxyOrders, "4.E.5"] = options.ProxyOrders.NOT_ALLOWED
    preset: str = field(default="datc", compare=False)


_HINTS: Mapping[str, object] = get_type_hints(Rulebook, include_extras=True)
QUESTIONS = tuple(each for each in _HINTS if each != "preset")  # in the order of DATC


def number_of(question: str) -> str:
    """Return the number that DATC gives *question*: `4.A.1` for `convoy_routes`."""
    return str(get_args(_HINTS[question])[1])


def answers_to(question: str) -> type[Enum]:
    """Return the enum of the answers to *question*."""
    return cast("type[Enum]", get_args(_HINTS[question])[0])


def answer_in(rulebook: Rulebook, question: str) -> Enum:
    """Return the answer of *rulebook* to *question*."""
    return cast("Enum", getattr(rulebook, question))


def differences(one: Rulebook, other: Rulebook) -> tuple[str, ...]:
    """Return the questions to which *one* and *other* have different answers."""
    return tuple(each for each in QUESTIONS if answer_in(one, each) is not answer_in(other, each))


def with_choices(rulebook: Rulebook, choices: Mapping[str, Enum]) -> Rulebook:
    """Return *rulebook* with *choices*, by question, in place of its own."""
    return replace(rulebook, **cast("dict[str, Never]", choices))  # each is of its field's enum


DATC = Rulebook()
_BY_DATC = PresetAnswer("", Basis.STATED, "DATC 3.2")
_SILENT = PresetAnswer("", Basis.ASSUMED, "")
RULEBOOKS: Mapping[str, Rulebook] = {
    name: replace(
        with_choices(
            DATC,
            {each: answers_to(each)(it.choice) for each, it in answers.items() if it.choice},
        ),
        preset=name,
    )
    if answers
    else DATC
    for name, answers in PRESETS.items()
}
_QUESTIONS_BY_KEY: Mapping[str, Sequence[str]] = {  # by what may be written for them
    **{each: (each,) for each in QUESTIONS},
    **{number.lower(): tuple(several) for number, several in groupby(QUESTIONS, number_of)},
}


def rulebook_named(text: str) -> Rulebook:
    """Return the rulebook that *text* says: a preset, and single choices that replace its own.

    `datc`, or `1982,via_without_convoy=land,4.A.2=szykman`, in any case. A question may be said by
    its DATC number; where two have one number, it is the one that has the answer. Of two choices
    for one question the last counts. Raises `UnknownRulebookError`.
    """
    if len(text) > TEXT_LETTERS_MAX:
        raise UnknownRulebookError("rulebook", text, RULEBOOKS)
    preset, *choices = map(_normalized, text.split(","))
    if preset in REPRINTS:
        raise UnknownRulebookError("rulebook", preset, [REPRINTS[preset]])
    if "=" in preset:  # a choice without its preset
        raise UnknownRulebookError("rulebook", preset, [f"datc,{preset}"])
    if preset not in RULEBOOKS:
        raise UnknownRulebookError("rulebook", preset, RULEBOOKS)
    if not choices:
        return RULEBOOKS[preset]
    return with_choices(RULEBOOKS[preset], dict(map(_choice, choices)))


def preset_of(text: str) -> str:
    """Return the preset that the *text* of a rulebook begins with."""
    return _normalized(text.partition(",")[0])


def rulebook_name(rulebook: Rulebook) -> str:
    """Return the text by which `rulebook_named` finds *rulebook*: its preset, and what differs."""
    preset = rulebook.preset
    if preset not in RULEBOOKS:  # take the nearest
        preset = min(RULEBOOKS, key=lambda name: len(differences(RULEBOOKS[name], rulebook)))
    own = differences(RULEBOOKS[preset], rulebook)
    return ",".join((preset, *(f"{each}={answer_in(rulebook, each).value}" for each in own)))


def has_effect(rulebook: Rulebook, question: str) -> bool:
    """Return whether the answer of *rulebook* to *question* matters, given its other answers."""
    moot = rulebook.convoy_to_neighbor not in CONVOY_OR_HOLD
    return not (moot and question == "via_without_convoy")


def answer_of(preset: str, question: str) -> PresetAnswer:
    """Return the answer of *preset* to *question*, and what it rests on."""
    return PRESETS[preset].get(question, _SILENT if PRESETS[preset] else _BY_DATC)


def to_payload(rulebook: Rulebook) -> dict[str, str]:
    """Return *rulebook* as the log stores it: its preset, and each question with its choice."""
    named = {PRESET_KEY: rulebook.preset} if rulebook.preset else {}
    return named | {question: answer_in(rulebook, question).value for question in QUESTIONS}


def from_payload(payload: Mapping[str, str]) -> Rulebook:
    """Return the rulebook that was stored as *payload*.

    A question that it does not have was not yet asked then, and has the answer of DATC 3.2. Raises
    `UnknownRulebookError` for a question or a choice that this version does not know.
    """
    choices = dict(_chosen(*each) for each in payload.items() if each[0] != PRESET_KEY)
    return replace(with_choices(DATC, choices), preset=payload.get(PRESET_KEY, ""))


def _choice(text: str) -> tuple[str, Enum]:
    asked, _, key = text.partition("=")
    return _chosen(asked.strip("_"), key.strip("_"))


def _chosen(asked: str, key: str) -> tuple[str, Enum]:
    """Return the question that *asked* means with the answer stored as *key*."""
    if asked not in _QUESTIONS_BY_KEY:
        raise UnknownRulebookError("question", asked, _QUESTIONS_BY_KEY)
    answers = {
        each.value: (one, each) for one in _QUESTIONS_BY_KEY[asked] for each in answers_to(one)
    }
    if key not in answers:
        shown = asked.upper() if "." in asked else asked  # a number of the DATC
        raise UnknownRulebookError(f"answer to {shown}", key, answers)
    return answers[key]


def _normalized(text: str) -> str:
    """Return *text* as keys are written: in lower case, with underscores for spaces."""
    return "_".join(text.lower().replace("-", " ").split())
