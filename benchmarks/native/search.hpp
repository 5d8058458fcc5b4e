// What every search is told and what it answers.
#pragma once

#include "board.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

enum class Outcome { solved, no_solution, stopped };

struct Limits {
    u64 expansions = ~0ull;  // stop before expanding one more than this
    u64 nodes = ~0ull;       // stop before expanding when this many are stored
};

struct Answer {
    Outcome outcome = Outcome::no_solution;
    int cost = -1;
    u64 generated = 0;  // successors applied, duplicates and all iterations included
    u64 expanded = 0;   // nodes whose moves were listed
    u64 stored = 0;     // nodes kept in memory, the root included
    std::vector<u8> moves;
};

[[noreturn]] inline void fail(const std::string& message) {
    std::fprintf(stderr, "fifteen: %s\n", message.c_str());
    std::exit(2);
}
