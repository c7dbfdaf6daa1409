#include "determinism/operators/cases.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace retrial::determinism::inline operators {
namespace {

using Calls = std::vector<Call>;

constexpr std::size_t met_per_kind = 6, met_kinds = 12;
constexpr std::int64_t max_per_case = 1 << 18;

/// Evenly spaced, with both ends.
template <typename T>
std::vector<T> spread(const std::vector<T>& of, std::size_t count) {
  if (of.size() <= count) return of;
  std::vector<T> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(of[i * (of.size() - 1) / (count - 1)]);
  return out;
}

/// The calls of one operator by kind, the commonest kind first, each from the smallest to the largest.
std::vector<Calls> kinds_of(const Calls& calls) {
  std::map<std::string, Calls> by_kind;
  for (const Call& call : calls) by_kind[kind_of(call)].push_back(call);
  std::vector<Calls> out;
  for (auto& [_, kind] : by_kind) {
    std::ranges::stable_sort(kind, {}, elements_of);
    const auto small = std::ranges::upper_bound(kind, max_per_case, {}, elements_of);
    if (small != kind.begin()) kind.erase(small, kind.end());
    out.push_back(std::move(kind));
  }
  std::ranges::stable_sort(out, std::greater<>{}, &Calls::size);
  return out;
}

/// The smallest of those with most different lengths.
const Call& base_of(const Calls& kind) {
  return *std::ranges::max_element(kind, {}, [](const Call& call) { return free_lengths(call).size(); });
}

/// "Float"; empty for a call without a tensor.
std::string elements_type(const Call& call) {
  const auto tensors = tensors_of(call);
  return tensors.empty() ? "" : tensors[0]->at("tensor").get<std::string>();
}

void add_cases(const Calls& of_one_operator, std::vector<Case>& to) {
  auto kinds = kinds_of(of_one_operator);
  if (kinds.size() > met_kinds) kinds.resize(met_kinds);
  std::set<std::string> types;
  for (const Calls& kind : kinds) {
    for (Call& call : spread(kind, met_per_kind)) to.push_back({std::move(call)});
    if (!types.insert(elements_type(kind[0])).second) continue;
    for (Call& call : odd_shapes(base_of(kind))) to.push_back({std::move(call), true});
  }
}

}  // namespace

std::vector<Case> cases_of(const std::vector<Call>& recorded) {
  std::map<std::string, Calls> by_operator;
  for (const Call& call : recorded) by_operator[operator_of(call)].push_back(call);
  std::vector<Case> out;
  for (const auto& [_, calls] : by_operator) add_cases(calls, out);
  return out;
}

}  // namespace retrial::determinism::inline operators
