#include "harness/across/two_stores.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "harness/across/store_looks.hpp"
#include "harness/judge/design/side_by_side.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/stored/likeness/seed_effect.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline across {
namespace {

void refuse_options_of_one_store(const Arguments& arguments) {
  refuse_options(arguments, {"claims", "scope", "sequential", "looks", "no-store"},
                 {.problem = "is for one store, whose study declared it",
                  .help = "two stores are compared by a test: retrial compare OLD.db NEW.db --test NAME"});
  if (arguments.positional.size() > 2)
    throw Error({.code = "usage.extra_argument",
                 .field = results::one_line(arguments.positional[2], 100),
                 .problem = "unexpected argument: two stores are compared",
                 .help = "usage: retrial compare [STORE] [NEW_STORE]"});
  std::error_code ignored;  // a store that does not exist is an error of its own
  if (std::filesystem::equivalent(arguments.positional[0], arguments.positional[1], ignored))
    throw Error({.code = "across.same_store",
                 .field = results::one_line(arguments.positional[1], 200),
                 .problem = "is the same store twice",
                 .help = "retrial compare STORE compares two variants of one store"});
}

bool all_paired(const std::vector<MatchedRuns>& all) {
  return std::ranges::all_of(all, [](const MatchedRuns& runs) { return runs.pairs > 0; });
}

/// Sign and Mann-Whitney assume nothing about the scores but their order.
std::string test_for(const Arguments& arguments, const std::vector<MatchedRuns>& all) {
  const std::string name = test_given(arguments, all_paired(all)).value_or(all_paired(all) ? "sign" : "mann_whitney");
  const auto* row = variance::find_comparison(name);
  if (row == nullptr)
    throw Error({.code = "compare.many",
                 .field = "--test",
                 .value = name,
                 .problem = "compares several methods over data sets, not two stores",
                 .help = "use a CSV file: retrial compare --scores FILE.csv --test " + name + " --higher"});
  return name;
}

std::vector<std::optional<double>> scores_of(const std::vector<SideRun>& runs, std::size_t count) {
  std::vector<std::optional<double>> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(runs[i].score);
  return out;
}

/// The pairs for a test of pairs; every run for other tests, and where there are no pairs.
Slice slice_for(const MatchedRuns& runs, bool paired, const std::string& baseline, const std::string& candidate) {
  paired = paired && runs.pairs > 0;
  return {.where = candidate,
          .task = "",
          .paired = paired,
          .unpaired = "no run of the one store has the seeds of a run of the other",
          .pairing = "run the new study with the --seed of the old one: runs with equal seeds are pairs",
          .names = {baseline, candidate},
          .scores = {scores_of(runs.baseline, paired ? runs.pairs : runs.baseline.size()),
                     scores_of(runs.candidate, paired ? runs.pairs : runs.candidate.size())}};
}

/// The step of a metric that is a share of test items, where both sides have as many.
std::optional<double> resolution_of(const TwoStores& answer, const VariantMatch& variant) {
  const auto items = [&](const StoreSide& side, const std::string& name) -> std::optional<std::int64_t> {
    const auto view = std::ranges::find(side.study.variants, name, &VariantView::name);
    const auto found = view->test_items.find(answer.metric.name);
    return found == view->test_items.end() ? std::nullopt : std::optional(found->second);
  };
  const auto before = items(answer.baseline, variant.baseline), after = items(answer.candidate, variant.candidate);
  if (!before || before != after || *before <= 0) return {};
  return (answer.metric.unit == "%" ? 100.0 : 1.0) / static_cast<double>(*before);
}

std::string left_out_text(const MatchedRuns& runs, const TwoStores& answer) {
  std::vector<std::string> parts;
  const auto add = [&](const StoreSide& side, std::size_t count) {
    const auto left = static_cast<std::int64_t>(count - runs.pairs);
    if (left > 0) parts.push_back(counted(left, "run") + " of " + side.name);
  };
  add(answer.baseline, runs.baseline.size());
  add(answer.candidate, runs.candidate.size());
  if (parts.empty()) return "";
  return results::joined(parts, " and ") +
         " left out: no run of the other store has the same seeds (--test mann_whitney uses every run)";
}

/// Without a difference there is nothing to test, and nothing is wrong with the scores.
void note_same_scores(variance::TestOutcome& outcome) {
  outcome.status = variance::Status::inconclusive;
  outcome.reason.reset();
  outcome.p.reset();
  outcome.notes = {"the scores of every pair are equal: no difference is left to test"};
}

Claim claim_for(const Arguments& arguments, const TwoStores& answer, const MatchedRuns& runs, const std::string& name,
                ScoreTest base) {
  const bool alone = answer.runs.size() == 1,
             paired = variance::find_comparison(name)->pairing == variance::Pairing::paired;
  const auto name_in = [&](const StoreSide& side, const std::string& variant) {
    return alone ? variant + " in " + side.name : side.name;
  };
  base.settings.resolution =
      arguments.has("resolution") ? base.settings.resolution : resolution_of(answer, runs.variant);
  const Slice slice = slice_for(runs, paired, name_in(answer.baseline, runs.variant.baseline),
                                name_in(answer.candidate, runs.variant.candidate));
  Claim out{.task = alone ? "" : runs.variant.label(),
            .test = test_slice(slice, 1, 0, name, std::move(base), failure_given(arguments))};
  if (out.test.outcome.reason == variance::InvalidReason::ties && equal_in_every_pair(runs))
    note_same_scores(out.test.outcome);
  if (paired) {
    if (const auto text = left_out_text(runs, answer); !text.empty()) out.test.warnings.push_back(text);
  } else if (runs.pairs > 0) {
    out.test.warnings.push_back(counted(static_cast<std::int64_t>(runs.pairs), "run") +
                                " of each store share their seeds, which this test does not use");
  }
  return out;
}

Claims claims_of(const Arguments& arguments, const TwoStores& answer) {
  const std::string name = test_for(arguments, answer.runs);
  const auto& row = *variance::find_comparison(name);
  ScoreTest base{.root = arguments.has("seed") ? *arguments.u64("seed")
                                               : results::parse_hex16(answer.candidate.study.seed).value_or(0)};
  base.settings.direction =
      answer.metric.direction == results::Direction::lower ? variance::Direction::lower : variance::Direction::higher;
  // Pairs with equal scores are what a store that comes out the same is expected to have.
  base.settings.tie_limit = std::nextafter(1.0, 0.0);
  base.unit = answer.metric.unit;
  take_options(arguments, base.settings);
  require_options_fit(arguments, row, base.settings);
  Claims out{.adjust = adjustment_of(arguments, row, answer.runs.size()), .task = "variant"};
  if (row.evidence == variance::Evidence::bound) base.settings.alpha /= static_cast<double>(answer.runs.size());
  for (const MatchedRuns& runs : answer.runs) out.claims.push_back(claim_for(arguments, answer, runs, name, base));
  adjust_claims(out);
  return out;
}

/// Where every pair is equal, the candidate is not worse.
Exit exit_of_stores(const TwoStores& answer, Requirement requirement) {
  Claims claims = answer.claims;
  for (std::size_t i = 0; i < claims.claims.size(); ++i)
    if (same_scores(answer, i) && requirement == Requirement::not_worse)
      claims.claims[i].status = variance::Status::equivalent;
  return exit_of_claims(claims, requirement);
}

/// Warnings about seeds and times of one variant. With --require, times of trials that ran side by side answer
/// nothing.
void warn_of_runs(const Arguments& arguments, TwoStores& answer, const StoreSide& side, const std::string& variant) {
  Comparison alone;
  alone.design.baseline = alone.design.candidate = variant;
  alone.side_by_side =
      side_by_side(side.store, side.trials, {alone.design.baseline, alone.design.candidate}, answer.metric);
  if (arguments.has("require")) refuse_side_by_side(side.study, alone);
  const auto finding = seed_finding(side.store, side.study, side.trials, variant, answer.metric);
  for (const auto& text : {alone.side_by_side, finding ? seed_sentence(*finding) : ""})
    if (!text.empty()) answer.warnings.push_back(side.name + ": " + text);
}

void add_warnings(const Arguments& arguments, TwoStores& answer) {
  answer.undeclared.emplace_back("this comparison of two stores was chosen after the runs: no design covers it");
  for (const auto* side : {&answer.baseline, &answer.candidate}) {
    const StoreSide& other = side == &answer.baseline ? answer.candidate : answer.baseline;
    const auto names = unmatched_variants(*side, other);
    if (!names.empty()) answer.warnings.push_back("only in " + side->name + ": " + results::joined(names));
  }
  for (const MatchedRuns& runs : answer.runs) {
    warn_of_runs(arguments, answer, answer.baseline, runs.variant.baseline);
    warn_of_runs(arguments, answer, answer.candidate, runs.variant.candidate);
  }
}

}  // namespace

bool same_scores(const TwoStores& answer, std::size_t i) {
  const auto& outcome = answer.claims.claims[i].test.outcome;
  return outcome.status == variance::Status::inconclusive && equal_in_every_pair(answer.runs[i]) &&
         variance::find_comparison(outcome.test)->pairing == variance::Pairing::paired;
}

Exit compare_two_stores(const Arguments& arguments) {
  refuse_options_of_one_store(arguments);
  const StoreSide baseline = read_store_side(arguments.positional[0], arguments.value("study"));
  const StoreSide candidate = read_store_side(arguments.positional[1], arguments.value("study"));
  demand_matching_studies(baseline, candidate);
  const auto metric = shared_metric(baseline, candidate,
                                    {.metric = arguments.value("metric"), .direction = direction_given(arguments)});
  TwoStores answer{.baseline = baseline, .candidate = candidate, .metric = metric.def};
  answer.undeclared = metric.undeclared;
  for (const auto& variant : matched_variants(arguments, baseline, candidate))
    answer.runs.push_back(matched_runs(variant, baseline, candidate, answer.metric));
  answer.claims = claims_of(arguments, answer);
  answer.same = same_identity(baseline, candidate, answer.runs);
  answer.differences = differences_of(baseline, candidate, answer.runs);
  add_warnings(arguments, answer);
  answer.recorded = record_in_both(arguments, answer);
  if (arguments.has("json"))
    print_json(stores_document(answer));
  else
    std::cout << stores_page(answer);
  return required(arguments, exit_of_stores(answer, requirement_from(arguments.value("require"))),
                  {.undeclared = answer.undeclared, .recorded = answer.recorded});
}

}  // namespace retrial::harness::inline across
