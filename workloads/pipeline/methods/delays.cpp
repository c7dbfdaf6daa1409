#include "workloads/pipeline/methods/delays.hpp"

#include <string>

#include "variance/numbers/error.hpp"
#include "workloads/pipeline/methods/names.hpp"

namespace retrial::pipeline::inline methods {
namespace {

constexpr std::int64_t most_stages = 512, longest_delay = 4096;

constexpr Named<DelayModel> models[] = {{DelayModel::none, "none"},
                                        {DelayModel::pb, "pb"},
                                        {DelayModel::one_f_one_b, "one_f_one_b"},
                                        {DelayModel::uniform, "uniform"},
                                        {DelayModel::custom, "custom"}};

std::string listed(std::span<const std::int64_t> values) {
  std::string text;
  for (const std::int64_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

}  // namespace

DelayModel delay_model_named(std::string_view name) {
  return value_named(models, "delay", name);
}

std::string delay_list_problem(std::int64_t stages, std::span<const std::int64_t> custom) {
  if (std::ssize(custom) != stages)
    return "has " + std::to_string(custom.size()) + " elements for stages = " + std::to_string(stages);
  for (std::size_t i = 0; i < custom.size(); ++i) {
    if (custom[i] < 0 || custom[i] > longest_delay)
      return "element " + std::to_string(i) + " is not from 0 to " + std::to_string(longest_delay);
    if (i > 0 && custom[i] > custom[i - 1])
      return "element " + std::to_string(i) + " is larger than element " + std::to_string(i - 1) +
             "; delays must not increase towards the output";
  }
  return "";
}

std::vector<std::int64_t> delays(DelayModel model, std::int64_t stages, std::int64_t uniform,
                                 std::span<const std::int64_t> custom) {
  if (stages < 1 || stages > most_stages)
    throw InvalidInput("stages", std::to_string(stages), "1 to " + std::to_string(most_stages));
  if (model == DelayModel::custom) {
    if (const std::string problem = delay_list_problem(stages, custom); !problem.empty())
      throw InvalidInput("custom", listed(custom), "one delay per stage; " + problem);
    return {custom.begin(), custom.end()};
  }
  if (model == DelayModel::uniform && (uniform < 0 || uniform > longest_delay))
    throw InvalidInput("uniform", std::to_string(uniform), "0 to " + std::to_string(longest_delay));
  std::vector<std::int64_t> made(static_cast<std::size_t>(stages), model == DelayModel::uniform ? uniform : 0);
  const std::int64_t per_stage = model == DelayModel::pb ? 2 : model == DelayModel::one_f_one_b ? 1 : 0;
  for (std::int64_t s = 0; per_stage > 0 && s < stages; ++s)
    made[static_cast<std::size_t>(s)] = per_stage * (stages - 1 - s);
  return made;
}

}  // namespace retrial::pipeline::inline methods
