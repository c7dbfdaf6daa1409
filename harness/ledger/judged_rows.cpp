#include "harness/ledger/judged_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/ledger/conclusions.hpp"
#include "harness/stored/likeness/emulated_trials.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/designs/planned_tests.hpp"
#include "workloads/data/sets/registry.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline ledger {
namespace {

using variance::PublishedOutcome;

/// The t test is invalid for runs that share seeds and for a mean that decided when to stop.
void demand_repeats(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials) {
  const auto refuse = [&](const char* code, const std::string& problem, const std::string& help) {
    throw Error(
        {.exit = Exit::incomparable, .code = code, .where = "study " + study.name, .problem = problem, .help = help});
  };
  if (study.variance && study.variance->design != "ideal")
    refuse("ledger.variance_study",
           "its runs share seeds (design " + study.variance->design + "), so they are not independent repeats",
           "retrial run WORKLOAD --pairs N runs independent repeats");
  if (study.design && study.design->sequential())
    refuse("ledger.sequential", "its scores decide when it stops, so a test for a fixed number of runs is invalid",
           "run a study with the fixed design");
  const auto open = std::count_if(trials.begin(), trials.end(), [](const auto& trial) {
    return trial.state == TrialState::missing || trial.state == TrialState::running;
  });
  if (open > 0)
    refuse("ledger.missing_trials",
           counted(open, "trial") + " of the plan " + (open == 1 ? "has" : "have") + " not run yet",
           "repeat the same retrial run command (retrial status " + shell_word(store.path().string()) + ")");
}

/// The images that a trial read, according to its record.
struct DataRead {
  std::string name;          ///< empty: not recorded
  std::int64_t train, test;  ///< rows; -1: not recorded
};

/// Results of the trials of a variant.
struct Runs {
  std::vector<double> scores, best_test;
  std::size_t failed = 0;
  DataRead data;
};

DataRead data_of(const results::Store& store, std::int64_t trial) {
  for (const auto& artifact : store.artifacts(trial))
    if (artifact.name == "data" && artifact.body) {
      const Json document = results::parse_json(*artifact.body, "artifact data");
      const Json name = document.value("name", Json()), rows = document.value("rows", Json::object());
      const auto count = [&](const char* part) {
        return rows.is_object() && rows.value(part, Json()).is_number_integer() ? rows.at(part).get<std::int64_t>()
                                                                                : -1;
      };
      if (name.is_string()) return {name.get<std::string>(), count("train"), count("test")};
    }
  return {"", -1, -1};
}

std::string rows_text(std::int64_t train, std::int64_t test) {
  return std::to_string(train) + " training and " + std::to_string(test) + " test rows";
}

/// Official files can still be only a part of the published set.
std::string rows_differ(const DataRead& data) {
  if (data.train < 0 || data.test < 0) return "data differ: the record lacks the number of images read";
  const auto* info = data::find_data_set(data.name);
  if (info == nullptr || info->sized_by_files() ||
      (data.train == info->published.train && data.test == info->published.test))
    return "";
  return "data differ: " + rows_text(data.train, data.test) + ", published " +
         rows_text(info->published.train, info->published.test);
}

std::vector<double> finite_values(const results::Store& store, const std::vector<const PlannedTrial*>& trials,
                                  const std::string& metric) {
  const auto stored = store.final_values(metric);
  const std::map<std::int64_t, double> values(stored.begin(), stored.end());
  std::vector<double> out;
  for (const auto* trial : trials)
    if (const auto found = values.find(trial->row->id); found != values.end() && std::isfinite(found->second))
      out.push_back(found->second);
  return out;
}

Runs runs_of(const results::Store& store, const std::vector<PlannedTrial>& trials, const std::string& variant,
             const published::Row& row) {
  std::vector<const PlannedTrial*> done;
  std::size_t planned = 0;
  for (const auto& trial : trials) {
    if (trial.entry.variant != variant) continue;
    ++planned;
    if (trial.state == TrialState::done) done.push_back(&trial);
  }
  Runs runs{.scores = finite_values(store, done, row.our_metric), .best_test = {}, .data = {"", -1, -1}};
  if (row.epoch_rule == published::EpochRule::best_test) runs.best_test = finite_values(store, done, "best_test");
  runs.failed = planned - runs.scores.size();
  if (!done.empty()) runs.data = data_of(store, done.front()->row->id);
  return runs;
}

std::string words(const std::vector<published::KeyDifference>& differences) {
  std::vector<std::string> out;
  for (const auto& each : differences) out.push_back(each.key + " = " + each.ours + ", published " + each.published);
  return results::joined(out, "; ");
}

/// Empty: comparable.
std::string hindrance(const JudgedRow& judged, const Runs& runs, const std::vector<published::KeyDifference>& data) {
  if (!judged.row.verified) return "the published value is known from citations only";
  if (runs.data.name.empty()) return "data differ: the record lacks the name of the data set";
  if (runs.data.name != judged.row.dataset)
    return "data differ: " + runs.data.name + ", published " + judged.row.dataset;
  if (!data.empty()) return "data differ: " + words(data);
  if (const auto problem = rows_differ(runs.data); !problem.empty()) return problem;
  if (!judged.differences.empty()) return "protocol differs: " + words(judged.differences);
  return judged.check ? "" : "no run with a finite " + judged.row.our_metric;
}

void decide(JudgedRow& judged, bool selected_on_test) {
  const auto& check = *judged.check;
  const bool best_test = judged.row.epoch_rule == published::EpochRule::best_test;
  judged.reason = check.reason;
  if (check.outcome == PublishedOutcome::confirmed) judged.outcome = RowOutcome::confirmed;
  if (check.outcome == PublishedOutcome::refuted) judged.outcome = RowOutcome::refuted;
  const auto undecide = [&](const char* why) {
    judged.outcome = RowOutcome::undecided;
    judged.reason = why;
  };
  if (judged.outcome == RowOutcome::confirmed && selected_on_test) undecide("the epoch was chosen on the test set");
  if (judged.outcome != RowOutcome::refuted) return;
  if (selected_on_test && !best_test && check.difference.point > 0)
    undecide("above, but the epoch was chosen on the test set");
  else if (judged.at_best && judged.at_best->outcome != PublishedOutcome::refuted)
    undecide("the last epochs refute it, but the best test epochs, as published, do not");
  else if (best_test && !judged.at_best && !selected_on_test)
    undecide("published at the best test epoch, which these trials do not report");
}

JudgedRow judge(const published::Row& row, const std::string& variant, const workloads::Declaration& declaration,
                const Values& values, const Runs& runs, const LedgerSettings& settings) {
  JudgedRow judged{.row = row, .variant = variant, .failed = runs.failed};
  judged.differences = protocol_differences(row, declaration, values);
  const variance::Published claim{.value = row.value, .sd = row.sd, .runs = row.runs};
  const auto checked = [&](const std::vector<double>& scores) {
    return scores.empty() ? std::nullopt
                          : std::optional(variance::check_published(scores, claim, settings.margin, settings.alpha));
  };
  judged.check = checked(runs.scores);
  judged.at_best = checked(runs.best_test);
  judged.reason = hindrance(judged, runs, published::data_differences(declaration, values));
  if (!judged.reason.empty())
    judged.outcome = RowOutcome::not_comparable;
  else
    decide(judged, declaration.selects_on_test && !declaration.selects_on_test(values).empty());
  return judged;
}

}  // namespace

std::string name_of(RowOutcome outcome) {
  switch (outcome) {
    case RowOutcome::confirmed:
      return "confirmed";
    case RowOutcome::refuted:
      return "refuted";
    case RowOutcome::undecided:
      return "undecided";
    case RowOutcome::not_comparable:
      return "not comparable";
  }
  return "";
}

std::optional<std::int64_t> runs_needed(double sd, double gap) {
  return variance::runs_for(*variance::find_planned_test("welch"), std::fabs(gap) / sd,
                            {.alpha = 0.05, .beta = 0.1, .sides = variance::Sides::two});
}

LedgerReport judge_ledger(const published::Table& table, const results::Store& store, const StudyView& study,
                          const LedgerSettings& settings) {
  const auto trials = plan_state(store, study.plan);
  demand_repeats(store, study, trials);
  demand_one_kind_of_cpu(cpu_kinds(store, study.digest, trials), store.path().string());
  LedgerReport report{.study = study.name, .settings = settings, .held = study.hold};
  const auto* declaration = workloads::workload_if_known(study.workload);
  if (declaration == nullptr || declaration->name != table.workload) return report;
  for (const auto& variant : judged_variants(study)) {
    const Values values = values_of(*declaration, variant);
    for (const published::Row& row : table.rows)
      if (is_about(row, *declaration, values))
        report.rows.push_back(
            judge(row, variant.name, *declaration, values, runs_of(store, trials, variant.name, row), settings));
  }
  report.claims = tested_claims(table, store, study, trials, report.rows, settings.alpha);
  return report;
}

std::int64_t rows_with(const LedgerReport& report, RowOutcome outcome) {
  return std::ranges::count(report.rows, outcome, &JudgedRow::outcome);
}

std::int64_t claims_with(const LedgerReport& report, Answer outcome) {
  return std::ranges::count(report.claims, outcome, &TestedClaim::outcome);
}

Answer TestedClaim::outcome() const {
  for (const Answer answer : {Answer::not_asked, Answer::contradicted, Answer::open})
    if (std::ranges::find(gaps, answer, &TestedGap::outcome) != gaps.end()) return answer;
  return gaps.empty() ? Answer::not_asked : Answer::confirmed;
}

std::int64_t parts_against(const LedgerReport& report) {
  std::int64_t out = 0;
  for (const auto& claim : report.claims)
    if (claim.outcome() == Answer::not_asked)
      out += std::ranges::count(claim.gaps, Answer::contradicted, &TestedGap::outcome);
  return out;
}

Exit exit_of(const LedgerReport& report) {
  const bool against = claims_with(report, Answer::contradicted) > 0 || parts_against(report) > 0;
  if (rows_with(report, RowOutcome::refuted) > 0 || against) return Exit::different;
  if (rows_with(report, RowOutcome::undecided) > 0 || claims_with(report, Answer::open) > 0) return Exit::inconclusive;
  const bool any = rows_with(report, RowOutcome::confirmed) > 0 || claims_with(report, Answer::confirmed) > 0;
  return any ? Exit::ok : Exit::incomparable;
}

}  // namespace retrial::harness::inline ledger
