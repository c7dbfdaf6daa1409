// A pair of a study of searches on tables, for searches of others (tests/measure/peers/quality.py): the same division,
// the same evaluations at the same cost, the same score, the same model (models.py). Lines of JSON in and out.
//   {"problems": "data:a,data:b", "place": 0, "budget": n, "root": n, "pair": n, "folder": DIR}    first: the data
//   {"learner": l, "configuration": {...}}                 an evaluation: loss and cost
//   {"refit": {"learner": l, "configuration": {...}}}      the score of that configuration on the test rows
//   {"model": {"learner": l, "configuration": {...}}}      that model as its artifact has it, its answers for the test
//   rows
//   {"answers": [...]}                                     the score of these answers
#include <cmath>
#include <iostream>
#include <string>

#include "results/json/json.hpp"
#include "variance/random/rng.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/search_task.hpp"
#include "workloads/interface/registry.hpp"

namespace {

using namespace retrial;
using namespace retrial::automl;

workloads::Trial trial_of(const Json& asked) {
  const auto& declaration = workloads::find_workload(workload_name, "");
  Values given = workloads::find_variant(declaration, "flaml")->preset;
  given["problem"] = asked.at("problems").get<std::string>();
  given["budget_cost"] = asked.at("budget").get<std::int64_t>();
  given["budget_evaluations"] = std::int64_t{0};
  workloads::Trial out{
      .workload = workload_name, .variant = "flaml", .values = workloads::resolved(declaration, given)};
  for (const auto& source : declaration.honours(out.values))
    out.seeds[source] = variance::source_seed(asked.at("root"), source, asked.at("pair"));
  return out;
}

Json dimension(const Hyperparameter& p) {
  using Kind = Hyperparameter::Kind;
  const bool log = p.kind == Kind::log || p.kind == Kind::log_integer;
  const bool whole = p.kind == Kind::integer || p.kind == Kind::log_integer;
  return {{"name", p.name},
          {"log", log},
          {"whole", whole},
          {"low", p.low},
          {"high", p.high},
          {"choices", p.choices.size()},
          {"cheapest", p.cheapest ? Json(*p.cheapest) : Json()},
          {"init", p.init}};
}

Json described(const DataProblem& problem) {
  const DataSet& data = problem.data();
  Json learners = Json::array(), categories = Json::array(), cells = Json::array();
  for (std::size_t l = 0; l < problem.learners().size(); ++l) {
    Json space = Json::array();
    for (const auto& p : problem.space(l)) space.push_back(dimension(p));
    learners.push_back({{"name", problem.learners()[l]}, {"space", space}});
  }
  for (const auto& feature : data.features) categories.push_back(feature.categories.size());
  for (const float cell : data.cells) cells.push_back(cell);
  return {{"task", problem.task()},
          {"metric", problem.metric().name},
          {"learners", learners},
          {"categories", categories},
          {"cells", cells},
          {"target", data.target},
          {"train", problem.outer().train},
          {"test", problem.outer().test}};
}

Evaluation evaluation_of(const Json& asked, const DataProblem& problem, std::int64_t id) {
  Evaluation out{.id = id, .learner = asked.at("learner"), .fidelity = problem.full_fidelity()};
  for (const auto& p : problem.space(out.learner)) {
    const Json& value = asked.at("configuration").at(p.name);
    const bool real = p.kind == Hyperparameter::Kind::linear || p.kind == Hyperparameter::Kind::log;
    if (real)
      out.configuration[p.name] = value.get<double>();
    else
      out.configuration[p.name] = value.get<std::int64_t>();
  }
  return out;
}

Json answered(const Json& asked, const DataProblem& problem, std::int64_t id) {
  if (asked.contains("refit"))
    return {{"score", problem.refitted(evaluation_of(asked.at("refit"), problem, 0)).score.value()}};
  if (asked.contains("model")) {
    const Refitted refitted = problem.refitted(evaluation_of(asked.at("model"), problem, 0));
    return {{"bytes", refitted.model->bytes()}, {"predictions", refitted.predictions}};
  }
  if (asked.contains("answers")) {
    const auto truth = targets_of(problem.data(), problem.outer().test);
    const auto answers = asked.at("answers").get<std::vector<double>>();
    return {{"score",
             problem.metric().value({problem.data().task, problem.data().classes.size(), truth, answers}).value()}};
  }
  const Outcome outcome = problem.evaluate(evaluation_of(asked, problem, id));
  const double worst = 1e9;  // JSON has no infinity
  return {{"loss", std::isfinite(outcome.loss) ? outcome.loss : worst}, {"cost", outcome.cost}};
}

}  // namespace

int main() {
  std::string line;
  if (!std::getline(std::cin, line)) return 1;
  const Json asked = Json::parse(line);
  const auto trial = trial_of(asked);
  const auto cells = suite_of(trial.values);
  const SearchTask task(trial, cells.at(asked.at("place").get<std::size_t>()),
                        {.data = asked.at("folder").get<std::string>()});
  std::cout << described(*task.data()).dump() << std::endl;
  for (std::int64_t id = 0; std::getline(std::cin, line); ++id)
    std::cout << answered(Json::parse(line), *task.data(), id).dump() << std::endl;
  return 0;
}
