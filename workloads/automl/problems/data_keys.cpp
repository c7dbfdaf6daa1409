#include "workloads/automl/problems/data_keys.hpp"

#include <mutex>

#include "results/text/error.hpp"
#include "workloads/automl/datasets/load.hpp"

namespace retrial::automl::inline problems {
namespace {

namespace fs = std::filesystem;
using workloads::Range, workloads::Reads;

constexpr double any_whole = 9e15;
const std::string known_prefix = "data:";

fs::path place(const std::string& key, const Values& values, const workloads::Folders& folders) {
  const auto found = folders.find(key);
  return found != folders.end() ? found->second : fs::path(text_in(values, key));
}

std::string metric_key(const Values& values) {
  return text_in(values, "metric") == "auto" ? std::string() : text_in(values, "metric");
}

std::vector<std::string> learner_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    names.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

struct Asked {
  std::string problem, file;
  TableChoice choice;
  std::string stamp;  // of the file
  bool operator==(const Asked& other) const {
    return problem == other.problem && file == other.file && stamp == other.stamp &&
           choice.target == other.choice.target && choice.task == other.choice.task &&
           choice.header == other.choice.header && choice.categorical == other.choice.categorical;
  }
};

std::string stamp_of(const fs::path& file) {
  std::error_code failed;
  const auto time = fs::last_write_time(file, failed).time_since_epoch().count();
  const auto size = fs::is_regular_file(file, failed) ? fs::file_size(file, failed) : 0;
  return std::to_string(time) + " " + std::to_string(size);
}

std::shared_ptr<const DataSet> loaded(const Asked& asked, const fs::path& from) {
  static std::mutex guard;
  static Asked last;
  static std::shared_ptr<const DataSet> kept;
  const std::lock_guard lock(guard);
  if (kept && last == asked) return kept;
  kept = std::make_shared<DataSet>(asked.problem == "table"
                                       ? load_table_file(from, asked.choice)
                                       : load_known_set(asked.problem.substr(known_prefix.size()), from));
  last = asked;
  return kept;
}

}  // namespace

std::vector<workloads::Parameter> data_parameters() {
  using Choices = std::vector<std::string>;
  const auto word = [](const char* value) { return std::string(value); };
  const auto whole_number = [](std::int64_t value) { return value; };
  return {
      {"data_dir", word(""), "folder of the tables of problem = data:NAME", {}, Reads::place},
      {"table", word(""), "problem = table: the CSV file, with or without a header", {}, Reads::place},
      {"target", word(""), "problem = table: name or number of the column to predict; empty: the last one", {}},
      {"task", word("auto"), "problem = table: auto takes text and at most 20 whole numbers for classes",
       Choices{"auto", "binary", "multiclass", "regression"}},
      {"header", word("auto"), "problem = table: whether the first line names the columns",
       Choices{"auto", "none", "names"}},
      {"categorical",
       word(""),
       "problem = table: columns of numbers that are categories: names or numbers, by commas",
       {}},
      {"learners", word(""), "learners, by commas; empty: those of the task", {}},
      {"metric", word("auto"), "what is minimised: auto is auc, logloss or r2, by task", {}},
      {"resampling", word("auto"), "how a configuration is validated: auto goes by rows, columns and budget",
       Choices{"auto", "cv", "holdout"}},
      {"folds", whole_number(5), "folds of cross-validation", Range{2, 1000}},
      {"holdout_ratio", 0.1, "share of the training rows that a hold-out validates on", Range{0, 0.5, true, false}},
      {"inner_split", word("fixed"), "reshuffle: every evaluation draws its own folds", Choices{"fixed", "reshuffle"}},
      {"outer_folds", whole_number(5), "parts of the outer division, one of which is the test", Range{2, 1000}},
      {"outer_fold", whole_number(0), "the part that is the test", Range{0, 999}},
      {"cost_per_hour", whole_number(3600000000), "cost units that count as an hour in rules of FLAML",
       Range{1, any_whole}},
      {"guard_bytes", whole_number(std::int64_t{4} << 30),
       "largest model that is trained, by a formula of trees and leaves", Range{1, any_whole}},
      {"learner_threads", whole_number(1), "threads of a training; changes no bit", Range{1, 1024}, Reads::evaluation},
  };
}

bool is_data_problem(const std::string& problem) {
  return problem == "table" || problem.starts_with(known_prefix);
}

std::shared_ptr<const DataSet> data_set_of(const std::string& problem, const Values& values,
                                           const workloads::Folders& folders) {
  const bool own = problem == "table";
  const fs::path from = place(own ? "table" : "data_dir", values, folders);
  if (own && from.empty())
    throw Error({.exit = Exit::usage,
                 .code = "automl.table",
                 .where = "",
                 .field = "automl.table",
                 .value = "",
                 .problem = "problem = table needs a file",
                 .allowed = "a CSV file",
                 .help = "--set table=FILE.csv --set target=COLUMN"});
  Asked asked{.problem = problem, .file = from.string(), .choice = {}, .stamp = stamp_of(from)};
  if (own)
    asked.choice = {.target = text_in(values, "target"),
                    .task = text_in(values, "task"),
                    .header = text_in(values, "header"),
                    .categorical = text_in(values, "categorical")};
  return loaded(asked, from);
}

DataSettings data_settings(const Values& values) {
  const std::string& resampling = text_in(values, "resampling");
  const std::int64_t budget = integer_in(values, "budget_cost");
  DataSettings settings{.learners = learner_names(text_in(values, "learners")),
                        .metric = metric_key(values),
                        .outer_folds = static_cast<std::uint32_t>(integer_in(values, "outer_folds")),
                        .outer_fold = static_cast<std::uint32_t>(integer_in(values, "outer_fold")),
                        .resampling = resampling == "cv"        ? ResamplingChoice::cross_validation
                                      : resampling == "holdout" ? ResamplingChoice::holdout
                                                                : ResamplingChoice::automatic,
                        .folds = static_cast<std::uint32_t>(integer_in(values, "folds")),
                        .holdout_ratio = number_in(values, "holdout_ratio"),
                        .reshuffle = text_in(values, "inner_split") == "reshuffle",
                        .guard_bytes = static_cast<std::uint64_t>(integer_in(values, "guard_bytes")),
                        .learner_threads = static_cast<std::size_t>(integer_in(values, "learner_threads"))};
  if (budget > 0)
    settings.budget_hours = static_cast<double>(budget) / static_cast<double>(integer_in(values, "cost_per_hour"));
  return settings;
}

}  // namespace retrial::automl::inline problems
