#include "harness/profile/stored_profile.hpp"

#include <algorithm>

#include "harness/plan/profile_blocks.hpp"
#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline profile {
namespace {

using profiler::OnOff, profiler::PlannedRun, profiler::Role;

/// The run of a block in this configuration.
const ProfiledRun& in_configuration(const std::vector<ProfiledRun>& block, const std::vector<PlannedRun>& runs,
                                    const std::string& name) {
  const auto found = std::ranges::find(runs, name, [](const PlannedRun& run) { return run.how.name; });
  return block.at(static_cast<std::size_t>(found - runs.begin()));
}

std::string where_text(std::size_t block, const ProfileDesign& design, const PlannedRun& run) {
  const auto number = static_cast<std::int64_t>(block);
  return (run.role == Role::calibration ? "calibration block " + std::to_string(number + 1)
                                        : "pair " + std::to_string(profiler::pair_of_block(number, design.blocks))) +
         ", " + run.how.meaning;
}

/// The first run of a trial is what all later ones must repeat.
std::vector<ChangedResult> changes_in(const ProfiledBlocks& blocks, const ProfileDesign& design) {
  std::vector<ChangedResult> out;
  const results::TrialRecord* first = nullptr;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const auto runs = profile_runs(design, static_cast<std::int64_t>(b));
    for (std::size_t i = 0; i < blocks[b].size(); ++i) {
      const auto& record = blocks[b][i].record;
      if (first == nullptr || first->identity != record.identity)
        first = &record;
      else if (const auto difference = first_difference(*first, record))
        out.push_back({.run = where_text(b, design, runs[i]), .difference = *difference});
    }
  }
  return out;
}

}  // namespace

namespace {

results::ArtifactValue json_artifact(const std::string& name, const Json& document) {
  std::string body = results::canonical(document);
  return {.name = name,
          .kind = "json",
          .digest = results::sha256(body),
          .bytes = std::ssize(body),
          .body = std::move(body)};
}

profiler::RunProfile stored_run(const results::Store& store, std::int64_t trial, const std::string& profile) {
  auto run = profiler::run_profile_from(results::parse_json(profile, profile_artifact));
  if (const auto rules = store.json_artifact(trial, rules_artifact))
    run.health = profiler::health_from(results::parse_json(*rules, rules_artifact));
  return run;
}

}  // namespace

results::ArtifactValue artifact_of(const profiler::RunProfile& run, const PlannedRun& planned) {
  Json document = profiler::json_of(run);
  document["schema"] = "retrial.run_profile/1";
  document["role"] = profiler::name_of(planned.role);
  document["configuration"] = planned.how.name;
  return json_artifact(profile_artifact, document);
}

results::ArtifactValue artifact_of(const profiler::Health& health) {
  Json document = profiler::json_of(health);
  document["schema"] = "retrial.rules/1";
  return json_artifact(rules_artifact, document);
}

std::vector<ProfiledRun> stored_block(const results::Store& store, const std::vector<PlannedTrial>& trials,
                                      const std::vector<std::size_t>& block) {
  std::vector<ProfiledRun> out;
  for (const std::size_t place : block) {
    const PlannedTrial& trial = trials.at(place);
    if (trial.state != TrialState::done) return {};
    const auto text = store.json_artifact(trial.row->id, profile_artifact);
    const auto broken = [&](const std::string& problem) {
      return Error({.exit = Exit::integrity,
                    .code = "profile.artifact",
                    .where = store.path().string(),
                    .field = "artifact profile of trial " + results::hex(trial.entry.identity).substr(0, 12),
                    .problem = problem});
    };
    if (!text) throw broken("is not there");
    try {
      out.push_back({.profile = stored_run(store, trial.row->id, *text), .record = store.record(trial.row->id)});
    } catch (const std::exception& malformed) {
      throw broken(std::string("is malformed: ") + malformed.what());
    }
  }
  return out;
}

std::vector<profiler::CostEstimate> costs_of(const ProfiledBlocks& blocks, const ProfileDesign& design,
                                             std::uint64_t root) {
  std::vector<profiler::CostEstimate> out;
  for (const auto& configuration : profiler::configurations(profile_level(design))) {
    if (configuration.kind.empty()) continue;
    std::vector<OnOff> pairs;
    for (std::size_t b = 0; b < static_cast<std::size_t>(design.blocks); ++b) {
      const auto runs = profile_runs(design, static_cast<std::int64_t>(b));
      const auto& on = in_configuration(blocks.at(b), runs, configuration.name).profile;
      const auto& off = in_configuration(blocks.at(b), runs, "off").profile;
      pairs.push_back({.on_ns = static_cast<double>(on.region_ns),
                       .off_ns = static_cast<double>(off.region_ns),
                       .events = on.events_of(configuration.kind)});
    }
    const bool happens = std::ranges::any_of(pairs, [](const OnOff& one) { return one.events > 0; });
    if (happens) out.push_back(profiler::calibrate_difference(configuration.kind, pairs, root));
  }
  return out;
}

ProfiledVariant judged_variant(const std::string& name, const ProfiledBlocks& blocks, const ProfileDesign& design,
                               std::uint64_t root) {
  ProfiledVariant out{.name = name, .costs = costs_of(blocks, design, root), .changed = changes_in(blocks, design)};
  std::vector<profiler::ProfiledPair> pairs;
  for (auto b = static_cast<std::size_t>(design.blocks); b < blocks.size(); ++b) {
    const auto runs = profile_runs(design, static_cast<std::int64_t>(b));
    out.off.push_back(in_configuration(blocks[b], runs, "off").profile);
    out.full.push_back(in_configuration(blocks[b], runs, "full").profile);
    pairs.push_back({.off_ns = static_cast<double>(out.off.back().region_ns),
                     .full_ns = static_cast<double>(out.full.back().region_ns),
                     .events = out.full.back().charged_events(),
                     .dropped = out.full.back().dropped,
                     .same_digests = out.changed.empty()});  // those of the calibration too
  }
  out.validation = profiler::validate(pairs, out.costs, design.tolerance, root);
  return out;
}

std::vector<ProfiledVariant> stored_profile(const results::Store& store, const std::vector<results::PlanEntry>& plan,
                                            const ProfileDesign& design, std::uint64_t root) {
  const auto trials = plan_state(store, plan);
  std::vector<std::pair<std::string, ProfiledBlocks>> variants;
  for (const auto& block : blocks_of(plan)) {
    const std::string& variant = plan[block.front()].variant;
    if (variants.empty() || variants.back().first != variant) variants.push_back({variant, {}});
    variants.back().second.push_back(stored_block(store, trials, block));
  }
  std::vector<ProfiledVariant> out;
  for (const auto& [name, blocks] : variants) out.push_back(judged_variant(name, blocks, design, root));
  return out;
}

void keep_profile(results::Store& store, const results::Digest& study, const Json& profile) {
  const auto is_ours = [&](const Json& document) {
    return document.value("study", "") == results::hex(study) && document.contains("profile");
  };
  if (std::ranges::any_of(store.documents("result"), is_ours)) return;
  store.put_document(
      "result",
      {{"schema", "retrial.result/1"}, {"study", results::hex(study)}, {"profile", results::stored_form(profile)}});
}

}  // namespace retrial::harness::inline profile
