#include "harness/estimates/effects_text.hpp"

#include "harness/text/numbers.hpp"
#include "results/json/json.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::effects_text_tests {

using namespace retrial::harness;

namespace {

MeasuredEffects measured() {
  const variance::EffectSize dz{.name = "cohen_dz",
                                .measures = "in differences",
                                .estimate = {.point = 1.25, .method = "none: few"},
                                .label = {},
                                .convention = {}},
      g{.name = "hedges_g_av",
        .measures = "in runs",
        .estimate = {.point = .875, .low = .25, .high = 1.5, .level = .95, .method = "noncentral t"},
        .leads = true,
        .label = "large",
        .convention = "Cohen 1988"},
      share{.name = "win_share",
            .kind = variance::EffectKind::ordinal,
            .measures = "P(candidate beats baseline)",
            .estimate = {.point = .75, .low = .5, .high = .875, .level = .95, .method = "clopper_pearson"},
            .leads = true,
            .label = {},
            .convention = {}};
  return {.candidate = "kd",
          .baseline = "scratch",
          .candidate_runs = 8,
          .baseline_runs = 8,
          .effects = {.sizes = {g, dz, share},
                      .sd_ratio = variance::Estimate{
                          .point = .5, .low = .25, .high = .75, .level = .95, .method = "jackknife"}}};
}

}  // namespace

TEST_CASE("a page has one size of each kind and the ratio of the spreads, each with interval, name and convention") {
  const auto facts = effect_facts(measured(), {.interval = interval_line});
  REQUIRE(facts.size() == 3);
  CHECK(facts[0].name == "in runs");
  CHECK(facts[0].value == "+0.875");
  CHECK(facts[0].detail == "[0.25, 1.5]  95 %, noncentral t; hedges_g_av, large by the convention of Cohen 1988");
  CHECK(facts[1].value == "0.75");
  CHECK(facts[1].detail == "[0.5, 0.875]  95 %, clopper_pearson; win_share");
  CHECK(facts[2].name == "sd of kd / sd of scratch");
  CHECK(facts[2].detail == "[0.25, 0.75]  95 %, jackknife; below 1: kd is steadier");
}

TEST_CASE("what a page already says is left out, and what does not exist is no line") {
  CHECK(effect_facts(measured(), {.standardized = false, .ordinal = false, .interval = interval_line}).size() == 1);
  MeasuredEffects bare = measured();
  bare.effects.sd_ratio.reset();
  CHECK(effect_facts(bare, {.interval = interval_line}).size() == 2);
}

TEST_CASE("a document has every size, and null for a bound that does not exist") {
  const Json document = effects_document(measured());
  REQUIRE(document.at("sizes").size() == 3);
  CHECK(document.at("sizes")[1].at("name") == "cohen_dz");
  CHECK(document.at("sizes")[1].at("estimate").at("low").is_null());
  CHECK(document.at("sizes")[1].at("label").is_null());
  CHECK(document.at("sizes")[1].at("on_page") == false);
  CHECK(document.at("sizes")[2].at("kind") == "ordinal");
  CHECK(document.at("n_candidate") == 8);
  CHECK(document.at("sd_ratio").at("point") == .5);
  CHECK(effects_document(std::nullopt).is_null());
}

}  // namespace retrial::tests::effects_text_tests
