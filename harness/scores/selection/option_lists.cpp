#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/study/options/design_options.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/groups/groups.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::harness::inline scores::inline selection {
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
  for (const auto& row : variance::all_group_tests()) names.emplace_back(row.name);
  return names;
}

std::vector<Renamed> test_names_elsewhere() {
  const std::string t = "paired_t, or --test welch for unpaired runs";
  std::vector<Renamed> names;
  for (const auto* name : {"t", "t_test", "ttest", "t.test"}) names.push_back({name, t});
  const std::vector<Renamed> others{{"ttest_rel", "paired_t"},
                                    {"ttest_ind", "welch"},
                                    {"welch_t", "welch"},
                                    {"u_test", "mann_whitney"},
                                    {"mannwhitneyu", "mann_whitney"},
                                    {"rank_sum", "mann_whitney"},
                                    {"ranksums", "mann_whitney"},
                                    {"levene", "brown_forsythe"},
                                    {"f_test", "variance_ratio"},
                                    {"var_test", "variance_ratio"},
                                    {"trimmed_t", "yuen_paired, or --test yuen for unpaired runs"},
                                    {"signed_rank", "wilcoxon"},
                                    {"binomial", "sign"},
                                    {"binomtest", "sign"},
                                    {"permutation_test", "paired_permutation, or --test permutation for unpaired runs"},
                                    {"anova", "welch_anova"},
                                    {"f_oneway", "welch_anova"},
                                    {"games_howell", "welch_anova, whose pairs are those of Games and Howell"},
                                    {"kruskal", "kruskal_wallis"},
                                    {"dunn", "kruskal_wallis, whose pairs are those of Dunn"},
                                    {"tukey_hsd", "tukey"},
                                    {"friedmanchisquare", "friedman"},
                                    {"cochrans_q", "cochran_q"}};
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

std::vector<Option> test_options() {
  return {
      {.name = "higher",
       .meaning = "higher scores are better: with --scores, and for a stored metric without a direction"},
      {.name = "lower",
       .meaning = "lower scores are better: with --scores, and for a stored metric without a direction"},
      {.name = "bayes",
       .value_name = "MODEL",
       .meaning = "a Bayesian test: probabilities of worse, practically the same (--rope) and better",
       .choices = {"correlated_t", "sign", "signed_rank", "hierarchical"}},
      {.name = "aso", .meaning = "almost stochastic order; of pairs, if the runs are paired"},
      {.name = "alpha", .value_name = "A", .meaning = "significance level of a test, 0 < A < 0.5 (default 0.05)"},
      {.name = "sides",
       .value_name = "WHICH",
       .meaning = "whether alpha applies to better and worse separately (one, the default) or to both together (two)",
       .choices = {"one", "two"}},
      {.name = "beta",
       .value_name = "X",
       .meaning = "pab_exact only: rate of a false NOT MEANINGFUL if the win rate is gamma (default 0.05)"},
      {.name = "gamma", .value_name = "G", .meaning = "pab_exact only: smallest win rate that matters"},
      {.name = "margin", .value_name = "M", .meaning = "difference that does not matter, in the unit of the scores"},
      {.name = "resolution", .value_name = "R", .meaning = "smallest step of the scores: scores within half of it tie"},
      {.name = "interval",
       .value_name = "METHOD",
       .meaning = "tests that count pairs only: interval for the win rate (default clopper_pearson)",
       .choices = {"clopper_pearson", "mid_p", "wilson", "percentile"}},
      {.name = "overlap",
       .value_name = "R",
       .meaning = "corrected_t only: number of test rows over number of training rows of the splits"},
      {.name = "rope",
       .value_name = "W",
       .meaning = "Bayesian tests only: half width of the region of practical equivalence"},
      {.name = "rho", .value_name = "R", .meaning = "bayes_t only: correlation of runs that share training rows"},
      {.name = "tau", .value_name = "T", .meaning = "aso only: dominance is claimed below this value (default 0.2)"},
      {.name = "reps",
       .value_name = "K",
       .meaning = "number of random draws of permutation tests and bootstrap intervals (default 10000, 50000)"},
      {.name = "seed", .value_name = "N", .meaning = "root seed of the draws (default: drawn and printed)"},
  };
}

std::vector<Option> score_file_options() {
  return {{.name = "columns",
           .value_name = "ROLE=NAME,...",
           .meaning = "columns of a CSV file by role: variant, pair, cluster, task, metric, score"},
          {.name = "format",
           .value_name = "FORMAT",
           .meaning = "format of all files (default: detected per file from its contents)",
           .choices = score_format_names()}};
}

std::vector<Option> score_options() {
  std::vector<Option> options = score_file_options();
  const std::vector<Option> others{
      {.name = "family",
       .value_name = "NAME",
       .meaning = "with --scores: apply a sequential design (retrial list designs), pair by pair",
       .choices = sequential_family_names()},
      {.name = "n-max",
       .value_name = "N",
       .meaning = "--family only: declared maximum number of pairs (default: the number in the file)"},
      {.name = "band", .value_name = "LOW,HIGH", .meaning = "--family dual_e only: win rates that count as equal"},
      design_option(design_field("range")),
      design_option(design_field("spending")),
      {.name = "adjust",
       .value_name = "HOW",
       .meaning = "correction for several claims: with a store, each variant against the baseline; with --scores, over "
                  "tasks or candidates (default holm)",
       .choices = adjustment_names()},
      {.name = "aggregate",
       .value_name = "WHAT",
       .meaning = "with --scores: one number over all tasks, and an interval for the difference",
       .choices = {"mean", "median", "iqm", "gap", "poi", "profile"}},
      {.name = "task-bootstrap", .meaning = "--aggregate only: resample tasks too, for a claim about new tasks"},
      {.name = "method",
       .value_name = "METHOD",
       .meaning = "--aggregate only: type of bootstrap interval (default percentile)",
       .choices = {"percentile", "basic", "bca"}},
      {.name = "target", .value_name = "G", .meaning = "--aggregate gap only: target score (default 1)"},
      {.name = "task", .value_name = "NAME", .meaning = "with --scores: this task only"},
      {.name = "within",
       .value_name = "WHAT",
       .meaning = "with --scores: how the scores of one cluster become one observation (default mean)",
       .choices = {"mean", "median"}},
      {.name = "same-scale",
       .meaning = "with --scores: all scores are in one unit, although one variant looks like shares and another like "
                  "percent"},
      {.name = "failure",
       .value_name = "POLICY",
       .meaning = "with --scores: a run without a score counts as a loss (loss, the default), is left out (drop), or "
                  "makes the verdict INVALID (refuse)",
       .choices = {"loss", "drop", "refuse"}},
  };
  options.insert(options.end(), others.begin(), others.end());
  return options;
}

}  // namespace retrial::harness::inline scores::inline selection
