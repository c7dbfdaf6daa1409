#include "workloads/nn/training/epoch_sums_torch.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "workloads/nn/gpu/kernels.hpp"

namespace retrial::nn::inline training {
namespace {

/// Its place among the names, which are in the order of their first appearance.
std::size_t slot_of(std::vector<std::string>& names, std::string_view name) {
  const auto found = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  if (found == names.size()) names.emplace_back(name);
  return found;
}

EpochReport report_of(double loss, const std::vector<std::string>& names, const double* sums) {
  EpochReport report{.loss = loss};
  for (std::size_t i = 0; i < names.size(); ++i) report.terms.emplace_back(names[i], sums[i]);
  return report;
}

class HostSums final : public EpochSums {
 public:
  void begin() override { *this = HostSums(); }

  bool add(const std::vector<Term>& terms, std::int64_t rows, std::int64_t step) override {
    double total = 0;
    for (const Term& term : terms) {
      const double value = term.weight * term.value.item().toDouble();
      total += value;
      const std::size_t slot = slot_of(names_, term.name);
      sums_.resize(names_.size());
      sums_[slot] += value * static_cast<double>(rows);
    }
    loss_ += total * static_cast<double>(rows);
    if (!std::isfinite(total)) diverged_at_ = step;
    return !ended();
  }
  [[nodiscard]] bool ended() const override { return diverged_at_.has_value(); }
  [[nodiscard]] EpochReport report() const override {
    EpochReport report = report_of(loss_, names_, sums_.data());
    report.diverged_at = diverged_at_;
    return report;
  }

 private:
  std::vector<std::string> names_;
  std::vector<double> sums_;
  double loss_ = 0;
  std::optional<std::int64_t> diverged_at_;
};

class DeviceSums final : public EpochSums {
 public:
  DeviceSums(const at::Device& device, NamedTensors kept)
      : kept_(std::move(kept)),
        sums_(at::zeros({1 + max_terms}, at::TensorOptions(at::kDouble).device(device))),
        proceed_(at::zeros({1}, at::TensorOptions(at::kByte).device(device))),
        diverged_at_(at::zeros({1}, at::TensorOptions(at::kLong).device(device))) {}

  void begin() override {
    const at::NoGradGuard no_gradient;
    names_.clear();
    sums_.zero_();
    proceed_.fill_(1);
    diverged_at_.fill_(-1);
    counted_.clear();
    settled_.clear();
    for (const auto& [name, tensor] : kept_) {
      counted_.push_back(tensor.clone());
      settled_.push_back({{static_cast<std::uint8_t*>(tensor.mutable_data_ptr()),
                           static_cast<std::uint8_t*>(counted_.back().mutable_data_ptr())},
                          tensor.nbytes()});
    }
  }

  bool add(const std::vector<Term>& terms, std::int64_t rows, std::int64_t step) override {
    if (terms.size() > max_terms) throw std::logic_error("an objective of more than 32 terms");
    StepTerms noted{};
    noted.rows = static_cast<double>(rows);
    noted.step = step;
    for (const Term& term : terms) {
      noted.values[noted.count] = term.value.const_data_ptr<float>();
      noted.weights[noted.count] = term.weight;
      noted.slots[noted.count++] = static_cast<std::uint32_t>(slot_of(names_, term.name));
    }
    device_kernels()->settle(settled_, proceed());
    device_kernels()->note(noted, {.loss = sums_.data_ptr<double>(),
                                   .terms = sums_.data_ptr<double>() + 1,
                                   .proceed = proceed_.data_ptr<std::uint8_t>(),
                                   .diverged_at = diverged_at_.data_ptr<std::int64_t>()});
    return true;
  }
  [[nodiscard]] bool ended() const override { return proceed_.item().toLong() == 0; }
  [[nodiscard]] EpochReport report() const override {
    const at::Tensor sums = sums_.cpu();
    EpochReport report = report_of(*sums.data_ptr<double>(), names_, sums.data_ptr<double>() + 1);
    if (const std::int64_t step = diverged_at_.item().toLong(); step >= 0) report.diverged_at = step;
    return report;
  }
  [[nodiscard]] const std::uint8_t* proceed() const override { return proceed_.const_data_ptr<std::uint8_t>(); }

 private:
  NamedTensors kept_;
  std::vector<at::Tensor> counted_;  ///< values of the kept tensors after the last pass that counts
  std::vector<determinism::Listed<Settled>> settled_;
  std::vector<std::string> names_;
  at::Tensor sums_, proceed_, diverged_at_;
};

}  // namespace

double objective_of(const std::vector<Term>& terms) {
  double total = 0;
  for (const Term& term : terms) total += term.weight * term.value.item().toDouble();
  return total;
}

std::unique_ptr<EpochSums> epoch_sums(const at::Device& device, const NamedTensors& kept) {
  if (device.is_cpu()) return std::make_unique<HostSums>();
  return std::make_unique<DeviceSums>(device, kept);
}

}  // namespace retrial::nn::inline training
