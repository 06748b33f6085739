"""How a session begins: by the mail that is answered, or by SIGNON as the old judges have it."""

from __future__ import annotations

from datetime import timedelta

from judge.app.desk import Desk, Session
from judge.app.recognise import Speaker, only_game
from judge.game.game import Game
from judge.game.house_rules import Proof
from judge.mail.identity import folded
from judge.mail.language.said import MASTER, SignOn

GUESSES_MAX, GUESS_PAUSE = 10, timedelta(hours=1)  # wrong passwords at once, and then


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
    candidates = _candidates(game, said.power)
    confirmed = desk.mail.confirmed_person is not None
    if speaker and speaker.person.id in candidates and (confirmed or not said.password):
        return _session(desk, game, speaker.person.id, speaker.how)
    person = _guesser(desk, game, candidates, said.password)
    return _session(desk, game, person, "password") if person else None


def _session(desk: Desk, game: Game, person_id: str, how: str) -> Session:
    person = desk.transaction.people.get(person_id)
    assert person is not None, "who takes part in a game is somebody"
    return Session(person, desk.evidence(how), game.name, game.power_of(person_id))


def _guesser(desk: Desk, game: Game, candidates: tuple[str, ...], password: str) -> str | None:
    """Return whose password it is; nobody's, once too many wrong ones were tried.

    Wrong ones are counted for whoever was meant, and for whoever sent them.
    """
    budgets, sender = desk.transaction.budgets, desk.letter.sender or desk.mail.sender
    names = {each: f"guesses at {game.name} {each}" for each in candidates}
    tries = (f"guesses from {folded(sender)}", *names.values())
    if not budgets.has_left(tries[0], GUESSES_MAX, GUESS_PAUSE, desk.now):
        return None
    hashes = dict(desk.transaction.people.passwords(game.name))
    for person, name in names.items():
        left = budgets.has_left(name, GUESSES_MAX, GUESS_PAUSE, desk.now)
        if left and person in hashes and desk.judge.passwords.matches(password, hashes[person]):
            return person
    for name in tries:
        budgets.spend(name, GUESSES_MAX, GUESS_PAUSE, desk.now)
    return None


def _candidates(game: Game, power: str | None) -> tuple[str, ...]:
    """Return who may be meant: a player, the moderator, or, before the start, all who joined."""
    if power == MASTER:
        return (game.moderator,) if game.moderator else ()
    if power and power in game.seats:
        person = game.seats[power].person
        return (person,) if person else ()
    return () if game.seats else tuple(game.joined)
