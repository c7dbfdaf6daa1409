#include "workloads/automl/search_times.hpp"

#include <time.h>

#include <algorithm>

namespace retrial::automl {
namespace {

std::int64_t nanoseconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::int64_t{1'000'000'000} * now.tv_sec + now.tv_nsec;
}
std::int64_t wall() {
  return nanoseconds(CLOCK_MONOTONIC);
}
std::int64_t cpu_of_thread() {
  return nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

/// Calls on every way out of a scope.
template <typename F>
struct AtEnd {
  F call;
  ~AtEnd() { call(); }
};

}  // namespace

std::int32_t SearchTimes::number_of(std::thread::id thread) {
  const auto found = std::ranges::find(threads_, thread);
  const auto number = static_cast<std::int32_t>(found - threads_.begin());
  if (found == threads_.end()) threads_.push_back(thread);
  return number;
}

Outcome SearchTimes::evaluated(const Problem& problem, const Evaluation& evaluation) {
  const std::int64_t began = wall(), cpu = cpu_of_thread();
  const AtEnd note{[&] {
    const std::int64_t took = wall() - began, worked = cpu_of_thread() - cpu;
    const std::thread::id here = std::this_thread::get_id();
    const std::lock_guard lock(guard_);
    took_.push_back({evaluation.id, took, worked, number_of(here)});
    if (here == own_) own_cpu_ += worked;
  }};
  return problem.evaluate(evaluation);
}

SearchTimes::Delivering::Delivering(SearchTimes& times) : times_(times), wall_(wall()), cpu_(cpu_of_thread()) {}

SearchTimes::Delivering::~Delivering() {
  times_.wall_ += wall() - wall_;
  times_.cpu_ += cpu_of_thread() - cpu_;
}

void SearchTimes::record(workloads::Recorder& recorder, const std::string& suffix, std::int64_t real_threads) const {
  if (took_.empty()) return;
  std::int64_t evaluating = 0;
  for (const Took& one : took_) evaluating += one.wall;
  recorder.metric("overhead_us" + suffix,
                  static_cast<double>(cpu_ - own_cpu_) / 1e3 / static_cast<double>(took_.size()));
  recorder.metric("utilisation_real" + suffix,
                  static_cast<double>(evaluating) / static_cast<double>(real_threads * wall_));
}

std::string SearchTimes::text() const {
  std::vector<Took> rows = took_;
  std::ranges::sort(rows, {}, &Took::id);
  std::string out = "[\"id\",\"wall_ns\",\"cpu_ns\",\"thread\"]\n";
  for (const Took& one : rows)
    out += "[" + std::to_string(one.id) + "," + std::to_string(one.wall) + "," + std::to_string(one.cpu) + "," +
           std::to_string(one.thread) + "]\n";
  return out;
}

}  // namespace retrial::automl
