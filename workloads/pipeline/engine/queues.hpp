#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

/// The queues between two stages. Both swap items with their users instead of copying them, so that buffers
/// circulate and none is allocated once the pipeline is full.
namespace retrial::pipeline::inline engine {

/// First in, first out, within one thread; grows as needed.
template <typename T>
class Fifo {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const T& at(std::size_t place) const { return items_[(first_ + place) % items_.size()]; }
  void push(T& item) {
    if (size_ == items_.size()) grow();
    std::swap(items_[(first_ + size_++) % items_.size()], item);
  }
  void pop(T& item) {
    std::swap(items_[first_], item);
    first_ = (first_ + 1) % items_.size();
    --size_;
  }

 private:
  void grow() {
    std::vector<T> larger(items_.empty() ? 2 : 2 * items_.size());
    for (std::size_t i = 0; i < size_; ++i) std::swap(larger[i], items_[(first_ + i) % items_.size()]);
    items_.swap(larger);
    first_ = 0;
  }

  std::vector<T> items_;
  std::size_t first_ = 0, size_ = 0;
};

/// Between two threads: one pushes, one pops, neither waits.
template <typename T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : items_(capacity) {}

  [[nodiscard]] bool has_room() const {
    return pushed_.load(std::memory_order_relaxed) - popped_.load(std::memory_order_acquire) < items_.size();
  }
  /// False if it is full; the item is then unchanged.
  bool try_push(T& item) {
    if (!has_room()) return false;
    const std::size_t place = pushed_.load(std::memory_order_relaxed);
    std::swap(items_[place % items_.size()], item);
    pushed_.store(place + 1, std::memory_order_release);
    return true;
  }
  bool try_pop(T& item) {
    const std::size_t place = popped_.load(std::memory_order_relaxed);
    if (place == pushed_.load(std::memory_order_acquire)) return false;
    std::swap(items_[place % items_.size()], item);
    popped_.store(place + 1, std::memory_order_release);
    return true;
  }

 private:
  std::vector<T> items_;
  // On cache lines of their own: each is written by one thread and read by the other.
  alignas(64) std::atomic<std::size_t> pushed_{0};
  alignas(64) std::atomic<std::size_t> popped_{0};
};

}  // namespace retrial::pipeline::inline engine
