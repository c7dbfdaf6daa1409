#include <algorithm>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "workloads/pipeline/analysis/schedule.hpp"
#include "workloads/pipeline/methods/semantics.hpp"
#include "workloads/pipeline/report/views.hpp"

namespace retrial::pipeline {
namespace {

/// The first samples of a run as its stages pass them. A network that lags as a whole is a simulation; it represents
/// a pipeline of one_f_one_b.
Schedule first_passes(const Json& artifact, const Values& values) {
  const auto delays = artifact.at("delays").get<std::vector<std::int64_t>>();
  const auto S = static_cast<std::int64_t>(delays.size());
  const SemanticsRule& semantics = rule_of(semantics_named(text_in(values, "semantics")));
  const std::int64_t group = semantics.drains ? integer_in(values, "microbatches") : 1;
  const bool alone = delays.front() == 0 && !semantics.drains;  // a sample takes as long as a full pipeline
  const std::int64_t shown = alone ? 3 : 2 * S + 4;
  const std::int64_t groups =
      std::clamp<std::int64_t>(std::min(static_cast<std::int64_t>(report::max_marks) / (4 * S), shown) / group, 1,
                               std::max<std::int64_t>(1, artifact.at("updates").at(0)));
  if (semantics.forward_lags && delays.front() > 0) return program("1f1b", S, groups);
  Schedule made;
  for (const Program& each : programs(semantics.value, delays, group, groups * group)) {
    auto& entries = made.emplace_back();
    for (std::int64_t forwards = 0, backwards = 0; backwards < each.total;)
      if (each.backward_is_next(forwards, backwards))
        entries.push_back({.pass = Pass::backward, .index = backwards++});
      else
        entries.push_back({.pass = Pass::forward, .index = forwards++});
  }
  return made;
}

/// "pb, S = 12".
std::string schedule_name(const Values& values) {
  const std::string delay = text_in(values, "delay"), semantics = text_in(values, "semantics");
  return (delay == "none" ? semantics : delay) + ", S = " + std::to_string(integer_in(values, "stages"));
}

}  // namespace

report::Part timeline_view(const workloads::StudyEvidence& evidence, const Values&) {
  report::Table table{.caption =
                          "share of steps in which a stage works, over the run: with a forward and a backward in one "
                          "step (tick), or one of them (slot)",
                      .columns = {{"schedule"}, {"variants"}, report::right("tick %"), report::right("slot %")},
                      .rows = {}};
  report::Section section{.id = "timeline", .title = "Timeline", .blocks = {}};
  Json data = Json::array();
  std::vector<std::string> names;
  for (const PipelineVariant& variant : pipeline_variants(evidence)) {
    if (variant.artifact.is_null()) continue;
    const double tick = variant.finals("utilisation_tick").at(0), slot = variant.finals("utilisation_slot").at(0);
    const std::string name = schedule_name(variant.of->values);
    const auto known = std::ranges::find(names, name);
    if (known != names.end()) {
      auto& users = table.rows[static_cast<std::size_t>(known - names.begin())][1];
      users = report::Cell(users + ", " + variant.of->name);
      continue;
    }
    names.push_back(name);
    table.rows.push_back(
        {name, variant.of->name, report::short_text(100 * tick, 3), report::short_text(100 * slot, 3)});
    const Simulation simulation = simulate_schedule(first_passes(variant.artifact, variant.of->values), 1, 1, 0);
    section.blocks.emplace_back(timeline_figure(
        "Schedule " + name, "A forward and a backward take one step each; a gap is an idle stage.", simulation));
    data.push_back({{"schedule", name},
                    {"utilisation_tick", report::derived(tick)},
                    {"utilisation_slot", report::derived(slot)},
                    {"stages", passes_json(simulation)}});
  }
  if (table.rows.empty())
    section.blocks.emplace_back(report::Paragraph{"no trial has a result"});
  else
    section.blocks.insert(section.blocks.begin(), std::move(table));
  return {.section = std::move(section), .data = {{"timeline", std::move(data)}}};
}

}  // namespace retrial::pipeline
