#pragma once

#include <string>
#include <vector>

#include "harness/across/differences.hpp"
#include "harness/scores/family.hpp"

/// `retrial compare OLD.db NEW.db`: would it come out the same there, and if not, how large is the difference?
namespace retrial::harness::inline across {

/// Judges the second store against the first, variant by variant, prints the result and returns the exit code for
/// --require. No design covers such a comparison: the page says so.
[[nodiscard]] Exit compare_two_stores(const Arguments& arguments);

/// The whole answer; `claims` has one claim for each match, in their order.
struct TwoStores {
  const StoreSide &baseline, &candidate;
  results::MetricDef metric;
  std::vector<MatchedRuns> runs;
  Claims claims;
  SameIdentity same;
  StoreDifferences differences;
  std::vector<std::string> undeclared, warnings;
  bool recorded = true;  ///< both stores count the look
};
/// Whether claim i is a test of pairs, the scores of every pair are equal, and the test has nothing else to say:
/// EQUIVALENT within a margin is more.
[[nodiscard]] bool same_scores(const TwoStores& answer, std::size_t i);
/// Schema retrial.stores/1.
[[nodiscard]] Json stores_document(const TwoStores& answer);
[[nodiscard]] std::string stores_page(const TwoStores& answer);

}  // namespace retrial::harness::inline across
