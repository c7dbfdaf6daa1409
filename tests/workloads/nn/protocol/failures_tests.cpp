#include "workloads/nn/protocol/failures.hpp"

#include <stdexcept>

#include "tests/catch.hpp"

namespace retrial::tests::failures_tests {

using namespace retrial;

// The texts are those of LibTorch 2.x: c10/core/impl/alloc_cpu.cpp, and at::globalContext().alertNotDeterministic.
TEST_CASE("an exception of LibTorch gets the kind of its text") {
  const auto kind = [](const char* text) {
    const auto known = nn::explain_libtorch(std::runtime_error(text));
    return known ? known->kind : "";
  };
  CHECK(kind("[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to "
             "allocate 4000000000000 bytes. Error code 12 (Cannot allocate memory)") == "torch.oom");
  CHECK(kind("CUDA out of memory. Tried to allocate 2.00 GiB") == "torch.oom");
  CHECK(kind("put_ does not have a deterministic implementation, but you set "
             "'torch.use_deterministic_algorithms(True)'.") == "nondeterministic_operator");
  // LibTorch puts "CUDA error: " before the text of the runtime, our kernels their name.
  CHECK(kind("CUDA error: an illegal memory access was encountered\nCUDA kernel errors might be asynchronously "
             "reported at some other API call") == "cuda.sticky");
  CHECK(kind("update kernel: unspecified launch failure") == "cuda.sticky");
  CHECK(kind("CUDA error: device-side assert triggered") == "cuda.sticky");
  CHECK(kind("CUDA error: uncorrectable ECC error encountered") == "cuda.ecc");
  CHECK(kind("CUDA error: CUDA-capable device(s) is/are busy or unavailable") == "cuda.lost");
  CHECK(kind("CUDA error: out of memory") == "torch.oom");
  CHECK(kind("The size of tensor a (3) must match the size of tensor b (4)").empty());
}

}  // namespace retrial::tests::failures_tests
