#include "harness/scores_report/scores_report.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "harness/scores/selection/options.hpp"
#include "harness/scores_report/material.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/version.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores_report {
namespace {

/// The order of the report.
constexpr std::array parts{estimation_part, variants_part,    aggregates_part,
                           profiles_part,   improvement_part, files_part};

constexpr std::size_t max_named = 4;  ///< variants in the headline

std::vector<std::string> shown_variants(const ScoresMaterial& material) {
  std::vector<std::string> out;
  for (const auto& one : material.profile.variants) out.push_back(one.variant);
  return out;
}

report::Banner banner_of(const ScoresMaterial& material) {
  const auto names = shown_variants(material);
  const AggregateReport& iqm = material.aggregates.front();
  report::Banner out{
      .tone = report::Tone::plain,
      .before = (names.size() > max_named ? std::to_string(names.size()) + " variants" : results::joined(names)) +
                " on " + counted(static_cast<std::int64_t>(iqm.tasks), "task"),
      .word = "",
      .after = ""};
  out.subject = "by " + material.scale + ", " + word_of(material.choice.direction) + " is better; " +
                runs_per_task(iqm) + " for each task";
  out.sentence =
      "These figures describe the scores. For a verdict: retrial compare --scores, with a test that was "
      "chosen before the runs.";
  for (const auto& one : iqm.variants)
    if (iqm.variants.size() <= max_named)
      out.facts.push_back({"IQM of " + one.variant, short_text(one.estimate->point), interval_line(*one.estimate)});
  if (iqm.differences.size() == 1)
    out.facts.push_back({"IQM difference", signed_text(iqm.differences.front().estimate.point),
                         interval_line(iqm.differences.front().estimate)});
  return out;
}

/// With the seed, which may have been drawn.
std::string options_text(const Arguments& arguments, std::uint64_t root) {
  std::string out;
  for (const Option& option : scores_report_options()) {
    if (!arguments.has(option.name) || option.name == "seed") continue;
    out += " --" + option.name;
    if (const auto value = arguments.value(option.name)) out += " " + shell_word(*value);
  }
  return out + " --seed " + std::to_string(root);
}

}  // namespace

std::vector<Option> scores_report_options() {
  const std::set<std::string> read{"higher",         "lower",  "alpha",  "reps",   "seed",       "columns",
                                   "task-bootstrap", "method", "target", "within", "same-scale", "failure"};
  std::vector<Option> out = test_options() + score_options();
  std::erase_if(out, [&](const Option& option) { return !read.contains(option.name); });
  out.push_back({.name = "metric", .value_name = "NAME", .meaning = "metric to report, if the files have several"});
  out.push_back({.name = "baseline",
                 .value_name = "VARIANT",
                 .meaning = "variant that the others are compared with (default: the first)"});
  out.push_back({.name = "candidate", .value_name = "VARIANT", .meaning = "compare only this one with the baseline"});
  return out;
}

ScoresMaterial scores_material(const Arguments& arguments, std::vector<ScoreInput> files) {
  ScoresMaterial out{.files = std::move(files)};
  out.table = read_score_table(out.files);
  require_holes_decided(out.table, failure_given(arguments));
  out.choice = table_choice(arguments, out.table);
  if (!arguments.has("same-scale")) require_one_scale(out.table, out.choice.metric);
  const auto facts = out.table.metrics.find(out.choice.metric);
  out.scale = with_unit(out.choice.metric.empty() ? "score" : out.choice.metric,
                        facts == out.table.metrics.end() ? "" : facts->second.unit);
  const Within within = arguments.value("within") == "median" ? Within::median : Within::mean;
  out.all = tasks_of_variants(task_slices(out.table, out.choice.metric, within), failure_given(arguments));
  const std::uint64_t root = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed();
  out.options = options_text(arguments, root);
  out.target = arguments.number("target", {-1e300, 1e300, true, true}).value_or(variance::AggregateOptions{}.gamma);
  const auto of = [&](const char* what) { return aggregated(arguments, out.table, out.choice, what, root); };
  for (const char* what : {"iqm", "mean", "median"}) out.aggregates.push_back(of(what));
  if (out.choice.direction == variance::Direction::higher) out.aggregates.push_back(of("gap"));
  out.profile = of("profile");
  if (out.all.names.size() > 1) out.improvement = of("poi");
  return out;
}

std::size_t place_in_report(const ScoresMaterial& material, const std::string& variant) {
  const auto names = shown_variants(material);
  return static_cast<std::size_t>(std::ranges::find(names, variant) - names.begin());
}

report::Report gather_scores_report(const Arguments& arguments, std::vector<ScoreInput> inputs) {
  const ScoresMaterial material = scores_material(arguments, std::move(inputs));
  std::vector<std::string> files;
  for (const auto& input : material.files) files.push_back(input.path.filename().string());
  report::Report out{.title = "",
                     .date = results::joined(files),
                     .generator = version_line(),
                     .banner = banner_of(material),
                     .sections = {},
                     .data = {}};
  out.title = out.banner.headline();
  out.data = {{"schema", "retrial.scores_report/1"},
              {"generator", out.generator},
              {"headline", out.banner.headline()},
              {"metric", material.choice.metric},
              {"direction", word_of(material.choice.direction)},
              {"seed", results::hex16(material.profile.root)}};
  for (const auto part : parts) {
    report::Part one = part(material);
    if (one.section) out.sections.push_back(std::move(*one.section));
    out.data.update(one.data);
  }
  return out;
}

}  // namespace retrial::harness::inline scores_report
