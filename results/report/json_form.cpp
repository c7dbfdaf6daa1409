#include "results/report/render.hpp"

namespace retrial::report {

std::string json(const Report& report) {
  return results::printed(report.data);
}

}  // namespace retrial::report
