#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace retrial::pipeline::inline methods {

/// Weights that the passes of a sample read. With a delay D a stage has made D updates between the forward of a sample
/// and its backward; every update lands on the weights of now.
///
///     name                 forward reads         backward reads
///     sequential           now                   now (there is no delay)
///     inconsistent         now                   now, with stored activations (pipelined backpropagation)
///     stashed              now                   the weights of its forward (PipeDream)
///     vertical_sync        D of stage 0 ago      the same version
///     recomputed           now                   now, with activations recomputed from the stored input
///     uniform_delay        D ago, everywhere     the same version
///     forward_delay_only   D ago, everywhere     now, with stored activations
///     drained              now                   now: all micro-batches of an update pass before it (GPipe)
enum class WeightSemantics {
  sequential,
  inconsistent,
  stashed,
  vertical_sync,
  recomputed,
  uniform_delay,
  forward_delay_only,
  drained
};

/// The rules of a weight semantics, as the engine reads them.
struct SemanticsRule {
  WeightSemantics value;
  std::string_view name;
  bool forward_lags = false;         ///< the forward reads a version that the whole network had some updates ago
  bool backward_as_forward = false;  ///< the backward reads the weights of its forward
  bool recomputes = false;
  bool drains = false;
  bool equal_weights = false;  ///< promised for both passes of a sample: what WeightGuard checks
};

[[nodiscard]] const SemanticsRule& rule_of(WeightSemantics semantics);
[[nodiscard]] WeightSemantics semantics_named(std::string_view name);
[[nodiscard]] std::vector<std::string> semantics_names();

/// The program of one stage under a semantics: forwards and backwards in one fixed order.
struct Program {
  std::int64_t delay = 0;         ///< forwards ahead of the backwards, in micro-batches
  std::int64_t microbatches = 1;  ///< micro-batches per update
  bool drains = false;            ///< all forwards of an update, then all its backwards
  std::int64_t total = 0;         ///< micro-batches of the run

  /// The pass after this many forwards and backwards: a backward, else a forward. Not defined beyond the end.
  [[nodiscard]] bool backward_is_next(std::int64_t forwards, std::int64_t backwards) const;
  /// Backwards before the forward of micro-batch `cut`; at the end all.
  [[nodiscard]] std::int64_t backwards_before(std::int64_t cut) const;
};

/// Programs of all stages. The delays are those of the pipeline; a network that lags as a whole has none in its
/// program.
[[nodiscard]] std::vector<Program> programs(WeightSemantics semantics, std::span<const std::int64_t> delays,
                                            std::int64_t microbatches, std::int64_t total);

}  // namespace retrial::pipeline::inline methods
