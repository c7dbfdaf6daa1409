#include "workloads/command/reading/json_values.hpp"

#include <algorithm>

#include "results/text/text.hpp"
#include "workloads/command/reading/json_reading.hpp"
#include "workloads/interface/trial/split.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

constexpr std::size_t max_numbers = 12;

[[noreturn]] void refuse(const std::string& where, const std::string& problem) {
  throw TrialFailure("command.bad_json", where + ": " + problem);
}

void check_range(std::string_view text, const std::string& where) {
  if (const auto number = number_out_of_range(text))
    refuse(where, results::one_line(*number, 60) + " is outside the range of a double");
}

void note_numbers(const Json& object, const std::string& prefix, std::vector<std::string>& into) {
  for (const auto& [key, member] : object.items()) {
    if (into.size() == max_numbers) return;
    if (member.is_object())
      note_numbers(member, prefix + key + ".", into);
    else if (number_of(member) && std::ranges::find(into, prefix + key) == into.end())
      into.push_back(prefix + key);
  }
}

void add(const Json& object, std::size_t line, const std::vector<std::string>& names, JsonValues& into) {
  into.any = true;
  const auto* step = member_named(object, "step");
  if (step == nullptr) step = member_named(object, "epoch");
  for (const auto& name : names)
    if (const auto* member = member_named(object, name))
      into.of[name].push_back({.line = line,
                               .number = number_of(*member),
                               .has_step = step != nullptr,
                               .step = step == nullptr ? std::nullopt : number_of(*step)});
  note_numbers(object, "", into.numbers);
}

/// Calls `use` with every line that is not blank, trimmed, and its number from 1.
template <typename Use>
void each_line(std::string_view text, Use use) {
  std::size_t number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = workloads::trimmed(text.substr(at, end - at), " \t\r");
    if (!line.empty()) use(line, number);
    at = end + 1;
  }
}

}  // namespace

JsonValues values_in_output(std::string_view output, const std::vector<std::string>& names) {
  JsonValues values;
  each_line(output, [&](std::string_view line, std::size_t number) {
    if (!line.starts_with('{') || !line.ends_with('}')) return;
    check_range(line, "the output: " + results::one_line(line, 160));
    if (const auto object = json_object(line)) add(*object, number, names, values);
  });
  return values;
}

JsonValues values_in_file(std::string_view text, const std::string& file, const std::vector<std::string>& names) {
  check_range(text, file);
  JsonValues values;
  if (const auto object = json_object(text)) {
    add(*object, 1, names, values);
    return values;
  }
  each_line(text, [&](std::string_view line, std::size_t number) {
    const auto object = json_object(line);
    if (!object)
      refuse(file + ": not a JSON object",
             "line " + std::to_string(number) + " of it is none either: " + results::one_line(line, 160));
    add(*object, number, names, values);
  });
  if (!values.any) refuse(file, "not a JSON object");
  return values;
}

}  // namespace retrial::workloads::command::inline reading
