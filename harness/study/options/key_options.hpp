#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/study/checks/study.hpp"

namespace retrial::harness::inline study::inline options {

/// The flags that workloads contribute, each in the group of its workload.
[[nodiscard]] std::vector<Option> workload_options();
/// ", or use --command '...'": how flags can name a study, for an error line.
[[nodiscard]] std::string use_flags();

/// The study named by flags of which each use is a variant; nothing if none was given.
[[nodiscard]] std::optional<StudyDraft> draft_from_flags(const Arguments& arguments);
/// KEY=VALUE of --set; Error{usage} for any other form.
struct KeyText {
  std::string key, text;
};
[[nodiscard]] std::vector<KeyText> keys_set(const Arguments& arguments);
/// Folders on this machine from --set, relative to --data; scripts of a workload are left to scripts_set. Error{usage}
/// for any other key that is not in `places`.
[[nodiscard]] workloads::Folders folders_set(const Arguments& arguments, const std::vector<std::string>& places,
                                             const workloads::Declaration* of = nullptr);

/// Hints for --some-folder: "--set some_folder=DIR".
[[nodiscard]] std::vector<Renamed> spelled_as_options(const std::vector<std::string>& places);

/// Keys from flags and from --set override the file. Keys that name folders become absolute, relative to --data; those
/// that name scripts get the digest of the file.
void override_keys(const Arguments& arguments, StudyDraft& draft);

}  // namespace retrial::harness::inline study::inline options
