#include "harness/run/progress_line.hpp"

#include <unistd.h>

#include <cmath>
#include <iostream>

#include "harness/plan/trial_name.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"

namespace retrial::harness::inline run {

namespace {

/// Whole seconds below a minute: tenths would be false precision.
std::string left_text(double seconds) {
  return seconds < 60 ? std::to_string(std::lround(seconds)) + " s" : duration_text(seconds);
}

/// One line of plain text, cut to at most `width` cells.
std::string cut(const std::string& text, std::size_t width) {
  return display_width(text) > width ? text.substr(0, width) : text;
}

}  // namespace

std::string worker_line(const TrialProgress& trial) {
  const auto& [job, fraction, text, elapsed_s] = trial.job;
  std::string line = trial.name + ": ";
  line += text.empty() ? std::to_string(static_cast<int>(100 * fraction)) + " %" : text;
  constexpr double enough = .1;
  if (fraction >= enough && fraction < 1) line += ", " + left_text(elapsed_s / fraction * (1 - fraction)) + " left";
  return line;
}

std::vector<std::string> worker_lines(const RunProgress& progress) {
  constexpr std::size_t most = 8;
  std::vector<std::string> lines;
  for (const TrialProgress& trial : progress.under_way)
    if (trial.job.elapsed_s >= 1 && lines.size() < most) lines.push_back(worker_line(trial));
  return lines;
}

std::string redrawn(std::size_t before, const std::vector<std::string>& lines, std::size_t width) {
  std::string text = before > 1 ? "\r\x1b[" + std::to_string(before - 1) + "A" : "\r";
  text += "\x1b[J";
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + cut(lines[i], width);
  return text;
}

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
  show(worker_lines(progress), text, progress.running == 0 && progress.finished + progress.failed == progress.planned);
}

void ProgressLine::show(std::vector<std::string> workers, const std::string& text, bool last) {
  const auto now = std::chrono::steady_clock::now();
  if (terminal_) {
    if (!last && now - last_ < std::chrono::milliseconds(100)) return;
    workers.push_back(text_ = text);
    std::cerr << redrawn(lines_, workers, terminal_width() - 1) << std::flush;
    lines_ = workers.size();
  } else {
    if (!last && now - last_ < std::chrono::seconds(30)) return;
    if (last_ != std::chrono::steady_clock::time_point{} || last) std::cerr << "retrial: " << text << "\n";
  }
  last_ = now;
}

void ProgressLine::close() {
  if (lines_ > 0) std::cerr << (lines_ > 1 ? redrawn(lines_, {text_}, terminal_width() - 1) : "") << "\n";
  lines_ = 0;
}

}  // namespace retrial::harness::inline run
