"""The judge's thinking: answer what has come, close what is due, again until nothing is left."""

from __future__ import annotations

from collections.abc import Callable

from judge.app.answer_mail import answer_waiting
from judge.app.close_due import due, look_at, stay_awake
from judge.app.gathering import gather_due
from judge.app.judge import Judge
from judge.app.strangers import ask_newcomers, forget_unconfirmed

ROUNDS_MAX = 100  # then the caller may see to something else


def take_turn(judge: Judge, enough: Callable[[], bool] = lambda: False) -> None:
    """Do everything that can be done now, or what is done until it is *enough*."""
    stay_awake(judge)
    forget_unconfirmed(judge)
    ask_newcomers(judge)
    for _ in range(ROUNDS_MAX):
        answered = answer_waiting(judge)
        for games in due(judge):
            if enough():
                return
            look_at(judge, games)
            stay_awake(judge)  # or what takes long would look like an outage
            answered += answer_waiting(judge)
        gather_due(judge)
        # What a phase still waits for has just come, or is tried again later.
        if not answered or enough():
            return


def answer_all(judge: Judge) -> None:
    """Answer what has come, and close nothing."""
    for _ in range(ROUNDS_MAX):
        if not answer_waiting(judge):
            return
