#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Rules on the health of a training and on its use of the machine. Names and limits follow the public catalogue of
/// Amazon SageMaker Debugger; where that samples a counter, ours measures the time.
namespace retrial::profiler::inline rules {

struct RuleText {
  std::string name, fires_when;
};

struct RuleResult {
  std::string rule;
  std::optional<bool> fired;  ///< nothing where it could not be evaluated
  std::string finding;        ///< value, limit, and what stands beside them
  bool operator==(const RuleResult&) const = default;
};

/// One place where a rule fired.
struct RuleHit {
  std::string rule;
  std::int64_t step = 0;  ///< gradient steps made
  std::string tensor;
  double value = 0, limit = 0;
  bool operator==(const RuleHit&) const = default;
};

/// What all rules say about one training.
struct Health {
  std::int64_t every = 0;         ///< gradient steps between captures
  std::uint64_t captures = 0;     ///< gradient steps that were looked at
  std::vector<RuleResult> rules;  ///< those that were asked
  std::vector<RuleHit> hits;      ///< the first of them
  std::uint64_t hits_left_out = 0;
};

}  // namespace retrial::profiler::inline rules
