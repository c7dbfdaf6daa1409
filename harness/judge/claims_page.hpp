#pragma once

#include <string>
#include <vector>

#include "harness/judge/judged_claims.hpp"
#include "harness/study/study.hpp"

namespace retrial::harness::inline judge {

/// `retrial compare STORE --claims`, and its schema retrial.registered_claims/1: derived numbers with 10 significant
/// digits, what is unknown null.
[[nodiscard]] std::string claims_page(const StudyView& study, const JudgedClaims& judged);
[[nodiscard]] Json claims_document(const StudyView& study, const JudgedClaims& judged);
/// One claim as a store keeps it, a document of kind verdict (schema retrial.verdict/claim/1), once in stored_form().
[[nodiscard]] Json claim_document(const StudyView& study, const JudgedClaims& judged, const JudgedClaim& claim);
[[nodiscard]] Json claim_fields(const JudgedClaim& claim);

/// What a reader must know of the verdicts: the error rate that is held, and what is counted.
[[nodiscard]] std::string claims_rule(const RegisteredClaims& family);
/// Of claims that are made of several candidates: "none-better: 29 of 31 hold; INCONCLUSIVE: ab, dkd".
[[nodiscard]] std::vector<std::string> groups_of(const JudgedClaims& judged);
/// "23 pairs", or why no number follows; empty where the claim is settled.
[[nodiscard]] std::string pairs_needed_text(const JudgedClaim& claim);

/// `retrial plan`: what is claimed, and what so many pairs can find. Empty without claims.
[[nodiscard]] std::string planned_claims_page(const Study& study);
[[nodiscard]] Json planned_claims_json(const Study& study);

}  // namespace retrial::harness::inline judge
