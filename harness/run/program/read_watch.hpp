#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/stored/likeness/module_versions.hpp"
#include "harness/system/opened_files.hpp"
#include "results/digest/file_digests.hpp"
#include "results/json/json.hpp"

namespace retrial::harness::inline run::inline program {

/// The files that programs read by names of their own while their trials run. The kernel does not say which process
/// reads a file, and people open files too, so that repetition is the evidence: what each trial of a variant has read
/// so far, two at least, belongs to its program. What two trials saw written is a result.
class ReadWatch {
 public:
  /// Files are named relative to `base` where they are below. What is `known` is watched by others.
  void add(const std::string& variant, const std::filesystem::path& base,
           const std::vector<std::filesystem::path>& folders, std::function<bool(const std::string& name)> known);
  /// What earlier trials of the variant have read.
  void expect(const std::string& variant, const ReadFiles& before);

  /// A trial runs between the two; `counts`: it came to its end.
  void begin(std::size_t trial, const std::string& variant, results::FileDigests& digests);
  void end(std::size_t trial, bool counts, results::FileDigests& digests);
  /// Takes the reports of the kernel.
  void listen(results::FileDigests& digests);

  /// The files that are no longer what trials read, a text each.
  [[nodiscard]] std::vector<std::string> changes(const std::string& variant, results::FileDigests& digests) const;
  /// The same while only one trial has read them: an edit, or a result that the program itself wrote.
  [[nodiscard]] std::vector<std::string> doubts(const std::string& variant, results::FileDigests& digests) const;
  /// The SHA-256 of every file by name; the reason in words where reading is not seen.
  [[nodiscard]] Json files(const std::string& variant) const;
  /// Those of them that were written meanwhile, as long as one trial alone has read them: the next one decides.
  [[nodiscard]] Json written(const std::string& variant) const;

 private:
  struct File {
    std::optional<results::Digest> digest;  ///< as it was first read; nothing: too large
    int written = 0;                        ///< trials that saw it written
  };
  struct Program {
    std::filesystem::path base;
    std::function<bool(const std::string& name)> known;
    std::size_t trials = 0;
    std::map<std::string, File> files;  ///< read by each of these trials
  };
  struct Running {
    std::string variant;
    std::map<std::string, std::optional<results::Digest>> read;
    std::set<std::string> written;
  };
  bool note(const std::filesystem::path& file, results::FileDigests& digests);
  [[nodiscard]] static std::vector<std::string> changed_files(const Program& program, results::FileDigests& digests);

  OpenedFiles read_{FileUse::read}, written_{FileUse::written};
  std::map<std::string, Program> programs_;
  std::map<std::size_t, Running> running_;
};

}  // namespace retrial::harness::inline run::inline program
