#include "workloads/command/line/command_line.hpp"

#include <algorithm>

#include "results/text/text.hpp"
#include "workloads/command/line/environment.hpp"
#include "workloads/command/line/placeholders.hpp"
#include "workloads/command/line/words.hpp"

namespace retrial::workloads::command::inline line {

namespace {

bool is_plain(const std::string& path) {
  return std::all_of(path.begin(), path.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+").find(c) != std::string_view::npos;
  });
}

void check_shell_out(const std::string& text, const std::filesystem::path& out) {
  const auto all = placeholders_in(text);
  const bool used =
      std::any_of(all.begin(), all.end(), [](const Placeholder& one) { return one.kind == Placeholder::Kind::out; });
  if (used && !is_plain(out.string()))
    throw TrialFailure("command.shell_out",
                       "{out} is \"" + out.string() + "\", which a shell would split; use \"$TRIAL_OUT\" instead");
}

}  // namespace

std::vector<std::string> argv_of(const Trial& trial, const std::filesystem::path& out, const std::string& key) {
  const auto& text = trial.text(key);
  if (trial.flag("shell")) {
    check_shell_out(text, out);
    return {"/bin/sh", "-c", filled(text, trial, out)};
  }
  auto argv = texts_of(split_words(text));
  for (auto& element : argv) element = filled(element, trial, out);
  if (const auto repetitions = trial.integer("repetitions"); repetitions > 0 && key == "command")
    argv.push_back("--benchmark_repetitions=" + std::to_string(repetitions));
  return argv;
}

std::vector<std::string> honoured(const Values& values, const std::vector<std::string>& declared) {
  std::string texts = text_in(values, "command") + "\n" + text_in(values, "prepare");
  for (const char* key : result_file_keys) texts += "\n" + text_in(values, key);
  auto names = sources_in(texts);
  const auto read = environment_sources(values);
  names.insert(names.end(), read.begin(), read.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto rank = [&](const std::string& name) { return std::find(declared.begin(), declared.end(), name); };
  std::stable_sort(names.begin(), names.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return names;
}

}  // namespace retrial::workloads::command::inline line
