// IDA* with the Manhattan distance, twice.
//
// Both visit a node when f <= bound: test it for the goal, count it as
// expanded, then generate its children one after the other, all but the one that
// undoes the last move. The next bound is the least f above the bound. Children
// are counted together when their parent is expanded; those that were not
// reached when the search ended are taken off while it unwinds.
#pragma once

#include "search.hpp"

#include <algorithm>

// What the recursions share. `stopped` also unwinds them.
struct IdaState {
    u64 expanded = 0, generated = 0, limit = ~0ull;
    int bound = 0, next = 0;
    bool stopped = false;
    u8 path[128];
    int depth = 0;  // of the path, written from its end while unwinding
};

template <class Iteration>
Answer deepen(u64 root, const Limits& limits, IdaState& state, Iteration iteration) {
    constexpr int NEVER = 1 << 20;
    state = IdaState{};
    state.limit = limits.expansions;
    state.bound = manhattan(root);
    state.next = NEVER;
    bool ended;
    while (!(ended = iteration(state)) && state.next != NEVER) {
        state.bound = state.next;
        state.next = NEVER;
    }
    Answer answer;
    answer.generated = state.generated;
    answer.expanded = state.expanded;
    if (state.stopped) {
        answer.outcome = Outcome::stopped;
    } else if (ended) {
        answer.outcome = Outcome::solved;
        answer.cost = state.depth;
        answer.moves.assign(state.path, state.path + state.depth);
        std::reverse(answer.moves.begin(), answer.moves.end());
    }
    return answer;
}

// ---------------------------------------------------------------- plain

// One recursive function, moves and changes of h from tables: the counterpart
// of a generic engine whose rules are compiled in.
namespace plain {

inline IdaState state;

template <bool limited>
bool visit(u64 board, u32 blank, u32 last, int g, int h) {
    if (h == 0) return true;
    if (limited && state.expanded >= state.limit) return state.stopped = true;
    const MoveList& moves = TABLES.moves[blank][last];
    ++state.expanded;
    state.generated += moves.count;
    for (u32 m = 0; m < moves.count; ++m) {
        const u32 to = moves.to[m], d = moves.direction[m];
        const u64 tile = tile_at(board, to);
        const int child_h = h + TABLES.change[d][blank][tile];
        const int f = g + 1 + child_h;
        if (f <= state.bound) {
            if (visit<limited>(slide(board, blank, to, tile), to, d, g + 1, child_h)) {
                state.path[state.depth++] = static_cast<u8>(d);
                state.generated -= moves.count - 1 - m;
                return true;
            }
        } else if (f < state.next) {
            state.next = f;
        }
    }
    return false;
}

inline Answer idastar(u64 root, const Limits& limits) {
    const u32 blank = static_cast<u32>(blank_of(root));
    const int h = manhattan(root);
    return deepen(root, limits, state, [&](IdaState&) {
        return limits.expansions == ~0ull ? visit<false>(root, blank, NO_MOVE, 0, h)
                                          : visit<true>(root, blank, NO_MOVE, 0, h);
    });
}

}  // namespace plain

// ---------------------------------------------------------------- unrolled

// One function for each pair of blank's cell and last move, written by the
// compiler: cells, shifts and moves are constants, and whether a tile goes away
// from its place is a bit of a constant. `room` is bound - f.
namespace unrolled {

inline IdaState state;

// Bit t: tile t goes one further from its place when the blank makes move d.
constexpr u32 away(int blank, int d) {
    u32 bits = 0;
    for (int tile = 1; tile < 16; ++tile)
        if (distance(tile, blank) > distance(tile, neighbour(blank, d))) bits |= 1u << tile;
    return bits;
}

constexpr bool allowed(int blank, int last, int d) {
    return legal(blank, d) && (last == NO_MOVE || d != (last ^ 1));
}

// How many children there are, from move `first` on.
constexpr u32 children(int blank, int last, int first = 0) {
    u32 count = 0;
    for (int d = first; d < DIRECTIONS; ++d) count += allowed(blank, last, d);
    return count;
}

template <bool limited, int blank, int last>
bool visit(u64 board, int room);

template <bool limited, int blank, int last, int d>
__attribute__((always_inline)) inline bool child(u64 board, int room) {
    if constexpr (allowed(blank, last, d)) {
        constexpr int to = neighbour(blank, d);
        constexpr u32 farther = away(blank, d);
        const u64 tile = tile_at(board, to);
        const int left = room - 2 * static_cast<int>((farther >> tile) & 1);
        if (left >= 0) {
            if (visit<limited, to, d>(slide(board, blank, to, tile), left)) {
                state.path[state.depth++] = d;
                state.generated -= children(blank, last, d + 1);
                return true;
            }
        } else if (state.bound - left < state.next) {
            state.next = state.bound - left;
        }
    }
    return false;
}

template <bool limited, int blank, int last>
__attribute__((noinline)) bool visit(u64 board, int room) {
    if (blank == 0 && board == GOAL) return true;
    if (limited && state.expanded >= state.limit) return state.stopped = true;
    ++state.expanded;
    state.generated += children(blank, last);
    return child<limited, blank, last, 0>(board, room) ||
           child<limited, blank, last, 1>(board, room) ||
           child<limited, blank, last, 2>(board, room) ||
           child<limited, blank, last, 3>(board, room);
}

template <bool limited, int cell = 0>
bool start(int blank, u64 board, int room) {
    if (blank == cell) return visit<limited, cell, NO_MOVE>(board, room);
    if constexpr (cell < 15) return start<limited, cell + 1>(blank, board, room);
    return false;
}

inline Answer idastar(u64 root, const Limits& limits) {
    const int blank = blank_of(root), h = manhattan(root);
    return deepen(root, limits, state, [&](IdaState& s) {
        return limits.expansions == ~0ull ? start<false>(blank, root, s.bound - h)
                                          : start<true>(blank, root, s.bound - h);
    });
}

}  // namespace unrolled
