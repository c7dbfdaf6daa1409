#include "workloads/distillation/methods/selection.hpp"

#include <algorithm>

namespace retrial::distillation::inline methods {

void Selection::add(double test, std::optional<double> validation) {
  last_ = test;
  best_test_ = std::max(best_test_, test);
  if (!validation || (best_validation_ && *validation <= *best_validation_)) return;
  best_validation_ = validation;
  test_at_best_validation_ = test;
}

double Selection::reported(const std::string& select) const {
  if (select == "best-test") return best_test_;
  return select == "best-val" && test_at_best_validation_ ? *test_at_best_validation_ : last_;
}

void Selection::save(nn::StateWriter& to) const {
  to.real("last", last_);
  to.real("best_test", best_test_);
  to.number("validated", best_validation_ ? 1 : 0);
  to.real("best_validation", best_validation_.value_or(0));
  to.real("test_at_best_validation", test_at_best_validation_.value_or(0));
}

void Selection::load(nn::StateReader& from) {
  last_ = from.real("last");
  best_test_ = from.real("best_test");
  const bool validated = from.number("validated") != 0;
  const double best = from.real("best_validation"), test = from.real("test_at_best_validation");
  best_validation_ = validated ? std::optional(best) : std::nullopt;
  test_at_best_validation_ = validated ? std::optional(test) : std::nullopt;
}

}  // namespace retrial::distillation::inline methods
