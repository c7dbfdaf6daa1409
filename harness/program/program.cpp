#include "harness/program/program.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "harness/command_line/parse.hpp"
#include "harness/emulator/emulator.hpp"
#include "harness/program/commands.hpp"
#include "harness/program/completion.hpp"
#include "harness/program/help.hpp"
#include "harness/program/man_page.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/report_error.hpp"
#include "harness/text/version.hpp"

namespace retrial::harness::inline program {
namespace {

bool names_option(const std::vector<std::string>& words, const std::string& name) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, name) != end;
}

void choose_colour(const std::string& word) {
  set_colour(word == "always" ? Colour::always : word == "never" ? Colour::never : Colour::automatic);
}

int print_version(bool json) {
  if (json) {
    print_json(version_document());
  } else {
    std::cout << version_line() << "\n";
  }
  return 0;
}

int print_help(const std::vector<std::string>& of, bool whole = false) {
  std::cout << (of.empty() ? program_help(terminal_width())
                           : command_help(find_command(of.front()), terminal_width(), whole));
  return 0;
}

int print_generated(const std::string& what, const std::string& command) {
  if (what == "man-study") {
    std::cout << study_manual();
  } else if (what == "man") {
    std::cout << (command.empty() ? program_manual() : command_manual(find_command(command)));
  }
  for (const CompletionScript& script : completion_scripts())
    if (script.shell == what) std::cout << script.text;
  return 0;
}

/// The query of the completion scripts at every key press; not in the help, because users do not type it.
bool asks_for_words(const std::vector<std::string>& words) {
  return words.size() >= 2 && words[0] == "--complete" && words[1] == "--";
}

/// This program started under an emulator, by itself; not in the help either.
bool asks_for_cpu(const std::vector<std::string>& words) {
  return words.size() == 1 && words[0] == print_cpu_option;
}

int start_command(const Command& command, const std::vector<std::string>& words) {
  // Before anything is checked: a user who mistyped an option needs the help most.
  const bool whole = names_option(words, "--help-all");
  if (whole || names_option(words, "--help") || names_option(words, "-h")) return print_help({command.name}, whole);
  return command.run(parse(command, words));
}

/// Whether standard output is a pipe whose reader has gone: head and less stop reading when they have enough.
bool reader_has_gone() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/// A full disk under standard output shows only when the buffer is flushed.
int written(int code) {
  if (std::cout.flush() || reader_has_gone()) return code;
  throw Error(
      {.exit = Exit::measurement,
       .code = "output.unwritable",
       .where = "standard output",
       .problem = "cannot be written",
       .help = "everything that was to be stored is stored; free some space, or redirect the output elsewhere"});
}

int run_line(const std::vector<std::string>& words) {
  if (asks_for_words(words)) {
    std::cout << completion_lines({words.begin() + 2, words.end()});
    return 0;
  }
  if (asks_for_cpu(words)) {
    print_json(cpu_document(this_cpu()));
    return 0;
  }
  const SplitLine line = split_line(words);
  choose_colour(line.global.colour);
  if (line.global.version) return print_version(line.global.json);
  if (line.global.generate) return print_generated(*line.global.generate, line.command);
  if (line.command == "help") return print_help(line.rest);
  if (line.global.help || line.command.empty())
    return print_help(line.command.empty() ? std::vector<std::string>{} : std::vector{line.command});
  if (line.global.json)
    throw Error({.code = "usage.option",
                 .field = "--json",
                 .problem = "belongs after the command",
                 .help = "retrial " + line.command + " --json"});
  return start_command(find_command(line.command), line.rest);
}

}  // namespace

int run_program(const std::vector<std::string>& words) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit then makes a write fail, and failing writes are reported
  std::signal(SIGPIPE, SIG_IGN);  // a killed program would leave the log of a store next to it
  const ErrorStyle style{.json = names_option(words, "--json"), .debug = names_option(words, "--debug")};
  return guarded([&] { return written(run_line(words)); }, style);
}

}  // namespace retrial::harness::inline program
