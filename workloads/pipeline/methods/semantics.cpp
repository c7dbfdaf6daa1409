#include "workloads/pipeline/methods/semantics.hpp"

#include <algorithm>

#include "workloads/pipeline/methods/names.hpp"

namespace retrial::pipeline::inline methods {
namespace {

using enum WeightSemantics;

constexpr SemanticsRule rules[] = {
    {.value = sequential, .name = "sequential", .equal_weights = true},
    {.value = inconsistent, .name = "inconsistent"},
    {.value = stashed, .name = "stashed", .backward_as_forward = true, .equal_weights = true},
    {.value = vertical_sync,
     .name = "vertical_sync",
     .forward_lags = true,
     .backward_as_forward = true,
     .equal_weights = true},
    {.value = recomputed, .name = "recomputed", .recomputes = true},
    {.value = uniform_delay,
     .name = "uniform_delay",
     .forward_lags = true,
     .backward_as_forward = true,
     .equal_weights = true},
    {.value = forward_delay_only, .name = "forward_delay_only", .forward_lags = true},
    {.value = drained, .name = "drained", .drains = true, .equal_weights = true},
};

}  // namespace

const SemanticsRule& rule_of(WeightSemantics semantics) {
  return *std::find_if(std::begin(rules), std::end(rules), [&](const auto& rule) { return rule.value == semantics; });
}

WeightSemantics semantics_named(std::string_view name) {
  return value_named(rules, "semantics", name);
}

std::vector<std::string> semantics_names() {
  return names_in(rules);
}

bool Program::backward_is_next(std::int64_t forwards, std::int64_t backwards) const {
  if (forwards == total) return true;
  if (drains) return forwards == std::min(total, (backwards / microbatches + 1) * microbatches);
  return forwards > backwards + delay;
}

std::int64_t Program::backwards_before(std::int64_t cut) const {
  if (cut >= total) return total;
  if (drains) return cut / microbatches * microbatches;
  return std::max(std::int64_t{0}, cut - delay);
}

std::vector<Program> programs(WeightSemantics semantics, std::span<const std::int64_t> delays,
                              std::int64_t microbatches, std::int64_t total) {
  const bool whole = semantics == uniform_delay || semantics == forward_delay_only;
  std::vector<Program> made;
  for (const std::int64_t delay : delays)
    made.push_back({.delay = whole ? 0 : delay,
                    .microbatches = microbatches,
                    .drains = rule_of(semantics).drains,
                    .total = total});
  return made;
}

}  // namespace retrial::pipeline::inline methods
