#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "variance/audit/audit.hpp"

/// For .cpp files of this folder: the functions of the table in audit_rules.cpp. Each prepares everything that does not
/// depend on the data (thresholds, critical values, tables), since a rule is called tens of thousands of times. If its
/// path differs from the library's own function, a test compares the two.
namespace retrial::variance::inline audit::audit_judges {

using Prepare = AuditJudge(const AuditCell&, const AuditSettings&);
// audit_judges_wins.cpp
Prepare pab_published, pab_exact, curtailed, sprt, mixture_e, dual_e, sequentialised, cluster_sign;
// audit_judges_means.cpp
Prepare single, average, t_paired, t_anytime, welch, cluster_t, peek_t;
// audit_judges_laws.cpp
Prepare wilcoxon, mann_whitney, brunner_munzel, bootstrap_mean, bca, aso, group_permutation;

struct WinCount {
  std::int64_t wins = 0, ties = 0, losses = 0;
};
inline WinCount count_wins(std::span<const double> differences, double tie) {
  WinCount count;
  for (const double d : differences) ++(d > tie ? count.wins : d < -tie ? count.losses : count.ties);
  return count;
}

/// Mean differences of the clusters of the cell; no more clusters than runs.
inline std::vector<double> cluster_differences(std::span<const double> differences, std::int64_t clusters) {
  const std::size_t n = differences.size();
  const auto count = std::min<std::int64_t>(clusters, static_cast<std::int64_t>(n));
  std::vector<double> sums(static_cast<std::size_t>(count), 0.0), runs(static_cast<std::size_t>(count), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    sums[cluster_of(i, n, count)] += differences[i];
    runs[cluster_of(i, n, count)] += 1.0;
  }
  for (std::size_t c = 0; c < sums.size(); ++c) sums[c] /= runs[c];
  return sums;
}

inline AuditAnswer answer(Status status, std::size_t pairs) {
  return {.status = status, .pairs = static_cast<std::int64_t>(pairs)};
}
inline AuditAnswer better_if(bool better, std::size_t pairs) {
  return answer(better ? Status::better : Status::inconclusive, pairs);
}

}  // namespace retrial::variance::inline audit::audit_judges
