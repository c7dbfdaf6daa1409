#include <algorithm>

#include "harness/scores/outcomes/many_test.hpp"
#include "harness/scores/outcomes/score_test.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline outcomes {
namespace {

using report::right;

/// Absent where the test has no statistic.
std::optional<bool> differ(const ManyTest& test) {
  if (!test.omnibus)
    return std::ranges::any_of(test.pairs, [&](const ManyPair& pair) { return pair.p_adjusted <= test.alpha; });
  return test.omnibus->statistic ? std::optional(test.omnibus->p_two <= test.alpha) : std::nullopt;
}

std::string verdict_on(const ManyPair& pair, const ManyTest& test) {
  return std::string(variance::name_of(status_of(pair, test)));
}

/// What is said below the numbers.
std::vector<std::string> remarks(const ManyTest& test) {
  auto notes = test.notes;
  if (test.omnibus && !test.omnibus->note.empty()) notes.push_back(test.omnibus->note);
  return notes;
}

bool any_bounds(const ManyTest& test) {
  return std::ranges::any_of(test.pairs, [](const ManyPair& pair) { return pair.difference && pair.difference->low; });
}

std::string level_text(const ManyTest& test) {
  return percent(1.0 - test.alpha);
}

std::string pairs_caption(const ManyTest& test) {
  std::string text = "Pairs (" + test.pairs_method;
  if (test.adjust) text += ", p adjusted: " + std::string(name_of(*test.adjust));
  if (any_bounds(test)) text += "; all intervals hold together at " + level_text(test);
  return text + ")";
}

report::Table measures_table(const ManyTest& test) {
  report::Table out{.caption = "Variants", .columns = {"variant"}};
  for (const std::string& measure : test.measures) out.columns.push_back(right(measure));
  for (const VariantMeasures& variant : test.variants) {
    std::vector<report::Cell> row{variant.name};
    for (const auto& value : variant.values) row.emplace_back(or_dash(value));
    out.rows.push_back(std::move(row));
  }
  return out;
}

report::Table pairs_table(const ManyTest& test) {
  const bool differences = !test.pairs.empty() && test.pairs.front().difference, bounds = any_bounds(test);
  const bool counted_rows = !test.pairs.empty() && test.pairs.front().rows;
  report::Table out{.caption = pairs_caption(test), .columns = {"pair"}};
  if (counted_rows) out.columns.push_back(right("data sets"));
  if (differences) out.columns.push_back(right("difference of " + test.estimand + "s"));
  if (bounds) out.columns.push_back("interval");
  out.columns.push_back(right("deciding p"));
  out.columns.push_back("verdict");
  for (const ManyPair& pair : test.pairs) {
    std::vector<report::Cell> row{pair.candidate + " - " + pair.baseline};
    if (counted_rows) row.emplace_back(std::to_string(*pair.rows));
    if (differences) row.emplace_back(short_text(pair.difference->point));
    if (bounds)
      row.emplace_back("[" + short_text(*pair.difference->low) + ", " + short_text(*pair.difference->high) + "]");
    row.emplace_back(p_text(pair.p_adjusted, test.alpha));
    const std::string verdict = verdict_on(pair, test);
    row.emplace_back(verdict == "INCONCLUSIVE" ? verdict
                                               : pair.candidate + " is " + verdict + " than " + pair.baseline);
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace

variance::Status status_of(const ManyPair& pair, const ManyTest& test) {
  using enum variance::Status;
  return pair.p_adjusted > test.alpha ? inconclusive : pair.better ? better : worse;
}

Json many_document(const ManyTest& test) {
  Json variants = Json::array(), pairs = Json::array(), methods = Json::array();
  for (const VariantMeasures& variant : test.variants) {
    Json one{{"name", variant.name}};
    for (std::size_t i = 0; i < test.measures.size(); ++i) {
      std::string key = test.measures[i];
      std::ranges::replace(key, ' ', '_');
      one[key] = json_number(variant.values[i]);
    }
    variants.push_back(one);
    methods.push_back(variant.name);
  }
  for (const ManyPair& pair : test.pairs) {
    const bool bounded = pair.difference && pair.difference->low;
    pairs.push_back(
        {{"candidate", pair.candidate},
         {"baseline", pair.baseline},
         {"rows", pair.rows ? Json(*pair.rows) : Json()},
         {"estimate", pair.difference ? json_number(pair.difference->point) : Json()},
         {"interval", bounded ? Json{json_number(pair.difference->low), json_number(pair.difference->high)} : Json()},
         {"p", json_number(pair.p)},
         {"p_adjusted", json_number(pair.p_adjusted)},
         {"verdict", verdict_on(pair, test)}});
  }
  const auto found = differ(test);
  const bool has = test.omnibus && test.omnibus->statistic;
  return {{"schema", "retrial.test/1"},
          {"test", test.name},
          {"direction", word_of(test.direction)},
          {"alpha", json_number(test.alpha)},
          {"statistic", has ? json_number(test.omnibus->statistic) : Json()},
          {"df", has ? json_number(test.omnibus->df) : Json()},
          {"df_within", has ? json_number(test.omnibus->df_within) : Json()},
          {"p", has ? json_number(test.omnibus->p_two) : Json()},
          {"estimate", Json()},
          {"interval", Json()},
          {"level", any_bounds(test) ? json_number(1.0 - test.alpha) : Json()},
          {"method", test.omnibus ? test.omnibus->method : test.pairs_method},
          {"n", test.n},
          {"methods", methods},
          {"variants", variants},
          {"estimand", test.estimand},
          {"pairs_method", test.pairs_method},
          {"pairs", pairs},
          {"adjust", test.adjust ? Json(name_of(*test.adjust)) : Json()},
          {"notes", remarks(test)},
          // The test of all says that some differ, not which: verdicts are per pair.
          {"differ", found ? Json(*found) : Json()},
          {"verdict", Json()}};
}

report::Section many_section(const ManyTest& test) {
  report::Section out{
      .id = "test",
      .title = differ(test).value_or(false) ? "The variants differ" : "No difference between the variants was shown"};
  out.blocks.emplace_back(report::Paragraph{
      std::string(test.name) + " (" + (test.omnibus ? test.omnibus->method : test.pairs_method) + ") on " +
      test.observed + ", " + word_of(test.direction) + " is better, alpha " + short_text(test.alpha)});
  if (test.omnibus && test.omnibus->statistic)
    out.blocks.emplace_back(
        report::Facts{{{"statistic", short_text(*test.omnibus->statistic, 6),
                        freedom_text(test.omnibus->df, test.omnibus->df_within)},
                       {"p", p_text(test.omnibus->p_two, test.alpha), "if all variants are alike"}}});
  out.blocks.emplace_back(measures_table(test));
  out.blocks.emplace_back(pairs_table(test));
  out.blocks.emplace_back(report::Facts{{{"asks", std::string(test.asks)}, {"for", std::string(test.when)}}});
  for (const std::string& text : remarks(test)) out.blocks.emplace_back(report::Warning{text});
  return out;
}

}  // namespace retrial::harness::inline scores::inline outcomes
