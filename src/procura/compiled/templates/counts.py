"""What a search keeps between slices: indexes into its row of counters, and what a slice returns."""

from __future__ import annotations

from procura.problem import DEAD as DEAD

RUNNING, SOLVED, EXHAUSTED, FULL, GROW, REQUEUE, LARGE, TOO_MANY, INVALID = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""FULL: a store has no room left. GROW: the hash table must double. REQUEUE: entries were set aside.
LARGE: a number does not fit the store. TOO_MANY: more moves were listed than there is room for.
INVALID: a cost or an estimate, at the state in hand or after one of its moves, means nothing."""

(
    UNTIL,  # a slice ends when so many nodes are expanded
    TAKES,  # ... or so many were taken, expanded or not
    EXPANDED,
    GENERATED,
    FRONTIER,  # nodes that wait now
    MAX_FRONTIER,
    DEPTH,  # the greatest depth generated
    DEPTH_LIMIT,
    PRUNED_DEPTH,  # a node was not expanded because of the depth limit
    PRUNED_CUT,
    NODES,  # nodes stored
    SERIAL,  # entries pushed
    GOAL,  # the node or depth at which a goal was found
    HEAD,  # bfs, beam: the next node; dfs: the size of the stack; idastar: the depth of the path, -1 between two
    LEVEL_END,  # bfs, beam: the first node of the next level
    LEVEL,  # bfs, beam: the depth of the level under way
    NODE_CAPACITY,
    ENTRY_CAPACITY,
    TABLE_CAPACITY,  # stored nodes at which the table must grow
    TABLE_SHIFT,
    GRAPH,  # 1 for graph search, 0 for tree search
    REOPEN,
    PRUNE_DEAD,
    EARLY_GOAL,
    MOST_MOVES,
    GREEDY,  # order by h alone, and keep the first path to a state
    CANDIDATES,  # beam: nodes made for the next level
    GOAL_MOVE,  # beam: the move from node GOAL to the goal
    BACKWARDS,  # dfs, astar: queue the successors of a node from its last move to its first
    COUNTERS,
) = range(30)

G, BOUND, NEXT_BOUND, CUT, WEIGHT, REST, LARGEST_G, RIVAL, REALS = range(9)
"""Indexes into the row of real numbers: cost of the solution, bound on f, the next one, options; the greatest
magnitude of g, where it is followed; the cost of a solution found elsewhere."""

NO_DEPTH_LIMIT = 1 << 62
LARGEST_COST = 1 << 30  # of a path in a search whose numbers are all whole
EXACT = (1 << 53) - 1  # whole numbers up to this are exact as floats, and no other is rounded to one of them
