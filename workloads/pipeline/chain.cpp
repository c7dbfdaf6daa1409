#include "workloads/pipeline/chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/formula.hpp"
#include "workloads/pipeline/engine/engine.hpp"
#include "workloads/pipeline/keys.hpp"

namespace retrial::pipeline {
namespace {

constexpr std::size_t needed_keys = 6;  // those after them have defaults
constexpr std::array chain_keys{
    "lr",          "momentum", "delay", "semantics",       "corrector",        "samples",       "uniform_delay",
    "delay_list",  "horizon",  "spike", "corrector_delay", "microbatches",     "weight_decay",  "decay_kind",
    "lr_schedule", "gsc_a",    "gsc_b", "dc_lambda",       "pipemare_samples", "pipemare_decay"};

[[noreturn]] void refuse_key(const Values& values, const std::string& key, const std::string& problem,
                             const std::string& allowed) {
  throw Error({.code = "formula.argument",
               .where = "--formula",
               .field = "scalar_chain." + key,
               .value = results::text_of(values.at(key)),
               .problem = problem,
               .allowed = allowed});
}

/// The keys of a chain over the defaults of the workload, checked as those of a trial are.
Values checked_keys(const Values& keys, std::int64_t stages) {
  constexpr std::int64_t most_passes = 60'000;
  Values values;
  for (const workloads::Parameter& parameter : own_parameters()) values[parameter.name] = parameter.fallback;
  const Values defaults = values;
  for (const auto& [key, value] : keys) values[key] = value;
  values["stages"] = stages;
  values["scale_rates"] = false;
  for (const workloads::Problem& problem : method_problems(values))
    refuse_key(values, problem.key, problem.problem, problem.allowed);
  const auto read = own_keys_read(values);
  for (const auto& [key, value] : keys)
    if (value != defaults.at(key) && std::ranges::find(read, key) == read.end())
      refuse_key(values, key,
                 "not read with semantics = " + text_in(values, "semantics") +
                     " and corrector = " + text_in(values, "corrector"),
                 results::text_of(defaults.at(key)));
  if (integer_in(values, "samples") > most_passes / stages)
    refuse_key(values, "samples", "too many", "1 to " + std::to_string(most_passes / stages) + " with these stages");
  return values;
}

/// Behind tick t stage s has taken the gradients of the samples up to t - 2 (S - 1) + s.
std::vector<std::vector<double>> weights_by_tick(const std::vector<std::vector<double>>& versions,
                                                 std::int64_t samples) {
  const std::int64_t S = std::ssize(versions);
  std::vector<std::vector<double>> ticks;
  for (std::int64_t t = 0; t < samples + 2 * (S - 1); ++t) {
    auto& weights = ticks.emplace_back();
    for (std::int64_t s = 0; s < S; ++s) {
      const auto& of_stage = versions[static_cast<std::size_t>(s)];
      const auto taken = std::clamp<std::int64_t>(t - 2 * (S - 1) + s + 1, 0, std::ssize(of_stage) - 1);
      weights.push_back(of_stage[static_cast<std::size_t>(taken)]);
    }
  }
  return ticks;
}

}  // namespace

ChainWeights scalar_chain(const std::vector<double>& w, double y, const std::string& activation, const Values& keys) {
  Method method = method_from(checked_keys(keys, std::ssize(w)));
  const std::int64_t updates = method.updates;
  // The run goes on behind the last sample until every stage has seen it, so that no two updates fall between two cuts.
  method.updates += method.delays.front() + 1;
  std::vector<std::vector<double>> initial;
  for (const double weight : w) initial.push_back({weight});
  Pipeline<double> pipeline(
      method, Network(w.size(), {.in = 1, .out = 1, .bias = false, .tanh = activation == "tanh"}), initial,
      [](std::int64_t, Item<double>& to) { to.assign(1, 1.0); },
      [y](std::int64_t, Item<double>& out) {
        out[0] -= y;
        return out[0] * out[0] / 2;
      });
  ChainWeights made{.versions = initial, .ticks = {}};
  for (std::int64_t cut = 1; cut < method.units(); ++cut) {
    TickEngine<double>(pipeline).run(cut);
    for (std::size_t s = 0; s < w.size(); ++s)
      if (auto& of_stage = made.versions[s];
          pipeline.stages[s].version() == std::ssize(of_stage) && std::ssize(of_stage) <= updates)
        of_stage.push_back(pipeline.stages[s].parameters()[0]);
  }
  if (method.delay_model == DelayModel::pb) made.ticks = weights_by_tick(made.versions, updates);
  return made;
}

namespace {

using workloads::FormulaArguments, workloads::Shape;

std::vector<workloads::Argument> chain_arguments() {
  using std::string_literals::operator""s;
  std::vector<workloads::Argument> made{
      {.value = {"w", 1.0, "initial weights, one per stage", {}}, .shape = Shape::list},
      {.value = {"y", 0.0, "target", {}}},
      {.value = {"activation", "lin"s, "after each stage", std::vector{"lin"s, "tanh"s}}}};
  const auto all = own_parameters();
  for (std::size_t i = 0; i < chain_keys.size(); ++i)
    made.push_back(
        {.value = *std::ranges::find(all, chain_keys[i], &workloads::Parameter::name), .optional = i >= needed_keys});
  return made;
}

/// null for a weight beyond a double.
Json table_json(const std::vector<std::vector<double>>& rows) {
  Json out = Json::array();
  for (const auto& row : rows) {
    Json& items = out.emplace_back(Json::array());
    for (const double value : row) items.push_back(std::isfinite(value) ? Json(value) : Json());
  }
  return out;
}

const workloads::RegisterFormula chain_row{
    {.name = "scalar_chain",
     .arguments = chain_arguments(),
     .meaning = "weights of the smallest pipelines, after each update of a stage and (delay = pb) after each tick",
     .example =
         "w=1.2,0.9,1.1 y=0.3 lr=0.05 momentum=0.5 activation=lin delay=pb semantics=inconsistent corrector=none "
         "samples=12",
     .function = [](const FormulaArguments& given) {
       Values keys;
       for (const char* key : chain_keys) keys[key] = given.value(key);
       const auto found = scalar_chain(given.numbers("w"), given.number("y"), given.text("activation"), keys);
       return Json{{"versions", table_json(found.versions)}, {"ticks", table_json(found.ticks)}};
     }}};

}  // namespace
}  // namespace retrial::pipeline
