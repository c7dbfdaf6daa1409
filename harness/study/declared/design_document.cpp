#include "harness/study/declared/design_document.hpp"

#include "harness/study/declared/design_table.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"

namespace retrial::harness::inline study::inline declared {
namespace {

Json with_numbers(const Json& value, Json (*number)(double)) {
  if (value.is_number_float()) return number(value.get<double>());
  Json out = value;
  if (value.is_array())
    for (Json& item : out) item = with_numbers(item, number);
  return out;
}

bool written(const DesignField& field, const variance::Design& design) {
  return field.in_document == Written::always || (field.in_document == Written::if_declared && field.declared(design));
}

Json value_from(const StoredFields& fields, const DesignField& field) {
  switch (field.kind) {
    case FieldKind::text:
      return field.closed() ? fields.word(field.name, field.choices) : fields.text(field.name);
    case FieldKind::whole:
      return fields.integer(field.name);
    case FieldKind::number:
      return fields.bits(field.name);
    case FieldKind::interval:
      return fields.interval(field.name);
    case FieldKind::counts:
      return fields.integers(field.name);
  }
  return {};
}

}  // namespace

Json design_json(const variance::Design& design, Json (*number)(double)) {
  Json out{{"pairs", design.pairs}};
  for (const auto& field : design_table())
    if (written(field, design)) out[field.name] = with_numbers(field.get(design), number);
  const auto& family = variance::family_of(design);
  if (!family.sequential()) return out;
  out["anytime"] = family.anytime;
  if (!family.mixture.empty()) out["mixture"] = family.mixture;
  return out;
}

variance::Design design_from(const StoredFields& fields) {
  variance::Design out{.candidate = fields.text("candidate"),
                       .baseline = fields.text("baseline"),
                       .metric = fields.text("metric"),
                       .pairs = fields.integer("pairs")};
  for (const auto& field : design_table()) {
    const bool required = field.in_document == Written::always && !field.fallback().empty();
    if (field.in_document != Written::never && (required || fields.has(field.name)))
      field.set(value_from(fields, field), out);
  }
  if (out.family == "group_sequential") out.spending = out.test;
  return out;
}

}  // namespace retrial::harness::inline study::inline declared
