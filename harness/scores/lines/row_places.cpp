#include "harness/scores/lines/row_places.hpp"

#include <bit>

namespace retrial::harness::inline scores::inline lines {
namespace {

/// Equal names of one table are one text, so its address stands for it. No result depends on the order of addresses.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) {
  return (std::rotl(seed, 25) ^ value) * 0x9e3779b97f4a7c15U;
}
std::uint64_t address(const Name& name) {
  return reinterpret_cast<std::uintptr_t>(&name.text());
}

}  // namespace

RowPlaces::RowPlaces(const ScoreTable& table, Pair pair, std::size_t rows)
    : table_(table), pair_(pair), slots_(std::bit_ceil(rows + rows / 2 + 1)) {}

std::size_t RowPlaces::hash(const ScoreRow& row) const {
  std::uint64_t key =
      pair_ == Pair::label ? address(row.pair_label) : static_cast<std::uint64_t>(row.pair.value_or(-1));
  for (const Name* name : {&row.variant, &row.cluster, &row.task, &row.metric}) key = mixed(key, address(*name));
  return static_cast<std::size_t>(key ^ (key >> 32));
}

bool RowPlaces::equal(const ScoreRow& a, const ScoreRow& b) const {
  return (pair_ == Pair::label ? a.pair_label == b.pair_label : a.pair == b.pair) && a.variant == b.variant &&
         a.cluster == b.cluster && a.task == b.task && a.metric == b.metric;
}

std::optional<std::size_t> RowPlaces::before(std::size_t row) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash(table_.rows[row]) & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) {
      slots_[slot] = static_cast<std::uint32_t>(row + 1);
      return std::nullopt;
    }
    if (equal(table_.rows[slots_[slot] - 1], table_.rows[row])) return slots_[slot] - 1;
  }
}

}  // namespace retrial::harness::inline scores::inline lines
