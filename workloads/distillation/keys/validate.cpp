#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/augment/augment.hpp"
#include "workloads/distillation/keys/fit.hpp"
#include "workloads/distillation/keys/inputs.hpp"
#include "workloads/distillation/keys/keys.hpp"
#include "workloads/nn/protocol/schedule.hpp"
#include "workloads/nn/shape/architecture.hpp"

namespace retrial::distillation::inline keys {
namespace {

using Problems = std::vector<workloads::Problem>;

void check_model(const Values& values, const std::string& key, Problems& problems) try {
  (void)nn::tensors_of(architecture_of(values, key), data::image_shape(values), data::classes_of(values));
} catch (const InvalidInput& wrong) {
  if (wrong.field == "ablation")
    problems.push_back({wrong.field, "changes nothing in " + text_in(values, key), wrong.allowed});
  else
    problems.push_back({key, wrong.field == key ? "unknown model" : "does not fit the data set", wrong.allowed});
}

/// Without a network that has dropout the key would change nothing.
void check_dropout(const Values& values, Problems& problems) try {
  if (number_in(values, "dropout") == 0 || nn::drops(architecture_of(values, "student"))) return;
  if (has_teacher(values) && nn::drops(architecture_of(values, "teacher"))) return;
  if (has_assistant(values) && nn::drops(architecture_of(values, "assistant"))) return;
  problems.push_back({"dropout", "has no effect in " + text_in(values, "student"), "0; mlp, cnn and wrn have dropout"});
} catch (const InvalidInput&) {
  return;  // an unknown model has been reported already
}

void check_teacher(const Values& values, const std::string& key, Problems& problems) {
  if (text_in(values, key) == "none")
    problems.push_back({key,
                        "method " + text_in(values, "method") + " needs " + (key == "teacher" ? "a " : "an ") + key,
                        key == "teacher" ? "a model; only methods ce and uda work without one" : "a model"});
  else
    check_model(values, key, problems);
}

/// A network that a registry names starts from drawn weights.
void check_pretrained(const Values& values, Problems& problems) {
  if (integer_in(values, "teacher_epochs") > 0) return;
  for (const char* key : {"teacher", "assistant"}) {
    if (std::string_view(key) == "assistant" && !has_assistant(values)) continue;
    if (!is_script(values, key))
      problems.push_back(
          {"teacher_epochs",
           "0, and the " + std::string(key) + " " + text_in(values, key) + " would keep its drawn weights",
           "1 and above; 0 with " + std::string(key) + " = script:FILE"});
  }
}

void check_augmentation(const Values& values, const std::string& key, Problems& problems) {
  const data::Operator* op = augmentation_of(values, key);
  if (op == nullptr) return;
  const std::string wrong = data::augmentation_problem(*op, data::image_shape(values));
  const bool own = text_in(values, key) == "none";  // the method's
  if (!wrong.empty())
    problems.push_back({own ? "method" : key, wrong,
                        own ? "a method without augmentation of its own" : "none, shift1, crop_flip, subpixel, noise"});
}

void check_selection(const Values& values, Problems& problems) {
  if (text_in(values, "select") == "best-val" && number_in(values, "validation") == 0)
    problems.push_back(
        {"select", "best-val needs validation rows", "best-val with validation above 0; last; best-test"});
}

}  // namespace

std::vector<workloads::Problem> validate(const Values& values) {
  Problems problems;
  data::check_images(values, problems);
  if (!problems.empty()) return problems;
  check_model(values, "student", problems);
  if (has_teacher(values)) check_teacher(values, "teacher", problems);
  if (has_assistant(values)) check_teacher(values, "assistant", problems);
  check_dropout(values, problems);
  data::check_rows("distillation", values, problems);
  for (workloads::Problem& problem : method_problems(values)) problems.push_back(std::move(problem));
  check_augmentation(values, "augment", problems);
  if (has_teacher(values)) check_pretrained(values, problems);
  if (trains_teacher(values)) check_augmentation(values, "teacher_augment", problems);
  check_selection(values, problems);
  if (const std::string wrong = nn::milestones_problem(text_in(values, "milestones")); !wrong.empty())
    problems.push_back({"milestones", wrong, ""});
  return problems;
}

}  // namespace retrial::distillation::inline keys
