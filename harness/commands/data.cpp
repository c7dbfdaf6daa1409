#include <iostream>

#include "harness/catalogue.hpp"
#include "harness/command.hpp"
#include "harness/output.hpp"
#include "harness/table.hpp"
#include "harness/terminal.hpp"
#include "results/error.hpp"
#include "results/text.hpp"
#include "workloads/data/registry.hpp"
#include "workloads/data/verify.hpp"

namespace retrial::harness {
namespace {

constexpr const char* usage = "usage: retrial data list, or: retrial data verify DIR";

void print_sets() {
  for (const auto& set : data::all_data_sets()) {
    std::cout << bold(set.name) << ": " << set.summary << "\n";
    TextTable table({{""}, {""}});
    table.add({"images", std::to_string(set.count) + " of " + std::to_string(set.shape.channels) + " x " +
                             std::to_string(set.shape.height) + " x " + std::to_string(set.shape.width) +
                             " (channels, height, width), " + std::to_string(set.classes) + " classes"});
    table.add({"published split",
               std::to_string(set.published.train) + " train, " + std::to_string(set.published.test) + " test"});
    table.add({"made by", set.who});
    table.add({"terms", set.licence});
    table.add({"where", set.how_to_get});
    table.add({"digest", set.identity ? results::hex(*set.identity) : "that of the files given"});
    std::cout << table.text(2, terminal_width()) << "\n";
  }
  std::cout << "retrial data verify DIR checks a folder of downloaded files against the published digests.\n";
}

int list_sets(bool json) {
  if (!json) {
    print_sets();
    return 0;
  }
  Json rows = Json::array();
  for (Json& row : find_topic("data").rows({})) rows.push_back(std::move(row));
  print_json({{"schema", "retrial.list/1"}, {"data", rows}});
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
                    {"note", check.note}});
  return {{"schema", "retrial.data/1"}, {"exit", static_cast<int>(data::exit_of(checks))}, {"files", rows}};
}

std::string summary_of(Exit exit) {
  switch (exit) {
    case Exit::ok:
      return "every required file has the published bytes";
    case Exit::different:
      return "every required file can be used, but some are not the published bytes; results will differ from "
             "published ones";
    case Exit::incomparable:
      return "a required file is missing";
    default:
      return "a file is corrupt; fetch it again";
  }
}

void print_checks(const std::string& folder, const std::vector<data::FileCheck>& checks) {
  TextTable table({{"set"}, {"file"}, {"bytes", Align::right}, {"is"}, {"note"}});
  for (const auto& check : checks)
    table.add({check.set, results::one_line(check.name, 100), check.bytes ? std::to_string(*check.bytes) : "-",
               std::string(data::name_of(check.verdict)),
               results::one_line(check.note.empty() && !check.required ? "not needed" : check.note, 300)});
  std::cout << folder << "\n\n" << table.text(2, terminal_width()) << "\n" << summary_of(data::exit_of(checks)) << "\n";
}

int verify_folder(const std::string& folder, bool json) {
  const auto checks = data::verify(folder);
  if (json) {
    print_json(checks_json(checks));
  } else {
    print_checks(folder, checks);
  }
  return static_cast<int>(data::exit_of(checks));
}

int run_data(const Arguments& arguments) {
  const auto& words = arguments.positional;
  if (words.size() == 1 && words[0] == "list") return list_sets(arguments.has("json"));
  if (words.size() == 2 && words[0] == "verify") return verify_folder(words[1], arguments.has("json"));
  static const std::vector<std::string> known{"list", "verify"};
  const bool named = !words.empty() && words[0] != "list" && words[0] != "verify";
  throw Error({.code = "data.usage",
               .field = named ? "data" : "",
               .value = named ? results::one_line(words[0], 100) : "",
               .problem = named              ? "unknown word"
                          : words.size() > 1 ? "one argument too many"
                                             : "an argument is missing",
               .allowed = named ? results::joined(known) : "",
               .help = usage});
}

}  // namespace

Command data_command() {
  return {.name = "data",
          .group = "keep",
          .purpose = "list the data sets known by name, or check downloaded files against the published digests",
          .examples = {"retrial data list", "retrial data verify ~/data/cifar-10-batches-bin"},
          .arguments = "list | verify DIR",
          .options = {{.name = "json", .meaning = "one JSON document (schema retrial.list/1 or retrial.data/1)"}},
          .run = run_data};
}

}  // namespace retrial::harness
