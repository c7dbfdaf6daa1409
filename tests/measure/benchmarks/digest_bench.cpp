// Rates of the digests against a plain 64-bit sum over the same memory, which is what one core can read. Compare rows
// of one run: absolute rates move with the host. The bars: psum2 at 256 MiB at least 0.35 of the sum, xxh3c at least
// 0.75 at 64 MiB, XXH3 in the second-level cache at least 15 GB/s.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "determinism/digest/psum2.hpp"
#include "determinism/digest/xxh3c.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::digest_bench {

namespace {

using namespace retrial;

std::vector<std::byte> bytes_of(std::int64_t size) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  variance::Stream stream(variance::derive(20210403, "digest-bench"));
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    const std::uint64_t word = stream.next();
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
  return bytes;
}

// Four sums at once, so that memory and not the latency of an addition is what limits it.
[[gnu::always_inline]] inline std::uint64_t sum_of(std::span<const std::byte> bytes) {
  using Words [[gnu::vector_size(32)]] = std::uint64_t;
  constexpr std::size_t chains = 4;
  Words sums[chains]{};
  for (std::size_t at = 0; at + sizeof sums <= bytes.size(); at += sizeof sums)
    for (std::size_t chain = 0; chain < chains; ++chain) {
      Words words;
      std::memcpy(&words, bytes.data() + at + chain * sizeof words, sizeof words);
      sums[chain] += words;
    }
  const Words sum = sums[0] + sums[1] + sums[2] + sums[3];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] std::uint64_t sum_avx2(std::span<const std::byte> bytes) {
  return sum_of(bytes);
}
#endif

std::uint64_t plain_sum(std::span<const std::byte> bytes) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return sum_avx2(bytes);
#endif
  return sum_of(bytes);
}

template <typename Digest>
void measure(benchmark::State& state, Digest digest) {
  const std::int64_t size = state.range(0);
  const std::vector<std::byte> bytes = bytes_of(size);
  for (auto _ : state) benchmark::DoNotOptimize(digest(std::span(bytes), size));
  state.SetBytesProcessed(state.iterations() * size);
}

void sum_bench(benchmark::State& state) {
  measure(state, [](std::span<const std::byte> bytes, std::int64_t) { return plain_sum(bytes); });
}
void psum2_bench(benchmark::State& state) {
  measure(state, [](std::span<const std::byte> bytes, std::int64_t size) {
    return determinism::psum2(determinism::DType::uint8, {&size, 1}, bytes);
  });
}
void xxh3c_bench(benchmark::State& state) {
  measure(state, [](std::span<const std::byte> bytes, std::int64_t size) {
    return determinism::xxh3c(determinism::DType::uint8, {&size, 1}, bytes);
  });
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t kib : {16, 8 * 1024, 64 * 1024, 256 * 1024}) bench->Arg(kib * 1024);
}

BENCHMARK(sum_bench)->Name("plain sum")->Apply(sizes);
BENCHMARK(psum2_bench)->Name("psum2")->Apply(sizes);
BENCHMARK(xxh3c_bench)->Name("xxh3c")->Apply(sizes);

}  // namespace

}  // namespace retrial::tests::digest_bench
