#include "workloads/distillation/keys/batches.hpp"

#include "variance/numbers/error.hpp"
#include "workloads/distillation/keys/inputs.hpp"
#include "workloads/nn/protocol/last_batch.hpp"

namespace retrial::distillation::inline keys {
namespace {

using Problems = std::vector<workloads::Problem>;

/// A training: its number of rows, and the key of its batch size.
struct Trained {
  std::string role, batch_key;
  std::int64_t rows = 0;
};

std::int64_t smallest_batch(const Trained& trained, const Values& values) {
  return data::smallest_batch(trained.rows, integer_in(values, trained.batch_key));
}

/// All rows except those held out for the student's validation, or the student's.
std::int64_t teacher_rows(const Values& values, std::int64_t student_rows) {
  if (teacher_shares_rows(values)) return student_rows;
  const auto wanted = integer_in(values, "train_count");
  const std::int64_t all = data::loaded_set("distillation", values)->published.train;
  return all - ((wanted > 0 ? wanted : all) - student_rows);
}

void check_samples(const Values& values, const Trained& student, Problems& problems) {
  const Method& method = method_of(values);
  const std::int64_t smallest = smallest_batch(student, values);
  if (smallest == 0 || smallest >= method.needs.batch) return;
  problems.push_back(
      {student.batch_key,
       nn::last_batch_text(student.rows, smallest) + ", and method " + method.name + " needs at least " +
           std::to_string(method.needs.batch) + " samples",
       "sizes with a last batch of at least " + std::to_string(method.needs.batch) + " for method " + method.name});
}

void check_norms(const Values& values, const Trained& trained, Problems& problems) try {
  const nn::Outline outline = nn::outline_of(architecture_of(values, trained.role), data::image_shape(values));
  const std::string wrong = nn::last_batch_problem(trained.rows, smallest_batch(trained, values), outline,
                                                   trained.role + " " + text_in(values, trained.role));
  if (!wrong.empty()) problems.push_back({trained.batch_key, wrong, "sizes with a last batch of at least 2"});
} catch (const InvalidInput&) {
  return;
}

}  // namespace

std::vector<workloads::Problem> batch_problems(const Values& values) try {
  Problems problems;
  const Trained student{"student", "batch", data::training_rows("distillation", values)};
  check_samples(values, student, problems);
  check_norms(values, student, problems);
  const std::int64_t rows = teacher_rows(values, student.rows);
  if (!trains_teacher(values)) return problems;
  check_norms(values, {"teacher", "teacher_batch", rows}, problems);
  if (has_assistant(values)) check_norms(values, {"assistant", "teacher_batch", rows}, problems);
  return problems;
} catch (const InvalidInput&) {
  return {};  // files that the set does not have: reported already
}

}  // namespace retrial::distillation::inline keys
