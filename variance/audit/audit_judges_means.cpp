#include <cmath>
#include <optional>

#include "variance/audit/audit_judges.hpp"
#include "variance/audit/error_rates.hpp"
#include "variance/comparisons/least_p.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/sequential/anytime.hpp"

namespace retrial::variance::inline audit::audit_judges {
namespace {

constexpr std::size_t first_peek = 5;

/// Mean and squared distances from it (Welford 1962).
struct RunningMoments {
  double n = 0.0, mean = 0.0, squares = 0.0;
  void add(double x) {
    n += 1.0;
    const double distance = x - mean;
    mean += distance / n;
    squares += distance * (x - mean);
  }
  [[nodiscard]] double variance() const { return squares / (n - 1.0); }
  /// t against mean 0; infinite without spread, and 0 if the mean is within a tie. Sums of counts leave rounding
  /// errors, which do not count as spread.
  [[nodiscard]] double t(double tie) const {
    if (squares <= n * std::max(tie * tie * 1e-6, 1e-24 * mean * mean))
      return std::fabs(mean) <= tie ? 0.0 : std::copysign(unlimited, mean);
    return mean * std::sqrt(n / variance());
  }
};

RunningMoments moments_of(std::span<const double> values) {
  RunningMoments m;
  for (const double x : values) m.add(x);
  return m;
}

/// The t test of a mean above 0; the signs of differences that repeat must allow its p (`least_p_of_signs`).
bool rejects_mean(std::span<const double> differences, double tie, double critical, double alpha) {
  return moments_of(differences).t(tie) >= critical && least_p_of_signs(differences, tie).greater <= alpha;
}

/// Critical value of a t test of n values, n = 0 .. max_runs; infinite below 2.
std::vector<double> t_criticals(std::size_t max_runs, double tail) {
  std::vector<double> critical;
  for (std::size_t n = 0; n <= max_runs; ++n)
    critical.push_back(n < 2 ? unlimited : student_quantile(1.0 - tail, static_cast<double>(n) - 1.0));
  return critical;
}

std::size_t run_count(const AuditCell& cell) {
  return static_cast<std::size_t>(cell.runs);
}

}  // namespace

AuditJudge single(const AuditCell&, const AuditSettings& s) {
  return [delta = delta_over_sigma(DeltaConvention::published_code, required_gamma(s.levels))](const AuditData& data) {
    return better_if(data.differences.front() > delta, 1);
  };
}

AuditJudge average(const AuditCell&, const AuditSettings& s) {
  return [delta = delta_over_sigma(DeltaConvention::published_code, required_gamma(s.levels))](const AuditData& data) {
    return better_if(moments_of(data.differences).mean > delta, data.differences.size());
  };
}

AuditJudge t_paired(const AuditCell& cell, const AuditSettings& s) {
  const double critical = t_criticals(run_count(cell), s.levels.alpha).back();
  return [critical, alpha = s.levels.alpha](const AuditData& data) {
    return better_if(rejects_mean(data.differences, data.tie, critical, alpha), data.differences.size());
  };
}

AuditJudge t_anytime(const AuditCell& cell, const AuditSettings& s) {
  std::vector<double> boundary{unlimited, unlimited};
  for (std::int64_t n = 2; n <= cell.runs; ++n) boundary.push_back(t_boundary(n, s.levels.alpha).value_or(unlimited));
  return [boundary = std::move(boundary), alpha = s.levels.alpha](const AuditData& data) {
    const auto repeating_signs_decide = [&](std::size_t n) {
      const auto so_far = std::span(data.differences).first(n);
      return !least_p_of_signs(so_far, data.tie).repeats || log_sign_e(so_far, data.tie) >= -std::log(alpha);
    };
    RunningMoments m;
    for (std::size_t i = 0; i < data.differences.size(); ++i) {
      m.add(data.differences[i]);
      if (i == 0) continue;
      const double t = m.t(data.tie);
      // An infinite t is finite evidence: it reaches the bound from five pairs on, where there is a boundary.
      if (std::fabs(t) >= boundary[i + 1] && boundary[i + 1] < unlimited && repeating_signs_decide(i + 1))
        return answer(t > 0.0 ? Status::better : Status::worse, i + 1);
    }
    return answer(Status::inconclusive, data.differences.size());
  };
}

AuditJudge welch(const AuditCell&, const AuditSettings& s) {
  return [alpha = s.levels.alpha, z = -quantile(s.levels.alpha)](const AuditData& data) {
    const RunningMoments a = moments_of(data.candidate), b = moments_of(data.baseline);
    if (a.n < 2.0) return answer(Status::inconclusive, data.candidate.size());
    const double va = a.variance() / a.n, vb = b.variance() / b.n, v = va + vb;
    const double distance = a.mean - b.mean;
    const auto labels_allow = [&] { return least_p_of_labels(data.candidate, data.baseline).greater <= alpha; };
    if (v <= data.tie * data.tie * 1e-6) return better_if(distance > data.tie && labels_allow(), data.candidate.size());
    const double t = distance / std::sqrt(v);
    // Every t law has heavier tails than the normal law, so most data need no t distribution.
    if (t < z) return answer(Status::inconclusive, data.candidate.size());
    const double df = v * v / (va * va / (a.n - 1.0) + vb * vb / (b.n - 1.0));
    return better_if(student_cdf(-t, df) <= alpha && labels_allow(), data.candidate.size());
  };
}

AuditJudge cluster_t(const AuditCell& cell, const AuditSettings& s) {
  const auto count = std::min(cell.clusters, cell.runs);
  const double critical = t_criticals(static_cast<std::size_t>(count), s.levels.alpha).back();
  return [critical, clusters = cell.clusters, alpha = s.levels.alpha](const AuditData& data) {
    const auto means = cluster_differences(data.differences, clusters);
    if (means.size() < 2) return answer(Status::invalid, data.differences.size());
    return better_if(rejects_mean(means, data.tie, critical, alpha), data.differences.size());
  };
}

AuditJudge peek_t(const AuditCell& cell, const AuditSettings& s) {
  return [critical = t_criticals(run_count(cell), s.levels.alpha / 2.0)](const AuditData& data) {
    RunningMoments m;
    for (std::size_t i = 0; i < data.differences.size(); ++i) {
      m.add(data.differences[i]);
      if (i + 1 < first_peek) continue;
      const double t = m.t(data.tie);
      if (std::fabs(t) >= critical[i + 1]) return answer(t > 0.0 ? Status::better : Status::worse, i + 1);
    }
    return answer(Status::inconclusive, data.differences.size());
  };
}

}  // namespace retrial::variance::inline audit::audit_judges
