#include "harness/show/manifest_text.hpp"

#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline show {
namespace {

void show_decimal(Json& bits, const std::string& decimal) {
  bits = bits.get<std::string>() + " = " + decimal;
}

void show_seed(Json& seed) {
  if (!seed.is_string()) return;
  if (const auto value = results::parse_hex16(seed.get<std::string>())) show_decimal(seed, std::to_string(*value));
}

void show_seeds(Json& randomness) {
  if (randomness.contains("root")) show_seed(randomness["root"]);
  if (!randomness.contains("sources")) return;
  for (auto& [name, source] : randomness["sources"].items())
    if (source.is_object() && source.contains("seed")) show_seed(source["seed"]);
}

void show_values(const std::string& workload, Json& values) {
  const auto* declaration = workloads::workload_if_known(workload);
  if (declaration == nullptr) return;
  for (const auto& parameter : declaration->parameters) {
    if (!std::holds_alternative<double>(parameter.fallback) || !values.contains(parameter.name)) continue;
    Json& bits = values[parameter.name];
    const auto value = bits.is_string() ? results::double_from_hex(bits.get<std::string>()) : std::nullopt;
    if (value) show_decimal(bits, results::text_of(*value));
  }
}

}  // namespace

Json readable_manifest(Json manifest) {
  static const Json::json_pointer workload("/trial/workload"), values("/inputs/values");
  if (manifest.contains("randomness") && manifest["randomness"].is_object()) show_seeds(manifest["randomness"]);
  if (manifest.contains(workload) && manifest[workload].is_string() && manifest.contains(values))
    show_values(manifest[workload].get<std::string>(), manifest[values]);
  return manifest;
}

}  // namespace retrial::harness::inline show
