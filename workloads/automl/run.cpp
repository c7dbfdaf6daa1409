#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "workloads/automl/costs.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/search_task.hpp"
#include "workloads/automl/search_times.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/interface/trial/split.hpp"
#include "workloads/nn/protocol/failures.hpp"

namespace retrial::automl {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial, workloads::TrialFailure;

constexpr std::int64_t records_per_boundary = 64;  // of functions, which take microseconds

/// A table may have been written again since the trial was planned.
void demand_planned(const Trial& trial, const Place& place) {
  if (trial.dataset.empty()) return;
  const auto found = workloads::find_workload(workload_name, "").dataset(trial.values, place.data);
  if (found && results::hex(*found) != trial.dataset)
    throw TrialFailure("data.digest_mismatch", "planned with data " + trial.dataset.substr(0, 12) + ", found " +
                                                   results::hex(*found).substr(0, 12));
}

/// The search on one problem.
class CellRun {
 public:
  CellRun(const Trial& suite, const SuiteCell& cell, const Place& place)
      : task_(suite, cell, place), search_(task_.search_of(task_.problem(), timed(task_.options()))) {
    if (task_.data() != nullptr) differences_ = task_.data()->differences_of_learners();
  }

  /// To the next boundary; false: the search is over and recorded.
  bool advance(Recorder& recorder) {
    for (const std::string& difference : std::exchange(differences_, {}))
      recorder.warning("this search may not repeat: " + difference);
    bool more = true;
    for (std::int64_t i = 0; more && i < (task_.data() ? 1 : records_per_boundary); ++i)
      if ((more = delivered())) record_last(recorder);
    const auto delivered = static_cast<std::int64_t>(search_.records().size());
    recorder.digest("ledger" + task_.suffix(), more ? delivered : -1, "sha256", results::hex(search_.ledger().hash()));
    report(recorder);
    if (!more) finish(recorder);
    return more;
  }

  void save(std::ostream& to) const { search_.save(to); }
  void load(std::istream& from) { search_.load(from); }
  [[nodiscard]] std::string hash() const { return results::hex(search_.ledger().hash()); }
  [[nodiscard]] double share() const {
    const Budget& budget = search_.schedule().budget();
    const auto of = [](std::int64_t done, std::int64_t whole) {
      return whole > 0 ? static_cast<double>(done) / static_cast<double>(whole) : 0;
    };
    return std::min(1.0, std::max(of(search_.schedule().spent(), budget.cost),
                                  of(static_cast<std::int64_t>(search_.records().size()), budget.evaluations)));
  }

 private:
  [[nodiscard]] SearchOptions timed(SearchOptions options) {
    options.evaluate = [this](const Problem& problem, const Evaluation& one) { return times_.evaluated(problem, one); };
    return options;
  }
  [[nodiscard]] bool delivered() {
    const SearchTimes::Delivering now(times_);
    return search_.advance();
  }
  [[nodiscard]] double reached(const Record& best) const {
    return task_.function() ? best.outcome.loss - task_.function()->minimum() : best.outcome.loss;
  }

  void record_last(Recorder& recorder) {
    const auto delivered = static_cast<std::int64_t>(search_.records().size());
    const Record& last = search_.records().back();
    if (const Record* best = search_.best(); best != nullptr && best->evaluation.id == last.evaluation.id) {
      recorder.metric("best_loss" + task_.suffix(), reached(*best), delivered);
      recorder.metric("spent" + task_.suffix(), static_cast<double>(search_.schedule().spent()), delivered);
    }
    if (!last.outcome.detail.empty() && last.outcome.error == "learner_failed" && !warned_) {
      warned_ = true;
      recorder.warning("evaluation " + std::to_string(last.evaluation.id) + ", " + last.learner + ": " +
                       last.outcome.detail);
    }
  }

  void report(Recorder& recorder) const {
    if (const Record* best = search_.best())
      recorder.standing((task_.suffix().empty() ? "" : task_.trial().text("problem") + ", ") + "evaluation " +
                        std::to_string(search_.records().size()) + ", best " +
                        report::short_text(best->outcome.loss, 4) + " by " + best->learner);
  }

  /// The best loss so far, over the cost that was spent: that of the first success counts before it, too.
  [[nodiscard]] double anytime_area() const {
    double area = 0, cost = 0, best = std::numeric_limits<double>::infinity(), waiting = 0;
    for (const Record& record : search_.records()) {
      const auto spent = static_cast<double>(record.outcome.cost);
      (std::isfinite(best) ? area : waiting) += std::isfinite(best) ? best * spent : spent;
      cost += spent;
      if (!(record.outcome.loss < best)) continue;
      best = record.outcome.loss;
      area += best * std::exchange(waiting, 0);
    }
    return area / cost - (task_.function() ? task_.function()->minimum() : 0);
  }

  void finish(Recorder& recorder) {
    recorder.artifact("ledger" + task_.suffix(), "jsonl", search_.ledger().text());
    recorder.artifact("times" + task_.suffix(), "jsonl", times_.text());
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
    recorder.metric("validation" + task_.suffix(), best->outcome.loss);
    recorder.metric("best_loss" + task_.suffix(), reached(*best));
    recorder.metric("anytime_area" + task_.suffix(), anytime_area());
    recorder.metric("spent" + task_.suffix(), static_cast<double>(search_.schedule().spent()));
    recorder.metric("evaluations" + task_.suffix(), static_cast<double>(search_.records().size()));
    recorder.metric("cached" + task_.suffix(), count([](const Record& r) { return r.origin.ends_with("|cache"); }));
    recorder.metric("refused" + task_.suffix(), count([](const Record& r) {
                      return r.outcome.error == "over_allowance" || r.outcome.error == "over_memory";
                    }));
    recorder.metric("utilisation_virtual" + task_.suffix(), search_.schedule().utilisation());
    times_.record(recorder, task_.suffix(), task_.options().real_threads);
    recorder.artifact("best" + task_.suffix(), "json",
                      Json{{"evaluation", best->evaluation.id},
                           {"learner", best->learner},
                           {"configuration", readable(best->evaluation)},
                           {"loss", best->outcome.loss}}
                          .dump());
    if (task_.function())
      regrets(*best, recorder);
    else
      test(*best, recorder);
  }

  /// What the search reached, what it had reached halfway, and what the target cost.
  void regrets(const Record& best, Recorder& recorder) const {
    recorder.metric("regret" + task_.suffix(), reached(best));
    const Budget& budget = search_.schedule().budget();
    const Record* at_half = nullptr;
    std::optional<double> cost_to_target;
    double count = 0, cost = 0;
    for (const Record& record : search_.records()) {
      ++count;
      cost += static_cast<double>(record.outcome.cost);
      const bool first_half = budget.evaluations > 0 ? 2 * count <= static_cast<double>(budget.evaluations)
                                                     : 2 * cost <= static_cast<double>(budget.cost);
      if (first_half && (at_half == nullptr || record.outcome.loss < at_half->outcome.loss)) at_half = &record;
      if (!cost_to_target && reached(record) <= number_in(task_.trial().values, "target_regret")) cost_to_target = cost;
    }
    if (at_half != nullptr && std::isfinite(at_half->outcome.loss))
      recorder.metric("regret_half" + task_.suffix(), reached(*at_half));
    if (budget.cost == 0) return;
    const std::string name = "log10_cost_to_target" + task_.suffix();
    const auto most = static_cast<double>(budget.cost);  // the last evaluation may exceed it
    recorder.metric(name, std::log10(std::min(cost_to_target.value_or(most), most)));
    recorder.bounded(name, cost_to_target ? variance::ScoreBound::exact : variance::ScoreBound::at_least);
  }

  [[nodiscard]] Json readable(const Evaluation& evaluation) const {
    Json out = Json::object();
    for (const Hyperparameter& p : task_.problem().space(evaluation.learner)) {
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
    const Refitted refitted = task_.data()->refitted(best.evaluation);
    recorder.digest("model" + task_.suffix(), -1, "sha256", model_digest(*refitted.model));
    recorder.digest("predictions" + task_.suffix(), -1, "sha256", predictions_digest(refitted.predictions));
    recorder.artifact("model" + task_.suffix(), "model", refitted.model->bytes());
    recorder.artifact("columns" + task_.suffix(), "json", columns_json(task_.data()->data()).dump());
    if (!refitted.score) throw TrialFailure("automl.metric_undefined", "the metric is undefined on the test rows");
    const Metric& metric = task_.data()->metric();
    recorder.metric("test_" + metric.name + task_.suffix(), *refitted.score);
    if (test_metrics(task_.trial().values).size() > 1)
      recorder.metric("test_loss" + task_.suffix(), metric.higher ? 1 - *refitted.score : *refitted.score);
  }

  SearchTask task_;
  SearchTimes times_;  // before the search, which measures itself by it
  Search search_;
  std::vector<std::string> differences_;  ///< of learners that do not repeat their own bits
  bool warned_ = false;
};

/// The searches of a suite, one after the other.
class Running final : public workloads::Run {
 public:
  Running(const Trial& trial, const Place& place) : trial_(trial), place_(place), suite_(suite_of(trial.values)) {
    demand_planned(trial, place);
    begin();
  }

  bool advance(Recorder& recorder) override {
    const bool more = cell_->advance(recorder);
    recorder.progress((static_cast<double>(hashes_.size()) + cell_->share()) / static_cast<double>(suite_.size()));
    if (more) return true;
    hashes_.push_back(cell_->hash());
    if (hashes_.size() < suite_.size()) {
      begin();
      return true;
    }
    if (suite_.size() > 1) recorder.digest("ledger", -1, "sha256", results::hex(hash_of_hashes()));
    return false;
  }

  void save(std::ostream& to) const override {
    to << results::joined(hashes_, " ") << '\n';
    cell_->save(to);
  }
  void load(std::istream& from) override {
    std::string line;
    std::getline(from, line);
    hashes_ = workloads::split(line, ' ');
    std::erase(hashes_, "");
    if (hashes_.size() >= suite_.size()) throw TrialFailure("checkpoint.ledger", "more searches than the suite has");
    if (!hashes_.empty()) begin();
    try {
      cell_->load(from);
    } catch (const std::runtime_error& wrong) {
      throw TrialFailure("checkpoint.ledger", wrong.what());
    }
  }

 private:
  /// The next search. Its data are read when it begins.
  void begin() { cell_ = std::make_unique<CellRun>(trial_, suite_[hashes_.size()], place_); }
  [[nodiscard]] results::Digest hash_of_hashes() const {
    results::Sha256 sum;
    for (const auto& hash : hashes_) sum.update(results::digest_from_hex(hash, "ledger"));
    return sum.finish();
  }

  Trial trial_;
  Place place_;
  std::vector<SuiteCell> suite_;
  std::vector<std::string> hashes_;  ///< of the ledgers that are finished
  std::unique_ptr<CellRun> cell_;
};

const workloads::RegisterStart started{workload_name,
                                       [](const Trial& trial, const Place& place) -> std::unique_ptr<workloads::Run> {
                                         if (kind_of(trial.values) == "costs") return measure_costs(trial, place);
                                         return std::make_unique<Running>(trial, place);
                                       },
                                       nn::explain_libtorch};

}  // namespace
}  // namespace retrial::automl
