#include <algorithm>
#include <array>
#include <cmath>

#include "variance/audit/offer_judges.hpp"
#include "variance/many/aggregate_verdict.hpp"
#include "variance/many/claim_evidence.hpp"
#include "variance/many/groups.hpp"
#include "variance/many/joint_differences.hpp"
#include "variance/many/main_effects.hpp"
#include "variance/many/method_table.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/many/studentised_range.hpp"
#include "variance/means/paired.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline audit::offer_judges {
namespace {

using Scores = std::vector<double>;
constexpr double task_distance = 3.0;  // between the means of two tasks, in standard deviations of a run
constexpr double true_effect = 2.0;    // of candidates that are truly better, in standard deviations of a run

/// Scores of several variants on the same pairs.
std::vector<Scores> variants_of(const OfferCell& cell, std::int64_t variants, Stream& draws) {
  std::vector<Scores> out(static_cast<std::size_t>(variants));
  for (Scores& scores : out)
    for (std::int64_t i = 0; i < cell.runs; ++i) scores.push_back(null_score(cell.scores, draws));
  return out;
}

Scores differences(const Scores& candidate, const Scores& baseline) {
  Scores out;
  for (std::size_t i = 0; i < candidate.size(); ++i) out.push_back(candidate[i] - baseline[i]);
  return out;
}

Status any(bool better, bool worse) {
  return better ? Status::better : worse ? Status::worse : Status::inconclusive;
}

const Adjustment& adjustment_named(std::string_view name) {
  return std::ranges::find(all_adjustments(), name, &AdjustmentRow::name)->adjustment;
}

/// A data set's own level is common to all methods; an answer is right or wrong, without a level.
MethodTable table_of(const OfferCell& cell, Stream& draws) {
  MethodTable table;
  for (std::int64_t m = 0; m < cell.many; ++m) table.methods.push_back("m" + std::to_string(m));
  for (std::int64_t d = 0; d < cell.runs; ++d) {
    const double level = cell.scores == NullScores::bits ? 0.0 : task_distance * static_cast<double>(d);
    table.rows.emplace_back();
    for (std::int64_t m = 0; m < cell.many; ++m) table.rows.back().push_back(level + null_score(cell.scores, draws));
  }
  return table;
}

/// Two-sided p of every pair of variants.
Scores pairwise_p(const std::vector<Scores>& variants) {
  Scores p;
  for (std::size_t i = 0; i < variants.size(); ++i)
    for (std::size_t j = i + 1; j < variants.size(); ++j)
      p.push_back(paired_t(differences(variants[i], variants[j]))->p_two);
  return p;
}

TaskScores tasks_of(const OfferCell& cell, std::int64_t runs, double shift, Stream& draws) {
  TaskScores out;
  for (std::int64_t m = 0; m < cell.many; ++m) {
    out.tasks.emplace_back();
    for (std::int64_t i = 0; i < runs; ++i)
      out.tasks.back().push_back(task_distance * static_cast<double>(m) + null_score(cell.scores, draws) + shift);
  }
  return out;
}

/// Six claims about six candidates and one baseline, each with the truth on the edge of the claim and of its opposite.
struct EdgeClaim {
  std::string_view test;  ///< empty: equality
  ClaimBound bound;
};
constexpr double claim_margin = 1.0;
constexpr std::array<EdgeClaim, 6> edge_claims{{{"paired_permutation", {Direction::higher, 0.0}},
                                                {"wilcoxon", {Direction::lower, 0.0}},
                                                {"paired_t", {Direction::lower, claim_margin}},
                                                {"sign", {Direction::higher, -claim_margin}},
                                                {"paired_t", {Direction::higher, claim_margin}},
                                                {"", {Direction::higher, claim_margin}}}};

Status judge_registered_claims(const OfferCell& cell, const AuditSettings& s, Stream& draws, std::uint64_t key) {
  const auto variants = variants_of(cell, cell.many + 1, draws);
  std::vector<std::optional<double>> p_for, p_against;
  for (std::size_t c = 0; c < edge_claims.size(); ++c) {
    const EdgeClaim& claim = edge_claims[c];
    Scores candidate = variants[c + 1];
    for (double& score : candidate) score += claim.bound.at;
    const auto evidence = claim.test.empty()
                              ? claim_of_equality(candidate, variants[0], claim_margin, s.levels.alpha)
                              : claim_of_side(candidate, variants[0], claim.bound, claim.test, s.levels.alpha,
                                              derive(key, static_cast<std::uint64_t>(c)));
    p_for.push_back(evidence.p_for);
    p_against.push_back(evidence.p_against);
  }
  const auto reached = [&](const std::vector<std::optional<double>>& p) {
    return std::ranges::any_of(holm_over(p), [&](const auto& one) { return one && *one <= s.levels.alpha; });
  };
  return any(reached(p_for), reached(p_against));
}

Status judge_joint(const std::vector<std::optional<JointDifference>>& family, double alpha) {
  bool better = false, worse = false;
  for (const auto& one : family) {
    if (!one || one->p_holm > alpha) continue;
    (one->mean.point > 0.0 ? better : worse) = true;
  }
  return any(better, worse);
}

Status judge_every_variant(const OfferCell& cell, const AuditSettings& s, Stream& draws, std::uint64_t) {
  const auto variants = variants_of(cell, cell.many + 1, draws);
  std::vector<Scores> rows;
  for (std::size_t v = 1; v < variants.size(); ++v) rows.push_back(differences(variants[v], variants[0]));
  return judge_joint(joint_differences(rows, s.levels.alpha), s.levels.alpha);
}

/// A grid of two keys with three and two values.
Status judge_main_effects(const OfferCell& cell, const AuditSettings& s, Stream& draws, std::uint64_t) {
  constexpr std::array<std::size_t, 2> levels{3, 2};
  const auto cells = variants_of(cell, 6, draws);
  std::vector<std::optional<JointDifference>> family;
  for (const MainEffect& effect : main_effects(levels, cells, s.levels.alpha)) family.push_back(effect.difference);
  return judge_joint(family, s.levels.alpha);
}

/// Reports that judge several claims together.
struct ReportRow {
  std::string_view name;
  Status (*judge)(const OfferCell&, const AuditSettings&, Stream&, std::uint64_t);
};
constexpr std::array report_rows{
    ReportRow{"claims", judge_registered_claims},
    ReportRow{"every_variant", judge_every_variant},
    ReportRow{"main_effects", judge_main_effects},
};

}  // namespace

OfferJudge table_judge(const OfferCell& cell, const AuditSettings& s) {
  return [cell, run = find_omnibus(cell.offer.name)->run, alpha = s.levels.alpha](Stream& draws, std::uint64_t) {
    return any(run(table_of(cell, draws)).p_two <= alpha, false);
  };
}

/// A quantile of these laws takes up to 150 ms, and equal groups have one for all simulations: the largest distance of
/// two means (Tukey), or from the first (Dunnett), is compared with it as `tukey` and `dunnett` do for each pair.
OfferJudge joint_means_judge(const OfferCell& cell, double alpha) {
  const bool against_control = find_group_test(cell.offer.name)->against_control;
  const auto groups = static_cast<double>(cell.many), runs = static_cast<double>(cell.runs);
  const double df = groups * (runs - 1.0);
  const std::vector<double> lambda(static_cast<std::size_t>(cell.many - 1), std::sqrt(0.5));
  const double critical = against_control ? dunnett_quantile(1.0 - alpha, lambda, df, true)
                                          : studentised_range_quantile(1.0 - alpha, cell.many, df) / std::sqrt(2.0);
  return [cell, against_control, critical, runs, groups](Stream& draws, std::uint64_t) {
    const auto variants = variants_of(cell, cell.many, draws);
    double squares = 0.0;
    Scores means;
    for (const Scores& scores : variants) {
      squares += *sample_variance(scores);
      means.push_back(*mean(scores));
    }
    const auto [low, high] = std::ranges::minmax(means);
    const double widest = against_control ? std::max(high - means.front(), means.front() - low) : high - low;
    return any(widest >= critical * std::sqrt(2.0 * squares / groups / runs), false);
  };
}

OfferJudge group_judge(const OfferCell& cell, const AuditSettings& s) {
  const auto* test = find_group_test(cell.offer.name);
  if (test->name == "tukey" || test->name == "dunnett") return joint_means_judge(cell, s.levels.alpha);
  // The omnibus part alone: the pairs of Games and Howell take as long as those of Tukey.
  TestResult (*welch)(std::span<const Scores>) = welch_anova;
  const bool means = test->name == "welch_anova";
  return [=, alpha = s.levels.alpha](Stream& draws, std::uint64_t) {
    const auto variants = variants_of(cell, cell.many, draws);
    if (means) return any(welch(variants).p_two <= alpha, false);
    const GroupResult result = compare_groups(test->name, variants, {.alpha = alpha});
    const auto differs = [&](const GroupPair& pair) { return pair.p_adjusted <= alpha; };
    return any(result.omnibus ? result.omnibus->p_two <= alpha : std::ranges::any_of(result.pairs, differs), false);
  };
}

/// BETTER: any candidate that is not truly better is called so. Shaffer's correction is for all pairs.
OfferJudge correction_judge(const OfferCell& cell, const AuditSettings& s) {
  const Adjustment how = adjustment_named(cell.offer.name);
  const auto effects = static_cast<std::size_t>(cell.effects * static_cast<double>(cell.many));
  return [cell, how, effects, alpha = s.levels.alpha](Stream& draws, std::uint64_t) {
    auto variants = variants_of(cell, how == Adjustment::shaffer ? cell.many : cell.many + 1, draws);
    if (how == Adjustment::shaffer) return any(std::ranges::min(adjusted(pairwise_p(variants), how)) <= alpha, false);
    Scores p;
    for (std::size_t v = 1; v < variants.size(); ++v) {
      if (v <= effects)
        for (double& score : variants[v]) score += true_effect;
      p.push_back(paired_t(differences(variants[v], variants[0]))->p_greater);
    }
    const Scores corrected = adjusted(p, how);
    return any(std::any_of(corrected.begin() + static_cast<std::ptrdiff_t>(effects), corrected.end(),
                           [&](double one) { return one <= alpha; }),
               false);
  };
}

OfferJudge aggregate_judge(const OfferCell& cell, const AuditSettings& s) {
  const auto row = std::ranges::find(all_aggregates(), cell.offer.name, &AggregateRow::name);
  const TaskStatistic which = row == all_aggregates().end() ? TaskStatistic() : TaskStatistic(row->aggregate);
  AggregateOptions options{.alpha = s.levels.alpha, .resamples = s.resamples, .key = std::nullopt};
  options.paired = cell.paired;
  options.enumerate_to = s.resamples;  // what is cheaper than the draws
  std::optional<double> margin;
  if (cell.error == FalseVerdict::equivalent) margin = shift_of(cell);
  return [cell, which, options, margin](Stream& draws, std::uint64_t key) {
    const TaskScores candidate = tasks_of(cell, cell.runs, shift_of(cell), draws),
                     baseline = tasks_of(cell, cell.baseline_runs, 0.0, draws);
    AggregateOptions keyed = options;
    keyed.key = key;
    return judge_aggregates(candidate, baseline, which, keyed, margin).status;
  };
}

OfferJudge report_judge(const OfferCell& cell, const AuditSettings& s) {
  const auto* row = std::ranges::find(report_rows, cell.offer.name, &ReportRow::name);
  return [cell, s, judge = row->judge](Stream& draws, std::uint64_t key) { return judge(cell, s, draws, key); };
}

std::vector<std::string> report_names() {
  std::vector<std::string> names;
  for (const ReportRow& row : report_rows) names.emplace_back(row.name);
  return names;
}

}  // namespace retrial::variance::inline audit::offer_judges
