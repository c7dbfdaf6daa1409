// retrial audit: its bytes, its exit code and its page.
#include "harness/ledger/reproduction_page.hpp"
#include "harness/show/audit_page.hpp"
#include "harness/text/section_text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::commands_audit_tests {

using namespace retrial;
using fixture::Answer;
using Words = std::vector<std::string>;

namespace {

Words small(const Words& further) {
  Words words{"audit", "--rule", "t_paired", "--rule",    "bootstrap_mean", "--rule", "group_permutation",
              "--n",   "10",     "--model",  "lognormal", "--spread",       "1",      "--reps",
              "230",   "--seed", "7"};
  words.insert(words.end(), further.begin(), further.end());
  return words;
}

variance::AuditJudge always_better(const variance::AuditCell&, const variance::AuditSettings&) {
  return [](const variance::AuditData& data) {
    return variance::AuditAnswer{.status = variance::Status::better,
                                 .pairs = static_cast<std::int64_t>(data.differences.size())};
  };
}

}  // namespace

TEST_CASE("an audit has the same bytes on one, two and eight threads", "[cli][audit]") {
  const Answer one = fixture::retrial(small({"--threads", "1", "--json"}));
  CHECK(one.exit == 0);
  CHECK(one.out.size() > 1000);
  for (const char* threads : {"2", "8"})
    CHECK(fixture::retrial(small({"--threads", threads, "--json"})).out == one.out);
  CHECK(fixture::retrial(small({"--threads", "2"})).out == fixture::retrial(small({"--threads", "1"})).out);
}

TEST_CASE("a seed that is not given is drawn and printed", "[cli][audit]") {
  const Words words{"audit", "--rule", "single", "--n", "5", "--model", "t3", "--spread", "1", "--reps", "100"};
  const Answer first = fixture::retrial(words), second = fixture::retrial(words);
  CHECK_THAT(first.out, has_text("seed: "));
  CHECK(first.out != second.out);
}

TEST_CASE("the page of a failed audit names the cells that failed", "[cli][audit]") {
  const variance::AuditRule broken{
      .name = "always_better", .promises = [](const variance::AuditCell&) { return true; }, .prepare = always_better};
  const variance::AuditSettings settings{.reps = 100};
  const auto rows = variance::audit_cell({{.runs = 7}, {&broken}}, settings);
  const auto part = harness::audit_part(rows, settings);
  const std::string page = harness::section_text(*part.section, {});
  CHECK_THAT(page, has_text("always_better  valid      1  100.00  0.00  size: gaussian, null, N 7         FAILED"));
  CHECK_THAT(page, has_text("0 of 1 promised sizes kept, 0 of 0"));
  CHECK_THAT(page, has_text("The audit FAILED."));
  CHECK(part.data.at("passed") == false);
  CHECK(part.data.at("rows").at(0).at("outcome") == "FAILED");
}

TEST_CASE("a published table that is not reproduced is reported with its line", "[cli][reproduce]") {
  const variance::Reproduction& which = *variance::find_reproduction("rliable");
  variance::Reproduced table = which.run();
  CHECK_THAT(harness::section_text(*harness::reproduction_part(which, table).section, {}),
             has_text("5 of 5 lines agree."));
  table.lines[4].value[0] += 1e-9;
  const auto part = harness::reproduction_part(which, table);
  const std::string page = harness::section_text(*part.section, {});
  CHECK_THAT(page, has_text("0.3500000010000"));
  CHECK_THAT(page, has_text("DIFFERS"));
  CHECK_THAT(page, has_text("4 of 5 lines agree."));
  const Json& document = part.data;
  CHECK(document.at("ok") == false);
  CHECK(document.at("lines").at(4).at("ok") == false);
  CHECK(document.at("lines").at(3).at("ok") == true);
}

}  // namespace retrial::tests::commands_audit_tests
