#pragma once

#include "workloads/interface/trial/run.hpp"

namespace retrial::workloads::inline interface::inline trial {

/// Discards every report: for runs that are only looked into or timed.
struct DeafRecorder final : Recorder {
  void metric(std::string_view, double, std::int64_t) override {}
  void digest(std::string_view, std::int64_t, std::string_view, std::string_view) override {}
  void progress(double) override {}
  void warning(std::string_view) override {}
  void diverged(std::int64_t) override {}
  void artifact(std::string_view, std::string_view, std::string_view) override {}
};

}  // namespace retrial::workloads::inline interface::inline trial
