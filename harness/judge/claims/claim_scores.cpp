#include "harness/judge/claims/claim_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/plan/trial_name.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline judge::inline claims {
namespace {

/// The trials of the claim's variants by pair; only pairs that have all of them.
auto pairs_of(const std::vector<PlannedTrial>& trials, const RegisteredClaim& claim) {
  const auto variants = claim.variants();
  std::map<std::int64_t, std::map<std::string, const PlannedTrial*>> out;
  for (const auto& trial : trials)
    if (std::ranges::find(variants, trial.entry.variant) != variants.end())
      out[trial.entry.pair_index][trial.entry.variant] = &trial;
  std::erase_if(out, [&](const auto& pair) { return pair.second.size() < variants.size(); });
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

/// Ties count half. A set that one of the trials has no score in counts against the claim.
double ClaimReader::share_of(const Pair& pair, const RegisteredClaim& claim) {
  if (defs_.empty()) defs_ = store_.metric_defs();
  double won = 0;
  for (const auto& cell : claim.cells) {
    const double ours = read(*pair.at(cell.candidate), {cell.metric}, claim.name),
                 theirs = read(*pair.at(cell.baseline), {cell.metric}, claim.name);
    if (!std::isfinite(ours) || !std::isfinite(theirs)) {
      won += claim.expect == Expect::lower ? 1 : 0;
      continue;
    }
    const auto def = std::ranges::find(defs_, cell.metric.metric, &results::MetricDef::name);
    const bool lower = def != defs_.end() && def->direction == results::Direction::lower;
    won += ours == theirs ? 0.5 : (ours < theirs) == lower ? 1 : 0;
  }
  return won / static_cast<double>(claim.cells.size());
}

double ClaimReader::subject_of(const Pair& pair, const RegisteredClaim& claim) {
  if (!claim.cells.empty()) return share_of(pair, claim);
  if (claim.contrast.empty()) return read(*pair.at(claim.candidate), claim.metric, claim.name);
  double sum = 0;
  for (const auto& [variant, weight] : claim.contrast)
    sum += weight * read(*pair.at(variant), claim.metric, claim.name);
  return sum;
}

/// The sides of a contrast are its weights above and below 0.
void ClaimReader::leave_out(const Pair& pair, const RegisteredClaim& claim, ClaimScores& out) {
  const auto fails = [&](const std::string& variant, const Readings& readings) {
    return !std::isfinite(read(*pair.at(variant), readings, claim.name));
  };
  bool candidate = false, baseline = false;
  if (claim.contrast.empty()) {
    candidate = fails(claim.candidate, claim.metric);
    baseline = !claim.value && fails(claim.baseline, claim.against);
  }
  for (const auto& part : claim.contrast)
    if (fails(part.variant, claim.metric)) (claim.raised_by(part.variant) ? candidate : baseline) = true;
  ++out.left_out;
  if (candidate != baseline) ++(candidate ? out.only_candidate : out.only_baseline);
}

/// The trial of the pair that has no finite score.
std::string ClaimReader::unscored(const Pair& pair, const RegisteredClaim& claim) {
  const auto variants = claim.variants();
  const auto found = std::ranges::find_if(variants, [&](const std::string& variant) {
    return !std::isfinite(
        read(*pair.at(variant), variant == claim.baseline ? claim.against : claim.metric, claim.name));
  });
  return trial_name(pair.at(found == variants.end() ? variants.front() : *found)->entry);
}

ClaimScores ClaimReader::scores_of(const RegisteredClaim& claim, const std::string& failure) {
  ClaimScores out;
  for (const auto& [index, pair] : pairs_of(trials_, claim)) {
    const double candidate = subject_of(pair, claim);
    const double baseline = claim.value ? *claim.value : read(*pair.at(claim.baseline), claim.against, claim.name);
    if (std::isfinite(candidate) && std::isfinite(baseline)) {
      out.candidate.push_back(candidate);
      out.baseline.push_back(baseline);
    } else if (failure == "drop") {
      leave_out(pair, claim, out);
    } else if (!out.refused) {
      out.refused = true;
      out.problem =
          "trial " + unscored(pair, claim) + " has no finite score; failure = \"drop\" would leave its pair out";
    }
  }
  return out;
}

}  // namespace retrial::harness::inline judge::inline claims
