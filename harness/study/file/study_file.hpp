#pragma once

#include <string>
#include <vector>

#include "harness/study/checks/study.hpp"
#include "harness/study/declared/gate_keys.hpp"

namespace retrial::harness::inline study::inline file {

/// Reads a TOML file. Every error of form names file:line:column, field and allowed values.
[[nodiscard]] StudyDraft read_study_file(const std::string& path);

/// A file of retrial gate.
struct SuiteFile {
  struct Bench {
    std::string name;  ///< of [bench.NAME]; empty: the file is one study
    StudyDraft draft;
  };
  std::string name;  ///< of the file, else its stem
  std::vector<Bench> benches;
  GateTable gate;
};
[[nodiscard]] SuiteFile read_suite_file(const std::string& path);

}  // namespace retrial::harness::inline study::inline file
