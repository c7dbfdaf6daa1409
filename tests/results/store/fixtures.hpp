// Shared by the tests of the store: temporary folders, and records with everything that a trial can have.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

#include "results/record/identity.hpp"
#include "results/store/store.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::results {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "retrial-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline Id16 id_of(std::uint32_t number) {
  return attempt_id(Id16{}, Digest{}, number);
}
inline Digest identity_of(std::uint32_t number) {
  return sha256("identity " + std::to_string(number));
}

inline Json sample_manifest(std::uint32_t number) {
  return {{"schema", "retrial.manifest/1"},
          {"machine",
           {{"cpu_model", "Example CPU"},
            {"cpu_cores", 2},
            {"os", "Debian 12"},
            {"kernel", "6.1"},
            {"governor", "performance"},
            {"gpus", "Example GPU"},
            {"gpu_driver", "1.0"}}},
          {"numeric", {{"effective", {{"cpu_capability", "AVX2"}}}}},
          {"libraries", {{"torch", "2.11.0"}, {"cuda", "13.0"}}},
          {"randomness", {{"root", "00000000000000" + std::to_string(10 + number % 90)}}},
          {"volatile", {{"load", hex_of_bits(0.5 + number)}}}};
}

/// Attempt `number` of identity `number`: every column filled, every kind of row present.
inline TrialRecord sample_record(std::uint32_t number) {
  TrialRecord r;
  r.identity = identity_of(number);
  r.attempt = id_of(number);
  r.started_ns = 1700000000000000000 + std::int64_t{number} * 1000;
  r.wall_ns = 1250000000;
  r.cpu_ns = 1500000000;
  r.peak_rss = 104857600;
  r.peak_gpu = 77;
  r.exit_code = 0;
  r.signal = 0;
  r.worker = "w0";
  r.host = "h1";
  r.message = "fine";
  r.boot = id_of(1000);
  r.launch = id_of(2000);
  r.defs = {{"accuracy", "percent", Direction::higher, Nature::outcome, Scale::absolute, Axis::none},
            {"loss", "nat", Direction::lower, Nature::outcome, Scale::absolute, Axis::epoch},
            {"wall_s", "s", Direction::lower, Nature::cost, Scale::ratio, Axis::none}};
  r.metrics = {{"accuracy", -1, 92.0 + number},
               {"loss", 0, -0.0},
               {"loss", 1, std::nan("")},
               {"loss", 2, std::numeric_limits<double>::infinity()},
               {"wall_s", -1, 1.25}};
  r.digests = {{"weights", 29, "psum2", "abababababababababababababababab"}};
  const std::string body = "a small artifact";
  r.artifacts = {{"notes.txt", "text", sha256(body), static_cast<std::int64_t>(body.size()), body}};
  r.manifest = sample_manifest(number);
  return r;
}

/// With one more metric of `points` points.
inline TrialRecord sample_record_with_series(std::uint32_t number, std::int64_t points) {
  TrialRecord r = sample_record(number);
  r.defs.push_back({"step_loss", "nat", Direction::lower, Nature::outcome, Scale::absolute, Axis::step});
  for (std::int64_t i = 0; i < points; ++i) r.metrics.push_back({"step_loss", i, 1.0 / static_cast<double>(i + 1)});
  r.metrics.push_back({"step_loss", -1, 0.25});
  return r;
}

inline std::vector<PlanEntry> sample_plan(std::uint32_t trials) {
  std::vector<PlanEntry> plan;
  for (std::uint32_t i = 0; i < trials; ++i)
    plan.push_back({.ordinal = i,
                    .identity = identity_of(i),
                    .replicate = 0,
                    .trial_body = "{\"n\":" + std::to_string(i) + "}",
                    .workload = "null",
                    .variant = i % 2 ? "kd" : "scratch",
                    .pair_index = i / 2,
                    .block = 1,
                    .estimate_ns = 5});
  return plan;
}

inline Json sample_study(const std::string& name) {
  return {{"schema", "retrial.study/1"}, {"name", name}};
}

/// The exit code of the error that an action ends with; ok when it ends without one.
inline Exit exit_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.text.exit;
  }
  return Exit::ok;
}

/// The same bits: NaN equals NaN here and -0.0 does not equal 0.0.
inline bool same_bits(double a, double b) {
  return hex_of_bits(a) == hex_of_bits(b);
}

}  // namespace retrial::results
