#pragma once

#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "workloads/interface/evidence.hpp"

/// What a stored study of searches says of each of its problems.
namespace retrial::automl {

/// One problem of the study: what its metrics are called, and which of them is judged.
struct Set {
  std::string problem, suffix;  ///< "data:phoneme", "_phoneme"
  results::MetricDef metric;
};

/// Of the test metrics that a table may have, the one that it has.
[[nodiscard]] std::vector<Set> sets_of(const workloads::StudyEvidence& evidence);
[[nodiscard]] bool runs(const workloads::VariantTrials& variant, const Set& set);
/// Those that exist, by pair.
[[nodiscard]] std::vector<double> finals_of(const workloads::VariantTrials& variant, const std::string& metric);
/// Of at least one value.
[[nodiscard]] double median(const std::vector<double>& values);

}  // namespace retrial::automl
