"""How a session begins: by the mail that is answered, or by SIGNON as the old judges have it."""

from __future__ import annotations

from judge.app.desk import Desk, Session
from judge.app.recognise import Speaker, only_game
from judge.game.game import Game
from judge.game.house_rules import Proof
from judge.mail.said import MASTER, SignOn


def session_of(desk: Desk, speaker: Speaker) -> Session | None:
    """Open the session of the game whose mail *speaker* answered, or of the only one he plays."""
    name = speaker.game or only_game(desk.judge, desk.transaction, speaker.person)
    game = desk.game(name) if name else None
    if name is None or game is None:
        return None
    power = game.power_of(speaker.person.id)
    evidence = desk.evidence(speaker.how)
    return Session(speaker.person, evidence, name, power, speaker.phase, speaker.answered)


def sign_on(desk: Desk, said: SignOn, speaker: Speaker | None = None) -> Session | None:
    """Open the session that *said* asks for; None if the game or the password is wrong.

    Which of the two it was is told to nobody. A *speaker* who is known needs no password.
    """
    game = desk.game(said.game)
    if game is None:
        return None
    if game.house_rules.proof is Proof.STRICT and not desk.is_proven:
        return None
    if speaker and not said.password and speaker.person.id in _candidates(game, said.power):
        evidence = desk.evidence(speaker.how)
        power = game.power_of(speaker.person.id)
        return Session(speaker.person, evidence, said.game, power)
    hashes = dict(desk.transaction.people.passwords(said.game))
    for person_id in _candidates(game, said.power):
        hashed = hashes.get(person_id)
        if hashed and desk.judge.passwords.matches(said.password, hashed):
            person = desk.transaction.people.get(person_id)
            assert person is not None, "a password is somebody's"
            return Session(person, desk.evidence("password"), said.game, game.power_of(person_id))
    return None


def _candidates(game: Game, power: str | None) -> tuple[str, ...]:
    """Return who may be meant: a player, the moderator, or, before the start, all who joined."""
    if power == MASTER:
        return (game.moderator,) if game.moderator else ()
    if power and power in game.seats:
        person = game.seats[power].person
        return (person,) if person else ()
    return () if game.seats else tuple(game.joined)
