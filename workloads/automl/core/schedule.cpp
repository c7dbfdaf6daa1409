#include "workloads/automl/core/schedule.hpp"

#include <algorithm>
#include <tuple>

namespace retrial::automl::inline core {

Schedule::Schedule(std::int64_t workers, const Budget& budget) : workers_(workers), budget_(budget) {
  for (std::int64_t w = 0; w < workers; ++w) idle_.insert(w);
}

std::optional<std::int64_t> Schedule::free_worker() const {
  // All results of one moment arrive before anything is proposed.
  const bool arriving = std::ranges::any_of(flights_, [&](const Flight& f) { return f.end == now_ && f.start < now_; });
  if (idle_.empty() || arriving) return std::nullopt;
  return *idle_.begin();
}

bool Schedule::admits(std::int64_t declared) const {
  if (budget_.evaluations > 0 && started_ >= budget_.evaluations) return false;
  if (budget_.cost == 0) return true;
  const std::int64_t taken = spent_ + reserved_;
  return budget_.strict ? taken + declared <= budget_.cost : taken < budget_.cost;
}

void Schedule::start(std::int64_t id, std::int64_t worker, std::int64_t declared) {
  flights_.push_back({.id = id, .worker = worker, .start = now_, .end = now_ + declared, .declared = declared});
  idle_.erase(worker);
  reserved_ += declared;
  ++started_;
}

void Schedule::set_cost(std::int64_t id, std::int64_t cost) {
  for (Flight& flight : flights_)
    if (flight.id == id) flight.end = flight.start + cost;
}

Flight Schedule::land() {
  const auto next =
      std::ranges::min_element(flights_, {}, [](const Flight& flight) { return std::tuple(flight.end, flight.id); });
  const Flight landed = *next;
  flights_.erase(next);
  now_ = std::max(now_, landed.end);
  idle_.insert(landed.worker);
  const std::int64_t cost = landed.end - landed.start;
  reserved_ -= landed.declared;
  spent_ += cost;
  busy_ += cost;
  return landed;
}

double Schedule::utilisation() const {
  if (now_ == 0) return 0;
  return static_cast<double>(busy_) / (static_cast<double>(workers_) * static_cast<double>(now_));
}

}  // namespace retrial::automl::inline core
