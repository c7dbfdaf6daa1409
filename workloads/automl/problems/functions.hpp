#pragma once

#include <span>
#include <string>
#include <vector>

#include "workloads/automl/core/problem.hpp"

/// Test functions of the literature, with their minima.
namespace retrial::automl::inline problems {

struct TestFunction {
  std::string name;
  std::string meaning;
  int dimensions = 0;  ///< 0: any from 1
  double (*value)(std::span<const double> x) = nullptr;
  double (*minimum)(int dimensions) = nullptr;
  /// Of one coordinate.
  std::pair<double, double> (*box)(int coordinate) = nullptr;
  bool shifted = false;  ///< benchmarks move its optimum by .0731 of the box, up and down in turn
};

[[nodiscard]] const std::vector<TestFunction>& test_functions();
[[nodiscard]] const TestFunction* function_if_known(const std::string& name);

/// A problem with a reference loss, from which regret is counted.
class BenchmarkProblem : public Problem {
 public:
  [[nodiscard]] virtual double minimum() const = 0;
};

/// A function in so many dimensions as a search sees it: one learner, "function", parameters x0, x1, ...; the optimum
/// is moved where it would be in the middle, in a corner or at the start.
class FunctionProblem final : public BenchmarkProblem {
 public:
  FunctionProblem(const TestFunction& function, int dimensions);
  [[nodiscard]] std::string task() const override { return "function"; }
  [[nodiscard]] std::vector<std::string> learners() const override { return {"function"}; }
  [[nodiscard]] std::vector<Hyperparameter> space(std::size_t) const override;
  [[nodiscard]] std::int64_t declared_cost(const Evaluation&) const override { return 1; }
  [[nodiscard]] Outcome evaluate(const Evaluation& evaluation) const override;
  [[nodiscard]] double minimum() const override { return function_.minimum(dimensions_); }

 private:
  const TestFunction& function_;
  int dimensions_;
};

}  // namespace retrial::automl::inline problems
