#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/plan/trial_body.hpp"
#include "harness/run/import_watch.hpp"
#include "harness/stored/module_versions.hpp"
#include "results/digest/file_digests.hpp"
#include "results/store/store.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::harness::inline run {

/// Watches the files of a user's programs while their trials run: an edit would put the results of two programs under
/// one identity. Programs of ours have none. Under a label (--program-label) the user answers for them: they are
/// recorded and not compared.
class ProgramGuard {
 public:
  /// Reference of the files: the plan's digests, or those of now (a replay may have another program).
  enum class Since { plan, now };
  /// `plan` with the bodies of its trials.
  ProgramGuard(std::span<const results::PlanEntry> plan, Since since);

  /// Asks what the programs run with, and watches their imports from now on. Returns the modules and option files of
  /// stored trials, `before`, that are others now, in words.
  [[nodiscard]] std::vector<std::string> learn_surroundings(const StoredModules& before);
  /// Takes the reports of the kernel on imports; called often, since it drops them when they pile up.
  void listen() { imports_.listen(digests_); }
  /// The files and modules of this variant that are not as they were, in words; nothing: all are.
  [[nodiscard]] std::optional<std::string> change(const std::string& variant);
  /// Puts what the program ran with into the manifest of a trial, in place of our own libraries.
  void describe(const TrialBody& body, Json& manifest);

 private:
  struct Watched {
    std::string name;
    std::filesystem::path path;
    results::Digest before{};
  };
  struct Program {
    Values values;
    std::vector<Watched> files, options;
    bool labelled = false;
    std::optional<workloads::ProgramFacts> facts;
    std::size_t trace = 0;
  };
  Watched watched(const workloads::ProgramFile& file);
  void expect(Program& program, const ModuleVersions& before, std::set<std::string>& changes);

  const workloads::Declaration* declaration_ = nullptr;
  std::map<std::string, Program> variants_;
  ImportWatch imports_;
  results::FileDigests digests_;
};

/// Error{incomparable}: the run ends because of these changes. `help`: how to begin again.
[[noreturn]] void refuse_changed_program(const std::string& change, const std::string& where, const std::string& help);

}  // namespace retrial::harness::inline run
