#include <algorithm>
#include <iostream>

#include "harness/command_line/command.hpp"
#include "harness/judge/design/study_looks.hpp"
#include "harness/judge/leaderboard/leaderboard.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/scores_report/scores_report.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/study/options/key_options.hpp"
#include "harness/study_report/whole/contributed.hpp"
#include "harness/study_report/whole/formats.hpp"
#include "harness/text/names.hpp"
#include "harness/text/output.hpp"
#include "harness/text/output_files.hpp"
#include "harness/text/section_text.hpp"
#include "results/report/figures.hpp"
#include "results/report/page_limits.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline commands {
namespace {

void put(const std::optional<std::string>& file, const std::string& bytes) {
  if (!file || *file == "-")
    std::cout << bytes;
  else
    write_output(*file, bytes);
}

/// Options of views without a view, or of the report with one, would be silently ignored.
void refuse_mixture(const Arguments& arguments) {
  if (arguments.has("view"))
    refuse_options(arguments, {"format", "full"},
                   {.problem = "is for the whole report; a view is text, or JSON with --json"});
  else
    refuse_options(arguments, {"json", "set"},
                   {.problem = "needs a view: --view NAME", .help = "for the whole report as JSON, use --format json"});
}

/// --full would be silently ignored by a form without limits.
const ReportFormat& format_of(const Arguments& arguments, const std::optional<std::string>& file) {
  const ReportFormat& format = chosen_format(arguments.value("format"), file);
  if (!format.draws)
    refuse_options(arguments, {"full"}, {.problem = "is for html; the other forms always have everything"});
  return format;
}

std::string rendered(report::Report report, const ReportFormat& format, bool full) {
  if (format.draws) report::draw_figures(report);
  return format.draws && !full ? report::limited_html(report) : format.render(report);
}

/// `report --scores`: no store takes part.
int report_scores(const Arguments& arguments) {
  refuse_options(arguments, {"study", "view", "set", "json"}, {.problem = "needs a store, not --scores"});
  refuse_extra(arguments, 0, "report --scores FILE [-o FILE]");
  const auto file = arguments.value("output");
  const ReportFormat& format = format_of(arguments, file);
  auto inputs = score_inputs(arguments.values("scores"), roles_given(arguments));
  std::vector<std::filesystem::path> files;
  for (const auto& input : inputs) files.push_back(input.path);
  if (file && *file != "-") demand_separate({{"-o", *file}}, files);
  put(file, rendered(gather_scores_report(arguments, std::move(inputs)), format, arguments.has("full")));
  return 0;
}

/// SQLite keeps the latest changes in files next to the store.
std::vector<std::filesystem::path> with_log(const std::filesystem::path& store) {
  return {store, store.string() + "-wal", store.string() + "-shm"};
}

/// The verdict, which a view may show, too; in the whole report also, of three or more variants, the leaderboards
/// against the baseline and against the candidate, and the claims.
std::vector<std::vector<Look>> looks_at(const Material& material, bool whole) {
  std::vector<std::vector<Look>> out;
  if (material.judgement) {
    const Comparison& judged = material.judgement->comparison;
    out.push_back({judged.look});
    if (whole && has_leaderboard(material.study))
      for (const auto& reference : {judged.design.baseline, judged.design.candidate})
        out.push_back(leaderboard_looks(material.store, material.study, judged, reference));
  }
  if (whole && material.claims) out.push_back(material.claims->looks);
  return out;
}

void record_looks_at(Material& material, bool whole, const RecordLooks& record) {
  if (std::ranges::all_of(looks_at(material, whole), record)) return;
  if (material.judgement) material.judgement->comparison.recorded = false;
  if (material.claims) material.claims->recorded = false;
}

int run_report(const Arguments& arguments) {
  if (arguments.has("scores")) return report_scores(arguments);
  refuse_options(arguments, names_in(scores_report_options()), {.problem = "needs --scores"});
  refuse_mixture(arguments);
  const bool whole = !arguments.has("view");
  const auto file = arguments.value("output");
  const ReportFormat& format = format_of(arguments, whole ? file : std::nullopt);
  const StoreChoice choice = store_choice(arguments, {.usage = "report [STORE] [-o FILE]"});
  if (file && *file != "-") demand_separate({{"-o", *file}}, with_log(choice.path));
  const results::Store store = open_for_reading(choice.path);
  const StudyView study = read_study(store, chosen_study(store, arguments.value("study")));
  const auto views = chosen_views(study, arguments.values("view"), keys_set(arguments));
  Material material = read_material(store, study);
  const auto record = recorder(arguments, choice.path);
  record_looks_at(material, whole, record);
  // Verdicts in the tables of the workload are known when the tables are made; they are counted before they are shown.
  const std::string page = whole                   ? rendered(gather_report(material), format, arguments.has("full"))
                           : arguments.has("json") ? results::printed(view_document(material, views))
                                                   : sections_text(view_sections(material, views), {});
  if (!material.asked->empty()) static_cast<void>(record(*material.asked));  // a note says where it cannot be counted
  put(file, page);
  return 0;
}

/// Hints for a view, or an option of a view, that was given as an option of the command.
std::vector<Renamed> names_of_views() {
  std::vector<Renamed> out;
  for (const auto& workload : workloads::all_workloads())
    for (const workloads::View& view : workload.contributes.views) {
      out.push_back({view.name, "--view " + view.name});
      for (const workloads::Parameter& option : view.options)
        out.push_back({option.name, "--view " + view.name + " --set " + option.name + "=VALUE"});
    }
  return out;
}

}  // namespace

Command report_command() {
  return {
      .name = "report",
      .group = "keep",
      .purpose =
          "write everything about a study to one file to share: verdict, evidence, every pair, configuration, digests",
      .examples = {"retrial report quickstart.db -o quickstart.html", "retrial report quickstart.db -o quickstart.md",
                   "retrial report quickstart.db --format json", "retrial report mine.db --view potential",
                   "retrial report --scores scores.csv --higher -o scores.html",
                   "retrial report --scores dqn.npy --scores rainbow.npy --higher --seed 1 -o atari.html"},
      .arguments = "[STORE]",
      .options =
          std::vector<Option>{
              {.name = "output",
               .letter = 'o',
               .value_name = "FILE",
               .meaning = "file to write, its format chosen by the extension (html, md, json, txt); default, and -: "
                          "standard output"},
              {.name = "format",
               .value_name = "FORMAT",
               .meaning = "format (default: by the extension of the file; txt on standard output)",
               .choices = names_in(report_formats())},
              study_option(),
              {.name = "full",
               .meaning =
                   "html only: keep the long tables and the data that a page otherwise leaves to the other forms"},
              foreign_option(),
              {.name = "view",
               .value_name = "NAME",
               .meaning = "show only this table of the workload instead of the report",
               .repeats = true},
              {.name = "set", .value_name = "KEY=VALUE", .meaning = "set an option of the view", .repeats = true},
              {.name = "json", .meaning = "with --view: one JSON document (schema retrial.WORKLOAD/1)"},
              {.name = "scores",
               .value_name = "FILE",
               .meaning = "report on scores of other programs instead: FILE or VARIANT=FILE, as compare --scores "
                          "reads them",
               .repeats = true}} +
          under("Scores", scores_report_options()),
      .renamed = names_of_views(),
      .run = run_report};
}

}  // namespace retrial::harness::inline commands
