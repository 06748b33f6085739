"""Go on from a restored backup: begin an epoch, record it in every log, tell every game.

What the judge sent after the backup's moment has the same causes and numbers as what it sends from
now on. The epoch keeps their Message-IDs and reply addresses apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from judge.app.game.apply import apply_command
from judge.app.ports.damaged_logs import find_damage
from judge.app.ports.database import Transaction
from judge.app.ports.judge import Judge
from judge.event_log import Damage
from judge.game.clock import ResumeFromBackup


def begin_epoch(judge: Judge, transaction: Transaction, saved: datetime | None) -> Sequence[str]:
    """Begin an epoch in a store just filled from a backup of the instant *saved*, if known.

    Every game gets back the time since then and hears of it. Returns the games that are too
    damaged for that.
    """
    now, epoch = judge.clock.now(), transaction.secrets.begin_epoch()
    last = transaction.agenda.last_heartbeat()
    saved = saved or last or now
    began = min(last or saved, now)
    left_out = []
    for name in transaction.events.games():
        if _can_go_on(judge, transaction, name):
            apply_command(judge, transaction, name, ResumeFromBackup(epoch, saved, began), now)
        else:
            left_out.append(name)
    if last:  # This outage has been credited.
        transaction.agenda.record_heartbeat(now)
    return left_out


def _can_go_on(judge: Judge, transaction: Transaction, name: str) -> bool:
    flaw = find_damage(transaction, name)
    if flaw and flaw.damage is not Damage.ALTERED:
        return False
    try:
        return judge.game_cache.load(transaction, judge.boards, name) is not None
    except Exception as error:  # noqa: BLE001 - one game must not keep the others from coming back
        judge.operator_log.failed("game.failed", error, game=name)
        return False
