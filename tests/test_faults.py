"""A kernel that goes outside a row or its values is told in debug, on both engines, with its file and line."""

import inspect
import re

import pytest
from processes import run

from procura import ArrayProblem, Data, Estimate, Limits, kernel, solve, testing
from procura.debug import checked
from procura.errors import KernelFault
from procura.rng import below


class Ladder(ArrayProblem):
    """Climb without end by ones; each test breaks it in one place, some steps from the start."""

    def __init__(self, **options):
        super().__init__(**{"size": 2, "key": 1, "max_moves": 2, "dtype": "int16", "data": Data(top=[9]), **options})

    def start(self):
        return [0, 0]

    @kernel
    def moves(s, data, work, out):
        out[0], out[1] = 1, 2
        return 2

    @kernel
    def apply(s, data, work, move):
        s[0] += move
        return 1

    @kernel
    def solved(s, data, work):
        return s[0] == 1000


class PastOut(Ladder):
    @kernel
    def moves(s, data, work, out):
        for i in range(2 if s[0] < 9 else 3):
            out[i] = i + 1  # the third is too many
        return 2


class PastWork(Ladder):
    @kernel
    def solved(s, data, work):
        work[s[0] // 9] = 1  # scratch is one
        return False


class PastData(Ladder):
    @kernel
    def solved(s, data, work):
        return data.top[s[0] // 9] == 0  # there is one top


def large(at):
    return at + 30_000


class KeyOverflows(Ladder):
    @kernel
    def apply(s, data, work, move):
        s[0] = s[0] + move if s[0] < 9 else large(large(s[0]))  # too large for 16 bits
        return 1


class PayloadOverflows(Ladder):
    @kernel
    def apply(s, data, work, move):
        s[0] += move
        if s[0] > 9:
            s[1] = -large(s[0]) - 5_000  # too small for 16 bits
        return 1


class BitsOverflow(Ladder):
    def __init__(self):
        super().__init__(bits=4)

    @kernel
    def apply(s, data, work, move):
        s[0] += move  # beyond 15 at some time
        return 1


def past(s, data, work):
    return data.top[s[0] // 9]  # there is one top


class PastDataInAHeuristic(Ladder):
    heuristics = {"past": Estimate(past)}


FAULTS = {
    PastOut: "out[2]: max_moves is 2",
    PastWork: "work[1]: scratch is 1",
    PastData: "data.top[1]: its length is 1",
    KeyOverflows: "does not fit int16",
    PayloadOverflows: "does not fit int16",
    BitsOverflow: "s[0]: 16 does not fit 4 bits",
    PastDataInAHeuristic: "data.top[1]: its length is 1",
}


def assert_tells(message, cls):
    """That the message names the kernel, this file and the line with the comment, and what was done there."""
    source = inspect.getsource(past if cls is PastDataInAHeuristic else cls).splitlines()
    expected = next(line for line in source if "#" in line)
    file, line = re.search(r"\((.+), line (\d+)\)", message).groups()
    with open(file) as lines:
        assert lines.readlines()[int(line) - 1].rstrip("\n") == expected
    kernel = "past" if cls is PastDataInAHeuristic else cls.__name__
    assert message.startswith(f"kernel {kernel}") and FAULTS[cls] in message and "\n" not in message


@pytest.mark.parametrize("cls", list(FAULTS))
def test_it_is_told_in_an_interpreted_run(cls):
    with checked(), pytest.raises(KernelFault) as raised:
        solve(cls(), "astar:past" if cls is PastDataInAHeuristic else "bfs", engine="python")
    assert_tells(str(raised.value), cls)


@pytest.mark.parametrize("cls", list(FAULTS))
def test_it_is_told_by_check(cls):
    with pytest.raises(testing.ConformanceError) as raised:
        testing.check(cls(), engines=False)
    assert_tells(str(raised.value), cls)


SOME = [(PastOut, "bfs"), (KeyOverflows, "bfs"), (PayloadOverflows, "idastar"), (BitsOverflow, "idastar")]
OTHERS = ("dfs", "dfs,tree=true", "astar", "astar,tree=true", "beam,width=5", "greedy:past")
MORE = [
    (cls, configuration)
    for cls in FAULTS
    for configuration in OTHERS
    if (cls is PastDataInAHeuristic) == configuration.endswith(":past")
]


@pytest.mark.parametrize(
    ("cls", "configuration"), [*SOME, *(pytest.param(*each, marks=pytest.mark.slow) for each in MORE)]
)
def test_it_is_told_in_a_compiled_run(cls, configuration):
    with checked(), pytest.raises(KernelFault) as raised:
        solve(cls(), configuration, engine="compiled", limits=Limits(depth=200))
    assert_tells(str(raised.value), cls)


class Candidate(Ladder):
    """A local view whose moves overflow."""

    @kernel
    def randomise(s, data, work, rng):
        s[0] = 1 + below(rng, 10)

    @kernel
    def propose(s, data, work, rng):
        return below(rng, 2)

    @kernel
    def change(s, data, work, move):
        s[1] = s[0]
        s[0] = large(large(s[0] - move))  # too large for 16 bits
        return -1

    @kernel
    def revert(s, data, work, move):
        s[0] = s[1]

    @kernel
    def energy(s, data, work):
        return s[0]

    @kernel
    def solved(s, data, work):
        return s[0] == 0

    @kernel
    def cross(a, b, child, data, work, rng):
        child[0] = a[0]


FAULTS[Candidate] = "does not fit int16"
LOCAL = ["hill", *(pytest.param(name, marks=pytest.mark.slow) for name in ("annealing", "genetic,population=5"))]


@pytest.mark.parametrize("configuration", LOCAL)
def test_it_is_told_in_a_compiled_local_search(configuration):
    with checked(), pytest.raises(KernelFault) as raised:
        solve(Candidate(), configuration, engine="compiled", seed=1)
    assert_tells(str(raised.value), Candidate)


def test_errors_outside_kernels_are_nobody_s_fault_but_their_own():
    def cancel():
        raise IndexError("of the caller's own")

    for engine in ("python", "compiled"):
        with checked(), pytest.raises(IndexError, match="of the caller's own"):
            solve(Ladder(), "bfs", engine=engine, cancel=cancel)


def test_the_command_line_tells_it_in_a_sentence(tmp_path, monkeypatch):
    source = inspect.getsource(Ladder).replace("s[0] += move", "s[0] += 5000 * move")
    place = tmp_path / "ladder.py"
    place.write_text(f"from procura import ArrayProblem, Data, kernel\n\n\n{source}")
    monkeypatch.setenv("PROCURA_DEBUG", "1")
    process = run("solve", f"{place}:Ladder", "--with", "bfs")
    line = 1 + place.read_text().splitlines().index("        s[0] += 5000 * move")
    assert (process.returncode, process.out) == (2, "")
    assert process.err.splitlines()[-1] == (
        f"procura: kernel Ladder.apply goes outside a row or its values ({place}, line {line}): "
        "s[0]: 35000 does not fit int16"
    )
