#include "harness/judge/leaderboard/leaderboard.hpp"

#include "harness/judge/design/study_looks.hpp"
#include "harness/judge/looks/question.hpp"

#include <algorithm>
#include <cmath>

#include "results/text/error.hpp"
#include "variance/samples/summary.hpp"
#include "variance/verdict/complete_pairs.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline judge::inline leaderboard {
namespace {

using Scores = std::vector<std::optional<double>>;

std::vector<double> finite(const Scores& scores) {
  std::vector<double> out;
  for (const auto& score : scores)
    if (score && std::isfinite(*score)) out.push_back(*score);
  return out;
}

std::int64_t without_score(const Scores& scores) {
  return std::ssize(scores) - std::ssize(finite(scores));
}

/// Pairs in which `failed` has no score and `other` has one.
std::int64_t without_score_alone(const Scores& failed, const Scores& other) {
  const auto has = [](const auto& score) { return score && std::isfinite(*score); };
  std::int64_t out = 0;
  for (std::size_t pair = 0; pair < failed.size(); ++pair) out += !has(failed[pair]) && has(other[pair]) ? 1 : 0;
  return out;
}

/// The comparison with the reference, or the reason for leaving the variant out.
std::optional<Comparison> compared_with(const results::Store& store, const StudyView& study,
                                        const std::vector<PlannedTrial>& trials, const std::string& variant,
                                        Leaderboard& board) {
  try {
    const bool lower = board.metric.direction == results::Direction::lower;
    auto comparison = read_comparison(store, study, trials,
                                      {.metric = board.metric.name,
                                       .baseline = board.reference,
                                       .candidate = variant,
                                       .direction = lower ? variance::Direction::lower : variance::Direction::higher});
    if (!comparison.violation) return comparison;
    board.left_out.push_back({variant, std::string(variance::name_of(*comparison.violation))});
  } catch (const Error& error) {
    if (error.text.exit != Exit::incomparable) throw;
    board.left_out.push_back({variant, error.text.problem});
  }
  return {};
}

/// A mean leaves failed runs out, so the side that failed where the other has a score is not called better.
Member::Word decided_word(const Member& member, const Leaderboard& board) {
  const auto& mean = member.difference.mean;
  const double sign = board.metric.direction == results::Direction::lower ? -1 : 1;
  const bool better = mean.point * sign > 0;
  if (member.difference.p_holm <= board.alpha) {
    if ((better ? member.failed_alone : member.reference_failed_alone) > 0) return Member::Word::open;
    return better ? Member::Word::better : Member::Word::worse;
  }
  const bool inside = board.margin && mean.low && mean.high && *mean.low > -*board.margin && *mean.high < *board.margin;
  return inside && member.failed_alone + member.reference_failed_alone == 0 ? Member::Word::equivalent
                                                                            : Member::Word::open;
}

void judge_members(std::vector<std::vector<double>> differences, Leaderboard& board) {
  differences.resize(differences.size() + board.left_out.size());  // without pairs: they count in the family
  const auto joint = variance::joint_differences(differences, board.alpha);
  std::vector<Member> judged;
  for (std::size_t i = 0; i < board.members.size(); ++i) {
    auto& member = board.members[i];
    if (!joint[i]) {
      board.left_out.push_back({member.variant, "fewer than two pairs have a score on both sides"});
      continue;
    }
    member.difference = *joint[i];
    member.word = decided_word(member, board);
    judged.push_back(std::move(member));
  }
  board.members = std::move(judged);
}

}  // namespace

std::string_view name_of(Member::Word word) {
  switch (word) {
    case Member::Word::better:
      return "better";
    case Member::Word::worse:
      return "worse";
    case Member::Word::equivalent:
      return "equivalent";
    case Member::Word::open:
      break;
  }
  return "not settled";
}

bool has_leaderboard(const StudyView& study) {
  return judged_variants(study).size() > 2 && !(study.design && study.design->sequential());
}

std::vector<Look> leaderboard_looks(const results::Store& store, const StudyView& study, const Comparison& judged,
                                    const std::string& reference) {
  const auto& design = judged.design;
  std::vector<Look> out;
  for (const auto& variant : judged_variants(study)) {
    if (variant.name == design.baseline || variant.name == design.candidate) continue;
    Look look = look_by(judged, "the leaderboard of study " + study.name, {{"rule", "leaderboard"}}, design.alpha);
    look.twins.clear();
    look.question = digest_of({.baseline = reference,
                               .candidate = variant.name,
                               .metric = design.metric,
                               .direction = std::string(results::name_of(judged.metric.direction))},
                              store, study);
    out.push_back(std::move(look));
  }
  return out;
}

Leaderboard leaderboard_of(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
                           const Comparison& judged, const std::string& reference) {
  Leaderboard out{.reference = reference,
                  .metric = judged.metric,
                  .alpha = judged.design.alpha,
                  .margin = judged.design.margin,
                  .reference_mean = {},
                  .members = {},
                  .rule = judged.design.test,
                  .judged = {},
                  .left_out = {},
                  .scores = {}};
  if (reference == judged.design.baseline) out.judged = {judged.design.candidate, verdict_of(judged).status};
  std::vector<std::vector<double>> differences;
  for (const auto& variant : judged_variants(study)) {
    if (variant.name == reference) continue;
    const auto comparison = compared_with(store, study, trials, variant.name, out);
    if (!comparison) continue;
    const auto pairs = variance::complete_pairs(comparison->scores);
    out.scores[reference] = comparison->scores.baseline;
    out.scores[variant.name] = comparison->scores.candidate;
    out.members.push_back(
        {.variant = variant.name,
         .pairs = std::ssize(pairs.difference),
         .left_out = pairs.left_out,
         .failed = without_score(comparison->scores.candidate),
         .failed_alone = without_score_alone(comparison->scores.candidate, comparison->scores.baseline),
         .reference_failed_alone = without_score_alone(comparison->scores.baseline, comparison->scores.candidate),
         .mean = variance::mean(finite(comparison->scores.candidate)),
         .difference = {}});
    differences.push_back(pairs.difference);
  }
  if (const auto scores = out.scores.find(reference); scores != out.scores.end()) {
    out.reference_mean = variance::mean(finite(scores->second));
    out.reference_failed = without_score(scores->second);
    out.reference_runs = std::ssize(scores->second) - out.reference_failed;
  }
  judge_members(std::move(differences), out);
  return out;
}

}  // namespace retrial::harness::inline judge::inline leaderboard
