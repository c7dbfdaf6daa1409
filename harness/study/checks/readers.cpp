#include "harness/study/checks/readers.hpp"

#include <algorithm>

#include "harness/study/checks/draft_checks.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

using workloads::Declaration, workloads::Parameter, workloads::Range;

/// Values that were not checked together may contradict each other; such values read nothing.
bool would_read(const Declaration& declaration, std::span<const Values> given, const Values& changes,
                const std::string& key) {
  return std::ranges::any_of(given, [&](Values values) {
    for (const auto& [name, value] : changes) values[name] = value;
    try {
      return draft_checks::contains(declaration.reads(values), key);
    } catch (const Error&) {
    } catch (const InvalidInput&) {
    }
    return false;
  });
}

/// A number that is neither the default nor a neutral 0 or 1, if the range has it.
std::vector<Value> other_number(const Parameter& parameter) {
  const auto* range = std::get_if<Range>(&parameter.allowed);
  const double middle = range != nullptr && range->high <= 1 ? (range->low + range->high) / 2 : 2;
  if (range != nullptr && (middle < range->low || middle > range->high)) return {};
  if (std::holds_alternative<double>(parameter.fallback)) return {middle};
  return {static_cast<std::int64_t>(middle)};
}

/// Values of a key to try: its choices, the other truth value, another number, the default.
std::vector<Value> candidates(const Parameter& parameter) {
  std::vector<Value> out;
  if (const auto* choices = std::get_if<std::vector<std::string>>(&parameter.allowed))
    for (const std::string& choice : *choices) out.emplace_back(choice);
  else if (const auto* flag = std::get_if<bool>(&parameter.fallback))
    out = {!*flag, *flag};
  else if (!std::holds_alternative<std::string>(parameter.fallback))
    out = other_number(parameter);
  else
    out = {parameter.fallback};
  return out;
}

/// "method = at, cc", or "noise_images other than 0"; empty: no other value of this key alone makes a reader.
std::string values_with_reader(const Declaration& declaration, const Parameter& parameter,
                               std::span<const Values> given, const std::string& key) {
  std::vector<std::string> found;
  for (const Value& value : candidates(parameter))
    if (would_read(declaration, given, {{parameter.name, value}}, key)) found.push_back(results::text_of(value));
  if (found.empty()) return "";
  const bool number =
      std::holds_alternative<double>(parameter.fallback) || std::holds_alternative<std::int64_t>(parameter.fallback);
  return number ? parameter.name + " other than " + results::text_of(given.front().at(parameter.name))
                : parameter.name + " = " + results::joined(found);
}

}  // namespace

std::string readers_text(const Declaration& declaration, std::span<const Values> given, const std::string& key) {
  std::vector<std::string> presets, keys;
  for (const auto& variant : declaration.variants)
    if (would_read(declaration, given, variant.preset, key)) presets.push_back(variant.name);
  if (!presets.empty()) return "read by " + results::joined(presets) + "; ";
  for (const Parameter& parameter : declaration.parameters)
    if (std::string with = values_with_reader(declaration, parameter, given, key); !with.empty())
      keys.push_back(std::move(with));
  return keys.empty() ? "" : "read with " + results::joined(keys, ", or with ") + "; ";
}

}  // namespace retrial::harness::inline study::inline checks
