#include "harness/scores/compare_table.hpp"

#include <algorithm>
#include <iostream>
#include <numeric>

#include "harness/scores/compare_scores.hpp"
#include "harness/scores/family.hpp"
#include "harness/scores/many_tests.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/scores/selection/slice.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/groups/groups.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline scores {
namespace {

using variance::Adjustment;
using variance::Evidence;

[[noreturn]] void refuse_table(const std::string& field, const std::string& value, const std::string& problem,
                               const std::vector<std::string>& allowed = {}, const std::string& help = "") {
  throw Error({.code = "compare.scores",
               .field = field,
               .value = results::one_line(value, 100),
               .problem = problem,
               .allowed = results::joined(allowed),
               .help = help});
}

std::string chosen_metric(const Arguments& arguments, const ScoreTable& table) {
  const auto names = table.metric_names();
  const auto given = arguments.value("metric");
  if (given && std::ranges::find(names, *given) == names.end())
    refuse_table("--metric", *given, "no such metric in " + table.name, names);
  if (!given && names.size() > 1)
    refuse_table("--metric", "", "must be given: the scores have " + std::to_string(names.size()) + " metrics", names);
  return given.value_or(names.front());
}

std::vector<Slice> chosen_slices(const Arguments& arguments, const ScoreTable& table, const TableChoice& choice) {
  const Within within = arguments.value("within") == "median" ? Within::median : Within::mean;
  const auto task = arguments.value("task");
  if (!task) return slices_of(table, choice.metric, within);
  Slice slice = slice_of(table, choice.metric, *task, within);
  if (slice.names.empty()) refuse_table("--task", *task, "no such task in " + table.name, table.tasks());
  return {std::move(slice)};
}

/// With one slice, the rows are its pairs; with several, the task means.
TableTest method_table(const std::vector<Slice>& slices, const ScoreTable& table, const TableChoice& choice) {
  TableTest test{.direction = choice.direction, .notes = table.notes};
  test.table.methods = slices.front().names;
  for (const Slice& slice : slices) {
    if (slice.names != test.table.methods)
      refuse_table("task", slice.task, "has different variants from task " + slices.front().task, slice.names,
                   "--test skillings_mack ranks the methods that each task has");
    for (std::size_t v = 0; v < slice.names.size(); ++v)
      if (slice.missing(v) > 0)
        refuse_table("variant", slice.names[v], "lacks a score in some run, and ranks of all methods need every score",
                     {},
                     "--test skillings_mack ranks the methods that each row has, and a test of two variants counts a "
                     "failed run as a loss");
  }
  if (slices.size() == 1) {
    slices.front().require_all_equal();
    if (!slices.front().paired)
      refuse_table("--test", "", "ranks of several methods need pairs or several tasks", {},
                   "for independent runs: --test kruskal_wallis or --test welch_anova");
    for (std::size_t i = 0; i < slices.front().scores.front().size(); ++i) {
      test.table.rows.emplace_back();
      for (const auto& scores : slices.front().scores) test.table.rows.back().push_back(*scores[i]);
    }
    return test;
  }
  for (const Slice& slice : slices) {
    test.table.rows.emplace_back();
    for (const auto& scores : slice.scores) {
      std::vector<double> values;
      for (const auto& score : scores) values.push_back(*score);
      std::sort(values.begin(), values.end());
      test.table.rows.back().push_back(*variance::mean(values));
    }
  }
  test.notes.push_back("the score of a method on a task is the mean of its runs");
  return test;
}

struct Contrast {
  std::string candidate, baseline;
};

/// The variants to compare: two, or each other one with the baseline; for Shaffer every pair.
std::vector<Contrast> contrasts_of(const Arguments& arguments, const ScoreTable& table) {
  const ScoreNames names{table.name, table.variants()};
  if (names.names.size() < 2)
    refuse_table(
        "variant", names.names.empty() ? "" : names.names.front(),
        "is the only variant, so there is nothing to compare it with", {},
        "give a second file, for example --scores old=a.json --scores new=b.json, or a file with two variants");
  const auto how = adjustment_given(arguments);
  if (!how || names.names.size() == 2 || arguments.has("candidate")) {
    const Sides sides = sides_of(names, arguments);
    return {{names.names[sides.candidate], names.names[sides.baseline]}};
  }
  std::vector<Contrast> contrasts;
  if (*how == Adjustment::shaffer) {
    for (std::size_t i = 0; i < names.names.size(); ++i)
      for (std::size_t j = i + 1; j < names.names.size(); ++j) contrasts.push_back({names.names[j], names.names[i]});
    return contrasts;
  }
  const std::size_t baseline =
      arguments.has("baseline") ? place_of_variant(names, "--baseline", *arguments.value("baseline")) : 0;
  for (std::size_t v = 0; v < names.names.size(); ++v)
    if (v != baseline) contrasts.push_back({names.names[v], names.names[baseline]});
  return contrasts;
}

std::size_t place_in(const Slice& slice, const std::string& variant) {
  const auto found = std::ranges::find(slice.names, variant);
  if (found == slice.names.end()) refuse_table("variant", variant, "has no score for task " + slice.task, slice.names);
  return static_cast<std::size_t>(found - slice.names.begin());
}

std::string test_name(const Arguments& arguments, const std::vector<Slice>& slices, std::size_t variants) {
  const bool paired = std::ranges::all_of(slices, &Slice::paired);
  if (const auto given = test_given(arguments, paired)) return *given;
  const bool two_named = arguments.has("baseline") && arguments.has("candidate");
  const bool ranks = variants > 2 && !two_named && !arguments.has("adjust") && (slices.size() > 1 || paired);
  return ranks ? "iman_davenport" : paired ? "pab_exact" : "brunner_munzel";
}

}  // namespace

Exit worse_of(Exit a, Exit b) {
  const auto severity = [](Exit e) {
    return e == Exit::ok ? 0 : e == Exit::inconclusive ? 1 : e == Exit::different ? 2 : 3;
  };
  return severity(b) > severity(a) ? b : a;
}

Exit exit_of_claims(const Claims& all, Requirement requirement) {
  Exit exit = Exit::ok;
  for (const Claim& claim : all.claims)
    exit = worse_of(exit, exit_for(claim.status, claim.test.outcome.reason, requirement));
  return exit;
}

Adjustment adjustment_of(const Arguments& arguments, const variance::ComparisonTest& row, std::size_t claims) {
  const auto given = adjustment_given(arguments);
  if (claims < 2) return Adjustment::none;
  if (row.evidence == Evidence::bound) {
    if (given && *given != Adjustment::bonferroni)
      refuse_table("--adjust", std::string(name_of(*given)),
                   "needs p values, but " + std::string(row.name) + " gives a bound", {"bonferroni"});
    return Adjustment::bonferroni;
  }
  if (row.evidence == Evidence::posterior) {
    if (given) refuse_table("--adjust", std::string(name_of(*given)), "needs p values, but a posterior has none");
    return Adjustment::none;
  }
  return given.value_or(Adjustment::holm);
}

namespace {

std::uint64_t root_of(const Arguments& arguments, const TableStart& start) {
  if (arguments.has("seed")) return *arguments.u64("seed");
  return start.root ? *start.root : draw_root_seed();
}

Exit compare_claims(const Arguments& arguments, const ScoreTable& table, const TableStart& start,
                    const TableChoice& choice, const std::vector<Slice>& slices, const std::string& name) {
  const auto& row = *variance::find_comparison(name);
  const auto contrasts = contrasts_of(arguments, table);
  ScoreTest base{.settings = start.settings, .root = root_of(arguments, start)};
  base.drawn_root = !arguments.has("seed") && !start.root;
  base.settings.direction = choice.direction;
  if (const auto facts = table.metrics.find(choice.metric); facts != table.metrics.end())
    base.unit = facts->second.unit;
  take_options(arguments, base.settings);
  require_options_fit(arguments, row, base.settings);
  Claims all{.adjust = adjustment_of(arguments, row, slices.size() * contrasts.size()), .notes = table.notes};
  if (all.adjust == Adjustment::shaffer && slices.size() > 1)
    refuse_table("--adjust", "shaffer", "applies to all pairs of variants on one task", {}, "choose one with --task");
  const variance::TestSettings of_family = base.settings;
  if (row.evidence == Evidence::bound) base.settings.alpha /= static_cast<double>(slices.size() * contrasts.size());
  const auto policy = start.failure ? policy_for(row, *start.failure) : failure_given(arguments);
  for (const Slice& slice : slices)
    for (const Contrast& contrast : contrasts)
      all.claims.push_back({.task = slice.task,
                            .test = test_slice(slice, place_in(slice, contrast.candidate),
                                               place_in(slice, contrast.baseline), name, base, policy)});
  all.standing = start.standing ? start.standing(of_family) : Standing{.on_trust = true};
  const auto remarks = remarks_on(all.standing);
  all.notes.insert(all.notes.end(), remarks.begin(), remarks.end());
  if (all.claims.size() == 1) {
    all.claims.front().test.standing = all.standing;
    auto& warnings = all.claims.front().test.warnings;
    warnings.insert(warnings.end(), remarks.begin(), remarks.end());
    auto& notes = all.claims.front().test.outcome.notes;
    notes.insert(notes.begin(), table.notes.begin(), table.notes.end());
    return report_test(arguments, all.claims.front().test);
  }
  adjust_claims(all);
  print_part(claims_part(all), arguments.has("json"));
  return required(arguments, exit_of_claims(all, requirement_from(arguments.value("require"))), all.standing);
}

}  // namespace

TableChoice table_choice(const Arguments& arguments, const ScoreTable& table) {
  TableChoice choice{.metric = chosen_metric(arguments, table)};
  const auto facts = table.metrics.find(choice.metric);
  choice.direction =
      direction_of(arguments, facts == table.metrics.end() ? variance::Direction::none : facts->second.direction);
  return choice;
}

namespace {

/// Remarks on scores left out, and on facts taken on trust.
void add_remarks(ScoreTable& table, const std::vector<Slice>& slices, const TableStart& start) {
  const std::string& task = slices.front().task;  // empty: the tasks are the rows of one table
  if (const auto left = std::ssize(table.tasks()) - std::ssize(slices); left > 0 && !task.empty())
    table.notes.push_back("task " + task + " is one of " + std::to_string(left + 1) + ": --task left out the " +
                          (left == 1 ? "other" : "others"));
  if (!start.standing)
    table.notes.emplace_back("taken on trust: that the rows, the test and its levels were chosen before the runs");
}

/// Every two of them are tested: 2,000 columns took 40 s and 4 GB.
void demand_few(const ScoreTable& table) {
  constexpr std::size_t most = 256;
  const auto count = table.variants().size();
  if (count <= most) return;
  throw Error({.code = "scores.variants",
               .where = table.name,
               .problem = "holds " + std::to_string(count) + " variants, at most " + std::to_string(most) +
                          " are tested against each other",
               .help = "name two with --baseline and --candidate"});
}

Exit compare_many(const Arguments& arguments, const ScoreTable& table, const TableStart& start,
                  const TableChoice& choice, const std::vector<Slice>& slices, const std::string& name) {
  if (variance::find_group_test(name) != nullptr)
    return compare_independent(arguments, table, start, choice, slices, name);
  if (variance::find_omnibus(name)->holes) return compare_with_holes(arguments, table, start, choice, slices, name);
  TableTest test = method_table(slices, table, choice);
  test.alpha = start.settings.alpha;
  return run_omnibus(arguments, std::move(test), start, name);
}

}  // namespace

Exit compare_table(const Arguments& arguments, const ScoreTable& table, const TableStart& start) {
  const TableChoice choice = table_choice(arguments, table);
  if (!start.standing && !arguments.has("same-scale")) require_one_scale(table, choice.metric);
  if (arguments.has("family") && (arguments.has("aggregate") || arguments.value("bayes") == "hierarchical"))
    refuse_table("--family", *arguments.value("family"), "applies only to a comparison of two variants on one task");
  if (arguments.has("aggregate")) return compare_aggregates(arguments, table, choice);
  refuse_options_of_aggregates(arguments);
  if (arguments.value("bayes") == "hierarchical") return compare_hierarchical(arguments, table, choice);
  const auto slices = chosen_slices(arguments, table, choice);
  if (arguments.has("family")) return compare_sequential(arguments, table, choice, slices);
  const std::string name = test_name(arguments, slices, table.variants().size());
  ScoreTable noted = table;
  add_remarks(noted, slices, start);
  if (tests_many(name)) demand_few(table);
  if (tests_many(name)) return compare_many(arguments, noted, start, choice, slices, name);
  return compare_claims(arguments, noted, start, choice, slices, name);
}

}  // namespace retrial::harness::inline scores
