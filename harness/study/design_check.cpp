#include "harness/study/design_check.hpp"

#include <algorithm>
#include <cmath>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "variance/two_variants/comparisons.hpp"
#include "variance/verdict/design_family.hpp"

namespace retrial::harness::inline study {
namespace {

using variance::DesignFamily;
using variance::find_family;
using variance::SequentialData;

constexpr std::int64_t default_pairs = 20, default_looks = 5, most_looks = 50, most_pairs_with_band = 1'000;

[[noreturn]] void wrong(const StudyDraft& draft, const std::string& key, const std::string& value,
                        const std::string& problem, const std::string& allowed, const std::string& help = "") {
  const std::string code = problem == "out of range"   ? "out_of_range"
                           : problem == "unknown name" ? "unknown_name"
                                                       : "design";
  throw Error({.code = "study." + code,
               .where = draft.at("compare." + key),
               .field = "compare." + key,
               .value = value,
               .problem = problem,
               .allowed = allowed,
               .help = help});
}

std::string one_of(const StudyDraft& draft, const std::string& key, const std::string& value,
                   const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return value;
  const auto near = results::nearest(value, known);
  wrong(draft, key, results::one_line(value, 80), "unknown name", results::joined(known),
        near ? "did you mean \"" + *near + "\"?" : "");
}

double in_range(const StudyDraft& draft, const char* key, double value, double low, double high, const char* allowed) {
  if (value > low && value < high) return value;
  wrong(draft, key, results::text_of(value), "out of range", allowed);
}

void set_levels(const StudyDraft& draft, Compare& out) {
  out.alpha = in_range(draft, "alpha", draft.alpha.value_or(out.alpha), 0, 0.5, "0 < alpha < 0.5");
  out.beta = in_range(draft, "beta", draft.beta.value_or(out.beta), 0, 0.5, "0 < beta < 0.5");
  out.gamma = in_range(draft, "gamma", draft.gamma.value_or(out.gamma), 0.5, 1, "0.5 < gamma < 1");
  out.tie_limit = draft.tie_limit.value_or(out.tie_limit);
  if (out.tie_limit != 0) in_range(draft, "tie_limit", out.tie_limit, 0, 1, "0 <= tie_limit < 1");
  out.margin = draft.margin;
  if (out.margin) in_range(draft, "margin", *out.margin, 0, 1e300, "margin > 0, in units of the metric");
  out.failure = one_of(draft, "failure", draft.failure.value_or(out.failure), {"loss", "drop", "refuse"});
}

/// A key that the family does not read would be passed over in silence.
void refuse(const StudyDraft& draft, bool given, const std::string& key, const std::string& problem,
            const std::string& help = "") {
  if (given) wrong(draft, key, "", problem, "", help);
}

void refuse_what_has_no_meaning(const StudyDraft& draft, const Compare& out) {
  const bool looks = find_family(out.family)->looks;
  const std::string family = "has no meaning in a design of family " + out.family;
  refuse(draft, draft.n_max && !out.sequential(), "n_max", family + ", which has one look, after all pairs",
         "say pairs = N, or a family that stops on the way: family = \"dual_e\"");
  refuse(draft, draft.looks && !looks, "looks", family,
         "it belongs to family = \"group_sequential\" or \"group_permutation\"");
  refuse(draft, draft.spending && out.family != "group_sequential", "spending", family,
         "it belongs to family = \"group_sequential\"");
  refuse(draft, draft.range && out.family != "betting", "range", family, "it belongs to family = \"betting\"");
  refuse(draft, draft.margin && out.sequential(), "margin", family,
         "equivalence in units of the metric is judged by a fixed design");
  const bool takes_band = out.family == "dual_e" || (!out.sequential() && out.test == "pab_exact");
  refuse(draft, draft.band && !takes_band, "band", out.sequential() ? family : "has no meaning with test " + out.test,
         "a band of shares is judged by family = \"dual_e\", or by a fixed design with test = \"pab_exact\"");
  refuse(draft, draft.margin && draft.band, "band", "given together with margin",
         "equivalence is one of the two: in units of the metric, or a share of pairs won");
}

void set_test(const StudyDraft& draft, Compare& out) {
  if (draft.test) out.test = one_of(draft, "test", *draft.test, design_test_names());
  if (!out.sequential()) return;
  const bool wins = find_family(out.family)->data == SequentialData::wins;
  if (draft.test && !(wins && out.test == "pab_exact"))
    wrong(draft, "test", out.test, "is not what family " + out.family + " asks at its looks",
          wins ? "pab_exact" : "none: leave it out", "any test may stand in a fixed design");
  if (!wins) out.test = out.family == "group_sequential" ? draft.spending.value_or("obrien_fleming") : out.family;
}

/// Rules on differences look in both directions, and share alpha between them.
void set_sides(const StudyDraft& draft, Compare& out) {
  out.sides = one_of(draft, "sides", draft.sides.value_or(out.sides), {"one", "two"});
  if (find_family(out.family)->data == SequentialData::wins) return;
  refuse(draft, draft.sides == "one", "sides", "one: family " + out.family + " shares alpha between better and worse",
         "leave it out, or say \"two\"");
  out.sides = "two";
}

void set_gamma_mode(const StudyDraft& draft, Compare& out) {
  out.gamma_mode = one_of(draft, "gamma_mode", draft.gamma_mode.value_or(out.gamma_mode), {"paired", "unpaired"});
  out.correlation = draft.correlation;
  const bool unpaired = out.gamma_mode == "unpaired";
  if (unpaired && !out.correlation)
    wrong(draft, "gamma_mode", "unpaired", "needs the correlation of paired scores, by which gamma is converted",
          "correlation between -1 and 1", "an earlier study's pairing gain tells it; or say what gamma is of pairs");
  refuse(draft, !unpaired && out.correlation.has_value(), "correlation", "given without gamma_mode = \"unpaired\"");
  if (out.correlation) in_range(draft, "correlation", *out.correlation, -1, 1, "-1 < correlation < 1");
}

std::pair<double, double> two(const StudyDraft& draft, const std::string& key, const std::vector<double>& numbers) {
  for (const double number : numbers)
    if (!std::isfinite(number)) wrong(draft, key, results::text_of(number), "not a finite number", "two numbers");
  if (numbers.size() != 2 || !(numbers[0] < numbers[1]))
    wrong(draft, key, "", "is not an interval", "two numbers, the smaller one first");
  return {numbers[0], numbers[1]};
}

void set_intervals(const StudyDraft& draft, std::int64_t pairs, Compare& out) {
  if (draft.band && out.sequential() && pairs > most_pairs_with_band)
    wrong(draft, "n_max", std::to_string(pairs), "out of range", "1 to 1000 with a band, whose boundaries are tabled");
  if (draft.band) {
    out.band = two(draft, "band", *draft.band);
    if (!(out.band->first > 0 && out.band->first < 0.5 && out.band->second > 0.5 && out.band->second < 1))
      wrong(draft, "band", results::text_of(out.band->first) + ", " + results::text_of(out.band->second),
            "out of range", "0 < low < 0.5 < high < 1, shares of pairs won");
  }
  if (draft.range) out.range = two(draft, "range", *draft.range);
  if (out.family == "betting" && !out.range)
    wrong(draft, "range", "", "missing: family betting bets on scores of a known range",
          "least and largest score there can be", "for an accuracy in percent: range = [0, 100]");
}

/// K equal looks, or the pairs at each.
void set_looks(const StudyDraft& draft, std::int64_t pairs, Compare& out) {
  if (!find_family(out.family)->looks) return;
  if (out.family == "group_sequential")
    out.spending = one_of(draft, "spending", draft.spending.value_or("obrien_fleming"), {"obrien_fleming", "pocock"});
  if (pairs < 2) wrong(draft, "n_max", std::to_string(pairs), "out of range", "2 and more: a look needs two pairs");
  const auto given = draft.looks.value_or(std::vector{std::min(default_looks, pairs / 2)});
  if (given.size() == 1 && given[0] != pairs) {
    const std::int64_t count = given[0];
    if (count < 1 || count > most_looks || 2 * count > pairs)
      wrong(
          draft, "looks", std::to_string(count), "out of range",
          "1 to " + std::to_string(std::min(most_looks, pairs / 2)) + " looks in " + std::to_string(pairs) + " pairs");
    for (std::int64_t k = 1; k <= count; ++k) out.looks.push_back(pairs * k / count);
    return;
  }
  out.looks = given;
  for (std::size_t k = 0; k < given.size(); ++k)
    if (given[k] < (k == 0 ? 2 : given[k - 1] + 1) || given.size() > static_cast<std::size_t>(most_looks))
      wrong(draft, "looks", std::to_string(given[k]), "out of order", "ascending numbers of pairs, from 2");
  if (given.back() != pairs)
    wrong(draft, "looks", std::to_string(given.back()), "is not the last pair", "n_max, " + std::to_string(pairs));
}

/// The test runs on stand-in scores: what it cannot take is said now, not after the runs.
void try_test(const StudyDraft& draft, const Study& study) {
  const Compare& out = *study.compare;
  if (out.sequential() || out.test == "pab_exact") return;
  const auto design = statistical_design(study);
  const auto pairs = static_cast<std::size_t>(std::min<std::int64_t>(study.pairs, 64));
  std::vector<double> candidate, baseline;
  for (std::size_t i = 0; i < pairs; ++i) {
    candidate.push_back(i % 3 == 0 ? 1 : 0);
    baseline.push_back(i % 4 == 0 ? 1 : 0);
  }
  try {
    static_cast<void>(variance::compare(out.test, candidate, baseline,
                                        {.direction = variance::Direction::higher,
                                         .alpha = design.alpha,
                                         .sides = design.sides,
                                         .resolution = std::nullopt,
                                         .margin = design.margin,
                                         .overlap = std::nullopt,
                                         .resamples = 1'000,
                                         .key = 0}));
  } catch (const InvalidInput& refused) {
    wrong(draft, "test", out.test,
          "cannot judge " + std::to_string(study.pairs) + " pairs of this design: " + refused.field + " = " +
              refused.value,
          refused.allowed);
  }
}

}  // namespace

std::vector<std::string> design_family_names() {
  std::vector<std::string> out;
  for (const auto& family : variance::all_design_families()) out.emplace_back(family.name);
  return out;
}

std::vector<std::string> design_test_names() {
  std::vector<std::string> out;
  for (const auto& test : variance::all_comparisons()) out.emplace_back(test.name);
  return out;
}

std::int64_t declared_pairs(const StudyDraft& draft) {
  const auto* family = find_family(draft.family.value_or("fixed"));
  if (family == nullptr || !family->sequential()) return draft.pairs.value_or(default_pairs);
  if (!draft.n_max && !draft.pairs)
    wrong(draft, "n_max", "",
          "missing: a design of family " + draft.family.value() + " declares the most pairs it runs",
          "1 to " + std::to_string(most_sequential_pairs),
          family->anytime ? "this family may be extended later: a larger n_max goes on where it stopped"
                          : "retrial power --gamma G tells how many a fixed design would take");
  if (draft.n_max && draft.pairs && *draft.n_max != *draft.pairs)
    wrong(draft, "n_max", std::to_string(*draft.n_max), "contradicts pairs = " + std::to_string(*draft.pairs), "",
          "n_max is the number of pairs of the plan; leave one of the two out");
  const auto pairs = draft.n_max ? *draft.n_max : *draft.pairs;
  if (pairs < 1 || pairs > most_sequential_pairs)
    wrong(draft, "n_max", std::to_string(pairs), "out of range", "1 to " + std::to_string(most_sequential_pairs));
  return pairs;
}

void declare_design(const StudyDraft& draft, Study& study) {
  Compare& out = *study.compare;
  out.family = one_of(draft, "family", draft.family.value_or(out.family), design_family_names());
  set_levels(draft, out);
  set_test(draft, out);
  refuse_what_has_no_meaning(draft, out);
  set_sides(draft, out);
  set_gamma_mode(draft, out);
  set_intervals(draft, study.pairs, out);
  set_looks(draft, study.pairs, out);
  try_test(draft, study);
}

}  // namespace retrial::harness::inline study
