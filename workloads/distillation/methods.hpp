#pragma once

#include <string>
#include <vector>

#include "results/value.hpp"

namespace retrial::distillation {

enum class Reduction { batch_mean, element_mean, sum };
/// The words of the key `reduction`, in the order of the enumerators.
[[nodiscard]] const std::vector<std::string>& reduction_names();

/// One convention for all methods: w_ce multiplies the hard label's term, w_soft the teacher's. "alpha" and "lambda"
/// mean opposite things in other programs and exist nowhere here.
struct Weights {
  double w_ce = .5, w_soft = .5, temperature = 4;
  bool t_squared = true;
  Reduction reduction = Reduction::batch_mean;
};
[[nodiscard]] Weights weights_of(const Values& values);

/// One term of a method and the key that weighs it; without a key its weight is 1.
struct TermUse {
  std::string term, weight_key;
};

/// A distillation method: which terms it adds up, whether it looks at a teacher, which keys of its own it reads.
struct Method {
  std::string name, summary;
  std::vector<TermUse> terms;
  bool needs_teacher = true;
  std::vector<std::string> keys;
};
[[nodiscard]] const std::vector<Method>& all_methods();
[[nodiscard]] const Method& find_method(const std::string& name);
[[nodiscard]] std::vector<std::string> method_names();

/// Weight of a term under these weights.
[[nodiscard]] double weight_of(const TermUse& use, const Weights& weights);

}  // namespace retrial::distillation
