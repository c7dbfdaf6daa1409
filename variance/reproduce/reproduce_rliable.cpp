#include "variance/bootstrap/aggregate.hpp"
#include "variance/reproduce/reproduce_parts.hpp"

namespace retrial::variance::inline reproduce::reproductions {
namespace {

// Rows of the library's tests are runs; here a list is a task.
TaskScores first() {
  return {.tasks = {{1, 2, 1, 2}, {2, 2, 1, 1}}};
}
TaskScores second() {
  return {.tasks = {{1, 2, 3}, {1, 2, 3}}};
}

TaskScores one_task(std::vector<double> scores) {
  return {.tasks = {std::move(scores)}};
}

}  // namespace

Reproduced rliable() {
  Reproduced table;
  const TaskScores x = first(), y = second();
  add(table, "probability of improvement of x over y", {probability_of_improvement(x, y)}, {1.0 / 3.0}, 1e-12);
  add(table, "of x over itself", {probability_of_improvement(x, x)}, {0.5}, 1e-12);
  std::vector<double> ascending;
  for (int i = 0; i < 80; ++i) ascending.push_back(i);
  add(table, "interquartile mean of 0 to 79", {iqm(one_task(ascending)).value}, {39.5}, 1e-12);
  const InterquartileMean few = iqm(one_task({5, 1, 9}));
  add(table, "interquartile mean of 5, 1, 9, and whether it is flagged", {few.value, few.small_sample ? 1.0 : 0.0},
      {5.0, 1.0}, 1e-12);
  add(table, "optimality gap of .2, .5, 1.3, .9", {optimality_gap(one_task({.2, .5, 1.3, .9}))}, {.35}, 1e-12);
  table.corrections = {
      "The interquartile mean of fewer than four scores trims nothing: it is the mean, and is flagged here.",
      "The library's random state never reaches its resampler, and its profiles accept none; here every interval is "
      "repeated by its key.",
      "Runs that share seeds can be resampled in pairs; the library cannot.",
  };
  return table;
}

}  // namespace retrial::variance::inline reproduce::reproductions
