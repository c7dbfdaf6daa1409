#pragma once

#include <ATen/Parallel.h>

namespace retrial::pruning::inline tensors {

/// During its lifetime LibTorch computes on one thread. The choice of the weights to remove, and their replacements,
/// are computed this way: products divided between threads differ in their last bits, which may change the choice.
class OneThread {
 public:
  OneThread() { at::set_num_threads(1); }
  ~OneThread() { at::set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_ = at::get_num_threads();
};

}  // namespace retrial::pruning::inline tensors
