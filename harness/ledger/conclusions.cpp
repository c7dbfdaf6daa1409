#include "harness/ledger/conclusions.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/stored/plan_state.hpp"
#include "variance/means/paired.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline ledger {
namespace {

using published::Relation, published::Row;

struct Known {
  std::string name;
  Values values;
};

std::vector<Known> known_variants(const workloads::Declaration& declaration, const StudyView& study) {
  std::vector<Known> out;
  for (const auto& variant : judged_variants(study)) out.push_back({variant.name, values_of(declaration, variant)});
  return out;
}

struct Sides {
  std::string candidate, baseline;
};

/// Two variants that match the rows, or else their methods; nothing if one is missing or both are the same.
std::optional<Sides> sides_of(const published::Table& table, const Row& row, const Row& baseline,
                              const workloads::Declaration& declaration, const std::vector<Known>& variants) {
  const auto first = [&](auto&& fits) {
    const auto found = std::find_if(variants.begin(), variants.end(), fits);
    return found == variants.end() ? std::string() : found->name;
  };
  const auto about = [&](const Row& which) {
    return first([&](const Known& variant) { return is_about(which, declaration, variant.values); });
  };
  const auto by_method = [&](const Row& which) {
    return first([&](const Known& variant) { return table.same_method && table.same_method(which, variant.values); });
  };
  Sides sides{about(row), about(baseline)};
  if (sides.candidate.empty() || sides.baseline.empty()) sides = {by_method(row), by_method(baseline)};
  if (sides.candidate.empty() || sides.baseline.empty() || sides.candidate == sides.baseline) return std::nullopt;
  return sides;
}

std::vector<double> differences_of(const results::Store& store, const std::vector<PlannedTrial>& trials,
                                   const Sides& sides, const std::string& metric) {
  const auto stored = store.final_values(metric);
  const std::map<std::int64_t, double> values(stored.begin(), stored.end());
  std::map<std::uint64_t, std::pair<std::optional<double>, std::optional<double>>> pairs;
  for (const auto& trial : trials) {
    if (trial.state != TrialState::done) continue;
    const auto found = values.find(trial.row->id);
    if (found == values.end() || !std::isfinite(found->second)) continue;
    auto& pair = pairs[trial.entry.pair_index];
    if (trial.entry.variant == sides.candidate) pair.first = found->second;
    if (trial.entry.variant == sides.baseline) pair.second = found->second;
  }
  std::vector<double> out;
  for (const auto& [index, pair] : pairs)
    if (pair.first && pair.second) out.push_back(*pair.first - *pair.second);
  return out;
}

bool retried(const StudyView& study, const std::vector<PlannedTrial>& trials, const Sides& sides) {
  const std::int64_t allowed = study.design ? study.design->retries : 0;
  return std::ranges::any_of(trials, [&](const PlannedTrial& trial) {
    const auto& variant = trial.entry.variant;
    return (variant == sides.candidate || variant == sides.baseline) && trial.retries > allowed;
  });
}

Answer judged_by(const std::vector<double>& differences, const published::Gap& gap, double alpha) {
  const auto test = variance::paired_t(differences, {.alpha = alpha});
  if (!test || !test->mean.low || !test->mean.high) return Answer::open;  // too few, or too few without spread
  const double low = *test->mean.low, high = *test->mean.high;
  switch (gap.relation) {
    case Relation::above:
      return low > 0 ? Answer::confirmed : high < 0 ? Answer::contradicted : Answer::open;
    case Relation::below:
      return high < 0 ? Answer::confirmed : low > 0 ? Answer::contradicted : Answer::open;
    case Relation::within:
      if (variance::tost(differences, gap.margin, {.alpha = alpha})->equivalent) return Answer::confirmed;
      return low > gap.margin || high < -gap.margin ? Answer::contradicted : Answer::open;
    case Relation::about:
      if (low > gap.about || high < gap.about) return Answer::contradicted;
      return low > gap.about - gap.margin && high < gap.about + gap.margin ? Answer::confirmed : Answer::open;
    case Relation::none:
      break;
  }
  return Answer::open;
}

bool comparable(const std::vector<JudgedRow>& rows, const std::string& id, const std::string& variant) {
  return std::any_of(rows.begin(), rows.end(), [&](const JudgedRow& row) {
    return row.row.id == id && row.variant == variant && row.outcome != RowOutcome::not_comparable;
  });
}

/// A conclusion published at two numbers of epochs is tested once by a study that matches neither.
bool tested_before(const TestedClaim& claim, const Sides& sides) {
  return std::any_of(claim.gaps.begin(), claim.gaps.end(), [&](const TestedGap& gap) {
    return gap.outcome != Answer::not_asked && gap.candidate == sides.candidate && gap.baseline == sides.baseline;
  });
}

/// At least one part was tested.
bool asked(const TestedClaim& claim) {
  return std::ranges::any_of(claim.gaps, [](const TestedGap& gap) { return gap.outcome != Answer::not_asked; });
}

}  // namespace

std::string name_of(Answer outcome) {
  switch (outcome) {
    case Answer::confirmed:
      return "stands";
    case Answer::contradicted:
      return "fails";
    case Answer::open:
      return "open";
    case Answer::not_asked:
      return "not asked";
  }
  return "";
}

std::vector<TestedClaim> tested_claims(const published::Table& table, const results::Store& store,
                                       const StudyView& study, const std::vector<PlannedTrial>& trials,
                                       const std::vector<JudgedRow>& rows, double alpha) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  const auto variants = known_variants(declaration, study);
  std::vector<TestedClaim> out;
  for (const auto& claim : table.conclusions) {
    TestedClaim tested{.name = claim.name, .text = claim.text, .gaps = {}};
    for (const auto& gap : claim.gaps) {
      const Row &row = find_row(table, gap.row), &baseline = find_row(table, gap.baseline);
      const auto sides = sides_of(table, row, baseline, declaration, variants);
      if (gap.relation == Relation::none) continue;
      if (!sides) {
        tested.gaps.push_back({.gap = gap,
                               .published = value_of(table, gap),
                               .candidate = {},
                               .baseline = {},
                               .difference = {},
                               .outcome = Answer::not_asked});
        continue;
      }
      if (tested_before(tested, *sides)) continue;
      const auto differences = differences_of(store, trials, *sides, row.our_metric);
      TestedGap one{
          .gap = gap,
          .published = value_of(table, gap),
          .candidate = sides->candidate,
          .baseline = sides->baseline,
          .comparable = comparable(rows, row.id, sides->candidate) && comparable(rows, baseline.id, sides->baseline),
          .pairs = static_cast<std::int64_t>(differences.size()),
          .retried = retried(study, trials, *sides),
          .difference = {},
          .outcome = judged_by(differences, gap, alpha)};
      if (one.retried) one.outcome = Answer::open;
      if (const auto test = variance::paired_t(differences, {.alpha = alpha})) one.difference = test->mean;
      tested.gaps.push_back(std::move(one));
    }
    if (asked(tested)) out.push_back(std::move(tested));
  }
  return out;
}

}  // namespace retrial::harness::inline ledger
