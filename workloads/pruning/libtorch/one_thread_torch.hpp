#pragma once

#include <ATen/Parallel.h>

namespace retrial::pruning::inline libtorch {

/// While it lives LibTorch computes on one thread. What decides which weights go, and what they are replaced by, is
/// computed so: products that threads share out differ in their last bits, and the next bit may be another weight.
class OneThread {
 public:
  OneThread() { at::set_num_threads(1); }
  ~OneThread() { at::set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_ = at::get_num_threads();
};

}  // namespace retrial::pruning::inline libtorch
