"""check(problem): the conformance kit. It walks a problem at random and holds it to what its definition promises."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise
from typing import Any

from procura.analysing import analyse
from procura.configuration import Configuration
from procura.debug import checked, rows_as_in_use
from procura.errors import InputError, KernelFault, ProcuraError, shown
from procura.faults import check_game_signatures, check_signatures, raised_by, sentence
from procura.game import Analysis, ArrayGame, Game
from procura.heuristics import BoundHeuristic, heuristic
from procura.patterns import abstract_goals, abstract_row
from procura.problem import DEAD, ArrayProblem, Estimate, Problem, checked_cost
from procura.result import Limits, Result
from procura.rng import below, stream
from procura.rows import MOST_MOVES, Rows
from procura.search.game_tree import legal, number as checked_score, player
from procura.solving import check_declared, plan, solve

TRUE_COST_EXPANSIONS = 300
PARITY_EXPANSIONS = 200


class ConformanceError(ProcuraError, AssertionError):
    """A problem does not keep what its definition promises.

    >>> from procura import Estimate, Sliding
    >>> class Hopeful(Sliding):
    ...     def __init__(self, board):
    ...         super().__init__(board)
    ...         self.heuristics = {"far": Estimate(lambda s, data, work: 99, admissible=True)}
    >>> try:
    ...     check(Hopeful("1 2 3 4 5 6 7 0 8"), walks=2, engines=False)
    ... except ConformanceError as error:
    ...     print(str(error)[:37])
    far is declared admissible, but is 99
    """


@dataclass
class Checked:
    """What a check looked at.

    >>> Checked(states=3).runs
    []
    """

    states: int = 0
    steps: int = 0
    heuristics: dict[str, int] = field(default_factory=dict)
    """States at which each heuristic was compared with a true least cost."""
    runs: list[str] = field(default_factory=list)
    """Configurations run on both engines."""


def check(
    problem: Problem | Game, *, walks: int = 20, length: int = 30, seed: int = 0, engines: bool = True
) -> Checked:
    """Hold ``problem`` to its definition on random walks; raises ``ConformanceError`` that says what is broken.

    Checked: the rules raise nothing, moves and values fit what was declared, kernels leave alone what they may not
    change and do not rely on scratch, ``inverse`` takes back, equal keys mean equal moves and goals, costs and
    ``acyclic`` are as declared, heuristics that say so are admissible (against searches from sampled states) and
    consistent, ``step`` agrees with a fresh value, patterns allow what their states do and count no more than steps
    cost, local search's energy differences are true, actions survive JSON, and both engines agree.
    Of a game: somebody can move unless it is over, turns and scores are what they may be, states that share an entry
    of a table go on alike, actions survive JSON, kernels do not rely on scratch, and both engines agree.

    >>> from procura import Sliding
    >>> check(Sliding("1 2 3 4 0 5", size="2x3"), walks=2, engines=False).states > 1
    True
    """
    report = Checked()
    with checked():
        try:
            if isinstance(problem, Game):
                if isinstance(problem, ArrayGame):
                    check_game_signatures(problem)
                _check_game(problem, report, walks, length, seed, engines)
                return report
            if isinstance(problem, ArrayProblem):
                check_signatures(problem)
            if not isinstance(problem, Problem):
                raise _fail(f"check needs a Problem or a Game, not {problem!r}")
            check_declared(problem)
            _check_rules(problem, report, walks, length, seed)
            plan(problem, Configuration.parse("auto"), "python")  # raises if what ``auto`` names cannot be had
            if engines and isinstance(problem, ArrayProblem):
                for configuration in _configurations(problem):
                    assert_same_on_both_engines(problem, configuration, seed=seed)
                    report.runs.append(configuration)
        except (KernelFault, InputError) as error:
            raise _fail(str(error)) from error
        except ProcuraError:
            raise
        except Exception as error:
            outside = isinstance(problem, Rows) and isinstance(error, IndexError | OverflowError)
            raise _fail(sentence(error, problem) if outside else raised_by(type(problem), error)) from error
    return report


def _check_rules(problem: Problem, report: Checked, walks: int, length: int, seed: int) -> None:
    states = _walk(problem, report, walks, length, seed)
    report.states = len(states)
    _check_costs(problem, states)
    if isinstance(problem, ArrayProblem):
        _check_kernels(problem, states)
    for name, declared in problem.heuristics.items():
        _check_heuristic(problem, name, declared, states, report)
    view = problem.local()
    if view is not None:
        _check_local(view, seed, walks)


GAME_RUNS = ("minimax", "alphabeta", "alphabeta,moves=best", "mcts,playouts=50")


def _check_game(game: Game, report: Checked, walks: int, length: int, seed: int, engines: bool) -> None:
    rng = [stream(seed)]
    met: dict[Any, Any] = {}
    for _ in range(walks):
        state = game.initial
        for _ in range(length):
            entry = _game_facts(game, state)
            known = met.setdefault(game.table_key(state), entry)
            if known != entry:
                raise _fail(
                    f"{game.name}: {state} shares its identity or a symmetry with a state that goes on otherwise"
                )
            if game.is_over(state):
                break
            actions = list(game.actions(state))
            state = game.result(state, actions[below(rng, len(actions))])
            report.steps += 1
    report.states = len(met)
    if engines and isinstance(game, ArrayGame):
        for algorithm in GAME_RUNS:
            limits = Limits(depth=3, nodes=PARITY_EXPANSIONS)
            assert_same_analysis(game, algorithm, limits=limits, seed=seed)
            report.runs.append(algorithm)


def _game_facts(game: Game, state: Any) -> tuple[Any, ...]:
    """What states that are worth the same have in common: who moves, whether it is over, how many actions there are."""
    over, score = game.is_over(state), checked_score(game, state, game.score(state))
    if over and game.most is not None and abs(score) > game.most:
        raise _fail(f"{game.name}: {state} ends with {score}, but most is {game.most}")
    if not isinstance(game.to_text(state), str):
        raise _fail(f"{game.name}.to_text gives no text for {state}")
    if over:
        return (True,)
    actions = legal(game, state)
    for action in actions:
        if game.action_from_json(game.action_to_json(action)) != action:
            raise _fail(f"{game.name}: action {action!r} does not survive its JSON form")
    if isinstance(game, ArrayGame):
        _check_game_kernels(game, state, actions)
    return (False, player(game, state), len(actions))


def _check_game_kernels(game: ArrayGame, state: Any, actions: list[int]) -> None:
    """Kernels that only look must not change the state, nor rely on what they find in scratch."""
    for name in ("moves", "over", "turn", "score_kernel", "estimate_kernel"):
        function = getattr(game, name)
        if function is None:
            continue
        found = []
        for rubbish in (-77, 12345):
            row, out = game.row(state), game.new_out()
            more = (out,) if name == "moves" else ()
            found.append((function(row, game.lists, game.work(rubbish), *more), list(out)))
            if tuple(row) != state:
                raise _fail(f"{game.name}.{name.removesuffix('_kernel')} changes the state {state}")
        if found[0] != found[1]:
            raise _fail(f"{game.name}.{name.removesuffix('_kernel')} depends on the scratch row, in {state}")
    for action in actions:
        if not isinstance(action, int) or not 0 <= action < MOST_MOVES:
            raise _fail(f"{game.name}.moves lists {action!r} in {state}: expected 0 to {MOST_MOVES - 1}")
    if type(game.score(state)) is not int:
        raise _fail(f"{game.name}.score gives {game.score(state)!r} in {state}: expected a whole number")


def _fail(message: str) -> ConformanceError:
    return ConformanceError(message)


def _walk(problem: Problem, report: Checked, walks: int, length: int, seed: int) -> list[Any]:
    """States met on random walks, each once; every step is looked at on the way."""
    rng = [stream(seed)]
    met: dict[Any, None] = {problem.initial: None}
    for _ in range(walks):
        state = problem.initial
        path = {problem.identity(state)}
        for _ in range(length):
            steps = list(problem.successors(state))
            if not steps:
                break
            action, state, _ = steps[below(rng, len(steps))]
            report.steps += 1
            met[state] = None
            if problem.action_from_json(problem.action_to_json(action)) != action:
                raise _fail(
                    f"{problem.name}: action {action!r} does not survive its JSON form: action_from_json must undo "
                    "action_to_json"
                )
            if problem.acyclic and problem.identity(state) in path:
                raise _fail(f"{problem.name} is declared acyclic, but {state} recurs on a path")
            path.add(problem.identity(state))
    for state in met:
        goal = problem.is_goal(state)
        if goal is None or isinstance(goal, str | float):
            raise _fail(f"{problem.name}.is_goal returns {goal!r} in {shown(state)}: expected True or False")
        if not isinstance(problem.to_text(state), str):
            raise _fail(f"{problem.name}.to_text gives no text for {state}")
    return list(met)


def _check_costs(problem: Problem, states: list[Any]) -> None:
    for state in states:
        for action, _, cost in problem.successors(state):
            checked_cost(problem, state, action, cost)


def _check_kernels(problem: ArrayProblem, states: list[Any]) -> None:
    """The rules of kernels, at every state."""
    by_key: dict[Any, tuple[Any, list[int], bool]] = {}
    for state in states:
        moves, solved = _steady_moves(problem, state), problem.is_goal(state)
        first, first_moves, first_solved = by_key.setdefault(problem.identity(state), (state, moves, solved))
        if (first_moves, first_solved) != (moves, solved):
            raise _fail(f"{problem.name}: {first} and {state} have the same key but not the same moves and goal")
        if problem.inverse is not None:
            _check_inverse(problem, state, moves)
    if problem.patterns:
        _check_patterns(problem, states)


def _steady_moves(problem: ArrayProblem, state: Any) -> list[int]:
    """The moves, if they are listed as they must be whatever stands in the scratch row."""
    listed = []
    for rubbish in (-77, 12345):
        out = problem.new_out()
        row = problem.row(state)
        number = problem.moves(row, problem.lists, problem.work(rubbish), out)
        if tuple(row) != state:
            raise _fail(f"{problem.name}.moves changes the state {state}")
        solved = bool(problem.solved(row, problem.lists, problem.work(rubbish)))
        if tuple(row) != state:
            raise _fail(f"{problem.name}.solved changes the state {state}")
        after = []
        for move in out[:number]:
            row = problem.row(state)
            cost = problem.apply(row, problem.lists, problem.work(rubbish), move)
            after.append((tuple(row), cost))
        listed.append((out[:number], solved, after))
    moves = listed[0][0]
    for what, one, other in zip(("moves", "solved", "apply"), *listed, strict=True):
        if one != other:
            raise _fail(f"{problem.name}.{what} depends on what it finds in the scratch row, in {state}")
    if len(set(moves)) != len(moves) or not all(0 <= move < MOST_MOVES for move in moves):
        raise _fail(f"{problem.name}.moves lists {moves} in {state}: expected different integers from 0 to 65535")
    return moves


def _check_inverse(problem: ArrayProblem, state: Any, moves: list[int]) -> None:
    inverse = problem.required("inverse")
    for move in moves:
        back = inverse(problem.lists, move)
        after = problem.result(state, move)
        if back not in problem.actions(after) or problem.result(after, back) != state:
            raise _fail(f"{problem.name}: move {back}, the inverse of {move}, does not lead back to {state}")


def _check_patterns(problem: ArrayProblem, states: list[Any]) -> None:
    """An abstract row allows what its states do, at no more cost; patterns count no more than that together."""
    numbers = range(len(problem.patterns))
    goals = [abstract_goals(problem, number) for number in numbers]
    for state in states:
        blurred = [_steady_blur(problem, number, state) for number in numbers]
        for number, row in enumerate(blurred):
            listed = goals[number]
            if problem.is_goal(state) and not (problem.is_goal(row) if listed is None else row in listed):
                raise _fail(f"{problem.name}: {row}, which the goal {state} is blurred to, is none of pattern {number}")
        for move, after, cost in problem.successors(state):
            for number, row in enumerate(blurred):
                _check_abstract_step(problem, number, (state, move, after, cost), row)
            if problem.counts is not None:
                counted = [int(_counted(problem, number, row, move)) for number, row in enumerate(blurred)]
                if min(counted) < 0 or sum(counted) > cost:
                    raise _fail(
                        f"{problem.name}: the patterns count {counted} for move {move} in {state}, which costs {cost}: "
                        "expected no more in all, and none below 0"
                    )


def _steady_blur(problem: ArrayProblem, number: int, state: Any) -> tuple[int, ...]:
    """The abstract row of a state, if it is one."""
    rows = []
    for rubbish in (-77, 12345):
        row, work = problem.row(state), problem.work(rubbish)
        rows.append(tuple(int(problem.required("blur")(row, problem.lists, work, number, i)) for i in range(len(row))))
        if tuple(row) != state:
            raise _fail(f"{problem.name}.blur changes the state {state}")
    if rows[0] != rows[1]:
        raise _fail(f"{problem.name}.blur depends on what it finds in the scratch row, in {state}")
    fresh = problem.row(state)
    for i, entry in enumerate(rows[0]):
        fresh[i] = entry  # in debug this raises if it does not fit
    if abstract_row(problem, number, rows[0]) != rows[0]:
        raise _fail(f"{problem.name}.blur: {state} is blurred to {rows[0]}, and that to another row, pattern {number}")
    return rows[0]


def _check_abstract_step(problem: ArrayProblem, number: int, step: Any, row: tuple[int, ...]) -> None:
    state, move, after, cost = step
    where = f"{problem.name}, pattern {number}: {row}, which {state} is blurred to,"
    if move not in problem.actions(row):
        raise _fail(f"{where} does not allow its move {move}")
    abstract, less = problem.step(row, move)
    if abstract_row(problem, number, abstract) != abstract_row(problem, number, after):
        raise _fail(f"{where} does not lead by move {move} to what {after} is blurred to")
    if problem.counts is None and less > cost:
        raise _fail(f"{where} costs more by move {move}, {less} instead of {cost}")
    if problem.inverse is not None and (problem.costs != "unit" or problem.counts is not None):
        back = problem.inverse(problem.lists, move)
        if problem.inverse(problem.lists, back) != move:
            raise _fail(f"{problem.name}: move {move} is not the inverse of its own inverse, {back}, as patterns need")


def _counted(problem: ArrayProblem, number: int, row: tuple[int, ...], move: int) -> Any:
    return problem.required("counts")(problem.row(row), problem.lists, problem.work(), number, move)


def _check_heuristic(problem: Problem, name: str, declared: Estimate | str, states: list[Any], report: Checked) -> None:
    h = BoundHeuristic(heuristic(name), problem)
    report.heuristics[name] = 0
    for number, state in enumerate(states):
        value = h(state)
        if isinstance(problem, ArrayProblem) and isinstance(declared, Estimate):
            _check_estimate_kernel(problem, name, declared, state, value)
        if h.consistent:
            for action, after, cost in problem.successors(state):
                if value < DEAD and value - cost - h(after) > 1e-9:
                    raise _fail(
                        f"{name} is declared consistent, but falls by more than the cost of {action!r} in {state}"
                    )
        if (h.admissible or value >= DEAD) and number % max(1, len(states) // 50) == 0:
            least = _least_cost(problem, state)
            if least is not None:
                report.heuristics[name] += 1
            if least is not None and value - least > 1e-9:
                claim = "proves a dead end" if value >= DEAD else f"is declared admissible, but is {value}"
                raise _fail(f"{name} {claim} in {state}, from where a solution costs {least}")


def _check_estimate_kernel(problem: ArrayProblem, name: str, declared: Estimate, state: Any, value: Any) -> None:
    row = problem.row(state)
    again = declared.function(row, problem.lists, problem.work(12345))
    if tuple(row) != state:
        raise _fail(f"{name} changes the state {state}")
    if again != problem.heuristic_value(name, state):
        raise _fail(f"{name} depends on what it finds in the scratch row, in {state}")
    if declared.step is None or value >= DEAD:
        return
    for move in problem.actions(state):
        row = problem.row(state)
        stepped = declared.step(row, problem.lists, problem.work(), move, value)
        if tuple(row) != state:
            raise _fail(f"{name}: step changes the state {state}")
        fresh = problem.heuristic_value(name, problem.result(state, move))
        if stepped != fresh:
            raise _fail(f"{name}: step gives {stepped} after move {move} in {state}, a fresh value is {fresh}")


def _least_cost(problem: Problem, start: Any) -> Any:
    """The least cost from ``start`` to a goal by a small exhaustive search; None if it ends too soon to tell."""
    serial = count()
    frontier = [(0, next(serial), start)]
    settled = set()
    best: Any = None
    for _ in range(TRUE_COST_EXPANSIONS):
        if not frontier:
            return best
        g, _, state = heapq.heappop(frontier)
        if problem.identity(state) in settled and problem.costs != "any":
            continue
        settled.add(problem.identity(state))
        if problem.is_goal(state):
            if problem.costs != "any":
                return g
            best = g if best is None else min(best, g)
        for _, after, cost in problem.successors(state):
            heapq.heappush(frontier, (g + cost, next(serial), after))
    return best if problem.costs == "any" else None


def _check_local(view: ArrayProblem, seed: int, walks: int) -> None:
    """Energy differences, taking back, and what energy 0 means."""
    rng = [stream(seed, 1)]
    row, work = view.row(view.initial), view.work()
    energy, change, revert = view.required("energy"), view.required("change"), view.required("revert")
    parents = []
    for _ in range(walks):
        view.required("randomise")(row, view.lists, work, rng)
        parents.append(tuple(row))
        for _ in range(10):
            before, e = tuple(row), energy(row, view.lists, work)
            if (e <= 0) != view.is_goal(before):
                raise _fail(f"{view.name}: energy {e} and solved disagree on {before}")
            move = view.required("propose")(row, view.lists, work, rng)
            foreseen = None if view.preview is None else view.preview(row, view.lists, work, move)
            if tuple(row) != before:
                raise _fail(f"{view.name}.preview changes the state {before}")
            difference = change(row, view.lists, work, move)
            if foreseen is not None and foreseen != difference:
                raise _fail(f"{view.name}.preview says {foreseen} for move {move} in {before}, and change {difference}")
            if energy(row, view.lists, work) != e + difference:
                raise _fail(f"{view.name}.change says {difference} for move {move} in {before}: energy says otherwise")
            after = tuple(row)
            revert(row, view.lists, work, move)
            if tuple(row) != before:
                raise _fail(f"{view.name}.revert does not take back move {move} in {before}")
            row = view.row(after)
    if view.cross is not None:
        for a, b in pairwise(parents):
            child = view.row(view.initial)
            view.cross(view.row(a), view.row(b), child, view.lists, work, rng)
            if energy(child, view.lists, work) < 0:
                raise _fail(f"{view.name}.cross of {a} and {b} gives a child of negative energy")


def _configurations(problem: ArrayProblem) -> Iterator[str]:
    name = next(iter(problem.heuristics), "zero")
    yield from ("bfs", "dfs", "dfs,tree=true")
    if problem.costs != "any" or problem.acyclic:
        yield f"astar:{name}"
    yield f"astar:{name},tree=true,ties=fifo"
    yield f"idastar:{name}"
    if problem.local() is not None:
        yield "annealing"


def assert_same_on_both_engines(
    problem: ArrayProblem, configuration: str, *, limits: Limits | None = None, seed: int | None = None, **options: Any
) -> Result:
    """Run a configuration interpreted and compiled, with every check on; raises if anything differs.

    Compared: outcome, what stopped it, cost, actions, final state, bound, proof, all counts and the digest of the
    expanded states in order.

    >>> from procura import Sliding
    >>> assert_same_on_both_engines(Sliding("1 2 3 4 5 6 7 0 8"), "bfs").cost
    1
    """
    limits = limits or Limits(nodes=PARITY_EXPANSIONS)
    with checked(), rows_as_in_use():
        results = [
            solve(problem, configuration, limits=limits, engine=engine, seed=seed, **options)
            for engine in ("python", "compiled")
        ]
    _assert_alike(f"{problem.name}, {configuration}", results, _COMPARED)
    return results[0]


def assert_same_analysis(
    game: ArrayGame, algorithm: str, *, limits: Limits | None = None, seed: int | None = None, **options: Any
) -> Analysis:
    """Analyse a game interpreted and compiled, with every check on; raises if anything differs.

    >>> from procura.puzzles.dots import DotsGame
    >>> assert_same_analysis(DotsGame(size="1x1"), "alphabeta").value
    -1
    """
    limits = limits or Limits(nodes=PARITY_EXPANSIONS)
    with checked(), rows_as_in_use():
        found = [
            analyse(game, algorithm, limits=limits, engine=engine, seed=seed, **options)
            for engine in ("python", "compiled")
        ]
    _assert_alike(f"{game.name}, {algorithm}", found, _COMPARED_OF_GAMES)
    return found[0]


def _assert_alike(name: str, runs: Sequence[Any], compared: Mapping[str, Callable[[Any], Any]]) -> None:
    """Raise if an interpreted and a compiled run differ in anything that is compared."""
    for what, seen in compared.items():
        interpreted, compiled = map(seen, runs)
        if interpreted != compiled:
            raise _fail(f"{name}: {what} is {interpreted} interpreted and {compiled} compiled")


_COUNTS: dict[str, Callable[[Any], Any]] = {
    "generated": lambda result: result.stats.generated,
    "expanded": lambda result: result.stats.expanded,
    "largest frontier": lambda result: result.stats.max_frontier,
    "depth": lambda result: result.stats.depth,
    "nodes stored": lambda result: result.stats.stored,
    "digest of expanded states": lambda result: result.stats.digest,
}
_COMPARED_OF_GAMES: dict[str, Callable[[Analysis], Any]] = {
    "value": lambda analysis: analysis.value,
    "proved": lambda analysis: analysis.proved,
    "moves": lambda analysis: analysis.moves,
    "stopped_by": lambda analysis: analysis.stopped_by,
    "moves ahead": lambda analysis: analysis.depth,
    **_COUNTS,
}
_COMPARED: dict[str, Callable[[Result], Any]] = {
    "outcome": lambda result: result.outcome,
    "stopped_by": lambda result: result.stopped_by,
    "cost": lambda result: result.cost,
    "actions": lambda result: result.actions,
    "final state": lambda result: result.final,
    "optimal": lambda result: result.optimal,
    "bound": lambda result: result.bound,
    **_COUNTS,
}
