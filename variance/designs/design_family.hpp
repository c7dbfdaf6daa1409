#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "variance/designs/design.hpp"
#include "variance/sequential/sequential.hpp"
#include "variance/sequential/sequential_sign.hpp"

/// Families of designs, as they are declared: when the data are tested, and by which rule of sequential.hpp.
namespace retrial::variance::inline designs {

struct DesignFamily {
  std::string_view name;
  std::string_view rule;  ///< empty: one test at the declared number of pairs
  std::string_view when;  ///< when to choose it
  SequentialData data = SequentialData::wins;
  bool anytime = false;             ///< the declared pairs may be extended after a look
  std::string_view guarantee = {};  ///< basis of its error rates
  std::string_view mixture = {};    ///< families of e-values only, whose power depends on it
  bool looks = false;               ///< tested only at a few declared numbers of pairs
  bool needs_gamma = false;         ///< its rule tests against gamma, which must be declared
  [[nodiscard]] bool sequential() const { return !rule.empty(); }
};
[[nodiscard]] std::span<const DesignFamily> all_design_families();
/// Null for a name that is not in the table.
[[nodiscard]] const DesignFamily* find_family(std::string_view name);

/// The row of a design. InvalidInput{family} for another name.
[[nodiscard]] const DesignFamily& family_of(const Design& design);
/// The rule and its settings; the horizon is the declared number of pairs.
[[nodiscard]] std::string_view rule_of(const Design& design);
[[nodiscard]] SequentialSettings settings_of(const Design& design);
/// Boundaries of a family on wins, with exact curtailment; absent for other families. `gone`: declared pairs that were
/// neither won nor lost. The fixed rule looks at the untied ones of the declared pairs, so `curtailed` has one fewer
/// for each of them; the boundaries of other rules do not depend on them.
[[nodiscard]] std::optional<SignPlan> sign_plan_of(const Design& design, std::int64_t gone = 0);

}  // namespace retrial::variance::inline designs
