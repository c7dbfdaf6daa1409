#include "workloads/automl/portfolio_view.hpp"

#include <algorithm>
#include <cmath>

#include "results/report/drawing/numbers.hpp"
#include "results/report/report.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/automl/searchers/proposals/known.hpp"
#include "workloads/automl/study_scores.hpp"
#include "workloads/data/sets/tables.hpp"

namespace retrial::automl {
namespace {

using report::right, report::short_text;
using workloads::StudyEvidence, workloads::VariantTrials;

constexpr const char* what_regret_is =
    "Regret of a variant on a problem: how far its median score is from that of the best variant, as a share of the "
    "distance between the best and the worst.";

/// Regrets on problems where every variant has a score; the rows are the variants of the study.
Regrets regrets_of(const StudyEvidence& evidence, const std::vector<Set>& sets) {
  Regrets out{.sets = {}, .rows = std::vector<std::vector<double>>(evidence.variants.size())};
  for (const Set& set : sets) {
    std::vector<double> losses;
    for (const VariantTrials& variant : evidence.variants) {
      const auto scores = finals_of(variant, set.metric.name);
      if (!runs(variant, set) || scores.empty()) break;
      losses.push_back(set.metric.direction == results::Direction::higher ? -median(scores) : median(scores));
    }
    if (losses.size() < evidence.variants.size()) continue;
    const auto [best, worst] = std::ranges::minmax(losses);
    out.sets.push_back(set.problem);
    for (std::size_t v = 0; v < losses.size(); ++v)
      out.rows[v].push_back(worst > best ? (losses[v] - best) / (worst - best) : 0);
  }
  return out;
}

/// The same without one problem.
Regrets without(const Regrets& all, std::size_t place) {
  Regrets out = all;
  const auto at = static_cast<std::ptrdiff_t>(place);
  out.sets.erase(out.sets.begin() + at);
  for (auto& row : out.rows) row.erase(row.begin() + at);
  return out;
}

/// Of a known table with two classes; its columns are in an artifact of each trial.
std::optional<ScaledShape> binary_shape(const StudyEvidence& evidence, const std::string& problem, const Set& set) {
  const auto* known = problem.starts_with("data:") ? data::find_known_table(problem.substr(5)) : nullptr;
  if (known == nullptr || known->task != "binary") return std::nullopt;
  for (const VariantTrials& variant : evidence.variants)
    for (const auto& trial : variant.trials) {
      const Json columns = trial.artifact("columns" + set.suffix);
      if (!columns.is_object() || !columns.contains("columns")) continue;
      const auto& list = columns.at("columns");
      const auto numbers =
          std::ranges::count_if(list, [](const Json& column) { return column.at("categories").empty(); });
      return scaled_shape({.rows = static_cast<double>(known->rows),
                           .columns = static_cast<double>(list.size()),
                           .classes = 2,
                           .share_of_numbers = static_cast<double>(numbers) / static_cast<double>(list.size())});
    }
  return std::nullopt;
}

/// The problem of nearest shape among the others of two classes; nothing where one of the shapes is unknown.
std::optional<std::size_t> nearest_problem(const StudyEvidence& evidence, const std::vector<Set>& sets,
                                           const Regrets& all, std::size_t tested) {
  const auto shape_at = [&](std::size_t place) {
    const auto set = std::ranges::find(sets, all.sets[place], &Set::problem);
    return binary_shape(evidence, all.sets[place], *set);
  };
  const auto asked = shape_at(tested);
  if (!asked) return std::nullopt;
  std::vector<ScaledShape> shapes;
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < all.sets.size(); ++place) {
    const auto shape = place == tested ? std::nullopt : shape_at(place);
    if (!shape) continue;
    shapes.push_back(*shape);
    places.push_back(place);
  }
  if (shapes.empty()) return std::nullopt;
  return places[nearest_shape(*asked, shapes)];
}

/// Variants from the least regret on a problem; of equal ones the first of the study.
std::vector<std::size_t> ranking_on(const Regrets& all, std::size_t place) {
  std::vector<std::size_t> order(all.rows.size());
  for (std::size_t v = 0; v < order.size(); ++v) order[v] = v;
  std::ranges::stable_sort(order, {}, [&](std::size_t v) { return all.rows[v][place]; });
  return order;
}

struct Mining {
  Mined mined;
  std::optional<std::size_t> tested, nearest;  ///< places among the sets
};

Mining mined_from(const StudyEvidence& evidence, const std::vector<Set>& sets, const Regrets& all, const Values& set) {
  const auto asked = set.contains("most") ? integer_in(set, "most") : 0;
  const auto most = asked > 0 ? static_cast<std::size_t>(asked) : all.rows.size();
  const std::string tested = set.contains("tested") ? text_in(set, "tested") : "";
  if (tested.empty()) return {.mined = mine_portfolio(all, most, ""), .tested = {}, .nearest = {}};
  const auto found = std::ranges::find(all.sets, tested);
  if (found == all.sets.end() || all.sets.size() < 2) {
    const auto near = results::nearest(tested, all.sets);
    throw Error({.exit = Exit::usage,
                 .code = "automl.mining",
                 .where = "",
                 .field = "tested",
                 .value = tested,
                 .problem = "no problem of this study with a score of every variant, beside others",
                 .allowed = results::joined(all.sets),
                 .help = near ? "did you mean " + *near + "?" : ""});
  }
  const auto place = static_cast<std::size_t>(found - all.sets.begin());
  return {.mined = mine_portfolio(without(all, place), most, tested),
          .tested = place,
          .nearest = nearest_problem(evidence, sets, all, place)};
}

report::Part page(const StudyEvidence& evidence, const Values& set) {
  report::Section section{.id = "portfolio", .title = "Portfolio", .blocks = {}};
  const auto sets = sets_of(evidence);
  const Regrets all = regrets_of(evidence, sets);
  if (all.sets.empty()) {
    section.blocks.emplace_back(report::Paragraph{"No problem has a score of every variant."});
    return {.section = std::move(section), .data = {{"portfolio", Json::array()}}};
  }
  const Mining mining = mined_from(evidence, sets, all, set);
  const auto name = [&](std::size_t variant) { return evidence.variants[variant].name; };
  report::Table table{
      .caption = what_regret_is, .columns = {right("place"), {"variant"}, right("mean regret")}, .rows = {}};
  if (mining.tested) table.columns.push_back(right("regret on " + all.sets[*mining.tested]));
  Json rows = Json::array();
  double reached = 1;
  for (std::size_t i = 0; i < mining.mined.configurations.size(); ++i) {
    const std::size_t variant = mining.mined.configurations[i];
    table.rows.push_back({std::to_string(i + 1), name(variant), short_text(mining.mined.mean_regret[i], 3)});
    rows.push_back({{"variant", name(variant)}, {"mean_regret", report::derived(mining.mined.mean_regret[i])}});
    if (!mining.tested) continue;
    reached = std::min(reached, all.rows[variant][*mining.tested]);
    table.rows.back().push_back(short_text(reached, 3));
    rows.back()["tested_regret"] = report::derived(reached);
  }
  section.blocks.emplace_back(std::move(table));
  Json data{{"portfolio", rows}};
  if (mining.nearest) {
    std::vector<std::string> ranked;
    for (const std::size_t variant : ranking_on(all, *mining.nearest)) ranked.push_back(name(variant));
    section.blocks.emplace_back(
        report::Paragraph{"Nearest by shape (rows, columns, share of numbers): " + all.sets[*mining.nearest] +
                          ". Its variants from the best: " + results::joined(ranked) + "."});
    data["nearest"] = {{"problem", all.sets[*mining.nearest]}, {"ranking", ranked}};
  }
  return {.section = std::move(section), .data = std::move(data)};
}

}  // namespace

workloads::View portfolio_view() {
  return {.name = "portfolio",
          .meaning = "the few variants that together do well on all problems of a suite",
          .options =
              {{"tested", std::string(), "a problem that is left out, and on which the portfolio is then tested", {}},
               {"most", std::int64_t{0}, "variants at most; 0: until another one gains nothing",
                workloads::Range{0, 1000}}},
          .make = page};
}

}  // namespace retrial::automl
