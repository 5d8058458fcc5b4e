"""The boards of the report on Sudoku, and a small and a large one; ``Sudoku(**samples["easy"])``."""

_BOARDS = {
    "easy": "1....683..8.573.9.....28....7.3.198.549.8761.8..4.92.......23..763.....99287..5..",
    "medium": "53...42.....9..7.4....126.5..4.631..9.3.47.6.6.......2..........264.98...915.....",
    "diabolic": "6..79.2.8......3...4.6......5...28.78......3.....7..4.4...2.6.9..1..5..........7.",
    "small": ".14.3......1.23.",
    "large": (
        ".74...1.98...G.A..2C4..3.1.79E8.....7.A.4DB215FCB9.....G3.654..."
        "..7.6.9E.GFD.2.3.CD23...5689...76.53A7..E4.18..9....5G2.....ED.."
        "..A9.....35B....4..B1.GA..CFD8.58...2BC7...EF4A.G.C.F58.A2.4.3.."
        "...5EC.BD.....G4A38EG14D.C.6.....4G19.5.B..A36..7.B...36.5...9E."
    ),
}

samples = {name: {"board": board} for name, board in _BOARDS.items()}

ALIASES = {"hard": "diabolic"}
GROUPS = {
    "the report's": {"easy": "36 clues", "medium": "29 clues", "diabolic": "24 clues", "hard": "the same"},
    "other sizes": {"small": "4x4", "large": "16x16"},
}
