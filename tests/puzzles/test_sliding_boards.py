"""Sliding boards made at random, given other options, written and drawn."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings, strategies as st
from sliding_boards import plain_distances

from procura import InputError, Sliding, catalog
from procura.play.face import ASCII
from procura.reading.boards import tasks_of
from procura.reading.puzzles import choose_puzzle
from procura.texts import Source

SVG = "{http://www.w3.org/2000/svg}"


def test_each_solvable_board_is_as_likely_as_the_others():
    counts = Counter(Sliding.generate(seed, size="2x2", goal="spiral").board for seed in range(1200))
    assert set(counts) == set(plain_distances(Sliding(range(4), "spiral").goal, 2, 2))
    assert min(counts.values()) >= 65 and max(counts.values()) <= 135


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**64), st.sampled_from(["2x2", "3x4", "4x4", "6x2"]), st.sampled_from(["blank-first", "spiral"]))
def test_a_random_board_can_be_solved_and_comes_again_with_its_seed(seed, size, goal):
    problem = Sliding.generate(seed, size=size, goal=goal)
    assert problem.solvable() and not problem.proved_unsolvable()
    assert f"{problem.rows}x{problem.columns}" == size
    assert problem.goal == Sliding(problem.board, goal, size).goal
    again = Sliding.generate(seed, size=size, goal=goal)
    assert again.board == problem.board


def test_other_seeds_give_other_boards_and_the_default_is_the_15_puzzle():
    boards = [Sliding.generate(seed) for seed in range(50)]
    assert len({problem.board for problem in boards}) == 50
    assert {(problem.rows, problem.columns, problem.goal[-1]) for problem in boards} == {(4, 4, 0)}


@pytest.mark.parametrize("moves", [0, 1, 2, 5, 6, 15])
def test_a_walk_has_so_many_moves_and_takes_none_straight_back(moves):
    distance = plain_distances(Sliding(range(9), "spiral").goal, 3, 3, depth=15)
    walks = [distance[Sliding.generate(seed, size="3x3", goal="spiral", moves=moves).board] for seed in range(40)]
    assert all(d <= moves and (moves - d) % 2 == 0 for d in walks)
    if moves <= 6:  # the shortest way round has 12 moves, so up to half of it there is no shorter way back
        assert set(walks) == {moves}


def test_what_the_generator_cannot_do_is_told():
    for options, message in [
        ({"size": "40x40"}, "size 40x40: expected at most 1024 cells"),
        ({"size": "1x9"}, "size 1x9: expected at least 2x2"),
        ({"goal": "sprial"}, "goal 'sprial': expected blank-last"),
        ({"moves": -1}, "moves=-1: expected a whole number from 0 to 1000000"),
        ({"moves": 2.5}, r"moves=2\.5: expected a whole number"),
    ]:
        with pytest.raises(InputError, match=f"^{message}"):
            Sliding.generate(0, **options)


def test_the_catalog_offers_what_generate_takes():
    options = {option.name: option.default for option in catalog.PUZZLES["sliding"].generator}
    assert options == {"size": "4x4", "goal": "blank-last", "moves": None}
    assert Sliding.generate(7, **options).board == Sliding.generate(7).board


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["2x2", "3x4", "4x4", "10x11"]))
def test_one_line_is_the_whole_board(seed, size):
    problem = Sliding.generate(seed, size=size)
    line = problem.board_text()
    assert "\n" not in line and line.isascii()
    read = Sliding.from_text(line)
    assert (read.board, read.rows) == (problem.board, problem.rows)


def test_with_options_keeps_the_board():
    problem = Sliding("1 2 3 4 5 0", "spiral", "2x3")
    other = problem.with_options(goal="blank-first")
    assert (other.board, other.rows, other.goal) == (problem.board, 2, (0, 1, 2, 3, 4, 5))
    turned = other.with_options(size="3x2")
    assert (turned.board, turned.rows, turned.goal) == (problem.board, 3, other.goal)
    assert problem.with_options().goal == problem.goal
    with pytest.raises(InputError, match="goal has 3 numbers"):
        problem.with_options(goal="1 2 0")


PICTURE = """\
┌────┬────┬────┬────┐
│  1 │  2 │  3 │  4 │
├────┼────┼────┼────┤
│ 12 │ 13 │ 14 │  5 │
├────┼────┼────┼────┤
│ 11 │    │ 15 │  6 │
├────┼────┼────┼────┤
│ 10 │  9 │  8 │  7 │
└────┴────┴────┴────┘"""


def test_a_board_is_drawn_in_boxes_with_an_empty_blank():
    problem = Sliding("1 2 3 4 12 13 14 5 11 0 15 6 10 9 8 7")
    assert problem.draw(problem.initial) == PICTURE


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["2x2", "3x5", "4x4", "5x2", "11x12"]))
def test_a_drawing_is_a_rectangle_that_holds_the_board(seed, size):
    problem = Sliding.generate(seed, size=size)
    lines = problem.draw(problem.initial).split("\n")
    assert len(lines) == 2 * problem.rows + 1 and len({len(line) for line in lines}) == 1
    cells = [cell.strip() for line in lines[1::2] for cell in line.strip("│").split("│")]
    assert [int(cell or 0) for cell in cells] == list(problem.board)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["2x2", "2x5", "3x4", "11x12"]))
def test_what_is_drawn_can_be_read_again(seed, size):
    problem = Sliding.generate(seed, size=size)
    drawn = problem.draw(problem.initial)
    for text in (drawn, drawn.translate(ASCII), problem.to_text(problem.initial)):
        read = Sliding.from_text(text)
        assert (read.board, read.rows) == (problem.board, problem.rows)


@pytest.mark.parametrize(
    "text", ["123405786", "123/405/786", "123 405 786", "123\n4.5\n786", "1 2 3 4 _ 5 7 8 6", "1,2,3,4,-,5,7,8,6"]
)
def test_digits_may_run_together_and_the_blank_has_several_signs(text):
    assert Sliding.from_text(text).board == (1, 2, 3, 4, 0, 5, 7, 8, 6)


def test_boards_of_digits_run_together_are_one_a_line():
    boards = tasks_of(choose_puzzle("sliding"), Source("123405786\n123456780\n0123\n"), {})
    assert [task.problem().board[:4] for task in boards] == [(1, 2, 3, 4), (1, 2, 3, 4), (0, 1, 2, 3)]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["2x2", "3x5", "4x4", "11x12"]))
def test_the_svg_is_xml_with_a_title_and_every_tile_in_its_place(seed, size):
    problem = Sliding.generate(seed, size=size, moves=20)
    svg = ElementTree.fromstring(problem.to_svg(problem.initial))
    assert svg.tag == f"{SVG}svg" and svg.get("role") == "img"
    title = svg.find(f"{SVG}title").text
    assert "blank" in title and f"{problem.rows} by {problem.columns}" in title
    tiles = [(int(text.get("y")), int(text.get("x")), int(text.text)) for text in svg.iter(f"{SVG}text")]
    assert [tile for _, _, tile in sorted(tiles)] == [tile for tile in problem.board if tile]
    width, height = float(svg.get("width")), float(svg.get("height"))
    assert svg.get("viewBox") == f"0 0 {width:g} {height:g}"
    for box in svg.iter(f"{SVG}rect"):
        assert float(box.get("x", 0)) + float(box.get("width")) <= width
        assert float(box.get("y", 0)) + float(box.get("height")) <= height


def test_the_svg_tints_tiles_at_their_goal_and_needs_nothing_from_outside():
    problem = Sliding("1 2 3 4 5 6 7 0 8")
    svg = problem.to_svg(problem.initial)
    inks = {text.text: text.get("fill") for text in ElementTree.fromstring(svg).iter(f"{SVG}text")}
    assert len({inks[tile] for tile in "1234567"}) == 1 and inks["8"] != inks["1"]
    assert "script" not in svg and "href" not in svg and "url(" not in svg and "@import" not in svg
