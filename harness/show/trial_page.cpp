#include "harness/show/trial_page.hpp"

#include <algorithm>
#include <map>

#include "determinism/mode/kernel_mode.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline show {
namespace {

/// A canonical value for people; doubles are decoded where the declaration is at hand.
std::string value_text(const Json& canonical, const workloads::Parameter* parameter) {
  if (parameter != nullptr)
    return results::text_of(results::value_from_canonical(canonical, parameter->fallback, parameter->name));
  return canonical.is_string() ? canonical.get<std::string>() : canonical.dump();
}

/// Keys that differ from their default; all of them when the workload is not known to this program.
std::string parameters_table(const TrialDetails& details) {
  const auto* declaration = workloads::workload_if_known(details.trial.entry.workload);
  const Json values = details.body.value("values", Json::object());
  TextTable table({{"key"}, {"value"}});
  for (const auto& [key, value] : values.items()) {
    const auto* parameter = declaration == nullptr ? nullptr : workloads::find_parameter(*declaration, key);
    if (parameter != nullptr && value == results::canonical_value(parameter->fallback)) continue;
    table.add({key, results::one_line(value_text(value, parameter), 200)});
  }
  if (table.empty()) return "\nParameters: all at their defaults\n";
  return std::string("\n") + bold("Parameters") +
         (declaration == nullptr ? "" : " (the others are at their defaults)") + "\n" + table.text(2, terminal_width());
}

std::string seeds_table(const TrialDetails& details) {
  const Json seeds = details.body.value("seeds", Json::object());
  const Json pairs = details.body.value("pairs", Json::object());
  if (seeds.empty()) return "\nSeeds: none; this trial honours no source of variation\n";
  TextTable table({{"source"}, {"pair index", Align::right}, {"seed"}});
  for (const auto& [source, seed] : seeds.items())
    table.add({source, pairs.contains(source) ? pairs.at(source).dump() : "0",
               seed.is_string() ? seed.get<std::string>() : seed.dump()});
  return "\n" + bold("Seeds") + "\n" + table.text(2, terminal_width());
}

const results::MetricDef* def_of(const TrialDetails& details, const std::string& name) {
  const auto found =
      std::find_if(details.defs.begin(), details.defs.end(), [&](const auto& d) { return d.name == name; });
  return found == details.defs.end() ? nullptr : &*found;
}

std::string finals_table(const TrialDetails& details) {
  TextTable table({{"metric"}, {"value", Align::right}, {"unit"}, {"nature"}});
  std::map<std::string, std::vector<const results::MetricValue*>> series;
  for (const auto& metric : details.metrics) {
    const auto* def = def_of(details, metric.name);
    if (metric.step >= 0)
      series[metric.name].push_back(&metric);
    else
      table.add({metric.name, results::text_of(metric.value), def ? def->unit : "",
                 def ? std::string(results::name_of(def->nature)) : ""});
  }
  std::string out;
  if (!table.empty()) out += "\n" + bold("Metrics") + "\n" + table.text(2, terminal_width());
  if (series.empty()) return out;
  TextTable curves({{"series"}, {"points", Align::right}, {"first", Align::right}, {"last", Align::right}});
  for (const auto& [name, points] : series)
    curves.add({name, std::to_string(points.size()), results::text_of(points.front()->value),
                results::text_of(points.back()->value)});
  return out + "\n" + bold("Series") + " (--metrics prints every point)\n" + curves.text(2, terminal_width());
}

std::string step_text(std::int64_t step) {
  return step < 0 ? "end" : std::to_string(step);
}

std::string digests_table(const TrialDetails& details) {
  TextTable table({{"digest"}, {"step", Align::right}, {"algorithm"}, {"value"}});
  for (const auto& digest : details.digests) table.add({digest.name, step_text(digest.step), digest.algo, digest.hex});
  return table.empty() ? "" : table.text(2, terminal_width());
}

/// The last digest of each name: steps in between are printed by --digests.
std::string last_digests(const TrialDetails& details) {
  TrialDetails last = details;
  last.digests.clear();
  for (const auto& digest : details.digests) {
    const auto same =
        std::find_if(last.digests.begin(), last.digests.end(), [&](const auto& d) { return d.name == digest.name; });
    if (same == last.digests.end())
      last.digests.push_back(digest);
    else if (same->step >= 0 && (digest.step < 0 || digest.step > same->step))
      *same = digest;
  }
  if (last.digests.empty()) return "";
  const std::string more =
      last.digests.size() < details.digests.size() ? " (the last of each; --digests prints every step)" : "";
  return "\n" + bold("Digests") + more + "\n" + digests_table(last);
}

std::string artifacts_table(const TrialDetails& details) {
  TextTable table({{"artifact"}, {"kind"}, {"bytes", Align::right}, {"sha256"}});
  for (const auto& artifact : details.artifacts)
    table.add({results::one_line(artifact.name, 100), artifact.kind, std::to_string(artifact.bytes),
               results::hex(artifact.digest)});
  return table.empty() ? "" : "\n" + bold("Artifacts") + "\n" + table.text(2, terminal_width());
}

std::string end_text(const results::TrialRow& row, const results::AttemptDetails& details) {
  std::string out(results::name_of(row.status));
  if (details.exit_code) out += ", exit code " + std::to_string(*details.exit_code);
  if (details.signal) out += ", signal " + std::to_string(*details.signal);
  return row.excluded ? out + ", excluded" : out;
}

std::string costs_text(const results::TrialRow& row, const results::AttemptDetails& details) {
  std::string out = duration_text(static_cast<double>(row.wall_ns) * 1e-9) + " of wall time";
  if (details.cpu_ns) out += ", " + duration_text(static_cast<double>(*details.cpu_ns) * 1e-9) + " of CPU";
  if (details.peak_rss) out += ", peak memory " + bytes_text(static_cast<double>(*details.peak_rss));
  return out;
}

std::string attempts_table(const TrialDetails& details) {
  if (details.attempts.size() < 2) return "";
  TextTable table({{"attempt"}, {"started"}, {"ended"}, {"counts"}});
  for (std::size_t i = 0; i < details.attempts.size(); ++i) {
    const auto& row = details.attempts[i];
    table.add({results::hex(row.attempt).substr(0, 12), utc_text(row.started_ns),
               end_text(row, details.attempt_details[i]),
               details.trial.row && row.record == details.trial.row->record ? "yes" : ""});
  }
  return "\n" + bold("Attempts") + "\n" + table.text(2, terminal_width());
}

std::string json_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "-" : value.dump();
}

std::string head_table(const TrialDetails& details) {
  const auto& entry = details.trial.entry;
  TextTable table({{""}, {""}});
  table.add({"identity", results::hex(entry.identity)});
  table.add({"workload", entry.workload});
  table.add({"kernel mode", determinism::mode_text(details.body.value("mode", Json()))});
  table.add({"program", json_text(details.body.value("program", Json()))});
  table.add({"data set", json_text(details.body.value("dataset", Json()))});
  table.add({"state", std::string(name_of(details.trial.state)) +
                          (details.trial.row ? " (" + end_text(*details.trial.row, details.details) + ")" : "")});
  if (details.trial.row) {
    table.add({"started",
               utc_text(details.trial.row->started_ns) + ", worker " + results::one_line(details.details.worker, 100)});
    table.add({"cost", costs_text(*details.trial.row, details.details)});
    if (details.details.message) table.add({"message", results::one_line(*details.details.message, 1000)});
  }
  return table.text(2, terminal_width());
}

}  // namespace

std::string trial_page(const TrialDetails& details, const std::string& store) {
  const auto& entry = details.trial.entry;
  const std::string name = trial_name(entry);
  std::string out = bold("Trial " + name) + " (#" + std::to_string(entry.ordinal) + ") of study " + details.study +
                    "\n" + head_table(details) + parameters_table(details) + seeds_table(details) +
                    finals_table(details) + last_digests(details) + artifacts_table(details) + attempts_table(details);
  if (details.trial.state == TrialState::done)
    out += "\nnext: retrial replay " + shell_word(store) + " " + shell_word(name) +
           " runs it again and compares every bit\n";
  return out;
}

std::string metrics_page(const TrialDetails& details) {
  TextTable table({{"metric"}, {"step", Align::right}, {"value", Align::right}, {"bits"}});
  for (const auto& metric : details.metrics)
    table.add(
        {metric.name, step_text(metric.step), results::text_of(metric.value), results::hex_of_bits(metric.value)});
  return table.text();
}

std::string digests_page(const TrialDetails& details) {
  return digests_table(details);
}

}  // namespace retrial::harness::inline show
