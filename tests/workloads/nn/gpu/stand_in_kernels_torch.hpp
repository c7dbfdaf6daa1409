#pragma once

#include <ATen/Parallel.h>

#include "determinism/digest/psum2_cuda.hpp"
#include "tests/determinism/kernels/twin.hpp"
#include "tests/workloads/nn/gpu/stand_in_torch.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/nn/gpu/kernels.hpp"

/// The kernels of a training run on the host, for the stand-in for a device.
namespace retrial::tests::stand_in {

/// Every kernel with one block of one thread, on memory of the device.
template <typename Body>
void launch(const Body& body) {
  twin::launch({1, 1}, body);
}

inline nn::UpdateControl seen(const nn::UpdateControl& control) {
  return {on_host(control.rate), on_host(control.proceed)};
}

template <typename Tensor, typename Body>
void launch_list(std::span<const determinism::Listed<Tensor>> list, Tensor (*translated)(const Tensor&),
                 const Body& body) {
  std::vector<determinism::Listed<Tensor>> all;
  for (const auto& one : list) all.push_back({translated(one.tensor), one.elements});
  determinism::each_launch(std::span<const determinism::Listed<Tensor>>(all),
                           [&](const determinism::Parts<Tensor>& parts, std::size_t) {
                             launch([&](const determinism::Where& at) { body(parts, at); });
                           });
}

inline void gather(const nn::Gather& batch) {
  const nn::Gather seen{
      on_host(batch.bytes), on_host(batch.table), on_host(batch.places), on_host(batch.images), batch.count,
      batch.pixels,         batch.plane};
  launch([&](const determinism::Where& at) { nn::gather_elements(seen, at); });
}

inline void note(const nn::StepTerms& step, const nn::Ledger& ledger) {
  nn::StepTerms seen = step;
  for (unsigned i = 0; i < seen.count; ++i) seen.values[i] = on_host(seen.values[i]);
  const nn::Ledger to{on_host(ledger.loss), on_host(ledger.terms), on_host(ledger.proceed),
                      on_host(ledger.diverged_at)};
  launch([&](const determinism::Where& at) { nn::note_step(seen, to, at); });
}

inline void settle(std::span<const determinism::Listed<nn::Settled>> tensors, const std::uint8_t* proceed) {
  launch_list<nn::Settled>(
      tensors,
      [](const nn::Settled& t) {
        return nn::Settled{on_host(t.now), on_host(t.counted)};
      },
      [&](const auto& parts, const determinism::Where& at) { nn::settle_parts(parts, on_host(proceed), at); });
}

inline void drop(const float* x, float* y, std::uint64_t n, const determinism::Drop& drop) {
  launch([&](const determinism::Where& at) { determinism::drop_elements(on_host(x), on_host(y), n, drop, at); });
}

inline void sgd(std::span<const determinism::Listed<nn::SgdTensor>> tensors, const nn::UpdateControl& control,
                const nn::Sgd& sgd) {
  const auto momentum = static_cast<float>(sgd.momentum), decay = static_cast<float>(sgd.weight_decay);
  launch_list<nn::SgdTensor>(
      tensors,
      [](const nn::SgdTensor& t) {
        return nn::SgdTensor{on_host(t.w), on_host(t.gradient), on_host(t.v), on_host(t.live)};
      },
      [&](const auto& parts, const determinism::Where& at) {
        sgd.nesterov ? nn::sgd_parts<true>(parts, seen(control), momentum, decay, at)
                     : nn::sgd_parts<false>(parts, seen(control), momentum, decay, at);
      });
}

inline nn::AdaptiveTensor seen_adaptive(const nn::AdaptiveTensor& t) {
  return {on_host(t.w), on_host(t.gradient), on_host(t.m), on_host(t.v)};
}

inline void adam(std::span<const determinism::Listed<nn::AdaptiveTensor>> tensors, const nn::AdamNumbers& numbers) {
  launch_list<nn::AdaptiveTensor>(tensors, seen_adaptive, [&](const auto& parts, const determinism::Where& at) {
    nn::adam_parts(parts, numbers, at);
  });
}

inline void rmsprop(std::span<const determinism::Listed<nn::AdaptiveTensor>> tensors,
                    const nn::RmspropNumbers& numbers) {
  launch_list<nn::AdaptiveTensor>(tensors, seen_adaptive, [&](const auto& parts, const determinism::Where& at) {
    nn::rmsprop_parts(parts, numbers, at);
  });
}

inline constexpr nn::DeviceKernels by_host{
    .gather = gather, .note = note, .settle = settle, .drop = drop, .sgd = sgd, .adam = adam, .rmsprop = rmsprop};

inline std::vector<determinism::Lanes> lanes(std::span<const determinism::DeviceBytes> list) {
  std::vector<determinism::Lanes> sums;
  for (const auto& [data, bytes, first_word] : list)
    sums.push_back(determinism::psum2_part({static_cast<const std::byte*>(on_host(data)), bytes}, first_word));
  return sums;
}

/// The device, with its kernels.
inline at::Device device_with_kernels() {
  nn::use_device_kernels(by_host);
  determinism::lanes_on_device() = lanes;
  at::set_num_threads(1);
  return device();
}

inline workloads::Place place_on(const at::Device& on) {
  workloads::Place place;
  place.device = on.is_cpu() ? "cpu" : "standin";
  return place;
}

}  // namespace retrial::tests::stand_in
