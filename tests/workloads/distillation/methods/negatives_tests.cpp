// Negatives of contrastive distillation: sections 6.20 and 9 of the specification of distillation.
#include <set>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "workloads/distillation/methods/negatives.hpp"

namespace retrial::tests::negatives_tests {

using namespace retrial;
using distillation::Negatives;

namespace {

using Places = std::vector<std::int64_t>;
const Places labels{0, 1, 2, 0, 1, 2, 0, 1, 2, 0};

Places drawn(std::uint64_t seed, std::int64_t count, std::uint32_t place, std::int64_t epoch) {
  Places to(static_cast<std::size_t>(count));
  Negatives(labels, seed, count).draw(place, epoch, to.data());
  return to;
}

}  // namespace

TEST_CASE("negatives are of other classes, and different while there are enough") {
  for (std::uint32_t place = 0; place < 10; ++place) {
    const Places few = drawn(1, 6, place, 0), many = drawn(1, 40, place, 0);
    CHECK(std::set(few.begin(), few.end()).size() == 6);
    for (const Places& places : {few, many})
      for (const std::int64_t other : places) CHECK(labels[static_cast<std::size_t>(other)] != labels[place]);
  }
}

TEST_CASE("a sample's negatives depend on its seed, epoch and place alone") {
  Negatives shared(labels, 1, 4);
  Places in_turn(4);
  for (const std::uint32_t place : {7U, 3U, 0U, 3U}) {  // whatever was drawn before
    shared.draw(place, 2, in_turn.data());
    CHECK(in_turn == drawn(1, 4, place, 2));
  }
  CHECK(drawn(1, 4, 3, 2) != drawn(1, 4, 3, 3));
  CHECK(drawn(1, 4, 3, 2) != drawn(2, 4, 3, 2));
  CHECK(drawn(1, 4, 0, 2) != drawn(1, 4, 3, 2));  // two samples of one class
}

TEST_CASE("the first negative is the first draw of the sample's own stream") {
  variance::Stream stream(variance::derive(variance::derive(9, "crd"), std::uint64_t{5}), 3);
  const Places others{1, 2, 4, 5, 7, 8};
  CHECK(drawn(9, 3, 3, 5)[0] == others[variance::bounded(stream.next(), 6)]);
}

TEST_CASE("without another class there is nothing to contrast with") {
  Negatives alone({1, 1}, 1, 2);
  Places to(2);
  CHECK_THROWS_AS(alone.draw(0, 0, to.data()), InvalidInput);
}

}  // namespace retrial::tests::negatives_tests
