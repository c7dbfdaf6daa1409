#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/system/host.hpp"
#include "harness/system/opened_files.hpp"
#include "results/digest/file_digests.hpp"
#include "workloads/interface/user_program.hpp"

namespace retrial::harness::inline run::inline program {

/// The modules that programs import while their trials run. Programs that import from the same folders share them: a
/// report of the kernel does not say which process opened a file.
class ImportWatch {
 public:
  /// Returns the number of the trace; the same for an equal one.
  std::size_t add(const workloads::ImportTrace& trace);
  /// A module as trials before this launch imported it.
  void expect(std::size_t trace, const std::string& name, const results::Digest& digest);
  /// Learns what has been imported since the last call.
  void listen(results::FileDigests& digests);

  /// The modules that are no longer what was imported, a text each.
  [[nodiscard]] std::vector<std::string> changes(std::size_t trace, results::FileDigests& digests);
  /// The SHA-256 of every module, by name.
  [[nodiscard]] Json modules(std::size_t trace) const;
  [[nodiscard]] bool complete() const { return opened_.complete(); }

 private:
  struct Module {
    std::filesystem::path source, opened;
    std::optional<results::Digest> digest;  ///< nothing: it was edited before it could be read
  };
  struct Traced {
    workloads::ImportTrace trace;
    std::map<std::string, Module> modules;
  };
  void learn(Traced& traced, const std::filesystem::path& opened, results::FileDigests& digests) const;
  void read(const workloads::ImportTrace& trace, Module& module, results::FileDigests& digests) const;

  std::int64_t began_ns_ = now_ns();
  OpenedFiles opened_;
  std::vector<Traced> traces_;
};

}  // namespace retrial::harness::inline run::inline program
