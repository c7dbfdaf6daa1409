#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "variance/components/group_effects.hpp"
#include "variance/sources/search_estimators.hpp"
#include "variance/sources/source_shares.hpp"

namespace retrial::harness::inline by_source {

/// What a claim rests on: clusters are runs that share one search, or whatever else is drawn once for all of them.
struct SourceClaim {
  std::string scope;  ///< "pipeline": new searches included; "lambda": for the keys as they are
  bool valid = true;  ///< false: INVALID (one-cluster)
  std::string basis;  ///< "12 runs", "4 clusters of runs that share one search"
  variance::Estimate mean;
};

/// Two variants under the same seeds.
struct SourceDifference {
  std::string candidate, baseline;
  std::int64_t runs = 0, clusters = 0;
  variance::Estimate mean;                    ///< candidate - baseline; t interval over clusters
  bool valid = true;                          ///< false: one cluster, so that nothing is claimed of the pipeline
  std::optional<double> p_not_better;         ///< exact flip of the signs of clusters, of a candidate that is no better
  std::optional<variance::ClusterSign> sign;  ///< of clusters won by the candidate; any number of them
};

/// Scores that differ in what the label says and in nothing else.
struct Spread {
  std::string label;
  std::vector<double> scores;  ///< in plan order
};

/// Where the variance of one variant comes from.
struct VariantSources {
  std::string variant;
  std::int64_t runs = 0, failed = 0, not_finite = 0;
  std::int64_t all_drawn = 0;                    ///< runs that every source was drawn anew for
  std::optional<double> mean, sd;                ///< of those
  std::optional<variance::SourceShares> shares;  ///< absent where the design tells no sources apart
  std::optional<variance::NoiseStratum> noise;   ///< absent with fewer than five replicates
  std::int64_t replicates = 0;
  std::optional<double> floor;                        ///< sd from the choice of the test items alone
  std::optional<variance::EstimatorStudy> estimator;  ///< fix_hopt with two groups and more
  std::optional<variance::PipelineEstimate> ideal;    ///< IdealEst from the first runs of the groups
  std::vector<SourceClaim> claims;
  double trainings = 0.0;                        ///< spent, searches included
  bool coarse = false;                           ///< fewer distinct scores than half the runs
  std::optional<variance::GroupEffects> groups;  ///< nested, two groups and more: what each draw is worth
  std::vector<Spread> spread;                    ///< of oat by source, of groups by group; empty for other designs
};

struct SourceStudy {
  results::MetricDef metric;
  VarianceDesign design;
  std::optional<SearchSpace> search;
  std::vector<std::string> held;  ///< not varied: pair 0 in every run
  std::vector<VariantSources> variants;
  std::optional<SourceDifference> difference;  ///< of the first two variants, where runs form clusters
  /// Of the first two variants: variance of the difference of unrelated runs / of runs that share seeds.
  std::optional<double> pairing_gain;
  std::optional<double> search_trainings;
};

struct SourceChoice {
  std::optional<std::string> metric, variant;
  variance::SharesOptions options;
};

/// Error{incomparable} for a study without a design of variance and for trials that have not run, Error{usage} for a
/// metric or variant that is not there.
[[nodiscard]] SourceStudy read_sources(const results::Store& store, const StudyView& study,
                                       const std::vector<PlannedTrial>& trials, const SourceChoice& choice);

}  // namespace retrial::harness::inline by_source
