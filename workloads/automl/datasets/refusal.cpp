#include "workloads/automl/datasets/refusal.hpp"

#include "results/text/error.hpp"

namespace retrial::automl::inline datasets {

void refuse_key(const char* code, const std::string& key, const std::string& value, const std::string& problem,
                const std::string& allowed, const std::string& help) {
  throw Error({.exit = Exit::usage,
               .code = code,
               .where = "",
               .field = "automl." + key,
               .value = value,
               .problem = problem,
               .allowed = allowed,
               .help = help});
}

}  // namespace retrial::automl::inline datasets
