#pragma once

#include <memory>
#include <string>

#include "workloads/automl/named.hpp"
#include "workloads/automl/problems/data_problem.hpp"
#include "workloads/automl/searchers/search.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::automl {

/// One search of a trial, ready to begin.
class SearchTask {
 public:
  SearchTask(const workloads::Trial& suite, const SuiteCell& cell, const workloads::Place& place);

  [[nodiscard]] const workloads::Trial& trial() const { return trial_; }  ///< of this problem alone
  [[nodiscard]] const std::string& suffix() const { return suffix_; }
  [[nodiscard]] const DataProblem* data() const { return data_.get(); }               ///< null for a function
  [[nodiscard]] const BenchmarkProblem* function() const { return function_.get(); }  ///< null for a table
  [[nodiscard]] const Problem& problem() const;
  /// On this problem, or on another one in its place. The task outlives the search.
  [[nodiscard]] Search search_of(const Problem& problem, const SearchOptions& options) const;
  [[nodiscard]] const SearchOptions& options() const { return options_; }
  [[nodiscard]] std::uint64_t seed(const char* source) const;  ///< 0 of a source that it does not honour

 private:
  [[nodiscard]] Json header() const;

  workloads::Trial trial_;
  std::string suffix_;
  std::unique_ptr<DataProblem> data_;
  std::unique_ptr<BenchmarkProblem> function_;
  SearchOptions options_;
};

}  // namespace retrial::automl
