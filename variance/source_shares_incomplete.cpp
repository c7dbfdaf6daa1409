#include <algorithm>
#include <set>

#include "variance/check.hpp"
#include "variance/reml.hpp"
#include "variance/source_share_parts.hpp"

namespace retrial::variance {
namespace {

using Cells = std::vector<std::vector<std::optional<double>>>;

struct Runs {
  std::vector<double> scores;
  std::vector<Factor> factors;
};

Runs runs_of(const std::vector<std::string>& names, const Cells& cells) {
  Runs runs{.factors = {{.source = names[0], .level = {}}, {.source = names[1], .level = {}}}};
  for (std::uint32_t i = 0; i < cells.size(); ++i)
    for (std::uint32_t j = 0; j < cells[i].size(); ++j) {
      if (!cells[i][j]) continue;
      runs.scores.push_back(*cells[i][j]);
      runs.factors[0].level.push_back(i);
      runs.factors[1].level.push_back(j);
    }
  return runs;
}

std::size_t levels_of(const Factor& factor) {
  return std::set<std::uint32_t>(factor.level.begin(), factor.level.end()).size();
}

SourceContribution contribution(const Component& component, const std::string& source, std::int64_t runs, double total,
                                const SharesOptions& options) {
  SourceContribution row{.source = source, .runs = runs, .raw = component.raw, .variance = component.variance};
  row.raw_share = total > 0.0 ? component.raw / total : 0.0;
  row.share = {.point = std::max(0.0, row.raw_share), .level = 1.0 - options.alpha, .method = "none: incomplete table"};
  return row;
}

/// The noise stands in every cell once: what is left is interaction.
void add_noise(SourceShares& out, const NoiseStratum& noise, const SharesOptions& options) {
  if (noise.bit_identical) return;
  SourceContribution& rest = *out.interaction;
  rest.raw -= noise.variance.point;
  rest.raw_share = out.total > 0.0 ? rest.raw / out.total : 0.0;
  rest.variance = {.point = std::max(0.0, rest.raw), .level = 1.0 - options.alpha, .method = "none: incomplete table"};
  rest.share.point = std::max(0.0, rest.raw_share);
  const Component own{.source = "noise", .variance = noise.variance, .raw = noise.variance.point};
  out.noise = contribution(own, "noise", noise.runs, out.total, options);
}

}  // namespace

SourceShares incomplete_crossed_shares(const std::vector<std::string>& names, const Cells& cells, const Noise& noise,
                                       const SharesOptions& options) {
  share_parts::check(options);
  if (names.size() != 2) throw InvalidInput("sources", std::to_string(names.size()), "2");
  const Runs runs = runs_of(names, cells);
  const std::size_t rows = levels_of(runs.factors[0]), columns = levels_of(runs.factors[1]);
  if (rows < 2 || columns < 2 || runs.scores.size() <= rows + columns)
    throw InvalidInput("cells", std::to_string(runs.scores.size()) + " with a score",
                       "two rows, two columns, and more scores than both together");
  const Reml fit = reml(runs.scores, runs.factors, options.alpha);
  const auto count = static_cast<std::int64_t>(runs.scores.size());
  SourceShares out{.method = "crossed, restricted maximum likelihood", .runs = count};
  for (const Component& component : fit.components) out.total += component.variance.point;
  for (std::size_t s = 0; s < 2; ++s)
    out.sources.push_back(contribution(fit.components[s], names[s], count, out.total, options));
  out.interaction = contribution(fit.components[2], "interaction", count, out.total, options);
  if (noise) add_noise(out, *noise, options);
  std::size_t all = 0;
  for (const auto& row : cells) all += row.size();
  out.warnings.push_back(std::to_string(all - runs.scores.size()) + " of " + std::to_string(all) +
                         " cells have no score: components by restricted maximum likelihood, shares without intervals");
  if (!noise)
    out.warnings.push_back("no replicate has every seed frozen, so interaction holds the numerical noise too");
  return out;
}

}  // namespace retrial::variance
