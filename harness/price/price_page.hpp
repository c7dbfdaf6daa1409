#pragma once

#include <string>
#include <vector>

#include "harness/price/price_protocol.hpp"
#include "harness/system/machine_load.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline price {

/// How prices were measured, for their page.
struct PriceConditions {
  std::string command, mode, library, date;
  std::int64_t pairs = 0, warmup = 0, steps = 0;
  MachineLoad here;
  int nice = 0;
  std::vector<double> limits;  ///< each price is compared with these
  bool control = false;
};

/// The price list as a section and as retrial.price/1.
[[nodiscard]] report::Part price_part(const PriceConditions& conditions, const PriceDesign& design,
                                      const std::vector<PricedSubject>& subjects);

/// Whether a total price is above a limit, or inconclusive.
enum class PriceAnswer { below, above, inconclusive };
[[nodiscard]] PriceAnswer answer_of(const std::vector<PricedSubject>& subjects, const std::vector<double>& limits);

}  // namespace retrial::harness::inline price
