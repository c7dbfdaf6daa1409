// Compares the GPU with the CPU, bit for bit: the generator's device functions, psum2, updates, dropout and sums.
// Prints one line per check and returns 1 when any differs. `--host` needs no device: it compares the host side of the
// device header with the generator itself.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "determinism/digest/philox_device.cuh"
#include "determinism/digest/psum2.hpp"
#include "determinism/digest/psum2_cuda.hpp"
#include "determinism/kernels/segment_sum.hpp"
#include "determinism/seeds/drop.hpp"
#include "determinism/seeds/seeds.hpp"
#include "variance/random/rng.hpp"
#include "workloads/distillation/trial/dot_device.hpp"
#include "workloads/nn/gpu/kernels.hpp"
#include "workloads/nn/protocol/adaptive.hpp"
#include "workloads/nn/protocol/sgd_device.hpp"

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

/// Memory of the device with a copy of host memory, freed with the scope. Null where CUDA fails.
template <typename T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values) : count_(values.size()) {
    void* memory = nullptr;
    if (!device_call(cudaMalloc(&memory, (count_ + 1) * sizeof(T)), "cudaMalloc")) return;
    memory_ = static_cast<T*>(memory);
    device_call(cudaMemcpy(memory_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~OnDevice() { cudaFree(memory_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  T* get() const { return memory_; }
  std::vector<T> values() const {
    std::vector<T> values(count_);
    device_call(cudaMemcpy(values.data(), memory_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }

 private:
  T* memory_ = nullptr;
  std::size_t count_;
};

/// One launch for slices of every length and offset; then more tensors than one launch takes.
bool check_digests() {
  std::vector<std::byte> data(100'000'017);
  variance::Stream stream(variance::derive(key, "digest"));
  for (std::byte& byte : data) byte = static_cast<std::byte>(stream.next() & 0xff);
  const OnDevice<std::byte> device(data);
  struct Slice {
    std::size_t offset, bytes;
    std::uint64_t first_word;
  };
  std::vector<Slice> slices{{0, data.size(), 0}, {3, 1'000'003, 0}, {8, 1'000'003, std::uint64_t{1} << 30}};
  for (std::size_t i = 0; i < 1000; ++i) slices.push_back({i % 16 + 64 * i, i < 40 ? i : i * 37 % 70'000, i});
  std::vector<determinism::DeviceBytes> list;
  for (const Slice& slice : slices) list.push_back({device.get() + slice.offset, slice.bytes, slice.first_word});
  const auto gpu = determinism::psum2_on_device(list);
  std::size_t differing = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const auto cpu =
        determinism::psum2_part(std::span(data).subspan(slices[i].offset, slices[i].bytes), slices[i].first_word);
    differing += cpu.lane0 != gpu[i].lane0 || cpu.lane1 != gpu[i].lane1;
  }
  return report("psum2 of a list", differing, slices.size());
}

std::vector<float> floats(std::uint64_t seed, std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<float>(variance::uniform(variance::block(seed, i, 0)[0], -1, 1));
  return values;
}

std::size_t differing(const std::vector<float>& a, const std::vector<float>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += bits_of(a[i]) != bits_of(b[i]);
  return count;
}

bool check_updates() {
  constexpr std::size_t n = 1'000'003;
  bool equal = true;
  for (const bool nesterov : {false, true}) {
    const nn::Sgd sgd{.9, 5e-4, nesterov};
    auto w = floats(1, n), v = floats(3, n);
    const auto gradient = floats(2, n);
    const OnDevice<float> w_there(w), g_there(gradient), v_there(v), rate({.1F});
    const OnDevice<std::uint8_t> proceed({1});
    const std::vector<determinism::Listed<nn::SgdTensor>> list{
        {{w_there.get(), g_there.get(), v_there.get(), nullptr}, 5},
        {{w_there.get() + 5, g_there.get() + 5, v_there.get() + 5, nullptr}, n - 5}};
    nn::sgd_step_on_device(list, {rate.get(), proceed.get()}, sgd, nullptr);
    nn::sgd_step(w, gradient, v, .1, sgd);
    equal &=
        report(nesterov ? "sgd, Nesterov" : "sgd", differing(w, w_there.values()) + differing(v, v_there.values()), n);
  }
  auto w = floats(1, n), v = floats(4, n), u = floats(5, n);
  const auto task = floats(2, n), imitation = floats(3, n);
  const OnDevice<float> w_there(w), t_there(task), i_there(imitation), v_there(v), u_there(u), rate({.05F});
  const OnDevice<std::uint8_t> proceed({1});
  const std::vector<determinism::Listed<distillation::DotTensor>> list{
      {{w_there.get(), t_there.get(), i_there.get(), v_there.get(), u_there.get(), nullptr}, n}};
  distillation::dot_step_on_device(list, {rate.get(), proceed.get()}, .075, {.9, 5e-4, false}, nullptr);
  distillation::dot_step(w, task, imitation, {v, u}, .05, .075, {.9, 5e-4, false});
  return equal & report("dot", differing(w, w_there.values()) + differing(u, u_there.values()), n);
}

bool check_drop() {
  std::size_t wrong = 0, all = 0;
  for (const std::size_t n : {1, 31, 33, 257, 270'337, (1 << 20) + 3})
    for (const double p : {0.0, 1e-9, .1, .5, 1.0}) {
      const auto x = floats(n, n);
      const OnDevice<float> there(x);
      const determinism::Drop drop{variance::derive(variance::derive(key, "mask"), std::uint64_t{3}), p,
                                   static_cast<float>(1 / (1 - p))};
      determinism::drop_on_device(there.get(), there.get(), n, drop, nullptr);
      const auto kept = determinism::keep_mask(key, 3, p, n);
      auto expected = x;
      for (std::size_t e = 0; e < n; ++e) expected[e] = x[e] * (kept[e] != 0 ? drop.factor : 0.0F);
      wrong += differing(expected, there.values());
      all += n;
    }
  return report("dropout", wrong, all);
}

/// A batch of a training, an epoch's sums that end at a planted NaN, and statistics that are set back after it.
bool check_training() {
  const nn::DeviceKernels& kernels = *nn::device_kernels();
  constexpr std::size_t images = 500, pixels = 3 * 32 * 32, count = 129, steps = 50, bad = 31;
  std::vector<std::uint8_t> bytes(images * pixels);
  for (std::size_t e = 0; e < bytes.size(); ++e) bytes[e] = static_cast<std::uint8_t>(variance::block(31, e, 0)[0]);
  const auto table = floats(32, 3 * 256);
  std::vector<std::int64_t> places;
  for (std::uint64_t i = 0; i < count; ++i)
    places.push_back(static_cast<std::int64_t>(variance::bounded(variance::block(33, i, 0)[0], images)));
  std::vector<float> batch(count * pixels);
  const OnDevice<std::uint8_t> bytes_there(bytes);
  const OnDevice<float> table_there(table), batch_there(batch);
  const OnDevice<std::int64_t> places_there(places);
  kernels.gather({bytes_there.get(), table_there.get(), places_there.get(), batch_there.get(), count, pixels, 1024});
  nn::gather_elements({bytes.data(), table.data(), places.data(), batch.data(), count, pixels, 1024}, {0, 1, 0, 1});
  bool equal = report("gather", differing(batch, batch_there.values()), batch.size());

  auto losses = floats(34, 2 * steps);
  losses[2 * bad] = std::numeric_limits<float>::quiet_NaN();
  std::vector<double> sums(3);
  std::uint8_t proceed = 1, now = 7, counted = 0;
  std::int64_t diverged_at = -1;
  const OnDevice<float> losses_there(losses);
  const OnDevice<double> sums_there(sums);
  const OnDevice<std::uint8_t> proceed_there({1}), now_there({7}), counted_there({0});
  const OnDevice<std::int64_t> diverged_there({-1});
  const std::vector<determinism::Listed<nn::Settled>> list{{{now_there.get(), counted_there.get()}, 1}};
  for (std::size_t s = 0; s < steps; ++s) {
    nn::StepTerms step{.weights = {1, .3}, .slots = {0, 1}, .count = 2, .rows = 32, .step = static_cast<std::int64_t>(s)};
    for (std::size_t t = 0; t < 2; ++t) step.values[t] = losses_there.get() + 2 * s + t;
    kernels.settle(list, proceed_there.get());
    kernels.note(step, {sums_there.get(), sums_there.get() + 1, proceed_there.get(), diverged_there.get()});
    if (proceed != 0) counted = now;
    for (std::size_t t = 0; t < 2; ++t) step.values[t] = losses.data() + 2 * s + t;
    nn::note_step(step, {sums.data(), sums.data() + 1, &proceed, &diverged_at}, {0, 1, 0, 1});
  }
  const auto found = sums_there.values();
  equal &= report("sums of an epoch", std::memcmp(&found[2], &sums[2], sizeof(double)) == 0 ? 0 : 1, steps);
  equal &= report("end of a training", diverged_there.values()[0] == std::int64_t{bad} ? 0 : 1, 1);
  equal &= report("statistics", counted_there.values()[0] == counted ? 0 : 1, 1);

  constexpr std::size_t n = 100'003;
  auto w = floats(35, n), m = floats(36, n), v = floats(37, n);
  for (float& value : v) value = std::abs(value);
  const auto gradient = floats(38, n);
  const OnDevice<float> w_there(w), g_there(gradient), m_there(m), v_there(v);
  const std::vector<determinism::Listed<nn::AdaptiveTensor>> weights{
      {{w_there.get(), g_there.get(), m_there.get(), v_there.get()}, n}};
  kernels.adam(weights, nn::adam_numbers(3, .01, 1e-8, .3F));
  nn::adam_step(w, gradient, m, v, 3, .01, 1e-8, .3F);
  equal &= report("Adam", differing(w, w_there.values()) + differing(v, v_there.values()), n);
  kernels.rmsprop(weights, {.01F, 1e-5F, .3F});
  nn::rmsprop_step(w, gradient, v, .01, 1e-5, .3F);
  return equal & report("RMSprop", differing(w, w_there.values()) + differing(v, v_there.values()), n);
}

/// Ten repeats of each form: float atomics must differ at least once, the others never.
bool check_sums() {
  using Form = determinism::SumForm;
  constexpr std::uint32_t n = 1 << 20, count = 100;
  std::vector<float> values(n);
  std::vector<std::uint32_t> segments(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto words = variance::block(21, i, 0);
    values[i] = (static_cast<float>(words[0] >> 40) - 0x1p23F) * static_cast<float>(1U << words[1] % 19) * 0x1p-20F;
    segments[i] = static_cast<std::uint32_t>(variance::bounded(words[1], count));
  }
  const auto sorted = determinism::sort_segments(segments, count);
  const OnDevice<float> values_there(values), out{std::vector<float>(count)};
  const OnDevice<std::uint32_t> segments_there(segments), first(sorted.first), places(sorted.places);
  const OnDevice<unsigned long long> sums{std::vector<unsigned long long>(count)}, inexact({0});
  const determinism::SegmentInput in{values_there.get(), segments_there.get(), first.get(), places.get(), n, count};
  const auto changed = [&](Form form) {
    std::vector<float> before;
    std::size_t repeats = 0;
    for (int repeat = 0; repeat < 10; ++repeat) {
      determinism::segment_sum_on_device(form, in, out.get(), {sums.get(), inexact.get(), 20}, nullptr);
      const auto now = out.values();
      repeats += !before.empty() && differing(before, now) > 0;
      before = now;
    }
    return repeats;
  };
  bool right = report("sums, sorted, 10 repeats", changed(Form::sorted), 9);
  right &= report("sums, tree, 10 repeats", changed(Form::tree), 9);
  right &= report("sums, integer, 10 repeats", changed(Form::integer), 9);
  right &= report("sums, integer, values not exact", inexact.values()[0], n);
  const std::size_t atomic = changed(Form::atomic);
  std::printf("sums, atomic: %zu of 9 repeats differ%s\n", atomic,
              atomic == 0 ? "  <-- FAILED: this check is blind" : ", as they must");
  return right && atomic > 0;
}

bool check_device() {
  int devices = 0;
  if (!device_call(cudaGetDeviceCount(&devices), "cudaGetDeviceCount") || devices == 0) return false;
  bool equal = check_draws();
  equal &= check_digests();
  equal &= check_updates();
  equal &= check_drop();
  equal &= check_training();
  equal &= check_sums();
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
