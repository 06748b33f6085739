"""How a session begins: by the mail that is answered, or by SIGNON as the old judges have it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import assert_never

from judge.app.authorship import How, Proven, Signs, Unproven, authorship
from judge.app.desk import Desk, Session
from judge.app.ports import Person
from judge.app.recognise import Doubtful, Speaker, only_game
from judge.game.game_state import Game
from judge.mail.language.command_syntax import MASTER
from judge.mail.language.join_commands import SignOn
from judge.mail.mail_addresses import folded
from judge.rules.types import Power

GUESSES_MAX, GUESS_PAUSE = 10, timedelta(hours=1)  # wrong passwords at once, and then


def session_of(desk: Desk, speaker: Speaker) -> Session | None:
    """Open the session of the game whose mail *speaker* answered, or of the only one he plays."""
    game = _game_of(desk, speaker)
    if game is None:
        return None
    power = game.power_of(speaker.person.id)
    evidence = desk.evidence(speaker.how.value)
    return Session(speaker.person, evidence, game.name, power, speaker.phase, speaker.answered)


def power_of(desk: Desk, speaker: Speaker) -> Power | None:
    """Return what *speaker* plays in the game that `session_of` would open."""
    game = _game_of(desk, speaker)
    return game.power_of(speaker.person.id) if game else None


def _game_of(desk: Desk, speaker: Speaker) -> Game | None:
    name = speaker.game or only_game(desk.judge, desk.transaction, speaker.person)
    return desk.game(name) if name else None


def sign_on(desk: Desk, said: SignOn, speaker: Speaker | None = None) -> Session | Doubtful | None:
    """Open the session that *said* asks for; None if the game or the password is wrong.

    Which of the two it was is told to nobody. With the right password, but not from an address of
    whose it is, it is doubtful. A *speaker* who is known needs no password.
    """
    game = desk.game(said.game)
    if game is None:
        return None
    candidates = _candidates(game, said.power)
    confirmed = desk.mail.confirmed_person is not None
    known = confirmed or (speaker and not said.password and _proves(game, speaker))
    if speaker and known and speaker.person.id in candidates:
        return _session(desk, game, speaker.person.id, speaker.how)
    guesser = _guesser(desk, game, candidates, said.password)
    return _signed_on(desk, game, guesser) if guesser else None


def _signed_on(desk: Desk, game: Game, person_id: str) -> Session | Doubtful:
    """Open the session of somebody whose password the mail has, if the rest of it is theirs."""
    people, sender = desk.transaction.people, desk.letter.sender
    owner = people.by_address(sender) if sender else None
    signs = Signs(
        registered=owner is not None and owner.id == person_id,
        vouched=desk.proof.verified,
        forged=desk.proof.forged,
        boundary=bool(desk.judge.authserv_id),
        password=True,
        confirmed=desk.mail.confirmed_person == person_id,
    )
    match authorship(signs, game.house_rules.proof):
        case Proven():
            return _session(desk, game, person_id, How.PASSWORD)
        case Unproven(why):
            person = people.get(person_id)
            assert person is not None, "who takes part in a game is somebody"
            return Doubtful(person, Speaker(person, signs, game=game.name), why)
        case outcome:
            assert_never(outcome)


def is_refused(desk: Desk, said: SignOn, who: Doubtful) -> bool:
    """Say whether *said* signs a person on as soon as they confirm it, but not by its password."""
    game = desk.game(said.game) if said.password and not who.said.signs.password else None
    if game is None:
        return False
    with_password = replace(who.said.signs, registered=True, password=True)
    enough = isinstance(authorship(with_password, game.house_rules.proof), Proven)
    return enough and who.person.id in _candidates(game, said.power)


def turn_to(desk: Desk, name: str, person: Person, speaker: Speaker | None) -> Session | None:
    """Open a session of the game *name*, which *person* has named; None if nothing proves enough.

    What proves who answers a mail of one game proves it for his others too, as SIGNON has it.
    """
    game = desk.game(name)
    own = speaker is not None and speaker.person.id == person.id
    if game is None or speaker is None or not own or not _proves(game, speaker):
        return None
    return _session(desk, game, person.id, speaker.how)


def _proves(game: Game, speaker: Speaker) -> bool:
    """Say whether *speaker* is known well enough for *game*, whichever he was known for."""
    return isinstance(authorship(speaker.signs, game.house_rules.proof), Proven)


def _session(desk: Desk, game: Game, person_id: str, how: How) -> Session:
    person = desk.transaction.people.get(person_id)
    assert person is not None, "who takes part in a game is somebody"
    return Session(person, desk.evidence(how.value), game.name, game.power_of(person_id))


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
