#include "harness/show/trial_page.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "determinism/mode/kernel_mode.hpp"
#include "harness/plan/trial_body.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/text/failure_text.hpp"
#include "harness/text/output.hpp"
#include "results/record/score_bounds.hpp"
#include "results/text/text.hpp"
#include "workloads/command/line/placeholders.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline show {
namespace {

using report::right;

std::string json_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "-" : value.dump();
}

/// A canonical value for people; doubles are decoded where the declaration is at hand.
std::string value_text(const Json& canonical, const workloads::Parameter* parameter) {
  if (parameter != nullptr)
    return results::text_of(results::value_from_canonical(canonical, parameter->fallback, parameter->name));
  return canonical.is_string() ? canonical.get<std::string>() : canonical.dump();
}

using Blocks = std::vector<report::Block>;

void add_table(report::Table table, Blocks& to) {
  if (!table.rows.empty()) to.emplace_back(std::move(table));
}

/// Keys that differ from their default; all of them when the workload is not known to this program.
void add_parameters(const TrialDetails& details, Blocks& to) {
  const auto* declaration = workloads::workload_if_known(details.trial.entry.workload);
  const Json values = details.body.value("values", Json::object());
  report::Table table{
      .caption = std::string("Parameters") + (declaration == nullptr ? "" : " (the others are at their defaults)"),
      .columns = {"key", "value"}};
  for (const auto& [key, value] : values.items()) {
    const auto* parameter = declaration == nullptr ? nullptr : workloads::find_parameter(*declaration, key);
    if (parameter != nullptr && value == results::canonical_value(parameter->fallback)) continue;
    table.rows.push_back({key, results::one_line(value_text(value, parameter), 200)});
  }
  if (table.rows.empty()) to.emplace_back(report::Paragraph{"Parameters: all at their defaults"});
  add_table(std::move(table), to);
}

bool is_program(const TrialDetails& details) {
  const auto* declaration = workloads::workload_if_known(details.trial.entry.workload);
  return declaration != nullptr && declaration->argv;
}

/// The command line as it was run; OUT replaces the trial's own folder.
std::string command_text(const TrialDetails& details) {
  try {
    return dry_argv(TrialBody(details.body));
  } catch (const std::out_of_range&) {
    return "not shown: it names a seed that this trial does not have";
  }
}

void add_seeds(const TrialDetails& details, Blocks& to) {
  const Json seeds = details.body.value("seeds", Json::object());
  const Json pairs = details.body.value("pairs", Json::object());
  const bool of_program = is_program(details);
  report::Table table{.caption = "Seeds", .columns = {"source", right("pair index"), "seed", right("decimal")}};
  if (of_program) table.columns.push_back(right("31 bits, as {seed}"));
  for (const auto& [source, seed] : seeds.items()) {
    const auto value = seed.is_string() ? results::parse_hex16(seed.get<std::string>()) : std::nullopt;
    table.rows.push_back({source, pairs.contains(source) ? pairs.at(source).dump() : "0", json_text(seed),
                          value ? std::to_string(*value) : "-"});
    if (of_program) table.rows.back().emplace_back(value ? workloads::command::short_seed(*value) : "-");
  }
  if (seeds.empty()) to.emplace_back(report::Paragraph{"Seeds: none; this trial honors no source of variation"});
  add_table(std::move(table), to);
}

const results::MetricDef* def_of(const TrialDetails& details, const std::string& name) {
  const auto found =
      std::find_if(details.defs.begin(), details.defs.end(), [&](const auto& d) { return d.name == name; });
  return found == details.defs.end() ? nullptr : &*found;
}

/// "at least " where the value is only a bound.
std::string bound_words(const TrialDetails& details, const std::string& metric) {
  const auto found = std::ranges::find(details.metrics, results::bound_name(metric), &results::MetricValue::name);
  const auto bound = results::bound_from(found == details.metrics.end() ? std::nullopt : std::optional(found->value));
  const std::string words(variance::name_of(bound));
  return words.empty() ? "" : words + " ";
}

void add_metrics(const TrialDetails& details, Blocks& to) {
  report::Table finals{.caption = "Metrics", .columns = {"metric", right("value"), "unit", "nature"}};
  report::Table curves{.caption = "Series (--metrics prints every point)",
                       .columns = {"series", right("points"), right("first"), right("last")}};
  std::map<std::string, std::vector<const results::MetricValue*>> series;
  for (const auto& metric : details.metrics) {
    const auto* def = def_of(details, metric.name);
    if (metric.step >= 0)
      series[metric.name].push_back(&metric);
    else if (def == nullptr || !results::is_bound(*def))
      finals.rows.push_back({metric.name, bound_words(details, metric.name) + results::text_of(metric.value),
                             def ? def->unit : "", def ? std::string(results::name_of(def->nature)) : ""});
  }
  for (const auto& [name, points] : series)
    curves.rows.push_back({name, std::to_string(points.size()), results::text_of(points.front()->value),
                           results::text_of(points.back()->value)});
  add_table(std::move(finals), to);
  add_table(std::move(curves), to);
}

std::string step_text(std::int64_t step) {
  return step < 0 ? "end" : std::to_string(step);
}

/// The last digest of each name: --digests prints the steps in between.
void add_digests(const TrialDetails& details, Blocks& to) {
  std::vector<results::DigestValue> last;
  for (const auto& digest : details.digests) {
    const auto same = std::ranges::find(last, digest.name, &results::DigestValue::name);
    if (same == last.end())
      last.push_back(digest);
    else if (same->step >= 0 && (digest.step < 0 || digest.step > same->step))
      *same = digest;
  }
  auto table = digests_table(last);
  table.caption = std::string("Digests") +
                  (last.size() < details.digests.size() ? " (the last of each; --digests prints every step)" : "");
  add_table(std::move(table), to);
}

void add_artifacts(const TrialDetails& details, Blocks& to) {
  report::Table table{.caption = "Artifacts", .columns = {"artifact", "kind", right("bytes"), "sha256"}};
  for (const auto& artifact : details.artifacts)
    table.rows.push_back({results::one_line(artifact.name, 100), artifact.kind, std::to_string(artifact.bytes),
                          results::hex(artifact.digest)});
  add_table(std::move(table), to);
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
  if (details.peak_rss) out += ", peak memory of the worker " + bytes_text(static_cast<double>(*details.peak_rss));
  return out;
}

void add_attempts(const TrialDetails& details, Blocks& to) {
  if (details.attempts.size() < 2) return;
  report::Table table{.caption = "Attempts", .columns = {"attempt", "started", "ended", "counts"}};
  for (std::size_t i = 0; i < details.attempts.size(); ++i) {
    const auto& row = details.attempts[i];
    table.rows.push_back({results::hex(row.attempt).substr(0, 12), utc_text(row.started_ns),
                          end_text(row, details.attempt_details[i]),
                          details.trial.row && row.record == details.trial.row->record ? "yes" : ""});
  }
  add_table(std::move(table), to);
}

/// Of a user's program the beginning of every file's digest; the manifest has them by name.
std::string program_text(const Json& program) {
  if (!program.is_array()) return json_text(program);
  std::vector<std::string> files;
  for (const Json& digest : program) files.push_back(json_text(digest).substr(0, 12));
  return counted(std::ssize(files), "file") + ", sha256 " + results::joined(files) + " (--manifest has their names)";
}

report::Facts head_facts(const TrialDetails& details) {
  const auto& entry = details.trial.entry;
  report::Facts out{
      {{"identity", results::hex(entry.identity)},
       {"workload", entry.workload},
       {"kernel mode", determinism::mode_text(details.body.value("mode", Json()))},
       {"program", program_text(details.body.value("program", Json()))},
       {"data set", json_text(details.body.value("dataset", Json()))},
       {"state", std::string(name_of(details.trial.state)) +
                     (details.trial.row ? " (" + end_text(*details.trial.row, details.details) + ")" : "") +
                     (details.resumed > 0 ? ", resumed " + counted(details.resumed, "time") + " after a kill" : "")}}};
  if (is_program(details)) out.rows.push_back({"command", command_text(details)});
  if (!details.trial.row) return out;
  out.rows.push_back({"started", utc_text(details.trial.row->started_ns) + ", worker " +
                                     results::one_line(details.details.worker, 100)});
  out.rows.push_back({"cost", costs_text(*details.trial.row, details.details)});
  if (!details.details.message) return out;
  const auto failure = failure_text(*details.details.message);
  if (!failure.cause.empty()) out.rows.push_back({"reason", results::one_line(failure.cause, 1000)});
  out.rows.push_back({"message", results::one_line(failure.how, 1000)});
  return out;
}

/// The last lines of output that the message of a failed trial holds.
void add_last_lines(const TrialDetails& details, Blocks& to) {
  const auto failure = failure_text(details.details.message.value_or(""));
  if (failure.lines.empty()) return;
  to.emplace_back(report::Paragraph{"Last lines of its output (all that is stored of it: --output)"});
  to.emplace_back(report::Code{results::joined(failure.lines, "\n")});
}

}  // namespace

report::Part trial_part(const TrialDetails& details, const std::string& store) {
  const auto& entry = details.trial.entry;
  const std::string name = trial_name(entry);
  report::Section out{.id = "trial",
                      .title = "Trial " + name,
                      .aside = "(#" + std::to_string(entry.ordinal) + ") of study " + details.study,
                      .blocks = {head_facts(details)}};
  for (const auto add_to :
       {add_last_lines, add_parameters, add_seeds, add_metrics, add_digests, add_artifacts, add_attempts})
    add_to(details, out.blocks);
  const TrialBody body(details.body);
  if (details.trial.state == TrialState::done)
    out.blocks.emplace_back(
        report::Paragraph{"next: " + replay_line(store, entry, body) + " runs it again and compares every bit"});
  return {.section = std::move(out), .data = trial_json(details)};
}

report::Table values_table(const TrialDetails& details) {
  report::Table out{.columns = {"metric", right("step"), right("value"), "bits"}};
  for (const auto& metric : details.metrics)
    out.rows.push_back(
        {metric.name, step_text(metric.step), results::text_of(metric.value), results::hex_of_bits(metric.value)});
  return out;
}

report::Table digests_table(const std::vector<results::DigestValue>& digests) {
  report::Table out{.columns = {"digest", right("step"), "algorithm", "value"}};
  for (const auto& digest : digests) out.rows.push_back({digest.name, step_text(digest.step), digest.algo, digest.hex});
  return out;
}

}  // namespace retrial::harness::inline show
