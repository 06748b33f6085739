"""Remarks behind an order: those that name its source doubt it, those about it do not."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import read_email
from judge.app.commands.situation import Situation
from judge.archive.position_json import read_position
from judge.mail.body import split
from judge.notation.order_text import write_order
from judge.rules.rulebook import DATC
from tests.emails.labelled import found_in, labelled

BOARD = load_map()
MEANT = "A BUD - SER"
SENTENCES = {
    "en": "Vienna holds. Trieste holds. Budapest goes to Serbia",
    "de": "Wien hält. Triest hält. Budapest geht nach Serbien",
    "fr": "Vienne tient. Trieste tient. Budapest va en Serbie",
}
DOUBTING = {
    "en": (
        *("my neighbor wrote", "Tom told me", "says Anna", "she reckons", "I was told by Tom"),
        *("as I heard from Tom", "according to Tom", "which is what Tom says", "he wants it"),
        *("which I am not sure about", "which I'm still considering", "Tom wants me to"),
        *("as long as Russia agrees", "if Tom likes it", "but maybe Gascony is better"),
        *("which my neighbour suggested", "or so my neighbour claims", "Italy says so"),
    ),
    "de": (
        *("schrieb mein Nachbar", "sagt Anna", "wie mir Anna sagte", "hat mir Tom erzählt"),
        *("laut Anna", "solange Russland mitmacht", "was ich noch überlege", "meint Tom"),
    ),
    "fr": (
        *("dit Anna", "m'a écrit mon voisin", "selon Anna", "d'après mon voisin"),
        *("tant que la Russie est d'accord", "ce que je me demande encore"),
    ),
}
ABOUT_IT = {
    "en": (
        "where I should not be surprised to meet a Turk coming from Bulgaria",
        "which Turkey has very kindly left empty",
        "which nobody seems to want",
        "as I told you last week",
        "I fully expect it to fail",
        "otherwise the Sultan grows cheeky",
        "even if a Turk is waiting there",
    ),
    "de": (
        "auch wenn ich dort mit dem Sultan zu rechnen habe",
        "sonst nimmt es der Türke",
        "und falls der Türke da auch hin will, prallen wir halt voneinander ab",
    ),
    "fr": ("sinon il est ouvert",),
}


QUESTIONS = (
    "How does Budapest stand",
    "Where does my army in Budapest stand",
    "When does Budapest go to Serbia",
    "Wo steht Budapest",
    "Wie kommt Budapest nach Serbien",
    "Où se trouve mon armée de Budapest",
    "Can Budapest go to Serbia",
    "are you sure Bud-Ser is ok can an army get to Rumania from there",
    "Kann eine Armee von Budapest nach Serbien",
)


def orders(text: str) -> set[str]:
    read = read_email(Situation(BOARD, BOARD.start, "AUSTRIA"), split(text))
    return set(map(write_order, read.orders))


@pytest.mark.parametrize(
    ("language", "remark"), [(key, each) for key, row in DOUBTING.items() for each in row]
)
def test_what_names_the_source_of_an_order_or_conditions_it_doubts_it(
    language: str, remark: str
) -> None:
    assert MEANT not in orders(f"{SENTENCES[language]}, {remark}.")


@pytest.mark.parametrize(
    ("language", "remark"), [(key, each) for key, row in ABOUT_IT.items() for each in row]
)
def test_what_explains_an_order_does_not_doubt_it(language: str, remark: str) -> None:
    assert MEANT in orders(f"{SENTENCES[language]}, {remark}.")


@pytest.mark.parametrize("aside", ["(or is Rumania better?)", "(?)", "(if Italy agrees)"])
def test_a_question_or_condition_in_brackets_doubts_the_order(aside: str) -> None:
    assert MEANT not in orders(f"{SENTENCES['en']} {aside}.")


AFTERTHOUGHTS = {
    "en": (
        *("Actually don't", "I take that back", "Don't do it yet", "No, scratch that", "Or not"),
        *("That's what Tom wants", "That is Tom's plan, not mine", "Just joking", "Not yet"),
        *("Those were Anna's exact words", "But only if Italy agrees", "Only if Tom stays out"),
        *(
            "I'm not sure about that one",
            "That's a question, not an order",
            "Ignore that last one",
        ),
    ),
    "de": (
        *("Quatsch", "Nein, doch nicht", "Vergiss das", "Scherz", "Noch nicht ausführen"),
        *("Das überlege ich mir noch", "Das will jedenfalls Anna", "Das war Annas Plan"),
        *("Aber nur wenn Italien zustimmt", "Nur falls Tom mitmacht", "Ach nein, lass das"),
    ),
    "fr": (
        *("Oublie ça", "Finalement non", "Pas encore", "J'hésite encore", "Je plaisante"),
        *("C'est ce que veut Anna", "C'était le plan d'Anna", "Seulement si Paul est d'accord"),
        "C'est une question, pas un ordre",
    ),
}


@pytest.mark.parametrize(
    ("language", "sentence"), [(key, each) for key, row in AFTERTHOUGHTS.items() for each in row]
)
def test_the_next_sentence_may_take_an_order_back_or_doubt_it(
    language: str, sentence: str
) -> None:
    assert MEANT not in orders(f"{SENTENCES[language]}. {sentence}.")


@pytest.mark.parametrize("question", ["Would that work?", "Is that legal?", "What do you think?"])
def test_a_question_about_an_order_in_the_next_sentence_doubts_it(question: str) -> None:
    assert MEANT not in orders(f"{SENTENCES['en']}. {question}")


@pytest.mark.parametrize(
    "sentence",
    [
        *("Wish me luck, I need it!", "Did you get this?", "That's all.", "Nothing else."),
        *("If anything is unclear, write me.", "Not much to say.", "Thanks, that is very kind."),
        *("Is the deadline after this one still the 14th?", "If Russia bounces me I'm gonna cry."),
        *(
            "If that works, I owe Russia a drink.",
            "do we get points for this or is it just for fun",
        ),
    ],
)
def test_a_sentence_about_something_else_doubts_no_order_before_it(sentence: str) -> None:
    assert MEANT in orders(f"{SENTENCES['en']}. {sentence}")


def test_a_question_in_its_own_paragraph_doubts_all_orders_of_the_paragraph_before() -> None:
    notation = "A Vie H\nF Tri H\nA Bud-Ser"
    assert orders(notation)
    assert not orders(f"{notation}\n\nWhat do you think?")


@pytest.mark.parametrize("words", ["No, scratch that.", "No wait.", "Oops, ignore that last one."])
def test_notation_taken_back_is_not_carried_out(words: str) -> None:
    assert orders(f"A Vie-Gal\nA Bud-Ser. {words}\nF Tri H") == {"A VIE - GAL", "F TRI H"}


@pytest.mark.parametrize(
    "before",
    ["In case Tom attacks", "Should Tom stay out of it", "In an ideal world", "A year ago"],
)
def test_a_condition_or_a_report_before_an_order_doubts_it(before: str) -> None:
    text = SENTENCES["en"].replace("Budapest", f"{before}, Budapest")
    assert MEANT not in orders(f"{text}.")


@pytest.mark.parametrize("aside", ["(Anna says)", "(last year)"])
def test_a_source_or_a_past_season_in_brackets_doubts_the_order(aside: str) -> None:
    assert MEANT not in orders(f"{SENTENCES['en']} {aside}.")


def test_a_question_for_something_else_in_the_next_sentence_doubts_the_order() -> None:
    assert MEANT not in orders(f"{SENTENCES['en']}... or should it be Rumania?")


def test_a_place_beside_the_one_named_is_only_offered() -> None:
    assert "F TRI - ADR" not in orders("Vienna holds. Trieste goes to the Adriatic's doorstep.")


@pytest.mark.parametrize(
    "text",
    [
        "Vienna and Budapest go for Galicia: Vienna goes in and the other helps. Trieste holds.",
        "Wien und Budapest gehen nach Galizien: Wien zieht, die andere unterstützt. Triest hält.",
    ],
)
def test_two_units_go_to_one_place_and_the_next_words_say_which_helps(text: str) -> None:
    assert orders(text) == {"A VIE - GAL", "A BUD S A VIE - GAL", "F TRI H"}


def test_a_pronoun_never_passes_over_a_unit_of_which_nothing_was_understood() -> None:
    text = "Vienna, go to Galicia if you like. Trieste supports itself, I mean it stays."
    assert "A VIE H" not in orders(text)


def test_the_words_for_stops_and_commas_in_dictated_text_end_orders() -> None:
    text = "army Vienna to Galicia period army Budapest to Serbia comma fleet Trieste to Albania"
    assert orders(text) == {"A VIE - GAL", "A BUD - SER", "F TRI - ALB"}


def test_no_unit_takes_its_target_from_the_next_line_of_a_list() -> None:
    text = "=> Gal : A Vie\n=> Ser : A Bud\n=> Alb : F Tri"
    assert orders(text) <= {"A VIE - GAL", "A BUD - SER", "F TRI - ALB"}


def test_a_question_about_the_deadline_doubts_no_order() -> None:
    assert orders("A Vie-Gal\n\nWhen is the deadline?") == {"A VIE - GAL"}


@pytest.mark.parametrize(
    "remark",
    [
        *(
            "(don't tell Ramona)",
            "(Russia supports me from the sea, he says)",
            "(it's empty and nobody noticed??)",
        ),
        *("(we agreed with Turkey that we both go there)", "because I don't trust Italy"),
        *("to plug the hole behind Galicia", "once the place is empty", "after Tom has left"),
    ],
)
def test_asides_aims_and_reasons_doubt_no_order(remark: str) -> None:
    assert MEANT in orders(f"{SENTENCES['en']} {remark}.")


@pytest.mark.parametrize(
    "aside", ["(if Tom agrees)", "(or maybe to Rumania)", "(as Anna told me)"]
)
def test_conditions_and_sources_in_brackets_doubt_the_order(aside: str) -> None:
    assert MEANT not in orders(f"{SENTENCES['en']} {aside}.")


def test_what_one_clause_tells_of_others_doubts_no_clause_behind_a_semicolon() -> None:
    assert MEANT in orders(
        "I hope Turkey keeps him busy; Budapest goes to Serbia. The rest holds."
    )


@pytest.mark.parametrize(
    "text",
    [
        "vienna to galicia budapest goes serbia trieste holds cheers dave",
        "wien nach galizien budapest geht serbien triest hält lg hans",
        "vienne va en galicie budapest vers serbie trieste tient bises",
    ],
)
def test_orders_without_signs_between_them_are_told_apart(text: str) -> None:
    assert orders(text) == {"A VIE - GAL", "A BUD - SER", "F TRI H"}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Vienne attaquera la Galicie. Budapest appuiera Vienne.", "A BUD S A VIE - GAL"),
        ("Vienna goes to Galicia and army Budapest is supporting him.", "A BUD S A VIE - GAL"),
        ("Dear Peter, Vienna goes to Galicia.", "A VIE - GAL"),
        ("Peter, F Tri - Alb", "F TRI - ALB"),
        ("Vienna goes to Galicia, Budapest gives support to Vienna.", "A BUD S A VIE - GAL"),
        ("The fleet has nothing to do there, it goes to Albania.", "F TRI - ALB"),
    ],
)
def test_forms_of_verbs_and_pronouns_are_read_and_names_of_people_are_no_places(
    text: str, meant: str
) -> None:
    assert meant in orders(text)


def test_more_removals_than_are_due_are_only_offered_where_words_are_unknown() -> None:
    [email] = [each for each in labelled("voices_d") if each.name == "d-47"]
    assert found_in(email).orders <= email.meant


WRAPPED = """\
Lovely to be back - my last game ended in 1987, when the zine
folded and the postage went up in the same week. Nothing new for
a first move, I'm afraid. Army Budapest to Serbia, Army
Vienna to Galicia, and the fleet in Trieste sails across to
Albania to see what turns up.
"""


def test_lines_of_fixed_width_end_no_order() -> None:
    assert orders(WRAPPED) == {"A BUD - SER", "A VIE - GAL", "F TRI - ALB"}


def test_a_line_that_a_heading_begins_is_as_long_as_it_was() -> None:
    text = "Spring 1901 orders: The army in Budapest which is quite bored goes to\nSerbia. "
    assert orders(f"{text}Vienna and Trieste hold.") == {"A BUD - SER", "A VIE H", "F TRI H"}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            "Vienna holds. Budapest goes to Serbia. That's everything, I think?",
            {"A VIE H", "A BUD - SER"},
        ),
        (
            "A Bud - Ser (yes I know, he is going to be cross). Vienna holds.",
            {"A BUD - SER", "A VIE H"},
        ),
        ("I stay calm: Budapest sails on and on. Vienna holds.", {"A VIE H"}),
        (
            "Trieste holds, Budapest holds. Italy is in Galicia and I bet it attacks Vienna.",
            {"F TRI H", "A BUD H"},
        ),
        (
            "Italy is at Venice, as you see. Vienna holds. Budapest holds.",
            {"A VIE H", "A BUD H"},
        ),
        (
            "Vienna holds. A Bud - Ser.\nDid you get my vote on the draw? It's a no.",
            {"A VIE H", "A BUD - SER"},
        ),
        ("Sorry, no time this week: all units hold.", {"A VIE H", "A BUD H", "F TRI H"}),
        ("Vienna goes to Galicia before they get any ideas.", {"A VIE - GAL"}),
        ("Vienna should fall upon Galicia. Budapest holds.", {"A VIE - GAL", "A BUD H"}),
        ("Vienna goes to Galicia, which I'm told is all right.", {"A VIE - GAL"}),
        (
            "Vienna goes to Galicia over the hills. Budapest holds. Trieste holds.",
            {"A VIE - GAL", "A BUD H", "F TRI H"},
        ),
        ("Vienne tient à cause du Français à Munich. Budapest tient.", {"A VIE H", "A BUD H"}),
    ],
)
def test_what_else_is_said_orders_nothing(text: str, meant: set[str]) -> None:
    assert orders(text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Vienna supports the army in Budapest, which is to remain where it is.", "A BUD H"),
        ("Budapest supports Vienna, which stands.", "A VIE H"),
        ("Budapest soutient Trieste, Vienne aussi, et Trieste reste là.", "A VIE S F TRI"),
    ],
)
def test_what_a_supported_unit_does_is_said_beside(text: str, meant: str) -> None:
    assert meant in orders(text)


def test_two_units_that_go_to_one_place_in_a_correction_are_asked_about() -> None:
    assert not orders(
        "Budapest goes to Serbia and Trieste gives it a hand... actually no, the other way about:"
        " the fleet goes to Serbia and Budapest supports it, I keep the army inland."
    )


def test_a_build_to_come_is_no_retreat() -> None:
    dislodged = {
        "phase": "S1904R",
        "units": {"ITALY": ["*F ION"], "TURKEY": ["F ION"]},
        "retreats": {"ITALY": {"F ION": ["NAP", "TUN"]}},
    }
    italy = Situation(BOARD, read_position(BOARD, dislodged, DATC), "ITALY")
    text = "Please disband the Ionian fleet. I will rather build in Naples in winter."

    assert [write_order(each) for each in read_email(italy, split(text)).orders] == ["F ION D"]


def test_what_is_said_of_a_unit_removed_leaves_its_removal_plain() -> None:
    fewer = {
        "phase": "W1904A",
        "units": {"AUSTRIA": ["F ALB", "A VIE"], "ITALY": ["A TRI", "A BUD"]},
        "centers": {"AUSTRIA": ["VIE"], "ITALY": ["TRI", "BUD"]},
    }
    austria = Situation(BOARD, read_position(BOARD, fewer, DATC), "AUSTRIA")
    text = "Remove the fleet in Albania, it never did me any good."

    assert [write_order(each) for each in read_email(austria, split(text)).orders] == ["F ALB D"]


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_without_its_mark_orders_nothing(text: str) -> None:
    assert not orders(text)
