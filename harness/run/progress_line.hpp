#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "harness/run/run_study.hpp"

namespace retrial::harness::inline run {

/// "null/base pair 3: step 5 of 8, PR 81.0 %, 4 s left"; for a run that reports no text "null/base pair 3: 40 %". The
/// time left is shown once a tenth of the run is done.
[[nodiscard]] std::string worker_line(const TrialProgress& trial);
/// The lines above the line of the whole run: one per worker, for trials that have run for at least a second, at most
/// eight.
[[nodiscard]] std::vector<std::string> worker_lines(const RunProgress& progress);
/// The terminal output that replaces the `before` lines above and at the cursor with these lines. Each is cut to
/// `width` cells, because a line that wraps cannot be rewritten.
[[nodiscard]] std::string redrawn(std::size_t before, const std::vector<std::string>& lines, std::size_t width);

/// Progress of a run on standard error. On a terminal the lines are rewritten in place, with one per worker; otherwise
/// one line is written every 30 s.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const RunProgress& progress);
  void show(const std::string& text, bool last) { show({}, text, last); }
  /// Ends the last line, so that whatever is printed next starts on a new one.
  void close();

 private:
  void show(std::vector<std::string> workers, const std::string& text, bool last);

  bool terminal_;
  std::string text_;       ///< the last line shown
  std::size_t lines_ = 0;  ///< number of lines shown that can be rewritten
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace retrial::harness::inline run
