#include "results/record/score_bounds.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::workloads::null {

namespace {

constexpr double any = 1e9;

std::vector<Parameter> parameters() {
  const std::vector<std::string> failures{"none", "throw",  "exit",     "crash",   "kill",
                                          "hang", "memory", "nonsense", "diverge", "noise"};
  const std::vector<std::string> defects{"none", "unseeded", "dead_key", "dead_source", "resume", "order"};
  return {
      {"mean", 80.0, "expected score in points", Range{-any, any}},
      {"effect", 0.0, "points added to the score", Range{-any, any}},
      {"sd", 1.0, "standard deviation of the score, times the shares below", Range{0, any}},
      {"sd_init", 0.6, "share of sd that init causes", Range{0, any}},
      {"sd_order", 0.48, "share of sd that data-order causes", Range{0, any}},
      {"sd_split", 0.64, "share of sd that data-split causes", Range{0, any}},
      {"dropout", 0.0, "share of sd that dropout causes; above 0 the source dropout is honored",
       Range{0, 1, false, true}},
      {"interaction", 0.0, "share of sd that init and data-split cause only together", Range{0, any}},
      {"lr", 0.1, "a key to search over: the score falls with its distance from optimum", Range{1e-9, any}},
      {"optimum", 1.0, "the best lr", Range{1e-9, any}},
      {"curvature", 0.0, "points lost per squared decade between lr and optimum", Range{0, any}},
      {"validation", false, "also report validation, the score on items other than the test items", {}},
      {"correlation", 0.0, "correlation of two variants that share all seeds of a pair", Range{0, 1}},
      {"resolution", 0.0, "round the score to a multiple of this (makes ties); 0: do not round", Range{0, any}},
      {"lowest", -any, "a score below this ends there and is a bound, at most this", Range{-any, any},
       Reads::evaluation, false},
      {"highest", any, "a score above this ends there and is a bound, at least this", Range{-any, any},
       Reads::evaluation, false},
      {"items", std::int64_t{0},
       "number of test items; above 0, also report accuracy: the share answered correctly, in percent", Range{0, 1e9}},
      {"epochs", std::int64_t{1}, "boundaries", Range{1, 1e6}, Reads::schedule},
      {"steps", std::int64_t{4}, "optimizer steps per epoch", Range{1, 1e6}, Reads::schedule},
      {"epoch_ms", std::int64_t{0}, "milliseconds to sleep per epoch", Range{0, 1e7}, Reads::evaluation},
      {"failure", std::string{"none"}, "how the trial fails", failures, Reads::evaluation},
      {"failure_share", 1.0, "share of the pairs that fail", Range{0, 1}, Reads::evaluation},
      {"failure_at", std::int64_t{0}, "epoch in which the trial fails", Range{0, 1e6}, Reads::evaluation},
      {"failure_mib", std::int64_t{1024}, "failure = memory: MiB to allocate and hold until the trial is stopped",
       Range{1, 1e6}, Reads::evaluation},
      {"defect", std::string{"none"}, "a planted defect that a check must find", defects, Reads::evaluation},
      {"defect_at", std::int64_t{0}, "defect = unseeded: epoch from which two runs differ", Range{0, 1e6},
       Reads::evaluation},
  };
}

std::vector<Source> sources() {
  return {{"init", "start of the score"},
          {"data-split", "choice of the test items", false, true},
          {"data-order", "losses of the epochs, and the score"},
          {"dropout", "a share of the score if dropout > 0"},
          {"failure", "choice of the pairs that fail if failure_share < 1"}};
}

std::vector<results::MetricDef> metrics() {
  using namespace results;
  return {{"score", "points", Direction::higher, Nature::outcome, Scale::absolute, Axis::none},
          bound_of("score"),
          {"loss", "", Direction::lower, Nature::outcome, Scale::ratio, Axis::epoch},
          {"accuracy", "%", Direction::higher, Nature::outcome, Scale::absolute, Axis::none},
          {"validation", "points", Direction::higher, Nature::outcome, Scale::absolute, Axis::none}};
}

bool fails(const Values& values) {
  return text_in(values, "failure") != "none";
}

std::vector<std::string> honours(const Values& values) {
  std::vector<std::string> names{"init", "data-split", "data-order"};
  if (number_in(values, "dropout") > 0) names.push_back("dropout");
  if (fails(values) && number_in(values, "failure_share") < 1) names.push_back("failure");
  return names;
}

std::vector<std::string> reads(const Values& values) {
  std::vector<std::string> keys;
  const bool unseeded = text_in(values, "defect") == "unseeded";
  const bool curved = number_in(values, "curvature") > 0;
  for (const auto& [key, value] : values)
    if ((fails(values) || !key.starts_with("failure_")) && (unseeded || key != "defect_at") &&
        (curved || (key != "lr" && key != "optimum")))
      keys.push_back(key);
  return keys;
}

/// Only the loss depends on how many epochs there were.
Values asked(Values values, const std::string& metric) {
  values.erase("epoch_ms");
  if (metric != "loss") values.erase("epochs");
  return values;
}

std::vector<Problem> validate(const Values& values) {
  std::vector<Problem> problems;
  const auto epochs = integer_in(values, "epochs");
  for (const std::string key : {"failure_at", "defect_at"})
    if (integer_in(values, key) >= epochs)
      problems.push_back({key, "there is no such epoch", "0 to " + std::to_string(epochs - 1)});
  if (number_in(values, "lowest") >= number_in(values, "highest"))
    problems.push_back({"lowest", "is not below highest", "below " + results::text_of(number_in(values, "highest"))});
  return problems;
}

std::optional<std::int64_t> test_items(const Values& values, const std::string& metric) {
  const auto items = integer_in(values, "items");
  if (metric != "accuracy" || items == 0) return std::nullopt;
  return items;
}

bool has_bounds(const Values& values) {
  return number_in(values, "lowest") > -any || number_in(values, "highest") < any;
}

ScoreScale scale(const Values& values, const std::string& metric) {
  const double step = number_in(values, "resolution");
  return metric == "score" && step > 0 ? ScoreScale{.resolution = step} : ScoreScale{};
}

std::vector<results::MetricDef> metrics_of(const Values& values) {
  auto all = metrics();
  std::erase_if(all, [&](const auto& def) {
    return (results::is_bound(def) && !has_bounds(values)) ||
           (def.name == "accuracy" && integer_in(values, "items") == 0) ||
           (def.name == "validation" && !flag_in(values, "validation"));
  });
  return all;
}

std::vector<ShortTrial> short_trials() {
  return {{"base", {}},
          {"every part of the score",
           {{"effect", 1.0},
            {"dropout", .5},
            {"interaction", .5},
            {"correlation", .5},
            {"curvature", 1.0},
            {"resolution", .01},
            {"validation", true},
            {"items", std::int64_t{100}}}},
          {"ends at a bound", {{"lowest", 79.0}, {"highest", 80.0}}},
          {"diverges in half of the pairs", {{"failure", std::string("diverge")}, {"failure_share", .5}}}};
}

Declaration declaration() {
  Declaration made;
  made.name = "null";
  made.summary = "no training: numbers drawn from the seeds, with failures and defects on request";
  made.example = "retrial run null --pairs 20 --seed 1";
  made.parameters = parameters();
  made.sources = sources();
  made.metrics = metrics();
  made.variants = {{"base", "the unchanged score", {}}, {"shifted", "one point better", {{"effect", 1.0}}}};
  made.validate = validate;
  made.honours = honours;
  made.reads = reads;
  made.asked = asked;
  made.test_items = test_items;
  made.scale = scale;
  made.metrics_of = metrics_of;
  made.contributes.short_trials = short_trials;
  return made;
}

const Register declared{declaration()};

}  // namespace

}  // namespace retrial::workloads::null
