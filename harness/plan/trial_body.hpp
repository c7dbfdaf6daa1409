#pragma once

#include <optional>
#include <string>

#include "determinism/mode/kernel_mode.hpp"
#include "results/store/store.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::harness::inline plan {

/// The keys of a stored document, typed by the declaration. A store that is older than a key lacks it; the default of a
/// new key is a no-op by contract.
[[nodiscard]] Values values_stored(const workloads::Declaration& declaration, const Json& values);

/// What a worker is sent of a planned trial. The plan keeps it as canonical JSON; it is parsed once, here, and read by
/// name. Nothing is checked before it is asked for, because a store may hold trials of a workload that this program
/// does not have.
class TrialBody {
 public:
  TrialBody() = default;
  explicit TrialBody(Json document) : document_(std::move(document)) {}
  explicit TrialBody(const results::PlanEntry& entry);

  [[nodiscard]] const Json& document() const { return document_; }
  /// The declaration of its workload. Throws Error where this program has none.
  [[nodiscard]] const workloads::Declaration& declaration() const;
  /// The trial as the workload gets it; values are typed by the declaration.
  [[nodiscard]] workloads::Trial trial() const;
  /// SHA-256 of its data set, 64 hex digits; "" where its workload has none.
  [[nodiscard]] std::string dataset() const;
  [[nodiscard]] determinism::KernelMode mode() const;
  /// What stands for the program in its identity.
  [[nodiscard]] const Json& program() const { return document_.at("program"); }
  [[nodiscard]] const Json& seeds() const { return document_.at("seeds"); }
  /// The search that gives it keys; null where there is none.
  [[nodiscard]] const Json* search() const;

  bool operator==(const TrialBody&) const = default;

 private:
  Json document_;
};

}  // namespace retrial::harness::inline plan
