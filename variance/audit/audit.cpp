#include "variance/audit/audit.hpp"

#include <algorithm>
#include <cmath>

#include "variance/audit/audit_gate.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/parallel.hpp"

namespace retrial::variance::inline audit {
namespace {

constexpr std::int64_t chunk = 100;  // simulations that one thread takes at a time
struct Tally {
  std::int64_t pairs = 0;
  std::array<std::int64_t, 6> verdicts{};
};

struct PreparedRule {
  const AuditRule* rule;
  std::int64_t reps;
  AuditJudge judge;
};

std::vector<PreparedRule> prepared_rules(const AuditEntry& entry, const AuditSettings& s) {
  std::vector<PreparedRule> rules;
  for (const AuditRule* rule : entry.rules) {
    const bool draws = rule->draws && rule->draws(entry.cell);
    rules.push_back({rule, draws ? std::min(s.reps, s.drawing_reps) : s.reps, rule->prepare(entry.cell, s)});
  }
  return rules;
}

PairModel model_of(const AuditCell& cell, const Levels& levels) {
  return {.model = cell.model,
          .win = cell.truth == AuditTruth::null ? 0.5 : required_gamma(levels),
          .spread = cell.spread,
          .correlation = cell.correlation,
          .cluster_sd = cell.cluster_sd,
          .clusters = cell.clusters};
}

/// Simulations `from` to `to` - 1: one tally per rule.
void simulate(const PairSource& source, const AuditCell& cell, std::uint64_t comparison, std::int64_t from,
              std::int64_t to, std::span<const PreparedRule> rules, std::vector<Tally>& tallies) {
  const std::uint64_t draws = derive(comparison, "audit");
  ScorePairs scores;
  std::vector<double> differences(static_cast<std::size_t>(cell.runs));
  for (std::int64_t s = from; s < to; ++s) {
    const auto index = static_cast<std::uint64_t>(s);
    source.draw(Stream(draws, index), differences.size(), scores);
    for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = scores.candidate[i] - scores.baseline[i];
    const AuditData data{.candidate = scores.candidate,
                         .baseline = scores.baseline,
                         .differences = differences,
                         .tie = source.resolution().value_or(0.0) / 2.0,
                         .resolution = source.resolution(),
                         .key = derive(comparison, index)};
    for (std::size_t r = 0; r < rules.size(); ++r) {
      if (s >= rules[r].reps) continue;
      const AuditAnswer answer = rules[r].judge(data);
      tallies[r].pairs += answer.pairs;
      ++tallies[r].verdicts[static_cast<std::size_t>(answer.status)];
    }
  }
}

AuditOutcome outcome_of(const AuditRow& row, const AuditSettings& s) {
  const double alpha = s.levels.alpha;
  const SimulatedRate simulated{.rate = row.rate(), .reps = row.reps};
  if (row.reference)
    return reproduces(simulated, *row.reference, alpha) ? AuditOutcome::shown : AuditOutcome::not_shown;
  const bool promised = row.cell.truth == AuditTruth::null && row.rule->promises && row.rule->promises(row.cell);
  if (!promised) return AuditOutcome::none;
  return keeps(simulated, alpha) ? AuditOutcome::pass : AuditOutcome::failed;
}

}  // namespace

std::string_view name_of(AuditTruth truth) {
  return truth == AuditTruth::null ? "null" : "gamma";
}

std::string_view name_of(AuditOutcome outcome) {
  switch (outcome) {
    case AuditOutcome::pass:
      return "pass";
    case AuditOutcome::failed:
      return "FAILED";
    case AuditOutcome::shown:
      return "shown";
    case AuditOutcome::not_shown:
      return "NOT SHOWN";
    default:
      return "";
  }
}

std::string comparison_id(const AuditCell& cell) {
  return "audit/" + std::string(row_of(cell.model).name) + "/" + std::string(name_of(cell.truth)) + "/" +
         std::to_string(cell.runs);
}

std::string text_of(const AuditCell& cell) {
  std::string text = std::string(row_of(cell.model).name) + ", " + std::string(name_of(cell.truth)) + ", N " +
                     std::to_string(cell.runs);
  if (cell.spread != 1.0) text += ", spread " + shortest(cell.spread);
  if (cell.correlation != 0.0) text += ", correlation " + shortest(cell.correlation);
  if (cell.cluster_sd != 0.0)
    text +=
        ", " + std::to_string(cell.clusters) + " searches of sd " + shortest(std::round(cell.cluster_sd * 1e4) / 1e4);
  return text;
}

double AuditRow::share(Status status) const {
  return static_cast<double>(verdicts[static_cast<std::size_t>(status)]) / static_cast<double>(reps);
}

double AuditRow::rate() const {
  const bool both = cell.truth == AuditTruth::null && rule->size == AuditSize::both;
  return share(Status::better) + (both ? share(Status::worse) : 0.0);
}

double AuditRow::se() const {
  return SimulatedRate{.rate = rate(), .reps = reps}.se();
}

double AuditRow::mean_pairs() const {
  return static_cast<double>(pairs) / static_cast<double>(reps);
}

void require_audit(const AuditSettings& s) {
  require_levels(s.levels);
  require_within("reps", s.reps, 1, 100'000'000);
  require_within("drawing_reps", s.drawing_reps, 1, 100'000'000);
  require_within("resamples", s.resamples, 1'000, 1'000'000);
  require_within("threads", static_cast<std::int64_t>(s.threads), 1, 1'024);
}

std::vector<AuditRow> audit_cell(const AuditEntry& entry, const AuditSettings& s) {
  require_audit(s);
  require_within("runs", entry.cell.runs, 1, 10'000);
  const auto rules = prepared_rules(entry, s);
  const PairSource source(model_of(entry.cell, s.levels));
  const std::uint64_t comparison = derive(s.seed, "comparison:" + comparison_id(entry.cell));
  std::int64_t max_reps = 0;
  for (const auto& rule : rules) max_reps = std::max(max_reps, rule.reps);
  std::vector<std::vector<Tally>> chunks(static_cast<std::size_t>((max_reps + chunk - 1) / chunk),
                                         std::vector<Tally>(rules.size()));
  parallel_for(chunks.size(), s.threads, [&](std::size_t i) {
    const std::int64_t from = static_cast<std::int64_t>(i) * chunk;
    simulate(source, entry.cell, comparison, from, std::min(max_reps, from + chunk), rules, chunks[i]);
  });

  std::vector<AuditRow> rows;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    AuditRow row{.cell = entry.cell, .rule = rules[r].rule, .reps = rules[r].reps};
    for (const auto& tallies : chunks) {
      row.pairs += tallies[r].pairs;
      for (std::size_t v = 0; v < row.verdicts.size(); ++v) row.verdicts[v] += tallies[r].verdicts[v];
    }
    if (row.rule->reference) row.reference = row.rule->reference(entry.cell, s);
    row.outcome = outcome_of(row, s);
    rows.push_back(row);
  }
  return rows;
}

bool passes(std::span<const AuditRow> rows) {
  return std::ranges::none_of(rows, [](const AuditRow& row) {
    return row.outcome == AuditOutcome::failed || row.outcome == AuditOutcome::not_shown;
  });
}

}  // namespace retrial::variance::inline audit
