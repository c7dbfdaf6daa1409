#include "harness/watch/history_page.hpp"

#include <algorithm>
#include <cmath>

#include "harness/gate/gate_page.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/version.hpp"
#include "harness/watch/watch_page.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline watch {
namespace {

using report::right, report::Tone, variance::Direction;

std::string share_text(double share) {
  if (std::isinf(share)) return share > 0.0 ? "from 0" : "to below 0";
  return signed_text(100.0 * share) + " %";
}

/// "worse", "better"; "up", "down" where no direction is known.
std::string word_for(const CommitPoint& point, Direction direction) {
  const bool up = *point.change > 0.0;
  if (direction == Direction::none) return up ? "up" : "down";
  return up == (direction == Direction::higher) ? "better" : "worse";
}

std::string remarks(const CommitPoint& point, Direction direction) {
  std::vector<std::string> out;
  if (point.alarm == "invalid")
    out.emplace_back("control alarm");
  else if (!point.alarm.empty())
    out.push_back("ALARM " + point.alarm);
  if (point.stands_out) out.push_back("stands out: " + word_for(point, direction));
  if (point.change_point) out.emplace_back("change point (display)");
  return results::joined(out);
}

Tone tone_of(const CommitPoint& point) {
  return point.alarm == "better" ? Tone::good : !point.alarm.empty() ? Tone::bad : Tone::plain;
}

std::span<const CommitPoint> shown(const CommitSeries& series) {
  return std::span(series.points).subspan(series.first_shown());
}

report::Table commits_table(const CommitSeries& series) {
  const bool levels = series.alarm_at.has_value();
  report::Table out{.columns = {report::names("commit"),
                                right(with_unit(series.metric.empty() ? "score" : series.metric, series.unit)),
                                right("change")}};
  if (levels) out.columns.push_back(right("level"));
  out.columns.emplace_back("remarks");
  for (const CommitPoint& point : shown(series)) {
    std::vector<report::Cell> row{short_commit(point.commit), short_text(point.value),
                                  point.change ? share_text(*point.change) : "-"};
    if (levels) row.emplace_back(or_dash(point.level));
    row.emplace_back(remarks(point, series.direction), tone_of(point));
    out.rows.push_back(std::move(row));
  }
  return out;
}

report::Series marks(const CommitSeries& series, const char* label, report::Shape shape, report::Colour colour,
                     bool (*wanted)(const CommitPoint&)) {
  report::Series out{.label = label, .draw = report::Draw::points, .colour = colour, .shape = shape};
  for (std::size_t i = 0; i < series.points.size(); ++i)
    if (wanted(series.points[i])) out.points.push_back({.x = static_cast<double>(i + 1), .y = series.points[i].value});
  return out;
}

/// 1, 2, ... as a, b, ..., z, aa: the id of a section has no digits.
std::string letters_of(std::size_t number) {
  std::string out;
  for (; number > 0; number = (number - 1) / 26) out.insert(out.begin(), static_cast<char>('a' + (number - 1) % 26));
  return out;
}

report::Figure figure_of(const CommitSeries& series, const report::Table& data) {
  std::vector<double> places, values;
  for (std::size_t i = 0; i < series.points.size(); ++i)
    places.push_back(static_cast<double>(i + 1)), values.push_back(series.points[i].value);
  report::Figure out{
      .title = series_name(series.workload, series.metric) + ", " + counted(std::ssize(series.points), "commit"),
      .description =
          "One value per commit, the oldest at the left. A triangle is an alarm of the watch, "
          "which keeps a rate of false alarms; a square is a step that is large among the "
          "steps of this series, a remark without a rate.",
      .plot = {.x = axis_over("commit", places),
               .y = axis_over(with_unit(series.metric.empty() ? "score" : series.metric, series.unit), values),
               .series = {}},
      .data = data};
  out.plot.x.whole = true;
  // Beyond this a line through all values still shows them; symbols would hide each other.
  constexpr std::size_t few = 400;
  report::Series line{.label = "value", .draw = report::Draw::lines, .colour = report::Colour::blue};
  for (std::size_t i = 0; i < places.size(); ++i) line.points.push_back({.x = places[i], .y = values[i]});
  out.plot.series.push_back(line);
  if (places.size() <= few) {
    line.label.clear(), line.draw = report::Draw::points;
    out.plot.series.push_back(line);
  }
  for (auto& more : {marks(series, "stands out", report::Shape::square, report::Colour::black,
                           [](const CommitPoint& p) { return p.stands_out; }),
                     marks(series, "alarm", report::Shape::triangle, report::Colour::vermillion,
                           [](const CommitPoint& p) { return !p.alarm.empty(); })})
    if (!more.points.empty()) out.plot.series.push_back(more);
  return out;
}

std::string title_of(const CommitHistory& history) {
  std::size_t commits = 0;
  for (const CommitSeries& one : history.series) commits = std::max(commits, one.points.size());
  const std::string size =
      std::to_string(history.series.size()) + " series, " + counted(std::int64_t(commits), "commit");
  if (!history.settings) return size + ": " + counted(history.standing_out(), "step") + " standing out";
  return size + ": " + (history.alarms() == 0 ? "no alarm" : counted(history.alarms(), "alarm"));
}

Json history_json(const CommitSeries& series) {
  Json points = Json::array();
  for (const CommitPoint& point : series.points)
    points.push_back({{"commit", point.commit},
                      {"value", json_number(point.value)},
                      {"change", point.change && std::isfinite(*point.change) ? json_number(point.change) : Json()},
                      {"stands_out", point.stands_out},
                      {"change_point", point.change_point},
                      {"level", json_number(point.level)},
                      {"alarm", point.alarm.empty() ? Json() : Json(point.alarm)}});
  Json threshold;
  if (series.threshold)
    threshold = {{"q1", json_number(series.threshold->q1)},
                 {"q3", json_number(series.threshold->q3)},
                 {"raw", json_number(series.threshold->raw)},
                 {"threshold", json_number(series.threshold->threshold)}};
  return {{"workload", series.workload},
          {"metric", series.metric},
          {"unit", series.unit},
          {"direction", series.direction == Direction::none ? Json() : Json(harness::word_of(series.direction))},
          {"alarm_at", json_number(series.alarm_at)},
          {"threshold", threshold},
          {"points", points}};
}

}  // namespace

report::Section history_section(const CommitHistory& history) {
  report::Section out{.id = "history", .title = title_of(history)};
  const bool watched = history.settings.has_value();
  report::Table table{.columns = {report::names("benchmark"), report::names("metric"), right("commits"), right("last"),
                                  right("change"), right("threshold"), right("standing out"), right("change points")}};
  if (watched)
    for (const char* name : {"alarms", "level", "alarm at"}) table.columns.push_back(right(name));
  for (const CommitSeries& one : history.series) {
    const CommitPoint& last = one.points.back();
    const auto count = [&](auto wanted) { return std::to_string(std::ranges::count_if(one.points, wanted)); };
    std::vector<report::Cell> row{one.workload.empty() ? "-" : one.workload,
                                  one.metric.empty() ? "score" : one.metric,
                                  std::to_string(one.points.size()),
                                  short_text(last.value),
                                  last.change ? share_text(*last.change) : "-",
                                  one.threshold ? short_text(100.0 * one.threshold->threshold, 3) + " %" : "-",
                                  count([](const CommitPoint& p) { return p.stands_out; }),
                                  count([](const CommitPoint& p) { return p.change_point; })};
    if (watched) {
      const auto alarms = count([](const CommitPoint& p) { return !p.alarm.empty(); });
      row.emplace_back(alarms, alarms == "0" ? Tone::plain : Tone::bad);
      row.emplace_back(or_dash(last.level));
      row.emplace_back(or_dash(one.alarm_at));
    }
    table.rows.push_back(std::move(row));
  }
  out.blocks.emplace_back(std::move(table));
  report::Facts facts;
  if (watched)
    facts.rows.push_back({"alarms", promise_text(*history.settings),
                          "kind " + word_of(history.settings->evidence) + ", of all series together"});
  facts.rows.push_back({"standing out", "a step beyond Q3 + 3 (Q3 - Q1)",
                        "of the steps between the last 31 values, at least 0.2 %; a remark, no test"});
  facts.rows.push_back({"change points", "t tests in windows of 50", "a display, no test; retrial changes tests"});
  out.blocks.emplace_back(std::move(facts));
  for (const std::string& text : history.notes) out.blocks.emplace_back(report::Warning{text});
  return out;
}

report::Section series_section(const CommitSeries& series, std::size_t number, bool figure) {
  report::Section out{.id = "series-" + letters_of(number), .title = series_name(series.workload, series.metric)};
  if (const std::size_t hidden = series.first_shown(); hidden > 0)
    out.aside = "(the last " + std::to_string(series.points.size() - hidden) + " of " +
                counted(std::ssize(series.points), "commit") + ")";
  report::Table table = commits_table(series);
  if (figure)
    out.blocks.emplace_back(figure_of(series, table));
  else
    out.blocks.emplace_back(std::move(table));
  return out;
}

Json history_document(const CommitHistory& history) {
  Json series = Json::array();
  for (const CommitSeries& one : history.series) series.push_back(history_json(one));
  return {{"schema", "retrial.history/1"},
          {"kind", history.settings ? Json(word_of(history.settings->evidence)) : Json()},
          {"arl", history.settings ? json_number(history.settings->run_length) : Json()},
          {"alarms", history.alarms()},
          {"series", series},
          {"notes", history.notes}};
}

report::Report history_report(const CommitHistory& history, const std::string& source) {
  report::Report out{.title = title_of(history),
                     .date = source,
                     .generator = version_line(),
                     .banner = {},
                     .sections = {},
                     .data = history_document(history)};
  const bool alarm = history.alarms() > 0;
  out.banner = {.tone = alarm ? Tone::bad : Tone::plain, .before = title_of(history), .word = "", .after = ""};
  out.banner.subject = source;
  out.banner.sentence =
      history.settings ? "The watch raises false alarms in " + promise_text(*history.settings) + " on average."
                       : "Steps that stand out are remarks for people; a gate with --history keeps a rate of false "
                         "alarms.";
  out.sections.push_back(history_section(history));
  for (std::size_t i = 0; i < history.series.size(); ++i)
    out.sections.push_back(series_section(history.series[i], i + 1, true));
  return out;
}

}  // namespace retrial::harness::inline watch
