#include <iostream>

#include "harness/command.hpp"
#include "harness/output.hpp"
#include "harness/output_files.hpp"
#include "harness/pruning/views.hpp"
#include "harness/report/formats.hpp"
#include "harness/report/gather.hpp"
#include "harness/report/text.hpp"
#include "harness/store_argument.hpp"
#include "results/error.hpp"
#include "results/report/figures.hpp"
#include "results/text.hpp"

namespace retrial::harness {
namespace {

std::vector<const PruningView*> chosen_views(const Arguments& arguments) {
  std::vector<const PruningView*> out;
  for (const PruningView& view : pruning_views())
    if (arguments.has(view.flag)) out.push_back(&view);
  return out;
}

/// Tables alone, without the report around them.
std::string tables(const Arguments& arguments, const Material& material, const std::vector<const PruningView*>& views) {
  const PruningStudy study = read_cascades(material);
  const ViewChoice choice{.delta = arguments.number("delta", {.low = -100, .high = 100})};
  std::string text;
  Json document{{"schema", "retrial.pruning/1"}, {"study", material.study.name}, {"finished", material.finished}};
  // Whoever looks on the way to a declared verdict, and stops at a good moment, has another error rate.
  const bool early = !material.finished && material.study.design;
  for (const PruningView* view : early ? std::vector<const PruningView*>{} : views) {
    Part part = view->make(study, choice);
    text += section_text(*part.section);
    document.update(part.data);
  }
  if (arguments.has("json")) return results::printed(document);
  return text + section_text({.id = "notes", .title = "", .blocks = pruning_notes(study)});
}

void put(const std::optional<std::string>& file, const std::string& bytes) {
  if (!file || *file == "-")
    std::cout << bytes;
  else
    write_output(*file, bytes);
}

/// What belongs to tables alone, or to the whole report alone, would be passed over in silence.
void refuse_mixture(const Arguments& arguments, bool tables_alone) {
  if (tables_alone)
    refuse_options(arguments, {"format"}, {.problem = "belongs to the whole report; a table alone is text, or --json"});
  else
    refuse_options(arguments, {"json", "delta"},
                   {.problem = "belongs to a table alone: --potential and its neighbours",
                    .help = "the whole report as JSON: --format json"});
  if (arguments.has("delta") && !arguments.has("potential"))
    throw Error({.code = "usage.option_value", .field = "--delta", .problem = "is the margin of --potential"});
}

/// SQLite keeps what was written last beside the store.
std::vector<std::filesystem::path> with_log(const std::filesystem::path& store) {
  return {store, store.string() + "-wal", store.string() + "-shm"};
}

int run_report(const Arguments& arguments) {
  const auto views = chosen_views(arguments);
  refuse_mixture(arguments, !views.empty());
  const auto file = arguments.value("output");
  const ReportFormat& format = chosen_format(arguments.value("format"), views.empty() ? file : std::nullopt);
  const StoreChoice choice = store_choice(arguments, {.usage = "report [STORE] [-o FILE]"});
  if (file && *file != "-") demand_separate({{"-o", *file}}, with_log(choice.path));
  const results::Store store = open_for_reading(choice.path);
  const Material material = read_material(store, read_study(store, chosen_study(store, arguments.value("study"))));
  if (!views.empty()) {
    put(file, tables(arguments, material, views));
    return 0;
  }
  report::Report report = gather_report(material);
  if (format.draws) report::draw_figures(report);
  put(file, format.render(report));
  return 0;
}

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const auto& format : report_formats()) out.push_back(format.name);
  return out;
}

std::vector<Option> options_of_report() {
  std::vector<Option> out{
      {.name = "output",
       .letter = 'o',
       .value_name = "FILE",
       .meaning = "write this file, in the format that its ending names (html, md, json, txt); - or "
                  "nothing: standard output"},
      {.name = "format",
       .value_name = "FORMAT",
       .meaning = "on standard output (default: txt)",
       .choices = format_names()},
      {.name = "study",
       .value_name = "NAME",
       .meaning = "the study of this name or digest, where the store holds several"}};
  for (const PruningView& view : pruning_views()) out.push_back({.name = view.flag, .meaning = view.meaning});
  out.push_back({.name = "delta",
                 .value_name = "PP",
                 .meaning = "with --potential: this margin in percentage points (default: the judged one)"});
  out.push_back({.name = "json", .meaning = "with a table of pruning: one JSON document (retrial.pruning/1)"});
  return out;
}

}  // namespace

Command report_command() {
  return {
      .name = "report",
      .group = "keep",
      .purpose =
          "everything about a study in one file that can be shown to others: verdict, evidence, every pair, "
          "configuration, digests",
      .examples = {"retrial report quickstart.db -o quickstart.html", "retrial report quickstart.db -o quickstart.md",
                   "retrial report quickstart.db --format json", "retrial report prune-tier0.db --potential"},
      .arguments = "[STORE]",
      .options = options_of_report(),
      .run = run_report};
}

}  // namespace retrial::harness
