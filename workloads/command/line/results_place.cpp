#include "workloads/command/line/results_place.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "workloads/command/line/copies.hpp"
#include "workloads/command/line/placeholders.hpp"
#include "workloads/command/line/program_files.hpp"

namespace retrial::workloads::command::inline line {

namespace {

constexpr std::uintmax_t largest_program = std::uintmax_t{16} << 20;

bool names_out(const std::string& text) {
  const auto all = placeholders_in(text);
  return text.find("TRIAL_OUT") != std::string::npos ||
         std::ranges::any_of(all, [](const Placeholder& one) { return one.kind == Placeholder::Kind::out; });
}

bool file_names_out(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error || size > largest_program) return false;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str().find("TRIAL_OUT") != std::string::npos;
}

/// Whether the program is given its folder, as far as can be seen.
bool knows_out(const Values& values) {
  return names_out(text_in(values, "command")) || std::ranges::any_of(named_files(values), file_names_out);
}

bool below_out(const std::string& name) {
  const auto all = placeholders_in(name);
  return !all.empty() && all.front().begin == 0 && all.front().kind == Placeholder::Kind::out &&
         (name.size() == all.front().length || name[all.front().length] == '/');
}

bool leads_up(const std::filesystem::path& file) {
  const auto normal = file.lexically_normal();
  return !normal.empty() && *normal.begin() == "..";
}

/// Whether trials at the same time would write this file of results over each other.
bool collides(const std::string& name, const Values& values) {
  if (name.empty() || name == "-" || below_out(name)) return false;
  if (std::filesystem::path(name).is_absolute() || leads_up(name)) return true;
  return copied_files(values).empty() && !knows_out(values);
}

SharedPlace collision(const std::string& key, const std::string& name) {
  const auto file = std::filesystem::path(name).filename().string();
  return {.declared = false,
          .problem = {key,
                      "trials that run at the same time would overwrite it: it is not in the trial's own folder "
                      "({out}, in the environment TRIAL_OUT)",
                      "'{out}/" + file + "'"},
          .help = "let the program write $TRIAL_OUT/" + file +
                  "; or add --copy FILE for each file it needs, and every trial starts in a folder of its own; or add "
                  "--shared-folder to run one trial at a time"};
}

}  // namespace

std::filesystem::path start_folder(const Trial& trial, const std::filesystem::path& out) {
  return copied_files(trial.values).empty() ? std::filesystem::path(trial.text("workdir")) : out;
}

ResultPlaces places_of(const std::string& name, const Trial& trial, const std::filesystem::path& out) {
  const std::filesystem::path file = filled(name, trial, out);
  if (below_out(name)) return {.own = file, .shared = {}, .read_shared = false};
  const bool own = file.is_relative() && !leads_up(file), starts_there = start_folder(trial, out) == out;
  return {.own = own ? out / file : "",
          .shared = own && starts_there ? "" : start_folder(trial, out) / file,
          .read_shared = shared_place(trial.values).has_value()};
}

std::optional<SharedPlace> shared_place(const Values& values) {
  if (flag_in(values, "shared_folder")) return SharedPlace{.declared = true, .problem = {}, .help = {}};
  for (const char* key : result_file_keys)
    if (const auto& name = text_in(values, key); collides(name, values)) return collision(key, name);
  return std::nullopt;
}

std::vector<std::filesystem::path> folders_to_keep(const Trial& trial, const std::filesystem::path& out) {
  if (!shared_place(trial.values)) return {};
  const auto start = start_folder(trial, out);
  std::set<std::filesystem::path> folders{std::filesystem::weakly_canonical(start.empty() ? "." : start)};
  for (const char* key : result_file_keys) {
    const auto& name = trial.text(key);
    if (name.empty() || name == "-") continue;
    const auto places = places_of(name, trial, out);
    if (places.own.empty()) folders.insert(std::filesystem::weakly_canonical(places.shared).parent_path());
  }
  return {folders.begin(), folders.end()};
}

}  // namespace retrial::workloads::command::inline line
