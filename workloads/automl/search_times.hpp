#pragma once

#include <cstdint>
#include <mutex>
#include <thread>

#include "workloads/automl/core/problem.hpp"
#include "workloads/interface/trial/run.hpp"

namespace retrial::automl {

/// What a search took, measured beside it: nothing of it enters the search. Of a search that went on after a kill, the
/// part since then.
class SearchTimes {
 public:
  /// Evaluates, on whichever thread.
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
    double wall_, cpu_;
  };

  /// Costs: overhead_us, CPU time of the search for each evaluation apart from the evaluations, and utilisation_real,
  /// the share of the time in which its real threads evaluated.
  void record(workloads::Recorder& recorder, const std::string& suffix, std::int64_t real_threads) const;

 private:
  std::mutex guard_;
  std::thread::id own_ = std::this_thread::get_id();
  double wall_ = 0, cpu_ = 0;                 ///< seconds of the search, evaluations on its own thread included
  double evaluating_wall_ = 0, own_cpu_ = 0;  ///< of evaluations: on all threads, and CPU time on that of the search
  std::int64_t evaluations_ = 0;
};

}  // namespace retrial::automl
