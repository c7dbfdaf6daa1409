// Group C of the specification of automated search: virtual time and budgets.
#include "tests/catch.hpp"
#include "workloads/automl/core/schedule.hpp"

namespace retrial::automl_schedule_tests {

using namespace retrial::automl;

struct Landed {
  std::int64_t id, worker, start, end;
  bool operator==(const Landed&) const = default;
};

std::vector<Landed> landed(Schedule& schedule, const std::vector<std::int64_t>& costs) {
  std::vector<Landed> out;
  for (;;) {
    while (const auto worker = schedule.free_worker()) {
      const auto id = schedule.started();
      if (id >= std::ssize(costs) || !schedule.admits(costs.at(static_cast<std::size_t>(id)))) break;
      schedule.start(id, *worker, costs.at(static_cast<std::size_t>(id)));
    }
    if (schedule.under_way().empty()) return out;
    const Flight flight = schedule.land();
    out.push_back({flight.id, flight.worker, flight.start, flight.end});
  }
}

TEST_CASE("virtual time decides who trains what, and when results arrive") {
  const std::vector<std::int64_t> costs{5, 3, 3, 4, 2, 6, 1, 2};
  Schedule two(2, {.cost = 20});
  CHECK(landed(two, costs) ==
        std::vector<Landed>{{1, 1, 0, 3}, {0, 0, 0, 5}, {2, 1, 3, 6}, {4, 1, 6, 8}, {3, 0, 5, 9}, {5, 1, 8, 14}});
  CHECK(two.spent() == 23);
  CHECK_THAT(two.utilisation(), WithinAbs(.821429, 5e-7));
  Schedule three(3, {.cost = 100});
  CHECK(landed(three, costs) == std::vector<Landed>{{1, 1, 0, 3},
                                                    {2, 2, 0, 3},
                                                    {0, 0, 0, 5},
                                                    {4, 2, 3, 5},
                                                    {6, 2, 5, 6},
                                                    {3, 1, 3, 7},
                                                    {7, 2, 6, 8},
                                                    {5, 0, 5, 11}});
  CHECK_THAT(three.utilisation(), WithinAbs(.787879, 5e-7));
  Schedule four(4, {.cost = 100});
  CHECK(landed(four, costs) == std::vector<Landed>{{1, 1, 0, 3},
                                                   {2, 2, 0, 3},
                                                   {3, 3, 0, 4},
                                                   {0, 0, 0, 5},
                                                   {4, 1, 3, 5},
                                                   {6, 3, 4, 5},
                                                   {7, 0, 5, 7},
                                                   {5, 2, 3, 9}});
}

TEST_CASE("a budget admits while less than all of it is taken, a strict one never more") {
  Schedule plain(1, {.cost = 10});
  CHECK(landed(plain, std::vector<std::int64_t>(20, 2)).size() == 5);
  CHECK(plain.spent() == 10);
  Schedule over(1, {.cost = 9});
  CHECK(landed(over, std::vector<std::int64_t>(20, 2)).size() == 5);
  Schedule strict(1, {.cost = 9, .strict = true});
  CHECK(landed(strict, std::vector<std::int64_t>(20, 2)).size() == 4);
  Schedule counted(2, {.evaluations = 3});
  CHECK(landed(counted, std::vector<std::int64_t>(20, 2)).size() == 3);
}

}  // namespace retrial::automl_schedule_tests
