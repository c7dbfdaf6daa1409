#include "workloads/interface/declaration.hpp"

#include <algorithm>
#include <array>

#include "results/text/error.hpp"
#include "workloads/distillation/keys/inputs.hpp"
#include "workloads/distillation/keys/keys.hpp"
#include "workloads/distillation/published/kd_survey.hpp"
#include "workloads/distillation/report/rows.hpp"
#include "workloads/distillation/trial/listing.hpp"
#include "workloads/distillation/trial/remarks.hpp"
#include "workloads/distillation/trial/short_trials.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/nn/protocol/keys.hpp"

namespace retrial::distillation::inline trial {
namespace {

using results::Axis, results::Direction, results::Nature, results::Scale;

/// The same letter multiplies the labels' term in one program and the teacher's in the next.
std::vector<workloads::RefusedKey> refused() {
  const std::string hint = "use w_ce and w_soft";
  return {{"alpha", hint}, {"lambda", hint}, {"kd_weight", hint}, {"ce_weight", hint}};
}

bool is(const Values& values, const std::string& key, const std::string& text) {
  return text_in(values, key) == text;
}

/// Two curves per term of any method: its value and, with the key gradient_norms, the norm of its gradient.
void add_terms(std::vector<results::MetricDef>& metrics) {
  for (const std::string& term : term_names())
    metrics.push_back({"loss_" + term, "nat", Direction::lower, Nature::outcome, Scale::absolute, Axis::epoch});
  for (const std::string& term : term_names())
    metrics.push_back({"gradient_" + term, "1", Direction::none, Nature::outcome, Scale::ratio, Axis::epoch});
}

std::vector<results::MetricDef> metrics() {
  const auto outcome = [](std::string name, std::string unit, Direction direction, Axis axis = Axis::none) {
    return results::MetricDef{std::move(name), std::move(unit), direction, Nature::outcome, Scale::absolute, axis};
  };
  std::vector<results::MetricDef> all{
      outcome("accuracy", "%", Direction::higher),
      outcome("last", "%", Direction::higher),
      outcome("best_val", "%", Direction::higher),
      outcome("test_at_best_val", "%", Direction::higher),
      outcome("best_test", "%", Direction::higher),
      outcome("optimism", "pp", Direction::none),
      outcome("teacher_accuracy", "%", Direction::higher),
      outcome("agreement", "%", Direction::none),
      outcome("kl_to_teacher", "nat", Direction::none),
      outcome("test_accuracy", "%", Direction::higher, Axis::epoch),
      outcome("train_loss", "nat", Direction::lower, Axis::epoch),
      outcome("teacher_loss", "nat", Direction::lower, Axis::epoch),
      {"train_seconds", "s", Direction::lower, Nature::cost, Scale::ratio, Axis::none},
      {"train_rate", "images/s", Direction::higher, Nature::cost, Scale::ratio, Axis::none},
      {"eval_rate", "images/s", Direction::higher, Nature::cost, Scale::ratio, Axis::none},
      outcome("assistant_accuracy", "%", Direction::higher),
      outcome("assistant_loss", "nat", Direction::lower, Axis::epoch),
      outcome("init_loss", "nat", Direction::lower, Axis::epoch),
      outcome("skipped_terms", "1", Direction::none),
  };
  add_terms(all);
  return all;
}

std::vector<workloads::Source> sources() {
  return {{"init", "initial weights of the student"},
          {"teacher", "everything about the teacher: its weights, order, augmentation and dropout"},
          {"data-split", "division of the rows into training and test", false, true},
          {"data-order", "order of the rows in each epoch"},
          {"augmentation", "changes to each training image"},
          {"dropout", "choice of the dropped activations"},
          {"sampling", "negatives of each sample (method crd)"}};
}

std::vector<std::string> honours(const Values& values) {
  std::vector<std::string> names;
  if (!is_script(values, "student")) names.push_back("init");
  if (trains_teacher(values)) names.push_back("teacher");
  if (!is(values, "split", "published")) names.push_back("data-split");
  names.push_back("data-order");
  if (augmentation_of(values, "augment") != nullptr) names.push_back("augmentation");
  if (number_in(values, "dropout") > 0) names.push_back("dropout");
  if (is(values, "method", "crd")) names.push_back("sampling");
  return names;
}

bool is_share_of_test(const std::string& metric) {
  constexpr std::array shares{"accuracy",           "last",      "test_at_best_val", "best_test", "teacher_accuracy",
                              "assistant_accuracy", "agreement", "test_accuracy"};
  return std::ranges::find(shares, metric) != shares.end();
}

/// Each share of the test set counts one item per test image.
std::optional<std::int64_t> test_items(const Values& values, const std::string& metric) {
  return is_share_of_test(metric) ? data::test_rows("distillation", values) : std::nullopt;
}

std::optional<std::int64_t> effective_items(const Values& values, const std::string& metric) {
  return is_share_of_test(metric) ? data::effective_test_rows("distillation", values) : std::nullopt;
}

workloads::ScoreScale scale(const Values&, const std::string& metric) {
  return is_share_of_test(metric) ? workloads::ScoreScale{.range = {{0, 100}}} : workloads::ScoreScale{};
}

workloads::Declaration declaration() {
  return {.name = "distillation",
          .summary = "train a teacher, then students with and without it, and measure the benefit of the teacher",
          .example = "retrial run distillation --set train_count=150 --set epochs=120 --pairs 20",
          .parameters = parameters(),
          .refused = refused(),
          .sources = sources(),
          .metrics = metrics(),
          .variants = {{"scratch", "no teacher: cross entropy with the labels", {{"method", std::string("ce")}}},
                       {"kd", "half labels, half teacher, at temperature 4", {{"method", std::string("kd")}}}},
          .probes = {{"dead-term", "every loss term with a weight has a gradient for the student"},
                     {"unaccounted-term", "the gradients of the terms add up to that of the objective"},
                     {"teacher-mutated", "weights and statistics of a teacher do not change while a student learns"},
                     {"teacher-path-differs", "the features for the losses and the logits come from one function"},
                     {"train-mode-in-eval", "a row has the same logits alone and in a batch"}},
          .validate = validate,
          .keeps_networks = trains_teacher,
          .honours = honours,
          .reads = reads,
          .dataset = [](const Values& values, const std::filesystem::path& folder) -> std::optional<results::Digest> {
            return data::identity(*data::loaded_set("distillation", data::located(values, folder)));
          },
          .test_items = test_items,
          .effective_items = effective_items,
          .scale = scale,
          .overlap = [](const Values& values) { return data::split_overlap("distillation", values); },
          .selects_on_test = [](const Values& values) { return is(values, "select", "best-test") ? "select" : ""; },
          .remarks = remarks,
          .operations = nn::training_operations(),
          .contributes = {.section = rows_section,
                          .beside = rows_beside,
                          .listings = {methods_listing()},
                          .published = [] { return std::vector{kd_survey()}; },
                          .short_trials = short_trials,
                          .trainings = trainings},
          .needs_torch = true,
          .trains = workloads::Trains::on_cpu_and_gpu,
          .data_key = "data_dir"};
}

const workloads::Register declared{declaration()};

}  // namespace
}  // namespace retrial::distillation::inline trial
