// Every rule of the tables of tests on fixed scores, as text with ten digits: what a report would print. Compared with
// tests/golden/comparisons/rules.txt by the tests of every preset and by a program that another compiler builds at
// another level. The file is of our own making: what the numbers should be is tested elsewhere, here only that they
// never move.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "tests/variance/comparisons/rule_report_parts.hpp"
#include "tests/variance/sequential/sequential_reports.hpp"
#include "variance/audit/error_rates.hpp"
#include "variance/bootstrap/aggregate.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/groups/groups.hpp"
#include "variance/many/hierarchical.hpp"
#include "variance/numbers/number_text.hpp"
#include "variance/tables/method_table.hpp"
#include "variance/tables/table_with_holes.hpp"

namespace rules {

using namespace retrial::variance;

struct Scores {
  std::string name;
  std::vector<double> candidate, baseline;
};

inline std::vector<Scores> scores_for(const ComparisonTest& test) {
  const auto bits = [](std::vector<double> values) {
    for (double& x : values) x = x > 0.0 ? 1.0 : 0.0;
    return values;
  };
  if (test.scores == ScoreKind::bits) return {{"items", bits(normals(1, 60, .4, 0)), bits(normals(2, 60, 0, 0))}};
  if (test.scores == ScoreKind::five_by_two) return {{"folds", normals(1, 10, .5, 0), normals(2, 10, 0, 0)}};
  return {{"few", normals(1, 7, .6, 0), normals(2, 7, 0, 0)},
          {"many", normals(3, 40, .3, 0), normals(4, 40, 0, 0)},
          {"decimals", normals(5, 15, .3, .25), normals(6, 15, 0, .25)},
          {"apart", normals(7, 12, 9, 0), normals(8, 12, 0, 0)}};
}

inline std::string of_outcome(const TestOutcome& o) {
  std::string line = std::string(name_of(o.status, o.about)) + " " + text_of(o.statistic) + " " + text_of(o.df) + " " +
                     text_of(o.p) + " " + text_of(o.p_better) + " " + text_of(o.p_worse) + " " + text_of(o.estimate) +
                     "; " + o.method;
  if (o.posterior) line += "; " + text_of(*o.posterior);
  for (const auto& [name, value] : o.details) line += "; " + name + " " + text_of(value);
  for (const auto& [name, estimate] : o.further) line += "; " + name + " " + text_of(estimate);
  return line + "\n";
}

inline std::string of_comparisons() {
  std::string text;
  for (const auto& test : all_comparisons())
    for (const Scores& scores : scores_for(test))
      for (const Direction direction : {Direction::higher, Direction::lower}) {
        const TestSettings settings{.direction = direction,
                                    .gamma = .75,
                                    .margin = 1.5,
                                    .overlap = .1,
                                    .rope = .1,
                                    .resamples = 1'000,
                                    .key = derive(17, "draws")};
        text += std::string(test.name) + " " + scores.name + (direction == Direction::lower ? " lower " : " higher ") +
                of_outcome(compare(test.name, scores.candidate, scores.baseline, settings));
      }
  return text;
}

inline std::string of_method_tables() {
  std::string text;
  for (const double step : {0.0, 0.5}) {
    MethodTable table{.methods = {"a", "b", "c", "d"}, .rows = {}};
    for (std::uint64_t set = 0; set < 11; ++set) table.rows.push_back(normals(100 + set, 4, 0, step));
    for (const auto& test : all_omnibus_tests()) {
      if (test.bits) continue;
      const TestResult r = test.run(table);
      text += std::string(test.name) + " " + text_of(step) + " " + text_of(r.statistic) + " " + text_of(r.df) + " " +
              text_of(r.p_two) + "\n";
    }
    for (const auto& how : all_adjustments()) {
      text += std::string(how.name);
      for (const auto& pair : method_pairs(table, how.adjustment))
        text += " " + text_of(pair.p_ranks_adjusted) + " " + text_of(pair.p_wilcoxon_adjusted);
      text += "\n";
    }
  }
  return text;
}

/// Tests of many variants on other data: items, holes, independent groups.
inline std::string of_many_variants() {
  MethodTable items{.methods = {"a", "b", "c"}, .rows = {}};
  TableWithHoles holes{.methods = items.methods, .rows = {}};
  for (std::uint64_t row = 0; row < 12; ++row) {
    const auto x = normals(500 + row, 3, .4, 0);
    items.rows.push_back({x[0] > 0.0 ? 1.0 : 0.0, x[1] > .4 ? 1.0 : 0.0, x[2] > .8 ? 1.0 : 0.0});
    holes.rows.emplace_back(x.begin(), x.end());
    if (row % 4 == 1) holes.rows.back()[row % 3].reset();
  }
  std::string text;
  for (const auto& [name, test, pairs] :
       {std::tuple{"cochran_q", cochran_q(items), item_pairs(items)},
        std::tuple{"skillings_mack", skillings_mack(holes), pairs_with_holes(holes)}}) {
    text += std::string(name) + " " + text_of(test.statistic) + " " + text_of(test.df) + " " + text_of(test.p_two);
    for (const auto& pair : pairs) text += "; " + text_of(pair.p) + " " + text_of(pair.p_adjusted);
    text += "\n";
  }
  const std::vector<std::vector<double>> groups{normals(600, 6, 0, .25), normals(601, 9, 1, .25),
                                                normals(602, 7, .5, .25)};
  for (const auto& test : all_group_tests()) {
    const GroupResult found = compare_groups(test.name, groups);
    text += std::string(test.name);
    if (found.omnibus)
      text += " " + text_of(found.omnibus->statistic) + " " + text_of(found.omnibus->df_within) + " " +
              text_of(found.omnibus->p_two);
    // Six digits: the quadrature behind most of these promises ten after the point.
    for (const auto& pair : found.pairs)
      text += "; " + text_of(pair.difference.point) + " " + significant(pair.p_adjusted, 6);
    text += "\n";
  }
  return text;
}

inline TaskScores tasks(std::uint64_t key, std::size_t count, double shift) {
  TaskScores scores;
  for (std::size_t m = 0; m < count; ++m)
    scores.tasks.push_back(normals(key + m, 4 + m % 2, shift + static_cast<double>(m), 0));
  return scores;
}

inline std::string of_aggregates() {
  std::string text;
  for (const std::size_t count : {std::size_t{2}, std::size_t{7}}) {
    const TaskScores x = tasks(200, count, .3), y = tasks(300, count, 0);
    for (const auto method : {BootstrapMethod::percentile, BootstrapMethod::basic, BootstrapMethod::bca})
      for (const int which : {0, 1, 2}) {
        if (method == BootstrapMethod::bca && which == 2) continue;
        const AggregateOptions options{.resamples = 1'001,
                                       .key = derive(17, "bootstrap"),
                                       .method = method,
                                       .resample_tasks = which == 2,
                                       .paired = which == 1};
        for (const auto& row : all_aggregates())
          text += std::string(row.name) + " " + text_of(aggregate_interval(x, row.aggregate, options)) + "; " +
                  text_of(aggregate_difference(x, y, row.aggregate, options)) + "\n";
        text += "poi " + text_of(improvement_interval(x, y, options)) + "\n";
      }
    const std::vector<double> taus{0.0, 1.0, 2.5};
    for (const Estimate& share : profile_intervals(x, taus, {.resamples = 1'001, .key = 5}))
      text += "profile " + text_of(share) + "\n";
  }
  return text;
}

inline std::string of_models() {
  std::vector<std::vector<double>> differences;
  for (std::uint64_t set = 0; set < 5; ++set)
    differences.push_back(normals(400 + set, 6, .5 + .2 * static_cast<double>(set), 0));
  const auto h = hierarchical(differences, {.rope = .1, .key = 3, .chains = 2, .warm_up = 100, .kept = 100});
  std::string text = "hierarchical " + text_of(h.next) + " " + text_of(h.mean) + " " + text_of(h.delta) + " " +
                     text_of(h.sigma) + " " + text_of(h.nu) + "\n";
  const auto study = published_error_tasks();
  const std::vector<double> points{.5, .75};
  for (const auto& task : simulate_error_rates(study, points, {.simulations = 200, .key = 9}))
    for (const auto& point : task) {
      text += "error rates";
      for (const double rate : point.ideal) text += " " + text_of(rate);
      for (const double rate : point.biased) text += " " + text_of(rate);
      text += "\n";
    }
  return text;
}

inline std::string report() {
  return of_comparisons() + of_method_tables() + of_many_variants() + of_aggregates() + of_models() +
         of_sequential_rules() + of_designs();
}

}  // namespace rules
