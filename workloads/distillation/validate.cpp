#include "results/text.hpp"
#include "variance/error.hpp"
#include "workloads/data/augment.hpp"
#include "workloads/data/rational.hpp"
#include "workloads/distillation/inputs.hpp"
#include "workloads/distillation/keys.hpp"
#include "workloads/nn/architecture.hpp"
#include "workloads/nn/schedule.hpp"

namespace retrial::distillation {
namespace {

using Problems = std::vector<workloads::Problem>;

const std::string& text(const Values& values, const std::string& key) {
  return std::get<std::string>(values.at(key));
}
double number(const Values& values, const std::string& key) {
  return std::get<double>(values.at(key));
}

void check_model(const Values& values, const std::string& key, Problems& problems) try {
  const data::DataSetInfo& set = data_set_of(values);
  (void)nn::tensors_of(nn::parse_architecture(text(values, key), key), set.shape, set.classes);
} catch (const InvalidInput& wrong) {
  problems.push_back({key, wrong.field == key ? "unknown model" : "does not fit the data set", wrong.allowed});
}

void check_teacher(const Values& values, Problems& problems) {
  if (!has_teacher(values)) return;
  if (text(values, "teacher") == "none")
    problems.push_back(
        {"teacher", "method " + text(values, "method") + " needs a teacher", "a model; method ce does without"});
  else
    check_model(values, "teacher", problems);
}

void check_weights(const Values& values, Problems& problems) {
  const Method& method = find_method(text(values, "method"));
  double sum = 0;
  for (const TermUse& use : method.terms) sum += weight_of(use, weights_of(values));
  if (sum == 0)
    problems.push_back({"w_ce", "w_ce and w_soft are both 0, so method " + method.name + " minimises nothing",
                        "at least one above 0"});
}

/// What the draws cannot change is checked before the first trial: sizes always, classes of a constant split.
void check_rows(const Values& values, Problems& problems) try {
  const data::DataSetInfo& info = data_set_of(values);
  const auto wanted = std::get<std::int64_t>(values.at("train_count"));
  if (wanted > info.published.train) {
    problems.push_back(
        {"train_count", "larger than the training split", "0 (all) to " + std::to_string(info.published.train)});
  } else if (text(values, "split") == "published") {
    (void)data::make_parts(*info.load({}), parts_request(values, std::nullopt));
  } else if (number(values, "validation") > 0 &&
             data::floor_of_share(number(values, "validation"), wanted == 0 ? info.published.train : wanted) == 0) {
    throw InvalidInput("validation", results::text_of(number(values, "validation")),
                       "a share that gives at least one validation row, or 0");
  }
} catch (const InvalidInput& wrong) {
  problems.push_back({wrong.field, "does not fit the data set", wrong.allowed});
}

void check_augmentation(const Values& values, Problems& problems) {
  const std::string& name = text(values, "augment");
  if (name == "none") return;
  const std::string wrong = data::augmentation_problem(data::find_augmentation(name), data_set_of(values).shape);
  if (!wrong.empty()) problems.push_back({"augment", wrong, "none, shift1, crop_flip, subpixel, noise"});
}

void check_selection(const Values& values, Problems& problems) {
  if (text(values, "select") == "best-val" && number(values, "validation") == 0)
    problems.push_back(
        {"select", "best-val needs validation rows", "best-val with validation above 0; last; best-test"});
  if (has_teacher(values) && text(values, "teacher_cache") == "logits" && text(values, "augment") != "none")
    problems.push_back(
        {"teacher_cache", "the teacher must see each augmented image", "logits with augment = none; off"});
}

}  // namespace

std::vector<workloads::Problem> validate(const Values& values) {
  Problems problems;
  check_model(values, "student", problems);
  check_teacher(values, problems);
  check_weights(values, problems);
  check_rows(values, problems);
  check_augmentation(values, problems);
  check_selection(values, problems);
  if (const std::string wrong = nn::milestones_problem(text(values, "milestones")); !wrong.empty())
    problems.push_back({"milestones", wrong, ""});
  return problems;
}

}  // namespace retrial::distillation
