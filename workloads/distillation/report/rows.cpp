#include "workloads/distillation/report/rows.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "workloads/distillation/keys/inputs.hpp"

namespace retrial::distillation {
namespace {

/// Of one network, means over pairs.
struct Count {
  double rows = 0;
  std::optional<double> labels;  ///< absent if not recorded
  bool operator==(const Count&) const = default;
};

struct VariantRows {
  std::string variant;
  Count student;
  std::optional<Count> teacher;
  bool pretrained = false;  ///< the teacher is used as its file has it: nothing knows its rows
};

/// Rows of older records are their labels too, unless they were drawn with replacement.
std::optional<double> labels_in(const Json& data, const std::string& part, bool repeats) {
  if (data.contains("labels")) return data.at("labels").at(part).get<double>();
  return repeats ? std::nullopt : std::optional(data.at("rows").at(part).get<double>());
}

/// Of `part` ("train", "teacher") over the trials that recorded it; nothing without one.
std::optional<Count> count_of(const workloads::VariantTrials& variant, const std::string& part) {
  double rows = 0, labels = 0, trials = 0;
  bool counted = true;
  for (const workloads::FinishedTrial& trial : variant.trials) {
    const Json data = trial.artifact("data");
    if (!data.is_object() || !data.contains("rows")) continue;
    const auto found = labels_in(data, part, text_in(variant.values, "split") == "oob");
    rows += data.at("rows").at(part).get<double>();
    labels += found.value_or(0);
    counted = counted && found;
    ++trials;
  }
  if (trials == 0) return std::nullopt;
  return Count{.rows = rows / trials, .labels = counted ? std::optional(labels / trials) : std::nullopt};
}

std::vector<VariantRows> rows_of(const workloads::StudyEvidence& evidence) {
  std::vector<VariantRows> all;
  for (const workloads::VariantTrials& variant : evidence.variants)
    if (const auto student = count_of(variant, "train"))
      all.push_back({.variant = variant.name,
                     .student = *student,
                     .teacher = trains_teacher(variant.values) ? count_of(variant, "teacher") : std::nullopt,
                     .pretrained = has_teacher(variant.values) && !trains_teacher(variant.values)});
  return all;
}

/// A count, or a mean of counts to one decimal.
std::string number(double count) {
  return report::short_text(std::round(count * 10) / 10, 15);
}
std::string or_dash(const std::optional<double>& count) {
  return count ? number(*count) : "-";
}

std::string text_of(const Count& count) {
  return number(count.rows) + " rows with " + (count.labels ? number(*count.labels) : "an unrecorded number of") +
         " labels";
}

std::string sentence(const VariantRows& variant) {
  const std::string without = variant.pretrained ? ", teacher from a file, of unknown rows" : ", no teacher";
  return "student of " + text_of(variant.student) +
         (variant.teacher ? ", teacher of " + text_of(*variant.teacher) : without);
}

bool teacher_knows_more(const VariantRows& variant) {
  return variant.teacher && variant.teacher->labels > variant.student.labels;
}

Json json_of(const Count& count) {
  return {{"rows", report::derived(count.rows)}, {"labels", report::derived(count.labels)}};
}

}  // namespace

std::vector<std::string> rows_beside(const workloads::StudyEvidence& evidence) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_sentence;
  for (const VariantRows& variant : rows_of(evidence)) {
    const std::string text = sentence(variant);
    auto found = std::ranges::find(by_sentence, text, [](const auto& entry) { return entry.first; });
    if (found == by_sentence.end()) found = by_sentence.insert(found, {text, {}});
    found->second.push_back(variant.variant);
  }
  std::vector<std::string> out;
  for (const auto& [text, variants] : by_sentence) out.push_back(results::joined(variants) + ": " + text);
  return out;
}

report::Part rows_section(const workloads::StudyEvidence& evidence) {
  report::Table table{.caption = "training rows of student and teacher and the labels among them, means over pairs",
                      .columns = {{"variant"},
                                  report::right("student: rows"),
                                  report::right("labels"),
                                  report::right("teacher: rows"),
                                  report::right("labels")}};
  Json data = Json::array();
  std::vector<std::string> taught_more;
  for (const VariantRows& variant : rows_of(evidence)) {
    const auto& [name, student, teacher, pretrained] = variant;
    const std::string none = pretrained ? "unknown" : "-";
    table.rows.push_back({name, number(student.rows), or_dash(student.labels), teacher ? number(teacher->rows) : none,
                          teacher ? or_dash(teacher->labels) : none});
    data.push_back(
        {{"variant", name}, {"student", json_of(student)}, {"teacher", teacher ? json_of(*teacher) : Json()}});
    if (teacher_knows_more(variant)) taught_more.push_back(name);
  }
  report::Section section{.id = "rows", .title = "Training rows", .blocks = {}};
  if (table.rows.empty())
    section.blocks.emplace_back(report::Paragraph{"No trial recorded its rows."});
  else
    section.blocks.emplace_back(std::move(table));
  if (!taught_more.empty())
    section.blocks.emplace_back(report::Paragraph{
        "The teacher saw more labels than the student (" + results::joined(taught_more) +
        "): a part of what it is worth can come from them. teacher_rows = \"student\" gives both the same rows."});
  return {.section = std::move(section), .data = {{"rows", std::move(data)}}};
}

}  // namespace retrial::distillation
