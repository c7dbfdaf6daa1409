#include <optional>

#include "variance/audit/audit_judges.hpp"
#include "variance/sequential/sequential_sign.hpp"
#include "variance/wins/decide.hpp"
#include "variance/wins/win.hpp"

namespace retrial::variance::inline audit::audit_judges {
namespace {

constexpr double tie_limit = 0.5;

Status published_status(const PairedWin& wins, const Levels& levels) {
  const Estimate interval = win_interval(wins, levels.alpha, WinMethod::percentile);
  if (!interval.low || *interval.low <= 0.5) return Status::inconclusive;
  return *interval.high <= required_gamma(levels) ? Status::not_meaningful : Status::better;
}

/// A table by (wins, ties) of all outcomes of n pairs; without ties only its first row is filled.
class PublishedTable {
 public:
  PublishedTable(std::int64_t n, bool ties, const Levels& levels) : levels_(levels), n_(n), ties_(ties) {
    for (std::int64_t t = 0; t <= (ties ? n : 0); ++t)
      for (std::int64_t w = 0; w <= n - t; ++w)
        rows_.push_back(published_status({.wins = w, .ties = t, .losses = n - t - w}, levels));
  }
  [[nodiscard]] Status operator()(const WinCount& c) const {
    if (!ties_ && c.ties > 0) return published_status({.wins = c.wins, .ties = c.ties, .losses = c.losses}, levels_);
    const std::int64_t before = c.ties * (n_ + 1) - c.ties * (c.ties - 1) / 2;
    return rows_[static_cast<std::size_t>(before + c.wins)];
  }

 private:
  Levels levels_;
  std::int64_t n_;
  bool ties_;
  std::vector<Status> rows_;
};

void count_one(WinCount& count, double difference, double tie) {
  ++(difference > tie ? count.wins : difference < -tie ? count.losses : count.ties);
}

AuditJudge stopped_by(SignPlan plan) {
  return [plan = std::move(plan)](const AuditData& data) {
    std::int64_t wins = 0, n = 0;
    for (std::size_t i = 0; i < data.differences.size(); ++i) {
      const double d = data.differences[i];
      if (d > data.tie) ++wins;
      if (d > data.tie || d < -data.tie) ++n;
      if (const auto status = plan.verdict(wins, n)) return answer(*status, i + 1);
    }
    return answer(Status::inconclusive, data.differences.size());
  };
}

}  // namespace

AuditJudge pab_published(const AuditCell& cell, const AuditSettings& s) {
  return [table = PublishedTable(cell.runs, cell.model == ScoreModel::binomial, s.levels)](const AuditData& data) {
    return answer(table(count_wins(data.differences, data.tie)), data.differences.size());
  };
}

AuditJudge pab_exact(const AuditCell& cell, const AuditSettings& s) {
  std::vector<FixedRule> rules;  // indexed by untied pairs
  for (std::int64_t n = 0; n <= cell.runs; ++n) rules.push_back(fixed_rule(n, s.levels));
  return [rules = std::move(rules)](const AuditData& data) {
    const WinCount count = count_wins(data.differences, data.tie);
    const auto pairs = data.differences.size();
    const std::int64_t untied = count.wins + count.losses;
    if (static_cast<double>(count.ties) > tie_limit * static_cast<double>(pairs)) return answer(Status::invalid, pairs);
    return answer(rules[static_cast<std::size_t>(untied)].verdict(count.wins), pairs);
  };
}

AuditJudge curtailed(const AuditCell& cell, const AuditSettings& s) {
  std::vector<FixedEnds> ends;  // indexed by the pairs that can still be untied
  for (std::int64_t n = 0; n <= cell.runs; ++n) ends.push_back(fixed_ends(n, s.levels));
  return [ends = std::move(ends), pairs = cell.runs](const AuditData& data) {
    WinCount count;
    for (std::size_t i = 0; i < data.differences.size(); ++i) {
      count_one(count, data.differences[i], data.tie);
      const auto& left = ends[static_cast<std::size_t>(pairs - count.ties)];
      if (const auto status = left.settled(count.wins, count.wins + count.losses)) return answer(*status, i + 1);
    }
    return answer(Status::inconclusive, data.differences.size());
  };
}

AuditJudge sprt(const AuditCell& cell, const AuditSettings& s) {
  return stopped_by(bounded_plan(SignFamily::sprt, cell.runs, s.levels));
}

AuditJudge mixture_e(const AuditCell& cell, const AuditSettings& s) {
  return stopped_by(bounded_plan(SignFamily::mixture_e, cell.runs, s.levels));
}

AuditJudge dual_e(const AuditCell& cell, const AuditSettings& s) {
  return stopped_by(bounded_plan(SignFamily::dual_e, cell.runs, s.levels));
}

/// Under equal variants, the probability that the fixed test will reject is 1 once its wins are reached, and 0 once
/// they are out of reach: neither needs conditional_rejection.
AuditJudge sequentialised(const AuditCell& cell, const AuditSettings& s) {
  std::vector<std::int64_t> critical;  // indexed by the pairs that can still be untied
  for (std::int64_t n = 0; n <= cell.runs; ++n) critical.push_back(critical_wins(n, s.levels.alpha).value_or(n + 1));
  return [critical = std::move(critical), pairs = cell.runs](const AuditData& data) {
    WinCount count;
    for (std::size_t i = 0; i < data.differences.size(); ++i) {
      count_one(count, data.differences[i], data.tie);
      const std::int64_t untied = pairs - count.ties, needed = critical[static_cast<std::size_t>(untied)];
      if (count.wins >= needed) return answer(Status::better, i + 1);
      if (count.losses > untied - needed) return answer(Status::inconclusive, i + 1);
    }
    return answer(Status::inconclusive, data.differences.size());
  };
}

AuditJudge cluster_sign(const AuditCell& cell, const AuditSettings& s) {
  std::vector<std::optional<std::int64_t>> critical;  // indexed by untied clusters
  for (std::int64_t n = 0; n <= cell.clusters; ++n) critical.push_back(critical_wins(n, s.levels.alpha));
  return [critical = std::move(critical), clusters = cell.clusters](const AuditData& data) {
    const std::size_t n = data.differences.size();
    const auto count = std::min<std::int64_t>(clusters, static_cast<std::int64_t>(n));
    if (count < 2) return answer(Status::invalid, n);
    std::vector<int> balance(static_cast<std::size_t>(count), 0);  // won minus lost pairs
    for (std::size_t i = 0; i < n; ++i) {
      const double d = data.differences[i];
      balance[cluster_of(i, n, count)] += d > data.tie ? 1 : d < -data.tie ? -1 : 0;
    }
    const std::int64_t won = std::ranges::count_if(balance, [](int b) { return b > 0; });
    const std::int64_t lost = std::ranges::count_if(balance, [](int b) { return b < 0; });
    const auto needed = critical[static_cast<std::size_t>(won + lost)];
    return better_if(needed && won >= *needed, n);
  };
}

}  // namespace retrial::variance::inline audit::audit_judges
