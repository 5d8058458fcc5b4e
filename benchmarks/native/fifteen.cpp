// The 15-puzzle in hand-written C++17: what the Numba engine is compared with.
// See README.md.
//
//   g++ -O3 -march=native -std=c++17 fifteen.cpp -o fifteen

#include "graph.hpp"
#include "ida.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <time.h>

namespace {

const char* const USAGE =
    "usage: fifteen bfs|astar|idastar|idastar_plain FILE [--ties lifo|fifo|high_g|low_g]\n"
    "               [--limit-expansions N] [--limit-nodes N] [--only I,J,...] [--repeat N] [--warm]\n";

double cpu_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Instance {
    long index;
    u64 board;
    int optimal;  // -1 where the file does not say
};

bool solvable(u64 board) {
    // Each move swaps the blank with a tile and changes the parity of its cell.
    int odd = (blank_of(board) / 4 + blank_of(board) % 4) % 2;
    u64 b = board;
    for (int cell = 0; cell < 16; ++cell)
        for (int other = cell + 1; other < 16; ++other) odd ^= tile_at(b, cell) > tile_at(b, other);
    return odd == 0;
}

std::vector<Instance> read(const std::string& name) {
    std::ifstream file(name);
    if (!file) fail("cannot read " + name);
    std::vector<Instance> instances;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        std::istringstream words(line.substr(0, line.find('#')));
        Instance instance{0, 0, -1};
        if (!(words >> instance.index)) {
            if (!words.eof()) fail(name + ", line " + std::to_string(number) + ": no index");
            continue;
        }
        u32 seen = 0;
        for (int cell = 0; cell < 16; ++cell) {
            long tile = -1;
            if (!(words >> tile) || tile < 0 || tile > 15)
                fail(name + ", line " + std::to_string(number) + ": expected 16 numbers 0 to 15");
            seen |= 1u << tile;
            instance.board |= static_cast<u64>(tile) << (4 * cell);
        }
        if (seen != 0xFFFF)
            fail(name + ", line " + std::to_string(number) + ": expected each of 0 to 15 once");
        if (!solvable(instance.board))
            fail(name + ", line " + std::to_string(number) + ": cannot reach 0 1 2 ... 15");
        words >> instance.optimal;
        instances.push_back(instance);
    }
    return instances;
}

bool replays(u64 board, const std::vector<u8>& moves) {
    for (const u8 d : moves) {
        const int blank = blank_of(board);
        if (!legal(blank, d)) return false;
        const u32 to = static_cast<u32>(neighbour(blank, d));
        board = slide(board, static_cast<u32>(blank), to, tile_at(board, to));
    }
    return board == GOAL;
}

u64 number(const std::string& option, const std::string& text) {
    if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
        fail(option + ": expected a whole number, got '" + text + "'");
    return std::stoull(text);
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> words;
    Limits limits;
    u64 repeat = 1;
    std::string ties = "lifo";
    std::vector<long> only;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&]() -> std::string {
            if (++i == argc) fail(word + ": expected a value");
            return argv[i];
        };
        if (word == "--limit-expansions") {
            limits.expansions = number(word, value());
        } else if (word == "--limit-nodes") {
            limits.nodes = number(word, value());
        } else if (word == "--repeat") {
            repeat = std::max<u64>(1, number(word, value()));
        } else if (word == "--ties") {
            ties = value();
        } else if (word == "--warm") {
            Pages::keep = true;
        } else if (word == "--only") {
            std::istringstream list(value());
            for (std::string item; std::getline(list, item, ',');)
                only.push_back(static_cast<long>(number(word, item)));
        } else if (word.rfind("--", 0) == 0) {
            fail("unknown option " + word + "\n" + USAGE);
        } else {
            words.push_back(word);
        }
    }
    if (words.size() != 2) fail(std::string("expected an algorithm and a file\n") + USAGE);

    Answer (*search)(u64, const Limits&) = nullptr;
    if (words[0] == "bfs") search = bfs;
    else if (words[0] == "idastar") search = unrolled::idastar;
    else if (words[0] == "idastar_plain") search = plain::idastar;
    else if (words[0] != "astar") fail("unknown algorithm " + words[0] + "\n" + USAGE);
    else if (ties == "lifo") search = astar<Ties::lifo>;
    else if (ties == "fifo") search = astar<Ties::fifo>;
    else if (ties == "high_g") search = astar<Ties::high_g>;
    else if (ties == "low_g") search = astar<Ties::low_g>;
    else fail("unknown ties " + ties + "\n" + USAGE);

    std::fprintf(stderr, "# index outcome cost generated expanded stored seconds\n");
    bool right = true;
    u64 generated = 0, expanded = 0, solved = 0, tried = 0;
    double seconds = 0;
    for (const Instance& instance : read(words[1])) {
        if (!only.empty() && std::find(only.begin(), only.end(), instance.index) == only.end())
            continue;
        Answer answer;
        double least = 0;
        for (u64 run = 0; run < repeat; ++run) {
            const double before = cpu_seconds();
            answer = search(instance.board, limits);
            const double spent = cpu_seconds() - before;
            least = run == 0 ? spent : std::min(least, spent);
        }
        static const char* const NAMES[] = {"solved", "no_solution", "stopped"};
        const bool found = answer.outcome == Outcome::solved;
        std::printf("%ld %s %s %llu %llu %llu %.6f\n", instance.index,
                    NAMES[static_cast<int>(answer.outcome)],
                    found ? std::to_string(answer.cost).c_str() : "-",
                    static_cast<unsigned long long>(answer.generated),
                    static_cast<unsigned long long>(answer.expanded),
                    static_cast<unsigned long long>(answer.stored), least);
        std::fflush(stdout);
        if (found && (static_cast<int>(answer.moves.size()) != answer.cost ||
                      !replays(instance.board, answer.moves) ||
                      (instance.optimal >= 0 && answer.cost != instance.optimal))) {
            std::fprintf(stderr, "fifteen: instance %ld: wrong answer\n", instance.index);
            right = false;
        }
        ++tried;
        solved += found;
        generated += answer.generated;
        expanded += answer.expanded;
        seconds += least;
    }
    std::fprintf(stderr,
                 "# %llu of %llu solved, %llu generated, %llu expanded, %.3f s: "
                 "%.2f M generated/s, %.2f M expanded/s\n",
                 static_cast<unsigned long long>(solved), static_cast<unsigned long long>(tried),
                 static_cast<unsigned long long>(generated),
                 static_cast<unsigned long long>(expanded), seconds,
                 static_cast<double>(generated) / seconds / 1e6,
                 static_cast<double>(expanded) / seconds / 1e6);
    return right ? 0 : 1;
}
