#include "variance/offers/offers.hpp"

#include <algorithm>
#include <set>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/audit/audit_gate.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/groups/groups.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::tests::offers_tests {

using namespace retrial::variance;

namespace {

OfferCell cell_of(OfferKind kind, const std::string& name) {
  return cells_of({kind, name}).front();
}

OfferRow asked(const OfferCell& cell, std::int64_t reps = 4'000) {
  return audit_offer(cell, {.reps = reps, .drawing_reps = 500, .seed = 42, .threads = 2});
}

std::vector<std::string> names_of(const std::vector<Offer>& offers) {
  std::vector<std::string> names;
  for (const Offer& offer : offers) names.push_back(offer.name);
  return names;
}

}  // namespace

TEST_CASE("every row of every table that gives verdicts is offered to the audit") {
  const auto offers = all_offers();
  const auto has = [&](OfferKind kind, std::string_view name) {
    return std::ranges::find(offers, Offer{kind, std::string(name)}) != offers.end();
  };
  for (const auto& row : all_comparisons()) CHECK(has(OfferKind::test, row.name));
  for (const auto& row : all_design_families()) CHECK(has(OfferKind::design, row.name));
  for (const auto& row : all_omnibus_tests()) CHECK(has(OfferKind::table_test, row.name));
  for (const auto& row : all_group_tests()) {
    CHECK(has(OfferKind::group_test, row.name));
    CHECK((row.pairs.empty() || has(OfferKind::group_pairs, row.pairs)));
  }
  for (const auto& row : all_adjustments()) CHECK(has(OfferKind::correction, row.name));
  for (const char* name : {"mean", "median", "iqm", "gap", "poi", "task_bootstrap", "hierarchical"})
    CHECK(has(OfferKind::aggregate, name));
  for (const char* name : {"claims", "every_variant", "main_effects"}) CHECK(has(OfferKind::report, name));
}

TEST_CASE("no row of a table is without a cell in which it keeps a promise") {
  const auto offers = all_offers();
  CHECK(names_of(unaudited(offers, offer_grid(offers, false))).empty());
  CHECK(names_of(unaudited(offers, offer_grid(offers, true))).empty());
}

TEST_CASE("a row that no cell asks, or only where it is known to err, is named") {
  const std::vector<Offer> offers{
      {OfferKind::test, "welch"}, {OfferKind::test, "new_test"}, {OfferKind::design, "welch"}};
  auto cells = offer_grid(std::span(offers).first(1), false);
  CHECK(names_of(unaudited(offers, cells)) == std::vector<std::string>{"new_test", "welch"});
  for (OfferCell& cell : cells) cell.departure = Departure{"known", std::nullopt};
  CHECK(names_of(unaudited(std::span(offers).first(1), cells)) == std::vector<std::string>{"welch"});
}

TEST_CASE("the cells of an offer have different names, and the first is its plainest") {
  for (const Offer& offer : all_offers()) {
    CAPTURE(offer.name);
    std::set<std::string> names;
    const auto cells = cells_of(offer);
    for (const OfferCell& cell : cells) CHECK(names.insert(text_of(cell)).second);
    if (!cells.empty()) CHECK_FALSE(cells.front().departure.has_value());
  }
  CHECK(text_of(cell_of(OfferKind::test, "welch")) == "normal, 10 v 10 runs");
  CHECK(text_of(cell_of(OfferKind::test, "tost")) == "normal, 10 pairs, difference at the margin");
  CHECK(text_of(cell_of(OfferKind::aggregate, "iqm")) == "normal, 5 tasks, 3 v 3 runs");
}

TEST_CASE("the grid has unequal groups, few counts, ties, failures, looks, margins and several claims") {
  const auto offers = all_offers();
  const auto grid = offer_grid(offers, false);
  const auto any = [&](auto&& holds) { return std::ranges::any_of(grid, holds); };
  CHECK(
      any([](const OfferCell& c) { return !c.paired && c.runs != c.baseline_runs && c.offer.name == "unpaired_win"; }));
  CHECK(any([](const OfferCell& c) { return c.scores == NullScores::zero_sum && c.offer.name == "sign"; }));
  CHECK(any([](const OfferCell& c) { return c.scores == NullScores::tied && c.offer.name == "sequentialised"; }));
  CHECK(any([](const OfferCell& c) { return c.failed > 0.0 && c.failure == FailurePolicy::loss; }));
  CHECK(any([](const OfferCell& c) { return c.failed > 0.0 && c.test == "paired_t"; }));
  CHECK(any([](const OfferCell& c) { return c.looks.size() == 5 && c.offer.name == "group_permutation"; }));
  CHECK(any([](const OfferCell& c) { return c.error == FalseVerdict::equivalent && c.offer.name == "welch_tost"; }));
  CHECK(any([](const OfferCell& c) { return c.error == FalseVerdict::not_meaningful && c.offer.name == "dual_e"; }));
  CHECK(any([](const OfferCell& c) { return c.offer.name == "claims" && c.many == 6; }));
}

TEST_CASE("every setting with which a rule may say EQUIVALENT or NOT MEANINGFUL has a cell") {
  const auto offers = all_offers();
  const auto grid = offer_grid(offers, false);
  const auto has = [&](OfferKind kind, std::string_view name, FalseVerdict error, auto&& holds) {
    return std::ranges::any_of(grid, [&](const OfferCell& c) {
      return c.offer.kind == kind && c.offer.name == name && c.error == error && holds(c);
    });
  };
  const auto always = [](const OfferCell&) { return true; };
  const auto roped = [](const OfferCell& c) { return c.rope > 0.0; };
  for (const auto& test : all_comparisons()) {
    CAPTURE(test.name);
    if (test.reads_setting("margin")) CHECK(has(OfferKind::test, test.name, FalseVerdict::equivalent, always));
    if (test.reads_setting("gamma")) CHECK(has(OfferKind::test, test.name, FalseVerdict::not_meaningful, always));
    if (!test.reads_setting("rope")) continue;
    CHECK(has(OfferKind::test, test.name, FalseVerdict::equivalent, roped));
    CHECK(has(OfferKind::test, test.name, FalseVerdict::either, roped));
  }
  const auto banded = [](const OfferCell& c) { return c.band.has_value(); };
  for (const char* family : {"fixed", "dual_e"})
    CHECK(has(OfferKind::design, family, FalseVerdict::equivalent, banded));
  CHECK(has(OfferKind::design, "fixed", FalseVerdict::equivalent, [](const OfferCell& c) { return !c.band; }));
}

TEST_CASE("the tests of pairs are asked for what they print: their size is that of the studentized range") {
  // Three equal groups of ten, normal with equal spread: the size of Tukey and of Dunnett is alpha (both are exact).
  for (const char* name : {"tukey", "dunnett"}) {
    CAPTURE(name);
    CHECK_THAT(asked(cell_of(OfferKind::group_test, name)).rate(), WithinAbs(.05, 4 * .00345));
  }
}

TEST_CASE("sizes with closed forms: exact sign test, McNemar at one half") {
  // 8 of 10: P(B(10, 1/2) >= 9) = 11 / 1024 at alpha .05 (8 of 10 would be .0547).
  const OfferRow sign = asked(cell_of(OfferKind::test, "sign"), 20'000);
  CHECK_THAT(sign.share(Status::better), WithinAbs(11.0 / 1024, 4 * .00073));
  CHECK_THAT(sign.share(Status::worse), WithinAbs(11.0 / 1024, 4 * .00073));
  CHECK(sign.outcome == AuditOutcome::pass);
  // 27 of 42: P(B(42, 1/2) >= 27) = .0442147735.
  const OfferRow fixed = asked(cell_of(OfferKind::design, "fixed"));
  CHECK_THAT(fixed.share(Status::better), WithinAbs(.0442147735, 4 * .00325));
  // The t test of ten normal differences is exact.
  const OfferRow t = asked(cell_of(OfferKind::test, "paired_t"), 20'000);
  CHECK_THAT(t.share(Status::better), WithinAbs(.05, 4 * .00154));
}

TEST_CASE("a rule that errs too often fails after a second look, and only a rule that does", "[slow]") {
  OfferCell strict = cell_of(OfferKind::test, "paired_t");
  strict.level = 0.04;  // a promise that it does not make
  const OfferRow row = asked(strict, 10'000);
  CHECK(row.outcome == AuditOutcome::failed);
  CHECK(row.repeated);
  CHECK(row.reps == 40'000);
  CHECK_FALSE(passes(std::vector{row}));
  strict.level = 0.06;
  const OfferRow kept = asked(strict, 10'000);
  CHECK(kept.outcome == AuditOutcome::pass);
  CHECK_FALSE(kept.repeated);
}

TEST_CASE("a departure has to be seen at its rate") {
  OfferCell cell = cell_of(OfferKind::test, "sign");
  cell.departure = Departure{"made up", 11.0 / 1024};
  CHECK(asked(cell).outcome == AuditOutcome::shown);
  cell.departure = Departure{"made up", 0.05};
  CHECK(asked(cell).outcome == AuditOutcome::not_shown);
  cell.departure = Departure{"above its level", std::nullopt};
  CHECK(asked(cell).outcome == AuditOutcome::not_shown);
}

TEST_CASE("a cell in which nothing can be judged fails") {
  OfferCell cell = cell_of(OfferKind::test, "mcnemar");
  cell.scores = NullScores::gaussian;  // it takes 0 and 1 only
  CHECK(asked(cell, 200).outcome == AuditOutcome::failed);
}

TEST_CASE("equal variants with three runs of one task: the interval alone would err, the verdict does not") {
  OfferCell one_task = cell_of(OfferKind::aggregate, "iqm");
  one_task.many = 1;
  CHECK(asked(one_task).rate() == 0.0);  // of 20 labellings none is within .025
  for (const char* name : {"mean", "median", "iqm", "gap", "poi"}) {
    CAPTURE(name);
    CHECK(asked(cell_of(OfferKind::aggregate, name)).outcome == AuditOutcome::pass);
  }
}

TEST_CASE("one of six claims on the edge is said to hold at most once in twenty") {
  const OfferRow row = asked(cell_of(OfferKind::report, "claims"));
  CHECK(row.outcome == AuditOutcome::pass);
  CHECK(row.rate() > 0.01);  // six claims that nobody could call would keep every level
}

TEST_CASE("the number of threads changes no count, another seed does") {
  const OfferCell cell = cell_of(OfferKind::test, "wilcoxon");
  const AuditSettings settings{.reps = 1'010, .drawing_reps = 100, .seed = 5};
  const auto one = audit_offer(cell, settings).verdicts;
  for (const std::size_t threads : {std::size_t{2}, std::size_t{8}}) {
    AuditSettings many = settings;
    many.threads = threads;
    CHECK(audit_offer(cell, many).verdicts == one);
  }
  AuditSettings other = settings;
  other.seed = 6;
  CHECK(audit_offer(cell, other).verdicts != one);
  CHECK(refused_field([&] { (void)audit_offer(cell, {.reps = 0}); }) == "reps");
}

}  // namespace retrial::tests::offers_tests
