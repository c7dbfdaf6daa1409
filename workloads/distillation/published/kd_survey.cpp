#include "workloads/distillation/published/kd_survey.hpp"

#include "workloads/published/read.hpp"

namespace retrial::published {
extern const std::string_view kd_survey_json;  // generated (workloads/CMakeLists.txt)
}

namespace retrial::distillation {
namespace {

/// The row's method, with a teacher if the row has one. Cross entropy has no teacher, whatever the key says.
bool same_method(const published::Row& row, const Values& values) {
  if (text_in(values, "method") != row.method) return false;
  return row.method == "ce" || (text_in(values, "teacher") == "none") == (part_of(row, "teacher") == "none");
}

}  // namespace

published::Table kd_survey() {
  published::Table out = published::read_table(published::kd_survey_json);
  out.same_method = same_method;
  return out;
}

}  // namespace retrial::distillation
