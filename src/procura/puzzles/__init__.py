"""The puzzles that ship: rules, formats and heuristics of each in a package of its own."""
