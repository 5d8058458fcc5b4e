"""The studio's session: every request answered, whatever a message holds, without a server or a thread."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from procura import InputError, catalog
from procura.studio.files import Files
from procura.studio.messages import LONGEST_BOARD
from procura.studio.session import VERSION, Session, load_own
from procura.study.plan import read_study

ROOT = Path(__file__).parents[2]
JUGS = f"{ROOT / 'examples' / 'jugs.py'}:Jugs"
EIGHT = "8 1 3 4 0 2 7 6 5"
PUZZLES = list(catalog.PUZZLES)


@pytest.fixture(scope="module")
def session():
    return Session(engines=("python",))


def ask(session, **message):
    """All replies to a message; as JSON they come out the same."""
    replies = []
    session.handle({"v": VERSION, "id": 5, **message}, replies.append)
    assert json.loads(json.dumps(replies, allow_nan=False)) == replies
    assert [reply["last"] for reply in replies] == [False] * (len(replies) - 1) + [True]
    assert {reply["id"] for reply in replies} == {5}
    return replies


def last(session, **message):
    return ask(session, **message)[-1]


def first_board(session, puzzle):
    welcome = last(session, do="hello")
    first = next(entry["first"] for entry in welcome["puzzles"] if entry["name"] == puzzle)
    return {"puzzle": puzzle, "board": first["board"], "options": first["options"]}


# What there is


def test_the_welcome_lists_every_puzzle_with_a_board_that_its_own_text_makes_again(session):
    welcome = last(session, do="hello")
    assert [entry["name"] for entry in welcome["puzzles"]] == PUZZLES
    for entry in welcome["puzzles"]:
        board = entry["first"]
        again = last(session, do="board", puzzle=entry["name"], board=board["board"], options=board["options"])
        assert again["start"] == board["start"]
        assert catalog.PUZZLES[entry["name"]].page.is_file()


def test_the_welcome_names_every_algorithm_with_its_options(session):
    told = {entry["name"]: entry for entry in last(session, do="hello")["algorithms"]}
    assert list(told) == list(catalog.ALGORITHMS)
    assert [option["name"] for option in told["astar"]["options"]] == [
        o.name for o in catalog.ALGORITHMS["astar"].options
    ]


# Boards


def test_a_sample_and_a_random_board_can_be_asked_for(session):
    sample = last(session, do="board", puzzle="sliding", sample="moodle-1")
    assert (sample["name"], sample["options"]) == ("moodle-1", {"goal": "spiral"})
    one, other = (last(session, do="board", puzzle="sudoku", seed=4, beatable=True) for _ in range(2))
    assert one["board"] == other["board"] and one["board"].count(".") > 20


def test_a_text_of_several_problems_is_listed_and_each_can_be_chosen(session):
    text = "\n".join(["1 2 3 4 5 6 7 0 8", EIGHT])
    found = last(session, do="board", puzzle="sliding", board=text)
    assert len(found["problems"]) == 2
    assert last(session, do="board", puzzle="sliding", board=text, number=1)["board"] == EIGHT


def test_why_a_board_has_no_solution_is_said_before_a_search(session):
    assert "parity" in last(session, do="board", puzzle="sliding", board="2 1 3 4 5 6 7 8 0")["unsolvable"]


# Searches


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_the_answer_has_a_board_for_each_step(session, puzzle):
    answer = last(session, do="solve", **first_board(session, puzzle))
    record = answer["record"]
    assert record["outcome"] == "solved"
    assert len(answer["frames"]) == record["length"] + 1 == len(answer["moves"]) + 1


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_the_command_and_the_python_lines_make_the_same_search(session, puzzle):
    asked = first_board(session, puzzle) | {
        "with": "bfs" if puzzle == "sliding" else "auto",
        "limits": {"seconds": "9"},
    }
    answer = last(Session(engines=("auto", "python")), do="solve", engine="python", **asked)
    words = shlex.split(answer["command"])
    assert words[0] == "procura" and words[-2:] == ["--engine", "python"]
    made = subprocess.run(
        [sys.executable, "-m", *words, "--json"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    told = json.loads(made.stdout)
    assert (told["actions"], told["expanded"]) == (answer["record"]["actions"], answer["record"]["expanded"])
    lines = answer["python"] + "\nprint(result.stats.expanded)"
    made = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert int(made.stdout.split()[-1]) == answer["record"]["expanded"]


def test_progress_comes_before_the_answer(session):
    *progress, answer = ask(
        session, do="solve", puzzle="sliding", board="8 6 7 2 5 4 3 0 1", **{"with": "bfs"}, limits={"nodes": 20000}
    )
    assert progress and {message["is"] for message in progress} == {"progress"}
    assert answer["record"]["stopped_by"] == "nodes"


def test_a_search_ends_when_it_is_cancelled(session):
    replies = []
    message = {"v": VERSION, "id": 1, "do": "solve", "puzzle": "sliding", "with": "bfs", "limits": {}}
    session.handle(
        message | {"board": "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"}, replies.append, lambda: len(replies) > 1
    )
    assert replies[-1]["record"]["stopped_by"] == "cancelled"


def test_an_answer_of_very_many_steps_sends_the_first_boards(session, monkeypatch):
    monkeypatch.setattr("procura.studio.session.MOST_FRAMES", 5)
    answer = last(session, do="solve", puzzle="sliding", board=EIGHT)
    assert (len(answer["frames"]), len(answer["moves"]), answer["record"]["length"]) == (5, 4, 14)


def test_an_answer_of_large_boards_sends_what_fits(session, monkeypatch):
    monkeypatch.setattr("procura.studio.session.MOST_CHARACTERS", 50)
    answer = last(session, do="solve", puzzle="sliding", board=EIGHT)
    assert (len(answer["frames"]), len(answer["moves"]), answer["record"]["length"]) == (3, 2, 14)


def test_where_there_is_no_numba_auto_is_interpreted(monkeypatch):
    monkeypatch.setattr("procura.solving.can_compile", lambda: False)
    session = Session()
    for puzzle in PUZZLES:
        assert last(session, do="solve", **first_board(session, puzzle))["record"]["engine"] == "python"


def test_local_search_without_an_answer_shows_its_best_board(session):
    asked = {"with": "annealing", "limits": {"nodes": 2000}, "seed": 3}
    answer = last(session, do="solve", **first_board(session, "sudoku") | asked)
    assert answer["record"]["outcome"] == "not_found" and answer["frames"] == []
    assert "." not in answer["best"]["text"]


def test_the_boards_of_a_path_are_drawn_still_and_moving(session):
    asked = {
        "do": "picture",
        "puzzle": "sliding",
        "board": "1 2 3 4 5 6 0 7 8",
        "actions": ["R", "R"],
        "title": "<two>",
    }
    still, moving = last(session, **asked), last(session, **asked, animated=True)
    assert still["svg"].count("Sliding puzzle, 3 by 3") == 3 and "&lt;two&gt;" in still["svg"]
    assert moving["svg"].count("<animate ") == 3
    times = re.findall(r'keyTimes="([^"]*)"', moving["svg"])
    assert all(time.startswith("0") for time in times)


# Games


def play(session, game, act, **fields):
    return last(session, do="play", puzzle=game["puzzle"], game=game, act=act, **fields)


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_a_game_is_hinted_at_shown_to_its_end_and_taken_back(session, puzzle):
    game = last(session, do="play", **first_board(session, puzzle))["game"]
    hint = play(session, game, "hint")
    assert hint["hint"] is not None and hint["says"] and hint["game"]["hints"] == 1
    shown = play(session, hint["game"], "show", moves=1000)
    assert shown["won"] and shown["over"] and len(shown["made"]) == shown["game"]["shown"]
    back = play(session, play(session, shown["game"], "undo")["game"], "redo")
    assert back["game"]["moves"] == shown["game"]["moves"]
    assert (
        play(session, back["game"], "restart")["view"]
        == last(session, do="play", **first_board(session, puzzle))["view"]
    )


def test_the_best_possible_stands_beside_a_game(session):
    game = last(session, do="play", **first_board(session, "tetris"))["game"]
    assert play(session, game, "best")["best"] == {
        "outcome": "solved", "optimal": True, "length": 4, "points": 600, "yours": 0
    }  # fmt: skip


def test_the_computer_answers_in_a_duel(session):
    first = last(session, do="play", puzzle="dots", board=". .\n\n. .\n", options={"boxes": 1}, against="computer")
    made = play(session, first["game"], "move", move=["h", 0, 0])
    assert made["duel"] and len(made["made"]) >= 2


def test_a_move_that_the_rules_refuse_leaves_the_game_as_it_was(session):
    game = last(session, do="play", puzzle="sliding", board="1 2 3 4 5 6 7 8 0")["game"]
    refused = play(session, game, "move", move="D")
    assert refused["refused"] and "bottom row" in refused["says"] and refused["game"]["moves"] == []


def test_clashes_can_be_allowed_in_sudoku(session):
    game = last(session, do="play", **first_board(session, "sudoku"))["game"]
    assert play(session, game, "move", move=[0, 1, 1])["refused"]
    free = play(session, game, "set", details={"strict": False})
    assert play(session, free["game"], "move", move=[0, 1, 1])["view"]["clashing"] == [0, 1]


# A class of the user's own


def test_a_class_of_the_users_own_is_solved_and_played_by_its_actions():
    session = Session(load_own([JUGS]), engines=("python",))
    about = last(session, do="hello")["puzzles"][-1]
    assert about["name"] == "Jugs" and about["page"] is None
    answer = last(session, do="solve", puzzle="Jugs", board=about["first"]["board"])
    assert answer["outcome"] == "solved in 6 moves, proved optimal" and answer["command"].startswith("procura solve")
    game = last(session, do="play", puzzle="Jugs", board=about["first"]["board"])
    assert {"move": "fill5", "words": "fill5"} in game["legal"]
    assert play(session, game["game"], "move", move="fill5")["view"]["text"] == "(0, 5)"


def test_a_class_with_the_name_of_another_puzzle_is_refused(tmp_path):
    (tmp_path / "other.py").write_text("from procura import Problem\nclass sliding(Problem): ...\n")
    with pytest.raises(InputError, match="already"):
        load_own([f"{tmp_path / 'other.py'}:sliding"])


# Comparing and watching


def test_a_brief_answer_has_the_record_and_no_boards(session):
    answer = last(session, do="solve", puzzle="sliding", board=EIGHT, brief=True)
    assert answer["record"]["length"] == 14 and answer["frames"] == answer["moves"] == []


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_the_study_file_is_one_that_procura_study_takes(session, puzzle, tmp_path):
    first = first_board(session, puzzle)
    sample = next(iter(catalog.PUZZLES[puzzle].samples()))
    boards = [{"sample": sample}, {"name": "mine", "board": first["board"], "options": first["options"]}]
    limits = {"seconds": "5", "nodes": "1e6", "memory": "500MB"}
    reply = last(session, do="study", puzzle=puzzle, boards=boards, searches=["auto", "bfs"], limits=limits)
    (tmp_path / "study.toml").write_text(reply["text"], encoding="utf-8")
    study = read_study(str(tmp_path / "study.toml"))
    assert len(study.cells) == 4 and {cell.problem for cell in study.cells} == {sample, "mine"}


def test_steps_of_a_search_are_the_same_in_whatever_pieces_they_are_asked_for(session):
    asked = {"do": "watch", "puzzle": "sliding", "board": EIGHT, "with": "astar:manhattan"}
    whole = last(session, **asked, first=0, end=1000)
    assert whole["ended"] and whole["steps"][-1]["solved"] and whole["steps"][-1]["node"]["g"] == 14
    other = Session(engines=("python",))
    pieces = [step for first in range(0, 90, 10) for step in last(other, **asked, first=first, end=first + 10)["steps"]]
    assert pieces == whole["steps"]
    assert last(other, **asked, first=20, end=30)["steps"] == whole["steps"][20:30]


def test_a_game_for_two_and_a_local_search_tell_their_steps(session):
    board = "(4 (((1 1) (0 1) (1 1)) ((1 0) (1 1) (1 0))))"
    game = last(session, do="watch", puzzle="dots", board=board, game=True, **{"with": "alphabeta"})
    assert game["steps"][-1]["value"] is not None and "text" in game["steps"][-1]["board"]
    sample = last(session, do="board", puzzle="sudoku", sample="small")
    local = last(session, do="watch", puzzle="sudoku", board=sample["board"], seed=1, **{"with": "annealing"})
    assert local["local"] and local["steps"][1]["figures"]["temperature"] > 0


# Written puzzles


def test_code_is_run_only_where_that_is_allowed(session):
    code = Path(JUGS.rpartition(":")[0]).read_text()
    assert "--allow-code" in last(session, do="write", code=code)["text"]
    assert "--allow-code" in last(session, do="solve", puzzle="Jugs", code=code)["text"]


@pytest.fixture(scope="module")
def coding():
    return Session(engines=("python",), code=True)


def test_a_written_puzzle_is_checked_solved_played_and_watched(coding):
    code = Path(JUGS.rpartition(":")[0]).read_text()
    written = last(coding, do="write", code=code)
    assert written["wrong"] is None and written["states"] > 5 and written["puzzle"]["name"] == "Jugs"
    board = {"puzzle": "Jugs", "code": code, "board": written["puzzle"]["first"]["board"]}
    answer = last(coding, do="solve", **board)
    assert answer["record"]["length"] == 6 and answer["command"].startswith("procura solve puzzle.py:Jugs")
    assert last(coding, do="play", **board)["legal"]
    assert last(coding, do="watch", **board, **{"with": "bfs"})["ended"]


RINGS = """
from procura import Problem

class Rings(Problem):
    \"\"\"Turn all three rings to the same side.\"\"\"
    initial = (0, 1, 2)
    def actions(self, state):
        return [0, 1, 2]
    def result(self, state, action):
        return tuple((side + (i == action)) % 3 for i, side in enumerate(state))
    def is_goal(self, state):
        return state == (0, 0, 0)
    def to_svg(self, state):
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text y="15">{state}</text></svg>'
"""


def test_a_class_that_reads_no_text_is_solved_played_and_drawn_all_the_same(coding):
    first = last(coding, do="write", code=RINGS)["puzzle"]["first"]
    board = {"puzzle": "Rings", "code": RINGS, "board": first["board"], "options": first["options"]}
    assert first["start"]["svg"].startswith("<svg")
    answer = last(coding, do="solve", **board)
    assert answer["record"]["length"] == 3 and answer["frames"][-1]["svg"].count("(0, 0, 0)")
    assert "<animate" in last(coding, do="picture", **board, actions=answer["record"]["actions"], animated=True)["svg"]
    game = last(coding, do="play", **board)
    assert last(coding, do="play", puzzle="Rings", code=RINGS, act="move", move=1, game=game["game"])["made"] == [1]
    assert last(coding, do="watch", **board, **{"with": "bfs"})["ended"]
    assert "reads no text" in last(coding, do="board", puzzle="Rings", code=RINGS, board="3")["text"]


@pytest.mark.parametrize(
    ("code", "line", "said"),
    [
        ("import procura\nclass A(procura.Problem)\n", 2, "line 2"),
        ("from procura import Problem\n\n1 / 0\nclass A(Problem): ...\n", 3, "ZeroDivisionError"),
        ("x = 1\n", None, "no class"),
        ("raise SystemExit(3)\nclass A: pass\n", 1, "SystemExit"),
        (
            "from procura import Problem\nclass A(Problem):\n    initial = 0\n    def actions(self, state):\n"
            "        return [state.nothing]\n",
            5,
            "AttributeError",
        ),
    ],
)
def test_what_is_wrong_with_code_is_said_with_its_line(coding, code, line, said):
    reply = last(coding, do="write", code=code)
    assert reply["is"] == "error" and reply["line"] == line and said in reply["text"]
    assert "/" not in reply["text"]


def test_a_promise_that_a_written_puzzle_breaks_is_named(coding):
    code = Path(JUGS.rpartition(":")[0]).read_text().replace("initial = (0, 0)", "initial = (0, 0)\n    acyclic = True")
    assert "acyclic" in last(coding, do="write", code=code)["wrong"]


def test_the_example_of_the_page_is_that_of_the_repository():
    page = ROOT / "src" / "procura" / "studio" / "page" / "jugs.js"
    assert f"String.raw`{Path(JUGS.rpartition(':')[0]).read_text()}`" in page.read_text()


# Wrong messages


@pytest.mark.parametrize(
    "message",
    [
        {"do": "nothing"},
        {"do": 3},
        {"do": "board"},
        {"do": "board", "puzzle": "chess"},
        {"do": "board", "puzzle": "sliding", "board": "1 2 x"},
        {"do": "board", "puzzle": "sliding", "board": 7},
        {"do": "board", "puzzle": "sliding", "board": "1 2 3 0", "options": [1]},
        {"do": "board", "puzzle": "sliding", "board": "1 2 3 0", "options": {"goal": [1]}},
        {"do": "board", "puzzle": "sliding", "board": "1 2 3 0", "options": {"pieces": "t"}},
        {"do": "board", "puzzle": "sliding", "board": "1 " * LONGEST_BOARD},
        {"do": "board", "puzzle": "sliding", "sample": "none"},
        {"do": "board", "puzzle": "sliding", "seed": -1},
        {"do": "board", "puzzle": "sliding", "seed": 1, "generator": {"size": "99x99x9"}},
        {"do": "board", "puzzle": "sliding", "board": "1 2 3 0", "number": 5},
        {"do": "solve", "puzzle": "sliding", "board": EIGHT, "with": "astar:mannhattan"},
        {"do": "solve", "puzzle": "sliding", "board": EIGHT, "with": "astar,tiles=fifo"},
        {"do": "solve", "puzzle": "sliding", "board": EIGHT, "with": " | ".join(["bfs"] * 9)},
        {"do": "solve", "puzzle": "sliding", "board": EIGHT, "with": "@/etc/passwd"},
        {"do": "solve", "puzzle": "sliding", "board": EIGHT, "with": "astar:@/etc/passwd"},
        {"do": "solve", "puzzle": "sliding", "board": EIGHT, "limits": {"seconds": "soon"}},
        {"do": "solve", "puzzle": "sliding", "board": EIGHT, "engine": "compiled"},
        {"do": "solve", "puzzle": "sliding", "board": EIGHT, "seed": 1.5},
        {"do": "picture", "puzzle": "sliding", "board": EIGHT, "actions": ["X"]},
        {"do": "picture", "puzzle": "sliding", "board": EIGHT, "actions": 3},
        {"do": "play", "puzzle": "sliding", "game": {}},
        {"do": "play", "puzzle": "sliding", "game": [], "act": "move"},
        {"do": "play", "puzzle": "sliding", "board": EIGHT, "act": "cheat"},
        {"do": "play", "puzzle": "sliding", "board": EIGHT, "against": "computer"},
        {"do": "watch", "puzzle": "sliding", "board": EIGHT, "with": "astar:@/etc/passwd"},
        {"do": "watch", "puzzle": "sliding", "board": EIGHT, "first": 5, "end": 5},
        {"do": "watch", "puzzle": "sliding", "board": EIGHT, "game": True},
        {"do": "study", "puzzle": "sliding", "boards": 3, "searches": []},
        {"do": "study", "puzzle": "sliding", "boards": [{}], "searches": ["bfs"]},
        {"do": "study", "puzzle": "sliding", "boards": [], "searches": [1]},
        {"do": "write"},
        {"do": "write", "code": 3},
        {"do": "open", "name": "x.txt"},
        {"do": "files"},
    ],
    ids=lambda message: re.sub(r"\W+", " ", str(message))[:70],
)
def test_a_wrong_message_gets_a_sentence(session, message):
    reply = last(session, **message)
    assert reply["is"] == "error" and reply["text"] and "\n" not in reply["text"]
    assert "root:" not in reply["text"]


@pytest.mark.parametrize("message", [None, 3, "hello", [], {}, {"v": 0, "do": "hello"}, {"v": VERSION, "id": [1]}])
def test_what_is_no_message_gets_a_sentence_too(session, message):
    replies = []
    session.handle(message, replies.append)
    assert [reply["is"] for reply in replies] == ["error"]


# Files


def test_only_texts_below_the_folder_are_read(tmp_path):
    folder = tmp_path / "boards"
    (folder / "more").mkdir(parents=True)
    (folder / "a.txt").write_text(EIGHT)
    (folder / "more" / "b.txt").write_text("x")
    (folder / ".hidden.txt").write_text("x")
    (folder / "code.py").write_text("x")
    (tmp_path / "outside.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    session = Session(engines=("python",), files=Files(folder))
    assert last(session, do="files")["names"] == ["a.txt", "more/b.txt"]
    assert last(session, do="open", name="a.txt")["text"] == EIGHT
    outside = ["../outside.txt", "more/../../outside.txt", str(tmp_path / "outside.txt"), "link.txt", ".hidden.txt",
               "..", "", "a.txt\0", "..\\outside.txt", "none.txt", "more"]  # fmt: skip
    for name in outside:
        assert last(session, do="open", name=name)["is"] == "error", name


def test_a_long_or_foreign_file_is_refused(tmp_path):
    (tmp_path / "long.txt").write_text("1" * 300_000)
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    session = Session(engines=("python",), files=Files(tmp_path))
    assert "at most" in last(session, do="open", name="long.txt")["text"]
    assert "UTF-8" in last(session, do="open", name="binary.txt")["text"]
