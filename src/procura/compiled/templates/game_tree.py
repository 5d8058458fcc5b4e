"""Minimax and alpha-beta over the tree of a game: a depth-first search of one line of play, with a table.

For each level of the line ``rows`` keeps the row (``words`` is the same memory, to copy it), ``lists`` its moves and
``levels`` the numbers named below. A search begins with the row, the window and the moves to look ahead that stand in
level 0 and ``search``. A slot of the table is ``meta, value, key ...``; meta 0 is an empty slot, else::

    | moves ahead | ... | move + 1 | proved | kind | 1 |
      bits 40..           4..        3        1, 2   0
"""

from __future__ import annotations

import numpy as np

from procura.compiled.intrinsics import named, window
from procura.compiled.templates.counts import INVALID, RUNNING, SOLVED, TOO_MANY
from procura.compiled.templates.rows import KEY, KEY_WORDS, ROW_SIZE, ROW_WORDS, SIZE, check, note, pack
from procura.compiled.templates.rules import apply, estimate_kernel, moves, over, score_kernel, turn
from procura.compiled.templates.table import hash_of

EXACT, LOWER, UPPER = 0, 1, 2
FAR = 1 << 40  # beyond every score
WHOLE = 1 << 20  # looked ahead to the end

(ALPHA, BETA, LOW, HIGH, DONE, LISTED, BEST, MOVE, BEST_PROVED, ALL_PROVED, MAXIMISES, SCORE, LEVEL) = range(13)
"""Indexes into a level: the window it was entered with and the one now, its moves, and what is known of them."""
(PHASE, LEFT, VALUE, PROVED, PRUNE, ROOM, MASK, SYMMETRIES, SEARCH) = range(9)
"""Indexes into ``search``: what is to be done next, and for what."""
ENTER, NEXT, FINISH, RETURN = 0, 1, 2, 3


def table_key(s, image, key, permutations, symmetries):
    """Write the packed key of the least symmetric row into ``key``."""
    for i in range(SIZE):
        image[i] = s[i]
    for number in range(symmetries):
        less = False
        for i in range(KEY):
            entry = s[permutations[number * KEY + i]]
            if less:
                image[i] = entry
            elif entry > image[i]:
                break
            elif entry < image[i]:
                for j in range(i):
                    image[j] = s[permutations[number * KEY + j]]
                image[i] = entry
                less = True
    pack(image, key, 0)


def find(table, mask, key):
    """The slot of a key, or the empty one where it would stand."""
    slot = hash_of(key, 0) & mask
    while True:
        at = slot * (KEY_WORDS + 2)
        if table[at] == 0:
            return slot
        same = True
        for w in range(KEY_WORDS):
            if table[at + 2 + w] != key[w]:
                same = False
                break
        if same:
            return slot
        slot = (slot + 1) & mask


def put_first(listed, moves_listed, move):
    """Move ``move``, if it is listed, before the others, which keep their order."""
    for i in range(listed):
        if moves_listed[i] == move:
            for j in range(i, 0, -1):
                moves_listed[j] = moves_listed[j - 1]
            moves_listed[0] = move
            return


def run(
    rows, words, levels, lists, table, image, key, permutations, search, digest, counts, data, work
):  # fmt: skip
    """Search until the value of level 0 is known, or the slice ends."""
    counts = named(counts)
    level = counts.head
    phase = search[PHASE]
    most_moves = counts.most_moves
    room = search[ROOM]
    value = np.int64(0)
    proved = np.int64(0)
    cut = False
    while True:
        at = level * LEVEL
        if phase == ENTER:
            s = window(rows, level * ROW_SIZE, SIZE)
            left = search[LEFT] - level
            alpha, beta = levels[at + ALPHA], levels[at + BETA]
            if over(s, data, work):
                value = np.int64(score_kernel(s, data, work))
                proved = np.int64(1)
                phase = RETURN
                continue
            if left == 0:
                value = np.int64(estimate_kernel(s, data, work))
                proved = np.int64(0)
                phase = RETURN
                continue
            first = np.int64(-1)
            if room > 0:
                score = np.int64(score_kernel(s, data, work))
                table_key(s, image, key, permutations, search[SYMMETRIES])
                slot = find(table, search[MASK], key)
                levels[at + SCORE] = score
                meta = table[slot * (KEY_WORDS + 2)]
                if meta != 0:
                    known = score + table[slot * (KEY_WORDS + 2) + 1]
                    kind = (meta >> 1) & 3
                    first = ((meta >> 4) & 0xFFFFFFFF) - 1
                    if meta >> 40 >= left and (
                        kind == EXACT or (kind == LOWER and known >= beta) or (kind == UPPER and known <= alpha)
                    ):
                        value = known
                        proved = (meta >> 3) & 1
                        phase = RETURN
                        continue
            if level + 1 > counts.max_frontier:
                counts.max_frontier = level + 1
            if counts.expanded >= counts.until:
                counts.head = level
                search[PHASE] = ENTER
                return RUNNING
            counts.expanded += 1
            note(digest, s)
            own = window(lists, level * most_moves, most_moves)
            listed = np.int64(moves(s, data, work, own))
            whose = np.int64(turn(s, data, work))
            if listed < 0 or listed > most_moves:
                counts.head = level
                return TOO_MANY
            if listed == 0 or whose < 0 or whose > 1:
                counts.head = level
                return INVALID
            put_first(listed, own, first)
            levels[at + LOW], levels[at + HIGH] = alpha, beta
            levels[at + DONE], levels[at + LISTED] = 0, listed
            levels[at + BEST_PROVED], levels[at + ALL_PROVED] = 0, 1
            levels[at + MAXIMISES] = 1 - whose
            phase = NEXT
        elif phase == NEXT:
            done = levels[at + DONE]
            if done == levels[at + LISTED]:
                cut = False
                phase = FINISH
                continue
            levels[at + DONE] = done + 1
            for w in range(ROW_WORDS):
                words[(level + 1) * ROW_WORDS + w] = words[level * ROW_WORDS + w]
            child = window(rows, (level + 1) * ROW_SIZE, SIZE)
            apply(child, data, work, np.int64(lists[level * most_moves + done]))
            check(child)
            counts.generated += 1
            if level + 2 > counts.depth:
                counts.depth = level + 2
            levels[at + LEVEL + ALPHA] = levels[at + LOW]
            levels[at + LEVEL + BETA] = levels[at + HIGH]
            level += 1
            phase = ENTER
        elif phase == RETURN:
            if level == 0:
                counts.head = 0
                search[PHASE] = ENTER
                search[VALUE], search[PROVED] = value, proved
                return SOLVED
            level -= 1
            at = level * LEVEL
            phase = NEXT
            levels[at + ALL_PROVED] &= proved
            maximises = levels[at + MAXIMISES] == 1
            best = levels[at + BEST]
            if levels[at + DONE] == 1 or (maximises and value > best) or (not maximises and value < best):
                levels[at + BEST] = value
                levels[at + MOVE] = lists[level * most_moves + levels[at + DONE] - 1]
                levels[at + BEST_PROVED] = proved
                if search[PRUNE]:
                    if maximises:
                        levels[at + LOW] = max(levels[at + LOW], value)
                    else:
                        levels[at + HIGH] = min(levels[at + HIGH], value)
                    if levels[at + LOW] >= levels[at + HIGH]:
                        cut = True
                        phase = FINISH
        else:
            value = levels[at + BEST]
            proved = levels[at + BEST_PROVED] if cut else levels[at + ALL_PROVED]
            if room > 0:
                s = window(rows, level * ROW_SIZE, SIZE)
                table_key(s, image, key, permutations, search[SYMMETRIES])
                slot = find(table, search[MASK], key)
                place = slot * (KEY_WORDS + 2)
                if table[place] != 0 or counts.nodes < room:
                    if table[place] == 0:
                        counts.nodes += 1
                        for w in range(KEY_WORDS):
                            table[place + 2 + w] = key[w]
                    kind = EXACT
                    if value <= levels[at + ALPHA]:
                        kind = UPPER
                    elif value >= levels[at + BETA]:
                        kind = LOWER
                    ahead = WHOLE if proved == 1 else search[LEFT] - level
                    table[place] = ahead << 40 | (levels[at + MOVE] + 1) << 4 | proved << 3 | kind << 1 | 1
                    table[place + 1] = value - levels[at + SCORE]
            phase = RETURN
