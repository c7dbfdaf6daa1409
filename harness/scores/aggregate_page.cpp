#include <algorithm>

#include "harness/scores/aggregates.hpp"
#include "harness/scores/compare_scores.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores {
namespace {

using report::right;

using variance::Estimate;

struct Words {
  const char *name, *title, *of_two;
};

constexpr Words words[] = {
    {"mean", "mean over tasks of the mean of a task", "difference of the means"},
    {"median", "median over tasks of the mean of a task", "difference of the medians"},
    {"iqm", "interquartile mean: the middle half of all scores", "difference of the interquartile means"},
    {"gap", "optimality gap: how far scores stay below the target", "difference of the gaps"},
    {"poi", "probability of improvement",
     "probability that a run of the candidate beats one of the baseline, mean over tasks"},
    {"profile", "performance profile: share of runs beyond a threshold", ""},
};

const Words& words_of(const std::string& aggregate) {
  return *std::ranges::find_if(words, [&](const Words& one) { return aggregate == one.name; });
}

Json interval_of(const Estimate& estimate) {
  return {json_number(estimate.low), json_number(estimate.high)};
}

void add_estimate(Json& object, const Estimate& estimate) {
  object["estimate"] = json_number(estimate.point);
  object["interval"] = interval_of(estimate);
  object["level"] = json_number(estimate.level);
  object["method"] = estimate.method;
}

Json variant_document(const VariantAggregate& one) {
  Json object{{"variant", one.variant}};
  if (one.estimate) add_estimate(object, *one.estimate);
  if (one.profile.empty()) return object;
  object["profile"] = Json::array();
  for (std::size_t t = 0; t < one.taus.size(); ++t)
    object["profile"].push_back({{"tau", json_number(one.taus[t])},
                                 {"share", json_number(one.profile[t].point)},
                                 {"interval", interval_of(one.profile[t])}});
  object["level"] = json_number(one.profile.front().level);
  object["method"] = one.profile.front().method;
  return object;
}

Json difference_document(const AggregateDifference& one) {
  Json object{{"candidate", one.candidate}, {"baseline", one.baseline}, {"verdict", variance::name_of(one.status)}};
  add_estimate(object, one.estimate);
  object["p_better"] = json_number(one.p_better);
  object["p_worse"] = json_number(one.p_worse);
  object["p_level"] = json_number(one.level);
  return object;
}

bool drawn(const AggregateReport& report) {
  const auto of = [](const Estimate& estimate) { return !estimate.method.starts_with("exact"); };
  return std::ranges::any_of(report.differences, [&](const auto& one) { return one.drawn || of(one.estimate); }) ||
         std::ranges::any_of(report.variants, [&](const auto& one) { return !one.estimate || of(*one.estimate); });
}

report::Banner banner_of(const AggregateReport& report) {
  if (report.differences.size() != 1)
    return {.tone = report::Tone::plain, .before = report.aggregate + " of " + report.metric, .word = "", .after = ""};
  const auto& one = report.differences.front();
  return verdict_banner(one.candidate, one.baseline, one.status);
}

/// Every tenth threshold: the JSON document has the whole curve.
report::Table profile_table(const AggregateReport& report) {
  report::Table table{.caption = "",
                      .columns = {right(report.direction == variance::Direction::lower ? "below" : "above")}};
  for (const auto& one : report.variants) table.columns.push_back({one.variant});
  for (std::size_t t = 0; t < report.variants.front().taus.size(); t += 10) {
    std::vector<report::Cell> cells{short_text(report.variants.front().taus[t])};
    for (const auto& one : report.variants)
      cells.emplace_back(short_text(one.profile[t].point, 3) + "  [" + short_text(*one.profile[t].low, 3) + ", " +
                         short_text(*one.profile[t].high, 3) + "]");
    table.rows.push_back(std::move(cells));
  }
  return table;
}

report::Table estimates_table(const AggregateReport& report) {
  report::Table table{.columns = {"", right(""), "", right(report.differences.empty() ? "" : "p"), ""}};
  for (const auto& one : report.variants)
    if (one.estimate)
      table.rows.push_back({one.variant, short_text(one.estimate->point), interval_line(*one.estimate), "", ""});
  for (const auto& one : report.differences)
    table.rows.push_back({one.candidate + (report.aggregate == "poi" ? " over " : " - ") + one.baseline,
                          short_text(one.estimate.point), interval_line(one.estimate),
                          p_text(std::min(one.p_better, one.p_worse), one.level),
                          std::string(variance::name_of(one.status))});
  return table;
}

std::string exchanged_text(const AggregateReport& report) {
  if (report.task_bootstrap) return "all runs of a task change sides";
  return report.paired ? "the runs of a pair change sides" : "the runs of a task change sides";
}

std::string rule_text(const AggregateReport& report) {
  return std::string("BETTER and WORSE need both: the interval of the ") + words_of(report.aggregate).of_two +
         " on one side, and p of at most " + short_text(report.differences.front().level) +
         ", the share of cases in which " + exchanged_text(report) +
         " at random and the difference is as large; intervals of few runs are too short to decide by themselves, and "
         "whether two intervals overlap is not a test.";
}

}  // namespace

std::string aggregate_title(const std::string& aggregate) {
  return words_of(aggregate).title;
}

std::string runs_per_task(const AggregateReport& report) {
  const std::string most = counted(static_cast<std::int64_t>(report.max_runs), "run");
  return report.min_runs == report.max_runs ? most : std::to_string(report.min_runs) + " to " + most;
}

Json aggregate_document(const AggregateReport& report) {
  Json variants = Json::array(), differences = Json::array();
  for (const auto& one : report.variants) variants.push_back(variant_document(one));
  for (const auto& one : report.differences) differences.push_back(difference_document(one));
  Json document{{"schema", "retrial.aggregate/1"},
                {"test", report.aggregate},
                {"metric", report.metric},
                {"direction", word_of(report.direction)},
                {"alpha", json_number(report.alpha)},
                {"tasks", report.tasks},
                {"n", report.min_runs},
                {"n_most", report.max_runs},
                {"paired", report.paired},
                {"task_bootstrap", report.task_bootstrap},
                {"seed", drawn(report) ? Json(results::hex16(report.root)) : Json()},
                {"variants", variants},
                {"differences", differences},
                {"notes", report.notes},
                {"statistic", Json()},
                {"p", Json()},
                {"estimate", Json()},
                {"interval", Json()},
                {"level", Json()},
                {"method", Json()},
                {"verdict", Json()}};
  if (report.differences.size() == 1) {
    add_estimate(document, report.differences.front().estimate);
    document["verdict"] = variance::name_of(report.differences.front().status);
  }
  return document;
}

std::string aggregate_page(const AggregateReport& report) {
  report::Banner banner = banner_of(report);
  banner.subject = std::string(words_of(report.aggregate).title) + ", " +
                   counted(static_cast<std::int64_t>(report.tasks), "task") + " with " + runs_per_task(report) +
                   " each, " + word_of(report.direction) + " is better; the bootstrap resamples " +
                   (report.paired ? "pairs of runs" : "runs") + (report.task_bootstrap ? " and tasks" : "");
  std::vector<report::Block> blocks{report.aggregate == "profile" ? profile_table(report) : estimates_table(report)};
  if (!report.differences.empty()) blocks.emplace_back(report::Paragraph{rule_text(report)});
  if (drawn(report))
    blocks.emplace_back(report::Paragraph{"seed: " + std::to_string(report.root) + " (--seed repeats the draws)"});
  for (const auto& text : report.notes) blocks.emplace_back(report::Warning{text});
  return banner_text(banner) + "\n" + blocks_text(blocks);
}

}  // namespace retrial::harness::inline scores
