#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/plan/trial_body.hpp"
#include "harness/run/program/import_watch.hpp"
#include "harness/run/program/read_watch.hpp"
#include "harness/stored/likeness/module_versions.hpp"
#include "results/digest/file_digests.hpp"
#include "results/store/store.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::harness::inline run::inline program {

/// Watches the files of a user's programs while their trials run: an edit would put the results of two programs under
/// one identity. Programs of ours have none. Under a label (--program-label) the user answers for them: they are
/// recorded and not compared.
class ProgramGuard {
 public:
  /// Reference of the files: the plan's digests, or those of now (a replay may have another program).
  enum class Since { plan, now };
  /// `plan` with the bodies of its trials.
  ProgramGuard(std::span<const results::PlanEntry> plan, Since since);

  /// Asks what the programs run with, and watches what they import and read from now on. Returns the files of stored
  /// trials, `before`, that are others now, in words. The store itself is no file of a program.
  [[nodiscard]] std::vector<std::string> learn_surroundings(const StoredModules& before,
                                                            const std::filesystem::path& store);
  /// Takes the reports of the kernel; called often, since it drops them when they pile up.
  void listen();
  /// A trial runs between the two; `counts`: it came to its end.
  void begin(std::size_t trial, const std::string& variant) { reads_.begin(trial, variant, digests_); }
  void end(std::size_t trial, bool counts) { reads_.end(trial, counts, digests_); }
  /// The files and modules of this variant that are not as they were, in words; nothing: all are.
  [[nodiscard]] std::optional<std::string> change(const std::string& variant);
  /// Files that one trial alone has read and that are others now, in words: edited, or written by the program itself.
  [[nodiscard]] std::optional<std::string> doubt();
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
  void expect(Program& program, const VariantFiles& before, std::set<std::string>& changes);
  void compare(const std::filesystem::path& base, const ModuleVersions& before, std::set<std::string>& changes);

  const workloads::Declaration* declaration_ = nullptr;
  std::map<std::string, Program> variants_;
  ImportWatch imports_;
  ReadWatch reads_;
  results::FileDigests digests_;
};

}  // namespace retrial::harness::inline run::inline program
