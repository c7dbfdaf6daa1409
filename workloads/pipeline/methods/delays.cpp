#include "workloads/pipeline/methods/delays.hpp"

#include <string>

#include "variance/numbers/error.hpp"
#include "workloads/pipeline/methods/names.hpp"

namespace retrial::pipeline::inline methods {
namespace {

constexpr std::int64_t max_delay_stages = 512, longest_delay = 4096;

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

std::vector<std::int64_t> checked_list(std::int64_t stages, std::span<const std::int64_t> custom) {
  const auto refuse = [&](const std::string& allowed) { throw InvalidInput("delay_list", listed(custom), allowed); };
  if (static_cast<std::int64_t>(custom.size()) != stages)
    refuse("one delay for each of " + std::to_string(stages) + " stages");
  for (std::size_t i = 0; i < custom.size(); ++i) {
    if (custom[i] < 0 || custom[i] > longest_delay) refuse("delays from 0 to " + std::to_string(longest_delay));
    if (i > 0 && custom[i] > custom[i - 1])
      refuse("element " + std::to_string(i) + " is larger than element " + std::to_string(i - 1) +
             "; delays must not increase towards the output");
  }
  return {custom.begin(), custom.end()};
}

}  // namespace

std::string_view name_of(DelayModel model) {
  return name_in(models, model);
}

DelayModel delay_model_named(std::string_view name) {
  return value_named(models, "delay", name);
}

std::vector<std::int64_t> delays(DelayModel model, std::int64_t stages, std::int64_t uniform,
                                 std::span<const std::int64_t> custom) {
  if (stages < 1 || stages > max_delay_stages)
    throw InvalidInput("stages", std::to_string(stages), "1 to " + std::to_string(max_delay_stages));
  if (model == DelayModel::custom) return checked_list(stages, custom);
  if (model == DelayModel::uniform && (uniform < 0 || uniform > longest_delay))
    throw InvalidInput("uniform_delay", std::to_string(uniform), "0 to " + std::to_string(longest_delay));
  std::vector<std::int64_t> made(static_cast<std::size_t>(stages), model == DelayModel::uniform ? uniform : 0);
  const std::int64_t per_stage = model == DelayModel::pb ? 2 : model == DelayModel::one_f_one_b ? 1 : 0;
  for (std::int64_t s = 0; per_stage > 0 && s < stages; ++s)
    made[static_cast<std::size_t>(s)] = per_stage * (stages - 1 - s);
  return made;
}

std::vector<std::int64_t> in_flight_caps(std::span<const std::int64_t> delays) {
  std::vector<std::int64_t> caps;
  for (const std::int64_t delay : delays) caps.push_back(delay + 1);
  return caps;
}

}  // namespace retrial::pipeline::inline methods
