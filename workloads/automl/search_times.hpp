#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "workloads/automl/core/problem.hpp"
#include "workloads/interface/trial/run.hpp"

namespace retrial::automl {

/// What a search took, measured beside it: nothing of it enters the search. Of a search that went on after a kill, the
/// part since then.
class SearchTimes {
 public:
  /// Evaluates, on whichever thread. An evaluation that throws is measured too.
  [[nodiscard]] Outcome evaluated(const Problem& problem, const Evaluation& evaluation);

  /// Measures the search itself in its lifetime, on the thread that proposes and delivers.
  class Delivering {
   public:
    explicit Delivering(SearchTimes& times);
    ~Delivering();
    Delivering(const Delivering&) = delete;
    Delivering& operator=(const Delivering&) = delete;

   private:
    SearchTimes& times_;
    std::int64_t wall_, cpu_;
  };

  /// Costs: overhead_us, CPU time of the search for each evaluation apart from the evaluations, and utilisation_real,
  /// the share of the time in which its real threads evaluated.
  void record(workloads::Recorder& recorder, const std::string& suffix, std::int64_t real_threads) const;

  /// A line of names, then a line [id, wall_ns, cpu_ns, thread] for each evaluation, by id. CPU time is that of the
  /// thread that evaluated; threads are counted in the order of their first results. Served from the cache: no line.
  [[nodiscard]] std::string text() const;

 private:
  struct Took {
    std::int64_t id, wall, cpu;  ///< times in nanoseconds
    std::int32_t thread;
  };
  [[nodiscard]] std::int32_t number_of(std::thread::id thread);

  std::mutex guard_;
  std::thread::id own_ = std::this_thread::get_id();
  std::int64_t wall_ = 0, cpu_ = 0;  ///< nanoseconds of the search, evaluations on its own thread included
  std::int64_t own_cpu_ = 0;         ///< CPU time of evaluations on the thread of the search
  std::vector<Took> took_;
  std::vector<std::thread::id> threads_;
};

}  // namespace retrial::automl
