#pragma once

#include <string>

#include "harness/judge/claims/judged_claims.hpp"
#include "harness/study/checks/study.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline judge::inline claims {

/// `retrial compare STORE --claims` and the report; its schema is retrial.registered_claims/1: derived numbers with 10
/// significant digits, null where unknown.
[[nodiscard]] report::Section claims_section(const StudyView& study, const JudgedClaims& judged);
[[nodiscard]] Json claims_document(const StudyView& study, const JudgedClaims& judged);
/// {"variant", "weight"} for each.
[[nodiscard]] Json contrast_json(const Contrast& contrast);
/// {"candidate", "baseline", "metric"} for each.
[[nodiscard]] Json cells_json(const std::vector<ShareCell>& cells);
/// One claim as a store keeps it, once in stored_form(): a document of kind verdict, schema retrial.verdict/claim/1.
[[nodiscard]] Json claim_document(const StudyView& study, const JudgedClaims& judged, const JudgedClaim& claim);

/// `retrial plan`: the claims, and the effect that the planned pairs can detect. Empty without claims.
[[nodiscard]] std::string planned_claims_page(const Study& study);
[[nodiscard]] Json planned_claims_json(const Study& study);

}  // namespace retrial::harness::inline judge::inline claims
