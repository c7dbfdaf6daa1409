#include "harness/gate/suite_of_scores.hpp"

#include <algorithm>
#include <map>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate {
namespace {

using variance::Direction;

void require_metrics(const ScoreTable& table, const std::vector<std::string>& wanted) {
  const auto names = table.metric_names();
  for (const std::string& name : wanted) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const auto near = results::nearest(name, names);
    throw Error({.code = "gate.metric",
                 .field = "--metric",
                 .value = results::one_line(name, 100),
                 .problem = "no such metric in the scores",
                 .allowed = results::joined(names),
                 .help = near ? "did you mean --metric " + *near + "?" : ""});
  }
}

Direction direction_in(const ScoreTable& table, const std::string& metric, const SuiteChoice& choice) {
  const auto facts = table.metrics.find(metric);
  const auto direction = facts == table.metrics.end() ? Direction::none : facts->second.direction;
  if (direction != Direction::none) return direction;
  if (choice.direction) return *choice.direction;
  throw Error({.code = "metric.no_direction",
               .field = "--higher or --lower",
               .problem = "must be given: it states which scores" +
                          (metric.empty() ? std::string() : " of " + results::one_line(metric, 100)) + " are better"});
}

/// A process within a claim. Runs without a cluster are processes of their own.
struct Process {
  std::string cluster;
  std::optional<std::int64_t> pair;
  std::size_t row;
  auto operator<=>(const Process&) const = default;
};

void add_row(GateClaim& claim, std::size_t side, std::map<Process, std::size_t>& places, const Process& process,
             const ScoreRow& row, const ScoreTable& table) {
  auto& trials = claim.trials[side];
  const auto [found, added] = places.try_emplace(process, trials.size());
  if (added) {
    trials.push_back({.pair = row.pair});
    if (const auto start = table.started.find(row.cluster); !row.cluster.empty() && start != table.started.end())
      trials.back().started = start->second;
  }
  GateTrial& trial = trials[found->second];
  if (row.score)
    trial.values.push_back(*row.score);
  else
    trial.failed = true;
}

std::vector<MachineDifference> differences_of(const ScoreTable& table, const SuiteChoice& choice) {
  const auto facts = [&](const std::string& variant) {
    const auto found = table.machines.find(variant);
    return found == table.machines.end() ? std::map<std::string, std::set<std::string>>{} : found->second;
  };
  const auto from = facts(choice.baseline), to = facts(choice.candidate);
  const auto text = [](const std::set<std::string>& values) {
    return values.empty() ? "-" : results::joined(std::vector(values.begin(), values.end()));
  };
  std::set<std::string> keys;
  for (const auto* side : {&from, &to})
    for (const auto& [key, _] : *side) keys.insert(key);
  std::vector<MachineDifference> out;
  for (const std::string& key : keys) {
    const auto a = from.contains(key) ? from.at(key) : std::set<std::string>{};
    const auto b = to.contains(key) ? to.at(key) : std::set<std::string>{};
    if (a != b) out.push_back({key, text(a), text(b)});
  }
  return out;
}

}  // namespace

GateSuite suite_of_scores(const ScoreTable& table, const SuiteChoice& choice) {
  require_metrics(table, choice.metrics);
  std::map<std::pair<std::string, std::string>, GateClaim> claims;
  std::map<std::pair<const GateClaim*, std::size_t>, std::map<Process, std::size_t>> places;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const ScoreRow& row = table.rows[i];
    const bool wanted = choice.metrics.empty() || std::ranges::find(choice.metrics, row.metric) != choice.metrics.end();
    if (!wanted || (row.variant != choice.baseline && row.variant != choice.candidate)) continue;
    const std::size_t side = row.variant == choice.baseline ? base : head;
    GateClaim& claim = claims[{row.task, row.metric}];
    const Process process{row.cluster, row.pair, row.cluster.empty() ? i : 0};
    add_row(claim, side, places[{&claim, side}], process, row, table);
  }
  GateSuite out{.baseline = choice.baseline,
                .candidate = choice.candidate,
                .claims = {},
                .differences = differences_of(table, choice),
                .notes = table.notes};
  for (auto& [key, claim] : claims) {
    claim.workload = key.first, claim.metric = key.second;
    claim.absolute = choice.absolute;
    claim.direction = direction_in(table, claim.metric, choice);
    if (const auto facts = table.metrics.find(claim.metric); facts != table.metrics.end())
      claim.unit = facts->second.unit;
    out.claims.push_back(std::move(claim));
  }
  return out;
}

}  // namespace retrial::harness::inline gate
