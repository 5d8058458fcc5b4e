"""How problems and results show themselves: in a line, as a picture, as HTML; and the value of a heuristic."""

import re
from xml.etree import ElementTree

import pytest
from spaces import Bits, Doubling

from procura import Dots, InputError, Limits, Sliding, Sudoku, Tetris, heuristic, solve, words
from procura.pictures import result_html, solution_svg

FOURTEEN = Sliding("8 1 3 4 0 2 7 6 5")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("problem", "shown"),
    [
        (FOURTEEN, "<Sliding 3x3: 8 1 3/4 . 2/7 6 5>"),
        (Sliding("1 2 3 / 4 5 0", "spiral"), "<Sliding 2x3, goal=spiral, size=2x3: 1 2 3/4 5 .>"),
        (Sudoku("1234 3412 2143 43.."), "<Sudoku 4x4: 12 34/34 12//21 43/43 ..>"),
        (Dots("(((1) (0)) ((1) (0)))", 1), "<Dots 1x1, boxes=1: .---./|/.   .>"),
        (Doubling(), "<Doubling: 1>"),
    ],
)
def test_a_problem_shows_its_class_size_options_and_board(problem, shown):
    assert repr(problem) == shown


def test_a_large_board_is_cut_in_the_middle():
    shown = repr(Tetris("#########.", "iot"))
    assert shown.startswith("<Tetris 18x10, pieces=i o t: ..........") and shown.endswith("#########.>")
    assert len(shown) < 100


def test_a_problem_that_is_half_made_is_shown_too():
    class Broken(Doubling):
        rows, columns, options = ["#"], 3, 7

        def to_text(self, state):
            raise RuntimeError("not today")

    assert repr(Broken()) == "<Broken>"
    assert repr(Sliding.__new__(Sliding)) == "<Sliding>"


def test_a_result_is_shown_in_a_line():
    shown = repr(solve(FOURTEEN, "astar:manhattan,ties=fifo", engine="python"))
    pattern = (
        r"<Result: solved, cost 14, optimal; astar:manhattan,ties=fifo, python; "
        r"\d+ expanded, \d+ generated, [\d.]+ s>"
    )
    assert re.fullmatch(pattern, shown)
    unsolved = solve(FOURTEEN, "bfs", engine="python", limits=Limits(nodes=3))
    assert repr(unsolved).startswith("<Result: not_found, stopped by nodes; bfs, python; 3 expanded")


def test_notebooks_show_the_board_of_a_problem():
    assert FOURTEEN._repr_svg_() == FOURTEEN.to_svg(FOURTEEN.initial)
    assert Doubling()._repr_svg_() is None


def test_notebooks_show_a_result_with_both_boards_and_its_figures():
    result = solve(FOURTEEN, "astar:manhattan", engine="python")
    html = ElementTree.fromstring(result._repr_html_())
    assert len(html.findall(f".//{SVG}svg")) == 2
    figures = {row[0].text: row[1].text for row in html.iter("tr")}
    assert figures["algorithm"] == "astar with manhattan, python" and figures["cost"] == "14"


def test_what_a_puzzle_writes_is_escaped():
    class Angled(Doubling):
        def to_text(self, state):
            return f"<b>&{state}"

    assert "<pre>&lt;b&gt;&amp;13</pre>" in result_html(solve(Angled(), "bfs"))


@pytest.mark.parametrize(
    ("most", "boards", "left_out"), [(100, 15, 0), (15, 15, 0), (14, 14, 1), (5, 5, 10), (2, 2, 13)]
)
def test_the_picture_of_a_solution_is_bounded_and_ends_with_the_last_board(most, boards, left_out):
    result = solve(FOURTEEN, "idastar:manhattan", engine="python")
    drawn, missing = solution_svg(result, most)
    picture = ElementTree.fromstring(drawn)
    assert (len(picture.findall(f"{SVG}g")), missing) == (boards, left_out)
    captions = [text.text for text in picture.findall(f"{SVG}text")]
    assert captions[:2] == ["solved in 14 moves, proved optimal", "start"]
    last = f"14. {result.actions[-1]}"
    assert captions[-1] == (f"({left_out} step{'s' * (left_out > 1)} left out)  {last}" if left_out else last)
    assert drawn.rstrip().endswith(f"{result.problem.to_svg(result.final).rstrip()}\n\n</g>\n</svg>")


def test_without_a_solution_the_picture_is_the_start_and_the_best_so_far():
    unsolved = solve(FOURTEEN, "bfs", engine="python", limits=Limits(nodes=3))
    assert "start" in solution_svg(unsolved)[0] and "best so far" not in solution_svg(unsolved)[0]
    clues = Sudoku("1... .... .... ....")
    best = solve(clues, "annealing", engine="python", limits=Limits(nodes=0), seed=1)
    assert not best.solved and "best so far" in solution_svg(best)[0]
    assert solution_svg(solve(Doubling(), "bfs")) is None


def test_pictures_without_a_size_find_room():
    class Drawn(Doubling):
        def to_svg(self, state):
            root = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">' if state == 1 else "<svg>"
            return f"<?xml version='1.0'?>{root}</svg>"

    ElementTree.fromstring(solution_svg(solve(Drawn(), "bfs"))[0])


def test_estimate_takes_names_compositions_and_any_state():
    solved = Sliding("1 2 3 4 5 6 7 8 0").initial
    assert FOURTEEN.estimate("manhattan") == FOURTEEN.estimate("manhattan", FOURTEEN.initial) == 10
    assert FOURTEEN.estimate("manhattan", solved) == 0
    assert FOURTEEN.estimate("0.5*manhattan + 1") == 6
    assert FOURTEEN.estimate(heuristic("max(zero, 3)"), solved) == 3
    assert Bits().estimate("zero") == 0
    with pytest.raises(InputError, match="did you mean 'manhattan'"):
        FOURTEEN.estimate("manhatan")


@pytest.mark.parametrize(
    ("configuration", "limits", "said"),
    [
        (
            "astar:manhattan,cut=12",
            {},
            "Try a cut above 12, or none; or leave the algorithm out: that takes pdb here.",
        ),
        ("beam:manhattan,width=1", {}, "Try a wider beam, such as width=4, or widen=true; or leave"),
        ("idastar:manhattan", {"depth": 5}, "Try a higher limit on depth, or none."),
        ("beam:manhattan", {"depth": 5}, "Try a higher limit on depth, or none."),
        (
            "astar:manhattan",
            {"nodes": 9},
            "Try a higher limit on nodes; or leave the algorithm out: that takes pdb",
        ),
        ("auto", {"nodes": 9}, "Try a higher limit on nodes."),
        ("auto", {"seconds": 0}, "Try a higher limit on seconds."),
    ],
)
def test_a_search_that_gave_up_says_what_to_try(configuration, limits, said):
    result = solve(Sliding("8 6 7 2 5 4 3 0 1"), configuration, engine="python", limits=Limits(**limits))
    assert words.what_to_try(result).startswith(said)


def test_where_there_is_an_answer_or_a_proof_nothing_is_left_to_try():
    assert words.what_to_try(solve(Sliding("1 2 3 4 5 6 7 0 8"), engine="python")) is None
    assert words.what_to_try(solve(Sliding("1 2 3 4 5 6 8 7 0"), engine="python")) is None
