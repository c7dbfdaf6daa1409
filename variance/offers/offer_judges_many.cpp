#include <algorithm>
#include <array>
#include <cmath>

#include "variance/groups/groups.hpp"
#include "variance/many/claim_evidence.hpp"
#include "variance/many/joint_differences.hpp"
#include "variance/many/main_effects.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/means/paired.hpp"
#include "variance/offers/offer_judges.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::variance::inline offers::offer_judges {
namespace {

using Scores = std::vector<double>;
constexpr double data_set_distance = 3.0;  // between the means of two data sets, in standard deviations of a run
constexpr double true_effect = 2.0;        // candidates that are truly better, in standard deviations of a run

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
    const double level = cell.scores == NullScores::bits ? 0.0 : data_set_distance * static_cast<double>(d);
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

constexpr std::string_view share_name = "share_of_sets", binomial_share_name = "share_of_sets_binomial";
constexpr double claimed_share = 0.6;

/// A claim about the share of sets that a candidate wins, with the truth on its edge and on that of its opposite. Each
/// set is won where a normal score is below its quantile; a part of the score may be common to the sets of a pair.
Status judge_share(const OfferCell& cell, const AuditSettings& s, Stream& draws, std::uint64_t key) {
  const double limit = quantile(claimed_share), common = std::sqrt(cell.together), own = std::sqrt(1 - cell.together);
  Scores shares;
  for (std::int64_t pair = 0; pair < cell.runs; ++pair) {
    const double part = common * normal(draws.next());
    double won = 0;
    for (std::int64_t set = 0; set < cell.many; ++set) won += part + own * normal(draws.next()) < limit ? 1 : 0;
    shares.push_back(won / static_cast<double>(cell.many));
  }
  const Scores edge(shares.size(), claimed_share);
  const auto evidence =
      cell.offer.name == binomial_share_name
          ? claim_of_share(shares, Direction::higher, claimed_share)
          : claim_of_side(shares, edge, {Direction::higher, 0.0}, "paired_permutation", s.levels.alpha, key);
  const auto reached = [&](const std::optional<double>& p) { return p && *p <= s.levels.alpha; };
  return any(reached(evidence.p_for), reached(evidence.p_against));
}

/// Reports that judge several claims together.
struct ReportRow {
  std::string_view name;
  Status (*judge)(const OfferCell&, const AuditSettings&, Stream&, std::uint64_t);
};
constexpr std::array report_rows{
    ReportRow{"claims", judge_registered_claims},  ReportRow{"every_variant", judge_every_variant},
    ReportRow{"main_effects", judge_main_effects}, ReportRow{share_name, judge_share},
    ReportRow{binomial_share_name, judge_share},
};

}  // namespace

bool is_share(std::string_view offer) {
  return offer == share_name || offer == binomial_share_name;
}

OfferJudge table_judge(const OfferCell& cell, const AuditSettings& s) {
  return [cell, run = find_omnibus(cell.offer.name)->run, alpha = s.levels.alpha](Stream& draws, std::uint64_t) {
    return any(run(table_of(cell, draws)).p_two <= alpha, false);
  };
}

namespace {

/// Its interval holds together with those of the other pairs, so 0 outside of it is a claim, too.
bool differs(const GroupPair& pair, double alpha) {
  const auto& [point, low, high, level, method] = pair.difference;
  return pair.p_adjusted <= alpha || (low && *low > 0.0) || (high && *high < 0.0);
}

Status judge_pairs(const GroupTest& test, const std::vector<Scores>& variants, double alpha) {
  const GroupResult result = compare_groups(test.name, variants, {.alpha = alpha});
  return any(std::ranges::any_of(result.pairs, [&](const GroupPair& pair) { return differs(pair, alpha); }), false);
}

}  // namespace

/// For a test with an omnibus part, that part alone: its pairs are an offer of their own.
OfferJudge group_judge(const OfferCell& cell, const AuditSettings& s) {
  const GroupTest& test = *find_group_test(cell.offer.name);
  TestResult (*welch)(std::span<const Scores>) = welch_anova;
  const bool means = test.name == "welch_anova";
  return [=, &test, alpha = s.levels.alpha](Stream& draws, std::uint64_t) {
    const auto variants = variants_of(cell, cell.many, draws);
    if (test.pairs.empty()) return judge_pairs(test, variants, alpha);
    const double p =
        means ? welch(variants).p_two : compare_groups(test.name, variants, {.alpha = alpha}).omnibus->p_two;
    return any(p <= alpha, false);
  };
}

OfferJudge group_pairs_judge(const OfferCell& cell, const AuditSettings& s) {
  const GroupTest& test = *std::ranges::find(all_group_tests(), cell.offer.name, &GroupTest::pairs);
  return [=, &test, alpha = s.levels.alpha](Stream& draws, std::uint64_t) {
    return judge_pairs(test, variants_of(cell, cell.many, draws), alpha);
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

OfferJudge report_judge(const OfferCell& cell, const AuditSettings& s) {
  const auto* row = std::ranges::find(report_rows, cell.offer.name, &ReportRow::name);
  return [cell, s, judge = row->judge](Stream& draws, std::uint64_t key) { return judge(cell, s, draws, key); };
}

std::vector<std::string> report_names() {
  std::vector<std::string> names;
  for (const ReportRow& row : report_rows) names.emplace_back(row.name);
  return names;
}

}  // namespace retrial::variance::inline offers::offer_judges
