#include "workloads/interface/registry.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/contradictions.hpp"

namespace retrial::workloads::inline interface {

namespace {

// Function-local statics: registration runs before main, in no promised order.
std::vector<Declaration>& registered() {
  static std::vector<Declaration> all;
  return all;
}

/// Functions by the name of their workload.
template <typename Function>
struct Functions {
  std::map<std::string, Function> by_name;
  std::vector<std::string> twice;

  void add(std::string workload, Function function) {
    if (!by_name.try_emplace(workload, std::move(function)).second) twice.push_back(workload);
  }
  const Function& find(const std::string& name, const char* verb) const {
    const auto found = by_name.find(name);
    if (found != by_name.end()) return found->second;
    throw TrialFailure("workload.not_built",
                       std::string("this program was built without the code that ") + verb + " \"" + name + "\"");
  }
};
Functions<Start>& starts() {
  static Functions<Start> all;
  return all;
}
std::map<std::string, Explains>& explanations() {
  static std::map<std::string, Explains> all;
  return all;
}
Functions<Probe>& probes() {
  static Functions<Probe> all;
  return all;
}

/// Functions with a harmless default are never empty for callers; the others are documented as possibly empty.
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
  if (!declaration.effective_items)
    declaration.effective_items = [](const Values&, const std::string&) { return std::optional<std::int64_t>{}; };
  if (!declaration.scale) declaration.scale = [](const Values&, const std::string&) { return ScoreScale{}; };
  if (!declaration.overlap) declaration.overlap = [](const Values&) { return std::optional<double>{}; };
}

std::vector<Declaration> sorted_and_sound() {
  auto all = registered();
  auto wrong = contradictions(all);
  for (const auto& name : starts().twice) wrong.push_back(name + ": two functions start this workload");
  for (const auto& name : probes().twice) wrong.push_back(name + ": two functions probe this workload");
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

RegisterStart::RegisterStart(std::string workload, Start start, Explains explains) {
  if (explains) explanations()[workload] = std::move(explains);
  starts().add(std::move(workload), std::move(start));
}

RegisterProbe::RegisterProbe(std::string workload, Probe probe) {
  probes().add(std::move(workload), std::move(probe));
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
  return starts().find(name, "runs");
}

std::optional<TrialFailure> explanation(const std::string& workload, const std::exception& error) {
  const auto found = explanations().find(workload);
  return found == explanations().end() ? std::nullopt : found->second(error);
}

const Probe& find_probe(const std::string& name) {
  return probes().find(name, "probes");
}

}  // namespace retrial::workloads::inline interface
