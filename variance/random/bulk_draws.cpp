#include "variance/random/bulk_draws.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "variance/random/bulk_kernels.hpp"
#include "variance/random/rng.hpp"

namespace retrial::variance::inline random {
namespace {

using detail::BulkKernels;

/// Fastest first. A row is used if the machine has its instructions.
struct Row {
  const char* name;
  BulkKernels kernels;
  bool (*here)();
};

#ifdef __x86_64__
const Row instruction_rows[] = {
    {"avx512", detail::avx512_kernels(),
     [] { return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0; }},
    {"avx2", detail::avx2_kernels(), [] { return __builtin_cpu_supports("avx2") != 0; }},
    {"scalar", detail::scalar_kernels(), [] { return true; }},
};
#else
const Row instruction_rows[] = {{"scalar", detail::scalar_kernels(), [] { return true; }}};
#endif

const Row* best(std::string_view limit) {
  const auto from =
      std::ranges::find(instruction_rows, limit, [](const Row& row) { return std::string_view(row.name); });
  if (from == std::end(instruction_rows))
    throw InvalidInput("instructions", std::string(limit), "avx512, avx2, scalar");
  return std::find_if(from, std::end(instruction_rows), [](const Row& row) { return row.here(); });
}

const Row*& chosen() {
  static const Row* row = best(instruction_rows[0].name);
  return row;
}

}  // namespace

void fill_words(std::uint64_t key, std::uint64_t index, std::span<std::uint64_t> words) {
  if (words.size() >> 33 != 0) detail::throw_stream_exhausted();
  chosen()->kernels.words(key, index, words.data(), words.size());
}

void fill_bounded(std::span<const std::uint64_t> words, std::uint32_t n, std::span<std::uint32_t> result) {
  if (n == 0) detail::throw_bounded_zero();
  chosen()->kernels.bounded(words.data(), n, result.data(), words.size());
}

void fill_exponentials(std::span<const std::uint64_t> words, std::span<double> result) {
  chosen()->kernels.exponentials(words.data(), result.data(), words.size());
}

const char* bulk_instructions() {
  return chosen()->name;
}

void limit_bulk_instructions(const char* limit) {
  chosen() = best(limit);
}

}  // namespace retrial::variance::inline random
