"""What a receipt says about each thing in a mail: one frozen class a kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime

    from judge.game.decision import Why
    from judge.rules.outcome import Impossible
    from judge.rules.types import Order, Phase


@dataclass(frozen=True, slots=True)
class OrderTaken:
    """An order stands now; it may be *impossible*, or have overruled *instead_of* of its mail.

    *meant* is what it is read as, if that is another thing than it says; *choices* may be meant
    where it does not say on which coast. It may be the first of *wishes* that can be done. It
    may be a support or a convoy that *contradicts* another order of its power.
    """

    order: Order
    impossible: Impossible | None = None
    instead_of: Order | None = None
    meant: Order | None = None
    choices: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    contradicts: Order | None = None


@dataclass(frozen=True, slots=True)
class OrderLeft:
    """An order that changes nothing, since it is *impossible*; *choices* as in `OrderTaken`."""

    order: Order
    impossible: Impossible
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SlipMended:
    """A line was taken for the order that follows here, which its *text* is likest to."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class RestHolds:
    """A line lets all units hold that no order is for; other units keep their *orders*."""

    line: int
    text: str
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Introduced:
    """Orders from *line* on count, although *text* above or before them may say otherwise."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class LineNotUnderstood:
    """A line that looks like an order or a command and is none; *nearest* may be meant.

    It is *doubtful* if an order in it hangs on an if, a perhaps or a question, and *incomplete* if
    a support in it names no unit: `A Par S`. The answer YES gives the nearest order *by_yes*.
    """

    line: int
    text: str
    nearest: str | None = None
    doubtful: bool = False
    incomplete: bool = False
    by_yes: bool = False


@dataclass(frozen=True, slots=True)
class LineUnclear:
    """A line that can be read in several ways: *word* is the trouble, *choices* may be meant."""

    line: int
    text: str
    word: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommandDone:
    """A command had its effect, or all was so *already*; its words stand in the templates."""

    command: str
    argument: str = ""
    already: bool = False


@dataclass(frozen=True, slots=True)
class HandleOffered:
    """Others know the writer as *handle*, which was given; their name would make *offered*."""

    handle: str
    offered: str


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """A command had no effect."""

    command: str
    why: Why


@dataclass(frozen=True, slots=True)
class RuleRefused:
    """A *command* had no effect since *pair* is no house rule; *form* says which might be.

    *names* are rules that it is like, or the words that it may have.
    """

    command: str
    pair: str
    form: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotSignedOn:
    """A SIGNON named no game, or no password of its seat; nothing up to the next was read."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class NotOfGame:
    """A line, 0 for the subject, names a *game* in which the mail may do nothing."""

    line: int
    text: str
    game: str


@dataclass(frozen=True, slots=True)
class CommandElsewhere:
    """A command of other judges that is none here; *advice* names what is said of it."""

    line: int
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class PressGone:
    """Press of *sender* went to *recipients*; *lines* show what they read, where that matters.

    They read that it is *signed* by him, by another, or (None) by nobody; and that *named* read
    it, empty if that is so. *postal*, it comes with the next results; a *preview* went to nobody.
    *gunboat* says that nobody is to know who plays what. *struck* are the names that closed it.
    """

    sender: str
    recipients: tuple[str, ...]
    lines: tuple[str, ...] = ()
    signed: str | None = None
    named: tuple[str, ...] = ()
    postal: bool = False
    preview: bool = False
    gunboat: bool = False
    struck: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PressBack:
    """Press that went to nobody, with its *lines*; *why* is None if its ENDPRESS was missing."""

    lines: tuple[str, ...]
    why: Why | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PressUnopened:
    """Nothing was done with *lines*, which end as press does, and begin as nothing does.

    Or they begin as a letter to somebody, but not with the *opening* of press.
    """

    lines: tuple[str, ...]
    opening: str = ""


@dataclass(frozen=True, slots=True)
class LetterOffered:
    """Letters that were held have orders in them, and nothing else in the mail has."""


@dataclass(frozen=True, slots=True)
class PressOffered:
    """The letter that was not opened as press is all that the mail says: it can go *to* them."""

    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OnlyTried:
    """Nothing was ordered by *lines*: a line that asks for a preview stands above them."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotActedOn:
    """Sentences with which nothing was done, of which *more* are not shown.

    They *may_be_orders* if they name a province. The moderator gets them if *forwarded*.
    """

    lines: tuple[str, ...]
    may_be_orders: bool
    forwarded: bool = False
    more: int = 0


@dataclass(frozen=True, slots=True)
class QuestionsAnswered:
    """Questions in plain words, which pages of help below the receipt answer."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CourtesiesLeftOut:
    """So many *lines* are greetings, thanks and a signature."""

    lines: int


@dataclass(frozen=True, slots=True)
class NothingSaid:
    """The mail held nothing that the judge reads; its subject may."""

    in_subject: bool = False


@dataclass(frozen=True, slots=True)
class MailWaits:
    """An email in the reader's name, *received* then, awaits their YES; it has *orders*.

    If it answered *press*, it awaits the word whether it is press or orders.
    """

    received: datetime
    orders: int
    press: bool = False


@dataclass(frozen=True, slots=True)
class OtherPhaseOffer:
    """The mail was for *phase*, which is not open: nothing was done with its *orders*.

    It is a code, or, if there is none such, what the mail calls a phase.
    """

    phase: str
    orders: tuple[str, ...]
    exists: bool = True


@dataclass(frozen=True, slots=True)
class OrdersKept:
    """Orders for *phase*, which is still to come, are kept: its *lines*, one for a unit.

    *blindly* some hang on what their writer may not see by then.
    """

    phase: Phase
    lines: tuple[str, ...]
    blindly: bool = False


@dataclass(frozen=True, slots=True)
class OrdersMisplaced:
    """These *orders* stand below the name of *phase*, and cannot be for it: nothing was done."""

    phase: Phase
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuotedLeftOut:
    """So many quoted *lines* were not read; *orders* are those of them that hold orders."""

    lines: int
    orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SignatureLeftOut:
    """The signature was not read, and holds *orders*, which are *offered* if none of his stand."""

    orders: tuple[str, ...]
    offered: bool = True


@dataclass(frozen=True, slots=True)
class StruckLeftOut:
    """These *lines* are struck through, and were not read."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttachmentsLeftOut:
    """Attachments with these *names* were not opened."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PartsDiffer:
    """The plain text and the HTML of an email differ; *html* tells that the HTML was read.

    *read* are orders and commands that only this part has, *unread* those of the other part.
    """

    html: bool
    read: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotReadOn:
    """The mail goes on from *line*, and was read no further: *limit* is how much of a mail is."""

    line: int
    limit: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The same mail was received before, and has had its effect."""

    received: datetime


Item: TypeAlias = (
    OrderTaken
    | OrderLeft
    | SlipMended
    | RestHolds
    | LineNotUnderstood
    | LineUnclear
    | CommandDone
    | CommandRefused
    | HandleOffered
    | RuleRefused
    | NotSignedOn
    | NotOfGame
    | CommandElsewhere
    | PressGone
    | PressBack
    | PressUnopened
    | LetterOffered
    | PressOffered
    | OnlyTried
    | Introduced
    | NotActedOn
    | QuestionsAnswered
    | CourtesiesLeftOut
    | NothingSaid
    | MailWaits
    | OtherPhaseOffer
    | OrdersKept
    | OrdersMisplaced
    | QuotedLeftOut
    | SignatureLeftOut
    | StruckLeftOut
    | AttachmentsLeftOut
    | PartsDiffer
    | NotReadOn
    | Duplicate
)
