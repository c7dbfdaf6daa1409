#include "harness/stored/likeness/module_versions.hpp"

#include <algorithm>
#include <set>

#include "harness/plan/trial_name.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline stored::inline likeness {
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

/// Null where nothing is known.
Json read_in(const Json& environment) {
  static const Json::json_pointer program("/inputs/program"), place("/program/read_files");
  const bool labelled = environment.contains(program) && environment.at(program).is_string();
  const bool known = !labelled && environment.contains(place) && environment.at(place).is_object();
  return known ? environment.at(place) : Json();
}

/// The files that were written while a trial that read them ran.
std::set<std::string> written_in(const Json& environment) {
  static const Json::json_pointer place("/program/written_files");
  std::set<std::string> out;
  if (environment.contains(place) && environment.at(place).is_array())
    for (const auto& name : environment.at(place))
      if (name.is_string()) out.insert(name.get<std::string>());
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

/// Keeps what this trial has read too.
void add_read(Json files, const std::string& trial, ReadFiles& to) {
  if (to.trials > 0) {
    std::erase_if(to.files, [&](const auto& file) { return !files.contains(file.first); });
    for (auto file = files.begin(); file != files.end();)
      file = to.files.contains(file.key()) ? ++file : files.erase(file);
  }
  add(files, trial, to.files);
}

std::string short_hex(const results::Digest& digest) {
  return results::hex(digest).substr(0, 12);
}

}  // namespace

StoredModules stored_modules(const results::Store& store, const results::Digest& study,
                             const std::vector<PlannedTrial>& trials) {
  const auto pairs = store.environments_by_attempt(study);
  const std::map<std::int64_t, results::Digest> environments(pairs.begin(), pairs.end());
  std::map<std::pair<std::string, results::Digest>, bool> traced;  // whether it is known what was read
  StoredModules out;
  for (const auto& trial : trials) {
    if (trial.state != TrialState::done) continue;
    const auto environment = environments.find(trial.row->id);
    if (environment == environments.end()) continue;
    auto& files = out[trial.entry.variant];
    const auto [known, fresh] = traced.try_emplace({trial.entry.variant, environment->second});
    if (const auto document = fresh ? store.document(environment->second) : std::nullopt) {
      add(modules_in(*document), trial_name(trial.entry), files.modules);
      const auto read = read_in(*document);
      known->second = read.is_object();
      if (known->second && files.read.trials == 0) files.read.written = written_in(*document);
      if (known->second) add_read(read, trial_name(trial.entry), files.read);
    }
    files.read.trials += known->second ? 1 : 0;
  }
  return out;
}

std::vector<std::string> edited_modules(const StoredModules& modules) {
  std::vector<std::string> out;
  for (const auto& [variant, files] : modules) {
    auto names = files.modules;
    if (files.read.certain()) names.insert(files.read.files.begin(), files.read.files.end());
    for (const auto& [name, versions] : names) {
      if (versions.size() < 2) continue;
      std::vector<std::string> which;
      for (const auto& version : versions) which.push_back(short_hex(version.digest) + " in " + version.trial);
      out.push_back(results::one_line(name, 200) + " of " + variant + " was edited between its trials (sha256 " +
                    results::joined(which) + ")");
    }
  }
  return out;
}

}  // namespace retrial::harness::inline stored::inline likeness
