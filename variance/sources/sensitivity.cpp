#include "variance/sources/sensitivity.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "variance/numbers/check.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline sources {
namespace {

using ScoreSpan = std::span<const double>;
using ScoreRows = std::vector<std::size_t>;

struct Raw {
  std::vector<double> first, total;
};

/// Variance and mean of all U and V of the rows chosen.
std::vector<double> base_scores(ScoreSpan scores, std::size_t width, const ScoreRows& rows) {
  std::vector<double> base;
  for (const auto row : rows) {
    base.push_back(scores[row * width]);
    base.push_back(scores[row * width + 1]);
  }
  return base;
}

Raw raw_shares(ScoreSpan scores, std::size_t sources, const ScoreRows& rows) {
  const std::size_t width = sources + 2;
  const auto base = base_scores(scores, width, rows);
  const double center = *mean(base), variance = *sample_variance(base), n = static_cast<double>(rows.size());
  Raw raw{.first = std::vector<double>(sources, 0.0), .total = std::vector<double>(sources, 0.0)};
  if (variance == 0.0) return raw;
  for (std::size_t s = 0; s < sources; ++s) {
    for (const auto row : rows) {
      const double u = scores[row * width], v = scores[row * width + 1], change = scores[row * width + 2 + s] - u;
      raw.first[s] += (v - center) * change;
      raw.total[s] += change * change;
    }
    raw.first[s] /= n * variance;
    raw.total[s] /= 2.0 * n * variance;
  }
  return raw;
}

ScoreRows drawn_rows(std::size_t count, Stream draws) {
  ScoreRows rows(count);
  for (auto& row : rows) row = bounded(draws.next(), count);
  return rows;
}

Raw resampled_shares(ScoreSpan scores, std::size_t sources, std::size_t count, const ShareOptions& options,
                     std::int64_t r) {
  return raw_shares(scores, sources,
                    drawn_rows(count, Stream(derive(options.key, "bootstrap"), static_cast<std::uint64_t>(r))));
}

/// Number of rows of the design.
std::size_t checked_rows(ScoreSpan scores, std::uint32_t sources, const ShareOptions& options) {
  require_at_least("sources", sources, 1);
  require_between("alpha", options.alpha, 0.0, 1.0);
  require_at_least("resamples", options.resamples, 0);
  require_finite("scores", scores);
  const std::size_t width = sources + 2;
  if (scores.size() % width != 0)
    throw InvalidInput("scores", std::to_string(scores.size()), "a multiple of sources + 2, " + std::to_string(width));
  require_at_least("rows", static_cast<std::int64_t>(scores.size() / width), 2);
  return scores.size() / width;
}

void set_share_interval(Estimate& estimate, const std::vector<double>& drawn, const ShareOptions& options) {
  estimate.level = 1.0 - options.alpha;
  estimate.method = "bootstrap over rows";
  if (drawn.empty()) return;
  estimate.low = std::max(0.0, *sample_quantile(drawn, options.alpha / 2.0));
  estimate.high = std::max(0.0, *sample_quantile(drawn, 1.0 - options.alpha / 2.0));
}

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// Pairs of neighbors of a permutation; empty if a pair is matched already.
std::vector<Pair> try_matching(const std::vector<std::uint32_t>& order, const std::set<Pair>& taken) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < order.size(); i += 2) {
    const Pair pair = std::minmax(order[i], order[i + 1]);
    if (taken.contains(pair)) return {};
    pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

SeedDesign saltelli_design(std::uint32_t rows, std::uint32_t sources) {
  require_at_least("rows", rows, 2);
  require_at_least("sources", sources, 1);
  SeedDesign design;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::vector<std::uint32_t> u(sources, 2 * row), v(sources, 2 * row + 1);
    design.push_back(u);
    design.push_back(v);
    for (std::uint32_t s = 0; s < sources; ++s) {
      design.push_back(u);
      design.back()[s] = v[s];
    }
  }
  return design;
}

std::vector<double> saltelli_rests(ScoreSpan scores, std::uint32_t sources, const ShareOptions& options) {
  const std::size_t count = checked_rows(scores, sources, options);
  std::vector<double> rests;
  for (std::int64_t r = 0; r < options.resamples; ++r) {
    double rest = 1.0;
    for (const double share : resampled_shares(scores, sources, count, options, r).first) rest -= share;
    rests.push_back(rest);
  }
  return rests;
}

std::vector<SourceShare> saltelli_estimate(ScoreSpan scores, std::uint32_t sources, const ShareOptions& options) {
  const std::size_t count = checked_rows(scores, sources, options);
  ScoreRows all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  const Raw raw = raw_shares(scores, sources, all);
  std::vector<std::vector<double>> first(sources), total(sources);
  for (std::int64_t r = 0; r < options.resamples; ++r) {
    const Raw once = resampled_shares(scores, sources, count, options, r);
    for (std::size_t s = 0; s < sources; ++s) {
      first[s].push_back(once.first[s]);
      total[s].push_back(once.total[s]);
    }
  }
  std::vector<SourceShare> result(sources);
  for (std::size_t s = 0; s < sources; ++s) {
    result[s].raw_first = raw.first[s];
    result[s].raw_total = raw.total[s];
    result[s].first.point = std::max(0.0, raw.first[s]);
    result[s].total.point = std::max(0.0, raw.total[s]);
    set_share_interval(result[s].first, first[s], options);
    set_share_interval(result[s].total, total[s], options);
  }
  return result;
}

SeedDesign matched_design(std::uint32_t runs, std::uint32_t sources, std::uint64_t key) {
  require_at_least("sources", sources, 1);
  require_at_least("runs", runs, std::int64_t{sources} + 2);
  if (runs % 2 != 0) throw InvalidInput("runs", std::to_string(runs), "even numbers");
  constexpr std::uint64_t max_redraws = 10'000;
  SeedDesign design(runs, std::vector<std::uint32_t>(sources, 0));
  std::set<Pair> taken;
  for (std::uint32_t s = 0; s < sources; ++s) {
    std::vector<Pair> pairs;
    for (std::uint64_t redraw = 0; pairs.empty() && redraw < max_redraws; ++redraw)
      pairs = try_matching(permutation(derive(key, std::uint64_t{s}), runs, redraw), taken);
    if (pairs.empty()) throw InvalidInput("runs", std::to_string(runs), "more runs for this number of sources");
    taken.insert(pairs.begin(), pairs.end());
    for (std::uint32_t p = 0; p < pairs.size(); ++p) design[pairs[p].first][s] = design[pairs[p].second][s] = p;
  }
  return design;
}

std::vector<double> matched_estimate(ScoreSpan scores, const SeedDesign& design) {
  require_finite("scores", scores);
  require_at_least("runs", static_cast<std::int64_t>(design.size()), 2);
  if (scores.size() != design.size())
    throw InvalidInput("scores", std::to_string(scores.size()), "as many as runs of the design");
  const double center = *mean(scores), variance = *sample_variance(scores);
  std::vector<double> shares(design.front().size(), 0.0);
  for (std::size_t s = 0; s < shares.size() && variance > 0.0; ++s) {
    std::map<std::uint32_t, double> first;  // first run of a pair, by its seed
    double sum = 0.0;
    std::int64_t pairs = 0;
    for (std::size_t run = 0; run < scores.size(); ++run) {
      const auto [place, fresh] = first.emplace(design[run][s], scores[run] - center);
      if (fresh) continue;
      sum += place->second * (scores[run] - center);
      ++pairs;
    }
    if (pairs > 0) shares[s] = sum / (static_cast<double>(pairs) * variance);
  }
  return shares;
}

}  // namespace retrial::variance::inline sources
