#include "workloads/command/line/command_line.hpp"

#include <algorithm>

#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/command/line/placeholders.hpp"
#include "workloads/command/line/startable.hpp"
#include "workloads/command/line/words.hpp"
#include "workloads/command/process/process.hpp"
#include "workloads/command/reading/lists.hpp"

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

std::filesystem::path regular_file(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) ? file : std::filesystem::path{};
}

/// The files that the command of a key names, its program first.
std::vector<std::filesystem::path> named_files(const Values& values, const std::string& key) {
  const std::filesystem::path workdir = text_in(values, "workdir");
  auto words = texts_of(split_words(text_in(values, key)));
  if (words.empty()) return {};
  if (flag_in(values, "shell")) words.insert(words.begin(), "/bin/sh");
  std::vector<std::filesystem::path> files;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto file = i == 0 ? program_file(words[i], workdir).value_or("") : regular_file(workdir / words[i]);
    if (!file.empty()) files.push_back(file);
  }
  return files;
}

std::filesystem::path input_file(const std::filesystem::path& workdir, const std::string& name) {
  const auto file = workdir / name;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored)) return file;
  throw Error({.code = "command.input", .field = "command.inputs", .value = name, .problem = "no such file"});
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
  return argv;
}

Json program_of(const Values& values) {
  demand_startable(values);
  auto digests = Json::array();
  for (const std::string key : {"command", "prepare"})
    for (const auto& file : named_files(values, key)) digests.push_back(results::hex(results::sha256_file(file)));
  const std::filesystem::path workdir = text_in(values, "workdir");
  for (const auto& name : lines_of(text_in(values, "inputs")))
    digests.push_back(results::hex(results::sha256_file(input_file(workdir, name))));
  return digests;
}

std::vector<std::string> honoured(const Values& values, const std::vector<std::string>& declared) {
  auto names =
      sources_in(text_in(values, "command") + "\n" + text_in(values, "read_json") + "\n" + text_in(values, "prepare"));
  if (flag_in(values, "env_seed")) names.insert(names.end(), {"seed", "data-order"});
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto rank = [&](const std::string& name) { return std::find(declared.begin(), declared.end(), name); };
  std::stable_sort(names.begin(), names.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return names;
}

}  // namespace retrial::workloads::command::inline line
