"""The searches of the two Tetris reports and of the course, each under a name."""

from __future__ import annotations

from procura.problem import Preset

PRESETS = {
    "report1_best": Preset(
        "astar:report1_sum,tree=true,ties=lifo",
        "the first report's search: tree A* by four features with the weights it chose, cost -points/4800",
        {"cost": "report1"},
    ),
    "report1_second": Preset(
        "astar:report1_second_sum,tree=true,ties=lifo",
        "the same with the first report's other set of weights, which scored as much",
        {"cost": "report1"},
    ),
    "report2_best": Preset(
        "astar:report2_sum,tree=true,ties=lifo,prune_dead=true,cut=2500",
        "the second report's search: tree A* by holes, points and higher slope; nothing above f = 2500 is kept",
        {"cost": "opportunity"},
    ),
    "report2_uncut": Preset(
        "astar:report2_sum,tree=true,ties=lifo,prune_dead=true",
        "the second report's search without its cut, which made it miss solutions",
        {"cost": "opportunity"},
    ),
    "course_dfs": Preset("dfs,tree=true", "the course's depth-first search: a tree, the last generated first"),
    "course_astar": Preset(
        "astar,tree=true,ties=lifo", "the course's A* without a heuristic: a tree, the most recent of equal f first"
    ),
}
