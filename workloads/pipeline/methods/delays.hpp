#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace retrial::pipeline::inline methods {

/// Updates of a stage between the forward of a sample and its backward. Stage 0 is at the input.
///
///     none          0 at every stage: a sample passes through the whole network before the next enters
///     pb            2 (S - 1 - s): one forward and one backward per stage and tick (Kosson et al., arXiv 2003.11666)
///     one_f_one_b   S - 1 - s: forwards and backwards take turns (PipeDream)
///     uniform       one value: the whole network lags behind by that many updates
///     custom        given, never larger than at the stage before
enum class DelayModel { none, pb, one_f_one_b, uniform, custom };

/// The model of this name; throws InvalidInput naming those that exist.
[[nodiscard]] DelayModel delay_model_named(std::string_view name);

/// The defect of a list of delays for this number of stages, in words; empty for a valid list.
[[nodiscard]] std::string delay_list_problem(std::int64_t stages, std::span<const std::int64_t> custom);

/// The delay of each stage, in updates of that stage. `uniform` is read by the model of that name (0 to 4096), `custom`
/// by its own: one value >= 0 per stage, none larger than the one before, else a pipeline could never start. Throws
/// InvalidInput for stages outside 1 to 512 and for lists of another form.
[[nodiscard]] std::vector<std::int64_t> delays(DelayModel model, std::int64_t stages, std::int64_t uniform = 1,
                                               std::span<const std::int64_t> custom = {});

}  // namespace retrial::pipeline::inline methods
