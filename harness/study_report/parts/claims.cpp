#include "harness/judge/claims/claims_page.hpp"

#include "harness/study_report/parts/parts.hpp"

namespace retrial::harness::inline study_report::inline parts {

/// A claim that cannot be read is part of the report.
Part registered_claims_part(const Material& material) {
  if (!material.claims_problem.empty())
    return {
        .section =
            report::Section{.id = "registered-claims",
                            .title = "Registered claims",
                            .blocks = {report::Paragraph{"They cannot be judged: " + material.claims_problem + "."}}},
        .data = {{"registered_claims", nullptr}}};
  if (!material.claims) return {.section = std::nullopt, .data = Json::object()};
  return {.section = claims_section(material.study, *material.claims),
          .data = {{"registered_claims", claims_document(material.study, *material.claims)}}};
}

}  // namespace retrial::harness::inline study_report::inline parts
