#include "harness/show/plan_page.hpp"

#include <algorithm>
#include <optional>

#include "harness/judge/design/design_sentences.hpp"
#include "harness/judge/leaderboard/grid_names.hpp"
#include "harness/judge/verdict/verdict_words.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/study/declared/design_table.hpp"
#include "harness/text/names.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/designs/simulated_operating.hpp"
#include "variance/random/rng.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::harness::inline show {
namespace {

constexpr double wanted_power = 0.8;

/// "false-positive rate 2.07 %, power 61.7 % if the true win rate is 75 %".
std::string rates_text(double size, double power, const variance::Design& design) {
  return "false-positive rate " + percent(size) + ", power " + percent(power) + " " + win_rate_condition(design);
}

/// Sequential families on wins only.
std::string figures_text(const variance::Design& design) {
  if (!variance::family_of(design).sequential()) return "";
  const auto plan = variance::sign_plan_of(design);
  if (!plan) return "";
  const auto power = variance::operating(*plan, design.levels().win_rate());
  return "; " + rates_text(variance::operating(*plan, 0.5).better, power.better, design) + ", " +
         short_text(power.pairs) + " pairs on average";
}

std::string design_text(const Study& study) {
  const auto& design = *study.compare;
  const std::string out = design.candidate + " vs " + design.baseline + " on " + design.metric + ": ";
  if (design.sequential() || design.test != "pab_exact") return out + design_words(design) + figures_text(design);
  const auto rule = variance::fixed_rule(study.pairs, study.compare->levels());
  if (!rule.better_from)
    return out + counted(study.pairs, "pair") + " can never reach alpha = " + results::text_of(design.alpha);
  return out + "BETTER needs " + std::to_string(*rule.better_from) + " of " + std::to_string(study.pairs) + " pairs; " +
         rates_text(rule.size, rule.power, design);
}

double power_of(const variance::Design& design) {
  const auto plan = variance::sign_plan_of(design);
  return plan ? variance::operating(*plan, design.levels().win_rate()).better : 1;
}

/// Families of e-values and the likelihood ratio only: their power grows with the horizon, which is searched by
/// doubling, then bisection. Nothing when it would exceed the pairs that a plan may have.
std::optional<variance::Design> with_power(variance::Design design) {
  std::int64_t low = design.pairs, high = design.pairs;
  const auto enough = [&](std::int64_t pairs) {
    design.pairs = pairs;
    return power_of(design) >= wanted_power;
  };
  while (!enough(high)) {
    if (high == max_sequential_pairs) return std::nullopt;
    low = high;
    high = std::min(2 * high, max_sequential_pairs);
  }
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    (enough(middle) ? high : low) = middle;
  }
  design.pairs = high;
  return design;
}

/// Families on differences, simulated with normal differences. No horizon is searched: the user can plan again.
std::string simulated_advice(const Study& study, const variance::Design& design) {
  const auto key = variance::derive(study.seed.value_or(0), "normal");
  const auto simulated = variance::simulated_operating(design, design.levels().win_rate(), key, 2'000);
  if (!simulated || simulated->mean.better >= wanted_power) return "";
  return "power is below 80 % (" + percent(simulated->mean.better) +
         ", simulated): a larger n_max gives more. INCONCLUSIVE is likely unless the effect is large.";
}

std::string sequential_advice(const Study& study, const variance::Design& design) {
  if (!variance::sign_plan_of(design)) return simulated_advice(study, design);
  if (power_of(design) >= wanted_power) return "";
  const std::string head = "power is below 80 %: ", tail = " INCONCLUSIVE is likely unless the effect is large.";
  if (!variance::family_of(design).anytime) {
    auto levels = design.levels();
    levels.beta = 1 - wanted_power;
    return head + "n_max = " + std::to_string(variance::exact_sign_design(levels).pairs) + " would give it." + tail;
  }
  const auto enough = with_power(design);
  return head +
         (enough ? "n_max = " + std::to_string(enough->pairs) + " would give " + percent(power_of(*enough)) + "."
                 : "no allowed n_max would give it.") +
         tail;
}

std::string power_advice(const Study& study) {
  if (study.compare->sequential()) return sequential_advice(study, *study.compare);
  if (study.compare->test != "pab_exact") return "";
  const auto rule = variance::fixed_rule(study.pairs, study.compare->levels());
  if (rule.power >= wanted_power) return "";
  auto levels = study.compare->levels();
  levels.beta = 1 - wanted_power;
  const auto enough = variance::exact_sign_design(levels);
  const std::string pairs = std::to_string(enough.pairs) + " pairs would ";
  // Without a gamma of the user's nobody has said that this power is wanted.
  if (!study.compare->gamma) return pairs + "have power " + percent(enough.power);
  return "power is below 80 %: " + pairs + "give " + percent(enough.power) +
         ". INCONCLUSIVE is likely unless the effect is large.";
}

std::string variance_text(const VarianceDesign& design) {
  const bool grouped = design.design == "crossed" || design.design == "nested" || design.design == "fix_hopt";
  std::string out = design.design + " of " + results::joined(design.sources) + ", runs " + std::to_string(design.runs);
  if (grouped) out += ", groups " + std::to_string(design.groups);
  return out + ", replicates " + std::to_string(design.replicates) + ", by " + design.metric;
}

std::string search_text(const SearchSpace& search) {
  std::vector<std::string> keys;
  for (const auto& key : search.keys)
    keys.push_back(key.key + " " + results::text_of(key.low) + " to " + results::text_of(key.high) +
                   (key.log ? " (log)" : ""));
  return results::joined(keys) + " by " + search.metric + ", " + std::to_string(search.trials) + " trials (" +
         search.method + ")";
}

/// The names; of a grid the number of variants and their keys, which say the same in one line.
std::string variants_text(const Study& study) {
  const auto names = names_in(study.variants);
  const auto grid = grid_of_names(names, names.front());
  return grid ? std::to_string(names.size()) + ": " + grid_text(*grid) : results::joined(names);
}

}  // namespace

report::Facts study_facts(const Study& study) {
  report::Facts out{{{"workload", study.workload},
                     {"variants", variants_text(study)},
                     {study.variance ? "runs" : "pairs",
                      std::to_string(study.pairs) + " (" + counted(trial_count(study), "trial") + ")"},
                     {"root seed", study.seed ? std::to_string(*study.seed) + " (0x" + results::hex16(*study.seed) + ")"
                                              : "not given: the first run draws and stores one"},
                     {"varied", names_or_nothing(study.varied)},
                     {"held", names_or_nothing(study.held)}}};
  const auto add = [&](const char* name, std::string value) { out.rows.push_back({name, std::move(value)}); };
  if (study.variance) add("sources", variance_text(*study.variance));
  if (study.profile)
    add("profile", (study.profile->blocks > 0 ? counted(study.profile->blocks, "block") + " of calibration"
                                              : std::string("not calibrated")) +
                       ", tolerance " + short_text(study.profile->tolerance) + " %, collector " +
                       study.profile->collector);
  if (study.search) add("searched", search_text(*study.search));
  add("kernel mode", determinism::mode_text(determinism::mode_document(study.mode)));
  if (study.compare) {
    add("design", design_text(study));
    if (const auto advice = power_advice(study); !advice.empty()) add("note", advice);
  }
  if (!study.claims.empty())
    add("claims", std::to_string(study.claims.claims.size()) +
                      " registered; retrial compare STORE --claims judges them together");
  return out;
}

std::string mode_page(const determinism::KernelMode& mode) {
  std::string out;
  for (const auto& [name, value] : determinism::variables_of(mode)) out += "  " + name + "=" + value + "\n";
  return out;
}

}  // namespace retrial::harness::inline show
