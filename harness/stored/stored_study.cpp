#include "harness/stored/stored_study.hpp"

#include "harness/plan/trial_body.hpp"
#include "harness/study/declared/design_document.hpp"
#include "harness/study/declared/stored_fields.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline stored {
namespace {

std::vector<VariantView> variant_views(const StoredFields& study) {
  if (!study.at("variants").is_array()) study.wrong("variants", "a list");
  std::vector<VariantView> out;
  for (const Json& item : study.at("variants")) {
    const StoredFields fields(item, "study");
    out.push_back({.name = fields.text("name"), .preset = fields.text("preset"), .values = fields.at("values")});
    out.back().search_of = fields.text_or_null("search_of");
    if (!item.contains("test_items")) continue;
    const StoredFields items(fields.at("test_items"), "study");
    for (const auto& [metric, count] : fields.at("test_items").items())
      out.back().test_items[metric] = items.integer(metric);
  }
  return out;
}

}  // namespace

DesignView design_view(const results::Digest& digest, const Json& document) {
  const StoredFields fields(document, "design");
  DesignView out{design_from(fields)};
  out.digest = digest;
  out.direction = fields.text("direction");
  out.randomised = fields.names("randomised");
  out.frozen = fields.names("frozen");
  out.document = document;
  return out;
}

StudyView read_study(const results::Store& store, const results::StudyRow& row) {
  const StoredFields fields(row.document, "study");
  StudyView out{.digest = row.digest,
                .name = row.name,
                .workload = fields.text("workload"),
                .seed = fields.text("seed"),
                .pairs = fields.integer("pairs"),
                .vary = fields.names("vary"),
                .hold = fields.names("hold"),
                .mode = fields.at("mode"),
                .variants = variant_views(fields),
                .baseline = fields.text_or_null("baseline"),
                .candidate = fields.text_or_null("candidate"),
                .metric = fields.text_or_null("metric")};
  if (const auto hex = fields.text_or_null("design")) {
    const auto digest = results::digest_from_hex(*hex, "design of study " + row.name);
    const auto document = store.document(digest);
    if (!document) fields.wrong("design", "the digest of a stored document");
    out.design = design_view(digest, *document);
  }
  if (row.document.contains("variance")) out.variance = variance_design_of(row.document.at("variance"));
  if (row.document.contains("profile")) out.profile = profile_design_of(row.document.at("profile"));
  if (row.document.contains("search")) out.search = search_space_of(row.document.at("search"));
  if (row.document.contains("claims")) out.claims = registered_claims_of(row.document.at("claims"));
  out.plan = store.plan_listing(row.digest);
  store.demand_sealed(row, out.plan);
  return out;
}

std::vector<VariantView> judged_variants(const StudyView& study) {
  std::vector<VariantView> out;
  for (const auto& variant : study.variants)
    if (!variant.search_of) out.push_back(variant);
  return out;
}

Values values_of(const workloads::Declaration& declaration, const VariantView& variant) {
  return values_stored(declaration, variant.values);
}

}  // namespace retrial::harness::inline stored
