#pragma once

#include <map>

#include "harness/gate/gate.hpp"

namespace retrial::harness::inline gate {

/// A suite that is judged at several looks and stops once every claim is decided. Each look has an equal share of both
/// error rates, whatever the earlier ones found; a claim keeps the verdict of the look that decided it.
class LookedSuite {
 public:
  LookedSuite(GateSettings settings, std::size_t looks);

  /// True once no claim is open.
  bool look(const GateSuite& suite);
  /// After the last look: open claims are inconclusive.
  [[nodiscard]] GateResult result() const;

 private:
  using Name = std::pair<std::string, std::string>;
  GateSettings settings_;
  double looks_;
  std::map<Name, GateVerdict> decided_;
  GateResult last_;
};

}  // namespace retrial::harness::inline gate
