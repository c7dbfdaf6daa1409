#include "determinism/operators/call.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "results/text/text.hpp"

namespace retrial::determinism::inline operators {
namespace {

using Lengths = std::map<std::int64_t, std::int64_t>;  // former to new

constexpr std::int64_t grain = 32'768, longest_tail = 17, max_elements = 1 << 18;
// With the other lengths of the call: no vector, less than one, one and a half and two of 8, and narrow.
constexpr std::array<std::int64_t, 6> beside_others{1, 3, 7, 10, 13, 17};

template <typename Document>
std::vector<Document*> tensors_in(Document& call) {
  std::vector<Document*> out;
  for (auto& argument : call.at("arguments")) {
    if (argument.contains("tensor")) out.push_back(&argument);
    if (!argument.contains("tensors")) continue;
    for (auto& element : argument.at("tensors"))
      if (!element.is_null()) out.push_back(&element);
  }
  return out;
}

std::int64_t product(const Json& lengths) {
  std::int64_t count = 1;
  for (const auto& length : lengths) count *= length.get<std::int64_t>();
  return count;
}

/// Dense strides of the new sizes, in the order of the former ones. A stride of 0 repeats one element and stays.
std::vector<std::int64_t> dense(const std::vector<std::int64_t>& former, const std::vector<std::int64_t>& sizes) {
  std::vector<std::size_t> order(former.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return former[a] != former[b] ? former[a] < former[b] : a > b; });
  std::vector<std::int64_t> strides(former.size());
  std::int64_t next = 1;
  for (const auto dimension : order) {
    if (former[dimension] == 0) continue;
    strides[dimension] = next;
    next *= std::max<std::int64_t>(sizes[dimension], 1);
  }
  return strides;
}

std::int64_t changed(std::int64_t length, const Lengths& by) {
  const auto found = by.find(length);
  return found == by.end() ? length : found->second;
}

/// Integers may be indices into any of the lengths.
void keep_below(Json& tensor, const Lengths& by) {
  if (!holds_integers(tensor) || !tensor.contains("high")) return;
  auto high = tensor.at("high").get<std::int64_t>();
  for (const auto& [former, now] : by)
    if (now < former) high = std::min(high, now - 1);
  tensor["high"] = high;
  tensor["low"] = std::min(tensor.at("low").get<std::int64_t>(), high);
}

void change_tensor(Json& tensor, const Lengths& by) {
  auto sizes = tensor.at("sizes").get<std::vector<std::int64_t>>();
  for (auto& length : sizes) length = changed(length, by);
  tensor["strides"] = dense(tensor.at("strides").get<std::vector<std::int64_t>>(), sizes);
  tensor["sizes"] = sizes;
  keep_below(tensor, by);
}

Call with_lengths(Call call, const Lengths& by) {
  for (Json* tensor : tensors_of(call)) change_tensor(*tensor, by);
  for (Json& argument : call.at("arguments"))
    if (argument.contains("lengths"))
      for (Json& length : argument.at("lengths")) length = changed(length.get<std::int64_t>(), by);
  return call;
}

/// Odd, and enough for more than `grain` elements in the largest tensor that has the length.
std::int64_t above_grain(const Call& call, std::int64_t length) {
  std::int64_t beside = 1;
  for (const Json* tensor : tensors_of(call))
    if (const auto& sizes = tensor->at("sizes"); std::find(sizes.begin(), sizes.end(), length) != sizes.end())
      beside = std::max(beside, product(sizes) / length);
  return (grain / beside + 1) | 1;
}

/// 0, 1, -0.5 and 2 are not.
bool is_odd(const Json& number) {
  const double eighths = 8 * results::double_from_hex(number.get<std::string>()).value();
  return std::isfinite(eighths) && eighths != std::trunc(eighths);
}

}  // namespace

std::string operator_of(const Call& call) {
  return call.at("operator").get<std::string>();
}

std::vector<Json*> tensors_of(Call& call) {
  return tensors_in(call);
}

std::vector<const Json*> tensors_of(const Call& call) {
  return tensors_in(call);
}

bool holds_integers(const Json& tensor) {
  const auto dtype = tensor.at("tensor").get<std::string>();
  return dtype == "Long" || dtype == "Int" || dtype == "Short" || dtype == "Char" || dtype == "Byte";
}

std::int64_t elements_of(const Call& call) {
  std::int64_t count = 0;
  for (const Json* tensor : tensors_of(call)) count += product(tensor->at("sizes"));
  for (const Json& argument : call.at("arguments"))
    if (argument.contains("lengths")) count += product(argument.at("lengths"));
  return count;
}

std::string kind_of(const Call& call) {
  Call kind = call;
  for (Json* tensor : tensors_of(kind)) {
    (*tensor)["rank"] = tensor->at("sizes").size();
    for (const char* key : {"sizes", "strides", "low", "high"}) tensor->erase(key);
  }
  for (Json& argument : kind.at("arguments"))
    if (argument.contains("lengths"))
      argument = "lengths";
    else if (argument.contains("double") && is_odd(argument.at("double")))
      argument = "double";
  return kind.dump();
}

std::vector<std::int64_t> free_lengths(const Call& call) {
  const auto& arguments = call.at("arguments");
  const bool window =
      std::any_of(arguments.begin(), arguments.end(), [](const Json& one) { return one.contains("window"); });
  constexpr std::size_t of_images = 2;  // rows, channels, then height and width
  std::set<std::int64_t> found, fixed{0, 1};
  for (const Json* tensor : tensors_of(call)) {
    const auto sizes = tensor->at("sizes").get<std::vector<std::int64_t>>();
    for (std::size_t i = 0; i < sizes.size(); ++i) (window && i >= of_images ? fixed : found).insert(sizes[i]);
  }
  std::vector<std::int64_t> out;
  std::ranges::set_difference(found, fixed, std::back_inserter(out));
  return out;
}

std::vector<Call> odd_shapes(const Call& call) {
  const auto lengths = free_lengths(call);
  std::set<Call> found;
  const auto add = [&](const Lengths& by) {
    Call changed_call = with_lengths(call, by);
    if (elements_of(changed_call) <= max_elements) found.insert(std::move(changed_call));
  };
  for (const auto length : lengths) {
    Lengths alone;
    for (const auto other : lengths) alone[other] = 1;
    for (std::int64_t tail = 1; tail <= longest_tail; ++tail) {
      alone[length] = tail;
      add(alone);
    }
    for (const auto beside : beside_others) add({{length, beside}});
    if (length != lengths.front() && length != lengths.back()) continue;
    alone[length] = grain + 11;  // one vector of 8 and a tail of 3 above the grain
    add(alone);
    add({{length, above_grain(call, length)}});
  }
  found.erase(call);
  return {found.begin(), found.end()};
}

}  // namespace retrial::determinism::inline operators
