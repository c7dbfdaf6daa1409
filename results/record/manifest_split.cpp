#include "results/record/manifest_split.hpp"

#include <algorithm>
#include <array>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline record {
namespace {

constexpr std::array<std::string_view, 5> groups_of_one_trial = {"trial", "randomness", "outcome", "evidence",
                                                                 "volatile"};
constexpr std::size_t longest_delta = 65536;  // CHECK of the column

bool of_one_trial(const std::string& group) {
  return std::find(groups_of_one_trial.begin(), groups_of_one_trial.end(), group) != groups_of_one_trial.end();
}

}  // namespace

Json merged(const Json& base, const Json& delta) {
  if (!base.is_object() || !delta.is_object()) return delta;
  Json out = base;
  for (const auto& [key, value] : delta.items()) {
    const auto old = out.find(key);
    if (old == out.end())
      out[key] = value;
    else
      *old = merged(*old, value);
  }
  return out;
}

SplitManifest split_manifest(const Json& manifest) {
  if (!manifest.is_object())
    throw Error({.code = "manifest.not_object",
                 .field = "manifest",
                 .value = one_line(printed(manifest), 60),
                 .problem = "is not a JSON object"});
  SplitManifest split{.base = Json::object(), .delta = delta_of(manifest)};
  if (!fits(canonical(split.delta))) return {.base = manifest, .delta = Json::object()};
  for (const auto& [group, value] : manifest.items())
    if (!of_one_trial(group)) split.base[group] = value;
  return split;
}

Json delta_of(const Json& manifest) {
  Json delta = Json::object();
  for (const std::string_view group : groups_of_one_trial)
    if (const auto found = manifest.find(group); found != manifest.end()) delta[std::string(group)] = *found;
  return delta;
}

bool fits(const std::string& delta) {
  return delta.size() <= longest_delta;
}

bool has_base(const Json& manifest, const Json& base) {
  if (!manifest.is_object() || !base.is_object()) return false;
  std::size_t shared = 0;
  for (const auto& [group, value] : manifest.items()) {
    if (of_one_trial(group)) continue;
    const auto found = base.find(group);
    if (found == base.end() || *found != value) return false;
    ++shared;
  }
  return shared == base.size();
}

namespace {

Json field(const Json& base, const char* group, const char* key) {
  if (!base.is_object() || !base.contains(group)) return nullptr;
  const Json& fields = base.at(group);
  return fields.is_object() && fields.contains(key) ? fields.at(key) : Json();
}

std::optional<std::string> text_field(const Json& base, const char* group, const char* key) {
  const Json value = field(base, group, key);
  if (value.is_null()) return std::nullopt;
  return value.is_string() ? value.get<std::string>() : canonical(value);
}

/// The instruction set of ATen's kernels, as it was read back.
Json capability(const Json& base) {
  const Json effective = field(base, "numeric", "effective");
  return effective.is_object() && effective.contains("cpu_capability") ? effective.at("cpu_capability") : Json();
}

/// {schema, cpu_model, cores, isa, smt, governor, gpus, gpu_driver, mig}; a field that is not recorded is null. Only of
/// an emulated CPU: emulated.
Json stratum_document(const Json& base) {
  Json document{{"schema", "retrial.stratum/1"},
                {"cpu_model", field(base, "machine", "cpu_model")},
                {"cores", field(base, "machine", "cpu_cores")},
                {"isa", capability(base)},
                {"smt", field(base, "machine", "smt")},
                {"governor", field(base, "machine", "governor")},
                {"gpus", field(base, "machine", "gpus")},
                {"gpu_driver", field(base, "machine", "gpu_driver")},
                {"mig", field(base, "machine", "mig")}};
  if (const Json shown = field(base, "machine", "emulated"); !shown.is_null()) document["emulated"] = shown;
  return document;
}

}  // namespace

EnvironmentColumns environment_columns(const Json& base) {
  const Json cores = field(base, "machine", "cpu_cores"), isa = capability(base);
  return {.stratum = digest_of(stratum_document(base)),
          .cpu_model = text_field(base, "machine", "cpu_model").value_or("unknown"),
          .isa = isa.is_string() ? isa.get<std::string>() : "unknown",
          .os = text_field(base, "machine", "os").value_or("unknown"),
          .kernel = text_field(base, "machine", "kernel").value_or("unknown"),
          .cpu_cores = cores.is_number_integer() ? cores.get<std::int64_t>() : 0,
          .governor = text_field(base, "machine", "governor"),
          .gpu_model = text_field(base, "machine", "gpus"),
          .gpu_driver = text_field(base, "machine", "gpu_driver"),
          .torch_version = text_field(base, "libraries", "torch"),
          .cuda_version = text_field(base, "libraries", "cuda")};
}

}  // namespace retrial::results::inline record
