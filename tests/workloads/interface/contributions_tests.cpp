#include "workloads/interface/contributions.hpp"

#include "results/report/report.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "workloads/interface/contradictions.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::contributions_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

View view(const std::string& name) {
  return {.name = name, .meaning = "for a test", .options = {}, .make = [](const StudyEvidence&, const Values&) {
            return report::Part{};
          }};
}

bool of_kind_five(const Declaration& declaration, const Values& values) {
  return declaration.name == "null" && values.contains("kind") && values.at("kind") == Value{std::int64_t{5}};
}

/// Registered as a folder of workloads/ does it.
const RegisterSharedContribution declared{
    {.name = "shared-test", .used = of_kind_five, .contributes = {.views = {view("shared-view")}}}};

std::vector<std::string> names_of(const std::vector<Contributor>& contributors) {
  std::vector<std::string> out;
  for (const Contributor& one : contributors) out.push_back(one.name);
  return out;
}

const Declaration& null_workload() {
  return find_workload("null", "");
}

std::string complaints(const std::vector<SharedContribution>& shared) {
  return results::joined(contradictions(shared, all_workloads()), "\n");
}

}  // namespace

TEST_CASE("a shared folder contributes to the studies that use it, after their workload") {
  const std::vector<Values> uses{{{"kind", std::int64_t{4}}}, {{"kind", std::int64_t{5}}}},
      uses_not{{{"kind", std::int64_t{4}}}};
  CHECK(names_of(contributions_of(null_workload(), uses)) == std::vector<std::string>{"null", "shared-test"});
  CHECK(names_of(contributions_of(null_workload(), uses_not)) == std::vector<std::string>{"null"});
  CHECK(names_of(contributions_of(null_workload(), {})) == std::vector<std::string>{"null"});
  CHECK(names_of(contributions_of(find_workload("command", ""), uses)) == std::vector<std::string>{"command"});
}

TEST_CASE("what a shared folder contributes can be reached") {
  const std::vector<Values> uses{{{"kind", std::int64_t{5}}}};
  const auto contributors = contributions_of(null_workload(), uses);
  REQUIRE(contributors.size() == 2);
  CHECK(contributors[0].contributes == &null_workload().contributes);
  CHECK(contributors[1].contributes->views.at(0).name == "shared-view");
}

TEST_CASE("contradictory contributions are named") {
  const auto used = [](const Declaration&, const Values&) { return true; };
  CHECK(complaints({{.name = "folder", .used = used, .contributes = {}}}).empty());
  CHECK_THAT(complaints({{.name = "null", .used = used, .contributes = {}}}),
             has_text("null: another contributor has this name"));
  CHECK_THAT(complaints({{.name = "folder", .used = {}, .contributes = {.views = {view("a")}}}}),
             has_text("folder: does not declare which trials use it"));
  CHECK_THAT(complaints({{.name = "folder", .used = used, .contributes = {.views = {view("a"), view("a")}}}}),
             has_text("view \"a\" is declared twice"));
  CHECK_THAT(
      complaints({{.name = "folder",
                   .used = used,
                   .contributes = {.views = {{"a", "for a test", {}, {}}}, .audits = {{"b", "nothing", {}}}}}}),
      has_text("view \"a\" has no function that makes it") && has_text("audit \"b\" has no function that finds"));
}

}  // namespace retrial::tests::contributions_tests
