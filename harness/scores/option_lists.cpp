#include "harness/design_options.hpp"
#include "harness/scores/options.hpp"
#include "variance/design_family.hpp"
#include "variance/method_table.hpp"

namespace retrial::harness {
namespace {

std::vector<std::string> adjustment_names() {
  std::vector<std::string> names;
  for (const auto& row : variance::all_adjustments()) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> sequential_family_names() {
  std::vector<std::string> names;
  for (const auto& family : variance::all_design_families())
    if (family.sequential()) names.emplace_back(family.name);
  return names;
}

}  // namespace

std::vector<std::string> all_test_names() {
  std::vector<std::string> names;
  for (const auto& row : variance::all_comparisons()) names.emplace_back(row.name);
  for (const auto& row : variance::all_omnibus_tests()) names.emplace_back(row.name);
  return names;
}

std::vector<Option> test_options() {
  return {
      {.name = "higher", .meaning = "with --scores: higher scores are better"},
      {.name = "lower", .meaning = "with --scores: lower scores are better"},
      {.name = "bayes",
       .value_name = "MODEL",
       .meaning = "a Bayesian test: probabilities of worse, practically the same (--rope) and better",
       .choices = {"correlated_t", "sign", "signed_rank", "hierarchical"}},
      {.name = "aso", .meaning = "almost stochastic order, of pairs where there are pairs"},
      {.name = "alpha", .value_name = "A", .meaning = "of a test: chance of a false claim, 0 < A < 0.5 (default 0.05)"},
      {.name = "sides",
       .value_name = "WHICH",
       .meaning = "of a test: alpha for each of better and worse (one, the default), or for both together",
       .choices = {"one", "two"}},
      {.name = "beta",
       .value_name = "X",
       .meaning = "of pab_exact: rate of NOT MEANINGFUL said at gamma (default 0.05)"},
      {.name = "gamma", .value_name = "G", .meaning = "of pab_exact: smallest share of pairs won that matters"},
      {.name = "margin", .value_name = "M", .meaning = "difference that does not matter, in the unit of the scores"},
      {.name = "resolution", .value_name = "R", .meaning = "smallest step of the scores: within half of it they tie"},
      {.name = "interval",
       .value_name = "METHOD",
       .meaning = "of tests that count pairs: interval of the share won (default clopper_pearson)",
       .choices = {"clopper_pearson", "mid_p", "wilson", "percentile"}},
      {.name = "overlap", .value_name = "R", .meaning = "of corrected_t: test rows over train rows of the splits"},
      {.name = "rope", .value_name = "W", .meaning = "of Bayesian tests: half width of practical equivalence"},
      {.name = "rho", .value_name = "R", .meaning = "of bayes_t: correlation of runs that share training rows"},
      {.name = "tau", .value_name = "T", .meaning = "of aso: dominance is claimed below it (default 0.2)"},
      {.name = "reps", .value_name = "K", .meaning = "draws of tests and intervals that draw (default 10000, 50000)"},
      {.name = "seed", .value_name = "N", .meaning = "root seed of the draws (default: drawn and printed)"},
  };
}

std::vector<Option> score_options() {
  return {
      {.name = "family",
       .value_name = "NAME",
       .meaning = "with --scores: judge by a design that stops on the way (retrial list designs), pair by pair",
       .choices = sequential_family_names()},
      {.name = "n-max",
       .value_name = "N",
       .meaning = "of --family: most pairs that were declared (default: those there)"},
      {.name = "band",
       .value_name = "LOW,HIGH",
       .meaning = "of --family dual_e: shares of pairs won that count as equal"},
      design_option(design_field("range")),
      design_option(design_field("spending")),
      {.name = "adjust",
       .value_name = "HOW",
       .meaning =
           "correction for several claims: of a store, every variant against the baseline; with --scores over tasks "
           "or candidates (default holm)",
       .choices = adjustment_names()},
      {.name = "aggregate",
       .value_name = "WHAT",
       .meaning = "with --scores: one number over all tasks, and the interval of the difference",
       .choices = {"mean", "median", "iqm", "gap", "poi", "profile"}},
      {.name = "task-bootstrap", .meaning = "of --aggregate: resample tasks too, for a claim about further tasks"},
      {.name = "method",
       .value_name = "METHOD",
       .meaning = "of --aggregate: kind of bootstrap interval (default percentile)",
       .choices = {"percentile", "basic", "bca"}},
      {.name = "target", .value_name = "G", .meaning = "of --aggregate gap: score at which nothing is missing (1)"},
      {.name = "task", .value_name = "NAME", .meaning = "with --scores: this task only"},
      {.name = "within",
       .value_name = "WHAT",
       .meaning = "with --scores: what the scores of one cluster become, one observation (default mean)",
       .choices = {"mean", "median"}},
      {.name = "failure",
       .value_name = "POLICY",
       .meaning = "with --scores: a run without a score loses (default), is left out, or makes the verdict INVALID",
       .choices = {"loss", "drop", "refuse"}},
  };
}

}  // namespace retrial::harness
