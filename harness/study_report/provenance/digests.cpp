#include "harness/judge/verdict/verdict_document.hpp"
#include "harness/stored/result_digest.hpp"
#include "harness/study_report/provenance/provenance.hpp"
#include "results/record/identity.hpp"

namespace retrial::harness::inline study_report::inline provenance {
namespace {

results::Digest plan_digest_of(const StudyView& study) {
  std::vector<std::pair<results::Digest, std::uint32_t>> plan;
  for (const auto& entry : study.plan) plan.emplace_back(entry.identity, entry.replicate);
  return results::plan_digest(plan);
}

}  // namespace

Part digests_part(const Material& material) {
  const auto info = material.store.info();
  const auto result = result_digest_of(material.store);
  const StudyView& study = material.study;
  const std::string design = study.design ? results::hex(study.design->digest) : "";
  const std::string inputs =
      material.judgement ? results::hex(inputs_of(material.judgement->comparison, material.judgement->verdict)) : "";
  report::Facts facts{{{"study", results::hex(study.digest)}, {"plan", results::hex(plan_digest_of(study))}}};
  if (!design.empty()) facts.rows.push_back({"design", design});
  if (!inputs.empty()) facts.rows.push_back({"judged records", inputs});
  facts.rows.push_back({"result, whole store", text_of(result)});
  facts.rows.push_back({"outcome, whole store", results::hex(info.outcome_digest)});
  facts.rows.push_back({"store, all records", results::hex(info.store_digest)});
  report::Section section{.id = "digests", .title = "Digests", .blocks = {}};
  section.blocks.push_back(report::Paragraph{
      "SHA-256. The study digest identifies the study, the result digest its results: equal results have equal "
      "result digests, whichever build of retrial ran them, however often the study was interrupted and however long "
      "it took. The outcome digest is the same with the build in it. The store digest is of every record: retrial "
      "verify "
      "--expect DIGEST finds a store from which attempts were taken away, or that is an earlier copy."});
  section.blocks.push_back(std::move(facts));
  return {.section = std::move(section),
          .data = {{"digests",
                    {{"study", results::hex(study.digest)},
                     {"plan", results::hex(plan_digest_of(study))},
                     {"design", design.empty() ? Json() : Json(design)},
                     {"inputs", inputs.empty() ? Json() : Json(inputs)},
                     {"outcome", results::hex(info.outcome_digest)},
                     {"result", json_of(result)},
                     {"store", results::hex(info.store_digest)}}}}};
}

}  // namespace retrial::harness::inline study_report::inline provenance
