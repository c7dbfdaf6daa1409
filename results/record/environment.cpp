#include "results/record/environment.hpp"

#include "results/json/json.hpp"

namespace retrial::results::inline record {
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

/// {schema, cpu_model, cores, isa, smt, governor, gpus, gpu_driver, mig}; a field that is not recorded is null.
Json stratum_document(const Json& base) {
  return {{"schema", "retrial.stratum/1"},
          {"cpu_model", field(base, "machine", "cpu_model")},
          {"cores", field(base, "machine", "cpu_cores")},
          {"isa", capability(base)},
          {"smt", field(base, "machine", "smt")},
          {"governor", field(base, "machine", "governor")},
          {"gpus", field(base, "machine", "gpus")},
          {"gpu_driver", field(base, "machine", "gpu_driver")},
          {"mig", field(base, "machine", "mig")}};
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
