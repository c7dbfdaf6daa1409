#include <algorithm>
#include <map>

#include "determinism/mode/kernel_mode.hpp"
#include "harness/judge/verdict/verdict_words.hpp"
#include "harness/study/declared/design_table.hpp"
#include "harness/study_report/provenance/provenance.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study_report::inline provenance {
namespace {

/// A canonical document holds doubles as bits; the declaration says which texts are doubles.
std::string value_text(const workloads::Declaration* declaration, const std::string& key, const Json& value) {
  const auto* parameter = declaration == nullptr ? nullptr : workloads::find_parameter(*declaration, key);
  if (parameter != nullptr) return results::text_of(results::value_from_canonical(value, parameter->fallback, key));
  return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

report::Facts study_facts(const StudyView& study) {
  report::Facts out{{{"study", study.name},
                     {"workload", study.workload},
                     {"root seed", "0x" + study.seed},
                     {"pairs", std::to_string(study.pairs)},
                     {"varied", names_or_nothing(study.vary)},
                     {"held", names_or_nothing(study.hold)},
                     {"kernel mode", determinism::mode_text(study.mode)}}};
  if (study.candidate && study.baseline)
    out.rows.push_back({"compared", *study.candidate + " (candidate) with " + *study.baseline + " (baseline) by " +
                                        study.metric.value_or("?")});
  return out;
}

std::string field_words(const DesignField& field, const variance::Design& design) {
  const Json value = field.get(design);
  if (value.is_null()) return "-";
  if (!value.is_number_float()) return field_text(value);
  return field.percent ? percent(value.get<double>()) : short_text(value.get<double>());
}

report::Facts design_facts(const DesignView& d) {
  report::Facts out{
      {{"family and test", d.family + ", " + d.test}, {"metric", d.metric + ", " + d.direction + " is better"}}};
  for (const auto& field : design_table()) {
    const bool shown = field.has_meaning(d) && (field.in_document == Written::always || field.declared(d));
    if (shown && (field.kind != FieldKind::text || field.closed()))
      out.rows.push_back({field.label.empty() ? field.name : field.label, field_words(field, d)});
  }
  out.rows.insert(out.rows.end(), {{"pairs", std::to_string(d.pairs)},
                                   {"varied", names_or_nothing(d.randomised)},
                                   {"held", names_or_nothing(d.frozen)}});
  return out;
}

/// Key -> value by variant, by key.
using ValuesByKey = std::map<std::string, std::vector<std::string>>;

ValuesByKey keys_of(const StudyView& study) {
  const auto* declaration = workloads::workload_if_known(study.workload);
  ValuesByKey out;
  for (std::size_t i = 0; i < study.variants.size(); ++i)
    for (const auto& [key, value] : study.variants[i].values.items()) {
      auto& row = out[key];
      row.resize(study.variants.size());
      row[i] = value_text(declaration, key, value);
    }
  return out;
}

bool shared(const std::vector<std::string>& values) {
  return std::ranges::all_of(values, [&](const auto& value) { return value == values.front(); });
}

report::Table shared_keys(const ValuesByKey& keys) {
  constexpr std::size_t few = 15;
  report::Table out{.columns = {{"key"}, {"value"}}};
  for (const auto& [key, values] : keys)
    if (shared(values)) out.rows.push_back({key, values.front().empty() ? "-" : values.front()});
  out.caption = "The same in every variant: " + counted(static_cast<std::int64_t>(out.rows.size()), "key");
  out.folded = out.rows.size() > few;
  return out;
}

/// A column per variant.
report::Table different_keys(const ValuesByKey& keys, const std::vector<VariantView>& variants) {
  report::Table out{.caption = "Differences between the variants", .columns = {{"key"}}, .rows = {}};
  for (const auto& variant : variants) out.columns.emplace_back(variant.name);
  for (const auto& [key, values] : keys) {
    if (shared(values)) continue;
    std::vector<report::Cell> row{key};
    row.insert(row.end(), values.begin(), values.end());
    out.rows.push_back(std::move(row));
  }
  return out;
}

/// A row per variant: its own values of the keys in which it differs from the first, of the first all that differ.
report::Table keys_by_variant(const ValuesByKey& keys, const std::vector<VariantView>& variants) {
  report::Table out{
      .caption = "Differences from " + variants.front().name, .columns = {{"variant"}, {"keys"}}, .rows = {}};
  for (std::size_t i = 0; i < variants.size(); ++i) {
    std::vector<std::string> own;
    for (const auto& [key, values] : keys)
      if (i == 0 ? !shared(values) : values[i] != values.front()) own.push_back(key + " = " + values[i]);
    out.rows.push_back({variants[i].name, own.empty() ? "nothing" : results::joined(own)});
  }
  return out;
}

void add_keys(const StudyView& study, report::Section& section) {
  constexpr std::size_t max_variant_columns = 4;
  const ValuesByKey keys = keys_of(study);
  const bool all_shared = std::ranges::all_of(keys, [](const auto& key) { return shared(key.second); });
  if (!all_shared)
    section.blocks.push_back(study.variants.size() <= max_variant_columns ? different_keys(keys, study.variants)
                                                                          : keys_by_variant(keys, study.variants));
  if (report::Table same = shared_keys(keys); !same.rows.empty()) section.blocks.push_back(std::move(same));
}

/// The workload's remarks on the keys of each variant.
void add_remarks(const StudyView& study, report::Section& section) {
  const auto* declaration = workloads::workload_if_known(study.workload);
  if (declaration == nullptr || !declaration->remarks) return;
  for (const auto& variant : study.variants)
    for (const auto& remark : declaration->remarks(values_of(*declaration, variant)))
      section.blocks.push_back(report::Warning{variant.name + ": " + remark + "."});
}

}  // namespace

Part configuration_part(const Material& material) {
  const StudyView& study = material.study;
  report::Section section{.id = "configuration", .title = "Configuration", .blocks = {}};
  section.blocks.push_back(study_facts(study));
  add_keys(study, section);
  add_remarks(study, section);
  if (study.design) {
    section.blocks.push_back(report::Paragraph{"Design, stored before the first run:"});
    section.blocks.push_back(design_facts(*study.design));
  }
  Json variants = Json::object();
  for (const auto& variant : study.variants)
    variants[variant.name] = {{"preset", variant.preset}, {"values", variant.values}};
  return {.section = std::move(section),
          .data = {{"seed", study.seed},
                   {"declared_pairs", study.pairs},
                   {"vary", study.vary},
                   {"hold", study.hold},
                   {"mode", study.mode},
                   {"variants", variants}}};
}

}  // namespace retrial::harness::inline study_report::inline provenance
