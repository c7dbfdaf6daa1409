#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "results/json/json.hpp"

namespace retrial::determinism::inline operators {

/// One operator of LibTorch that workloads use, made again natively and on emulated CPUs.
struct AuditedOperator {
  std::string name;                  ///< "aten::add.Tensor"
  std::int64_t cases = 0;            ///< calls: those of the short trials, and the same at odd shapes
  bool own = false;                  ///< mode portable computes it by own code
  std::vector<std::string> differs;  ///< CPUs on which it differs from the native run in mode portable
  bool differs_by_vendor = false;    ///< in mode deterministic, Intel's CPU of the control differs from AMD's

  [[nodiscard]] bool passes() const { return differs.empty(); }
};

struct OperatorAudit {
  std::string date, torch, mkl, host, emulator, command;
  std::vector<std::string> models;         ///< emulated CPUs, in the order of the table
  std::vector<std::string> control;        ///< the two of the control
  std::vector<AuditedOperator> operators;  ///< by name
};

/// The last audit (docs/measurements/operators.json), which is compiled in.
[[nodiscard]] const OperatorAudit& operator_audit();
/// Reads a document of the schema retrial.operators/1; throws Error for another.
[[nodiscard]] OperatorAudit audit_from(const Json& document);
/// Operators that the audit lacks.
[[nodiscard]] std::vector<std::string> not_audited(const std::set<std::string>& used, const OperatorAudit& audit);

}  // namespace retrial::determinism::inline operators
