#pragma once

#include <functional>

#include "variance/offers/offers.hpp"

/// One simulated question to what the program offers, by kind. May be called by several threads at once.
namespace retrial::variance::inline offers::offer_judges {

using OfferJudge = std::function<Status(Stream& draws, std::uint64_t key)>;
using PrepareOffer = OfferJudge(const OfferCell&, const AuditSettings&);

// offer_judges_two.cpp: two variants
PrepareOffer test_judge, design_judge;
// offer_judges_many.cpp
PrepareOffer table_judge, group_judge, group_pairs_judge, correction_judge, report_judge;
// offer_judges_tasks.cpp: several tasks
PrepareOffer aggregate_judge;

/// `--aggregate poi`, `--task-bootstrap` and `--bayes hierarchical`.
constexpr std::string_view improvement_name = "poi", task_bootstrap_name = "task_bootstrap",
                           hierarchical_name = "hierarchical";

/// Claims about a share of sets, by sign flips or by the binomial law.
[[nodiscard]] bool is_share(std::string_view offer);
/// Every report that judges several claims together.
[[nodiscard]] std::vector<std::string> report_names();

/// The shift of the candidate, in the unit of the scores and a multiple of their step: the margin of equivalence.
[[nodiscard]] double shift_of(const OfferCell& cell);

}  // namespace retrial::variance::inline offers::offer_judges
