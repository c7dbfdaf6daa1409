#include <algorithm>
#include <cmath>
#include <utility>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/named.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::automl {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial, workloads::TrialFailure;

constexpr std::int64_t records_per_boundary = 64;  // of functions, which take microseconds
constexpr std::int64_t least_cut = 12;             // evaluations of a search that liveness cuts

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

SearchOptions options_of(const Trial& trial, const Place& place, const DataProblem* data,
                         const std::vector<MakeSampler>& makers) {
  SearchOptions options = search_options(trial.values);
  options.other_samplers.assign(makers.begin() + 1, makers.end());
  options.seed = seed_of(trial, "hopt");
  if (place.max_steps > 0) options.budget.evaluations = std::max(place.max_steps, least_cut);
  if (is_reference(trial.values)) options.budget = {.cost = 0, .evaluations = 1};
  if (data == nullptr) return options;
  options.sizes.on = options.sizes.on && data->subsamples();
  if (is_reference(trial.values)) {
    const Evaluation known = data->reference(trial.text("searcher"));
    options.portfolio = {{trial.text("searcher"), known.learner, known.configuration}};
    options.portfolio_share = 1;
  } else if (trial.text("searcher") == "flaml" && trial.flag("portfolio")) {
    const auto names = data->learners();
    for (const char* name : {"forest500", "xgb100", "xgb500", "logistic"})
      if (std::ranges::find(names, reference_if_known(name)->learner) != names.end()) {
        const Evaluation known = data->reference(name);
        options.portfolio.push_back({name, known.learner, known.configuration});
      }
  }
  return options;
}

/// What defines a search, besides the program: the first line of its ledger.
Json header_of(const Trial& trial, const Problem& problem, const DataProblem* data) {
  Json versions = Json::object(), seeds = Json::object();
  if (data != nullptr)
    for (const std::string& name : problem.learners()) versions[name] = learner_if_known(name)->version();
  for (const auto& [source, seed] : trial.seeds) seeds[source] = results::hex16(seed);
  return {{"budget_cost", trial.integer("budget_cost")},
          {"budget_evaluations", trial.integer("budget_evaluations")},
          {"data_sha256", data == nullptr ? trial.text("problem") : results::hex(data->data().content)},
          {"format", 1},
          {"learners", problem.learners()},
          {"metric", data == nullptr ? "value" : data->metric().name},
          {"searcher", searcher_name(trial.values)},
          {"seeds", seeds},
          {"task", problem.task()},
          {"versions", versions},
          {"virtual_workers", trial.integer("virtual_workers")}};
}

class Running final : public workloads::Run {
 public:
  Running(const Trial& trial, const Place& place)
      : trial_(trial),
        data_(data_problem(trial, place)),
        function_(data_ ? nullptr : function_problem(trial.values)),
        makers_(sampler_makers(trial.values, problem(), seed_of(trial, "hopt"))),
        search_(problem(), options_of(trial, place, data_.get(), makers_), makers_.front(),
                header_of(trial, problem(), data_.get())) {
    if (data_ != nullptr) differences_ = data_->differences_of_learners();
  }

  bool advance(Recorder& recorder) override {
    for (const std::string& difference : std::exchange(differences_, {}))
      recorder.warning("this search may not repeat: " + difference);
    bool more = true;
    for (std::int64_t i = 0; more && i < (data_ ? 1 : records_per_boundary); ++i)
      if ((more = search_.advance())) record_last(recorder);
    const auto delivered = static_cast<std::int64_t>(search_.records().size());
    recorder.digest("ledger", more ? delivered : -1, "sha256", results::hex(search_.ledger().hash()));
    report(recorder);
    if (!more) finish(recorder);
    return more;
  }

  void save(std::ostream& to) const override { search_.save(to); }
  void load(std::istream& from) override {
    try {
      search_.load(from);
    } catch (const std::runtime_error& wrong) {
      throw TrialFailure("checkpoint.ledger", wrong.what());
    }
  }

 private:
  [[nodiscard]] const Problem& problem() const {
    return data_ ? static_cast<const Problem&>(*data_) : static_cast<const Problem&>(*function_);
  }
  [[nodiscard]] double reached(const Record& best) const {
    return function_ ? best.outcome.loss - function_->minimum() : best.outcome.loss;
  }

  void record_last(Recorder& recorder) {
    const auto delivered = static_cast<std::int64_t>(search_.records().size());
    const Record& last = search_.records().back();
    if (const Record* best = search_.best(); best != nullptr && best->evaluation.id == last.evaluation.id)
      recorder.metric("best_loss", reached(*best), delivered);
    if (!last.outcome.detail.empty() && last.outcome.error == "learner_failed" && !warned_) {
      warned_ = true;
      recorder.warning("evaluation " + std::to_string(last.evaluation.id) + ", " + last.learner + ": " +
                       last.outcome.detail);
    }
  }

  void report(Recorder& recorder) const {
    const Schedule& schedule = search_.schedule();
    const Budget& budget = schedule.budget();
    const double by_cost =
                     budget.cost > 0 ? static_cast<double>(schedule.spent()) / static_cast<double>(budget.cost) : 0,
                 by_count = budget.evaluations > 0 ? static_cast<double>(search_.records().size()) /
                                                         static_cast<double>(budget.evaluations)
                                                   : 0;
    recorder.progress(std::min(1.0, std::max(by_cost, by_count)));
    if (const Record* best = search_.best())
      recorder.standing("evaluation " + std::to_string(search_.records().size()) + ", best " +
                        report::short_text(best->outcome.loss, 4) + " by " + best->learner);
  }

  void finish(Recorder& recorder) {
    recorder.artifact("ledger", "jsonl", search_.ledger().text());
    const Record* best = search_.best();
    if (best == nullptr) {
      std::string why = "every evaluation failed";
      for (const Record& record : search_.records())
        if (!record.outcome.error.empty()) {
          why += "; the first: " + record.outcome.error +
                 (record.outcome.detail.empty() ? "" : ", " + record.outcome.detail);
          break;
        }
      throw TrialFailure("automl.no_result", why);
    }
    const auto count = [&](const auto& of) {
      return static_cast<double>(std::ranges::count_if(search_.records(), of));
    };
    recorder.metric("validation", best->outcome.loss);
    recorder.metric("best_loss", reached(*best));
    recorder.metric("spent", static_cast<double>(search_.schedule().spent()));
    recorder.metric("evaluations", static_cast<double>(search_.records().size()));
    recorder.metric("cached", count([](const Record& r) { return r.origin.ends_with("|cache"); }));
    recorder.metric("refused", count([](const Record& r) {
                      return r.outcome.error == "over_allowance" || r.outcome.error == "over_memory";
                    }));
    recorder.metric("utilisation_virtual", search_.schedule().utilisation());
    recorder.artifact("best", "json",
                      Json{{"evaluation", best->evaluation.id},
                           {"learner", best->learner},
                           {"configuration", readable(best->evaluation)},
                           {"loss", best->outcome.loss}}
                          .dump());
    if (function_)
      recorder.metric("regret", reached(*best));
    else
      test(*best, recorder);
  }

  [[nodiscard]] Json readable(const Evaluation& evaluation) const {
    Json out = Json::object();
    for (const Hyperparameter& p : problem().space(evaluation.learner)) {
      const auto found = evaluation.configuration.find(p.name);
      if (found == evaluation.configuration.end()) continue;
      if (p.kind == Hyperparameter::Kind::choice)
        out[p.name] = p.choices.at(static_cast<std::size_t>(std::get<std::int64_t>(found->second)));
      else if (const auto* number = std::get_if<double>(&found->second))
        out[p.name] = *number;
      else
        out[p.name] = std::get<std::int64_t>(found->second);
    }
    return out;
  }

  /// The best configuration, trained on all outer training rows and judged on the test rows that no search has seen.
  void test(const Record& best, Recorder& recorder) const {
    const Refitted refitted = data_->refitted(best.evaluation);
    recorder.digest("model", -1, "sha256", model_digest(*refitted.model));
    recorder.digest("predictions", -1, "sha256", predictions_digest(refitted.predictions));
    recorder.artifact("model", "model", refitted.model->bytes());
    recorder.artifact("columns", "json", columns_json(data_->data()).dump());
    const std::string name = test_metric(trial_.values).name;
    if (!refitted.score) throw TrialFailure("automl.metric_undefined", "the metric is undefined on the test rows");
    recorder.metric(name, name != "test_loss" || !data_->metric().higher ? *refitted.score : 1 - *refitted.score);
  }

  Trial trial_;
  std::unique_ptr<DataProblem> data_;
  std::unique_ptr<FunctionProblem> function_;
  std::vector<MakeSampler> makers_;
  Search search_;
  std::vector<std::string> differences_;  ///< of learners that do not repeat their own bits
  bool warned_ = false;
};

const workloads::RegisterStart started{workload_name,
                                       [](const Trial& trial, const Place& place) -> std::unique_ptr<workloads::Run> {
                                         return std::make_unique<Running>(trial, place);
                                       }};

}  // namespace
}  // namespace retrial::automl
