#pragma once

#include <ATen/record_function.h>

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "determinism/operators/call.hpp"

namespace retrial::determinism::inline operators {

/// The operators that the library dispatches while this lives, of forward and backward passes, on every thread: every
/// different call once, with the shapes and ranges of its arguments. Kernels that call each other without the
/// dispatcher are not seen. One at a time: std::logic_error for a second.
class OperatorRecorder {
 public:
  OperatorRecorder();
  ~OperatorRecorder();
  OperatorRecorder(const OperatorRecorder&) = delete;
  OperatorRecorder& operator=(const OperatorRecorder&) = delete;

  /// By operator. The range of a float argument is that of its operator whatever the shapes, because a few values say
  /// little about its domain; that of an integer argument is of calls with these shapes, because it may be an index.
  [[nodiscard]] std::vector<Call> calls() const;
  /// Operators that compute nothing: they only call others, which are recorded, or return a view or move a storage.
  [[nodiscard]] const std::set<std::string>& passing() const { return passing_; }
  /// Operators with an argument that no document holds: the reason.
  [[nodiscard]] const std::map<std::string, std::string>& unreadable() const { return unreadable_; }

 private:
  struct Range {
    double low, high;
  };
  static std::unique_ptr<at::ObserverContext> at_start(const at::RecordFunction& function);
  void record(const at::RecordFunction& function);
  void add(Call call);

  at::CallbackHandle handle_;
  std::mutex mutex_;
  std::set<std::string> passing_;
  std::unordered_map<std::string, int> seen_;  // calls by shapes and numbers
  std::map<std::string, std::string> unreadable_;
  std::map<std::string, Call> calls_;                              // by the call without ranges
  std::map<std::string, std::map<std::size_t, Range>> of_floats_;  // by operator and place among its tensors
};

}  // namespace retrial::determinism::inline operators
