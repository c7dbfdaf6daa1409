#include "harness/judge/claims/claim_scores.hpp"

#include <cmath>
#include <limits>

#include "harness/plan/trial_name.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline judge::inline claims {
namespace {

struct Pair {
  const PlannedTrial *candidate = nullptr, *baseline = nullptr;
};

std::map<std::int64_t, Pair> pairs_of(const std::vector<PlannedTrial>& trials, const RegisteredClaim& claim) {
  std::map<std::int64_t, Pair> out;
  for (const auto& trial : trials) {
    if (trial.entry.variant == claim.candidate) out[trial.entry.pair_index].candidate = &trial;
    if (trial.entry.variant == claim.baseline) out[trial.entry.pair_index].baseline = &trial;
  }
  std::erase_if(out, [](const auto& pair) { return !pair.second.candidate || !pair.second.baseline; });
  return out;
}

}  // namespace

const ClaimReader::Values& ClaimReader::values_of(const PlannedTrial& trial) {
  const auto [place, fresh] = values_.try_emplace(trial.row->id);
  if (fresh)
    for (const auto& value : store_.metrics(trial.row->id)) place->second[{value.name, value.step}] = value.value;
  return place->second;
}

/// Not finite where the trial failed or diverged.
double ClaimReader::read(const PlannedTrial& trial, const Readings& readings, const std::string& claim) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (trial.state == TrialState::failed) return none;
  const auto& values = values_of(trial);
  double sum = 0;
  for (const auto& reading : readings) {
    const auto found = values.find({reading.metric, reading.step.value_or(-1)});
    if (found != values.end()) {
      sum += found->second;
      continue;
    }
    if (trial.row->status == results::Status::diverged) return none;
    throw Error({.exit = Exit::incomparable,
                 .code = "compare.no_value",
                 .where = store_.path().string(),
                 .field = "claim." + claim,
                 .value = reading.text(),
                 .problem = "trial " + trial_name(trial.entry) + " has no such value"});
  }
  return sum / static_cast<double>(readings.size());
}

ClaimScores ClaimReader::scores_of(const RegisteredClaim& claim, const std::string& failure) {
  ClaimScores out;
  for (const auto& [index, pair] : pairs_of(trials_, claim)) {
    const double candidate = read(*pair.candidate, claim.metric, claim.name);
    const double baseline = claim.value ? *claim.value : read(*pair.baseline, claim.against, claim.name);
    if (std::isfinite(candidate) && std::isfinite(baseline)) {
      out.candidate.push_back(candidate);
      out.baseline.push_back(baseline);
    } else if (failure == "drop") {
      ++out.left_out;
      out.only_candidate += std::isfinite(baseline) ? 1 : 0;
      out.only_baseline += std::isfinite(candidate) ? 1 : 0;
    } else if (!out.refused) {
      out.refused = true;
      out.problem = "trial " + trial_name((std::isfinite(candidate) ? pair.baseline : pair.candidate)->entry) +
                    " has no finite score; failure = \"drop\" would leave its pair out";
    }
  }
  return out;
}

}  // namespace retrial::harness::inline judge::inline claims
