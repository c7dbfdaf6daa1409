#include "workloads/automl/models/parameters.hpp"

namespace retrial::automl::inline models {

std::int64_t whole(const Chosen& chosen, const std::string& name, std::int64_t otherwise) {
  const auto found = chosen.find(name);
  return found == chosen.end() ? otherwise : std::get<std::int64_t>(found->second);
}

double number(const Chosen& chosen, const std::string& name, double otherwise) {
  const auto found = chosen.find(name);
  return found == chosen.end() ? otherwise : std::get<double>(found->second);
}

}  // namespace retrial::automl::inline models
