"""The techniques by which people solve Sudokus, from the easiest to the hardest.

Each is a function of a ``Grid`` that returns the first ``Step`` it finds, or None. A step changes something: it
writes a digit or strikes out at least one candidate. Each holds for every solution of the grid, however many it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from procura.puzzles.sudoku.candidates import (
    Grid,
    Step,
    Unit,
    cell_name,
    cell_names,
    digit_names,
    digits_of,
    struck,
)
from procura.puzzles.sudoku.formats import SYMBOLS

Technique = Callable[[Grid], Step | None]


def hidden_single(grid: Grid) -> Step | None:
    """A digit has one place in a unit."""
    for unit in grid.geometry.units:
        once, twice = 0, 0
        for cell in unit.cells:
            twice |= once & grid.candidates[cell]
            once |= grid.candidates[cell]
        for digit in digits_of(once & ~twice):
            return _hidden(grid, unit, grid.places(unit, digit)[0], digit)
    return None


def _hidden(grid: Grid, unit: Unit, cell: int, digit: int) -> Step:
    reason = f"in {unit.name} only {cell_name(cell, grid.side)} can hold {SYMBOLS[digit]}"
    return Step("hidden single", reason, placed=((cell, digit),), marked=(unit.cells,))


def naked_single(grid: Grid) -> Step | None:
    """A cell has one candidate."""
    for cell, bits in enumerate(grid.candidates):
        if bits and not bits & (bits - 1):
            return _naked(grid, cell)
    return None


def _naked(grid: Grid, cell: int) -> Step:
    digit = grid.candidates[cell].bit_length()
    reason = f"{cell_name(cell, grid.side)} has no candidate but {SYMBOLS[digit]}"
    return Step("naked single", reason, placed=((cell, digit),), marked=((cell,),))


def single_at(grid: Grid, cell: int) -> Step | None:
    """A hidden or naked single of one cell."""
    for unit in grid.geometry.units_of[cell]:
        for digit in digits_of(grid.candidates[cell]):
            if grid.places(unit, digit) == (cell,):
                return _hidden(grid, unit, cell, digit)
    return _naked(grid, cell) if grid.candidates[cell].bit_count() == 1 else None


def locked_candidates(grid: Grid) -> Step | None:
    """All places of a digit in one unit lie in another, which has the digit nowhere else then."""
    for unit in grid.geometry.units:
        lines = grid.geometry.rows + grid.geometry.columns if unit in grid.geometry.blocks else grid.geometry.blocks
        for digit in digits_of(_lacking(grid, unit)):
            places = grid.places(unit, digit)
            for other in lines:
                if places and set(places) <= set(other.cells):
                    removed = grid.holding(set(other.cells) - set(places), 1 << (digit - 1))
                    if removed:
                        where = cell_names(places, grid.side)
                        reason = (
                            f"in {unit.name} all places for {SYMBOLS[digit]} lie in {other.name}, {where}: "
                            + struck(removed, grid.side)
                        )
                        return Step("locked candidates", reason, removed=removed, marked=(places,))
    return None


def _lacking(grid: Grid, unit: Unit) -> int:
    """The digits that stand nowhere in a unit yet, as bits."""
    held = 0
    for cell in unit.cells:
        held |= grid.candidates[cell]
    return held


def naked_subset(size: int) -> Technique:
    """So many cells of a unit that have no more candidates between them: the rest of the unit has none of these."""
    name = f"naked {SUBSETS[size]}"

    def find(grid: Grid) -> Step | None:
        for unit in grid.geometry.units:
            few = [cell for cell in unit.cells if 2 <= grid.candidates[cell].bit_count() <= size]
            for cells in combinations(few, size):
                bits = 0
                for cell in cells:
                    bits |= grid.candidates[cell]
                if bits.bit_count() == size:
                    removed = grid.holding(set(unit.cells) - set(cells), bits)
                    if removed:
                        where = cell_names(cells, grid.side)
                        reason = f"in {unit.name}, {where} hold {digit_names(bits)} between them: "
                        return Step(name, reason + struck(removed, grid.side), removed=removed, marked=(cells,))
        return None

    return find


def hidden_subset(size: int) -> Technique:
    """So many digits that have no more places in a unit between them: those cells hold nothing else."""
    name = f"hidden {SUBSETS[size]}"

    def find(grid: Grid) -> Step | None:
        for unit in grid.geometry.units:
            places = {digit: grid.places(unit, digit) for digit in digits_of(_lacking(grid, unit))}
            few = [digit for digit, cells in places.items() if 2 <= len(cells) <= size]
            for digits in combinations(few, size):
                cells = tuple(sorted({cell for digit in digits for cell in places[digit]}))
                if len(cells) == size:
                    bits = sum(1 << (digit - 1) for digit in digits)
                    removed = grid.holding(cells, ~bits)
                    if removed:
                        where = cell_names(cells, grid.side)
                        reason = f"in {unit.name} the digits {digit_names(bits)} have no places but {where}: "
                        return Step(name, reason + struck(removed, grid.side), removed=removed, marked=(cells,))
        return None

    return find


def fish(size: int) -> Technique:
    """A digit has its places in so many rows in no more columns: it stands there once in each, and nowhere else in
    these columns. The same with columns and rows.
    """
    name = FISH[size]

    def find(grid: Grid) -> Step | None:
        rows, columns = grid.geometry.rows, grid.geometry.columns
        for digit in range(1, grid.side + 1):
            for lines, crossing in ((rows, columns), (columns, rows)):
                step = _fish_of(grid, name, size, digit, lines, crossing)
                if step is not None:
                    return step
        return None

    return find


def _fish_of(
    grid: Grid, name: str, size: int, digit: int, lines: Sequence[Unit], crossing: Sequence[Unit]
) -> Step | None:
    numbers: dict[Unit, set[int]] = {}
    for line in lines:
        found = {number for number, cell in enumerate(line.cells) if grid.has(cell, digit)}
        if 2 <= len(found) <= size:
            numbers[line] = found
    for chosen in combinations(numbers, size):
        across = sorted(set().union(*(numbers[line] for line in chosen)))
        if len(across) == size:
            places = tuple(line.cells[number] for line in chosen for number in across if number in numbers[line])
            removed = grid.holding(
                {cell for number in across for cell in crossing[number].cells} - set(places), 1 << (digit - 1)
            )
            if removed:
                reason = (
                    f"{SYMBOLS[digit]} has no places in {_together(chosen)} but those in "
                    f"{_together([crossing[number] for number in across])}: {struck(removed, grid.side)}"
                )
                return Step(name, reason, removed=removed, marked=(places,))
    return None


def _together(lines: Sequence[Unit]) -> str:
    """Several rows, or several columns, in words."""
    kind = lines[0].name.split()[0]
    numbers = [line.name.split()[1] for line in lines]
    return f"{kind}s {', '.join(numbers[:-1])} and {numbers[-1]}"


def xy_wing(grid: Grid) -> Step | None:
    """A cell xy sees a cell xz and a cell yz: one of the two is z, whichever the first is."""
    pairs = [cell for cell, bits in enumerate(grid.candidates) if bits.bit_count() == 2]
    peers = grid.geometry.peers
    for pivot in pairs:
        seen = [cell for cell in pairs if cell in peers[pivot] and grid.candidates[cell] != grid.candidates[pivot]]
        for one, other in combinations(seen, 2):
            shared = grid.candidates[one] & grid.candidates[other]
            if (grid.candidates[one] ^ grid.candidates[other]) == grid.candidates[pivot] and shared:
                removed = grid.holding(peers[one] & peers[other] - {pivot}, shared)
                if removed:
                    names = [cell_name(cell, grid.side) for cell in (pivot, one, other)]
                    first, second, third = (digit_names(grid.candidates[c], "or") for c in (pivot, one, other))
                    reason = (
                        f"{names[0]} is {first}, {names[1]} {second}, {names[2]} {third}: whichever {names[0]} is, "
                        f"{names[1]} or {names[2]} is {digit_names(shared)}, and {struck(removed, grid.side)}"
                    )
                    return Step("XY-wing", reason, removed=removed, marked=((pivot,), (one, other)))
    return None


def simple_colouring(grid: Grid) -> Step | None:
    """Places of a digit joined by units that have two of them: of each chain one colour is true, the other false."""
    for digit in range(1, grid.side + 1):
        for chain in _chains(grid, digit):
            step = _colour_seen_twice(grid, digit, chain) or _both_colours_seen(grid, digit, chain)
            if step is not None:
                return step
    return None


def _chains(grid: Grid, digit: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Places of a digit that exclude each other in turn, in two colours: exactly one colour holds the digit."""
    joined: dict[int, set[int]] = {}
    for unit in grid.geometry.units:
        places = grid.places(unit, digit)
        if len(places) == 2:
            joined.setdefault(places[0], set()).add(places[1])
            joined.setdefault(places[1], set()).add(places[0])
    colour: dict[int, int] = {}
    for start in joined:
        if start in colour:
            continue
        colour[start] = 0
        chain = [start]
        for cell in chain:
            for other in joined[cell]:
                if other not in colour:
                    colour[other] = 1 - colour[cell]
                    chain.append(other)
        yield tuple(c for c in chain if not colour[c]), tuple(c for c in chain if colour[c])


def _colour_seen_twice(grid: Grid, digit: int, chain: tuple[tuple[int, ...], tuple[int, ...]]) -> Step | None:
    """Two places of one colour see each other: it is the false one."""
    for false, true in (chain, chain[::-1]):
        for one, other in combinations(false, 2):
            if other in grid.geometry.peers[one]:
                removed = grid.holding(false, 1 << (digit - 1))
                names = cell_names((one, other), grid.side)
                reason = f"{_chain_words(grid, digit, true, false)}; {names} of the second see each other: " + struck(
                    removed, grid.side
                )
                return Step("simple colouring", reason, removed=removed, marked=(true, false))
    return None


def _both_colours_seen(grid: Grid, digit: int, chain: tuple[tuple[int, ...], tuple[int, ...]]) -> Step | None:
    """A place outside the chain sees both colours: one of them is true."""
    one, other = (set().union(*(grid.geometry.peers[cell] for cell in colour)) for colour in chain)
    removed = grid.holding((one & other) - set(chain[0]) - set(chain[1]), 1 << (digit - 1))
    if not removed:
        return None
    seeing = cell_names((cell for cell, _ in removed), grid.side)
    verb = "sees" if len(removed) == 1 else "see"
    reason = f"{_chain_words(grid, digit, *chain)}; {seeing} {verb} both: {struck(removed, grid.side)}"
    return Step("simple colouring", reason, removed=removed, marked=chain)


def _chain_words(grid: Grid, digit: int, one: Sequence[int], other: Sequence[int]) -> str:
    first, second = cell_names(sorted(one), grid.side), cell_names(sorted(other), grid.side)
    return f"{SYMBOLS[digit]} stands either in {first} or in {second}"


SUBSETS = {2: "pair", 3: "triple", 4: "quad"}
FISH = {2: "X-wing", 3: "swordfish"}

TECHNIQUES: dict[str, Technique] = {
    "hidden single": hidden_single,
    "naked single": naked_single,
    "locked candidates": locked_candidates,
    "naked pair": naked_subset(2),
    "hidden pair": hidden_subset(2),
    "naked triple": naked_subset(3),
    "hidden triple": hidden_subset(3),
    "naked quad": naked_subset(4),
    "hidden quad": hidden_subset(4),
    "X-wing": fish(2),
    "swordfish": fish(3),
    "XY-wing": xy_wing,
    "simple colouring": simple_colouring,
}
"""Every technique by name, the easiest first; a guess comes after all of them."""
