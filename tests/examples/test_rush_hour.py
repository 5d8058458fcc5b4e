"""The tutorial's Rush Hour against a board of letters that drives its cars by moving letters."""

from __future__ import annotations

import importlib.util
from collections import deque
from pathlib import Path

import pytest

from procura import InputError

spec = importlib.util.spec_from_file_location("rush_hour", Path(__file__).parents[2] / "examples" / "rush_hour.py")
rush_hour = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rush_hour)
RushHour = rush_hour.RushHour

BOARD = "..BC..DDBCEFAA.CEFGGG.E...HIIJ..HKKJ"


def plain_moves(text):
    """Each move and the board after it: shift the letters of a car if it meets nothing but itself."""
    grid = text.split()
    places = {}
    for r, line in enumerate(grid):
        for c, name in enumerate(line):
            if name != ".":
                places.setdefault(name, []).append((r, c))
    found = {}
    for name, car in places.items():
        across = car[0][0] == car[1][0]
        for sign in (-1, 1):
            moved = [(r, c + sign) if across else (r + sign, c) for r, c in car]
            if all(0 <= r < 6 and 0 <= c < 6 and grid[r][c] in (".", name) for r, c in moved):
                lines = [["." if cell == name else cell for cell in line] for line in grid]
                for r, c in moved:
                    lines[r][c] = name
                found[f"{name}{'-+'[sign > 0]}1"] = "\n".join("".join(line) for line in lines)
    return found


def plain_solved(text, red="A"):
    return any(line.endswith(red) for line in text.split())


@pytest.fixture(scope="module")
def problem():
    return RushHour(BOARD)


@pytest.fixture(scope="module")
def states(problem):
    """Every state within reach, with its successors."""
    found, queue = {}, deque([problem.initial])
    while queue:
        state = queue.popleft()
        if state not in found:
            found[state] = list(problem.successors(state))
            queue.extend(after for _, after, _ in found[state])
    return found


def test_moves_are_those_of_a_plain_board(problem, states):
    for state in list(states)[::7]:
        text = problem.to_text(state)
        ours = {problem.action_to_json(move): problem.to_text(after) for move, after, _ in states[state]}
        assert ours == plain_moves(text)
        assert list(ours) == sorted(ours, key=lambda move: (move[0], move[1] == "+"))
        assert problem.is_goal(state) == plain_solved(text)


def test_the_shortest_solution_of_the_boards_docstring_has_28_moves(problem):
    start = problem.to_text(problem.initial)
    distance, queue = {start: 0}, deque([start])
    while not plain_solved(queue[0]):
        text = queue.popleft()
        for after in plain_moves(text).values():
            if after not in distance:
                distance[after] = distance[text] + 1
                queue.append(after)
    assert distance[queue[0]] == 28
    drawn = [line.strip() for line in rush_hour.__doc__.splitlines()]
    assert all(line in drawn for line in start.splitlines()) and "takes 28" in rush_hour.__doc__


def test_blocking_is_admissible_and_consistent_everywhere(problem, states):
    distance = {state: 0 for state in states if problem.is_goal(state)}
    queue = deque(distance)
    while queue:
        state = queue.popleft()
        for _, after, _ in states[state]:  # moves can be taken back, so distances run both ways
            if after not in distance:
                distance[after] = distance[state] + 1
                queue.append(after)
    h = {state: problem.estimate("blocking", state) for state in states}
    assert distance[problem.initial] == 28 and h[problem.initial] == 7
    for state in states:
        assert h[state] <= distance[state]
        assert all(h[state] <= cost + h[after] for _, after, cost in states[state])


def test_inverse_takes_a_move_back(problem, states):
    for state in list(states)[::7]:
        for move, after, cost in states[state]:
            assert cost == 1 and len(states[state]) <= problem.max_moves
            back = problem.inverse(problem.lists, move)
            assert problem.undoes(back, move) and problem.result(after, back) == state


def test_text_is_read_back(problem, states):
    for state in list(states)[::50]:
        assert RushHour.from_text(problem.to_text(state)).initial == state
    assert RushHour(BOARD.replace(".", "o")).initial == problem.initial


def test_the_red_car_is_x_if_there_is_one():
    problem = RushHour("A..... A..... XX.... ...... ...... ......")
    assert problem.names == ["X", "A"]
    assert [problem.action_to_json(move) for move in problem.actions(problem.initial)] == ["X+1"]


def test_actions_have_a_json_form(problem):
    for move in range(problem.max_moves):
        assert problem.action_from_json(problem.action_to_json(move)) == move
    with pytest.raises(InputError, match="move 'A': expected a car and -1 or"):
        problem.action_from_json("A")


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("AA....", "board has 6 cells: expected 36"),
        ("." * 36, "board: expected a red car, X or A, in a row"),
        ("BB" + "." * 34, "board: expected a red car, X or A, in a row"),
        ("A.....A....." + "." * 24, "board: expected a red car, X or A, in a row"),
        ("AA..B." + "." * 30, "row 1, column 5: expected 'B' to be a car of two cells or more"),
        ("AABB.B" + "." * 30, "row 1, column 3: expected 'B' to be a car of two cells or more"),
        (".....BB...AA" + "." * 24, "row 1, column 6: expected 'B' to be a car of two cells or more"),
        ("AA..BB....BB" + "." * 24, "row 1, column 5: expected 'B' to be a car of two cells or more"),
    ],
)
def test_bad_input_is_told_with_its_place(board, message):
    with pytest.raises(InputError, match=f"^{message}"):
        RushHour(board)
