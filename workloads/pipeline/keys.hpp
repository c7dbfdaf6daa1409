#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/interface/declaration.hpp"
#include "workloads/pipeline/arithmetic/network.hpp"
#include "workloads/pipeline/methods/method.hpp"

namespace retrial::pipeline {

inline const std::string workload_name = "pipeline";

inline constexpr std::int64_t study_stages = 12;

enum class Executor { tick, threads_fixed, threads_free };

[[nodiscard]] std::vector<workloads::Parameter> parameters();
[[nodiscard]] std::vector<std::string> reads(const Values& values);
[[nodiscard]] std::vector<workloads::Problem> validate(const Values& values);
/// The same without the keys about data.
[[nodiscard]] std::vector<workloads::Parameter> own_parameters();
[[nodiscard]] std::vector<std::string> own_keys_read(const Values& values);
/// What is wrong with the method that the keys name, whatever its data and the code of its stages.
[[nodiscard]] std::vector<workloads::Problem> method_problems(const Values& values);

[[nodiscard]] bool has_images(const Values& values);
/// Stages of the network: the key of that name, or those of the network for images.
[[nodiscard]] std::int64_t stages_of(const Values& values);
[[nodiscard]] Executor executor_of(const Values& values);
[[nodiscard]] bool is_threaded(const Values& values);
/// Samples of an update: batch times micro-batches, those of a semantics that reads them.
[[nodiscard]] std::int64_t samples_per_update(const Values& values);
/// The rates of the keys, scaled to the samples of an update unless `scale_rates` is false; Adam and Muon never.
[[nodiscard]] Rates scaled_rates(const Values& values);
/// The method under valid keys. `max_samples` > 0 cuts the run.
[[nodiscard]] Method method_from(const Values& values, std::int64_t max_samples = 0);
[[nodiscard]] Network network_from(const Values& values);

/// "0=1,4096=0.1" as steps of the rate, "constant" as none; nothing if it is neither, or indices do not increase.
[[nodiscard]] std::optional<std::vector<RateStep>> parsed_schedule(const std::string& text);
/// "6,4,2,0"; nothing if an item is not a whole number.
[[nodiscard]] std::optional<std::vector<std::int64_t>> parsed_delays(const std::string& text);

}  // namespace retrial::pipeline
