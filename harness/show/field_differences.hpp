#pragma once

#include <string>
#include <vector>

#include "determinism/manifest/manifest.hpp"
#include "results/report/report.hpp"

/// What the manifests of two trials say about a difference between them: for `explain`, and for a replay that came out
/// differently.
namespace retrial::harness::inline show {

/// Two trials with their manifests.
struct ManifestPair {
  std::string name_a, name_b;
  const Json& a;
  const Json& b;
  bool equal = false;  ///< every outcome metric and digest agrees
};

[[nodiscard]] determinism::Explanation explanation_of(const ManifestPair& pair);
/// SAME BITS, EXPLAINED or UNEXPLAINED, with its meaning.
[[nodiscard]] report::Fact explanation_fact(const determinism::Explanation& explanation);
/// Tables of the fields that differ, seeds and keys in decimal; of those that cannot change bits the number alone,
/// unless all are wanted. The usual cause of an unexplained difference, if there is one.
[[nodiscard]] std::vector<report::Block> field_blocks(const ManifestPair& pair, bool all);
/// {"field", "a", "b"} for each.
[[nodiscard]] Json fields_json(const std::vector<determinism::FieldDifference>& fields);

/// In one line, at most 40 characters and "...".
[[nodiscard]] std::string cut_value(const std::string& text);

}  // namespace retrial::harness::inline show
