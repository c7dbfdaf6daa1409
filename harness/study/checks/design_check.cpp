#include "harness/study/checks/design_check.hpp"

#include <algorithm>
#include <cmath>

#include "harness/command_line/arguments.hpp"
#include "harness/study/checks/draft_checks.hpp"
#include "harness/study/declared/design_table.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

using variance::Design;
using variance::find_family;
using variance::SequentialData;

constexpr std::int64_t default_pairs = 20, default_looks = 5, max_looks = 50, max_pairs_with_band = 1'000;

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

void check_word(const StudyDraft& draft, const DesignField& field, const std::string& word) {
  if (!draft_checks::contains(field.choices, word))
    wrong(draft, field.name, results::one_line(word, 80), "unknown name", field.allowed(),
          draft_checks::suggestion(word, field.choices));
}

void check_interval(const StudyDraft& draft, const DesignField& field, const std::vector<double>& ends) {
  for (const double end : ends)
    if (!std::isfinite(end)) wrong(draft, field.name, results::text_of(end), "not a finite number", "two numbers");
  if (ends.size() != 2 || !(ends[0] < ends[1]))
    wrong(draft, field.name, "", "is not an interval", "two numbers, the smaller one first");
}

/// Each value on its own: a known word, a number in its range, two ends in order.
void take_values(const StudyDraft& draft, Design& out) {
  for (const auto& field : design_table()) {
    const auto found = draft.design.find(field.name);
    if (found == draft.design.end()) continue;
    const Json& value = found->second;
    if (field.kind == FieldKind::text) check_word(draft, field, value.get<std::string>());
    if (field.kind == FieldKind::interval) check_interval(draft, field, value.get<std::vector<double>>());
    if (field.kind == FieldKind::number && !inside(value.get<double>(), field.range))
      wrong(draft, field.name, field_text(value), "out of range", field.allowed());
    field.set(value, out);
  }
}

void refuse_if(const StudyDraft& draft, bool given, const std::string& key, const std::string& problem,
               const std::string& help = "") {
  if (given) wrong(draft, key, "", problem, "", help);
}

/// The reason why a field has no meaning: gamma or the test, if with another the design would read the field, else the
/// family.
std::string no_meaning(const DesignField& field, Design design) {
  if (!design.gamma) {
    design.gamma = variance::assumed_win_rate;
    if (field.has_meaning(design)) return "has no meaning without gamma";
  }
  const std::string test = design.test;
  design.test = "pab_exact";
  if (field.has_meaning(design)) return "has no meaning with test " + test;
  return "has no meaning in a design of family " + design.family +
         (design.sequential() ? "" : ", which has one look, after all pairs");
}

/// A key that the family does not read would be silently ignored.
void refuse_what_has_no_meaning(const StudyDraft& draft, const Design& out) {
  for (const auto& field : design_table())
    if (draft.design.contains(field.name) && !field.has_meaning(out))
      wrong(draft, field.name, "", no_meaning(field, out), "", field.belongs);
  refuse_if(draft, out.margin && out.band, "band", "given together with margin",
            "choose one: margin is in units of the metric, band is a range of shares of pairs won");
}

void set_test(const StudyDraft& draft, Design& out) {
  if (!out.sequential()) return;
  const bool wins = find_family(out.family)->data == SequentialData::wins;
  if (draft.design.contains("test") && !(wins && out.test == "pab_exact"))
    wrong(draft, "test", out.test, "is not the test of family " + out.family, wins ? "pab_exact" : "none: leave it out",
          "a fixed design may use any test");
  if (!wins) out.test = out.family == "group_sequential" ? out.spending : out.family;
}

/// Rules on differences look in both directions, and share alpha between them.
void set_sides(const StudyDraft& draft, Design& out) {
  if (find_family(out.family)->data == SequentialData::wins) return;
  refuse_if(draft, draft.design.contains("sides") && out.sides == variance::Sides::one, "sides",
            "one: family " + out.family + " shares alpha between BETTER and WORSE",
            "leave it out, or set it to \"two\"");
  out.sides = variance::Sides::two;
}

void check_gamma(const StudyDraft& draft, const Design& out) {
  if (find_family(out.family)->needs_gamma && !out.gamma)
    wrong(draft, "gamma", "",
          "missing: family " + out.family + " tests against the smallest share of pairs won that matters",
          design_field("gamma").allowed(), "add gamma = 0.75 to [compare], or --gamma 0.75, if that share is meant");
  const auto mode = draft.design.find("gamma_mode");
  const bool unpaired = mode != draft.design.end() && mode->second == "unpaired";
  if (unpaired && !out.correlation)
    wrong(draft, "gamma_mode", "unpaired", "needs the correlation of paired scores, to convert gamma",
          "correlation between -1 and 1", "the pairing gain of an earlier study gives it; or give gamma for pairs");
  refuse_if(draft, !unpaired && out.correlation.has_value(), "correlation", "given without gamma_mode = \"unpaired\"");
}

void check_intervals(const StudyDraft& draft, const Design& out) {
  if (out.band && out.sequential() && out.pairs > max_pairs_with_band)
    wrong(draft, "n_max", std::to_string(out.pairs), "out of range",
          "1 to 1000 with a band, whose boundaries are tabulated");
  if (out.band && !(out.band->first > 0 && out.band->first < 0.5 && out.band->second > 0.5 && out.band->second < 1))
    wrong(draft, "band", results::text_of(out.band->first) + ", " + results::text_of(out.band->second), "out of range",
          "0 < low < 0.5 < high < 1, shares of pairs won");
  if (out.family == "betting" && !out.range)
    wrong(draft, "range", "", "missing: family betting needs scores with a known range",
          "lowest and highest possible score", "for an accuracy in percent: range = [0, 100]");
}

/// K equally spaced looks, or the pairs at each look.
void set_looks(const StudyDraft& draft, Design& out) {
  if (!find_family(out.family)->looks) return;
  const std::int64_t pairs = out.pairs;
  if (pairs < 2) wrong(draft, "n_max", std::to_string(pairs), "out of range", "2 or more: a look needs two pairs");
  if (out.looks.empty()) out.looks = {std::min(default_looks, pairs / 2)};
  const auto given = out.looks;
  if (given.size() == 1 && given[0] != pairs) {
    const std::int64_t count = given[0];
    if (count < 1 || count > max_looks || 2 * count > pairs)
      wrong(draft, "looks", std::to_string(count), "out of range",
            "1 to " + std::to_string(std::min(max_looks, pairs / 2)) + " looks in " + std::to_string(pairs) + " pairs");
    out.looks.clear();
    for (std::int64_t k = 1; k <= count; ++k) out.looks.push_back(pairs * k / count);
    return;
  }
  for (std::size_t k = 0; k < given.size(); ++k)
    if (given[k] < (k == 0 ? 2 : given[k - 1] + 1) || given.size() > static_cast<std::size_t>(max_looks))
      wrong(draft, "looks", std::to_string(given[k]), "out of order", "ascending numbers of pairs, from 2");
  if (given.back() != pairs)
    wrong(draft, "looks", std::to_string(given.back()), "is not the last pair", "n_max, " + std::to_string(pairs));
}

/// Tries the test on placeholder scores: a design that it cannot judge is refused now, not after the runs.
void try_test(const StudyDraft& draft, const Design& design) {
  if (design.sequential() || design.test == "pab_exact") return;
  const auto pairs = static_cast<std::size_t>(std::min<std::int64_t>(design.pairs, 64));
  std::vector<double> candidate, baseline;
  for (std::size_t i = 0; i < pairs; ++i) {
    candidate.push_back(i % 3 == 0 ? 1 : 0);
    baseline.push_back(i % 4 == 0 ? 1 : 0);
  }
  try {
    static_cast<void>(variance::compare(design.test, candidate, baseline,
                                        {.direction = variance::Direction::higher,
                                         .alpha = design.alpha,
                                         .sides = design.sides,
                                         .resolution = std::nullopt,
                                         .margin = design.margin,
                                         .overlap = std::nullopt,
                                         .resamples = 1'000,
                                         .key = 0}));
  } catch (const InvalidInput& refused) {
    wrong(draft, "test", design.test,
          "cannot judge " + std::to_string(design.pairs) + " pairs of this design: " + refused.field + " = " +
              refused.value,
          refused.allowed);
  }
}

}  // namespace

std::int64_t declared_pairs(const StudyDraft& draft) {
  const auto given = draft.design.find("family"), n_max = draft.design.find("n_max");
  const auto* family = given == draft.design.end() ? nullptr : find_family(field_text(given->second));
  if (family == nullptr || !family->sequential()) return draft.pairs.value_or(default_pairs);
  const bool declared = n_max != draft.design.end();
  if (!declared && !draft.pairs)
    wrong(draft, "n_max", "",
          "missing: a design of family " + std::string(family->name) + " must declare its maximum number of pairs",
          "1 to " + std::to_string(max_sequential_pairs),
          family->anytime ? "this family can be extended later: a larger n_max continues where it stopped"
                          : "retrial power --gamma G shows how many pairs a fixed design would need");
  const auto pairs = declared ? n_max->second.get<std::int64_t>() : *draft.pairs;
  if (draft.pairs && pairs != *draft.pairs)
    wrong(draft, "n_max", std::to_string(pairs), "contradicts pairs = " + std::to_string(*draft.pairs), "",
          "n_max is the number of pairs in the plan; leave out one of the two");
  if (pairs < 1 || pairs > max_sequential_pairs)
    wrong(draft, "n_max", std::to_string(pairs), "out of range", "1 to " + std::to_string(max_sequential_pairs));
  return pairs;
}

void declare_design(const StudyDraft& draft, Design& design) {
  take_values(draft, design);
  set_test(draft, design);
  refuse_what_has_no_meaning(draft, design);
  set_sides(draft, design);
  check_gamma(draft, design);
  check_intervals(draft, design);
  set_looks(draft, design);
  try_test(draft, design);
}

}  // namespace retrial::harness::inline study::inline checks
