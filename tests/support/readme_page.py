"""Write the results email and map of README.md: `python -m tests.support.readme_page`.

Run it when the words of results change. Plays Spring 1901 at a table of the tests.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.table import Table

ROOT = Path(__file__).parents[2]
FILE = ROOT / "README.md"
MAP = ROOT / "docs" / "example.png"
PART = re.compile(r"(?<=<!-- generated: results -->\n).*?(?=<!-- end -->)", re.DOTALL)
ORDERS = {
    "AUSTRIA": "F Tri-Alb\nA Bud-Ser\nA Vie-Gal",
    "ENGLAND": "F Lon-Nth\nF Edi-Nwg\nA Lvp-Yor",
    "FRANCE": "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Mao",
    "GERMANY": "A Mun-Bur\nF Kie-Den\nA Ber-Kie",
    "ITALY": "A Ven H\nA Rom-Apu\nF Nap-Ion",
    "RUSSIA": "A War-Gal\nA Mos-Ukr\nF Sev-Bla\nF Stp(sc)-Bot",
    "TURKEY": "F Ank-Bla\nA Con-Bul\nA Smy-Con",
}
ENDS = "Log:|To answer with one tap"  # what follows is left out


def results(folder: Path) -> str:
    """Play a phase in *folder*; draw the map, and return France's results."""
    table = Table(folder)
    table.start("lepanto")
    mails = table.play("lepanto", **ORDERS)
    table.close()
    [mail] = [each for each in mails if each.recipient.startswith("france")]
    record = folder / "lepanto.jsonl"
    [store] = folder.glob("*.db")
    run("game", "export", "lepanto", "--database", str(store), "-o", str(record))
    picture = folder / "map.png"
    run("archive", "show", str(record), "--phase", "S1901M", "--picture", str(picture))
    MAP.write_bytes(picture.read_bytes())
    text = re.split(rf"^(?:{ENDS})", mail.text, maxsplit=1, flags=re.MULTILINE)[0]
    return f"Subject: {mail.subject}\n\n{text.strip()}"


def run(*words: str) -> None:
    """Run a command of the judge."""
    subprocess.run([sys.executable, "-m", "judge", *words], check=True, stdout=subprocess.DEVNULL)


def page(text: str, example: str) -> str:
    """Return *text* with the *example* in its place."""
    return PART.sub(lambda _: f"```\n{example}\n```\n", text)


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        FILE.write_text(
            page(FILE.read_text(encoding="utf-8"), results(Path(name))), encoding="utf-8"
        )
