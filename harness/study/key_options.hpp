#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/study/study.hpp"

namespace retrial::harness::inline study {

/// The flags that workloads contribute, each in the group of its workload.
[[nodiscard]] std::vector<Option> workload_options();
/// ", or use --command '...'": how flags name a study, for an error line.
[[nodiscard]] std::string use_flags();

/// The study that flags name whose every use is a variant; nothing where none was given.
[[nodiscard]] std::optional<StudyDraft> draft_from_flags(const Arguments& arguments);
/// KEY=VALUE of --set; Error{usage} for another form.
struct KeyText {
  std::string key, text;
};
[[nodiscard]] std::vector<KeyText> keys_set(const Arguments& arguments);
/// Folders of this machine from --set, seen from --data. Error{usage} for a key that is none of `places`.
[[nodiscard]] workloads::Folders folders_set(const Arguments& arguments, const std::vector<std::string>& places);

/// Answers --some-folder by naming the key: "--set some_folder=DIR".
[[nodiscard]] std::vector<Renamed> spelled_as_options(const std::vector<std::string>& places);

/// Keys from flags and from --set go over the file. Keys of place become absolute, seen from --data.
void override_keys(const Arguments& arguments, StudyDraft& draft);

}  // namespace retrial::harness::inline study
