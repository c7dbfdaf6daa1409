#include "workloads/profiler/overlap/sweep.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "results/text/error.hpp"
#include "workloads/profiler/overlap/sweep_few.hpp"

namespace retrial::profiler::inline overlap {

OverlapCounter::OverlapCounter(std::size_t keys)
    : width_(std::max<std::size_t>(1, (keys + 63) / 64)), counts_(keys), words_(width_), slots_(64), moves_(64) {}

bool OverlapCounter::same(std::uint32_t set) const {
  return sets_[set].hash == hash_ &&
         std::equal(words_.begin(), words_.end(), arena_.begin() + std::ptrdiff_t(set * width_));
}

void OverlapCounter::grow_sets() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::uint32_t i = 0; i < sets_.size(); ++i) {
    std::size_t at = sets_[i].hash & (slots_.size() - 1);
    while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = i + 1;
  }
}

std::uint32_t OverlapCounter::number_of_set() {
  std::size_t at = hash_ & (slots_.size() - 1);
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1))
    if (same(slots_[at] - 1)) return slots_[at] - 1;
  sets_.push_back({.hash = hash_, .time = {.total = 0, .first = now_, .last = now_, .pieces = 0}});
  arena_.insert(arena_.end(), words_.begin(), words_.end());
  slots_[at] = static_cast<std::uint32_t>(sets_.size());
  if (sets_.size() * 2 > slots_.size()) grow_sets();
  return static_cast<std::uint32_t>(sets_.size() - 1);
}

void OverlapCounter::grow_moves() {
  std::vector<Move> old(moves_.size() * 2);
  old.swap(moves_);
  for (const Move& move : old) {
    if (move.count == 0) continue;
    std::size_t at = mixed(move.sets) & (moves_.size() - 1);
    while (moves_[at].count != 0) at = (at + 1) & (moves_.size() - 1);
    moves_[at] = move;
  }
}

void OverlapCounter::count_move(std::uint32_t from, std::uint32_t to) {
  const std::uint64_t sets = std::uint64_t{from} << 32U | to;
  std::size_t at = mixed(sets) & (moves_.size() - 1);
  for (; moves_[at].count != 0; at = (at + 1) & (moves_.size() - 1))
    if (moves_[at].sets == sets) {
      ++moves_[at].count;
      return;
    }
  moves_[at] = {.sets = sets, .count = 1};
  if (++moves_used_ * 2 > moves_.size()) grow_moves();
}

void OverlapCounter::settle() {
  changed_ = false;
  if (set_ != none && active_ != 0 && same(set_)) return;
  if (set_ != none) {
    sets_[set_].time.last = now_;
    previous_ = set_;
    set_ = none;
  }
  if (active_ == 0) return;
  set_ = number_of_set();
  ++sets_[set_].time.pieces;
  if (previous_ != none) count_move(previous_, set_);
}

Set OverlapCounter::members(std::uint32_t set) const {
  Set out;
  for (std::size_t w = 0; w < width_; ++w)
    for (std::uint64_t bits = arena_[set * width_ + w]; bits != 0; bits &= bits - 1)
      out.push_back(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(bits)));
  return out;
}

Overlap OverlapCounter::finish() {
  if (changed_) settle();
  if (set_ != none) sets_[set_].time.last = now_;
  Overlap out;
  std::map<Set, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < sets_.size(); ++i) numbers.emplace(members(i), i);
  std::vector<std::uint32_t> place(sets_.size());  // of each set in the map
  std::uint32_t next = 0;
  for (const auto& [set, number] : numbers) {
    place[number] = next++;
    out.sets.emplace_hint(out.sets.end(), set, sets_[number].time);
  }
  for (const Move& move : moves_)
    if (move.count != 0)
      out.transitions.push_back({place[move.sets >> 32U], place[move.sets & 0xFFFFFFFFU], move.count});
  std::ranges::sort(out.transitions);
  return out;
}

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// The starts and ends of one key, each in the order of time, with `never` behind the last.
struct Endpoints {
  std::vector<std::int64_t> starts, ends;
};

void demand_order(const SweepKey& key) {
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (std::size_t i = 0; i < key.intervals.size(); ++i) {
    const auto [start, end] = key.intervals[i];
    if (end < start || (key.sorted && start < last))
      throw Error({.exit = Exit::integrity,
                   .code = "profile.sweep",
                   .where = key.name + "[" + std::to_string(i) + "]",
                   .value = std::to_string(start) + " to " + std::to_string(end) + " ns",
                   .problem = end < start ? "an interval ends before it starts"
                                          : "the list says that it is sorted, and this start is before the last"});
    last = start;
  }
}

Endpoints endpoints_of(const SweepKey& key) {
  Endpoints out;
  out.starts.reserve(key.intervals.size() + 1);
  out.ends.reserve(key.intervals.size() + 1);
  for (const auto [start, end] : key.intervals) {
    if (start == end) continue;
    out.starts.push_back(start);
    out.ends.push_back(end);
  }
  for (auto* const times : {&out.starts, &out.ends}) {
    if (!std::ranges::is_sorted(*times)) std::ranges::sort(*times);
    times->push_back(never);
  }
  return out;
}

/// The place of a key in its two lists.
struct Cursor {
  const std::int64_t* start;
  const std::int64_t* end;
  [[nodiscard]] std::int64_t next() const { return std::min(*start, *end); }
};

/// Tells the counter every change of this key at `t`; returns its next time.
std::int64_t apply(OverlapCounter& counter, Cursor& cursor, std::uint32_t key, std::int64_t t) {
  for (; *cursor.start == t; ++cursor.start) counter.start(key);
  for (; *cursor.end == t; ++cursor.end) counter.end(key);
  return cursor.next();
}

/// A heap of (time, key): the earliest is sifted down after its key has moved on.
void merge(OverlapCounter& counter, std::vector<Cursor>& cursors) {
  using Entry = std::pair<std::int64_t, std::uint32_t>;
  std::vector<Entry> heap;
  for (std::uint32_t k = 0; k < cursors.size(); ++k) heap.emplace_back(cursors[k].next(), k);
  std::ranges::sort(heap);
  const auto sift = [&] {
    const Entry entry = heap[0];
    std::size_t at = 0;
    for (std::size_t child = 1; child < heap.size(); child = 2 * at + 1) {
      if (child + 1 < heap.size() && heap[child + 1] < heap[child]) ++child;
      if (entry <= heap[child]) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = entry;
  };
  while (heap[0].first != never) {
    const std::int64_t t = heap[0].first;
    counter.advance(t);
    while (heap[0].first == t) {
      heap[0].first = apply(counter, cursors[heap[0].second], heap[0].second, t);
      sift();
    }
  }
}

}  // namespace

Overlap sweep(std::span<const SweepKey> keys) {
  for (const SweepKey& key : keys) demand_order(key);
  if (auto few = sweep_few(keys)) return std::move(*few);
  std::vector<Endpoints> endpoints;
  for (const SweepKey& key : keys) endpoints.push_back(endpoints_of(key));
  std::vector<Cursor> cursors;
  for (const Endpoints& e : endpoints) cursors.push_back({e.starts.data(), e.ends.data()});
  OverlapCounter counter(keys.size());
  merge(counter, cursors);
  return counter.finish();
}

std::vector<Interval> united(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& i) { return i.start >= i.end; });
  std::ranges::sort(intervals, {}, &Interval::start);
  std::vector<Interval> out;
  for (const Interval& i : intervals) {
    if (!out.empty() && i.start <= out.back().end)
      out.back().end = std::max(out.back().end, i.end);
    else
      out.push_back(i);
  }
  return out;
}

std::uint64_t measure(std::vector<Interval> intervals) {
  std::uint64_t sum = 0;
  for (const Interval& i : united(std::move(intervals))) sum += i.length();
  return sum;
}

}  // namespace retrial::profiler::inline overlap
