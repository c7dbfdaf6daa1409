#include <algorithm>

#include "determinism/operators/audit.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline catalogue {
namespace {

using determinism::AuditedOperator;
using determinism::OperatorAudit;

std::string in_portable(const AuditedOperator& one) {
  if (!one.passes()) return "differs on " + results::joined(one.differs);
  return one.own ? "equal, by own code" : "equal";
}

Json row_of(const AuditedOperator& one) {
  return {{"name", one.name},
          {"calls", one.cases},
          {"passes", one.passes()},
          {"own", one.own},
          {"differs_on", one.differs},
          {"portable", in_portable(one)},
          {"deterministic", one.differs_by_vendor ? "differs by vendor" : "equal"}};
}

}  // namespace

Rows operator_rows(const Declarations&) {
  Rows out;
  for (const AuditedOperator& one : determinism::operator_audit().operators) out.push_back(row_of(one));
  return out;
}

Json operator_facts() {
  const OperatorAudit& audit = determinism::operator_audit();
  return {{"date", audit.date},       {"torch", audit.torch},       {"mkl", audit.mkl},
          {"host", audit.host},       {"emulator", audit.emulator}, {"models", audit.models},
          {"control", audit.control}, {"command", audit.command}};
}

std::string operator_note() {
  const OperatorAudit& audit = determinism::operator_audit();
  const auto passing = std::ranges::count_if(audit.operators, &AuditedOperator::passes);
  return std::to_string(passing) + " of " + std::to_string(audit.operators.size()) +
         " operators give the same bits in mode portable on " + audit.host + " and, emulated, on " +
         results::joined(audit.models) + ". In mode deterministic the emulated " +
         results::joined(audit.control, " and ") + " are compared. Audit of " + audit.date + ", LibTorch " +
         audit.torch + ", " + audit.emulator + "; made again by " + audit.command + ".";
}

}  // namespace retrial::harness::inline catalogue
