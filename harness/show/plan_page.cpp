#include "harness/show/plan_page.hpp"

#include <algorithm>
#include <optional>

#include "harness/judge/design_sentences.hpp"
#include "harness/judge/verdict_words.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/study/design_table.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/designs/simulated_operating.hpp"
#include "variance/random/rng.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::harness::inline show {
namespace {

constexpr double wanted_power = 0.8;

/// Of families on wins, the two figures that people ask for first.
std::string figures_text(const variance::Design& design) {
  if (!variance::family_of(design).sequential()) return "";
  const auto plan = variance::sign_plan_of(design);
  if (!plan) return "";
  const double gamma = design.levels().gamma;
  const auto power = variance::operating(*plan, gamma);
  return "; two equal variants are called BETTER " + percent(variance::operating(*plan, 0.5).better) +
         " of the time (size), a candidate that wins " + percent(gamma) + " of all pairs " + percent(power.better) +
         " (power), after " + short_text(power.pairs) + " pairs on average";
}

std::string design_text(const Study& study) {
  const auto& design = *study.compare;
  std::string out = design.candidate + " against " + design.baseline + " on " + design.metric + ": ";
  if (design.sequential() || design.test != "pab_exact") return out + design_words(design) + figures_text(design);
  const auto rule = variance::fixed_rule(study.pairs, study.compare->levels());
  if (!rule.better_from) {
    out += counted(study.pairs, "pair") + " can never reach alpha = " + results::text_of(design.alpha);
  } else {
    out += "BETTER needs " + std::to_string(*rule.better_from) + " of " + std::to_string(study.pairs) +
           " pairs; two equal variants reach that " + percent(rule.size) +
           " of the time (size), a candidate that wins " + percent(design.gamma) + " of all pairs " +
           percent(rule.power) + " (power)";
  }
  return out;
}

double power_of(const variance::Design& design) {
  const auto plan = variance::sign_plan_of(design);
  return plan ? variance::operating(*plan, design.levels().gamma).better : 1;
}

/// Of families of e-values and the likelihood ratio, whose power grows with the horizon: doubled, then halved. Nothing
/// when more pairs than a plan may have would be needed.
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

/// Of families on differences, under normal ones; their horizon is the user's to find by planning again.
std::string simulated_advice(const Study& study, const variance::Design& design) {
  const auto key = variance::derive(study.seed.value_or(0), "normal");
  const auto at_gamma = variance::simulated_operating(design, design.levels().gamma, key, 2'000);
  if (!at_gamma || at_gamma->mean.better >= wanted_power) return "";
  return "the power is below 80 % (" + percent(at_gamma->mean.better) +
         ", simulated): a larger n_max gives more. INCONCLUSIVE is a likely answer unless the effect is large.";
}

std::string sequential_advice(const Study& study, const variance::Design& design) {
  if (!variance::sign_plan_of(design)) return simulated_advice(study, design);
  if (power_of(design) >= wanted_power) return "";
  const std::string head = "the power is below 80 %: ",
                    tail = " INCONCLUSIVE is a likely answer unless the effect is large.";
  if (!variance::family_of(design).anytime) {
    auto levels = design.levels();
    levels.beta = 1 - wanted_power;
    return head + "n_max = " + std::to_string(variance::exact_sign_design(levels).pairs) + " would give it." + tail;
  }
  const auto enough = with_power(design);
  return head +
         (enough ? "n_max = " + std::to_string(enough->pairs) + " would give " + percent(power_of(*enough)) + "."
                 : "no n_max that a plan may have would give it.") +
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
  return "the power is below 80 %: " + std::to_string(enough.pairs) + " pairs would give " + percent(enough.power) +
         ". INCONCLUSIVE is a likely answer unless the effect is large.";
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

}  // namespace

std::string design_page(const Study& study) {
  std::vector<std::string> variants;
  for (const auto& variant : study.variants) variants.push_back(variant.name);
  TextTable table({{""}, {""}});
  table.add({"workload", study.workload});
  table.add({"variants", results::joined(variants)});
  table.add({study.variance ? "runs" : "pairs",
             std::to_string(study.pairs) + " (" + counted(trial_count(study), "trial") + ")"});
  table.add({"root seed", study.seed ? std::to_string(*study.seed) + " (0x" + results::hex16(*study.seed) + ")"
                                     : "not given: drawn and stored by the first run"});
  table.add({"varied", names_or_nothing(study.varied)});
  table.add({"held", names_or_nothing(study.held)});
  if (study.variance) table.add({"sources", variance_text(*study.variance)});
  if (study.search) table.add({"searched", search_text(*study.search)});
  table.add({"kernel mode", determinism::mode_text(determinism::mode_document(study.mode))});
  if (study.compare) {
    table.add({"design", design_text(study)});
    if (const auto advice = power_advice(study); !advice.empty()) table.add({"note", advice});
  }
  if (!study.claims.empty())
    table.add({"claims", std::to_string(study.claims.claims.size()) +
                             " registered, judged together by retrial compare STORE --claims"});
  return table.text(2, terminal_width());
}

std::string mode_page(const determinism::KernelMode& mode) {
  std::string out;
  for (const auto& [name, value] : determinism::variables_of(mode)) out += "  " + name + "=" + value + "\n";
  return out;
}

}  // namespace retrial::harness::inline show
