#include "variance/sources/source_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/components/component_parts.hpp"
#include "variance/numbers/check.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"
#include "variance/sources/source_share_parts.hpp"

namespace retrial::variance::inline sources {

namespace share_parts {

void check(const SharesOptions& options) {
  require_between("alpha", options.alpha, 0.0, 1.0);
  require_at_least("resamples", options.resamples, 0);
}

void set_quantiles(Estimate& estimate, const std::vector<double>& drawn, const SharesOptions& options,
                   const char* method) {
  estimate.level = 1.0 - options.alpha;
  estimate.method = method;
  if (drawn.empty()) return;
  estimate.low = *sample_quantile(drawn, options.alpha / 2.0);
  estimate.high = *sample_quantile(drawn, 1.0 - options.alpha / 2.0);
}

namespace {

/// A variance whose share has an interval from 0: Satterthwaite's approximation needs one that is well above it.
bool is_near_zero(const SourceContribution& row) {
  return row.variance.low && row.share.low && *row.share.low == 0.0;
}

}  // namespace

void warn_of_coverage(SourceShares& shares, const SharesOptions& options, std::int64_t fewest, bool pivotal) {
  constexpr std::int64_t enough_draws = 20;
  const std::string remedy = pivotal ? "; with --ci pivotal 95 %" : "";
  if (options.intervals == ShareIntervals::bootstrap && fewest <= enough_draws)
    shares.warnings.push_back(
        "bootstrap intervals of a variance are too narrow where a source has few draws: those of level 95 % cover 83 % "
        "with 5 draws, 90 % with 10, 93 % with 20" +
        remedy);
  if (options.intervals != ShareIntervals::satterthwaite) return;
  std::string names;
  for (const auto& row : shares.sources)
    if (is_near_zero(row)) names += (names.empty() ? "" : ", ") + row.source;
  if (!names.empty())
    shares.warnings.push_back(
        "Satterthwaite's interval of a variance that is small relative to the rest covers too rarely (of " + names +
        " here): at level 95 %, 60 % of the time where 5 draws have a fifth of the noise's sd" + remedy);
}

double chi_squared(Stream& draws, double df) {
  if (df > 1000.0) {
    const double part = 2.0 / (9.0 * df), root = 1.0 - part + normal(draws.next()) * std::sqrt(part);
    return df * root * root * root;
  }
  const auto whole = static_cast<std::int64_t>(std::llround(df));
  double sum = 0.0;
  for (std::int64_t i = 0; i < whole / 2; ++i) sum += 2.0 * exponential(draws.next());
  return whole % 2 == 0 ? sum : sum + 2.0 * gamma_half(draws.next());
}

}  // namespace share_parts

namespace {

using share_parts::check, share_parts::chi_squared, share_parts::set_quantiles;

using component_parts::MeanSquare;

/// Components as linear combinations of independent mean squares. The last rows may be "interaction" and "noise".
struct Model {
  std::vector<MeanSquare> squares;
  std::vector<SourceContribution> rows;      ///< named, with their runs
  std::vector<std::vector<double>> weights;  ///< [row][square]
  std::optional<std::vector<double>>
      total_weights;  ///< weights of the total; absent: the sum of the components above 0
};

double combined(const std::vector<double>& weights, const std::vector<double>& squares) {
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * squares[i];
  return sum;
}

double total_share(const Model& model, const std::vector<double>& squares) {
  if (model.total_weights) return std::max(0.0, combined(*model.total_weights, squares));
  double sum = 0.0;
  for (const auto& weights : model.weights) sum += std::max(0.0, combined(weights, squares));
  return sum;
}

struct SharesDrawn {
  std::vector<std::vector<double>> variances, shares;  ///< [row][resample]
};

SharesDrawn draw_shares(const Model& model, const SharesOptions& options) {
  SharesDrawn out;
  out.variances.assign(model.rows.size(), {});
  out.shares.assign(model.rows.size(), {});
  const auto key = derive(options.key, "bootstrap");
  std::vector<double> squares(model.squares.size());
  for (std::int64_t r = 0; r < options.resamples; ++r) {
    for (std::size_t i = 0; i < squares.size(); ++i) {
      const auto [value, df] = model.squares[i];
      Stream draws(derive(key, std::uint64_t{i}), static_cast<std::uint64_t>(r));
      const double chi = chi_squared(draws, df);
      squares[i] = options.intervals == ShareIntervals::bootstrap ? value * chi / df : value * df / chi;
    }
    const double total = total_share(model, squares);
    for (std::size_t row = 0; row < model.rows.size(); ++row) {
      const double component = std::max(0.0, combined(model.weights[row], squares));
      out.variances[row].push_back(component);
      out.shares[row].push_back(total > 0.0 ? component / total : 0.0);
    }
  }
  return out;
}

/// Adds the numerical noise as a mean square that is subtracted from `from`, the components that contain it.
void add_noise(Model& model, const Noise& noise, const std::vector<std::size_t>& from) {
  if (!noise || noise->bit_identical) return;
  model.squares.push_back({noise->variance.point, static_cast<double>(noise->runs) - 1.0});
  for (std::size_t row = 0; row < model.weights.size(); ++row)
    model.weights[row].push_back(std::count(from.begin(), from.end(), row) > 0 ? -1.0 : 0.0);
  std::vector<double> own(model.squares.size(), 0.0);
  own.back() = 1.0;
  model.rows.push_back({.source = "noise", .runs = noise->runs});
  model.weights.push_back(std::move(own));
  if (model.total_weights) model.total_weights->push_back(0.0);
}

void sort_into(SourceShares& out, SourceContribution row) {
  if (row.source == "interaction")
    out.interaction = std::move(row);
  else if (row.source == "noise")
    out.noise = std::move(row);
  else
    out.sources.push_back(std::move(row));
}

SourceShares solved(Model model, const SharesOptions& options, std::string method, std::int64_t runs) {
  std::vector<double> values;
  for (const auto& square : model.squares) values.push_back(square.value);
  SourceShares out{.method = std::move(method), .runs = runs, .total = total_share(model, values)};
  const bool bootstrap = options.intervals == ShareIntervals::bootstrap;
  const SharesDrawn drawn = draw_shares(model, options);
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    SourceContribution row = model.rows[i];
    row.raw = combined(model.weights[i], values);
    row.raw_share = out.total > 0.0 ? row.raw / out.total : 0.0;
    Component component{.source = row.source, .variance = {}, .raw = row.raw};
    double spread = 0.0;
    for (std::size_t j = 0; j < values.size(); ++j)
      spread += model.weights[i][j] * model.weights[i][j] * 2.0 * values[j] * values[j] / model.squares[j].df;
    component_parts::set_interval(component, spread, options.alpha);
    row.variance = component.variance;
    const char* const drawn_by = bootstrap ? "bootstrap of mean squares" : "generalised pivotal";
    if (options.intervals != ShareIntervals::satterthwaite)
      set_quantiles(row.variance, drawn.variances[i], options, drawn_by);
    row.share.point = std::max(0.0, row.raw_share);
    set_quantiles(row.share, drawn.shares[i], options, drawn_by);
    sort_into(out, std::move(row));
  }
  double fewest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < out.sources.size(); ++i) fewest = std::min(fewest, model.squares[i].df + 1.0);
  share_parts::warn_of_coverage(out, options, static_cast<std::int64_t>(fewest), true);
  return out;
}

double variance_of(std::span<const double> values, const char* field) {
  require_at_least(field, static_cast<std::int64_t>(values.size()), 2);
  require_finite(field, values);
  return *sample_variance(values);
}

}  // namespace

SourceShares one_at_a_time_shares(const std::vector<std::string>& names, const Clusters& alone,
                                  std::span<const double> together, const Noise& noise, const SharesOptions& options) {
  check(options);
  if (alone.size() != names.size() || names.empty())
    throw InvalidInput("sources", std::to_string(names.size()), "at least one, with a list of runs each");
  Model model;
  const std::size_t width = names.size() + 1;
  std::int64_t runs = static_cast<std::int64_t>(together.size());
  std::vector<std::size_t> all;
  for (std::size_t s = 0; s < names.size(); ++s) {
    const double df = static_cast<double>(alone[s].size()) - 1.0;
    model.squares.push_back({variance_of(alone[s], names[s].c_str()), df});
    model.rows.push_back({.source = names[s], .runs = static_cast<std::int64_t>(alone[s].size())});
    model.weights.emplace_back(width, 0.0);
    model.weights.back()[s] = 1.0;
    runs += static_cast<std::int64_t>(alone[s].size());
    all.push_back(s);
  }
  model.squares.push_back({variance_of(together, "together"), static_cast<double>(together.size()) - 1.0});
  model.total_weights = std::vector<double>(width, 0.0);
  model.total_weights->back() = 1.0;
  if (names.size() > 1) {
    model.rows.push_back({.source = "interaction", .runs = static_cast<std::int64_t>(together.size())});
    model.weights.emplace_back(width, -1.0);
    model.weights.back().back() = 1.0;
  }
  add_noise(model, noise, all);
  // Each source's own mean square contains the noise once, and so does the total: S - 1 are added back.
  if (names.size() > 1 && noise && !noise->bit_identical)
    model.weights[names.size()].back() = static_cast<double>(names.size()) - 1.0;
  SourceShares out = solved(std::move(model), options, "one source at a time", runs);
  if (names.size() > 1)
    out.warnings.push_back(
        "one source at a time: where sources interact, the shares depend on the one base seed and need not add up to "
        "100 %");
  return out;
}

SourceShares crossed_shares(const std::vector<std::string>& names, const std::vector<std::vector<double>>& cells,
                            const Noise& noise, const SharesOptions& options) {
  check(options);
  if (names.size() != 2) throw InvalidInput("sources", std::to_string(names.size()), "2");
  std::vector<std::vector<std::vector<double>>> single(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const double cell : cells[i]) single[i].push_back({cell});
  const Crossed table = crossed(single, names[0], names[1], options.alpha);
  const double r = static_cast<double>(table.rows), c = static_cast<double>(table.columns);
  double rest = table.components[2].raw;  // its own mean square, since every cell holds one run
  double largest = 0.0;
  for (const auto& row : cells)
    for (const double cell : row) largest = std::max(largest, std::fabs(cell));
  // The remainder of an additive table is rounding, not interaction.
  const double rounding = 16.0 * std::numeric_limits<double>::epsilon() * largest;
  if (rest <= rounding * rounding) rest = 0.0;
  Model model;
  model.squares = {{table.components[0].raw * c + rest, r - 1.0},
                   {table.components[1].raw * r + rest, c - 1.0},
                   {rest, (r - 1.0) * (c - 1.0)}};
  const std::int64_t runs = table.rows * table.columns;
  model.rows = {
      {.source = names[0], .runs = runs}, {.source = names[1], .runs = runs}, {.source = "interaction", .runs = runs}};
  model.weights = {{1.0 / c, 0.0, -1.0 / c}, {0.0, 1.0 / r, -1.0 / r}, {0.0, 0.0, 1.0}};
  add_noise(model, noise, {2});
  SourceShares out = solved(std::move(model), options, "crossed", runs);
  if (!noise) out.warnings.push_back("no replicate has every seed frozen, so interaction includes the numerical noise");
  return out;
}

SourceShares nested_shares(const std::string& outer, const std::string& inner, const Clusters& clusters,
                           const Noise& noise, const SharesOptions& options) {
  check(options);
  const OneWay table = oneway(clusters, options.alpha);
  require_at_least("clusters", table.clusters, 2);
  if (!table.msw) throw InvalidInput("runs", "1 in every cluster", "at least two in one cluster");
  const double r = static_cast<double>(table.clusters), n = static_cast<double>(table.runs);
  Model model;
  model.squares = {{*table.msb, r - 1.0}, {*table.msw, n - r}};
  model.rows = {{.source = outer, .runs = table.runs}, {.source = inner, .runs = table.runs}};
  model.weights = {{1.0 / table.k0, -1.0 / table.k0}, {0.0, 1.0}};
  add_noise(model, noise, {1});
  SourceShares out = solved(std::move(model), options, "nested", table.runs);
  if (!std::ranges::all_of(clusters, [&](const auto& c) { return c.size() == clusters.front().size(); }))
    out.warnings.push_back("clusters of unequal size: intervals are approximate");
  return out;
}

double worth_when_held(const SourceShares& shares, std::span<const std::size_t> held, std::int64_t k) {
  require_at_least("k", k, 1);
  double fixed = 0.0;
  for (const auto place : held) fixed += shares.sources.at(place).share.point;
  fixed = std::min(1.0, fixed);
  return 1.0 / (fixed + (1.0 - fixed) / static_cast<double>(k));
}

std::vector<Step> order_of_purchase(const SourceShares& shares, std::int64_t k) {
  std::vector<std::size_t> held(shares.sources.size());
  for (std::size_t i = 0; i < held.size(); ++i) held[i] = i;
  // The largest share gains most at every step; equal shares in the order given.
  std::stable_sort(held.begin(), held.end(), [&](std::size_t a, std::size_t b) {
    return shares.sources[a].share.point > shares.sources[b].share.point;
  });
  std::vector<Step> out;
  while (!held.empty()) {
    const auto next = held.front();
    held.erase(held.begin());
    out.push_back({.source = shares.sources[next].source, .worth = worth_when_held(shares, held, k)});
  }
  return out;
}

}  // namespace retrial::variance::inline sources
