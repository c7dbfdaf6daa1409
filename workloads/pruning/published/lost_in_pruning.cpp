#include "workloads/pruning/published/lost_in_pruning.hpp"

// Liebenwein, Baykal, Carter, Gifford, Rus, "Lost in Pruning", MLSys 2021, arXiv 2103.03014: 3 networks per experiment
// on CIFAR-10, 1 on ImageNet, no seed in its pipeline. Numbers of its slides are read exactly, those of plots within
// the error given. Torch-Pruning's table prints changes that do not follow from its own numbers.
namespace retrial::pruning {
namespace {

using published::id_of, published::Row, published::Settings;

const std::string liebenwein = "Liebenwein et al. 2021, arXiv 2103.03014", slides = "slides in the repository",
                  plot = "read from a plot", torch_pruning = "Torch-Pruning (Fang et al. 2023)";

/// ResNet20 on CIFAR-10 as its configuration files have it: 69 keep ratios, retrained at every third.
Settings resnet20() {
  return {{"model", "resnet20b"},  {"epochs", "182"},     {"batch", "128"},           {"lr", "0.1"},
          {"momentum", "0.9"},     {"nesterov", "false"}, {"weight_decay", "0.0001"}, {"milestones", "91,136"},
          {"pipeline", "cascade"}, {"retrain_every", "3"}};
}

/// Documents of schema retrial.ledger/1 name the trained network as kd-survey does: a student without a teacher.
std::vector<std::pair<std::string, std::string>> cell_of(const std::string& network) {
  return {{"teacher", "none"}, {"student", network}};
}

/// Every variant of its method is compared with a row; data and network are part of what must agree to be comparable.
void judge_by(Row& row, const std::string& metric, const Settings& further = {}) {
  row.subject = {{"method", row.method}};
  row.protocol = resnet20();
  row.protocol.insert(row.protocol.end(), further.begin(), further.end());
  row.our_metric = metric;
}

Row row_of(const std::string& id, const std::string& dataset, const std::string& network, const std::string& method,
           const std::string& metric, double value, double reading = 0) {
  return {.id = id_of({"liebenwein2021", id}),
          .source = liebenwein,
          .table = reading > 0 ? "figures" : "prune potential at .5 pp",
          .origin = reading > 0 ? plot : slides,
          .dataset = dataset,
          .method = method,
          .cell = cell_of(network),
          .label = method,
          .metric = metric,
          .value = value,
          .runs = dataset == "cifar10" ? 3 : 1,
          .reading = reading};
}

void add_potentials(std::vector<Row>& rows) {
  const struct {
    std::string dataset, network, id;
    double wt, sipp, ft, pfp;
  } lines[] = {{"cifar10", "resnet20b", "resnet20", 84.9, 84.9, 52.1, 44.9},
               {"imagenet", "ResNet101", "resnet101", 81.6, 81.6, 53.1, 50.3},
               {"voc2011", "DeepLabV3-ResNet50 (IoU)", "deeplab", 58.9, 42.3, 0.0, 20.2}};
  for (const auto& line : lines) {
    const std::pair<std::string, double> cells[] = {
        {"wt", line.wt}, {"sipp", line.sipp}, {"ft", line.ft}, {"pfp", line.pfp}};
    for (const auto& [method, value] : cells) {
      rows.push_back(
          row_of(id_of({"potential", line.id, method}), line.dataset, line.network, method, "prune potential", value));
      if (line.dataset != "cifar10") continue;
      judge_by(rows.back(), "potential_nominal_max");
    }
  }
}

/// At noise 0 the plot shows the same cell as the slides, within 3 points for wt and sipp and far off for ft and pfp.
void add_noise(std::vector<Row>& rows) {
  const struct {
    std::string method;
    double at[4];
  } lines[] = {{"wt", {85, 69, 34, 0}}, {"sipp", {85, 62, 14, 0}}, {"ft", {70, 25, 5, 0}}, {"pfp", {74, 31, 24, 0}}};
  const char* noise[] = {"0", ".3", ".4", ".6"};
  const std::string ours[] = {"potential_noise_0.0_max", "potential_noise_0.3_max", "potential_noise_0.4_max",
                              "potential_noise_0.6_max"};
  for (const auto& line : lines)
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string metric =
          i == 0 ? "prune potential"
                 : "prune potential, uniform noise " + std::string(noise[i]) + " (normalised units)";
      rows.push_back(
          row_of(id_of({"noise", line.method, noise[i]}), "cifar10", "resnet20b", line.method, metric, line.at[i], 3));
      judge_by(rows.back(), ours[i], {{"noise_units", "normalised"}});
    }
}

void add_figures(std::vector<Row>& rows) {
  const auto add = [&](const std::string& id, const std::string& method, const std::string& metric, double value,
                       double reading, const std::string& unit) {
    rows.push_back(row_of(id, "cifar10", "resnet20b", method, metric, value, reading));
    rows.back().unit = unit;
  };
  const struct {
    std::string name;
    double potential, reading;
  } corruptions[] = {
      {"impulse_noise", 0, 3}, {"gaussian_noise", 10, 10}, {"shot_noise", 11, 11}, {"speckle_noise", 22.5, 2.5}};
  for (const auto& [name, potential, reading] : corruptions) {
    add("corruption." + name, "wt", "prune potential, " + name + " 3", potential, reading, "%");
    judge_by(rows.back(), "potential_" + name + "_max", {{"severities", "3"}});
  }
  for (const std::string method : {"wt", "sipp"}) {
    add(id_of({"excess", method}), method, "excess error from PR 0 to 1", 2.1, 0.1, "pp");
    judge_by(rows.back(), "excess_slope");
  }
  const struct {
    std::string id, what;
    double at0, at7, reading7;
  } distances[] = {{"pr15", "PR .15", .09, .33, .01},
                   {"pr46-80", "PR .46 to .80", .10, .39, .02},
                   {"separate", "a network trained separately", .13, .41, .01},
                   {"pr94", "PR .94", .15, .45, .01}};
  for (const auto& line : distances) {
    add(id_of({"distance.0", line.id}), "wt", "softmax l2 at noise 0, " + line.what, line.at0, .01, "");
    add(id_of({"distance.7", line.id}), "wt", "softmax l2 at noise .7, " + line.what, line.at7, line.reading7, "");
  }
  const std::pair<std::string, double> confidences[] = {
      {"own pixels", .93}, {"those of PR .15", .77}, {"those of a separate network", .5}, {"those of PR .98", .28}};
  for (const auto& [what, value] : confidences)
    add(id_of({"backselect", what}), "wt", "confidence on 10 % of the pixels, " + what, value, .02, "");
}

void add_torch_pruning(std::vector<Row>& rows) {
  const auto add = [&](const std::string& network, const std::string& dataset, const std::string& factor,
                       const std::string& method, double value, double base) {
    rows.push_back({.id = id_of({"torch-pruning", network, factor, method}),
                    .source = torch_pruning,
                    .table = "MACs divided by " + factor,
                    .origin = "README of the repository",
                    .dataset = dataset,
                    .method = method,
                    .cell = cell_of(network),
                    .label = method,
                    .metric = "top-1 at " + factor + "x",
                    .value = value,
                    .base = base});
  };
  for (const auto& [method, value] : std::vector<std::pair<std::string, double>>{
           {"L1", 92.93}, {"BN", 93.29}, {"GReg", 93.55}, {"group without SL", 93.46}, {"group", 93.77}})
    add("ResNet56", "cifar10", "2.1", method, value, 93.53);
  rows.back().printed_change = 0.38;
  add("ResNet56", "cifar10", "2.55", "group without SL", 93.36, 93.53);
  add("ResNet56", "cifar10", "2.55", "group", 93.64, 93.53);
  add("VGG19", "cifar100", "8.8", "group without SL", 67.60, 73.50);
  rows.back().printed_change = -5.44;
  add("VGG19", "cifar100", "8.8", "group", 70.39, 73.50);
}

}  // namespace

published::Table lost_in_pruning() {
  published::Table out{.name = "lost-in-pruning",
                       .title = "Pruned networks: how much can be removed, and how much of that survives noise",
                       .columns = {{"teacher", "teacher"}, {"student", "network"}},
                       .sd = 10.2,
                       .sd_from = "prune potential of wt under uniform noise .5, five seeds of the digits"};
  add_potentials(out.rows);
  add_noise(out.rows);
  add_figures(out.rows);
  add_torch_pruning(out.rows);
  const std::string noise = "liebenwein2021.noise.";
  out.conclusions = {
      {"a",
       "weights can be pruned further than filters",
       {{"wt - ft, nominal", "liebenwein2021.potential.resnet20.wt", "liebenwein2021.potential.resnet20.ft"},
        {"wt - pfp, nominal", "liebenwein2021.potential.resnet20.wt", "liebenwein2021.potential.resnet20.pfp"}}},
      {"b",
       "what can be pruned collapses under noise, so test accuracy overstates over-parameterisation",
       {{"wt, noise 0 - noise .3", noise + "wt.0", noise + "wt..3"},
        {"wt, noise 0 - noise .4", noise + "wt.0", noise + "wt..4"},
        {"ft, noise 0 - noise .3", noise + "ft.0", noise + "ft..3"}}}};
  return out;
}

}  // namespace retrial::pruning
