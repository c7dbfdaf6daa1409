#pragma once

#include <span>
#include <string>

#include "results/store/store.hpp"

namespace retrial::results::inline store {

/// Rows that no document or record digest covers are sealed by a row of meta, so that verify() detects any change:
///   study/000001    "<study digest> <seal of name and plan>"; the numbers are the order of insertion
///   listing/<hex>   "<seal of the plan without its bodies>", which pages recompute; since schema 2
///   verdict/<hex>   "<seal of the verdict's columns>"
///   check/<key>     "<seal of the user's own meta row>"
[[nodiscard]] std::string study_key(std::size_t place);  ///< from 1
[[nodiscard]] Digest study_seal(const std::string& name, std::int64_t trials, std::span<const PlanEntry> plan);
[[nodiscard]] std::string listing_key(const Digest& study);
[[nodiscard]] Digest listing_seal(const std::string& name, std::int64_t trials, std::span<const PlanEntry> plan);
[[nodiscard]] Digest verdict_seal(const Digest& study, const std::string& claim, const std::string& word,
                                  const Digest& inputs);
[[nodiscard]] Digest meta_seal(const std::string& key, const std::string& value);

[[nodiscard]] bool reserved_meta_key(std::string_view key);

}  // namespace retrial::results::inline store
