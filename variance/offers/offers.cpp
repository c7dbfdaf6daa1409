#include "variance/offers/offers.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "variance/audit/audit_gate.hpp"
#include "variance/bootstrap/aggregate.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/groups/groups.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/numbers/error.hpp"
#include "variance/numbers/number_text.hpp"
#include "variance/numbers/parallel.hpp"
#include "variance/offers/offer_judges.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::variance::inline offers {
namespace {

constexpr std::int64_t chunk_size = 50;  // simulations that one thread takes at a time
constexpr std::int64_t repeat_factor = 4;

using offer_judges::OfferJudge;
using Verdicts = std::array<std::int64_t, 6>;

OfferJudge judge_of(const OfferCell& cell, const AuditSettings& settings) {
  switch (cell.offer.kind) {
    case OfferKind::test:
      return offer_judges::test_judge(cell, settings);
    case OfferKind::design:
      return offer_judges::design_judge(cell, settings);
    case OfferKind::table_test:
      return offer_judges::table_judge(cell, settings);
    case OfferKind::group_test:
      return offer_judges::group_judge(cell, settings);
    case OfferKind::group_pairs:
      return offer_judges::group_pairs_judge(cell, settings);
    case OfferKind::correction:
      return offer_judges::correction_judge(cell, settings);
    case OfferKind::aggregate:
      return offer_judges::aggregate_judge(cell, settings);
    case OfferKind::report:
      break;
  }
  return offer_judges::report_judge(cell, settings);
}

/// A rule that refuses the scores, or cannot compute, has judged nothing.
Status asked(const OfferJudge& judge, Stream& draws, std::uint64_t key) {
  try {
    return judge(draws, key);
  } catch (const InvalidInput&) {
    return Status::invalid;
  } catch (const NumericalFailure&) {
    return Status::invalid;
  }
}

/// Simulations `from` to `from + reps` - 1.
Verdicts simulated(const OfferCell& cell, const AuditSettings& s, std::int64_t from, std::int64_t reps) {
  const OfferJudge judge = judge_of(cell, s);
  const std::uint64_t comparison =
      derive(s.seed, "comparison:audit/" + std::string(row_of(cell.scores).name) + "/" + std::to_string(cell.runs));
  const std::uint64_t draws = derive(comparison, "audit");
  std::vector<Verdicts> chunks(static_cast<std::size_t>((reps + chunk_size - 1) / chunk_size), Verdicts{});
  parallel_for(chunks.size(), s.threads, [&](std::size_t c) {
    const std::int64_t first = from + static_cast<std::int64_t>(c) * chunk_size;
    for (std::int64_t i = first; i < std::min(from + reps, first + chunk_size); ++i) {
      Stream stream(draws, static_cast<std::uint64_t>(i));
      const Status status = asked(judge, stream, derive(comparison, static_cast<std::uint64_t>(i)));
      ++chunks[c][static_cast<std::size_t>(status)];
    }
  });
  Verdicts all{};
  for (const Verdicts& chunk : chunks)
    for (std::size_t v = 0; v < all.size(); ++v) all[v] += chunk[v];
  return all;
}

AuditOutcome outcome_of(const OfferRow& row) {
  const SimulatedRate simulated{.rate = row.rate(), .reps = row.reps};
  if (row.share(Status::invalid) == 1.0) return AuditOutcome::failed;
  if (const auto& departure = row.cell.departure)
    return reproduces(simulated, {.rate = departure->rate, .tolerance = departure->tolerance}, row.cell.level)
               ? AuditOutcome::shown
               : AuditOutcome::not_shown;
  return keeps(simulated, row.cell.level) ? AuditOutcome::pass : AuditOutcome::failed;
}

std::string runs_text(const OfferCell& cell) {
  const std::string n = std::to_string(cell.runs), count = std::to_string(cell.many);
  switch (cell.offer.kind) {
    case OfferKind::table_test:
      return count + " methods on " + n + " data sets";
    case OfferKind::group_test:
    case OfferKind::group_pairs:
      return count + " variants, " + n + " runs of each";
    case OfferKind::correction:
      return count + (cell.many == 1 ? " candidate, " : " candidates, ") + n + " pairs";
    case OfferKind::aggregate:
      return count + (cell.many == 1 ? " task, " : " tasks, ") + n +
             (cell.paired ? " pairs" : " v " + std::to_string(cell.baseline_runs) + " runs");
    case OfferKind::report:
      return count + (offer_judges::is_share(cell.offer.name) ? " sets, " : " claims, ") + n + " pairs";
    default:
      return n + (cell.paired ? " pairs" : " v " + std::to_string(cell.baseline_runs) + " runs");
  }
}

std::string looks_text(const std::vector<std::int64_t>& looks) {
  std::string text;
  for (const std::int64_t look : looks) text += (text.empty() ? ", looks at " : " ") + std::to_string(look);
  return text;
}

std::string share_text(double share) {
  return shortest(std::round(1000.0 * share) / 10.0) + " %";
}

std::string failures_text(const OfferCell& cell) {
  if (cell.failed == 0.0) return "";
  const std::string policy = cell.failure == FailurePolicy::drop ? "dropped" : "lost";
  return ", " +
         (cell.worst_fail ? "the candidate's worst " + share_text(cell.failed) + " fail, "
                          : share_text(cell.failed) + " fail, ") +
         policy;
}

/// A posterior by 14,000 draws of each parameter takes a tenth of a second.
constexpr std::int64_t sampler_cost = 40;

std::int64_t reps_of(const OfferCell& cell, const AuditSettings& s) {
  const std::int64_t drawing = std::min(s.reps, s.drawing_reps);
  if (cell.offer.name == offer_judges::hierarchical_name)
    return std::clamp<std::int64_t>(s.reps / sampler_cost, 1, drawing);
  return cell.slow ? drawing : s.reps;
}

}  // namespace

std::string_view name_of(OfferKind kind) {
  constexpr std::array<std::string_view, 8> names{
      "test", "design", "table test", "group test", "pairs of groups", "correction", "aggregate", "report"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view name_of(FalseVerdict error) {
  constexpr std::array<std::string_view, 4> names{"BETTER or WORSE", "BETTER and WORSE", "EQUIVALENT",
                                                  "NOT MEANINGFUL"};
  return names.at(static_cast<std::size_t>(error));
}

std::vector<Offer> all_offers() {
  std::vector<Offer> offers;
  const auto add = [&](OfferKind kind, const auto& rows) {
    for (const auto& row : rows) offers.push_back({kind, std::string(row.name)});
  };
  add(OfferKind::test, all_comparisons());
  add(OfferKind::design, all_design_families());
  add(OfferKind::table_test, all_omnibus_tests());
  add(OfferKind::group_test, all_group_tests());
  for (const GroupTest& test : all_group_tests())
    if (!test.pairs.empty()) offers.push_back({OfferKind::group_pairs, std::string(test.pairs)});
  add(OfferKind::correction, all_adjustments());
  add(OfferKind::aggregate, all_aggregates());
  for (const std::string_view name :
       {offer_judges::improvement_name, offer_judges::task_bootstrap_name, offer_judges::hierarchical_name})
    offers.push_back({OfferKind::aggregate, std::string(name)});
  for (auto& name : offer_judges::report_names()) offers.push_back({OfferKind::report, std::move(name)});
  return offers;
}

std::string text_of(const OfferCell& cell) {
  std::string text = std::string(row_of(cell.scores).name) + ", " + runs_text(cell) + looks_text(cell.looks);
  if (cell.spread != 1.0) text += ", spread " + shortest(cell.spread);
  if (cell.effects > 0.0) text += ", " + share_text(cell.effects) + " truly better";
  if (!cell.aggregate.empty()) text += ", " + std::string(cell.aggregate);
  if (cell.task_effects > 0.0) text += ", tasks differ by " + shortest(cell.task_effects);
  if (cell.task_model != NullScores::gaussian) text += " (" + std::string(row_of(cell.task_model).name) + ")";
  if (cell.together > 0.0) text += ", sets correlated by " + shortest(cell.together);
  if (cell.rope > 0.0) text += ", rope " + shortest(std::round(1000.0 * cell.rope) / 1000.0);
  if (cell.band)
    text += ", wins " + share_text(cell.band->second) + " of the pairs, band from " + share_text(cell.band->first);
  else if (cell.error == FalseVerdict::equivalent)
    text += cell.rope == 0.0          ? ", difference at the margin"
            : cell.rope == cell.shift ? ", difference at its end, EQUIVALENT"
                                      : ", EQUIVALENT";
  if (cell.error == FalseVerdict::not_meaningful) text += ", wins gamma of the pairs";
  if (cell.sides == Sides::two) text += ", two sides";
  if (cell.offer.kind == OfferKind::design && cell.test != "pab_exact") text += ", test " + std::string(cell.test);
  return text + failures_text(cell);
}

std::vector<OfferCell> offer_grid(std::span<const Offer> offers, bool quick, const Levels& levels) {
  std::vector<OfferCell> grid;
  for (const Offer& offer : offers) {
    auto cells = cells_of(offer, levels);
    if (quick && cells.size() > 1) cells.resize(1);
    grid.insert(grid.end(), cells.begin(), cells.end());
  }
  return grid;
}

std::vector<Offer> unaudited(std::span<const Offer> offers, std::span<const OfferCell> cells) {
  std::vector<Offer> missing;
  std::ranges::copy_if(offers, std::back_inserter(missing), [&](const Offer& offer) {
    return std::ranges::none_of(cells, [&](const OfferCell& cell) { return cell.offer == offer && !cell.departure; });
  });
  return missing;
}

double OfferRow::share(Status status) const {
  return static_cast<double>(verdicts[static_cast<std::size_t>(status)]) / static_cast<double>(reps);
}

double OfferRow::rate() const {
  switch (cell.error) {
    case FalseVerdict::both:
      return share(Status::better) + share(Status::worse);
    case FalseVerdict::equivalent:
      return share(Status::equivalent);
    case FalseVerdict::not_meaningful:
      return share(Status::not_meaningful);
    case FalseVerdict::either:
      break;
  }
  return std::max(share(Status::better), share(Status::worse));
}

double OfferRow::se() const {
  return SimulatedRate{.rate = rate(), .reps = reps}.se();
}

OfferRow audit_offer(const OfferCell& cell, const AuditSettings& settings) {
  require_audit(settings);
  const std::int64_t reps = reps_of(cell, settings);
  OfferRow row{.cell = cell, .reps = reps, .verdicts = simulated(cell, settings, 0, reps)};
  row.outcome = outcome_of(row);
  if (row.outcome != AuditOutcome::failed) return row;
  row.reps = repeat_factor * reps;
  row.verdicts = simulated(cell, settings, reps, row.reps);
  row.repeated = true;
  row.outcome = outcome_of(row);
  return row;
}

bool passes(std::span<const OfferRow> rows) {
  return std::ranges::none_of(rows, [](const OfferRow& row) {
    return row.outcome == AuditOutcome::failed || row.outcome == AuditOutcome::not_shown;
  });
}

}  // namespace retrial::variance::inline offers
