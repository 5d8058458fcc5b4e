"""Tetris for tests: the pieces as they look, random boards, and boards by their filled columns."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

# Each rotation as it looks on the board, the top row first.
LOOKS = {
    "i": ["#,#,#,#", "####"],
    "l": ["#.,#.,##", "###,#..", "##,.#,.#", "..#,###"],
    "j": [".#,.#,##", "#..,###", "##,#.,#.", "###,..#"],
    "o": ["##,##"],
    "s": [".##,##.", "#.,##,.#"],
    "z": ["##.,.##", ".#,##,#."],
    "t": [".#.,###", "#.,##,#.", "###,.#.", ".#,##,.#"],
}
MAXIMUM = {"i": 800, "j": 500, "l": 500, "s": 300, "z": 300, "t": 300, "o": 300}
T25 = "###...####\n###...####\n###...####\n####..####"
GAINS = [0, 100, 300, 500, 800]

pieces_lists = st.lists(st.sampled_from(sorted(LOOKS)), min_size=1, max_size=6)


@st.composite
def boards(draw: Any, rows: int, columns: int) -> list[int]:
    """Row masks: a heap with a shaft one to four columns wide, and rubble on it."""
    full = (1 << columns) - 1
    rubble = draw(st.lists(st.integers(0, full), max_size=draw(st.sampled_from([0, 3, rows]))))
    width = draw(st.integers(1, 4))
    shaft = ((1 << width) - 1) << draw(st.integers(0, columns - width))
    heap = [full & ~shaft] * draw(st.integers(0, rows - 1))
    for r in range(len(heap)):  # some rows of the heap reach into the shaft, or close it
        if draw(st.integers(0, 3)) == 0:
            heap[r] |= draw(st.integers(0, full) | st.just(full)) & shaft
    return (heap + rubble)[: draw(st.sampled_from([rows, rows - 1, rows - 1, rows - 4]))]


def cells_of(letter: str, rotation: int) -> list[tuple[int, int]]:
    lines = LOOKS[letter][rotation].split(",")[::-1]
    return [(r, c) for r, line in enumerate(lines) for c, cell in enumerate(line) if cell == "#"]


def filled(rows: int, first: int, last: int) -> list[int]:
    """So many rows from the floor, filled in the columns from first to last."""
    return [sum(1 << c for c in range(first, last + 1))] * rows
