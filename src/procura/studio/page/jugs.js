// The puzzle that Write begins with: examples/jugs.py of the repository.
export const JUGS = String.raw`"""Measure with two jugs: a puzzle on plain Python objects, the README's example of one that you write yourself."""

from procura import InputError, Problem


class Jugs(Problem):
    """Measure so many litres with jugs of 3 and 5."""

    initial = (0, 0)

    def __init__(self, litres=4):
        self.litres = litres

    def actions(self, state):
        return ["fill3", "fill5", "empty3", "empty5", "3to5", "5to3"]

    def result(self, state, action):
        three, five = state
        to_five, to_three = min(three, 5 - five), min(five, 3 - three)
        after = {
            "fill3": (3, five),
            "fill5": (three, 5),
            "empty3": (0, five),
            "empty5": (three, 0),
            "3to5": (three - to_five, five + to_five),
            "5to3": (three + to_three, five - to_three),
        }
        return after[action]

    def is_goal(self, state):
        return self.litres in state

    @classmethod
    def from_text(cls, text):
        if not text.strip().isdigit():
            raise InputError(f"litres {text.strip()!r}: expected a number such as 4")
        return cls(int(text))

    def board_text(self):
        return str(self.litres)
`;
