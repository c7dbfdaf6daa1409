#pragma once

#include <cstddef>
#include <cstdint>

/// The kernels of bulk_draws.hpp, one set per instruction set. For .cpp files of this folder.
namespace retrial::variance::inline random::detail {

struct BulkKernels {
  void (*words)(std::uint64_t key, std::uint64_t index, std::uint64_t* words, std::size_t count);
  void (*bounded)(const std::uint64_t* words, std::uint32_t n, std::uint32_t* result, std::size_t count);
  void (*exponentials)(const std::uint64_t* words, double* result, std::size_t count);
};

[[nodiscard]] BulkKernels scalar_kernels();
#ifdef __x86_64__
[[nodiscard]] BulkKernels avx2_kernels();
[[nodiscard]] BulkKernels avx512_kernels();
#endif

}  // namespace retrial::variance::inline random::detail
