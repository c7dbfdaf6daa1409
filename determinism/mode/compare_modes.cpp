#include "determinism/mode/kernel_mode.hpp"
#include "results/json/json.hpp"

namespace retrial::determinism::inline mode {
namespace {

struct Expected {
  const char* field;      ///< name of the axis for users
  const char* effective;  ///< JSON pointer into the result of read_back()
  Json requested;
};

std::string capability_of(const std::string& isa) {
  return isa == "avx2" ? "AVX2" : isa == "avx512" ? "AVX512" : "DEFAULT";
}

// One device a worker, so that no tensor is on another by mistake.
void add_expectations_of_gpu(const KernelMode& mode, std::vector<Expected>& expected) {
  const std::string attention = mode.attention_in_force();
  const auto uses = [&](const char* kernel) { return attention == "any" || attention == kernel; };
  expected.insert(expected.end(), {{"devices", "/cuda/devices", 1},
                                   {"cudnn", "/cudnn", mode.cudnn},
                                   {"blas", "/blas_backend", mode.blas == "cublaslt" ? 2 : 1},  // at::BlasBackend
                                   {"attention", "/attention/math", uses("math")},
                                   {"attention", "/attention/flash", uses("flash")},
                                   {"attention", "/attention/memory_efficient", uses("efficient")},
                                   {"attention", "/attention/cudnn", uses("cudnn")}});
}

// The MKL branch is compared in the portable mode alone: on CPUs that are not Intel's, MKL uses its automatic branch
// whatever is requested, unless that is COMPATIBLE. Elsewhere it is a difference between machines, which the manifest
// explains, not a failed mode.
std::vector<Expected> expectations(const KernelMode& mode) {
  const std::string cuda_precision = mode.tf32 ? "tf32" : "ieee";
  std::vector<Expected> expected = {{"deterministic", "/deterministic_algorithms", mode.deterministic},
                                    {"warn_only", "/deterministic_warn_only", false},
                                    {"threads", "/threads", mode.threads},
                                    {"isa", "/cpu_capability", capability_of(mode.isa)},
                                    {"onednn", "/onednn", mode.onednn},
                                    {"tf32", "/float32_precision/cuda.matmul", cuda_precision},
                                    {"tf32", "/float32_precision/cuda.conv", cuda_precision},
                                    {"tf32", "/float32_precision/cuda.rnn", cuda_precision},
                                    {"tf32", "/float32_precision/onednn.matmul", "ieee"},
                                    {"tf32", "/float32_precision/onednn.conv", "ieee"},
                                    {"tf32", "/float32_precision/onednn.rnn", "ieee"},
                                    {"autotune", "/cudnn_benchmark", mode.autotune},
                                    {"cudnn_deterministic", "/cudnn_deterministic", mode.deterministic},
                                    {"flush_denormal", "/mxcsr_main", "1f80"},
                                    {"flush_denormal", "/mxcsr_pool", "1f80"}};
  if (mode.portable) expected.push_back({"portable", "/mkl/branch", "COMPATIBLE"});
  if (mode.on_gpu()) add_expectations_of_gpu(mode, expected);
  return expected;
}

std::string plain_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// A feature that the library lacks cannot contradict a default; setting a non-default value for it has already failed.
bool is_irrelevant(const Json& effective) {
  return effective.is_null() || effective == "unsupported" || effective == "none";
}

}  // namespace

std::vector<std::string> compare_modes(const KernelMode& requested, const Json& effective) {
  std::vector<std::string> differences;
  if (requested.inherit() || !effective.is_object()) return differences;
  if (effective.contains("torch") && effective["torch"].is_null()) return differences;
  for (const Expected& row : expectations(requested)) {
    const Json::json_pointer place(row.effective);
    if (!effective.contains(place)) {
      differences.push_back(std::string(row.field) + ": requested " + plain_text(row.requested) +
                            ", effective not recorded");
      continue;
    }
    const Json& found = effective.at(place);
    if (is_irrelevant(found) || found == row.requested) continue;
    differences.push_back(std::string(row.field) + ": requested " + plain_text(row.requested) + ", effective " +
                          plain_text(found));
  }
  return differences;
}

}  // namespace retrial::determinism::inline mode
