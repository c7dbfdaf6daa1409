// The ring of transitions, and the law of its draws.
#include <sstream>

#include "tests/catch.hpp"
#include "workloads/rl/agents/replay.hpp"

namespace retrial::rl_replay_tests {

using namespace retrial::rl;

void add(ReplayBuffer& buffer, float number) {
  const std::vector<float> observation{number, number}, action{number}, next{number + 1, number + 1};
  buffer.add({observation, action, next, -number, static_cast<int>(number) % 2 == 1});
}

TEST_CASE("a full ring forgets its oldest transition") {
  ReplayBuffer buffer(3, 2, 1);
  for (int i = 0; i < 5; ++i) add(buffer, static_cast<float>(i));
  CHECK(buffer.size() == 3);
  CHECK(buffer[0].observation[1] == 3);
  CHECK(buffer[0].terminated);
  CHECK(buffer[1].reward == -4);
  CHECK(buffer[1].next_observation[0] == 5);
  CHECK(buffer[2].action[0] == 2);
}

// Chi-square with 9 degrees of freedom: 27.88 is its 99.9 % quantile.
TEST_CASE("rows are drawn uniformly") {
  ReplayBuffer buffer(10, 2, 1);
  for (int i = 0; i < 10; ++i) add(buffer, static_cast<float>(i));
  std::vector<double> counts(10);
  for (std::uint64_t update = 0; update < 1000; ++update)
    for (const std::size_t row : buffer.drawn(3, update, 32)) counts.at(row) += 1;
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - 3200) * (count - 3200) / 3200;
  CHECK(chi_square < 27.88);
  CHECK(buffer.drawn(3, 7, 5) == buffer.drawn(3, 7, 5));
  CHECK(buffer.drawn(4, 7, 5) != buffer.drawn(3, 7, 5));
}

TEST_CASE("a ring that was saved goes on") {
  for (const int before : {2, 4}) {
    ReplayBuffer one(3, 2, 1), other(3, 2, 1);
    for (int i = 0; i < before; ++i) add(one, static_cast<float>(i));
    std::stringstream bytes;
    nn::StateWriter to(bytes);
    one.save(to);
    nn::StateReader from(bytes);
    other.load(from);
    add(one, 9), add(other, 9);
    REQUIRE(one.size() == other.size());
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i].reward == other[i].reward);
  }
}

}  // namespace retrial::rl_replay_tests
