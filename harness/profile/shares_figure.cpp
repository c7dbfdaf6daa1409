#include <algorithm>
#include <array>

#include "harness/profile/profile_page.hpp"
#include "harness/profile/shares.hpp"
#include "results/report/drawing/numbers.hpp"

namespace retrial::harness::inline profile {
namespace {

/// As many variants as can be told apart; all are in the table.
struct Style {
  report::Colour colour;
  report::Shape shape;
};
constexpr std::array styles{
    Style{report::Colour::blue, report::Shape::circle}, Style{report::Colour::vermillion, report::Shape::triangle},
    Style{report::Colour::green, report::Shape::square}, Style{report::Colour::black, report::Shape::diamond}};

/// Operations of all variants, the longest of the first variant first.
std::vector<std::string> operations_of(const std::vector<Shares>& shares) {
  std::vector<std::string> out;
  for (const Shares& each : shares)
    for (const Share& share : each.operations)
      if (std::ranges::find(out, share.operation) == out.end()) out.push_back(share.operation);
  return out;
}

}  // namespace

report::Figure shares_figure(const std::vector<ProfiledVariant>& variants) {
  std::vector<Shares> shares;
  for (const ProfiledVariant& variant : variants) shares.push_back(shares_of(variant));
  const auto operations = operations_of(shares);
  const auto rows = static_cast<double>(operations.size());
  const std::size_t shown = std::min(variants.size(), styles.size());
  const auto pairs = static_cast<std::int64_t>(variants.front().full.size());
  report::Figure out{
      .title = "Share of the time by operation (" + report::counted(pairs, "pair") + ")",
      .description =
          "Symbols are means over pairs, without the cost of profiling where it was calibrated; bars are 95 "
          "% intervals (t)." +
          std::string(shown < variants.size() ? " The first four variants are drawn." : ""),
      .plot = {.x = {.label = "share of the time (%)", .low = 0, .high = 101, .tics = {}},
               .y = {.label = "", .low = .3, .high = rows + .7, .tics = {}},
               .series = {},
               .height = 110 + 34 * static_cast<int>(operations.size())},
      .data = {.columns = {"variant", "operation", report::right("share (%)"), "95 % interval (%)"}}};
  for (std::size_t row = 0; row < operations.size(); ++row)
    out.plot.y.tics.push_back({rows - static_cast<double>(row), operations[row]});
  for (std::size_t v = 0; v < variants.size(); ++v) {
    report::Series series{.label = variants[v].name, .draw = report::Draw::interval};
    for (const Share& share : shares[v].operations) {
      const auto row = static_cast<double>(std::ranges::find(operations, share.operation) - operations.begin());
      const double place = v < shown ? .6 * (static_cast<double>(v) + .5) / static_cast<double>(shown) - .3 : 0;
      series.points.push_back({.x = share.share.point,
                               .y = rows - row - place,
                               .low = std::max(0.0, share.share.low.value_or(share.share.point)),
                               .high = std::min(100.0, share.share.high.value_or(share.share.point))});
      out.data.rows.push_back({variants[v].name, share.operation, report::short_text(share.share.point),
                               report::interval_text(share.share)});
    }
    if (v >= shown) continue;
    series.colour = styles[v].colour;
    series.shape = styles[v].shape;
    out.plot.series.push_back(std::move(series));
  }
  return out;
}

}  // namespace retrial::harness::inline profile
