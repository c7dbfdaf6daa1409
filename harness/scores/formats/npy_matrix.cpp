#include <cmath>

#include "harness/scores/formats/formats.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/data/formats/npy.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

[[noreturn]] void refuse(const ScoreInput& input, const std::string& field, const std::string& value,
                         const std::string& problem, const std::string& help = "") {
  throw Error({.code = "scores.syntax",
               .where = input.path.string(),
               .field = field,
               .value = value,
               .problem = problem,
               .help = help});
}

std::string shape_text(const data::NpyArray& array) {
  std::string text;
  for (const std::uint64_t side : array.shape) text += (text.empty() ? "" : " x ") + std::to_string(side);
  return text.empty() ? "one number" : text;
}

/// For transposed, big-endian or half-precision arrays, the error says how to save them in a form that is supported.
data::NpyArray matrix_of(const std::filesystem::path& path) try {
  return data::read_npy(path, false);
} catch (const Error& error) {
  ErrorText text = error.text;
  if (text.exit == Exit::usage && text.help.empty())
    text.help = "save it with np.save(FILE, np.ascontiguousarray(scores, dtype=\"<f8\"))";
  throw Error(std::move(text));
}

}  // namespace

/// A matrix of runs x tasks, or a list of runs. Runs are independent, since nothing in the file says that run i of two
/// files shares its seeds.
void read_npy_matrix(const ScoreInput& input, ScoreTable& table) {
  const data::NpyArray array = matrix_of(input.path);
  if (array.shape.empty() || array.shape.size() > 2 || array.items() == 0)
    refuse(input, "shape", shape_text(array), "not a matrix of runs x tasks",
           "save one matrix per variant: np.save(\"dqn.npy\", scores[\"dqn\"])");
  // A list of runs next to a matrix would be another task, of which the other variants have no score.
  if (!table.rows.empty() && table.metrics.contains("") && table.rows.back().task.empty() != (array.shape.size() == 1))
    refuse(input, "shape", shape_text(array),
           array.shape.size() == 1 ? "has 1 dimension, but the file before it has runs x tasks"
                                   : "has 2 dimensions, but the file before it is a list of runs",
           "save the list as a matrix of one task, scores.reshape(-1, 1), and give matrices of the same tasks");
  const std::uint64_t runs = array.shape[0], tasks = array.shape.size() == 2 ? array.shape[1] : 1;
  if (array.items() > max_scores) refuse_many_scores(input.path.string());
  const Name variant = table.called(input.variant.value_or(input.path.stem().string()));
  std::vector<Name> names(tasks);
  for (std::uint64_t task = 0; task < tasks && array.shape.size() == 2; ++task)
    names[task] = table.called("task-" + std::to_string(task));
  for (std::uint64_t run = 0; run < runs; ++run)
    for (std::uint64_t task = 0; task < tasks; ++task) {
      const double score = array.number(run * tasks + task);
      if (!std::isfinite(score))
        refuse(input, "scores[" + std::to_string(run) + "][" + std::to_string(task) + "]", results::text_of(score),
               "not a finite number", "for failed runs use CSV (variant,pair,task,score) and leave their score empty");
      table.add({.variant = variant, .task = names[task], .score = score});
    }
  table.metrics[""];
}

}  // namespace retrial::harness::inline scores::inline formats
