"""The studio's session: messages in, messages out. It has no threads and knows no server; docs/studio.md has the table.

A message is an object as JSON has it. Whoever carries the session calls ``handle`` and passes on what it sends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from procura import __version__, catalog, words
from procura.configuration import Configuration
from procura.control import Event
from procura.errors import InputError, ProcuraError, one_line, unknown
from procura.pictures import animated_svg, path_svg
from procura.play.saving import opponents
from procura.problem import Problem
from procura.reading.boards import sample_task, tasks_of
from procura.reading.limits import read_limits
from procura.reading.puzzles import ChosenPuzzle, choose_puzzle
from procura.record import plain, printed, record
from procura.result import Limits, Result
from procura.solving import solve
from procura.studio.games import Games
from procura.studio.lines import command_line, python_lines, study_file
from procura.studio.messages import check_board, mapping, number, search, text
from procura.studio.offers import algorithm_data, heuristic_data, improves, option_data
from procura.studio.watching import Watched, game_recording, search_recording
from procura.studio.written import FILE, Written, checked
from procura.texts import Source, Task
from procura.watch.recording import Recording

VERSION = 1
"""Of the messages."""
MOST_FRAMES = 2_000
"""Boards of an answer that are sent; of puzzles that only draw pictures, a tenth of that."""
MOST_CHARACTERS = 2_000_000
"""Of the texts and pictures of these boards in all."""
MOST_PROBLEMS = 500
"""Problems of one text that are listed."""

Message = dict[str, Any]
Send = Callable[[Message], None]
Cancel = Callable[[], bool]


class Session:
    """One page's session: answers each message by one or more, the last of which says so.

    >>> replies = []
    >>> board = {"puzzle": "sliding", "board": "1 2 3 4 5 6 0 7 8"}
    >>> Session(engines=("python",)).handle({"v": 1, "id": 7, "do": "solve", **board}, replies.append)
    >>> replies[-1]["is"], replies[-1]["id"], replies[-1]["last"], replies[-1]["outcome"]
    ('answer', 7, True, 'solved in 2 moves, proved optimal')
    """

    def __init__(
        self,
        own: Mapping[str, ChosenPuzzle] | None = None,
        engines: Sequence[str] = ("auto", "compiled", "python"),
        limits: Mapping[str, str] | None = None,
        files: Any = None,
        code: bool = False,
    ) -> None:
        """``own`` are puzzles as ``load_own`` gives them; the first engine is the default, as are the ``limits``.

        ``files`` offers texts by name, as ``studio.files.Files`` does. With ``code`` it runs the code of messages.
        """
        self.puzzles: dict[str, ChosenPuzzle] = {name: choose_puzzle(name) for name in catalog.PUZZLES}
        self.puzzles |= {chosen.name: chosen for chosen in (own or {}).values()}
        self.places = {chosen.name: place for place, chosen in (own or {}).items()}
        self.engines, self.limits, self.files = tuple(engines), dict(limits or {"seconds": "20"}), files
        self.games, self.watched = Games(), Watched()
        self.written, self.offers_code = Written() if code else None, code
        self.requests: dict[str, Callable[[Message, Send, Cancel | None], Message]] = {
            "hello": self.hello,
            "board": self.board,
            "solve": self.solve,
            "study": self.study,
            "watch": self.watch,
            "write": self.write,
            "picture": self.picture,
            "play": self.play,
            "files": self.list_files,
            "open": self.open_file,
        }

    def handle(self, message: Any, send: Send, cancel: Cancel | None = None) -> None:
        """Answer a message by ``send``; ``cancel`` is asked now and then whether to end. Nothing is raised."""
        mark = message.get("id") if isinstance(message, dict) else None
        mark = mark if isinstance(mark, int | str) else None

        def reply(answer: Message, last: bool = False) -> None:
            send({"v": VERSION, "id": mark, **plain(answer), "last": last})

        try:
            reply(self._answer(message, reply, cancel), last=True)
        except (InputError, ProcuraError) as error:
            reply(self._fault(message, error, str(error)), last=True)
        except (Exception, SystemExit) as error:  # of a user's class; and a page must hear of our own faults too
            reply(self._fault(message, error, f"{type(error).__name__}: {one_line(str(error))}"), last=True)

    def _fault(self, message: Any, error: BaseException, said: str) -> Message:
        """What went wrong; in code that came with the message, with its line."""
        if self.written is None or not isinstance(message, dict) or "code" not in message:
            return {"is": "error", "text": said}
        return {"is": "error", "text": self.written.sentence(error), "line": self.written.line(error)}

    def _answer(self, message: Any, send: Send, cancel: Cancel | None) -> Message:
        if not isinstance(message, dict) or message.get("v") != VERSION:
            raise InputError(f'expected a message with "v": {VERSION}: reload the page')
        name = text(message, "do")
        if name not in self.requests:
            raise unknown("there is no request", name, self.requests)
        return self.requests[name](message, send, cancel)

    # What there is

    def hello(self, message: Message, send: Send, cancel: Cancel | None) -> Message:
        """All that the page can offer: puzzles with their first boards, algorithms, engines, limits."""
        return {
            "is": "welcome",
            "version": __version__,
            "engines": self.engines,
            "limits": self.limits,
            "files": self.files is not None,
            "code": self.offers_code,
            "puzzles": [self._about(name, chosen) for name, chosen in self.puzzles.items()],
            "algorithms": [algorithm_data(info) for info in catalog.ALGORITHMS.values()],
            "game_algorithms": [algorithm_data(info) for info in catalog.GAME_ALGORITHMS.values()],
        }

    def _about(self, name: str, chosen: ChosenPuzzle) -> Message:
        cls, entry = chosen.cls, chosen.entry
        return {
            "name": name,
            "about": entry.about if entry else one_line((cls.__doc__ or name).partition("\n\n")[0]),
            "page": f"puzzles/{name}/page.js" if entry else None,
            "options": [option_data(option) for option in chosen.kin.options] if chosen.kin else [],
            "generator": [option_data(option) for option in chosen.kin.generator] if chosen.kin else [],
            "compared": chosen.compared(),
            "local": improves(cls),
            "random": chosen.defines("generate"),
            "samples": list(cls.samples()),
            "heuristics": [heuristic_data(key, value) for key, value in cls.heuristics.items()],
            "specialists": [
                algorithm_data(info) for key, info in catalog.algorithms(cls).items() if key not in catalog.ALGORITHMS
            ],
            "presets": [
                {"name": key, "about": value.about, "configuration": value.configuration}
                for key, value in cls.presets.items()
            ],
            "told": cls.told_by_text,
            "noun": cls.step_noun,
            "hint": cls.typing_hint,
            "opponents": opponents(cls),
            "game": entry is not None and entry.game is not None,
            "first": self._first(chosen),
        }

    def _first(self, chosen: ChosenPuzzle) -> Message | None:
        """The board that the page begins with, if there is one."""
        entry = chosen.entry
        try:
            if entry is not None:
                return self._shown(chosen, sample_task(chosen, entry.first, {}).problem(), entry.first)
            problem = self._begun(chosen)
            return None if problem is None else self._shown(chosen, problem)
        except Exception:  # a class of a user's own may raise anything
            return None

    def _begun(self, chosen: ChosenPuzzle) -> Problem | None:
        """The first problem of a user's own class; None if it cannot be made without a text."""
        names = list(chosen.samples())
        if names:
            return sample_task(chosen, names[0], {}).problem()
        return chosen.cls() if chosen.needs_nothing() else None

    # Boards

    def board(self, message: Message, send: Send, cancel: Cancel | None) -> Message:
        """A board by its text, a sample's name or at random, with all that is known of it before a search."""
        chosen = self._puzzle(message)
        names: list[str] = []
        if "sample" in message:
            name: str | None = text(message, "sample")
            problem = sample_task(chosen, str(name), {}).problem()
        elif "seed" in message:
            name, problem = None, self._random(chosen, message)
        else:
            tasks = self._tasks(chosen, message)
            at = number(message, "number", 0, len(tasks) - 1) or 0
            name, problem = tasks[at].name, tasks[at].problem()
            names = [task.name or task.place or str(i) for i, task in enumerate(tasks[:MOST_PROBLEMS], 1)]
        return {"is": "board", **self._shown(chosen, problem, name), "problems": names if len(names) > 1 else []}

    def _shown(self, chosen: ChosenPuzzle, problem: Problem, name: str | None = None) -> Message:
        return {
            "puzzle": chosen.name,
            "name": name,
            "board": problem.board_text(),
            "options": dict(problem.board_options()),
            "all_options": dict(problem.options),
            "start": self._frame(chosen, problem, problem.initial),
            "target": problem.target_text(),
            "facts": problem.page_facts(),
            "unsolvable": problem.why_unsolvable(),
            "auto": str(Configuration("auto").resolve(problem)),
        }

    def _random(self, chosen: ChosenPuzzle, message: Message) -> Problem:
        """A random board; one that people can beat unless the message asks for more."""
        given = {key: value for key, value in mapping(message, "generator").items() if value not in (None, "")}
        options = chosen.read_generator_options(given)
        if message.get("beatable"):
            options = {**chosen.cls.beatable(options, message.get("against")), **options}
        seed = number(message, "seed", 0, 2**53) or 0
        return chosen.cls.generate(seed, **options)

    def _puzzle(self, message: Message) -> ChosenPuzzle:
        if "code" in message:
            if self.written is None:
                raise InputError("this studio runs no code of a page: start it by procura studio --allow-code")
            return self.written.puzzle(text(message, "code"))
        name = text(message, "puzzle")
        if name not in self.puzzles:
            raise unknown("there is no puzzle", name, self.puzzles)
        return self.puzzles[name]

    def _tasks(self, chosen: ChosenPuzzle, message: Message) -> list[Task]:
        given = {key: value for key, value in mapping(message, "options").items() if value not in (None, "")}
        board = message.get("board")
        if board is None and not given and chosen.needs_nothing():
            return [Task(chosen.cls)]
        return tasks_of(chosen, Source(check_board(text(message, "board"))), chosen.read_options(given))

    def _problem(self, message: Message) -> Problem:
        tasks = self._tasks(self._puzzle(message), message)
        return tasks[number(message, "number", 0, len(tasks) - 1) or 0].problem()

    def _frame(self, chosen: ChosenPuzzle, problem: Problem, state: Any) -> Message:
        """A state as the page draws it: its text, and a picture where the page has no drawing of its own."""
        frame: Message = {"text": problem.to_text(state)}
        points = problem.points(state)
        if points is not None:
            frame["points"] = points
        if chosen.entry is None:
            frame["svg"] = problem.to_svg(state)
        return frame

    # Searches

    def solve(self, message: Message, send: Send, cancel: Cancel | None) -> Message:
        """Search a board; progress about ten times a second, then the answer."""
        chosen, problem = self._puzzle(message), self._problem(message)
        asked, limits = search(message), self._limits(message)
        engine = text(message, "engine", self.engines[0])
        if engine not in self.engines:
            raise InputError(f"engine {engine!r}: expected {' or '.join(self.engines)}")
        seed = number(message, "seed", 0, 2**53)
        result = solve(
            problem, asked, limits=limits, engine=engine, seed=seed, cancel=cancel,
            on_event=_Follower(send), events=("progress", "improve", "bound"),
        )  # fmt: skip
        brief = bool(message.get("brief"))
        return self._answered(chosen, result, asked, mapping(message, "limits"), engine, seed, brief)

    def _limits(self, message: Message) -> Limits:
        given = {key: value for key, value in mapping(message, "limits").items() if value not in (None, "")}
        return read_limits([f"{name}={value}" for name, value in given.items()])

    def _answered(
        self, chosen: ChosenPuzzle, result: Result, asked: str, limits: Mapping[str, Any], engine: str,
        seed: int | None, brief: bool,
    ) -> Message:  # fmt: skip
        """The result of a search; if it is to be ``brief``, without the boards of its solution."""
        problem = result.problem
        most = MOST_FRAMES if chosen.entry else MOST_FRAMES // 10
        frames = [] if brief else self._frames(chosen, result, most)
        best = None
        if result.path is None and result.final is not None:
            best = self._frame(chosen, result.view or problem, result.final)
        place = self._place(chosen)
        lines = (problem, asked, limits, "auto" if engine == self.engines[0] else engine, seed)
        return {
            "is": "answer",
            "record": printed(record(result)),
            "configuration": str(result.configuration),
            "outcome": words.outcome(result),
            "notes": result.notes,
            "unproved": result.unproved,
            "advice": words.what_to_try(result),
            "most": None if result.bound is None else problem.cost_in_points(result.bound),
            "frames": frames,
            "moves": [problem.action_text(action) for action in (result.actions or ())[: max(len(frames) - 1, 0)]],
            "best": best,
            "command": command_line(place, *lines),
            "python": python_lines(place, *lines),
        }

    def _place(self, chosen: ChosenPuzzle) -> str:
        """The puzzle as a command takes it."""
        known = self.places.get(chosen.name, chosen.name)
        return known if chosen is self.puzzles.get(chosen.name) else f"{FILE}:{chosen.name}"

    def _frames(self, chosen: ChosenPuzzle, result: Result, most: int) -> list[Message]:
        """The first boards of a solution, as many as fit into an answer."""
        frames: list[Message] = []
        room = MOST_CHARACTERS
        for state in result.states():
            frames.append(self._frame(chosen, result.problem, state))
            room -= len(frames[-1]["text"]) + len(frames[-1].get("svg") or "")
            if len(frames) == most or room < 0:
                break
        return frames

    def study(self, message: Message, send: Send, cancel: Cancel | None) -> Message:
        """The study file that compares these searches on these boards."""
        chosen, boards, searches = self._puzzle(message), message.get("boards"), message.get("searches")
        if not isinstance(boards, list) or not all(isinstance(board, dict) for board in boards):
            raise InputError(f"boards {boards!r:.40}: expected a list of objects")
        if not isinstance(searches, list) or not all(isinstance(search, str) for search in searches):
            raise InputError(f"searches {searches!r:.40}: expected a list of texts")
        return {"is": "study", "text": study_file(self._place(chosen), boards, searches, mapping(message, "limits"))}

    def watch(self, message: Message, send: Send, cancel: Cancel | None) -> Message:
        """Some steps of a search, or of the analysis of a game for two; see ``procura.watch.recording``."""
        chosen = self._puzzle(message)

        def make() -> Recording:
            problem, limits = self._problem(message), self._limits(message)
            if message.get("game"):
                return game_recording(chosen, problem, message, limits)
            return search_recording(problem, message, limits)

        def frame(shown: Any, state: Any) -> Message:
            return {"text": shown.to_text(state)} if message.get("game") else self._frame(chosen, shown, state)

        return {"is": "steps", **self.watched.steps(message, make, frame, cancel)}

    def picture(self, message: Message, send: Send, cancel: Cancel | None) -> Message:
        """The boards of a path of actions as one SVG, side by side or one after the other."""
        problem, actions = self._problem(message), message.get("actions", [])
        if not isinstance(actions, list):
            raise InputError(f"actions {actions!r:.40}: expected a list")
        draw = animated_svg if message.get("animated") else path_svg
        drawn = draw(problem, actions, text(message, "title", problem.name))
        if drawn is None:
            raise InputError(f"{problem.name} draws no pictures: it defines no to_svg")
        return {"is": "picture", "svg": drawn[0], "left_out": drawn[1]}

    def write(self, message: Message, send: Send, cancel: Cancel | None) -> Message:
        """The puzzle that the code of a message defines, as ``hello`` describes it, and what a check of it finds."""
        text(message, "code")
        send({"is": "begun"})
        chosen = self._puzzle(message)
        first = self._begun(chosen)
        about = self._about(chosen.name, chosen)
        found = checked(first) if first is not None else {"wrong": f"{chosen.name} needs a board: it is not checked"}
        return {"is": "written", "puzzle": about, **found}

    # Games and files

    def play(self, message: Message, send: Send, cancel: Cancel | None) -> Message:
        """A game by hand, with what is done in it; see ``studio.games``."""
        chosen = self._puzzle(message)
        problem = self._problem(message) if "game" not in message else None
        return {"is": "game", **self.games.play(chosen, problem, message, cancel)}

    def list_files(self, message: Message, send: Send, cancel: Cancel | None) -> Message:
        """The names of the files that can be opened."""
        return {"is": "files", "names": self._files().names()}

    def open_file(self, message: Message, send: Send, cancel: Cancel | None) -> Message:
        """The text of one of them."""
        name = text(message, "name")
        return {"is": "file", "name": name, "text": self._files().read(name)}

    def _files(self) -> Any:
        if self.files is None:
            raise InputError("the studio was started without a FOLDER: it reads no files")
        return self.files


def load_own(places: Sequence[str]) -> dict[str, ChosenPuzzle]:
    """The classes of the user's own at ``file.py:Class``, whose files are run; by place."""
    found = {place: choose_puzzle(place) for place in places}
    names = [*catalog.PUZZLES, *(chosen.name for chosen in found.values())]
    for place, chosen in found.items():
        if names.count(chosen.name) > 1:
            raise InputError(f"puzzle {place}: there is a puzzle {chosen.name!r} already, expected another name")
    return found


class _Follower:
    """Sends what a run reports, at most about ten times a second."""

    def __init__(self, send: Send) -> None:
        self.send, self.best, self.bound = send, None, None
        self._next = 0.0

    def __call__(self, event: Event) -> None:
        if event.kind == "improve":
            self.best = event.value
        elif event.value is not None:
            self.bound = event.value
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + 0.08
        self.send(
            {
                "is": "progress",
                "expanded": event.expanded,
                "generated": event.generated,
                "frontier": event.frontier,
                "seconds": event.seconds,
                "bound": self.bound,
                "best": self.best,
            }
        )
