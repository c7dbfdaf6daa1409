#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/study/declared/claims.hpp"
#include "harness/study/declared/profile_design.hpp"
#include "harness/study/declared/source_design.hpp"
#include "results/store/store.hpp"
#include "variance/designs/design.hpp"

namespace retrial::harness::inline stored {

/// A variant of a stored study.
struct VariantView {
  std::string name, preset;
  Json values;                                     ///< every key, canonical
  std::map<std::string, std::int64_t> test_items;  ///< per metric that is a share of test items
  std::optional<std::string> search_of;            ///< the variant whose searches these trials are
};

/// The statistics that were declared before the first run (document retrial.design/1).
struct DesignView : variance::Design {
  results::Digest digest{};
  std::string direction;
  std::vector<std::string> randomised, frozen;
  Json document;  ///< as it is stored
};

/// A stored study read back from its documents (retrial.study/1), as the reading commands use it.
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
  std::optional<ProfileDesign> profile;
  RegisteredClaims claims;
  std::vector<results::PlanEntry> plan;  ///< a listing, without bodies
};

/// The variants that are compared and shown: without those of searches.
[[nodiscard]] std::vector<VariantView> judged_variants(const StudyView& study);
/// The values of a stored variant, typed by the declaration. Keys missing from a store of an older version have their
/// defaults. Error where a value does not have the type of its key.
[[nodiscard]] Values values_of(const workloads::Declaration& declaration, const VariantView& variant);

/// Reads a document retrial.design; Error{integrity} if it is malformed.
[[nodiscard]] DesignView design_view(const results::Digest& digest, const Json& document);

/// Error{integrity} naming the field if a document is malformed.
[[nodiscard]] StudyView read_study(const results::Store& store, const results::StudyRow& row);

}  // namespace retrial::harness::inline stored
