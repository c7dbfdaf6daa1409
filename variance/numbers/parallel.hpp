#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

/// For .cpp files: loops on several threads.
namespace retrial::variance::inline numbers {

/// Calls f(0) .. f(count - 1), each once, on `threads` threads; which thread takes which index is not fixed, so f
/// must store by index and share nothing else. If calls throw, the exception of the lowest index is rethrown after all
/// others have returned, so the outcome does not depend on the number of threads.
template <typename F>
void parallel_for(std::size_t count, std::size_t threads, F&& f) {
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        f(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t t = 1; t < std::min(threads, count); ++t) helpers.emplace_back(work);
    work();
  }
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace retrial::variance::inline numbers
