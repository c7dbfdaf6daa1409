#include "workloads/distillation/published/tables.hpp"

// Ruffy and Chahal, "The State of Knowledge Distillation for Classification", arXiv 1912.10850. CIFAR-10, one run each,
// the best of all epochs on the test set. Its networks have a stem of 64 channels (names resnetDs here).
namespace retrial::distillation {
namespace {

using published::EpochRule, published::id_of, published::Relation, published::Row, published::Setting,
    published::Settings;

const std::string source = "Ruffy and Chahal 2019, arXiv 1912.10850", picture = "picture in the repository",
                  comment = "source comment";

/// Crop and flip on every image, the deviations its code normalises with, three rates.
Settings survey_protocol(const std::string& epochs) {
  return {{"epochs", epochs},        {"batch", "128"},           {"lr", "0.1"},
          {"momentum", "0.9"},       {"nesterov", "true"},       {"gamma", "0.1"},
          {"milestones", ".33,.66"}, {"weight_decay", "0.0005"}, {"augment", "crop_flip"},
          {"augment_mix", "1"},      {"normalise", "paper"}};
}

Settings teaching() {
  return {{"teacher_epochs", "200"},
          {"teacher_batch", "128"},
          {"teacher_lr", "0.1"},
          {"temperature", "5"},
          {"teacher_augment", "crop_flip"},
          {"teacher_augment_mix", "1"},
          {"w_ce", "0.5"},
          {"w_soft", "0.5"},
          {"t_squared", "true"}};
}

struct Cell {
  std::string table, origin, teacher, student, method, label, epochs;
  double value;
};

/// Which methods read the weights of the soft term.
bool reads_soft(const std::string& method) {
  return method == "kd" || method == "uda" || method == "multikd" || method == "takd";
}

Row row_of(const Cell& cell) {
  Row row{.id = id_of({"ruffy2019", cell.table, cell.label, cell.teacher == "none" ? "" : cell.teacher, cell.student}),
          .source = source,
          .table = cell.table + ", " + cell.epochs + " epochs",
          .origin = cell.origin,
          .dataset = "cifar10",
          .method = cell.method,
          .cell = networks(cell.teacher, cell.student),
          .label = cell.label,
          .value = cell.value,
          .runs = 1,
          .epoch_rule = EpochRule::best_test,
          .subject = {{"dataset", "cifar10"}, {"method", cell.method}, {"student", cell.student}},
          .protocol = survey_protocol(cell.epochs)};
  if (cell.method != "ce") row.subject.push_back({"teacher", cell.teacher});
  if (cell.method == "takd") row.subject.push_back({"assistant", "resnet20s"});
  if (reads_soft(cell.method) && cell.teacher != "none")
    for (const Setting& setting : teaching()) row.protocol.push_back(setting);
  if (cell.method == "stl") row.subject.clear();  // extra unlabelled images: no workload here
  return row;
}

/// Each teacher as the survey trained it, and what it taught a resnet8s.
void add_table2(std::vector<Row>& rows) {
  const struct {
    std::string teacher;
    double own, taught;
  } columns[] = {{"resnet8s", 89.59, 89.48},  {"resnet20s", 93.02, 90.16}, {"resnet26s", 93.41, 90.40},
                 {"resnet18x", 95.26, 89.50}, {"wrn-10-1", 88.06, 88.48},  {"wrn-16-4", 95.42, 89.58}};
  for (const auto& column : columns)
    rows.push_back(row_of({"table 2", picture, "none", column.teacher, "ce", "teacher", "200", column.own}));
  for (const auto& column : columns)
    rows.push_back(row_of({"table 2", picture, column.teacher, "resnet8s", "kd", "KD", "200", column.taught}));
}

void add_tables34(std::vector<Row>& rows) {
  const struct {
    std::string label, method, teacher;
    double at200, at350;  // 0: not printed
  } lines[] = {{"NOKD", "ce", "none", 89.42, 89.34},        {"KD", "kd", "resnet26s", 90.33, 90.77},
               {"TAKD", "takd", "resnet26s", 90.57, 90.97}, {"UDA", "uda", "resnet26s", 90.52, 91.22},
               {"UDA without KD", "uda", "none", 0, 90.34}, {"MKD", "multikd", "resnet26s", 90.34, 0},
               {"RKD", "rkd", "resnet26s", 90.22, 0},       {"SFD", "sfd", "resnet26s", 87.47, 0},
               {"OH", "ofd", "resnet26s", 87.09, 0},        {"STL", "stl", "resnet26s", 90.8, 0}};
  for (const auto& line : lines)
    if (line.at200 > 0)
      rows.push_back(
          row_of({"table 3", picture, line.teacher, "resnet8s", line.method, line.label, "200", line.at200}));
  for (const auto& line : lines)
    if (line.at350 > 0)
      rows.push_back(
          row_of({"table 4", picture, line.teacher, "resnet8s", line.method, line.label, "350", line.at350}));
}

/// Accuracies of undistilled networks, written beside their definitions.
void add_comments(std::vector<Row>& rows) {
  const struct {
    std::string network;
    double value;
  } lines[] = {{"resnet8s", 89.59},  {"resnet14s", 92.18}, {"resnet20s", 93.02}, {"resnet26s", 92.18},
               {"resnet32s", 93.69}, {"resnet44s", 94.40}, {"resnet56s", 94.51}, {"resnet10x", 94.30},
               {"resnet18x", 95.26}, {"wrn-10-1", 88.06},  {"wrn-16-1", 91.75},  {"wrn-28-1", 92.89},
               {"wrn-40-1", 93.72},  {"wrn-16-2", 94.18},  {"wrn-28-2", 94.89},  {"wrn-10-4", 92.36},
               {"wrn-16-4", 95.42},  {"wrn-22-4", 95.84},  {"wrn-40-4", 95.89},  {"wrn-16-8", 96.06},
               {"wrn-22-8", 96.16}};
  for (const auto& line : lines)
    rows.push_back(row_of({"undistilled", comment, "none", line.network, "ce", "", "200", line.value}));
}

}  // namespace

std::vector<Row> ruffy_rows() {
  std::vector<Row> rows;
  add_table2(rows);
  add_tables34(rows);
  add_comments(rows);
  return rows;
}

}  // namespace retrial::distillation
