#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace retrial::harness::inline stored {

struct TidyChoice {
  std::vector<results::StudyRow> studies;
  std::optional<std::string> metric;  ///< only this one
  bool raw = false;                   ///< text as it is, also where a spreadsheet would take it for a formula
};
struct TidyCounts {
  std::int64_t values = 0, trials = 0;
  std::int64_t failed = 0, open = 0;  ///< trials without values: they have no line
};

/// Every value of the trials that count, as CSV with a header and a line for each value, ordered by study, variant,
/// pair, replicate, metric and step; the text goes to `sink` trial by trial. Error{usage} for a metric that the store
/// does not have.
TidyCounts write_tidy_values(const results::Store& store, const TidyChoice& choice,
                             const std::function<void(const std::string&)>& sink);

}  // namespace retrial::harness::inline stored
