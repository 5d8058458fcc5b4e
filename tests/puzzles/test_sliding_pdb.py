"""Pattern databases of sliding boards: values against plain searches, lengths against A*, ``pdb`` under every limit."""

from __future__ import annotations

import threading
from collections import deque
from itertools import combinations, permutations, product
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sliding_boards import plain_moves

from procura import InputError, Limits, Outcome, Sliding, catalog, solve
from procura.debug import checked
from procura.puzzles.sliding import patterns
from procura.puzzles.sliding.databases import swapped, turn_row, turns_of, weights_of
from procura.puzzles.sliding.patterns import bit_table, block_count, layout, partition, value_table
from procura.puzzles.sliding.specialist import databases
from procura.rng import shuffled, stream

HARD = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
"""The first of Korf's boards, of 57 moves to the goal blank-first."""


def random_board(seed, shape, moves=None):
    """A board of a shape with a goal of its own, any that can be solved or so many moves from the goal."""
    rng = [stream(seed)]
    goal = shuffled(rng, range(shape[0] * shape[1]))
    return Sliding.generate(seed, size=shape, goal=goal, moves=moves)


def plain_values(turned, pattern):
    """Moves of the pattern's tiles from each (their cells, the blank's cell) to the goal; other moves cost nothing."""
    rows, columns = turned.shape
    others = len(pattern) + 1
    start = [others] * turned.cells
    for number, cell in enumerate(pattern, 1):
        start[cell] = number
    start[turned.blank] = 0
    value, queue = {tuple(start): 0}, deque([tuple(start)])
    while queue:
        cells = queue.popleft()
        blank = cells.index(0)
        for after in plain_moves(cells, rows, columns).values():
            counts = after[blank] != others
            if after not in value or value[after] > value[cells] + counts:
                value[after] = value[cells] + counts
                (queue.append if counts else queue.appendleft)(after)
    return {
        (tuple(cells.index(number) for number in range(1, others)), cells.index(0)): found
        for cells, found in value.items()
    }


def plain_numbers(turned, tiles):
    """The number of each (cells of the tiles in order, the blank's cell), counted in the order of the numbering."""
    columns = turned.columns
    number, block = {}, 0
    for chosen in sorted(combinations(range(turned.cells), tiles), key=lambda cells: cells[::-1]):
        left = [cell for cell in range(turned.cells) if cell not in chosen]
        while left:
            region = {left[0]}
            while more := {b for a in region for b in left if b not in region and beside(a, b, columns)}:
                region |= more
            for rank, order in enumerate(permutations(range(tiles))):
                places = tuple(chosen[order.index(tile)] for tile in range(tiles))
                number |= {(places, blank): block * factorial(tiles) + rank for blank in region}
            left = [cell for cell in left if cell not in region]
            block += 1
    return number, block


def beside(a, b, columns):
    return abs(a // columns - b // columns) + abs(a % columns - b % columns) == 1


def built(table):
    entries = memoryview(bytearray(table.length)).cast("b")
    table.build(entries, lambda part: None)
    return np.asarray(entries)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_values_and_bits_are_those_of_a_plain_search(data):
    rows, columns = data.draw(st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3), (2, 4)]))
    turned = layout(rows, columns, data.draw(st.integers(0, rows * columns - 1)))
    cells = [cell for cell in range(turned.cells) if cell != turned.blank]
    size = data.draw(st.integers(1, min(4, len(cells))))
    pattern = tuple(sorted(data.draw(st.permutations(cells))[:size]))
    number, blocks = plain_numbers(turned, size)
    assert block_count(*turned.shape, size) == blocks
    values = built(value_table(turned, (pattern,)))
    bits = np.unpackbits(built(bit_table(turned, (pattern,))).view(np.uint8), bitorder="little")
    found = plain_values(turned, pattern)
    assert {position: values[at] for position, at in number.items() if values[at] >= 0} == found
    assert all(bits[number[position]] == value >> 1 & 1 for position, value in found.items())


@pytest.mark.parametrize("reach", [1, 3, 4])
def test_a_tile_that_passes_others_changes_the_rank_as_the_permutation_does(reach):
    orders = list(permutations(range(5)))
    rows, weights = turns_of(5, reach).reshape(-1, len(orders)), weights_of(5)
    for slot, end in product(range(5), repeat=2):
        if abs(end - slot) > reach:
            continue
        for rank, order in enumerate(orders):
            after = list(order)
            after.insert(end, after.pop(slot))
            assert orders[rows[turn_row(slot, end, reach)][rank]] == tuple(after)
            if end == slot + 1:
                assert orders[swapped(rank, slot, 5, weights, 0)] == tuple(after)


def test_the_known_numbers_of_blocks_are_right():
    small = {key: count for key, count in patterns.KNOWN_BLOCKS.items() if count < 20_000}
    assert small == {key: patterns.counted_blocks(*key) for key in small}


@pytest.mark.slow
def test_all_known_numbers_of_blocks_are_right():
    assert {key: patterns.counted_blocks(*key) for key in patterns.KNOWN_BLOCKS} == patterns.KNOWN_BLOCKS


class TestTables:
    def test_goals_whose_blanks_lie_alike_share_a_table_and_no_others_do(self):
        purposes = {}
        for blank in range(16):
            turned = layout(4, 4, blank)
            purposes[blank] = bit_table(turned, partition(turned, (6, 6, 3))).purpose
        corners, inner = {0, 3, 12, 15}, {5, 6, 9, 10}
        for alike in (corners, inner, set(range(16)) - corners - inner):
            assert {blank for blank in purposes if purposes[blank] == purposes[min(alike)]} == alike

    def test_every_partition_has_a_table_of_its_own(self):
        turned = layout(4, 4, 0)
        sizes = [(6, 6, 3), (5, 5, 5), (3, 6, 6), (4, 4, 4, 3)]
        assert len({bit_table(turned, partition(turned, one)).name for one in sizes}) == len(sizes)

    @pytest.mark.parametrize("shape", [(2, 2), (2, 5), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (5, 5), (3, 8), (2, 12)])
    def test_a_partition_holds_every_tile_once(self, shape):
        for blank in range(shape[0] * shape[1]):
            turned = layout(*shape, blank)
            parts = partition(turned, patterns.small_sizes(turned.cells))
            tiles = sorted(cell for part in parts for cell in part)
            assert tiles == [cell for cell in range(turned.cells) if cell != turned.blank]

    def test_auto_takes_the_large_partition_once_it_is_built(self, tmp_path, monkeypatch):
        monkeypatch.setenv("PROCURA_CACHE", str(tmp_path))
        monkeypatch.setitem(patterns.LARGE_SIZES, (3, 3), (4, 4))
        board = Sliding.generate(3, size="3x3")
        assert len(databases(board, "auto")[1]) == 1
        solve(board, "pdb", engine="compiled", partition="4-4")
        assert len(databases(board, "auto")[1]) == 2


class TestAnswers:
    @pytest.mark.parametrize("seed", range(8))
    def test_small_boards_with_random_goals_are_solved_as_astar_solves_them(self, seed):
        for shape, moves in (((2, 3), None), ((3, 3), None), ((4, 3), 26), ((3, 4), 26), ((4, 4), 24)):
            board = random_board(seed, shape, moves)
            result, least = solve(board, "pdb"), solve(board, "astar:manhattan", engine="python").cost
            assert (result.cost, result.optimal, result.bound) == (least, True, least)

    @pytest.mark.slow
    @pytest.mark.parametrize("shape", [(3, 3), (3, 4), (4, 4)])
    def test_a_hundred_boards_with_random_goals_are_solved_as_astar_solves_them(self, shape):
        for seed in range(100):
            board = random_board(1000 + seed, shape, 40 if shape == (4, 4) else None)
            assert solve(board, "pdb", engine="compiled").cost == solve(board, "astar:linear_conflict").cost

    @pytest.mark.parametrize("sizes", ["5-5-5", "6-6-3", "4-4-4-3"])
    @pytest.mark.parametrize("goal", ["blank-last", "blank-first", "spiral"])
    def test_any_partition_gives_the_same_length(self, sizes, goal):
        board = Sliding.generate(5, goal=goal, moves=40)
        assert (
            solve(board, "pdb", engine="compiled", partition=sizes).cost == solve(board, "idastar:linear_conflict").cost
        )

    @pytest.mark.parametrize("seed", range(20))
    def test_the_first_bound_is_the_heuristic_of_the_same_patterns(self, seed):
        board = random_board(seed, [(3, 3), (3, 4), (4, 4), (4, 4)][seed % 4], 60)
        seen = []
        solve(board, "pdb", engine="compiled", on_event=seen.append, events=["bound"], partition=small(board))
        assert seen[0].value == board.estimate("pdb")

    @pytest.mark.slow
    def test_astar_reads_the_same_values_on_both_engines(self):
        board = Sliding.generate(2, goal="spiral", moves=30)
        runs = [solve(board, "astar:pdb", engine=engine) for engine in ("python", "compiled")]
        assert runs[0].actions == runs[1].actions and runs[0].optimal
        assert runs[0].stats.expanded == runs[1].stats.expanded < solve(board, "astar:manhattan").stats.expanded

    @pytest.mark.parametrize("shape", [(3, 3), (4, 4)])
    def test_large_patterns_whose_ranks_are_followed_without_a_table_give_the_same_search(self, shape, monkeypatch):
        from procura.puzzles.sliding import pdb

        board, runs = random_board(6, shape, 40), []
        for most in (pdb.MOST_TURNED, 0):
            monkeypatch.setattr(pdb, "MOST_TURNED", most)
            pdb._shared.cache_clear()
            pdb._maps.cache_clear()
            runs.append(solve(board, "pdb", engine="compiled", partition=small(board)))
        pdb._shared.cache_clear()
        pdb._maps.cache_clear()
        assert runs[0].actions == runs[1].actions
        assert runs[0].stats.expanded == runs[1].stats.expanded

    def test_a_full_table_leads_straight_to_the_goal(self):
        result = solve(Sliding.generate(7, size="3x3"), "pdb", engine="compiled")
        assert result.stats.expanded == result.cost

    def test_a_solved_board_needs_no_move(self):
        result = solve(Sliding([1, 2, 3, 4, 5, 6, 7, 8, 0]), "pdb", engine="compiled")
        assert (result.cost, result.optimal, result.stats.expanded) == (0, True, 0)

    def test_a_board_of_the_wrong_parity_has_no_solution(self):
        assert solve(Sliding("2 1 3 4 5 6 7 8 0"), "pdb", engine="compiled").outcome is Outcome.NO_SOLUTION

    def test_the_24_puzzle_near_its_goal(self):
        board = Sliding.generate(4, size="5x5", moves=40)
        assert solve(board, "pdb", engine="compiled").cost == solve(board, "idastar:linear_conflict").cost


def small(board):
    return "-".join(map(str, patterns.small_sizes(len(board.goal))))


class TestARun:
    def test_threads_find_a_solution_of_the_same_length(self, monkeypatch):
        from procura.puzzles.sliding import pdb

        monkeypatch.setattr(pdb, "SERIAL_SECONDS", -1.0)
        board = Sliding(HARD, "blank-first")
        result = solve(board, "pdb", engine="compiled", jobs=2, partition="6-6-3")
        assert (result.cost, result.optimal) == (57, True)

    def test_a_limit_on_nodes_is_kept_and_the_bound_reported(self):
        board = Sliding(HARD, "blank-first")
        for jobs in (1, 2):
            result = solve(board, "pdb", engine="compiled", partition="6-6-3", jobs=jobs, limits=Limits(nodes=50))
            assert (result.outcome, result.stopped_by, result.stats.expanded) == ("not_found", "nodes", 50)
            assert 41 <= result.bound < 57

    def test_a_limit_on_depth_below_the_length_is_met(self):
        board = Sliding(HARD, "blank-first")
        result = solve(board, "pdb", engine="compiled", partition="6-6-3", limits=Limits(depth=45))
        assert (result.outcome, result.stopped_by) == ("not_found", "depth")
        assert solve(board, "pdb", engine="compiled", partition="6-6-3", limits=Limits(depth=57)).cost == 57

    def test_it_can_be_cancelled(self):
        cancel = threading.Event()
        cancel.set()
        result = solve(Sliding(HARD, "blank-first"), "pdb", engine="compiled", cancel=cancel)
        assert (result.outcome, result.stopped_by) == ("not_found", "cancelled")

    @pytest.mark.parametrize(("limits", "why"), [(Limits(seconds=1e-9), "time"), (Limits(memory=1), "memory")])
    def test_limits_hold_while_databases_are_built(self, limits, why, tmp_path, monkeypatch):
        monkeypatch.setenv("PROCURA_CACHE", str(tmp_path))
        result = solve(Sliding(HARD, "blank-first"), "pdb", engine="compiled", partition="5-4-3-3", limits=limits)
        assert (result.outcome, result.stopped_by) == ("not_found", why)

    @pytest.mark.slow
    def test_with_every_index_checked_the_answers_are_the_same(self):
        for shape in ((3, 3), (3, 4)):
            board = random_board(3, shape)
            usual = solve(board, "pdb", engine="compiled")
            with checked():
                result = solve(board, "pdb", engine="compiled")
                assert board.estimate("pdb") <= result.cost
            assert (result.actions, result.stats.expanded) == (usual.actions, usual.stats.expanded)

    def test_interpreted_it_has_a_stand_in(self):
        result = solve(Sliding("1 2 3 4 5 6 7 0 8"), "auto", engine="python")
        assert (result.algorithm, result.engine, result.cost) == ("anytime", "python", 1)

    def test_boards_it_cannot_take_have_the_stand_in_too(self):
        board = Sliding.generate(1, size="6x6", moves=6)
        assert solve(board, engine="python").algorithm == "anytime"
        with pytest.raises(InputError, match=r"^Sliding has 36 cells: pdb takes boards of up to 25$"):
            solve(board, "pdb", engine="compiled")

    @pytest.mark.parametrize("text", ["7-7", "x", "6-6-3-", "0-15", "16--1"])
    def test_a_partition_must_hold_all_tiles(self, text):
        with pytest.raises(InputError, match=r"expected patterns of 15 tiles in all, such as 6-6-3$"):
            solve(Sliding(HARD), "pdb", engine="compiled", partition=text)

    def test_a_partition_that_is_too_large_is_refused(self):
        with pytest.raises(InputError, match=r"^partition 9-6: a pattern of 9 tiles has 4,151,347,200 positions"):
            solve(Sliding(HARD), "pdb", engine="compiled", partition="9-6")

    def test_it_is_in_the_catalog(self):
        assert "pdb" in catalog.PUZZLES["sliding"].specialists and Sliding.auto == "pdb"


def test_a_board_that_takes_long_has_an_answer_with_its_bound(monkeypatch):
    monkeypatch.setattr("procura.puzzles.sliding.pdb.ALONE", 1000)
    board = Sliding("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1")
    for jobs in (1, 2):
        result = solve(board, "pdb", engine="compiled", jobs=jobs, limits=Limits(nodes=4_000_000))
        assert result.solved and result.cost >= 80 and result.bound <= 80 and not result.optimal


@pytest.mark.slow
def test_a_24_puzzle_has_an_answer_with_its_bound_at_once():
    result = solve(Sliding.generate(0, size="5x5"), "pdb", engine="compiled", limits=Limits(nodes=500_000))
    assert result.solved and result.bound < result.cost and not result.optimal


def test_taking_turns_with_beams_proves_the_same(monkeypatch):
    board = Sliding("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", goal="blank-first")
    alone = solve(board, "pdb", engine="compiled")
    monkeypatch.setattr("procura.puzzles.sliding.pdb.ALONE", 100)
    assert (solve(board, "pdb", engine="compiled").cost, alone.cost, alone.optimal) == (57, 57, True)
