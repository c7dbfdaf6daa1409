#include "harness/program/help.hpp"

#include <algorithm>

#include "harness/command_line/exit_table.hpp"
#include "harness/command_line/parse.hpp"
#include "harness/program/commands.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/table.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline program {
namespace {

std::string paragraph_within(const std::string& text, std::size_t width) {
  std::string out;
  for (const std::string& line : wrapped(text, width)) out += line + "\n";
  return out;
}

std::string option_names(const Option& option) {
  std::string out = option.letter == 0 ? "    " : std::string{'-', option.letter, ',', ' '};
  out += "--" + option.name;
  if (!option.value_name.empty()) out += " " + option.value_name;
  return out;
}

std::string option_table(const std::vector<Option>& options, std::size_t width) {
  TextTable table({{""}, {""}});
  for (const Option& option : options) table.add({option_names(option), option_meaning(option)});
  return table.text(2, width);
}

std::string command_table(std::size_t width) {
  TextTable table({{""}, {""}, {""}});
  std::string group;
  for (const Command& command : all_commands()) {
    table.add({command.group == group ? "" : command.group, command.name, command.purpose});
    group = command.group;
  }
  return table.text(2, width);
}

std::string names_of(const std::vector<Option>& options, std::size_t width) {
  std::vector<std::string> names;
  for (const Option& option : options) names.push_back("--" + option.name);
  std::string out;
  for (const std::string& line : wrapped(results::joined(names), width - 2)) out += "  " + line + "\n";
  return out;
}

std::string exit_sentence() {
  std::vector<std::string> ways;
  for (const ExitRow& row : exit_table()) ways.push_back(row.code + " " + row.meaning);
  return "Exit codes: " + results::joined(ways) + ".";
}

}  // namespace

std::string sentence_of(std::string purpose) {
  if (!purpose.empty() && purpose[0] >= 'a' && purpose[0] <= 'z')
    purpose[0] = static_cast<char>(purpose[0] - 'a' + 'A');
  return purpose.empty() || purpose.back() == '?' ? purpose : purpose + ".";
}

std::string option_meaning(const Option& option) {
  std::string out = option.meaning;
  if (!option.choices.empty()) out += " (" + results::joined(option.choices) + ")";
  if (option.repeats) out += "; repeatable";
  return out;
}

std::vector<OptionGroup> option_groups(const Command& command) {
  std::vector<OptionGroup> groups{{"Options", {}}};
  for (const Option& option : command.options) {
    const std::string title = option.heading.empty() ? "Options" : option.heading;
    auto group = std::ranges::find(groups, title, &OptionGroup::title);
    if (group == groups.end()) group = groups.insert(group, {title, {}});
    group->options.push_back(option);
  }
  groups.front().options.push_back({.name = "help", .letter = 'h', .meaning = "print this help"});
  if (!command.brief.empty()) groups.front().options.push_back({.name = "help-all", .meaning = "explain every option"});
  return groups;
}

std::string program_purpose() {
  return "retrial answers one question: is this difference real, and would it come out the same again? It runs "
         "workloads many times under controlled seeds and kernel modes, keeps every result in one SQLite file, and "
         "decides which of two variants is better and how often such a verdict is wrong.";
}

std::vector<std::string> program_examples() {
  return {"retrial list                                  list what can be run",
          "retrial run studies/quickstart.toml           run a study, or continue it",
          "retrial compare quickstart.db                 decide which variant is better",
          "retrial replay quickstart.db kd/7             run one trial again and compare every bit"};
}

std::string program_help(std::size_t width) {
  std::string out = paragraph_within(program_purpose(), width) + "\n" + bold("Examples") + "\n";
  for (const std::string& example : program_examples()) out += "  " + example + "\n";
  return out + "\n" + bold("Commands") + " (retrial COMMAND --help begins with examples)\n" + command_table(width) +
         "\n" + bold("Options before the command") + "\n" + option_table(global_options(), width) + "\n" +
         paragraph_within(exit_sentence(), width);
}

std::string command_help(const Command& command, std::size_t width, bool whole) {
  std::string out = bold("Examples") + "\n";
  for (const std::string& example : command.examples) out += "  " + example + "\n";
  out += "\n" + bold("Usage") + "\n  retrial " + command.name + (command.options.empty() ? "" : " [OPTIONS]") +
         (command.arguments.empty() ? "" : " " + command.arguments) + "\n\n" +
         paragraph_within(sentence_of(command.purpose), width);
  for (const OptionGroup& group : option_groups(command)) {
    const bool named = !whole && std::ranges::find(command.brief, group.title) != command.brief.end();
    out += "\n" + bold(group.title) + (named ? " (explained by --help-all)" : "") + "\n" +
           (named ? names_of(group.options, width) : option_table(group.options, width));
  }
  return out;
}

}  // namespace retrial::harness::inline program
