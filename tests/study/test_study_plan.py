"""Study files made into runs, and what is wrong with them told in one sentence that names the line."""

from __future__ import annotations

import signal
import time

import pytest
from processes import run, start
from study_helpers import HOSTILE, PLAIN_RUN, hostile_study, write_study

from procura.errors import InputError
from procura.result import Limits
from procura.study.apart import read_apart
from procura.study.plan import read_study
from procura.study.runs import Cell, distinctions

GOOD = """\
title = "a study"
seeds = [0, 1]
repeats = 2
[limits]
seconds = 5
[[problems]]
puzzle = "sliding"
samples = ["moodle-1", "moodle-4"]
goal = "spiral"
[[configurations]]
with = "astar:manhattan,ties=fifo"
name = "A*"
[score]
of = "-cost"
[[report.tables]]
rows = "problem"
values = ["seconds"]
[[report.plots]]
kind = "bars"
"""


def changed(folder, old, new):
    """The good study with one thing changed."""
    assert old in GOOD
    return write_study(folder, GOOD.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("repeats = 2", "repaets = 2", 3, "did you mean 'repeats'"),
        ("repeats = 2", "repeats = 0", 3, "expected 1 to 10,000"),
        ("seeds = [0, 1]", "seeds = 3", 2, "a list of whole numbers"),
        ("seeds = [0, 1]", "seeds = [0, true]", 2, "seeds = [0, true]: expected a list of whole numbers"),
        ("seeds = [0, 1]", "seeds = [1, 1]", 2, "expected each once"),
        ("a study", "two\\nlines", 1, "expected a name on one line"),
        ("title", 'engine = "fast"\ntitle', 1, "expected auto, python or compiled"),
        ("title", 'engine = "compiled"\nabout = 3\ntitle', 2, "expected text"),
        ("seconds = 5", "second = 5", 5, "did you mean 'seconds'"),
        ("seconds = 5", "seconds = -5", 5, "expected a number from 0"),
        ("seconds = 5", "seconds = 0", 5, "expected more than 0"),
        ("seconds = 5", "seconds = true", 5, "seconds = true: expected a number"),
        ("seconds = 5", 'memory = "much"', 5, "expected a size such as 500MB"),
        ("seconds = 5", "memory = 500", 5, "memory = 500: expected at least 1 MB, as text such as '500MB'"),
        ('puzzle = "sliding"', 'puzzle = "slidng"', 7, "did you mean 'sliding'"),
        ('puzzle = "sliding"', "", 6, "expected puzzle = NAME"),
        ('puzzle = "sliding"', 'puzzle = "mine.py:Mine"', 7, "--allow-code"),
        ('"moodle-4"', '\n"moodle-99"', 9, "sliding has no sample 'moodle-99'"),
        ('samples = ["moodle-1", "moodle-4"]', 'board = "1 2 3"', 8, "3 numbers"),
        ('samples = ["moodle-1", "moodle-4"]', 'boards = ["1 2 3 0",\n "1 2 x 0"]', 9, "x"),
        ('samples = ["moodle-1", "moodle-4"]', 'file = "none.txt"', 8, "none.txt cannot be read"),
        ('samples = ["moodle-1", "moodle-4"]', "", 6, "expected one of sample"),
        ('samples = ["moodle-1", "moodle-4"]', 'boards = ["1 2 3 0", "1 2 x 0"]', 8, "boards, number 2: "),
        ('samples = ["moodle-1", "moodle-4"]', 'sample = "moodle-1"\nboard = "0"', 9, "sample and board are given"),
        ('samples = ["moodle-1", "moodle-4"]', "generate = {count = 0}", 8, "expected 1 to"),
        ('samples = ["moodle-1", "moodle-4"]', "generate = {cuont = 3}", 8, "did you mean 'count'"),
        ('samples = ["moodle-1", "moodle-4"]', "generate = {moves = -3}", 8, "a whole number from 0"),
        ('goal = "spiral"', 'gaol = "spiral"', 9, "did you mean 'goal'"),
        ('goal = "spiral"', 'goal = "snail"', 9, "snail"),
        ('goal = "spiral"', 'name = "{sampel}"', 9, "did you mean 'sample'"),
        ('goal = "spiral"', 'name = "same"', 6, "such as 'board {number}'"),
        ('goal = "spiral"', 'group = "a\\nb"', 9, "expected a name on one line"),
        ("astar:manhattan", "astra:manhattan", 11, "did you mean 'astar'"),
        ("ties=fifo", "tie=fifo", 11, "did you mean 'ties'"),
        ("ties=fifo", "ties=five", 11, "lifo or fifo"),
        ("manhattan", "manhatan", 11, "did you mean 'manhattan'"),
        ("manhattan", "max(manhattan", 11, "heuristic"),
        ("astar:manhattan,ties=fifo", "annealing", 11, "has no whole states to improve"),
        ('name = "A*"', '[[configurations]]\nwith = "astar:manhattan,ties=fifo"', 12, "two configurations"),
        ('with = "astar:manhattan,ties=fifo"', 'with = ["bfs", "dfs"]', 10, "one that holds {with}"),
        ('with = "astar:manhattan,ties=fifo"', 'with = ["bfs", true]', 11, "with, number 2: with = true: expected"),
        ('name = "A*"', "weight = 2", 12, "weight is an option of searches: expected within the text of with"),
        ('name = "A*"', 'problems = "moodle-1"', 6, "problem 'moodle-4' of group 'sliding' has no configuration"),
        ('name = "A*"', 'nmae = "A*"', 12, "did you mean 'name'"),
        ('name = "A*"', 'puzzles = "sudoku"', 12, "no problem has puzzles = 'sudoku'"),
        ('name = "A*"', 'goal = "up"', 12, "up"),
        ('name = "A*"', 'limits = {nodes = "x"}', 12, "a whole number from 0"),
        ("[[configurations]]", "[[configuration]]", 10, "did you mean 'configurations'"),
        ('of = "-cost"', 'of = "-price"', 14, "results have no figure 'price'"),
        ('of = "-cost"', "missing = true", 14, "expected a number"),
        ('of = "-cost"', "missing = inf", 14, "expected a finite number"),
        ('rows = "problem"', 'rows = "problme"', 16, "did you mean 'problem'"),
        ('rows = "problem"', 'row = "problem"', 16, "did you mean 'rows'"),
        ('values = ["seconds"]', 'values = ["solved",\n "most seconds"]', 18, "before seconds"),
        ('values = ["seconds"]', 'values = [{value = "second"}]', 17, "did you mean 'seconds'"),
        ('values = ["seconds"]', 'values = [{value = "seconds", digits = -1}]', 17, "expected 0 to 15"),
        ('values = ["seconds"]', 'values = [{value = "seconds", name = 1}]', 17, "expected text"),
        ('values = ["seconds"]', "values = []", 17, "expected at least one"),
        ('values = ["seconds"]', 'where = {group = "x"}', 17, "no run has group 'x'"),
        ('values = ["seconds"]', 'where = {pieces = "x"}', 17, "runs are not told apart by 'pieces'"),
        ('values = ["seconds"]', 'values = ["quartiles solved"]', 17, "expected nothing before solved"),
        ('kind = "bars"', 'kind = "pie"', 19, "expected one of bars"),
        ('kind = "bars"', 'title = "x"', 18, "a plot needs a kind: expected one of bars"),
        ('kind = "bars"', 'kind = "scatter"\nx = "A*"\ny = "A"', 21, "did you mean 'A*'"),
        ('kind = "bars"', 'kind = "scatter"\nx = "A*"', 18, "a scatter needs y"),
        ('kind = "bars"', 'kind = "bars"\nx = "A*"', 20, "a plot of kind bars has no key 'x'"),
        ('kind = "bars"', 'kind = "solved_against_time"\nlog = true', 20, "has no key 'log'"),
        ('kind = "bars"', 'kind = "bars"\nfile = "../x"', 20, "without folders"),
        ('kind = "bars"', 'kind = "log_times"\nvalue = "solved"', 20, "solved is a count of runs"),
        ('kind = "bars"', 'kind = "solved_against_time"\nvalue = "runs"', 20, "runs is a count of runs"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_sentence_that_names_the_line(tmp_path, old, new, line, told):
    path = changed(tmp_path, old, new)
    with pytest.raises(InputError) as caught:
        read_study(str(path))
    message = str(caught.value)
    assert message.startswith(f"{path}, line {line}: "), message
    assert told in message and "\n" not in message


ODD = (
    "1", "-1", "1.5", "true", '""', '"x"', "[]", "[1]", '["x"]', "[[]]", "{}", "{a = 1}", "[{}]", "nan", "inf", "1e400",
    "1979-05-27", '"|"', '"{x}"', '"@none"', "99999999999999999999",
)  # fmt: skip


MORE = 'title = "x"\nfile = "a"\nlog = true\nover = "problem"\nwhere = {group = "sliding"}\n'


@pytest.mark.parametrize("number", [n for n, line in enumerate((GOOD + MORE).splitlines()) if " = " in line])
def test_an_odd_value_is_refused_by_one_sentence_or_taken(tmp_path, number):
    for value in ODD:
        lines = (GOOD + MORE).splitlines()
        lines[number] = f"{lines[number].partition(' = ')[0]} = {value}"
        path = write_study(tmp_path, *lines)
        try:
            study = read_study(str(path))
        except InputError as error:
            assert str(error).startswith(f"{path}, line ") and "\n" not in str(error)
        else:
            assert study.runs


def test_a_wrong_study_runs_nothing(tmp_path):
    path = changed(tmp_path, "manhattan", "manhatan")
    done = run("study", path)
    assert done.returncode == 2 and done.out == ""
    assert done.err.count("\n") == 1 and "line 11" in done.err
    assert not path.with_suffix(".results.jsonl").exists()


def test_the_good_study_is_good(tmp_path):
    study = read_study(str(write_study(tmp_path, GOOD)))
    assert study.title == "a study"
    assert [cell.label for cell in study.cells] == [
        "sliding / moodle-1 / A*",
        "sliding / moodle-4 / A*",
        "sliding / moodle-1 / A*, repeat 2",
        "sliding / moodle-4 / A*, repeat 2",
    ]
    run = study.cells[0].run
    assert run.options == {"goal": "spiral"} and run.engine == "compiled" and run.seed is None
    assert run.configurations[0].all_options["ties"] == "fifo" and run.configuration == "astar:manhattan,ties=fifo"
    assert run.limits.seconds == 5.0 and run.limits.memory == 2_000_000_000


def cells_of(folder, *lines):
    return read_study(str(write_study(folder, *lines))).cells


def test_only_methods_that_draw_random_numbers_have_seeds(tmp_path):
    cells = cells_of(
        tmp_path, "seeds = [3, 4]", "[[problems]]", 'puzzle = "sudoku"', 'sample = "easy"', "[[configurations]]",
        'with = ["dfs", "annealing"]',
    )  # fmt: skip
    assert [(cell.configuration, cell.run.seed) for cell in cells] == [
        ("dfs", None), ("annealing", 3), ("annealing", 4),
    ]  # fmt: skip


def test_lists_of_options_make_a_grid(tmp_path):
    cells = cells_of(
        tmp_path, "[[problems]]", 'puzzle = "tetris"', 'board = "empty"', 'pieces = ["t", "t i"]',
        'cost = ["quality", "opportunity"]', 'name = "{pieces} by {cost}"', "[[configurations]]", 'with = "dfs"',
    )  # fmt: skip
    assert [cell.problem for cell in cells] == [
        "t by quality", "t by opportunity", "t i by quality", "t i by opportunity",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "lines",
    [
        ['puzzle = "sliding"', "generate = {count = 3, size = '2x3', goal = 'spiral'}"],
        ['puzzle = "sliding"', "generate = {count = 3, goal = ['spiral', 'blank-first']}"],
        ['puzzle = "sudoku"', "generate = {count = 2, side = 4}"],
        ['puzzle = "tetris"', "generate = {count = 3, d = 0.2, pieces = '5'}"],
        ['puzzle = "dots"', "generate = {count = 3, size = '2x2'}", 'order = "any"'],
        ['puzzle = "sliding"', 'samples = "all"'],
        ['puzzle = "tetris"', 'samples = "all"'],
        ['puzzle = "sudoku"', 'samples = "all"'],
        ['puzzle = "dots"', 'samples = "all"'],
    ],
)
def test_every_problem_can_be_made_again_from_its_text(tmp_path, lines):
    from procura import catalog

    cells = cells_of(tmp_path, "[[problems]]", *lines, "[[configurations]]", 'with = "dfs"')
    assert len(cells) == len({cell.run.key for cell in cells}) > 1
    for cell in cells:
        kind = catalog.puzzle(cell.run.puzzle).load()
        made = kind.from_text(cell.run.board, **cell.run.options)
        again = kind.from_text(made.board_text(), **cell.run.options)
        assert made.initial == again.initial
        if cell.problem in catalog.puzzle(cell.run.puzzle).samples():
            sample = kind(**catalog.puzzle(cell.run.puzzle).samples()[cell.problem])
            assert (sample.initial, sample.lists) == (made.initial, made.lists)


def test_files_hold_several_problems(tmp_path):
    (tmp_path / "boards.txt").write_text("1 2 3 0\n# a comment\n1 2 0 3\n")
    (tmp_path / "problems.dat").write_text("(A 1 (((0) (0)) ((0) (0))))\n(B 1 (((1) (0)) ((0) (0))))\n")
    cells = cells_of(
        tmp_path, "[[problems]]", 'puzzle = "sliding"', 'file = "boards.txt"', "[[problems]]", 'puzzle = "dots"',
        'file = "problems.dat"', "[[configurations]]", 'with = "bfs"',
    )  # fmt: skip
    assert [cell.problem for cell in cells] == ["boards 1", "boards 2", "A", "B"]
    assert [cell.run.board for cell in cells[:2]] == ["1 2 3 0", "1 2 0 3"]


def test_a_preset_brings_its_options_of_the_puzzle(tmp_path):
    lines = ("[[problems]]", 'puzzle = "tetris"', 'sample = "test-25"', "[[configurations]]", 'with = "report2_best"')
    (cell,) = cells_of(tmp_path, *lines)
    assert cell.run.options["cost"] == "opportunity" and cell.run.configurations[0].all_options["cut"] == 2500
    with pytest.raises(InputError, match=r"line 6: report2_best sets cost = 'opportunity' by itself"):
        cells_of(tmp_path, *lines, 'cost = "quality"')


def test_a_configuration_can_set_options_of_the_puzzle(tmp_path):
    cells = cells_of(
        tmp_path, "[[problems]]", 'puzzle = "tetris"', 'sample = "test-25"', "[[configurations]]", 'with = "astar"',
        'cost = "opportunity"', "[[configurations]]", 'with = "dfs"',
    )  # fmt: skip
    assert [cell.run.options.get("cost") for cell in cells] == ["opportunity", None]


def test_two_names_of_one_run_share_its_result(tmp_path):
    path = write_study(
        tmp_path, "[[problems]]", 'puzzle = "sudoku"', 'sample = "easy"', "[[configurations]]", 'with = "dfs"',
        "[[configurations]]", 'with = "dfs,tree=false"',
    )  # fmt: skip
    study = read_study(str(path))
    assert len(study.cells) == 2 and len(study.runs) == 1


def test_limits_are_those_of_the_configuration_then_of_the_study_then_the_defaults(tmp_path):
    cells = cells_of(
        tmp_path, 'limits = {seconds = "none", nodes = "1e6"}', "[[problems]]", 'puzzle = "sudoku"', 'sample = "easy"',
        "[[configurations]]", 'with = "dfs"', 'limits = {memory = "500MB", depth = 7}',
    )  # fmt: skip
    limits = cells[0].run.limits
    assert (limits.seconds, limits.nodes, limits.memory, limits.depth) == (None, 10**6, 500_000_000, 7)


@pytest.mark.parametrize("value", ["1979-05-27", "1979-05-27T07:32:00Z", "07:32:00", "nan", "-inf", '["a", nan]', "{}"])
@pytest.mark.parametrize("table", ["problems", "configurations"])
def test_an_option_that_json_has_not_is_refused_by_its_line(tmp_path, value, table):
    path = hostile_study(tmp_path, "walk")
    lines = path.read_text().splitlines()
    at = lines.index(f"[[{table}]]") + 1
    path.write_text("\n".join([*lines[:at], f"flavour = {value}", *lines[at:]]))
    with pytest.raises(InputError, match=rf"line {at + 1}: .*flavour = .*: expected a text, a finite number"):
        read_study(str(path), allow_code=True)


def test_a_preset_that_json_has_not_is_refused(tmp_path):
    path = hostile_study(tmp_path, "walk")
    code = tmp_path / "hostile.py"
    preset = 'presets = {"mine": Preset("bfs", "", options={"flavour": {1}})}'
    code.write_text(code.read_text().replace("import Problem", "import Problem, Preset") + f"    {preset}\n")
    path.write_text(path.read_text().replace("bfs", "mine"))
    with pytest.raises(InputError, match=r"line 6: mine sets flavour = \{1\}: expected what JSON has"):
        read_study(str(path), allow_code=True)


def own_class(folder, init="pass", from_text="pass", configuration="with = 'auto'"):
    """A study of a class whose problems are made by these lines."""
    (folder / "mine.py").write_text(
        "from procura import Problem\n"
        "class Mine(Problem):\n"
        f"    def __init__(self, text):\n        self.initial = 0\n        {init}\n"
        "    @classmethod\n"
        f"    def from_text(cls, text, *, flavour='plain'):\n        {from_text}\n        return cls(text)\n"
        "    def actions(self, state):\n        return ['go']\n"
        "    def result(self, state, action):\n        return state + 1\n"
        "    def is_goal(self, state):\n        return state == 3\n"
    )
    lines = ("[[problems]]", 'puzzle = "mine.py:Mine"', 'boards = ["one", "two"]', "[[configurations]]", configuration)
    return write_study(folder, *lines)


def test_a_class_that_raises_for_an_option_of_a_configuration_is_told_by_its_line(tmp_path):
    path = own_class(
        tmp_path,
        from_text="if flavour == 'sour': raise ValueError('too sour')",
        configuration="with = 'bfs'\nflavour = 'sour'",
    )
    with pytest.raises(InputError, match=r"line 6: mine\.py:Mine: from_text raises ValueError: too sour"):
        read_study(str(path), allow_code=True)


@pytest.mark.parametrize(
    ("hook", "told"),
    [
        ("def local(self):\n        raise KeyError('no view')", "planning 'annealing' raises KeyError: 'no view'"),
        ("presets = None", "looking up its presets raises AttributeError: "),
    ],
)
def test_whatever_a_class_raises_while_the_study_is_read_is_one_sentence_with_its_line(tmp_path, hook, told):
    path = own_class(tmp_path, configuration="with = 'annealing'")
    code = tmp_path / "mine.py"
    code.write_text(f"{code.read_text()}    {hook}\n")
    with pytest.raises(InputError) as caught:
        read_study(str(path), allow_code=True)
    assert str(caught.value).startswith(f"{path}, line 5: mine.py:Mine: {told}")


def test_a_study_read_apart_is_the_study(tmp_path):
    path = str(hostile_study(tmp_path, "walk", "nap", more=["repeats = 3"]))
    assert read_apart(path) == read_study(path, allow_code=True)


@pytest.mark.parametrize(
    ("code", "limits", "told"),
    [
        ("while True: pass", Limits(seconds=0.5), "code of its puzzles was at work for 0.5 s while it was read"),
        (
            "hoard = []\n        while True: hoard.append(bytearray(1 << 20))",
            Limits(memory=200_000_000),
            "code of its puzzles took more than 200 MB while it was read",
        ),
        ("import os; os._exit(3)", Limits(), "code of its puzzles ended the process that read it: exit status 3"),
        ("raise SystemExit(3)", Limits(), "line 3: boards, number 1: mine.py:Mine: from_text raises SystemExit: 3"),
    ],
)
def test_code_that_runs_wild_while_a_study_is_read_is_ended(tmp_path, code, limits, told):
    with pytest.raises(InputError) as caught:
        read_apart(str(own_class(tmp_path, from_text=code)), limits)
    assert told in str(caught.value)


def test_what_code_leaves_in_place_of_a_study_is_not_run(tmp_path):
    code = """import os, pickle
        class Evil:
            def __reduce__(self): return os.mkdir, ("evil",)
        pickle.dump = lambda study, file: file.write(pickle.dumps(Evil()))"""
    with pytest.raises(InputError, match=r"spoilt what was read: (posix|nt|os)\.mkdir is no part of a study"):
        read_apart(str(own_class(tmp_path, from_text=code)))


def test_ctrl_c_while_a_study_is_read_ends_it(tmp_path):
    path = own_class(tmp_path, init=f"open({str(tmp_path / 'began')!r}, 'w')\n        while True: pass")
    process = start("study", path, "--allow-code", "--dry-run")
    while not (tmp_path / "began").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == f"procura: {path}: interrupted while it was read: nothing was run\n"


def test_boards_and_random_problems_have_names_of_their_own(tmp_path):
    cells = cells_of(
        tmp_path, "[[problems]]", 'puzzle = "sliding"', 'boards = ["1 2 3 0", "1 2 0 3"]', "[[problems]]",
        'puzzle = "sliding"', "generate = {seed = 1, size = '2x2'}", "[[configurations]]", 'with = "bfs"',
    )  # fmt: skip
    assert [cell.problem for cell in cells] == ["sliding board 1", "sliding board 2", "sliding seed 1"]


def test_true_and_false_are_written_as_in_the_file(tmp_path):
    assert distinctions({**PLAIN_RUN, "options": {"cut": True}})["cut"] == "true"


def test_each_problem_is_searched_as_it_asks_itself(tmp_path):
    study = read_study(str(own_class(tmp_path, init="self.auto = {'one': 'bfs', 'two': 'dfs'}[text]")), allow_code=True)
    assert [cell.run.configurations[0].algorithm for cell in study.cells] == ["bfs", "dfs"]


def test_too_many_runs_are_refused_without_listing_them_all(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr("procura.study.plan.MOST_RUNS", 3)
    monkeypatch.setattr("procura.study.plan.Cell", lambda *parts: made.append(Cell(*parts)) or made[-1])
    with pytest.raises(InputError, match="more than 3 runs: expected at most 3"):
        read_study(str(changed(tmp_path, "repeats = 2", "repeats = 100")))
    assert len(made) == 4


def test_a_number_of_too_many_digits_is_refused(tmp_path):
    with pytest.raises(InputError, match="not TOML"):
        read_study(str(write_study(tmp_path, GOOD, "x = " + "9" * 5000)))


def test_code_is_loaded_only_if_allowed(tmp_path):
    path = hostile_study(tmp_path, "walk")
    (tmp_path / "hostile.py").write_text(HOSTILE + "\nopen('ran', 'w')\n")
    assert run("study", path, cwd=tmp_path).returncode == 2
    assert not (tmp_path / "ran").exists()
    assert run("study", path, "--dry-run", "--allow-code", cwd=tmp_path).returncode == 0
    assert (tmp_path / "ran").exists() and not path.with_suffix(".results.jsonl").exists()


def test_a_dry_run_lists_what_is_missing(tmp_path):
    done = run("study", write_study(tmp_path, GOOD), "--dry-run")
    assert done.returncode == 0
    assert "sliding / moodle-4 / A*, repeat 2: astar:manhattan" in done.out
    assert done.out.endswith("4 runs, 4 missing, at most 20 s of search\n")
