// The looks that share one error rate. Expected places and rates follow from the rule in sequence.hpp by counting; the
// bound is Boole's inequality.
#include "harness/judge/looks/sequence.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::looks_sequence_tests {

using namespace retrial::harness;
using retrial::variance::InvalidReason;

namespace {

results::Digest digest(std::uint8_t byte) {
  results::Digest out{};
  out.fill(byte);
  return out;
}

/// A declared look at question 1 of study `study` with its own seed.
Look look(std::int64_t number, std::uint8_t study, std::uint8_t rule = 1) {
  return {.number = number,
          .question = digest(1),
          .study = digest(study),
          .draw = digest(study),
          .rule = digest(rule),
          .inputs = digest(study),
          .rate = 0.05,
          .declared = true,
          .pairs = 20,
          .by = "study " + std::to_string(study)};
}

Look undeclared(Look out) {
  out.declared = false;
  return out;
}

Look of_question(Look out, std::uint8_t question) {
  out.question = digest(question);
  return out;
}

Look on_trials_of(Look out, std::uint8_t study) {
  out.draw = digest(study);
  return out;
}

}  // namespace

TEST_CASE("the first look at a question has the rate of its rule, however often it is shown") {
  const auto own = look(0, 1);
  CHECK(sequence_of({}, own).place() == 1);
  CHECK(sequence_of({look(1, 1)}, own).place() == 1);
  CHECK(sequence_of({look(1, 1), look(2, 2)}, own).rate == 0.05);
}

TEST_CASE("a study with other seeds is another look at the same question") {
  const auto second = sequence_of({look(1, 1)}, look(0, 2)), third = sequence_of({look(1, 1), look(2, 2)}, look(0, 3));
  CHECK(second.place() == 2);
  CHECK(second.rate == 0.1);
  CHECK(third.place() == 3);
  CHECK(third.before.front().by == "study 1");
  CHECK(sequence_of({of_question(look(1, 1), 2)}, look(0, 2)).place() == 1);
}

TEST_CASE("the claims of one family are one look") {
  const auto family = look(1, 1);
  CHECK(sequence_of({family, on_trials_of(family, 7)}, look(0, 2)).place() == 2);
}

TEST_CASE("two commands that recorded at the same time come after each other") {
  const auto one = look(1, 1), other = look(1, 2);
  CHECK(sequence_of({one, other}, one).place() == 2);
  CHECK(sequence_of({one, other}, other).place() == 2);
}

TEST_CASE("the sum of many rates is at most 1") {
  std::vector<Look> looks;
  for (std::uint8_t i = 1; i <= 30; ++i) looks.push_back(look(i, i));
  CHECK(sequence_of(looks, look(0, 40)).rate == 1.0);
}

TEST_CASE("an undeclared look spoils no design that was there before it, but every later one") {
  const auto peek = undeclared(look(1, 1, 2));
  CHECK(sequence_of({peek}, look(0, 1)).place() == 1);
  CHECK(sequence_of({peek}, look(0, 2)).place() == 2);
}

TEST_CASE("an undeclared look counts every look at its study, whatever the question") {
  const auto other = of_question(look(1, 1), 2);
  CHECK(sequence_of({other}, undeclared(look(0, 1, 2))).place() == 2);
  CHECK(sequence_of({other}, look(0, 1)).place() == 1);
}

TEST_CASE("trials that were run again after a look are another look") {
  auto again = look(0, 1);
  again.inputs = digest(9);
  CHECK(sequence_of({look(1, 1)}, again).place() == 2);
}

TEST_CASE("another rule on the same trials is spoiled by an earlier look, and only by that") {
  auto longer = on_trials_of(look(0, 2), 1);
  longer.pairs = 30;
  const auto spoiled = spoiled_by({look(1, 1)}, longer);
  REQUIRE(spoiled);
  CHECK(spoiled->reason == InvalidReason::extended);
  longer.rule = digest(2);
  CHECK(spoiled_by({look(1, 1)}, longer)->reason == InvalidReason::design_mismatch);
  longer.pairs = 10;
  CHECK(spoiled_by({look(1, 1)}, longer)->reason == InvalidReason::design_mismatch);
  CHECK_FALSE(spoiled_by({}, longer));
  CHECK_FALSE(spoiled_by({look(1, 1)}, look(0, 2, 2)));                // other seeds
  CHECK_FALSE(spoiled_by({look(1, 1)}, on_trials_of(look(0, 2), 1)));  // the same rule by another name
  auto first = on_trials_of(look(1, 2, 2), 1);
  first.pairs = 10;
  CHECK_FALSE(spoiled_by({first, look(2, 1)}, longer));  // it was there first
}

TEST_CASE("a study with the scores of one that was looked at asks the same") {
  const auto earlier = of_question(look(1, 1), 2);
  auto own = look(0, 3);
  CHECK(sequence_of({earlier}, own).place() == 1);
  own.twins = {{earlier.study, earlier.question}};
  CHECK(sequence_of({earlier}, own).place() == 2);
  CHECK_FALSE(spoiled_by({earlier}, own));  // the same rule: the second of two looks, and valid
  own.pairs = 30;
  CHECK(spoiled_by({earlier}, own)->reason == InvalidReason::extended);
  CHECK_FALSE(spoiled_by({of_question(look(1, 4), 2)}, own));  // the same question of a study with other scores
  CHECK(sequence_of({of_question(look(1, 4), 2)}, own).place() == 2);
}

}  // namespace retrial::tests::looks_sequence_tests
