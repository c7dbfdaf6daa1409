#include "determinism/operators/audit.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::determinism_operators_audit_tests {

using namespace retrial::determinism;

TEST_CASE("the kept audit of operators has both vendors, a control that fired and operators of both passes") {
  const OperatorAudit& audit = operator_audit();
  CHECK(audit.models == std::vector<std::string>{"Haswell", "Skylake-Server", "EPYC", "EPYC-Rome", "EPYC-Milan"});
  CHECK(std::ranges::any_of(audit.operators, &AuditedOperator::differs_by_vendor));
  CHECK(std::ranges::all_of(audit.operators, [](const AuditedOperator& one) { return one.cases > 0; }));
  // A network trains: its product and the gradients of its convolution and of its loss are dispatched.
  CHECK(
      not_audited({"aten::addmm", "aten::mm", "aten::convolution_backward", "aten::nll_loss_backward"}, audit).empty());
}

TEST_CASE("an operator that the audit lacks is named") {
  OperatorAudit audit;
  audit.operators = {{.name = "aten::add.Tensor"}, {.name = "aten::mm"}};
  CHECK(not_audited({"aten::add.Tensor", "aten::add.Scalar"}, audit) == std::vector<std::string>{"aten::add.Scalar"});
  CHECK(not_audited({"aten::mm"}, audit).empty());
}

TEST_CASE("an operator that differs on one CPU does not pass") {
  CHECK(AuditedOperator{.name = "aten::mm"}.passes());
  CHECK_FALSE(AuditedOperator{.name = "aten::sqrt", .differs = {"EPYC"}}.passes());
}

TEST_CASE("an audit of another schema is refused") {
  CHECK_THROWS_AS(audit_from({{"schema", "retrial.operators/2"}}), Error);
}

}  // namespace retrial::tests::determinism_operators_audit_tests
