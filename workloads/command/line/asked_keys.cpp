#include "workloads/command/line/asked_keys.hpp"

#include <filesystem>

#include "results/json/json.hpp"
#include "workloads/command/line/placeholders.hpp"
#include "workloads/command/line/words.hpp"
#include "workloads/command/reading/lists.hpp"

namespace retrial::workloads::command::inline line {
namespace {

/// Which seed a program is given, and in which form, makes no other program.
std::string with_one_seed(std::string text) {
  const auto found = placeholders_in(text);
  for (auto one = found.rbegin(); one != found.rend(); ++one)  // clang++ 14 lacks std::views of this library
    if (one->kind == Placeholder::Kind::seed || one->kind == Placeholder::Kind::seed64)
      text.replace(one->begin, one->length, "{seed}");
  return text;
}

std::string as_words(const std::string& text, bool shell) {
  const std::string seeded = with_one_seed(text);
  if (shell) return trimmed(seeded);
  const auto words = split_words(seeded);
  return words.words.empty() ? seeded : results::canonical(Json(texts_of(words)));
}

/// "", "." and "./" are one folder, and so are "a", "./a" and "a/".
std::string folder_named(const std::string& text) {
  std::string out = std::filesystem::path(text).lexically_normal().string();
  if (out.size() > 1 && out.ends_with('/')) out.pop_back();
  return out == "." ? "" : out;
}

}  // namespace

Values asked_keys(Values values, const std::string&) {
  for (const char* key : {"read", "read_curve", "read_file", "read_json", "read_google_benchmark", "direction",
                          "digest", "inputs", "keep_out", "shared_folder", "env_seed", "env_seeds", "costs_only"})
    values.erase(key);
  for (const char* key : {"command", "prepare"}) values[key] = as_words(text_in(values, key), flag_in(values, "shell"));
  values["workdir"] = folder_named(text_in(values, "workdir"));
  return values;
}

}  // namespace retrial::workloads::command::inline line
