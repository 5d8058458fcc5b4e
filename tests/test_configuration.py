"""A configuration is a value: parsed once, merged, resolved for a puzzle, printed one way."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings, strategies as st

from procura import Configuration, InputError, Preset, Problem, Sliding, Sudoku, Tetris, catalog, heuristic, solve
from procura.configuration import configurations

BOARD = "1 2 3 4 5 6 7 0 8"
OPTIONS = [(info.name, option) for info in catalog.ALGORITHMS.values() for option in info.options]


def parsed(text: str) -> Configuration:
    return Configuration.parse(text)


def value_of(option: catalog.Option) -> st.SearchStrategy[object]:
    """Values that an option takes."""
    if option.kind == "choice":
        return st.sampled_from(option.choices)
    if option.kind == "bool":
        return st.booleans()
    if option.kind == "text":
        return st.sampled_from(["blocks", "bands"])
    low = max(option.low, -1000)
    kind = st.integers(math.ceil(low), int(min(option.high, 5000)))
    return kind if option.kind == "int" else kind | st.floats(low, min(option.high, 5000))


@st.composite
def searches(draw: st.DrawFn) -> Configuration:
    """Any algorithm with any of its options, and a heuristic if it uses one."""
    info = draw(st.sampled_from(list(catalog.ALGORITHMS.values())))
    chosen = draw(st.lists(st.sampled_from(info.options), unique=True))
    h = draw(st.sampled_from([None, "manhattan", "max(a, 0.5*b) + 1"])) if info.uses_heuristic else None
    options = tuple((option.name, draw(value_of(option))) for option in chosen)
    return Configuration(info.name, None if h is None else heuristic(h), options)


@settings(max_examples=200, deadline=None)
@given(searches())
def test_what_is_printed_is_read_as_the_same_value(configuration):
    again = Configuration.parse(str(configuration))
    assert again == configuration and hash(again) == hash(configuration)
    assert again.all_options == configuration.all_options


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("astar", "astar"),
        (" astar : manhattan , ties = fifo ", "astar:manhattan,ties=fifo"),
        ("astar:manhattan,ties=lifo,tree=no,weight=1", "astar:manhattan"),
        ("astar,weight=1.50,ties=fifo,tree=YES", "astar,tree=true,ties=fifo,weight=1.5"),
        ("beam:max(a, b),width=1e3,order=h", "beam:max(a, b),order=h"),
        ("genetic,restarts=none,rounds=none", "genetic,restarts=none"),
        ("auto,ties=lifo", "auto,ties=lifo"),
        ("report2_best,cut=9000", "report2_best,cut=9000"),
    ],
)
def test_a_configuration_is_printed_one_way(text, canonical):
    assert str(parsed(text)) == canonical
    assert repr(parsed(text)) == f"Configuration.parse({canonical!r})"
    assert parsed(canonical) == parsed(text)


def test_options_of_what_only_a_puzzle_knows_are_kept_as_they_are_written():
    beside = Configuration.parse("auto", None, {"tree": True, "cut": None, "weight": 0.1})
    assert beside == parsed(str(beside)) == parsed("auto,tree=true,cut=none,weight=0.1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "configuration '': expected ALGORITHM[:HEURISTIC][,option=value...]"),
        ("astar:", "configuration 'astar:': expected ALGORITHM[:HEURISTIC][,option=value...]"),
        ("astar,ties", "configuration 'astar,ties': expected option=value, got 'ties'"),
        ("astar,ties=fifo,ties=lifo", "configuration 'astar,ties=fifo,ties=lifo': ties is given twice"),
        ("astar,ties=best", "option ties='best': expected lifo or fifo or high_g or low_g"),
        ("bfs:manhattan", "bfs uses no heuristic: leave 'manhattan' out or take another algorithm"),
        ("dfs,width=3", "dfs has no option 'width': expected one of early_goal, successors, tree"),
        ("astar:man hattan", "heuristic 'man hattan', character 5: 'hattan' was not expected here"),
    ],
)
def test_what_needs_no_puzzle_is_refused_at_once(text, message):
    with pytest.raises(InputError) as raised:
        parsed(text)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("text", "puzzle", "message"),
    [
        ("astra", Sliding, "there is no algorithm 'astra': did you mean 'astar'?"),
        ("report_astr", Sudoku, "there is no algorithm 'report_astr': did you mean 'report_astar'?"),
        ("astar:manhatan", Sliding, "sliding has no heuristic 'manhatan': did you mean 'manhattan'?"),
        ("auto:manhatan", Sliding, "sliding has no heuristic 'manhatan': did you mean 'manhattan'?"),
        ("report_astar:empty", Sudoku, "heuristic 'empty': report_astar names a heuristic already"),
        ("fewest:empty", Sudoku, "dfs uses no heuristic: leave 'empty' out or take another algorithm"),
        ("fewest,width=3", Sudoku, "dfs has no option 'width': expected one of early_goal, successors, tree"),
    ],
)
def test_what_needs_no_board_is_refused_for_the_class(text, puzzle, message):
    with pytest.raises(InputError) as raised:
        parsed(text).resolve(puzzle)
    assert str(raised.value) == message


def test_what_is_said_twice_is_refused_with_its_place():
    with pytest.raises(InputError, match="option ties=fifo: ties is given twice, here and in 'astar,ties=lifo'"):
        solve(Sliding(BOARD), "astar,ties=lifo", ties="fifo")
    with pytest.raises(InputError, match="heuristic 'misplaced': 'astar:manhattan' names a heuristic already"):
        parsed("astar:manhattan").merged("misplaced")
    with pytest.raises(InputError, match="option ties=lifo: ties is given twice, here and in 'astar,ties=fifo'"):
        parsed("astar,ties=fifo").merged(options={"ties": "lifo"})


def test_a_preset_resolves_to_its_search_with_what_is_said_otherwise():
    search = parsed("report2_best,cut=9000,ties=lifo")
    preset = search.preset(Tetris)
    assert preset is Tetris.presets["report2_best"] and preset.options == {"cost": "opportunity"}
    own, found = parsed(preset.configuration), search.resolve(Tetris)
    assert (found.algorithm, found.heuristic) == (own.algorithm, own.heuristic)
    assert found.all_options == {**own.all_options, "cut": 9000.0, "ties": "lifo"}
    assert parsed("astar").preset(Tetris) is None


def test_auto_is_what_the_board_says_and_stays_on_a_class():
    problem, auto = Sliding(BOARD), parsed("auto")
    assert str(auto.resolve(problem)) == problem.auto
    assert auto.resolve(Sliding) == auto
    assert parsed("auto:misplaced").resolve(problem).heuristic.text == "misplaced"


class Own(Problem):
    """A line to walk along, with searches of its own."""

    initial = 0
    presets = {
        "best": Preset("auto,tree=true", "whatever is best, in a tree"),
        "bare": Preset("astar,ties=fifo", "without a heuristic"),
        "dfs": Preset("bfs", "not what the name says"),
    }

    def actions(self, state):
        return [1]

    def result(self, state, action):
        return state + action

    def is_goal(self, state):
        return state == 3


def test_a_preset_may_be_auto_leave_the_heuristic_open_and_go_before_an_algorithm():
    own = Own()
    own.auto = "dfs"
    assert str(parsed("best").resolve(own)) == "dfs,tree=true"
    assert str(parsed("bare:zero").resolve(own)) == "astar:zero,ties=fifo"
    assert str(parsed("dfs").resolve(own)) == "bfs"
    assert parsed("astar:anything").resolve(Own).heuristic.text == "anything"  # a board may declare it


def test_several_are_a_portfolio():
    assert configurations("bfs | astar,ties=fifo") == (parsed("bfs"), parsed("astar,ties=fifo"))
    assert configurations(["bfs", parsed("dfs")], None, {}) == (parsed("bfs"), parsed("dfs"))
    assert configurations(parsed("bfs")) == (parsed("bfs"),)
    assert configurations("idastar|astar", "manhattan") == (parsed("idastar:manhattan"), parsed("astar:manhattan"))
    for nothing in ([], [None]):
        with pytest.raises(InputError, match="expected text such as 'astar:manhattan', or several in a list"):
            configurations(nothing)


def test_solve_takes_values_as_well_as_text():
    problem, search = Sliding(BOARD), parsed("astar:manhattan,ties=fifo")
    by_value, by_text = (solve(problem, one, engine="python") for one in (search, str(search)))
    assert by_value.actions == by_text.actions and by_value.options == by_text.options == search.all_options
    assert solve(problem, parsed("astar"), heuristic="manhattan", engine="python").heuristic == "manhattan"
    both = solve(problem, [search, parsed("bfs")], engine="python", jobs=1)
    assert both.notes == ("portfolio: astar:manhattan,ties=fifo settled it before bfs",)


def test_the_options_of_a_result_can_be_changed_without_harm():
    result = solve(Sliding(BOARD), "bfs", engine="python")
    result.options["early_goal"] = "spoilt"
    assert solve(Sliding(BOARD), "bfs", engine="python").options == {"early_goal": False, "tree": False}


def test_a_heuristic_from_a_file_is_read_each_time(tmp_path):
    file = tmp_path / "weights.txt"
    for text in ("manhattan", "0.5*manhattan"):
        file.write_text(text)
        assert str(parsed(f"astar:@{file}")) == str(Configuration.parse("astar", f"@{file}")) == f"astar:{text}"


@pytest.mark.parametrize(("algorithm", "option"), OPTIONS)
def test_defaults_are_what_reading_them_gives(algorithm, option):
    assert option.read(option.default) == option.default
