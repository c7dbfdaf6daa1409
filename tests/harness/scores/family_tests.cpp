// A family of claims: the p that a line prints is the p that decides its verdict, for every correction. Scores are
// drawn; no reference value is needed.
#include "harness/scores/family.hpp"
#include "harness/text/section_text.hpp"

#include <cstdlib>
#include <sstream>

#include "harness/text/numbers.hpp"
#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::family_tests {

using namespace retrial;
using namespace retrial::harness;
using variance::Adjustment, variance::Sides, variance::Status;

namespace {

constexpr double alpha = 0.05;

/// `claims` comparisons of `pairs` drawn pairs each, of all sizes of effect.
Claims drawn_claims(std::size_t claims, std::size_t pairs, const std::string& test, Sides sides, Adjustment how,
                    variance::Stream& random) {
  Claims out{.claims = {}, .adjust = how, .better_on = {}, .notes = {}};
  for (std::size_t c = 0; c < claims; ++c) {
    std::vector<double> candidate, baseline;
    const double shift = 3.0 * (variance::uniform(random.next()) - 0.5);
    for (std::size_t i = 0; i < pairs; ++i) {
      baseline.push_back(variance::uniform(random.next()));
      candidate.push_back(variance::uniform(random.next()) + shift * variance::uniform(random.next()));
    }
    ScoreTest one{.candidate = "c" + std::to_string(c), .baseline = "old", .settings = {}, .outcome = {}, .root = 1};
    one.settings.direction = variance::Direction::higher;
    one.settings.alpha = alpha;
    one.settings.sides = sides;
    run_test(one, test, std::move(candidate), std::move(baseline));
    out.claims.push_back({.task = "", .test = std::move(one)});
  }
  adjust_claims(out);
  return out;
}

struct Line {
  double p = 0, adjusted = 0;
  std::string verdict;
};

/// The lines "c0 - old ... P ADJUSTED VERDICT" of the page.
std::vector<Line> lines_of(const std::string& page) {
  std::vector<Line> out;
  std::istringstream all(page);
  for (std::string text; std::getline(all, text);) {
    std::istringstream words(text);
    std::vector<std::string> row;
    for (std::string word; words >> word;) row.push_back(word);
    if (row.size() < 6 || row[1] != "-" || row[2] != "old") continue;
    const std::size_t last = row.back() == "MEANINGFUL" ? row.size() - 2 : row.size() - 1;
    out.push_back({.p = std::strtod(row[last - 2].c_str(), nullptr),
                   .adjusted = std::strtod(row[last - 1].c_str(), nullptr),
                   .verdict = row[last]});
  }
  return out;
}

}  // namespace

TEST_CASE("a line says BETTER or WORSE exactly if the adjusted p that it prints is at most alpha", "[scores]") {
  variance::Stream random(20210403);
  std::int64_t directed = 0, withdrawn = 0;
  for (const auto& row : variance::all_adjustments())
    for (const Sides sides : {Sides::one, Sides::two})
      for (const char* test : {"sign", "paired_t", "wilcoxon", "welch", "mann_whitney"})
        for (int repeat = 0; repeat < 4; ++repeat) {
          const Claims all = drawn_claims(6, 8, test, sides, row.adjustment, random);
          const auto lines = lines_of(section_text(*claims_part(all).section));
          CAPTURE(row.name, test, static_cast<int>(sides));
          REQUIRE(lines.size() == all.claims.size());
          for (std::size_t i = 0; i < lines.size(); ++i) {
            const bool called = lines[i].verdict == "BETTER" || lines[i].verdict == "WORSE";
            CHECK(called == (lines[i].adjusted <= alpha));
            CHECK(lines[i].p <= lines[i].adjusted);
            directed += called ? 1 : 0;
            withdrawn += !called && lines[i].p <= alpha ? 1 : 0;
          }
        }
  CHECK(directed > 100);   // the cases are there
  CHECK(withdrawn > 100);  // and so are those that a correction withdraws
}

TEST_CASE("a p next to alpha is printed with the digits that show its side", "[scores]") {
  CHECK(std::strtod(p_text(0.05, 0.05).c_str(), nullptr) <= 0.05);
  CHECK(std::strtod(p_text(0.050000001, 0.05).c_str(), nullptr) > 0.05);
  CHECK(std::strtod(p_text(0.0499999999, 0.05).c_str(), nullptr) <= 0.05);
  CHECK(p_text(0.03125, 0.05) == "0.03125");
  CHECK(p_text(0.0123456, 0.05) == "0.01235");
}

namespace {

/// The p values of one test for all claims, corrected.
std::vector<double> corrected(const Claims& all, std::optional<double> variance::TestOutcome::*p, Adjustment how) {
  std::vector<double> family;
  for (const Claim& claim : all.claims) family.push_back((claim.test.outcome.*p).value_or(1.0));
  return variance::adjusted(family, how);
}

/// Claims about drawn pairs, of which many are close to equal.
Claims close_claims(const std::string& test, std::size_t pairs, const variance::TestSettings& settings, Adjustment how,
                    std::uint64_t key) {
  Claims out{.claims = {}, .adjust = how, .better_on = {}, .notes = {}};
  variance::Stream random(key);
  for (int c = 0; c < 6; ++c) {
    const double shift = 0.3 * (variance::uniform(random.next()) - 0.5);
    std::vector<double> candidate, baseline;
    for (std::size_t i = 0; i < pairs; ++i) {
      baseline.push_back(0.0);
      candidate.push_back(shift + variance::uniform(random.next()) - 0.5);
    }
    ScoreTest one{.candidate = "c" + std::to_string(c), .baseline = "old", .settings = settings, .outcome = {}};
    run_test(one, test, std::move(candidate), std::move(baseline));
    out.claims.push_back({.task = "", .test = std::move(one)});
  }
  adjust_claims(out);
  return out;
}

}  // namespace

TEST_CASE("an equivalence is corrected with its family, whichever test shows it", "[scores]") {
  // The p of equivalence is that of the test that asks for nothing else, and so is its correction.
  std::int64_t shown = 0, withdrawn = 0;
  const std::vector<std::pair<std::string, std::string>> tests{
      {"paired_t", "tost"}, {"corrected_t", ""}, {"welch", "welch_tost"}};
  for (const auto& row : variance::all_adjustments())
    for (const auto& [test, alone] : tests)
      for (std::uint64_t key = 0; key < 6; ++key) {
        variance::TestSettings settings;
        settings.direction = variance::Direction::higher;
        settings.margin = 0.35;
        settings.overlap = test == "corrected_t" ? std::optional(0.1) : std::nullopt;
        settings.sides = key % 2 == 0 ? Sides::one : Sides::two;
        const Claims all = close_claims(test, 9, settings, row.adjustment, key);
        const auto p = corrected(all, &variance::TestOutcome::p_equivalent, row.adjustment);
        const auto lines = lines_of(section_text(*claims_part(all).section));
        CAPTURE(row.name, test, key);
        REQUIRE(lines.size() == all.claims.size());
        for (std::size_t i = 0; i < all.claims.size(); ++i) {
          const Claim& claim = all.claims[i];
          const bool equivalent = claim.test.outcome.status == Status::equivalent;
          if (!equivalent) continue;
          CHECK(claim.status == (p[i] <= alpha ? Status::equivalent : Status::inconclusive));
          CHECK(claim.deciding_adjusted->p == p[i]);
          CHECK((lines[i].verdict == "EQUIVALENT") == (lines[i].adjusted <= alpha));
          shown += p[i] <= alpha ? 1 : 0;
          withdrawn += p[i] > alpha ? 1 : 0;
        }
        if (alone.empty()) continue;
        const Claims by_itself = close_claims(alone, 9, settings, row.adjustment, key);
        for (std::size_t i = 0; i < all.claims.size(); ++i) CHECK(by_itself.claims[i].deciding_adjusted->p == p[i]);
      }
  CHECK(shown > 20);
  CHECK(withdrawn > 20);
}

TEST_CASE("NOT MEANINGFUL is corrected with its family, against beta", "[scores]") {
  std::int64_t shown = 0, withdrawn = 0;
  for (const auto& row : variance::all_adjustments())
    for (std::uint64_t key = 0; key < 12; ++key) {
      variance::TestSettings settings;
      settings.direction = variance::Direction::higher;
      settings.gamma = 0.75;
      settings.beta = 0.1;
      const Claims all = close_claims("pab_exact", 13, settings, row.adjustment, 100 + key);
      const auto p = corrected(all, &variance::TestOutcome::p_not_meaningful, row.adjustment);
      const auto lines = lines_of(section_text(*claims_part(all).section));
      CAPTURE(row.name, key);
      REQUIRE(lines.size() == all.claims.size());
      for (std::size_t i = 0; i < all.claims.size(); ++i) {
        if (all.claims[i].test.outcome.status != Status::not_meaningful) continue;
        CHECK(all.claims[i].status == (p[i] <= 0.1 ? Status::not_meaningful : Status::inconclusive));
        CHECK((lines[i].verdict == "MEANINGFUL" || lines[i].verdict == "NOT") == (lines[i].adjusted <= 0.1));
        shown += p[i] <= 0.1 ? 1 : 0;
        withdrawn += p[i] > 0.1 ? 1 : 0;
      }
    }
  CHECK(shown > 20);
  CHECK(withdrawn > 20);
}

TEST_CASE("an equivalence is called by its own p, with either meaning of alpha", "[scores]") {
  for (const Sides sides : {Sides::one, Sides::two}) {
    Claims all{.claims = {}, .adjust = Adjustment::holm, .better_on = {}, .notes = {}};
    for (const double width : {0.02, 0.07, 1.0}) {
      ScoreTest one{.candidate = "c", .baseline = "old", .settings = {}, .outcome = {}, .root = 1};
      one.settings.direction = variance::Direction::higher;
      one.settings.sides = sides;
      one.settings.margin = 0.1;
      run_test(one, "tost", {width, -.9 * width, .8 * width, -.7 * width, 0}, {0, 0, 0, 0, 0});
      all.claims.push_back({.task = "", .test = std::move(one)});
    }
    adjust_claims(all);
    for (const Claim& claim : all.claims)
      CHECK((claim.status == Status::equivalent) == (claim.deciding_adjusted->p <= alpha));
    CHECK(all.claims.front().status == Status::equivalent);
    CHECK(all.claims.back().status == Status::inconclusive);
  }
}

}  // namespace retrial::tests::family_tests
