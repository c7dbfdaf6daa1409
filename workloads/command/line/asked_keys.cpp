#include "workloads/command/line/asked_keys.hpp"

#include "results/json/json.hpp"
#include "workloads/command/line/words.hpp"

namespace retrial::workloads::command::inline line {

Values asked_keys(Values values) {
  for (const char* key : {"read", "read_curve", "read_file", "read_json", "direction", "digest", "inputs", "keep_out",
                          "shared_folder", "env_seed", "env_seeds"})
    values.erase(key);
  if (flag_in(values, "shell")) return values;
  for (const char* key : {"command", "prepare"})
    if (const auto words = split_words(text_in(values, key)); !words.words.empty())
      values[key] = results::canonical(Json(texts_of(words)));
  return values;
}

}  // namespace retrial::workloads::command::inline line
