#include "workloads/registry.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "results/error.hpp"
#include "results/text.hpp"
#include "workloads/contradictions.hpp"

namespace retrial::workloads {

namespace {

// Function-local statics: registration runs before main, in no promised order.
std::vector<Declaration>& registered() {
  static std::vector<Declaration> all;
  return all;
}

struct Starts {
  std::map<std::string, Start> by_name;
  std::vector<std::string> twice;
};
Starts& starts() {
  static Starts all;
  return all;
}

/// Callers may call every function that has a harmless answer; the others are documented as possibly empty.
void fill_in(Declaration& declaration) {
  if (!declaration.validate) declaration.validate = [](const Values&) { return std::vector<Problem>{}; };
  if (!declaration.honours) declaration.honours = [](const Values&) { return std::vector<std::string>{}; };
  if (!declaration.reads)
    declaration.reads = [](const Values& values) {
      std::vector<std::string> keys;
      for (const auto& [key, value] : values) keys.push_back(key);
      return keys;
    };
  if (!declaration.dataset)
    declaration.dataset = [](const Values&, const std::filesystem::path&) { return std::optional<results::Digest>{}; };
  if (!declaration.test_items)
    declaration.test_items = [](const Values&, const std::string&) { return std::optional<std::int64_t>{}; };
}

std::vector<Declaration> sorted_and_sound() {
  auto all = registered();
  auto wrong = contradictions(all);
  for (const auto& name : starts().twice) wrong.push_back(name + ": two functions start it");
  if (!wrong.empty()) throw std::logic_error("contradictory workloads:\n  " + results::joined(wrong, "\n  "));
  std::sort(all.begin(), all.end(), [](const Declaration& a, const Declaration& b) { return a.name < b.name; });
  for (auto& declaration : all) fill_in(declaration);
  return all;
}

std::vector<std::string> names_of(const std::vector<Declaration>& all) {
  std::vector<std::string> names;
  for (const auto& declaration : all) names.push_back(declaration.name);
  return names;
}

}  // namespace

Register::Register(Declaration declaration) {
  registered().push_back(std::move(declaration));
}

RegisterStart::RegisterStart(std::string workload, Start start) {
  if (!starts().by_name.try_emplace(workload, std::move(start)).second) starts().twice.push_back(workload);
}

const std::vector<Declaration>& all_workloads() {
  static const auto all = sorted_and_sound();
  return all;
}

const Declaration* workload_if_known(const std::string& name) {
  const auto& all = all_workloads();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Declaration& d) { return d.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const Declaration& find_workload(const std::string& name, const std::string& where) {
  if (const auto* known = workload_if_known(name)) return *known;
  const auto names = names_of(all_workloads());
  const auto near = results::nearest(name, names);
  throw Error({.code = "workload.unknown",
               .where = where,
               .field = "workload",
               .value = name,
               .problem = "unknown workload",
               .allowed = results::joined(names),
               .help = near ? "did you mean \"" + *near + "\"?" : ""});
}

const Start& find_start(const std::string& name) {
  const auto found = starts().by_name.find(name);
  if (found == starts().by_name.end())
    throw TrialFailure("workload.not_built", "this program was built without the part that runs \"" + name + "\"");
  return found->second;
}

}  // namespace retrial::workloads
