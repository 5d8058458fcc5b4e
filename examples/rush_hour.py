"""Rush Hour: drive the cars along their lanes until the red one stands at the right edge.

A whole puzzle, written from outside the package. Its rules are kernels, plain functions over integers, and
the same text runs interpreted and compiled. A board is 36 letters, ``.`` or ``o`` for an empty cell; the red
car is X, or A if there is no X, and stands in a row::

    ..BC..
    DDBCEF
    AA.CEF
    GGG.E.
    ..HIIJ
    ..HKKJ

A move drives one car one cell: ``E-1`` is up (or left), ``E+1`` down (or right). Each costs 1, so the best
solution drives the fewest cells; this board takes 28.

A state is one integer a car, its position along its lane, with the red car first. Lanes never change, so they
are data: a car at position p fills the cells lane + stride * p, lane + stride * (p + 1) and so on.
"""

from procura import ArrayProblem, Data, Estimate, InputError, kernel

SIDE = 6
CELLS = SIDE * SIDE


def cell(data, car, p):
    """The cell at position ``p`` of the car's lane."""
    return data.lane[car] + data.stride[car] * p


def park(s, data, work):
    """Mark in ``work`` the cells where a car stands: 1, else 0."""
    for i in range(CELLS):
        work[i] = 0
    for car in range(len(data.lane)):
        for p in range(s[car], s[car] + data.length[car]):
            work[cell(data, car, p)] = 1


def blocking(s, data, work):
    """The cells from the red car to the edge, and one more for each car that stands there and has to move."""
    park(s, data, work)
    front = s[0] + data.length[0]
    blockers = 0
    for p in range(front, SIDE):
        blockers += work[cell(data, 0, p)]
    return SIDE - front + blockers


HEURISTICS = {"blocking": Estimate(blocking, admissible=True, consistent=True, about="the red car's way out")}


class RushHour(ArrayProblem):
    """Get the red car out of the jam on ``board``."""

    heuristics = HEURISTICS
    auto = "astar:blocking"

    def __init__(self, board):
        self.names, cars = read_cars(board)
        lane, stride, length, self.positions = zip(*cars, strict=True)
        super().__init__(
            size=len(cars),
            bits=3,
            max_moves=2 * len(cars),
            scratch=CELLS,
            data=Data(lane=lane, stride=stride, length=length),
        )

    def start(self):
        return self.positions

    @kernel
    def moves(s, data, work, out):
        """A car can back up if the cell behind it is free, and drive on if the cell ahead is."""
        park(s, data, work)
        count = 0
        for car in range(len(data.lane)):
            behind, ahead = s[car] - 1, s[car] + data.length[car]
            if behind >= 0 and work[cell(data, car, behind)] == 0:
                out[count] = 2 * car
                count += 1
            if ahead < SIDE and work[cell(data, car, ahead)] == 0:
                out[count] = 2 * car + 1
                count += 1
        return count

    @kernel
    def apply(s, data, work, move):
        s[move // 2] += 2 * (move % 2) - 1
        return 1

    @kernel
    def inverse(data, move):
        return move ^ 1

    @kernel
    def solved(s, data, work):
        return s[0] + data.length[0] == SIDE

    # Text in and out.

    @classmethod
    def from_text(cls, text):
        return cls(text)

    def to_text(self, state):
        cells = ["."] * CELLS
        for name, lane, stride, length, position in zip(self.names, *self.data, state, strict=True):
            for p in range(position, position + length):
                cells[lane + stride * p] = name
        return "\n".join("".join(cells[i : i + SIDE]) for i in range(0, CELLS, SIDE))

    def action_to_json(self, action):
        return f"{self.names[action // 2]}{'-+'[action % 2]}1"

    def action_from_json(self, value):
        moves = {self.action_to_json(move): move for move in range(self.max_moves)}
        if value not in moves:
            raise InputError(f"move {value!r}: expected a car and -1 or +1, such as {self.names[0]}+1")
        return moves[value]


def read_cars(board):
    """The names of the cars, the red one first, and the lane, stride, length and position of each."""
    cells = "".join(board.split()).replace("o", ".")
    if len(cells) != CELLS:
        raise InputError(f"board has {len(cells)} cells: expected {CELLS}")
    red = "X" if "X" in cells else "A"
    names = sorted(set(cells) - {"."}, key=lambda name: (name != red, name))
    cars = [read_car(name, [i for i in range(CELLS) if cells[i] == name]) for name in names]
    if names[:1] != [red] or cars[0][1] != 1:
        raise InputError("board: expected a red car, X or A, in a row")
    return names, cars


def read_car(name, cells):
    """Lane, stride, length and position of the car that stands on ``cells``."""
    row, column = divmod(cells[0], SIDE)
    for lane, stride, p in ((row * SIDE, 1, column), (column, SIDE, row)):
        if len(cells) > 1 and cells == [lane + stride * i for i in range(p, SIDE)][: len(cells)]:
            return lane, stride, len(cells), p
    raise InputError(f"row {row + 1}, column {column + 1}: expected {name!r} to be a car of two cells or more")
