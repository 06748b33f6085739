"""Diaries, statements and draw proposals by mail."""

from __future__ import annotations

from judge.game.players.diaries import NoteWritten
from tests.support.table import MODERATOR, POWERS, Table, address_of


def end_in_a_draw(judge: Table) -> None:
    """End the game in a draw of all players."""
    judge.all_send("SET DRAW")


def summary(judge: Table, who: str) -> str:
    judge.send(who, "SUMMARY")
    return judge.emails_to(address_of(who))[-1].text


def test_a_diary_is_for_its_writer_alone(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)

    noted = judge.send("FRANCE", "DIARY\nItaly is honest.\n  So far.\nENDDIARY\nA Par H")

    assert "in your diary" in noted.words
    assert judge.current_orders("FRANCE") == ("A PAR H",)
    assert "Italy is honest." in judge.send("FRANCE", "DIARY LIST").text
    assert "So far." not in judge.send("FRANCE", "DIARY LIST").text
    read = judge.send("FRANCE", "DIARY READ 1")
    assert "Note 1, S1901M:\n\n  Italy is honest.\n    So far." in read.text
    assert "Your diary is empty." in judge.send("ITALY", "DIARY READ").words
    [written] = [e.event for e in judge.log() if isinstance(e.event, NoteWritten)]
    assert "honest" not in written.sealed_text
    others = [mail for mail in judge.outbox() if mail.recipient != address_of("FRANCE")]
    assert not any("honest" in mail.text for mail in others)


def test_diary_notes_can_be_deleted(judge: Table) -> None:
    judge.start("baltic")
    judge.send("FRANCE", "DIARY\nfirst\nENDDIARY\nDIARY\nsecond\nENDDIARY")

    assert "from your diary." in judge.send("FRANCE", "DIARY DELETE 1").words
    assert "no such note" in judge.send("FRANCE", "DIARY DELETE 1").words
    told = judge.send("FRANCE", "DIARY READ").words
    assert "second" in told
    assert "first" not in told


def test_an_unclosed_diary_block_is_not_stored_and_nothing_below_is_ordered(judge: Table) -> None:
    judge.start("baltic")

    told = judge.send("FRANCE", "DIARY\nTrust nobody.\nA Par H").words

    assert "is missing" in told
    assert judge.current_orders("FRANCE") == ()


def test_a_shared_diary_is_readable_by_all_after_the_game(
    judge: Table,
) -> None:
    judge.start("baltic")
    for power in ("FRANCE", "ITALY"):
        judge.send(power, f"DIARY\nThe plan of {power}.\nENDDIARY")
    judge.send("FRANCE", "DIARY SHOW")

    assert "The plan of" not in summary(judge, "TURKEY")
    end_in_a_draw(judge)

    assert "Diary of France, S1901M:\n\n  The plan of FRANCE." in summary(judge, "TURKEY")
    assert "The plan of ITALY" not in summary(judge, "TURKEY")
    judge.send("FRANCE", "DIARY HIDE")
    assert "The plan of" not in summary(judge, "TURKEY")


def test_a_game_may_show_all_diaries(judge: Table) -> None:
    judge.start("baltic", "publish_diaries=yes")
    judge.send("ITALY", "DIARY\nThe plan of Italy.\nENDDIARY")
    end_in_a_draw(judge)

    assert "The plan of Italy." in summary(judge, "TURKEY")


def test_statements_about_a_finished_game_go_to_everybody(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)
    word = "STATEMENT\nIt was Turkey's fault.\nENDSTATEMENT"

    assert "only when the game is over" in judge.send("FRANCE", word).words
    end_in_a_draw(judge)
    assert "Everyone gets" in judge.send("FRANCE", word).words
    judge.reply(judge.emails_to(MODERATOR)[-1], "STATEMENT\nThank you.\nENDSTATEMENT")

    told = judge.emails_to(address_of("TURKEY"))
    assert "Statement by the player of France: It was Turkey's fault." in told[-2].words
    assert "Statement by the moderator: Thank you." in told[-1].words
    shown = " ".join(summary(judge, "TURKEY").split())
    assert "It was Turkey's fault." in shown
    assert "Thank you." in shown


def test_a_proposal_is_announced_and_its_last_vote_ends_the_game(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)

    made = judge.send("FRANCE", "PROPOSE DRAW").words
    assert "The judge announces your" in made
    told = judge.emails_to(address_of("ITALY"))[-1]
    assert "France proposes a draw shared by" in told.words
    assert "VOTE 1 YES" in told.text
    assert "Proposal 1: a draw" in judge.send("ITALY", "STATUS").words
    judge.reply(told, "VOTE 1 YES")
    judge.all_send("VOTE YES", but=("FRANCE", "ITALY"))

    assert judge.game().ending
    assert judge.emails_to(address_of("ITALY"), "game_over")


def test_the_end_of_a_proposal_is_announced_and_its_author_may_be_hidden(judge: Table) -> None:
    judge.start("baltic", "hide_proposer=yes")
    judge.send("FRANCE", "PROPOSE DRAW")

    told = judge.emails_to(address_of("ITALY"))[-1].words
    assert "is proposed." in told
    judge.send("ITALY", "VOTE NO")

    assert "Draw proposal 1 was refused." in judge.emails_to(address_of("TURKEY"))[-1].words
    assert len(judge.game().seats) == len(POWERS)


def test_an_unanswered_proposal_expires_with_its_phase(judge: Table) -> None:
    judge.start("baltic")
    judge.send("FRANCE", "PROPOSE DRAW")

    judge.play()

    news = [mail.words for mail in judge.emails_to(address_of("TURKEY"), "table_news")]
    assert any("Draw proposal 1 has expired" in words for words in news)
