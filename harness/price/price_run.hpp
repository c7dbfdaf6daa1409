#pragma once

#include <functional>
#include <vector>

#include "harness/price/arms.hpp"
#include "harness/price/price_protocol.hpp"
#include "harness/price/subjects.hpp"
#include "harness/worker/pool.hpp"

namespace retrial::harness::inline price {

struct PriceSettings {
  std::int64_t pairs = 10, warmup = 20, steps = 50;
  PoolSettings pool;  ///< the mode is the arm's
  std::function<void(const std::string& subject, std::size_t done, std::size_t of)> progress;
};

/// A measured list, and what one of its processes recorded about itself.
struct PriceList {
  std::vector<PricedSubject> subjects;
  Json manifest;
};

/// Every run is a process of its own. Throws Error{measurement} for a run that fails, Error{incomparable} where the
/// worker has no LibTorch or the device is missing.
[[nodiscard]] PriceList measure_prices(const std::vector<PriceSubject>& subjects, const PriceDesign& design,
                                       const PriceSettings& settings);

}  // namespace retrial::harness::inline price
