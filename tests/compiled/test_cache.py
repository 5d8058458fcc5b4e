"""The kernel cache: kept, keyed by content, never trusted, never needed."""

import os
import shutil
import subprocess
import sys
import textwrap

import pytest

PROGRAM = textwrap.dedent(
    """
    import sys
    sys.path.insert(0, {folder!r})
    from procura import solve
    from ladder import Ladder
    result = solve(Ladder(), "bfs", engine="compiled")
    print(result.cost, result.stats.generated)
    """
)
LADDER = textwrap.dedent(
    """
    from procura import ArrayProblem, Data, kernel
    from steps import STEP, advance

    class Ladder(ArrayProblem):
        def __init__(self):
            super().__init__(size=1, max_moves=1, data=Data(top=[12]))
        def start(self):
            return [0]
        @kernel
        def moves(s, data, work, out):
            out[0] = STEP
            return 1 if s[0] < data.top[0] else 0
        @kernel
        def apply(s, data, work, move):
            s[0] = advance(s[0], move)
            return 1
        @kernel
        def solved(s, data, work):
            return s[0] == data.top[0]
    """
)
STEPS = "STEP = {step}\n\ndef advance(at, move):\n    return at + move * {factor}\n"


@pytest.fixture
def home(tmp_path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "ladder.py").write_text(LADDER)
    write_steps(tmp_path)
    return tmp_path


def write_steps(home, step=1, factor=1):
    (home / "code" / "steps.py").write_text(STEPS.format(step=step, factor=factor))
    shutil.rmtree(home / "code" / "__pycache__", ignore_errors=True)


def start(home, cache=None):
    environment = {**os.environ, "PROCURA_CACHE": str(cache or home / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PROCURA_DEBUG", None)
    program = PROGRAM.format(folder=str(home / "code"))
    return subprocess.Popen(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def answer(process):
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out.strip()


def kernels(home):
    return sorted((home / "cache" / "kernels").glob("*.kernel"))


def test_kernels_are_kept_and_found_again(home):
    assert answer(start(home)) == "12 12"
    first = {path: path.read_bytes() for path in kernels(home)}
    assert first
    assert (home / "cache" / "kernels").stat().st_mode & 0o777 == 0o700
    assert answer(start(home)) == "12 12"
    assert {path: path.read_bytes() for path in kernels(home)} == first


@pytest.mark.slow
def test_editing_what_a_puzzle_imports_recompiles_it(home):
    assert answer(start(home)) == "12 12"
    before = len(kernels(home))
    write_steps(home, step=3)  # a constant
    assert answer(start(home)) == "4 4"
    write_steps(home, step=3, factor=2)  # a function
    assert answer(start(home)) == "2 2"
    assert len(kernels(home)) == before + 2


SPOILT = (lambda raw: b"", lambda raw: raw[:1000], lambda raw: raw[:-9] + bytes(9), lambda raw: b"x" * 5000)


@pytest.mark.slow
def test_a_spoilt_file_is_made_again(home):
    assert answer(start(home)) == "12 12"
    for spoil in SPOILT:
        for path in kernels(home):
            path.write_bytes(spoil(path.read_bytes()))
        assert answer(start(home)) == "12 12"
    assert all(path.read_bytes().startswith(b"procura kernel") for path in kernels(home))


@pytest.mark.slow
def test_kernels_renamed_among_each_other_are_made_again(home):
    """Each is whole and in its place by its name; the checksum tells that it is another's place."""
    assert answer(start(home)) == "12 12"
    before = kernels(home)
    write_steps(home, step=3)
    assert answer(start(home)) == "4 4"
    (new,) = set(kernels(home)) - set(before)
    for old in before:
        old.write_bytes(new.read_bytes())
    write_steps(home)
    assert answer(start(home)) == "12 12"


@pytest.mark.slow
def test_no_cache_at_all_is_no_error(home):
    assert answer(start(home, "off")) == "12 12"
    (home / "file").write_text("in the way")
    assert answer(start(home, home / "file")) == "12 12"


def test_a_folder_others_can_write_to_is_not_used(home):
    folder = home / "cache" / "kernels"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    assert answer(start(home)) == "12 12"
    assert not kernels(home)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into a read-only folder")
def test_a_read_only_folder_is_no_error(home):
    folder = home / "cache" / "kernels"
    folder.mkdir(parents=True)
    folder.chmod(0o500)
    assert answer(start(home)) == "12 12"


def test_a_folder_that_takes_no_files_is_no_error(home, monkeypatch):
    """What a read-only folder does to root as well: every write fails."""
    from procura import solve
    from procura.folder import Folder

    def refuse(folder, name, content):
        raise PermissionError(13, "read-only", name)

    monkeypatch.setattr(Folder, "write", refuse)
    monkeypatch.setenv("PROCURA_CACHE", str(home / "cache"))
    monkeypatch.syspath_prepend(str(home / "code"))
    from ladder import Ladder

    assert solve(Ladder(), "dfs", engine="compiled").cost == 12
    assert not kernels(home)


def test_two_processes_at_once_on_an_empty_cache(home):
    processes = [start(home) for _ in range(2)]
    assert [answer(process) for process in processes] == ["12 12", "12 12"]
    assert answer(start(home)) == "12 12"
    assert not list((home / "cache" / "kernels").glob("*.part"))


def test_puzzles_of_the_same_name_never_share_a_kernel():
    from procura import ArrayProblem, Data, kernel, solve

    def make():
        class Ladder(ArrayProblem):
            def __init__(self):
                super().__init__(size=1, max_moves=1, data=Data(top=[12]))

            def start(self):
                return [0]

            @kernel
            def solved(s, data, work):
                return s[0] == data.top[0]

        return Ladder

    class One(make()):
        @kernel
        def moves(s, data, work, out):
            out[0] = 1
            return 1

        @kernel
        def apply(s, data, work, move):
            s[0] += 1
            return 1

    class Two(make()):
        @kernel
        def moves(s, data, work, out):
            out[0] = 1
            return 1

        @kernel
        def apply(s, data, work, move):
            s[0] += 2
            return 1

    One.__name__ = Two.__name__ = One.__qualname__ = Two.__qualname__ = "Ladder"
    assert [solve(cls(), "bfs", engine="compiled").cost for cls in (One, Two, One)] == [12, 6, 12]


SCALE = 1


def scaled(at):
    return at + SCALE


def test_a_changed_constant_is_seen_inside_one_process(monkeypatch):
    from procura import ArrayProblem, kernel, solve

    class Climb(ArrayProblem):
        def __init__(self):
            super().__init__(size=1, max_moves=1)

        def start(self):
            return [0]

        @kernel
        def moves(s, data, work, out):
            out[0] = 0
            return 1

        @kernel
        def apply(s, data, work, move):
            s[0] = scaled(s[0])
            return 1

        @kernel
        def solved(s, data, work):
            return s[0] == 6

    assert solve(Climb(), "bfs", engine="compiled").cost == 6
    monkeypatch.setitem(globals(), "SCALE", 3)
    assert solve(Climb(), "bfs", engine="compiled").cost == 2
