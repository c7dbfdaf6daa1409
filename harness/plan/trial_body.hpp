#pragma once

#include <optional>
#include <string>

#include "determinism/mode/kernel_mode.hpp"
#include "results/store/store.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::harness::inline plan {

/// The keys of a stored document, typed by the declaration. An older store lacks newer keys; the default of a new key
/// is a no-op by contract.
[[nodiscard]] Values values_stored(const workloads::Declaration& declaration, const Json& values);

/// The part of a planned trial that a worker is sent. The plan keeps it as canonical JSON; it is parsed once, here, and
/// read by name. Fields are checked only when they are read, because a store may hold trials of a workload that this
/// program does not have.
class TrialBody {
 public:
  TrialBody() = default;
  explicit TrialBody(Json document) : document_(std::move(document)) {}
  explicit TrialBody(const results::PlanEntry& entry);

  [[nodiscard]] const Json& document() const { return document_; }
  /// The declaration of its workload. Throws Error if this program has no such workload.
  [[nodiscard]] const workloads::Declaration& declaration() const;
  /// The trial in the form that the workload receives; values are typed by the declaration.
  [[nodiscard]] workloads::Trial trial() const;
  /// SHA-256 of its data set, 64 hex digits; "" if its workload has none.
  [[nodiscard]] std::string dataset() const;
  [[nodiscard]] determinism::KernelMode mode() const;
  /// The program as it enters the identity.
  [[nodiscard]] const Json& program() const { return document_.at("program"); }
  [[nodiscard]] const Json& seeds() const { return document_.at("seeds"); }
  /// The search that chooses its keys; null without a search.
  [[nodiscard]] const Json* search() const;

  bool operator==(const TrialBody&) const = default;

 private:
  Json document_;
};

/// The command line that a trial of an external program would start, quoted for a shell; empty for other workloads.
[[nodiscard]] std::string dry_argv(const TrialBody& body);

}  // namespace retrial::harness::inline plan
