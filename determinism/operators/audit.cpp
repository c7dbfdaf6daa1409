#include "determinism/operators/audit.hpp"

#include <algorithm>
#include <string_view>

#include "results/text/error.hpp"

namespace retrial::determinism::inline operators {

extern const std::string_view operators_json;  // written by the build: cmake/embed_json.cmake

namespace {

AuditedOperator operator_from(const Json& row) {
  return {.name = row.at("name").get<std::string>(),
          .cases = row.at("cases").get<std::int64_t>(),
          .own = row.at("own").get<bool>(),
          .differs = row.at("differs").get<std::vector<std::string>>(),
          .differs_by_vendor = row.at("differs_by_vendor").get<bool>()};
}

}  // namespace

OperatorAudit audit_from(const Json& document) {
  const std::string schema = document.value("schema", "");
  if (schema != "retrial.operators/1")
    throw Error({.exit = Exit::integrity,
                 .code = "operators.schema",
                 .where = "audit of operators",
                 .field = "schema",
                 .value = schema,
                 .problem = "unknown",
                 .allowed = "retrial.operators/1"});
  OperatorAudit audit{.date = document.at("date").get<std::string>(),
                      .torch = document.at("torch").get<std::string>(),
                      .mkl = document.at("mkl").get<std::string>(),
                      .host = document.at("host").get<std::string>(),
                      .emulator = document.at("emulator").get<std::string>(),
                      .command = document.at("command").get<std::string>(),
                      .models = document.at("models").get<std::vector<std::string>>(),
                      .control = document.at("control").get<std::vector<std::string>>()};
  for (const Json& row : document.at("operators")) audit.operators.push_back(operator_from(row));
  return audit;
}

const OperatorAudit& operator_audit() {
  static const OperatorAudit audit = audit_from(results::parse_json(operators_json, "audit of operators"));
  return audit;
}

std::vector<std::string> not_audited(const std::set<std::string>& used, const OperatorAudit& audit) {
  std::vector<std::string> missing;
  for (const std::string& name : used)
    if (std::ranges::find(audit.operators, name, &AuditedOperator::name) == audit.operators.end())
      missing.push_back(name);
  return missing;
}

}  // namespace retrial::determinism::inline operators
