#include <algorithm>
#include <cmath>

#include "harness/command_line/command.hpp"
#include "harness/scores/compare_table.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/scores/selection/series.hpp"
#include "harness/scores_report/changes_page.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/names.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/history/changepoint.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline commands {
namespace {

using variance::Direction;

constexpr std::int64_t min_points = 4, max_points = 4'000;

/// Settings of one method; an option is absent where it is not read.
struct Search {
  std::optional<double> alpha;  ///< per history
  std::int64_t permutations = 0;
  double weight = 0.0;  ///< penalty of a change
  std::size_t min_segment = 1, window = 0;
  std::uint64_t root = 0;
};

/// A change before the point `index`.
struct Change {
  std::size_t index = 0;
  std::optional<double> p;
};

std::vector<double> point_values(const Series& series) {
  std::vector<double> values;
  for (const SeriesPoint& point : series.points) values.push_back(point.value);
  return values;
}

std::vector<Change> changes_by_permutations(const Search& search, const Series& series) {
  const std::string name = "changes:" + series.name;
  std::vector<Change> out;
  for (const auto& point :
       variance::edivisive(point_values(series), {.p_max = *search.alpha,
                                                 .permutations = search.permutations,
                                                 .key = variance::derive(search.root, std::string_view(name))}))
    out.push_back({point.index, point.p});
  return out;
}

std::vector<Change> changes_by_partition(const Search& search, const Series& series) {
  const auto values = point_values(series);
  std::vector<Change> out;
  for (const std::size_t index :
       variance::optimal_partition(values, variance::robust_penalty(values, search.weight), search.min_segment).changes)
    out.push_back({index, {}});
  return out;
}

std::vector<Change> changes_in_windows(const Search& search, const Series& series) {
  std::vector<Change> out;
  for (const auto& point : variance::windowed_changes(
           point_values(series), {.window = search.window, .p_max = *search.alpha, .min_segment = search.min_segment}))
    out.push_back({point.index, point.p});
  return out;
}

/// One row per method; `reads`: the options of one method alone.
struct Method {
  std::string name, title, promise;
  std::vector<std::string> reads;
  std::vector<Change> (*find)(const Search&, const Series&) = nullptr;
};

const std::vector<Method>& all_methods() {
  static const std::vector<Method> methods{
      {"edivisive",
       "e-divisive, by permutations",
       "a history without a change shows one with probability alpha at most; several histories share alpha. Scores "
       "of one segment are assumed to be independent: a slow drift is found as several changes",
       {"alpha", "reps", "seed"},
       changes_by_permutations},
      {"partition",
       "exact least-squares partition",
       "the best division for its penalty, without an error rate: a larger --penalty shows fewer changes",
       {"penalty", "min-segment"},
       changes_by_partition},
      {"windowed",
       "t tests in windows, as Hunter and Apache Otava",
       "a display, not a test: 50 points of noise often show a change. --method edivisive keeps an error rate",
       {"alpha", "min-segment", "window"},
       changes_in_windows}};
  return methods;
}

const Method& method_of(const Arguments& arguments) {
  const std::string name = arguments.value("method").value_or("edivisive");
  return *std::ranges::find(all_methods(), name, &Method::name);
}

void refuse_options_of_others(const Arguments& arguments, const Method& method) {
  for (const Method& other : all_methods())
    for (const std::string& option : other.reads)
      if (std::ranges::find(method.reads, option) == method.reads.end())
        refuse_options(arguments, {option}, {.problem = "is not read by --method " + method.name});
}

/// Enough permutations for the smallest p to reach alpha.
std::int64_t permutations_for(const Arguments& arguments, double alpha) {
  constexpr std::int64_t usual = 199, most = 1'000'000;
  const auto least = static_cast<std::int64_t>(std::ceil(1.0 / alpha - 1e-9)) - 1;
  if (least > most)
    throw Error({.code = "usage.option_value",
                 .field = "--alpha",
                 .value = short_text(alpha),
                 .problem = "would need more than " + std::to_string(most) + " permutations for each history",
                 .help = "choose one of the histories with --task or --variant, or a larger alpha"});
  return arguments.integer("reps", std::max<std::int64_t>(19, least), most).value_or(std::max(usual, least));
}

Search search_of(const Arguments& arguments, const Method& method, std::size_t histories) {
  Search search;
  const auto reads = [&](const char* option) { return std::ranges::find(method.reads, option) != method.reads.end(); };
  const bool tests = method.find == changes_by_permutations;
  if (reads("alpha")) {
    const double alpha = arguments.number("alpha", {0, 0.5, true, true}).value_or(tests ? 0.05 : 0.001);
    search.alpha = tests ? alpha / static_cast<double>(histories) : alpha;
  }
  if (tests) {
    search.permutations = permutations_for(arguments, *search.alpha);
    search.root = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed();
  }
  search.weight = arguments.number("penalty", {0, 1e6, true, true}).value_or(3.0);
  search.min_segment =
      static_cast<std::size_t>(arguments.integer("min-segment", 1, max_points).value_or(reads("penalty") ? 5 : 1));
  search.window = static_cast<std::size_t>(arguments.integer("window", 2, max_points).value_or(50));
  return search;
}

SeriesChanges divided(const Series& series, std::vector<Change> changes) {
  std::ranges::sort(changes, {}, &Change::index);
  const auto values = point_values(series);
  SeriesChanges out{.series = series, .segments = {}};
  std::size_t from = 0;
  std::optional<double> p;
  changes.push_back({values.size(), {}});
  for (const Change& change : changes) {
    const auto part = std::span(values).subspan(from, change.index - from);
    out.segments.push_back(
        {.from = from, .end = change.index, .mean = *variance::mean(part), .sd = variance::sd(part), .p = p});
    from = change.index;
    p = change.p;
  }
  return out;
}

void require_points(const Series& series, const ScoreTable& table) {
  const std::int64_t points = std::ssize(series.points);
  if (points >= min_points && points <= max_points) return;
  throw Error({.code = "changes.points",
               .where = table.name,
               .field = series.name.empty() ? "history" : series.name,
               .value = counted(points, "point"),
               .problem = points < min_points ? "is too short" : "is too long",
               .allowed = std::to_string(min_points) + " to " + std::to_string(max_points) + " points",
               .help = points < min_points
                           ? "the points are the variants of the file (--columns variant=commit,score=time), or with "
                             "--variant NAME the runs of one of them"
                           : "leave out the oldest points"});
}

Direction known_direction(const Arguments& arguments, const ScoreTable& table, const std::string& metric) {
  const auto facts = table.metrics.find(metric);
  return direction_given(arguments).value_or(facts == table.metrics.end() ? Direction::none : facts->second.direction);
}

std::string history_metric(const Arguments& arguments, const ScoreTable& table) {
  const auto names = table.metric_names();
  const auto given = arguments.value("metric");
  const bool known = given && std::ranges::find(names, *given) != names.end();
  if (known || (!given && names.size() == 1)) return given.value_or(names.front());
  const auto near = given ? results::nearest(*given, names) : std::nullopt;
  throw Error({.code = "changes.metric",
               .field = "--metric",
               .value = results::one_line(given.value_or(""), 100),
               .problem = given ? "no such metric in " + table.name
                                : "must be given: the scores have " + std::to_string(names.size()) + " metrics",
               .allowed = results::joined(names),
               .help = near ? "did you mean --metric " + *near + "?" : ""});
}

int run_changes(const Arguments& arguments) {
  refuse_extra(arguments, 0, "changes --scores FILE");
  if (!arguments.has("scores"))
    throw Error({.code = "usage.missing_option",
                 .field = "--scores",
                 .problem = "must be given: the file with the history",
                 .help = "retrial changes --scores history.csv --columns variant=commit,score=time --lower"});
  const Method& method = method_of(arguments);
  refuse_options_of_others(arguments, method);
  const auto inputs = score_inputs(arguments.values("scores"), roles_given(arguments));
  const ScoreTable table = read_score_table(inputs, arguments.value("format"));
  ChangesPage page{.method = method.name,
                   .title = method.title,
                   .promise = method.promise,
                   .alpha = {},
                   .metric = history_metric(arguments, table),
                   .unit = {},
                   .series = {},
                   .notes = table.notes};
  page.direction = known_direction(arguments, table, page.metric);
  if (const auto facts = table.metrics.find(page.metric); facts != table.metrics.end()) page.unit = facts->second.unit;
  const auto all = series_of(table, {.metric = page.metric,
                                     .task = arguments.value("task"),
                                     .variant = arguments.value("variant"),
                                     .within = arguments.value("within") == "median" ? Within::median : Within::mean});
  const Search search = search_of(arguments, method, std::max<std::size_t>(all.size(), 1));
  page.alpha = search.alpha;
  page.permutations = search.permutations;
  page.root = search.root;
  for (const Series& series : all) {
    require_points(series, table);
    if (series.empty > 0)
      page.notes.push_back((series.name.empty() ? "" : series.name + ": ") + counted(series.empty, "point") +
                           " without a score left out");
    page.series.push_back(divided(series, method.find(search, series)));
  }
  print_part({.section = changes_section(page), .data = changes_document(page)}, arguments.has("json"));
  return 0;
}

}  // namespace

Command changes_command() {
  return {
      .name = "changes",
      .group = "judge",
      .purpose = "find where a history of scores changed, commit by commit or day by day",
      .examples = {"retrial changes --scores history.csv --columns variant=commit,score=time --lower",
                   "retrial changes --scores v1=a.json --scores v2=b.json --scores v3=c.json --scores v4=d.json",
                   "retrial changes --scores nightly.csv --method partition --json"},
      .arguments = "",
      .options =
          std::vector<Option>{
              {.name = "scores",
               .value_name = "FILE",
               .meaning = "the history: a CSV file with one line per run in the order of time, or one file per point "
                          "(FILE or POINT=FILE) in any format of import",
               .repeats = true},
              score_file_options()[0],
              score_file_options()[1],
              {.name = "metric", .value_name = "NAME", .meaning = "metric of the history (default: the only one)"},
              {.name = "task", .value_name = "NAME", .meaning = "this task only (default: a history for each)"},
              {.name = "variant",
               .value_name = "NAME",
               .meaning = "the runs of this variant are the points (default: the variants are the points)"},
              {.name = "within",
               .value_name = "WHAT",
               .meaning = "how several scores of one point become one value (default mean)",
               .choices = {"mean", "median"}},
              {.name = "higher", .meaning = "higher scores are better: changes are called better or worse"},
              {.name = "lower", .meaning = "lower scores are better"},
              {.name = "method",
               .value_name = "NAME",
               .meaning = "a test by permutations (edivisive, the default), the best division for a penalty "
                          "(partition), or t tests in windows, for display (windowed)",
               .choices = names_in(all_methods())},
              {.name = "alpha",
               .value_name = "A",
               .meaning = "edivisive: probability of reporting a change in a history without one (default 0.05); "
                          "windowed: limit "
                          "of its p (default 0.001)"},
              {.name = "reps", .value_name = "K", .meaning = "edivisive only: permutations (default 199 or more)"},
              {.name = "seed",
               .value_name = "N",
               .meaning = "edivisive only: root seed of the draws (default: drawn and printed)"},
              {.name = "penalty",
               .value_name = "W",
               .meaning = "partition only: weight of a change, times noise variance and log n (default 3)"},
              {.name = "min-segment",
               .value_name = "N",
               .meaning = "partition, windowed: minimum number of points between changes (default 5, 1)"},
              {.name = "window", .value_name = "N", .meaning = "windowed only: points in a window (default 50)"},
              {.name = "json", .meaning = "one JSON document (schema retrial.changes/1)"}},
      .run = run_changes};
}

}  // namespace retrial::harness::inline commands
