#include "harness/catalogue/catalogue.hpp"
#include "variance/audit/audit.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/groups/groups.hpp"
#include "variance/sequential/sequential.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::harness::inline catalogue {
namespace {

std::string asks_of(const variance::DesignFamily& family) {
  const auto* rule = variance::find_sequential(family.rule);
  return rule == nullptr ? "the question of the declared test" : std::string(rule->asks);
}

std::string data_of(const variance::OmnibusTest& test) {
  return test.bits ? "methods x items" : test.holes ? "methods x some data sets" : "methods x data sets";
}

}  // namespace

/// "--rope --interval": options of a test other than --alpha and --sides.
std::string options_of(std::string_view words) {
  std::string out;
  for (const char c : words) out += c == ' ' ? " --" : std::string(1, c);
  return out.empty() ? "" : "--" + out;
}

Rows test_rows(const Declarations&) {
  Rows out;
  for (const auto& test : variance::all_comparisons())
    out.push_back({{"name", test.name},
                   {"data", test.pairing == variance::Pairing::paired ? "pairs" : "two groups"},
                   {"least", test.min_runs},
                   {"asks", test.asks},
                   {"when", test.when},
                   {"options", options_of(test.reads)}});
  for (const auto& test : variance::all_omnibus_tests())
    out.push_back({{"name", test.name},
                   {"data", data_of(test)},
                   {"least", 2},
                   {"asks", test.asks},
                   {"when", test.when},
                   {"options", ""}});
  for (const auto& test : variance::all_group_tests())
    out.push_back({{"name", test.name},
                   {"data", "several groups"},
                   {"least", 2},
                   {"asks", test.asks},
                   {"when", test.when},
                   {"options", test.ordinal ? "--resolution" : ""}});
  return out;
}

Rows rule_rows(const Declarations&) {
  Rows out;
  for (const auto& rule : variance::all_audit_rules()) {
    const bool valid = rule.label == variance::AuditLabel::valid;
    out.push_back({{"name", rule.name},
                   {"label", valid ? "valid" : "exhibit"},
                   {"rule", rule.rule},
                   {"covers", (valid ? "keeps alpha: " : "error: ") + std::string(rule.covers)}});
  }
  return out;
}

Rows design_rows(const Declarations&) {
  Rows out;
  for (const auto& family : variance::all_design_families())
    out.push_back({{"name", family.name},
                   {"sequential", family.sequential()},
                   {"stops", family.sequential() ? "early" : "at the end"},
                   {"anytime", family.anytime},
                   {"extended", family.anytime ? "yes" : "no"},
                   {"asks", asks_of(family)},
                   {"when", family.when},
                   {"guarantee", family.guarantee}});
  return out;
}

}  // namespace retrial::harness::inline catalogue
