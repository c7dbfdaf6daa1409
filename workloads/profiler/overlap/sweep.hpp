#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "workloads/profiler/timeline/timeline.hpp"

namespace retrial::profiler::inline overlap {

using Set = std::vector<std::uint32_t>;  ///< members in ascending order

/// The time in which exactly these keys were active.
struct SetTime {
  std::uint64_t total = 0;
  std::int64_t first = 0, last = 0;
  std::uint64_t pieces = 0;  ///< longest intervals over which the set was this one

  bool operator==(const SetTime&) const = default;
};

/// Between consecutive pieces, empty ones skipped. Sets by their place in Overlap::sets: with 16 keys there may be a
/// million of these.
struct SetMove {
  std::uint32_t from = 0, to = 0;
  std::uint64_t count = 0;

  auto operator<=>(const SetMove&) const = default;
};

struct Overlap {
  std::map<Set, SetTime> sets;       ///< without the empty one
  std::vector<SetMove> transitions;  ///< in ascending order

  bool operator==(const Overlap&) const = default;
};

/// Counts the overlap of any number of keys from their events in the order of time, in memory that grows with the sets
/// that occur and not with the events. All changes at one time are applied before time is charged, so that the order in
/// which they are told does not matter.
class OverlapCounter {
 public:
  explicit OverlapCounter(std::size_t keys);

  /// Charges the time until `t`; tell it once before the changes at `t`.
  void advance(std::int64_t t) {
    if (changed_) settle();
    if (active_ != 0) sets_[set_].time.total += static_cast<std::uint64_t>(t) - static_cast<std::uint64_t>(now_);
    now_ = t;
  }
  void start(std::uint32_t key) {
    if (counts_[key]++ == 0) toggle(key);
  }
  void end(std::uint32_t key) {
    if (--counts_[key] == 0) toggle(key);
  }
  [[nodiscard]] Overlap finish();
  [[nodiscard]] std::size_t sets() const { return sets_.size(); }

 private:
  struct Counted {
    std::uint64_t hash = 0;
    SetTime time;
  };
  struct Move {
    std::uint64_t sets = 0, count = 0;
  };

  void toggle(std::uint32_t key) {
    words_[key / 64] ^= std::uint64_t{1} << (key % 64);
    hash_ ^= mixed(key);
    active_ += counts_[key] > 0 ? 1 : std::uint32_t(-1);
    changed_ = true;
  }
  static std::uint64_t mixed(std::uint64_t key) {
    std::uint64_t x = (key + 1) * 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
  }
  /// The set has changed, or has changed back: a piece ends and another begins, or none.
  void settle();
  [[nodiscard]] bool same(std::uint32_t set) const;
  [[nodiscard]] std::uint32_t number_of_set();
  void grow_sets();
  void count_move(std::uint32_t from, std::uint32_t to);
  void grow_moves();
  [[nodiscard]] Set members(std::uint32_t set) const;

  std::size_t width_;  ///< words of a set
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint64_t> words_;
  std::uint64_t hash_ = 0;
  std::uint32_t active_ = 0;
  bool changed_ = false;
  std::int64_t now_ = 0;
  std::uint32_t set_ = none;       ///< of the piece that is open
  std::uint32_t previous_ = none;  ///< of the last piece
  std::vector<Counted> sets_;
  std::vector<std::uint64_t> arena_;  ///< the words of each set
  std::vector<std::uint32_t> slots_;  ///< open addressing: number + 1
  std::vector<Move> moves_;           ///< open addressing: both numbers + 1
  std::size_t moves_used_ = 0;

  static constexpr std::uint32_t none = 0xFFFFFFFF;
};

/// A key of the sweep: its intervals may overlap each other.
struct SweepKey {
  std::string name;
  std::vector<Interval> intervals;
  bool sorted = false;  ///< by start, which is checked
};

/// The keys merged in the order of time. Empty intervals are skipped. Error{integrity} for an interval that ends before
/// it starts and for a list that is not sorted as it says, with key and place.
[[nodiscard]] Overlap sweep(std::span<const SweepKey> keys);

/// The measure of the union.
[[nodiscard]] std::uint64_t measure(std::vector<Interval> intervals);
/// The union as disjoint intervals in order.
[[nodiscard]] std::vector<Interval> united(std::vector<Interval> intervals);

}  // namespace retrial::profiler::inline overlap
