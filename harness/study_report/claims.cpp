#include "harness/judge/claims_page.hpp"
#include "harness/judge/verdict_words.hpp"
#include "harness/study_report/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"

/// What the study claimed besides its judged comparison.
namespace retrial::harness::inline study_report {
namespace {

report::Table table_of(const JudgedClaims& judged) {
  report::Table out{.caption = "Registered claims: " + claims_rule(judged.family) +
                               ". Pairs needed: in all, to find a difference like the observed one with 80 % power at "
                               "alpha / claims.",
                    .columns = {{"claim"},
                                {"what was said before the first run"},
                                {"verdict"},
                                {"mean difference", true},
                                {"interval", true},
                                {"pairs", true},
                                {"p", true},
                                {"adjusted p", true},
                                {"pairs needed", true}},
                    .rows = {}};
  for (const auto& one : judged.claims) {
    const auto& d = one.difference;
    const std::string unit = one.claim.unit.empty() ? "" : " " + difference_unit(one.claim.unit);
    out.rows.push_back({one.claim.name, one.claim.sentence(),
                        std::string(name_of(one.outcome)) + (one.reason.empty() ? "" : " (" + one.reason + ")"),
                        d ? signed_text(d->point) + unit : "-", d ? interval_text(*d) : "-", std::to_string(one.pairs),
                        or_dash(one.p_for), or_dash(one.adjusted_for), pairs_needed_text(one)});
  }
  return out;
}

}  // namespace

/// A claim that cannot be read is part of the report, a damaged store is not.
Part registered_claims_part(const Material& material) try {
  if (material.study.claims.empty() || !material.finished) return {.section = std::nullopt, .data = Json::object()};
  const JudgedClaims judged = judge_claims(material.store, material.study, material.trials);
  report::Section section{.id = "registered-claims", .title = "Registered claims", .blocks = {}};
  for (const auto& group : groups_of(judged)) section.blocks.push_back(report::Paragraph{group + "."});
  section.blocks.push_back(table_of(judged));
  return {.section = std::move(section), .data = {{"registered_claims", claims_document(material.study, judged)}}};
} catch (const Error& error) {
  if (error.text.exit == Exit::integrity) throw;
  return {.section = report::Section{.id = "registered-claims",
                                     .title = "Registered claims",
                                     .blocks = {report::Paragraph{"They cannot be judged: " + error.text.field + " = " +
                                                                  error.text.value + ": " + error.text.problem + "."}}},
          .data = {{"registered_claims", nullptr}}};
}

}  // namespace retrial::harness::inline study_report
