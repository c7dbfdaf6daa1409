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

/// A claim and its basis. A cluster is a group of runs that share one search, or another draw made once for all.
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
  bool valid = true;                          ///< false: one cluster supports no claim about the pipeline
  std::optional<double> p_not_better;         ///< that the candidate is no better; exact sign flips of clusters
  std::optional<variance::ClusterSign> sign;  ///< clusters won by the candidate; any number of clusters
};

/// Scores that differ only in what the label names.
struct Spread {
  std::string label;
  std::vector<double> scores;  ///< in plan order
};

/// Variance of one variant by source.
struct VariantSources {
  std::string variant;
  std::int64_t runs = 0, failed = 0, not_finite = 0;
  std::int64_t all_drawn = 0;                    ///< runs that re-draw every source
  std::optional<double> mean, sd;                ///< over all_drawn
  std::optional<variance::SourceShares> shares;  ///< absent where the design does not separate sources
  std::optional<variance::NoiseStratum> noise;   ///< absent with fewer than five replicates
  std::int64_t replicates = 0;
  std::optional<double> floor;                        ///< sd expected from test-set sampling alone
  std::optional<variance::EstimatorStudy> estimator;  ///< fix_hopt with at least two groups
  std::optional<variance::PipelineEstimate> ideal;    ///< IdealEst from the first runs of the groups
  std::vector<SourceClaim> claims;
  double trainings = 0.0;                        ///< spent, searches included
  bool coarse = false;                           ///< fewer distinct scores than half the runs
  std::optional<variance::GroupEffects> groups;  ///< nested with at least two groups: effect of each draw
  std::vector<Spread> spread;                    ///< oat: by source; grouped designs: by group; else empty
};

struct SourceStudy {
  results::MetricDef metric;
  VarianceDesign design;
  std::optional<SearchSpace> search;
  std::vector<std::string> held;  ///< not varied: one draw (pair 0) in every run
  std::vector<VariantSources> variants;
  std::optional<SourceDifference> difference;  ///< first two variants, where runs form clusters
  /// First two variants: variance of the difference of unrelated runs / of runs that share seeds.
  std::optional<double> pairing_gain;
  std::optional<double> search_trainings;
};

struct SourceChoice {
  std::optional<std::string> metric, variant;
  variance::SharesOptions options;
};

/// Error{incomparable} for a study without a design of variance or with trials that have not run, Error{usage} for an
/// unknown metric or variant.
[[nodiscard]] SourceStudy read_sources(const results::Store& store, const StudyView& study,
                                       const std::vector<PlannedTrial>& trials, const SourceChoice& choice);

}  // namespace retrial::harness::inline by_source
