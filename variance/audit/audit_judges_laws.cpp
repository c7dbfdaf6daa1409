#include <cmath>
#include <optional>
#include <utility>

#include "variance/audit/audit_judges.hpp"
#include "variance/bootstrap/bootstrap.hpp"
#include "variance/looks/group_permutation.hpp"
#include "variance/numbers/check.hpp"
#include "variance/ranks/dominance.hpp"
#include "variance/ranks/ranks.hpp"

namespace retrial::variance::inline audit::audit_judges {
namespace {

/// Exact tails are sums of dyadic numbers and may equal alpha; their rounding must not decide.
bool rejects(double p, double alpha) {
  return p <= alpha * (1.0 + 1e-12);
}

/// Min W+ that rejects n untied differences; the absolute ranks are 1 to n. Absent if none does.
std::optional<double> critical_signed_rank(std::int64_t n, double alpha) {
  std::vector<double> law{1.0};  // P(W+ = s) without ties
  for (std::int64_t rank = 1; rank <= n; ++rank) {
    std::vector<double> next(law.size() + static_cast<std::size_t>(rank), 0.0);
    for (std::size_t s = 0; s < law.size(); ++s) {
      next[s] += law[s] / 2.0;
      next[s + static_cast<std::size_t>(rank)] += law[s] / 2.0;
    }
    law = std::move(next);
  }
  double above = 0.0;
  for (std::size_t s = law.size(); s-- > 0;) {
    above += law[s];
    if (above > alpha * (1.0 + 1e-12))
      return s + 1 < law.size() ? std::optional(static_cast<double>(s + 1)) : std::nullopt;
  }
  return 0.0;
}

/// W+ of differences of distinct sizes; absent with ties.
std::optional<double> untied_signed_rank(std::span<const double> differences) {
  std::vector<double> sorted(differences.begin(), differences.end());
  std::ranges::sort(sorted, [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  double plus = 0.0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] == 0.0 || (i > 0 && std::fabs(sorted[i]) == std::fabs(sorted[i - 1]))) return {};
    if (sorted[i] > 0.0) plus += static_cast<double>(i + 1);
  }
  return plus;
}

/// n runs per side whose candidate wins u of the n^2 pairs, without ties.
ScorePairs with_wins(std::int64_t n, std::int64_t u) {
  ScorePairs scores;
  for (std::int64_t i = 0; i < n; ++i) {
    scores.baseline.push_back(static_cast<double>(i));
    const std::int64_t wins = std::clamp<std::int64_t>(u - i * n, 0, n);
    scores.candidate.push_back(static_cast<double>(wins) - 0.5 -
                               0.25 * static_cast<double>(i) / static_cast<double>(n));
  }
  return scores;
}

/// Min U that rejects n runs per side without ties, found with the test itself; n^2 + 1 if none does.
std::int64_t critical_u(std::int64_t n, double alpha) {
  std::int64_t low = 0, high = n * n + 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const ScorePairs scores = with_wins(n, middle);
    if (rejects(variance::mann_whitney(scores.candidate, scores.baseline).test.p_greater, alpha))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// U of scores without ties; absent with ties.
std::optional<std::int64_t> untied_u(std::span<const double> candidate, std::span<const double> baseline) {
  std::vector<std::pair<double, int>> pool;
  for (const double x : candidate) pool.emplace_back(x, 1);
  for (const double x : baseline) pool.emplace_back(x, 0);
  std::ranges::sort(pool);
  std::int64_t below = 0, u = 0;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (i > 0 && pool[i].first == pool[i - 1].first) return {};
    pool[i].second == 1 ? u += below : ++below;
  }
  return u;
}

AuditJudge by_bootstrap(BootstrapMethod method, const AuditSettings& s) {
  return [method, resamples = s.resamples, alpha = s.levels.alpha](const AuditData& data) {
    const std::size_t n = data.candidate.size();
    if (n < 2) return answer(Status::inconclusive, n);
    const BootstrapOptions options{
        .alpha = alpha, .resamples = resamples, .key = derive(data.key, "bootstrap"), .method = method};
    try {
      const Estimate interval = bootstrap_mean_difference(data.candidate, data.baseline, options);
      if (*interval.low > 0.0) return answer(Status::better, n);
      return answer(*interval.high < 0.0 ? Status::worse : Status::inconclusive, n);
    } catch (const NumericalFailure&) {
      return answer(Status::invalid, n);
    }
  };
}

/// Five blocks, each with at least five runs if there are enough.
std::vector<std::int64_t> audit_looks(std::int64_t runs) {
  const std::int64_t block = std::min(runs, std::max<std::int64_t>(5, runs / 5));
  std::vector<std::int64_t> looks;
  for (std::int64_t at = block; at <= runs; at += block) looks.push_back(at);
  return looks;
}

}  // namespace

AuditJudge wilcoxon(const AuditCell& cell, const AuditSettings& s) {
  return [critical = critical_signed_rank(cell.runs, s.levels.alpha), alpha = s.levels.alpha](const AuditData& data) {
    const std::size_t n = data.differences.size();
    if (!data.resolution)
      if (const auto plus = untied_signed_rank(data.differences)) return better_if(critical && *plus >= *critical, n);
    return better_if(rejects(variance::wilcoxon(data.differences, data.tie).test.p_greater, alpha), n);
  };
}

AuditJudge mann_whitney(const AuditCell& cell, const AuditSettings& s) {
  const bool coarse = cell.model == ScoreModel::binomial;
  const std::int64_t critical = coarse ? 0 : critical_u(cell.runs, s.levels.alpha);
  return [critical, alpha = s.levels.alpha](const AuditData& data) {
    const std::size_t n = data.candidate.size();
    if (!data.resolution)
      if (const auto u = untied_u(data.candidate, data.baseline)) return better_if(*u >= critical, n);
    const auto test = variance::mann_whitney(data.candidate, data.baseline, data.resolution).test;
    return better_if(rejects(test.p_greater, alpha), n);
  };
}

AuditJudge brunner_munzel(const AuditCell&, const AuditSettings& s) {
  return [draws = s.resamples, alpha = s.levels.alpha](const AuditData& data) {
    const std::size_t n = data.candidate.size();
    if (n < 2) return answer(Status::inconclusive, n);
    const auto test =
        variance::brunner_munzel(data.candidate, data.baseline, BrunnerMunzelLaw::automatic,
                                 {.draws = draws, .key = derive(data.key, "permutation")}, data.resolution);
    return better_if(rejects(test.p_greater, alpha), n);
  };
}

AuditJudge bootstrap_mean(const AuditCell&, const AuditSettings& s) {
  return by_bootstrap(BootstrapMethod::percentile, s);
}

AuditJudge bca(const AuditCell&, const AuditSettings& s) {
  return by_bootstrap(BootstrapMethod::bca, s);
}

AuditJudge aso(const AuditCell&, const AuditSettings& s) {
  return [resamples = s.resamples, alpha = s.levels.alpha](const AuditData& data) {
    const DominanceOptions options{.alpha = alpha, .tau = 0.5, .resamples = resamples, .key = derive(data.key, "aso")};
    return better_if(variance::aso(data.candidate, data.baseline, options).dominates, data.candidate.size());
  };
}

AuditJudge group_permutation(const AuditCell& cell, const AuditSettings& s) {
  return [design = GroupPermutation{.looks = audit_looks(cell.runs), .alpha = s.levels.alpha, .draws = s.resamples}](
             const AuditData& data) {
    GroupPermutation keyed = design;
    keyed.key = data.key;
    GroupPermutationTest test(keyed);
    std::size_t from = 0;
    for (const std::int64_t look : design.looks) {
      const std::size_t to = static_cast<std::size_t>(look), runs = to - from;
      const auto at = test.add(data.candidate.subspan(from, runs), data.baseline.subspan(from, runs));
      if (at.crossed) return answer(at.statistic > 0.0 ? Status::better : Status::worse, to);
      from = to;
    }
    return answer(Status::inconclusive, from);
  };
}

}  // namespace retrial::variance::inline audit::audit_judges
