#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline stored::inline likeness {

/// The bytes of a module that a trial imported, or of a file that its command line names inside of a word, and the
/// first trial that did.
struct ModuleVersion {
  results::Digest digest{};
  std::string trial;
};

/// By name of the module, in plan order; more than one version where it was edited between two trials.
using ModuleVersions = std::map<std::string, std::vector<ModuleVersion>>;
/// What each of `trials` trials has read by names of its own.
struct ReadFiles {
  ModuleVersions files;
  std::size_t trials = 0;
  std::set<std::string> written;  ///< files that the first of them saw written: results, or edited meanwhile
  /// One trial is no evidence: something else may have read the file meanwhile.
  [[nodiscard]] bool certain() const { return trials > 1; }
};

struct VariantFiles {
  ModuleVersions modules;
  ReadFiles read;
};
/// By variant.
using StoredModules = std::map<std::string, VariantFiles>;

/// The modules and the files read in the manifests of the trials that count. Trials under a label (--program-label) are
/// left out: the user has declared their programs equal.
[[nodiscard]] StoredModules stored_modules(const results::Store& store, const results::Digest& study,
                                           const std::vector<PlannedTrial>& trials);

/// "helper.py of b was edited between its trials (sha256 1a2b3c4d5e6f in b/0, 60718293a4b5 in b/3)", for each variant
/// and file of which there is more than one version.
[[nodiscard]] std::vector<std::string> edited_modules(const StoredModules& modules);

}  // namespace retrial::harness::inline stored::inline likeness
