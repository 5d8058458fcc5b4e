// The 15-puzzle: packed boards, moves, Manhattan distance.
//
// A board is one 64-bit word, four bits a cell, cell 0 lowest; 0 is the blank.
// The goal is 0 1 2 ... 15. Moves are the blank's, always listed in the order
// U D L R, and the opposite of move d is d ^ 1.
#pragma once

#include <cstdint>

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 GOAL = 0xFEDCBA9876543210ull;
constexpr int DIRECTIONS = 4;
constexpr int NO_MOVE = 4;  // the "last move" of a root

constexpr bool legal(int blank, int d) {
    return d == 0 ? blank >= 4 : d == 1 ? blank < 12 : d == 2 ? blank % 4 > 0 : blank % 4 < 3;
}

constexpr int neighbour(int blank, int d) {
    return blank + (d == 0 ? -4 : d == 1 ? 4 : d == 2 ? -1 : 1);
}

constexpr int distance(int tile, int cell) {
    const int rows = tile / 4 - cell / 4, columns = tile % 4 - cell % 4;
    return (rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns);
}

// The tile on cell `to` goes to the blank's cell.
constexpr u64 slide(u64 board, u32 blank, u32 to, u64 tile) {
    return board ^ (tile << (4 * to)) ^ (tile << (4 * blank));
}

constexpr u64 tile_at(u64 board, u32 cell) { return (board >> (4 * cell)) & 15; }

// The tables of a program that looks moves up at run time.
struct MoveList {
    u32 count = 0;
    u8 direction[DIRECTIONS]{};
    u8 to[DIRECTIONS]{};
};

struct Tables {
    MoveList moves[16][DIRECTIONS + 1]{};        // [blank][last move]: all but its opposite
    std::int8_t change[DIRECTIONS][16][16]{};    // [move][blank][tile]: of the Manhattan distance

    constexpr Tables() {
        for (int blank = 0; blank < 16; ++blank)
            for (int d = 0; d < DIRECTIONS; ++d) {
                if (!legal(blank, d)) continue;
                const int to = neighbour(blank, d);
                for (int last = 0; last <= NO_MOVE; ++last) {
                    if (last != NO_MOVE && d == (last ^ 1)) continue;
                    MoveList& list = moves[blank][last];
                    list.direction[list.count] = static_cast<u8>(d);
                    list.to[list.count++] = static_cast<u8>(to);
                }
                for (int tile = 1; tile < 16; ++tile)
                    change[d][blank][tile] =
                        static_cast<std::int8_t>(distance(tile, blank) - distance(tile, to));
            }
    }
};

inline constexpr Tables TABLES{};

inline int blank_of(u64 board) {
    int cell = 0;
    while (tile_at(board, cell)) ++cell;
    return cell;
}

inline int manhattan(u64 board) {
    int sum = 0;
    for (int cell = 0; cell < 16; ++cell)
        if (const int tile = static_cast<int>(tile_at(board, cell))) sum += distance(tile, cell);
    return sum;
}
