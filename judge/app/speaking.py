"""In which language somebody is written to: English, or the one that he has chosen."""

from __future__ import annotations

from judge.app.desk import Desk, Session
from judge.mail.language.profile_commands import SetLanguage
from judge.reports.emails.receipts import CommandDone, Item, LineNotUnderstood
from judge.reports.languages import language_named, language_title, languages


def set_language(desk: Desk, session: Session, said: SetLanguage) -> Item:
    """Write to him from now on in the language that *said* names, this answer included."""
    language = language_named(said.word)
    if language is None:
        choices = " or ".join(f"SET LANGUAGE {each.upper()}" for each in languages())
        return LineNotUnderstood(said.line, said.text, choices)
    desk.transaction.people.set_language(session.person.id, language)
    return CommandDone("language", language_title(language))
