"""The boards of the report on the 15-puzzle; ``Sliding(**samples["moodle-10"])``."""

_BOARDS = {
    "runcodes-1": "2 3 4 5 1 13 14 6 12 11 0 15 10 9 8 7",
    "runcodes-3": "8 2 5 3 12 15 1 4 10 9 14 0 11 7 13 6",
    "moodle-1": "2 3 4 5 1 13 14 6 12 11 15 0 10 9 8 7",
    "moodle-2": "12 1 5 4 9 14 6 10 3 15 13 2 11 8 0 7",
    "moodle-3": "0 4 6 13 2 5 3 7 1 11 14 8 12 15 9 10",
    "moodle-4": "2 3 4 5 1 13 14 6 0 11 15 7 12 10 9 8",
    "moodle-5": "2 4 5 6 0 3 14 13 1 11 9 7 12 15 10 8",
    "moodle-6": "12 9 7 2 10 14 0 3 13 4 1 8 6 11 5 15",
    "moodle-7": "14 13 7 8 5 2 15 3 12 6 4 9 10 1 0 11",
    "moodle-8": "3 11 10 2 8 6 12 1 13 4 7 0 14 5 15 9",
    "moodle-9": "3 0 2 10 11 5 14 6 9 7 15 4 8 1 13 12",
    "moodle-10": "11 1 5 0 8 13 3 9 15 12 4 6 14 2 10 7",
}

samples = {name: {"board": board, "goal": "spiral"} for name, board in _BOARDS.items()}

ALIASES = {"easy": "moodle-5", "medium": "moodle-2", "hard": "moodle-8"}
GROUPS = {
    "to begin with": {"easy": "28 moves", "medium": "36 moves", "hard": "54 moves, at once with auto"},
    "the report's, from RunCodes": {"runcodes-1": "9 moves", "runcodes-3": "38 moves"},
    "the report's, from Moodle": {
        "moodle-1": "8 moves",
        "moodle-2": "36 moves",
        "moodle-3": "41 moves",
        "moodle-4": "13 moves",
        "moodle-5": "28 moves",
        "moodle-6": "46 moves",
        "moodle-7": "48 moves",
        "moodle-8": "54 moves, which the report did not find",
        "moodle-9": "52 moves, which the report did not find",
        "moodle-10": "42 moves; 44 by report_h3 with the greatest g first",
    },
}
