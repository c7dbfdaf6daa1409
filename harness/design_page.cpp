#include "harness/design_page.hpp"

#include "harness/output.hpp"
#include "harness/study_view.hpp"
#include "harness/table.hpp"
#include "results/text.hpp"
#include "variance/decide.hpp"

namespace retrial::harness {
namespace {

constexpr double wanted_power = 0.8;

variance::Levels levels_of(const Compare& compare) {
  return {.alpha = compare.alpha, .beta = compare.beta, .gamma = compare.gamma};
}

std::string percent(double share) {
  return short_text(share * 100, 3) + " %";
}

std::string design_text(const Study& study) {
  const auto& compare = *study.compare;
  const auto rule = variance::fixed_rule(study.pairs, levels_of(compare));
  std::string out = compare.candidate + " against " + compare.baseline + " on " + compare.metric + ": ";
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
  const auto rule = variance::fixed_rule(study.pairs, levels_of(*study.compare));
  if (rule.power >= wanted_power) return "";
  auto levels = levels_of(*study.compare);
  levels.beta = 1 - wanted_power;
  const auto enough = variance::exact_sign_design(levels);
  return "the power is below 80 %: " + std::to_string(enough.pairs) + " pairs would give " + percent(enough.power) +
         ". INCONCLUSIVE is a likely answer unless the effect is large.";
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "nothing" : results::joined(names);
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
  table.add({"varied", listed(study.varied)});
  table.add({"held", listed(study.held)});
  if (study.variance) table.add({"sources", variance_text(*study.variance)});
  if (study.search) table.add({"searched", search_text(*study.search)});
  table.add({"kernel mode", mode_text(determinism::mode_document(study.mode))});
  if (study.compare) {
    table.add({"design", design_text(study)});
    if (const auto advice = power_advice(study); !advice.empty()) table.add({"note", advice});
  }
  return table.text(2, 110);
}

Json design_figures(const Study& study) {
  if (!study.compare) return nullptr;
  const auto rule = variance::fixed_rule(study.pairs, levels_of(*study.compare));
  auto levels = levels_of(*study.compare);
  levels.beta = 1 - wanted_power;
  const auto enough = variance::exact_sign_design(levels);
  return {{"pairs", study.pairs},
          {"wins_needed", rule.better_from ? Json(*rule.better_from) : Json()},
          {"size", results::rounded10(rule.size)},
          {"power", results::rounded10(rule.power)},
          {"alpha", study.compare->alpha},
          {"beta", study.compare->beta},
          {"gamma", study.compare->gamma},
          {"pairs_for_power_80", enough.pairs}};
}

std::string mode_page(const determinism::KernelMode& mode) {
  std::string out;
  for (const auto& [name, value] : determinism::variables_of(mode)) out += "  " + name + "=" + value + "\n";
  return out;
}

}  // namespace retrial::harness
