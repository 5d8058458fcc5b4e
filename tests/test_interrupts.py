"""Ctrl-C while a compiled kernel runs that never returns: the second one ends the program, and nothing is left odd."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from spaces import Counter

from procura import interrupts, solve

ENDLESS = textwrap.dedent(
    """
    from procura import ArrayProblem, kernel

    class Endless(ArrayProblem):
        '''Rows of int8 never get to 200: compiled, the loop goes on for ever, interpreted it does not.'''

        def __init__(self):
            super().__init__(size=1, max_moves=2)

        def start(self):
            return [0]

        @classmethod
        def from_text(cls, text):
            return cls()

        @kernel
        def moves(s, data, work, out):
            before = s[0]
            while before >= DEPTH and s[0] != 200:
                s[0] += 1
            s[0] = before
            out[0], out[1] = 0, 1
            return 2

        @kernel
        def apply(s, data, work, move):
            s[0] += 1 + move
            return 1

        @kernel
        def solved(s, data, work):
            return s[0] == 100
    """
)
TELL = textwrap.dedent(
    """
    import sys, threading, time
    from procura import interrupts

    def tell():
        '''Say so once the same kernel has run for a while.'''
        seen = None
        while True:
            time.sleep(0.2)
            now = interrupts.current and interrupts.current.turn
            if now and now % 2 and now == seen:
                print("inside a kernel", flush=True)
                return
            seen = now

    threading.Thread(target=tell, daemon=True).start()
    """
)


@pytest.fixture
def endless(tmp_path):
    """A class whose kernel never returns, from the initial state on or from further ahead."""

    def write(depth=0):
        place = tmp_path / "endless.py"
        place.write_text(ENDLESS.replace("DEPTH", str(depth)))
        return place

    return write


@pytest.fixture
def start(tmp_path):
    """Start a program, which says when it is inside a kernel; it is killed in the end."""
    started = []

    def run(program, **keywords):
        command = [sys.executable, "-c", TELL + textwrap.dedent(program)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": tmp_path}
        started.append(subprocess.Popen(command, **{**pipes, **keywords}))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.communicate()


def press(process, times=2):
    """Press Ctrl-C inside the kernel, so slowly that the system does not take two for one; what else it printed."""
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
    return process.communicate(timeout=60)


COMMAND = """
    sys.argv = ["procura", "solve", "endless.py:Endless", "x", "--with", "bfs"]
    sys.argv += ["--engine", "compiled", "--json", "--limit", "seconds=1"]
    from procura.__main__ import main
    main()
    """


def test_the_command_ends_with_130_and_says_why(endless, start):
    endless()
    process = start(COMMAND)
    assert process.stdout.readline() == "inside a kernel\n"
    out, err = press(process)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines(True)[-1] == "procura: ended by a second Ctrl-C inside a kernel that does not return\n"


def test_a_program_ends_with_130_and_what_it_printed_is_written(endless, start):
    endless()
    process = start(
        """
        from endless import Endless
        from procura import solve
        print("so far", end="")
        solve(Endless(), "astar", engine="compiled")
        print("never")
        """
    )
    assert process.stdout.readline() == "so farinside a kernel\n"
    assert press(process) == ("", "")
    assert process.returncode == 130


@pytest.mark.slow
def test_output_that_nobody_reads_does_not_keep_it_from_ending(endless, start):
    endless()
    reader, writer = os.pipe()
    process = start(
        f"""
        import os
        from endless import Endless
        from procura import solve
        sys.stdout = os.fdopen({writer}, "w", buffering=1 << 20)
        sys.stdout.write("x" * (1 << 19))
        def tell():
            while not (interrupts.current and interrupts.current.turn % 2):
                time.sleep(0.1)
            sys.__stdout__.write("inside a kernel\\n")
            sys.__stdout__.flush()
        threading.Thread(target=tell, daemon=True).start()
        solve(Endless(), "astar", engine="compiled")
        """,
        pass_fds=(writer,),
    )
    os.close(writer)
    assert process.stdout.readline() == "inside a kernel\n"
    press(process)
    os.close(reader)
    assert process.returncode == 130


def test_a_ctrl_c_while_kernels_are_made_ready_ends_the_run_before_it_is_inside_one(endless, start):
    endless()
    process = start(
        """
        import os, signal
        from endless import Endless
        from procura import solve
        from procura.compiled import engine
        compile_for = engine.compile_for
        def interrupted(control, *arguments):
            if not control.interrupted:
                os.kill(os.getpid(), signal.SIGINT)
            return compile_for(control, *arguments)
        engine.compile_for = interrupted
        print(solve(Endless(), "bfs", engine="compiled").stopped_by)
        """
    )
    assert process.communicate()[0] == "cancelled\n"


SEVERAL = """
    import os
    from endless import Endless
    from procura import solve, solve_many
    from procura.compiled import engine, idastar
    def tell(run):
        def told(*arguments):
            late = threading.Timer(0.5, os.write, [1, b"inside a kernel\\n"])
            if threading.current_thread() is not threading.main_thread():
                late.start()
            try:
                return run(*arguments)
            finally:
                late.cancel()
        return told
    engine.Specialised.__call__ = tell(engine.Specialised.__call__)
    idastar.SERIAL_SECONDS = -1.0
    engine.FIRST_SLICE = 1
    """


@pytest.mark.parametrize(
    "run",
    [
        'solve(Endless(), "bfs | dfs", engine="compiled")',
        pytest.param('solve(Endless(), "idastar", jobs=2, engine="compiled")', marks=pytest.mark.slow),
        pytest.param(
            'list(solve_many(Endless, [Endless()] * 2, "bfs", engine="compiled", jobs=2))', marks=pytest.mark.slow
        ),
    ],
)
def test_kernels_on_threads_do_not_keep_the_second_from_ending_it(endless, start, run):
    endless(depth=20 if "idastar" in run else 0)
    process = start(SEVERAL + run)
    assert process.stdout.readline() == "inside a kernel\n"
    _, err = press(process)
    assert err.rstrip().endswith("KeyboardInterrupt")


HARD = textwrap.dedent(
    """
    from pathlib import Path
    TELL

    class Hard(Endless):
        '''The same, with a goal so far off that the interpreted search has no answer before the kernel is there.'''

        def __init__(self):
            ArrayProblem.__init__(self, size=3, max_moves=3, dtype="int16")

        def start(self):
            return [0, 0, 0]

        @kernel
        def moves(s, data, work, out):
            before = s[0]
            while s[0] != 40000:
                s[0] += 1
            s[0] = before
            for i in range(3):
                out[i] = i
            return 3

        @kernel
        def apply(s, data, work, move):
            s[move] += 1
            return 1

        @kernel
        def solved(s, data, work):
            return s[0] + s[1] + s[2] == 10000
    """
)


@pytest.mark.slow
def test_a_game_is_saved_and_its_terminal_put_back(endless, tmp_path):
    pytest.importorskip("termios")
    from pseudo_terminal import Terminal

    place = tmp_path / "game.json"
    file = endless()
    told = TELL.replace('print("inside a kernel", flush=True)', 'Path("inside").touch()')
    file.write_text(file.read_text() + HARD.replace("TELL", told))
    with Terminal("play", f"{file}:Hard", "x", "--save", place, cwd=tmp_path) as game:
        game.until("q quit")
        game.send("h")
        game.until("thinking")
        game.until(lambda text: (tmp_path / "inside").exists(), "the kernel")
        while game.process.poll() is None:
            game.interrupt()
            game.quiet(1.0)
        assert game.end() == 130 and game.restored()
    assert json.loads(place.read_text())["moves"] == []


def test_nothing_is_left_plugged_in_after_a_run():
    solve(Counter(5), "bfs", engine="compiled")
    assert interrupts.current is None
    assert signal.set_wakeup_fd(-1) == -1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_event_loop_is_told_of_signals_as_before():
    async def main():
        told = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, told.set)
        before = signal.set_wakeup_fd(-1)
        signal.set_wakeup_fd(before)
        assert solve(Counter(5), "bfs", engine="compiled").cost == 3
        after = signal.set_wakeup_fd(-1)
        signal.set_wakeup_fd(after)
        os.kill(os.getpid(), signal.SIGUSR1)
        await asyncio.wait_for(told.wait(), 60)
        return before == after

    assert asyncio.run(main())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_its_own_ears(start):
    """A signal there is not heard here, and a run there listens anew."""
    program = """
        import os, signal
        sys.path.insert(0, ".")
        from spaces import Counter
        from procura import solve
        heard = []
        class Here(interrupts.Interrupts):
            def press(self):
                heard.append("here")
        def run(event):
            if heard == [] and not os.fork():
                os.kill(os.getpid(), signal.SIGINT)
                os._exit(0)
            elif heard == []:
                os.wait()
                time.sleep(0.2)
        interrupts.Interrupts.press = Here.press
        solve(Counter(5), "bfs", engine="compiled", on_event=run, events=["goal"])
        print(heard, solve(Counter(5), "bfs", engine="compiled").cost)
        """
    process = start(program, cwd=Path(__file__).parent)
    out, err = process.communicate(timeout=120)
    assert (out, err) == ("[] 3\n", "")
