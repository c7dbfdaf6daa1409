#include "workloads/automl/search_times.hpp"

#include <time.h>

namespace retrial::automl {
namespace {

double seconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}
double wall() {
  return seconds(CLOCK_MONOTONIC);
}
double cpu_of_thread() {
  return seconds(CLOCK_THREAD_CPUTIME_ID);
}

}  // namespace

Outcome SearchTimes::evaluated(const Problem& problem, const Evaluation& evaluation) {
  const bool own = std::this_thread::get_id() == own_;
  const double began = wall(), cpu = own ? cpu_of_thread() : 0;
  Outcome outcome = problem.evaluate(evaluation);
  const std::lock_guard lock(guard_);
  evaluating_wall_ += wall() - began;
  if (own) own_cpu_ += cpu_of_thread() - cpu;
  ++evaluations_;
  return outcome;
}

SearchTimes::Delivering::Delivering(SearchTimes& times) : times_(times), wall_(wall()), cpu_(cpu_of_thread()) {}

SearchTimes::Delivering::~Delivering() {
  times_.wall_ += wall() - wall_;
  times_.cpu_ += cpu_of_thread() - cpu_;
}

void SearchTimes::record(workloads::Recorder& recorder, const std::string& suffix, std::int64_t real_threads) const {
  if (evaluations_ == 0) return;
  recorder.metric("overhead_us" + suffix, 1e6 * (cpu_ - own_cpu_) / static_cast<double>(evaluations_));
  recorder.metric("utilisation_real" + suffix, evaluating_wall_ / (static_cast<double>(real_threads) * wall_));
}

}  // namespace retrial::automl
