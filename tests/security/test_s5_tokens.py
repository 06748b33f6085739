"""S5: a guessed, truncated, foreign or expired token is useless."""

from __future__ import annotations

import pytest

from judge.app.admin import game_admin
from judge.app.commands.sessions import GUESSES_MAX
from tests.support.table import JUDGE, Table, address_of

ORDER = "A Par-Bur"


def confirm_kind(table: Table) -> str:
    return table.emails_to(address_of("FRANCE"))[-1].kind


CHANGES = {
    "cut": "{0:.15}",
    "longer": "{0}a",
    "guessed": "aaaaaaaaaaaaaaaa",
    "misspelt": "b{0:.15}",
    "none": "",
}


@pytest.mark.parametrize("change", CHANGES)
def test_s5_a_changed_token_is_invalid_and_all_answers_are_the_same(
    table: Table, change: str
) -> None:
    changed = CHANGES[change].format(table.latest("FRANCE").token)

    [answer] = table.mail(address_of("FRANCE"), ORDER, f"judge+{changed}@judge.example")

    assert table.current_orders("FRANCE") == ()
    assert (answer.recipient, answer.kind) == (address_of("FRANCE"), "confirm_mail")
    assert not changed or changed not in answer.text


def test_s5_a_relay_may_change_the_case_of_a_token(table: Table) -> None:
    answered = table.latest("FRANCE")

    table.mail(address_of("FRANCE"), ORDER, answered.reply_to.upper())

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_s5_a_token_counts_for_its_own_game_only(table: Table) -> None:
    table.start("adria")

    table.reply(table.latest("FRANCE", "adria"), ORDER)

    assert table.current_orders("FRANCE", "adria") == ("A PAR - BUR",)
    assert table.current_orders("FRANCE") == ()


def test_s5_new_tokens_invalidates_the_old_ones(table: Table) -> None:
    old = table.latest("FRANCE")
    [receipt] = table.reply(old, "NEW TOKENS")

    table.mail(address_of("FRANCE"), ORDER, old.reply_to)
    assert table.current_orders("FRANCE") == ()
    assert confirm_kind(table) == "confirm_mail"

    table.reply(receipt, ORDER)
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_s5_the_operator_can_invalidate_tokens(table: Table) -> None:
    old = table.latest("FRANCE")
    with table.database.write() as transaction:
        person = transaction.people.by_address(address_of("FRANCE"))
        assert person
        transaction.people.raise_key_version(person.id)

    table.reply(old, ORDER)

    assert table.current_orders("FRANCE") == ()


def test_s5_emails_of_a_replaced_player_no_longer_count(table: Table) -> None:
    old = table.latest("TURKEY")
    [*_, confirm] = table.reply(old, "RESIGN")
    table.reply(confirm, confirm.yes)
    game_admin.seat_player(table.judge, "baltic", "TURKEY", "heir@players.example")

    table.reply(old, "A Con-Bul")

    assert table.current_orders("TURKEY") == ()
    assert table.emails_to(address_of("TURKEY"))[-1].kind == "confirm_mail"


@pytest.mark.parametrize("other", ["friend@elsewhere.example", address_of("ITALY")])
def test_s5_a_leaked_token_becomes_invalid_at_once(table: Table, other: str) -> None:
    old = table.latest("FRANCE")
    table.mail(address_of("FRANCE"), ORDER, old.reply_to, Cc=other)
    table.reply(old, "A Par-Pic")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def password(table: Table) -> None:
    table.send("FRANCE", "SET PASSWORD open-sesame")


def test_s5_wrong_passwords_over_many_emails_are_limited(table: Table) -> None:
    password(table)
    answers = set()
    for number in range(GUESSES_MAX + 5):
        sent = table.mail(f"guesser{number}@elsewhere.example", f"SIGNON Fbaltic no-{number}")
        answers |= {mail.text for mail in sent}
    right = table.mail("other@elsewhere.example", f"SIGNON Fbaltic open-sesame\n{ORDER}")

    assert table.current_orders("FRANCE") == ()
    assert {mail.text for mail in right} == answers, "nothing tells that it was right"

    table.pass_time(hours=2)
    later = table.mail("other@elsewhere.example", f"SIGNON Fbaltic open-sesame\n{ORDER}")
    assert address_of("FRANCE") in {mail.recipient for mail in later}, "they are asked"


@pytest.mark.parametrize("power", ["F", pytest.param("E", marks=pytest.mark.gate)])
@pytest.mark.parametrize(
    "guesser",
    ["guesser{}@elsewhere.example", pytest.param(address_of("ITALY"), marks=pytest.mark.gate)],
)
def test_s5_wrong_passwords_from_others_do_not_lock_a_player_out(
    table: Table, guesser: str, power: str
) -> None:
    password(table)
    for number in range(GUESSES_MAX + 5):
        table.mail(guesser.format(number), f"SIGNON {power}baltic no-{number}")
        table.mail(address_of("FRANCE"), f"SIGNON Ibaltic no-{number}", envelope="x@evil.example")

    table.mail(address_of("FRANCE"), f"SIGNON Fbaltic open-sesame\n{ORDER}")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_s5_wrong_passwords_from_a_players_own_address_are_limited(table: Table) -> None:
    password(table)
    for number in range(GUESSES_MAX):
        table.mail(address_of("FRANCE"), f"SIGNON Fbaltic no-{number}")

    table.mail(address_of("FRANCE"), f"SIGNON Fbaltic open-sesame\n{ORDER}")

    assert table.current_orders("FRANCE") == (), "it may still be a guess"


def test_s5_guesses_at_other_powers_count_together(table: Table) -> None:
    password(table)
    for number in range(GUESSES_MAX):
        table.mail("guesser@elsewhere.example", f"SIGNON Ebaltic no-{number}")

    table.mail("guesser@elsewhere.example", f"SIGNON Fbaltic open-sesame\n{ORDER}")

    assert table.current_orders("FRANCE") == ()


def test_s5_a_wrong_password_from_a_registered_address_needs_confirmation(table: Table) -> None:
    password(table)
    [confirm] = table.mail(address_of("FRANCE"), f"SIGNON Fbaltic guessed\n{ORDER}")
    assert confirm.kind == "confirm_mail"
    assert "guessed" not in confirm.text

    table.reply(confirm, confirm.yes)

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_s5_a_second_address_is_confirmed_from_both_and_answered_once_each(table: Table) -> None:
    second = "anna@elsewhere.example"
    [*_, confirm] = table.reply(table.latest("FRANCE"), f"ADD ADDRESS {second}")
    assert table.emails_to(second) == ()
    table.reply(confirm, confirm.yes)
    [asked] = table.emails_to(second)
    table.reply(asked, asked.yes, sender="thief@elsewhere.example")
    [before] = table.query("SELECT count(*) FROM addresses WHERE address LIKE 'anna@%'")
    assert before == (0,)

    told = table.reply(asked, asked.yes)
    assert {mail.recipient for mail in told} == {second, address_of("FRANCE")}
    answers = table.reply(table.latest("FRANCE"), ORDER, sender=second)

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert sorted(mail.recipient for mail in answers) == sorted([second, address_of("FRANCE")])
    assert len({mail.text for mail in answers}) == 1

    table.reply(table.latest("FRANCE"), f"REMOVE ADDRESS {second}")
    table.confirm(table.emails_to(address_of("FRANCE"), "confirm_mail")[-1])
    assert table.query("SELECT count(*) FROM addresses WHERE address LIKE 'anna@%'") == [(0,)]


def test_s5_mail_goes_to_the_address_that_was_set(table: Table) -> None:
    new = "anna@elsewhere.example"
    [*_, confirm] = table.reply(table.latest("FRANCE"), f"SET ADDRESS {new}")
    table.reply(confirm, confirm.yes)
    [asked] = table.emails_to(new)
    table.reply(asked, asked.yes)

    table.send("ENGLAND", "PRESS TO F\nHello.\nENDPRESS")

    assert [mail.kind for mail in table.emails_to(new)][-1] == "letter"


def test_s5_an_address_of_another_player_cannot_be_added(table: Table) -> None:
    [*_, confirm] = table.reply(table.latest("FRANCE"), f"ADD ADDRESS {address_of('ITALY')}")
    receipt = table.reply(confirm, confirm.yes)[-1]
    assert "ITALY" not in receipt.text.upper().replace(address_of("ITALY").upper(), "")
    asked = [
        mail for mail in table.emails_to(address_of("ITALY")) if mail.kind == "confirm_address"
    ][-1]

    table.reply(asked, asked.yes)

    with table.database.read() as transaction:
        italy = transaction.people.by_address(address_of("ITALY"))
        france = transaction.people.by_address(address_of("FRANCE"))
    assert italy
    assert france
    assert italy.id != france.id


def test_s5_a_stranger_cannot_tell_a_registered_address_from_another(table: Table) -> None:
    known = table.mail("s1@elsewhere.example", "SIGNON Fbaltic x")
    unknown = table.mail("s2@elsewhere.example", "SIGNON Fnowhere x")

    assert [mail.text for mail in known] == [mail.text for mail in unknown]
    assert JUDGE in known[0].reply_to
