#include "harness/judge/claims/claims_page.hpp"

#include "harness/study_report/parts/parts.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline study_report::inline parts {

/// A claim that cannot be read is part of the report, a damaged store is not.
Part registered_claims_part(const Material& material) try {
  if (material.study.claims.empty() || !material.finished) return {.section = std::nullopt, .data = Json::object()};
  const JudgedClaims judged = judge_claims(material.store, material.study, material.trials);
  return {.section = claims_section(material.study, judged),
          .data = {{"registered_claims", claims_document(material.study, judged)}}};
} catch (const Error& error) {
  if (error.text.exit == Exit::integrity) throw;
  return {.section = report::Section{.id = "registered-claims",
                                     .title = "Registered claims",
                                     .blocks = {report::Paragraph{"They cannot be judged: " + error.text.field + " = " +
                                                                  error.text.value + ": " + error.text.problem + "."}}},
          .data = {{"registered_claims", nullptr}}};
}

}  // namespace retrial::harness::inline study_report::inline parts
