// Counts by hand: means over the pairs of what each trial recorded.
#include "workloads/distillation/report/rows.hpp"

#include "tests/catch.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::distillation_rows_tests {
using std::string_literals::operator""s;
using namespace distillation;

namespace {

Json data_of(int student, int student_labels, int teacher, int teacher_labels) {
  return {{"rows", {{"train", student}, {"teacher", teacher}, {"test", 797}}},
          {"labels", {{"train", student_labels}, {"teacher", teacher_labels}, {"test", 500}}}};
}

workloads::VariantTrials variant(const std::string& name, const Values& given, const std::vector<Json>& artifacts) {
  workloads::VariantTrials out{
      .name = name, .values = workloads::resolved(workloads::find_workload("distillation", ""), given), .trials = {}};
  for (const Json& artifact : artifacts)
    out.trials.push_back(
        {.pair = std::ssize(out.trials), .series = {}, .finals = {}, .artifact = [artifact](std::string_view which) {
           return which == "data" ? artifact : Json();
         }});
  return out;
}

workloads::StudyEvidence evidence(std::vector<workloads::VariantTrials> variants) {
  return {.study = "s", .baseline = "scratch", .candidate = {}, .variants = std::move(variants), .judge = {}};
}

const Json one = data_of(150, 144, 1000, 770), two = data_of(150, 145, 1000, 771), equal = data_of(150, 144, 150, 144);

}  // namespace

TEST_CASE("rows and labels of student and teacher are means over pairs, and equal counts share a sentence") {
  const auto said =
      rows_beside(evidence({variant("scratch", {{"method", "ce"s}}, {one, two}), variant("kd", {}, {one, two}),
                            variant("at", {{"method", "at"s}}, {one, two}), variant("fair", {}, {equal})}));
  CHECK(said == std::vector<std::string>{
                    "scratch: student of 150 rows with 144.5 labels, no teacher",
                    "kd, at: student of 150 rows with 144.5 labels, teacher of 1000 rows with 770.5 labels",
                    "fair: student of 150 rows with 144 labels, teacher of 150 rows with 144 labels"});
}

TEST_CASE("a variant without a finished trial says nothing about rows") {
  CHECK(rows_beside(evidence({variant("kd", {}, {}), variant("lost", {}, {Json()})})).empty());
}

TEST_CASE("the labels of a record from before they were counted are its rows, unless rows could repeat") {
  Json old = one;
  old.erase("labels");
  CHECK(rows_beside(evidence({variant("kd", {}, {old}), variant("drawn", {{"split", "oob"s}}, {old, one})})) ==
        std::vector<std::string>{
            "kd: student of 150 rows with 150 labels, teacher of 1000 rows with 1000 labels",
            "drawn: student of 150 rows with an unrecorded number of labels, teacher of 1000 rows with an unrecorded "
            "number of labels"});
}

TEST_CASE("the section of a report has the counts as numbers, and says whose teacher saw more labels") {
  const report::Part part = rows_section(evidence(
      {variant("scratch", {{"method", "ce"s}}, {one}), variant("kd", {}, {one, two}), variant("fair", {}, {equal})}));
  const Json& rows = part.data.at("rows");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] ==
        Json{{"variant", "scratch"}, {"student", {{"rows", 150.0}, {"labels", 144.0}}}, {"teacher", nullptr}});
  CHECK(rows[1].at("teacher") == Json{{"rows", 1000.0}, {"labels", 770.5}});
  CHECK(rows[2].at("teacher") == rows[2].at("student"));
  REQUIRE(part.section);
  REQUIRE(part.section->blocks.size() == 2);
  const auto& text = std::get<report::Paragraph>(part.section->blocks[1]).text;
  CHECK_THAT(text, has_text("more labels than the student (kd)"));
}

}  // namespace retrial::distillation_rows_tests
