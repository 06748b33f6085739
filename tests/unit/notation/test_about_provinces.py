"""Reading only the lines about some provinces: `parse(..., about=...)`."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import example, given
from hypothesis import strategies as st

from judge.adapters.variant_files import load_map
from judge.game.submission import ordered_province
from judge.notation.parser import parse
from judge.notation.readings import Reading, Understood
from judge.rules.types import PhaseKind

BOARD = load_map("standard")
LINES = (
    "A Vie-Tri",
    "a Vienna - Trieste, F Tri-Alb",
    "Please send the army in Vienna to Trieste. Thanks!",
    "AVie - Bud",
    "FTri-Adr",
    "the Austrian army of Vienna holds; A Bud S A Vie",
    "A Bud is supported by A Vie",
    "Wien nach Triest",
    "Triest soll Wien unterstützen",
    "F Stp(sc)-Bot",
    "the fleet on the south coast of St. Petersburg to Bothnia",
    "L'armée de Vienne va à Trieste",
    "Austria:",
    "FRANCE: A Par-Bur",
    "Retreats:",
    "Vie R Boh, D Tri",
    "If Italy attacks:",
    "IF A Ven-Tri THEN",
    "ENDIF",
    "",
    "All others hold",
    "F Nor-Nor",
    "Nor Sea C A Nwy-Edi",
    "A Par H, R Gas",
    "You can change your orders until the deadline. Each email gets a",
    "receipt. HELP explains the commands.",
)
ABOUT = st.sets(st.sampled_from(("VIE", "TRI", "BUD", "STP", "PAR", "NWY", "NWG", "NTH")))


@example([*LINES], {"VIE", "TRI"}, PhaseKind.MOVEMENT)
@example([*reversed(LINES)], {"STP", "PAR"}, PhaseKind.RETREATS)
@example(["IF A Ven-Tri THEN", "Wien nach Triest", "ENDIF"], {"VIE"}, PhaseKind.MOVEMENT)
@example(["Austria:", "", "Vie R Boh, D Tri"], {"TRI"}, PhaseKind.RETREATS)
@example(["F Nor-Nor", "Nor Sea C A Nwy-Edi"], {"NWY", "NWG", "NTH"}, PhaseKind.MOVEMENT)
@given(
    st.lists(st.sampled_from(LINES), max_size=8),
    ABOUT,
    st.sampled_from((PhaseKind.MOVEMENT, PhaseKind.RETREATS)),
)
def test_no_order_to_a_unit_there_is_lost(
    lines: list[str], about: set[str], kind: PhaseKind
) -> None:
    text = "\n".join(lines)
    whole, read = parse(text, BOARD, kind), parse(text, BOARD, kind, about=about)
    assert _orders_to(about, read) == _orders_to(about, whole)


def _orders_to(provinces: set[str], readings: Sequence[Reading]) -> list[Understood]:
    orders = [each for each in readings if isinstance(each, Understood)]
    return [each for each in orders if ordered_province(each.order) in provinces]


def test_lines_about_other_provinces_are_not_read() -> None:
    readings = parse("A Vie-Tri\nA Par-Bur\nWhere is A Mars?", BOARD, about={"VIE"})
    assert [each.text for each in readings] == ["A Vie-Tri"]
