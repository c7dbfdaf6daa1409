#include "harness/scores/compare_scores.hpp"

#include <algorithm>
#include <cmath>

#include "harness/judge/design/study_looks.hpp"
#include "harness/scores/compare_table.hpp"
#include "harness/scores/many_tests.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/study/declared/design_table.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/verdict/decided_scores.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline scores {
namespace {

void add_rows(ScoreTable& table, const std::string& variant, const Comparison& comparison,
              const std::vector<std::optional<double>>& scores) {
  std::int64_t diverged = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool finite = scores[i] && std::isfinite(*scores[i]);
    diverged += scores[i] && !finite ? 1 : 0;
    table.add({.variant = table.called(variant),
               .pair = static_cast<std::int64_t>(i),
               .metric = table.called(comparison.metric.name),
               .score = finite ? scores[i] : std::nullopt});
  }
  if (diverged > 0)
    table.notes.push_back(counted(diverged, "trial") + " of " + variant + " diverged; counted as failed");
}

struct Family {
  ScoreTable table;
  std::vector<Comparison> comparisons;  ///< one for each candidate
};

/// The baseline first, then the others in the order of the study, or only the one named by --candidate.
/// The tests of a family read one list of scores per variant, in which a bound has one value for all pairs.
void demand_comparable_bounds(const StudyView& study, const Comparison& comparison) {
  if (!variance::levels_bounds(comparison.scores)) return;
  throw Error({.exit = Exit::incomparable,
               .code = "compare.bounds",
               .where = "study " + study.name,
               .field = "--metric",
               .value = comparison.metric.name,
               .problem = "scores of " + comparison.design.candidate + " and " + comparison.design.baseline +
                          " are bounds at different values, whose differences are unknown",
               .help = "leave out --test and --adjust: the declared rule counts such a pair as a tie"});
}

Family family_of(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
                 const Comparison& declared, const Arguments& arguments) {
  Family out{.table = {.name = store.path().string(), .rows = {}, .metrics = {}, .notes = {}}, .comparisons = {}};
  const std::string& baseline = declared.design.baseline;
  for (const auto& variant : judged_variants(study)) {
    const bool selected = !arguments.has("candidate") || variant.name == declared.design.candidate;
    if (variant.name == baseline || !selected) continue;
    auto comparison = read_comparison(store, study, trials,
                                      {.metric = arguments.value("metric"),
                                       .baseline = baseline,
                                       .candidate = variant.name,
                                       .direction = direction_given(arguments)});
    demand_valid(study, comparison);
    demand_comparable_bounds(study, comparison);
    if (arguments.has("require")) refuse_side_by_side(study, comparison);
    auto& notes = out.table.notes;
    if (!comparison.side_by_side.empty()) notes.push_back(variant.name + ": " + comparison.side_by_side);
    if (auto text = unequal_failures(variance::judge(comparison.scores, comparison.design)); !text.empty())
      notes.push_back(std::move(text));
    if (out.table.rows.empty()) add_rows(out.table, baseline, comparison, comparison.scores.baseline);
    add_rows(out.table, variant.name, comparison, comparison.scores.candidate);
    out.comparisons.push_back(std::move(comparison));
  }
  out.table.metrics[declared.metric.name] = {.direction = declared.scores.direction, .unit = declared.metric.unit};
  return out;
}

/// A correction changes neither the levels nor the failure policy that were declared.
void demand_declared_levels(const Arguments& arguments, const StudyView& study) {
  if (!study.design) return;
  for (const char* name : {"alpha", "sides", "failure"}) {
    const std::string declared = field_text(design_field(name).get(*study.design));
    const auto given = arguments.value(name);
    const bool same = name == std::string("alpha") ? arguments.number(name, {0, 0.5, true, true}) == study.design->alpha
                                                   : given == declared;
    if (given && !same)
      throw Error({.code = "usage.option_value",
                   .field = "--" + std::string(name),
                   .value = results::one_line(*given, 100),
                   .problem = "contradicts the design that study " + study.name + " declared before its first run",
                   .allowed = declared,
                   .help = "leave it out; a new study may declare another one"});
  }
}

/// Each candidate against the baseline is a look at a question; together they are one family.
Standing standing_of(const Arguments& arguments, const std::vector<Comparison>& comparisons,
                     const variance::TestSettings& settings, const RecordLooks& record) {
  const auto test = arguments.value("test");
  const bool many = test && tests_many(*test);
  const std::string by = many ? "test " + *test : "--adjust " + arguments.value("adjust").value_or("holm");
  Standing out{.undeclared = {many ? by + " was chosen after the runs: a design declares tests of two variants only"
                                   : "the family of claims, by " + by + ", was chosen after the runs"}};
  std::vector<Look> looks;
  std::optional<Sequence> longest;
  for (const auto& comparison : comparisons) {
    looks.push_back(look_by(comparison, by, rule_given(arguments), rate_of(settings.alpha, settings.sides)));
    const auto sequence = sequence_of(comparison.looks, looks.back());
    if (!longest || sequence.rate > longest->rate) longest = sequence;
  }
  if (longest && !longest->before.empty()) out.undeclared.push_back(sequence_text(*longest));
  out.recorded = record(looks);
  return out;
}

}  // namespace

Exit compare_stored_family(const Arguments& arguments, const results::Store& store, const StudyView& study,
                           const std::vector<PlannedTrial>& trials, const RecordLooks& record) {
  demand_declared_levels(arguments, study);
  const auto declared = read_comparison(store, study, trials,
                                        {.metric = arguments.value("metric"),
                                         .baseline = arguments.value("baseline"),
                                         .candidate = arguments.value("candidate"),
                                         .direction = direction_given(arguments)});
  const Family family = family_of(store, study, trials, declared, arguments);
  return compare_table(arguments, family.table,
                       {.root = results::parse_hex16(study.seed),
                        .settings = declared_settings(declared),
                        .failure = declared.design.failure,
                        .standing = [&](const variance::TestSettings& settings) {
                          return standing_of(arguments, family.comparisons, settings, record);
                        }});
}

}  // namespace retrial::harness::inline scores
