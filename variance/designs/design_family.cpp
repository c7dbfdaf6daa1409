#include "variance/designs/design_family.hpp"

#include <algorithm>
#include <array>

#include "variance/numbers/error.hpp"

namespace retrial::variance::inline designs {
namespace {

constexpr std::array families{
    DesignFamily{
        .name = "fixed", .rule = "", .when = "one look at the end, every pair is run: the most precise estimate"},
    DesignFamily{.name = "curtailed",
                 .rule = "curtailed",
                 .when = "the fixed exact rule, stopped as soon as its verdict is settled: no power is lost",
                 .guarantee = "exact size and power of the fixed rule"},
    DesignFamily{.name = "sprt",
                 .rule = "sprt",
                 .when = "gamma is agreed and few pairs matter more than win rates between one half and gamma",
                 .anytime = true,
                 .guarantee = "Wald's bounds, exact at win rates of 1/2 and gamma",
                 .needs_gamma = true},
    DesignFamily{.name = "mixture_e",
                 .rule = "mixture_e",
                 .when = "exploring, no gamma agreed; may be extended at any time",
                 .anytime = true,
                 .guarantee = "anytime: alpha for each of BETTER and WORSE, no matter when the study stops",
                 .mixture = "uniform on (1/2, 1]"},
    DesignFamily{.name = "dual_e",
                 .rule = "dual_e",
                 .when = "gamma is agreed: the default when seeds may be stopped at any time",
                 .anytime = true,
                 .guarantee = "anytime: alpha for BETTER, beta for NOT MEANINGFUL, no matter when the study stops",
                 .mixture = "uniform on (1/2, 1] against 1/2, uniform on [0, gamma) against gamma",
                 .needs_gamma = true},
    DesignFamily{.name = "t_anytime",
                 .rule = "t_anytime",
                 .when = "differences look normal; may be extended at any time",
                 .data = SequentialData::differences,
                 .anytime = true,
                 .guarantee =
                     "anytime: alpha for BETTER and WORSE together, if differences are normal, or symmetric where they "
                     "repeat",
                 .mixture = "standardised effect normal with variance g = 1"},
    DesignFamily{.name = "betting",
                 .rule = "betting",
                 .when = "scores have known bounds and any distribution within them; may be extended at any time",
                 .data = SequentialData::bounded,
                 .anytime = true,
                 .guarantee = "anytime: alpha for BETTER and WORSE together, for any distribution in the range",
                 .mixture = "bets of at most half of the wealth"},
    DesignFamily{.name = "sequentialised",
                 .rule = "curtailed",
                 .when = "a hard horizon; shows during the study how likely the fixed test is to reject",
                 .guarantee = "exact size and power of the fixed rule"},
    DesignFamily{.name = "group_sequential",
                 .rule = "obrien_fleming",
                 .when = "a hard horizon and a few looks",
                 .data = SequentialData::differences,
                 .guarantee = "alpha for BETTER and WORSE together over all looks, approximate: t as normal",
                 .looks = true},
    DesignFamily{.name = "group_permutation",
                 .rule = "group_permutation",
                 .when = "a hard horizon, a few looks, differences of any distribution",
                 .data = SequentialData::differences,
                 .guarantee = "alpha for BETTER and WORSE together over all looks, exact: signs of pairs are exchanged",
                 .looks = true},
};

}  // namespace

std::span<const DesignFamily> all_design_families() {
  return families;
}

const DesignFamily* find_family(std::string_view name) {
  const auto found = std::ranges::find(families, name, &DesignFamily::name);
  return found == families.end() ? nullptr : &*found;
}

const DesignFamily& family_of(const Design& design) {
  if (const auto* found = find_family(design.family)) return *found;
  std::string names;
  for (const auto& family : families) names += (names.empty() ? "" : ", ") + std::string(family.name);
  throw InvalidInput("family", design.family, names);
}

std::string_view rule_of(const Design& design) {
  return design.family == "group_sequential" ? std::string_view(design.spending) : family_of(design).rule;
}

SequentialSettings settings_of(const Design& design) {
  const Levels levels = design.levels();
  const bool wins_only = family_of(design).data == SequentialData::wins;
  SequentialSettings settings{.alpha = wins_only ? levels.alpha : design.alpha,
                              .beta = levels.beta,
                              .gamma = levels.gamma,
                              .horizon = design.pairs,
                              .looks = design.looks};
  settings.band = design.band;
  settings.tie_limit = design.tie_limit;
  if (design.family == "group_permutation") {
    if (!design.key) throw InvalidInput("seed", "none", "a seed: large sets of permutations are drawn");
    settings.key = *design.key;
  }
  if (design.range) {
    settings.high = design.range->second - design.range->first;
    settings.low = -*settings.high;
  }
  return settings;
}

std::optional<SignPlan> sign_plan_of(const Design& design, std::int64_t gone) {
  static constexpr std::array<std::pair<std::string_view, SignFamily>, 4> on_wins{{{"curtailed", SignFamily::curtailed},
                                                                                   {"sprt", SignFamily::sprt},
                                                                                   {"mixture_e", SignFamily::mixture_e},
                                                                                   {"dual_e", SignFamily::dual_e}}};
  if (design.family == "dual_e" && design.band) return dual_plan_with_band(design.pairs, *design.band, design.levels());
  for (const auto& [rule, family] : on_wins) {
    if (rule != family_of(design).rule) continue;
    const std::int64_t untied = family == SignFamily::curtailed ? design.pairs - gone : design.pairs;
    return bounded_plan(family, std::max<std::int64_t>(untied, 1), design.levels());
  }
  return std::nullopt;
}

}  // namespace retrial::variance::inline designs
