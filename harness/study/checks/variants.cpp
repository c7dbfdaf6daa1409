#include "harness/study/checks/variants.hpp"

#include <algorithm>
#include <set>

#include "harness/study/checks/draft_checks.hpp"
#include "harness/study/checks/name_problem.hpp"
#include "harness/study/checks/own_keys.hpp"
#include "harness/study/checks/readers.hpp"
#include "harness/text/names.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

using workloads::Declaration;

using draft_checks::contains, draft_checks::unknown;

/// Splits the allowed values from the nearest name that a workload may append to them; that belongs in the help.
std::pair<std::string, std::string> split_suggestion(const std::string& allowed) {
  const auto at = allowed.find("; did you mean ");
  if (at == std::string::npos) return {allowed, ""};
  return {allowed.substr(0, at), allowed.substr(at + 2) + " "};
}

/// The place where a key of the workload was last set, else that of the variant.
const std::string& place_of(const std::string& key, const StudyDraft& draft, const StudyDraft::DraftVariant& given) {
  for (const auto* keys : {&given.keys, &draft.set})
    for (auto each = keys->rbegin(); each != keys->rend(); ++each)
      if (each->key == key) return each->where;
  return given.where;
}

[[noreturn]] void refuse_keys(const Declaration& declaration, const StudyDraft& draft,
                              const StudyDraft::DraftVariant& given, const Values& values,
                              const workloads::Problem& problem) {
  const auto [allowed, suggestion] = split_suggestion(problem.allowed);
  const auto value = values.find(problem.key);
  throw Error({.code = "study.keys",
               .where = place_of(problem.key, draft, given),
               .field = declaration.name + "." + problem.key,
               .value = value == values.end() ? "" : results::one_line(results::text_of(value->second), 200),
               .problem = problem.problem,
               .allowed = allowed,
               .help = suggestion + "in variant " + given.name});
}

/// A variant without a seed is a constant. Several of them, and nothing else, are not worth a study.
void demand_a_seed(const Declaration& declaration, const StudyDraft& draft,
                   const std::vector<StudyDraft::DraftVariant>& given, const std::vector<StudyVariant>& variants) {
  if (!declaration.without_seed) return;
  std::optional<workloads::Problem> first;
  for (const auto& variant : variants) {
    auto problem = declaration.without_seed(variant.values);
    if (!problem) return;
    if (!first) first = std::move(problem);
  }
  if (first) refuse_keys(declaration, draft, given.front(), variants.front().values, *first);
}

/// A variant does not run in a mode whose promise it cannot keep.
void refuse_mode(const Declaration& declaration, const StudyDraft& draft, const StudyDraft::DraftVariant& given,
                 const Values& values, const determinism::KernelMode& mode) {
  if (!declaration.mode_problem) return;
  if (const auto problem = declaration.mode_problem(values, mode))
    refuse_keys(declaration, draft, given, values, *problem);
}

/// A variant's keys: defaults, preset, [set], its own table, each overriding the ones before. The user's own keys are
/// not put in yet.
StudyVariant gathered(const Declaration& declaration, const StudyDraft& draft, const StudyDraft::DraftVariant& given) {
  if (const auto problem = name_problem(given.name, 128, "/#| "); !problem.empty())
    throw Error({.code = "study.variant_name",
                 .where = given.where,
                 .field = "variant",
                 .value = results::one_line(given.name, 80),
                 .problem = "not a name: " + problem,
                 .allowed = "1 to 128 characters without blanks, '/', '#' and '|', not beginning with '-'"});
  const auto presets = names_in(declaration.variants);
  std::string preset = given.preset;
  if (preset.empty() && contains(presets, given.name)) preset = given.name;
  Values values = workloads::resolved(declaration, {});
  if (!preset.empty()) {
    const auto* found = workloads::find_variant(declaration, preset);
    if (found == nullptr) unknown(given.where, "variant." + given.name + ".preset", preset, presets, "preset");
    for (const auto& [key, value] : found->preset) values[key] = value;
  } else if (!declaration.variants.empty() && given.keys.empty() && draft.set.empty()) {
    unknown(given.where, "variant", given.name, presets, "variant");
  }
  for (const auto* keys : {&draft.set, &given.keys})
    for (const auto& key : *keys)
      if (!is_own_key(declaration, key.key))
        values[key.key] = workloads::checked(declaration, key.key, key.value, key.where);
  return {.name = given.name, .preset = preset, .values = std::move(values)};
}

/// The gathered keys, checked against each other. A key in the variant's own table that it does not read is an error;
/// in [set] it is not, because another variant may read it.
StudyVariant resolve(const Declaration& declaration, const StudyDraft& draft, const StudyDraft::DraftVariant& given,
                     StudyVariant variant) {
  variant.values = with_own_keys(declaration, draft, given, std::move(variant.values));
  const Values& values = variant.values;
  if (declaration.validate)
    for (const auto& problem : declaration.validate(values)) refuse_keys(declaration, draft, given, values, problem);
  if (declaration.reads) {
    const auto read = declaration.reads(values);
    for (const auto& key : given.keys)
      if (!contains(read, key.key) && !is_own_key(declaration, key.key))
        throw Error({.code = "study.unread_key",
                     .where = key.where,
                     .field = declaration.name + "." + key.key,
                     .problem = "not read by variant " + given.name,
                     .allowed = results::joined(read),
                     .help = readers_text(declaration, {&values, 1}, key.key) +
                             "keys that only some variants read belong in [set]"});
  }
  return variant;
}

/// A key of [set] or --set that no variant of the study reads would be without effect.
void demand_readers(const Declaration& declaration, const StudyDraft& draft,
                    const std::vector<StudyVariant>& variants) {
  if (!declaration.reads) return;
  std::vector<Values> all;
  for (const auto& variant : variants) all.push_back(variant.values);
  for (const auto& key : draft.set) {
    const bool is_read =
        std::ranges::any_of(all, [&](const Values& values) { return contains(declaration.reads(values), key.key); });
    if (is_read || is_own_key(declaration, key.key)) continue;
    throw Error({.code = "study.unread_key",
                 .where = key.where,
                 .field = declaration.name + "." + key.key,
                 .value = results::one_line(results::text_of(all.front().at(key.key)), 200),
                 .problem = "read by no variant of this study",
                 .help = readers_text(declaration, all, key.key) + "leave it out"});
  }
}

}  // namespace

std::vector<StudyVariant> resolved_variants(const Declaration& declaration, const StudyDraft& draft,
                                            const determinism::KernelMode& mode) {
  auto given = draft.variants;
  if (given.empty())
    for (const auto& variant : declaration.variants)
      if (given.size() < 2)
        given.push_back({.name = variant.name, .preset = variant.name, .where = draft.where, .keys = {}});
  if (given.empty())
    throw Error({.code = "study.no_variant",
                 .where = draft.where,
                 .field = "variant",
                 .problem = "no variant is declared",
                 .help = "add a table [variant.NAME]"});
  std::vector<StudyVariant> out;
  std::vector<Values> values;
  std::set<std::string> seen;
  for (const auto& variant : given) {
    if (!seen.insert(variant.name).second)
      throw Error({.code = "study.variant_twice",
                   .where = variant.where,
                   .field = "variant",
                   .value = variant.name,
                   .problem = "named twice"});
    out.push_back(gathered(declaration, draft, variant));
    values.push_back(out.back().values);
  }
  demand_used(declaration, draft, values);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = resolve(declaration, draft, given[i], std::move(out[i]));
    refuse_mode(declaration, draft, given[i], out[i].values, mode);
  }
  demand_readers(declaration, draft, out);
  demand_a_seed(declaration, draft, given, out);
  return out;
}

}  // namespace retrial::harness::inline study::inline checks
