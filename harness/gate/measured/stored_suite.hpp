#pragma once

#include <map>

#include "harness/gate/measured/planned_suite.hpp"
#include "harness/stored/fact_filter.hpp"
#include "results/record/manifest_split.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline gate::inline measured {

/// The first `pairs` pairs of a suite as its store holds them.
[[nodiscard]] GateSuite stored_suite(const results::Store& store, const PlannedSuite& suite, std::int64_t pairs);

/// One benchmark that a gate has run into a store.
struct StoredBench {
  results::Digest study{};
  std::vector<std::string> variants;
  std::string baseline, candidate;          ///< names of the sides; of one variant, its name twice
  Json design;                              ///< of its gate
  std::vector<results::MetricDef> metrics;  ///< what it judged
};
/// The studies of a gate, in the order of the names of their benchmarks.
[[nodiscard]] std::vector<results::Digest> gate_studies(const results::Store& store);
/// By the names that verdicts have; of two studies with one name the later.
[[nodiscard]] std::map<std::string, StoredBench> stored_benches(const results::Store& store);
/// Error{integrity} of this code where the store, which the user calls `file`, has no benchmark of a gate.
void demand_gate(const results::Store& store, const std::string& file, const char* code);

/// These metrics and those that the programs of a stored gate found, as far as they are asked for.
[[nodiscard]] std::vector<results::MetricDef> with_found(std::vector<results::MetricDef> metrics,
                                                         const results::Store& store,
                                                         const std::vector<std::string>& asked);

/// Puts the trials of one variant of each benchmark on a side of the claims, joined by the names of benchmarks and
/// metrics. A benchmark that the claims lack joins them: it is missing, or new.
void put_stored_side(GateSuite& suite, std::size_t side, const results::Store& store,
                     const std::vector<results::MetricDef>& metrics);

/// A store of a gate that the user names, and which of its trials are meant: benchmark, variant, pair.
struct GivenStore {
  results::Store store;
  std::string option;  ///< that named it
  FactFilter where = {};
};
/// Error{usage} where the expression asks for a variant and does not fit one alone; Error{incomparable} where it fits
/// no trial.
void put_stored_side(GateSuite& suite, std::size_t side, const GivenStore& given,
                     const std::vector<results::MetricDef>& metrics);

/// The same of the variant with this name, in every benchmark that has it.
void put_stored_variant(GateSuite& suite, std::size_t side, const results::Store& store,
                        const std::vector<results::MetricDef>& metrics, const std::string& variant);

/// Both sides of a store of another gate run.
[[nodiscard]] GateSuite suite_in(const results::Store& store, const std::vector<results::MetricDef>& metrics);

/// The facts of the machines that ran the trials of these studies, by name: the values of each.
using MachineFacts = std::map<std::string, std::vector<std::string>>;
[[nodiscard]] MachineFacts machine_facts(const results::Store& store, const std::vector<results::Digest>& studies);
[[nodiscard]] std::vector<MachineDifference> machine_differences(const MachineFacts& baseline,
                                                                 const MachineFacts& candidate);
/// The hardware class of the trials of a study; nothing before the first, or where they differ.
[[nodiscard]] std::optional<std::string> stratum_of(const results::Store& store, const results::Digest& study);

}  // namespace retrial::harness::inline gate::inline measured
