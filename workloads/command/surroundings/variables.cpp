#include "workloads/command/surroundings/variables.hpp"

#include <cstdlib>

#include "results/text/text.hpp"

namespace retrial::workloads::command::inline surroundings {

const std::vector<std::string>& named_variables() {
  static const std::vector<std::string> names{
      // Python
      "PYTHONHASHSEED", "PYTHONPATH", "PYTHONHOME", "PYTHONOPTIMIZE", "PYTHONNOUSERSITE", "PYTHONSAFEPATH",
      "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV",
      // language and time
      "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_NUMERIC", "TZ",
      // loader and locale of other languages
      "LD_LIBRARY_PATH", "LD_PRELOAD", "R_LIBS", "JULIA_NUM_THREADS",
      // threads and devices that the list of numeric libraries leaves out
      "NUMEXPR_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMBA_NUM_THREADS", "TF_DETERMINISTIC_OPS",
      "TF_CUDNN_DETERMINISTIC", "TF_ENABLE_ONEDNN_OPTS", "XLA_FLAGS", "JAX_PLATFORMS", "JAX_ENABLE_X64",
      "CUDA_DEVICE_ORDER", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "PYTORCH_CUDA_ALLOC_CONF"};
  return names;
}

Json variables_in_force() {
  Json values = Json::object();
  for (const auto& name : named_variables()) {
    const char* value = std::getenv(name.c_str());
    values[name] = value ? results::one_line(value, 4096) : "unset";
  }
  return values;
}

}  // namespace retrial::workloads::command::inline surroundings
