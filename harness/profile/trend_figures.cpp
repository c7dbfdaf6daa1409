#include "harness/profile/trend_figures.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "harness/profile/shares.hpp"
#include "results/report/drawing/numbers.hpp"
#include "results/text/value.hpp"

namespace retrial::harness::inline profile {
namespace {

constexpr std::size_t min_values = 3;
constexpr std::array line_colours{report::Colour::blue, report::Colour::vermillion, report::Colour::green,
                                  report::Colour::black};

std::optional<double> number_of(const Values& keys, const std::string& key) {
  const auto found = keys.find(key);
  if (found == keys.end()) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&found->second)) return *real;
  return std::nullopt;
}

/// Variants that differ in one key alone, by its value.
using Group = std::map<double, std::size_t>;

std::vector<Group> groups_along(const std::string& key, const std::vector<Values>& keys) {
  std::vector<std::pair<Values, Group>> found;
  for (std::size_t v = 0; v < keys.size(); ++v) {
    const auto value = number_of(keys[v], key);
    if (!value) continue;
    Values others = keys[v];
    others.erase(key);
    auto group = std::ranges::find(found, others, &std::pair<Values, Group>::first);
    if (group == found.end()) group = found.insert(found.end(), {others, {}});
    group->second.emplace(*value, v);
  }
  std::vector<Group> out;
  for (auto& [others, group] : found)
    if (group.size() >= min_values) out.push_back(std::move(group));
  return out;
}

struct Sweep {
  std::string key;
  std::vector<Group> groups;
  [[nodiscard]] std::size_t variants() const {
    std::size_t sum = 0;
    for (const Group& group : groups) sum += group.size();
    return sum;
  }
};

std::optional<Sweep> sweep_of(const std::vector<Values>& keys) {
  std::optional<Sweep> best;
  if (keys.empty()) return best;
  for (const auto& [key, value] : keys.front()) {
    Sweep sweep{key, groups_along(key, keys)};
    if (!sweep.groups.empty() && (!best || sweep.variants() > best->variants())) best = std::move(sweep);
  }
  return best;
}

using ShareOf = std::map<std::string, variance::Estimate>;

/// The operation whose share differs most within a group.
std::string moving_operation(const Sweep& sweep, const std::vector<ShareOf>& shares) {
  std::map<std::string, double> range;
  for (const Group& group : sweep.groups)
    for (const auto& [operation, share] : shares[group.begin()->second]) {
      double low = share.point, high = share.point;
      for (const auto& [value, v] : group)
        if (const auto found = shares[v].find(operation); found != shares[v].end()) {
          low = std::min(low, found->second.point);
          high = std::max(high, found->second.point);
        }
      range[operation] = std::max(range[operation], high - low);
    }
  return std::ranges::max_element(range, {}, &std::pair<const std::string, double>::second)->first;
}

/// One place for each value, in their order: values may lie decades apart, and one of them may be 0.
report::Axis axis_of_values(const Sweep& sweep) {
  std::map<double, double> places;
  for (const Group& group : sweep.groups)
    for (const auto& [value, v] : group) places[value] = 0;
  report::Axis axis{.label = sweep.key, .low = .7, .high = static_cast<double>(places.size()) + .3, .tics = {}};
  for (const auto& [value, place] : places)
    axis.tics.push_back({static_cast<double>(axis.tics.size() + 1), report::short_text(value, 6)});
  return axis;
}

}  // namespace

report::Figure transitions_figure(const std::vector<ProfiledVariant>& variants) {
  report::Series means{.label = "a variant", .colour = report::Colour::blue, .points = {}};
  report::Figure out{
      .title = "Time against changes of layer",
      .description =
          "Means over measured pairs: the time of runs with nothing recorded, and the changes of layer that "
          "the profiled runs made.",
      .plot = {},
      .data = {.columns = {"variant", report::right("changes of layer"), report::right("time (s)")}}};
  std::vector<double> xs{0}, ys{0};
  for (const ProfiledVariant& variant : variants) {
    const auto pairs = static_cast<double>(variant.full.size());
    double changes = 0, seconds = 0;
    for (const profiler::RunProfile& run : variant.full) changes += static_cast<double>(run.transitions) / pairs;
    for (const profiler::RunProfile& run : variant.off) seconds += static_cast<double>(run.region_ns) / 1e9 / pairs;
    means.points.push_back({.x = changes / 1000, .y = seconds});
    xs.push_back(changes / 1000);
    ys.push_back(seconds);
    out.data.rows.push_back({variant.name, report::short_text(changes), report::short_text(seconds)});
  }
  out.plot.x = report::axis_over("changes of layer in a run (thousands)", xs);
  out.plot.y = report::axis_over("time of the run (s)", ys);
  out.plot.series = {std::move(means)};
  return out;
}

std::optional<report::Figure> swept_figure(const std::vector<ProfiledVariant>& variants,
                                           const std::vector<Values>& keys) {
  const auto sweep = sweep_of(keys);
  if (!sweep) return std::nullopt;
  std::vector<ShareOf> shares(variants.size());
  for (std::size_t v = 0; v < variants.size(); ++v)
    for (const Share& share : shares_of(variants[v]).operations) shares[v].emplace(share.operation, share.share);
  const std::string operation = moving_operation(*sweep, shares);
  report::Figure out{
      .title = "Share of " + operation + " against " + sweep->key,
      .description =
          "Each line joins variants that differ in this key alone, and is named for the first of them. Values "
          "of the key are in their order, not to scale.",
      .plot = {.x = axis_of_values(*sweep),
               .y = {.label = "share of the time (%)", .low = 0, .high = 101, .tics = {}},
               .series = {}},
      .data = {.columns = {"variant", report::right(sweep->key), report::right("share (%)"), "95 % interval (%)"}}};
  for (std::size_t g = 0; g < sweep->groups.size(); ++g) {
    const Group& group = sweep->groups[g];
    report::Series line{.label = variants[group.begin()->second].name,
                        .draw = report::Draw::lines,
                        .colour = line_colours[g % line_colours.size()],
                        .points = {}};
    for (const auto& [value, v] : group) {
      const auto found = shares[v].find(operation);
      if (found == shares[v].end()) continue;
      const auto place = std::ranges::find(out.plot.x.tics, report::short_text(value, 6), &report::Tic::label);
      line.points.push_back({.x = place->at, .y = found->second.point});
      out.data.rows.push_back({variants[v].name, report::short_text(value, 6), report::short_text(found->second.point),
                               report::interval_text(found->second)});
    }
    if (g < line_colours.size()) out.plot.series.push_back(std::move(line));
  }
  if (sweep->groups.size() > line_colours.size()) out.description += " The first four are drawn.";
  return out;
}

}  // namespace retrial::harness::inline profile
