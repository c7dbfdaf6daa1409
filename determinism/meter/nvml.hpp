#pragma once

#include <memory>
#include <string>
#include <vector>

#include "determinism/meter/card.hpp"
#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline meter {

/// NVIDIA's management library, which comes with the driver and is opened at run time. It reads, and changes no setting
/// of a card. Functions that a version lacks make their readings missing, nothing else.
class Nvml {
 public:
  /// Nothing, with the reason, where the library is missing or the driver does not answer.
  [[nodiscard]] static Reading<std::shared_ptr<Nvml>> open(const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  [[nodiscard]] Reading<std::string> driver() const;
  /// Every card, in the order of their PCI addresses; those that do not answer are missing.
  [[nodiscard]] std::vector<std::unique_ptr<Card>> cards() const;

 private:
  struct Library;
  class NvmlCard;
  explicit Nvml(std::shared_ptr<const Library> library) : library_(std::move(library)) {}
  std::shared_ptr<const Library> library_;
};

/// {"driver": "580.65", "cards": [{"name", "slices", "ecc", "power_limit_w", "max_sm_clock_mhz", "sm_clock_mhz",
/// ...}]}, or {"not_recorded": "no libnvidia-ml.so.1"}. A missing reading is {"not_recorded": REASON}. No UUID.
[[nodiscard]] Json cards_document(const Reading<std::shared_ptr<Nvml>>& nvml);

}  // namespace retrial::determinism::inline meter
