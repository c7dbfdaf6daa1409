#include <algorithm>
#include <cmath>
#include <map>

#include "harness/judge/verdict_words.hpp"
#include "harness/scores/options.hpp"
#include "harness/scores/score_test.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores {
namespace {

using variance::Estimate;
using variance::Status;
using variance::TestOutcome;

std::string headline(const ScoreTest& test) {
  const std::string word(variance::name_of(test.outcome.status));
  switch (test.outcome.status) {
    case Status::better:
      return test.candidate + " is " + green(word) + " than " + test.baseline;
    case Status::worse:
      return test.candidate + " is " + red(word) + " than " + test.baseline;
    case Status::equivalent:
      return test.candidate + " is " + green(word) + " to " + test.baseline;
    case Status::invalid:
      return test.candidate + " against " + test.baseline + ": " + red(word) + " (" +
             std::string(test.outcome.reason ? variance::name_of(*test.outcome.reason) : "") + ")";
    default:
      return test.candidate + " against " + test.baseline + ": " + yellow(word);
  }
}

std::string df_text(const std::optional<double>& df, const std::optional<double>& within) {
  if (!df) return "";
  return within ? short_text(*df) + " and " + short_text(*within) + " degrees of freedom"
                : short_text(*df) + " degrees of freedom";
}

/// What a page calls the further numbers of a test; programs read them by their names.
std::string words_for(const std::string& detail) {
  static const std::map<std::string, std::string> words{
      {"least_p", "least two-sided p there can be"},
      {"missing_candidate", "runs of the candidate without a score"},
      {"missing_baseline", "runs of the baseline without a score"},
      {"mean_better", "P(mean over tasks is better)"},
      {"mean_rope", "P(mean over tasks is within the rope)"},
      {"mean_worse", "P(mean over tasks is worse)"},
      {"spread_of_tasks", "standard deviation between tasks"},
      {"degrees_of_freedom", "degrees of freedom of the tasks' law"},
      {"r_hat_mean", "R-hat of the mean"},
      {"effective_draws_mean", "effective draws of the mean"},
  };
  const auto found = words.find(detail);
  return found == words.end() ? detail : found->second;
}

/// Differences have the unit of the scores.
std::string estimate_text(const TestOutcome& outcome, const std::string& unit) {
  const auto* row = variance::find_comparison(outcome.test);
  const bool share = row != nullptr && row->unit == variance::Unit::share;
  const std::string point = short_text(outcome.estimate.point);
  return share || unit.empty() ? point : point + " " + difference_unit(unit);
}

void add_evidence(TextTable& table, const TestOutcome& outcome, const std::string& unit) {
  if (outcome.statistic)
    table.add({"statistic", short_text(*outcome.statistic, 6), df_text(outcome.df, outcome.df_within)});
  if (outcome.p)
    table.add({"p", short_text(*outcome.p),
               outcome.p_better ? "two-sided; " + short_text(*outcome.p_better) + " for better, " +
                                      short_text(*outcome.p_worse) + " for worse"
                                : "of the claim that the difference lies within the margin"});
  if (outcome.posterior)
    table.add(
        {"probability", short_text(outcome.posterior->right) + " better",
         short_text(outcome.posterior->rope) + " within the rope, " + short_text(outcome.posterior->left) + " worse"});
  if (!outcome.estimand.empty() && outcome.status != Status::invalid)
    table.add({outcome.estimand, estimate_text(outcome, unit), interval_line(outcome.estimate)});
  for (const auto& [name, value] : outcome.details) table.add({words_for(name), short_text(value)});
}

/// A model of many tasks stands in no table of tests of two samples; its differences are of pairs.
bool is_paired(const TestOutcome& outcome) {
  const auto* row = variance::find_comparison(outcome.test);
  return row == nullptr || row->pairing == variance::Pairing::paired;
}

std::string runs_text(const ScoreTest& test, bool paired) {
  if (paired) return counted(test.outcome.candidate_runs, test.observation);
  return counted(test.outcome.candidate_runs, "run") + " of " + test.candidate + ", " +
         std::to_string(test.outcome.baseline_runs) + " of " + test.baseline;
}

/// Natural orientation: what the numbers were computed from is negated where lower is better.
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

std::vector<std::string> notes_of(const TableTest& test) {
  auto notes = test.notes;
  if (!test.result.note.empty()) notes.push_back(test.result.note);
  return notes;
}

/// Of the pair: its first method, by its own Wilcoxon test with the correction.
std::string pair_verdict(const variance::MethodPair& pair, const TableTest& test) {
  if (pair.p_wilcoxon_adjusted > test.alpha) return "INCONCLUSIVE";
  return pair.z < 0.0 ? "BETTER" : "WORSE";
}

}  // namespace

/// Of a claim that stands alone; a correction for several says more than this.
std::vector<std::string> notes_of(const ScoreTest& test) {
  const TestOutcome& o = test.outcome;
  auto notes = o.notes;
  const bool directed = o.status == Status::better || o.status == Status::worse;
  if (directed && o.p && *o.p > test.settings.alpha)
    notes.insert(notes.begin(),
                 "the claim is one-sided at alpha = " + short_text(test.settings.alpha) +
                     ": both directions together (--sides two) would need a two-sided p of at most that");
  return notes;
}

Json test_document(const ScoreTest& test) {
  const TestOutcome& o = test.outcome;
  const bool paired = is_paired(o);
  const bool bounded = o.status != Status::invalid && (o.estimate.low || o.estimate.high);
  Json details = Json::object();
  for (const auto& [name, value] : o.details) details[name] = json_number(value);
  Json notes = notes_of(test);
  for (const auto& warning : test.warnings) notes.push_back(warning);
  Json posterior;
  if (o.posterior)
    posterior = {{"better", json_number(o.posterior->right)},
                 {"rope", json_number(o.posterior->rope)},
                 {"worse", json_number(o.posterior->left)}};
  return {{"schema", "retrial.test/1"},
          {"test", o.test},
          {"candidate", test.candidate},
          {"baseline", test.baseline},
          {"direction", word_of(test.settings.direction)},
          {"alpha", json_number(test.settings.alpha)},
          {"sides", test.settings.sides == variance::Sides::two ? "two" : "one"},
          {"statistic", json_number(o.statistic)},
          {"df", json_number(o.df)},
          {"df_within", json_number(o.df_within)},
          {"p", json_number(o.p)},
          {"p_better", json_number(o.p_better)},
          {"p_worse", json_number(o.p_worse)},
          {"posterior", posterior},
          {"estimate", o.status == Status::invalid ? Json() : json_number(o.estimate.point)},
          {"estimand", o.estimand},
          {"unit", test.unit},
          {"interval", bounded ? Json{json_number(o.estimate.low), json_number(o.estimate.high)} : Json()},
          {"interval_method", o.estimate.method},
          {"level", json_number(o.estimate.level)},
          {"method", o.method},
          {"exact", o.exact},
          {"paired", paired},
          {"n", paired ? o.candidate_runs : o.candidate_runs + o.baseline_runs},
          {"n_candidate", o.candidate_runs},
          {"n_baseline", o.baseline_runs},
          {"seed", o.drawn ? Json(results::hex16(test.root)) : Json()},
          {"details", details},
          {"notes", notes},
          {"reason", o.reason ? Json(variance::name_of(*o.reason)) : Json()},
          {"verdict", variance::name_of(o.status)}};
}

std::string test_page(const ScoreTest& test) {
  const TestOutcome& o = test.outcome;
  const auto* row = variance::find_comparison(o.test);
  const bool paired = is_paired(o);
  TextTable table({{""}, {""}, {""}});
  add_evidence(table, o, test.unit);
  const std::string level =
      "alpha " + short_text(test.settings.alpha) +
      (test.settings.sides == variance::Sides::two ? " for both claims together" : " for each of better and worse");
  const std::string about =
      row == nullptr ? "" : paragraph("asks: " + std::string(row->asks)) + paragraph("for:  " + std::string(row->when));
  std::string out = bold(headline(test)) + "\n" +
                    paragraph(o.test + " (" + o.method + ") on " + runs_text(test, paired) + ", " +
                              word_of(test.settings.direction) + " is better, " + level) +
                    "\n" + table.text(2, terminal_width()) + "\n" + about;
  if (o.drawn) out += "seed: " + std::to_string(test.root) + " (--seed repeats the draws)\n";
  return out + listed("note", notes_of(test)) + listed("warning", test.warnings);
}

Json test_document(const TableTest& test) {
  const Ranked by_rank = ranked(test);
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
          {"estimate", Json()},
          {"interval", Json()},
          {"level", Json()},
          {"method", test.result.method},
          {"n", test.table.rows.size()},
          {"methods", test.table.methods},
          {"ranks", ranks},
          {"nemenyi_distance", json_number(distance)},
          {"groups", groups},
          {"pairs", pairs},
          {"adjust", name_of(test.adjust)},
          {"notes", notes_of(test)},
          // An omnibus test says that some methods differ, not which: a verdict is of a pair.
          {"differ", test.result.statistic ? Json(test.result.p_two <= test.alpha) : Json()},
          {"verdict", Json()}};
}

std::string test_page(const TableTest& test) {
  const bool differ = test.result.statistic && test.result.p_two <= test.alpha;
  const Ranked by_rank = ranked(test);
  const double distance = distance_of(test);
  TextTable numbers({{""}, {""}, {""}}), ranks({{"method"}, {"mean rank", Align::right}}),
      pairs({{"pair"}, {"p of ranks", Align::right}, {"Wilcoxon p", Align::right}, {"by Wilcoxon, adjusted"}});
  if (test.result.statistic) {
    numbers.add({"statistic", short_text(*test.result.statistic, 6), df_text(test.result.df, test.result.df_within)});
    numbers.add({"p", short_text(test.result.p_two), "that all methods rank alike"});
  }
  for (const std::size_t method : by_rank.order)
    ranks.add({test.table.methods[method], short_text(by_rank.ranks[method])});
  for (const auto& pair : variance::method_pairs(test.table, test.adjust)) {
    const std::string first = test.table.methods[pair.first], second = test.table.methods[pair.second];
    const std::string verdict = pair_verdict(pair, test);
    pairs.add({first + " - " + second, short_text(pair.p_ranks_adjusted), short_text(pair.p_wilcoxon_adjusted),
               verdict == "INCONCLUSIVE" ? verdict : first + " is " + verdict + " than " + second});
  }
  return bold(differ ? "the methods differ" : "no difference between the methods was shown") + "\n" +
         paragraph(std::string(test.test->name) + " (" + test.result.method + ") on " +
                   std::to_string(test.table.methods.size()) + " methods and " +
                   counted(static_cast<std::int64_t>(test.table.rows.size()), "data set") + ", " +
                   word_of(test.direction) + " is better, alpha " + short_text(test.alpha)) +
         listed("note", notes_of(test)) + "\n" + numbers.text(2, terminal_width()) + "\n" + bold("Ranks") +
         " (1 = best; by Nemenyi those within " + short_text(distance) + " do not differ)\n" +
         ranks.text(2, terminal_width()) + "\n" + bold("Pairs") + " (p adjusted: " + std::string(name_of(test.adjust)) +
         ")\n" + pairs.text(2, terminal_width()) + "\n" +
         paragraph(
             "Ranks depend on which methods take part, and groups are not transitive: for a claim about two "
             "methods the line of their own pair is the one to quote.");
}

}  // namespace retrial::harness::inline scores
