#include "workloads/automl/problems/zero_shot.hpp"

#include <algorithm>

#include "workloads/automl/learners/tuned.hpp"
#include "workloads/automl/searchers/proposals/known.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::automl::inline problems {
namespace {

ScaledShape shape_of(const DataSet& data) {
  const auto numbers = std::ranges::count_if(data.features, [](const Feature& one) { return one.categories.empty(); });
  const auto columns = static_cast<double>(data.columns());
  return scaled_shape({.rows = static_cast<double>(data.rows()),
                       .columns = columns,
                       .classes = static_cast<double>(data.classes.size()),
                       .share_of_numbers = static_cast<double>(numbers) / columns});
}

const TunedTable& nearest_table(const DataSet& data, const std::string& own) {
  std::vector<const TunedTable*> tables;
  std::vector<ScaledShape> shapes;
  for (const TunedTable& table : tuned_tables()) {
    if (table.task != data.task || table.name == own) continue;
    tables.push_back(&table);
    shapes.push_back(scaled_shape({.rows = table.rows,
                                   .columns = table.columns,
                                   .classes = table.classes,
                                   .share_of_numbers = table.share_of_numbers}));
  }
  if (tables.empty())
    throw workloads::TrialFailure("automl.zero_shot",
                                  "no other table with task " + std::string(name_of(data.task)) + " is known");
  return *tables[nearest_shape(shape_of(data), shapes)];
}

}  // namespace

std::vector<std::pair<std::string, Evaluation>> tuned_elsewhere(const DataProblem& problem, const std::string& own) {
  const TunedTable& nearest = nearest_table(problem.data(), own);
  const auto learners = problem.learners();
  std::vector<std::pair<std::string, Evaluation>> out;
  for (std::size_t rank = 0; rank < nearest.ranking.size(); ++rank) {
    const auto place = std::ranges::find(learners, nearest.ranking[rank].learner);
    if (place == learners.end()) continue;
    const auto learner = static_cast<std::size_t>(place - learners.begin());
    out.emplace_back(nearest.name + "/" + std::to_string(rank + 1),
                     Evaluation{.learner = learner,
                                .configuration = fitted_to(problem.space(learner), nearest.ranking[rank]),
                                .fidelity = problem.full_fidelity()});
  }
  return out;
}

}  // namespace retrial::automl::inline problems
