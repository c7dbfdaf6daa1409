#include <algorithm>

#include "harness/scores/many_tests.hpp"
#include "harness/text/output.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::harness::inline scores {

Exit compare_items(const Arguments& arguments, TableTest from, const TableStart& start) {
  const auto& items = from.table;
  ManyTest test{
      .name = from.test->name,
      .asks = from.test->asks,
      .when = from.test->when,
      .observed = counted(std::ssize(items.methods), "method") + " and " + counted(std::ssize(items.rows), "item"),
      .n = std::ssize(items.rows),
      .direction = from.direction,
      .alpha = from.alpha,
      .omnibus = from.test->run(items),
      .measures = {"ones", "share of ones"},
      .variants = {},
      .estimand = {},
      .pairs_method = "McNemar's exact test",
      .adjust = from.adjust,
      .pairs = {},
      .notes = from.notes};
  for (std::size_t v = 0; v < items.methods.size(); ++v) {
    const auto ones =
        static_cast<double>(std::ranges::count_if(items.rows, [&](const auto& row) { return row[v] == 1.0; }));
    test.variants.push_back({.name = items.methods[v], .values = {ones, ones / static_cast<double>(test.n)}});
  }
  for (const auto& pair : variance::item_pairs(items, from.adjust))
    test.pairs.push_back({.candidate = items.methods[pair.first],
                          .baseline = items.methods[pair.second],
                          .rows = {},
                          .difference = {},
                          .p = pair.p,
                          .p_adjusted = pair.p_adjusted,
                          .better = pair.first_ahead == (from.direction == variance::Direction::higher)});
  test.notes.emplace_back(
      "one trained model of each method: other seeds may reverse the order, so this says nothing about the methods");
  return report_many(arguments, std::move(test), start);
}

}  // namespace retrial::harness::inline scores
