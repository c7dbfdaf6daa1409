#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace retrial::harness::inline study::inline file {

/// One key of a study file: the reader accepts these and no others, the manual page and its nearest-name hints come
/// from the same rows. The workload's own keys, in [set] and [variant.NAME], come from its declaration.
struct StudyKey {
  std::string section;  ///< "": the top of the file
  std::string name, form, meaning;
};

[[nodiscard]] const std::vector<StudyKey>& study_keys();
[[nodiscard]] std::vector<std::string> study_key_names(std::string_view section);

}  // namespace retrial::harness::inline study::inline file
