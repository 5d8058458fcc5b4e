"""Small problems made to be awkward: random graphs with costs of any kind, huge costs, endless lines."""

from __future__ import annotations

from procura import DEAD, ArrayProblem, Data, Estimate, Problem, kernel
from procura.rng import below, stream


def table_h(s, data, work):
    return data.h[s[0]]


def table_h_step(s, data, work, move, h):
    return data.h[data.to[s[0] * data.shape[0] + move]]


class Graph(ArrayProblem):
    """A directed graph as a problem: ``arcs`` maps (from, move) to (to, cost); the last vertex is the goal."""

    def __init__(self, vertices, arcs, h=None, costs="nonnegative", acyclic=False, step=False, **facts):
        degree = max([1, *(move + 1 for _, move in arcs)])
        to, cost = [-1] * (vertices * degree), [0] * (vertices * degree)
        for (source, move), (target, price) in arcs.items():
            to[source * degree + move], cost[source * degree + move] = target, price
        self.costs, self.acyclic = costs, acyclic
        estimate = Estimate(table_h, step=table_h_step if step else None, **facts)
        self.heuristics = {"table": estimate}
        super().__init__(
            size=1,
            dtype="int16",
            max_moves=degree,
            data=Data(to=to, cost=cost, h=h or [0] * vertices, shape=[degree, vertices - 1]),
        )

    def start(self):
        return [0]

    @kernel
    def moves(s, data, work, out):
        count = 0
        for move in range(data.shape[0]):
            if data.to[s[0] * data.shape[0] + move] >= 0:
                out[count] = move
                count += 1
        return count

    @kernel
    def apply(s, data, work, move):
        at = s[0] * data.shape[0] + move
        s[0] = data.to[at]
        return data.cost[at]

    @kernel
    def solved(s, data, work):
        return s[0] == data.shape[1]


def random_graph(seed, vertices=12, degree=3, low=0, high=9, acyclic=False, **facts):
    """A random graph; acyclic ones lead from lower vertices to higher ones only."""
    rng = [stream(seed)]
    arcs = {}
    for source in range(vertices):
        for move in range(degree):
            first = source + 1 if acyclic else 0
            if first < vertices and below(rng, 4):
                target = first + below(rng, vertices - first)
                arcs[source, move] = (target, low + below(rng, high - low + 1))
    return Graph(vertices, arcs, costs="any" if low < 0 else "nonnegative", acyclic=acyclic, **facts), arcs


def least_costs(vertices, arcs):
    """The least cost from every vertex to the last one, by Bellman and Ford; None where there is no way."""
    best = [None] * vertices
    best[vertices - 1] = 0
    for _ in range(vertices):
        for (source, _), (target, cost) in arcs.items():
            if best[target] is not None and (best[source] is None or cost + best[target] < best[source]):
                best[source] = cost + best[target]
    return best


def true_h(seed, least, slack):
    """A heuristic: the least costs, less a random part up to ``slack`` each; dead ends are told."""
    rng = [stream(seed, 1)]
    return [DEAD if cost is None else cost - below(rng, slack + 1) for cost in least]


class Counter(ArrayProblem):
    """Count up without end by 1 or 2: states never run out."""

    def __init__(self, target=1 << 60):
        super().__init__(size=1, dtype="int64", max_moves=2, data=Data(target=[target]))

    def start(self):
        return [0]

    @kernel
    def moves(s, data, work, out):
        out[0] = 1
        out[1] = 2
        return 2

    @kernel
    def apply(s, data, work, move):
        s[0] += move
        return 1

    @kernel
    def solved(s, data, work):
        return s[0] == data.target[0]


class Corridor(ArrayProblem):
    """A walk along four cells and back, with no goal."""

    def __init__(self):
        super().__init__(size=1, max_moves=2)

    def start(self):
        return [0]

    @kernel
    def moves(s, data, work, out):
        count = 0
        if s[0] > 0:
            out[count] = 0
            count += 1
        if s[0] < 4:
            out[count] = 1
            count += 1
        return count

    @kernel
    def apply(s, data, work, move):
        s[0] += 2 * move - 1
        return 1

    @kernel
    def inverse(data, move):
        return 1 - move

    @kernel
    def solved(s, data, work):
        return False


class Bits(ArrayProblem):
    """Any of 40 switches turned on, one at a time: 2**40 states, branching 40."""

    acyclic = True

    def __init__(self):
        super().__init__(size=40, bits=1, max_moves=40)

    def start(self):
        return [0] * 40

    @kernel
    def moves(s, data, work, out):
        count = 0
        for i in range(40):
            if s[i] == 0:
                out[count] = i
                count += 1
        return count

    @kernel
    def apply(s, data, work, move):
        s[move] = 1
        return 1

    @kernel
    def solved(s, data, work):
        for i in range(40):
            if s[i] == 0:
                return False
        return s[0] == 7


class Doubling(Problem):
    """State 1; left makes 2s, right 2s + 1, while s is at most 15; the goal is 13."""

    initial = 1

    def actions(self, state):
        return ["left", "right"] if state <= 15 else []

    def result(self, state, action):
        return 2 * state + (action == "right")

    def is_goal(self, state):
        return state == 13


class Plane(Problem):
    """The infinite grid from (0, 0) to (2, 3)."""

    initial = (0, 0)
    heuristics = {"distance": Estimate(lambda s: abs(s[0] - 2) + abs(s[1] - 3), admissible=True, consistent=True)}
    steps = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}

    def actions(self, state):
        return list(self.steps)

    def result(self, state, action):
        dx, dy = self.steps[action]
        return state[0] + dx, state[1] + dy

    def is_goal(self, state):
        return state == (2, 3)
