#include "harness/program/man_page.hpp"

#include "harness/command_line/exit_table.hpp"
#include "harness/command_line/parse.hpp"
#include "harness/command_line/settings.hpp"
#include "harness/program/commands.hpp"
#include "harness/program/help.hpp"
#include "harness/study/file/study_keys.hpp"
#include "harness/text/version.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline program {
namespace {

/// A backslash and a hyphen mean something to roff anywhere, a full stop and an apostrophe at the start of a line.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool starts_line = out.empty() || out.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold_text(const std::string& text) {
  return "\\fB" + roff(text) + "\\fR";
}
std::string italic_text(const std::string& text) {
  return "\\fI" + roff(text) + "\\fR";
}

std::string in_capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string heading(const std::string& name, int section, const std::string& about) {
  return ".TH " + roff(in_capitals(name)) + " " + std::to_string(section) + " \"\" \"" + roff(version_line()) +
         "\" \"retrial manual\"\n.SH NAME\n" + roff(name) + " \\- " + roff(about) + "\n";
}

std::string section(const std::string& title) {
  return ".SH " + title + "\n";
}

/// A term and its description.
std::string entry(const std::string& term, const std::string& meaning) {
  return ".TP\n" + term + "\n" + roff(meaning) + "\n";
}

std::string option_term(const Option& option) {
  std::string out = option.letter == 0 ? "" : bold_text(std::string{'-', option.letter}) + ", ";
  out += bold_text("--" + option.name);
  return option.value_name.empty() ? out : out + " " + italic_text(option.value_name);
}

std::string options_section(const std::string& title, const std::vector<Option>& options) {
  std::string out = section(title);
  for (const Option& option : options) out += entry(option_term(option), option_meaning(option));
  return out;
}

std::string examples_section(const std::vector<std::string>& examples) {
  std::string out = section("EXAMPLES") + ".nf\n";
  for (const std::string& example : examples) out += roff(example) + "\n";
  return out + ".fi\n";
}

std::string exit_section() {
  std::string out = section("EXIT STATUS");
  for (const ExitRow& row : exit_table()) out += entry(bold_text(row.code), row.meaning);
  return out;
}

std::string environment_section() {
  std::string out = section("ENVIRONMENT");
  for (const Setting& setting : settings_in_force())
    if (setting.name.starts_with("RETRIAL_")) out += entry(bold_text(setting.name), setting.meaning);
  out += entry(bold_text("NO_COLOR"), "turns color off, like --color never; COLUMNS sets the width of tables and help");
  return out;
}

std::string see_also(const std::string& but) {
  std::string out = section("SEE ALSO");
  if (!but.empty()) out += bold_text("retrial") + "(1),\n";
  for (const Command& command : all_commands())
    if (command.name != but) out += bold_text("retrial-" + command.name) + "(1),\n";
  return out + bold_text("retrial-study") + "(5)\n";
}

std::string commands_section() {
  std::string out = section("COMMANDS");
  for (const Command& command : all_commands()) out += entry(bold_text("retrial " + command.name), command.purpose);
  return out;
}

std::string keys_section(const std::string& name, const std::string& title) {
  std::string out = section(title);
  for (const StudyKey& key : study_keys())
    if (key.section == name) out += entry(bold_text(key.name) + " = " + italic_text(key.form), key.meaning);
  return out;
}

}  // namespace

std::string program_manual() {
  return heading("retrial", 1, "is this difference real, and would it come out the same again?") + section("SYNOPSIS") +
         bold_text("retrial") + " [OPTIONS] " + italic_text("COMMAND") + " ...\n" + section("DESCRIPTION") +
         roff(program_purpose()) + "\n" + commands_section() + options_section("OPTIONS", global_options()) +
         examples_section(program_examples()) + exit_section() + environment_section() + see_also("");
}

std::string command_manual(const Command& command) {
  std::string options;
  for (const OptionGroup& group : option_groups(command))
    options += options_section(in_capitals(group.title), group.options);
  return heading("retrial-" + command.name, 1, command.purpose) + section("SYNOPSIS") +
         bold_text("retrial " + command.name) + " [OPTIONS] " + italic_text(command.arguments) + "\n" +
         section("DESCRIPTION") + roff(sentence_of(command.purpose)) + "\n" + options +
         examples_section(command.examples) + exit_section() + environment_section() + see_also(command.name);
}

std::string study_manual() {
  return heading("retrial-study", 5, "study files of retrial") + section("DESCRIPTION") +
         roff(
             "A study file is TOML 1.0 of at most 1 MiB. It declares what is run, under which seeds and kernel mode, "
             "and "
             "which comparison is judged. An unknown key is an error.") +
         "\n" + keys_section("", "TOP-LEVEL KEYS") + section("TABLE [SET]") +
         roff("Keys of the workload, for every variant; retrial list WORKLOAD parameters lists them.") + "\n" +
         keys_section("variant.NAME", "TABLES [VARIANT.NAME]") + ".PP\n" +
         roff("Also allowed: keys of the workload, for this variant only.") + "\n" +
         keys_section("compare", "TABLE [COMPARE]") + keys_section("claim.NAME", "TABLES [CLAIM.NAME]") +
         keys_section("variance", "TABLE [VARIANCE]") + keys_section("profile", "TABLE [PROFILE]") +
         keys_section("search", "TABLE [SEARCH]") + keys_section("search.keys.KEY", "TABLE [SEARCH.KEYS]") +
         keys_section("gate", "TABLE [GATE]") + keys_section("bench.NAME", "TABLES [BENCH.NAME]") +
         examples_section({"schema = 1", "workload = \"null\"", "seed = 1", "pairs = 20", "", "[variant.base]",
                           "[variant.shifted]", "effect = 1.0", "", "[compare]", "metric = \"score\""}) +
         see_also("");
}

}  // namespace retrial::harness::inline program
