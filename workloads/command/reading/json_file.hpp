#pragma once

#include "results/json/json_fwd.hpp"
#include "workloads/command/reading/written_file.hpp"

namespace retrial::workloads::command::inline reading {

/// A JSON file that a program must write.
class JsonFile {
 public:
  explicit JsonFile(ResultPlaces places) : file_(std::move(places), "command.no_json") {}
  /// The object in it. Throws TrialFailure command.no_json (not written, more than 16 MiB) or command.bad_json (not an
  /// object).
  [[nodiscard]] Json read() const;

 private:
  WrittenFile file_;
};

}  // namespace retrial::workloads::command::inline reading
