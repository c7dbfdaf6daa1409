#include "workloads/automl/costs.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>

#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"
#include "workloads/automl/core/space.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/named.hpp"
#include "workloads/automl/streams/streams.hpp"
#include "workloads/data/sets/tables.hpp"

namespace retrial::automl {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial;

constexpr std::int64_t configurations = 120;
constexpr std::int64_t most_units = 2'000'000;  // of a configuration: others are drawn again

double cpu_us() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

double mean_of(std::span<const double> values) {
  variance::Neumaier sum;
  for (const double value : values) sum.add(value);
  return sum.value() / static_cast<double>(values.size());
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const double mx = mean_of(x), my = mean_of(y);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  return xy / std::sqrt(xx * yy);
}

std::vector<double> ranks(std::span<const double> values) {
  const auto doubled = variance::doubled_midranks(values, 0);
  return {doubled.begin(), doubled.end()};
}

class Measuring final : public workloads::Run {
 public:
  Measuring(const Trial& trial, const Place& place) : trial_(trial), problems_(problems_of_costs(trial, place)) {
    for (const auto& problem : problems_) spaces_.emplace_back(problem->space(0));
  }

  /// In one go: half a measurement would be of another moment of the machine.
  bool advance(Recorder& recorder) override {
    for (std::size_t i = 0; i < problems_.size(); ++i)
      (void)problems_[i]->evaluate(evaluation(i, spaces_[i].initial()));
    std::vector<double> units, times;
    std::int64_t spent = 0;
    results::Sha256 sum;
    for (std::int64_t k = 0; k < configurations; ++k) {
      const std::size_t place = static_cast<std::size_t>(k) % problems_.size();
      const auto chosen = drawn(k, place);
      const double before = cpu_us();
      const Outcome outcome = problems_[place]->evaluate(chosen);
      const double took = cpu_us() - before;
      recorder.progress(static_cast<double>(k + 1) / static_cast<double>(configurations));
      sum.update(std::to_string(outcome.cost) + " " + outcome.error + "\n");
      if (!outcome.error.empty()) continue;
      spent += outcome.cost;
      units.push_back(static_cast<double>(outcome.cost));
      times.push_back(std::max(took, 1e-3));
    }
    if (units.size() < 3) throw workloads::TrialFailure("automl.no_result", "nearly every training failed");
    const auto fit = cost_fit(units, times);
    recorder.digest("costs", -1, "sha256", results::hex(sum.finish()));
    recorder.metric("spent", static_cast<double>(spent));
    recorder.metric("cost_spearman", fit.spearman);
    recorder.metric("cost_log_r2", fit.log_r2);
    recorder.metric("cost_factor", fit.factor);
    recorder.metric("cost_scale", fit.scale);
    Json points = Json::array();
    for (std::size_t i = 0; i < units.size(); ++i) points.push_back({units[i], times[i]});
    recorder.artifact("points", "json", points.dump());
    return false;
  }
  void save(std::ostream&) const override {}
  void load(std::istream&) override {}

 private:
  [[nodiscard]] Evaluation evaluation(std::size_t place, Chosen chosen) const {
    return {.configuration = std::move(chosen), .fidelity = problems_[place]->full_fidelity()};
  }
  [[nodiscard]] Evaluation drawn(std::int64_t k, std::size_t place) const {
    const auto key = stream_key(trial_.seed("hopt"), "sampler", 0, 0, static_cast<std::uint64_t>(k));
    std::uint64_t next = 0;
    for (;;) {
      Coordinates point;
      for (std::size_t d = 0; d < spaces_[place].dimensions(); ++d)
        point.push_back(variance::uniform(streams::word(key, next++)));
      auto out = evaluation(place, spaces_[place].chosen_at(point));
      out.id = k;
      if (problems_[place]->declared_cost(out) <= most_units || next > 10'000) return out;
    }
  }

  Trial trial_;
  std::vector<std::shared_ptr<DataProblem>> problems_;
  std::vector<Space> spaces_;
};

}  // namespace

CostFit cost_fit(std::span<const double> units, std::span<const double> microseconds) {
  std::vector<double> logs, times;
  for (std::size_t i = 0; i < units.size(); ++i) {
    times.push_back(std::log(microseconds[i]));
    logs.push_back(times.back() - std::log(units[i]));
  }
  const double scale = mean_of(logs), mean = mean_of(times);
  double residual = 0, total = 0;
  std::vector<double> factors;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    residual += (logs[i] - scale) * (logs[i] - scale);
    total += (times[i] - mean) * (times[i] - mean);
    factors.push_back(std::exp(std::fabs(logs[i] - scale)));
  }
  return {.spearman = correlation(ranks(units), ranks(microseconds)),
          .log_r2 = 1 - residual / total,
          .factor = *variance::sample_quantile(factors, 0.5),
          .scale = std::exp(scale)};
}

std::vector<std::string> tables_of_costs(const Learner& learner) {
  std::vector<std::string> out;
  for (const char* name : {"breast_cancer", "credit-g", "pima", "phoneme", "digits", "abalone"})
    if (learner.values || data::find_known_table(name)->task != "regression") out.emplace_back(name);
  return out;
}

std::vector<std::shared_ptr<DataProblem>> problems_of_costs(const Trial& trial, const Place& place) {
  const auto seed = [&](const char* source) {
    const auto found = trial.seeds.find(source);
    return found == trial.seeds.end() ? 0 : found->second;
  };
  std::vector<std::shared_ptr<DataProblem>> out;
  const std::string name = name_in(trial.values);
  for (const auto& table : tables_of_costs(*learner_if_known(name))) {
    Values values = trial.values;
    values["problem"] = "data:" + table;
    DataSettings settings{
        .learners = {name}, .resampling = ResamplingChoice::holdout, .cost_scales = data_settings(values).cost_scales};
    out.push_back(std::make_shared<DataProblem>(
        data_of(values, place.data), std::move(settings),
        DataSeeds{.split = seed("data-split"), .order = seed("data-order"), .init = seed("init")}));
  }
  return out;
}

std::unique_ptr<workloads::Run> measure_costs(const Trial& trial, const Place& place) {
  return std::make_unique<Measuring>(trial, place);
}

}  // namespace retrial::automl
