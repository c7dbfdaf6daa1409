#include "workloads/nn/shape/residual.hpp"

#include <re2/re2.h>

#include "results/text/text.hpp"

namespace retrial::nn::inline shape {
namespace {

using Block = Residual::Block;
using Shortcut = Residual::Shortcut;

constexpr int deepest = 1202;  // the deepest network of the ResNet paper
constexpr std::int64_t widest_stage = 4096;

/// The options after a colon: "w=8", "norelu", or both in this order.
struct Options {
  std::int64_t width = 16;
  bool relu = true, scaled = false;
};

/// Three stages of n blocks, depth 6n + `rest`; nothing if the depth does not have that form.
std::optional<Residual> three_stages(int depth, int rest, std::int64_t width) {
  const int n = (depth - rest) / 6;
  if (n < 1 || depth != 6 * n + rest || depth > deepest) return std::nullopt;
  return Residual{.stem = width, .widths = {width, 2 * width, 4 * width}, .blocks = {n, n, n}, .depth = depth};
}

std::optional<Residual> small(int depth, char kind, const Options& options) {
  auto net = three_stages(depth, 2, options.width);
  if (!net) return net;
  if (kind == 'a') net->shortcut = Shortcut::pad;
  if (kind == 's') {
    net->stem = 4 * options.width;
    net->window = 4;
  }
  net->closing_relu = options.relu;
  return net;
}

/// resnet8x4 and its like: a stem of 32, stages of 64, 128 and 256.
std::optional<Residual> times_four(int depth, const Options& options) {
  auto net = three_stages(depth, 2, 64);
  if (!net || options.scaled) return std::nullopt;
  net->stem = 32;
  net->closing_relu = options.relu;
  return net;
}

std::optional<Residual> four_stages(int depth, const Options& options) {
  struct Row {
    int depth;
    std::vector<int> blocks;
    Block block;
  };
  static const std::vector<Row> rows{{10, {1, 1, 1, 1}, Block::basic},        {18, {2, 2, 2, 2}, Block::basic},
                                     {34, {3, 4, 6, 3}, Block::basic},        {50, {3, 4, 6, 3}, Block::bottleneck},
                                     {101, {3, 4, 23, 3}, Block::bottleneck}, {152, {3, 8, 36, 3}, Block::bottleneck}};
  for (const Row& row : rows)
    if (row.depth == depth && !options.scaled)
      return Residual{.stem = 64,
                      .widths = {64, 128, 256, 512},
                      .blocks = row.blocks,
                      .block = row.block,
                      .closing_relu = options.relu,
                      .depth = depth};
  return std::nullopt;
}

std::optional<Residual> wide(int depth, std::int64_t factor) {
  auto net = three_stages(depth, 4, 16 * factor);
  if (!net || 16 * factor > widest_stage) return std::nullopt;
  net->stem = 16;
  net->block = Block::wide;
  return net;
}

/// A number without sign, blank or leading zero, at most `max`.
std::optional<int> number(const std::string& text, std::int64_t max) {
  const auto value = results::parse_int(text);
  if (text.empty() || text[0] == '0' || !value || *value < 1 || *value > max) return std::nullopt;
  return static_cast<int>(*value);
}

}  // namespace

std::vector<Unit> units_of(const Residual& net) {
  std::vector<Unit> units;
  std::int64_t in = net.stem;
  for (std::size_t stage = 0; stage < net.widths.size(); ++stage) {
    for (int b = 0; b < net.blocks[stage]; ++b) {
      Unit unit{.name = "stage" + std::to_string(stage + 1) + "." + std::to_string(b),
                .in = in,
                .width = net.widths[stage],
                .out = net.out(stage),
                .stride = stage > 0 && b == 0 ? 2 : 1,
                .last = b + 1 == net.blocks[stage]};
      // A wide block halves the map only if it widens it, so width alone decides in both families.
      unit.projects = net.shortcut == Shortcut::project && (unit.in != unit.out || unit.stride != 1);
      unit.zeros_before = net.zeros_before.empty() ? (unit.out - unit.in) / 2 : net.zeros_before[units.size()];
      in = unit.out;
      units.push_back(std::move(unit));
    }
  }
  return units;
}

std::optional<std::string> without_closing_relu(const std::string& name) {
  if (name.ends_with("norelu")) return parse_residual(name) ? std::optional(name) : std::nullopt;
  const std::string longer = name + (name.find(':') == std::string::npos ? ":norelu" : ",norelu");
  return parse_residual(longer) ? std::optional(longer) : std::nullopt;
}

std::optional<Residual> parse_residual(const std::string& name) {
  static const re2::RE2 resnet("resnet([0-9]+)(a|b|s|x4|x)(?::(w=([0-9]+)(?:,norelu)?|norelu))?"),
      wrn("wrn-([0-9]+)-([0-9]+)");
  std::string depth, kind, options, width;
  if (re2::RE2::FullMatch(name, wrn, &depth, &width)) {
    const auto layers = number(depth, deepest), factor = number(width, widest_stage);
    return layers && factor ? wide(*layers, *factor) : std::nullopt;
  }
  if (!re2::RE2::FullMatch(name, resnet, &depth, &kind, &options, &width)) return std::nullopt;
  const auto layers = number(depth, deepest), scale = number(width.empty() ? "16" : width, widest_stage);
  if (!layers || !scale || width == "16") return std::nullopt;  // resnet8b:w=16 is resnet8b: one name for one network
  const Options found{.width = *scale, .relu = !options.ends_with("norelu"), .scaled = !width.empty()};
  if (kind == "x") return four_stages(*layers, found);
  if (kind == "x4") return times_four(*layers, found);
  return small(*layers, kind[0], found);
}

}  // namespace retrial::nn::inline shape
