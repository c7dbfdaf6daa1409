// A program that compares two variants with only the statistics of retrial.

#include <iostream>
#include <vector>

#include "variance/comparisons/comparisons.hpp"

int main() {
  namespace rv = retrial::variance;
  const std::vector<double> candidate{87.1, 86.4, 88.0, 87.7, 86.9, 87.5, 88.2, 87.0};
  const std::vector<double> baseline{86.0, 86.1, 86.8, 86.2, 86.5, 86.3, 87.1, 85.9};
  const auto outcome = rv::compare("wilcoxon", candidate, baseline, {.direction = rv::Direction::higher});
  std::cout << "candidate is " << rv::name_of(outcome.status) << ": p " << *outcome.p << ", " << outcome.estimand << " "
            << outcome.estimate.point << "\n";
  return outcome.status == rv::Status::better ? 0 : 1;
}
