#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "workloads/automl/problems/data_problem.hpp"
#include "workloads/automl/problems/functions.hpp"
#include "workloads/automl/searchers/flow2.hpp"
#include "workloads/automl/searchers/search.hpp"
#include "workloads/interface/declaration.hpp"

/// Keys of the workload, and what they say.
namespace retrial::automl {

inline constexpr const char* workload_name = "automl";

[[nodiscard]] std::vector<workloads::Parameter> parameters();
/// Keys that are read under these values.
[[nodiscard]] std::vector<std::string> reads(const Values& values);
[[nodiscard]] std::vector<std::string> honours(const Values& values);
[[nodiscard]] std::vector<workloads::Problem> validate(const Values& values);
[[nodiscard]] std::vector<workloads::Variant> variants();

/// The name of the test metric, and its direction: of a table whose task and metric are left open "test_loss".
[[nodiscard]] results::MetricDef test_metric(const Values& values);

[[nodiscard]] std::shared_ptr<const DataSet> data_of(const Values& values, const std::filesystem::path& folder);
[[nodiscard]] DataSettings data_settings(const Values& values);
[[nodiscard]] std::unique_ptr<FunctionProblem> function_problem(const Values& values);
[[nodiscard]] SearchOptions search_options(const Values& values);
/// How each learner is sampled, in several ways if pairs of learner and sampler compete; walks begin at its cheapest
/// configuration.
[[nodiscard]] std::vector<MakeSampler> sampler_makers(const Values& values, const Problem& problem, std::uint64_t seed);
/// "tpe/v5" where a searcher has versions.
[[nodiscard]] std::string searcher_name(const Values& values);

}  // namespace retrial::automl
