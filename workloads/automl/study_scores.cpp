#include "workloads/automl/study_scores.hpp"

#include <algorithm>

#include "variance/samples/summary.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/named.hpp"

namespace retrial::automl {

using workloads::StudyEvidence, workloads::VariantTrials;

std::vector<double> finals_of(const VariantTrials& variant, const std::string& metric) {
  std::vector<double> out;
  for (const auto& trial : variant.trials)
    if (const auto found = trial.finals.find(metric); found != trial.finals.end()) out.push_back(found->second);
  return out;
}

double median(const std::vector<double>& values) {
  return *variance::sample_quantile(values, 0.5);
}

std::vector<Set> sets_of(const StudyEvidence& evidence) {
  std::vector<Set> out;
  for (const auto& variant : evidence.variants)
    for (const auto& cell : suite_of(variant.values))
      for (auto& def : test_metrics(cell.values)) {
        const auto same = [&](const Set& set) { return set.suffix == cell.suffix && set.problem == cell.problem; };
        def.name += cell.suffix;
        if (std::ranges::any_of(out, same) || finals_of(variant, def.name).empty()) continue;
        out.push_back({cell.problem, cell.suffix, def});
      }
  return out;
}

bool runs(const VariantTrials& variant, const Set& set) {
  return std::ranges::any_of(suite_of(variant.values), [&](const auto& cell) { return cell.problem == set.problem; });
}

}  // namespace retrial::automl
