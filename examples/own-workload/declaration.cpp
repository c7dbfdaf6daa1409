// The declaration of my_net for both programs: keys, sources of variation, metrics and variants. No LibTorch here.
#include "results/text/error.hpp"
#include "workloads/data/inputs/keys.hpp"
#include "workloads/interface/registry.hpp"

namespace my_net {
namespace {

using namespace retrial;
using workloads::Range;

std::vector<workloads::Parameter> parameters() {
  std::vector<workloads::Parameter> all = data::data_parameters();
  const Range counts{1, 1e6}, positive{.low = 0, .high = 1000, .low_open = true};
  all.push_back({"gate", true, "multiply every hidden unit by its own gate; false: ReLU", {}});
  all.push_back({"width", std::int64_t{16}, "hidden units", counts});
  all.push_back({"epochs", std::int64_t{8}, "number of epochs", counts});
  all.push_back({"batch", std::int64_t{32}, "batch size", counts});
  all.push_back({"lr", .1, "learning rate", positive});
  all.push_back(
      {"momentum", .9, "share of the velocity kept at each step", Range{.low = 0, .high = 1, .high_open = true}});
  return all;
}

std::vector<std::string> reads(const Values& values) {
  std::vector<std::string> keys = data::data_keys_read(values);
  keys.insert(keys.end(), {"gate", "width", "epochs", "batch", "lr", "momentum"});
  return keys;
}

std::vector<std::string> honours(const Values& values) {
  if (text_in(values, "split") == "published") return {"init", "data-order"};
  return {"init", "data-split", "data-order"};
}

std::vector<workloads::Problem> validate(const Values& values) {
  std::vector<workloads::Problem> problems;
  data::check_images(values, problems);
  if (problems.empty()) data::check_rows("my_net", values, problems);
  return problems;
}

std::optional<results::Digest> dataset(const Values& values, const std::filesystem::path& folder) {
  return data::identity(*data::loaded_set("my_net", data::located(values, folder)));
}

std::optional<std::int64_t> test_items(const Values& values, const std::string& metric) {
  return metric == "accuracy" ? data::test_rows("my_net", values) : std::nullopt;
}

workloads::Declaration declaration() {
  using results::Axis, results::Direction, results::Nature, results::Scale;
  return {.name = "my_net",
          .summary = "one hidden layer, with gates or with ReLU",
          .example = "retrial run my_net --pairs 20 --seed 1",
          .parameters = parameters(),
          .sources = {{"init", "initial weights"},
                      {"data-split", "division of the rows into training and test"},
                      {"data-order", "order of the rows in each epoch"}},
          .metrics = {{"accuracy", "%", Direction::higher},
                      {"train_loss", "nat", Direction::lower, Nature::outcome, Scale::absolute, Axis::epoch}},
          .variants = {{"relu", "no gates", {{"gate", false}}}, {"gated", "with gates", {{"gate", true}}}},
          .validate = validate,
          .honours = honours,
          .reads = reads,
          .dataset = dataset,
          .test_items = test_items,
          .needs_torch = true};
}

const workloads::Register declared{declaration()};

}  // namespace
}  // namespace my_net
