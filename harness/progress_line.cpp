#include "harness/progress_line.hpp"

#include <unistd.h>

#include <iostream>

#include "harness/output.hpp"
#include "harness/table.hpp"
#include "harness/terminal.hpp"
#include "harness/trial_name.hpp"

namespace retrial::harness {

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}
ProgressLine::~ProgressLine() {
  close();
}

void ProgressLine::show(const RunProgress& progress) {
  std::string text =
      std::to_string(progress.finished + progress.failed) + "/" + std::to_string(progress.planned) + " trials";
  if (progress.failed > 0) text += ", " + std::to_string(progress.failed) + " failed";
  text += "  " + duration_text(progress.elapsed_s);
  if (progress.remaining_s && progress.running > 0) text += ", about " + duration_text(*progress.remaining_s) + " left";
  if (progress.last != nullptr)
    text += "  (" + trial_name(*progress.last) + " " + std::string(results::name_of(progress.last_status)) + ")";
  show(text, progress.running == 0 && progress.finished + progress.failed == progress.planned);
}

void ProgressLine::show(const std::string& text, bool last) {
  const auto now = std::chrono::steady_clock::now();
  if (terminal_) {
    if (!last && now - last_ < std::chrono::milliseconds(100)) return;
    // Cut to the width: a line that wraps cannot be rewritten.
    const auto width = terminal_width() - 1;
    const auto shown = display_width(text) > width ? text.substr(0, width) : text;
    std::cerr << "\r\x1b[K" << shown << std::flush;
    open_ = true;
  } else {
    if (!last && now - last_ < std::chrono::seconds(30)) return;
    if (last_ != std::chrono::steady_clock::time_point{} || last) std::cerr << "retrial: " << text << "\n";
  }
  last_ = now;
}

void ProgressLine::close() {
  if (open_) std::cerr << "\n";
  open_ = false;
}

}  // namespace retrial::harness
