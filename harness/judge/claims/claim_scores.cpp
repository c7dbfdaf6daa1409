#include "harness/judge/claims/claim_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/judge/design/scale.hpp"
#include "harness/plan/profile_blocks.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/record/score_bounds.hpp"
#include "results/text/error.hpp"
#include "variance/verdict/decided_scores.hpp"

namespace retrial::harness::inline judge::inline claims {
namespace {

/// The trials of the claim's variants by pair; only pairs that have all of them.
auto pairs_of(const StudyView& study, const std::vector<PlannedTrial>& trials, const RegisteredClaim& claim) {
  const auto variants = claim.variants();
  std::map<std::int64_t, std::map<std::string, const PlannedTrial*>> out;
  for (const std::size_t place : places_of_pairs(study.plan, study.profile)) {
    const PlannedTrial& trial = trials.at(place);
    if (std::ranges::find(variants, trial.entry.variant) != variants.end())
      out[trial.entry.pair_index][trial.entry.variant] = &trial;
  }
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

/// A final value on a grid as its level; a point of a series as it is.
double ClaimReader::judged(const PlannedTrial& trial, const Reading& reading, double value) {
  if (reading.step) return value;
  const auto [place, fresh] = scales_.try_emplace({trial.entry.variant, reading.metric});
  if (fresh) place->second = scale_of(study_, trial.entry.variant, reading.metric);
  return workloads::judged_score(place->second, value);
}

variance::ScoreBound ClaimReader::bound_at(const PlannedTrial& trial, const Reading& reading) {
  if (reading.step || trial.state == TrialState::failed) return variance::ScoreBound::exact;
  const auto& values = values_of(trial);
  const auto found = values.find({results::bound_name(reading.metric), -1});
  return found == values.end() ? variance::ScoreBound::exact : results::bound_from(found->second);
}

void ClaimReader::note_bound(const PlannedTrial& trial, const Reading& reading, ClaimScores& out) {
  const auto bound = bound_at(trial, reading);
  if (bound == variance::ScoreBound::exact) return;
  const double value = read(trial, {reading}, "");
  if (++out.bounded == 1) out.bound = bound, out.bound_value = value;
  if (out.refused || (out.bound == bound && out.bound_value == value)) return;
  out.refused = true;
  out.problem = reading.text() + " of trial " + trial_name(trial.entry) + " is " + std::string(name_of(bound)) + " " +
                short_text(value) + " and another one " + std::string(name_of(out.bound)) + " " +
                short_text(out.bound_value) + ": bounds at different values have no difference";
}

void ClaimReader::note_bounds(const Pair& pair, const RegisteredClaim& claim, ClaimScores& out) {
  if (!claim.cells.empty()) return;  // each set is decided by itself
  const auto note = [&](const std::string& variant, const Readings& readings) {
    for (const auto& reading : readings) note_bound(*pair.at(variant), reading, out);
  };
  for (const auto& part : claim.contrast) note(part.variant, claim.metric);
  if (!claim.contrast.empty()) return;
  note(claim.candidate, claim.metric);
  if (!claim.value) note(claim.baseline, claim.against);
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
      sum += judged(trial, reading, found->second);
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
    const PlannedTrial &candidate = *pair.at(cell.candidate), &baseline = *pair.at(cell.baseline);
    const double ours = read(candidate, {cell.metric}, claim.name), theirs = read(baseline, {cell.metric}, claim.name);
    if (!std::isfinite(ours) || !std::isfinite(theirs)) {
      won += claim.expect == Expect::lower ? 1 : 0;
      continue;
    }
    const auto def = std::ranges::find(defs_, cell.metric.metric, &results::MetricDef::name);
    const bool lower = def != defs_.end() && def->direction == results::Direction::lower;
    const bool open =
        !variance::order_is_known({ours, bound_at(candidate, cell.metric)}, {theirs, bound_at(baseline, cell.metric)});
    won += open || ours == theirs ? 0.5 : (ours < theirs) == lower ? 1 : 0;
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

std::string bounded_scores_text(const ClaimScores& scores) {
  if (scores.bounded == 0 || scores.refused) return "";
  const bool above = scores.bound == variance::ScoreBound::at_least;
  return counted(scores.bounded, "score") + (scores.bounded == 1 ? " is a bound (" : " are bounds (") +
         std::string(variance::name_of(scores.bound)) + " " + short_text(scores.bound_value) +
         "), so the claim is about scores " + (above ? "up" : "down") + " to there: what is beyond counts as it";
}

std::string resamples_text(const StudyView& study) {
  const auto overlap = untested_overlap(study);
  if (!overlap) return "";
  return "these claims are about new divisions of the same rows, not about new data: their tests take the divisions as "
         "independent, but every two share rows (overlap " +
         short_text(*overlap) + "). test = \"corrected_t\" is for claims about new data";
}

ClaimScores ClaimReader::scores_of(const RegisteredClaim& claim, const std::string& failure) {
  ClaimScores out;
  for (const auto& [index, pair] : pairs_of(study_, trials_, claim)) {
    note_bounds(pair, claim, out);
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
