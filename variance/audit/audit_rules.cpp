#include <algorithm>
#include <array>

#include "variance/audit/audit_judges.hpp"
#include "variance/audit/error_rates.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::variance::inline audit {
namespace {

using Reference = std::optional<AuditReference>;
constexpr auto valid = AuditLabel::valid;
constexpr auto exhibit = AuditLabel::exhibit;

bool plain(const AuditCell& c) {
  return c.spread == 1.0 && c.correlation == 0.0 && c.cluster_sd == 0.0;
}

/// A pair is won with probability 1/2. Correlated skewed scores of unequal spread are the exception: the candidate was
/// moved for independent scores.
bool even_pairs(const AuditCell& c) {
  return c.cluster_sd == 0.0 && (c.spread == 1.0 || c.correlation == 0.0 || row_of(c.model).symmetric);
}
bool symmetric_differences(const AuditCell& c) {
  return c.cluster_sd == 0.0 && (c.spread == 1.0 || row_of(c.model).symmetric);
}
/// For tests that ignore pairs, a correlation within pairs makes them conservative.
bool equal_laws(const AuditCell& c) {
  return c.spread == 1.0 && c.cluster_sd == 0.0;
}
/// Studentized: unequal spreads matter little, and not at all from 20 runs on.
bool even_runs(const AuditCell& c) {
  return equal_laws(c) || (c.cluster_sd == 0.0 && c.correlation == 0.0 && c.runs >= 20);
}
bool nearly_normal(const AuditCell& c) {
  return (c.model == ScoreModel::gaussian || (c.model == ScoreModel::binomial && c.spread == 1.0)) && c.runs >= 5;
}
bool t_differences(const AuditCell& c) {
  return c.cluster_sd == 0.0 && nearly_normal(c);
}
bool t_clusters(const AuditCell& c) {
  return nearly_normal(c) && c.clusters >= 2;
}
bool even_clusters(const AuditCell& c) {
  return (c.spread == 1.0 || row_of(c.model).symmetric) && c.clusters >= 2;
}

bool counts_out_ties(const AuditCell& c) {
  return c.model == ScoreModel::binomial;
}
bool permutes(const AuditCell& c) {
  return c.runs < 20;
}
bool always(const AuditCell&) {
  return true;
}

bool is_null(const AuditCell& c) {
  return c.truth == AuditTruth::null;
}

/// Closed forms of error_rates.hpp: normal scores without shared searches.
Reference closed_form(const AuditCell& c, const AuditSettings& s, Criterion criterion) {
  if (c.model != ScoreModel::gaussian || !plain(c) || c.runs < 2) return {};
  const auto rates = exact_error_rates({.name = "audit", .sigma = 1.0, .sigma_eps = 0.0},
                                       is_null(c) ? 0.5 : required_gamma(s.levels), {.k = c.runs, .levels = s.levels});
  return AuditReference{.rate = rates.ideal[static_cast<std::size_t>(criterion)]};
}
Reference of_single(const AuditCell& c, const AuditSettings& s) {
  return closed_form(c, s, Criterion::single);
}
Reference of_average(const AuditCell& c, const AuditSettings& s) {
  return closed_form(c, s, Criterion::average);
}
/// For every law of scores without ties, since wins are binomial.
Reference of_published(const AuditCell& c, const AuditSettings& s) {
  if (c.model == ScoreModel::binomial || !plain(c)) return {};
  const double p = is_null(c) ? 0.5 : required_gamma(s.levels);
  return AuditReference{.rate = binomial_at_least(published_min_wins(c.runs, s.levels), c.runs, p)};
}
bool usual(const AuditSettings& s) {
  return s.levels.alpha == 0.05;
}
/// Simulated independently with 1,000 resamples, to .01: reference values from the specification of these statistics.
Reference of_bootstrap(const AuditCell& c, const AuditSettings& s) {
  if (c.model != ScoreModel::lognormal || !is_null(c) || !plain(c) || !usual(s)) return {};
  if (c.runs == 5) return AuditReference{.rate = 0.132, .tolerance = 0.01};
  if (c.runs == 10) return AuditReference{.rate = 0.097, .tolerance = 0.01};
  if (c.runs == 20) return AuditReference{.rate = 0.081, .tolerance = 0.01};
  return {};
}
/// The interval is too narrow with few runs of any law; no rate is published.
Reference of_bca(const AuditCell& c, const AuditSettings& s) {
  if (c.model != ScoreModel::gaussian || !is_null(c) || !plain(c) || !usual(s) || c.runs != 5) return {};
  return AuditReference{};
}
Reference of_aso(const AuditCell& c, const AuditSettings& s) {
  if (c.model != ScoreModel::gaussian || !is_null(c) || !plain(c) || !usual(s) || c.runs < 5) return {};
  return AuditReference{};
}
Reference of_peeking(const AuditCell& c, const AuditSettings& s) {
  if (c.model != ScoreModel::gaussian || !is_null(c) || !plain(c) || !usual(s) || c.runs != 200) return {};
  return AuditReference{.rate = 0.387, .tolerance = 0.002};
}

using namespace audit_judges;

constexpr std::array audit_rows{
    AuditRule{"single", exhibit, AuditSize::better,
              "one run of each, further apart than delta (Bouthillier et al. 2021)",
              "calls 9 % of equal variants BETTER", nullptr, of_single, nullptr, single},
    AuditRule{"average", exhibit, AuditSize::better,
              "means of N runs, further apart than delta (Bouthillier et al. 2021)",
              "detects almost no candidate that wins gamma of the pairs", nullptr, of_average, nullptr, average},
    AuditRule{"pab_published", exhibit, AuditSize::better,
              "percentile interval of the pairs won is above 1/2 and reaches above gamma (Bouthillier et al. 2021)",
              "1 win in 1 pair is enough, 3 in 3 are; at the published 29 pairs the power is .834, not .95", nullptr,
              of_published, nullptr, pab_published},
    AuditRule{"pab_exact", valid, AuditSize::better, "exact fixed rule on the pairs won",
              "every cell without shared searches", even_pairs, nullptr, nullptr, pab_exact},
    AuditRule{"curtailed", valid, AuditSize::better, "the exact fixed rule, stopped when its verdict is settled",
              "every cell without shared searches", even_pairs, nullptr, nullptr, curtailed},
    AuditRule{"sprt", valid, AuditSize::better, "Wald's test of gamma against 1/2, at most N pairs",
              "every cell without shared searches", even_pairs, nullptr, nullptr, sprt},
    AuditRule{"mixture_e", valid, AuditSize::better, "e-value against 1/2 after every pair",
              "every cell without shared searches", even_pairs, nullptr, nullptr, mixture_e},
    AuditRule{"dual_e", valid, AuditSize::better, "e-values against 1/2 and against gamma after every pair",
              "every cell without shared searches", even_pairs, nullptr, nullptr, dual_e},
    AuditRule{"sequentialised", valid, AuditSize::better, "the exact sign test of N pairs, stopped when it is settled",
              "every cell without shared searches", even_pairs, nullptr, nullptr, sequentialised},
    AuditRule{"t_paired", valid, AuditSize::better, "paired t test, one-sided",
              "normal and binomial scores from 5 runs on", t_differences, nullptr, nullptr, t_paired},
    AuditRule{"t_anytime", valid, AuditSize::both, "right-Haar t e-value after every pair",
              "normal and binomial scores from 5 runs on", t_differences, nullptr, nullptr, t_anytime},
    AuditRule{"welch", valid, AuditSize::better, "Welch's t test, one-sided",
              "normal and binomial scores from 5 runs on", t_differences, nullptr, nullptr, welch},
    AuditRule{"wilcoxon", valid, AuditSize::better, "signed ranks of the differences, exact",
              "differences symmetric about 0: equal variants, or symmetric scores", symmetric_differences, nullptr,
              nullptr, wilcoxon},
    AuditRule{"mann_whitney", valid, AuditSize::better, "ranks of all runs, exact, ties included", "equal variants",
              equal_laws, nullptr, counts_out_ties, mann_whitney},
    AuditRule{"brunner_munzel", valid, AuditSize::better,
              "studentised ranks: permutation law below 20 runs, t from there on",
              "equal variants; with unequal spreads from 20 runs on", even_runs, nullptr, permutes, brunner_munzel},
    AuditRule{"bootstrap_mean", exhibit, AuditSize::both, "percentile interval of the mean difference excludes 0",
              "too narrow with few runs: 13 % of equal lognormal variants differ at 5 runs", nullptr, of_bootstrap,
              always, bootstrap_mean},
    AuditRule{"bca", exhibit, AuditSize::both, "BCa interval of the mean difference excludes 0",
              "too narrow with few runs", nullptr, of_bca, always, bca},
    AuditRule{"aso", exhibit, AuditSize::better, "almost stochastic order, bound below .5 (Dror et al. 2019)",
              "calls 19 % of equal variants dominant", nullptr, of_aso, always, aso},
    AuditRule{"cluster_t", valid, AuditSize::better, "t test on the mean differences of the searches",
              "normal and binomial scores from 5 runs on, shared searches included", t_clusters, nullptr, nullptr,
              cluster_t},
    AuditRule{"cluster_sign", valid, AuditSize::better, "sign test on the searches won",
              "equal variants or symmetric scores, shared searches included", even_clusters, nullptr, nullptr,
              cluster_sign},
    AuditRule{"group_permutation", valid, AuditSize::both, "labels permuted within blocks of runs, five looks at most",
              "equal variants", equal_laws, nullptr, always, group_permutation},
    AuditRule{"peek_t", exhibit, AuditSize::both, "paired t test at .05 after every pair from the fifth on",
              "rejects 39 % of equal variants by 200 pairs", nullptr, of_peeking, nullptr, peek_t},
};

constexpr std::array<std::int64_t, 7> all_runs{2, 3, 5, 10, 20, 29, 50};
constexpr std::array<std::int64_t, 3> quick_runs{5, 10, 29};
constexpr std::int64_t long_run = 200, short_run = 3;
/// Rules that decide after every pair are watched for longer, and so is the recipe that must not.
constexpr std::array<std::string_view, 5> watched_longer{"sprt", "mixture_e", "dual_e", "t_anytime", "peek_t"};

template <typename T, typename Range>
std::vector<T> or_all(const std::vector<T>& chosen, const Range& all) {
  return chosen.empty() ? std::vector<T>(all.begin(), all.end()) : chosen;
}

std::vector<const AuditRule*> rules_or_all(const AuditChoice& choice) {
  if (!choice.rules.empty()) return choice.rules;
  std::vector<const AuditRule*> all;
  for (const AuditRule& rule : audit_rows) all.push_back(&rule);
  return all;
}

/// The plain cell, and the same with one option changed at a time; chosen options stay.
std::vector<AuditCell> with_options(const AuditCell& cell, const AuditChoice& choice) {
  AuditCell chosen = cell;
  chosen.spread = choice.spread.value_or(1.0);
  chosen.correlation = choice.correlation.value_or(0.0);
  chosen.cluster_sd = choice.cluster_sd.value_or(0.0);
  chosen.clusters = choice.clusters.value_or(5);
  std::vector<AuditCell> cells{chosen};
  if (choice.quick || choice.spread || choice.correlation || choice.cluster_sd) return cells;
  const auto add = [&](auto member, double value) {
    cells.push_back(chosen);
    cells.back().*member = value;
  };
  add(&AuditCell::spread, 2.0);
  for (const double r : {0.5, 0.9}) add(&AuditCell::correlation, r);
  for (const ErrorTask& task : published_error_tasks()) add(&AuditCell::cluster_sd, task.sigma_eps / task.sigma);
  return cells;
}

/// Cells in which a rule is tested: for its promise, its known error, its power in a plain cell.
bool answers_for(const AuditRule& rule, const AuditCell& cell) {
  if (!is_null(cell)) return plain(cell);
  return rule.promises ? rule.promises(cell) : rule.reference(cell, {}).has_value();
}

/// The whole grid asks only such rules; a choice of rules or of cells asks whatever was chosen.
bool whole(const AuditChoice& c) {
  return !c.quick && c.rules.empty() && c.models.empty() && c.truths.empty() && c.runs.empty() && !c.spread &&
         !c.correlation && !c.cluster_sd && !c.clusters;
}

void add_entry(std::vector<AuditEntry>& grid, const AuditCell& cell, std::vector<const AuditRule*> rules, bool all) {
  if (!all) std::erase_if(rules, [&](const AuditRule* rule) { return !answers_for(*rule, cell); });
  if (!rules.empty()) grid.push_back({cell, std::move(rules)});
}

bool beyond(const AuditChoice& choice) {
  const auto has = [](const auto& list, auto value) {
    return list.empty() || std::ranges::find(list, value) != list.end();
  };
  return choice.runs.empty() && has(choice.models, ScoreModel::gaussian) && has(choice.truths, AuditTruth::null) &&
         !choice.spread && !choice.correlation && !choice.cluster_sd;
}

}  // namespace

std::span<const AuditRule> all_audit_rules() {
  return audit_rows;
}

const AuditRule* find_audit_rule(std::string_view name) {
  const auto found = std::ranges::find(audit_rows, name, &AuditRule::name);
  return found == audit_rows.end() ? nullptr : &*found;
}

std::vector<AuditEntry> audit_grid(const AuditChoice& choice) {
  std::vector<ScoreModel> models;
  for (const auto& row : all_score_models()) models.push_back(row.model);
  const auto wanted = rules_or_all(choice);
  const auto runs = choice.quick ? or_all(choice.runs, quick_runs) : or_all(choice.runs, all_runs);
  std::vector<AuditEntry> grid;
  for (const ScoreModel model : or_all(choice.models, models))
    for (const AuditTruth truth : or_all(choice.truths, std::array{AuditTruth::null, AuditTruth::gamma}))
      for (const std::int64_t n : runs)
        for (const AuditCell& cell : with_options({.model = model, .truth = truth, .runs = n}, choice))
          add_entry(grid, cell, wanted, !whole(choice));
  if (!beyond(choice)) return grid;
  AuditEntry few{.cell = {.runs = short_run}}, many{.cell = {.runs = long_run}};
  for (const AuditRule* rule : wanted) {
    if (choice.quick && rule->name == "pab_published") few.rules.push_back(rule);
    if (std::ranges::find(watched_longer, rule->name) != watched_longer.end()) many.rules.push_back(rule);
  }
  for (const AuditEntry& entry : {few, many})
    if (!entry.rules.empty()) grid.push_back(entry);
  return grid;
}

}  // namespace retrial::variance::inline audit
