#include "harness/stored/likeness/emulated_trials.hpp"

#include <algorithm>
#include <iterator>

#include "harness/plan/trial_name.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline stored::inline likeness {
namespace {

/// The emulated CPU of an environment document; empty: none.
std::string emulated_in(const Json& environment) {
  static const Json::json_pointer place("/machine/emulated");
  return environment.contains(place) && environment.at(place).is_string() ? environment.at(place).get<std::string>()
                                                                          : "";
}

std::string machine_text(const std::string& emulated) {
  return emulated.empty() ? "ran natively" : "ran on an emulated CPU (" + results::one_line(emulated, 100) + ")";
}

}  // namespace

CpuKinds cpu_kinds(const results::Store& store, const results::Digest& study, const std::vector<PlannedTrial>& trials) {
  // Few documents, and nearly always none of them is emulated: the environments of 100,000 trials are not read then.
  if (std::ranges::all_of(store.documents("environment"), [](const auto& one) { return emulated_in(one).empty(); }))
    return {};
  const auto pairs = store.environments_by_attempt(study);
  const std::map<std::int64_t, results::Digest> environments(pairs.begin(), pairs.end());
  std::map<results::Digest, std::string> known;
  CpuKinds kinds;
  for (const auto& trial : trials) {
    if (trial.state != TrialState::done) continue;
    const auto environment = environments.find(trial.row->id);
    if (environment == environments.end()) continue;
    const auto [of, fresh] = known.try_emplace(environment->second);
    if (const auto document = fresh ? store.document(environment->second) : std::nullopt)
      of->second = emulated_in(*document);
    kinds.try_emplace(of->second, trial_name(trial.entry));
  }
  return kinds;
}

void demand_one_kind_of_cpu(const CpuKinds& kinds, const std::string& where) {
  if (kinds.size() < 2) return;
  const auto &one = *kinds.begin(), &other = *std::next(kinds.begin());
  throw Error({.exit = Exit::incomparable,
               .code = "compare.emulated",
               .where = where,
               .problem = "trial " + one.second + " " + machine_text(one.first) + ", trial " + other.second + " " +
                          machine_text(other.first) + ": they are not judged together",
               .help = "run the study on one kind of CPU, in a store of its own (--db)"});
}

}  // namespace retrial::harness::inline stored::inline likeness
