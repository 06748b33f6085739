"""Read nJudge text, mailboxes of its results emails, and mailboxes of this judge's own.

Emails of several games may be mixed in one file, quoted or not, between banners and footers;
headings identify the games. The games of a mailbox are yielded at its end, since any email may
belong to any of them. Realpolitik writes nearly the same text. This judge's own results have
nJudge's tables; the sentences around them are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from judge.archive import records
from judge.archive.formats.njudge import mail_text, report_parser, sections
from judge.archive.positions import PhaseReport, PositionTracker
from judge.archive.reading import Format, Reading, UnreadableError
from judge.notation.terms import names_of
from judge.rules.phase_sequence import sort_units
from judge.rules.types import DislodgedUnit, Phase, Position, Power

PHASE_WORDS = r"(?:Movement|Retreat|Adjustment)s?"
SIGNS = re.compile(
    rf"^[> \t]*(?:{PHASE_WORDS} (?:results|orders) for \w+ "
    rf"(?:of )?\d{{4}}\.?\s*(?:\([^().]+\.\d+\)\s*)?$"
    rf"|Status of the {PHASE_WORDS} phase for |Summary of game '|History information for game '"
    r"|Starting position for \w+ of \d{4}\.\s*$"
    r"|[^\n()]{10,80}\([\w-]+\.\d{3}\)\s*$)",  # a title in any language
    re.IGNORECASE | re.MULTILINE,
)
# DPjudge has the phase code in place of nJudge's phase count. Its press files start with `::`.
DPJUDGE_SIGNS = re.compile(
    r" for \w+ of \d{4}\.\s+\([^\s()]+\.[SFW]\d{4}[MRAB]\)|\A\s*:: [SFW]\d{4}[MRA] [A-Z]"
    r"|^[> \t]*Summary of game [^'\s]+ through ",
    re.MULTILINE,
)


def recognizes_njudge(head: str) -> bool:
    """Return whether *head* has an nJudge title and is not email."""
    titled = SIGNS.search(head) and not DPJUDGE_SIGNS.search(head)
    return bool(titled) and not mail_text.is_mail(head)


def read_njudge(reading: Reading, lines: Iterable[str]) -> Iterator[records.Record]:
    """Yield the games in nJudge text."""
    return read_games(reading, lines, NJUDGE.name)


NJUDGE = Format(
    name="njudge",
    title="nJudge results, histories and listings",
    rulebook="njudge",
    recognizes=recognizes_njudge,
    reads=read_njudge,
)


SUBJECT = re.compile(r"^Subject: .*\b\w+:[\w-]+ - [SUFW]\d{4}[MRB]X? ", re.MULTILINE)


def recognizes_mailbox(head: str) -> bool:
    """Return whether *head* starts with email and has a sign of nJudge."""
    if not mail_text.is_mail(head) or mail_text.is_own_mail(head):
        return False
    # The subjects of DPjudge are the same.
    return bool(SIGNS.search(head) or SUBJECT.search(head)) and not DPJUDGE_SIGNS.search(head)


def read_mailbox(reading: Reading, lines: Iterable[str]) -> Iterator[records.Record]:
    """Yield the games in a mailbox or a single email."""
    return records_of(reading, sort_emails(reading, mail_text.split_mails(lines)), MAILBOX.name)


def sort_emails(reading: Reading, emails: Iterable[mail_text.Mail]) -> Iterator[sections.GameText]:
    """Sort the text of *emails* by game."""
    sorter = sections.SentenceSorter(names_of(reading.board).powers.keys())
    for each in emails:
        sorter.end_mail()
        for sentence in mail_text.sentences(checked_lines(reading, mail_text.lines_of_mail(each))):
            sorter.add(sentence)
    return sorter.rest()


MAILBOX = Format(
    name="mailbox",
    title="mailboxes of nJudge's results emails",
    rulebook="njudge",
    recognizes=recognizes_mailbox,
    reads=read_mailbox,
)


def read_own_mailbox(reading: Reading, lines: Iterable[str]) -> Iterator[records.Record]:
    """Yield the games in this judge's own emails."""
    games = map(_without_comments, sort_emails(reading, mail_text.split_mails(lines)))
    return records_of(reading, games, OWN_MAILBOX.name)


def _without_comments(game: sections.GameText) -> sections.GameText:
    for draft in game.drafts:
        draft.unknown.clear()
    return game


OWN_MAILBOX = Format(
    name="ours",
    title="mailboxes of this judge's own results emails",
    rulebook="datc",
    recognizes=mail_text.is_own_mail,
    reads=read_own_mailbox,
)


def read_games(reading: Reading, lines: Iterable[str], source: str) -> Iterator[records.Record]:
    """Yield the games of consecutive results in *lines*; *source* names the format.

    A game is yielded when its history ends and another starts, or at the end of the file.
    """
    sorter = sections.SentenceSorter(names_of(reading.board).powers.keys())
    found = mail_text.sentences(checked_lines(reading, mail_text.parse_lines(lines)))
    return records_of(reading, sorter.sort(found), source)


def records_of(
    reading: Reading, games: Iterable[sections.GameText], source: str
) -> Iterator[records.Record]:
    """Yield the records of *games*. Raises `UnreadableError` if none has content."""
    found = False
    for game in games:
        if game.has_content:
            found = True
            yield GameParser(game, reading, source).record()
    if not found:
        why = "no report of a judge found (reports are read in English only)"
        raise UnreadableError(reading.name, None, why)


def checked_lines(reading: Reading, lines: Iterable[mail_text.Line]) -> Iterator[mail_text.Line]:
    """Yield *lines*, with a doubt for each decoding error. Raises `UnreadableError` for bytes."""
    for line in lines:
        if "\0" in line.text:
            raise UnreadableError(reading.name, line.number, "binary data, not text")
        if "\ufffd" in line.text:
            reading.doubts.note(line.number, line.text, "not in the expected encoding")
        yield line


NJUDGES = frozenset({NJUDGE.name, MAILBOX.name})
VARIANT = re.compile(r"[^\s,;]+")  # the board comes first: `Standard, Gunboat`
TABLES = frozenset(
    {sections.TableKind.STATUS, sections.TableKind.START}
)  # positions; other kinds are reports
NUMBERS = {
    "boardman": "boardman",
    "bn": "boardman",
    "miller": "miller",
    "mn": "miller",
    "ep": "ep",
}


class GameParser:
    """Builds the record of one game from its *text*."""

    def __init__(self, text: sections.GameText, reading: Reading, source: str) -> None:
        self._text = text
        self._reading = reading
        self._board = reading.board
        self._doubts = reading.doubts
        self._rows = report_parser.RowParser(
            reading.board, reading.doubts, marks_convoys=source not in NJUDGES
        )
        self._format = source
        self._winner: records.Ending | None = None
        self._disorders: list[records.Seat] = []  # in civil disorder

    def record(self) -> records.Record:
        """Return the record and its doubts."""
        text, reading = self._text, self._reading
        board = VARIANT.search(text.variant or "")
        variant = board[0].casefold() if board else self._board.name
        phases: tuple[records.RecordedPhase, ...] = ()
        if variant == self._board.name:
            phases = tuple(sorted(self._phases(), key=lambda each: (each.phase, each.edition)))
        else:
            self._doubts.note(
                text.first, text.variant or "", "this judge has no map of the variant"
            )
        if text.history is not None:
            self._doubts.note(text.last, "", "the history breaks off")
        summary = report_parser.read_summary(text.summary, self._board, self._doubts)
        settings = dict(text.settings)
        if text.variant:
            settings.setdefault("variant", text.variant)
        numbers = {name: settings.pop(key) for key, name in NUMBERS.items() if key in settings}
        if text.judge:
            numbers["judge"] = f"{text.judge}:{text.name}"
        return records.Record(
            name=text.name or reading.title,
            source=records.Source(
                self._format, reading.name, reading.sha256, text.first, text.last
            ),
            variant=variant,
            numbers=numbers,
            gamemaster=self._gamemaster(summary),
            seats=self._seats(summary, phases),
            phases=phases,
            press=tuple(self._press()),
            charts=summary.charts,
            ending=self._ending(summary, phases),
            settings=settings,
            doubts=self._doubts.taken(),
        )

    # Phases

    def _phases(self) -> Iterator[records.RecordedPhase]:
        tracker = PositionTracker(self._board, self._doubts)
        played: set[Phase] = set()
        placed = False
        due: dict[Phase | None, datetime | None] = {}
        for phase, draft in self._ordered_drafts():
            if draft.kind in TABLES:
                due.setdefault(phase, draft.following_due)
                if not played or phase > max(played):
                    self._set_position(tracker, draft, phase)
                    placed = True
                continue
            played.add(phase)
            yield tracker.play(self._report(draft, phase, draft.deadline or due.get(phase)))
            due[draft.following] = draft.following_due
        if played:
            yield from tracker.still_open()
        elif placed and tracker.ahead:
            yield records.RecordedPhase(tracker.ahead.phase, tracker.ahead)

    def _ordered_drafts(self) -> Sequence[tuple[Phase, sections.ReportText]]:
        """Return each table once with its phase, in the order of play.

        Corrected reports and games that were rolled back keep the order of the file.
        """
        drafts: list[tuple[Phase, sections.ReportText]] = []
        for draft in self._unique_drafts():
            if draft.phase:
                drafts.append((draft.phase, draft))
            else:
                self._doubts.note(draft.heading.number, draft.heading.text, "not a phase")
        reports = [phase for phase, draft in drafts if draft.kind not in TABLES]
        if len(set(reports)) == len(reports):
            drafts.sort(key=lambda pair: (pair[0], pair[1].kind not in TABLES))
        return drafts

    def _unique_drafts(self) -> Iterator[sections.ReportText]:
        """Yield each table once, and prefer an unquoted copy."""
        drafts = [
            each
            for each in self._text.drafts
            if each.kind is not sections.TableKind.ORDERS or each.whole
        ]
        plain = {(each.kind, each.phase) for each in drafts if not each.heading.depth}
        known: set[tuple[object, ...]] = set()
        for draft in drafts:
            content = draft.kind, draft.phase, *((row.word, row.text) for row in draft.rows)
            repeated = draft.heading.depth and (draft.kind, draft.phase) in plain
            if not repeated and content not in known:
                known.add(content)
                yield draft

    def _set_position(
        self, tracker: PositionTracker, draft: sections.ReportText, phase: Phase
    ) -> None:
        """Set the position of a table unless it is the expected one."""
        if not draft.rows and phase == self._board.start.phase:
            return  # Our start emails list the units in another form.
        found = tuple(self._rows.units(draft.rows))
        units = sort_units((unit for unit, retreats in found if not retreats))
        ahead = tracker.ahead
        if ahead and ahead.phase == phase and ahead.units == units:
            return
        owners = self._rows.owners(draft.owners)
        if not owners and phase == self._board.start.phase:
            owners = self._board.start.owners
        waiting = tuple(
            DislodgedUnit(unit, "", attacker_convoyed=False, retreats=retreats)
            for unit, retreats in found
            if retreats
        )
        listed = tuple(unit for unit, _ in found)
        tracker.put(Position(phase, units, owners, waiting, listed=listed), draft.heading.number)

    def _report(
        self, draft: sections.ReportText, phase: Phase, deadline: datetime | None
    ) -> PhaseReport:
        for each in draft.unknown:
            self._doubts.note(each.number, each.text, "not understood in a report")
        if not draft.whole:
            self._doubts.note(draft.last, draft.heading.text, "the report breaks off")
        dislodged = [self._rows.dislodged(sentence) for sentence in draft.dislodged]
        counts = tuple(self._rows.counts(draft.counts))
        self._read_marks(phase, counts)
        return PhaseReport(
            phase=phase,
            orders=tuple(self._rows.orders(draft.rows, phase.kind)),
            dislodged=tuple(each for each in dislodged if each),
            defaulted=tuple(self._rows.defaulted(draft.rows)),
            owners=self._rows.owners(draft.owners) if draft.owners else None,
            counts={power: found for power, found, _ in counts},
            following=draft.following,
            deadline=deadline,
            reported=draft.reported,
            first_line=draft.heading.number,
            last_line=draft.last,
            chart_line=draft.chart_line,
            notes=tuple(
                f"{row.word}: {row.text}" for row in draft.rows if report_parser.is_note(row)
            ),
        )

    def _read_marks(
        self, phase: Phase, counts: Sequence[tuple[Power, tuple[int, int], str]]
    ) -> None:
        """Read the marks after the center counts: `VICTORY` and `CD` (civil disorder)."""
        for power, _, mark in counts:
            if "VICTORY" in mark.upper():
                self._winner = records.Ending(records.EndKind.SOLO, (power,), phase, f"(*{mark}*)")
            elif mark.upper() == "CD" and power not in {seat.power for seat in self._disorders}:
                self._disorders.append(
                    records.Seat(power, None, records.SeatKind.CIVIL_DISORDER, since=phase)
                )

    # Press, ending and seats

    def _press(self) -> Iterator[records.RecordedPress]:
        known: set[tuple[object, ...]] = set()
        for draft in self._text.press:
            message = self._message(draft)
            content = message.phase, message.sender, message.readers, message.text
            if content not in known:
                known.add(content)
                yield message

    def _message(self, draft: sections.PressText) -> records.RecordedPress:
        return records.RecordedPress(
            phase=draft.phase,
            sender=self._power_or_word(draft.signed) if draft.signed else None,
            readers=tuple(self._power_or_word(word) for word in draft.readers),
            text="\n".join(map(partial(_quoting, draft.depth), draft.lines)).strip("\n"),
            sent=draft.sent,
            line=draft.number,
        )

    def _power_or_word(self, word: str) -> str:
        names = names_of(self._board)
        return names.powers.get(word.casefold()) or names.letters.get(word.casefold()) or word

    def _gamemaster(self, summary: report_parser.ListedGame) -> str | None:
        names = [each.name for each in summary.players if each.word.casefold() == "master"]
        address = self._address(self._text.addresses.get("master"))
        return next(iter(names), None) or address

    def _address(self, address: str | None) -> str | None:
        return address if self._reading.keep_addresses else None

    def _seats(
        self, summary: report_parser.ListedGame, phases: Sequence[records.RecordedPhase]
    ) -> tuple[records.Seat, ...]:
        powers = names_of(self._board).powers
        players = summary.players or tuple(self._takeovers())
        seats: list[records.Seat] = []
        for player in players:
            power = powers.get(player.word.casefold())
            if power is None:
                continue
            if player.since:
                seats = [_end_seat(seat, power, player.since, phases) for seat in seats]
            hold = records.SeatKind.TAKEOVER if player.since else records.SeatKind.PLAYER
            address = self._address(player.address)
            seats.append(records.Seat(power, player.name, hold, player.since, address=address))
        known = [seat for seat in seats if seat.player or seat.address or seat.since]
        return (*known, *self._disorders)

    def _takeovers(self) -> Iterator[report_parser.ListedPlayer]:
        for word, address in self._text.addresses.items():
            yield report_parser.ListedPlayer(word, None, address, None)
        for each in self._text.taken:
            yield report_parser.ListedPlayer(each.word, None, each.address, each.phase)

    def _ending(
        self, summary: report_parser.ListedGame, phases: Sequence[records.RecordedPhase]
    ) -> records.Ending | None:
        endings = self._text.endings
        if not endings:
            return self._winner
        ending = endings[-1]
        powers = names_of(self._board).powers
        found = [powers.get(word.casefold()) for word in ending.words]
        if None in found:
            self._doubts.note(ending.line, ending.text, "not understood as an ending")
        played = [each.phase for each in phases if each.orders]
        phase = summary.through or (max(played) if played else ending.phase)
        return records.Ending(ending.kind, tuple(p for p in found if p), phase, ending.text)


def _quoting(depth: int, line: mail_text.Line) -> str:
    """Return *line* with the quote marks beyond the *depth* of its message."""
    own = line.depth - depth
    return f"{'>' * own} {line.text}" if own > 0 else line.text


def _end_seat(
    seat: records.Seat, power: Power, since: Phase, phases: Sequence[records.RecordedPhase]
) -> records.Seat:
    if seat.power != power or seat.until:
        return seat
    earlier = [each.phase for each in phases if each.phase < since]
    return replace(seat, until=max(earlier, default=None))
