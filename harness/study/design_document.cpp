#include "harness/study/design_check.hpp"
#include "results/text/text.hpp"
#include "variance/verdict/design_family.hpp"

namespace retrial::harness::inline study {

void add_declared(const Study& study, Json& document) {
  const Compare& design = *study.compare;
  const auto bits = [](const std::pair<double, double>& interval) {
    return Json{results::hex_of_bits(interval.first), results::hex_of_bits(interval.second)};
  };
  if (design.sides != "one") document["sides"] = design.sides;
  if (design.gamma_mode != "paired") {
    document["gamma_mode"] = design.gamma_mode;
    document["correlation"] = results::hex_of_bits(*design.correlation);
  }
  if (design.band) document["band"] = bits(*design.band);
  if (design.range) document["range"] = bits(*design.range);
  if (!design.sequential()) return;
  const auto& family = *variance::find_family(design.family);
  document["n_max"] = study.pairs;
  document["anytime"] = family.anytime;
  if (!family.mixture.empty()) document["mixture"] = family.mixture;
  if (!design.looks.empty()) document["looks"] = design.looks;
}

variance::Design statistical_design(const Study& study) {
  const Compare& c = study.compare.value();
  return {.candidate = c.candidate,
          .baseline = c.baseline,
          .metric = c.metric,
          .alpha = c.alpha,
          .beta = c.beta,
          .gamma = c.gamma,
          .tie_limit = c.tie_limit,
          .pairs = study.pairs,
          .margin = c.margin,
          .failure = c.failure == "loss"   ? variance::FailurePolicy::loss
                     : c.failure == "drop" ? variance::FailurePolicy::drop
                                           : variance::FailurePolicy::refuse,
          .family = c.family,
          .test = c.test,
          .sides = c.sides == "two" ? variance::Sides::two : variance::Sides::one,
          .correlation = c.correlation,
          .band = c.band,
          .range = c.range,
          .looks = c.looks,
          .spending = c.spending.empty() ? "obrien_fleming" : c.spending};
}

}  // namespace retrial::harness::inline study
