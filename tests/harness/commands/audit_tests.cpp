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

Json parsed(const Answer& answer) {
  return Json::parse(answer.out);
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
  const harness::AuditResult result{.rules = variance::audit_cell({{.runs = 7}, {&broken}}, settings), .offers = {}};
  const auto part = harness::audit_part(result, settings);
  const std::string page = harness::section_text(*part.section, {});
  CHECK_THAT(page, has_text("always_better  valid      1  100.00  0.00  size: gaussian, null, N 7         FAILED"));
  CHECK_THAT(page, has_text("The audit FAILED: 0 of 1 promised rates kept, 0 of 0 known error rates reproduced."));
  CHECK(part.data.at("passed") == false);
  CHECK(part.data.at("rows").at(0).at("outcome") == "FAILED");
}

TEST_CASE("the page of an audit is a summary, which names failures, departures and the worst cell of each offer",
          "[cli][audit]") {
  variance::OfferCell kept = variance::cells_of({variance::OfferKind::test, "sign"}).front(), broken = kept,
                      known = kept;
  broken.offer.name = "paired_t", broken.level = 0.01;
  known.departure = variance::Departure{"a made-up departure", 11.0 / 1024};
  const variance::AuditSettings settings{.reps = 2'000, .seed = 3};
  harness::AuditResult result;
  for (const auto& cell : {kept, known, broken}) result.offers.push_back(variance::audit_offer(cell, settings));
  CHECK_FALSE(harness::passes(result));
  const std::string page = harness::section_text(*harness::audit_part(result, settings).section, {});
  CHECK_THAT(page, has_text("The audit FAILED: 1 of 2 promised rates kept, 1 of 1 known error rates reproduced."));
  CHECK_THAT(page, has_text("a made-up departure"));
  CHECK(page.find("Failed") < page.find("Rules, tests and designs on offer"));
  CHECK(page.find("test sign\n") == std::string::npos);
  const auto all = harness::audit_part(result, settings, harness::AuditDetail::all);
  CHECK_THAT(harness::section_text(*all.section, {}), has_text("test paired_t"));
  const Json& offers = all.data.at("offers");
  CHECK(offers.size() == 3);
  CHECK(offers.at(0).at("outcome") == "pass");
  CHECK(offers.at(1).at("departure") == "a made-up departure");
  CHECK(offers.at(2).at("repeated") == true);
  CHECK(offers.at(2).at("reps") == 8'000);
}

TEST_CASE("--rule takes what the program offers too; options of cells leave that out", "[cli][audit]") {
  const Answer offered = fixture::retrial({"audit", "--rule", "hommel", "--reps", "400", "--seed", "1", "--json"});
  CHECK(offered.exit == 0);
  CHECK(parsed(offered).at("rows").empty());
  CHECK(parsed(offered).at("offers").size() == 3);
  const Answer both = fixture::retrial({"audit", "--rule", "sign", "--rule", "single", "--n", "5", "--model", "t3",
                                        "--spread", "1", "--reps", "100", "--seed", "1", "--json"});
  CHECK(parsed(both).at("offers").empty());
  CHECK(parsed(both).at("rows").size() == 2);
  const Answer unknown = fixture::retrial({"audit", "--rule", "homel"});
  CHECK(unknown.exit == 2);
  CHECK_THAT(unknown.err, has_text("hommel"));
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
