#include "harness/stored/module_versions.hpp"

#include <algorithm>
#include <set>

#include "harness/plan/trial_name.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline stored {
namespace {

/// Name and digest of every module and option file of an environment document; none where the program has a label.
Json modules_in(const Json& environment) {
  static const Json::json_pointer program("/inputs/program");
  Json out = Json::object();
  if (environment.contains(program) && environment.at(program).is_string()) return out;
  for (const auto* const group : {"/program/modules", "/program/option_files"}) {
    const Json::json_pointer place(group);
    if (environment.contains(place) && environment.at(place).is_object()) out.update(environment.at(place));
  }
  return out;
}

void add(const Json& modules, const std::string& trial, ModuleVersions& to) {
  for (const auto& [name, digest] : modules.items()) {
    auto& versions = to[name];
    const auto bytes = results::digest_from_hex(digest.get<std::string>(), "module");
    if (std::ranges::find(versions, bytes, &ModuleVersion::digest) == versions.end())
      versions.push_back({.digest = bytes, .trial = trial});
  }
}

std::string short_hex(const results::Digest& digest) {
  return results::hex(digest).substr(0, 12);
}

}  // namespace

StoredModules stored_modules(const results::Store& store, const results::Digest& study,
                             const std::vector<PlannedTrial>& trials) {
  const auto pairs = store.environments_by_attempt(study);
  const std::map<std::int64_t, results::Digest> environments(pairs.begin(), pairs.end());
  std::set<std::pair<std::string, results::Digest>> seen;
  StoredModules out;
  for (const auto& trial : trials) {
    if (trial.state != TrialState::done) continue;
    const auto environment = environments.find(trial.row->id);
    if (environment == environments.end() || !seen.emplace(trial.entry.variant, environment->second).second) continue;
    if (const auto document = store.document(environment->second))
      add(modules_in(*document), trial_name(trial.entry), out[trial.entry.variant]);
  }
  return out;
}

std::vector<std::string> edited_modules(const StoredModules& modules) {
  std::vector<std::string> out;
  for (const auto& [variant, names] : modules)
    for (const auto& [name, versions] : names) {
      if (versions.size() < 2) continue;
      std::vector<std::string> which;
      for (const auto& version : versions) which.push_back(short_hex(version.digest) + " in " + version.trial);
      out.push_back(results::one_line(name, 200) + " of " + variant + " was edited between its trials (sha256 " +
                    results::joined(which) + ")");
    }
  return out;
}

}  // namespace retrial::harness::inline stored
