#include <algorithm>
#include <set>

#include "harness/design_table.hpp"
#include "harness/study.hpp"
#include "results/error.hpp"
#include "results/text.hpp"

/// Claims of a study file: what cannot be judged is said before the first run.
namespace retrial::harness {
namespace {

using results::Axis, results::MetricDef;
using Draft = StudyDraft::Claim;

[[noreturn]] void wrong(const Draft& draft, const std::string& key, const std::string& value,
                        const std::string& problem, const std::string& allowed = "", const std::string& help = "") {
  throw Error({.code = "study.claim",
               .where = draft.where,
               .field = "claim." + draft.name + (key.empty() ? "" : "." + key),
               .value = results::one_line(value, 100),
               .problem = problem,
               .allowed = allowed,
               .help = help});
}

[[noreturn]] void unknown(const Draft& draft, const std::string& key, const std::string& value,
                          const std::vector<std::string>& known, const std::string& what) {
  const auto near = results::nearest(value, known);
  wrong(draft, key, value, "unknown " + what, results::joined(known), near ? "did you mean \"" + *near + "\"?" : "");
}

const StudyVariant& variant_named(const Draft& draft, const Study& study, const std::string& key,
                                  const std::string& name) {
  std::vector<std::string> names;
  for (const auto& variant : study.variants) {
    if (variant.name == name) return variant;
    names.push_back(variant.name);
  }
  unknown(draft, key, name, names, "variant");
}

const std::string everybody = "*";

/// Variants that the claim is made of, each by itself; "*": of all but the baseline.
std::vector<std::string> candidates_of(const Draft& draft, const Study& study) {
  if (!draft.candidate && study.variants.size() != 1) wrong(draft, "candidate", "", "missing: whose trials are read?");
  std::vector<std::string> out;
  if (!draft.candidate || *draft.candidate == std::vector{everybody}) {
    for (const auto& variant : study.variants)
      if (variant.name != draft.baseline) out.push_back(variant.name);
    return out;
  }
  for (const auto& name : *draft.candidate) {
    if (std::ranges::find(out, name) != out.end()) wrong(draft, "candidate", name, "named twice");
    out.push_back(variant_named(draft, study, "candidate", name).name);
  }
  return out;
}

std::vector<std::string> names_of(const std::vector<MetricDef>& defs) {
  std::vector<std::string> out;
  for (const auto& def : defs) out.push_back(def.axis == Axis::none ? def.name : def.name + "[STEP]");
  return out;
}

/// A metric of the variant under its keys, with a step where it is a series and without where it is not.
const MetricDef& definition_of(const Draft& draft, const std::string& key, const Reading& reading,
                               const std::vector<MetricDef>& defs) {
  const auto found = std::ranges::find(defs, reading.metric, &MetricDef::name);
  if (found == defs.end()) unknown(draft, key, reading.text(), names_of(defs), "metric");
  const bool series = found->axis != Axis::none;
  if (series && !reading.step)
    wrong(draft, key, reading.metric, "is a series: which of its values?", "",
          "say the step: " + reading.metric + "[1]; a list of several is averaged");
  if (!series && reading.step) wrong(draft, key, reading.text(), "has one value, no steps", reading.metric);
  return *found;
}

struct Read {
  Readings readings;
  std::string unit;
};

Read readings_of(const Draft& draft, const std::string& key, const std::vector<std::string>& texts,
                 const std::vector<MetricDef>& defs) {
  Read out;
  for (const auto& text : texts) {
    const auto reading = reading_from(text);
    if (!reading) wrong(draft, key, text, "not a reading", "NAME, or NAME[STEP] with a step from 0");
    const auto& def = definition_of(draft, key, *reading, defs);
    if (!out.readings.empty() && def.unit != out.unit)
      wrong(draft, key, text, "is in " + (def.unit.empty() ? "no unit" : def.unit) + ", the one before is not");
    out.unit = def.unit;
    out.readings.push_back(*reading);
  }
  return out;
}

Expect expect_of(const Draft& draft) {
  std::vector<std::string> known;
  for (const Expect expect : all_expectations()) known.push_back(name_of(expect));
  if (!draft.expect) wrong(draft, "expect", "", "missing: a claim says a direction", results::joined(known));
  for (const Expect expect : all_expectations())
    if (name_of(expect) == *draft.expect) return expect;
  unknown(draft, "expect", *draft.expect, known, "word");
}

double margin_of(const Draft& draft, Expect expect) {
  const double margin = draft.margin.value_or(0);
  if (margin < 0) wrong(draft, "margin", results::text_of(margin), "out of range", "0 and more");
  if (tolerates(expect) && margin == 0)
    wrong(draft, "margin", "", "missing: no two means are equal; which difference does not matter?", "above 0");
  return margin;
}

std::string test_of(const Draft& draft, Expect expect) {
  if (expect == Expect::equal) {
    if (draft.test) wrong(draft, "test", *draft.test, "an equality is judged by two one-sided t tests (tost)");
    return "tost";
  }
  const std::string name = draft.test.value_or(claim_tests().front());
  if (std::ranges::find(claim_tests(), name) == claim_tests().end())
    unknown(draft, "test", name, claim_tests(), "test");
  return name;
}

/// What the candidate is held against: a number, a variant, another reading, or both of the last two.
void set_reference(const Draft& draft, const workloads::Declaration& declaration, const Study& study,
                   RegisteredClaim& out) {
  out.baseline = out.candidate;
  out.against = out.metric;
  out.value = draft.value;
  if (draft.value && (draft.baseline || draft.against))
    wrong(draft, "value", results::text_of(*draft.value),
          "contradicts " + std::string(draft.baseline ? "baseline" : "against"), "",
          "a claim is held against a number or against trials");
  if (draft.value) return;
  if (draft.baseline) out.baseline = variant_named(draft, study, "baseline", *draft.baseline).name;
  const auto defs = workloads::metrics_under(declaration, variant_named(draft, study, "baseline", out.baseline).values);
  std::vector<std::string> texts;
  for (const auto& reading : out.metric) texts.push_back(reading.text());
  const Read read = readings_of(draft, "against", draft.against.value_or(texts), defs);
  if (read.unit != out.unit)
    wrong(draft, "against", read.readings.front().text(), "has another unit than " + out.metric.front().text());
  out.against = read.readings;
  if (out.baseline == out.candidate && out.against == out.metric)
    wrong(draft, "", "", "holds " + text_of(out.metric) + " of " + out.candidate + " against itself", "",
          "name a baseline (another variant), against (another reading), or a value");
}

RegisteredClaim checked_claim(const Draft& draft, const std::string& candidate,
                              const workloads::Declaration& declaration, const Study& study) {
  RegisteredClaim out{.name = draft.name, .says = draft.says.value_or(""), .candidate = candidate};
  if (!draft.metric) wrong(draft, "metric", "", "missing");
  const auto defs =
      workloads::metrics_under(declaration, variant_named(draft, study, "candidate", out.candidate).values);
  Read read = readings_of(draft, "metric", *draft.metric, defs);
  out.metric = std::move(read.readings);
  out.unit = std::move(read.unit);
  out.expect = expect_of(draft);
  out.margin = margin_of(draft, out.expect);
  out.test = test_of(draft, out.expect);
  set_reference(draft, declaration, study, out);
  return out;
}

/// One table of the file: a claim of each of its candidates, all in the one family.
void add_claims(const Draft& draft, const workloads::Declaration& declaration, const Study& study,
                std::vector<RegisteredClaim>& out) {
  if (draft.name.empty() || draft.name.size() > 64 || draft.name.find_first_of("/#|\n\t ") != std::string::npos)
    wrong(draft, "", draft.name, "not a name", "1 to 64 characters without blanks, '/', '#' and '|'");
  const auto candidates = candidates_of(draft, study);
  for (const auto& candidate : candidates) {
    out.push_back(checked_claim(draft, candidate, declaration, study));
    if (candidates.size() > 1) out.back().name += "/" + candidate;
  }
}

}  // namespace

RegisteredClaims checked_claims(const StudyDraft& draft, const workloads::Declaration& declaration,
                                const Study& study) {
  RegisteredClaims out;
  for (const auto& claim : draft.claims) {
    if (study.variance && study.variance->design != "ideal")
      wrong(claim, "", "", "a study of variance has no independent pairs that a claim could rest on", "",
            "leave out [variance], or the claims");
    if (study.compare && study.compare->sequential())
      wrong(claim, "", "",
            "the pairs of family " + study.compare->family + " end where the judged comparison is decided", "",
            "claims are judged after a number of pairs fixed beforehand: family = \"fixed\"");
    add_claims(claim, declaration, study, out.claims);
  }
  if (!study.compare) return out;
  out.alpha = study.compare->alpha;
  out.failure = field_text(design_field("failure").get(*study.compare));
  return out;
}

}  // namespace retrial::harness
