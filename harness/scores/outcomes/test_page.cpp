#include <algorithm>
#include <cmath>
#include <map>

#include "harness/estimates/estimate_document.hpp"
#include "harness/judge/verdict/answers_text.hpp"
#include "harness/judge/verdict/replication_text.hpp"
#include "harness/scores/outcomes/score_test.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/text/text.hpp"
#include "variance/comparisons/deciding_p.hpp"

namespace retrial::harness::inline scores::inline outcomes {
namespace {

using report::right;

using variance::Estimate;
using variance::Status;
using variance::TestOutcome;

/// Labels for the details of a test; documents use their names.
std::string label_for(const std::string& detail) {
  static const std::map<std::string, std::string> words{
      {"least_p", "smallest attainable two-sided p"},
      {"p_for_better", "p for better, of the test that a claim also requires"},
      {"p_for_worse", "p for worse"},
      {"p_for_equivalent", "p for within the rope"},
      {"missing_candidate", "runs of the candidate without a score"},
      {"missing_baseline", "runs of the baseline without a score"},
      {"mean_better", "P(mean over tasks is better)"},
      {"mean_rope", "P(mean over tasks is within the rope)"},
      {"mean_worse", "P(mean over tasks is worse)"},
      {"spread_of_tasks", "standard deviation between tasks"},
      {"degrees_of_freedom", "degrees of freedom of the distribution of tasks"},
      {"r_hat_mean", "R-hat of the mean"},
      {"kurtosis", "kurtosis of the scores (normal: 3)"},
      {"effective_draws_mean", "effective draws of the mean"},
      {"r_hat_spread", "R-hat of the standard deviation between tasks"},
      {"effective_draws_spread", "effective draws of the standard deviation between tasks"},
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

/// The claim of the p that decides, and the other p values.
std::string deciding_words(const TestOutcome& outcome, const variance::TestSettings& settings) {
  if (!outcome.p_better) return "for the claim that the difference is within the margin";
  const std::string for_better = claim_word(Status::better, outcome.about),
                    for_worse = claim_word(Status::worse, outcome.about);
  const std::string each = "; one-sided: " + short_text(*outcome.p_better) + " for " + for_better + ", " +
                           short_text(*outcome.p_worse) + " for " + for_worse;
  if (settings.sides == variance::Sides::two) return "twice the smaller one-sided p" + each;
  const bool worse = variance::deciding_p(outcome, settings.sides)->claim == Status::worse;
  return "one-sided, for " + (worse ? for_worse : for_better) + "; " +
         short_text(worse ? *outcome.p_better : *outcome.p_worse) + " for " + (worse ? for_better : for_worse) + ", " +
         short_text(*outcome.p) + " two-sided";
}

std::vector<report::Fact> evidence_of(const TestOutcome& outcome, const variance::TestSettings& settings,
                                      const std::string& unit) {
  std::vector<report::Fact> out;
  if (outcome.statistic)
    out.push_back({"statistic", short_text(*outcome.statistic, 6), freedom_text(outcome.df, outcome.df_within)});
  if (const auto deciding = variance::deciding_p(outcome, settings.sides))
    out.push_back({"p", p_text(deciding->p, settings.alpha), deciding_words(outcome, settings)});
  if (outcome.posterior)
    out.push_back(
        {"probability", short_text(outcome.posterior->right) + " better",
         short_text(outcome.posterior->rope) + " within the rope, " + short_text(outcome.posterior->left) + " worse"});
  if (!outcome.estimand.empty() && outcome.status != Status::invalid)
    out.push_back({outcome.estimand, estimate_text(outcome, unit), interval_line(outcome.estimate)});
  if (outcome.status != Status::invalid)
    for (const auto& further : outcome.further)
      out.push_back({further.estimand,
                     signed_text(further.estimate.point) + (unit.empty() ? "" : " " + difference_unit(unit)),
                     interval_line(further.estimate)});
  for (const auto& [name, value] : outcome.details) out.push_back({label_for(name), short_text(value)});
  return out;
}

/// Leaves out the estimate that the test already reports; a page about spread says nothing about the level.
std::vector<report::Fact> effects_beside(const ScoreTest& test) {
  if (!test.effects) return {};
  const TestOutcome& o = test.outcome;
  const auto& ratio = test.effects->effects.sd_ratio;
  const bool level = o.about == variance::About::level;
  return effect_facts(*test.effects,
                      {.standardized = level,
                       .ordinal = level && variance::find_comparison(o.test)->unit != variance::Unit::share,
                       .spread = ratio && ratio->method != o.estimate.method,
                       .interval = interval_line});
}

Json further_document(const TestOutcome& outcome) {
  Json out = Json::array();
  if (outcome.status == Status::invalid) return out;
  for (const auto& further : outcome.further) {
    Json one = estimate_json(further.estimate);
    one["estimand"] = further.estimand;
    out.push_back(one);
  }
  return out;
}

/// A model of many tasks is not in the table of tests of two samples; it uses paired differences.
bool is_paired(const TestOutcome& outcome) {
  const auto* row = variance::find_comparison(outcome.test);
  return row == nullptr || row->pairing == variance::Pairing::paired;
}

std::string runs_text(const ScoreTest& test, bool paired) {
  if (paired) return counted(test.outcome.candidate_runs, test.observation);
  return counted(test.outcome.candidate_runs, "run") + " of " + test.candidate + ", " +
         std::to_string(test.outcome.baseline_runs) + " of " + test.baseline;
}

/// The page depends on the seed: the test drew, or its runs were drawn again.
bool draws(const ScoreTest& test) {
  return test.outcome.drawn || (test.replication && test.replication->studies > 0);
}

}  // namespace

std::string freedom_text(const std::optional<double>& df, const std::optional<double>& within) {
  if (!df) return "";
  return short_text(*df) + (within ? " and " + short_text(*within) : "") +
         (*df == 1 && !within ? " degree of freedom" : " degrees of freedom");
}

/// For a single claim; a family of claims has a correction instead.
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

namespace {

Json test_fields(const ScoreTest& test) {
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
          {"about", o.about == variance::About::spread ? "spread" : "level"},
          {"candidate", test.candidate},
          {"declared", test.standing.undeclared.empty()},
          {"on_trust", test.standing.on_trust},
          {"undeclared", test.standing.undeclared},
          {"recorded", test.standing.recorded},
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
          {"p_equivalent", json_number(o.p_equivalent)},
          {"p_not_meaningful", json_number(o.p_not_meaningful)},
          {"posterior", posterior},
          {"estimate", o.status == Status::invalid ? Json() : json_number(o.estimate.point)},
          {"estimand", o.estimand},
          {"unit", test.unit},
          {"interval", bounded ? Json{json_number(o.estimate.low), json_number(o.estimate.high)} : Json()},
          {"interval_method", o.estimate.method},
          {"level", json_number(o.estimate.level)},
          {"further", further_document(o)},
          {"effects", effects_document(test.effects)},
          {"method", o.method},
          {"exact", o.exact},
          {"paired", paired},
          {"n", paired ? o.candidate_runs : o.candidate_runs + o.baseline_runs},
          {"n_candidate", o.candidate_runs},
          {"n_baseline", o.baseline_runs},
          {"seed", draws(test) ? Json(results::hex16(test.root)) : Json()},
          {"replication", replication_json(test.replication)},
          {"scores", test.sides ? sides_document(*test.sides) : Json()},
          {"details", details},
          {"notes", notes},
          {"reason", o.reason ? Json(variance::name_of(*o.reason)) : Json()},
          {"verdict", variance::name_of(o.status, o.about)}};
}

}  // namespace

Json test_document(const ScoreTest& test) {
  Json out = test_fields(test);
  out.update(answers_fields(test.outcome, test.settings));
  return out;
}

std::string claim_word(Status status, variance::About about) {
  std::string word(variance::name_of(status, about));
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word;
}

std::string wanted_words(const ScoreTest& test) {
  if (test.outcome.about == variance::About::spread) return "less spread is steadier";
  return word_of(test.settings.direction) + " is better";
}

report::Banner test_banner(const ScoreTest& test) {
  const TestOutcome& o = test.outcome;
  report::Banner banner = verdict_banner(test.candidate, test.baseline, o.status,
                                         o.reason ? variance::name_of(*o.reason) : std::string_view(), o.about);
  banner.answers = answers_text(o, test.settings, test.unit);
  banner.subject =
      o.test + " (" + o.method + ") on " + runs_text(test, is_paired(o)) + ", " + wanted_words(test) + ", alpha " +
      short_text(test.settings.alpha) +
      (test.settings.sides == variance::Sides::two
           ? " for both claims together"
           : " for each of " + claim_word(Status::better, o.about) + " and " + claim_word(Status::worse, o.about));
  return banner;
}

std::vector<report::Block> test_blocks(const ScoreTest& test) {
  const TestOutcome& o = test.outcome;
  std::vector<report::Block> blocks;
  if (test.sides) blocks.emplace_back(sides_table(*test.sides));
  auto evidence = evidence_of(o, test.settings, test.unit);
  if (test.replication) evidence.push_back(replication_fact(*test.replication, variance::name_of(o.status, o.about)));
  for (auto& fact : effects_beside(test)) evidence.push_back(std::move(fact));
  if (!evidence.empty()) blocks.emplace_back(report::Facts{std::move(evidence)});
  report::Facts about;
  if (const auto* row = variance::find_comparison(o.test); row != nullptr)
    about.rows = {{"asks", std::string(row->asks)}, {"for", std::string(row->when)}};
  if (draws(test)) about.rows.push_back({"seed", std::to_string(test.root) + " (--seed repeats the draws)"});
  if (!about.rows.empty()) blocks.emplace_back(std::move(about));
  for (const auto& text : notes_of(test)) blocks.emplace_back(report::Warning{text});
  for (const auto& text : test.warnings) blocks.emplace_back(report::Warning{text, "warning"});
  return blocks;
}

std::string test_page(const ScoreTest& test) {
  return banner_text(test_banner(test)) + "\n" + blocks_text(test_blocks(test));
}

report::Banner verdict_banner(const std::string& candidate, const std::string& baseline, Status status,
                              std::string_view reason, variance::About about) {
  const std::string word(variance::name_of(status, about));
  const bool good = status == Status::better || status == Status::equivalent;
  if (good || status == Status::worse)
    return {.tone = good ? report::Tone::good : report::Tone::bad,
            .before = candidate + " is ",
            .word = word,
            .after = (status == Status::equivalent ? " to " : " than ") + baseline};
  return {.tone = status == Status::invalid ? report::Tone::bad : report::Tone::open,
          .before = candidate + " vs " + baseline + ": ",
          .word = word,
          .after = reason.empty() ? "" : " (" + std::string(reason) + ")"};
}

}  // namespace retrial::harness::inline scores::inline outcomes
