"""`judge receipt verify`: receipts match the published results."""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.root import root
from judge.mail.proofs import PROOF_FILENAME, commitments_in
from tests.support.table import Table

ORDERS = "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Mos"


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the proofs of a receipt, of an earlier one, and of the results."""
    table = Table(tmp_path_factory.mktemp("receipts"))
    table.start()
    table.want_proofs()
    earlier = table.send("FRANCE", "A Par H")
    last = table.send("FRANCE", ORDERS)
    table.all_hold(but=("FRANCE",))
    table.wait_until(table.game().phase.deadline)  # type: ignore[union-attr] # a phase is open
    table.pass_time(hours=1)
    results = next(mail for mail in table.outbox() if mail.kind == "phase_results")
    table.close()
    return {"earlier": earlier.proof, "receipt": last.proof, "results": results.proof}


def verify(folder: Path, *texts: str) -> Result:
    files = []
    for number, text in enumerate(texts):
        files.append(str(folder / f"{number}.txt"))
        Path(files[-1]).write_text(text, encoding="utf-8")
    return CliRunner().invoke(root, ["receipt", "verify", *files])


def test_a_receipt_matches_the_adjudicated_orders(mails: dict[str, str], tmp_path: Path) -> None:
    found = verify(tmp_path, mails["receipt"], mails["results"])

    assert found.exit_code == 0, found.output
    assert "0.txt: receipt: the digest matches 3 orders\n" in found.output
    assert "0.txt: receipt: adjudicated for France\n" in found.output
    assert "1.txt: Turkey: the digest matches 3 orders\n" in found.output
    files = [str(tmp_path / f"{number}.txt") for number in range(2)]
    told = CliRunner().invoke(root, ["receipt", "verify", "--json", *files]).output
    assert {(each["power"], each["ok"]) for each in map(json.loads, told.splitlines())} >= {
        (None, True),
        ("Turkey", True),
    }


def test_a_saved_email_is_read_as_well_as_its_attachment(
    mails: dict[str, str], tmp_path: Path
) -> None:
    saved = EmailMessage()
    saved.set_content("All 3 orders received.")
    saved.add_attachment(
        mails["receipt"].encode(), maintype="application", subtype="json", filename=PROOF_FILENAME
    )

    assert verify(tmp_path, saved.as_string(), mails["results"]).exit_code == 0


def test_the_text_of_older_emails_is_still_read(mails: dict[str, str], tmp_path: Path) -> None:
    def printed(proof: str) -> str:
        return "".join(
            "\n".join(
                [
                    *([f"- {each.power}"] if each.power else []),
                    *(f"  {line}" for line in (each.nonce, *each.orders, each.digest)),
                    "",
                ]
            )
            for each in commitments_in(proof.encode())
        )

    found = verify(tmp_path, printed(mails["receipt"]), printed(mails["results"]))

    assert found.exit_code == 0, found.output
    assert "0.txt: receipt: adjudicated for France\n" in found.output


@pytest.mark.parametrize(
    "damaged",
    [
        '{"proofs": 1}',
        '{"proofs": [1, {"commitments": [1, {"nonce": 1}]}]}',
        "[" * 100_000,
        '{"proofs": [{"kept": true, "commitments": [{"nonce": "", "orders": [], "digest": ""}]}]}',
    ],
)
def test_an_attachment_without_commitments_is_refused(damaged: str, tmp_path: Path) -> None:
    assert verify(tmp_path, damaged).exit_code == 65


def test_an_order_that_was_changed_is_noticed(mails: dict[str, str], tmp_path: Path) -> None:
    changed = mails["receipt"].replace('"A PAR - BUR"', '"A PAR - PIC"')

    found = verify(tmp_path, changed, mails["results"])

    assert found.exit_code == 1
    assert "0.txt: receipt: the digest does NOT match the orders" in found.output
    assert "0.txt: receipt: NOT adjudicated for France" in found.output


def test_a_superseded_receipt_is_reported(mails: dict[str, str], tmp_path: Path) -> None:
    found = verify(tmp_path, mails["earlier"], mails["results"])

    assert found.exit_code == 1
    assert "did you send later orders?" in found.output


def test_an_email_without_a_commitment_cannot_be_checked(tmp_path: Path) -> None:
    assert verify(tmp_path, "Hello").exit_code == 65
