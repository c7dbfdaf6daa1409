#include <algorithm>
#include <filesystem>
#include <iostream>

#include "harness/catalogue/catalogue.hpp"
#include "harness/command_line/command.hpp"
#include "harness/images/corrupt_images.hpp"
#include "harness/study/options/key_options.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/sets/describe.hpp"
#include "workloads/data/sets/registry.hpp"
#include "workloads/data/sets/tables.hpp"
#include "workloads/data/sets/verify.hpp"

namespace retrial::harness::inline commands {
namespace {

constexpr const char* usage =
    "usage: retrial data list, retrial data verify DIR, retrial data describe NAME|DIR, or retrial data corrupt "
    "--name NAME";

std::string shape_text(const data::Shape& shape) {
  return std::to_string(shape.channels) + " x " + std::to_string(shape.height) + " x " + std::to_string(shape.width) +
         " (channels, height, width)";
}

std::string division_text(const data::Division& division) {
  return std::to_string(division.train) + " train, " + std::to_string(division.test) + " test";
}

void print_info(const data::DataSetInfo& set) {
  std::cout << bold(set.name) << ": " << set.summary << "\n";
  TextTable table({{""}, {""}});
  table.add({"images", set.sized_by_files() ? "those of the files, their sides and classes too"
                                            : std::to_string(set.count) + " of " + shape_text(set.shape) + ", " +
                                                  std::to_string(set.classes) + " classes"});
  table.add(
      {"published split", set.sized_by_files() ? "none; npy_test sets the test rows" : division_text(set.published)});
  table.add({"created by", set.who});
  table.add({"license", set.licence});
  table.add({"source", set.how_to_get});
  table.add({"digest", set.identity ? results::hex(*set.identity) : "computed from the given files"});
  std::cout << table.text(2, terminal_width()) << "\n";
}

void print_table(const data::KnownTable& set) {
  std::cout << bold(set.name) << ": " << set.summary << "\n";
  TextTable table({{""}, {""}});
  table.add({"table", std::to_string(set.rows) + " rows, " + std::to_string(set.features) + " columns and a target, " +
                          set.task});
  if (!set.file.empty()) table.add({"file", set.file});
  table.add({"created by", set.who});
  table.add({"license", set.licence});
  table.add({"source", set.how_to_get});
  if (!set.sha256.empty()) table.add({"sha256", set.sha256});
  std::cout << table.text(2, terminal_width()) << "\n";
}

void print_sets() {
  for (const auto& set : data::all_data_sets()) print_info(set);
  std::cout << bold("Tables") << " (--set problem=data:NAME --set data_dir=FOLDER)\n\n";
  for (const auto& set : data::known_tables()) print_table(set);
  std::cout
      << "retrial data verify DIR checks a folder of downloaded files against the published digests; retrial data "
         "describe NAME|DIR shows the contents of a data set.\n";
}

int list_sets(bool json) {
  if (!json) {
    print_sets();
    return 0;
  }
  Json rows = Json::array();
  for (Json& row : find_topic("data").rows({})) rows.push_back(std::move(row));
  Json tables = Json::array();
  for (const auto& set : data::known_tables())
    tables.push_back({{"name", set.name},
                      {"summary", set.summary},
                      {"who", set.who},
                      {"license", set.licence},
                      {"file", set.file},
                      {"sha256", set.sha256},
                      {"task", set.task},
                      {"rows", set.rows},
                      {"features", set.features},
                      {"source", set.how_to_get}});
  print_json({{"schema", "retrial.list/1"}, {"data", rows}, {"tables", tables}});
  return 0;
}

Json checks_json(const std::vector<data::FileCheck>& checks) {
  Json rows = Json::array();
  for (const auto& check : checks)
    rows.push_back({{"set", check.set},
                    {"file", check.name},
                    {"verdict", data::name_of(check.verdict)},
                    {"required", check.required},
                    {"bytes", check.bytes ? Json(*check.bytes) : Json()},
                    {"sha256", check.sha256 ? Json(results::hex(*check.sha256)) : Json()},
                    {"md5", check.md5.empty() ? Json() : Json(check.md5)},
                    {"note", check.note}});
  return {{"schema", "retrial.data/1"}, {"exit", static_cast<int>(data::exit_of(checks))}, {"files", rows}};
}

std::string summary_of(Exit exit) {
  switch (exit) {
    case Exit::ok:
      return "every required file is identical to the published one";
    case Exit::different:
      return "every required file is usable, but some differ from the published ones; so will the results";
    case Exit::incomparable:
      return "a required file is missing";
    default:
      return "a file is corrupt; download it again";
  }
}

void print_checks(const std::string& folder, const std::vector<data::FileCheck>& checks) {
  TextTable table({{"set"}, {"file"}, {"bytes", Align::right}, {"state"}, {"note"}});
  for (const auto& check : checks)
    table.add({check.set, results::one_line(check.name, 100), check.bytes ? std::to_string(*check.bytes) : "-",
               std::string(data::name_of(check.verdict)),
               results::one_line(check.note.empty() && !check.required ? "optional" : check.note, 300)});
  std::cout << results::one_line(folder, 1000) << "\n\n" << table.text(2, terminal_width()) << "\n";
  for (const auto& check : checks) {
    if (!check.sha256) continue;
    std::cout << "  " << results::one_line(check.name, 100) << "\n    sha256 " << results::hex(*check.sha256) << "\n";
    if (!check.md5.empty()) std::cout << "    md5    " << check.md5 << "\n";
  }
  std::cout << "\n" << summary_of(data::exit_of(checks)) << "\n";
}

int verify_folder(const std::string& folder, bool json) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    throw Error({.exit = Exit::incomparable,
                 .code = "data.no_folder",
                 .where = results::one_line(folder, 200),
                 .problem = std::filesystem::exists(folder, ignored) ? "is a file, not a folder" : "no such folder",
                 .help = "give the folder that contains the unpacked files"});
  const auto checks = data::verify(folder);
  if (json) {
    print_json(checks_json(checks));
  } else {
    print_checks(folder, checks);
  }
  return static_cast<int>(data::exit_of(checks));
}

/// The name from the data set's file, or the number of the class.
std::string class_name(const std::vector<std::string>& names, std::size_t label) {
  return label < names.size() ? results::one_line(names[label], 60) : std::to_string(label);
}

Json classes_json(const std::vector<std::string>& names, const std::vector<std::uint32_t>& counts) {
  Json classes = Json::array();
  for (std::size_t label = 0; label < counts.size(); ++label)
    classes.push_back({{"name", class_name(names, label)}, {"rows", counts[label]}});
  return classes;
}

Json division_json(const data::Division& division) {
  return {{"train", division.train}, {"test", division.test}};
}

Json description_json(const data::Description& found) {
  const data::ImageSet& set = *found.set;
  Json files = Json::array();
  for (const auto& file : set.files)
    files.push_back({{"file", file.name},
                     {"bytes", file.bytes},
                     {"sha256", file.sha256 ? Json(results::hex(*file.sha256)) : Json()}});
  return {{"name", set.name},
          {"images", set.count},
          {"shape", {set.shape.channels, set.shape.height, set.shape.width}},
          {"split", division_json(set.published)},
          {"classes", classes_json(set.class_names, found.class_counts)},
          {"coarse_classes", classes_json(set.coarse_names, found.coarse_counts)},
          {"mean", found.pixels.mean},
          {"sd", found.pixels.sd},
          {"digest", results::hex(found.identity)},
          {"files", files}};
}

std::string numbers_text(const std::vector<double>& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(results::text_of(results::rounded10(number)));
  return results::joined(texts);
}

std::string counts_text(const std::vector<std::string>& names, const std::vector<std::uint32_t>& counts) {
  std::vector<std::string> texts;
  for (std::size_t label = 0; label < counts.size(); ++label)
    texts.push_back(class_name(names, label) + " " + std::to_string(counts[label]));
  return results::joined(texts);
}

void print_description(const data::Description& found) {
  const data::ImageSet& set = *found.set;
  std::cout << bold(set.name) << "\n";
  TextTable table({{""}, {""}});
  table.add({"images", std::to_string(set.count) + " of " + shape_text(set.shape)});
  table.add({"split", division_text(set.published)});
  table.add({"rows per class", counts_text(set.class_names, found.class_counts)});
  if (!found.coarse_counts.empty()) table.add({"per coarse class", counts_text(set.coarse_names, found.coarse_counts)});
  table.add({"mean", numbers_text(found.pixels.mean)});
  table.add({"sd", numbers_text(found.pixels.sd)});
  table.add({"digest", results::hex(found.identity)});
  for (const auto& file : set.files)
    table.add({results::one_line(file.name, 100),
               std::to_string(file.bytes) + " bytes, sha256 " + (file.sha256 ? results::hex(*file.sha256) : "-")});
  std::cout << table.text(2, terminal_width());
}

/// A known data set that is not embedded in the program has no files to read: its entry of the list is shown.
int describe_name(const data::DataSetInfo& info, bool json) {
  if (info.embedded) {
    const data::Description found = data::describe(info.load({}));
    if (json) print_json({{"schema", "retrial.describe/1"}, {"set", info.name}, {"data", description_json(found)}});
    if (!json) print_info(info), print_description(found);
    return 0;
  }
  if (json)
    print_json({{"schema", "retrial.describe/1"},
                {"set", info.name},
                {"data", nullptr},
                {"summary", info.summary},
                {"who", info.who},
                {"licence", info.licence},
                {"how_to_get", info.how_to_get}});
  if (!json) print_info(info);
  return 0;
}

int describe_folder(const std::string& folder, bool json) {
  const data::Recognised what = data::recognise(folder);
  const data::Description found = data::describe(data::find_data_set(what.set)->load(what.source));
  if (json) {
    print_json({{"schema", "retrial.describe/1"}, {"set", what.set}, {"data", description_json(found)}});
    return 0;
  }
  std::cout << results::one_line(folder, 1000) << ": files of " << what.set
            << (what.source.files.empty() ? "" : ", only " + what.source.files) << "\n";
  print_description(found);
  return 0;
}

int describe(const std::string& name, bool json) {
  if (const data::DataSetInfo* info = data::find_data_set(name)) return describe_name(*info, json);
  if (std::filesystem::is_directory(name)) return describe_folder(name, json);
  const auto names = data::data_set_names();
  const auto near = results::nearest(name, names);
  throw Error({.code = "data.unknown",
               .field = "data describe",
               .value = results::one_line(name, 100),
               .problem = "neither a known data set nor a folder",
               .allowed = results::joined(names) + ", a folder",
               .help = near ? "did you mean " + *near + "?" : usage});
}

/// With another word, the options of corrupt would be silently ignored.
void refuse_options_of_corrupt(const Arguments& arguments, const std::string& word) {
  refuse_options(arguments, {"dataset", "data-dir", "name", "severity", "seed", "threads", "set", "output", "sheet"},
                 {.code = "data.usage", .problem = "is for data corrupt, not for data " + word});
}

std::string words_of_folders() {
  std::vector<std::string> words;
  for (const auto& folder : corrupt::extra_folders()) words.push_back(folder.key + ", " + folder.meaning);
  return results::joined(words, "; ");
}

int run_data(const Arguments& arguments) {
  const auto& words = arguments.positional;
  const bool json = arguments.has("json");
  if (!words.empty() && (words[0] == "list" || words[0] == "verify" || words[0] == "describe"))
    refuse_options_of_corrupt(arguments, words[0]);
  if (words.size() == 1 && words[0] == "list") return list_sets(json);
  if (words.size() == 2 && words[0] == "verify") return verify_folder(words[1], json);
  if (words.size() == 2 && words[0] == "describe") return describe(words[1], json);
  if (words.size() == 1 && words[0] == "corrupt") return corrupt_images(arguments);
  static const std::vector<std::string> known{"list", "verify", "describe", "corrupt"};
  const bool named = !words.empty() && std::find(known.begin(), known.end(), words[0]) == known.end();
  throw Error({.code = "data.usage",
               .field = named ? "data" : "",
               .value = named ? results::one_line(words[0], 100) : "",
               .problem = named ? "unknown subcommand"
                          : words.size() > (words.empty() || words[0] == "list" || words[0] == "corrupt" ? 1U : 2U)
                              ? "unexpected argument"
                              : "missing argument",
               .allowed = named ? results::joined(known) : "",
               .help = usage});
}

}  // namespace

Command data_command() {
  return {
      .name = "data",
      .group = "keep",
      .purpose =
          "list known data sets, check downloaded files against published digests, show the contents of a set, corrupt "
          "its test images",
      .examples = {"retrial data list", "retrial data verify ~/data/cifar-10-batches-bin",
                   "retrial data describe digits",
                   "retrial data corrupt --name fog --severity 3 --seed 42 --sheet fog.png",
                   "retrial data corrupt --dataset cifar10 --data-dir ~/data --name snow -o snow.bin"},
      .arguments = "list | verify DIR | describe NAME|DIR | corrupt",
      .options =
          {{.name = "dataset", .value_name = "SET", .meaning = "corrupt: data set (default: digits)"},
           {.name = "data-dir", .value_name = "DIR", .meaning = "corrupt: folder with its files"},
           {.name = "name",
            .value_name = "CORRUPTION",
            .meaning = "corrupt: fog, snow, ... (retrial list corruptions); all: every corruption, on a contact sheet"},
           {.name = "severity", .value_name = "N", .meaning = "corrupt: 1 to 5 (default: 3)"},
           {.name = "seed", .value_name = "N", .meaning = "corrupt: root seed (default: drawn and printed)"},
           {.name = "threads", .value_name = "N", .meaning = "corrupt: worker threads; does not change the output"},
           {.name = "set",
            .value_name = "KEY=DIR",
            .meaning = "corrupt: folder that a corruption reads: " + words_of_folders(),
            .repeats = true},
           {.name = "output",
            .letter = 'o',
            .value_name = "FILE",
            .meaning = "corrupt: write the corrupted test images in the format of the data set"},
           {.name = "sheet",
            .value_name = "FILE",
            .meaning = "corrupt: write sample images under all severities side by side (PNG)"},
           {.name = "json",
            .meaning = "one JSON document (schema retrial.list/1, retrial.data/1, retrial.describe/1 or "
                       "retrial.corrupt/1)"}},
      .renamed = spelled_as_options(corrupt_folders()),
      .run = run_data};
}

}  // namespace retrial::harness::inline commands
