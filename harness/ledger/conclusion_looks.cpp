#include "harness/ledger/conclusion_looks.hpp"

#include <algorithm>

#include "harness/judge/design/comparison.hpp"
#include "harness/judge/looks/question.hpp"
#include "harness/stored/plan_state.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline ledger {
namespace {

std::string direction_of(const results::Store& store, const std::string& metric) {
  const auto defs = store.metric_defs();
  const auto def = std::ranges::find(defs, metric, &results::MetricDef::name);
  return def == defs.end() ? "" : std::string(results::name_of(def->direction));
}

Json records_of(const std::vector<PlannedTrial>& trials, const TestedGap& gap) {
  Json out = Json::array();
  for (const auto& trial : trials)
    if (trial.entry.variant == gap.candidate || trial.entry.variant == gap.baseline)
      out.push_back(
          {trial.entry.pair_index, trial.entry.variant, trial.row ? Json(results::hex(trial.row->record)) : Json()});
  return out;
}

}  // namespace

std::vector<Look> looks_at_conclusions(const published::Table& table, const LedgerReport& report,
                                       const results::Store& store, const StudyView& study) {
  const auto rows = store.studies();
  const auto row = std::ranges::find(rows, study.digest, &results::StudyRow::digest);
  const auto trials = plan_state(store, study.plan);
  const std::string by = "the conclusions of " + table.name;
  std::vector<Look> out;
  for (const auto& claim : report.claims)
    for (const auto& gap : claim.gaps) {
      if (gap.outcome == Answer::not_asked) continue;
      const std::string& metric = find_row(table, gap.gap.row).our_metric;
      out.push_back({.question = digest_of({.baseline = gap.baseline,
                                            .candidate = gap.candidate,
                                            .metric = metric,
                                            .direction = direction_of(store, metric)},
                                           store, study),
                     .study = study.digest,
                     .draw = draw_of(row->document),
                     .rule = results::digest_of({{"rule", "conclusion"}, {"ledger", table.name}}),
                     .inputs = digest_of_records(records_of(trials, gap)),
                     .rate = report.settings.alpha,
                     .declared = false,
                     .pairs = study.pairs,
                     .by = by});
    }
  return out;
}

}  // namespace retrial::harness::inline ledger
