#include "variance/sequential/sequential.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "variance/numbers/check.hpp"
#include "variance/sequential/sequential_rules.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::variance::inline sequential {
namespace {

using Data = SequentialData;

constexpr std::array sequential_rows{
    SequentialRule{"dual_e", "does the candidate win more than half of the pairs, or fewer than gamma?",
                   "gamma is agreed: the default when seeds may be stopped at any time", Data::wins, true, true,
                   "share of pairs won", sequential_rules::dual_e},
    SequentialRule{"sprt", "does the candidate win gamma of the pairs, or half of them?",
                   "gamma is agreed and few pairs matter more than win rates between the two", Data::wins, true, true,
                   "share of pairs won", sequential_rules::sprt},
    SequentialRule{"mixture_e", "does one of the variants win more than half of the pairs?",
                   "exploring, no gamma agreed; may be extended at any time", Data::wins, true, true,
                   "share of pairs won", sequential_rules::mixture_e},
    SequentialRule{"curtailed", "what will the fixed exact sign rule say?",
                   "the number of pairs is fixed and paid for; stops when the verdict is settled", Data::wins, false,
                   true, "share of pairs won", sequential_rules::curtailed},
    SequentialRule{"t_anytime", "is the mean difference zero?", "differences look normal; may be extended at any time",
                   Data::differences, true, true, "mean difference", sequential_rules::t_anytime},
    SequentialRule{"betting", "is the mean difference zero?",
                   "scores have known bounds and any distribution within them", Data::bounded, true, true,
                   "mean difference", sequential_rules::betting},
    SequentialRule{"bernstein", "is the mean difference zero?",
                   "like betting, for many pairs: simpler, wider intervals", Data::bounded, true, true,
                   "mean difference", sequential_rules::bernstein},
    SequentialRule{"obrien_fleming", "is the mean difference zero at one of a few looks?",
                   "a hard horizon, few looks; strict early, nearly the fixed test at the end", Data::differences,
                   false, false, "mean difference", sequential_rules::obrien_fleming},
    SequentialRule{"pocock", "is the mean difference zero at one of a few looks?",
                   "a hard horizon, few looks, early stopping matters most", Data::differences, false, false,
                   "mean difference", sequential_rules::pocock},
    SequentialRule{"group_permutation",
                   "could chance alone explain which variant got which scores, at one of a few looks?",
                   "like pocock, for differences of any distribution: its level is exact", Data::differences, false,
                   true, "mean difference", sequential_rules::group_permutation},
};

void require_sequential_settings(const SequentialSettings& s) {
  require_levels({.alpha = s.alpha, .beta = s.beta, .gamma = s.gamma});
  if (s.horizon) require_within("horizon", *s.horizon, 1, 100'000);
  require_not_negative("tie", s.tie);
  require_positive("g", s.g);
  require_positive("t_opt", s.t_opt);
  if (!(s.tie_limit >= 0.0 && s.tie_limit <= 1.0)) throw InvalidInput("tie_limit", shortest(s.tie_limit), "0 to 1");
}

/// Declared pairs used up to each difference: more with each, at most all.
void require_used(const SequentialSettings& s, std::size_t differences) {
  if (s.used.empty()) return;
  if (s.used.size() != differences || !s.horizon)
    throw InvalidInput("used", std::to_string(s.used.size()) + " numbers",
                       "one for each of " + std::to_string(differences) + " differences, and a horizon");
  for (std::size_t i = 0; i < differences; ++i)
    require_within(("used[" + std::to_string(i) + "]").c_str(), s.used[i], i == 0 ? 1 : s.used[i - 1] + 1, *s.horizon);
}

void require_range(const SequentialSettings& s) {
  if (!s.low || !s.high) throw InvalidInput(s.low ? "high" : "low", "none", "the declared range of the differences");
  if (!(std::isfinite(*s.low) && *s.low < 0.0)) throw InvalidInput("low", shortest(*s.low), "finite numbers below 0");
  require_positive("high", *s.high);
}

void require_differences(const SequentialRule& rule, std::span<const double> values, const SequentialSettings& s) {
  if (rule.data == SequentialData::bounded) require_range(s);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string field = "differences[" + std::to_string(i) + "]";
    if (std::isnan(values[i])) throw InvalidInput(field, "nan", "numbers");
    if (rule.data == SequentialData::wins) continue;
    if (std::isinf(values[i])) throw InvalidInput(field, shortest(values[i]), "finite numbers");
    if (rule.data == SequentialData::bounded && (values[i] < *s.low || values[i] > *s.high))
      throw InvalidInput(field, shortest(values[i]), shortest(*s.low) + " to " + shortest(*s.high));
  }
}

std::string names() {
  std::string all;
  for (const auto& rule : sequential_rows) all += (all.empty() ? "" : ", ") + std::string(rule.name);
  return all;
}

}  // namespace

std::string_view name_of(SequentialState state) {
  switch (state) {
    case SequentialState::go_on:
      return "go on";
    case SequentialState::decided_for:
      return "decided for";
    case SequentialState::decided_against:
      return "decided against";
    default:
      return "ended";
  }
}

std::span<const SequentialRule> all_sequential_rules() {
  return sequential_rows;
}

const SequentialRule* find_sequential(std::string_view name) {
  const auto found = std::ranges::find(sequential_rows, name, &SequentialRule::name);
  return found == sequential_rows.end() ? nullptr : &*found;
}

std::vector<SequentialStep> watch(std::string_view name, std::span<const double> values,
                                  const SequentialSettings& settings) {
  const SequentialRule* rule = find_sequential(name);
  if (!rule) throw InvalidInput("rule", std::string(name), names());
  require_sequential_settings(settings);
  if (settings.band && (rule->name != "dual_e" || !settings.horizon))
    throw InvalidInput("band", "given to " + std::string(name), "dual_e with a horizon");
  require_differences(*rule, values, settings);
  require_used(settings, values.size());
  return rule->run(values, settings);
}

}  // namespace retrial::variance::inline sequential
