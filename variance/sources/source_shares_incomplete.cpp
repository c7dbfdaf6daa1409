#include <algorithm>
#include <set>

#include "variance/components/reml.hpp"
#include "variance/numbers/check.hpp"
#include "variance/sources/source_share_parts.hpp"

namespace retrial::variance::inline sources {
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

std::size_t count_levels(const Factor& factor) {
  return std::set<std::uint32_t>(factor.level.begin(), factor.level.end()).size();
}

/// One value per row: sources in their order, interaction, and noise if it is known.
using SourceRows = std::vector<double>;

/// Every cell contains the noise once: the rest of the interaction excludes it.
SourceRows rows_of(SourceRows components, const std::optional<double>& noise) {
  if (!noise) return components;
  components.back() -= *noise;
  components.push_back(*noise);
  return components;
}

struct RemlDrawn {
  std::vector<std::vector<double>> variances, shares;  ///< [row][replicate]
};

/// The noise is drawn from the distribution of its own estimate, along with each table simulated from the fit.
RemlDrawn draw_components(const Reml& fit, const std::vector<Factor>& factors, const Noise& noise,
                          const SharesOptions& options) {
  const auto tables = reml_replicates(fit, factors, options.key, options.resamples);
  const auto key = derive(derive(options.key, "bootstrap"), "noise");
  RemlDrawn out;
  out.variances.resize(noise ? 4 : 3);
  out.shares.resize(out.variances.size());
  for (std::size_t r = 0; r < static_cast<std::size_t>(options.resamples); ++r) {
    SourceRows components;
    for (const auto& drawn : tables) components.push_back(drawn[r]);
    std::optional<double> own;
    if (noise) {
      Stream draws(key, r);
      const double df = static_cast<double>(noise->runs) - 1.0;
      own = noise->variance.point * share_parts::chi_squared(draws, df) / df;
    }
    const SourceRows rows = rows_of(components, own);
    double total = 0.0;
    for (const double component : components) total += component;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      out.variances[i].push_back(std::max(0.0, rows[i]));
      out.shares[i].push_back(total > 0.0 ? std::clamp(rows[i] / total, 0.0, 1.0) : 0.0);
    }
  }
  return out;
}

SourceContribution contribution(const std::string& source, std::int64_t runs, double raw, double total) {
  SourceContribution row{.source = source, .runs = runs, .raw = raw};
  row.raw_share = total > 0.0 ? raw / total : 0.0;
  row.share.point = std::max(0.0, row.raw_share);
  row.variance.point = std::max(0.0, raw);
  return row;
}

}  // namespace

SourceShares incomplete_crossed_shares(const std::vector<std::string>& names, const Cells& cells, const Noise& noise,
                                       const SharesOptions& options) {
  share_parts::check(options);
  if (names.size() != 2) throw InvalidInput("sources", std::to_string(names.size()), "2");
  if (options.intervals == ShareIntervals::pivotal)
    throw InvalidInput("intervals", "pivotal", "satterthwaite or bootstrap: a table with holes has no mean squares");
  const Runs runs = runs_of(names, cells);
  const std::size_t rows = count_levels(runs.factors[0]), columns = count_levels(runs.factors[1]);
  if (rows < 2 || columns < 2 || runs.scores.size() <= rows + columns)
    throw InvalidInput("cells", std::to_string(runs.scores.size()) + " with a score",
                       "two rows, two columns, and more scores than both together");
  const Reml fit = reml(runs.scores, runs.factors, options.alpha);
  const auto count = static_cast<std::int64_t>(runs.scores.size());
  const Noise known = noise && !noise->bit_identical ? noise : std::nullopt;
  SourceShares out{.method = "crossed, restricted maximum likelihood", .runs = count};
  SourceRows components;
  for (const Component& component : fit.components) {
    components.push_back(component.variance.point);
    out.total += components.back();
  }
  const SourceRows raw = rows_of(components, known ? std::optional(known->variance.point) : std::nullopt);
  const RemlDrawn drawn = draw_components(fit, runs.factors, known, options);
  const bool bootstrap = options.intervals == ShareIntervals::bootstrap;
  const std::vector<std::string> titles{names[0], names[1], "interaction", "noise"};
  for (std::size_t i = 0; i < raw.size(); ++i) {
    SourceContribution row = contribution(titles[i], i == 3 ? known->runs : count, raw[i], out.total);
    const bool fitted = i < 2 || (i == 2 && !known);
    if (fitted && !bootstrap)
      row.variance = fit.components[i].variance;
    else if (i == 3 && !bootstrap)
      row.variance = known->variance;
    else
      share_parts::set_quantiles(row.variance, drawn.variances[i], options, "parametric bootstrap");
    share_parts::set_quantiles(row.share, drawn.shares[i], options, "parametric bootstrap");
    if (i < 2)
      out.sources.push_back(std::move(row));
    else
      (i == 2 ? out.interaction : out.noise) = std::move(row);
  }
  std::size_t all = 0;
  for (const auto& row : cells) all += row.size();
  out.warnings.push_back(std::to_string(all - runs.scores.size()) + " of " + std::to_string(all) +
                         " cells have no score: components by restricted maximum likelihood");
  share_parts::warn_of_coverage(out, options, static_cast<std::int64_t>(std::min(rows, columns)), false);
  if (!noise) out.warnings.push_back("no replicate has every seed frozen, so interaction includes the numerical noise");
  return out;
}

}  // namespace retrial::variance::inline sources
