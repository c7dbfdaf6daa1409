#pragma once

#include <chrono>
#include <string>

#include "harness/run_study.hpp"

namespace retrial::harness {

/// The line on standard error that says how far a run is: rewritten in place on a terminal, else one line in 30 s.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const RunProgress& progress);
  void show(const std::string& text, bool last);
  /// Ends the rewritten line, so that what is printed next starts a new one.
  void close();

 private:
  bool terminal_, open_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace retrial::harness
