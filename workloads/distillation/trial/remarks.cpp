#include "workloads/distillation/trial/remarks.hpp"

#include <optional>

#include "results/text/text.hpp"
#include "workloads/distillation/keys/inputs.hpp"
#include "workloads/distillation/methods/methods.hpp"
#include "workloads/distillation/published/kd_survey.hpp"
#include "workloads/nn/protocol/schedule.hpp"

namespace retrial::distillation::inline trial {
namespace {

/// An untuned teacher of a published comparison was ten points below the usual accuracy (Teacher-Assistant repository,
/// issue 8).
constexpr int tolerated = 5;

std::string number(double value) {
  return results::text_of(results::rounded10(value));
}

/// Accuracy of a network without a teacher, according to a source.
struct Expectation {
  double accuracy = 0;  ///< percent
  std::string source;
};

/// For a teacher on a data set (by the name of the loaded set); the lowest if sources differ; nothing if no source
/// reports it.
std::optional<Expectation> expected_accuracy(const std::string& dataset, const std::string& model) {
  if (dataset == "digits" && model == "cnn16")
    return Expectation{98.96, "mean of eight seeds of the default protocol, docs/workloads/distillation.md"};
  const published::Table survey = kd_survey();
  std::optional<Expectation> lowest;
  for (const published::Row& row : survey.rows)
    if (row.verified && row.metric == "top-1" && row.method == "ce" && row.dataset == dataset &&
        part_of(row, "student") == model && (!lowest || row.value < lowest->accuracy))
      lowest = Expectation{row.value, row.source + ", " + row.table};
  return lowest;
}

}  // namespace

std::vector<std::string> remarks(const Values& values) {
  std::vector<std::string> out;
  if (number_in(values, "validation") > 0 && text_in(values, "select") != "best-val")
    out.push_back("the validation rows are not used for selection: select = " + text_in(values, "select"));
  if (text_in(values, "select") == "best-test")
    out.emplace_back("select = best-test chooses the epoch on the test set, so it cannot confirm a claim");
  const auto epochs = integer_in(values, "epochs");
  for (const std::int64_t milestone : nn::milestone_epochs(text_in(values, "milestones"), epochs))
    if (milestone >= epochs)
      out.push_back("milestone " + std::to_string(milestone) + " is never reached: there are " +
                    std::to_string(epochs) + " epochs, so the learning rate does not drop there");
  const bool scripted_student = is_script(values, "student");
  if (scripted_student)
    out.emplace_back(
        "the student starts from the weights of its file in every pair: the source init does not reach it");
  if (scripted_student || (has_teacher(values) && is_script(values, "teacher")))
    out.emplace_back("what a network from a file was trained on is unknown here: it may have seen the test rows");
  if (has_teacher(values) && !trains_teacher(values))
    out.emplace_back("the teacher is used as its file has it in every pair: the source teacher does not reach it");
  if (has_teacher(values) && text_in(values, "teacher") == text_in(values, "student"))
    out.emplace_back("teacher and student are the same model: self-distillation");
  return out;
}

std::string weak_teacher(const std::string& dataset, const std::string& model, double accuracy) {
  const auto expected = expected_accuracy(dataset, model);
  if (!expected || accuracy >= expected->accuracy - tolerated) return "";
  return "the teacher " + model + " reached " + number(accuracy) + " %, more than " + std::to_string(tolerated) +
         " points below the " + number(expected->accuracy) + " % expected on " + dataset + " (" + expected->source +
         ")";
}

}  // namespace retrial::distillation::inline trial
