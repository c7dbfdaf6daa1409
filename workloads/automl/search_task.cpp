#include "workloads/automl/search_task.hpp"
#include "workloads/automl/problems/zero_shot.hpp"

#include <algorithm>

#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/problems/surrogate.hpp"

namespace retrial::automl {
namespace {

using workloads::Place, workloads::Trial;

constexpr std::int64_t least_cut = 12;  // evaluations of a search that liveness cuts

/// Each problem of a suite draws from keys of its own, so that its searches are independent.
Trial trial_of(const Trial& suite, const SuiteCell& cell) {
  Trial out = suite;
  out.values = cell.values;
  if (!cell.suffix.empty())
    for (auto& [source, seed] : out.seeds) seed = variance::derive(seed, cell.problem);
  return out;
}

std::uint64_t seed_of(const Trial& trial, const char* source) {
  const auto found = trial.seeds.find(source);
  return found == trial.seeds.end() ? 0 : found->second;
}

std::unique_ptr<DataProblem> data_problem(const Trial& trial, const Place& place) {
  if (is_function(trial.values)) return nullptr;
  return std::make_unique<DataProblem>(data_of(trial.values, place.data), data_settings(trial.values),
                                       DataSeeds{.split = seed_of(trial, "data-split"),
                                                 .order = seed_of(trial, "data-order"),
                                                 .init = seed_of(trial, "init")});
}

SearchOptions options_of(const Trial& trial, const Place& place, const DataProblem* data) {
  SearchOptions options = search_options(trial.values);
  options.seed = seed_of(trial, "hopt");
  if (place.max_steps > 0) options.budget.evaluations = std::max(place.max_steps, least_cut);
  if (is_reference(trial.values)) options.budget = {.cost = 0, .evaluations = 1};
  if (data == nullptr) return options;
  options.sizes.on = options.sizes.on && data->subsamples();
  if (is_zero_shot(trial.values)) {
    for (const auto& [name, known] : tuned_elsewhere(*data, name_in(trial.values)))
      options.portfolio.push_back({name, known.learner, known.configuration});
    options.portfolio_share = 1;
    options.budget.evaluations = std::ssize(options.portfolio);
  } else if (is_reference(trial.values)) {
    const Evaluation known = data->reference(trial.text("searcher"));
    options.portfolio = {{trial.text("searcher"), known.learner, known.configuration}};
    options.portfolio_share = 1;
  } else if (trial.text("searcher") == "flaml" && trial.flag("portfolio")) {
    const auto names = data->learners();
    for (const char* name : {"forest500", "xgb100", "xgb500", "logistic", "mlp"})
      if (std::ranges::find(names, reference_if_known(name)->learner) != names.end()) {
        const Evaluation known = data->reference(name);
        options.portfolio.push_back({name, known.learner, known.configuration});
      }
  }
  return options;
}

}  // namespace

SearchTask::SearchTask(const Trial& suite, const SuiteCell& cell, const Place& place)
    : trial_(trial_of(suite, cell)),
      suffix_(cell.suffix),
      data_(data_problem(trial_, place)),
      function_(data_ ? nullptr : function_problem(trial_.values, place.data)),
      options_(options_of(trial_, place, data_.get())) {}

const Problem& SearchTask::problem() const {
  return data_ ? static_cast<const Problem&>(*data_) : static_cast<const Problem&>(*function_);
}

std::uint64_t SearchTask::seed(const char* source) const {
  return seed_of(trial_, source);
}

Search SearchTask::search_of(const Problem& problem, const SearchOptions& options) const {
  const auto makers = sampler_makers(trial_.values, problem, seed("hopt"));
  SearchOptions with_all = options;
  with_all.other_samplers.assign(makers.begin() + 1, makers.end());
  return {problem, with_all, makers.front(), header()};
}

/// What defines a search, besides the program: the first line of its ledger.
Json SearchTask::header() const {
  Json versions = Json::object(), seeds = Json::object();
  if (data_ != nullptr)
    for (const std::string& name : problem().learners()) versions[name] = learner_if_known(name)->version();
  if (kind_of(trial_.values) == "lcbench") versions["lcbench"] = results::hex(LcbenchNetwork::digest());
  for (const auto& [source, seed] : trial_.seeds) seeds[source] = results::hex16(seed);
  Json header{{"budget_cost", trial_.integer("budget_cost")},
              {"budget_evaluations", trial_.integer("budget_evaluations")},
              {"data_sha256", data_ == nullptr ? trial_.text("problem") : results::hex(data_->data().content)},
              {"format", 1},
              {"learners", problem().learners()},
              {"metric", data_ == nullptr ? "value" : data_->metric().name},
              {"searcher", searcher_name(trial_.values)},
              {"seeds", seeds},
              {"task", problem().task()},
              {"versions", versions},
              {"virtual_workers", trial_.integer("virtual_workers")}};
  if (data_ != nullptr)
    for (const auto& [learner, scale] : data_->cost_scales()) header["cost_scales"][learner] = scale;
  return header;
}

}  // namespace retrial::automl
