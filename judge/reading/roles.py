"""Settle the roles of words whose meaning depends on others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from judge.reading.appositions import Appositions, name_ordinals
from judge.reading.chunks import PASSIVES, Chunk, chunks_of
from judge.reading.coasts import coast_in
from judge.reading.tokens import NOES, NUMBERS, PAIR, SENTENCE, VERBS
from judge.rules.types import PhaseKind, Power, UnitKind

ARTICLES = frozenset({"l'", "the", "der", "la", "le", "de"})
HELP_IN_GERMAN = frozenset({"hilfe", "beistand", "unterstützung"})
HELP = HELP_IN_GERMAN | {"aid", "help", "support"}
DENIED = re.compile(r"n.t\b|\b(?:not|nicht|pas|niet)\b", re.IGNORECASE)
INSTEAD = frozenset({"instead", "rather", "statt", "anstatt", "au", "à", "plutôt"})
HELPED = "supported"
TAKE, BACK = "nehme", "zurück"
OF_SOME = re.compile(  # `Everybody who still holds a center`
    r"\w+,? (?:(?:units|einheiten|ceux|celles|unités),? )?(?:who|which|that|die|welche|qui)"
    r"(?: (?:still|now|noch|jetzt|encore|nog))*\W+",
    re.IGNORECASE,
)
CASES = frozenset({"in", "au"})  # `in case`, `au cas où`
CROSSING = frozenset(
    {
        *("cross", "crosses", "crossing", "überquert", "überqueren", "quert", "traverse"),
        *("traverser", "traversera", "franchit", "franchir", "franchira"),
    }
)
COVERING = frozenset(  # `covers Serbia`, where a unit may stay or not
    {
        *("cover", "covers", "covering", "secure", "secures", "defend", "defends", "guard"),
        *("guards", "verteidigt", "bewacht", "verteidigen", "défend", "défendent", "garde"),
    }
)
BEHIND = frozenset({"behind", "behind it"})
SHOULD = frozenset({"should", "sollte", "sollten"})
ONESELF = frozenset({"i", "we", "ich", "wir"})  # `Should I play 1) A Par-Bur`
CHOOSING = frozenset({"or", "oder", "ou", "of", "otherwise", "else", "sonst", "sinon", "anders"})
OR = "ou"  # which may be `où`
FREE = frozenset({"free", "empty", "vacant", "clear", "frei", "leer", "libre", "vide"})
THANKS = frozenset({"thanks", "thank", "danke", "bedanke", "dank", "merci", "remercie", "bedankt"})
ARTICLES_OF_ONE = frozenset({"un", "une"})
NOTHING = frozenset({"nothing", "nichts", "nix", "rien", "niets"})
GIVE = "give"
AIMING = frozenset({"to", "um", "pour"})
NEITHER, NOR = "weder", "noch"
TARGETING = frozenset({"to", "at", "on"})
# `the third one I'll leave in the bank`
REMAINING = frozenset(
    {
        *("other", "andere", "anderen", "l'autre", "autre", "l\u2019autre", "andre"),
        *("second", "third", "fourth", "zweite", "zweiten", "dritte", "dritten", "vierten"),
        *("deuxième", "seconde", "troisième", "quatrième", "tweede", "derde"),
    }
)
FORGOING = frozenset(
    {"passe", "saute", "pass", "skip", "leave", "lass", "lasse", "laisse", "fais", "spare", "save"}
)
WORDS_OF_KEEPING = 7
KEEPING = frozenset({"keep", "keeps", "keeping", "hält", "halten", "tient", "tenir", "houdt"})
BUSY = frozenset(
    {
        *(
            "busy",
            "honest",
            "guessing",
            "occupied",
            "pinned",
            "tied",
            "check",
            "bay",
            "away",
            "off",
        ),
        *("beschäftigt", "schach", "occupé", "occupée", "occupés", "respect"),
    }
)
BUILDS = frozenset(
    {"build", "builds", "aufbau", "aufbauten", "bau", "construction", "constructions"}
)
OF_BUILDS = NUMBERS.keys() | {
    *("the", "my", "our", "a", "back", "other", "second", "third", "last", "both", "all"),
    *("den", "meinen", "einen", "meine", "beide", "la", "ma", "mes", "les", "une"),
}
# The words that may mean something else than their phrases say.
SETTLED_ROLES = frozenset(
    {
        *("which", "draft", "once", "except", "why", "third", "fix", "hold", "save", "not", "if"),
        "support",
    }
)
AUXILIARIES = frozenset(
    {"will", "would", "might", "may", "could", "can", "has", "have", "wants", "must", "should"}
)
LEAVING = frozenset(
    {
        *("leave", "leaves", "leaving", "vacates", "vacate", "verlässt", "verlasse"),
        *("räumt", "quitte", "quittent", "quitter", "verlaat", "verlaten", "lasse", "lass"),
        *("lassen", "laisse", "laissez", "laisser"),
    }
)
SETTLED_KEYS = {"as", "l'", "qui", "so", "leave", HELPED, OR, TAKE} | (
    SHOULD | AIMING | CHOOSING | COVERING | BEHIND
)


@dataclass(slots=True)
class Roles(Appositions):
    """Settles the roles of *chunks* of a *text* on the board of *world*."""

    def settle(self) -> None:
        """Change the chunks whose meaning depends on others."""
        self._look_back()
        self._put_help_behind()
        self._add_coast()
        self._waive_what_is_left()
        name_ordinals(self.chunks)

    def _gives_reason(self, at: int) -> bool:
        """Return whether a clause is a reason: `Trieste holds, as Venice is full of Italians`."""
        behind, before = self.chunks[at + 1 : at + 3], self.chunks[at - 1]
        named = bool(behind) and bool(behind[0].places or behind[0].role == "power")
        tells = behind[-1].role == "be" or behind[-1].key in AUXILIARIES if named else False
        apart = before.key == "," or (before.prep == "to" and bool(before.places))
        return tells and apart

    def _settle_draft(self, at: int) -> None:
        """Read what announces no orders: `moves on Berlin`, `thank you for the extension`."""
        chunk = self.chunks[at]
        above = (c for c in chunks_of(chunk.sentence, self.chunks) if c.start < chunk.start)
        if any(c.key.partition(" ")[0] in THANKS for c in above):
            chunk.role = "fill"
        elif self._moves_on(at):
            chunk.role = "move"

    def _moves_on(self, at: int) -> bool:
        """Return whether a unit `moves on Berlin`, and no orders are announced for a day."""
        before, behind = self.chunks[at - 1], self.chunks[at + 1 : at + 2]
        follows = any(each.pronoun == "it" for each in behind)  # `goes there to follow it`
        return follows or (bool(before.units) and any(each.places for each in behind))

    def _add_coast(self) -> None:
        """Add the coast of a new fleet that is said later: `It must be on the north coast`."""
        board, coastless = self.world.board, list[Chunk]()
        builds = self.world.kind is PhaseKind.ADJUSTMENTS
        for at, chunk in enumerate(self.chunks if builds else ()):
            fleet = chunk.kind is UnitKind.FLEET
            before = self.chunks[at - 1]
            fleet = fleet or (before.kind is UnitKind.FLEET and not before.places)
            lacks = fleet and any(map(board.coasts_of, chunk.places)) and not chunk.coast
            if lacks:
                behind = chunks_of(chunk.sentence, self.chunks[at + 1 :])
                clause = list(takewhile(lambda c: c.role != "np", behind))
                chunk.coast = coast_in(self.text[chunk.end : clause[-1].end]) if clause else ""
            if lacks and not chunk.coast:
                coastless.append(chunk)
            elif coastless and (chunk.pronoun == "it" or (fleet and not chunk.places)):
                end = chunks_of(chunk.sentence, self.chunks)[-1].end
                coastless.pop().coast = coast_in(self.text[chunk.start : end])

    def _waive_what_is_left(self) -> None:
        """Read what is said of a build that is left as a waive: `the second one I'll keep`."""
        if self.world.kind is not PhaseKind.ADJUSTMENTS or self.world.due <= 0:
            return
        for at, chunk in enumerate(self.chunks):
            words = self.text[chunk.start : chunk.end].casefold().split()
            if REMAINING.isdisjoint(words) or chunk.places:
                continue
            before = takewhile(lambda c: not c.strength, reversed(self.chunks[:at]))
            behind = takewhile(lambda c: not c.places, self.chunks[at : at + WORDS_OF_KEEPING])
            clause = (*before, *behind)
            forgoes = [each for each in clause if each.role == "hold" or each.key in FORGOING]
            if forgoes:
                forgoes[0].role = "waive"
                for each in clause:  # `lasse ich weg`
                    each.role = "fill" if each.role == "disband" else each.role

    def _put_help_behind(self) -> None:
        """Put help behind the place to go to: `Burgund greift mit Hilfe von Kiel Belgien an`."""
        chunks = self.chunks
        for at in [n for n, c in enumerate(chunks) if c.role in PASSIVES and n > 1]:
            first = at - (chunks[at - 1].role == "break")
            behind = takewhile(
                lambda c: c.role == "and" or (c.role == "np" and c.prep not in TARGETING),
                chunks[at + 1 :],
            )
            helpers = [*behind]
            if helpers and not (helpers[-1].units or helpers[-1].prep):
                helpers.pop()
            target = at + 1 + len(helpers)
            target += chunks[target : target + 1] != [] and chunks[target].key == ","
            goes = chunks[target : target + 1]
            begun = chunks[first - 2 : first]
            if [c.role for c in begun] != ["np", "move"] or not begun[0].units or not helpers:
                continue
            if not goes or not goes[0].places or goes[0].prep not in {"", *TARGETING}:
                continue
            listed = first == at and chunks[target - 1].key == ","  # `with help from Kiel, Munich`
            if not goes[0].prep and (goes[0].units or listed):
                continue
            end = target + 1 + len([*takewhile(lambda c: c.role == "fill", chunks[target + 1 :])])
            if chunks[end : end + 1] and chunks[end].role != "break":
                continue
            chunks[first:end] = [*chunks[target:end], *chunks[first:target]]

    def _look_back(self) -> None:
        """Settle the words whose meaning depends on others behind them."""
        heading: Power | None = None
        for at, chunk in enumerate(self.chunks):
            if chunk.role == "power":
                heading = self._heading(at) or heading
            chunk.headed = heading
            if chunk.role in SETTLED_ROLES or chunk.key in SETTLED_KEYS:
                self._settle_role(at)
            self._settle_apposition(at)
            if chunk.key in NOTHING:
                self._settle_naught(at)
            if chunk.key in LEAVING and chunk.role in {"move", "fill", "word"}:
                self._leave_place(at)
            if chunk.key in CROSSING and chunk.role == "move":
                self._cross(at)

    def _cross(self, at: int) -> None:
        """Read a sea that an army crosses as its way: `London crosses the Channel to Picardy`."""
        before, behind = self.chunks[max(at - PAIR, 0) : at], self.chunks[at + 1 : at + 2]
        army = any(unit.kind is UnitKind.ARMY for each in before for unit in each.units)
        if army and behind and behind[0].places and not behind[0].prep:
            seas = [place for place in behind[0].places if self.world.is_sea(place)]
            behind[0].prep = "via" if seas else ""

    def _settle_naught(self, at: int) -> None:
        """Read `Tunis: nothing` as a hold, and `Please build nothing for me` as a waive."""
        chunk, above = self.chunks[at], self.chunks[max(at - 6, 0) : at]
        before = [c for c in above if c.key != ":" and c.role != "fill"]
        if not before:
            return
        ends = all(each.role == "break" for each in self.chunks[at + 1 : at + 2])
        unit, starts = before[-1], all(c.role in {"break", "and"} for c in before[-PAIR:-1])
        if self.world.kind is PhaseKind.MOVEMENT:
            if ends and starts and unit.units and not unit.prep:
                chunk.role = "hold"
            return
        if unit.places and not (unit.has_kind or unit.prep) and before[-1] is unit:
            self._leave_out((unit, chunk))  # `Kiel fleet, Berlin nothing`
        clause = [
            *takewhile(lambda c: not c.strength, reversed(self.chunks[:at])),
            *takewhile(lambda c: not c.strength, self.chunks[at:]),
        ]
        builds = [c for c in clause if c.role == "build"]
        if (
            builds
            and self.world.kind is PhaseKind.ADJUSTMENTS
            and all(not c.places for c in clause)
        ):
            builds[0].role, chunk.role = "waive", "fill"

    def _settle_role(self, at: int) -> None:  # noqa: C901, PLR0912, PLR0915 - one flat ladder of words
        chunk = self.chunks[at]
        if chunk.key == "as" and at and self._gives_reason(at):
            chunk.role = "why"
        if chunk.key == "l'" and chunk.pronoun and at and self._begins_attack(at):
            chunk.role, chunk.pronoun = "move", ""
        if chunk.key == "qui" and self._is_stressed(at):
            chunk.role = "fill"
        if chunk.role == "which" and self._says_only_that(at):
            chunk.role = "hold"
        if chunk.role == "draft" and at:
            self._settle_draft(at)
        if chunk.role == "once":
            chunk.role = self._role_of_once(at)
        excepts = chunk.role == "except" and self._excepts_nothing(at)
        if excepts or (self._begins(at) and self._is_condition(at)):
            chunk.role = "if"
        if chunk.role == "third":
            self._settle_person(at)
        if (
            chunk.key == HELPED
            and at
            and self.chunks[at - 1].key == ","
            and self._is_of_own(at + 1)
        ):
            chunk.role = "supported_by"  # `A Bul-Gre, supported F Aeg`
        if chunk.role == "fix":
            self._settle_fix(at)
        if chunk.key in NOES and self._denies_no_order(at):
            chunk.role = "fill"
        if chunk.role == "fill" and chunk.key in AIMING and self._tells_aim(at):
            chunk.role = "why"
        if chunk.key in COVERING and self._covers_unit(at):
            chunk.role = "support"
        if chunk.key in BEHIND and at and self.chunks[at - 1].prep == "with":
            chunk.role, chunk.pronoun, chunk.prep = "support", "", ""  # `with Brest behind it`
        if chunk.key == "so" and self._names_source(at):
            chunk.role = "report"
        if chunk.role in {"hold", "save"} or chunk.key == "leave":
            self._keep(at)
        if chunk.role == "hold" and self._denies(at):
            chunk.role = "not"  # `I won't move Munich to Burgundy`
        if chunk.role == "not":
            self._settle_denial(at)
        if chunk.key == OR and self._begins_notation(at + 1):
            chunk.role = "doubt"  # `F Brest - Manche ou F Brest - Atlantique`
        if chunk.role == "if" and self._is_if_not(at):
            chunk.role, self.chunks[at + 1].role = "else", "fill"
        if chunk.key in CHOOSING and self._is_retreat(at + 1):
            builds = self.world.kind is PhaseKind.ADJUSTMENTS
            chunk.role = "else" if builds and chunk.role == "else" else "and"
        if chunk.key == TAKE and self._is_taken_back(at):
            chunk.role = "doubt"
        if chunk.role == "support" and not chunk.strict and self._is_behind_with(at):
            chunk.role = "supported_by"  # `avec l'aide bulgare`

    def _role_of_once(self, at: int) -> str:
        if not (self._is_of_own(at + 1) or self._is_of_free_place(at + 1)):
            return "if"
        return "but" if self._begins(at) or self.chunks[at - 1].strength else "why"

    def _leave_place(self, at: int) -> None:
        """Read where a unit leaves, not where it goes: `leaves Tunis for the Western Med`."""
        [place] = self.chunks[at + 1 : at + 2] or [self.chunks[at]]
        near = [c for c in self.chunks[max(at - 3, 0) : at + 3] if c.units and c.places]
        if len(near) == PAIR and near[0].units == near[1].units and near[1].prep in {"in", "at"}:
            self.chunks[at].role = "hold"  # `Venice I leave in Venice`
        elif place.units and not place.prep and self.chunks[at].role == "move":
            place.prep = "from"

    def _settle_fix(self, at: int) -> None:
        """Read which unit a correction is about: `Correction for Greece: it stays`."""
        if self.chunks[at + 1 : at + 2] and self.chunks[at + 1].role == "question":
            self.chunks[at].role = "fill"  # `C'est tout, non ?`
        if at and self.chunks[at - 1].role == "support":
            self.chunks[at].role = "fill"  # `hilft lieber Schlesien`
        unit, colon = self.chunks[at + 1 : at + 2], self.chunks[at + 2 : at + 3]
        heads = bool(colon) and colon[0].key == ":" and bool(unit[0].prep and unit[0].places)
        if heads and len(unit[0].units) == 1:
            unit[0].prep, colon[0].role, colon[0].strength = "", "fill", 0.0

    def _settle_denial(self, at: int) -> None:
        """Read what denies no order: `to Picardy instead of Burgundy`, `no, Picardy`."""
        chunk = self.chunks[at]
        if chunk.key in INSTEAD and self._has_order(at):
            chunk.role, self.chunks[at + 1].role = "weak_fix", "fill"
        elif chunk.key in INSTEAD:
            self._leave_out_alternative(at)
        elif chunk.key in {"ne", "n'"} and self._only(at):
            chunk.role = "fill"  # `je n'en fais qu'une : une flotte à Londres`
        elif chunk.key in NOES and names_only(self.chunks[at + 1 : at + 4]):
            chunk.role = "fix"
        elif chunk.key == NOR and not self._follows(at, NEITHER):
            chunk.role = "fill"  # `und Kiel noch nach Dänemark`

    def _only(self, at: int) -> bool:
        """Return whether no other word denies what follows `ne`, but `que` limits it."""
        clause = [*takewhile(lambda c: not c.strength, self.chunks[at + 1 : at + 6])]
        keys = [c.key for c in clause if c.role != "break"]
        denies = any(c.role in {"not", "waive", "hold"} for c in clause)
        return not denies and not {"que", "qu'"}.isdisjoint(keys[1:])

    def _leave_out_alternative(self, at: int) -> None:
        """Take no notice of what names no place and no unit: `rather than wait at home`."""
        clause = list(takewhile(lambda c: not c.strength, self.chunks[at:]))
        if all(not c.places and not c.has_kind for c in clause):
            for each in clause:
                each.role = "fill"

    def _begins_attack(self, at: int) -> bool:
        """Return whether a unit attacks what was named: `ma flotte l'attaque`."""
        before, text = self.chunks[at - 1], self.text[self.chunks[at].start : self.chunks[at].end]
        return bool(before.units and not before.prep) and text.endswith("attaque")

    def _is_stressed(self, at: int) -> bool:
        """Return whether words only stress who acts: `c'est Kiel qui attaque`."""
        sentence = [c for c in self.chunks[:at] if c.sentence == self.chunks[at].sentence]
        return bool(sentence and sentence[-1].units) and any(c.key == "c'" for c in sentence)

    def _says_only_that(self, at: int) -> bool:
        """Return whether a unit stands, and nothing says where: `the North Sea, which stands`."""
        chunk, behind = self.chunks[at], self.chunks[at + 1 : at + 2]
        stands = " " in self.text[chunk.start : chunk.end]
        return stands and all(each.role in {"break", "and"} for each in behind)

    def _keep(self, at: int) -> None:
        """Read what keeps no unit: `save one build` is a waive, `keep the Germans busy` an aim."""
        chunk = self.chunks[at]
        behind = [c for c in self.chunks[at + 1 : at + 6] if c.key not in OF_BUILDS]
        if behind and behind[0].key in BUILDS:
            chunk.role, behind[0].role = "waive", "fill"
        elif behind and behind[0].role == "power" and chunk.key in KEEPING:
            chunk.role = behind[0].role = "fill"
        elif (
            chunk.role == "save"
            or self._tells_whom(at)
            or (chunk.key in KEEPING and any(c.key in BUSY for c in behind[1:]))
        ):
            chunk.role = "word"
            for each in behind:
                each.role = "fill" if each.role == "third" else each.role

    def _begins(self, at: int) -> bool:
        return at == 0 or self.chunks[at - 1].strength >= SENTENCE

    def _is_condition(self, at: int) -> bool:
        """Return whether a condition begins here: `In case Tom ...`, `Should Tom ...`."""
        chunk, behind = self.chunks[at], self.chunks[at + 1 : at + 2]
        others = bool(behind) and (
            behind[0].role in {"word", "power", "third", "you"}
            or behind[0].key in ONESELF
            or (self._begins(at) and behind[0].role == "np")
        )
        return (chunk.role == "why" and chunk.key in CASES) or (chunk.key in SHOULD and others)

    def _is_of_unit(self, at: int) -> bool:
        """Return whether a person's pronoun is for a unit: `is supporting him`, `she returns`."""
        key, before = self.chunks[at].key, self.chunks[at - 1] if at else None
        if before is None or key not in {"him", "her", "ihm", "she"}:
            return False
        named = [c for c in self.chunks[:at] if c.sentence == self.chunks[at].sentence]
        units = [c for c in named if c.role == "np" and c.units]
        persons = any(c.role in {"power", "you", "third", "report"} for c in named)
        if persons:
            return False
        if key != "she":
            alone = self.world.kind is PhaseKind.RETREATS and len(self.world.own) == 1
            clause = takewhile(lambda c: not c.strength, self.chunks[at:])
            helped = self.chunks[max(at - 2, 0) : at]  # `support for her`
            helps = any(c.role in {"support", "convoy"} for c in (*helped, *clause))
            return (bool(units) and helps) or (alone and before.key == "let")
        fleet = bool(units) and all(u.kind is UnitKind.FLEET for u in units[0].units)
        return len(units) == 1 and fleet and before.key == ","

    def _settle_person(self, at: int) -> None:
        """Read a person's pronoun as that of a unit, or of the writer's power."""
        chunk = self.chunks[at]
        if self._is_of_unit(at):
            chunk.role, chunk.pronoun = "np", "it"
        elif self._is_of_power(at):
            chunk.role = "fill"

    def _is_of_power(self, at: int) -> bool:
        """Return whether a pronoun is for the writer's power: `Turkey builds twice. She ...`."""
        chunk = self.chunks[at]
        above = [c for c in self.chunks[:at] if c.sentence == chunk.sentence - 1]
        powers = [c.owner for c in above if c.role == "power"]
        persons = any(c.role in {"third", "report", "you"} for c in above)
        return self._begins(at) and powers == [self.world.power] and not persons

    def _tells_aim(self, at: int) -> bool:
        """Return whether an aim begins here, behind an order: `goes home to plug the hole`."""
        chunk, behind = self.chunks[at], self.chunks[at + 1 : at + 2]
        aims = bool(behind) and (behind[0].role in {"hold", "move"} or _only_gives(behind[0]))
        before = [c for c in self.chunks[:at] if c.sentence == chunk.sentence]
        goes = aims and bool(before)
        goes = goes and (before[-1].prep in {"to", "at"} or behind[0].key in KEEPING)
        if not goes and not (behind and behind[0].role == "word"):
            return False
        acts = any(c.role in VERBS or c.prep == "to" for c in before)
        return acts and before[-1].role not in VERBS and any(c.units for c in before)

    def _names_source(self, at: int) -> bool:
        """Return whether only a name is behind an order and `so`: `Wien hält, so Tom`."""
        name, behind = self.chunks[at + 1 : at + 2], self.chunks[at + 2 : at + 3]
        alone = not behind or behind[0].role == "break"
        named = bool(name) and name[0].role == "word" and self.text[name[0].start].isupper()
        return named and alone and not self._begins(at)

    def _heading(self, at: int) -> Power | None:
        """Return the power that heads orders behind it: `FRANCE: A Par-Bur`, `France (Ann):`."""
        chunk = self.chunks[at]
        behind = [each.key for each in self.chunks[at + 1 : at + 5]]
        heads = behind[:1] == [":"] or (behind[:1] == ["("] and behind[2:4] == [")", ":"])
        starts = at == 0 or self.chunks[at - 1].role == "break"
        return chunk.owner if starts and heads else None

    def _is_if_not(self, at: int) -> bool:
        """Return whether a second choice begins here: `Build F Bre, if not A Par`."""
        denies, unit = self.chunks[at + 1 : at + 2], self.chunks[at + 2 : at + 3]
        if self.world.kind is not PhaseKind.ADJUSTMENTS or not unit:
            return False
        return denies[0].role == "not" and bool(unit[0].places)

    def _is_retreat(self, at: int) -> bool:
        """Return whether a retreat to choose is *at* an index: `A Vie R Boh or Tyr`."""
        chunk = next((c for c in self.chunks[at:] if c.key not in CHOOSING), None)
        if self.world.plans and self.world.kind is not PhaseKind.MOVEMENT:
            return chunk is not None and bool(chunk.places or chunk.role in {"disband", "waive"})
        place = chunk and (chunk.role == "disband" or (chunk.places and not chunk.units))
        return self.world.kind is PhaseKind.RETREATS and bool(place)

    def _begins_notation(self, at: int) -> bool:
        return at < len(self.chunks) and self.chunks[at].strict and self.chunks[at].has_kind

    def _denies(self, at: int) -> bool:
        """Return whether the words *at* an index deny what is behind them, and give no hold."""
        chunk, behind = self.chunks[at], self.chunks[at + 1 : at + 2]
        named = bool(behind) and behind[0].role == "np" and not behind[0].prep
        return named and bool(DENIED.search(self.text, chunk.start, chunk.end))

    def _tells_whom(self, at: int) -> bool:
        """Return whether this is said of all of whom something else is said, and is no order."""
        before = (
            each.start for each in self.chunks[max(at - 6, 0) : at] if each.quantity == "all"
        )
        return any(OF_SOME.fullmatch(self.text, each, self.chunks[at].start) for each in before)

    def _has_order(self, at: int) -> bool:
        """Return whether a place is put beside an order: `to Budapest, not Galicia`."""
        sentence = chunks_of(self.chunks[at].sentence, self.chunks)
        place = self.chunks[at + 1] if at + 1 < len(self.chunks) else None
        if place is None or place.role != "np":
            return False
        before = [c for c in sentence if c.start < place.start]
        behind = [c for c in sentence if c.start > place.start]
        return any(
            any(c.role in VERBS or (c.role == "np" and c.prep == "to") for c in each)
            and any(c.role == "np" and c.units and c.prep != "to" for c in each)
            for each in (before, behind)
        )

    def _covers_unit(self, at: int) -> bool:
        """Return whether a unit is covered that stays: `Belgium stays, North Sea covers it`."""
        chunk, behind = self.chunks[at], self.chunks[at + 1 : at + 2]
        units = behind[0].units if behind and not behind[0].prep else ()
        before = self.chunks[at - 1].units if at else ()
        if before == units or (chunk.role == "hold" and not before):
            units = ()  # `Vienna guards Vienna`, `Guard Vienna`
        clauses = [
            [*takewhile(lambda c: not c.strength and c.role != "and", self.chunks[n + 1 :])]
            for n, c in enumerate(self.chunks)
            if units and c.places == behind[0].places and c is not behind[0]
        ]
        if units and not any(c.prep == "to" or c.role == "move" for each in clauses for c in each):
            return True
        sentence = chunks_of(chunk.sentence, self.chunks) if chunk.role == "move" else ()
        return any(c.role == "hold" and c.start < chunk.start for c in sentence)

    def _is_of_own(self, at: int) -> bool:
        """Return whether the clause *at* an index is about the writer's own units."""
        for chunk in self.chunks[at:]:
            if chunk.strength or chunk.role in {"power", "third", "you"}:
                return False
            if chunk.role == "np":
                return bool(chunk.units or chunk.pronoun or chunk.quantity)
            if chunk.key == "it's":
                return True
        return False

    def _is_of_free_place(self, at: int) -> bool:
        """Return whether a unit only goes where it can: `enters Trieste once it is empty`."""
        clause = list(takewhile(lambda each: not each.strength, self.chunks[at:]))
        named = {place for each in self.chunks[:at] for place in each.places}
        return any(each.key in FREE for each in clause) and all(
            named.issuperset(each.places) for each in clause
        )

    def _excepts_nothing(self, at: int) -> bool:
        """Return whether a condition is put as an exception: `except he writes again`."""
        clause = list(takewhile(lambda each: not each.strength, self.chunks[at + 1 :]))
        if at and self.chunks[at - 1].key in ARTICLES_OF_ONE:
            self.chunks[at].role = "fill"  # `une seule construction`
            return False
        named = any(each.role == "np" or each.has_kind for each in clause)
        before = takewhile(lambda each: not each.strength, reversed(self.chunks[:at]))
        denied = any(each.role == "not" for each in before)  # `it never did anything but wait`
        return not (named or denied) and any(each.role == "word" for each in clause)

    def _denies_no_order(self, at: int) -> bool:
        """Return whether a no is about something else: `I had thought of it, but no`."""
        if any(each.key.isdecimal() for each in self.chunks[at + 1 : at + 3]):
            return True  # `(No. 14)`
        before = self.chunks[at - 1].role if at else ""
        if before != "but":
            return before == "and"
        sentence = chunks_of(self.chunks[at].sentence, self.chunks)
        return any(c.role == "past" and c.start < self.chunks[at].start for c in sentence)

    def _is_taken_back(self, at: int) -> bool:
        """Return whether an order is withdrawn: `ich nehme ... zurück`."""
        sentence = self.chunks[at].sentence
        return any(c.key == BACK and c.sentence == sentence for c in self.chunks[at:])

    def _is_behind_with(self, at: int) -> bool:
        """Return whether `aid` is a noun here: `with aid ...`, `mit griechischer Hilfe`."""
        before = next((c for c in reversed(self.chunks[:at]) if c.key not in ARTICLES), None)
        behind = self.chunks[at + 1] if at + 1 < len(self.chunks) else None
        named = behind is not None and behind.role == "np" and behind.prep != "for"
        if before is None or before.prep != "with":
            return False
        if before.role == "np":
            verb = named and behind is not None and not behind.prep  # `with Greece support Serbia`
            return self.chunks[at].key in (HELP if not verb else HELP_IN_GERMAN)
        return before.role == "fill" and named

    def _follows(self, at: int, key: str) -> bool:
        sentence = self.chunks[at].sentence
        return any(c.key == key and c.sentence == sentence for c in self.chunks[:at])


def _only_gives(verb: Chunk) -> bool:
    """Return whether a *verb* gives no support, unlike `gives support`: `to give him a clout`."""
    return verb.key == GIVE and verb.end - verb.start == len(GIVE)


def names_only(behind: Sequence[Chunk]) -> bool:
    """Return whether only a place is *behind* a word and a comma: `no, Picardy`."""
    comma, named, ends = behind[:1], behind[1:2], behind[2:3]
    place = all(c.role == "np" and c.places and not c.has_kind for c in named)
    alone = place and all(c.role == "break" for c in ends)
    return bool(named) and comma[0].key == "," and alone
