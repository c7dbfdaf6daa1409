#include "harness/judge/leaderboard/leaderboard_page.hpp"

#include <algorithm>

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline judge::inline leaderboard {
namespace {

using report::Cell;

bool lower_is_better(const Leaderboard& board) {
  return board.metric.direction == results::Direction::lower;
}

std::string joint_interval(const Leaderboard& board) {
  return percent(1 - board.alpha) + " interval";
}

/// The claims of a leaderboard: variants that were left out count too.
std::size_t claims_in(const Leaderboard& board) {
  return board.members.size() + board.left_out.size();
}

std::string unit_of(const Leaderboard& board) {
  return difference_unit(board.metric.unit);
}

std::vector<Cell> member_row(const Member& m, double alpha) {
  return {m.variant,
          std::to_string(m.pairs),
          std::to_string(m.failed),
          or_dash(m.mean),
          signed_text(m.difference.mean.point),
          interval_text(m.difference.mean),
          p_text(m.difference.p_holm, alpha),
          word_cell(m)};
}

std::vector<Cell> reference_row(const Leaderboard& board) {
  return {board.reference,
          std::to_string(board.reference_runs),
          std::to_string(board.reference_failed),
          or_dash(board.reference_mean),
          "",
          "",
          "",
          "reference"};
}

/// The table and the verdict are by different tests unless the paired t was declared.
std::string other_rule(const Leaderboard& board) {
  const auto* test = variance::find_comparison(board.rule);
  if (test == nullptr || board.rule == "paired_t") return "";
  return " This table asks whether means differ, because its intervals hold jointly; the declared rule (" + board.rule +
         ") asks: " + std::string(test->asks);
}

std::optional<variance::Status> status_of(Member::Word word) {
  switch (word) {
    case Member::Word::better:
      return variance::Status::better;
    case Member::Word::worse:
      return variance::Status::worse;
    case Member::Word::equivalent:
      return variance::Status::equivalent;
    case Member::Word::open:
      break;
  }
  return std::nullopt;
}

/// The declared candidate where the table says of it what its verdict does not, or the other way round.
std::string disagreement(const Leaderboard& board) {
  if (!board.judged) return "";
  const auto& [candidate, verdict] = *board.judged;
  const auto member = std::ranges::find(board.members, candidate, &Member::variant);
  if (member == board.members.end() || verdict == variance::Status::invalid) return "";
  const auto here = status_of(member->word);
  const bool settled = verdict == variance::Status::better || verdict == variance::Status::worse ||
                       verdict == variance::Status::equivalent;
  if (here ? verdict == *here : !settled) return "";
  return " " + candidate + " is " + std::string(variance::name_of(verdict)) + " by the declared rule and " +
         std::string(name_of(member->word)) + " here: the declared rule counts.";
}

Json joint_json(const variance::JointDifference& d) {
  return {{"mean_difference", derived(d.mean.point)}, {"low", derived(d.mean.low)}, {"high", derived(d.mean.high)},
          {"level", derived(d.mean.level)},           {"p_two", derived(d.p)},      {"p_holm", derived(d.p_holm)}};
}

Json member_json(const Member& m) {
  Json out = joint_json(m.difference);
  out.update({{"variant", m.variant},
              {"pairs", m.pairs},
              {"left_out", m.left_out},
              {"failed", m.failed},
              {"mean", derived(m.mean)},
              {"word", std::string(name_of(m.word))}});
  return out;
}

Json effects_json(const GridEffects& effects) {
  Json rows = Json::array();
  for (const auto& effect : effects.effects) {
    const auto& factor = effects.grid.factors[effect.factor];
    Json row = effect.difference ? joint_json(*effect.difference) : Json::object();
    row.update({{"key", factor.title()},
                {"value", factor.levels[effect.level]},
                {"against", factor.levels.front()},
                {"least", derived(effect.least)},
                {"largest", derived(effect.largest)}});
    rows.push_back(std::move(row));
  }
  return {{"pairs", effects.pairs}, {"left_out", effects.left_out}, {"effects", rows}};
}

}  // namespace

report::Cell word_cell(const Member& member) {
  const std::string text(name_of(member.word));
  switch (member.word) {
    case Member::Word::better:
      return {text, report::Tone::good};
    case Member::Word::worse:
      return {text, report::Tone::bad};
    case Member::Word::equivalent:
      return {text, report::Tone::settled};
    case Member::Word::open:
      break;
  }
  return {text, report::Tone::open};
}

std::string leaderboard_rule(const Leaderboard& board) {
  const bool failures =
      std::ranges::any_of(board.members, [](const Member& m) { return m.failed_alone + m.reference_failed_alone > 0; });
  return "The intervals hold jointly at " + percent(1 - board.alpha) + " (paired t, Bonferroni over " +
         std::to_string(claims_in(board)) +
         "); adjusted p: two-sided paired t, Holm 1979. better, worse: the "
         "adjusted p is at most " +
         short_text(board.alpha) +
         (board.margin ? "; equivalent: the interval is within the margin of " + short_text(*board.margin) : "") + "." +
         (failures ? " Means leave failed runs out, so a variant that failed where the other finished is not called "
                     "better here: retrial compare --candidate NAME counts each such pair as lost."
                   : "") +
         other_rule(board) + disagreement(board);
}

std::string not_ranked_text(const StudyView& study) {
  const auto others = std::ssize(judged_variants(study)) - 2;
  if (others < 1 || has_leaderboard(study)) return "";
  return counted(others, "more variant") +
         " not ranked: the pairs of a sequential design stop where two variants decided. To rank all, declare a fixed "
         "number of pairs in a new study (family fixed).";
}

report::Table leaderboard_table(const Leaderboard& board) {
  const std::string unit = unit_of(board);
  report::Table out{.caption = "",
                    .columns = {{"variant"},
                                report::right("pairs"),
                                report::right("failed"),
                                report::right("mean"),
                                report::right(with_unit("difference", unit)),
                                report::right(joint_interval(board)),
                                report::right("adjusted p"),
                                {"verdict"}},
                    .rows = {}};
  struct Row {
    std::optional<double> mean;
    std::vector<Cell> cells;
  };
  std::vector<Row> rows{{board.reference_mean, reference_row(board)}};
  for (const auto& member : board.members) rows.push_back({member.mean, member_row(member, board.alpha)});
  const double sign = lower_is_better(board) ? -1 : 1;
  std::ranges::stable_sort(
      rows, [&](const Row& a, const Row& b) { return a.mean && (!b.mean || *a.mean * sign > *b.mean * sign); });
  for (auto& row : rows) out.rows.push_back(std::move(row.cells));
  return out;
}

report::Table effects_table(const GridEffects& effects, const Leaderboard& board) {
  report::Table out{.caption = "",
                    .columns = {{"key"},
                                {"change"},
                                report::right(with_unit("mean difference", unit_of(board))),
                                report::right(joint_interval(board)),
                                report::right("adjusted p"),
                                report::right("range")},
                    .rows = {}};
  for (const auto& effect : effects.effects) {
    if (!effect.difference) continue;
    const auto& factor = effects.grid.factors[effect.factor];
    const auto& d = *effect.difference;
    out.rows.push_back({factor.title(), factor.levels.front() + " to " + factor.levels[effect.level],
                        signed_text(d.mean.point), interval_text(d.mean), p_text(d.p_holm, board.alpha),
                        signed_text(effect.least) + " to " + signed_text(effect.largest)});
  }
  return out;
}

report::Table left_out_table(const Leaderboard& board) {
  report::Table out{.caption = "left out", .columns = {{"variant"}, {"reason"}}, .rows = {}};
  for (const auto& each : board.left_out) out.rows.push_back({each.variant, each.reason});
  return out;
}

std::string effects_rule(const GridEffects& effects, const Leaderboard& board) {
  return "Mean difference from the first value of each key, averaged over all values of the other keys, in " +
         counted(effects.pairs, "pair") +
         (effects.left_out > 0 ? " (" + std::to_string(effects.left_out) + " left out: a run failed)" : "") +
         ". The intervals hold jointly at " + percent(1 - board.alpha) + " (paired t, Bonferroni over " +
         std::to_string(effects.effects.size()) +
         "); adjusted p: two-sided paired t, Holm 1979. Range: the smallest and the largest mean difference at single "
         "values of the other keys; "
         "where it is wide, the keys depend on each other and the average describes none of them.";
}

std::vector<report::Section> leaderboard_sections(const Leaderboard& board) {
  report::Section all{.id = "leaderboard",
                      .title = "Every variant against " + board.reference,
                      .aside = "(not declared)",
                      .blocks = {}};
  if (!board.members.empty()) {
    all.blocks.emplace_back(leaderboard_table(board));
    all.blocks.emplace_back(report::Paragraph{leaderboard_rule(board) +
                                              " One of them by the declared rule: retrial compare --candidate NAME."});
  }
  if (!board.left_out.empty()) all.blocks.emplace_back(left_out_table(board));
  const auto effects = effects_of(board);
  if (!effects) return {std::move(all)};
  report::Section keys{.id = "effects",
                       .title = "Effect of each key",
                       .aside = "(not declared)",
                       .blocks = {effects_table(*effects, board), report::Paragraph{effects_rule(*effects, board)}}};
  return {std::move(all), std::move(keys)};
}

Json leaderboard_document(const Leaderboard& board) {
  const auto effects = effects_of(board);
  Json members = Json::array(), left_out = Json::array();
  for (const auto& member : board.members) members.push_back(member_json(member));
  for (const auto& each : board.left_out) left_out.push_back({{"variant", each.variant}, {"reason", each.reason}});
  return {{"reference", board.reference},
          {"reference_mean", derived(board.reference_mean)},
          {"reference_runs", board.reference_runs},
          {"reference_failed", board.reference_failed},
          {"metric", board.metric.name},
          {"alpha", derived(board.alpha)},
          {"declared", false},
          {"members", members},
          {"left_out", left_out},
          {"grid", effects ? effects_json(*effects) : Json()}};
}

}  // namespace retrial::harness::inline judge::inline leaderboard
