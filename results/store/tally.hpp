#pragma once

#include <cstdint>
#include <string_view>

#include "results/store/sqlite/query.hpp"

namespace retrial::results::inline store {

/// Number and sum (modulo 2^256) of the digests of rows: the same in any order.
struct Tally {
  std::int64_t rows = 0;
  Digest sum{};

  void add(const Digest& item);
  void add(const Tally& other);
  bool operator==(const Tally&) const = default;
};

/// What a row counts for. The number of an attempt is in no other digest.
[[nodiscard]] Digest tallied_trial(std::int64_t id, const Digest& record);

/// Adds rows that this transaction has inserted. Stores of schema 1 keep no tallies.
void keep_tally(Connection& connection, std::string_view kind, const Tally& added);
void keep_tally(Connection& connection, std::string_view kind, const Digest& item);

}  // namespace retrial::results::inline store
