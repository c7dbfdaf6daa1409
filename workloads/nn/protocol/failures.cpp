#include "workloads/nn/protocol/failures.hpp"

#include <string_view>

namespace retrial::nn::inline protocol {
namespace {

struct Known {
  std::string_view text;
  const char* kind;
};

constexpr Known known[] = {{"does not have a deterministic implementation", "nondeterministic_operator"},
                           {"DefaultCPUAllocator: can't allocate", "torch.oom"},
                           {"out of memory", "torch.oom"},
                           // cudaGetErrorString of CUDA 13
                           {"an illegal memory access was encountered", "cuda.sticky"},
                           {"an illegal instruction was encountered", "cuda.sticky"},
                           {"device-side assert triggered", "cuda.sticky"},
                           {"hardware stack error", "cuda.sticky"},
                           {"misaligned address", "cuda.sticky"},
                           {"unspecified launch failure", "cuda.sticky"},
                           {"the launch timed out and was terminated", "cuda.sticky"},
                           {"uncorrectable ECC error encountered", "cuda.ecc"},
                           {"GPU is lost", "cuda.lost"},
                           {"CUDA-capable device(s) is/are busy or unavailable", "cuda.lost"}};

}  // namespace

std::optional<workloads::TrialFailure> explain_libtorch(const std::exception& error) {
  const std::string_view text = error.what();
  for (const Known& each : known)
    if (text.find(each.text) != std::string_view::npos) return workloads::TrialFailure(each.kind, error.what());
  return std::nullopt;
}

}  // namespace retrial::nn::inline protocol
