#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "workloads/profiler/recording/event.hpp"

namespace retrial::profiler::inline recording {

struct Free {
  void operator()(Event* events) const { std::free(events); }
};
/// Room for the events of one thread.
struct Block {
  std::unique_ptr<Event[], Free> events;
  std::size_t size = 0;
};

/// A thread that writes little takes 384 KiB. Later blocks are huge pages where the kernel gives them: the first touch
/// of small pages took two fifths of the time of an annotation.
inline constexpr std::uint64_t first_bytes = std::uint64_t{3} << 17U, huge_bytes = std::uint64_t{1} << 21U;

inline Block new_block(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  auto* const events = static_cast<Event*>(std::aligned_alloc(bytes == huge_bytes ? huge_bytes : page, bytes));
  if (events == nullptr) throw std::bad_alloc();
  if (bytes == huge_bytes) madvise(events, bytes, MADV_HUGEPAGE);
  return {.events = std::unique_ptr<Event[], Free>(events), .size = bytes / sizeof(Event)};
}

}  // namespace retrial::profiler::inline recording
