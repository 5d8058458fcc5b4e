"""A kernel that does not compile gives one sentence that names the function and the line."""

import inspect

import pytest

from procura import ArrayProblem, Estimate, KernelError, kernel, solve, testing
from procura.control import Control


class Base(ArrayProblem):
    def __init__(self):
        super().__init__(size=1, max_moves=1)

    def start(self):
        return [0]

    @kernel
    def moves(s, data, work, out):
        out[0] = 1
        return 1

    @kernel
    def apply(s, data, work, move):
        s[0] += 1
        return 1

    @kernel
    def solved(s, data, work):
        return s[0] == 3


def helper(value):
    return value.bit_length_of_something()


class CallsAMethod(Base):
    @kernel
    def apply(s, data, work, move):
        s[0] += 1
        return helper(s[0])


class UnknownField(Base):
    @kernel
    def solved(s, data, work):
        return s[0] == data.target[0]


class UnknownName(Base):
    @kernel
    def moves(s, data, work, out):
        out[0] = nowhere  # noqa: F821
        return 1


def closure(step):
    class Closure(Base):
        @kernel
        def apply(s, data, work, move):
            s[0] += step
            return 1

    return Closure


@pytest.mark.parametrize(
    ("problem", "named", "line"),
    [
        (CallsAMethod, "CallsAMethod.apply", "return helper(s[0])"),
        (UnknownField, "UnknownField.solved", "data.target"),
        (UnknownName, "UnknownName.moves", "nowhere"),
        (closure(1), "Closure.apply", "@kernel"),
    ],
)
def test_the_error_names_the_kernel_and_the_line(problem, named, line):
    with pytest.raises(KernelError) as raised:
        solve(problem(), "bfs", engine="compiled")
    message = str(raised.value)
    assert "\n" not in message
    assert named in message
    number = int(message.split("line ")[1].split(")")[0])
    source = inspect.getsource(inspect.getmodule(test_the_error_names_the_kernel_and_the_line)).splitlines()
    assert line in source[number - 1] or line in "\n".join(source[number - 2 : number + 2])


def test_interpreted_runs_do_not_need_kernels_to_compile():
    assert solve(closure(1)(), "bfs", engine="python").cost == 3


class TakesTooLittle(Base):
    @kernel
    def moves(s, data, out):
        out[0] = 1
        return 1


class EstimatesOfNothing(Base):
    heuristics = {"way": Estimate(lambda s, data: 3 - s[0])}


@pytest.mark.parametrize(
    ("problem", "search", "sentence"),
    [
        (TakesTooLittle, "bfs", "kernel TakesTooLittle.moves takes (s, data, out): expected (s, data, work, out) ("),
        (EstimatesOfNothing, "astar:way", "takes (s, data): expected (s, data, work) ("),
        (EstimatesOfNothing, "astar:2*way", "takes (s, data): expected (s, data, work) ("),
    ],
)
def test_a_wrong_signature_is_refused_before_anything_is_compiled(problem, search, sentence, monkeypatch):
    from procura.compiled import engine

    monkeypatch.setattr(engine, "Specialised", None)
    with pytest.raises(KernelError) as raised:
        solve(problem(), search, engine="compiled")
    assert sentence in str(raised.value) and "test_kernel_errors.py, line " in str(raised.value)
    with pytest.raises(KernelError) as raised:
        testing.check(problem())
    assert sentence in str(raised.value)


def test_a_heuristic_that_is_not_used_may_be_anything():
    assert solve(EstimatesOfNothing(), "bfs", engine="compiled").cost == 3


class Fresh(Base):
    """A class whose kernels nobody else has compiled."""

    @kernel
    def solved(s, data, work):
        return s[0] == 7


def test_what_a_listener_raises_while_kernels_are_compiled_is_no_fault_of_a_kernel(monkeypatch, tmp_path):
    def stop(event):
        raise ZeroDivisionError("enough")

    monkeypatch.setattr(Control, "report_progress", lambda control: control.emit("progress"))  # however quick it is
    monkeypatch.setenv("PROCURA_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ZeroDivisionError, match="enough"):
        solve(Fresh(), "bfs", engine="compiled", on_event=stop, events=["progress"])
