#include "harness/watch/history.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "harness/gate/claim_sides.hpp"
#include "harness/gate/measured/baseline.hpp"
#include "harness/gate/measured/stored_suite.hpp"
#include "harness/scores/selection/series.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/history/changepoint.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline watch {
namespace {

constexpr std::size_t shown_values = 31;

[[noreturn]] void refuse_name(const char* option, const std::string& value, const std::vector<std::string>& names) {
  const auto near = results::nearest(value, names);
  throw Error({.code = "history.name",
               .field = option,
               .value = results::one_line(value, 100),
               .problem = "is not in this history",
               .allowed = results::one_line(results::joined(names), 400),
               .help = near ? "did you mean " + std::string(option) + " " + *near + "?" : ""});
}

void require_known(const CommitHistory& history, const HistoryChoice& choice) {
  std::vector<std::string> metrics, workloads;
  for (const CommitSeries& one : history.series) {
    if (std::ranges::find(metrics, one.metric) == metrics.end()) metrics.push_back(one.metric);
    if (std::ranges::find(workloads, one.workload) == workloads.end()) workloads.push_back(one.workload);
  }
  for (const std::string& name : choice.metrics)
    if (std::ranges::find(metrics, name) == metrics.end()) refuse_name("--metric", name, metrics);
  if (choice.workload && std::ranges::find(workloads, *choice.workload) == workloads.end())
    refuse_name("--task", *choice.workload, workloads);
}

/// Steps and change points of the values themselves.
void mark(CommitSeries& series) {
  std::vector<double> values;
  for (const CommitPoint& point : series.points) values.push_back(point.value);
  if (values.size() < 2) return;
  const std::size_t from = series.first_shown();
  const auto changes = variance::relative_changes(std::span(values).subspan(from));
  std::vector<double> finite;
  std::ranges::copy_if(changes, std::back_inserter(finite), [](double c) { return std::isfinite(c); });
  if (!finite.empty()) series.threshold = variance::change_threshold(finite);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CommitPoint& point = series.points[from + i + 1];
    const double sign = point.value < series.points[from + i].value ? -1.0 : 1.0;
    point.change = sign * changes[i];
    point.stands_out = !std::isfinite(changes[i]) || changes[i] > series.threshold->threshold;
  }
  for (const auto& change : variance::windowed_changes(values)) series.points[change.index].change_point = true;
}

/// The values that fit the filter, and the keys that values have.
class FilteredValues {
 public:
  explicit FilteredValues(const FactFilter& filter) : filter_(filter) {}

  /// `facts`: of the machine, and whatever else the history knows of this commit.
  [[nodiscard]] bool takes(Facts facts, const std::string& commit, const std::string& benchmark,
                           const std::string& metric) {
    facts["commit"] = {commit}, facts["benchmark"] = {benchmark}, facts["metric"] = {metric};
    for (const auto& fact : facts) keys_.insert(fact.first);
    const bool out = filter_.fits(facts);
    taken_ = taken_ || out;
    return out;
  }
  void require_some() const {
    if (filter_.empty() || keys_.empty()) return;
    filter_.require_known(keys_);
    if (!taken_)
      throw Error({.exit = Exit::incomparable,
                   .code = "history.empty",
                   .field = "--where",
                   .problem = "no value of this history fits"});
  }

 private:
  const FactFilter& filter_;
  std::set<std::string> keys_;
  bool taken_ = false;
};

void finish(CommitHistory& history, const HistoryChoice& choice) {
  require_known(history, choice);
  std::erase_if(history.series, [&](const CommitSeries& one) {
    const bool metric = choice.metrics.empty() || std::ranges::find(choice.metrics, one.metric) != choice.metrics.end();
    return !metric || (choice.workload && *choice.workload != one.workload);
  });
  std::ranges::stable_sort(history.series, [](const CommitSeries& a, const CommitSeries& b) {
    return std::tie(a.workload, a.metric) < std::tie(b.workload, b.metric);
  });
  for (CommitSeries& one : history.series) mark(one);
}

CommitSeries& series_in(CommitHistory& history, const WatchedSeries& like) {
  const auto found = std::ranges::find_if(
      history.series, [&](const auto& one) { return one.workload == like.workload && one.metric == like.metric; });
  if (found != history.series.end()) return *found;
  history.series.push_back(
      {.workload = like.workload, .metric = like.metric, .unit = like.unit, .direction = like.direction, .points = {}});
  return history.series.back();
}

}  // namespace

std::size_t CommitSeries::first_shown() const {
  return points.size() > shown_values ? points.size() - shown_values : 0;
}

std::int64_t CommitHistory::alarms() const {
  std::int64_t out = 0;
  for (const CommitSeries& one : series)
    out += std::ranges::count_if(one.points, [](const auto& point) { return !point.alarm.empty(); });
  return out;
}

std::int64_t CommitHistory::standing_out() const {
  std::int64_t out = 0;
  for (const CommitSeries& one : series) out += std::ranges::count_if(one.points, &CommitPoint::stands_out);
  return out;
}

CommitHistory history_of(const std::vector<WatchState>& states, const HistoryChoice& choice) {
  CommitHistory out;
  FilteredValues values(choice.where);
  for (const WatchState& state : states) {
    if (!state.reset.empty()) {
      out.notes.push_back("the watch began again after state " + std::to_string(state.number - 1) + ": " + state.reset);
      continue;
    }
    out.settings = state.settings;
    Facts facts;
    for (const auto& [key, value] : state.machine) facts[key] = {value};
    for (const WatchedSeries& one : state.series) {
      if (!values.takes(facts, state.commit, one.workload, one.metric)) continue;
      CommitSeries& series = series_in(out, one);
      series.points.push_back({.commit = state.commit, .value = one.median[head], .level = one.candidate.level});
      series.points.back().alarm = one.control.alarm.empty() ? one.candidate.alarm : "invalid";
      series.alarm_at = alarm_level(state.settings, state.series.size());
    }
  }
  values.require_some();
  finish(out, choice);
  return out;
}

CommitHistory history_of_stores(const std::vector<std::filesystem::path>& files, const HistoryChoice& choice) {
  CommitHistory out;
  FilteredValues filtered(choice.where);
  for (const auto& file : files) {
    const results::Store store(file, results::Store::Access::read);
    std::vector<results::MetricDef> metrics = store.metric_defs();
    std::erase_if(metrics, [](const auto& def) { return def.direction == results::Direction::none; });
    const std::string commit = commit_of(store).value_or(file.stem().string());
    const GateSuite suite = suite_in(store, metrics);
    Facts facts = machine_facts(store, gate_studies(store));
    facts["store"] = {file.filename().string()};
    for (const GateClaim& claim : suite.claims) {
      std::vector<double> values;
      for (const GateTrial& trial : claim.trials[claim.trials[head].empty() ? base : head])
        if (!trial.failed && !trial.values.empty())
          values.push_back(reduced(trial.values, Statistic::automatic, claim.direction));
      if (values.empty() || !filtered.takes(facts, commit, claim.workload, claim.metric)) continue;
      CommitSeries& series = series_in(
          out, {.workload = claim.workload, .metric = claim.metric, .unit = claim.unit, .direction = claim.direction});
      series.points.push_back({.commit = commit, .value = *variance::median(values)});
    }
  }
  filtered.require_some();
  finish(out, choice);
  return out;
}

CommitHistory history_of(const ScoreTable& table, const HistoryChoice& choice,
                         std::optional<variance::Direction> direction) {
  CommitHistory out;
  FilteredValues values(choice.where);
  out.notes = table.notes;
  for (const std::string& metric : table.metric_names()) {
    const auto facts = table.metrics.find(metric);
    for (const scores::Series& series :
         series_of(table, {.metric = metric, .task = {}, .variant = {}, .within = Within::median})) {
      CommitSeries one{.workload = series.name, .metric = metric, .unit = {}, .points = {}};
      if (facts != table.metrics.end()) one.unit = facts->second.unit, one.direction = facts->second.direction;
      if (direction) one.direction = *direction;
      for (const SeriesPoint& point : series.points) {
        Facts facts;
        if (const auto machine = table.machines.find(point.label); machine != table.machines.end())
          for (const auto& [key, found] : machine->second) facts[key].assign(found.begin(), found.end());
        if (values.takes(std::move(facts), point.label, one.workload, metric))
          one.points.push_back({.commit = point.label, .value = point.value});
      }
      if (series.empty > 0)
        out.notes.push_back(series_name(one.workload, metric) + ": " + std::to_string(series.empty) +
                            " commits without a value are left out");
      if (!one.points.empty()) out.series.push_back(std::move(one));
    }
  }
  values.require_some();
  finish(out, choice);
  return out;
}

}  // namespace retrial::harness::inline watch
