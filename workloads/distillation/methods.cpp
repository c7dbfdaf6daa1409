#include "workloads/distillation/methods.hpp"

#include <algorithm>

#include "results/text.hpp"
#include "variance/error.hpp"

namespace retrial::distillation {

const std::vector<std::string>& reduction_names() {
  static const std::vector<std::string> names{"batch_mean", "element_mean", "sum"};
  return names;
}

Weights weights_of(const Values& values) {
  const auto& names = reduction_names();
  const auto reduction =
      std::find(names.begin(), names.end(), std::get<std::string>(values.at("reduction"))) - names.begin();
  return {.w_ce = std::get<double>(values.at("w_ce")),
          .w_soft = std::get<double>(values.at("w_soft")),
          .temperature = std::get<double>(values.at("temperature")),
          .t_squared = std::get<bool>(values.at("t_squared")),
          .reduction = static_cast<Reduction>(reduction)};
}

const std::vector<Method>& all_methods() {
  static const std::vector<Method> table{
      {.name = "ce",
       .summary = "the labels alone: cross entropy with weight 1",
       .terms = {{"ce", ""}},
       .needs_teacher = false,
       .keys = {}},
      {.name = "kd",
       .summary = "w_ce * cross entropy + w_soft * Kullback-Leibler divergence to the teacher at a temperature "
                  "(Hinton, Vinyals, Dean 2015)",
       .terms = {{"ce", "w_ce"}, {"soft", "w_soft"}},
       .keys = {"w_ce", "w_soft", "temperature", "t_squared", "reduction"}},
  };
  return table;
}

const Method& find_method(const std::string& name) {
  const auto& table = all_methods();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Method& method) { return method.name == name; });
  if (found == table.end()) throw InvalidInput("method", name, results::joined(method_names()));
  return *found;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : all_methods()) names.push_back(method.name);
  return names;
}

double weight_of(const TermUse& use, const Weights& weights) {
  if (use.weight_key == "w_ce") return weights.w_ce;
  if (use.weight_key == "w_soft") return weights.w_soft;
  return 1;
}

}  // namespace retrial::distillation
