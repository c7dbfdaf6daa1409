#include <algorithm>
#include <cmath>
#include <set>

#include "harness/study/checks/draft_checks.hpp"
#include "harness/study/checks/study.hpp"
#include "harness/study/declared/design_table.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

/// Checks the claims of a study file: claims that cannot be judged are refused before the first run.
namespace retrial::harness::inline study::inline checks {
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
  wrong(draft, key, value, "unknown " + what, results::joined(known), draft_checks::suggestion(value, known));
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

const std::string all_others = "*";

/// Variants that the claim is made about, each on its own; "*": all but the baseline.
std::vector<std::string> candidates_of(const Draft& draft, const Study& study) {
  if (!draft.candidate && study.variants.size() != 1)
    wrong(draft, "candidate", "", "missing: name the variant whose trials are read");
  std::vector<std::string> out;
  if (!draft.candidate || *draft.candidate == std::vector{all_others}) {
    for (const auto& variant : study.variants)
      if (!draft.baseline || variant.name != draft.baseline->front()) out.push_back(variant.name);
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

/// A metric of the variant under its keys. A series needs a step; other metrics must have none.
const MetricDef& definition_of(const Draft& draft, const std::string& key, const Reading& reading,
                               const std::vector<MetricDef>& defs) {
  const auto found = std::ranges::find(defs, reading.metric, &MetricDef::name);
  if (found == defs.end()) unknown(draft, key, reading.text(), names_of(defs), "metric");
  const bool series = found->axis != Axis::none;
  if (series && !reading.step)
    wrong(draft, key, reading.metric, "is a series: name one of its steps", "",
          "for example " + reading.metric + "[1]; a list of several is averaged");
  if (!series && reading.step) wrong(draft, key, reading.text(), "is not a series, so it has no steps", reading.metric);
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
      wrong(draft, key, text, "is in " + (def.unit.empty() ? "no unit" : def.unit) + ", unlike the one before it");
    out.unit = def.unit;
    out.readings.push_back(*reading);
  }
  return out;
}

Expect expect_of(const Draft& draft) {
  std::vector<std::string> known;
  for (const Expect expect : all_expectations()) known.push_back(name_of(expect));
  if (!draft.expect) wrong(draft, "expect", "", "missing: a claim needs a direction", results::joined(known));
  for (const Expect expect : all_expectations())
    if (name_of(expect) == *draft.expect) return expect;
  unknown(draft, "expect", *draft.expect, known, "word");
}

double margin_of(const Draft& draft, Expect expect) {
  const double margin = draft.margin.value_or(0);
  if (margin < 0) wrong(draft, "margin", results::text_of(margin), "out of range", "0 and more");
  if (tolerates(expect) && margin == 0)
    wrong(draft, "margin", "",
          "missing: no two means are equal, so declare the largest difference that does not matter", "above 0");
  return margin;
}

std::string test_of(const Draft& draft, Expect expect) {
  if (expect == Expect::equal) {
    if (draft.test && *draft.test != resample_test)
      wrong(draft, "test", *draft.test, "equality is always judged by two one-sided t tests (tost); leave test out",
            resample_test);
    return "tost";
  }
  const std::string name = draft.test.value_or(claim_tests().front());
  auto known = claim_tests();
  if (draft.share) known.emplace_back(share_test);
  if (std::ranges::find(known, name) == known.end()) unknown(draft, "test", name, known, "test");
  return name;
}

std::string independent_tests(const Draft& draft) {
  auto known = claim_tests();
  std::erase(known, resample_test);
  if (draft.share) known.emplace_back(share_test);
  return results::joined(known);
}

/// Sets the reference of the candidate: a number, a variant, another reading, or both of the last two.
void set_reference(const Draft& draft, const workloads::Declaration& declaration, const Study& study,
                   RegisteredClaim& out) {
  out.baseline = out.candidate;
  out.against = out.metric;
  out.value = draft.value;
  if (draft.value && (draft.baseline || draft.against))
    wrong(draft, "value", results::text_of(*draft.value),
          "contradicts " + std::string(draft.baseline ? "baseline" : "against"), "",
          "a claim is compared with a number or with trials, not both");
  if (draft.value) return;
  if (draft.baseline && draft.baseline->size() != 1)
    wrong(draft, "baseline", results::joined(*draft.baseline), "several names", "one variant",
          "with share, lists of candidates and baselines are read side by side");
  if (draft.baseline) out.baseline = variant_named(draft, study, "baseline", draft.baseline->front()).name;
  const auto defs = claimable_metrics(declaration, study, variant_named(draft, study, "baseline", out.baseline).values);
  std::vector<std::string> texts;
  for (const auto& reading : out.metric) texts.push_back(reading.text());
  const Read read = readings_of(draft, "against", draft.against.value_or(texts), defs);
  if (read.unit != out.unit)
    wrong(draft, "against", read.readings.front().text(), "differs in unit from " + out.metric.front().text());
  out.against = read.readings;
  if (out.baseline == out.candidate && out.against == out.metric)
    wrong(draft, "", "", "compares " + text_of(out.metric) + " of " + out.candidate + " with itself", "",
          "name a baseline (another variant), against (another reading), or a value");
}

/// The weighted variants, none of which may drop out of the sum.
Contrast contrast_of(const Draft& draft, const Study& study) {
  for (const auto& [key, given] :
       {std::pair("candidate", draft.candidate.has_value()), std::pair("baseline", draft.baseline.has_value()),
        std::pair("against", draft.against.has_value())})
    if (given)
      wrong(draft, key, "", "contradicts contrast", "",
            "a contrast names all its variants itself and is compared with value");
  for (const auto& [variant, weight] : *draft.contrast) {
    variant_named(draft, study, "contrast", variant);
    if (!std::isfinite(weight) || weight == 0)
      wrong(draft, "contrast." + variant, results::text_of(weight), "not a weight", "finite numbers other than 0",
            "leave the variant out if it has no part in the sum");
  }
  if (draft.contrast->size() < 2)
    wrong(draft, "contrast", "", std::to_string(draft.contrast->size()) + " named", "two or more variants",
          "one variant is compared with a number by candidate and value");
  if (!draft.value && !is_balanced(*draft.contrast)) {
    double sum = 0;
    for (const auto& part : *draft.contrast) sum += part.weight;
    wrong(draft, "contrast", "", "the weights sum to " + results::text_of(sum) + ", not to 0", "",
          "correct the weights, or give value: the number that such a sum is compared with");
  }
  return *draft.contrast;
}

/// A contrast reads the same metric of every variant.
RegisteredClaim checked_contrast(const Draft& draft, const workloads::Declaration& declaration, const Study& study) {
  RegisteredClaim out{.name = draft.name, .says = draft.says.value_or("")};
  if (!draft.metric) wrong(draft, "metric", "", "missing");
  out.contrast = contrast_of(draft, study);
  for (const auto& variant : out.variants()) {
    const auto defs = claimable_metrics(declaration, study, variant_named(draft, study, "contrast", variant).values);
    Read read = readings_of(draft, "metric", *draft.metric, defs);
    out.metric = out.against = std::move(read.readings);
    if (variant != out.contrast.front().variant && read.unit != out.unit)
      wrong(draft, "metric", draft.metric->front(), "has another unit in " + variant + " than in the variants before");
    out.unit = std::move(read.unit);
  }
  out.value = draft.value.value_or(0);
  out.expect = expect_of(draft);
  out.margin = margin_of(draft, out.expect);
  out.test = test_of(draft, out.expect);
  return out;
}

/// Candidates and baselines side by side, or one of each in several metrics.
std::vector<ShareCell> cells_of(const Draft& draft, const Study& study) {
  if (!draft.metric) wrong(draft, "metric", "", "missing");
  if (!draft.candidate) wrong(draft, "candidate", "", "missing: name the variant, or a list of variants");
  if (!draft.baseline) wrong(draft, "baseline", "", "missing: name the variant that it is ahead of, or a list");
  const auto &candidates = *draft.candidate, &baselines = *draft.baseline, &metrics = *draft.metric;
  if (candidates.size() != baselines.size())
    wrong(draft, "baseline", results::joined(baselines),
          std::to_string(baselines.size()) + " named, and " + std::to_string(candidates.size()) + " candidates",
          "as many as candidates: they are read side by side");
  if (candidates.size() > 1 && metrics.size() > 1)
    wrong(draft, "metric", results::joined(metrics), "a list beside lists of variants", "one metric");
  std::vector<ShareCell> out;
  for (std::size_t i = 0; i < std::max(candidates.size(), metrics.size()); ++i) {
    const auto of = [&](const std::vector<std::string>& list) { return list.size() == 1 ? list.front() : list[i]; };
    const auto reading = reading_from(of(metrics));
    if (!reading) wrong(draft, "metric", of(metrics), "not a reading", "NAME, or NAME[STEP] with a step from 0");
    ShareCell cell{.candidate = variant_named(draft, study, "candidate", of(candidates)).name,
                   .baseline = variant_named(draft, study, "baseline", of(baselines)).name,
                   .metric = *reading};
    if (cell.candidate == cell.baseline) wrong(draft, "baseline", cell.baseline, "is compared with itself");
    if (std::ranges::find(out, cell) != out.end())
      wrong(draft, metrics.size() > 1 ? "metric" : "candidate", metrics.size() > 1 ? of(metrics) : cell.candidate,
            "named twice");
    out.push_back(std::move(cell));
  }
  if (out.size() < 2)
    wrong(draft, "metric", metrics.front(), "one set", "two or more: a list of metrics, or lists of variants",
          "a claim about one set needs no share");
  return out;
}

void refuse_beside_share(const Draft& draft) {
  const std::pair<const char*, bool> others[] = {{"value", draft.value.has_value()},
                                                 {"against", draft.against.has_value()},
                                                 {"margin", draft.margin.has_value()},
                                                 {"contrast", draft.contrast.has_value()}};
  for (const auto& [key, given] : others)
    if (given) wrong(draft, key, "", "contradicts share", "", "a share is compared with the number that it names");
  if (!(*draft.share > 0 && *draft.share < 1))
    wrong(draft, "share", results::text_of(*draft.share), "out of range", "above 0 and below 1");
}

/// Each set counts by its direction, so their units may differ.
RegisteredClaim checked_share(const Draft& draft, const workloads::Declaration& declaration, const Study& study) {
  refuse_beside_share(draft);
  RegisteredClaim out{.name = draft.name, .says = draft.says.value_or(""), .value = draft.share};
  out.cells = cells_of(draft, study);
  for (const auto& cell : out.cells)
    for (const auto& variant : {cell.candidate, cell.baseline}) {
      const auto defs = claimable_metrics(declaration, study, variant_named(draft, study, "candidate", variant).values);
      if (definition_of(draft, "metric", cell.metric, defs).direction == results::Direction::none)
        wrong(draft, "metric", cell.metric.text(), "has no direction, so no side is ahead in it");
    }
  for (const auto& cell : out.cells)
    if (std::ranges::find(out.metric, cell.metric) == out.metric.end()) out.metric.push_back(cell.metric);
  out.against = out.metric;
  out.candidate = results::joined(*draft.candidate);
  out.baseline = results::joined(*draft.baseline);
  out.expect = expect_of(draft);
  if (out.expect != Expect::higher && out.expect != Expect::lower)
    wrong(draft, "expect", *draft.expect, "not for a share", "higher, lower");
  out.test = test_of(draft, out.expect);
  return out;
}

RegisteredClaim checked_claim(const Draft& draft, const std::string& candidate,
                              const workloads::Declaration& declaration, const Study& study) {
  RegisteredClaim out{.name = draft.name, .says = draft.says.value_or(""), .candidate = candidate};
  if (!draft.metric) wrong(draft, "metric", "", "missing");
  const auto defs =
      claimable_metrics(declaration, study, variant_named(draft, study, "candidate", out.candidate).values);
  Read read = readings_of(draft, "metric", *draft.metric, defs);
  out.metric = std::move(read.readings);
  out.unit = std::move(read.unit);
  out.expect = expect_of(draft);
  out.margin = margin_of(draft, out.expect);
  out.test = test_of(draft, out.expect);
  set_reference(draft, declaration, study, out);
  return out;
}

/// The largest overlap of the variants that a claim reads.
std::optional<double> largest_overlap(const RegisteredClaim& claim, const workloads::Declaration& declaration,
                                      const Study& study) {
  std::optional<double> out;
  const auto read = claim.variants();
  for (const auto& variant : study.variants)
    if (std::ranges::find(read, variant.name) != read.end())
      if (const auto overlap = workloads::overlap_under(declaration, variant.values, study.varied))
        out = std::max(out.value_or(0), *overlap);
  return out;
}

/// A test of independent pairs says nothing of new data where the pairs are divisions of one data set.
void fit_test(const Draft& draft, const workloads::Declaration& declaration, const Study& study, bool about_resamples,
              RegisteredClaim& claim) {
  const auto overlap = largest_overlap(claim, declaration, study);
  const std::string given = draft.test.value_or(claim.test);
  if (given == resample_test) {
    if (!overlap)
      wrong(draft, "test", given,
            "is for pairs that share rows, but no varied source redraws the division of one data set",
            independent_tests(draft), "every pair has its own data, or all have the same division");
    claim.overlap = overlap;
  } else if (overlap && !about_resamples) {
    wrong(
        draft, "test", given,
        "takes pairs as independent, but they are new divisions of one data set and share rows (overlap " +
            short_text(*overlap) + ")",
        resample_test,
        "test = \"" + std::string(resample_test) +
            "\" for a claim about new data; or at the top of the file: claims_about = \"resamples\", for claims about "
            "new divisions of the same rows alone");
  }
}

/// One table of the file: one claim per candidate, all in the same family.
void add_claims(const Draft& draft, const workloads::Declaration& declaration, const Study& study,
                std::vector<RegisteredClaim>& out) {
  if (draft.name.empty() || draft.name.size() > 64 || draft.name.find_first_of("/#|\n\t ") != std::string::npos)
    wrong(draft, "", draft.name, "not a name", "1 to 64 characters without blanks, '/', '#' and '|'");
  if (draft.share) {
    out.push_back(checked_share(draft, declaration, study));
    return;
  }
  if (draft.contrast) {
    out.push_back(checked_contrast(draft, declaration, study));
    return;
  }
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
  const bool about_resamples = draft.claims_about.has_value();
  if (about_resamples && *draft.claims_about != "resamples")
    throw Error({.code = "study.claims_about",
                 .where = draft.at("claims_about"),
                 .field = "claims_about",
                 .value = results::one_line(*draft.claims_about, 100),
                 .problem = "not a word for what claims are about",
                 .allowed = "resamples, or left out"});
  for (const auto& claim : draft.claims) {
    if (study.variance && study.variance->design != "ideal")
      wrong(claim, "", "", "a study of variance has no independent pairs to support a claim", "",
            "leave out [variance], or the claims");
    if (study.compare && study.compare->sequential())
      wrong(claim, "", "", "family " + study.compare->family + " stops as soon as the judged comparison is decided", "",
            "claims need a number of pairs fixed beforehand: family = \"fixed\"");
    const auto first = out.claims.size();
    add_claims(claim, declaration, study, out.claims);
    for (auto i = first; i < out.claims.size(); ++i)
      fit_test(claim, declaration, study, about_resamples, out.claims[i]);
  }
  if (!study.compare) return out;
  out.alpha = study.compare->alpha;
  out.failure = field_text(design_field("failure").get(*study.compare));
  return out;
}

}  // namespace retrial::harness::inline study::inline checks
