#include <algorithm>

#include "variance/groups/group_parts.hpp"
#include "variance/groups/groups.hpp"
#include "variance/numbers/check.hpp"

namespace retrial::variance::inline groups {
namespace {

using Groups = std::span<const std::vector<double>>;

std::vector<GroupPair> simultaneous(const std::vector<PairOfMeans>& pairs) {
  std::vector<GroupPair> out;
  for (const PairOfMeans& pair : pairs)
    out.push_back(
        {.first = pair.first, .second = pair.second, .difference = pair.difference, .p = {}, .p_adjusted = pair.p});
  return out;
}

GroupResult run_welch_anova(Groups groups, const GroupSettings& settings) {
  return {.omnibus = welch_anova(groups),
          .pairs = simultaneous(games_howell(groups, settings.alpha)),
          .pairs_method = "Games-Howell"};
}

GroupResult run_kruskal_wallis(Groups groups, const GroupSettings& settings) {
  GroupResult out{.omnibus = kruskal_wallis(groups, settings.resolution), .pairs = {}, .pairs_method = "Dunn"};
  for (const PairOfRanks& pair : dunn(groups, settings.adjust, settings.resolution))
    out.pairs.push_back({.first = pair.first,
                         .second = pair.second,
                         .difference = {.point = pair.difference,
                                        .low = {},
                                        .high = {},
                                        .level = 1.0 - settings.alpha,
                                        .method = "none: difference of mean ranks"},
                         .p = pair.p,
                         .p_adjusted = pair.p_adjusted});
  return out;
}

GroupResult run_tukey(Groups groups, const GroupSettings& settings) {
  return {.omnibus = {}, .pairs = simultaneous(tukey(groups, settings.alpha)), .pairs_method = "Tukey"};
}

GroupResult run_dunnett(Groups groups, const GroupSettings& settings) {
  std::vector<std::vector<double>> others(groups.begin(), groups.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(settings.control));
  GroupResult out{.omnibus = {}, .pairs = {}, .pairs_method = "Dunnett"};
  for (const AgainstControl& other : dunnett(others, groups[settings.control], settings.alpha)) {
    const std::size_t place = out.pairs.size();
    out.pairs.push_back({.first = place < settings.control ? place : place + 1,
                         .second = settings.control,
                         .difference = other.difference,
                         .p = {},
                         .p_adjusted = other.p_two});
  }
  return out;
}

}  // namespace

std::span<const GroupTest> all_group_tests() {
  static const std::vector<GroupTest> rows{
      {.name = "welch_anova",
       .asks = "are the means of all variants equal, and which pairs differ (Games-Howell)?",
       .when = "three or more variants with independent runs, scores roughly normal, any spreads",
       .estimand = "mean",
       .pairs = "games_howell",
       .run = run_welch_anova},
      {.name = "kruskal_wallis",
       .asks = "do the runs of some variant score higher, and which pairs differ (Dunn)?",
       .when = "three or more variants with independent runs, scores of any shape, outliers, ties",
       .estimand = "mean rank",
       .pairs = "dunn",
       .ordinal = true,
       .adjustable = true,
       .run = run_kruskal_wallis},
      {.name = "tukey",
       .asks = "which pairs of means differ, and by how much at least and at most?",
       .when = "independent runs, scores roughly normal, equal spreads: the shortest intervals for all pairs",
       .estimand = "mean",
       .run = run_tukey},
      {.name = "dunnett",
       .asks = "which means differ from that of the baseline, and by how much?",
       .when = "several candidates, one baseline, independent runs, roughly normal, equal spreads",
       .estimand = "mean",
       .against_control = true,
       .run = run_dunnett},
  };
  return rows;
}

const GroupTest* find_group_test(std::string_view name) {
  const auto rows = all_group_tests();
  const auto found = std::ranges::find(rows, name, &GroupTest::name);
  return found == rows.end() ? nullptr : &*found;
}

GroupResult compare_groups(std::string_view test, std::vector<std::vector<double>> groups,
                           const GroupSettings& settings) {
  const GroupTest* const row = find_group_test(test);
  if (row == nullptr) {
    std::string allowed;
    for (const GroupTest& one : all_group_tests()) allowed += (allowed.empty() ? "" : ", ") + std::string(one.name);
    throw InvalidInput("test", std::string(test), allowed);
  }
  require_between("alpha", settings.alpha, 0.0, 0.5);
  require_groups(groups);
  require_within("control", static_cast<std::int64_t>(settings.control), 0, std::ssize(groups) - 1);
  for (auto& group : groups) std::ranges::sort(group);
  return row->run(groups, settings);
}

}  // namespace retrial::variance::inline groups
