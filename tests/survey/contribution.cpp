#include "tests/survey/contribution.hpp"

#include "results/report/drawing/numbers.hpp"
#include "results/report/report.hpp"
#include "workloads/interface/evidence.hpp"

namespace retrial::survey {
namespace {

using workloads::FinishedTrial, workloads::StudyEvidence;

/// Pairs from `from` on.
report::Part accuracies(const StudyEvidence& study, const Values& set) {
  const std::int64_t from = set.contains("from") ? std::get<std::int64_t>(set.at("from")) : 0;
  report::Table table{
      .caption = "accuracy of each run", .columns = {{"variant"}, {"pair", true}, {"accuracy %", true}}, .rows = {}};
  Json rows = Json::array();
  for (const auto& variant : study.variants)
    for (const FinishedTrial& trial : variant.trials) {
      if (trial.pair < from) continue;
      const double accuracy = trial.finals.at("accuracy");
      table.rows.push_back({variant.name, std::to_string(trial.pair), report::short_text(accuracy)});
      rows.push_back({{"variant", variant.name}, {"pair", trial.pair}, {"accuracy", accuracy}});
    }
  return {.section = report::Section{.id = "accuracies", .title = "Accuracies", .blocks = {std::move(table)}},
          .data = {{"accuracies", std::move(rows)}}};
}

std::vector<workloads::Finding> rows_alone(const FinishedTrial& trial, const Values&) {
  const double gap = trial.finals.at("batch_gap");
  if (gap == 0) return {};
  return {{.kind = "", .subject = "student", .compared = "logits move by " + report::short_text(gap) + " in a batch"}};
}

std::vector<Json> defects() {
  return {{{"variant", "kd"}, {"defect", "the temperature is a type annotation"}},
          {{"variant", "rkd"}, {"defect", "an attention loss is computed and never added"}}};
}

}  // namespace

workloads::Contribution contribution() {
  const workloads::Parameter from{"from", std::int64_t{0}, "first pair that is shown", workloads::Range{0, 1000}};
  return {.section = [](const StudyEvidence& study) { return accuracies(study, {}); },
          .views = {{"accuracies", "the accuracy of each run", {from}, accuracies}},
          .listings = {{.name = "defects",
                        .title = "Planted defects",
                        .meaning = "what is wrong with each variant of the survey",
                        .columns = {{"variant", "variant"}, {"defect", "defect"}},
                        .rows = defects,
                        .former_option = "planted"}},
          .flags = {{.name = "whose-code",
                     .value_name = "NAME",
                     .meaning = "survey, with its defects, or mended",
                     .key = "code"},
                    {.name = "choose-by-test",
                     .value_name = "",
                     .meaning = "report the epoch that is best on the test images",
                     .key = "select",
                     .value = "best-test"}},
          .audits = {{"rows-alone", "a row scores alone as in a batch", rows_alone}}};
}

}  // namespace retrial::survey
