#include "results/store/store_busy.hpp"

#include <algorithm>
#include <thread>

namespace retrial::results::inline store {
namespace {

constexpr std::chrono::microseconds longest_delay{64'000}, patience{60'000'000};

}  // namespace

BusyRetry::BusyRetry(std::uint64_t launch_key) : stream_(variance::derive(launch_key, "busy-retry")) {}

bool BusyRetry::wait() {
  if (waited_ >= patience) return false;
  const double jitter = static_cast<double>(delay_.count()) * variance::uniform(stream_.next());
  const auto pause = delay_ + std::chrono::microseconds(static_cast<std::int64_t>(jitter));
  busy_sleep()(pause);
  waited_ += pause;
  delay_ = std::min(2 * delay_, longest_delay);
  return true;
}

std::function<void(std::chrono::microseconds)>& busy_sleep() {
  static std::function<void(std::chrono::microseconds)> sleep = [](std::chrono::microseconds pause) {
    std::this_thread::sleep_for(pause);
  };
  return sleep;
}

}  // namespace retrial::results::inline store
