#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "harness/profile/profile_page.hpp"
#include "harness/profile/shares.hpp"
#include "results/report/drawing/numbers.hpp"

namespace retrial::harness::inline profile {
namespace {

/// As many operations as can be told apart; all are in the table.
struct Style {
  report::Colour colour;
  report::Shape shape;
};
constexpr std::array styles{
    Style{report::Colour::blue, report::Shape::circle}, Style{report::Colour::vermillion, report::Shape::triangle},
    Style{report::Colour::green, report::Shape::square}, Style{report::Colour::black, report::Shape::diamond}};

/// Operations of all variants, the largest sum of shares first.
std::vector<std::string> operations_of(const std::vector<Shares>& shares) {
  std::map<std::string, double> sums;
  for (const Shares& each : shares)
    for (const Share& share : each.operations) sums[share.operation] += share.share.point;
  std::vector<std::string> out;
  for (const auto& [operation, sum] : sums) out.push_back(operation);
  std::ranges::stable_sort(out, std::greater(), [&](const std::string& operation) { return sums.at(operation); });
  return out;
}

/// A row for each variant, the first one at the top.
report::Plot variant_rows(const std::vector<ProfiledVariant>& variants, report::Axis x) {
  const auto rows = static_cast<double>(variants.size());
  report::Plot out{.x = std::move(x),
                   .y = {.label = "", .low = .3, .high = rows + .7, .tics = {}},
                   .series = {},
                   .height = 110 + 34 * static_cast<int>(variants.size())};
  for (std::size_t v = 0; v < variants.size(); ++v)
    out.y.tics.push_back({rows - static_cast<double>(v), variants[v].name});
  return out;
}

std::string pairs_text(const std::vector<ProfiledVariant>& variants) {
  return " (" + report::counted(static_cast<std::int64_t>(variants.front().full.size()), "pair") + ")";
}

}  // namespace

report::Figure shares_figure(const std::vector<ProfiledVariant>& variants) {
  std::vector<Shares> shares;
  for (const ProfiledVariant& variant : variants) shares.push_back(shares_of(variant));
  const auto operations = operations_of(shares);
  const std::size_t shown = std::min(operations.size(), styles.size());
  report::Figure out{
      .title = "Share of the time by operation" + pairs_text(variants),
      .description =
          "Symbols are means over pairs, without the cost of profiling where it was calibrated; bars are 95 "
          "% intervals (t)." +
          std::string(shown < operations.size() ? " The four largest operations are drawn." : ""),
      .plot = variant_rows(variants, {.label = "share of the time (%)", .low = 0, .high = 101, .tics = {}}),
      .data = {.columns = {"variant", "operation", report::right("share (%)"), "95 % interval (%)"}}};
  for (std::size_t o = 0; o < shown; ++o)
    out.plot.series.push_back({.label = operations[o],
                               .draw = report::Draw::interval,
                               .colour = styles[o].colour,
                               .shape = styles[o].shape,
                               .points = {}});
  for (std::size_t v = 0; v < variants.size(); ++v)
    for (const Share& share : shares[v].operations) {
      out.data.rows.push_back({variants[v].name, share.operation, report::short_text(share.share.point),
                               report::interval_text(share.share)});
      const auto place = static_cast<std::size_t>(std::ranges::find(operations, share.operation) - operations.begin());
      if (place >= shown) continue;
      out.plot.series[place].points.push_back({.x = share.share.point,
                                               .y = out.plot.y.tics[v].at,
                                               .low = std::max(0.0, share.share.low.value_or(share.share.point)),
                                               .high = std::min(100.0, share.share.high.value_or(share.share.point))});
    }
  return out;
}

report::Figure bias_figure(const std::vector<ProfiledVariant>& variants) {
  report::Series pairs{
      .label = "a pair", .colour = report::Colour::grey, .shape = report::Shape::diamond, .points = {}},
      means{
          .label = "mean, 95 % interval", .draw = report::Draw::interval, .colour = report::Colour::blue, .points = {}};
  report::Figure out{
      .title = "Corrected against unprofiled time" + pairs_text(variants),
      .description =
          "A symbol for each measured pair; below it the mean of the variant, with an interval that draws "
          "calibration blocks and pairs again.",
      .plot = variant_rows(variants, {}),
      .data = {.columns = {"variant", report::right("slowed by (%)"), report::right("bias (%)"), "95 % interval (%)"}}};
  std::vector<double> xs{0};
  for (std::size_t v = 0; v < variants.size(); ++v) {
    const profiler::Validation& validation = variants[v].validation;
    const double y = out.plot.y.tics[v].at;
    for (const double bias : validation.biases) pairs.points.push_back({.x = bias, .y = y + .15});
    const double low = validation.bias_interval ? validation.bias_interval->low : validation.bias,
                 high = validation.bias_interval ? validation.bias_interval->high : validation.bias;
    means.points.push_back({.x = validation.bias, .y = y - .15, .low = low, .high = high});
    xs.insert(xs.end(), validation.biases.begin(), validation.biases.end());
    xs.insert(xs.end(), {low, high});
    out.data.rows.push_back(
        {variants[v].name, report::short_text(100 * (validation.slow_down - 1)), report::short_text(validation.bias),
         validation.bias_interval ? report::short_text(low) + " to " + report::short_text(high) : "none"});
  }
  out.plot.x = report::axis_over("bias of the corrected time (%)", xs);
  out.plot.series = {report::vertical("no bias", 0, out.plot.y, report::Dash::dashed), std::move(pairs),
                     std::move(means)};
  return out;
}

}  // namespace retrial::harness::inline profile
