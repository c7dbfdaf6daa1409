#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"

namespace retrial::harness::inline command_line {

/// A name that is not known here, and what to type instead.
struct Renamed {
  std::string name, use;
};

struct Option {
  std::string name;                     ///< without dashes: "json"
  char letter = 0;                      ///< 'o' for -o; 0: none
  std::string value_name;               ///< "FILE"; empty: a flag; "[NAME,...]": a flag that may have a list of names
  std::string meaning;                  ///< one sentence, for the help
  bool repeats = false;                 ///< may be given several times
  std::vector<std::string> choices;     ///< allowed words; empty: any text
  std::string heading;                  ///< its group in the help; empty: "Options"
  std::vector<Renamed> elsewhere = {};  ///< names of choices in other programs
};

/// These options as one group of the help.
inline std::vector<Option> under(const std::string& heading, std::vector<Option> options) {
  for (Option& option : options) option.heading = heading;
  return options;
}
inline std::vector<Option> operator+(std::vector<Option> a, std::vector<Option> b) {
  std::move(b.begin(), b.end(), std::back_inserter(a));
  return a;
}
/// --study of the commands that read a store.
inline Option study_option() {
  return {.name = "study", .value_name = "NAME", .meaning = "study name or digest, when the store holds several"};
}

/// One row of the table of commands: everything that the help, the parser and main need to know about it.
struct Command {
  std::string name, group, purpose;
  std::vector<std::string> examples;    ///< complete commands: "retrial compare quickstart.db"
  std::string arguments;                ///< "[STORE] [TRIAL]"
  std::vector<Option> options;          ///< --help is added automatically
  std::vector<std::string> brief = {};  ///< headings whose options --help only names; --help-all explains them
  std::vector<Renamed> renamed = {};    ///< hints in the error for an unknown option
  int (*run)(const Arguments&) = nullptr;
};

}  // namespace retrial::harness::inline command_line
