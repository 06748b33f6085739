"""No vacation note confirms a forged email; people's own answers do, as they write them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from judge.app.inbound.questions import QUESTIONS_A_DAY_MAX
from judge.mail.language.confirmations import answer_in
from tests.support.table import JUDGE, MODERATOR, POWERS, Mail, Table, address_of

VICTIM, THIEF = address_of("FRANCE"), "thief@elsewhere.example"


def marked(question: Mail) -> str:
    return "\n".join(f"> {line}" for line in question.text.splitlines())


def plain(question: Mail) -> str:
    return question.text


def at_width(width: int) -> Callable[[Mail], str]:
    def quote(question: Mail) -> str:
        return "\n".join(
            each
            for line in question.text.splitlines()
            for each in textwrap.wrap(line, width, break_on_hyphens=True) or [""]
        )

    return quote


def on_one_line(question: Mail) -> str:
    return question.words


def without_links(question: Mail) -> str:
    return re.sub(r"<mailto:[^>]*>", "", question.text)


def decoded_links(question: Mail) -> str:
    return question.text.replace("%20", " ")


def _nothing(_question: Mail) -> str:
    return ""


QUOTES: dict[str, Callable[[Mail], str]] = {
    "nothing": _nothing,
    "marked": marked,
    "plain": plain,
    "narrow": at_width(24),
    "very narrow": at_width(12),
    "broken links": at_width(60),
    "one line": on_one_line,
    "no links": without_links,
    "decoded": decoded_links,
}

AUTO = {"Auto_Submitted": "auto-replied"}
BULK = {"Precedence": "bulk"}
OLD = {"Precedence": "auto_reply", "X_Autoreply": "yes"}
EXCHANGE = {"X_Auto_Response_Suppress": "All"}
NONE: dict[str, str] = {}

# Text, the quotation below it, and the headers: half of all responders write none.
NOTES: list[tuple[str, str, dict[str, str]]] = [
    ("Right now I am out of the office.", "nothing", NONE),
    ("Jo is out of the office until 3 January", "nothing", NONE),
    ("Ja, ich bin im Urlaub", "nothing", NONE),
    ("Oui, je suis en vacances", "nothing", NONE),
    ("Yes! Thank you for your message", "nothing", NONE),
    ("Yes! Thank you for your message", "marked", BULK),
    ("Yes, I am away until Monday. In urgent cases call +44 20 7946 0000.", "nothing", AUTO),
    ("YES", "marked", AUTO),
    ("Yes.", "nothing", EXCHANGE),
    ("Ok", "nothing", OLD),
    ("Sure, I will answer when I am back.\n\nBest regards\nJo Smith", "plain", NONE),
    ("Right, I'm on holiday. Jo", "plain", NONE),
    ("Hello,\n\nyes, your email has arrived. I am away.\n\nJo", "marked", NONE),
    ("Yes, we got your email. Ticket 4711 is open.", "nothing", NONE),
    ("Ok, received.", "plain", NONE),
    ("Yes? Nobody is here.", "nothing", NONE),
    ("Yes and no: I read email in the evening only.", "nothing", NONE),
    ("Out of Office\n\nYes", "one line", NONE),
    ("Yes\n\nI am on leave until 12 January and read no email.", "plain", NONE),
    ("Indeed I am on parental leave.", "narrow", NONE),
    ("I will be back on 12 January. Thanks!", "very narrow", NONE),
    ("Thanks for your email.", "broken links", NONE),
    ("", "plain", NONE),
    ("", "marked", NONE),
    ("", "narrow", NONE),
    ("", "very narrow", NONE),
    ("", "one line", NONE),
    ("", "no links", NONE),
    ("", "decoded", NONE),
    ("", "nothing", NONE),
    (
        "Guten Tag,\n\nja, ich bin vom 1. bis 14. im Urlaub.\n\nMit freundlichen Grüßen\nJo",
        "plain",
        NONE,
    ),
    ("Genau jetzt bin ich nicht im Büro.", "marked", NONE),
    ("Klar - ich melde mich, sobald ich zurück bin.", "no links", NONE),
    ("Jo ist bis 3.1. abwesend. Ihre Mail wird nicht weitergeleitet.", "one line", NONE),
    ("Stimmt, ich bin krank.", "nothing", NONE),
    ("Bonjour,\n\noui, je suis absente jusqu'au 12. Merci de votre message.\n\nJo", "plain", NONE),
    ("Entendu : votre courriel est arrivé.", "narrow", NONE),
    ("Exact, je suis en congé.", "nothing", BULK),
    ("Sí, estoy de vacaciones hasta el 12 de enero.", "plain", NONE),
    ("Ja, ik ben met vakantie tot 12 januari.", "nothing", NONE),
    ("Ja, jag är på semester till den 12 januari.", "plain", NONE),
    ("Ja, jeg er på ferie.", "marked", NONE),
    ("Sì, sono in ferie fino al 12 gennaio.", "decoded", NONE),
    ("Sim, estou de férias até 12 de janeiro.", "nothing", NONE),
    ("Tak, jestem na urlopie do 12 stycznia.", "plain", NONE),
    ("\u0414\u0430, \u044f \u0432 \u043e\u0442\u043f\u0443\u0441\u043a\u0435.", "marked", NONE),
    ("Yes, this is an automatic reply: I am at sea.", "plain", AUTO),
    ("---------- Original message ----------", "plain", NONE),
    ("Your message:", "plain", NONE),
    ("I wrote on 1 January that I am away. Yes, until spring.", "nothing", NONE),
]


ASKED_NEXT = ("confirm_address", "confirm_moderator")  # once the player has confirmed


@pytest.fixture
def strangers(judge: Table) -> Table:
    judge.open("opal")
    return judge


written = count()


class Questions:
    """A game, and the questions after forged emails, which nobody has answered yet."""

    def __init__(self, table: Table) -> None:
        self.table = table
        table.start("baltic", moderator=MODERATOR)
        self.asked = (
            self._after(VICTIM, "A Par-Bur"),
            self._after(VICTIM, f"SET ADDRESS {THIEF}"),
            self._after(VICTIM, "RESIGN baltic"),
            self._after(VICTIM, "SET PASSWORD known-to-thieves"),
            self._after(MODERATOR, f"PROMOTE {address_of('ITALY')}"),
            self._of_proven("FRANCE", f"ADD ADDRESS other.{THIEF}"),
            self._of_proven("GERMANY", "RESIGN"),
            self._new_address("anna@elsewhere.example"),
        )
        self.before = self.state()

    def _after(self, sender: str, text: str) -> Mail:
        [question] = self.table.mail(sender, text)
        return question

    def _of_proven(self, power: str, text: str) -> Mail:
        return self.table.reply(self.table.latest(power), text)[-1]

    def _new_address(self, address: str) -> Mail:
        [*_, confirm] = self.table.reply(self.table.latest("ITALY"), f"ADD ADDRESS {address}")
        self.table.confirm(confirm)
        return self.table.emails_to(address, "confirm_address")[-1]

    def state(self) -> object:
        """Return what a confirmation would change."""
        return (
            len(self.table.log()),
            self.table.query("SELECT address FROM addresses ORDER BY address"),
            self.table.query("SELECT count(*) FROM passwords"),
            [mail.recipient for mail in self.table.outbox() if mail.kind in ASKED_NEXT],
        )


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Questions]:
    table = Table(tmp_path_factory.mktemp("notes"))
    yield Questions(table)
    table.close()


def test_each_of_the_questions_can_be_confirmed(judge: Table) -> None:
    questions = Questions(judge)
    for question in questions.asked:
        before = questions.state()
        judge.confirm(question)
        assert questions.state() != before, question.subject


def test_there_are_forty_notes_and_more() -> None:
    assert len(NOTES) >= 40


@pytest.mark.parametrize(("text", "quote", "headers"), NOTES)
def test_a_vacation_note_confirms_nothing(
    questions: Questions, text: str, quote: str, headers: dict[str, str]
) -> None:
    for question in questions.asked:
        note = f"{text}\n\n{QUOTES[quote](question)}"
        for subject in (f"Re: {question.subject}", f"Automatic reply: {question.subject}"):
            questions.table.mail(
                question.recipient,
                note,
                question.reply_to,
                subject=subject,
                In_Reply_To=question.message_id,
                **headers,
            )

        assert questions.state() == questions.before, question.subject


@pytest.mark.parametrize(
    "note",
    [
        "Yes\nKind regards\nJo Smith\nCurrently on annual leave until 3 January",
        "Yes!\n\nRegards,\nI am away until Monday",
        "Ja\n\nGruß\nBin im Urlaub",
        "Oui\nCordialement\nEn vacances jusqu'au 3 janvier",
        "Ja\nAfwezigheidsassistent",
        "Ok\nVerlof",
        "Ja\nNieobecny",
        "Ja\nBortrest",
        "Yes, thanks.\nPTO",
        "Yes!\nUnattended Mailbox",
        "OK, thank you.\nNoreply",
        "Yes.\nReturning Monday",
        "Confirmed\nThank you\nYour ticket 12345 has been opened",
        "Correct.\nHelpdesk",
    ],
)
def test_yes_above_the_words_of_a_note_is_nobodys(note: str) -> None:
    assert answer_in(note.split("\n"), {"jo", "smith"}) is None


@pytest.mark.parametrize("name", ["Jo Holiday", "holiday", "Jo"])
def test_a_name_that_its_writer_bears_is_no_word_of_a_note(name: str) -> None:
    assert answer_in(["Yes", name], {"jo", "holiday"}) is True


def test_yes_below_the_subject_of_a_note_confirms_nothing(questions: Questions) -> None:
    for question in questions.asked:
        questions.table.mail(
            question.recipient,
            "Ok",
            question.reply_to,
            subject=f"Automatic reply: {question.subject}",
            In_Reply_To=question.message_id,
        )

        assert questions.state() == questions.before, question.subject


@pytest.mark.parametrize("quote", QUOTES)
def test_a_vacation_note_that_names_no_email_confirms_nothing(
    questions: Questions, quote: str
) -> None:
    for question in questions.asked:
        note = f"I am away.\n\n{QUOTES[quote](question)}"
        questions.table.mail(
            question.recipient, note, question.reply_to, subject="Away", In_Reply_To=""
        )

        assert questions.state() == questions.before, question.subject


@pytest.mark.parametrize("quote", QUOTES)
@pytest.mark.parametrize("text", ["I am away.", ""])
@pytest.mark.parametrize("wish", ["JOIN opal", "JOIN opel", "STANDBY opal", "CREATE jade"])
def test_a_vacation_note_of_a_stranger_joins_and_creates_nothing(
    strangers: Table, wish: str, text: str, quote: str
) -> None:
    number = next(written)
    question = strangers.mail(f"s{number}@elsewhere.example", wish)[-1]

    for note in (f"{text}\n\n{QUOTES[quote](question)}", question.text.partition("\n\n")[2]):
        if note.strip():
            strangers.reply(question, note)

    assert strangers.game("opal").joined == {}
    assert strangers.game("opal").standbys == {}
    assert strangers.query("SELECT count(*) FROM games") == [(1,)]


def test_the_code_in_a_subject_or_a_header_confirms_nothing(questions: Questions) -> None:
    for question in questions.asked:
        code = question.yes
        for text in ("", "Yes" if code != "YES" else "", marked(question)):
            questions.table.mail(
                question.recipient,
                text,
                question.reply_to,
                subject=code if code != "YES" else "Re: YES",
                X_Answer=code,
                Keywords=code,
            )
        assert questions.state() == questions.before, question.subject


@pytest.mark.parametrize("text", ["YES", "Yes, I did.", "Ja, das war ich", "Oui, c'est moi"])
def test_yes_without_its_code_does_not_change_who_somebody_is(
    questions: Questions, text: str
) -> None:
    for question in questions.asked[1:]:
        questions.table.reply(question, text)
        assert questions.state() == questions.before, question.subject


def test_a_first_yes_without_its_code_is_told_the_code(judge: Table) -> None:
    questions = Questions(judge)

    for question in questions.asked[1:]:
        [told] = judge.reply(question, "YES")
        assert told.yes == question.yes
        assert questions.state() == questions.before, question.subject


def test_the_code_stands_in_the_body_alone(questions: Questions) -> None:
    for question in questions.asked[1:]:
        code = question.yes.removeprefix("YES ")
        [(raw,)] = questions.table.query(
            f"SELECT raw FROM outbox WHERE message_id = '{question.message_id}'"  # noqa: S608
        )
        head = raw.partition(b"\r\n\r\n")[0]
        assert code.encode() not in head
        assert code in question.words


# Honest answers

NAMES = ("Jo", "Jo Smith", "F. Player", "j")
HONEST: list[str] = [
    "YES",
    "yes",
    "Yes.",
    "Yes!",
    "y",
    "ok",
    "Yes, I did",
    "yes thanks",
    "Yes please",
    "Yes, that was me.",
    "Yes, it's mine.\n\nJo",
    "Yes I wrote that email.",
    "Yes, I sent it, thanks!",
    "yes\n\nSent from my iPhone",
    "Yes\n\nGet Outlook for Android <https://aka.ms/ghei36>",
    "Yes, that's me\n-- \nJo Smith\nACME Corporation\nOut of office on Fridays",
    "Hi,\n\nyes.\n\nCheers,\nJo",
    (
        "Dear judge,\n\nYes, I wrote this email.\n\nBest regards,\nJo Smith\nHead of Engineering\n"
        "ACME, +44 20 7946 0000"
    ),
    "Hello,\nYes - that was me. Sorry for the trouble!\nJo",
    "I confirm.",
    "I confirm that email",
    "Correct, thank you",
    "Yep, mine\n\nOn Mon, 23 Nov 2026 at 12:00, Judge <judge@judge.example> wrote:\n{marked}",
    (
        "Yes\n\n-----Original Message-----\nFrom: Judge <judge@judge.example>\n"
        "Sent: Monday, November 23, 2026 12:00\nTo: Jo Smith\nSubject: Please confirm\n\n{plain}"
    ),
    "Yes, I sent that.\n\n{marked}",
    "{marked}\n\nYes, it was me.\nJo",
    "\U0001f44d",
    "Ja",
    "ja, das war ich",
    "Ja, die Mail ist von mir.\n\nViele Grüße\nJo",
    "Hallo,\n\nja, das habe ich geschrieben.\n\nGruß\nJo",
    "Ja danke!\n\nVon meinem iPhone gesendet",
    "Jawohl",
    "Ja, das bin ich. Danke der Nachfrage!",
    "Ja\n\nAm 23.11.2026 um 12:00 schrieb JUDGE judge <judge@judge.example>:\n{marked}",
    "Oui",
    "Oui, merci",
    "Oui, c'est bien moi.\n\nCordialement,\nJo",
    "Bonjour,\n\noui, j'ai écrit ce message.\n\nJo",
    "Oui, c\u2019était moi.\n\nEnvoyé de mon iPhone",
    "Oui\n\nLe lun. 23 nov. 2026 à 12:00, JUDGE judge <judge@judge.example> a écrit :\n{marked}",
    "Je confirme.\nMerci d'avance",
    "*Yes*",
    "Good morning,\nyes, I did write that. Thanks for checking.\nBest\nJo",
]


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = Table(tmp_path_factory.mktemp("honest"))
    table.start("baltic", moderator=MODERATOR)
    yield table
    table.close()


def unproven(table: Table, text: str) -> tuple[Mail, int]:
    """Send an email without a sign of its player; return the question and its number."""
    number = next(written)
    sender = address_of(POWERS[number % len(POWERS)])
    [question] = table.mail(f"Jo Smith <{sender}>", text.format(number))
    [(held,)] = table.query("SELECT max(id) FROM inbox")
    return question, held


def state_of(table: Table, number: int) -> str:
    states = dict(table.query("SELECT id, state FROM inbox"))
    return str(states[number])


def test_there_are_forty_honest_answers() -> None:
    assert len(HONEST) >= 40
    assert len(HONEST) < len(POWERS) * QUESTIONS_A_DAY_MAX


@pytest.mark.parametrize("answer", HONEST)
def test_a_players_own_answer_confirms_their_email(players: Table, answer: str) -> None:
    question, held = unproven(players, "WAIT")
    assert state_of(players, held) == "held"

    players.reply(
        question,
        answer.format(marked=marked(question), plain=plain(question)),
        f"Jo Smith <{question.recipient}>",
    )

    assert state_of(players, held) == "processed"


CODED: list[str] = [
    "{yes}",
    "{code}",
    "yes {code}",
    "{lower}",
    "{yes}\n\nSent from my iPhone",
    "{code}\nJo",
    "Hello judge,\n\nyes, here is the code: {code}\n\nBest regards\nJo",
    "Yes, that was me. {code}. Sorry, I am travelling and write from my phone.",
    "The code is {code}",
    "Code: {code}",
    "Yes\n{code}\n\n{marked}",
    "{yes}\n\n{plain}",
    "{yes}\n\nOn Mon, 23 Nov 2026 at 12:00, JUDGE judge <judge@judge.example> wrote:\n{marked}",
    "{marked}\n\n{yes}",
    "Ja, {code}. Viele Grüße, Jo",
    "Oui, {code}\n\nCordialement\nJo",
    "{joined}",
    "{spaced}",
]


@pytest.mark.parametrize(
    ("answer", "headers"), [(each, (NONE, AUTO, BULK)[n % 3]) for n, each in enumerate(CODED)]
)
def test_the_code_confirms_what_changes_who_somebody_is(
    judge: Table, answer: str, headers: dict[str, str]
) -> None:
    judge.start("baltic")
    [*_, question] = judge.reply(judge.latest("FRANCE"), "ADD ADDRESS me@example.org")
    code = question.yes.removeprefix("YES ")
    text = answer.format(
        yes=question.yes,
        code=code,
        lower=question.yes.lower(),
        joined=code.replace("-", ""),
        spaced=code.replace("-", " "),
        marked=marked(question),
        plain=plain(question),
    )

    judge.reply(question, text, **headers)

    assert judge.emails_to("me@example.org", "confirm_address")


def test_no_with_a_code_is_no(judge: Table) -> None:
    judge.start("baltic")
    [*_, question] = judge.reply(judge.latest("FRANCE"), "RESIGN")

    judge.reply(question, f"NO {question.yes.removeprefix('YES ')}")
    judge.confirm(question)

    assert judge.game().seats["FRANCE"].person


def test_a_writer_whose_server_marks_everything_is_told_once(judge: Table) -> None:
    judge.start("baltic")
    [question] = judge.mail(VICTIM, "A Par-Bur")

    [told] = judge.reply(question, "Yes", **AUTO)
    assert judge.reply(question, "Yes", **AUTO) == ()
    judge.pass_time(hours=25)
    assert judge.reply(question, "Yes", **AUTO) == ()
    assert judge.current_orders("FRANCE") == ()
    judge.confirm(told, **AUTO)

    assert judge.current_orders("FRANCE") == ("A PAR - BUR",)


def test_a_question_in_other_hands_tells_nobody_its_code(judge: Table) -> None:
    judge.start("baltic")
    [*_, question] = judge.reply(judge.latest("FRANCE"), "RESIGN")
    code = question.yes.removeprefix("YES ")

    told = judge.mail(THIEF, "perhaps", JUDGE, In_Reply_To=question.message_id)
    told += judge.mail(THIEF, "Yes", question.reply_to, **AUTO)

    assert not any(code in mail.text for mail in told if mail.recipient == THIEF)
