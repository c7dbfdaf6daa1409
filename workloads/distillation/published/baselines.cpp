#include "workloads/distillation/published/tables.hpp"

// torchdistill (Matsubara): ResNet18 from ResNet34 on ImageNet, the original number beside its re-run, and plain
// networks on CIFAR-10; and the error rates of He et al. 2016 as accuracies. No workload here trains on ImageNet, and
// the plain networks of torchdistill have a protocol of their own, so nothing of this is judged: it is what a number
// looks like when somebody else runs it again.
namespace retrial::distillation {
namespace {

using published::id_of, published::Row;

const std::string torchdistill = "torchdistill (Matsubara 2021)", he = "He et al. 2016";

Row row_of(const std::string& id, const std::string& source, const std::string& dataset, const std::string& teacher,
           const std::string& student, const std::string& label, double value) {
  return {.id = id,
          .source = source,
          .table = dataset == "imagenet" ? "ResNet34 to ResNet18" : "plain networks",
          .origin = "README of the repository",
          .dataset = dataset,
          .method = label,
          .cell = networks(teacher, student),
          .label = label,
          .value = value};
}

void add_imagenet(std::vector<Row>& rows) {
  constexpr double none = -1;
  const struct {
    std::string label;
    double original, again;
  } lines[] = {{"KD", none, 71.37},     {"AT", 70.70, 70.90},   {"FT", 71.43, 71.56},   {"CRD", 71.17, 70.93},
               {"Tf-KD", 70.42, 70.52}, {"SSKD", 71.62, 70.09}, {"L2", 70.90, 71.08},   {"PAD-L2", 71.71, 71.71},
               {"KR", 71.61, 71.64},    {"ICKD", 72.19, 68.34}, {"DIST", 72.07, 71.95}, {"SRD", 71.63, 71.92},
               {"KD+LS", 71.42, 71.23}, {"DIST+", 72.39, 71.37}};
  for (const auto& line : lines) {
    if (line.original == none) continue;
    rows.push_back(row_of(id_of({"original.imagenet", line.label}), "the original papers", "imagenet", "ResNet34",
                          "ResNet18", line.label, line.original));
    rows.back().origin = "quoted in the README of torchdistill";
  }
  rows.push_back(row_of("torchdistill.imagenet.baseline", torchdistill, "imagenet", "none", "ResNet18", "ce", 69.76));
  for (const auto& line : lines)
    rows.push_back(row_of(id_of({"torchdistill.imagenet", line.label}), torchdistill, "imagenet", "ResNet34",
                          "ResNet18", line.label, line.again));
}

void add_plain(std::vector<Row>& rows) {
  const struct {
    std::string network;
    double value;
  } lines[] = {{"ResNet-20", 91.92}, {"ResNet-32", 93.03},  {"ResNet-44", 93.20},
               {"ResNet-56", 93.57}, {"ResNet-110", 93.50}, {"WRN-40-4", 95.24},
               {"WRN-28-10", 95.53}, {"WRN-16-8", 94.76},   {"DenseNet-BC-100-12", 95.53}};
  for (const auto& line : lines)
    rows.push_back(row_of(id_of({"torchdistill.cifar10", line.network}), torchdistill, "cifar10", "none", line.network,
                          "ce", line.value));
  const struct {
    std::string network;
    double error;
  } errors[] = {
      {"ResNet-20", 8.75}, {"ResNet-32", 7.51}, {"ResNet-44", 7.17}, {"ResNet-56", 6.97}, {"ResNet-110", 6.43}};
  for (const auto& line : errors) {
    rows.push_back(
        row_of(id_of({"he2016.cifar10", line.network}), he, "cifar10", "none", line.network, "ce", line.error));
    rows.back().metric = "top-1 error";
    rows.back().origin = "quoted by others";
    rows.back().verified = false;
  }
}

}  // namespace

std::vector<Row> baseline_rows() {
  std::vector<Row> rows;
  add_imagenet(rows);
  add_plain(rows);
  return rows;
}

}  // namespace retrial::distillation
