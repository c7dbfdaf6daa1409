#include <chrono>
#include <thread>

#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/search_task.hpp"
#include "workloads/automl/streams/streams.hpp"
#include "workloads/interface/registry.hpp"

/// Checks of the inside of a search, for `retrial check automl --liveness`.
namespace retrial::automl {
namespace {

using workloads::Finding, workloads::Place, workloads::ProbeReport, workloads::Trial;

constexpr std::int64_t probed_evaluations = 12, inner_splits = 16;

/// The same evaluations, later by a drawn part of a millisecond.
class Slowed final : public Problem {
 public:
  explicit Slowed(const Problem& problem) : problem_(problem) {}
  [[nodiscard]] std::string task() const override { return problem_.task(); }
  [[nodiscard]] std::vector<std::string> learners() const override { return problem_.learners(); }
  [[nodiscard]] std::vector<Hyperparameter> space(std::size_t l) const override { return problem_.space(l); }
  [[nodiscard]] std::int64_t full_fidelity() const override { return problem_.full_fidelity(); }
  [[nodiscard]] std::int64_t least_fidelity() const override { return problem_.least_fidelity(); }
  [[nodiscard]] bool subsamples() const override { return problem_.subsamples(); }
  [[nodiscard]] std::int64_t declared_cost(const Evaluation& e) const override { return problem_.declared_cost(e); }
  [[nodiscard]] bool cost_is_declared(std::size_t l) const override { return problem_.cost_is_declared(l); }
  [[nodiscard]] double starting_ratio(std::size_t l) const override { return problem_.starting_ratio(l); }
  [[nodiscard]] double complexity(const Evaluation& e) const override { return problem_.complexity(e); }
  [[nodiscard]] Outcome evaluate(const Evaluation& evaluation) const override {
    constexpr std::uint64_t most_us = 1000;
    const auto pause = variance::bounded(streams::word(1, static_cast<std::uint64_t>(evaluation.id)), most_us);
    std::this_thread::sleep_for(std::chrono::microseconds(pause));
    return problem_.evaluate(evaluation);
  }

 private:
  const Problem& problem_;
};

struct Searched {
  std::string hash;
  std::vector<Record> records;
};

Searched searched(const SearchTask& task, const Problem& problem, std::int64_t real_threads) {
  SearchOptions options = task.options();
  options.real_threads = real_threads;
  options.budget.evaluations =
      options.budget.evaluations == 0 ? probed_evaluations : std::min(options.budget.evaluations, probed_evaluations);
  Search search = task.search_of(problem, options);
  while (search.advance()) {
  }
  return {results::hex(search.ledger().hash()), search.records()};
}

void check_learners(const SearchTask& task, ProbeReport& report) {
  if (task.data() == nullptr) return;
  for (const auto& difference : task.data()->differences_of_learners())
    report.findings.push_back({"learner-not-bitwise", "learner", difference});
}

void check_splits(const SearchTask& task, ProbeReport& report) {
  if (task.data() == nullptr) return;
  const auto classes = std::max<std::uint64_t>(1, task.data()->data().classes.size());
  const auto seed = task.seed("data-split");
  for (std::uint64_t number = 0; number < inner_splits; ++number)
    if (const auto shared = shared_class(outer_keys(seed), inner_keys(seed, number), classes))
      report.findings.push_back({"split-shared", "inner split " + std::to_string(number),
                                 "class " + std::to_string(*shared) + " is shuffled by the key of an outer division"});
}

void check_clock(const SearchTask& task, const Searched& plain, ProbeReport& report) {
  const Slowed slowed(task.problem());
  const auto again = searched(task, slowed, 2);
  if (again.hash != plain.hash)
    report.findings.push_back({"clock-read", "ledger",
                               plain.hash.substr(0, 12) + " at full speed, " + again.hash.substr(0, 12) +
                                   " on two threads with random pauses"});
}

void check_costs(const Searched& plain, ProbeReport& report) {
  for (const Record& record : plain.records)
    if (record.outcome.cost < 1)
      report.findings.push_back({"cost-unbounded", "evaluation " + std::to_string(record.evaluation.id),
                                 "costs " + std::to_string(record.outcome.cost) + " units, at least 1 expected"});
}

/// What each source draws: divisions, the order of rows, a training, the proposals.
std::string drawn_by(const std::string& source, const SearchTask& task) {
  if (source == "hopt") return searched(task, task.problem(), 1).hash;
  const auto* data = task.data();
  results::Sha256 sum;
  const auto add = [&](std::span<const std::uint32_t> rows) {
    for (const auto row : rows) sum.update(std::to_string(row) + " ");
  };
  if (source == "data-split") add(data->outer().test);
  if (source == "data-order")
    add(stratified_order(classes_of(data->data(), data->outer().train), order_keys(task.seed("data-order"))));
  if (source == "init") sum.update(results::hex16(data->learner_seed(0)));
  return results::hex(sum.finish());
}

void check_seeds(const Trial& trial, const SuiteCell& cell, const Place& place, const SearchTask& task,
                 ProbeReport& report) {
  for (const auto& source : honours(cell.values)) {
    Trial other = trial;
    other.seeds[source] = variance::derive(trial.seed(source), "probe");
    if (drawn_by(source, task) == drawn_by(source, SearchTask(other, cell, place)))
      report.findings.push_back({"seed-unread", "source " + source, "another seed draws the same"});
  }
}

ProbeReport probe(const Trial& trial, const Place& place) {
  ProbeReport report;
  if (kind_of(trial.values) == "costs") return report;  // no search
  for (const auto& cell : suite_of(trial.values)) {
    const SearchTask task(trial, cell, place);
    const auto plain = searched(task, task.problem(), 1);
    check_learners(task, report);
    check_splits(task, report);
    check_seeds(trial, cell, place, task, report);
    check_clock(task, plain, report);
    check_costs(plain, report);
    report.looked_at.push_back(cell.problem + ": " + std::to_string(plain.records.size()) + " evaluations, " +
                               std::to_string(task.problem().learners().size()) + " learners");
  }
  return report;
}

const workloads::RegisterProbe probed{workload_name, probe};

}  // namespace
}  // namespace retrial::automl
