#include "harness/study/checks/grid.hpp"

#include <algorithm>

#include "harness/study/checks/draft_checks.hpp"
#include "harness/study/checks/name_problem.hpp"
#include "harness/study/checks/own_keys.hpp"
#include "harness/text/names.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

using workloads::Declaration;
using GridKey = StudyDraft::GridKey;

[[noreturn]] void refuse_grid(const std::string& where, const std::string& key, const std::string& value,
                              const std::string& problem, const std::string& allowed, const std::string& help = "") {
  throw Error({.code = "study.grid",
               .where = where,
               .field = key.empty() ? "grid" : "grid." + results::one_line(key, 80),
               .value = results::one_line(value, 80),
               .problem = problem,
               .allowed = allowed,
               .help = help});
}

/// Own keys are compared as the texts that the program gets, others as the values that the workload reads.
Value compared(const Declaration& declaration, const GridKey& key, const StudyDraft::Key& level) {
  return is_own_key(declaration, key.key) ? Value(results::text_of(level.value))
                                          : workloads::checked(declaration, key.key, level.value, level.where);
}

void check_level(const GridKey& key, const StudyDraft::Key& level) {
  const std::string text = results::text_of(level.value);
  const std::string problem = name_problem(text, 64, "/#| ,=");
  const bool negative = text.starts_with('-') && text.size() > 1;
  if (problem.empty() || (negative && name_problem(text.substr(1), 64, "/#| ,=").empty())) return;
  refuse_grid(level.where, key.key, text, "cannot be part of a variant's name: " + problem,
              "texts and numbers without blanks, '/', '#', '|', ',' and '='",
              "write these variants as tables [variant.NAME] with " + key.key + " in each");
}

void check_levels(const Declaration& declaration, const GridKey& key) {
  if (key.levels.size() < 2)
    refuse_grid(key.where, key.key, "", key.levels.empty() ? "no value" : "only one value",
                "a list of two or more values", "one value for all variants belongs in [set] (--set)");
  std::vector<Value> seen;
  for (const auto& level : key.levels) {
    check_level(key, level);
    const Value value = compared(declaration, key, level);
    if (std::ranges::find(seen, value) != seen.end())
      refuse_grid(level.where, key.key, results::text_of(level.value), "given twice", "different values");
    seen.push_back(value);
  }
}

void check_not_elsewhere(const GridKey& key, const std::vector<StudyDraft::Key>& keys, const std::string& place) {
  for (const auto& other : keys)
    if (other.key == key.key)
      refuse_grid(key.where, key.key, "", "given in the grid and " + place, "one place for each key",
                  "also given at " + other.where);
}

void check_size(const StudyDraft& draft) {
  std::size_t cells = std::max<std::size_t>(1, draft.variants.size());
  for (const auto& key : draft.grid) {
    cells *= key.levels.size();
    if (cells > max_cells)
      refuse_grid(key.where, key.key, "", "too many variants", "up to " + std::to_string(max_cells) + " combinations");
  }
}

/// Base of the grid, if the draft names no variant: the only one that the workload has.
std::vector<StudyDraft::DraftVariant> bases_of(const Declaration& declaration, const StudyDraft& draft) {
  if (!draft.variants.empty()) return draft.variants;
  if (declaration.variants.size() > 1)
    refuse_grid(draft.grid.front().where, "", "", "no variant is named, and " + declaration.name + " has several",
                results::joined(names_in(declaration.variants)),
                "add a table [variant.NAME] for each variant to combine with the grid");
  return {{.name = "", .preset = "", .where = draft.where, .keys = {}}};
}

StudyDraft::DraftVariant combined(const StudyDraft::DraftVariant& base, const GridKey& key,
                                  const StudyDraft::Key& level) {
  auto out = base;
  out.name += (out.name.empty() ? "" : ",") + key.key + "=" + results::text_of(level.value);
  out.keys.push_back(level);
  return out;
}

}  // namespace

StudyDraft with_grid_written_out(const Declaration& declaration, const StudyDraft& draft) {
  if (draft.grid.empty()) return draft;
  for (const auto& key : draft.grid) {
    check_not_elsewhere(key, draft.set, "in [set] (--set)");
    for (const auto& variant : draft.variants) check_not_elsewhere(key, variant.keys, "in variant " + variant.name);
    check_levels(declaration, key);
  }
  check_size(draft);
  StudyDraft out = draft;
  out.grid.clear();
  out.variants = bases_of(declaration, draft);
  const auto presets = names_in(declaration.variants);
  for (auto& base : out.variants)
    if (base.preset.empty() && draft_checks::contains(presets, base.name)) base.preset = base.name;
  if (out.variants.size() == 1) out.variants.front().name.clear();
  for (const auto& key : draft.grid) {
    std::vector<StudyDraft::DraftVariant> next;
    for (const auto& base : out.variants)
      for (const auto& level : key.levels) next.push_back(combined(base, key, level));
    out.variants = std::move(next);
  }
  return out;
}

}  // namespace retrial::harness::inline study::inline checks
