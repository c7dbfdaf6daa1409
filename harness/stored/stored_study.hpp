#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/study/claims.hpp"
#include "harness/study/source_design.hpp"
#include "results/store/store.hpp"
#include "variance/designs/design.hpp"

namespace retrial::harness::inline stored {

/// A variant of a stored study.
struct VariantView {
  std::string name, preset;
  Json values;                                     ///< every key, canonical
  std::map<std::string, std::int64_t> test_items;  ///< behind each metric that is a share of them
  std::optional<std::string> search_of;            ///< its trials are those of the searches of this variant
};

/// The statistics that were declared before the first run (document retrial.design/1).
struct DesignView : variance::Design {
  results::Digest digest{};
  std::string direction;
  std::vector<std::string> randomised, frozen;
  Json document;  ///< as it is stored
};

/// A stored study read back from its documents (retrial.study/1): what the reading commands know of it.
struct StudyView {
  results::Digest digest{};
  std::string name, workload, seed;  ///< seed: 16 hex digits
  std::int64_t pairs = 0;
  std::vector<std::string> vary, hold;
  Json mode;
  std::vector<VariantView> variants;
  std::optional<std::string> baseline, candidate, metric;
  std::optional<DesignView> design;
  std::optional<VarianceDesign> variance;
  std::optional<SearchSpace> search;
  RegisteredClaims claims;
  std::vector<results::PlanEntry> plan;  ///< a listing, without bodies
};

/// Without the trials of searches: what is compared and looked at.
[[nodiscard]] std::vector<VariantView> judged_variants(const StudyView& study);
/// The values of a stored variant, typed by the declaration; keys that a store of an older version lacks have their
/// defaults. Error where a value is of another type than its key.
[[nodiscard]] Values values_of(const workloads::Declaration& declaration, const VariantView& variant);

/// Of the document retrial.design; Error{integrity} when it does not have the form it must have.
[[nodiscard]] DesignView design_view(const results::Digest& digest, const Json& document);

/// Error{integrity} naming the field when a document does not have the form it must have.
[[nodiscard]] StudyView read_study(const results::Store& store, const results::StudyRow& row);

}  // namespace retrial::harness::inline stored
