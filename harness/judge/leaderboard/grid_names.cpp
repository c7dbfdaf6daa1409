#include "harness/judge/leaderboard/grid_names.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "results/text/text.hpp"

namespace retrial::harness::inline judge::inline leaderboard {
namespace {

/// Key and value of each part; the key is empty in a part without '='.
using Parts = std::vector<std::pair<std::string, std::string>>;

Parts parts_of_name(const std::string& name) {
  Parts out;
  std::size_t from = 0;
  while (from <= name.size()) {
    const auto end = std::min(name.find(',', from), name.size());
    const std::string part = name.substr(from, end - from);
    const auto equals = part.find('=');
    if (equals == std::string::npos)
      out.emplace_back("", part);
    else
      out.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    from = end + 1;
  }
  return out;
}

/// Two or more keys, each once; only the first part may be without one.
bool may_be_cell(const Parts& parts) {
  if (parts.size() < 2) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if ((i > 0 && parts[i].first.empty()) || parts[i].second.empty()) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (parts[j].first == parts[i].first) return false;
  }
  return true;
}

bool same_keys(const Parts& a, const Parts& b) {
  return std::ranges::equal(a, b, {}, &Parts::value_type::first, &Parts::value_type::first);
}

void add_levels(const Parts& parts, std::vector<Factor>& factors) {
  for (std::size_t f = 0; f < parts.size(); ++f) {
    auto& levels = factors[f].levels;
    if (std::ranges::find(levels, parts[f].second) == levels.end()) levels.push_back(parts[f].second);
  }
}

std::vector<Parts> combinations(const std::vector<Factor>& factors) {
  std::vector<Parts> out{{}};
  for (const auto& factor : factors) {
    std::vector<Parts> next;
    for (const auto& begun : out)
      for (const auto& level : factor.levels) {
        next.push_back(begun);
        next.back().emplace_back(factor.name, level);
      }
    out = std::move(next);
  }
  return out;
}

}  // namespace

std::optional<NamedGrid> grid_of_names(const std::vector<std::string>& names, const std::string& reference) {
  const Parts first = parts_of_name(reference);
  if (!may_be_cell(first)) return {};
  NamedGrid out;
  for (const auto& part : first) out.factors.push_back({.name = part.first, .levels = {part.second}});
  std::map<Parts, std::string> cells;
  for (const auto& name : names) {
    const Parts parts = parts_of_name(name);
    if (!may_be_cell(parts) || !same_keys(parts, first) || !cells.emplace(parts, name).second) return {};
    add_levels(parts, out.factors);
  }
  std::size_t count = 1;
  for (const auto& factor : out.factors) {
    if (factor.levels.size() < 2) return {};
    count *= factor.levels.size();
  }
  if (count != cells.size()) return {};
  for (const auto& cell : combinations(out.factors)) {
    const auto found = cells.find(cell);
    if (found == cells.end()) return {};
    out.variants.push_back(found->second);
  }
  return out;
}

std::string grid_text(const NamedGrid& grid) {
  std::vector<std::string> keys;
  for (const auto& factor : grid.factors) keys.push_back(factor.title() + " (" + results::joined(factor.levels) + ")");
  return results::joined(keys, " x ");
}

}  // namespace retrial::harness::inline judge::inline leaderboard
