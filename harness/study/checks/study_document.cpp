#include "harness/study/checks/study.hpp"
#include "harness/study/declared/design_document.hpp"
#include "results/digest/sha256.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

/// The number of test items of each metric that is a share of them, stored because the data may be missing when the
/// study is judged.
Json test_items_of(const workloads::Declaration& declaration, const Values& values) {
  Json out = Json::object();
  if (!declaration.test_items) return out;
  for (const auto& def : workloads::metrics_under(declaration, values))
    if (const auto items = declaration.test_items(values, def.name)) out[def.name] = *items;
  return out;
}

Json variant_document(const workloads::Declaration& declaration, const StudyVariant& variant) {
  Json values = Json::object();
  for (const auto& [key, value] : workloads::portable(declaration, variant.values))
    values[key] = results::canonical_value(value);
  Json out{{"name", variant.name}, {"preset", variant.preset}, {"values", std::move(values)}};
  if (Json items = test_items_of(declaration, variant.values); !items.empty()) out["test_items"] = std::move(items);
  return out;
}

}  // namespace

Json design_document(const Study& study) {
  const auto& design = study.compare.value();
  Json out = design_json(design, [](double value) -> Json { return results::hex_of_bits(value); });
  out.update({{"schema", "retrial.design/1"},
              {"metric", design.metric},
              {"direction", results::name_of(judged_metric(study).direction)},
              {"baseline", design.baseline},
              {"candidate", design.candidate},
              {"randomised", study.varied},
              {"frozen", study.held}});
  return out;
}

Json study_document(const Study& study) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  Json variants = Json::array();
  for (const auto& variant : study.variants) variants.push_back(variant_document(declaration, variant));
  for (const auto& variant : study.variants)
    if (study.search) {
      variants.push_back(variant_document(declaration, variant));
      variants.back()["name"] = search_variant(variant.name);
      variants.back()["search_of"] = variant.name;
    }
  Json out{{"schema", "retrial.study/1"},
           {"name", study.name},
           {"workload", study.workload},
           {"seed", results::hex16(study.seed.value())},
           {"pairs", study.pairs},
           {"vary", study.varied},
           {"hold", study.held},
           {"mode", determinism::mode_document(study.mode)},
           {"variants", std::move(variants)},
           {"baseline", nullptr},
           {"candidate", nullptr},
           {"metric", nullptr},
           {"design", nullptr}};
  if (study.variance) out["variance"] = document_of(*study.variance);
  if (study.profile) out["profile"] = document_of(*study.profile);
  if (study.search) out["search"] = document_of(*study.search);
  if (!study.claims.empty()) out["claims"] = document_of(study.claims);
  if (study.compare) {
    out["baseline"] = study.compare->baseline;
    out["candidate"] = study.compare->candidate;
    out["metric"] = study.compare->metric;
    out["design"] = results::hex(results::digest_of(design_document(study)));
  }
  return out;
}

}  // namespace retrial::harness::inline study::inline checks
