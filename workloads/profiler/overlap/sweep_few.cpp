#include "workloads/profiler/overlap/sweep_few.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace retrial::profiler::inline overlap {
namespace {

constexpr std::size_t most_keys = 8;
constexpr unsigned key_bits = 3;
constexpr std::uint64_t latest = std::uint64_t{1} << 60U;
constexpr std::uint64_t no_change = std::numeric_limits<std::uint64_t>::max();

/// The times at which a key changes, with the number of the key in the lowest bits, so that the earliest of several
/// keys is the least number; `no_change` ends the list.
using Changes = std::unique_ptr<std::uint64_t[]>;

/// The union of the intervals of a key, which are sorted by start. Nothing if they are not, or span too long a time.
std::optional<Changes> changes_of(std::span<const Interval> intervals, std::uint64_t key, std::int64_t base) {
  const auto since = [&](std::int64_t t) { return static_cast<std::uint64_t>(t) - static_cast<std::uint64_t>(base); };
  Changes out = std::make_unique_for_overwrite<std::uint64_t[]>(2 * intervals.size() + 1);
  std::uint64_t* next = out.get();
  std::uint64_t last = 0, all = 0;  // the last end that was written; the bits of every time
  bool sorted = true;
  std::int64_t before = std::numeric_limits<std::int64_t>::min();
  for (const auto [start, end] : intervals) {
    sorted &= start >= before;
    before = start;
    if (start == end) continue;
    const std::uint64_t from = since(start), to = since(end);
    all |= from | to;
    if (next != out.get() && from <= last)
      next -= 2;  // goes on: its start stays
    else
      *next = from << key_bits | key, last = 0;
    last = std::max(last, to);
    next[1] = last << key_bits | key;
    next += 2;
  }
  if (!sorted || all >= latest) return std::nullopt;
  *next = no_change;
  return out;
}

std::int64_t earliest(std::span<const SweepKey> keys) {
  std::int64_t out = std::numeric_limits<std::int64_t>::max();
  for (const SweepKey& key : keys)
    if (!key.intervals.empty()) out = std::min(out, key.intervals.front().start);
  return out;
}

/// What was counted of all sets of K keys. Set 0, nothing active, is counted along and left out at the end: that costs
/// less than a branch which cannot be foreseen.
template <std::size_t K>
struct Counts {
  static constexpr std::size_t sets = std::size_t{1} << K;
  std::array<SetTime, sets> times{};
  std::vector<std::uint64_t> moves = std::vector<std::uint64_t>(sets * sets);  ///< from * sets + to
};

template <std::size_t K>
std::uint64_t least(const std::array<std::uint64_t, K>& next) {
  std::array<std::uint64_t, K> tree = next;
  for (std::size_t half = K / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) tree[i] = std::min(tree[i], tree[i + half]);
  return tree[0];
}

template <std::size_t K>
Counts<K> merged(const std::vector<Changes>& changes) {
  Counts<K> out;
  std::array<const std::uint64_t*, K> at{};
  std::array<std::uint64_t, K> next{};
  next.fill(no_change);
  for (std::size_t k = 0; k < changes.size(); ++k) at[k] = changes[k].get(), next[k] = *at[k];
  std::size_t set = 0, previous = 0;
  for (std::uint64_t first = least(next); first != no_change;) {
    const std::uint64_t from = first >> key_bits;
    do {
      const std::size_t key = first & (most_keys - 1);
      set ^= std::size_t{1} << key;
      next[key] = *++at[key];
      first = least(next);
    } while (first >> key_bits == from);
    const std::uint64_t to = first >> key_bits;
    SetTime& time = out.times[set];
    time.total += to - from;
    if (time.pieces++ == 0) time.first = static_cast<std::int64_t>(from);
    time.last = static_cast<std::int64_t>(to);
    ++out.moves[previous * Counts<K>::sets + set];
    previous = set == 0 ? previous : set;
  }
  return out;
}

Set members_of(std::size_t set) {
  Set out;
  for (std::uint32_t key = 0; key < most_keys; ++key)
    if ((set >> key & 1U) != 0) out.push_back(key);
  return out;
}

template <std::size_t K>
Overlap overlap_of(const Counts<K>& counts, std::int64_t base) {
  Overlap out;
  for (std::size_t set = 1; set < Counts<K>::sets; ++set) {
    SetTime time = counts.times[set];
    if (time.pieces == 0) continue;
    time.first += base;
    time.last += base;
    out.sets.emplace(members_of(set), time);
  }
  std::array<std::uint32_t, Counts<K>::sets> place{};
  std::uint32_t next = 0;
  for (const auto& [members, time] : out.sets) {
    std::size_t set = 0;
    for (const std::uint32_t key : members) set |= std::size_t{1} << key;
    place[set] = next++;
  }
  for (std::size_t from = 1; from < Counts<K>::sets; ++from)
    for (std::size_t to = 1; to < Counts<K>::sets; ++to)
      if (const std::uint64_t count = counts.moves[from * Counts<K>::sets + to]; count > 0)
        out.transitions.push_back({place[from], place[to], count});
  std::ranges::sort(out.transitions);
  return out;
}

}  // namespace

std::optional<Overlap> sweep_few(std::span<const SweepKey> keys) {
  if (keys.size() > most_keys) return std::nullopt;
  const std::int64_t base = earliest(keys);
  std::vector<Changes> changes;
  for (const SweepKey& key : keys) {
    auto found = changes_of(key.intervals, changes.size(), base);
    if (!found) return std::nullopt;
    changes.push_back(std::move(*found));
  }
  return keys.size() <= 4 ? overlap_of(merged<4>(changes), base) : overlap_of(merged<8>(changes), base);
}

}  // namespace retrial::profiler::inline overlap
