#include "harness/check/emulated_time.hpp"

#include <algorithm>

#include "harness/text/output.hpp"

namespace retrial::harness::inline check {

void EmulatedTime::advanced(double done) {
  if (began_ == Clock::time_point{}) began_ = now_();
  running_ = std::max(running_, done);
}

void EmulatedTime::finished(std::size_t trials) {
  finished_ += trials;
  running_ = 0;
}

std::string EmulatedTime::left() const {
  constexpr double enough = .05;
  const double all = static_cast<double>(trials_), done = static_cast<double>(finished_) + running_;
  if (began_ == Clock::time_point{} || done >= all) return "";
  const double elapsed = std::chrono::duration<double>(now_() - began_).count();
  if (done < enough) return ", " + duration_text(elapsed) + " so far";
  return ", about " + duration_text(elapsed / done * (all - done)) + " left for emulated trials";
}

}  // namespace retrial::harness::inline check
