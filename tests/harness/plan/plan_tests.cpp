#include "harness/plan/plan.hpp"

#include <map>
#include <set>

#include "harness/plan/planned_work.hpp"
#include "harness/plan/variant_order.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/study/checks/study_text.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::plan_tests {

using namespace retrial;
using namespace retrial::harness;

namespace {

StudyDraft draft() {
  return {.where = "test", .workload = "null", .seed = 42, .pairs = 6};
}

Plan plan_of(const StudyDraft& given) {
  return make_plan(checked(given), {.build_id = "0123", .data = "."});
}

Json body(const results::PlanEntry& entry) {
  return results::parse_json(entry.trial_body, "plan");
}

}  // namespace

TEST_CASE("every pair runs each variant once, in the drawn order, under the same seeds") {
  const auto plan = plan_of(draft());
  REQUIRE(plan.entries.size() == 12);
  const auto first = candidate_first(42, "null", 6);
  for (std::size_t pair = 0; pair < 6; ++pair) {
    const auto &a = plan.entries[2 * pair], &b = plan.entries[2 * pair + 1];
    CHECK(a.pair_index == static_cast<std::int64_t>(pair));
    CHECK((a.variant == "shifted") == (first[pair] == 1));
    CHECK(a.variant != b.variant);
    CHECK(body(a).at("seeds") == body(b).at("seeds"));
    CHECK(body(a).at("seeds").at("init") == results::hex16(variance::source_seed(42, "init", pair)));
  }
}

TEST_CASE("a held source keeps the seed of pair 0 in all trials") {
  auto given = draft();
  given.hold = {"init"};
  for (const auto& entry : plan_of(given).entries) {
    CHECK(body(entry).at("seeds").at("init") == results::hex16(variance::source_seed(42, "init", 0)));
    CHECK(body(entry).at("pairs").at("init") == 0);
  }
}

TEST_CASE("a variant that honours none of the varied sources repeats one identity as numbered replicates") {
  auto given = draft();
  given.variants = {{.name = "base", .preset = "base", .where = "test"},
                    {.name = "dropped", .preset = "base", .where = "test", .keys = {{"dropout", 0.5, "test"}}}};
  given.vary = {{"dropout"}};
  const auto plan = plan_of(given);
  std::map<std::string, std::set<results::Digest>> identities;
  std::set<std::uint32_t> replicates;
  for (const auto& entry : plan.entries) {
    identities[entry.variant].insert(entry.identity);
    if (entry.variant == "base")
      replicates.insert(entry.replicate);
    else
      CHECK(entry.replicate == 0);
  }
  CHECK(identities["base"].size() == 1);
  CHECK(identities["dropped"].size() == 6);
  CHECK(replicates == std::set<std::uint32_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("seed, keys, mode and program change the identities, a key at its default does not") {
  const auto reference = plan_of(draft());
  auto seeded = draft();
  seeded.seed = 43;
  CHECK(plan_of(seeded).plan_digest != reference.plan_digest);
  auto keyed = draft();
  keyed.set = {{"sd", 1.5, "test"}};
  CHECK(plan_of(keyed).plan_digest != reference.plan_digest);
  auto same = draft();
  same.set = {{"sd", 1.0, "test"}};
  CHECK(plan_of(same).plan_digest == reference.plan_digest);
  auto moded = draft();
  moded.mode = determinism::mode_from_name("inherit", "test");
  CHECK(plan_of(moded).plan_digest != reference.plan_digest);
  CHECK(make_plan(checked(draft()), {.build_id = "4567", .data = "."}).plan_digest != reference.plan_digest);
  const auto labelled = [](const char* build) {
    return make_plan(checked(draft()), {.build_id = build, .program_label = "mine", .data = "."}).plan_digest;
  };
  CHECK(labelled("0123") == labelled("4567"));
}

TEST_CASE("a plan that is too large is refused before it is expanded") {
  auto given = draft();
  given.pairs = 60'000;
  CHECK_THROWS_WITH(plan_of(given), has_text("--max-trials") || has_text("at most 100000 trials"));
}

TEST_CASE("a plan of pruning gives the number of parents to train, of retrainings, and the rough duration") {
  const auto work_of = [](const std::string& more) {
    const auto study =
        tests::load("schema = 1\nworkload = \"pruning\"\nseed = 1\npairs = 3\n[set]\ngrid = \"powers(8, .8, .75)\"\n" +
                    more + "[variant.rand_global]\n[variant.wt]\n[variant.ft]\n");
    return planned_work(study, make_plan(study, {.build_id = "0123", .data = "."}), ".").value();
  };
  const PlannedWork tier0 = work_of("");
  CHECK(tier0.shared_count == 3);  // shared by the variants of a pair
  CHECK(tier0.trials == 9);
  CHECK(tier0.own_count == 72);
  CHECK_THAT(text_of(tier0), has_text("3 parents, 9 trials, 72 retrainings; about"));
  // It took 8 CPU-seconds (docs/workloads/pruning.md): right to a factor of three.
  CHECK(tier0.cpu_seconds > 8. / 3);
  CHECK(tier0.cpu_seconds < 8. * 3);
  CHECK(work_of("retrain_every = 4\n").own_count == 18);
  CHECK(work_of("pipeline = \"reinit\"\n").own_count == 144);  // the cascade's and the control's
  CHECK(work_of("epochs = 40\n").cpu_seconds > 1.5 * tier0.cpu_seconds);
  CHECK(work_of("noise_images = 200\n").cpu_seconds > 5 * tier0.cpu_seconds);
  const auto apart = tests::load(
      "schema = 1\nworkload = \"pruning\"\nseed = 1\npairs = 3\n[variant.wt]\n[variant.slow]\npreset = \"wt\"\nepochs "
      "= 30\n");
  CHECK(planned_work(apart, make_plan(apart, {.build_id = "0123", .data = "."}), ".")->shared_count == 6);
  const auto null = checked(draft());
  CHECK_FALSE(planned_work(null, make_plan(null, {.build_id = "0123", .data = "."}), "."));
}

}  // namespace retrial::tests::plan_tests
