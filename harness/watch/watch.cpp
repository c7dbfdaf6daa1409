#include "harness/watch/watch.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline watch {
namespace {

using variance::DetectorEvidence;

/// Evidence for the other direction.
double turned(DetectorEvidence evidence, double x) {
  return evidence == DetectorEvidence::bounded ? 1.0 - x : -x;
}

TwoDetectors advanced(const TwoDetectors& before, const WatchSettings& settings, double level,
                      const std::vector<double>& evidence, const std::optional<FrozenReference>& reference) {
  variance::Detector detector{.evidence = settings.evidence, .run_length = level};
  if (settings.evidence == DetectorEvidence::bounded) detector.reference = reference->mean;
  TwoDetectors out;
  if (settings.direction != WatchDirection::better) {
    const auto step = variance::update(detector, before.worse, evidence);
    out.worse = step.state, out.level = step.level;
    if (step.alarm) out.alarm = "worse";
  }
  if (settings.direction != WatchDirection::worse) {
    std::vector<double> other;
    for (const double x : evidence) other.push_back(turned(settings.evidence, x));
    detector.reference = turned(DetectorEvidence::bounded, detector.reference);
    const auto step = variance::update(detector, before.better, other);
    out.better = step.state, out.level = std::max(out.level, step.level);
    if (step.alarm && out.alarm.empty()) out.alarm = "better";
  }
  return out;
}

/// A block counts as worse where its evidence speaks for that.
std::int64_t worse_in(const WatchedRuns& runs, DetectorEvidence evidence) {
  const double none = evidence == DetectorEvidence::bounded ? runs.reference->mean : 0.0;
  return std::ranges::count_if(runs.evidence, [&](double x) { return x > none; });
}

bool same_series(const WatchedSeries& a, const WatchedRuns& b) {
  return a.workload == b.workload && a.metric == b.metric;
}

const WatchedSeries* found_in(const std::optional<WatchState>& before, const WatchedRuns& runs) {
  if (!before) return nullptr;
  const auto found = std::ranges::find_if(before->series, [&](const auto& one) { return same_series(one, runs); });
  return found == before->series.end() ? nullptr : &*found;
}

void require_every_series(const WatchState& before, const WatchedCommit& commit) {
  std::vector<std::string> names;
  for (const WatchedRuns& runs : commit.series) names.push_back(series_name(runs.workload, runs.metric));
  for (const WatchedSeries& one : before.series) {
    if (std::ranges::any_of(commit.series, [&](const auto& runs) { return same_series(one, runs); })) continue;
    const std::string name = series_name(one.workload, one.metric);
    const auto near = results::nearest(name, names);
    throw Error({.exit = Exit::incomparable,
                 .code = "watch.missing",
                 .field = results::one_line(name, 200),
                 .problem = "is watched, and this commit has no run of it: removed or renamed" +
                            (near ? " (is it " + results::one_line(*near, 200) + "?)" : std::string()),
                 .help = "measure it again, or begin a new watch with --reset --reason TEXT"});
  }
}

void require_same_machine(const WatchState& before, const WatchedCommit& commit) {
  for (const auto& [key, value] : before.machine)
    if (const auto now = commit.machine.find(key); now == commit.machine.end() || now->second != value)
      throw Error({.exit = Exit::incomparable,
                   .code = "watch.machine",
                   .field = results::one_line(key, 100),
                   .value = now == commit.machine.end() ? "not given" : results::one_line(now->second, 200),
                   .problem = "the reference of this watch was measured elsewhere: " + results::one_line(value, 200),
                   .help = "measure on that machine, begin a new watch with --reset --reason TEXT, or use --kind "
                           "paired_sign, which measures both sides side by side"});
}

void require_same_reference(const WatchedSeries& before, const WatchedRuns& runs) {
  if (!runs.reference || before.reference == runs.reference) return;
  throw Error({.exit = Exit::incomparable,
               .code = "watch.reference",
               .field = "--reference",
               .problem = "differs from the reference of " +
                          results::one_line(series_name(runs.workload, runs.metric), 200) +
                          " with which this watch began",
               .help = "leave it out: the history has it; or begin a new watch with --reset --reason TEXT"});
}

}  // namespace

std::string word_of(DetectorEvidence evidence) {
  return evidence == DetectorEvidence::paired_sign ? "paired_sign"
         : evidence == DetectorEvidence::bounded   ? "bounded"
                                                   : "normal_known";
}

std::string word_of(WatchDirection direction) {
  return direction == WatchDirection::worse ? "worse" : direction == WatchDirection::better ? "better" : "both";
}

std::string series_name(const std::string& workload, const std::string& metric) {
  if (workload.empty()) return metric.empty() ? "score" : metric;
  return workload + (metric.empty() ? "" : " " + metric);
}

double alarm_level(const WatchSettings& settings, std::size_t series) {
  const double directions = settings.direction == WatchDirection::both ? 2.0 : 1.0;
  return directions * static_cast<double>(series) * settings.run_length;
}

std::string WatchState::verdict() const {
  if (invalid) return "invalid";
  const bool alarm = std::ranges::any_of(series, [](const auto& one) { return !one.candidate.alarm.empty(); });
  return alarm ? "alarm" : "quiet";
}

int WatchState::exit() const {
  const std::string word = verdict();
  return word == "invalid" ? static_cast<int>(Exit::measurement) : word == "alarm" ? 1 : 0;
}

WatchState watched(const std::optional<WatchState>& before, const WatchSettings& settings,
                   const WatchedCommit& commit) {
  if (before) {
    require_every_series(*before, commit);
    if (settings.evidence != DetectorEvidence::paired_sign) require_same_machine(*before, commit);
  }
  WatchState out{
      .settings = settings, .commit = commit.commit, .inputs = commit.inputs, .series = {}, .machine = commit.machine};
  const double level = alarm_level(settings, commit.series.size());
  for (const WatchedRuns& runs : commit.series) {
    const WatchedSeries* old = found_in(before, runs);
    if (old != nullptr) require_same_reference(*old, runs);
    WatchedSeries one{.workload = runs.workload,
                      .metric = runs.metric,
                      .unit = runs.unit,
                      .direction = runs.direction,
                      .blocks = std::ssize(runs.evidence),
                      .worse_blocks = worse_in(runs, settings.evidence),
                      .candidate = {},
                      .control = {},
                      .reference = runs.reference};
    for (const std::size_t side : {base, head}) one.median[side] = *variance::median(runs.values[side]);
    const WatchedSeries none;
    const WatchedSeries& last = old == nullptr ? none : *old;
    one.candidate = advanced(last.candidate, settings, level, runs.evidence, runs.reference);
    one.control = advanced(last.control, settings, level, runs.control, runs.reference);
    out.invalid = out.invalid || !one.control.alarm.empty();
    out.series.push_back(std::move(one));
  }
  return out;
}

}  // namespace retrial::harness::inline watch
