#include "harness/program/completion.hpp"

#include <algorithm>

#include "harness/command_line/parse.hpp"
#include "harness/program/commands.hpp"
#include "harness/program/completion_words.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline program {
namespace {

using Words = std::vector<std::string>;
using Candidates = std::vector<Candidate>;

void append(Candidates& to, Candidates more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

Candidates command_names() {
  Candidates out;
  for (const Command& command : all_commands()) out.push_back({command.name, command.purpose});
  return out;
}

Candidates option_names(const std::vector<Option>& options) {
  Candidates out;
  for (const Option& option : options) out.push_back({"--" + option.name, option.meaning});
  return out;
}

const Option* find_option(const std::vector<Option>& options, const std::string& word) {
  const auto at = std::find_if(options.begin(), options.end(), [&](const Option& option) {
    return word == "--" + option.name || (option.letter != 0 && word == std::string{'-', option.letter});
  });
  return at == options.end() ? nullptr : &*at;
}

/// Whether the next word is its value; one that may have a list is completed as if it had none.
bool takes_value(const Option* option) {
  return option != nullptr && !option->value_name.empty() && !option->value_name.starts_with('[');
}

Words split(const std::string& text, const std::string& at) {
  Words out;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(at, begin)) != std::string::npos; begin = end + at.size())
    out.push_back(text.substr(begin, end - begin));
  out.push_back(text.substr(begin));
  return out;
}

std::string bare(const std::string& name) {
  return name.starts_with('[') ? name.substr(1, name.size() - 2) : name;
}

/// Arguments by position as one use of a command takes them: "[STORE] [TRIAL]".
Candidates of_usage(const Words& names, const HalfLine& line) {
  Words left = names;
  // The store may be left out; a word that is not a store is then the next argument.
  if (!left.empty() && left.front() == "[STORE]" && !line.positional.empty() && !line.positional[0].ends_with(".db"))
    left.erase(left.begin());
  Candidates out;
  for (std::size_t at = line.positional.size(); at < left.size(); ++at) {
    append(out, words_for_argument(bare(left[at]), line));
    if (!left[at].starts_with('[')) break;
  }
  return out;
}

/// "list | verify DIR": the first word chooses the use.
Candidates of_uses(const HalfLine& line) {
  const Words uses = split(line.command.arguments, " | ");
  if (uses.size() == 1) return of_usage(split(uses[0], " "), line);
  Candidates out;
  for (const std::string& use : uses) {
    const Words names = split(use, " ");
    if (line.positional.empty()) {
      out.push_back({names.front(), ""});
    } else if (names.front() == line.positional.front()) {
      append(out, of_usage(names, line));
    }
  }
  return out;
}

/// "--metric=ac": completions of the value, each with the part before it.
Candidates of_joined_option(const std::vector<Option>& options, HalfLine line) {
  const auto equals = line.word.find('=');
  const std::string before = line.word.substr(0, equals + 1);
  const Option* option = find_option(options, line.word.substr(0, equals));
  if (!takes_value(option)) return {};
  line.word = line.word.substr(equals + 1);
  Candidates out = words_for_option(*option, line);
  for (auto& candidate : out) candidate.word.insert(0, before);
  return out;
}

Candidates of_command(const Command& command, const Words& words) {
  std::vector<Option> options = command.options;
  options.push_back({.name = "help", .letter = 'h', .meaning = "print the help of this command"});
  if (!command.brief.empty()) options.push_back({.name = "help-all", .meaning = "print the help of every option"});
  HalfLine line{.command = command, .positional = {}, .word = words.back()};
  const Option* open = nullptr;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const Option* option = open == nullptr ? find_option(options, words[i]) : nullptr;
    if (open == nullptr && !words[i].starts_with('-')) line.positional.push_back(words[i]);
    open = takes_value(option) ? option : nullptr;
  }
  if (open != nullptr) return words_for_option(*open, line);
  if (line.word.starts_with("--") && line.word.find('=') != std::string::npos) return of_joined_option(options, line);
  if (line.word.starts_with('-')) return option_names(options);
  return of_uses(line);
}

Candidates of_front(const Words& words) {
  const Option* before = words.size() < 2 ? nullptr : find_option(global_options(), words[words.size() - 2]);
  Candidates out;
  if (takes_value(before)) {
    for (const auto& choice : before->choices) out.push_back({choice, ""});
    return out;
  }
  return words.back().starts_with('-') ? option_names(global_options()) : command_names();
}

Candidates all_candidates(const Words& words) {
  const Words before(words.begin(), words.end() - 1);
  const std::size_t place = command_place(before);
  if (place >= before.size()) return of_front(words);
  const auto& name = before[place];
  const Words rest(words.begin() + static_cast<std::ptrdiff_t>(place) + 1, words.end());
  if (name == "help") return command_names();
  return of_command(find_command(name), rest);
}

}  // namespace

std::vector<Candidate> completions(const std::vector<std::string>& words) {
  Candidates found;
  try {
    found = all_candidates(words.empty() ? Words{""} : words);
  } catch (const std::exception&) {
    return {};  // the store may not exist, the study file may be incomplete; completion stays silent
  }
  const std::string& begun = words.empty() ? "" : words.back();
  std::erase_if(found, [&](const Candidate& candidate) { return !candidate.word.starts_with(begun); });
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return a.word < b.word; });
  return found;
}

std::string completion_lines(const std::vector<std::string>& words) {
  std::string out;
  for (const Candidate& candidate : completions(words)) {
    // The protocol with the shell is one candidate per line.
    if (candidate.word.find_first_of("\n\t") != std::string::npos) continue;
    out += candidate.word + "\t" + results::one_line(candidate.meaning, 120) + "\n";
  }
  return out;
}

}  // namespace retrial::harness::inline program
