#include "workloads/interface/declaration.hpp"

#include <bit>

namespace retrial::workloads::inline interface {

namespace {

template <typename Item>
const Item* named(const std::vector<Item>& items, const std::string& name) {
  for (const auto& item : items)
    if (item.name == name) return &item;
  return nullptr;
}

/// Doubles by their bits: 0.0 and -0.0 are different trials, and a NaN never enters.
bool same(const Value& a, const Value& b) {
  const auto* x = std::get_if<double>(&a);
  const auto* y = std::get_if<double>(&b);
  if (x && y) return std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y);
  return a == b;
}

}  // namespace

std::vector<results::MetricDef> metrics_under(const Declaration& declaration, const Values& values) {
  return declaration.metrics_of ? declaration.metrics_of(values) : declaration.metrics;
}

bool finds_metrics_under(const Declaration& declaration, const Values& values) {
  return declaration.finds_metrics && declaration.finds_metrics(values);
}

std::optional<double> overlap_under(const Declaration& declaration, const Values& values,
                                    const std::vector<std::string>& varied) {
  if (!declaration.overlap) return std::nullopt;
  const auto honoured = declaration.honours(values);
  const bool redrawn = std::any_of(varied.begin(), varied.end(), [&](const std::string& name) {
    const auto* source = find_source(declaration, name);
    return source != nullptr && source->splits_data &&
           std::find(honoured.begin(), honoured.end(), name) != honoured.end();
  });
  return redrawn ? declaration.overlap(values) : std::nullopt;
}

const Parameter* find_parameter(const Declaration& declaration, const std::string& key) {
  return named(declaration.parameters, key);
}

const Source* find_source(const Declaration& declaration, const std::string& name) {
  return named(declaration.sources, name);
}

const Variant* find_variant(const Declaration& declaration, const std::string& name) {
  return named(declaration.variants, name);
}

Values resolved(const Declaration& declaration, const Values& given) {
  Values values;
  for (const auto& parameter : declaration.parameters) values[parameter.name] = parameter.fallback;
  for (const auto& [key, value] : given) values[key] = checked(declaration, key, value, "");
  return values;
}

Values non_default(const Declaration& declaration, const Values& values) {
  Values different;
  for (const auto& [key, value] : values) {
    const auto* parameter = find_parameter(declaration, key);
    if (parameter && parameter->reads == Reads::place) continue;
    if (!parameter || !same(parameter->fallback, value)) different[key] = value;
  }
  return different;
}

Values portable(const Declaration& declaration, Values values) {
  for (const Parameter& parameter : declaration.parameters) {
    if (parameter.reads == Reads::place) values[parameter.name] = parameter.fallback;
    const auto value = values.find(parameter.name);
    if (!parameter.written_at_default && value != values.end() && same(parameter.fallback, value->second))
      values.erase(value);
  }
  return values;
}

}  // namespace retrial::workloads::inline interface
