// A family of claims: the p that a line prints is the p that decides its verdict, for every correction. Scores are
// drawn; no reference value is needed.
#include "harness/scores/family.hpp"

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
          const auto lines = lines_of(claims_page(all));
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
