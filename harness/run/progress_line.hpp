#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "harness/run/run_study.hpp"

namespace retrial::harness::inline run {

/// "null/base pair 3: step 5 of 8, PR 81.0 %, 4 s left", of a run that has told nothing "null/base pair 3: 40 %". How
/// long it takes is said from a tenth of it on.
[[nodiscard]] std::string worker_line(const TrialProgress& trial);
/// What stands above the line of the whole run: a line a worker, of trials of at least a second, eight at most.
[[nodiscard]] std::vector<std::string> worker_lines(const RunProgress& progress);
/// What a terminal is sent to see these lines in the place of `before` others, the last of which the cursor stands on:
/// each cut to `width` cells, as one that wraps cannot be rewritten.
[[nodiscard]] std::string redrawn(std::size_t before, const std::vector<std::string>& lines, std::size_t width);

/// The lines on standard error that say how far a run is: rewritten in place on a terminal, with one for each worker;
/// else one line in 30 s.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const RunProgress& progress);
  void show(const std::string& text, bool last) { show({}, text, last); }
  /// Leaves the last line alone and ends it, so that what is printed next starts a new one.
  void close();

 private:
  void show(std::vector<std::string> workers, const std::string& text, bool last);

  bool terminal_;
  std::string text_;       ///< of the last line shown
  std::size_t lines_ = 0;  ///< that stand and can be rewritten
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace retrial::harness::inline run
