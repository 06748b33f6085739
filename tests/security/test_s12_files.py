"""S12: other users cannot read the judge's files, and no argument contains a secret."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tests.support.daemon import CONFIGURED, Daemon, new_email, wait_until

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def test_s12_files_are_private_under_any_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Daemon(tmp_path, CONFIGURED, forked=False) as daemon:
            daemon.start()
            os.umask(before)
            daemon.send(new_email("anne@players.example", "HELP\n"))
            wait_until(lambda: bool(daemon.mails()), "nothing was sent")
            ours = [each for each in tmp_path.rglob("*") if each.name != "daemon.log"]
            told = [each for each in ours if each.is_file() and each.stat().st_mode & OTHERS]
            assert [str(each) for each in told if not _in_a_closed_folder(each, tmp_path)] == []
            assert any(each.name.startswith("judge.db") for each in ours)
    finally:
        os.umask(before)


def _in_a_closed_folder(file: Path, top: Path) -> bool:
    """Return whether a folder below *top* that holds *file* is closed to others."""
    folders = [each for each in file.parents if each.is_relative_to(top) and each != top]
    return any(not each.stat().st_mode & OTHERS for each in folders)


def test_s12_no_password_of_the_operator_is_in_an_argument_or_the_environment(
    tmp_path: Path,
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("sesame-swordfish\n")
    settings = {
        "JUDGE_SMARTHOST": "127.0.0.1:9",
        "JUDGE_SMARTHOST_USER": "judge",
        "JUDGE_SMARTHOST_PASSWORD_FILE": str(secret),
    }
    with Daemon(tmp_path, {**CONFIGURED, **settings}, forked=False) as daemon:
        daemon.start()
        daemon.send(new_email("anne@players.example", "HELP\n"))
        assert daemon.process
        process = Path(f"/proc/{daemon.process.pid}")
        for name in ("cmdline", "environ"):
            assert b"sesame-swordfish" not in (process / name).read_bytes()
        assert "sesame-swordfish" not in daemon.log()
