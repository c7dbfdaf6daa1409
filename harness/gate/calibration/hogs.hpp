#pragma once

#include <sys/types.h>

#include <vector>

namespace retrial::harness::inline gate::inline calibration {

/// Busy processes beside the measured ones, for as long as this object lives.
class Hogs {
 public:
  explicit Hogs(int count);
  ~Hogs();
  Hogs(const Hogs&) = delete;
  Hogs& operator=(const Hogs&) = delete;

 private:
  std::vector<pid_t> running_;
};

}  // namespace retrial::harness::inline gate::inline calibration
