"""What the tests of studies share: study files in a folder, the command in a process, and problems that misbehave."""

from __future__ import annotations

import json
from pathlib import Path

HOSTILE = '''
"""A problem whose steps do what its board says."""
import os, re, signal, sys, time
from procura import Problem

class Hostile(Problem):
    """The states are numbers and 3 is the goal; each step does something."""

    def __init__(self, how):
        self.how, self.initial = how, 0

    @classmethod
    def from_text(cls, text, *, flavour="plain"):
        if text == "stall" and "fork_server" in sys.argv[0]:
            time.sleep(1000)
        return cls(text)

    def actions(self, state):
        return ["go"]

    def result(self, state, action):
        getattr(self, self.how)()
        return state + 1

    def is_goal(self, state):
        return state == 3

    def walk(self):
        pass

    def nap(self):
        time.sleep(0.1)

    def ignore(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass

    def hold(self):
        """Hold the interpreter's lock in C, with SIGTERM blocked."""
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
        re.match("(a+)+$", "a" * 100 + "b")

    def allocate(self):
        hoard = []
        while True:
            hoard.append(bytearray(1 << 20))

    def demand(self):
        return bytearray(1 << 45)

    def breed(self):
        """Leave a process behind that ignores SIGTERM, then loop."""
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(1000)
        time.sleep(1000)

    def breed_memory(self):
        """Let other processes take the memory."""
        if os.fork() == 0:
            self.allocate()
        time.sleep(1000)

    def leave(self):
        """Leave a process behind and end."""
        if os.fork() == 0:
            time.sleep(1000)
        os._exit(0)

    def detach(self):
        """Leave a process behind in a session of its own, whose parent is gone, and go on."""
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(1000)
            os._exit(0)
        os.wait()

    def detach_and_loop(self):
        self.detach()
        time.sleep(1000)

    def detach_memory(self):
        """Let a process in another session take the memory."""
        if os.fork() == 0:
            os.setsid()
            self.allocate()
        time.sleep(1000)

    def scribble(self):
        """Write into every descriptor, that of the run's result as well."""
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"words\\n3\\n")
            except OSError:
                pass

    def abort(self):
        print("the last words")
        sys.stdout.flush()
        os.abort()

    def chatter(self):
        """Print without end, nearly."""
        for number in range(400):
            print(f"words {number} " * 10_000 + f"\\nwords {number}")
            sys.stdout.flush()
            time.sleep(0.001)
        self.fail()

    def fail(self):
        raise RuntimeError("a broken rule")

    def die(self):
        os.kill(os.getpid(), signal.SIGKILL)
'''


PLAIN_RUN = {
    "puzzle": "p", "board": "b", "options": {}, "engine": "python", "repeat": 1,
    "searches": [{"algorithm": "bfs", "heuristic": None, "options": {}}],
}  # fmt: skip


def a_record(key, ending="solved", **more):
    """A result that is made up."""
    names = {"problem": "p", "group": "g", "configuration": "c"}
    return {"schema": 1, "key": key, **names, "ending": ending, "run": PLAIN_RUN, **more}


def write_study(folder, *lines, name="study.toml"):
    """A study file in ``folder``."""
    path = Path(folder) / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def hostile_study(folder, *boards, limits="seconds = 20", more=()):
    """A study of the problem that misbehaves, in the ways that ``boards`` name."""
    (Path(folder) / "hostile.py").write_text(HOSTILE, encoding="utf-8")
    return write_study(
        folder,
        f"limits = {{{limits}}}",
        "[[problems]]",
        'puzzle = "hostile.py:Hostile"',
        f"boards = {json.dumps(boards)}",
        "[[configurations]]",
        'with = "bfs"',
        *more,
    )


def results(study):
    """The records that a study has made, in order."""
    path = Path(str(study).removesuffix(".toml") + ".results.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def parent_of(pid):
    """The number of a process's parent."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
