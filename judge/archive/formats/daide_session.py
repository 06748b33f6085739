"""Read DAIDE sessions: messages between bots and their server.

A line is `client,request`, `client,,response` with comma-separated responses, or one message.
`SCO` and `NOW` give owners and positions, `SUB` the orders, `ORD` their results. The messages of
all clients make one record. A new board for a client starts another game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from judge import errors
from judge.archive import records
from judge.archive.formats import daide_language
from judge.archive.positions import PrintedPosition
from judge.archive.reading import Format, Reading, UnreadableError
from judge.rules import types
from judge.rules.rulebook import rulebook_named

NAME = "daide"
# The rules of the `diplomacy` package's server, the only one known to write such logs.
RULEBOOK = "diplomacy"
RULES = rulebook_named(RULEBOOK)
ASKED = frozenset(("ADM", "HST", "HUY", "IAM", "LOD", "MDF", "OBS", "PRN", "SVE"))
ANSWERED = frozenset(("GOF", "MIS", "NMR", "OUT", "REJ", "TME", "YES"))
IGNORED = ASKED | ANSWERED  # not about the game itself
ACCEPTED = "MBV"  # the server accepts an order


@dataclass(frozen=True, slots=True)
class SessionMessage:
    """A message and its line; the sender and receiver may be unknown (None)."""

    line: int
    client: str
    request: bool
    head: daide_language.Node
    words: daide_language.Message

    @property
    def text(self) -> str:
        """Return the message as sent."""
        return " ".join(map(daide_language.format_node, (self.head, *self.words)))


class Session:
    """One game, as far as its messages have been read."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.tokens = daide_language.tokens_of(reading.board)
        self.phases: dict[types.Phase, SessionPhase] = {}
        self._now: types.Phase | None = None
        self._lines: tuple[int, int] | None = None  # first and last
        self._given_board: set[str] = set()
        self._has_ended = False
        self._powers: dict[str, types.Power] = {}  # by client
        self._names: dict[str, str] = {}  # by client
        self._owners: dict[types.Province, types.Power] = {}
        self._waived: Counter[types.Power] = Counter()
        self._players: tuple[records.Seat, ...] = ()
        self._disorders: list[records.Seat] = []
        self._press: dict[tuple[object, ...], records.RecordedPress] = {}
        self._settings: dict[str, str] = {}
        self._ending: records.Ending | None = None

    def is_over_for(self, message: SessionMessage) -> bool:
        """Return whether the message starts another game for its client."""
        return message.head == "MAP" and (self._has_ended or message.client in self._given_board)

    def add(self, message: SessionMessage) -> None:
        """Read one message; one that cannot be read becomes a doubt."""
        self._lines = (self._lines or (message.line,))[0], message.line
        if message.head in IGNORED:
            return
        try:
            HANDLERS.get(daide_language.format_node(message.head), Session.read_anything)(
                self, message
            )
        except daide_language.UnknownTokenError as unknown:
            self.reading.doubts.note(message.line, errors.abridged(message.text), str(unknown))

    def read_anything(self, message: SessionMessage) -> None:
        """Reject an unknown message."""
        raise daide_language.UnknownTokenError(message.head, "a DAIDE message")

    def read_board(self, message: SessionMessage) -> None:
        """Read `MAP ( name )`."""
        self._given_board.add(message.client)
        name = daide_language.spelled_text(message.words)
        if name.lower() != self.reading.board.name:
            raise daide_language.UnknownTokenError(name, "a known board")

    def read_welcome(self, message: SessionMessage) -> None:
        """Read `HLO ( power ) ( passcode ) ( ( option #value ) ... )`, without the passcode."""
        match message.words:
            case ((power,), _, (*options,)):
                if power != daide_language.NOBODY:
                    self._powers[message.client] = self.tokens.power(power)
                for option in options:
                    name, *values = daide_language.require_group(option) or ("",)
                    self._settings[daide_language.format_node(name)] = " ".join(
                        map(daide_language.format_node, values)
                    ).replace("#", "")
            case _:
                raise daide_language.UnknownTokenError(message.words, "a HLO message")

    def read_name(self, message: SessionMessage) -> None:
        """Read `NME ( name ) ( version )`."""
        self._names[message.client] = " ".join(map(daide_language.spelled_text, message.words))

    def read_owners(self, message: SessionMessage) -> None:
        """Read `SCO ( power center ... ) ...`, which precedes its position."""
        self._waived.clear()
        placing = PrintedPosition(self.reading.board, self.reading.doubts)
        for owned in message.words:
            power, *centers = daide_language.require_group(owned) or ("",)
            if power != daide_language.NOBODY:
                owner = self.tokens.power(power)
                for center in map(self.tokens.location, centers):
                    placing.set_owner(
                        types.province_of(center),
                        owner,
                        message.line,
                        daide_language.format_node(owned),
                    )
        self._owners = placing.owners

    def read_position(self, message: SessionMessage) -> None:
        """Read `NOW ( turn ) ( unit ) ( unit MRT ( place ... ) ) ...`."""
        self._waived.clear()
        phase = daide_language.read_phase(message.words[0] if message.words else "")
        self._now = max(phase, self._now or phase)
        phase_found = self._phase_at(phase, message.line)
        if phase_found.now == message.words:
            return
        placing = PrintedPosition(self.reading.board, self.reading.doubts, owners=self._owners)
        for node in message.words[1:]:
            self._place(placing, phase, node, message.line)
        position = placing.position(phase, None, RULES)
        if phase_found.position is None:
            phase_found.position, phase_found.now = position, message.words
        elif {*phase_found.position.units} != {*position.units}:
            self.reading.doubts.note(message.line, phase.code, "contradicts an earlier message")

    def _place(
        self, placing: PrintedPosition, phase: types.Phase, node: daide_language.Node, line: int
    ) -> None:
        match node:
            case (*unit, "MRT", (*places,)) if phase.kind is types.PhaseKind.RETREATS:
                dislodged = self.tokens.unit(tuple(unit))
                placing.retreats[dislodged] = tuple(sorted(map(self.tokens.location, places)))
                placing.place(dislodged, line, daide_language.format_node(node), dislodged=True)
            case _:
                placing.place(self.tokens.unit(node), line, daide_language.format_node(node))

    def read_submitted(self, message: SessionMessage) -> None:
        """Read `SUB ( turn ) ( order ) ...`; without a turn it is for the current one."""
        self._waived.clear()
        phase, orders = self._split_turn(message.words)
        phase_found = self._phase_at(phase, message.line)
        for node in orders:
            key, given = self._read_order(node, message.line)
            phase_found.submitted[key] = given
            if given.order is None:
                self.reading.doubts.note(
                    message.line, daide_language.format_node(node), "not an order"
                )

    def read_note(self, message: SessionMessage) -> None:
        """Read `THX ( order ) ( note )`, the server's reply to a submitted order."""
        match message.words:
            case (order, (str(note),)) if self._now:
                if note != ACCEPTED:
                    phase_found = self._phase_at(self._now, message.line)
                    phase_found.submitted.pop(self._read_order(order, message.line)[0], None)
                    phase_found.refused.append(f"{daide_language.format_node(order)} {note}")
            case _:
                raise daide_language.UnknownTokenError(message.words, "a THX message")

    def read_withdrawn(self, message: SessionMessage) -> None:
        """Read `NOT ( SUB ( turn ) ( order ) ... )`, by default for all of the client's orders."""
        match message.words:
            case (("SUB", *words),) if message.request:
                phase, orders = self._split_turn(tuple(words))
                submitted = self._phase_at(phase, message.line).submitted
                own = [key for key in submitted if key[0] == self._powers.get(message.client)]
                keys = [self._read_order(node, message.line)[0] for node in orders]
                for key in keys or own:
                    submitted.pop(key, None)
            case _:
                pass

    def read_result(self, message: SessionMessage) -> None:
        """Read `ORD ( turn ) ( order ) ( result )`, which each client gets, possibly twice."""
        match message.words:
            case (turn, order, (*notes,)) if NOTES.issuperset(notes):
                phase_found = self._phase_at(daide_language.read_phase(turn), message.line)
                key, given = self._read_order(
                    order, message.line, tuple(map(daide_language.format_node, notes))
                )
                known = phase_found.reported.setdefault(key, given)
                if given.order is None and key not in phase_found.submitted:
                    self.reading.doubts.note(
                        message.line, daide_language.format_node(order), "not an order"
                    )
                elif (known.text, known.notes) != (given.text, given.notes):
                    self.reading.doubts.note(
                        message.line, given.text, "contradicts an earlier message"
                    )
            case _:
                raise daide_language.UnknownTokenError(message.words, "an ORD message")

    def read_press(self, message: SessionMessage) -> None:
        """Read `FRM ( sender ) ( reader ... ) ( text )`."""
        match message.words:
            case ((sender, *_), (*readers,), text):
                self._press_of(self.tokens.power(sender), readers, text, message.line)
            case _:
                raise daide_language.UnknownTokenError(message.words, "a press message")

    def read_sent(self, message: SessionMessage) -> None:
        """Read `SND ( turn ) ( reader ... ) ( text )`; the turn is optional."""
        match self._split_turn(message.words)[1]:
            case ((*readers,), text) if message.client in self._powers:
                self._press_of(self._powers[message.client], readers, text, message.line)
            case _:
                raise daide_language.UnknownTokenError(message.words, "a press message")

    def _press_of(
        self,
        sender: types.Power,
        readers: Iterable[daide_language.Node],
        text: daide_language.Node,
        line: int,
    ) -> None:
        everybody = tuple(sorted(map(self.tokens.power, readers)))
        words = text if isinstance(text, str) else " ".join(map(daide_language.format_node, text))
        press = records.RecordedPress(self._now, sender, everybody, words.strip("'"), line=line)
        self._press.setdefault((self._now, sender, everybody, words), press)

    def read_draw(self, message: SessionMessage) -> None:
        """Read `DRW` or `DRW ( power ... )`; from a client it is only a vote."""
        if not message.request:
            sharing = daide_language.require_group(message.words[0]) if message.words else ()
            powers = tuple(map(self.tokens.power, sharing)) or self._survivors()
            self._ending = records.Ending(records.EndKind.DRAW, powers, self._now)

    def read_solo(self, message: SessionMessage) -> None:
        """Read `SLO ( power )`."""
        powers = tuple(map(self.tokens.power, map(daide_language.spelled_text, message.words)))
        self._ending = records.Ending(records.EndKind.SOLO, powers, self._now)

    def read_disorder(self, message: SessionMessage) -> None:
        """Read `CCD ( power )`."""
        for power in map(self.tokens.power, map(daide_language.spelled_text, message.words)):
            self._disorders.append(
                records.Seat(power, None, records.SeatKind.CIVIL_DISORDER, since=self._now)
            )

    def read_summary(self, message: SessionMessage) -> None:
        """Read the end, `SMR ( turn ) ( power ( name ) ( version ) #centers ... ) ...`."""
        seats, phase = [], daide_language.read_phase(message.words[0] if message.words else "")
        for node in message.words[1:]:
            match node:
                case (token, name, version, centers, *_):
                    power = self.tokens.power(token)
                    words = map(daide_language.spelled_text, (name, version))
                    seats.append(records.Seat(power, " ".join(words).strip()))
                    if daide_language.read_number(centers) >= self.reading.board.victory_centers:
                        self._ending = self._ending or records.Ending(
                            records.EndKind.SOLO, (power,), phase
                        )
                case _:
                    raise daide_language.UnknownTokenError(node, "a player")
        self._players = tuple(seats)

    def read_leave(self, _: SessionMessage) -> None:
        """Read `OFF`, with which the server ends the session."""
        self._has_ended = True

    def _phase_at(self, phase: types.Phase, line: int) -> SessionPhase:
        return self.phases.setdefault(phase, SessionPhase(line))

    def _split_turn(
        self, words: daide_language.Message
    ) -> tuple[types.Phase, daide_language.Message]:
        """Return the phase, by default the current one, and the rest of *words*."""
        match words:
            case ((str(season), _) as turn, *rest) if season in daide_language.TURNS:
                return daide_language.read_phase(turn), tuple(rest)
            case _ if self._now:
                return self._now, words
            case _:
                raise daide_language.UnknownTokenError(
                    words, "understood before the first position"
                )

    def _read_order(
        self, node: daide_language.Node, line: int, notes: tuple[str, ...] = ()
    ) -> tuple[OrderKey, SessionOrder]:
        """Read an order and its key; the order is None if only its unit can be read."""
        actor, *_ = daide_language.require_group(node) or ("",)
        if isinstance(actor, str):
            power, order = self.tokens.order(node)
            self._waived[power] += 1
            return (power, self._waived[power]), SessionOrder(
                power, daide_language.format_node(node), order, line, notes
            )
        unit = self.tokens.unit(actor)
        try:
            _, understood = self.tokens.order(node)
        except daide_language.UnknownTokenError:
            return (unit.power, unit.province), SessionOrder(
                unit.power, daide_language.format_node(node), None, line, notes
            )
        key = unit.power, unit.province
        return key, SessionOrder(
            unit.power, daide_language.format_node(node), understood, line, notes
        )

    def _survivors(self) -> tuple[types.Power, ...]:
        return tuple(each for each in self.reading.board.powers if each in self._owners.values())

    def record(self, count: int) -> records.Record:
        """Return the record of the game, number *count* of its file."""
        reading = self.reading
        first, last = self._lines or (1, 1)
        players = self._players or tuple(
            records.Seat(power, self._names.get(client)) for client, power in self._powers.items()
        )
        vague = any(
            is_vague_result(given)
            for each in self.phases.values()
            for given in each.reported.values()
        )
        return records.Record(
            name=reading.title if count == 1 else f"{reading.title}, game {count}",
            source=records.Source(NAME, reading.name, reading.sha256, first, last),
            variant=reading.board.name,
            rulebook=RULEBOOK,
            seats=(*players, *self._disorders),
            phases=tuple(
                recorded_phase(phase, each, vague=vague)
                for phase, each in sorted(self.phases.items())
            ),
            press=tuple(self._press.values()),
            ending=self._ending,
            settings=self._settings,
            doubts=reading.doubts.taken(),
        )


HANDLERS: Mapping[str, Callable[[Session, SessionMessage], None]] = {
    "MAP": Session.read_board,
    "HLO": Session.read_welcome,
    "NME": Session.read_name,
    "SCO": Session.read_owners,
    "NOW": Session.read_position,
    "SUB": Session.read_submitted,
    "NOT": Session.read_withdrawn,
    "THX": Session.read_note,
    "ORD": Session.read_result,
    "FRM": Session.read_press,
    "SND": Session.read_sent,
    "DRW": Session.read_draw,
    "SLO": Session.read_solo,
    "CCD": Session.read_disorder,
    "SMR": Session.read_summary,
    "OFF": Session.read_leave,
}


# The power and the province of the ordered unit, or the count of a waived build.
OrderKey = tuple[types.Power, types.Province | int]

WORDS = {"BNC": "bounce", "CUT": "cut", "RET": "dislodged", "FLD": "void", "NSO": "void"}
NOTES = frozenset({*WORDS, "SUC", "DSR"})


@dataclass(frozen=True, slots=True)
class SessionOrder:
    """An order as submitted or reported; *notes* are its result tokens."""

    power: types.Power
    text: str
    order: types.Order | None
    line: int
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class SessionPhase:
    """The messages about one phase, from *line* on; *now* holds the words of its `NOW` message."""

    line: int
    now: daide_language.Message = ()
    position: types.Position | None = None
    submitted: dict[OrderKey, SessionOrder] = field(default_factory=dict)
    reported: dict[OrderKey, SessionOrder] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


def is_vague_result(given: SessionOrder) -> bool:
    """Return whether the server reports `no such order` for an order that always exists.

    Such a server reports every failure this way, without the reason.
    """
    match given.order:
        case (
            None
            | types.SupportHold()
            | types.SupportMove()
            | types.Convoy()
            | types.Move(via_convoy=True)
        ):
            return False
        case _:
            return "NSO" in given.notes


def recorded_phase(
    phase: types.Phase, phase_found: SessionPhase, *, vague: bool
) -> records.RecordedPhase:
    """Return the record of *phase*, with submitted orders where the reported ones are unreadable.

    If the server is *vague*, failed orders have no result.
    """
    orders = [
        _written(given, phase_found.submitted.get(key, given), vague=vague)
        for key, given in phase_found.reported.items()
    ]
    silent = phase_found.submitted.keys() - phase_found.reported.keys()
    orders += [
        _written(given, given, vague=vague)
        for key, given in phase_found.submitted.items()
        if key in silent
    ]
    return records.RecordedPhase(
        phase,
        phase_found.position,
        tuple(orders),
        results_told=any(each.results is not None for each in orders),
        first_line=phase_found.line,
        notes=tuple(phase_found.refused),
    )


def _written(given: SessionOrder, submitted: SessionOrder, *, vague: bool) -> records.WrittenOrder:
    if given.order is None:
        given = replace(given, text=submitted.text, order=submitted.order)
    if not given.notes or (vague and "NSO" in given.notes):
        return records.WrittenOrder(given.power, given.text, given.order, None, given.line)
    words = tuple(_word(given.order, note) for note in given.notes if note != "SUC")
    return records.WrittenOrder(given.power, given.text, given.order, words, given.line)


def _word(order: types.Order | None, note: str) -> str:
    if note == "DSR":
        return "disrupted" if isinstance(order, types.Convoy) else "no convoy"
    if note == "NSO" and isinstance(order, types.Move):
        return "no convoy"
    return WORDS[note]


LINE = re.compile(r"(?:(?P<client>\d+),(?P<response>,?))?(?P<said>.*)")
KNOWN = re.compile(r"^(?:\d+,,?)?(?:NME|OBS|MAP|HLO|SCO|NOW|ORD)(?: ?\(|\s*$)", re.MULTILINE)


def recognizes(head: str) -> bool:
    """Return whether *head* starts a DAIDE session."""
    return KNOWN.search(head) is not None


def read(reading: Reading, lines: Iterable[str]) -> Iterator[records.Record]:
    """Yield a record for each game in *lines*."""
    count, game = 0, Session(reading)
    for message in _session_messages(reading, lines):
        if game.is_over_for(message):
            if game.phases:
                count += 1
                yield game.record(count)
            game = Session(reading)
        game.add(message)
    if game.phases:
        yield game.record(count + 1)
    elif not count:
        raise UnreadableError(reading.name, None, "no position found")


def _session_messages(reading: Reading, lines: Iterable[str]) -> Iterator[SessionMessage]:
    for line, text in enumerate(lines, 1):
        found = LINE.fullmatch(text.replace("\ufeff", "").strip())
        if not found or not found["said"] or found["said"].startswith("#"):
            continue
        client, request = found["client"] or "", found["response"] == ""
        try:
            several = daide_language.messages(found["said"])
        except daide_language.UnknownTokenError as unknown:
            reading.doubts.note(line, "", str(unknown))
            continue
        for head, *words in filter(None, several):
            yield SessionMessage(line, client, request, head, tuple(words))


FORMAT = Format(NAME, "Session of DAIDE", RULEBOOK, recognizes, read)
