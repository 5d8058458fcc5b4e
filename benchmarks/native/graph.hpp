// Graph searches: breadth-first and A*.
//
// Nodes lie in one array of 16-byte structs in the order they were first
// generated. A hash table of 32-bit slots finds them: linear probing, at most
// half full, the bits of a slot that the node's number leaves free hold a tag
// of the board's hash, so that other boards are rarely looked at. All the
// stores are reserved address space, touched as they fill, never copied; the
// table is doubled and filled anew from the nodes.
#pragma once

#include "search.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include <sys/mman.h>

// ---------------------------------------------------------------- memory

// Pages come from the system, in huge pages where it has them. With `keep` set
// (--warm) regions are kept for the next search, so that its time holds no page
// faults; otherwise every search pays for its own.
class Pages {
public:
    static inline bool keep = false;

    static void* take(std::size_t bytes, bool zeroed) {
        for (auto& region : kept_)
            if (region.second == bytes) {
                void* start = region.first;
                region = kept_.back();
                kept_.pop_back();
                if (zeroed) std::memset(start, 0, bytes);
                return start;
            }
        void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (start == MAP_FAILED) fail("the system gives no more memory");
        madvise(start, bytes, MADV_HUGEPAGE);
        return start;
    }

    static void give_back(void* start, std::size_t bytes) {
        if (keep)
            kept_.emplace_back(start, bytes);
        else
            munmap(start, bytes);
    }

private:
    static inline std::vector<std::pair<void*, std::size_t>> kept_;
};

// An array in reserved address space.
template <class T>
class Region {
public:
    Region(std::size_t count, bool zeroed)
        : count_(count), items_(static_cast<T*>(Pages::take(count * sizeof(T), zeroed))) {}
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region() { Pages::give_back(items_, count_ * sizeof(T)); }

    void replace(std::size_t count, bool zeroed) {
        Pages::give_back(items_, count_ * sizeof(T));
        count_ = count;
        items_ = static_cast<T*>(Pages::take(count * sizeof(T), zeroed));
    }

    T& operator[](std::size_t i) { return items_[i]; }
    const T& operator[](std::size_t i) const { return items_[i]; }
    T* data() { return items_; }

private:
    std::size_t count_;
    T* items_;
};

// ---------------------------------------------------------------- nodes

constexpr u32 NONE = ~0u;

struct Node {
    u64 board;
    u32 parent;
    u8 g, h, blank, closed;
};
static_assert(sizeof(Node) == 16);

class Nodes {
public:
    static constexpr u32 ABSENT = NONE;

    u32 size() const { return size_; }
    Node& operator[](u32 i) { return nodes_[i]; }
    const Node& operator[](u32 i) const { return nodes_[i]; }

    static u64 hash(u64 board) { return (board ^ (board >> 32)) * 0x9E3779B97F4A7C15ull; }

    // Room for the children of one node; call before finding them.
    void make_room() {
        if (size_ + DIRECTIONS >= half_) grow();
    }

    void prefetch(u64 hash) const { __builtin_prefetch(&slots_[slot_of(hash)]); }

    // The number of the board's node, or ABSENT, and then `slot` is where it goes.
    u32 find(u64 board, u64 hash, u64& slot) const {
        const u32 tag = tag_of(hash);
        for (slot = slot_of(hash);; slot = (slot + 1) & mask_) {
            const u32 entry = slots_[slot];
            if (entry == 0) return ABSENT;
            if (((entry ^ tag) >> tag_shift_) == 0) {
                const u32 i = (entry & (half_ - 1)) - 1;
                if (nodes_[i].board == board) return i;
            }
        }
    }

    u32 add(u64 slot, u64 hash, const Node& node) {
        nodes_[size_] = node;
        slots_[slot] = tag_of(hash) | (size_ + 1);
        return size_++;
    }

    u32 add_root(u64 board) {
        u64 slot;
        find(board, hash(board), slot);
        return add(slot, hash(board),
                   Node{board, NONE, 0, static_cast<u8>(manhattan(board)),
                        static_cast<u8>(blank_of(board)), 0});
    }

    std::vector<u8> path_to(u32 i) const {
        std::vector<u8> moves;
        for (; nodes_[i].parent != NONE; i = nodes_[i].parent) {
            const int step = nodes_[i].blank - nodes_[nodes_[i].parent].blank;
            moves.push_back(step == -4 ? 0 : step == 4 ? 1 : step == -1 ? 2 : 3);
        }
        std::reverse(moves.begin(), moves.end());
        return moves;
    }

private:
    static constexpr int FIRST_BITS = 16, LAST_BITS = 31;

    u64 slot_of(u64 hash) const { return hash >> slot_shift_; }
    u32 tag_of(u64 hash) const { return static_cast<u32>(hash >> 24) << tag_shift_; }

    void set_bits(int bits) {
        bits_ = bits;
        slot_shift_ = 64 - bits;
        tag_shift_ = bits - 1;
        half_ = 1u << (bits - 1);
        mask_ = (1ull << bits) - 1;
    }

    __attribute__((noinline)) void grow() {
        if (bits_ == LAST_BITS) fail("more than 2^30 nodes");
        set_bits(bits_ + 1);
        slots_.replace(mask_ + 1, true);
        constexpr u32 BATCH = 16;
        u64 hashes[BATCH];
        for (u32 first = 0; first < size_; first += BATCH) {
            const u32 n = std::min(BATCH, size_ - first);
            for (u32 k = 0; k < n; ++k) {
                hashes[k] = hash(nodes_[first + k].board);
                __builtin_prefetch(&slots_[slot_of(hashes[k])], 1);
            }
            for (u32 k = 0; k < n; ++k) {
                u64 slot = slot_of(hashes[k]);
                while (slots_[slot]) slot = (slot + 1) & mask_;
                slots_[slot] = tag_of(hashes[k]) | (first + k + 1);
            }
        }
    }

    Region<Node> nodes_{std::size_t{1} << (LAST_BITS - 1), false};
    Region<u32> slots_{std::size_t{1} << FIRST_BITS, true};
    u32 size_ = 0;
    int bits_ = FIRST_BITS, slot_shift_ = 64 - FIRST_BITS, tag_shift_ = FIRST_BITS - 1;
    u32 half_ = 1u << (FIRST_BITS - 1);
    u64 mask_ = (1ull << FIRST_BITS) - 1;
};

// ---------------------------------------------------------------- breadth-first

// The array of nodes is the queue. So it is known which nodes come next, and
// the slots of their children are fetched some nodes ahead.
inline Answer bfs(u64 root, const Limits& limits) {
    constexpr u32 AHEAD = 8;
    Answer answer;
    Nodes nodes;
    nodes.add_root(root);
    for (u32 id = 0; id < nodes.size(); ++id) {
        const u64 board = nodes[id].board;
        const u32 blank = nodes[id].blank, g = nodes[id].g + 1u;
        if (board == GOAL) {
            answer.outcome = Outcome::solved;
            answer.cost = nodes[id].g;
            answer.moves = nodes.path_to(id);
            break;
        }
        if (answer.expanded >= limits.expansions || nodes.size() >= limits.nodes) {
            answer.outcome = Outcome::stopped;
            break;
        }
        const MoveList& moves = TABLES.moves[blank][NO_MOVE];
        ++answer.expanded;
        answer.generated += moves.count;
        nodes.make_room();
        if (id + AHEAD < nodes.size()) {
            const Node& later = nodes[id + AHEAD];
            const MoveList& its = TABLES.moves[later.blank][NO_MOVE];
            for (u32 m = 0; m < its.count; ++m)
                nodes.prefetch(Nodes::hash(slide(later.board, later.blank, its.to[m],
                                                 tile_at(later.board, its.to[m]))));
        }
        for (u32 m = 0; m < moves.count; ++m) {
            const u32 to = moves.to[m];
            const u64 child = slide(board, blank, to, tile_at(board, to));
            const u64 hash = Nodes::hash(child);
            u64 slot;
            if (nodes.find(child, hash, slot) == Nodes::ABSENT)
                nodes.add(slot, hash, Node{child, id, static_cast<u8>(g), 0,
                                           static_cast<u8>(to), 0});
        }
    }
    answer.stored = nodes.size();
    return answer;
}

// ---------------------------------------------------------------- A*

enum class Ties { lifo, fifo, high_g, low_g };

// The total order (f, tie term, serial): one list a value of f, or of (f, g),
// linked through an array indexed by the serial number of the push. Solvable
// boards need 80 moves at most, so f stays below 128.
template <Ties ties>
class Queue {
public:
    Queue() { std::fill(std::begin(first_), std::end(first_), NONE); }

    void push(u32 f, u32 g, u32 node) {
        const u32 key = BY_G ? f * LEVELS + level(g) : f;
        const u32 serial = serial_++;
        if constexpr (ties == Ties::fifo) {
            entries_[serial] = Entry{NONE, node};
            (first_[key] == NONE ? first_[key] : entries_[last_[key]].next) = serial;
            last_[key] = serial;
        } else {
            entries_[serial] = Entry{first_[key], node};
            first_[key] = serial;
        }
        if constexpr (BY_G) filled_[f][level(g) / 64] |= 1ull << (level(g) % 64);
        if (f < f_) f_ = f;
    }

    // The node of the least entry, which leaves; NONE when there is none.
    u32 pop() {
        for (; f_ < LEVELS; ++f_) {
            u32 key = f_;
            if constexpr (BY_G) {
                const u64* words = filled_[f_];
                if ((words[0] | words[1]) == 0) continue;
                key = f_ * LEVELS + (words[0] ? __builtin_ctzll(words[0])
                                              : 64 + __builtin_ctzll(words[1]));
            } else {
                if (first_[key] == NONE) continue;
            }
            const Entry entry = entries_[first_[key]];
            first_[key] = entry.next;
            if constexpr (BY_G)
                if (entry.next == NONE)
                    filled_[f_][key % LEVELS / 64] &= ~(1ull << (key % 64));
            return entry.node;
        }
        return NONE;
    }

private:
    static constexpr bool BY_G = ties == Ties::high_g || ties == Ties::low_g;
    static constexpr u32 LEVELS = 128;

    static u32 level(u32 g) { return ties == Ties::high_g ? LEVELS - 1 - g : g; }

    struct Entry {
        u32 next, node;
    };

    Region<Entry> entries_{std::size_t{1} << 32, false};
    u32 serial_ = 0;
    u32 f_ = LEVELS;
    u32 first_[BY_G ? LEVELS * LEVELS : LEVELS];
    u32 last_[ties == Ties::fifo ? LEVELS : 1];
    u64 filled_[LEVELS][2]{};
};

template <Ties ties>
Answer astar(u64 root, const Limits& limits) {
    Answer answer;
    Nodes nodes;
    Queue<ties> queue;
    const u32 start = nodes.add_root(root);
    queue.push(nodes[start].h, 0, start);
    for (;;) {
        const u32 id = queue.pop();
        if (id == NONE) break;
        // A stale entry has a larger f than the one that replaced it (h is the
        // same), so when it is taken its node has been expanded.
        Node& node = nodes[id];
        if (node.closed) continue;
        const u64 board = node.board;
        const u32 blank = node.blank, node_h = node.h, g = node.g + 1u;
        if (node_h == 0) {
            answer.outcome = Outcome::solved;
            answer.cost = node.g;
            answer.moves = nodes.path_to(id);
            break;
        }
        if (answer.expanded >= limits.expansions || nodes.size() >= limits.nodes) {
            answer.outcome = Outcome::stopped;
            break;
        }
        node.closed = 1;
        const MoveList& moves = TABLES.moves[blank][NO_MOVE];
        ++answer.expanded;
        answer.generated += moves.count;
        nodes.make_room();
        u64 children[DIRECTIONS], hashes[DIRECTIONS];
        for (u32 m = 0; m < moves.count; ++m) {
            const u32 to = moves.to[m];
            children[m] = slide(board, blank, to, tile_at(board, to));
            hashes[m] = Nodes::hash(children[m]);
            nodes.prefetch(hashes[m]);
        }
        for (u32 m = 0; m < moves.count; ++m) {
            u64 slot;
            u32 child = nodes.find(children[m], hashes[m], slot);
            u32 h;
            if (child == Nodes::ABSENT) {
                const u32 to = moves.to[m];
                h = node_h + TABLES.change[moves.direction[m]][blank][tile_at(board, to)];
                child = nodes.add(slot, hashes[m],
                                  Node{children[m], id, static_cast<u8>(g), static_cast<u8>(h),
                                       static_cast<u8>(to), 0});
            } else {
                Node& known = nodes[child];
                if (known.g <= g) continue;
                h = known.h;
                known.g = static_cast<u8>(g);
                known.parent = id;
                known.closed = 0;
            }
            queue.push(g + h, g, child);
        }
    }
    answer.stored = nodes.size();
    return answer;
}
