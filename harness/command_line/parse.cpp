#include "harness/command_line/parse.hpp"

#include <algorithm>
#include <boost/program_options.hpp>

#include "harness/text/names.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline command_line {
namespace {

namespace po = boost::program_options;

/// Boost 1.74 otherwise takes --al for --alpha and --d for --db.
constexpr int strict_style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;

std::string help_line(const std::string& command) {
  return command.empty() ? "see: retrial --help" : "see: retrial " + command + " --help";
}

[[noreturn]] void refuse_line(const std::string& command, const std::string& field, const std::string& problem,
                              const std::string& help = "") {
  throw Error(
      {.code = "usage.option", .field = field, .problem = problem, .help = help.empty() ? help_line(command) : help});
}

bool may_lack_value(const Option& option) {
  return option.value_name.empty() || option.value_name.starts_with('[');
}

/// Joins an option that may lack its value with a next word that looks like a list of names, and like no file.
std::vector<std::string> with_joined_values(const Command& command, const std::vector<std::string>& words) {
  const auto is_list = [](const std::string& word) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-,";
    return !word.empty() && word.front() != '-' && word.find_first_not_of(letters) == std::string::npos;
  };
  const auto takes_list = [&](const std::string& word) {
    return std::ranges::any_of(command.options, [&](const Option& option) {
      return option.value_name.starts_with('[') && word == "--" + option.name;
    });
  };
  std::vector<std::string> out;
  for (const auto& word : words)
    if (!out.empty() && takes_list(out.back()) && is_list(word))
      out.back() += "=" + word;
    else
      out.push_back(word);
  return out;
}

/// Boost gives any next argument to an option with an optional value. So one that may lack its value has none in the
/// description, unless a word joins one to it.
po::options_description described(const std::vector<Option>& options, const std::vector<std::string>& words) {
  const auto is_joined = [&](const Option& option) {
    return std::ranges::any_of(words, [&](const auto& word) { return word.starts_with("--" + option.name + "="); });
  };
  po::options_description out;
  for (const Option& option : options) {
    const std::string names = option.letter == 0 ? option.name : option.name + "," + option.letter;
    if (may_lack_value(option) && (option.value_name.empty() || !is_joined(option))) {
      out.add_options()(names.c_str(), "");
    } else {
      out.add_options()(names.c_str(), po::value<std::string>(), "");
    }
  }
  return out;
}

[[noreturn]] void refuse_unknown(const Command& command, const std::string& given) {
  std::string bare = given.substr(std::min(given.find_first_not_of('-'), given.size()));
  bare = bare.substr(0, bare.find('='));
  const auto renamed = std::ranges::find(command.renamed, bare, &Renamed::name);
  if (renamed != command.renamed.end())
    refuse_line(command.name, results::one_line(given, 100), "unknown option", "use " + renamed->use);
  const auto near = results::nearest(bare, names_in(command.options));
  refuse_line(command.name, results::one_line(given, 100), "unknown option",
              near ? "did you mean --" + *near + "? " + help_line(command.name) : "");
}

std::string missing_text(const std::vector<Option>& options, const std::string& name) {
  const auto option =
      std::find_if(options.begin(), options.end(), [&](const Option& o) { return "--" + o.name == name; });
  return option == options.end() ? "needs a value" : "needs a value: " + name + " " + option->value_name;
}

[[noreturn]] void refuse_syntax(const std::string& command, const std::vector<Option>& options,
                                const po::invalid_command_line_syntax& error) {
  using Syntax = po::invalid_command_line_syntax;
  const std::string name = error.get_option_name();
  if (error.kind() == Syntax::missing_parameter || error.kind() == Syntax::empty_adjacent_parameter)
    refuse_line(command, name, missing_text(options, name));
  if (error.kind() == Syntax::extra_parameter) refuse_line(command, name, "takes no value");
  refuse_line(command, name, results::one_line(error.what()));
}

std::vector<po::option> parsed_words(const Command& command, const std::vector<std::string>& words) {
  const po::options_description description = described(command.options, words);
  try {
    return po::command_line_parser(words).options(description).style(strict_style).run().options;
  } catch (const po::unknown_option& error) {
    refuse_unknown(command, error.get_option_name());
  } catch (const po::invalid_command_line_syntax& error) {
    refuse_syntax(command.name, command.options, error);
  } catch (const po::error& error) {
    refuse_line(command.name, "", results::one_line(error.what()));
  }
}

void check_choice(const Option& option, const std::string& given) {
  if (option.choices.empty() || std::find(option.choices.begin(), option.choices.end(), given) != option.choices.end())
    return;
  const auto other = std::ranges::find(option.elsewhere, given, &Renamed::name);
  const auto near =
      other == option.elsewhere.end() ? results::nearest(given, option.choices) : std::optional(other->use);
  throw Error({.code = "usage.option_value",
               .field = "--" + option.name,
               .value = results::one_line(given, 100),
               .problem = "unknown value",
               .allowed = results::joined(option.choices),
               .help = near ? "did you mean --" + option.name + " " + *near + "?" : ""});
}

/// Boost takes any next word as the value: from `--db --json` it would make a file named "--json".
bool swallowed_option(const std::vector<Option>& options, const po::option& given) {
  if (given.original_tokens.size() < 2) return false;
  const std::string& word = given.original_tokens.back();
  return std::any_of(options.begin(), options.end(), [&](const Option& o) { return word == "--" + o.name; });
}

void take(const std::string& command, const std::vector<Option>& options, const Option& option, const po::option& given,
          Arguments& into) {
  std::vector<std::string>& list = into.options[option.name];
  if (may_lack_value(option) && given.value.empty()) return;
  if (swallowed_option(options, given))
    refuse_line(command, "--" + option.name, missing_text(options, "--" + option.name));
  if (!list.empty() && !option.repeats) refuse_line(command, "--" + option.name, "given twice, but takes one value");
  if (given.value.empty() || given.value.front().empty())
    refuse_line(command, "--" + option.name, "needs a value that is not empty");
  check_choice(option, given.value.front());
  list.push_back(given.value.front());
}

Arguments arguments_of(const Command& command, const std::vector<std::string>& words) {
  Arguments out;
  const auto& options = command.options;
  for (const po::option& given : parsed_words(command, with_joined_values(command, words))) {
    const auto option = std::find_if(options.begin(), options.end(), [&](const Option& o) {
      return o.name == given.string_key || (o.letter != 0 && std::string{'-', o.letter} == given.string_key);
    });
    if (given.string_key.empty()) {
      out.positional.insert(out.positional.end(), given.value.begin(), given.value.end());
    } else if (option != options.end()) {
      take(command.name, options, *option, given, out);
    }
  }
  return out;
}

}  // namespace

const std::vector<Option>& global_options() {
  static const std::vector<Option> options{
      {.name = "help", .letter = 'h', .meaning = "print this help; after a command: the help of that command"},
      {.name = "version", .meaning = "print the version; with --json also the compiler and libraries"},
      {.name = "json", .meaning = "with --version: one JSON document (commands have their own --json)"},
      {.name = "color",
       .value_name = "WHEN",
       .meaning = "when to use color; auto: only on a terminal",
       .choices = {"auto", "always", "never"}},
      {.name = "generate",
       .value_name = "WHAT",
       .meaning = "print a shell completion script, or a manual page: for the command that follows, else for retrial",
       .choices = {"bash", "zsh", "fish", "man", "man-study"}},
      {.name = "debug", .meaning = "after an error, also print its code and fields"},
  };
  return options;
}

std::size_t command_place(const std::vector<std::string>& words) {
  std::size_t at = 0;
  while (at < words.size() && words[at].size() > 1 && words[at].front() == '-') {
    if (words[at] == "--") return at + 1;
    const auto& options = global_options();
    at += std::any_of(options.begin(), options.end(),
                      [&](const Option& o) { return !o.value_name.empty() && words[at] == "--" + o.name; })
              ? 2
              : 1;
  }
  return std::min(at, words.size());
}

SplitLine split_line(const std::vector<std::string>& words) {
  const auto place = static_cast<std::ptrdiff_t>(command_place(words));
  std::vector<std::string> front(words.begin(), words.begin() + place);
  if (!front.empty() && front.back() == "--") front.pop_back();
  const Arguments global = arguments_of({.options = global_options()}, front);
  SplitLine out;
  out.global = {.help = global.has("help"),
                .version = global.has("version"),
                .json = global.has("json"),
                .debug = global.has("debug"),
                .colour = global.value("color").value_or("auto"),
                .generate = global.value("generate")};
  if (place == static_cast<std::ptrdiff_t>(words.size())) return out;
  out.command = words[static_cast<std::size_t>(place)];
  out.rest.assign(words.begin() + place + 1, words.end());
  return out;
}

Arguments parse(const Command& command, const std::vector<std::string>& words) {
  Command with_help = command;
  with_help.options.push_back({.name = "help", .letter = 'h', .meaning = "print this help"});
  with_help.options.push_back({.name = "help-all", .meaning = "explain every option"});
  return arguments_of(with_help, words);
}

}  // namespace retrial::harness::inline command_line
