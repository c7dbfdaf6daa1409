#include "harness/watch/watch_page.hpp"

#include <algorithm>

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline watch {
namespace {

using report::right, report::Tone, variance::DetectorEvidence;

std::string word_for(const WatchedSeries& one) {
  if (!one.control.alarm.empty()) return "invalid";
  return one.candidate.alarm.empty() ? "quiet" : one.candidate.alarm;
}

Tone tone_of(const std::string& word) {
  return word == "worse" || word == "invalid" ? Tone::bad : word == "better" ? Tone::good : Tone::plain;
}

std::vector<const WatchedSeries*> loudest_first(const WatchState& state) {
  std::vector<const WatchedSeries*> out;
  for (const WatchedSeries& one : state.series) out.push_back(&one);
  std::ranges::stable_sort(out, [](const WatchedSeries* a, const WatchedSeries* b) {
    const auto rank = [](const WatchedSeries& s) {
      return word_for(s) == "invalid" ? 0 : word_for(s) == "quiet" ? 2 : 1;
    };
    return rank(*a) != rank(*b) ? rank(*a) < rank(*b) : a->candidate.level > b->candidate.level;
  });
  return out;
}

report::Table series_table(const WatchState& state, const WatchNames& names) {
  const bool one_metric =
      std::ranges::all_of(state.series, [&](const auto& s) { return s.metric == state.series.front().metric; });
  report::Table out{.columns = {report::names(one_metric ? "benchmark" : "benchmark, metric")}};
  for (const report::TableColumn& column :
       {report::TableColumn("verdict"), report::names(names.baseline, true), report::names(names.candidate, true),
        right("worse runs"), right("level"), right("control"), right("alarm at")})
    out.columns.push_back(column);
  const std::string limit = short_text(alarm_level(state.settings, state.series.size()));
  for (const WatchedSeries* one : loudest_first(state)) {
    const std::string word = word_for(*one);
    std::vector<report::Cell> row{(one->workload.empty() ? "-" : one->workload) +
                                  (one_metric ? "" : " " + one->metric)};
    row.emplace_back(word, tone_of(word));
    row.emplace_back(short_text(one->median[base]));
    row.emplace_back(short_text(one->median[head]));
    row.emplace_back(std::to_string(one->worse_blocks) + " of " + std::to_string(one->blocks));
    row.emplace_back(short_text(one->candidate.level));
    row.emplace_back(short_text(one->control.level));
    row.emplace_back(limit);
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::string title_of(const WatchState& state) {
  const auto count = [&](const std::string& word) {
    return std::ranges::count_if(state.series, [&](const auto& one) { return word_for(one) == word; });
  };
  const auto of = [&](std::int64_t n) {
    return std::to_string(n) + " of " + std::to_string(state.series.size()) + " series";
  };
  if (state.invalid) return "INVALID (null-control)";
  if (state.verdict() == "alarm") return "ALARM: " + of(count("worse") + count("better"));
  return "QUIET: no alarm in " + std::to_string(state.series.size()) + " series";
}

std::string meaning_of(const WatchState& state) {
  if (state.invalid)
    return "the baseline, measured a second time, raised an alarm against itself: the measurement drifts, and no "
           "verdict "
           "holds. Find out why, then retrial gate --kind " +
           word_of(state.settings.evidence) + " --history FILE --reset --reason TEXT";
  if (state.verdict() == "alarm")
    return "the history has changed by this commit or shortly before it; the watch of these series begins again. "
           "retrial history shows where";
  return "no change in this history so far";
}

Json series_json(const WatchedSeries& one) {
  return {{"workload", one.workload},
          {"metric", one.metric},
          {"unit", one.unit},
          {"direction", harness::word_of(one.direction)},
          {"median", Json::array({json_number(one.median[base]), json_number(one.median[head])})},
          {"blocks", one.blocks},
          {"worse_blocks", one.worse_blocks},
          {"level", json_number(one.candidate.level)},
          {"alarm", one.candidate.alarm.empty() ? Json() : Json(one.candidate.alarm)},
          {"control_level", json_number(one.control.level)},
          {"control_alarm", !one.control.alarm.empty()},
          {"reference_runs", one.reference ? Json(one.reference->runs) : Json()}};
}

}  // namespace

std::string promise_text(const WatchSettings& settings) {
  return "at most one in " + short_text(settings.run_length, 6) + " commits";
}

report::Section watch_section(const WatchState& state, const WatchNames& names) {
  report::Section out{.id = "watch",
                      .title = title_of(state),
                      .aside = "(commit " + results::one_line(state.commit, 100) + ")",
                      .blocks = {series_table(state, names), report::Paragraph{meaning_of(state)}}};
  const bool signs = state.settings.evidence == DetectorEvidence::paired_sign;
  report::Facts facts{
      {{"false alarms", promise_text(state.settings),
        "on average, of all " + std::to_string(state.series.size()) + " series together"},
       {"evidence", word_of(state.settings.evidence), "looks for " + word_of(state.settings.direction) + " values"},
       {"control", signs ? names.control : names.baseline,
        signs ? names.baseline + " a second time, against itself" : "fresh runs of it against the frozen reference"},
       {"history", names.history, "state " + std::to_string(state.number)}}};
  out.blocks.emplace_back(std::move(facts));
  return out;
}

Json watch_document(const WatchState& state, const WatchNames& names) {
  Json series = Json::array();
  for (const WatchedSeries& one : state.series) series.push_back(series_json(one));
  return {{"schema", "retrial.watch/1"},
          {"verdict", state.verdict()},
          {"reason", state.invalid ? "null-control" : ""},
          {"exit", state.exit()},
          {"kind", word_of(state.settings.evidence)},
          {"watches", word_of(state.settings.direction)},
          {"arl", json_number(state.settings.run_length)},
          {"alarm_at", json_number(alarm_level(state.settings, state.series.size()))},
          {"commit", state.commit},
          {"inputs", results::hex(state.inputs)},
          {"state", state.number},
          {"baseline", names.baseline},
          {"candidate", names.candidate},
          {"control", names.control.empty() ? Json() : Json(names.control)},
          {"series", series}};
}

}  // namespace retrial::harness::inline watch
