#include <algorithm>
#include <map>

#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"
#include "variance/sources/source_share_parts.hpp"

namespace retrial::variance::inline sources {
namespace {

using share_parts::check, share_parts::set_quantiles;

/// A variance from a share, its interval scaled with it.
void set_variance(SourceContribution& row, double total) {
  row.raw = row.raw_share * total;
  row.variance = row.share;
  row.variance.point *= total;
  if (row.variance.low) *row.variance.low *= total;
  if (row.variance.high) *row.variance.high *= total;
}

/// Adds the variance that no source explains alone, and the noise. `rests`: 1 - the shares of the sources in each
/// resample; their noise is taken as known.
void add_rest(SourceShares& out, std::vector<double> rests, const Noise& noise, const SharesOptions& options,
              const char* method) {
  const double noise_share = noise && out.total > 0.0 ? noise->variance.point / out.total : 0.0;
  SourceContribution rest{.source = "interaction", .runs = out.runs};
  rest.raw_share = out.total > 0.0 ? 1.0 - noise_share : 0.0;
  for (const auto& row : out.sources) rest.raw_share -= row.raw_share;
  rest.share.point = std::max(0.0, rest.raw_share);
  for (double& drawn : rests) drawn = out.total > 0.0 ? std::max(0.0, drawn - noise_share) : 0.0;
  set_quantiles(rest.share, rests, options, method);
  set_variance(rest, out.total);
  out.interaction = std::move(rest);
  if (!noise || noise->bit_identical) return;
  SourceContribution own{.source = "noise", .runs = noise->runs, .raw = noise->variance.point};
  own.variance = noise->variance;
  own.raw_share = noise_share;
  own.share = {.point = noise_share, .level = 1.0 - options.alpha, .method = "of the stratum"};
  out.noise = std::move(own);
}

std::vector<double> every_base_run(std::span<const double> scores, std::size_t width) {
  std::vector<double> out;
  for (std::size_t row = 0; row + width <= scores.size(); row += width) {
    out.push_back(scores[row]);
    out.push_back(scores[row + 1]);
  }
  return out;
}

/// Products of the centered scores of each pair that shares the seed of source s.
std::vector<double> products_of(std::span<const double> scores, const SeedDesign& design, std::size_t s,
                                double center) {
  std::map<std::uint32_t, double> first;
  std::vector<double> out;
  for (std::size_t run = 0; run < scores.size(); ++run) {
    const auto [place, fresh] = first.emplace(design[run][s], scores[run] - center);
    if (!fresh) out.push_back(place->second * (scores[run] - center));
  }
  return out;
}

std::vector<double> resampled_means(const std::vector<double>& values, std::uint64_t key, std::int64_t resamples) {
  std::vector<double> out;
  for (std::int64_t r = 0; r < resamples && !values.empty(); ++r) {
    Stream draws(key, static_cast<std::uint64_t>(r));
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[bounded(draws.next(), values.size())];
    out.push_back(sum / static_cast<double>(values.size()));
  }
  return out;
}

}  // namespace

SourceShares saltelli_shares(const std::vector<std::string>& names, std::span<const double> scores, const Noise& noise,
                             const SharesOptions& options) {
  check(options);
  const auto sources = static_cast<std::uint32_t>(names.size());
  const ShareOptions how{.alpha = options.alpha, .resamples = options.resamples, .key = options.key};
  const auto estimated = saltelli_estimate(scores, sources, how);
  SourceShares out{.method = "Saltelli", .runs = static_cast<std::int64_t>(scores.size())};
  out.total = *sample_variance(every_base_run(scores, names.size() + 2));
  for (std::size_t s = 0; s < names.size(); ++s) {
    SourceContribution row{.source = names[s], .runs = out.runs};
    row.raw_share = estimated[s].raw_first;
    row.share = estimated[s].first;
    row.total_share = estimated[s].total;
    set_variance(row, out.total);
    out.sources.push_back(std::move(row));
  }
  add_rest(out, saltelli_rests(scores, sources, how), noise, options, "bootstrap over rows");
  return out;
}

SourceShares matched_shares(const std::vector<std::string>& names, std::span<const double> scores,
                            const SeedDesign& design, const Noise& noise, const SharesOptions& options) {
  check(options);
  const auto raw = matched_estimate(scores, design);
  if (raw.size() != names.size())
    throw InvalidInput("sources", std::to_string(names.size()),
                       "as many as the design has, " + std::to_string(raw.size()));
  SourceShares out{.method = "matched", .runs = static_cast<std::int64_t>(scores.size())};
  out.total = *sample_variance(scores);
  const double center = *mean(scores);
  std::vector<double> rests(static_cast<std::size_t>(options.resamples), 1.0);
  for (std::size_t s = 0; s < names.size(); ++s) {
    const auto products = products_of(scores, design, s, center);
    SourceContribution row{.source = names[s], .runs = 2 * static_cast<std::int64_t>(products.size())};
    row.raw_share = raw[s];
    row.share.point = std::max(0.0, raw[s]);
    auto drawn =
        resampled_means(products, derive(derive(options.key, "bootstrap"), std::uint64_t{s}), options.resamples);
    for (std::size_t r = 0; r < drawn.size() && out.total > 0.0; ++r) rests[r] -= drawn[r] / out.total;
    for (double& mean : drawn) mean = out.total > 0.0 ? std::max(0.0, mean / out.total) : 0.0;
    set_quantiles(row.share, drawn, options, "bootstrap over pairs");
    set_variance(row, out.total);
    out.sources.push_back(std::move(row));
  }
  add_rest(out, std::move(rests), noise, options, "bootstrap over pairs");
  return out;
}

}  // namespace retrial::variance::inline sources
