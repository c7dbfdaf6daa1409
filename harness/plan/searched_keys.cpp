#include "harness/plan/searched_keys.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline plan {
namespace {

const std::vector<std::size_t> none;

Error not_in_plan(const std::string& identity) {
  return Error({.exit = Exit::integrity,
                .code = "store.damaged",
                .where = "plan",
                .field = "search",
                .value = identity.substr(0, 12),
                .problem = "is not a trial of the plan before the one that needs it"});
}

const results::PlanEntry& entry_named(const std::vector<results::PlanEntry>& plan, const std::string& identity) {
  const auto digest = results::digest_from_hex(identity, "search");
  const auto found =
      std::find_if(plan.begin(), plan.end(), [&](const auto& entry) { return entry.identity == digest; });
  if (found != plan.end()) return *found;
  throw not_in_plan(identity);
}

/// A body is parsed only where it may name a search: 100,000 of them take seconds.
bool may_search(const results::PlanEntry& entry) {
  return entry.trial_body.find("\"search\":{") != std::string::npos;
}

std::optional<double> final_value(const results::Store& store, const std::string& identity, const std::string& metric) {
  const auto row = store.canonical(results::digest_from_hex(identity, "search"), 0);
  if (!row) return {};
  for (const auto& value : store.metrics(row->id))
    if (value.name == metric && value.step == -1 && std::isfinite(value.value)) return value.value;
  return {};
}

struct Best {
  std::string identity;
  double value = 0.0;
};

std::optional<Best> best_of(const results::Store& store, const Json& search) {
  const auto metric = search.at("metric").get<std::string>();
  const bool higher = search.at("direction") == "higher";
  std::optional<Best> best;
  for (const auto& trial : search.at("trials")) {
    const auto identity = trial.get<std::string>();
    const auto value = final_value(store, identity, metric);
    if (!value || (best && (higher ? *value <= best->value : *value >= best->value))) continue;
    best = Best{.identity = identity, .value = *value};
  }
  return best;
}

}  // namespace

SearchPlan::SearchPlan(const std::vector<results::PlanEntry>& plan) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    places.emplace(results::hex(plan[i].identity), i);
    if (!may_search(plan[i])) continue;
    const TrialBody body(plan[i]);
    if (body.search() == nullptr) continue;
    for (const auto& trial : body.search()->at("trials")) {
      const auto place = places.find(trial.get<std::string>());
      if (place == places.end()) throw not_in_plan(trial.get<std::string>());
      waits_for_[i].push_back(place->second);
      awaited_by_[place->second].push_back(i);
    }
  }
}

const std::vector<std::size_t>& SearchPlan::prerequisites(std::size_t place) const {
  const auto found = waits_for_.find(place);
  return found == waits_for_.end() ? none : found->second;
}

const std::vector<std::size_t>& SearchPlan::dependents(std::size_t place) const {
  const auto found = awaited_by_.find(place);
  return found == awaited_by_.end() ? none : found->second;
}

TrialBody with_searched_keys(const results::Store& store, const std::vector<results::PlanEntry>& plan, TrialBody body) {
  if (body.search() == nullptr) return body;
  Json document = body.document();
  Json& search = document.at("search");
  const auto best = best_of(store, search);
  if (!best)
    throw Error(
        {.exit = Exit::measurement,
         .code = "search.no_result",
         .where = "search",
         .field = search.at("metric").get<std::string>(),
         .problem = "no trial of the search has a finite value of this metric, so there are no keys to run with"});
  const TrialBody chosen(entry_named(plan, best->identity));
  for (const auto& key : search.at("keys")) {
    const auto name = key.get<std::string>();
    document.at("values")[name] = chosen.document().at("values").at(name);
  }
  search["chosen"] = {{"identity", best->identity}, {"value", results::hex_of_bits(best->value)}};
  return TrialBody(std::move(document));
}

Json provenance_of(const Json& search) {
  Json document = search;
  document.erase("chosen");
  return {{"hpo_run", results::hex(results::digest_of(document))},
          {"metric", search.at("metric")},
          {"chosen", search.value("chosen", Json())}};
}

}  // namespace retrial::harness::inline plan
