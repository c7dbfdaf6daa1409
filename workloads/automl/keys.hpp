#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "workloads/automl/problems/data_problem.hpp"
#include "workloads/automl/problems/functions.hpp"
#include "workloads/automl/searchers/search.hpp"
#include "workloads/automl/searchers/walking/flow2.hpp"
#include "workloads/interface/declaration.hpp"

/// Keys of the workload, and what they say.
namespace retrial::automl {

inline constexpr const char* workload_name = "automl";

[[nodiscard]] std::vector<workloads::Parameter> parameters();
// Of a suite, keys and sources are those of any of its problems.
/// Keys that are read under these values.
[[nodiscard]] std::vector<std::string> reads(const Values& values);
[[nodiscard]] std::vector<std::string> honours(const Values& values);
[[nodiscard]] std::vector<workloads::Problem> validate(const Values& values);
[[nodiscard]] std::vector<workloads::Variant> variants();

// The functions below take the values of one problem.
/// The metrics of the outer test rows, the judged one first. Of a table whose task and metric are left open the file
/// tells; where it cannot be read here, "test_loss", which is recorded beside the metric of the task that is found.
[[nodiscard]] std::vector<results::MetricDef> test_metrics(const Values& values);

/// Read once per process and file.
[[nodiscard]] std::shared_ptr<const DataSet> data_of(const Values& values, const std::filesystem::path& folder);
[[nodiscard]] DataSettings data_settings(const Values& values);
[[nodiscard]] std::unique_ptr<BenchmarkProblem> function_problem(const Values& values,
                                                                 const std::filesystem::path& folder);
[[nodiscard]] SearchOptions search_options(const Values& values);
/// How each learner is sampled, in several ways if pairs of learner and sampler compete; walks begin at its cheapest
/// configuration.
[[nodiscard]] std::vector<MakeSampler> sampler_makers(const Values& values, const Problem& problem, std::uint64_t seed);
/// "tpe/v5" where a searcher has versions.
[[nodiscard]] std::string searcher_name(const Values& values);

}  // namespace retrial::automl
