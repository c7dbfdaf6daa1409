#include "harness/by_source/budget.hpp"

#include "results/text/error.hpp"

namespace retrial::harness::inline by_source {
namespace {

/// Components between and within searches, where the design has both.
struct Between {
  double between = 0.0, within = 0.0;
};
std::optional<Between> between_of(const SourceStudy& study, const VariantSources& variant) {
  const bool grouped = study.design.design == "fix_hopt" || study.design.design == "nested";
  if (!grouped || !variant.shares || variant.shares->sources.size() != 2 || !study.search) return {};
  const double noise = variant.shares->noise ? variant.shares->noise->variance.point : 0.0;
  return Between{.between = variant.shares->sources[0].variance.point,
                 .within = variant.shares->sources[1].variance.point + noise};
}

Between demand_between(const SourceStudy& study, const VariantSources& variant, const char* option) {
  const auto found = between_of(study, variant);
  if (found && found->within > 0.0) return *found;
  throw Error({.exit = Exit::incomparable,
               .code = "variance.no_clusters",
               .field = option,
               .problem = "needs runs in groups that share one search",
               .help = "plan a study with design = \"fix_hopt\" or \"nested\", groups of at least 2, and a [search]"});
}

}  // namespace

BudgetAnswer budget_answer(const SourceStudy& study, const VariantSources& variant, const BudgetChoice& choice) {
  BudgetAnswer out;
  if (choice.budget) {
    const auto parts = demand_between(study, variant, "--budget");
    out.budget = variance::plan_budget(*choice.budget, *study.search_trainings, parts.between, parts.within);
  }
  if (choice.se) {
    const auto parts = demand_between(study, variant, "--se");
    out.se = variance::allocate_runs(*study.search_trainings, parts.between, parts.within, *choice.se);
  }
  return out;
}

}  // namespace retrial::harness::inline by_source
