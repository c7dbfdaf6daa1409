// Compares the GPU with the CPU, bit for bit: the generator's device functions and psum2. Prints one line per check and
// returns 1 when any differs. `--host` needs no device: it compares the host side of the device header with the
// generator itself.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "determinism/digest/philox_device.cuh"
#include "determinism/digest/psum2.hpp"
#include "determinism/digest/psum2_cuda.hpp"
#include "variance/random/rng.hpp"

namespace {

using namespace retrial;

constexpr std::size_t indices = 1'000'000;
constexpr std::uint64_t key = 0x406e6b5de64c0d5d;  // source_seed(42, "init", 7)

/// Everything that the device header computes of one index.
struct Drawn {
  std::uint64_t word0, word1, bounded_small, bounded_large, uniform_bits;
  std::uint32_t float_bits, kept;
};

struct Input {
  std::uint64_t index;
  std::uint32_t b;
  std::uint64_t small_bound, large_bound;
  double p;
};

// Indices and blocks that reach all their bits, and bounds from 1 to 2^64 - 1.
RETRIAL_HD Input input_of(std::uint64_t i) {
  const std::uint64_t spread = i * 0x9E3779B97F4A7C15;
  return {i % 2 ? i : spread, static_cast<std::uint32_t>(spread >> 7) * static_cast<std::uint32_t>(i % 3),
          1 + i % 60000, 1 + (spread | i), static_cast<double>(i % 1024) / 1024.0};
}

RETRIAL_HD std::uint64_t bits_of(double value) {
  union {
    double value;
    std::uint64_t bits;
  } both{value};
  return both.bits;
}
RETRIAL_HD std::uint32_t bits_of(float value) {
  union {
    float value;
    std::uint32_t bits;
  } both{value};
  return both.bits;
}

RETRIAL_HD Drawn draw(std::uint64_t i) {
  const Input in = input_of(i);
  const device::Words words = device::block(key, in.index, in.b);
  return {words.word0,
          words.word1,
          device::bounded(words.word0, in.small_bound),
          device::bounded(words.word0, in.large_bound),
          bits_of(device::uniform(words.word0)),
          bits_of(device::uniform_float(words.word0)),
          device::keep(words.word0, in.p) ? 1u : 0u};
}

Drawn expected(std::uint64_t i) {
  const Input in = input_of(i);
  const auto words = variance::block(key, in.index, in.b);
  return {words[0],
          words[1],
          variance::bounded(words[0], in.small_bound),
          variance::bounded(words[0], in.large_bound),
          bits_of(variance::uniform(words[0])),
          bits_of(variance::uniform_float(words[0])),
          variance::keep(words[0], in.p) ? 1u : 0u};
}

__global__ void draw_all(Drawn* drawn, std::size_t n) {
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x)
    drawn[i] = draw(i);
}

bool report(const std::string& name, std::size_t differing, std::size_t of) {
  std::printf("%s: %zu of %zu differ%s\n", name.c_str(), differing, of, differing ? "  <-- FAILED" : "");
  return differing == 0;
}

bool device_call(cudaError_t status, const char* what) {
  if (status != cudaSuccess) std::printf("%s: %s  <-- FAILED\n", what, cudaGetErrorString(status));
  return status == cudaSuccess;
}

struct Field {
  const char* name;
  bool (*equal)(const Drawn&, const Drawn&);
};
constexpr Field fields[] = {
    {"philox words", [](const Drawn& a, const Drawn& b) { return a.word0 == b.word0 && a.word1 == b.word1; }},
    {"uniform", [](const Drawn& a, const Drawn& b) { return a.uniform_bits == b.uniform_bits; }},
    {"uniform_float", [](const Drawn& a, const Drawn& b) { return a.float_bits == b.float_bits; }},
    {"bounded, small n", [](const Drawn& a, const Drawn& b) { return a.bounded_small == b.bounded_small; }},
    {"bounded, any n", [](const Drawn& a, const Drawn& b) { return a.bounded_large == b.bounded_large; }},
    {"keep", [](const Drawn& a, const Drawn& b) { return a.kept == b.kept; }}};

bool compare(const std::string& where, const std::vector<Drawn>& drawn) {
  bool equal = true;
  for (const Field& field : fields) {
    std::size_t differing = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) differing += !field.equal(drawn[i], expected(i));
    equal &= report(where + ", " + field.name, differing, drawn.size());
  }
  return equal;
}

bool check_host() {
  std::vector<Drawn> drawn(indices);
  for (std::size_t i = 0; i < indices; ++i) drawn[i] = draw(i);
  bool equal = compare("host side of the device header", drawn);
  drawn[indices / 2].word1 ^= 1;  // the comparison itself must be able to fail
  std::printf("planted difference, expected to fail:\n  ");
  if (compare("planted", drawn)) equal = false;
  return equal;
}

bool check_draws() {
  Drawn* on_device = nullptr;
  if (!device_call(cudaMalloc(&on_device, indices * sizeof(Drawn)), "cudaMalloc")) return false;
  draw_all<<<1024, 256>>>(on_device, indices);
  std::vector<Drawn> drawn(indices);
  const bool copied =
      device_call(cudaGetLastError(), "kernel") &&
      device_call(cudaMemcpy(drawn.data(), on_device, indices * sizeof(Drawn), cudaMemcpyDeviceToHost), "cudaMemcpy");
  cudaFree(on_device);
  return copied && compare("GPU", drawn);
}

bool check_digest(std::size_t bytes, std::size_t offset, std::uint64_t first_word) {
  std::vector<std::byte> data(bytes);
  variance::Stream stream(variance::derive(key, "digest"));
  for (std::byte& byte : data) byte = static_cast<std::byte>(stream.next() & 0xff);
  unsigned char* on_device = nullptr;
  if (!device_call(cudaMalloc(&on_device, bytes + offset + 1), "cudaMalloc")) return false;
  if (!device_call(cudaMemcpy(on_device + offset, data.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy"))
    return false;
  const determinism::Lanes gpu = determinism::psum2_part_on_device(on_device + offset, bytes, first_word);
  cudaFree(on_device);
  const determinism::Lanes cpu = determinism::psum2_part(data, first_word);
  const std::int64_t size = static_cast<std::int64_t>(bytes);
  const auto finish = [&](determinism::Lanes lanes) {
    return determinism::psum2_finish(lanes, determinism::DType::uint8, {&size, 1});
  };
  return report("psum2 of " + std::to_string(bytes) + " bytes at offset " + std::to_string(offset) + ", " +
                    determinism::hex(finish(gpu)),
                !(finish(gpu) == finish(cpu)), 1);
}

bool check_device() {
  int devices = 0;
  if (!device_call(cudaGetDeviceCount(&devices), "cudaGetDeviceCount") || devices == 0) return false;
  bool equal = check_draws();
  for (const std::size_t bytes : {0, 1, 7, 8, 9, 1'000'003}) equal &= check_digest(bytes, 0, 0);
  equal &= check_digest(1'000'003, 3, 0);         // a slice that starts between two words
  equal &= check_digest(1'000'003, 8, 1u << 30);  // a part of a larger tensor
  equal &= check_digest(100'000'001, 0, 0);       // more words than one sweep of the grid
  return equal;
}

}  // namespace

int main(int argc, char** argv) {
  const bool host_only = argc == 2 && std::strcmp(argv[1], "--host") == 0;
  if (argc > 1 && !host_only) {
    std::printf("usage: cuda_check [--host]\n");
    return 2;
  }
  bool equal = check_host();
  if (!host_only) equal &= check_device();
  std::printf(equal ? "all equal\n" : "FAILED\n");
  return equal ? 0 : 1;
}
