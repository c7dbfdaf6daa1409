#include "harness/design_page.hpp"

#include "harness/design_check.hpp"
#include "harness/design_words.hpp"
#include "harness/output.hpp"
#include "harness/study_view.hpp"
#include "harness/table.hpp"
#include "harness/verdict_words.hpp"
#include "results/text.hpp"
#include "variance/decide.hpp"
#include "variance/design_family.hpp"

namespace retrial::harness {
namespace {

constexpr double wanted_power = 0.8;

variance::Levels levels_of(const Study& study) {
  return statistical_design(study).levels();
}

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
  const auto& compare = *study.compare;
  const auto design = statistical_design(study);
  std::string out = compare.candidate + " against " + compare.baseline + " on " + compare.metric + ": ";
  if (compare.sequential() || design.test != "pab_exact") return out + design_words(design) + figures_text(design);
  const auto rule = variance::fixed_rule(study.pairs, levels_of(study));
  if (!rule.better_from) {
    out += counted(study.pairs, "pair") + " can never reach alpha = " + results::text_of(compare.alpha);
  } else {
    out += "BETTER needs " + std::to_string(*rule.better_from) + " of " + std::to_string(study.pairs) +
           " pairs; two equal variants reach that " + percent(rule.size) +
           " of the time (size), a candidate that wins " + percent(compare.gamma) + " of all pairs " +
           percent(rule.power) + " (power)";
  }
  return out;
}

std::string power_advice(const Study& study) {
  if (study.compare->sequential() || study.compare->test != "pab_exact") return "";
  const auto rule = variance::fixed_rule(study.pairs, levels_of(study));
  if (rule.power >= wanted_power) return "";
  auto levels = levels_of(study);
  levels.beta = 1 - wanted_power;
  const auto enough = variance::exact_sign_design(levels);
  return "the power is below 80 %: " + std::to_string(enough.pairs) + " pairs would give " + percent(enough.power) +
         ". INCONCLUSIVE is a likely answer unless the effect is large.";
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "nothing" : results::joined(names);
}

}  // namespace

std::string design_page(const Study& study) {
  std::vector<std::string> variants;
  for (const auto& variant : study.variants) variants.push_back(variant.name);
  TextTable table({{""}, {""}});
  table.add({"workload", study.workload});
  table.add({"variants", results::joined(variants)});
  table.add({"pairs", std::to_string(study.pairs) + " (" +
                          counted(study.pairs * static_cast<std::int64_t>(variants.size()), "trial") + ")"});
  table.add({"root seed", study.seed ? std::to_string(*study.seed) + " (0x" + results::hex16(*study.seed) + ")"
                                     : "not given: drawn and stored by the first run"});
  table.add({"varied", listed(study.varied)});
  table.add({"held", listed(study.held)});
  table.add({"kernel mode", mode_text(determinism::mode_document(study.mode))});
  if (study.compare) {
    table.add({"design", design_text(study)});
    if (const auto advice = power_advice(study); !advice.empty()) table.add({"note", advice});
  }
  return table.text(2, 110);
}

std::string mode_page(const determinism::KernelMode& mode) {
  std::string out;
  for (const auto& [name, value] : determinism::variables_of(mode)) out += "  " + name + "=" + value + "\n";
  return out;
}

}  // namespace retrial::harness
