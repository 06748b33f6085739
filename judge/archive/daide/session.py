"""What is said of one game in a session, whoever of its clients says it or is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from judge.archive.daide.language import (
    NOBODY,
    TURNS,
    Message,
    Node,
    UnknownTokenError,
    group_of,
    number,
    phase_of,
    said,
    shown,
    spelled,
    tokens_of,
)
from judge.archive.daide.results import NOTES, Given, Key, Told, is_vague, recorded
from judge.archive.placing import Placing
from judge.archive.reading import Reading
from judge.archive.record import Ending, EndKind, Hold, Record, RecordedPress, Seat, Source
from judge.rules.rulebook import rulebook_named
from judge.rules.types import Phase, PhaseKind, Power, Province, province_of

NAME = "daide"
# The law of the server of the `diplomacy` package, the only one known to log like this.
RULEBOOK = "datc,convoy_to_neighbor=intent_fallback,automatic_removal=home_dptg"
LAW = rulebook_named(RULEBOOK)
ASKED = frozenset(("ADM", "HST", "HUY", "IAM", "LOD", "MDF", "OBS", "PRN", "SVE"))
ANSWERED = frozenset(("GOF", "MIS", "NMR", "OUT", "REJ", "TME", "YES"))
SILENT = ASKED | ANSWERED  # of the game itself
TAKEN = "MBV"  # of an order: the server takes it


@dataclass(frozen=True, slots=True)
class Heard:
    """A message, the line it is in, and who sent or got it; alone in a line it is nobody's."""

    line: int
    client: str
    request: bool
    head: Node
    words: Message

    @property
    def text(self) -> str:
        """Return the message as it was said."""
        return " ".join(map(said, (self.head, *self.words)))


class Session:
    """One game, as far as it was heard."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.tokens = tokens_of(reading.board)
        self.phases: dict[Phase, Told] = {}
        self._now: Phase | None = None
        self._lines: tuple[int, int] | None = None  # the first and the last
        self._given_board: set[str] = set()
        self._left = False
        self._powers: dict[str, Power] = {}  # by client
        self._names: dict[str, str] = {}  # by client
        self._owners: dict[Province, Power] = {}
        self._waived: Counter[Power] = Counter()
        self._players: tuple[Seat, ...] = ()
        self._silent: list[Seat] = []
        self._press: dict[tuple[object, ...], RecordedPress] = {}
        self._settings: dict[str, str] = {}
        self._ending: Ending | None = None

    def is_over_for(self, heard: Heard) -> bool:
        """Tell whether a message begins another game for who gets it."""
        return heard.head == "MAP" and (self._left or heard.client in self._given_board)

    def hear(self, heard: Heard) -> None:
        """Take in a message."""
        self._lines = (self._lines or (heard.line,))[0], heard.line
        if heard.head in SILENT:
            return
        try:
            HEARD.get(said(heard.head), Session.take_anything)(self, heard)
        except UnknownTokenError as unknown:
            self.reading.doubts.note(heard.line, shown(heard.text), str(unknown))

    def take_anything(self, heard: Heard) -> None:
        """Complain about a message that is none."""
        raise UnknownTokenError(heard.head, "message of DAIDE")

    def take_board(self, heard: Heard) -> None:
        """MAP ( name )."""
        self._given_board.add(heard.client)
        name = spelled(heard.words)
        if name.lower() != self.reading.board.name:
            raise UnknownTokenError(name, "board that is known")

    def take_welcome(self, heard: Heard) -> None:
        """HLO ( power ) ( passcode ) ( ( option #value ) ... ); the passcode is a secret."""
        match heard.words:
            case ((power,), _, (*options,)):
                if power != NOBODY:
                    self._powers[heard.client] = self.tokens.power(power)
                for option in options:
                    name, *values = group_of(option) or ("",)
                    self._settings[said(name)] = " ".join(map(said, values)).replace("#", "")
            case _:
                raise UnknownTokenError(heard.words, "welcome")

    def take_name(self, heard: Heard) -> None:
        """NME ( name ) ( version )."""
        self._names[heard.client] = " ".join(map(spelled, heard.words))

    def take_owners(self, heard: Heard) -> None:
        """SCO ( power center ... ) ...: it comes before the position that it belongs to."""
        self._waived.clear()
        placing = Placing(self.reading.board, self.reading.doubts)
        for owned in heard.words:
            power, *centers = group_of(owned) or ("",)
            if power != NOBODY:
                owner = self.tokens.power(power)
                for center in map(self.tokens.location, centers):
                    placing.own(province_of(center), owner, heard.line, said(owned))
        self._owners = placing.owners

    def take_position(self, heard: Heard) -> None:
        """NOW ( turn ) ( unit ) ( unit MRT ( place ... ) ) ..."""
        self._waived.clear()
        phase = phase_of(heard.words[0] if heard.words else "")
        self._now = max(phase, self._now or phase)
        told = self._told(phase, heard.line)
        if told.now == heard.words:
            return
        placing = Placing(self.reading.board, self.reading.doubts, owners=self._owners)
        for node in heard.words[1:]:
            self._place(placing, phase, node, heard.line)
        position = placing.position(phase, None, LAW)
        if told.position is None:
            told.position, told.now = position, heard.words
        elif {*told.position.units} != {*position.units}:
            self.reading.doubts.note(heard.line, phase.code, "was told otherwise before")

    def _place(self, placing: Placing, phase: Phase, node: Node, line: int) -> None:
        match node:
            case (*unit, "MRT", (*places,)) if phase.kind is PhaseKind.RETREATS:
                dislodged = self.tokens.unit(tuple(unit))
                placing.retreats[dislodged] = tuple(sorted(map(self.tokens.location, places)))
                placing.place(dislodged, line, said(node), dislodged=True)
            case _:
                placing.place(self.tokens.unit(node), line, said(node))

    def take_submitted(self, heard: Heard) -> None:
        """SUB ( turn ) ( order ) ..., the turn left out for the present one."""
        self._waived.clear()
        phase, orders = self._dated(heard.words)
        told = self._told(phase, heard.line)
        for node in orders:
            key, given = self._given(node, heard.line)
            told.submitted[key] = given
            if given.order is None:
                self.reading.doubts.note(heard.line, said(node), "no order")

    def take_note(self, heard: Heard) -> None:
        """THX ( order ) ( note ): what the server says of what was submitted."""
        match heard.words:
            case (order, (str(note),)) if self._now:
                if note != TAKEN:
                    told = self._told(self._now, heard.line)
                    told.submitted.pop(self._given(order, heard.line)[0], None)
                    told.refused.append(f"{said(order)} {note}")
            case _:
                raise UnknownTokenError(heard.words, "note")

    def take_withdrawn(self, heard: Heard) -> None:
        """NOT ( SUB ( turn ) ( order ) ... ), all of the client's orders if it names none."""
        match heard.words:
            case (("SUB", *words),) if heard.request:
                phase, orders = self._dated(tuple(words))
                submitted = self._told(phase, heard.line).submitted
                own = [key for key in submitted if key[0] == self._powers.get(heard.client)]
                keys = [self._given(node, heard.line)[0] for node in orders]
                for key in keys or own:
                    submitted.pop(key, None)
            case _:
                pass

    def take_result(self, heard: Heard) -> None:
        """ORD ( turn ) ( order ) ( result ): told to several clients, and again if they ask."""
        match heard.words:
            case (turn, order, (*notes,)) if NOTES.issuperset(notes):
                told = self._told(phase_of(turn), heard.line)
                key, given = self._given(order, heard.line, tuple(map(said, notes)))
                known = told.reported.setdefault(key, given)
                if given.order is None and key not in told.submitted:
                    self.reading.doubts.note(heard.line, said(order), "no order")
                elif (known.text, known.notes) != (given.text, given.notes):
                    self.reading.doubts.note(heard.line, given.text, "was told otherwise before")
            case _:
                raise UnknownTokenError(heard.words, "result")

    def take_letter(self, heard: Heard) -> None:
        """FRM ( sender ) ( reader ... ) ( text )."""
        match heard.words:
            case ((sender, *_), (*readers,), text):
                self._press_of(self.tokens.power(sender), readers, text, heard.line)
            case _:
                raise UnknownTokenError(heard.words, "letter")

    def take_sent(self, heard: Heard) -> None:
        """SND ( turn ) ( reader ... ) ( text ), the turn left out or not."""
        match self._dated(heard.words)[1]:
            case ((*readers,), text) if heard.client in self._powers:
                self._press_of(self._powers[heard.client], readers, text, heard.line)
            case _:
                raise UnknownTokenError(heard.words, "letter")

    def _press_of(self, sender: Power, readers: Iterable[Node], text: Node, line: int) -> None:
        everybody = tuple(sorted(map(self.tokens.power, readers)))
        words = text if isinstance(text, str) else " ".join(map(said, text))
        told = RecordedPress(self._now, sender, everybody, words.strip("'"), line=line)
        self._press.setdefault((self._now, sender, everybody, words), told)

    def take_draw(self, heard: Heard) -> None:
        """DRW or DRW ( power ... ); as a request it is only a vote."""
        if not heard.request:
            told = group_of(heard.words[0]) if heard.words else ()
            powers = tuple(map(self.tokens.power, told)) or self._survivors()
            self._ending = Ending(EndKind.DRAW, powers, self._now)

    def take_solo(self, heard: Heard) -> None:
        """SLO ( power )."""
        powers = tuple(map(self.tokens.power, map(spelled, heard.words)))
        self._ending = Ending(EndKind.SOLO, powers, self._now)

    def take_disorder(self, heard: Heard) -> None:
        """CCD ( power )."""
        for power in map(self.tokens.power, map(spelled, heard.words)):
            self._silent.append(Seat(power, None, Hold.CIVIL_DISORDER, since=self._now))

    def take_summary(self, heard: Heard) -> None:
        """SMR ( turn ) ( power ( name ) ( version ) #centers ... ) ...: the game is over."""
        seats, phase = [], phase_of(heard.words[0] if heard.words else "")
        for node in heard.words[1:]:
            match node:
                case (token, name, version, centers, *_):
                    power = self.tokens.power(token)
                    seats.append(Seat(power, f"{spelled(name)} {spelled(version)}".strip()))
                    if number(centers) >= self.reading.board.victory_centers:
                        self._ending = self._ending or Ending(EndKind.SOLO, (power,), phase)
                case _:
                    raise UnknownTokenError(node, "player")
        self._players = tuple(seats)

    def take_leave(self, _: Heard) -> None:
        """OFF: the server ends the session."""
        self._left = True

    def _told(self, phase: Phase, line: int) -> Told:
        return self.phases.setdefault(phase, Told(line))

    def _dated(self, words: Message) -> tuple[Phase, Message]:
        """Tell for which phase *words* are; the turn before them may be left out."""
        match words:
            case ((str(season), _) as turn, *rest) if season in TURNS:
                return phase_of(turn), tuple(rest)
            case _ if self._now:
                return self._now, words
            case _:
                raise UnknownTokenError(words, "message before a position was told")

    def _given(self, node: Node, line: int, notes: tuple[str, ...] = ()) -> tuple[Key, Given]:
        """Read an order; None if only its unit can be read."""
        actor, *_ = group_of(node) or ("",)
        if isinstance(actor, str):
            power, order = self.tokens.order(node)
            self._waived[power] += 1
            return (power, self._waived[power]), Given(power, said(node), order, line, notes)
        unit = self.tokens.unit(actor)
        try:
            _, understood = self.tokens.order(node)
        except UnknownTokenError:
            return (unit.power, unit.province), Given(unit.power, said(node), None, line, notes)
        key = unit.power, unit.province
        return key, Given(unit.power, said(node), understood, line, notes)

    def _survivors(self) -> tuple[Power, ...]:
        return tuple(each for each in self.reading.board.powers if each in self._owners.values())

    def record(self, count: int) -> Record:
        """Return the record of the game, the *count*th of its file."""
        reading = self.reading
        first, last = self._lines or (1, 1)
        players = self._players or tuple(
            Seat(power, self._names.get(client)) for client, power in self._powers.items()
        )
        vague = any(
            is_vague(given) for told in self.phases.values() for given in told.reported.values()
        )
        return Record(
            name=reading.title if count == 1 else f"{reading.title}, game {count}",
            source=Source(NAME, reading.name, reading.sha256, first, last),
            variant=reading.board.name,
            rulebook=RULEBOOK,
            seats=(*players, *self._silent),
            phases=tuple(
                recorded(phase, told, vague=vague) for phase, told in sorted(self.phases.items())
            ),
            press=tuple(self._press.values()),
            ending=self._ending,
            settings=self._settings,
            doubts=reading.doubts.taken(),
        )


HEARD: Mapping[str, Callable[[Session, Heard], None]] = {
    "MAP": Session.take_board,
    "HLO": Session.take_welcome,
    "NME": Session.take_name,
    "SCO": Session.take_owners,
    "NOW": Session.take_position,
    "SUB": Session.take_submitted,
    "NOT": Session.take_withdrawn,
    "THX": Session.take_note,
    "ORD": Session.take_result,
    "FRM": Session.take_letter,
    "SND": Session.take_sent,
    "DRW": Session.take_draw,
    "SLO": Session.take_solo,
    "CCD": Session.take_disorder,
    "SMR": Session.take_summary,
    "OFF": Session.take_leave,
}
