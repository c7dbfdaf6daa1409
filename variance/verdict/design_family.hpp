#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "variance/sequential/sequential.hpp"
#include "variance/sequential/sequential_sign.hpp"
#include "variance/verdict/design.hpp"

/// Families of designs, as they are declared: when one looks, and by which rule of variance/sequential.hpp.
namespace retrial::variance::inline verdict {

struct DesignFamily {
  std::string_view name;
  std::string_view rule;  ///< empty: one look at the declared number of pairs
  std::string_view when;  ///< to choose it
  SequentialData data = SequentialData::wins;
  bool anytime = false;             ///< the declared pairs may be extended after a look
  std::string_view guarantee = {};  ///< what its error rates rest on
  std::string_view mixture = {};    ///< of families of e-values, whose power depends on it
  bool looks = false;               ///< asked at a few declared numbers of pairs only
  [[nodiscard]] bool sequential() const { return !rule.empty(); }
};
[[nodiscard]] std::span<const DesignFamily> all_design_families();
/// Nothing for a name that is not in the table.
[[nodiscard]] const DesignFamily* find_family(std::string_view name);

/// The row of a design. InvalidInput{family} for another name.
[[nodiscard]] const DesignFamily& family_of(const Design& design);
/// The rule that is asked, and its settings: the horizon is the declared number of pairs.
[[nodiscard]] std::string_view rule_of(const Design& design);
[[nodiscard]] SequentialSettings settings_of(const Design& design);
/// Boundaries of a family on wins, with exact curtailment; nothing of the others.
[[nodiscard]] std::optional<SignPlan> sign_plan_of(const Design& design);

}  // namespace retrial::variance::inline verdict
