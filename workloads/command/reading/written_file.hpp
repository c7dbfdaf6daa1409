#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace retrial::workloads::command::inline reading {

/// Places where a program may leave a file of results.
struct ResultPlaces {
  std::filesystem::path own;     ///< in the trial's own folder; empty: the name leads elsewhere
  std::filesystem::path shared;  ///< where other trials write it too; empty: nowhere
  bool read_shared = false;      ///< the trial has that place for itself while it runs
};

/// A file that a program must write. Construct it before the program starts, so that a file left by another trial is
/// not taken for its result. The trial's own folder comes first.
class WrittenFile {
 public:
  /// `failure` is the kind of the failure without such a file: "command.no_json".
  WrittenFile(ResultPlaces places, std::string failure);
  /// The file that the program has written. Throws TrialFailure(failure) if it is missing, unchanged or out of reach.
  [[nodiscard]] std::filesystem::path found() const;
  /// The contents of that file. Throws TrialFailure(failure) beyond 16 MiB.
  [[nodiscard]] std::string text() const;

 private:
  using Stamp = std::pair<std::filesystem::file_time_type, std::uintmax_t>;
  struct Candidate {
    std::filesystem::path file;
    std::optional<Stamp> before;
  };
  [[nodiscard]] static std::optional<Stamp> stamp(const std::filesystem::path& file);
  [[nodiscard]] std::string why_none() const;

  ResultPlaces places_;
  std::string failure_;
  std::vector<Candidate> candidates_;
};

}  // namespace retrial::workloads::command::inline reading
