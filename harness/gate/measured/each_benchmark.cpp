#include "harness/gate/measured/each_benchmark.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/command/line/words.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

std::string& command_in(StudyDraft::DraftVariant& variant) {
  return std::get<std::string>(std::ranges::find(variant.keys, "command", &StudyDraft::Key::key)->value);
}

/// The command as a shell has to be told it, so that nothing in it is expanded.
std::string plain_command(const std::string& command) {
  std::string out;
  for (const std::string& word : workloads::command::texts_of(workloads::command::split_words(command)))
    out += (out.empty() ? "" : " ") + shell_word(word);
  return out;
}

std::vector<std::string> listed(const std::string& side, const std::string& command) {
  const std::string asked = plain_command(command) + " --benchmark_list_tests=true";
  std::string text;
  FILE* output = ::popen((asked + " 2>/dev/null").c_str(), "r");
  for (int c = 0; output != nullptr && (c = std::fgetc(output)) != EOF;) text += static_cast<char>(c);
  const bool ended = output != nullptr && ::pclose(output) == 0;
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string name = text.substr(at, end - at);
    if (!name.empty() && std::ranges::find(out, name) == out.end()) out.push_back(name);
    at = end + 1;
  }
  if (!ended || out.empty())
    throw Error({.exit = Exit::measurement,
                 .code = "gate.list",
                 .where = "--command " + side,
                 .problem = ended ? "lists no benchmark" : "does not list its benchmarks",
                 .help = "--each-benchmark is for programs of Google Benchmark: " + results::one_line(asked, 300)});
  for (const std::string& name : out)
    if (results::one_line(name, 200) != name)
      throw Error({.exit = Exit::measurement,
                   .code = "gate.list",
                   .where = "--command " + side,
                   .field = results::one_line(name, 100),
                   .problem = "is no name of a benchmark: " + results::one_line(asked, 300)});
  return out;
}

}  // namespace

std::string exact_filter(const std::string& name) {
  std::string out = "^";
  for (const char c : name) {
    if (std::string_view(".[()*+?{^$|\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out + "$";
}

EachBenchmark each_benchmark(const StudyDraft& draft) {
  std::vector<std::vector<std::string>> of_side;
  StudyDraft commands = draft;
  for (auto& variant : commands.variants) of_side.push_back(listed(variant.name, command_in(variant)));
  EachBenchmark out;
  for (std::size_t side = 0; side < of_side.size(); ++side)
    for (const std::string& name : of_side[side]) {
      const bool all = std::ranges::all_of(
          of_side, [&](const auto& names) { return std::ranges::find(names, name) != names.end(); });
      if (!all) out.alone.emplace_back(name, draft.variants[side].name);
      if (!all || side > 0) continue;
      StudyDraft one = draft;
      for (auto& variant : one.variants)
        command_in(variant) += " " + shell_word("--benchmark_filter=" + exact_filter(name));
      out.benches.push_back({name, std::move(one)});
    }
  if (!out.benches.empty()) return out;
  throw Error({.exit = Exit::incomparable,
               .code = "gate.nothing_in_common",
               .where = draft.where,
               .problem = "the programs have no benchmark in common: " +
                          results::one_line(of_side.front().front(), 100) + " is missing, and all others"});
}

}  // namespace retrial::harness::inline gate::inline measured
