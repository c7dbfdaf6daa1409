#include <algorithm>

#include "harness/scores/outcomes/score_test.hpp"
#include "harness/scores/outcomes/table_test.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline outcomes {
namespace {

using report::right;

/// Where lower is better, the ranks come from negated scores.
struct Ranked {
  std::vector<double> ranks;
  std::vector<std::size_t> order;  ///< best first
};

Ranked ranked(const TableTest& test) {
  Ranked out{.ranks = variance::mean_ranks(test.table), .order = {}};
  for (std::size_t i = 0; i < out.ranks.size(); ++i) out.order.push_back(i);
  std::stable_sort(out.order.begin(), out.order.end(), [&](auto i, auto j) { return out.ranks[i] < out.ranks[j]; });
  return out;
}

double distance_of(const TableTest& test) {
  return variance::nemenyi_distance(static_cast<std::int64_t>(test.table.methods.size()),
                                    static_cast<std::int64_t>(test.table.rows.size()), test.alpha);
}

report::Facts omnibus_facts(const TableTest& test) {
  report::Facts out{
      {{"statistic", short_text(*test.result.statistic, 6), freedom_text(test.result.df, test.result.df_within)},
       {"p", short_text(test.result.p_two), "if all methods rank alike"}}};
  if (test.uncorrected && test.uncorrected->statistic)
    out.rows.push_back({"without tie correction", short_text(*test.uncorrected->statistic, 6),
                        "p " + short_text(test.uncorrected->p_two) + ", as often printed elsewhere"});
  out.rows.push_back({"agreement", or_dash(variance::kendall_w(test.table)),
                      "Kendall's W: 0 if the data sets do not agree on the ranks, 1 if all rank alike"});
  return out;
}

std::vector<std::string> notes_of(const TableTest& test) {
  auto notes = test.notes;
  if (!test.result.note.empty()) notes.push_back(test.result.note);
  return notes;
}

/// Verdict on the first method of the pair, by the adjusted Wilcoxon test of the pair.
std::string pair_verdict(const variance::MethodPair& pair, const TableTest& test) {
  if (pair.p_wilcoxon_adjusted > test.alpha) return "INCONCLUSIVE";
  return pair.first_ahead ? "BETTER" : "WORSE";
}

}  // namespace

Json test_document(const TableTest& test) {
  const Ranked by_rank = ranked(test);
  const bool uncorrected = test.uncorrected && test.uncorrected->statistic;
  const double distance = distance_of(test);
  Json ranks = Json::object(), groups = Json::array(), pairs = Json::array();
  for (std::size_t i = 0; i < by_rank.ranks.size(); ++i) ranks[test.table.methods[i]] = json_number(by_rank.ranks[i]);
  for (const auto& group : variance::rank_groups(by_rank.ranks, distance)) {
    Json names = Json::array();
    for (const std::size_t method : group) names.push_back(test.table.methods[method]);
    groups.push_back(names);
  }
  for (const auto& pair : variance::method_pairs(test.table, test.adjust))
    pairs.push_back({{"candidate", test.table.methods[pair.first]},
                     {"baseline", test.table.methods[pair.second]},
                     {"z", json_number(pair.z)},
                     {"p_ranks", json_number(pair.p_ranks)},
                     {"p_ranks_adjusted", json_number(pair.p_ranks_adjusted)},
                     {"p_wilcoxon", json_number(pair.p_wilcoxon)},
                     {"p_wilcoxon_adjusted", json_number(pair.p_wilcoxon_adjusted)},
                     {"verdict", pair_verdict(pair, test)}});
  return {{"schema", "retrial.test/1"},
          {"test", test.test->name},
          {"direction", word_of(test.direction)},
          {"alpha", json_number(test.alpha)},
          {"statistic", json_number(test.result.statistic)},
          {"df", json_number(test.result.df)},
          {"df_within", json_number(test.result.df_within)},
          {"p", test.result.statistic ? json_number(test.result.p_two) : Json()},
          {"statistic_uncorrected", uncorrected ? json_number(test.uncorrected->statistic) : Json()},
          {"p_uncorrected", uncorrected ? json_number(test.uncorrected->p_two) : Json()},
          {"estimate", Json()},
          {"interval", Json()},
          {"level", Json()},
          {"method", test.result.method},
          {"n", test.table.rows.size()},
          {"methods", test.table.methods},
          {"ranks", ranks},
          {"kendall_w", json_number(variance::kendall_w(test.table))},
          {"nemenyi_distance", json_number(distance)},
          {"groups", groups},
          {"pairs", pairs},
          {"adjust", name_of(test.adjust)},
          {"notes", notes_of(test)},
          // An omnibus test says that some methods differ, not which: verdicts are per pair.
          {"differ", test.result.statistic ? Json(test.result.p_two <= test.alpha) : Json()},
          {"verdict", Json()}};
}

report::Section test_section(const TableTest& test) {
  const bool differ = test.result.statistic && test.result.p_two <= test.alpha;
  const Ranked by_rank = ranked(test);
  report::Section out{.id = "test",
                      .title = differ ? "The methods differ" : "No difference between the methods was shown"};
  out.blocks.emplace_back(report::Paragraph{std::string(test.test->name) + " (" + test.result.method + ") on " +
                                            std::to_string(test.table.methods.size()) + " methods and " +
                                            counted(std::ssize(test.table.rows), "data set") + ", " +
                                            word_of(test.direction) + " is better, alpha " + short_text(test.alpha)});
  for (const auto& text : notes_of(test)) out.blocks.emplace_back(report::Warning{text});
  if (test.result.statistic) out.blocks.emplace_back(omnibus_facts(test));
  report::Table ranks{.caption = "Ranks (1 = best; methods within " + short_text(distance_of(test)) +
                                 " of each other do not differ by Nemenyi)",
                      .columns = {"method", right("mean rank")}};
  for (const std::size_t method : by_rank.order)
    ranks.rows.push_back({test.table.methods[method], short_text(by_rank.ranks[method])});
  report::Table pairs{.caption = "Pairs (p adjusted: " + std::string(name_of(test.adjust)) + ")",
                      .columns = {"pair", right("p of ranks"), right("deciding p (Wilcoxon)"), "verdict (Wilcoxon)"}};
  for (const auto& pair : variance::method_pairs(test.table, test.adjust)) {
    const std::string first = test.table.methods[pair.first], second = test.table.methods[pair.second];
    const std::string verdict = pair_verdict(pair, test);
    pairs.rows.push_back({first + " - " + second, short_text(pair.p_ranks_adjusted),
                          p_text(pair.p_wilcoxon_adjusted, test.alpha),
                          verdict == "INCONCLUSIVE" ? verdict : first + " is " + verdict + " than " + second});
  }
  out.blocks.insert(out.blocks.end(), {std::move(ranks), std::move(pairs),
                                       report::Paragraph{"Ranks depend on which methods take part, and groups are not "
                                                         "transitive. For a claim about two methods, quote the line "
                                                         "of their pair."}});
  return out;
}

}  // namespace retrial::harness::inline scores::inline outcomes
