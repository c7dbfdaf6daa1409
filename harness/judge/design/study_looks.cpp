#include "harness/judge/design/study_looks.hpp"

#include <algorithm>
#include <set>

#include "harness/judge/design/design_violation.hpp"
#include "harness/judge/design/twins.hpp"
#include "harness/judge/looks/earlier.hpp"
#include "harness/study/declared/design_document.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline judge::inline design {
namespace {

using variance::InvalidReason;

/// Variants of a study document: names, which enter the trials, and keys. Empty where it has none of them.
std::set<Json> sides_in(const Json& study, const std::vector<std::string>& names) {
  std::set<Json> out;
  for (const Json& variant : study.at("variants"))
    if (std::ranges::find(names, variant.at("name").get<std::string>()) != names.end())
      out.insert(Json::array({variant.at("name"), variant.at("values")}));
  return out;
}

bool plans_all(const Json& study, const std::set<Json>& sides) {
  return std::ranges::all_of(sides, [&](const Json& side) {
    return std::ranges::any_of(study.at("variants"),
                               [&](const Json& v) { return v.at("name") == side[0] && v.at("values") == side[1]; });
  });
}

Json field(const Json& document, const char* name) {
  return document.value(name, Json());
}

std::set<Json> declared_sides(const Json& study) {
  std::vector<std::string> names;
  for (const char* side : {"baseline", "candidate"})
    if (const Json name = field(study, side); name.is_string()) names.push_back(name.get<std::string>());
  return sides_in(study, names);
}

/// Name of an earlier study of the store that planned these trials and declared another question about them, or none.
std::optional<std::string> planned_before(const std::vector<results::StudyRow>& rows, const Json& ours, const Look& own,
                                          const variance::Design& design) {
  const auto sides = sides_in(ours, {design.baseline, design.candidate});
  for (const auto& row : rows) {
    if (row.digest == own.study) break;
    if (sides.empty() || draw_of(row.document) != own.draw || !plans_all(row.document, sides)) continue;
    if (declared_sides(row.document) != sides || field(row.document, "metric") != design.metric) return row.name;
  }
  return {};
}

std::set<Json> claims_in(const Json& family) {
  return family.is_null() ? std::set<Json>() : family.at("claims").get<std::set<Json>>();
}

/// All of a family but its claims: a level or a policy that is chosen later is another family.
Json levels_of(Json family) {
  if (family.is_object()) family.erase("claims");
  return family;
}

/// Whether a study planned all trials of one of our claims and did not register it, or registered claims or levels with
/// it that we left out.
bool planned_without(const Json& earlier, const Json& ours, const RegisteredClaims& claims) {
  const Json theirs = field(earlier, "claims"), own = document_of(claims);
  const auto known = claims_in(theirs), all = claims_in(own);
  const bool kept = levels_of(theirs) == levels_of(own) && std::ranges::includes(all, known);
  for (std::size_t i = 0; i < claims.claims.size(); ++i) {
    const bool registered = kept && known.contains(own.at("claims").at(i));
    if (!registered && plans_all(earlier, sides_in(ours, claims.claims[i].variants()))) return true;
  }
  return false;
}

std::string spoiled_text(const SpoiledBy& spoiled, const Look& own) {
  const std::string seen =
      spoiled.look.question == own.question ? "these trials were" : "the same scores, pair by pair, were";
  const std::string ours = own.by == spoiled.look.by ? "another one, with other settings," : own.by;
  return seen + " looked at by " + spoiled.look.by + " before, and " + ours +
         (spoiled.reason == InvalidReason::extended ? " has more pairs: a fixed number of pairs may not be extended "
                                                      "after a look"
                                                    : " was not declared before that look");
}

Json bits(double value) {
  return results::hex_of_bits(value);
}

}  // namespace

Look declared_look(const variance::Design& design, const Json& document) {
  return {.rule = digest_of_rule(document),
          .rate = rate_of(design.alpha, design.sides),
          .declared = true,
          .pairs = pairs_of_rule(design),
          .by = "the " + design.family + " design of " + counted(design.pairs, "pair")};
}

void place_look(const Past& past, const Json& document, Comparison& comparison) {
  Look& own = comparison.look;
  if (const auto before = planned_before(past.studies, document, own, comparison.design))
    comparison.undeclared.push_back("declared after study " + *before + " had planned its trials");
  own.declared = comparison.undeclared.empty();
  comparison.looks = past.looks;
  if (const auto spoiled = own.declared ? spoiled_by(past.looks, own) : std::nullopt)
    violate(comparison, spoiled->reason, spoiled_text(*spoiled, own));
  comparison.sequence = sequence_of(past.looks, own);
  if (!comparison.sequence.before.empty()) comparison.undeclared.push_back(sequence_text(comparison.sequence));
}

void count_again(const results::Store& store, Comparison& comparison) {
  comparison.looks = known_looks(store);
  const auto sequence = sequence_of(comparison.looks, comparison.look);
  if (sequence.place() == comparison.sequence.place()) return;
  if (!comparison.sequence.before.empty()) comparison.undeclared.pop_back();
  comparison.sequence = sequence;
  comparison.undeclared.push_back(sequence_text(sequence));
}

void find_looks(const results::Store& store, const StudyView& study, Comparison& comparison) {
  const Past past{.studies = store.studies(), .looks = known_looks(store)};
  const auto row = std::ranges::find(past.studies, study.digest, &results::StudyRow::digest);
  if (row == past.studies.end()) return;
  const auto& design = comparison.design;
  Look& own = comparison.look;
  own = declared_look(design, study.design ? study.design->document : design_json(design, bits));
  const Question asked{.baseline = design.baseline,
                       .candidate = design.candidate,
                       .metric = design.metric,
                       .direction = std::string(results::name_of(comparison.metric.direction))};
  own.question = digest_of(asked, store, study);
  own.study = study.digest;
  own.draw = draw_of(row->document);
  if (!design.sequential()) own.inputs = digest_of_records(comparison.records);
  own.twins = twins_of(store, study, asked, own.question, past.looks);
  if (const auto claims = claims_about(own.question, store, study); study.design && !claims.empty())
    comparison.remarks.push_back(shared_text(study, claims));
  place_look(past, row->document, comparison);
}

void demand_unseen(const results::Store& store, const std::string& study, const Plan& plan) {
  if (!plan.design) return;
  const DesignView declared = design_view({}, *plan.design);
  Look own = declared_look(declared, *plan.design);
  own.question = digest_of(question_of(declared), plan);
  own.study = plan.study_digest;
  own.draw = draw_of(plan.study);
  Comparison comparison;
  if (const auto spoiled = spoiled_by(known_looks(store), own))
    violate(comparison, spoiled->reason, spoiled_text(*spoiled, own));
  refuse_violation(study, comparison);
}

bool claims_came_later(const results::Store& store, const StudyView& study) {
  const auto rows = store.studies();
  const auto ours = std::ranges::find(rows, study.digest, &results::StudyRow::digest);
  return std::any_of(rows.begin(), ours, [&](const auto& row) {
    return draw_of(row.document) == draw_of(ours->document) &&
           planned_without(row.document, ours->document, study.claims);
  });
}

std::string sequence_text(const Sequence& sequence, const std::string& store) {
  return "before the first look at its question in " + store + ", which was by " + sequence.before.front().by +
         "; this is look " + std::to_string(sequence.place()) +
         ", and if the two were equally good, at least one of the looks would say BETTER in at most " +
         percent(sequence.rate) + " of studies (the sum of their rates)";
}

std::vector<std::string> claims_about(const results::Digest& question, const results::Store& store,
                                      const StudyView& study) {
  std::vector<std::string> out;
  const auto defs = store.metric_defs();
  for (const auto& claim : study.claims.claims)
    if (digest_of(question_of(claim, defs), store, study) == question) out.push_back(claim.name);
  return out;
}

std::string shared_text(const StudyView& study, const std::vector<std::string>& claims) {
  const double of_design = rate_of(study.design->alpha, study.design->sides), of_claims = study.claims.alpha;
  return "the study declared two answers to one question: if the two were equally good, its design would say BETTER in "
         "at most " +
         percent(of_design) + " of studies, and of its claims (" + results::joined(claims) +
         ") a false one HOLDS in at most " + percent(of_claims) + "; at least one of both is wrong in at most " +
         percent(std::min(1.0, of_design + of_claims)) + " (the sum of their rates)";
}

Look look_by(const Comparison& comparison, const std::string& by, const Json& rule, double rate) {
  Look out = comparison.look;
  out.inputs = digest_of_records(comparison.records);
  out.rule = results::digest_of(rule);
  out.rate = rate;
  out.declared = false;
  out.by = by;
  return out;
}

}  // namespace retrial::harness::inline judge::inline design
