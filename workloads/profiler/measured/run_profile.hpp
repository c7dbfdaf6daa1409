#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "results/json/json.hpp"
#include "workloads/profiler/collectors/collector.hpp"
#include "workloads/profiler/overlap/gpu.hpp"
#include "workloads/profiler/overlap/table.hpp"
#include "workloads/profiler/overlap/transitions.hpp"
#include "workloads/profiler/rules/health_watch.hpp"
#include "workloads/profiler/rules/rule.hpp"

/// One run of a training under a profile: what is recorded of it, and what is kept of that.
namespace retrial::profiler::inline measured {

inline const std::string no_collector = "none";

/// What is recorded. Nothing of it: the time of the region alone, by the same two readings of the clock.
struct ProfileOrder {
  bool operations = false, layers = false;   ///< of the annotations
  std::string collector = no_collector;      ///< of calls into a library, where the program has it
  std::uint64_t cap_bytes = 0;               ///< of events
  std::string clock = {};                    ///< tsc or monotonic; empty: the counter where the CPU promises it
  std::filesystem::path trace = {};          ///< .rtrace to write; empty: none
  std::vector<std::string> rules = {};       ///< to evaluate; empty: the training is not looked into
  std::int64_t rule_every = 100;             ///< gradient steps between the captures for them
  std::int64_t period_ns = usual_period_ns;  ///< of the emulated samples of a GPU

  [[nodiscard]] bool records() const { return operations || layers || collector != no_collector; }
};

/// Shares of the region, 0 to 1: in which a kernel ran, and of sample periods in which one ran at any time.
struct GpuUse {
  double busy = 0, sampled = 0;

  bool operator==(const GpuUse&) const = default;
};

/// Times in nanoseconds.
struct RunProfile {
  std::uint64_t region_ns = 0;  ///< from begin to end
  std::string clock, collector = no_collector, about_collector = {};
  std::uint64_t events = 0, dropped = 0;
  std::map<std::string, EventCounts> counts;  ///< by operation
  Table table;
  std::uint64_t transitions = 0, iterations = 0;
  std::optional<GpuUse> gpu;  ///< absent where no kernel was recorded
  Health health;

  /// Events of bookkeeping in the whole run by the kind of their cost: "annotation", "hook:Backend".
  [[nodiscard]] std::map<std::string, std::uint64_t> charged_events() const;
  /// Those of one kind; 0 if there were none.
  [[nodiscard]] std::uint64_t events_of(const std::string& kind) const;
};

/// Records a run between both calls. One at a time in a process.
class RecordedRun {
 public:
  RecordedRun(ProfileOrder order, const std::string& phase);
  ~RecordedRun();
  RecordedRun(const RecordedRun&) = delete;
  RecordedRun& operator=(const RecordedRun&) = delete;

  /// The end of the run. `iterations`: as the caller counted them.
  [[nodiscard]] RunProfile ended(std::uint64_t iterations);

 private:
  void detach();

  ProfileOrder order_;
  const Collector* attached_ = nullptr;
  std::optional<HealthWatch> watch_;
  bool open_ = true;
};

[[nodiscard]] Json json_of(const ProfileOrder& order);
[[nodiscard]] ProfileOrder profile_order_from(const Json& json);
/// Both without its health.
[[nodiscard]] Json json_of(const RunProfile& run);
/// Throws a std::exception for a document of another form.
[[nodiscard]] RunProfile run_profile_from(const Json& json);
/// Numbers as the digits of their bits.
[[nodiscard]] Json json_of(const Health& health);
[[nodiscard]] Health health_from(const Json& json);

}  // namespace retrial::profiler::inline measured
