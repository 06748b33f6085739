"""Forged emails append no event in any setting; the player's own emails do."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import pytest

from judge.adapters.dkim_verifying import DkimVerifier
from tests.support import forged_emails
from tests.support.forged_emails import (
    FORGERIES,
    OF_CLOSED_PHASES,
    OF_OUR_CHECK,
    ORDER,
    OURS,
    PASSED,
    WHERE_A_BOUNDARY_CHECKS,
    Victim,
    checked,
    email,
    signed,
)
from tests.support.table import JUDGE, Mail, Table, address_of

HIM = address_of("FRANCE")


@dataclass(frozen=True, slots=True)
class Setting:
    """The server that checks mail, and the door by which it comes."""

    name: str
    way_in: str
    boundary: bool = False
    dkim: bool = False

    def apply(self, table: Table) -> None:
        table.way_in = self.way_in
        table.judge = replace(
            table.judge,
            authserv_id=OURS if self.boundary else "",
            signatures=DkimVerifier(forged_emails.look_up) if self.dkim else None,
        )

    def arrives(self, raw: bytes) -> bytes:
        """Return *raw* as it comes to the judge."""
        return checked(raw) if self.boundary and self.way_in != "smtp" else raw

    @property
    def takes_signatures(self) -> bool:
        return self.dkim or (self.boundary and self.way_in != "smtp")


SETTINGS = (
    Setting("nobody checks", "smtp"),
    Setting("nobody checks, by LMTP", "lmtp"),
    Setting("we check", "smtp", dkim=True),
    Setting("the boundary checks", "lmtp", boundary=True),
    Setting("the boundary checks, by IMAP", "imap", boundary=True),
    Setting("both check", "lmtp", boundary=True, dkim=True),
    Setting("the boundary checks, and this came past it", "smtp", boundary=True),
)


@pytest.fixture(scope="module", params=SETTINGS, ids=lambda each: each.name)
def setting(request: pytest.FixtureRequest) -> Setting:
    found = request.param
    assert isinstance(found, Setting)
    return found


@dataclass(frozen=True, slots=True)
class Scene:
    setting: Setting
    table: Table
    victim: Victim

    def comes(self, raw: bytes, to: str = JUDGE) -> int:
        """Receive *raw*, and return how many events that appended."""
        before = len(self.table.log())
        self.table.clock.time += self.table.clock.time.resolution
        self.table.store_email(self.setting.arrives(raw), HIM, to)
        self.table.run_once()
        return len(self.table.log()) - before


@dataclass(frozen=True, slots=True)
class Played:
    """The database of a game in its second phase, when that was, and what its players got."""

    file: Path
    time: datetime
    victim: Victim

    def scene(self, setting: Setting, folder: Path) -> Scene:
        """Return a copy of its own, in which France has sent signed orders."""
        shutil.copy(self.file, folder)
        table = Table(folder, "copy")
        table.clock.time = self.time
        setting.apply(table)
        scene = Scene(setting, table, self.victim)
        assert scene.comes(self.victim.sent) == int(setting.takes_signatures)
        table.send("FRANCE", "A Par-Pic")
        return scene


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Play to the second phase; France has a password."""
    with closing(Table(tmp_path_factory.mktemp("played"))) as table:
        table.start()
        table.send("FRANCE", "SET PASSWORD open-sesame")
        old = table.latest("FRANCE")
        table.play()
        assert table.phase() == "F1901M"
        live, other = table.latest("FRANCE"), table.latest("ITALY")
        victim = Victim(
            address=HIM,
            judge=JUDGE,
            live=live.reply_to,
            live_id=live.message_id,
            old=old.reply_to,
            old_id=old.message_id,
            other=other.reply_to,
            sent=signed(email(HIM, JUDGE, "A Par-Bur", Message_ID="")),
        )
        return Played(table.file, table.clock.time, victim)


@pytest.fixture(scope="module")
def forged_at(
    setting: Setting, played: Played, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Scene]:
    """A game that only forgeries are sent to: none changes it."""
    scene = played.scene(setting, tmp_path_factory.mktemp("forged"))
    yield scene
    scene.table.close()


@pytest.fixture
def scene(setting: Setting, played: Played, tmp_path: Path) -> Iterator[Scene]:
    scene = played.scene(setting, tmp_path)
    yield scene
    scene.table.close()


def addressed(raw: bytes, victim: Victim) -> str:
    """Return the recipient in the envelope: where To names an address with a token, that."""
    tokens = (victim.live, victim.old, victim.other)
    return next((each for each in tokens if each and f"To: {each}".encode() in raw), JUDGE)


ALL = FORGERIES | OF_CLOSED_PHASES | OF_OUR_CHECK


def test_there_are_forty_forgeries_and_more() -> None:
    assert len(ALL) + len(WHERE_A_BOUNDARY_CHECKS) >= 40


@pytest.mark.parametrize("name", ALL)
def test_a_forgery_appends_no_event(forged_at: Scene, name: str) -> None:
    raw = ALL[name](forged_at.victim)

    assert forged_at.comes(raw, addressed(raw, forged_at.victim)) == 0


@pytest.mark.parametrize("name", WHERE_A_BOUNDARY_CHECKS)
@pytest.mark.parametrize("setting", [each for each in SETTINGS if each.boundary], indirect=True)
def test_a_reply_proves_nothing_if_the_mail_server_does_not_vouch_for_its_from(
    forged_at: Scene, name: str
) -> None:
    assert forged_at.comes(WHERE_A_BOUNDARY_CHECKS[name](forged_at.victim)) == 0


def test_a_token_used_by_another_player_becomes_invalid_at_once(scene: Scene) -> None:
    answered = live(scene)
    raw = email(address_of("GERMANY"), answered.reply_to)

    assert scene.comes(raw, answered.reply_to) == 0
    assert scene.comes(email(HIM, answered.reply_to, "A Mar H"), answered.reply_to) == 0


def live(scene: Scene) -> Mail:
    return scene.table.latest("FRANCE")


def by_token(scene: Scene) -> bytes:
    return email(HIM, live(scene).reply_to)


def by_thread(scene: Scene) -> bytes:
    raw = email(HIM, JUDGE, In_Reply_To=live(scene).message_id)
    return signed(raw) if scene.setting.boundary else raw


def by_password(_scene: Scene) -> bytes:
    return email(HIM, JUDGE, f"SIGNON Fbaltic open-sesame\n{ORDER}")


@pytest.mark.parametrize("write", [by_token, by_thread, by_password])
def test_the_players_own_email_counts_but_a_thread_past_the_boundary_proves_nothing(
    scene: Scene, write: Callable[[Scene], bytes]
) -> None:
    past = scene.setting.boundary and not scene.setting.takes_signatures
    counts = not (past and write is by_thread)
    raw = write(scene)

    events = scene.comes(raw, addressed(raw, replace(scene.victim, live=live(scene).reply_to)))

    assert events == int(counts)
    assert ("A MAR - SPA" in scene.table.current_orders("FRANCE")) is counts


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(signed(email(HIM, JUDGE)), id="to the judge"),
        pytest.param(
            signed(email(HIM, f"Judge <{JUDGE}>, {address_of('ITALY')}")), id="to others too"
        ),
        pytest.param(signed(email(HIM, address_of("ITALY"), Cc=JUDGE)), id="a copy for the judge"),
        pytest.param(
            signed(email(HIM, JUDGE, Subject="", Content_Transfer_Encoding="")),
            id="an absent field is signed as absent",
        ),
        pytest.param(
            signed(
                signed(email(HIM, JUDGE)),
                domain="elsewhere.example",
            ),
            id="a list signed it too",
        ),
    ],
)
def test_a_signature_that_covers_an_email_to_the_judge_proves_it(scene: Scene, raw: bytes) -> None:
    assert scene.comes(raw) == int(scene.setting.takes_signatures)


def test_a_held_email_counts_once_its_player_confirms_it(scene: Scene) -> None:
    raw = email(HIM, scene.victim.old)
    assert scene.comes(raw, scene.victim.old) == 0
    [*_, asked] = scene.table.emails_to(HIM, "confirm_mail")
    assert "a phase that is over" in asked.words

    before = len(scene.table.log())
    scene.table.reply(asked, "YES")
    assert len(scene.table.log()) == before, "orders for that phase are of no use any more"


@pytest.mark.parametrize("vouched", [True, False])
@pytest.mark.parametrize(
    "text",
    ["DRAW", "PRESS TO ITALY\nHello.\nENDPRESS", "A Mar-Spa"],
    ids=["vote", "press", "order"],
)
def test_a_token_of_a_closed_phase_carries_votes_and_press_with_a_vouched_from_alone(
    scene: Scene, text: str, *, vouched: bool
) -> None:
    raw = email(HIM, scene.victim.old, text)
    raw = signed(raw) if vouched else raw

    events = scene.comes(raw, scene.victim.old)

    counts = vouched and scene.setting.takes_signatures and text != "A Mar-Spa"
    assert events == int(counts)
    if not counts and not (vouched and scene.setting.takes_signatures):
        assert scene.table.inbox()[-1] == "held"


def test_an_email_with_spf_and_dmarc_counts_without_a_full_signature(
    played: Played, tmp_path: Path
) -> None:
    """Gmail signs no Content-Type, but no one else sends from exactly that mailbox."""
    scene = played.scene(SETTINGS[3], tmp_path)
    judge = scene.table
    raw = signed(email(HIM, JUDGE), fields=("from", "to"))
    results = f"Authentication-Results: {OURS}; {PASSED}; spf=pass smtp.mailfrom={HIM}\r\n"

    judge.store_email(results.encode() + raw, HIM)
    judge.run_once()

    assert "A MAR - SPA" in judge.current_orders("FRANCE")
    assert scene.setting.boundary


def test_the_right_password_from_another_address_waits_for_its_owner(judge: Table) -> None:
    judge.start()
    judge.send("FRANCE", "SET PASSWORD open-sesame")
    text = f"SIGNON Fbaltic open-sesame\n{ORDER}"

    sent = judge.mail("work@elsewhere.example", text)

    assert judge.current_orders("FRANCE") == ()
    wrong = judge.mail("other@elsewhere.example", text.replace("open", "closed"))
    told = {mail.recipient: mail for mail in sent}
    assert told["work@elsewhere.example"].text == wrong[0].text, "nothing tells that it was right"
    judge.reply(told[HIM], "YES")
    assert judge.current_orders("FRANCE") == ("A MAR - SPA",)
