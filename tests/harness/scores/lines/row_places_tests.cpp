#include "harness/scores/lines/row_places.hpp"

#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::row_places_tests {

using namespace retrial;
using harness::RowPlaces;
using harness::ScoreTable;

TEST_CASE("equal names of a table are one text, also in a copy that outlives it") {
  ScoreTable copy;
  {
    ScoreTable table;
    CHECK(&table.called("kd").text() == &table.called(std::string("k") + "d").text());
    CHECK(table.called("").empty());
    table.add({.variant = table.called("a long name that is on the heap")});
    copy = table;
  }
  CHECK(copy.rows[0].variant == "a long name that is on the heap");
  CHECK(copy.variants() == std::vector<std::string>{"a long name that is on the heap"});
}

TEST_CASE("a row is found again by variant, pair or label, cluster, task and metric, and by nothing less") {
  ScoreTable table;
  const auto add = [&](const char* variant, std::optional<std::int64_t> pair, const char* label, const char* cluster,
                       const char* task, const char* metric) {
    table.add({.variant = table.called(variant),
               .pair = pair,
               .cluster = table.called(cluster),
               .task = table.called(task),
               .metric = table.called(metric),
               .pair_label = table.called(label)});
  };
  add("a", 0, "x", "c", "t", "m");
  add("b", 0, "x", "c", "t", "m");
  add("a", 1, "y", "c", "t", "m");
  add("a", 0, "x", "d", "t", "m");
  add("a", 0, "x", "c", "u", "m");
  add("a", 0, "x", "c", "t", "n");
  add("a", 0, "z", "c", "t", "m");  // another label of pair 0
  add("a", 1, "y", "c", "t", "m");  // again
  const auto found = [&](RowPlaces::Pair pair) {
    RowPlaces places(table, pair, table.rows.size());
    std::vector<int> out;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const auto before = places.before(i);
      out.push_back(before ? static_cast<int>(*before) : -1);
    }
    return out;
  };
  CHECK(found(RowPlaces::Pair::number) == std::vector{-1, -1, -1, -1, -1, -1, 0, 2});
  CHECK(found(RowPlaces::Pair::label) == std::vector{-1, -1, -1, -1, -1, -1, -1, 2});
}

TEST_CASE("a table of more scores than are judged is refused with one line") {
  ScoreTable table{.name = "big.csv"};
  for (std::size_t i = 0; i < harness::max_scores; ++i) table.add({});
  CHECK_THROWS_WITH(table.add({}), has_text("big.csv: more than 2000000 scores"));
}

}  // namespace retrial::tests::row_places_tests
