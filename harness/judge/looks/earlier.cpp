#include "harness/judge/looks/earlier.hpp"

#include <algorithm>

#include "harness/judge/looks/question.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"

namespace retrial::harness::inline judge::inline looks {
namespace {

std::string field_text_in(const Json& document, const char* name) {
  const auto found = document.find(name);
  return found != document.end() && found->is_string() ? found->get<std::string>() : "";
}

bool has_variant(const StudyView& study, const std::string& name) {
  return std::ranges::find(study.variants, name, &VariantView::name) != study.variants.end();
}

/// The look of a stored verdict; its study needs no design.
std::optional<Look> look_of_verdict(const results::Store& store, const StudyView& study, const Look& of_study,
                                    const Json& verdict) {
  const Question question{.baseline = field_text_in(verdict, "baseline"),
                          .candidate = field_text_in(verdict, "candidate"),
                          .metric = field_text_in(verdict, "metric"),
                          .direction = field_text_in(verdict, "direction")};
  if (!has_variant(study, question.baseline) || !has_variant(study, question.candidate)) return {};
  Look out = of_study;
  out.question = digest_of(question, store, study);
  out.declared = study.design && verdict.value("declared", true);
  if (study.design && study.design->sequential()) return out;
  const auto inputs = results::bytes_from_hex(field_text_in(verdict, "inputs"));
  if (inputs && inputs->size() == out.inputs.size()) std::ranges::copy(*inputs, out.inputs.begin());
  return out;
}

/// Fields shared by all looks at a study. A study without a declared design is judged by the default levels.
Look look_at(const StudyView& study, const Json& document, std::int64_t number) {
  const variance::Design none, &design = study.design ? static_cast<const variance::Design&>(*study.design) : none;
  return {.number = number,
          .study = study.digest,
          .draw = draw_of(document),
          .rule = study.design ? digest_of_rule(study.design->document) : results::Digest{},
          .rate = rate_of(design.alpha, design.sides),
          .declared = true,
          .pairs = pairs_of_rule(design),
          .by = "the " + design.family + " design of study " + study.name};
}

bool has_trials(const results::Store& store, const StudyView& study) {
  return std::ranges::any_of(study.plan, [&](const auto& entry) { return !store.trials(entry.identity).empty(); });
}

std::vector<Look> unrecorded_looks(const results::Store& store, const std::vector<Look>& recorded) {
  const auto rows = store.studies();
  const auto is_recorded = [&](const results::StudyRow& row) {
    return std::ranges::find(recorded, row.digest, &Look::study) != recorded.end();
  };
  if (std::ranges::all_of(rows, is_recorded)) return {};
  const auto verdicts = store.documents("verdict");
  std::vector<Look> out;
  auto number = -std::ssize(rows);
  for (const auto& row : rows) {
    ++number;
    if (is_recorded(row)) continue;
    const auto study = read_study(store, row);
    const Look look = look_at(study, row.document, number);
    for (const Json& verdict : verdicts)
      if (field_text_in(verdict, "study_digest") == results::hex(row.digest))
        if (auto seen = look_of_verdict(store, study, look, verdict)) out.push_back(*std::move(seen));
    if (study.design && study.design->sequential() && has_trials(store, study)) {
      out.push_back(look);
      out.back().question = digest_of(question_of(*study.design), store, study);
    }
  }
  return out;
}

}  // namespace

std::vector<Look> known_looks(const results::Store& store) {
  auto recorded = stored_looks(store);
  auto out = unrecorded_looks(store, recorded);
  out.insert(out.end(), recorded.begin(), recorded.end());
  return out;
}

std::int64_t pairs_of_rule(const variance::Design& design) {
  const auto* family = variance::find_family(design.family);
  return family != nullptr && family->anytime ? 0 : design.pairs;
}

results::Digest digest_of_rule(const Json& design) {
  Json rule = design;
  for (const char* key : {"baseline", "candidate", "metric", "pairs", "n_max"}) rule.erase(key);
  return results::digest_of(rule);
}

}  // namespace retrial::harness::inline judge::inline looks
