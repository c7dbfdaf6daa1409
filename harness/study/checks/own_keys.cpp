#include "harness/study/checks/own_keys.hpp"

#include <algorithm>

#include "harness/study/checks/draft_checks.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

using draft_checks::contains;
using workloads::Declaration, workloads::OwnKey;

std::string braced(const std::string& name) {
  return "{" + name + "}";
}

std::vector<std::string> names_used(const std::vector<OwnKey>& used) {
  std::vector<std::string> names;
  for (const auto& key : used)
    if (!contains(names, key.name)) names.push_back(key.name);
  return names;
}

void check_own(const Declaration& declaration, const StudyDraft::Key& key, const std::string& text) {
  const auto problem = declaration.own_keys->problem(key.key, text);
  if (problem.empty()) return;
  throw Error({.code = "study.own_key",
               .where = key.where,
               .field = declaration.name + "." + results::one_line(key.key, 80),
               .value = results::one_line(text, 80),
               .problem = problem,
               .allowed = "a name of your own in braces in the command, and one text or number for it"});
}

/// `used`: the names in braces that the key could be for.
[[noreturn]] void refuse_unused(const Declaration& declaration, const StudyDraft::Key& key,
                                const std::vector<std::string>& used, const std::string& by) {
  auto known = used;
  for (const auto& parameter : declaration.parameters) known.push_back(parameter.name);
  throw Error({.code = "study.own_key",
               .where = key.where,
               .field = declaration.name + "." + results::one_line(key.key, 80),
               .value = results::one_line(results::text_of(key.value), 80),
               .problem = "unknown key: " + by + " " + braced(results::one_line(key.key, 80)),
               .allowed = results::joined(known),
               .help = draft_checks::suggestion(key.key, known)});
}

std::string ways_to_give(const OwnKey& use, const std::vector<std::string>& own) {
  auto known = own;
  for (const char* placeholder : {"seed", "seed64", "pair", "out"}) known.emplace_back(placeholder);
  const std::string near = draft_checks::suggestion(use.name, known);
  return near + (near.empty() ? "" : " ") + "give it with --set " + use.name + "=VALUE, or with " + use.name +
         " = VALUE in [set] or [variant.NAME]; for a program that reads braces itself, put single quotes around them "
         "in its "
         "command";
}

[[noreturn]] void refuse_without_value(const Declaration& declaration, const StudyDraft& draft,
                                       const StudyDraft::DraftVariant& given, const OwnKey& use,
                                       const std::vector<std::string>& own) {
  const bool taken = workloads::find_parameter(declaration, use.name) != nullptr;
  throw Error({.code = "study.own_key",
               .where = given.where.empty() ? draft.where : given.where,
               .field = declaration.name + "." + use.of,
               .value = braced(use.name),
               .problem = taken ? use.name + " is a key of the workload itself: choose another name"
                                : "has no value in variant " + given.name,
               .allowed = "{seed}, {seed64}, {seed:SOURCE}, {pair}, {out}" +
                          (own.empty() ? "" : "; your keys: " + results::joined(own)),
               .help = taken ? "" : ways_to_give(use, own)});
}

std::vector<std::string> own_names(const Declaration& declaration, const StudyDraft& draft) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<StudyDraft::Key>& keys) {
    for (const auto& key : keys)
      if (is_own_key(declaration, key.key) && !contains(names, key.key)) names.push_back(key.key);
  };
  add(draft.set);
  for (const auto& variant : draft.variants) add(variant.keys);
  return names;
}

}  // namespace

bool is_own_key(const Declaration& declaration, const std::string& key) {
  return declaration.own_keys && workloads::find_parameter(declaration, key) == nullptr;
}

Values with_own_keys(const Declaration& declaration, const StudyDraft& draft, const StudyDraft::DraftVariant& given,
                     Values values) {
  if (!declaration.own_keys) return values;
  const auto uses = declaration.own_keys->used(values);
  const auto names = names_used(uses);
  std::map<std::string, std::string> own;
  for (const auto* keys : {&draft.set, &given.keys})
    for (const auto& key : *keys) {
      if (!is_own_key(declaration, key.key)) continue;
      check_own(declaration, key, "");
      if (keys == &given.keys && !contains(names, key.key))
        refuse_unused(declaration, key, names, "the command of variant " + given.name + " has no");
      own[key.key] = results::text_of(key.value);
      check_own(declaration, key, own[key.key]);
    }
  const auto known = own_names(declaration, draft);
  for (const auto& use : uses)
    if (!own.contains(use.name) && (!use.may_be_text || contains(known, use.name)))
      refuse_without_value(declaration, draft, given, use, known);
  return declaration.own_keys->filled(std::move(values), own);
}

void demand_used(const Declaration& declaration, const StudyDraft& draft, const std::vector<Values>& values) {
  if (!declaration.own_keys) return;
  std::vector<std::string> names;
  for (const auto& each : values)
    for (const auto& name : names_used(declaration.own_keys->used(each)))
      if (!contains(names, name)) names.push_back(name);
  for (const auto& key : draft.set) {
    if (!is_own_key(declaration, key.key)) continue;
    check_own(declaration, key, "");
    if (!contains(names, key.key)) refuse_unused(declaration, key, names, "no command has");
  }
}

}  // namespace retrial::harness::inline study::inline checks
