#include "workloads/distillation/keys/methods.hpp"
#include "workloads/distillation/published/tables.hpp"

namespace retrial::distillation {
namespace {

using published::Relation;

/// With a teacher where the row has one. Cross entropy reads none, whatever its key says.
bool same_method(const published::Row& row, const Values& values) {
  const auto text = [&](const char* key) { return std::get<std::string>(values.at(key)); };
  if (text("method") != row.method) return false;
  return row.method == "ce" || (text("teacher") == "none") == (part_of(row, "teacher") == "none");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> networks(const std::string& teacher, const std::string& student) {
  return {{"teacher", teacher}, {"student", student}};
}

published::Table kd_survey() {
  published::Table out{
      .name = "kd-survey",
      .title = "Knowledge distillation: published accuracies, and what the survey of 2019 concludes from its own",
      .columns = {{"teacher", "teacher"}, {"student", "network"}},
      .rows = ruffy_rows(),
      .sd = 0.35,
      .sd_from = "published repeats of comparable students scatter by .18 to .35 pp",
      .same_method = same_method};
  for (auto&& more : {cifar100_rows(), baseline_rows()}) out.rows.insert(out.rows.end(), more.begin(), more.end());
  const std::string t2 = "ruffy2019.table-2.KD.", t3 = "ruffy2019.table-3.", t4 = "ruffy2019.table-4.",
                    taught = ".resnet26s.resnet8s";
  out.conclusions = {
      {"a",
       "a teacher is worth about a point",
       {{"KD - NOKD, 200 epochs", t3 + "KD" + taught, t3 + "NOKD.resnet8s", Relation::above},
        {"KD - NOKD, 350 epochs", t4 + "KD" + taught, t4 + "NOKD.resnet8s", Relation::above}}},
      {"b",
       "a stronger teacher is not a better one",
       {{"ResNet26 (93.41 itself) - WRN16-4 (95.42)", t2 + "resnet26s.resnet8s", t2 + "wrn-16-4.resnet8s",
         Relation::above},
        {"ResNet26 (93.41 itself) - ResNet18 (95.26)", t2 + "resnet26s.resnet8s", t2 + "resnet18x.resnet8s",
         Relation::above}}},
      {"c",
       "augmentation and a teacher add up",
       {{"augmentation alone, 350 epochs", t4 + "UDA-without-KD.resnet8s", t4 + "NOKD.resnet8s", Relation::above},
        {"KD alone, 350 epochs", t4 + "KD" + taught, t4 + "NOKD.resnet8s", Relation::above},
        {"both, 350 epochs", t4 + "UDA" + taught, t4 + "NOKD.resnet8s", Relation::above}}},
      {"d",
       "students of feature losses end below the undistilled one",
       {{"OH - NOKD", t3 + "OH" + taught, t3 + "NOKD.resnet8s", Relation::below},
        {"SFD - NOKD", t3 + "SFD" + taught, t3 + "NOKD.resnet8s", Relation::below}}},
      {"e",
       "TAKD, UDA, MKD, KD and RKD differ by .35 pp at most",
       {{"TAKD - RKD, the largest of the ten differences", t3 + "TAKD" + taught, t3 + "RKD" + taught, Relation::within,
         0.35}}}};
  return out;
}

}  // namespace retrial::distillation
