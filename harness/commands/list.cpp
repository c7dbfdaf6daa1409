#include <algorithm>
#include <iostream>
#include <optional>

#include "harness/catalogue/catalogue.hpp"
#include "harness/command_line/command.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/names.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline commands {
namespace {

using workloads::Declaration;

std::string cell_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_null()) return "-";
  if (value.is_number_float()) return results::text_of(value.get<double>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> items;
  for (const Json& item : value) items.push_back(cell_text(item));
  return items.empty() ? "-" : results::joined(items);
}

std::string topic_table(const Topic& topic, const std::vector<Json>& rows, bool with_workload) {
  std::vector<Column> columns;
  for (const auto& column : topic.columns)
    if (with_workload || column.key != "workload") columns.push_back({column.title});
  TextTable table(columns);
  for (const Json& row : rows) {
    std::vector<std::string> cells;
    for (const auto& column : topic.columns)
      if (with_workload || column.key != "workload") cells.push_back(cell_text(row.at(column.key)));
    table.add(cells);
  }
  return table.text(2, terminal_width());
}

std::vector<const Declaration*> every_workload() {
  std::vector<const Declaration*> out;
  for (const Declaration& declaration : workloads::all_workloads()) out.push_back(&declaration);
  return out;
}

void print_wrapped(const std::string& text) {
  for (const auto& line : wrapped(text, terminal_width())) std::cout << line << "\n";
}

void print_topic(const Topic& topic, const std::vector<const Declaration*>& of) {
  const auto rows = topic.rows(of);
  if (rows.empty()) {
    std::cout << "no " << topic.name << "\n";
    return;
  }
  std::cout << bold(topic.title) << "\n" << topic_table(topic, rows, of.size() > 1);
  if (topic.note) print_wrapped(topic.note());
}

void print_overview() {
  print_topic(find_topic("workloads"), every_workload());
  std::cout << "\n";
  print_wrapped("retrial list WORKLOAD shows the variants, sources, parameters and metrics of one workload.");
  std::cout << "retrial list TOPIC shows:\n";
  TextTable table({{""}, {""}});
  for (const Topic& topic : all_topics()) table.add({topic.name, topic.meaning});
  std::cout << table.text(2, terminal_width());
}

void print_workload(const Declaration& declaration) {
  print_wrapped(bold(declaration.name) + ": " + declaration.summary);
  if (!declaration.example.empty()) std::cout << "\nExample\n  " << declaration.example << "\n";
  for (const Topic& topic : all_topics()) {
    if (!topic.of_workload) continue;
    std::cout << "\n";
    print_topic(topic, {&declaration});
  }
}

Json rows_json(const Topic& topic, const std::vector<const Declaration*>& of) {
  Json out = Json::array();
  for (Json& row : topic.rows(of)) out.push_back(std::move(row));
  return out;
}

Json workload_json(const Declaration& declaration) {
  Json out{{"schema", "retrial.list/1"},
           {"workload", declaration.name},
           {"summary", declaration.summary},
           {"example", declaration.example}};
  for (const Topic& topic : all_topics())
    if (topic.of_workload) out[topic.name] = rows_json(topic, {&declaration});
  return out;
}

Json everything_json() {
  Json out{{"schema", "retrial.list/1"}};
  for (const Topic& topic : all_topics()) out[topic.name] = rows_json(topic, every_workload());
  return out;
}

Json topic_json(const Topic& topic, const std::vector<const Declaration*>& of) {
  Json out{{"schema", "retrial.list/1"}, {topic.name, rows_json(topic, of)}};
  if (topic.facts) out["audit"] = topic.facts();
  return out;
}

[[noreturn]] void refuse_name(const std::string& name) {
  std::vector<std::string> known = names_in(all_topics());
  for (const Declaration& declaration : workloads::all_workloads()) known.push_back(declaration.name);
  const auto near = results::nearest(name, known);
  throw Error({.code = "list.unknown",
               .field = "NAME",
               .value = results::one_line(name, 100),
               .problem = "neither a topic nor a workload",
               .allowed = results::joined(known),
               .help = near ? "did you mean: retrial list " + *near : "retrial list shows all of them"});
}

const Topic* topic_named(const std::string& name) {
  const auto& all = all_topics();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Topic& t) { return t.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// The arguments: none, a topic, a workload, or both in either order.
struct Subject {
  const Declaration* workload = nullptr;
  const Topic* topic = nullptr;
};

Subject subject_of(const std::vector<std::string>& words) {
  Subject out;
  for (const std::string& word : words) {
    const Topic* topic = topic_named(word);
    const Declaration* workload = topic == nullptr ? workloads::workload_if_known(word) : nullptr;
    if (topic == nullptr && workload == nullptr) refuse_name(word);
    if ((topic != nullptr && out.topic != nullptr) || (workload != nullptr && out.workload != nullptr))
      throw Error({.code = "usage.extra_argument",
                   .field = word,
                   .problem = "unexpected argument",
                   .help = "usage: retrial list [WORKLOAD] [TOPIC]"});
    if (topic != nullptr) out.topic = topic;
    if (workload != nullptr) out.workload = workload;
  }
  return out;
}

/// Topics that replace options of an earlier version.
std::vector<Renamed> replaced_options() {
  std::vector<Renamed> out;
  for (const Topic& topic : all_topics())
    if (!topic.former_option.empty()) out.push_back({topic.former_option, "retrial list " + topic.name});
  return out;
}

/// The topic with the rows that pass, for --portable.
Topic passing(const Topic* topic) {
  if (topic == nullptr || topic->name != "operators")
    throw Error({.code = "usage.option_of_topic",
                 .field = "--portable",
                 .problem = "is for the topic operators",
                 .help = "retrial list operators --portable"});
  Topic out = *topic;
  out.rows = [all = topic->rows](const std::vector<const Declaration*>& of) {
    auto rows = all(of);
    std::erase_if(rows, [](const Json& row) { return !row.at("passes").get<bool>(); });
    return rows;
  };
  return out;
}

int run_list(const Arguments& arguments) {
  Subject subject = subject_of(arguments.positional);
  std::optional<Topic> filtered;
  if (arguments.has("portable")) subject.topic = &filtered.emplace(passing(subject.topic));
  const auto of = subject.workload == nullptr ? every_workload() : std::vector{subject.workload};
  if (arguments.has("json")) {
    print_json(subject.topic != nullptr      ? topic_json(*subject.topic, of)
               : subject.workload != nullptr ? workload_json(*subject.workload)
                                             : everything_json());
  } else if (subject.topic != nullptr) {
    print_topic(*subject.topic, of);
  } else if (subject.workload != nullptr) {
    print_workload(*subject.workload);
  } else {
    print_overview();
  }
  return 0;
}

}  // namespace

Command list_command() {
  return {.name = "list",
          .group = "run",
          .purpose =
              "list workloads and their variants, sources, parameters and metrics; kernel modes, operators, tests, "
              "data sets, "
              "models, corruptions",
          .examples = {"retrial list", "retrial list null", "retrial list null parameters", "retrial list modes",
                       "retrial list operators --portable", "retrial list --json"},
          .arguments = "[WORKLOAD] [TOPIC]",
          .options = {{.name = "portable",
                       .meaning = "operators: only those with the same bits on every CPU in mode portable"},
                      {.name = "json", .meaning = "one JSON document (schema retrial.list/1)"}},
          .renamed = replaced_options(),
          .run = run_list};
}

}  // namespace retrial::harness::inline commands
